/* The request of a channel's oldest flit, and the state that its grant changes (specification §2.3 to §2.5). For
 * cmodel/switch/ and cmodel/fabric/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inlined into the cycles of all kinds of switches.
 */
#ifndef HD_SWITCH_FRONT_H
#define HD_SWITCH_FRONT_H

#include "adaptive_state.h"
#include "switch_cover.h"
#include "switch_input.h"

/** Deals with a front that asks for nothing (§2.4, §7.5): discards it, or takes it. False: it waits. */
bool hd_switch_discard(struct hd_switch *sw, uint64_t cycle, unsigned place);
/** Returns the header of a packet that is routed by ports, or that turns (§1.3). */
uint64_t hd_switch_changed_header(const struct hd_switch *sw, const struct slot *front);

/** A granted flit, with the fields that its output will show. */
struct granted {
  uint64_t data;
  uint32_t tag;
  uint8_t vc, kind;
};

/* Adds the channels whose flits are routed by the start of `cycle` to the fronts. */
INLINED void take_due(struct hd_switch *sw, uint64_t cycle)
{
  struct channel_set *due = &sw->due[cycle % DUE_SLOTS];
  sw->fronts.word[0] |= due->word[0];
  sw->fronts.word[1] |= due->word[1];
  *due = (struct channel_set){{0}};
}

/* §2.4: returns the request of a channel's oldest flit, given the channel's state. Has no branches, because they would
 * often be mispredicted. A channel that is padded (§7.5) is open and empty, and its slot's old contents are not used.
 */
INLINED struct request asks(const struct hd_switch *sw, const struct channel *ch, bool adaptive)
{
  const struct slot *front = switch_queue_head(sw, ch);
  const unsigned of_packet = 0 - (unsigned)(ch->state != VC_IDLE); /* in VC_SINK nobody asks */
  const uint64_t of_heads = (uint64_t)ch->state - 1;
  struct request asked = {
      .lanes = ch->lane | (switch_lanes(front->vc_mask) & of_heads), /* body and tail have no mask
                                                                      * */
      .port = (uint8_t)(front->oport ^ ((front->oport ^ ch->oport) & of_packet))};
  if (adaptive && front->is_chosen && ch->state == VC_IDLE)
    asked.chosen = (uint8_t)(front->chosen + 1);
  if (__builtin_expect(front->kind & HD_KIND_RESERVED, 0) && ch->count)
    asked.lanes = 0;
  return asked;
}

/* Returns the channels of output `port` that a flit of an open packet (state VC_OPEN) or a head (VC_IDLE) could have.
 * In VC_SINK nothing is requested. */
INLINED uint64_t can_have(const struct hd_switch *sw, unsigned port, unsigned state,
                          const struct barrier_cycle *barrier)
{
  const struct port *out = &sw->port[port];
  uint64_t of_others = out->owned & ((uint64_t)state - 1);
  uint64_t can = switch_has_credit(sw, out, state) & ~of_others;
  if (barrier && (barrier->masked >> port & 1))
    can &= switch_lanes(state ? barrier->open_can[port] : barrier->head_can[port]);
  return can;
}

/* Returns how many flits of a channel will still be in routing in the next cycle, without those that come in this one:
 * those of one cycle with ROUTE_CYCLES = 1, of two with 2. */
INLINED unsigned in_routing(const struct hd_switch *sw, uint64_t cycle, unsigned place)
{
  return (unsigned)switch_set_has(&sw->due[(cycle + 1) % DUE_SLOTS], place) +
         switch_set_has(&sw->due[(cycle + 2) % DUE_SLOTS], place);
}

/* Takes the oldest flit out of its buffer; `routing` flits behind it are still being routed. True: no front is left. */
INLINED bool leave_buffer(const struct hd_switch *sw, struct channel *ch, unsigned routing,
                          bool covered)
{
  if (covered && ch->count == sw->depth)
    switch_cover(sw, HD_POINT_POP_FULL);
  uint32_t next = ch->front + (uint32_t)sizeof(struct slot), end = ch->base + sw->ring_bytes;
  unsigned left = ch->count - 1u;
  if (covered && next == end)
    switch_cover(sw, HD_POINT_SLOTS_WRAP);
  ch->front = next == end ? ch->base : next;
  ch->count = (uint8_t)left;
  return left == routing;
}

INLINED void pop(struct hd_switch *sw, uint64_t cycle, unsigned place, bool covered)
{
  unsigned routing = in_routing(sw, cycle, place);
  bool drained = leave_buffer(sw, &sw->channels[place], routing, covered);
  sw->active--;
  switch_set_add(&sw->popped, place);
  switch_set_remove_if(&sw->fronts, place, drained);
}

