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
#include "switch_input.h"

#include <assert.h>
#include <string.h>

/* Plain switches, those with a barrier part, those with an adaptive part and those with a coder each get a
 * cycle of their own, all inlined; a plain switch with one front alone, too. */
#define NOINLINE __attribute__((noinline))

/* §2.7, mode 3: its entry, 0 where there is none. */
uint16_t switch_route_by_node(const struct hd_switch *sw, unsigned port, uint64_t destination,
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

/* §2.10: an input while nothing is in the switch. */
void switch_cover_wake(const struct hd_switch *sw, uint64_t cycle, enum hd_spec_point point)
{
  if (cycle >= sw->quiet_from)
    switch_cover(sw, point);
  if (cycle + 1 == sw->quiet_from)
    switch_cover(sw, HD_POINT_QUIET_LAST);
  if (cycle == sw->quiet_from && cycle)
    switch_cover(sw, HD_POINT_QUIET_FIRST);
}

/* Two functions each, with and without coverage: the public one then saves nothing and jumps. */
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
  adaptive_give(sw, cycle, port, vcs & sw->vc_bits);
  if (sw->adaptive == HD_ADAPTIVE_COUNT && (count & HD_COUNT_SHOWN)) {
    if (sw->coverage && !sw->active)
      switch_cover_wake(sw, cycle, HD_POINT_WAKE_COUNT);
    switch_quiet_not_before(sw, cycle + 2);
    adaptive_tell(sw, cycle, port, count & HD_COUNT_MOST);
  }
  put_credit(sw, cycle, port, vcs, sw->coverage != NULL);
}

void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  if (__builtin_expect(!sw->extra, 1))
    put_credit_uncovered(sw, cycle, port, vcs);
  else if (sw->adaptive)
    put_credit_adaptive(sw, cycle, port, vcs);
  else if (sw->coverage)
    put_credit_covered(sw, cycle, port, vcs);
  else
    put_credit_uncovered(sw, cycle, port, vcs);
}

/* Flits whose routing is done by the start of `cycle`. */
INLINED void take_due(struct hd_switch *sw, uint64_t cycle)
{
  struct channel_set *due = &sw->due[cycle % DUE_SLOTS];
  for (unsigned word = 0; word * SET_PORTS < HD_MAX_PORTS; word++)
    sw->fronts.word[word] |= due->word[word];
  *due = (struct channel_set){{0}};
}

/* §2.4: what the oldest flit of a channel asks for in the state that the channel is in. Without branches, which
 * would often be mispredicted. A channel that is padded (§7.5) is open and empty: what lies where its oldest flit
 * would be does not count. */
INLINED struct request asks(const struct hd_switch *sw, const struct channel *ch, bool adaptive)
{
  const struct slot *front = switch_front(sw, ch);
  const unsigned of_packet = 0 - (unsigned)(ch->state != VC_IDLE); /* of VC_SINK nobody asks */
  const uint64_t of_heads = (uint64_t)ch->state - 1;
  struct request asked = {
      .lanes =
          ch->lane | (switch_lanes(front->vc_mask) & of_heads & LANES), /* body, tail: no mask */
      .port = (uint8_t)(front->oport ^ ((front->oport ^ ch->oport) & of_packet))};
  if (adaptive && front->is_chosen && ch->state == VC_IDLE)
    asked.chosen = (uint8_t)(front->chosen + 1);
  if (__builtin_expect(front->kind & HD_KIND_RESERVED, 0) && ch->count)
    asked.lanes = 0;
  return asked;
}

/* Flits of a channel that are still being routed in the next cycle but for those that come in this one: one
 * cycle with ROUTE_CYCLES = 1, two with 2. */
INLINED unsigned in_routing(const struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc)
{
  return (unsigned)switch_set_has(&sw->due[(cycle + 1) % DUE_SLOTS], port, vc) +
         switch_set_has(&sw->due[(cycle + 2) % DUE_SLOTS], port, vc);
}

INLINED void pop(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                 struct channel *ch, bool covered)
{
  if (covered && ch->count == sw->depth)
    switch_cover(sw, HD_POINT_POP_FULL);
  uint32_t next = ch->front + (uint32_t)sizeof(struct slot), end = ch->base + sw->ring_bytes;
  ch->front = next == end ? ch->base : next;
  if (covered && next == end)
    switch_cover(sw, HD_POINT_SLOTS_WRAP);
  sw->active--;
  switch_set_add(&sw->popped, port, vc);
  ch->count--;
  switch_set_remove_if(&sw->fronts, port, vc, ch->count == in_routing(sw, cycle, port, vc));
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
  pop(sw, cycle, port, vc, ch, true);
  switch_quiet_not_before(sw, cycle + 3);
  return true;
}

