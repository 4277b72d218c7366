/* Algorithms of collectives with a root: broadcast, scatter, gather, reduce.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

/* ── broadcast ─────────────────────────────────────────────────────────────── */

void hd_build_broadcast_linear(struct hd_plan *plan, const struct hd_team *all,
                               const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  if (team.me)
    hd_plan_receive(plan, call->root, call->receive, call->bytes);
  else
    for (int v = 1; v < team.n; v++)
      hd_plan_send(plan, hd_team_peer(&team, v), call->receive, call->bytes);
}

void hd_build_broadcast_binomial(struct hd_plan *plan, const struct hd_team *all,
                                 const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  hd_round_broadcast(plan, &team, call->receive, call->bytes);
}

void hd_build_broadcast_ring(struct hd_plan *plan, const struct hd_team *all,
                             const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_block(team.n, call->bytes, 1);
  hd_round_scatter(plan, &team, call->receive, &parts);
  hd_round_ring_gather(plan, &team, call->receive, &parts);
}

void hd_build_broadcast_doubling(struct hd_plan *plan, const struct hd_team *all,
                                 const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_block(team.n, call->bytes, 1);
  hd_round_scatter(plan, &team, call->receive, &parts);
  hd_round_doubling_gather(plan, &team, call->receive, &parts);
}

/* ── scatter and gather ────────────────────────────────────────────────────── */

void hd_build_scatter_linear(struct hd_plan *plan, const struct hd_team *all,
                             const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  const unsigned char *send = call->send;
  size_t bytes = call->bytes;
  if (team.me) {
    hd_plan_receive(plan, call->root, call->receive, bytes);
    return;
  }
  for (int v = 1; v < team.n; v++) {
    int peer = hd_team_peer(&team, v);
    hd_plan_send(plan, peer, send + (size_t)peer * bytes, bytes);
  }
  hd_plan_copy(plan, call->receive, send + (size_t)call->root * bytes, bytes);
}

/* Returns the number of blocks of the member's subtree; the root's has all. */
static int blocks_of_subtree(const struct hd_team *team)
{
  int bit = 1;
  while (bit < team->n && !(team->me & bit))
    bit *= 2;
  return bit < team->n - team->me ? bit : team->n - team->me;
}

/* In the order of the team, the root's block is first. The buffer in the order of members is the
 * same, rotated. */
void hd_build_scatter_binomial(struct hd_plan *plan, const struct hd_team *all,
                               const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_blocks(team.n, call->bytes);
  size_t bytes = call->bytes, before = (size_t)call->root * bytes;
  size_t after = (size_t)team.n * bytes - before;
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)blocks_of_subtree(&team) * bytes);
  if (!team.me) {
    const unsigned char *send = call->send;
    hd_plan_copy(plan, blocks, send + before, after);
    hd_plan_copy(plan, blocks + after, send, before);
    hd_plan_end_round(plan);
  }
  parts.base = (size_t)team.me * bytes;
  hd_round_scatter(plan, &team, blocks, &parts);
  hd_plan_copy(plan, call->receive, blocks, bytes);
}

void hd_build_gather_linear(struct hd_plan *plan, const struct hd_team *all,
                            const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  unsigned char *receive = call->receive;
  size_t bytes = call->bytes;
  if (team.me) {
    hd_plan_send(plan, call->root, call->send, bytes);
    return;
  }
  for (int v = 1; v < team.n; v++) {
    int peer = hd_team_peer(&team, v);
    hd_plan_receive(plan, peer, receive + (size_t)peer * bytes, bytes);
  }
  hd_plan_copy(plan, receive + (size_t)call->root * bytes, call->send, bytes);
}

void hd_build_gather_binomial(struct hd_plan *plan, const struct hd_team *all,
                              const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_blocks(team.n, call->bytes);
  size_t bytes = call->bytes, before = (size_t)call->root * bytes;
  size_t after = (size_t)team.n * bytes - before;
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)blocks_of_subtree(&team) * bytes);
  hd_plan_copy(plan, blocks, call->send, bytes);
  hd_plan_end_round(plan);
  parts.base = (size_t)team.me * bytes;
  hd_round_gather(plan, &team, blocks, &parts);
  if (!team.me) {
    unsigned char *receive = call->receive;
    hd_plan_copy(plan, receive + before, blocks, after);
    hd_plan_copy(plan, receive, blocks + after, before);
  }
}

/* ── reduce ────────────────────────────────────────────────────────────────── */

void hd_build_reduce_linear(struct hd_plan *plan, const struct hd_team *all,
                            const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  size_t bytes = call->bytes;
  if (team.me) {
    hd_plan_send(plan, call->root, call->send, bytes);
    return;
  }
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)(team.n - 1) * bytes);
  for (int v = 1; v < team.n; v++)
    hd_plan_receive(plan, hd_team_peer(&team, v), blocks + (size_t)(v - 1) * bytes, bytes);
  hd_plan_copy(plan, call->receive, call->send, bytes);
  for (int v = 1; v < team.n; v++)
    hd_plan_combine(plan, call->receive, blocks + (size_t)(v - 1) * bytes, bytes);
}

/* Copies the member's contribution to where it is reduced; at the root, that is the result's
 * buffer. */
static unsigned char *copy_contribution(struct hd_plan *plan, const struct hd_team *team,
                                        const struct hd_collective_call *call)
{
  unsigned char *block = team->me ? hd_plan_scratch(plan, call->bytes) : call->receive;
  hd_plan_copy(plan, block, call->send, call->bytes);
  hd_plan_end_round(plan);
  return block;
}

void hd_build_reduce_binomial(struct hd_plan *plan, const struct hd_team *all,
                              const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  hd_round_reduce(plan, &team, copy_contribution(plan, &team, call), call->bytes);
}

void hd_build_reduce_ring(struct hd_plan *plan, const struct hd_team *all,
                          const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_block(team.n, call->bytes, call->op->element_bytes);
  unsigned char *block = copy_contribution(plan, &team, call);
  hd_round_ring_reduce(plan, &team, block, &parts);
  hd_round_gather(plan, &team, block, &parts);
}

void hd_build_reduce_halving(struct hd_plan *plan, const struct hd_team *all,
                             const struct hd_collective_call *call)
{
  struct hd_team team = hd_team_of_root(all, call->root);
  struct hd_parts parts = hd_parts_of_block(team.n, call->bytes, call->op->element_bytes);
  unsigned char *block = copy_contribution(plan, &team, call);
  hd_round_halving_reduce(plan, &team, block, &parts);
  hd_round_gather(plan, &team, block, &parts);
}
