/* The switch model: buffers, allocation, errors (specification chapter 2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL moves flits through pipeline registers; this model keeps the cycles of future events instead. A flit enters
 * its buffer when it arrives, and is due in the cycle in which it may be granted. A grant makes at once the event that
 * the output will show later.
 *
 * Length: a cycle's steps are inlined into one function for each kind of switch, so they are in one file.
 */
#include "adaptive_state.h"
#include "barrier_state.h"
#include "cast_state.h"
#include "coder_state.h"
#include "ugal_state.h"
#include "switch_queue_head.h"
#include "switch_grants.h"
#include "switch_base_path.h"
#include "switch_two_cycle_arbiter.h"

#include <assert.h>
#include <string.h>

/* Finds the entry for mode 3 (§2.7); 0: there is none. */
uint16_t hd_switch_route_by_node(const struct hd_switch *sw, unsigned port, uint64_t destination,
                                 uint64_t via, struct slot *slot)
{
  uint16_t entry;
  if (sw->cast)
    return hd_cast_route(sw, port, destination, slot);
  if (!sw->params.source_table) {
    switch_cover(sw, HD_POINT_MODE_3_NO_TABLE);
    return 0;
  }
  if (via >= sw->params.nodes) {
    switch_cover(sw, HD_POINT_VIA_BEYOND);
    return 0;
  }
  const bool beyond = destination >= sw->params.nodes;
  const uint16_t straight =
      beyond ? 0 : switch_table(sw, sw->destination_offset, port)[destination];
  entry = switch_table(sw, sw->source_offset, port)[via];
  if (!(entry >> 12 & 1) || (sw->ugal && !hd_ugal_goes_by_node(sw, port, entry, straight))) {
    if (beyond) {
      switch_cover(sw, HD_POINT_NODE_BEYOND);
      return 0;
    }
    slot->change = HEADER_TURNS;
    entry = straight;
  }
  if (sw->coverage)
    hd_switch_cover_by_node(sw, slot->change == HEADER_TURNS, entry);
  return entry;
}

/* Counts an input that comes while the switch is empty (§2.10). */
void hd_switch_cover_wake(const struct hd_switch *sw, uint64_t cycle, enum hd_spec_point point)
{
  if (cycle >= sw->quiet_from)
    switch_cover(sw, point);
  if (cycle + 1 == sw->quiet_from)
    switch_cover(sw, HD_POINT_QUIET_LAST);
  if (cycle == sw->quiet_from && cycle)
    switch_cover(sw, HD_POINT_QUIET_FIRST);
}

/* Two functions, with and without coverage: so the public one saves no registers and only jumps. */
static NOINLINE void put_flit_plain(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                    unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, true, false, false);
}

static NOINLINE void put_flit_covered(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                      unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, true, true, false);
}

static NOINLINE void put_flit_adaptive(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                       unsigned vc, unsigned kind, uint64_t data, uint32_t tag)
{
  put_flit(sw, cycle, port, vc, kind, data, tag, true, sw->coverage != NULL, true);
}

void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag)
{
  if (__builtin_expect(sw->ugal, 0))
    ugal_begin(sw, cycle);
  if (__builtin_expect(!sw->extra, 1))
    put_flit_plain(sw, cycle, port, vc, kind, data, tag);
  else if (sw->adaptive)
    put_flit_adaptive(sw, cycle, port, vc, kind, data, tag);
  else if (sw->coverage)
    put_flit_covered(sw, cycle, port, vc, kind, data, tag);
  else
    put_flit_plain(sw, cycle, port, vc, kind, data, tag);
}