/* Requests of one cycle: input ports' picks by output port. */
struct picks {
  unsigned outputs;              /* output ports that are asked for */
  unsigned discards;             /* flits that were discarded */
  uint16_t inputs[HD_MAX_PORTS]; /* by output port: input ports that ask */
  uint8_t vc[HD_MAX_PORTS];      /* by input port */
  uint64_t lanes[HD_MAX_PORTS];  /* by input port: E of §2.5, or the open packet's channel */
};

/* What an eligible front can have; by the bit of its channel in a set. */
struct requests {
  struct channel_set asking;
  uint64_t lanes[HD_MAX_PORTS * HD_MAX_VCS];
  uint8_t output[HD_MAX_PORTS * HD_MAX_VCS];
};

/* Channels of output `port` on which a flit of an open packet could go, or that a head could get: `state` is
 * VC_OPEN or VC_IDLE, since in VC_SINK nothing is asked for. */
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

/* §10.5: the channels that a packet with a chosen port can have now, and at which port. */
INLINED uint64_t request_chosen(const struct hd_switch *sw, unsigned port,
                                const struct request *asked, uint8_t *output,
                                const struct barrier_cycle *barrier, bool covered)
{
  unsigned q = asked->chosen - 1u, o = asked->port;
  uint64_t at_q = switch_lanes(adaptive_channels(sw)) & can_have(sw, q, VC_IDLE, barrier);
  uint64_t at_o = asked->lanes & can_have(sw, o, VC_IDLE, barrier);
  if (covered)
    switch_cover_chosen(sw, port, asked, switch_mask(at_q), switch_mask(at_o));
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

/* §2.4 for the fronts of a word of ports: those that are eligible, as a set. Adds to *fronts how many may be
 * blocked, those that will be picked among them. */
INLINED uint64_t find_eligible(struct hd_switch *sw, uint64_t cycle, unsigned word,
                               struct requests *requests, struct picks *picks, unsigned *fronts,
                               const struct barrier_cycle *barrier, bool covered, bool adaptive)
{
  uint64_t eligible = 0;
  for (uint64_t left = sw->fronts.word[word]; left; left &= left - 1) {
    unsigned bit = (unsigned)__builtin_ctzll(left), vc = bit % HD_MAX_VCS;
    unsigned port = word * SET_PORTS + bit / HD_MAX_VCS, i = word * 64 + bit;
    uint64_t can;
    struct channel *ch = &sw->channels[port * sw->vcs + vc];
    struct request asked = asks(sw, ch, adaptive);
    bool chosen = adaptive && asked.chosen;
    if (__builtin_expect(!asked.lanes && !chosen, 0)) {
      bool waits = !discard(sw, cycle, port, vc, ch);
      *fronts += waits;
      if (covered)
        picks->discards += !waits;
      if (covered && waits)
        count_front(sw, port, vc, barrier);
      continue;
    }
    if (chosen) {
      can = request_chosen(sw, port, &asked, &requests->output[i], barrier, covered);
    } else {
      can = asked.lanes & can_have(sw, asked.port, ch->state, barrier);
      requests->output[i] = asked.port;
      if (covered && !can)
        switch_cover_blocked(sw, &asked, port, vc, barrier);
    }
    if (covered)
      count_front(sw, port, vc, barrier);
    requests->lanes[i] = can;
    if (sw->two_cycles)
      switch_set_add(&requests->asking, port, vc);
    eligible |= (uint64_t)(can != 0) << bit;
    ++*fronts;
  }
  return eligible;
}

/* First step of §2.5 for the ports of a word. */
INLINED void pick_inputs(struct hd_switch *sw, unsigned word, uint64_t eligible,
                         const struct requests *requests, struct picks *picks, bool covered)
{
  while (eligible) {
    unsigned in_word = (unsigned)__builtin_ctzll(eligible) / HD_MAX_VCS;
    unsigned port = word * SET_PORTS + in_word;
    unsigned channels = eligible >> in_word * HD_MAX_VCS & 0xff;
    unsigned vc = switch_first_after(channels, sw->port[port].in_last);
    unsigned i = port * HD_MAX_VCS + vc, output = requests->output[i];
    eligible &= ~(UINT64_C(0xff) << in_word * HD_MAX_VCS);
    if (covered && (channels & (channels - 1)))
      switch_cover_input_tie(sw, port, vc, channels);
    if (covered && switch_set_of(&sw->popped, port))
      switch_cover(sw, HD_POINT_DISCARD_AND_GRANT);
    picks->vc[port] = (uint8_t)vc;
    picks->lanes[port] = requests->lanes[i];
    picks->inputs[output] |= (uint16_t)(1u << port);
    picks->outputs |= 1u << output;
  }
}

/* ── two cycles of allocation ── */

/* Channels of output `port` that may be had in the cycle after the first step's, as far as it could see. */
INLINED uint64_t may_have(const struct hd_switch *sw, unsigned port, unsigned state)
{
  uint64_t credits = sw->port[port].credits + two_of(sw)->first.spent[port];
  return (credits + sw->bias[state]) & two_of(sw)->first.allowed[state][port];
}

/* What a front puts forward. False: it may have nothing. */
INLINED bool propose_front(const struct hd_switch *sw, const struct channel *ch, struct proposal *p)
{
  struct request asked = asks(sw, ch, sw->adaptive);
  if (ch->state == VC_OPEN) { /* its front may be padding, and a flit may have come since */
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

/* What the flit puts forward that was right behind one that was granted. False: nothing. */
INLINED bool propose_next(const struct hd_switch *sw, const struct channel *ch, struct proposal *p)
{
  struct request asked = asks(sw, ch, sw->adaptive);
  p->output = (uint8_t)(asked.chosen ? asked.chosen - 1u : asked.port);
  p->lanes = asked.chosen ? two_of(sw)->first.adapt : asked.lanes;
  return p->lanes;
}

/* What input `port` puts forward; returns its eligible channels. */
static unsigned propose(const struct hd_switch *sw, unsigned port, struct proposal *p)
{
  const struct first_step *first = &two_of(sw)->first;
  const struct channel *channels = &sw->channels[port * sw->vcs];
  struct proposal of[HD_MAX_VCS];
  bool granted = first->granted >> port & 1;
  unsigned eligible = 0, vc = two_of(sw)->proposed[port].vc;
  for (unsigned left = switch_set_of(&first->asking, port); left; left &= left - 1) {
    unsigned v = (unsigned)__builtin_ctz(left);
    bool can = granted && v == vc
                   ? switch_set_has(&first->left, port, v) && propose_next(sw, &channels[v], &of[v])
                   : propose_front(sw, &channels[v], &of[v]);
    eligible |= (unsigned)can << v;
  }
  if (!eligible) {
    p->some = 0;
    return 0;
  }
  if (!two_of(sw)->proposed[port].some || granted || !(eligible >> vc & 1))
    vc = switch_first_after(eligible, sw->port[port].in_last);
  *p = of[vc];
  p->vc = (uint8_t)vc;
  p->some = 1;
  return eligible;
}

unsigned switch_in_last(const struct hd_switch *sw, unsigned port)
{
  struct proposal p = {.some = 0};
  if (sw->two_cycles && two_of(sw)->first.is_due)
    propose(sw, port, &p);
  return p.some ? p.vc : sw->port[port].in_last;
}

/* At the start of a cycle: the first step of the one before, if anything was there to be looked at. */
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
        switch_cover_input_tie(sw, port, p->vc, eligible);
      sw->port[port].in_last = p->vc;
    }
    memcpy(two_of(sw)->owned_before, two_of(sw)->first.owned, sizeof two_of(sw)->owned_before);
  } else {
    memset(two_of(sw)->proposed, 0, sizeof two_of(sw)->proposed);
    memset(two_of(sw)->owned_before, 0, sizeof two_of(sw)->owned_before);
  }
}

