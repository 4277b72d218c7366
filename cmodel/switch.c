/* The switch model: buffers, allocation, errors (specification chapter 2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the RTL moves flits through pipeline registers, this model keeps dates: a flit is
 * in its buffer when it arrives and is due in the cycle in which it may be granted; a
 * grant makes at once the event that the output will show later.
 */
#include "switch_state.h"

#include <assert.h>
#include <string.h>

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

size_t hd_switch_size(const struct hd_switch_params *p)
{
  size_t size = tables_at(p) + table_size(p) * (1 + p->source_table);
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
}

static inline uint16_t *table(const struct hd_switch *sw, uint32_t offset, unsigned port)
{
  return (uint16_t *)(uintptr_t)((const char *)sw + offset) + (size_t)port * sw->params.nodes;
}

static void record_error(struct hd_switch *sw, uint64_t cycle, unsigned bit)
{
  if (sw->error_cycle != cycle) {
    sw->error_cycle = cycle;
    sw->errors_now = 0;
  }
  sw->errors_now |= (uint8_t)bit;
  sw->errors |= (uint8_t)bit;
}

static inline void quiet_not_before(struct hd_switch *sw, uint64_t cycle)
{
  if (sw->quiet_from < cycle)
    sw->quiet_from = cycle;
}

/* §2.7. Leaves vc_mask 0 where the packet is unroutable. */
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
    entry = table(sw, sw->destination_offset, port)[destination];
    if ((header & 1) && !(entry >> 12 & 1) && sw->params.source_table) {
      uint64_t source = header >> (2 + sw->node_bits) & node_mask;
      if (source < nodes)
        entry = table(sw, sw->source_offset, port)[source];
    } else if ((header & 1) && !sw->params.source_table && !(entry >> 12 & 1)) {
      return;
    }
    break;
  }
  case 2:
    entry = hd_table_entry((unsigned)(header >> 2) & ((1u << sw->port_bits) - 1), sw->vc_bits);
    slot->source_routed = 1;
    break;
  default:
    return;
  }
  if ((entry >> 12 & 1) && (entry & 15u) < sw->ports) {
    slot->oport = entry & 15;
    slot->vc_mask = (uint8_t)(entry >> 4 & sw->vc_bits);
  }
}

