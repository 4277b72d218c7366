/* The switch model: buffers, allocation, errors (specification chapter 2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the RTL moves flits through pipeline registers, this model keeps dates: a flit is
 * in its buffer when it arrives and is due in the cycle in which it may be granted; a
 * grant makes at once the event that the output will show later.
 *
 * Length: a cycle's steps are inlined into one function for each kind of switch, so they are in one file.
 */
#include "adaptive_state.h"
#include "barrier_state.h"
#include "coder_state.h"
#include "switch_cover.h"

#include <assert.h>
#include <string.h>

/* Plain switches, those with a barrier part, those with an adaptive part and those with a coder each get a
 * cycle of their own, all inlined. */
#define INLINED static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/* §2.7, mode 3: its entry, 0 where there is none. */
static uint16_t route_by_node(const struct hd_switch *sw, unsigned port, uint64_t destination,
                              uint64_t via, struct slot *slot)
{
  uint16_t entry;
  if (!sw->params.source_table) {
    switch_cover(sw, HD_POINT_MODE_3_NO_TABLE);
    return 0;
  }
  if (via >= sw->params.nodes) {
    switch_cover(sw, HD_POINT_VIA_BEYOND);
    return 0;
  }
  entry = switch_table(sw, sw->source_offset, port)[via];
  if (!(entry >> 12 & 1)) {
    if (destination >= sw->params.nodes) {
      switch_cover(sw, HD_POINT_NODE_BEYOND);
      return 0;
    }
    slot->turns = 1;
    entry = switch_table(sw, sw->destination_offset, port)[destination];
  }
  if (sw->coverage)
    switch_cover_by_node(sw, slot->turns, entry);
  return entry;
}

/* §2.7, §7.7. Leaves vc_mask 0 where the packet is unroutable. */
INLINED void route(const struct hd_switch *sw, unsigned port, uint64_t header, struct slot *slot,
                   bool covered)
{
  uint32_t nodes = sw->params.nodes;
  uint64_t node_mask = (UINT64_C(1) << sw->node_bits) - 1;
  uint16_t entry = 0;
  switch (header & 3) {
  case 0:
  case 1: {
    uint64_t destination = header >> 2 & node_mask;
    if (destination >= nodes) {
      switch_cover(sw, HD_POINT_NODE_BEYOND);
      return;
    }
    entry = switch_table(sw, sw->destination_offset, port)[destination];
    bool by_source = (header & 1) && !(entry >> 12 & 1) && sw->params.source_table;
    if (by_source) {
      uint64_t source = header >> (2 + sw->node_bits) & node_mask;
      if (source >= nodes) {
        switch_cover(sw, HD_POINT_SOURCE_BEYOND);
        return;
      }
      entry = switch_table(sw, sw->source_offset, port)[source];
    }
    if (covered)
      switch_cover_route(sw, header & 1, by_source, entry);
    break;
  }
  case 2:
    entry = hd_table_entry((unsigned)(header >> 2) & ((1u << sw->port_bits) - 1), sw->data_vc_bits);
    slot->source_routed = 1;
    switch_cover(sw, (entry & 15u) < sw->ports ? HD_POINT_MODE_2 : HD_POINT_MODE_2_PORT);
    break;
  default:
    entry = route_by_node(sw, port, header >> 2 & node_mask,
                          header >> (2 + sw->node_bits) & node_mask, slot);
  }
  if ((entry >> 12 & 1) && (entry & 15u) < sw->ports) {
    slot->oport = entry & 15;
    slot->vc_mask = (uint8_t)(entry >> 4 & sw->data_vc_bits);
  }
}

/* §2.10: an input while nothing is in the switch. */
static void cover_wake(const struct hd_switch *sw, uint64_t cycle, enum hd_spec_point point)
{
  if (cycle >= sw->quiet_from)
    switch_cover(sw, point);
  if (cycle + 1 == sw->quiet_from)
    switch_cover(sw, HD_POINT_QUIET_LAST);
  if (cycle == sw->quiet_from && cycle)
    switch_cover(sw, HD_POINT_QUIET_FIRST);
}