/* What was put forward, where it can be had now. */
INLINED void pick_proposed(const struct hd_switch *sw, struct picks *picks,
                           const struct barrier_cycle *barrier, bool covered)
{
  for (unsigned port = 0; port < sw->ports; port++) {
    const struct proposal *p = &two_of(sw)->proposed[port];
    if (!p->some || !switch_set_has(&sw->fronts, port, p->vc)) /* padding may be over (§7.5) */
      continue;
    unsigned state = sw->channels[port * sw->vcs + p->vc].state;
    uint64_t can = p->lanes & can_have(sw, p->output, state, barrier);
    if (!state)
      can &= ~two_of(sw)->owned_before[p->output];
    if (!can)
      continue;
    if (covered && switch_set_of(&sw->popped, port))
      switch_cover(sw, HD_POINT_DISCARD_AND_GRANT);
    picks->vc[port] = p->vc;
    picks->lanes[port] = can;
    picks->inputs[p->output] |= (uint16_t)(1u << port);
    picks->outputs |= 1u << p->output;
  }
}

/* Keeps what the first step goes by: before anything is granted, and after that. */
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

/* What a grant moves, whatever it grants. */
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

/* What a packet's state and its flit's kind are to coverage and to the errors of §2.8. */
INLINED void note_grant(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned output,
                        struct channel *ch, const struct slot *front, uint64_t lanes, unsigned ovc,
                        bool covered)
{
  bool open = ch->state == VC_OPEN;
  if (covered && sw->blocked)
    sw->blocked[port * sw->vcs + (unsigned)(ch - &sw->channels[port * sw->vcs])]--;
  if (covered && open)
    cover_open(sw, ch, front->kind);
  if (covered && open && front->is_chosen)
    switch_cover(sw, HD_POINT_CHOSEN_NESTED);
  if (__builtin_expect((unsigned)open & front->kind / HD_KIND_HEAD, 0))
    switch_error(sw, cycle, HD_ERR_NESTED,
                 front->kind & HD_KIND_TAIL ? HD_POINT_OPEN_SINGLE : HD_POINT_OPEN_HEAD);
  if (covered && !open) {
    switch_cover_head(sw, port, output, front, switch_mask(lanes), ovc);
    ch->body = 0;
  }
}