static NOINLINE void put_credit_uncovered(struct hd_switch *sw, uint64_t cycle, unsigned port,
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
  hd_adaptive_give(sw, cycle, port, vcs & sw->vc_bits);
  if (sw->adaptive == HD_ADAPTIVE_COUNT && (count & HD_COUNT_SHOWN)) {
    if (sw->coverage && !sw->active)
      hd_switch_cover_wake(sw, cycle, HD_POINT_WAKE_COUNT);
    switch_quiet_not_before(sw, cycle + 2);
    hd_adaptive_tell(sw, cycle, port, count & HD_COUNT_MOST);
  }
  put_credit(sw, cycle, port, vcs, sw->coverage != NULL);
}

void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  if (__builtin_expect(sw->ugal, 0))
    ugal_begin(sw, cycle);
  if (__builtin_expect(!sw->extra, 1))
    put_credit_uncovered(sw, cycle, port, vcs);
  else if (sw->adaptive)
    put_credit_adaptive(sw, cycle, port, vcs);
  else if (sw->coverage)
    put_credit_covered(sw, cycle, port, vcs);
  else
    put_credit_uncovered(sw, cycle, port, vcs);
}

uint64_t hd_switch_changed_header(const struct hd_switch *sw, const struct slot *front)
{
  return front->change == HEADER_TURNS ? front->data & ~UINT64_C(3)
                                       : front->data >> 2 >> sw->port_bits << 2 | (front->data & 3);
}