/* §2.3, §7.4: a flit that is accepted; before it is. */
INLINED void cover_arrival(const struct hd_switch *sw, unsigned port, unsigned vc, unsigned due,
                           const struct channel *ch, bool popped)
{
  uint64_t *count = sw->coverage->count;
  unsigned before = (due + DUE_SLOTS - 1) % DUE_SLOTS;
  if (!ch->count)
    count[HD_POINT_FIRST_SLOT]++;
  if (ch->count + 1 == sw->depth)
    count[HD_POINT_LAST_SLOT]++;
  if (popped)
    count[HD_POINT_COMES_AND_GOES]++;
  if (sw->due_ports[before] >> port & 1)
    count[HD_POINT_ARRIVES_AGAIN + (sw->port[port].due_vc[before] != vc)]++;
  if (sw->barrier && (barrier_of(sw)->input[port].preempted >> vc & 1))
    count[HD_POINT_DATA_PREEMPTED]++;
}

INLINED void put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                      unsigned kind, uint64_t data, uint32_t tag, bool covered, bool adaptive)
{
  if (covered && !sw->active)
    cover_wake(sw, cycle, HD_POINT_WAKE_FLIT);
  switch_quiet_not_before(sw, cycle + 2);
  if (vc >= sw->vcs) {
    switch_error(sw, cycle, HD_ERR_CHANNEL, HD_POINT_CHANNEL);
    return;
  }
  if (__builtin_expect(sw->barrier && (kind & HD_KIND_RESERVED), 0)) {
    if (kind == HD_KIND_NULL) {
      switch_cover(sw, HD_POINT_NULL_COMES);
      kind = SLOT_NULL;
      tag = UINT32_MAX;
    } else if (barrier_of(sw)->beside) {
      barrier_arrive(sw, cycle, port, vc, kind, data);
      return;
    }
  }
  struct channel *ch = &sw->channels[port * sw->vcs + vc];
  /* Occupancy counts as at the cycle's start, so a pop of this cycle makes no room yet. */
  unsigned popped = sw->pop_cycle == cycle && (sw->port[port].popped >> vc & 1);
  if (ch->count + popped >= sw->depth) {
    switch_error(sw, cycle, HD_ERR_OVERFLOW, popped ? HD_POINT_OVERFLOW_POP : HD_POINT_OVERFLOW);
    return;
  }
  unsigned due = (unsigned)(cycle + sw->route_delay) % DUE_SLOTS;
  if (covered)
    cover_arrival(sw, port, vc, due, ch, popped);
  unsigned at = ch->head + ch->count;
  if (at >= sw->depth)
    at -= sw->depth;
  struct slot *slot = switch_slot(sw, ch, at);
  *slot = (struct slot){.data = data, .tag = tag, .kind = (uint8_t)kind};
  if ((kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    route(sw, port, data, slot, covered);
  if (adaptive) {
    adaptive_arrive(sw, cycle, port, slot);
    adaptive_came(sw, kind);
  }
  ch->count++;
  sw->active++;
  sw->due_ports[due] |= (uint16_t)(1u << port);
  sw->port[port].due_vc[due] = (uint8_t)vc;
}

/* Two functions each, with and without coverage: the public one then saves nothing and jumps. */
static NOINLINE void put_flit_plain(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                    unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, false, false);
}

static NOINLINE void put_flit_covered(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                      unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, true, false);
}

static NOINLINE void put_flit_adaptive(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                       unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, sw->coverage != NULL, true);
}

void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag)
{
  if (__builtin_expect(!sw->extra, 1))
    put_flit_plain(sw, cycle, port, vc, kind, data, tag);
  else if (sw->adaptive)
    put_flit_adaptive(sw, cycle, port, vc, kind, data, tag);
  else if (sw->coverage)
    put_flit_covered(sw, cycle, port, vc, kind, data, tag);
  else
    put_flit_plain(sw, cycle, port, vc, kind, data, tag);
}

INLINED void put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs,
                        bool covered)
{
  bool barrier = vcs >> HD_BARRIER_CREDIT & 1 && sw->barrier;
  if (!(vcs & sw->vc_bits) && !barrier)
    return; /* nothing, or a wire that is not looked at (§8.9) */
  if (covered && !sw->active)
    cover_wake(sw, cycle, barrier ? HD_POINT_WAKE_BARRIER_CREDIT : HD_POINT_WAKE_CREDIT);
  bool granted = covered && sw->pop_cycle == cycle && (sw->sent_ports >> port & 1);
  switch_quiet_not_before(sw, cycle + 2);
  if (barrier)
    barrier_credit(sw, cycle, port);
  for (unsigned left = vcs & sw->vc_bits; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    unsigned credit = sw->channels[port * sw->vcs + vc].credit;
    if (granted && sw->port[port].sent_vc == vc)
      switch_cover(sw, credit + 1u == sw->depth ? HD_POINT_CREDIT_TIE_FULL : HD_POINT_CREDIT_TIE);
    if (credit >= sw->depth)
      switch_error(sw, cycle, HD_ERR_CREDIT, HD_POINT_CREDIT_SURPLUS);
    else
      switch_give_credit(sw, port, vc);
    if (covered && credit + 1u == sw->depth)
      switch_cover(sw, HD_POINT_CREDIT_ALL);
  }
  if (covered && (vcs & (vcs - 1) & sw->vc_bits))
    switch_cover(sw, HD_POINT_CREDIT_SEVERAL);
}