/* Grant of §2.5 for input port `port`'s pick. A flit that leaves, whether it opens its channel or finds it
 * open, leaves it idle if it is a tail or single, and otherwise open. */
INLINED void grant(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                   unsigned output, uint64_t lanes, struct hd_flit_event *event, uint32_t *tag,
                   bool covered, bool adaptive)
{
  struct channel *ch = &sw->channels[port * sw->vcs + vc];
  const struct slot *front = switch_front(sw, ch);
  struct port *out = &sw->port[output];
  unsigned before = ch->state, kind = front->kind, ovc = switch_lane_after(lanes, out->vc_last);
  uint64_t lane = switch_lane(ovc);
  bool open = before == VC_OPEN, tail = kind & HD_KIND_TAIL;
  uint64_t closed = lane & (0 - (uint64_t)tail);
  note_grant(sw, cycle, port, output, ch, front, lanes, ovc, covered);
  event->data = front->data;
  event->port = (uint8_t)output;
  event->vc = (uint8_t)ovc;
  event->kind = (uint8_t)kind;
  event->zero = 0;
  *tag = front->tag;
  if (__builtin_expect((front->source_routed | front->turns) && !open, 0))
    event->data = changed_header(sw, front);
  out->vc_last ^= (uint8_t)((out->vc_last ^ ovc) & ((unsigned)open - 1));
  out->owned = (out->owned | lane) & ~closed;
  ch->state = (uint8_t)(VC_OPEN - tail);
  ch->lane = lane ^ closed;
  ch->oport = (uint8_t)output;
  ch->ovc = (uint8_t)ovc;
  sw->port[port].in_last = (uint8_t)vc;
  leave(sw, port, output, ovc, covered, adaptive);
  if (adaptive)
    adaptive_popped(sw, kind, before, ch->state);
  pop(sw, cycle, port, vc, ch, covered);
}

/* §11.6: the coder asks for output 0 like an input port, after the others. */
INLINED unsigned pick_coder(struct hd_switch *sw, struct picks *picks,
                            const struct barrier_cycle *barrier)
{
  bool masked = barrier && (barrier->masked & 1);
  unsigned head_can = masked ? barrier->head_can[0] : sw->vc_bits;
  if (sw->two_cycles)
    head_can &= ~switch_mask(two_of(sw)->owned_before[0]);
  unsigned can = coder_channels(sw, masked ? barrier->open_can[0] : sw->vc_bits, head_can);
  if (!can)
    return 0;
  if (picks->outputs & 1)
    switch_cover(sw, HD_POINT_CODER_TIE);
  picks->inputs[0] |= (uint16_t)(1u << sw->ports);
  picks->outputs |= 1;
  return can;
}