bool hd_switch_discard(struct hd_switch *sw, uint64_t cycle, unsigned place)
{
  struct channel *ch = &sw->channels[place];
  unsigned kind = switch_queue_head(sw, ch)->kind, before = ch->state;
  bool tail = kind & HD_KIND_TAIL, null = kind == SLOT_NULL;
  if (kind & HD_KIND_RESERVED) {
    if (!sw->barrier)
      switch_error(sw, cycle, HD_ERR_RESERVED, HD_POINT_RESERVED_IDLE + ch->state);
    else if (!hd_barrier_front(sw, cycle, switch_port_of(sw, place), switch_vc_of(sw, place),
                               switch_queue_head(sw, ch)))
      return false;
    else
      switch_cover(sw, HD_POINT_FRONT_IDLE + ch->state);
  } else if (ch->state == VC_SINK) {
    if (switch_queue_head(sw, ch)->is_chosen)
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
  pop(sw, cycle, place, true);
  switch_quiet_not_before(sw, cycle + 3);
  return true;
}

/* §10.5: returns the channels that a packet with a chosen port can have now; *output gets the port they are at. */
INLINED uint64_t request_chosen(const struct hd_switch *sw, unsigned port,
                                const struct request *asked, uint8_t *output,
                                const struct barrier_cycle *barrier, bool covered)
{
  unsigned q = asked->chosen - 1u, o = asked->port;
  uint64_t at_q = switch_lanes(adaptive_channels(sw)) & can_have(sw, q, VC_IDLE, barrier);
  uint64_t at_o = asked->lanes & can_have(sw, o, VC_IDLE, barrier);
  if (covered)
    hd_switch_cover_chosen(sw, port, asked, switch_mask(at_q), switch_mask(at_o));
  *output = (uint8_t)(at_q ? q : o);
  return at_q ? at_q : at_o;
}

/* §13.4: returns the branches of a multicast flit that have room; *can gets its channel. 0: no branch has room. */
INLINED unsigned request_branches(const struct hd_switch *sw, struct slot *front,
                                  struct request *asked, uint64_t *can,
                                  const struct barrier_cycle *barrier, bool covered)
{
  const unsigned rest = *cast_branches(sw, front);
  unsigned with_room = 0;
  asked->port = (uint8_t)__builtin_ctz(rest);
  for (unsigned left = rest; left; left &= left - 1) {
    const unsigned o = (unsigned)__builtin_ctz(left);
    with_room |= (unsigned)((asked->lanes & can_have(sw, o, VC_IDLE, barrier)) != 0) << o;
  }
  *can = with_room ? asked->lanes : 0;
  if (covered && with_room != rest)
    switch_cover(sw, with_room ? HD_POINT_CAST_NO_ROOM : HD_POINT_CAST_BLOCKED);
  if (covered && front->has_left && !front->has_waited) {
    switch_cover(sw, HD_POINT_CAST_SOME);
    front->has_waited = 1;
  }
  return with_room;
}

/* Finds the eligible fronts among the ports of a word (§2.4), and returns them as a set. Adds to *fronts the number of
 * fronts that can be blocked, including those that will be picked. */
INLINED uint64_t find_eligible(struct hd_switch *sw, uint64_t cycle, unsigned word,
                               struct requests *requests, struct picks *picks, unsigned *fronts,
                               const struct barrier_cycle *barrier, bool covered, bool adaptive,
                               bool cast)
{
  uint64_t eligible = 0;
  for (uint64_t left = sw->fronts.word[word]; left; left &= left - 1) {
    unsigned bit = (unsigned)__builtin_ctzll(left), i = word * 64 + bit;
    unsigned port = switch_port_of(sw, i), vc = switch_vc_of(sw, i);
    uint64_t can;
    const struct channel *ch = &sw->channels[i];
    struct request asked = asks(sw, ch, adaptive);
    bool chosen = adaptive && asked.chosen;
    if (__builtin_expect(!asked.lanes && !chosen, 0)) {
      bool waits = !hd_switch_discard(sw, cycle, i);
      *fronts += waits;
      if (covered)
        picks->discards += !waits;
      if (covered && waits)
        count_front(sw, port, vc, barrier);
      continue;
    }
    if (cast)
      requests->branches[i] = 0;
    if (cast && cast_asks(ch, switch_queue_head(sw, ch))) {
      requests->branches[i] =
          (uint16_t)request_branches(sw, switch_queue_head(sw, ch), &asked, &can, barrier, covered);
      requests->output[i] = asked.port;
    } else if (chosen) {
      can = request_chosen(sw, port, &asked, &requests->output[i], barrier, covered);
    } else {
      can = asked.lanes & can_have(sw, asked.port, ch->state, barrier);
      requests->output[i] = asked.port;
    }
    if (covered && chosen)
      count_front(sw, port, vc, barrier);
    else if (covered)
      cover_front(sw, &asked, i, can, barrier);
    requests->lanes[i] = can;
    if (sw->two_cycles)
      switch_set_add(&requests->asking, i);
    eligible |= (uint64_t)(can != 0) << bit;
    ++*fronts;
  }
  return eligible;
}

/* Makes the first step of §2.5 for the ports of a word. */
INLINED void pick_inputs(struct hd_switch *sw, unsigned word, uint64_t eligible,
                         const struct requests *requests, struct picks *picks, bool covered,
                         bool cast)
{
  while (eligible) {
    unsigned port = switch_port_of(sw, word * 64 + (unsigned)__builtin_ctzll(eligible));
    unsigned first = switch_place(sw, port, 0);
    unsigned channels = (unsigned)(eligible >> first % 64) & sw->vc_bits;
    unsigned vc = switch_first_after(channels, sw->port[port].in_last);
    unsigned i = first | vc, output = requests->output[i];
    eligible &= ~((uint64_t)sw->vc_bits << first % 64);
    if (covered)
      cover_input(sw, port, vc, channels);
    picks->vc[port] = (uint8_t)vc;
    picks->lanes[port] = requests->lanes[i];
    const unsigned outputs = cast && requests->branches[i] ? requests->branches[i] : 1u << output;
    for (unsigned left = outputs; left; left &= left - 1)
      picks->inputs[__builtin_ctz(left)] |= (uint16_t)(1u << port);
    picks->outputs |= outputs;
  }
}

/* §11.6: the coder asks for output 0 after all input ports, and like one. */
INLINED unsigned pick_coder(struct hd_switch *sw, struct picks *picks,
                            const struct barrier_cycle *barrier)
{
  bool masked = barrier && (barrier->masked & 1);
  unsigned head_can = masked ? barrier->head_can[0] : sw->vc_bits;
  if (sw->two_cycles)
    head_can &= ~switch_mask(two_of(sw)->owned_before[0]);
  unsigned can = hd_coder_channels(sw, masked ? barrier->open_can[0] : sw->vc_bits, head_can);
  if (!can)
    return 0;
  if (picks->outputs & 1)
    switch_cover(sw, HD_POINT_CODER_TIE);
  picks->inputs[0] |= (uint16_t)(1u << sw->ports);
  picks->outputs |= 1;
  return can;
}

/* Grants output 0 to the coder, on one of `channels`. */
INLINED void grant_coder(struct hd_switch *sw, uint64_t cycle, unsigned channels,
                         struct hd_flit_event *event, uint32_t *tag, bool covered, bool adaptive)
{
  hd_coder_grant(sw, cycle, channels, event);
  *tag = HD_TAG_MADE;
  leave(sw, sw->ports, 0, event->vc, covered, adaptive);
}

/* Makes the second step of §2.5 for an output. */
INLINED unsigned pick_output(const struct hd_switch *sw, unsigned output, const struct picks *picks,
                             bool covered)
{
  unsigned inputs = picks->inputs[output];
  unsigned port = switch_first_after(inputs, sw->port[output].out_last);
  if (covered)
    cover_output(sw, output, port, inputs);
  return port;
}

INLINED void make_picks(struct hd_switch *sw, uint64_t cycle, struct picks *picks, unsigned *fronts,
                        const struct barrier_cycle *barrier, bool covered, bool adaptive, bool cast)
{
  struct requests requests;
  requests.asking = (struct channel_set){{0}};
  picks->outputs = picks->discards = 0;
  memset(picks->inputs, 0, sizeof picks->inputs);
  *fronts = 0;
  sw->popped = (struct channel_set){{0}};
  sw->pop_cycle = cycle;
  for (unsigned word = 0; word * 64 < switch_places(sw); word++) {
    uint64_t eligible =
        find_eligible(sw, cycle, word, &requests, picks, fronts, barrier, covered, adaptive, cast);
    if (!sw->two_cycles)
      pick_inputs(sw, word, eligible, &requests, picks, covered, cast);
  }
  if (sw->two_cycles) {
    pick_proposed(sw, &requests, picks, barrier, covered);
    keep_before(sw, &requests, barrier, adaptive);
  }
}

/* §13.4: sends a multicast flit by `output`. True: this was its last branch. */
INLINED bool leave_by_branch(struct hd_switch *sw, unsigned place, struct slot *front,
                             unsigned output, bool covered)
{
  uint16_t *rest = cast_branches(sw, front);
  *rest &= (uint16_t) ~(1u << output);
  if (covered && !*rest)
    count_granted(sw, place);
  if (covered && !*rest && front->has_left)
    switch_cover(sw, front->has_waited ? HD_POINT_CAST_REST : HD_POINT_CAST_ALL);
  front->has_left = 1;
  return !*rest;
}

/* Sends the granted pick of `port`. False: the flit has branches left and stays. */
INLINED bool send_granted(struct hd_switch *sw, uint64_t cycle, unsigned output, unsigned port,
                          const struct picks *picks, struct hd_flit_event *event, uint32_t *tag,
                          bool covered, bool adaptive, bool cast)
{
  const unsigned place = switch_place(sw, port, picks->vc[port]);
  const struct channel *ch = &sw->channels[place];
  struct slot *front = switch_queue_head(sw, ch);
  const bool several = cast && cast_asks(ch, front);
  const struct granted flit =
      grant(sw, cycle, place, output, picks->lanes[port], covered, adaptive);
  const bool leaves = !several || leave_by_branch(sw, place, front, output, covered);
  if (leaves)
    pop(sw, cycle, place, covered);
  event->data = flit.data;
  event->port = (uint8_t)output;
  event->vc = flit.vc;
  event->kind = flit.kind;
  event->zero = 0;
  *tag = flit.tag;
  return leaves;
}

/* Sends at output `output` of a switch with a barrier part: a flit of §7.6, padding, or a granted flit. */
INLINED bool send_with_barrier(struct hd_switch *sw, uint64_t cycle, unsigned output,
                               const struct picks *picks, const struct barrier_cycle *barrier,
                               struct hd_flit_event *event, uint32_t *tag, bool covered,
                               bool adaptive, bool coder, unsigned coder_can, bool cast)
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
    grant_coder(sw, cycle, coder_can, event, tag, covered, adaptive);
    return false;
  }
  unsigned vc = picks->vc[port];
  if ((barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1)) {
    const struct channel *ch = switch_channel(sw, port, vc);
    event->data = 0;
    event->port = (uint8_t)output;
    event->vc = ch->ovc;
    event->kind = HD_KIND_NULL;
    event->zero = 0;
    sw->port[port].in_last = (uint8_t)vc;
    leave(sw, port, output, ch->ovc, covered, adaptive);
    switch_cover(sw, HD_POINT_PADDING);
    return false;
  }
  const bool leaves =
      send_granted(sw, cycle, output, port, picks, event, tag, covered, adaptive, cast);
  if (event->kind == SLOT_NULL)
    event->kind = HD_KIND_NULL;
  else if (coder && !output)
    hd_coder_granted(sw, cycle, event);
  return leaves;
}