static NOINLINE void put_credit_plain(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                      unsigned vcs)
{
  put_credit(sw, cycle, port, vcs, false);
}

static NOINLINE void put_credit_covered(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                        unsigned vcs)
{
  put_credit(sw, cycle, port, vcs, true);
}

static NOINLINE void put_credit_adaptive(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                         unsigned vcs)
{
  unsigned count = vcs >> HD_COUNT_WIRES;
  adaptive_give(sw, cycle, port, vcs & sw->vc_bits);
  if (sw->adaptive == HD_ADAPTIVE_COUNT && (count & HD_COUNT_SHOWN)) {
    if (sw->coverage && !sw->active)
      cover_wake(sw, cycle, HD_POINT_WAKE_COUNT);
    switch_quiet_not_before(sw, cycle + 2);
    adaptive_tell(sw, cycle, port, count & HD_COUNT_MOST);
  }
  put_credit(sw, cycle, port, vcs, sw->coverage != NULL);
}

void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  if (__builtin_expect(!sw->extra, 1))
    put_credit_plain(sw, cycle, port, vcs);
  else if (sw->adaptive)
    put_credit_adaptive(sw, cycle, port, vcs);
  else if (sw->coverage)
    put_credit_covered(sw, cycle, port, vcs);
  else
    put_credit_plain(sw, cycle, port, vcs);
}

/* §2.4: what the front of a channel asks for, in the state that it is in. */
INLINED void renew_wants(const struct hd_switch *sw, struct channel *ch, bool adaptive)
{
  const struct slot *front = switch_front(sw, ch);
  bool open = ch->state == VC_OPEN;
  ch->want_port = open ? ch->oport : front->oport;
  ch->want_mask = (uint8_t)(open ? 1u << ch->ovc : front->vc_mask); /* body, tail: mask 0 */
  if ((front->kind & HD_KIND_RESERVED) || ch->state == VC_SINK)
    ch->want_mask = 0;
  if (adaptive)
    ch->want_chosen = (uint8_t)(front->is_chosen && ch->state == VC_IDLE ? front->chosen + 1 : 0);
}

/* Flits whose routing is done by the start of `cycle`. */
INLINED void take_due(struct hd_switch *sw, uint64_t cycle, bool adaptive)
{
  unsigned due = (unsigned)cycle % DUE_SLOTS;
  for (unsigned left = sw->due_ports[due]; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left), vc = sw->port[port].due_vc[due];
    struct channel *ch = &sw->channels[port * sw->vcs + vc];
    if (ch->ready++ == 0) {
      sw->port[port].fronts |= (uint8_t)(1u << vc);
      sw->front_ports |= (uint16_t)(1u << port);
      renew_wants(sw, ch, adaptive);
    }
  }
  sw->due_ports[due] = 0;
}

static NOINLINE void take_due_plain(struct hd_switch *sw, uint64_t cycle)
{
  take_due(sw, cycle, false);
}

static NOINLINE void take_due_adaptive(struct hd_switch *sw, uint64_t cycle)
{
  take_due(sw, cycle, true);
}

INLINED void pop(struct hd_switch *sw, unsigned port, unsigned vc, struct channel *ch, bool covered,
                 bool adaptive)
{
  if (covered && ch->count == sw->depth)
    switch_cover(sw, HD_POINT_POP_FULL);
  ch->head++;
  if (ch->head == sw->depth) {
    ch->head = 0;
    if (covered)
      switch_cover(sw, HD_POINT_SLOTS_WRAP);
  }
  sw->active--;
  ch->count--;
  sw->port[port].popped |= (uint8_t)(1u << vc);
  sw->popped_ports |= (uint16_t)(1u << port);
  if (--ch->ready) {
    renew_wants(sw, ch, adaptive);
    return;
  }
  sw->port[port].fronts &= (uint8_t) ~(1u << vc);
  if (!sw->port[port].fronts)
    sw->front_ports &= (uint16_t) ~(1u << port);
}