/* The grant of output 0 to the coder, on one of `channels`. */
INLINED void grant_coder(struct hd_switch *sw, uint64_t cycle, unsigned channels,
                         struct hd_flit_event *event, uint32_t *tag, bool covered, bool adaptive)
{
  coder_grant(sw, cycle, channels, event);
  *tag = HD_TAG_MADE;
  leave(sw, sw->ports, 0, event->vc, covered, adaptive);
}

/* Second step of §2.5. */
INLINED unsigned pick_output(const struct hd_switch *sw, unsigned output, const struct picks *picks,
                             bool covered)
{
  unsigned inputs = picks->inputs[output];
  unsigned port = switch_first_after(inputs, sw->port[output].out_last);
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
  struct requests requests;
  requests.asking = (struct channel_set){{0}};
  picks->outputs = picks->discards = 0;
  memset(picks->inputs, 0, sizeof picks->inputs);
  *fronts = 0;
  sw->popped = (struct channel_set){{0}};
  sw->pop_cycle = cycle;
  for (unsigned word = 0; word * SET_PORTS < sw->ports; word++) {
    uint64_t eligible =
        find_eligible(sw, cycle, word, &requests, picks, fronts, barrier, covered, adaptive);
    if (!sw->two_cycles)
      pick_inputs(sw, word, eligible, &requests, picks, covered);
  }
  if (sw->two_cycles) {
    pick_proposed(sw, picks, barrier, covered);
    keep_before(sw, &requests, barrier, adaptive);
  }
}

/* What output `output` sends with a barrier part: of §7.6, padding, or a granted flit. */
INLINED bool send_with_barrier(struct hd_switch *sw, uint64_t cycle, unsigned output,
                               const struct picks *picks, const struct barrier_cycle *barrier,
                               struct hd_flit_event *event, uint32_t *tag, bool covered,
                               bool adaptive, bool coder, unsigned coder_can)
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
    const struct channel *ch = &sw->channels[port * sw->vcs + vc];
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
  grant(sw, cycle, port, vc, output, picks->lanes[port], event, tag, covered, adaptive);
  if (event->kind == SLOT_NULL)
    event->kind = HD_KIND_NULL;
  else if (coder && !output)
    coder_granted(sw, cycle, event);
  return true;
}

/* Credits of this cycle, visible in the next. */
INLINED void give_credits(const struct hd_switch *sw, uint32_t now, struct hd_switch_output *out)
{
  uint32_t n = 0;
  for (unsigned word = 0; word * SET_PORTS < sw->ports; word++)
    for (uint64_t left = sw->popped.word[word]; left;) {
      unsigned in_word = (unsigned)__builtin_ctzll(left) / HD_MAX_VCS;
      uint8_t vcs = (uint8_t)(left >> in_word * HD_MAX_VCS);
      left &= ~(UINT64_C(0xff) << in_word * HD_MAX_VCS);
      out->credits[n++] =
          (struct hd_credit_event){now + 1, (uint8_t)(word * SET_PORTS + in_word), vcs, 0, 0};
    }
  out->n_credits = n;
}

/* The same with what else ports give; `barriers`: input ports with a barrier credit; `count`: the wires of a
 * count, at every port (§10.8). */
