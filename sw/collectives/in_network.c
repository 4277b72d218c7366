/* Collectives that the switches carry out: reductions by barrier units, and multicast.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In each round, barrier units reduce one value of each member, several at once (specification
 * §8.14). Multicast brings a member's block to all others (chapter 13).
 */
#include "plan.h"

enum { VALUE_BYTES = 4 };

/* Reduces each element of the block by itself. `into` is NULL if this member does not need the
 * result. */
static void reduce_values(struct hd_plan *plan, const struct hd_team *team,
                          const struct hd_collective_call *call, unsigned char *into)
{
  const unsigned char *from = call->send;
  const size_t values = team->n > 1 ? call->bytes / VALUE_BYTES : 0;
  if (!into)
    into = hd_plan_scratch(plan, call->bytes);
  if (team->n == 1)
    hd_plan_copy(plan, into, from, call->bytes);
  for (size_t i = 0; i < values; i++) {
    const int lane = (int)(i % (size_t)team->lanes);
    if (!lane)
      hd_plan_end_round(plan);
    hd_plan_arrive(plan, lane, into + i * VALUE_BYTES, from + i * VALUE_BYTES, VALUE_BYTES);
  }
}

void hd_build_allreduce_network(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  reduce_values(plan, team, call, call->receive);
}

void hd_build_reduce_network(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call)
{
  reduce_values(plan, team, call, team->me == call->root ? call->receive : NULL);
}

void hd_build_barrier_network(struct hd_plan *plan, const struct hd_team *team,
                              const struct hd_collective_call *call)
{
  (void)call;
  if (team->n > 1)
    hd_plan_arrive(plan, 0, NULL, NULL, 0);
}

void hd_build_broadcast_network(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  if (team->n == 1)
    return;
  if (team->me == call->root)
    hd_plan_multicast(plan, call->receive, call->bytes);
  else
    hd_plan_receive(plan, call->root, call->receive, call->bytes);
}

void hd_build_allgather_network(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  unsigned char *blocks = call->receive;
  if (team->n > 1)
    hd_plan_multicast(plan, call->send, call->bytes);
  for (int i = 0; i < team->n; i++) {
    unsigned char *to = blocks + (size_t)i * call->bytes;
    if (i == team->me)
      hd_plan_copy(plan, to, call->send, call->bytes);
    else
      hd_plan_receive(plan, i, to, call->bytes);
  }
}