/* §2.4, §7.5: this front asks for nothing; carries out why. False: it waits. */
static bool discard(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                    struct channel *ch)
{
  unsigned kind = switch_front(sw, ch)->kind, before = ch->state;
  bool tail = kind & HD_KIND_TAIL, null = kind == SLOT_NULL;
  if (kind & HD_KIND_RESERVED) {
    if (!sw->barrier)
      switch_error(sw, cycle, HD_ERR_RESERVED, HD_POINT_RESERVED_IDLE + ch->state);
    else if (!barrier_front(sw, cycle, port, vc, switch_front(sw, ch)))
      return false;
    else
      switch_cover(sw, HD_POINT_FRONT_IDLE + ch->state);
  } else if (ch->state == VC_SINK) {
    if (switch_front(sw, ch)->is_chosen)
      switch_cover(sw, HD_POINT_CHOSEN_NESTED);
    if (kind & HD_KIND_HEAD)
      switch_error(sw, cycle, HD_ERR_NESTED, tail ? HD_POINT_SINK_SINGLE : HD_POINT_SINK_HEAD);
    else
      switch_cover(sw, null ? HD_POINT_NULL_SINK : tail ? HD_POINT_SINK_TAIL : HD_POINT_SINK_BODY);
    if (tail)
      ch->state = VC_IDLE;
  } else if (!(kind & HD_KIND_HEAD)) {
    switch_error(sw, cycle, HD_ERR_ORPHAN,
                 null   ? HD_POINT_NULL_IDLE
                 : tail ? HD_POINT_IDLE_TAIL
                        : HD_POINT_IDLE_BODY);
  } else {
    switch_error(sw, cycle, HD_ERR_UNROUTABLE,
                 tail ? HD_POINT_NO_WAY_SINGLE : HD_POINT_NO_WAY_HEAD);
    if (!tail)
      ch->state = VC_SINK;
  }
  if (sw->adaptive)
    adaptive_popped(sw, kind, before, ch->state);
  pop(sw, port, vc, ch, true, sw->adaptive);
  switch_quiet_not_before(sw, cycle + 3);
  return true;
}

/* Requests of one cycle: input ports' picks by output port. */
struct picks {
  unsigned outputs;               /* output ports that are asked for */
  unsigned discards;              /* flits that were discarded */
  uint16_t inputs[HD_MAX_PORTS];  /* by output port: input ports that ask */
  uint8_t vc[HD_MAX_PORTS];       /* by input port */
  uint8_t channels[HD_MAX_PORTS]; /* by input port: E of §2.5, or the open packet's channel */
};

/* §10.5: the channels that a packet with a chosen port can have now, and at which port. */
INLINED unsigned request_chosen(const struct hd_switch *sw, unsigned port, const struct channel *ch,
                                uint8_t *output, bool covered)
{
  unsigned q = ch->want_chosen - 1u, o = ch->want_port, mask = adaptive_channels(sw);
  unsigned at_q = mask & sw->port[q].head_credit & ~(unsigned)sw->port[q].owned;
  unsigned at_o = ch->want_mask & sw->port[o].head_credit & ~(unsigned)sw->port[o].owned;
  if (covered)
    switch_cover_chosen(sw, port, ch, at_q, at_o);
  *output = (uint8_t)(at_q ? q : o);
  return at_q ? at_q : at_o;
}

/* §6.3: a front counts as blocked until it is granted; one that waits for padding is none. */
INLINED void count_front(const struct hd_switch *sw, unsigned port, unsigned vc,
                         const struct barrier_cycle *barrier)
{
  bool padding =
      barrier && (barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1);
  if (sw->blocked)
    sw->blocked[port * sw->vcs + vc] += !padding;
}

/* §2.4 and first step of §2.5 for one input port; returns how many of its fronts may be
 * blocked, the pick included. */
