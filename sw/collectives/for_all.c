/* Algorithms of allgather, allreduce, reduce-scatter and barrier: all members get the result.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

/* ── allgather ─────────────────────────────────────────────────────────────── */

/* Copies this member's block to its place in the result. */
static void copy_own_block(struct hd_plan *plan, const struct hd_team *team,
                           const struct hd_collective_call *call)
{
  unsigned char *receive = call->receive;
  hd_plan_copy(plan, receive + (size_t)team->me * call->bytes, call->send, call->bytes);
  hd_plan_end_round(plan);
}

void hd_build_allgather_linear(struct hd_plan *plan, const struct hd_team *team,
                               const struct hd_collective_call *call)
{
  unsigned char *receive = call->receive;
  copy_own_block(plan, team, call);
  for (int k = 1; k < team->n; k++) {
    int to = (team->me + k) % team->n, from = (team->me + team->n - k) % team->n;
    hd_plan_send(plan, to, call->send, call->bytes);
    hd_plan_receive(plan, from, receive + (size_t)from * call->bytes, call->bytes);
  }
}

void hd_build_allgather_binomial(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  copy_own_block(plan, team, call);
  hd_round_gather(plan, team, call->receive, &parts);
  hd_round_broadcast(plan, team, call->receive, (size_t)team->n * call->bytes);
}

void hd_build_allgather_ring(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  copy_own_block(plan, team, call);
  hd_round_ring_gather(plan, team, call->receive, &parts);
}

void hd_build_allgather_doubling(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  copy_own_block(plan, team, call);
  hd_round_doubling_gather(plan, team, call->receive, &parts);
}

/* Blocks are stored in the order that begins with this member's, and rotated at the end. */
void hd_build_allgather_bruck(struct hd_plan *plan, const struct hd_team *team,
                              const struct hd_collective_call *call)
{
  int n = team->n, me = team->me;
  size_t bytes = call->bytes, after = (size_t)(n - me) * bytes, before = (size_t)me * bytes;
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)n * bytes), *receive = call->receive;
  hd_plan_copy(plan, blocks, call->send, bytes);
  hd_plan_end_round(plan);
  for (int k = 1; k < n; k *= 2) {
    size_t some = (size_t)(k < n - k ? k : n - k) * bytes;
    hd_plan_send(plan, (me + n - k) % n, blocks, some);
    hd_plan_receive(plan, (me + k) % n, blocks + (size_t)k * bytes, some);
    hd_plan_end_round(plan);
  }
  hd_plan_copy(plan, receive + before, blocks, after);
  hd_plan_copy(plan, receive, blocks + after, before);
}

/* ── allreduce ─────────────────────────────────────────────────────────────── */

static void copy_contribution(struct hd_plan *plan, const struct hd_collective_call *call)
{
  hd_plan_copy(plan, call->receive, call->send, call->bytes);
  hd_plan_end_round(plan);
}

void hd_build_allreduce_linear(struct hd_plan *plan, const struct hd_team *team,
                               const struct hd_collective_call *call)
{
  struct hd_collective_call rooted = *call;
  rooted.root = 0;
  hd_build_reduce_linear(plan, team, &rooted);
  hd_plan_end_round(plan);
  hd_build_broadcast_linear(plan, team, &rooted);
}

void hd_build_allreduce_binomial(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  copy_contribution(plan, call);
  hd_round_reduce(plan, team, call->receive, call->bytes);
  hd_round_broadcast(plan, team, call->receive, call->bytes);
}

void hd_build_allreduce_ring(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_block(team->n, call->bytes, call->op->element_bytes);
  copy_contribution(plan, call);
  hd_round_ring_reduce(plan, team, call->receive, &parts);
  hd_round_ring_gather(plan, team, call->receive, &parts);
}

/* Recursive doubling. Each exchange sends the whole block. With 0 bytes it is a barrier. */
static void add_doubling(struct hd_plan *plan, const struct hd_team *team, unsigned char *block,
                         size_t bytes)
{
  struct hd_team folded;
  if (hd_round_fold(plan, team, &folded, block, bytes)) {
    unsigned char *came = hd_plan_scratch(plan, bytes);
    for (int bit = 1; bit < folded.n; bit *= 2) {
      int partner = hd_team_peer(&folded, folded.me ^ bit);
      hd_plan_send(plan, partner, block, bytes);
      hd_plan_receive(plan, partner, came, bytes);
      hd_plan_combine(plan, block, came, bytes);
      hd_plan_end_round(plan);
    }
  }
  hd_round_unfold(plan, team, block, bytes);
}

void hd_build_allreduce_doubling(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  copy_contribution(plan, call);
  add_doubling(plan, team, call->receive, call->bytes);
}

void hd_build_allreduce_halving(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  struct hd_team folded;
  copy_contribution(plan, call);
  if (hd_round_fold(plan, team, &folded, call->receive, call->bytes)) {
    struct hd_parts parts = hd_parts_of_block(folded.n, call->bytes, call->op->element_bytes);
    hd_round_halving_reduce(plan, &folded, call->receive, &parts);
    hd_round_doubling_gather(plan, &folded, call->receive, &parts);
  }
  hd_round_unfold(plan, team, call->receive, call->bytes);
}