INLINED void give_all(const struct hd_switch *sw, uint32_t now, struct hd_switch_output *out,
                      unsigned barriers, unsigned count)
{
  uint32_t n = 0;
  for (unsigned port = 0; port < sw->ports; port++) {
    unsigned vcs = switch_set_of(&sw->popped, port), barrier = barriers >> port & 1;
    if (vcs | barrier | count)
      out->credits[n++] = (struct hd_credit_event){now + 1, (uint8_t)port, (uint8_t)vcs,
                                                   (uint8_t)barrier, (uint8_t)count};
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
  if (sw->two_cycles) /* before messages take credits */
    begin_two_cycles(sw, cycle, covered);
  barrier_begin(sw, cycle, &barrier);
  make_picks(sw, cycle, &picks, &fronts, &barrier, covered, adaptive);
  unsigned coder_can = coder ? pick_coder(sw, &picks, &barrier) : 0;
  barrier_picked(sw, &barrier);
  if (covered) {
    picks.outputs &= ~barrier.sending;
    before = cover_picks(sw, &picks, before);
  }
  for (unsigned left = picks.outputs | barrier.sending; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    granted += send_with_barrier(sw, cycle, output, &picks, &barrier, &out->flits[n], &out->tags[n],
                                 covered, adaptive, coder, coder_can);
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

/* A cycle of a plain switch that has a front or shows a count. */
INLINED void advance_plain(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                           struct hd_switch_output *out, unsigned count, bool covered,
                           bool adaptive, bool coder)
{
  struct picks picks;
  unsigned fronts, before = covered ? granted_before(sw, cycle) : 0;
  uint32_t n = 0;
  if (sw->two_cycles)
    begin_two_cycles(sw, cycle, covered);
  make_picks(sw, cycle, &picks, &fronts, NULL, covered, adaptive);
  unsigned coder_can = coder ? pick_coder(sw, &picks, NULL) : 0;
  if (covered)
    before = cover_picks(sw, &picks, before);
  for (unsigned left = picks.outputs; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    unsigned port = pick_output(sw, output, &picks, covered);
    if (coder && port == sw->ports) {
      grant_coder(sw, cycle, coder_can, &out->flits[n], &out->tags[n], covered, adaptive);
    } else {
      grant(sw, cycle, port, picks.vc[port], output, picks.lanes[port], &out->flits[n],
            &out->tags[n], covered, adaptive);
      if (coder && !output)
        coder_granted(sw, cycle, &out->flits[n]);
    }
    if (covered)
      cover_granted(sw, output, out->flits[n].vc, before);
    n++;
  }
  if (sw->two_cycles)
    keep_after(sw, &picks);
  switch_quiet_not_before(sw, cycle + 2 + (n ? sw->flit_delay : 0u));
  out->n_flits = n;
  out->blocked = fronts - n + (coder && coder_of(sw)->granted);
  if (count)
    give_all(sw, now, out, 0, count);
  else
    give_credits(sw, now, out);
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
  }
  take_due(sw, cycle);
  if (barrier)
    advance_with_barrier(sw, cycle, now, out, count, covered, adaptive, coder);
  else if (!switch_set_is_empty(&sw->fronts) || count || (coder && coder_of(sw)->is_sending))
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
ADVANCE(advance_without_covered, false, true, false)
ADVANCE(advance_barrier, true, false, false)
ADVANCE(advance_barrier_covered, true, true, false)
ADVANCE(advance_adaptive, false, false, true)
ADVANCE(advance_adaptive_covered, false, true, true)
ADVANCE(advance_adaptive_barrier, true, false, true)
ADVANCE(advance_adaptive_barrier_covered, true, true, true)
#undef ADVANCE

/* A cycle of a plain switch with one front, a bit of the first word: there is nothing to choose from. */
static NOINLINE void advance_single(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                                    struct hd_switch_output *out, uint64_t front)
{
  unsigned bit = (unsigned)__builtin_ctzll(front), port = bit / HD_MAX_VCS, vc = bit % HD_MAX_VCS;
  struct channel *ch = &sw->channels[port * sw->vcs + vc];
  struct request asked = asks(sw, ch, false);
  unsigned output = asked.port;
  sw->popped = (struct channel_set){{0}};
  sw->pop_cycle = cycle;
  if (__builtin_expect(!asked.lanes, 0)) {
    discard(sw, cycle, port, vc, ch);
  } else {
    uint64_t lanes = asked.lanes & can_have(sw, output, ch->state, NULL);
    if (!lanes) {
      out->blocked = 1;
      return;
    }
    out->flits->cycle = now + sw->flit_delay;
    grant(sw, cycle, port, vc, output, lanes, out->flits, out->tags, false, false);
    switch_quiet_not_before(sw, cycle + 2 + sw->flit_delay);
    out->n_flits = 1;
  }
  *out->credits = (struct hd_credit_event){now + 1, (uint8_t)port, (uint8_t)(1u << vc), 0, 0};
  out->n_credits = 1;
}

static NOINLINE void advance_several(struct hd_switch *sw, uint64_t cycle, uint32_t now,
                                     struct hd_switch_output *out)
{
  advance_plain(sw, cycle, now, out, 0, false, false, false);
}

INLINED void advance_without(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                             struct hd_switch_output *out)
{
  out->n_flits = out->n_credits = out->blocked = 0;
  take_due(sw, cycle);
  uint64_t fronts = sw->fronts.word[0];
  if (sw->fronts.word[1] || (fronts & (fronts - 1)) || (fronts && sw->two_cycles))
    advance_several(sw, cycle, (uint32_t)(cycle - window_start), out);
  else if (fronts)
    advance_single(sw, cycle, (uint32_t)(cycle - window_start), out, fronts);
}

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