INLINED unsigned pick_input(struct hd_switch *sw, uint64_t cycle, unsigned port,
                            struct picks *picks, const struct barrier_cycle *barrier, bool covered,
                            bool adaptive)
{
  unsigned fronts = 0, eligible = 0;
  struct channel *channels = &sw->channels[port * sw->vcs];
  uint8_t can[HD_MAX_VCS], outputs[HD_MAX_VCS]; /* outputs: adaptive alone */
  for (unsigned left = sw->port[port].fronts; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    struct channel *ch = &channels[vc];
    bool chosen = adaptive && ch->want_chosen;
    if (__builtin_expect(!ch->want_mask && !chosen, 0)) {
      bool waits = !discard(sw, cycle, port, vc, ch);
      fronts += waits;
      if (covered)
        picks->discards += !waits;
      if (covered && waits)
        count_front(sw, port, vc, barrier);
      continue;
    }
    if (chosen) {
      can[vc] = (uint8_t)request_chosen(sw, port, ch, &outputs[vc], covered);
      if (covered)
        count_front(sw, port, vc, barrier);
      eligible |= (unsigned)(can[vc] != 0) << vc;
      fronts++;
      continue;
    }
    unsigned output = ch->want_port;
    if (adaptive)
      outputs[vc] = (uint8_t)output;
    unsigned head_can = sw->port[output].head_credit & ~(unsigned)sw->port[output].owned;
    can[vc] =
        ch->want_mask & (uint8_t)(ch->state == VC_OPEN ? sw->port[output].has_credit : head_can);
    if (covered && !can[vc])
      switch_cover_blocked(sw, ch, port, vc, barrier);
    if (covered)
      count_front(sw, port, vc, barrier);
    eligible |= (unsigned)(can[vc] != 0) << vc;
    fronts++;
  }
  if (!eligible)
    return fronts;
  unsigned vc = switch_first_from(eligible, sw->port[port].in_next);
  if (covered && (eligible & (eligible - 1)))
    switch_cover_input_tie(sw, port, vc, eligible);
  if (covered && sw->port[port].popped)
    switch_cover(sw, HD_POINT_DISCARD_AND_GRANT);
  unsigned output = adaptive ? outputs[vc] : channels[vc].want_port, bit = 1u << output;
  picks->vc[port] = (uint8_t)vc;
  picks->channels[port] = can[vc];
  uint16_t others = picks->outputs & bit ? picks->inputs[output] : 0;
  picks->inputs[output] = (uint16_t)(others | 1u << port);
  picks->outputs |= bit;
  return fronts;
}

/* What a grant moves, whatever it grants. */
INLINED void leave(struct hd_switch *sw, unsigned port, unsigned output, unsigned ovc,
                   bool adaptive, bool coder)
{
  unsigned inputs = sw->ports + (unsigned)(coder && !output); /* §11.6 */
  sw->port[output].out_next = port + 1 == inputs ? 0 : (uint8_t)(port + 1);
  switch_take_credit(sw, output, ovc);
  if (adaptive)
    adaptive_of(sw)->taken[output] = (uint8_t)(1u << ovc);
}

/* The same for an input port's flit or padding. */
INLINED void move_on(struct hd_switch *sw, unsigned port, unsigned vc, unsigned output,
                     unsigned ovc, bool adaptive, bool coder)
{
  sw->port[port].in_next = vc + 1 == sw->vcs ? 0 : (uint8_t)(vc + 1);
  leave(sw, port, output, ovc, adaptive, coder);
}

/* A flit of an open packet is granted. */
INLINED void cover_open(const struct hd_switch *sw, struct channel *ch, unsigned kind)
{
  uint64_t *count = sw->coverage->count;
  if (kind == SLOT_NULL) {
    count[HD_POINT_NULL_OPEN]++;
    return;
  }
  if (kind & HD_KIND_HEAD)
    return; /* the error's point */
  count[HD_POINT_OPEN_BODY + kind]++;
  if (kind & HD_KIND_TAIL)
    count[HD_POINT_PACKET_OF_TWO + ch->body]++;
  ch->body = 1;
}

/* §1.3 */
static uint64_t changed_header(const struct hd_switch *sw, const struct slot *front)
{
  return front->turns ? front->data & ~UINT64_C(3)
                      : front->data >> 2 >> sw->port_bits << 2 | (front->data & 3);
}

