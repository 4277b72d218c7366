/* Algorithms of alltoall and alltoallv.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "plan.h"

/* A block in a buffer of adjacent blocks. */
struct block {
  size_t at, bytes;
};

/* Returns the block of a member. If `sizes` is NULL, all blocks have `bytes` bytes. */
static struct block block_of(const size_t *sizes, size_t bytes, int member)
{
  if (!sizes)
    return (struct block){(size_t)member * bytes, bytes};
  struct block block = {0, sizes[member]};
  for (int i = 0; i < member; i++)
    block.at += sizes[i];
  return block;
}

static const size_t *sizes_of(const struct hd_collective_call *call, const size_t *sizes)
{
  return call->collective == HD_COLLECTIVE_ALLTOALLV ? sizes : NULL;
}

/* Adds step k, but does not end the round. */
static void add_exchange(struct hd_plan *plan, const struct hd_team *team,
                         const struct hd_collective_call *call, int k)
{
  const unsigned char *send = call->send;
  unsigned char *receive = call->receive;
  int to = (team->me + k) % team->n, from = (team->me + team->n - k) % team->n;
  struct block out = block_of(sizes_of(call, call->send_bytes), call->bytes, to);
  struct block in = block_of(sizes_of(call, call->receive_bytes), call->bytes, from);
  if (!k) {
    hd_plan_copy(plan, receive + in.at, send + out.at, in.bytes);
    return;
  }
  hd_plan_send(plan, to, send + out.at, out.bytes);
  hd_plan_receive(plan, from, receive + in.at, in.bytes);
}

void hd_build_alltoall_linear(struct hd_plan *plan, const struct hd_team *team,
                              const struct hd_collective_call *call)
{
  for (int k = 0; k < team->n; k++)
    add_exchange(plan, team, call, k);
}

void hd_build_alltoall_pairwise(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  for (int k = 0; k < team->n; k++) {
    add_exchange(plan, team, call, k);
    hd_plan_end_round(plan);
  }
}

/* Block j must travel j places. In the step of a bit, all blocks whose number has that bit move by
 * that many places. So after all steps, each block is at its destination. */
void hd_build_alltoall_bruck(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call)
{
  const unsigned char *send = call->send;
  unsigned char *receive = call->receive;
  int n = team->n, me = team->me;
  size_t bytes = call->bytes;
  unsigned char *blocks = hd_plan_scratch(plan, (size_t)n * bytes);
  unsigned char *out = hd_plan_scratch(plan, (size_t)n * bytes);
  unsigned char *in = hd_plan_scratch(plan, (size_t)n * bytes);
  for (int j = 0; j < n; j++)
    hd_plan_copy(plan, blocks + (size_t)j * bytes, send + (size_t)((me + j) % n) * bytes, bytes);
  for (int bit = 1; bit < n; bit *= 2) {
    size_t some = 0;
    for (int j = bit; j < n; j++)
      if (j & bit) {
        hd_plan_copy(plan, out + some, blocks + (size_t)j * bytes, bytes);
        some += bytes;
      }
    hd_plan_end_round(plan);
    hd_plan_send(plan, (me + bit) % n, out, some);
    hd_plan_receive(plan, (me + n - bit) % n, in, some);
    some = 0;
    for (int j = bit; j < n; j++)
      if (j & bit) {
        hd_plan_copy(plan, blocks + (size_t)j * bytes, in + some, bytes);
        some += bytes;
      }
  }
  for (int j = 0; j < n; j++)
    hd_plan_copy(plan, receive + (size_t)((me + n - j) % n) * bytes, blocks + (size_t)j * bytes,
                 bytes);
}