/* Gives the credits of this cycle, which are visible in the next. */
INLINED void give_credits(const struct hd_switch *sw, uint32_t now, struct hd_switch_output *out)
{
  uint32_t n = 0;
  for (unsigned word = 0; word * 64 < switch_places(sw); word++)
    for (uint64_t left = sw->popped.word[word]; left;) {
      unsigned port = switch_port_of(sw, word * 64 + (unsigned)__builtin_ctzll(left));
      left &= ~((uint64_t)sw->vc_bits << switch_place(sw, port, 0) % 64);
      out->credits[n++] = (struct hd_credit_event){
          now + 1, (uint8_t)port, (uint8_t)switch_set_of(sw, &sw->popped, port), 0, 0};
    }
  out->n_credits = n;
}

/* Gives credits and everything else that ports show. `barriers`: input ports with a barrier credit. `count`: wires of a
 * count, the same at every port (§10.8). */
INLINED void give_all(const struct hd_switch *sw, uint32_t now, struct hd_switch_output *out,
                      unsigned barriers, unsigned count)
{
  uint32_t n = 0;
  for (unsigned port = 0; port < sw->ports; port++) {
    unsigned vcs = switch_set_of(sw, &sw->popped, port), barrier = barriers >> port & 1;
    if (vcs | barrier | count)
      out->credits[n++] = (struct hd_credit_event){now + 1, (uint8_t)port, (uint8_t)vcs,
                                                   (uint8_t)barrier, (uint8_t)count};
  }
  out->n_credits = n;
}