/* Grant of §2.5 for input port `port`'s pick. */
INLINED void grant(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned output,
                   const struct picks *picks, struct hd_flit_event *event, uint32_t *tag,
                   bool covered, bool adaptive, bool coder)
{
  unsigned vcs = sw->vcs, vc = picks->vc[port];
  struct channel *ch = &sw->channels[port * vcs + vc];
  const struct slot *front = switch_front(sw, ch);
  unsigned ovc, before = ch->state;
  if (covered && sw->blocked)
    sw->blocked[port * vcs + vc]--;
  event->data = front->data;
  event->port = (uint8_t)output;
  event->kind = front->kind;
  event->zero = 0;
  *tag = front->tag;
  if (ch->state == VC_OPEN) {
    ovc = ch->ovc;
    if (covered)
      cover_open(sw, ch, front->kind);
    if (covered && front->is_chosen)
      switch_cover(sw, HD_POINT_CHOSEN_NESTED);
    if (front->kind & HD_KIND_HEAD)
      switch_error(sw, cycle, HD_ERR_NESTED,
                   front->kind & HD_KIND_TAIL ? HD_POINT_OPEN_SINGLE : HD_POINT_OPEN_HEAD);
    if (front->kind & HD_KIND_TAIL) {
      sw->port[output].owned &= (uint8_t) ~(1u << ovc);
      ch->state = VC_IDLE;
    }
  } else {
    ovc = switch_first_from(picks->channels[port], sw->port[output].vc_next);
    if (covered)
      switch_cover_head(sw, port, output, front, picks->channels[port], ovc);
    sw->port[output].vc_next = ovc + 1 == vcs ? 0 : (uint8_t)(ovc + 1);
    if (!(front->kind & HD_KIND_TAIL)) {
      sw->port[output].owned |= (uint8_t)(1u << ovc);
      ch->state = VC_OPEN;
      ch->oport = (uint8_t)output;
      ch->ovc = (uint8_t)ovc;
      ch->body = 0;
    }
    if (front->source_routed | front->turns)
      event->data = changed_header(sw, front);
  }
  event->vc = (uint8_t)ovc;
  move_on(sw, port, vc, output, ovc, adaptive, coder);
  if (adaptive)
    adaptive_popped(sw, front->kind, before, ch->state);
  pop(sw, port, vc, ch, covered, adaptive);
}

/* §11.6: the coder asks for output 0 like an input port, after the others. */
INLINED void pick_coder(struct hd_switch *sw, struct picks *picks)
{
  unsigned can = coder_channels(sw);
  if (!can)
    return;
  if (!(picks->outputs & 1))
    picks->inputs[0] = 0;
  else
    switch_cover(sw, HD_POINT_CODER_TIE);
  picks->inputs[0] |= (uint16_t)(1u << sw->ports);
  picks->channels[sw->ports] = (uint8_t)can;
  picks->outputs |= 1;
}

/* The grant of output 0 to the coder. */
INLINED void grant_coder(struct hd_switch *sw, uint64_t cycle, const struct picks *picks,
                         struct hd_flit_event *event, uint32_t *tag, bool adaptive)
{
  coder_grant(sw, cycle, picks->channels[sw->ports], event);
  *tag = HD_TAG_MADE;
  leave(sw, sw->ports, 0, event->vc, adaptive, true);
}

/* Second step of §2.5. */
INLINED unsigned pick_output(const struct hd_switch *sw, unsigned output, const struct picks *picks,
                             bool covered)
{
  unsigned inputs = picks->inputs[output];
  unsigned port = switch_first_from(inputs, sw->port[output].out_next);
  if (covered && (inputs & (inputs - 1)))
    switch_cover_output_tie(sw, output, port, inputs);
  return port;
}

/* `before`: outputs that granted in the cycle before this one. */
INLINED void cover_granted(struct hd_switch *sw, unsigned output, unsigned ovc, unsigned before)
{
  if (before >> output & 1)
    sw->coverage->count[HD_POINT_GRANTS_AGAIN + (sw->port[output].sent_vc != ovc)]++;
  sw->port[output].sent_vc = (uint8_t)ovc;
}

/* What a cycle's picks are together; returns `before` of cover_granted. */
INLINED unsigned cover_picks(struct hd_switch *sw, const struct picks *picks, unsigned before)
{
  if (picks->outputs + 1 == 1u << sw->ports)
    sw->coverage->count[HD_POINT_ALL_OUTPUTS]++;
  if (picks->discards > 1)
    sw->coverage->count[HD_POINT_DISCARDS_SEVERAL]++;
  sw->sent_ports = (uint16_t)picks->outputs;
  return before & picks->outputs;
}

/* Outputs that granted in the cycle before. */
INLINED unsigned granted_before(const struct hd_switch *sw, uint64_t cycle)
{
  return sw->pop_cycle + 1 == cycle ? sw->sent_ports : 0;
}

INLINED void make_picks(struct hd_switch *sw, uint64_t cycle, struct picks *picks, unsigned *fronts,
                        const struct barrier_cycle *barrier, bool covered, bool adaptive)
{
  picks->outputs = picks->discards = 0;
  *fronts = 0;
  for (unsigned left = sw->popped_ports; left; left &= left - 1)
    sw->port[__builtin_ctz(left)].popped = 0;
  sw->popped_ports = 0;
  sw->pop_cycle = cycle;
  for (unsigned left = sw->front_ports; left; left &= left - 1)
    *fronts +=
        pick_input(sw, cycle, (unsigned)__builtin_ctz(left), picks, barrier, covered, adaptive);
}

