/* Methods with a plan for the network: what a member sends and receives in each step.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step is a round of the member's plan: the member goes on when it has sent and received the
 * messages of the step. So steps are separated where data depends on an earlier step. Elsewhere a
 * member may be ahead of others, unless members meet at a barrier before each step.
 */
#include "plan.h"

#include <string.h>

bool hd_steps_fill(struct hd_steps *steps, const struct hd_step_message *messages, uint32_t n,
                   uint32_t p, const struct hd_memory *memory)
{
  uint32_t *first = memory->alloc(memory->context, ((size_t)p + 2) * sizeof *first);
  uint32_t *of = memory->alloc(memory->context, ((size_t)n + 1) * 2 * sizeof *of);
  if (!first || !of)
    return false;
  for (uint32_t i = 0; i < n; i++) {
    first[messages[i].from + 2]++;
    first[messages[i].to + 2]++;
  }
  for (uint32_t i = 2; i < p + 2; i++)
    first[i] += first[i - 1];
  for (uint32_t i = 0; i < n; i++) {
    of[first[messages[i].from + 1]++] = i;
    of[first[messages[i].to + 1]++] = i;
  }
  steps->messages = messages;
  steps->first = first;
  steps->of = of;
  steps->n_steps = n ? messages[n - 1].step + 1 : 0;
  return true;
}

/* The buffers from which a member sends and into which it receives. */
struct step_buffers {
  const struct hd_collective_call *call;
  unsigned char *pairs; /* pairs of a coded plan */
  bool *made;           /* [pairs] this member has made it */
};

static size_t sum_sizes(const size_t *sizes, uint32_t n)
{
  size_t all = 0;
  for (uint32_t i = 0; i < n; i++)
    all += sizes[i];
  return all;
}

/* Returns the block that goes from this member to another one, or comes from there. */
static unsigned char *block_of(const struct step_buffers *at, const struct hd_team *team,
                               const struct hd_step_message *m, size_t *bytes)
{
  const struct hd_collective_call *call = at->call;
  const bool sends = m->from == (uint32_t)team->me;
  const uint32_t peer = sends ? m->to : m->from;
  unsigned char *send = (unsigned char *)(uintptr_t)call->send, *receive = call->receive;
  *bytes = call->bytes;
  switch (call->collective) {
  case HD_COLLECTIVE_BROADCAST:
    return receive;
  case HD_COLLECTIVE_SCATTER:
    return sends ? send + m->to * call->bytes : receive;
  case HD_COLLECTIVE_GATHER:
    return sends ? send : receive + m->from * call->bytes;
  case HD_COLLECTIVE_ALLGATHER:
    if (m->item >= (uint32_t)team->n)
      return at->pairs + (m->item - (uint32_t)team->n) * call->bytes;
    return receive + m->item * call->bytes;
  case HD_COLLECTIVE_ALLTOALLV: {
    const size_t *sizes = sends ? call->send_bytes : call->receive_bytes;
    *bytes = sizes[peer];
    return (sends ? send : receive) + sum_sizes(sizes, peer);
  }
  default:
    return (sends ? send : receive) + peer * call->bytes;
  }
}

/* If this member makes the pair, makes it before the step in which it is first sent. */
static void make_message_pair(struct hd_plan *plan, const struct hd_team *team,
                              struct step_buffers *at, const struct hd_step_message *m)
{
  const uint32_t n = (uint32_t)team->n, q = m->item - n;
  const size_t bytes = at->call->bytes;
  const unsigned char *receive = at->call->receive;
  if (m->item < n || m->from != (uint32_t)team->me || at->made[q] ||
      team->steps->coded->pairs[q].maker != m->from)
    return;
  const uint32_t *blocks = team->steps->coded->pairs[q].blocks;
  at->made[q] = true;
  hd_plan_copy(plan, at->pairs + q * bytes, receive + blocks[0] * bytes, bytes);
  hd_plan_combine(plan, at->pairs + q * bytes, receive + blocks[1] * bytes, bytes);
  hd_plan_end_round(plan);
}