/* Updates the state that changes with every grant. */
INLINED void leave(struct hd_switch *sw, unsigned port, unsigned output, unsigned ovc, bool covered,
                   bool adaptive)
{
  sw->port[output].out_last = (uint8_t)port;
  sw->port[output].credits -= UINT64_C(1) << 8 * ovc;
  if (covered && !switch_credit(sw, output, ovc))
    switch_cover(sw, HD_POINT_CREDIT_LAST);
  if (adaptive)
    adaptive_of(sw)->taken[output] = (uint8_t)(1u << ovc);
}

/* Counts that a flit of an open packet is granted. */
INLINED void cover_open(const struct hd_switch *sw, struct channel *ch, unsigned kind)
{
  uint64_t *count = sw->coverage->count;
  if (kind == SLOT_NULL) {
    count[HD_POINT_NULL_OPEN]++;
    return;
  }
  if (kind & HD_KIND_HEAD)
    return; /* the error has a point of its own */
  count[HD_POINT_OPEN_BODY + kind]++;
  if (kind & HD_KIND_TAIL)
    count[HD_POINT_PACKET_OF_TWO + ch->body]++;
  ch->body = 1;
}

/* §6.3, for coverage: the front is not blocked in this cycle. */
INLINED void count_granted(const struct hd_switch *sw, unsigned place)
{
  if (sw->blocked)
    sw->blocked[switch_port_of(sw, place) * sw->vcs + switch_vc_of(sw, place)]--;
}

/* Records a grant for coverage and for the errors of §2.8, by the packet's state and the kind of the flit. */
INLINED void note_grant(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned output,
                        struct channel *ch, const struct slot *front, uint64_t lanes, unsigned ovc,
                        bool covered)
{
  bool open = ch->state == VC_OPEN;
  if (covered && (open || front->change != HEADER_MULTICAST)) /* a multicast flit counts when it is
                                                               * popped */
    count_granted(sw, (unsigned)(ch - sw->channels));
  if (covered && open)
    cover_open(sw, ch, front->kind);
  if (covered && open && front->is_chosen)
    switch_cover(sw, HD_POINT_CHOSEN_NESTED);
  if (__builtin_expect((unsigned)open & front->kind / HD_KIND_HEAD, 0))
    switch_error(sw, cycle, HD_ERR_NESTED,
                 front->kind & HD_KIND_TAIL ? HD_POINT_OPEN_SINGLE : HD_POINT_OPEN_HEAD);
  if (covered && !open) {
    hd_switch_cover_head(sw, port, output, front, switch_mask(lanes), ovc);
    ch->body = 0;
  }
}

/* Carries out a grant of §2.5 for the pick of an input port. The flit is popped later. A flit that leaves an idle or
 * open channel leaves it idle if it is a tail or single, otherwise open. */
INLINED struct granted grant(struct hd_switch *sw, uint64_t cycle, unsigned place, unsigned output,
                             uint64_t lanes, bool covered, bool adaptive)
{
  struct channel *ch = &sw->channels[place];
  const struct slot *front = switch_queue_head(sw, ch);
  struct port *out = &sw->port[output];
  const unsigned port = switch_port_of(sw, place), before = ch->state, kind = front->kind;
  const unsigned ovc = switch_lane_after(lanes, out->vc_last);
  const bool open = before == VC_OPEN, tail = kind & HD_KIND_TAIL;
  const uint64_t lane = switch_lane(ovc), closed = lane & (0 - (uint64_t)tail);
  struct granted flit = {front->data, front->tag, (uint8_t)ovc, (uint8_t)kind};
  note_grant(sw, cycle, port, output, ch, front, lanes, ovc, covered);
  if (__builtin_expect(front->change && !open && front->change != HEADER_MULTICAST, 0))
    flit.data = hd_switch_changed_header(sw, front);
  out->owned = (out->owned | lane) & ~closed;
  ch->lane = lane ^ closed;
  ch->state = (uint8_t)(VC_OPEN - tail);
  ch->oport = (uint8_t)output;
  ch->ovc = (uint8_t)ovc;
  out->vc_last ^= (uint8_t)((out->vc_last ^ ovc) & ((unsigned)open - 1));
  sw->port[port].in_last = (uint8_t)switch_vc_of(sw, place);
  leave(sw, port, output, ovc, covered, adaptive);
  if (adaptive)
    adaptive_popped(sw, kind, before, ch->state);
  return flit;
}

#endif