/* What output `output` sends with a barrier part: of §7.6, padding, or a granted flit. */
INLINED bool send_with_barrier(struct hd_switch *sw, uint64_t cycle, unsigned output,
                               const struct picks *picks, const struct barrier_cycle *barrier,
                               struct hd_flit_event *event, uint32_t *tag, bool covered,
                               bool adaptive, bool coder)
{
  *tag = UINT32_MAX;
  if (barrier->sending >> output & 1) {
    event->data = barrier->data[output];
    event->port = (uint8_t)output;
    event->vc = barrier->vc[output];
    event->kind = barrier->kind[output];
    event->zero = 0;
    return false;
  }
  unsigned port = pick_output(sw, output, picks, covered);
  if (coder && port == sw->ports) {
    grant_coder(sw, cycle, picks, event, tag, adaptive);
    return false;
  }
  unsigned vc = picks->vc[port];
  if ((barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1)) {
    const struct channel *ch = &sw->channels[port * sw->vcs + vc];
    event->data = 0;
    event->port = (uint8_t)output;
    event->vc = ch->ovc;
    event->kind = HD_KIND_NULL;
    event->zero = 0;
    move_on(sw, port, vc, output, ch->ovc, adaptive, coder);
    switch_cover(sw, HD_POINT_PADDING);
    return false;
  }
  grant(sw, cycle, port, output, picks, event, tag, covered, adaptive, coder);
  if (event->kind == SLOT_NULL)
    event->kind = HD_KIND_NULL;
  else if (coder && !output)
    coder_granted(sw, cycle, event);
  return true;
}

/* Credits of this cycle, visible in the next; `barriers`: input ports with a barrier credit; `count`: the
 * wires of a count, at every port (§10.8). */
INLINED void give_credits(const struct hd_switch *sw, uint32_t now, struct hd_switch_output *out,
                          unsigned barriers, unsigned count)
{
  uint32_t n = 0;
  unsigned all = count ? (1u << sw->ports) - 1 : 0;
  for (unsigned left = sw->popped_ports | barriers | all; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    out->credits[n++] = (struct hd_credit_event){now + 1, (uint8_t)port, sw->port[port].popped,
                                                 (uint8_t)(barriers >> port & 1), (uint8_t)count};
  }
  out->n_credits = n;
}

/* A cycle of a switch with a barrier part. */
INLINED void advance_with_barrier(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                                  struct hd_switch_output *out, unsigned count, bool covered,
                                  bool adaptive, bool coder)
{
  struct barrier_cycle barrier;
  struct picks picks;
  unsigned fronts, granted = 0, before = covered ? granted_before(sw, cycle) : 0;
  uint32_t n = 0;
  barrier_begin(sw, cycle, &barrier);
  make_picks(sw, cycle, &picks, &fronts, &barrier, covered, adaptive);
  if (coder)
    pick_coder(sw, &picks);
  barrier_picked(sw, &barrier);
  if (covered) {
    picks.outputs &= ~barrier.sending;
    before = cover_picks(sw, &picks, before);
  }
  for (unsigned left = picks.outputs | barrier.sending; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    granted += send_with_barrier(sw, cycle, output, &picks, &barrier, &out->flits[n], &out->tags[n],
                                 covered, adaptive, coder);
    if (covered && (picks.outputs >> output & 1))
      cover_granted(sw, output, out->flits[n].vc, before);
    n++;
  }
  if (n)
    switch_quiet_not_before(sw, cycle + sw->flit_delay + 2);
  out->n_flits = n;
  out->blocked = fronts - barrier.padded - granted;
  give_credits(sw, now, out, barrier.credit_ports, count);
}

/* A cycle of a plain switch that has a front or shows a count. */
INLINED void advance_plain(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                           struct hd_switch_output *out, unsigned count, bool covered,
                           bool adaptive, bool coder)
{
  struct picks picks;
  unsigned fronts, before = covered ? granted_before(sw, cycle) : 0;
  uint32_t n = 0;
  make_picks(sw, cycle, &picks, &fronts, NULL, covered, adaptive);
  if (coder)
    pick_coder(sw, &picks);
  if (covered)
    before = cover_picks(sw, &picks, before);
  for (unsigned left = picks.outputs; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    unsigned port = pick_output(sw, output, &picks, covered);
    if (coder && port == sw->ports) {
      grant_coder(sw, cycle, &picks, &out->flits[n], &out->tags[n], adaptive);
    } else {
      grant(sw, cycle, port, output, &picks, &out->flits[n], &out->tags[n], covered, adaptive,
            coder);
      if (coder && !output)
        coder_granted(sw, cycle, &out->flits[n]);
    }
    if (covered)
      cover_granted(sw, output, out->flits[n].vc, before);
    n++;
  }
  if (n)
    switch_quiet_not_before(sw, cycle + sw->flit_delay + 2);
  out->n_flits = n;
  out->blocked = fronts - n + (coder && coder_of(sw)->granted);
  give_credits(sw, now, out, 0, count);
}

