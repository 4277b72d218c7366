/* The switch model: buffers, allocation, errors (specification chapter 2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the RTL moves flits through pipeline registers, this model keeps dates: a flit is
 * in its buffer when it arrives and is due in the cycle in which it may be granted; a
 * grant makes at once the event that the output will show later.
 */
#include "barrier_state.h"

#include <assert.h>
#include <string.h>

/* Plain switches and those with a barrier part each get a cycle of their own, all inlined. */
#define INLINED static inline __attribute__((always_inline))

static size_t align16(size_t size)
{
  return (size + 15) & ~(size_t)15;
}

static size_t slots_at(const struct hd_switch_params *p)
{
  return align16(sizeof(struct hd_switch) + (size_t)p->ports * p->vcs * sizeof(struct channel));
}

static size_t tables_at(const struct hd_switch_params *p)
{
  return slots_at(p) + (size_t)p->ports * p->vcs * p->depth_flits * sizeof(struct slot);
}

static size_t table_size(const struct hd_switch_params *p)
{
  return (size_t)p->ports * p->nodes * sizeof(uint16_t);
}

static size_t barrier_at(const struct hd_switch_params *p)
{
  return align16(tables_at(p) + table_size(p) * (1 + p->source_table));
}

size_t hd_switch_size(const struct hd_switch_params *p)
{
  size_t size = barrier_at(p) + barrier_size(p);
  return (size + 63) & ~(size_t)63;
}

struct hd_switch *hd_switch_init(void *storage, const struct hd_switch_params *p)
{
  struct hd_switch *sw = storage;
  memset(storage, 0, hd_switch_size(p));
  sw->params = *p;
  sw->vcs = (uint8_t)p->vcs;
  sw->ports = (uint8_t)p->ports;
  sw->depth = (uint8_t)p->depth_flits;
  sw->vc_bits = (uint8_t)((1u << p->vcs) - 1);
  sw->head_need = (uint8_t)(p->cut_flits ? p->cut_flits : 1);
  sw->node_bits = (uint8_t)hd_log2_ceil(p->nodes);
  sw->port_bits = (uint8_t)hd_log2_ceil(p->ports);
  sw->flit_delay = (uint8_t)(2 + hd_switch_grant_stages(p));
  sw->route_delay = (uint8_t)(p->route_cycles + 1);
  sw->destination_offset = (uint32_t)tables_at(p);
  sw->source_offset = sw->destination_offset + (uint32_t)table_size(p);
  sw->barrier = (uint8_t)p->barrier;
  sw->data_vc_bits = sw->vc_bits;
  if (sw->barrier == HD_BARRIER_RESERVED)
    sw->data_vc_bits = (uint8_t)(sw->vc_bits >> 1);
  sw->barrier_offset = (uint32_t)barrier_at(p);
  if (sw->barrier)
    barrier_init(sw);
  hd_switch_reset(sw);
  return sw;
}

void hd_switch_reset(struct hd_switch *sw)
{
  sw->active = sw->front_ports = sw->popped_ports = 0;
  sw->quiet_from = 0;
  sw->pop_cycle = sw->error_cycle = UINT64_MAX;
  sw->errors = sw->errors_now = 0;
  memset(sw->due_ports, 0, sizeof sw->due_ports);
  for (unsigned i = 0; i < sw->ports; i++)
    sw->port[i] = (struct port){.has_credit = sw->vc_bits, .head_credit = sw->vc_bits};
  for (unsigned i = 0; i < (unsigned)sw->ports * sw->vcs; i++)
    sw->channels[i] = (struct channel){
        .base = (uint32_t)(slots_at(&sw->params) + i * sw->depth * sizeof(struct slot)),
        .credit = sw->depth};
  if (sw->barrier)
    barrier_reset(sw);
}

/* §2.7, §7.7. Leaves vc_mask 0 where the packet is unroutable. */
static void route(const struct hd_switch *sw, unsigned port, uint64_t header, struct slot *slot)
{
  uint32_t nodes = sw->params.nodes;
  uint64_t node_mask = (UINT64_C(1) << sw->node_bits) - 1;
  uint16_t entry = 0;
  switch (header & 3) {
  case 0:
  case 1: {
    uint64_t destination = header >> 2 & node_mask;
    if (destination >= nodes)
      return;
    entry = switch_table(sw, sw->destination_offset, port)[destination];
    if ((header & 1) && !(entry >> 12 & 1) && sw->params.source_table) {
      uint64_t source = header >> (2 + sw->node_bits) & node_mask;
      if (source < nodes)
        entry = switch_table(sw, sw->source_offset, port)[source];
    } else if ((header & 1) && !sw->params.source_table && !(entry >> 12 & 1)) {
      return;
    }
    break;
  }
  case 2:
    entry = hd_table_entry((unsigned)(header >> 2) & ((1u << sw->port_bits) - 1), sw->data_vc_bits);
    slot->source_routed = 1;
    break;
  default:
    return;
  }
  if ((entry >> 12 & 1) && (entry & 15u) < sw->ports) {
    slot->oport = entry & 15;
    slot->vc_mask = (uint8_t)(entry >> 4 & sw->data_vc_bits);
  }
}