void hd_switch_put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                        unsigned kind, uint64_t data, uint32_t tag)
{
  quiet_not_before(sw, cycle + 2);
  if (vc >= sw->vcs) {
    record_error(sw, cycle, HD_ERR_CHANNEL);
    return;
  }
  struct channel *ch = &sw->channels[port * sw->vcs + vc];
  /* Occupancy counts as at the cycle's start, so a pop of this cycle makes no room yet. */
  unsigned popped = sw->pop_cycle == cycle && (sw->port[port].popped >> vc & 1);
  if (ch->count + popped >= sw->depth) {
    record_error(sw, cycle, HD_ERR_OVERFLOW);
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

/* The masks change only where a count passes 1 or head_need. */
static inline void take_credit(struct hd_switch *sw, unsigned port, unsigned vc)
{
  unsigned count = sw->channels[port * sw->vcs + vc].credit--;
  if (count == sw->head_need)
    sw->port[port].head_credit &= (uint8_t) ~(1u << vc);
  if (count == 1)
    sw->port[port].has_credit &= (uint8_t) ~(1u << vc);
}

static inline void give_credit(struct hd_switch *sw, unsigned port, unsigned vc)
{
  unsigned count = ++sw->channels[port * sw->vcs + vc].credit;
  if (count == sw->head_need)
    sw->port[port].head_credit |= (uint8_t)(1u << vc);
  if (count == 1)
    sw->port[port].has_credit |= (uint8_t)(1u << vc);
}

void hd_switch_put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  quiet_not_before(sw, cycle + 2);
  for (unsigned left = vcs & sw->vc_bits; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    if (sw->channels[port * sw->vcs + vc].credit >= sw->depth)
      record_error(sw, cycle, HD_ERR_CREDIT);
    else
      give_credit(sw, port, vc);
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

/* §2.4: this front asks for nothing; carries out why. */
static void discard(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                    struct channel *ch)
{
  unsigned kind = switch_front(sw, ch)->kind;
  if (kind & HD_KIND_RESERVED) {
    record_error(sw, cycle, HD_ERR_RESERVED);
  } else if (ch->state == VC_SINK) {
    if (kind & HD_KIND_HEAD)
      record_error(sw, cycle, HD_ERR_NESTED);
    if (kind & HD_KIND_TAIL)
      ch->state = VC_IDLE;
  } else if (!(kind & HD_KIND_HEAD)) {
    record_error(sw, cycle, HD_ERR_ORPHAN);
  } else {
    record_error(sw, cycle, HD_ERR_UNROUTABLE);
    if (!(kind & HD_KIND_TAIL))
      ch->state = VC_SINK;
  }
  pop(sw, port, vc, ch);
  quiet_not_before(sw, cycle + 3);
}

/* First bit of mask at or cyclically after `next`. */
static inline unsigned first_from(unsigned mask, unsigned next)
{
  unsigned above = mask >> next << next;
  return (unsigned)__builtin_ctz(above ? above : mask);
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
static inline unsigned pick_input(struct hd_switch *sw, uint64_t cycle, unsigned port,
                                  struct picks *picks)
{
  unsigned fronts = 0, eligible = 0;
  struct channel *channels = &sw->channels[port * sw->vcs];
  uint8_t can[HD_MAX_VCS];
  for (unsigned left = sw->port[port].fronts; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    struct channel *ch = &channels[vc];
    if (__builtin_expect(!ch->want_mask, 0)) {
      discard(sw, cycle, port, vc, ch);
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
  unsigned vc = first_from(eligible, sw->port[port].in_next);
  unsigned output = channels[vc].want_port, bit = 1u << output;
  picks->vc[port] = (uint8_t)vc;
  picks->channels[port] = can[vc];
  uint16_t others = picks->outputs & bit ? picks->inputs[output] : 0;
  picks->inputs[output] = (uint16_t)(others | 1u << port);
  picks->outputs |= bit;
  return fronts;
}

/* Second step and grant of §2.5 for one output port. */
static inline void grant_output(struct hd_switch *sw, uint64_t cycle, unsigned output,
                                const struct picks *picks, struct hd_flit_event *event,
                                uint32_t *tag)
{
  unsigned vcs = sw->vcs;
  unsigned port = first_from(picks->inputs[output], sw->port[output].out_next);
  unsigned vc = picks->vc[port];
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
      record_error(sw, cycle, HD_ERR_NESTED);
    if (front->kind & HD_KIND_TAIL) {
      sw->port[output].owned &= (uint8_t) ~(1u << ovc);
      ch->state = VC_IDLE;
    }
  } else {
    ovc = first_from(picks->channels[port], sw->port[output].vc_next);
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
  sw->port[port].in_next = vc + 1 == vcs ? 0 : (uint8_t)(vc + 1);
  sw->port[output].out_next = port + 1 == sw->ports ? 0 : (uint8_t)(port + 1);
  take_credit(sw, output, ovc);
  pop(sw, port, vc, ch);
}

void hd_switch_advance(struct hd_switch *sw, uint64_t cycle, uint64_t window_start,
                       struct hd_switch_output *out)
{
  uint32_t now = (uint32_t)(cycle - window_start), n = 0;
  out->n_flits = out->n_credits = out->blocked = 0;
  if (sw->active)
    quiet_not_before(sw, cycle + 2);
  take_due(sw, cycle);
  unsigned ports = sw->front_ports;
  if (!ports)
    return;

  struct picks picks;
  unsigned fronts = 0;
  picks.outputs = 0;
  for (unsigned left = sw->popped_ports; left; left &= left - 1)
    sw->port[__builtin_ctz(left)].popped = 0;
  sw->popped_ports = 0;
  sw->pop_cycle = cycle;
  for (unsigned left = ports; left; left &= left - 1)
    fronts += pick_input(sw, cycle, (unsigned)__builtin_ctz(left), &picks);

  for (unsigned left = picks.outputs; left; left &= left - 1) {
    out->flits[n].cycle = now + sw->flit_delay;
    grant_output(sw, cycle, (unsigned)__builtin_ctz(left), &picks, &out->flits[n], &out->tags[n]);
    n++;
  }
  if (n)
    quiet_not_before(sw, cycle + sw->flit_delay + 2);
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

void hd_switch_config_write(struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data)
{
  unsigned select = addr >> 16 & 15, port = addr >> 12 & 15, index = addr & 0xfff;
  quiet_not_before(sw, cycle + 2);
  if (select == 0 && port == 0 && index == HD_CFG_ERRORS) {
    uint8_t fresh = sw->error_cycle == cycle ? sw->errors_now : 0;
    sw->errors = (uint8_t)((sw->errors & ~data) | fresh);
  } else if ((select == 1 || (select == 2 && sw->params.source_table)) && port < sw->ports &&
             index < sw->params.nodes) {
    table(sw, select == 1 ? sw->destination_offset : sw->source_offset, port)[index] = data;
  }
}

uint16_t hd_switch_config_read(const struct hd_switch *sw, uint32_t addr)
{
  const struct hd_switch_params *p = &sw->params;
  switch (addr & 0xfffff) {
  case 0:
    return 0x4844;
  case 1:
    return 1;
  case 2:
    return (uint16_t)(p->ports | p->vcs << 5 | p->depth_flits << 9);
  case 3:
    return (uint16_t)(p->route_cycles | p->arb_cycles << 2 | p->buffer_cycles << 4 |
                      p->source_table << 5 | p->cut_flits << 6);
  case 4:
    return (uint16_t)p->data_bits;
  case 5:
    return (uint16_t)p->nodes;
  case HD_CFG_ERRORS:
    return sw->errors;
  default:
    return 0;
  }
}

void hd_switch_look(const struct hd_switch *sw, struct hd_switch_view *view)
{
  memset(view, 0, sizeof *view);
  view->errors = sw->errors;
  for (unsigned port = 0; port < sw->ports; port++) {
    view->in_next[port] = sw->port[port].in_next;
    view->out_next[port] = sw->port[port].out_next;
    view->vc_next[port] = sw->port[port].vc_next;
    for (unsigned vc = 0; vc < sw->vcs; vc++) {
      unsigned index = port * sw->vcs + vc;
      const struct channel *ch = &sw->channels[index];
      view->in[port][vc].occupancy = ch->count;
      view->in[port][vc].state = ch->state;
      view->in[port][vc].oport = ch->oport;
      view->in[port][vc].ovc = ch->ovc;
      view->out[port][vc].credit = ch->credit;
      view->out[port][vc].owned = sw->port[port].owned >> vc & 1;
    }
  }
}