INLINED void advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                     struct hd_switch_output *out, bool barrier, bool covered, bool adaptive,
                     bool coder)
{
  uint32_t now = (uint32_t)(cycle - window_start);
  unsigned count = 0;
  out->n_flits = out->n_credits = out->blocked = 0;
  if (sw->active)
    switch_quiet_not_before(sw, cycle + 2);
  if (adaptive) {
    adaptive_begin(sw, cycle);
    adaptive_draw(sw);
    if (sw->adaptive == HD_ADAPTIVE_COUNT)
      count = adaptive_show(sw, cycle);
    take_due_adaptive(sw, cycle);
  } else {
    take_due_plain(sw, cycle);
  }
  if (barrier)
    advance_with_barrier(sw, cycle, now, out, count, covered, adaptive, coder);
  else if (sw->front_ports || count || (coder && coder_of(sw)->is_sending))
    advance_plain(sw, cycle, now, out, count, covered, adaptive, coder);
  if (adaptive && sw->adaptive == HD_ADAPTIVE_COUNT)
    adaptive_owe(sw);
  if (coder)
    coder_step(sw, cycle);
}

#define ADVANCE(name, barrier, covered, adaptive)                                        \
  static NOINLINE void name(struct hd_switch *sw, uint64_t cycle, uint64_t window_start, \
                            struct hd_switch_output *out)                                \
  {                                                                                      \
    advance(sw, cycle, window_start, out, barrier, covered, adaptive, false);            \
  }
ADVANCE(advance_without, false, false, false)
ADVANCE(advance_without_covered, false, true, false)
ADVANCE(advance_barrier, true, false, false)
ADVANCE(advance_barrier_covered, true, true, false)
ADVANCE(advance_adaptive, false, false, true)
ADVANCE(advance_adaptive_covered, false, true, true)
ADVANCE(advance_adaptive_barrier, true, false, true)
ADVANCE(advance_adaptive_barrier_covered, true, true, true)
#undef ADVANCE

static NOINLINE void advance_coder(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                                   struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, false, false, false, true);
}

/* Whatever else it has. */
static NOINLINE void advance_coder_beside(struct hd_switch *sw, uint64_t cycle,
                                          uint64_t window_start, struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, sw->barrier, sw->coverage, sw->adaptive, true);
}

static void advance_with_choice(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                                struct hd_switch_output *out)
{
  if (sw->barrier && sw->coverage)
    advance_adaptive_barrier_covered(sw, cycle, window_start, out);
  else if (sw->barrier)
    advance_adaptive_barrier(sw, cycle, window_start, out);
  else if (sw->coverage)
    advance_adaptive_covered(sw, cycle, window_start, out);
  else
    advance_adaptive(sw, cycle, window_start, out);
}

void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out)
{
  if (__builtin_expect(!sw->extra, 1))
    advance_without(sw, cycle, window_start, out);
  else if (sw->coder && !sw->barrier && !sw->coverage && !sw->adaptive)
    advance_coder(sw, cycle, window_start, out);
  else if (sw->coder)
    advance_coder_beside(sw, cycle, window_start, out);
  else if (sw->adaptive)
    advance_with_choice(sw, cycle, window_start, out);
  else if (!sw->barrier)
    advance_without_covered(sw, cycle, window_start, out);
  else if (sw->coverage)
    advance_barrier_covered(sw, cycle, window_start, out);
  else
    advance_barrier(sw, cycle, window_start, out);
}

uint32_t hd_switch_active(const struct hd_switch *sw)
{
  return sw->active;
}

bool hd_switch_quiescent(const struct hd_switch *sw, uint64_t cycle)
{
  return !sw->active && cycle >= sw->quiet_from;
}

uint64_t hd_switch_quiet_from(const struct hd_switch *sw)
{
  return sw->active ? UINT64_MAX : sw->quiet_from;
}