static void add_steps(struct hd_plan *plan, const struct hd_team *team, struct step_buffers *at)
{
  const struct hd_steps *s = team->steps; /* NULL: there is only one member */
  const uint32_t end = s ? s->first[team->me + 1] : 0;
  uint32_t met = 0; /* number of steps that have begun */
  for (uint32_t i = s ? s->first[team->me] : 0, next; i < end; i = next) {
    const uint32_t step = s->messages[s->of[i]].step;
    hd_plan_end_round(plan);
    for (; team->step_barrier && met < step; met++)
      hd_plan_barrier(plan);
    for (next = i; next < end && s->messages[s->of[next]].step == step; next++)
      make_message_pair(plan, team, at, &s->messages[s->of[next]]);
    for (uint32_t k = i; k < next; k++) {
      const struct hd_step_message *m = &s->messages[s->of[k]];
      size_t bytes;
      unsigned char *block = block_of(at, team, m, &bytes);
      if (m->from == (uint32_t)team->me)
        hd_plan_send(plan, (int)m->to, block, bytes);
      else
        hd_plan_receive(plan, (int)m->from, block, bytes);
    }
  }
  hd_plan_end_round(plan);
  for (; s && team->step_barrier && met + 1 < s->n_steps; met++)
    hd_plan_barrier(plan);
}

void hd_build_broadcast_schedule(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  add_steps(plan, team, &(struct step_buffers){.call = call});
}

/* Copies the block that a member has for itself. */
static void copy_own_block(struct hd_plan *plan, void *to, const void *from, size_t bytes)
{
  hd_plan_copy(plan, to, from, bytes);
  hd_plan_end_round(plan);
}

void hd_build_scatter_schedule(struct hd_plan *plan, const struct hd_team *team,
                               const struct hd_collective_call *call)
{
  if (team->me == call->root)
    copy_own_block(plan, call->receive,
                   (const unsigned char *)call->send + (size_t)team->me * call->bytes, call->bytes);
  add_steps(plan, team, &(struct step_buffers){.call = call});
}

void hd_build_gather_schedule(struct hd_plan *plan, const struct hd_team *team,
                              const struct hd_collective_call *call)
{
  if (team->me == call->root)
    copy_own_block(plan, (unsigned char *)call->receive + (size_t)team->me * call->bytes,
                   call->send, call->bytes);
  add_steps(plan, team, &(struct step_buffers){.call = call});
}

void hd_build_allgather_schedule(struct hd_plan *plan, const struct hd_team *team,
                                 const struct hd_collective_call *call)
{
  copy_own_block(plan, (unsigned char *)call->receive + (size_t)team->me * call->bytes, call->send,
                 call->bytes);
  add_steps(plan, team, &(struct step_buffers){.call = call});
}

void hd_build_alltoall_schedule(struct hd_plan *plan, const struct hd_team *team,
                                const struct hd_collective_call *call)
{
  const bool v = call->collective == HD_COLLECTIVE_ALLTOALLV;
  const uint32_t me = (uint32_t)team->me;
  const size_t out = v ? sum_sizes(call->send_bytes, me) : me * call->bytes;
  const size_t in = v ? sum_sizes(call->receive_bytes, me) : me * call->bytes;
  copy_own_block(plan, (unsigned char *)call->receive + in, (const unsigned char *)call->send + out,
                 v ? call->send_bytes[me] : call->bytes);
  add_steps(plan, team, &(struct step_buffers){.call = call});
}

/* Steps A to G of network coding. Encoding and decoding take no time, like reductions. */
void hd_build_allgather_coded(struct hd_plan *plan, const struct hd_team *team,
                              const struct hd_collective_call *call)
{
  static const uint32_t none[2];
  static const struct hd_coded nothing = {.first = none};
  const struct hd_coded *coded = team->steps ? team->steps->coded : &nothing;
  unsigned char *receive = call->receive;
  struct step_buffers at = {.call = call,
                            .pairs = hd_plan_scratch(plan, coded->n_pairs * call->bytes),
                            .made = (bool *)hd_plan_scratch(plan, coded->n_pairs * sizeof(bool))};
  if (coded->n_pairs)
    memset(at.made, 0, coded->n_pairs * sizeof *at.made);
  plan->op = &hd_operator_xor_u8;
  copy_own_block(plan, receive + (size_t)team->me * call->bytes, call->send, call->bytes);
  add_steps(plan, team, &at);
  for (uint32_t i = coded->first[team->me]; i < coded->first[team->me + 1]; i++) {
    const struct hd_restored *r = &coded->restored[i];
    unsigned char *to = receive + r->to * call->bytes;
    hd_plan_copy(plan, to, at.pairs + r->pair * call->bytes, call->bytes);
    hd_plan_combine(plan, to, receive + r->from * call->bytes, call->bytes);
  }
}