/* Runs a cycle of a switch with a barrier part. */
INLINED void advance_with_barrier(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                                  struct hd_switch_output *out, unsigned count, bool covered,
                                  bool adaptive, bool coder, bool cast)
{
  struct barrier_cycle barrier;
  struct picks picks;
  unsigned fronts, granted = 0, before = covered ? granted_before(sw, cycle) : 0;
  uint32_t n = 0;
  if (sw->two_cycles) /* done before messages take credits */
    begin_two_cycles(sw, cycle, covered);
  hd_barrier_begin(sw, cycle, &barrier);
  make_picks(sw, cycle, &picks, &fronts, &barrier, covered, adaptive, cast);
  unsigned coder_can = coder ? pick_coder(sw, &picks, &barrier) : 0;
  hd_barrier_picked(sw, &barrier);
  if (covered) {
    picks.outputs &= ~barrier.sending;
    before = cover_picks(sw, picks.outputs, picks.discards, before);
  }
  for (unsigned left = picks.outputs | barrier.sending; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    granted += send_with_barrier(sw, cycle, output, &picks, &barrier, &out->flits[n], &out->tags[n],
                                 covered, adaptive, coder, coder_can, cast);
    if (covered && (picks.outputs >> output & 1))
      cover_granted(sw, output, out->flits[n].vc, before);
    n++;
  }
  if (sw->two_cycles)
    keep_after(sw, &picks);
  if (n)
    switch_quiet_not_before(sw, cycle + sw->flit_delay + 2);
  out->n_flits = n;
  out->blocked = fronts - barrier.padded - granted;
  if (barrier.credit_ports | count)
    give_all(sw, now, out, barrier.credit_ports, count);
  else
    give_credits(sw, now, out);
}

