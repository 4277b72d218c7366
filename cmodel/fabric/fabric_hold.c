/* Held network interfaces: flits come in, their credits go back later (§4.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * An interface that was never held returns each credit at once and is in no set. One that is held, or still owes
 * credits, collects the credits of a cycle, because a link carries one set of credits a cycle.
 */
#include "fabric_state.h"

#include <inttypes.h>

int hd_fabric_hold(struct hd_fabric *f, uint32_t node, uint64_t cycles, struct hd_error *err)
{
  if (node >= f->topology->n_nodes)
    return hd_fail(err, HD_E_INPUT, "hold of node %" PRIu32 ", but nodes are 0 to %" PRIu32, node,
                   f->topology->n_nodes - 1);
  if (!hd_fabric_room_handed(f))
    return hd_fail(err, HD_E_NOMEM, "no memory for a hold");
  f->handed[f->n_handed++] = (struct handed){HANDED_HOLD, 0, node, cycles};
  struct ejector *e = &f->ejectors[node];
  uint64_t until = cycles > UINT64_MAX - f->cycle ? UINT64_MAX : f->cycle + cycles;
  if (until > e->held_until)
    e->held_until = until;
  uint64_t *word = &f->ejector_set[node / 64], bit = UINT64_C(1) << node % 64;
  f->n_ejectors += !(*word & bit);
  *word |= bit;
  return HD_OK;
}

void hd_fabric_defer_credits(struct hd_fabric *f, uint32_t node, unsigned credits, unsigned at_once)
{
  struct ejector *e = &f->ejectors[node];
  if (e->held_until <= f->cycle) /* older credits of the channel may wait */
    at_once &= 1u << HD_BARRIER_CREDIT;
  e->now |= (uint16_t)at_once;
  for (uint32_t vc = 0; vc < f->params.sw.vcs; vc++)
    if ((credits & ~at_once) >> vc & 1) {
      e->owed[vc]++;
      f->n_owed++;
    }
}

/* Returns the credits of this cycle. True: this interface is not held and owes no credits. */
static bool give_owed(struct hd_fabric *f, uint32_t node)
{
  struct ejector *e = &f->ejectors[node];
  bool held = f->cycle < e->held_until, owes = false;
  unsigned credits = e->now;
  e->now = 0;
  for (uint32_t vc = 0; vc < f->params.sw.vcs; vc++) {
    if (e->owed[vc] && !held) {
      credits |= 1u << vc;
      e->owed[vc]--;
      f->n_owed--;
    }
    owes |= e->owed[vc] != 0;
  }
  if (credits)
    hd_fabric_post_credit(f, f->cycle + f->params.link_cycles, f->topology->node_exits[node],
                          (uint16_t)credits);
  if (held && owes) /* flits that need these credits wait for software, so this is no deadlock */
    f->counters.last_progress = f->cycle;
  return !held && !owes;
}

void hd_fabric_return_deferred_credits(struct hd_fabric *f)
{
  for (uint32_t w = 0; w * 64 < f->topology->n_nodes; w++)
    for (uint64_t set = f->ejector_set[w]; set; set &= set - 1) {
      if (!give_owed(f, w * 64 + (uint32_t)__builtin_ctzll(set)))
        continue;
      f->ejector_set[w] &= ~(set & -set);
      f->n_ejectors--;
    }
}