/* ── reduce-scatter ────────────────────────────────────────────────────────── */

void hd_build_reduce_scatter_linear(struct hd_plan *plan, const struct hd_team *team,
                                    const struct hd_collective_call *call)
{
  const unsigned char *send = call->send;
  size_t bytes = call->bytes;
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)(team->n - 1) * bytes);
  for (int k = 1; k < team->n; k++) {
    int to = (team->me + k) % team->n, from = (team->me + team->n - k) % team->n;
    hd_plan_send(plan, to, send + (size_t)to * bytes, bytes);
    hd_plan_receive(plan, from, blocks + (size_t)(k - 1) * bytes, bytes);
  }
  hd_plan_copy(plan, call->receive, send + (size_t)team->me * bytes, bytes);
  for (int k = 1; k < team->n; k++)
    hd_plan_combine(plan, call->receive, blocks + (size_t)(k - 1) * bytes, bytes);
}

/* Copies all blocks that this member contributes, to reduce them there. */
static unsigned char *copy_own_blocks(struct hd_plan *plan, const struct hd_team *team,
                                      const struct hd_collective_call *call)
{
  size_t bytes = (size_t)team->n * call->bytes;
  unsigned char *blocks = hd_plan_scratch(plan, bytes);
  hd_plan_copy(plan, blocks, call->send, bytes);
  hd_plan_end_round(plan);
  return blocks;
}

/* Copies this member's part, which is its result. */
static void copy_result(struct hd_plan *plan, const struct hd_team *team,
                        const struct hd_collective_call *call, const unsigned char *blocks)
{
  hd_plan_copy(plan, call->receive, blocks + (size_t)team->me * call->bytes, call->bytes);
}

void hd_build_reduce_scatter_binomial(struct hd_plan *plan, const struct hd_team *team,
                                      const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  unsigned char *blocks = copy_own_blocks(plan, team, call);
  hd_round_reduce(plan, team, blocks, (size_t)team->n * call->bytes);
  hd_round_scatter(plan, team, blocks, &parts);
  copy_result(plan, team, call, blocks);
}

void hd_build_reduce_scatter_ring(struct hd_plan *plan, const struct hd_team *team,
                                  const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  unsigned char *blocks = copy_own_blocks(plan, team, call);
  hd_round_ring_reduce(plan, team, blocks, &parts);
  copy_result(plan, team, call, blocks);
}

void hd_build_reduce_scatter_halving(struct hd_plan *plan, const struct hd_team *team,
                                     const struct hd_collective_call *call)
{
  struct hd_parts parts = hd_parts_of_blocks(team->n, call->bytes);
  unsigned char *blocks = copy_own_blocks(plan, team, call);
  hd_round_halving_reduce(plan, team, blocks, &parts);
  copy_result(plan, team, call, blocks);
}

void hd_build_reduce_scatter_pairwise(struct hd_plan *plan, const struct hd_team *team,
                                      const struct hd_collective_call *call)
{
  const unsigned char *send = call->send;
  size_t bytes = call->bytes;
  unsigned char *came = hd_plan_scratch(plan, bytes);
  hd_plan_copy(plan, call->receive, send + (size_t)team->me * bytes, bytes);
  hd_plan_end_round(plan);
  for (int k = 1; k < team->n; k++) {
    int to = (team->me + k) % team->n, from = (team->me + team->n - k) % team->n;
    hd_plan_send(plan, to, send + (size_t)to * bytes, bytes);
    hd_plan_receive(plan, from, came, bytes);
    hd_plan_combine(plan, call->receive, came, bytes);
    hd_plan_end_round(plan);
  }
}

/* ── barrier: empty messages ─────────────────────────────────────────────── */

void hd_build_barrier_linear(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call)
{
  (void)call;
  plan->empty_messages = true;
  if (team->me) {
    hd_plan_send(plan, 0, NULL, 0);
    hd_plan_receive(plan, 0, NULL, 0);
    return;
  }
  for (int i = 1; i < team->n; i++)
    hd_plan_receive(plan, i, NULL, 0);
  hd_plan_end_round(plan);
  for (int i = 1; i < team->n; i++)
    hd_plan_send(plan, i, NULL, 0);
}

void hd_build_barrier_binomial(struct hd_plan *plan, const struct hd_team *team,
                               const struct hd_collective_call *call)
{
  (void)call;
  plan->empty_messages = true;
  hd_round_reduce(plan, team, NULL, 0);
  hd_round_broadcast(plan, team, NULL, 0);
}

void hd_build_barrier_doubling(struct hd_plan *plan, const struct hd_team *team,
                               const struct hd_collective_call *call)
{
  (void)call;
  plan->empty_messages = true;
  add_doubling(plan, team, NULL, 0);
}

void hd_build_barrier_dissemination(struct hd_plan *plan, const struct hd_team *team,
                                    const struct hd_collective_call *call)
{
  (void)call;
  plan->empty_messages = true;
  for (int k = 1; k < team->n; k *= 2) {
    hd_plan_send(plan, (team->me + k) % team->n, NULL, 0);
    hd_plan_receive(plan, (team->me + team->n - k) % team->n, NULL, 0);
    hd_plan_end_round(plan);
  }
}