/* Runs a cycle of a plain switch that has a front or shows a count. */
INLINED void advance_plain(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                           struct hd_switch_output *out, unsigned count, bool covered,
                           bool adaptive, bool coder, bool cast)
{
  struct picks picks;
  unsigned fronts, granted = 0, before = covered ? granted_before(sw, cycle) : 0;
  uint32_t n = 0;
  if (sw->two_cycles)
    begin_two_cycles(sw, cycle, covered);
  make_picks(sw, cycle, &picks, &fronts, NULL, covered, adaptive, cast);
  unsigned coder_can = coder ? pick_coder(sw, &picks, NULL) : 0;
  if (covered)
    before = cover_picks(sw, picks.outputs, picks.discards, before);
  for (unsigned left = picks.outputs; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    unsigned port = pick_output(sw, output, &picks, covered);
    if (coder && port == sw->ports) {
      grant_coder(sw, cycle, coder_can, &out->flits[n], &out->tags[n], covered, adaptive);
    } else {
      granted += send_granted(sw, cycle, output, port, &picks, &out->flits[n], &out->tags[n],
                              covered, adaptive, cast);
      if (coder && !output)
        hd_coder_granted(sw, cycle, &out->flits[n]);
    }
    if (covered)
      cover_granted(sw, output, out->flits[n].vc, before);
    n++;
  }
  if (sw->two_cycles)
    keep_after(sw, &picks);
  switch_quiet_not_before(sw, cycle + 2 + (n ? sw->flit_delay : 0u));
  out->n_flits = n;
  out->blocked = fronts - granted;
  if (count)
    give_all(sw, now, out, 0, count);
  else
    give_credits(sw, now, out);
}

INLINED void advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                     struct hd_switch_output *out, bool barrier, bool covered, bool adaptive,
                     bool coder, bool cast)
{
  uint32_t now = (uint32_t)(cycle - window_start);
  unsigned count = 0;
  out->n_flits = out->n_credits = out->blocked = 0;
  if (sw->active)
    switch_quiet_not_before(sw, cycle + 2);
  if (adaptive) {
    adaptive_begin(sw, cycle);
    hd_adaptive_draw(sw);
    if (sw->adaptive == HD_ADAPTIVE_COUNT)
      count = hd_adaptive_show(sw, cycle);
  }
  take_due(sw, cycle);
  if (barrier)
    advance_with_barrier(sw, cycle, now, out, count, covered, adaptive, coder, cast);
  else if (!switch_set_is_empty(&sw->fronts) || count || (coder && coder_of(sw)->is_sending))
    advance_plain(sw, cycle, now, out, count, covered, adaptive, coder, cast);
  if (adaptive && sw->adaptive == HD_ADAPTIVE_COUNT)
    hd_adaptive_owe(sw);
  if (coder)
    hd_coder_step(sw, cycle);
}

/* Where the outputs of a plain switch's cycle go. */
struct shown {
  struct hd_switch_output *out;
  uint32_t now, flit_delay;
};

#define ADVANCE(name, barrier, covered, adaptive)                                        \
  static NOINLINE void name(struct hd_switch *sw, uint64_t cycle, uint64_t window_start, \
                            struct hd_switch_output *out)                                \
  {                                                                                      \
    advance(sw, cycle, window_start, out, barrier, covered, adaptive, false, false);     \
  }