void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag)
{
  switch_quiet_not_before(sw, cycle + 2);
  if (vc >= sw->vcs) {
    switch_error(sw, cycle, HD_ERR_CHANNEL);
    return;
  }
  if (__builtin_expect(sw->barrier && (kind & HD_KIND_RESERVED), 0)) {
    if (kind == HD_KIND_NULL) {
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
    switch_error(sw, cycle, HD_ERR_OVERFLOW);
    return;
  }
  unsigned at = ch->head + ch->count;
  if (at >= sw->depth)
    at -= sw->depth;
  struct slot *slot = switch_slot(sw, ch, at);
  *slot = (struct slot){.data = data, .tag = tag, .kind = (uint8_t)kind};
  if ((kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    route(sw, port, data, slot);
  ch->count++;
  sw->active++;
  unsigned due = (unsigned)(cycle + sw->route_delay) % DUE_SLOTS;
  sw->due_ports[due] |= (uint16_t)(1u << port);
  sw->port[port].due_vc[due] = (uint8_t)vc;
}

void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  bool barrier = vcs >> HD_BARRIER_CREDIT & 1 && sw->barrier;
  if (!(vcs & sw->vc_bits) && !barrier)
    return; /* nothing, or a wire that is not looked at (§8.9) */
  switch_quiet_not_before(sw, cycle + 2);
  if (barrier)
    barrier_credit(sw, cycle, port);
  for (unsigned left = vcs & sw->vc_bits; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    if (sw->channels[port * sw->vcs + vc].credit >= sw->depth)
      switch_error(sw, cycle, HD_ERR_CREDIT);
    else
      switch_give_credit(sw, port, vc);
  }
}

/* §2.4: what the front of a channel asks for, in the state that it is in. */
static inline void renew_wants(const struct hd_switch *sw, struct channel *ch)
{
  const struct slot *front = switch_front(sw, ch);
  bool open = ch->state == VC_OPEN;
  ch->want_port = open ? ch->oport : front->oport;
  ch->want_mask = (uint8_t)(open ? 1u << ch->ovc : front->vc_mask); /* body, tail: mask 0 */
  if ((front->kind & HD_KIND_RESERVED) || ch->state == VC_SINK)
    ch->want_mask = 0;
}

/* Flits whose routing is done by the start of `cycle`. */
static void take_due(struct hd_switch *sw, uint64_t cycle)
{
  unsigned due = (unsigned)cycle % DUE_SLOTS;
  for (unsigned left = sw->due_ports[due]; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left), vc = sw->port[port].due_vc[due];
    struct channel *ch = &sw->channels[port * sw->vcs + vc];
    if (ch->ready++ == 0) {
      sw->port[port].fronts |= (uint8_t)(1u << vc);
      sw->front_ports |= (uint16_t)(1u << port);
      renew_wants(sw, ch);
    }
  }
  sw->due_ports[due] = 0;
}

static inline void pop(struct hd_switch *sw, unsigned port, unsigned vc, struct channel *ch)
{
  ch->head++;
  if (ch->head == sw->depth)
    ch->head = 0;
  sw->active--;
  ch->count--;
  sw->port[port].popped |= (uint8_t)(1u << vc);
  sw->popped_ports |= (uint16_t)(1u << port);
  if (--ch->ready) {
    renew_wants(sw, ch);
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
  unsigned kind = switch_front(sw, ch)->kind;
  if (kind & HD_KIND_RESERVED) {
    if (!sw->barrier)
      switch_error(sw, cycle, HD_ERR_RESERVED);
    else if (!barrier_front(sw, cycle, port, vc, switch_front(sw, ch)))
      return false;
  } else if (ch->state == VC_SINK) {
    if (kind & HD_KIND_HEAD)
      switch_error(sw, cycle, HD_ERR_NESTED);
    if (kind & HD_KIND_TAIL)
      ch->state = VC_IDLE;
  } else if (!(kind & HD_KIND_HEAD)) {
    switch_error(sw, cycle, HD_ERR_ORPHAN);
  } else {
    switch_error(sw, cycle, HD_ERR_UNROUTABLE);
    if (!(kind & HD_KIND_TAIL))
      ch->state = VC_SINK;
  }
  pop(sw, port, vc, ch);
  switch_quiet_not_before(sw, cycle + 3);
  return true;
}

/* Requests of one cycle: input ports' picks by output port. */
struct picks {
  unsigned outputs;               /* output ports that are asked for */
  uint16_t inputs[HD_MAX_PORTS];  /* by output port: input ports that ask */
  uint8_t vc[HD_MAX_PORTS];       /* by input port */
  uint8_t channels[HD_MAX_PORTS]; /* by input port: E of §2.5, or the open packet's channel */
};

/* §2.4 and first step of §2.5 for one input port; returns how many of its fronts may be
 * blocked, the pick included. */
INLINED unsigned pick_input(struct hd_switch *sw, uint64_t cycle, unsigned port,
                            struct picks *picks)
{
  unsigned fronts = 0, eligible = 0;
  struct channel *channels = &sw->channels[port * sw->vcs];
  uint8_t can[HD_MAX_VCS];
  for (unsigned left = sw->port[port].fronts; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    struct channel *ch = &channels[vc];
    if (__builtin_expect(!ch->want_mask, 0)) {
      fronts += !discard(sw, cycle, port, vc, ch);
      continue;
    }
    unsigned output = ch->want_port;
    unsigned head_can = sw->port[output].head_credit & ~(unsigned)sw->port[output].owned;
    can[vc] =
        ch->want_mask & (uint8_t)(ch->state == VC_OPEN ? sw->port[output].has_credit : head_can);
    eligible |= (unsigned)(can[vc] != 0) << vc;
    fronts++;
  }
  if (!eligible)
    return fronts;
  unsigned vc = switch_first_from(eligible, sw->port[port].in_next);
  unsigned output = channels[vc].want_port, bit = 1u << output;
  picks->vc[port] = (uint8_t)vc;
  picks->channels[port] = can[vc];
  uint16_t others = picks->outputs & bit ? picks->inputs[output] : 0;
  picks->inputs[output] = (uint16_t)(others | 1u << port);
  picks->outputs |= bit;
  return fronts;
}

/* What a grant moves, whatever it grants. */
INLINED void move_on(struct hd_switch *sw, unsigned port, unsigned vc, unsigned output,
                     unsigned ovc)
{
  sw->port[port].in_next = vc + 1 == sw->vcs ? 0 : (uint8_t)(vc + 1);
  sw->port[output].out_next = port + 1 == sw->ports ? 0 : (uint8_t)(port + 1);
  switch_take_credit(sw, output, ovc);
}

/* Grant of §2.5 for input port `port`'s pick. */
INLINED void grant(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned output,
                   const struct picks *picks, struct hd_flit_event *event, uint32_t *tag)
{
  unsigned vcs = sw->vcs, vc = picks->vc[port];
  struct channel *ch = &sw->channels[port * vcs + vc];
  const struct slot *front = switch_front(sw, ch);
  unsigned ovc;
  event->data = front->data;
  event->port = (uint8_t)output;
  event->kind = front->kind;
  event->zero = 0;
  *tag = front->tag;
  if (ch->state == VC_OPEN) {
    ovc = ch->ovc;
    if (front->kind & HD_KIND_HEAD)
      switch_error(sw, cycle, HD_ERR_NESTED);
    if (front->kind & HD_KIND_TAIL) {
      sw->port[output].owned &= (uint8_t) ~(1u << ovc);
      ch->state = VC_IDLE;
    }
  } else {
    ovc = switch_first_from(picks->channels[port], sw->port[output].vc_next);
    sw->port[output].vc_next = ovc + 1 == vcs ? 0 : (uint8_t)(ovc + 1);
    if (!(front->kind & HD_KIND_TAIL)) {
      sw->port[output].owned |= (uint8_t)(1u << ovc);
      ch->state = VC_OPEN;
      ch->oport = (uint8_t)output;
      ch->ovc = (uint8_t)ovc;
    }
    if (front->source_routed)
      event->data = front->data >> 2 >> sw->port_bits << 2 | (front->data & 3);
  }
  event->vc = (uint8_t)ovc;
  move_on(sw, port, vc, output, ovc);
  pop(sw, port, vc, ch);
}

/* Second step of §2.5. */
INLINED unsigned pick_output(const struct hd_switch *sw, unsigned output, const struct picks *picks)
{
  return switch_first_from(picks->inputs[output], sw->port[output].out_next);
}

INLINED void make_picks(struct hd_switch *sw, uint64_t cycle, struct picks *picks, unsigned *fronts)
{
  picks->outputs = 0;
  *fronts = 0;
  for (unsigned left = sw->popped_ports; left; left &= left - 1)
    sw->port[__builtin_ctz(left)].popped = 0;
  sw->popped_ports = 0;
  sw->pop_cycle = cycle;
  for (unsigned left = sw->front_ports; left; left &= left - 1)
    *fronts += pick_input(sw, cycle, (unsigned)__builtin_ctz(left), picks);
}

/* What output `output` sends with a barrier part: of §7.6, padding, or a granted flit. */
static bool send_with_barrier(struct hd_switch *sw, uint64_t cycle, unsigned output,
                              const struct picks *picks, const struct barrier_cycle *barrier,
                              struct hd_flit_event *event, uint32_t *tag)
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
  unsigned port = pick_output(sw, output, picks), vc = picks->vc[port];
  if ((barrier->padded_ports >> port & 1) && (barrier->padding[port] >> vc & 1)) {
    const struct channel *ch = &sw->channels[port * sw->vcs + vc];
    event->data = 0;
    event->port = (uint8_t)output;
    event->vc = ch->ovc;
    event->kind = HD_KIND_NULL;
    event->zero = 0;
    move_on(sw, port, vc, output, ch->ovc);
    return false;
  }
  grant(sw, cycle, port, output, picks, event, tag);
  if (event->kind == SLOT_NULL)
    event->kind = HD_KIND_NULL;
  return true;
}

/* A cycle of a switch with a barrier part. */
static __attribute__((noinline)) void advance_with_barrier(struct hd_switch *sw, uint64_t cycle,
                                                           uint32_t now,
                                                           struct hd_switch_output *out)
{
  struct barrier_cycle barrier;
  struct picks picks;
  unsigned fronts, granted = 0;
  uint32_t n = 0;
  barrier_begin(sw, cycle, &barrier);
  make_picks(sw, cycle, &picks, &fronts);
  barrier_picked(sw, &barrier);
  for (unsigned left = picks.outputs | barrier.sending; left; left &= left - 1) {
    out->flits[n].cycle = now + sw->flit_delay;
    granted += send_with_barrier(sw, cycle, (unsigned)__builtin_ctz(left), &picks, &barrier,
                                 &out->flits[n], &out->tags[n]);
    n++;
  }
  if (n)
    switch_quiet_not_before(sw, cycle + sw->flit_delay + 2);
  out->n_flits = n;
  out->blocked = fronts - barrier.padded - granted;

  n = 0;
  for (unsigned left = sw->popped_ports | barrier.credit_ports; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    out->credits[n++] = (struct hd_credit_event){now + 1, (uint8_t)port, sw->port[port].popped,
                                                 barrier.credit_ports >> port & 1};
  }
  out->n_credits = n;
}

void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out)
{
  uint32_t now = (uint32_t)(cycle - window_start), n = 0;
  out->n_flits = out->n_credits = out->blocked = 0;
  if (sw->active)
    switch_quiet_not_before(sw, cycle + 2);
  take_due(sw, cycle);
  if (__builtin_expect(sw->barrier != HD_BARRIER_NONE, 0)) {
    advance_with_barrier(sw, cycle, now, out);
    return;
  }
  if (!sw->front_ports)
    return;

  struct picks picks;
  unsigned fronts;
  make_picks(sw, cycle, &picks, &fronts);
  for (unsigned left = picks.outputs; left; left &= left - 1) {
    unsigned output = (unsigned)__builtin_ctz(left);
    out->flits[n].cycle = now + sw->flit_delay;
    grant(sw, cycle, pick_output(sw, output, &picks), output, &picks, &out->flits[n],
          &out->tags[n]);
    n++;
  }
  if (n)
    switch_quiet_not_before(sw, cycle + sw->flit_delay + 2);
  out->n_flits = n;
  out->blocked = fronts - n;

  n = 0;
  for (unsigned left = sw->popped_ports; left; left &= left - 1) {
    unsigned port = (unsigned)__builtin_ctz(left);
    out->credits[n++] = (struct hd_credit_event){now + 1, (uint8_t)port, sw->port[port].popped, 0};
  }
  out->n_credits = n;
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
