/* Two cycles of allocation: input ports propose in one cycle and are granted in the next (specification §2.5,
 * ARB_CYCLES 2). For switch.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_TWO_H
#define HD_SWITCH_TWO_H

#include "barrier_state.h"
#include "switch_queue_head.h"
#include "switch_grants.h"

#include <string.h>

/* Returns the channels of output `port` that a flit in `state` may have in the cycle after the first step, as far as
 * that step can see. */
INLINED uint64_t may_have(const struct hd_switch *sw, unsigned port, unsigned state)
{
  uint64_t credits = sw->port[port].credits + two_of(sw)->first.spent[port];
  return (credits + sw->bias[state]) & two_of(sw)->first.allowed[state][port];
}

/* Makes the proposal of a queue head. False: there is no channel that it may have. */
INLINED bool propose_front(const struct hd_switch *sw, const struct channel *ch, struct proposal *p)
{
  struct request asked = asks(sw, ch, sw->adaptive);
  if (ch->state == VC_OPEN) { /* the front may be padding, or a flit that has come since */
    p->output = ch->oport;
    p->lanes = ch->lane;
    return p->lanes & may_have(sw, p->output, VC_OPEN);
  }
  p->output = (uint8_t)(asked.chosen - 1u);
  p->lanes = two_of(sw)->first.adapt;
  if (asked.chosen && (p->lanes & may_have(sw, p->output, VC_IDLE)))
    return true;
  p->output = asked.port;
  p->lanes = asked.lanes;
  return p->lanes & may_have(sw, p->output, VC_IDLE);
}

/* Makes the proposal of the flit that follows a granted one: the next flit of an open packet goes on, a new packet
 * proposes as a front would. False: there is no channel that it may have. */
INLINED bool propose_next(const struct hd_switch *sw, const struct channel *ch, struct proposal *p)
{
  if (ch->state != VC_OPEN)
    return propose_front(sw, ch, p);
  struct request asked = asks(sw, ch, sw->adaptive);
  p->output = asked.port;
  p->lanes = asked.lanes;
  return p->lanes;
}

/* Makes the proposal of input `port`; returns its eligible channels. If there is no new one, a proposal that was not
 * granted stays while its queue head asks. */
static unsigned propose(const struct hd_switch *sw, unsigned port, struct proposal *p)
{
  const struct first_step *first = &two_of(sw)->first;
  const struct channel *channels = &sw->channels[switch_place(sw, port, 0)];
  struct proposal of[HD_MAX_VCS];
  bool granted = first->granted >> port & 1;
  unsigned eligible = 0, vc = two_of(sw)->proposed[port].vc;
  for (unsigned left = switch_set_of(sw, &first->asking, port); left; left &= left - 1) {
    unsigned v = (unsigned)__builtin_ctz(left);
    bool can = granted && v == vc ? switch_set_has(&first->left, switch_place(sw, port, v)) &&
                                        propose_next(sw, &channels[v], &of[v])
                                  : propose_front(sw, &channels[v], &of[v]);
    eligible |= (unsigned)can << v;
  }
  if (!eligible) {
    const bool waits = two_of(sw)->proposed[port].some && !granted &&
                       switch_set_has(&first->asking, switch_place(sw, port, vc));
    if (waits)
      *p = of[vc];
    p->vc = (uint8_t)vc;
    p->some = waits;
    return 0;
  }
  if (!two_of(sw)->proposed[port].some || granted || !(eligible >> vc & 1))
    vc = switch_first_after(eligible, sw->port[port].in_last);
  *p = of[vc];
  p->vc = (uint8_t)vc;
  p->some = 1;
  return eligible;
}

unsigned hd_switch_in_last(const struct hd_switch *sw, unsigned port)
{
  struct proposal p = {.some = 0};
  if (sw->two_cycles && two_of(sw)->first.is_due)
    propose(sw, port, &p);
  return p.some ? p.vc : sw->port[port].in_last;
}

/* Runs the first step of the cycle before, if that had fronts. Called at the start of a cycle. */
static void begin_two_cycles(struct hd_switch *sw, uint64_t cycle, bool covered)
{
  two_of(sw)->first.is_due = 0;
  if (sw->pop_cycle + 1 == cycle) {
    for (unsigned port = 0; port < sw->ports; port++) {
      struct proposal *p = &two_of(sw)->proposed[port];
      unsigned eligible = propose(sw, port, p);
      if (!eligible)
        continue;
      if (covered && (eligible & (eligible - 1)))
        hd_switch_cover_input_tie(sw, port, p->vc, eligible);
      sw->port[port].in_last = p->vc;
    }
    memcpy(two_of(sw)->owned_before, two_of(sw)->first.owned, sizeof two_of(sw)->owned_before);
  } else {
    memset(two_of(sw)->proposed, 0, sizeof two_of(sw)->proposed);
    memset(two_of(sw)->owned_before, 0, sizeof two_of(sw)->owned_before);
  }
}

/* Picks the proposals that can have an output channel now. A proposal of padding falls away where padding has ended
 * (§7.5), or where a barrier flit waits that has come since. */
INLINED void pick_proposed(const struct hd_switch *sw, const struct requests *requests,
                           struct picks *picks, const struct barrier_cycle *barrier, bool covered)
{
  for (unsigned port = 0; port < sw->ports; port++) {
    const struct proposal *p = &two_of(sw)->proposed[port];
    unsigned place = switch_place(sw, port, p->vc);
    if (!p->some || !switch_set_has(&requests->asking, place))
      continue;
    unsigned state = sw->channels[place].state;
    uint64_t can = p->lanes & can_have(sw, p->output, state, barrier);
    if (!state)
      can &= ~two_of(sw)->owned_before[p->output];
    if (!can)
      continue;
    if (covered && switch_set_of(sw, &sw->popped, port))
      switch_cover(sw, HD_POINT_DISCARD_AND_GRANT);
    picks->vc[port] = p->vc;
    picks->lanes[port] = can;
    picks->inputs[p->output] |= (uint16_t)(1u << port);
    picks->outputs |= 1u << p->output;
  }
}

/* Keeps the state that the first step uses. keep_before is called before anything is granted, keep_after after that. */
INLINED void keep_before(struct hd_switch *sw, const struct requests *requests,
                         const struct barrier_cycle *barrier, bool adaptive)
{
  struct first_step *first = &two_of(sw)->first;
  first->asking = requests->asking;
  first->adapt = adaptive ? switch_lanes(adaptive_channels(sw)) : 0;
  for (unsigned port = 0; port < sw->ports; port++) {
    const struct port *out = &sw->port[port];
    bool masked = barrier && (barrier->masked >> port & 1);
    first->spent[port] = out->credits;
    first->owned[port] = out->owned;
    first->allowed[VC_OPEN][port] = masked ? switch_lanes(barrier->open_can[port]) : LANES;
    first->allowed[VC_IDLE][port] =
        (masked ? switch_lanes(barrier->head_can[port]) : LANES) & ~out->owned;
  }
}

INLINED void keep_after(struct hd_switch *sw, const struct picks *picks)
{
  struct first_step *first = &two_of(sw)->first;
  for (unsigned port = 0; port < sw->ports; port++)
    first->spent[port] -= sw->port[port].credits;
  first->left = sw->fronts;
  first->granted = 0;
  for (unsigned left = picks->outputs; left; left &= left - 1)
    first->granted |= (uint16_t)(1u << sw->port[__builtin_ctz(left)].out_last);
  first->is_due = 1;
}

#endif