ADVANCE(advance_without_covered, false, true, false)
ADVANCE(advance_barrier, true, false, false)
ADVANCE(advance_barrier_covered, true, true, false)
ADVANCE(advance_adaptive, false, false, true)
ADVANCE(advance_adaptive_covered, false, true, true)
ADVANCE(advance_adaptive_barrier, true, false, true)
ADVANCE(advance_adaptive_barrier_covered, true, true, true)
#undef ADVANCE

/* Gives a granted flit of a plain switch to the caller of hd_switch_advance. */
INLINED void show_flit(void *to, unsigned output, struct granted flit)
{
  struct shown *shown = to;
  struct hd_switch_output *out = shown->out;
  out->tags[out->n_flits] = flit.tag;
  out->flits[out->n_flits++] = (struct hd_flit_event){
      flit.data, shown->now + shown->flit_delay, (uint8_t)output, flit.vc, flit.kind, 0};
}

INLINED void show_credits(void *to, unsigned port, unsigned vcs)
{
  struct shown *shown = to;
  struct hd_switch_output *out = shown->out;
  out->credits[out->n_credits++] =
      (struct hd_credit_event){shown->now + 1, (uint8_t)port, (uint8_t)vcs, 0, 0};
}

INLINED void advance_narrow(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                            struct hd_switch_output *out, bool covered)
{
  struct shown shown = {out, (uint32_t)(cycle - window_start), sw->flit_delay};
  out->n_flits = out->n_credits = 0;
  out->blocked = plain_cycle(sw, cycle, &shown, show_flit, show_credits, covered);
}

static NOINLINE void advance_narrow_covered(struct hd_switch *sw, uint64_t cycle,
                                            uint64_t window_start, struct hd_switch_output *out)
{
  advance_narrow(sw, cycle, window_start, out, true);
}

static NOINLINE void advance_narrow_uncovered(struct hd_switch *sw, uint64_t cycle,
                                              uint64_t window_start, struct hd_switch_output *out)
{
  advance_narrow(sw, cycle, window_start, out, false);
}

static NOINLINE void advance_wide(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                                  struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, false, false, false, false, false);
}

static NOINLINE void advance_coder(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                                   struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, false, false, false, true, false);
}

/* Runs a cycle of a switch whose coder is combined with barrier hardware, coverage or port sets. */
static NOINLINE void advance_coder_beside(struct hd_switch *sw, uint64_t cycle,
                                          uint64_t window_start, struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, sw->barrier, sw->coverage, sw->adaptive, true, false);
}

/* Runs a cycle of a switch with multicast. It has neither port sets nor a coder (§13.1). */
static NOINLINE void advance_cast(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                                  struct hd_switch_output *out)
{
  advance(sw, cycle, window_start, out, sw->barrier, sw->coverage, false, false, true);
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
  if (__builtin_expect(sw->ugal, 0))
    ugal_begin(sw, cycle);
  if (__builtin_expect(sw->is_plain && !sw->coverage, 1))
    advance_narrow_uncovered(sw, cycle, window_start, out);
  else if (sw->is_plain)
    advance_narrow_covered(sw, cycle, window_start, out);
  else if (!sw->extra)
    advance_wide(sw, cycle, window_start, out);
  else if (sw->cast)
    advance_cast(sw, cycle, window_start, out);
  else if (sw->coder && !sw->barrier && !sw->coverage && !sw->adaptive)
    advance_coder(sw, cycle, window_start, out);
  else if (sw->coder)
    advance_coder_beside(sw, cycle, window_start, out);
  else if (sw->adaptive)
    advance_with_choice(sw, cycle, window_start, out);
  else if (!sw->barrier && !sw->coverage)
    advance_wide(sw, cycle, window_start, out);
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
