/* The switch model: configuration port and observed state (specification §3, §6.5, §8.6, §8.10,
 * §10, §11.3, §11.14).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptive_state.h"
#include "barrier_state.h"
#include "cast_state.h"
#include "coder_state.h"
#include "switch_computed.h"
#include "ugal_state.h"

#include <assert.h>
#include <string.h>

/* Coverage point of a write to a register; HD_POINTS: it is noted elsewhere, or there is none. */
static enum hd_spec_point register_point(const struct hd_switch *sw, unsigned index)
{
  if (hd_register_list[index].access == HD_ACCESS_READ)
    return HD_POINT_WRITE_READ_ONLY;
  if (index == HD_CFG_ADAPT && sw->adaptive)
    return HD_POINT_WRITE_ADAPT;
  if (index == HD_CFG_CAST && sw->cast)
    return HD_POINT_WRITE_CAST;
  switch (sw->barrier ? index : HD_REGISTERS) {
  case HD_CFG_IDLE:
    return HD_POINT_WRITE_IDLE;
  case HD_CFG_SELF:
    return HD_POINT_WRITE_SELF;
  case HD_CFG_LIVE:
    return HD_POINT_WRITE_LIVE;
  case HD_CFG_CENTER:
    return HD_POINT_WRITE_CENTER;
  case HD_CFG_COUNT:
    return HD_POINT_WRITE_COUNT;
  case HD_CFG_LOCAL:
    return HD_POINT_WRITE_LOCAL;
  default:
    return HD_POINTS;
  }
}

/* Coverage point of a write to a routing table, found before the write. */
static enum hd_spec_point entry_point(const struct hd_switch *sw, unsigned select, unsigned port,
                                      unsigned index, uint16_t data)
{
  if (port >= sw->ports)
    return HD_POINT_WRITE_PORT;
  if (index >= sw->params.nodes)
    return HD_POINT_WRITE_NODE;
  if (select == 2)
    return HD_POINT_WRITE_SOURCE;
  if (select == 4)
    return HD_POINT_WRITE_SET;
  if (data >> 12 & 1)
    return HD_POINT_WRITE_ENTRY;
  return switch_table(sw, sw->destination_offset, port)[index] >> 12 & 1 ? HD_POINT_WRITE_INVALID
                                                                         : HD_POINTS;
}

/* Counts a write. Called before the write. */
static void cover_write(const struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data)
{
  unsigned select = addr >> 16 & 15, port = addr >> 12 & 15, index = addr & 0xfff;
  unsigned arrived = (unsigned)(cycle + sw->route_delay) % DUE_SLOTS;
  bool table = !sw->computes && (select == 1 || (select == 2 && sw->params.source_table) ||
                                 (select == 4 && sw->adaptive));
  enum hd_spec_point point = HD_POINT_WRITE_NOWHERE;
  if (table)
    point = entry_point(sw, select, port, index, data);
  else if (select == 2)
    point = HD_POINT_WRITE_SOURCE_NONE;
  else if (select == 4)
    point = HD_POINT_WRITE_SET_NONE;
  else if (select == 5 && sw->adaptive && !index)
    point = port < sw->ports ? HD_POINTS : HD_POINT_WRITE_PORT;
  else if (select == 6 && sw->coder && !port)
    point = index < sw->params.code_places ? HD_POINT_WRITE_PLACE : HD_POINT_WRITE_PLACE_BEYOND;
  else if (select == 6 && !sw->coder)
    point = HD_POINT_WRITE_PLACE_NONE;
  else if (select == 7 && sw->cast && !port)
    point = index < sw->params.trees ? HD_POINT_WRITE_TREE : HD_POINT_WRITE_TREE_BEYOND;
  else if (select == 7 && !sw->cast)
    point = HD_POINT_WRITE_TREE_NONE;
  else if (select == 3 && sw->barrier && !port)
    point = index < sw->params.switches ? HD_POINT_WRITE_WAYS : HD_POINT_WRITE_WAYS_BEYOND;
  else if (!select && !port && index < HD_REGISTERS)
    point = register_point(sw, index);
  if (point != HD_POINTS)
    switch_cover(sw, point);
  if (table && port < sw->ports && switch_set_of(sw, &sw->due[arrived], port))
    switch_cover(sw, HD_POINT_WRITE_AND_HEAD);
  if (sw->active)
    switch_cover(sw, HD_POINT_WRITE_BUSY);
  else if (cycle >= sw->quiet_from)
    switch_cover(sw, HD_POINT_WAKE_CONFIG);
}

static void barrier_register_write(struct hd_switch *sw, uint64_t cycle, unsigned index,
                                   uint16_t data)
{
  struct barrier_state *b = barrier_of(sw);
  switch (index) {
  case HD_CFG_IDLE:
    b->idle_limit = data;
    break;
  case HD_CFG_SELF:
    b->self = data & 0x7ff;
    break;
  case HD_CFG_LIVE:
    b->live = data & b->port_bits;
    break;
  case HD_CFG_CENTER:
    b->center = data & 0x7ff;
    break;
  case HD_CFG_COUNT:
    b->count = data & 0xfff;
    break;
  case HD_CFG_LOCAL:
    b->local = data & b->port_bits;
    break;
  case HD_CFG_OPEN:
    hd_barrier_open(sw, cycle, data & 31);
    break;
  case HD_CFG_CLOSE:
    hd_barrier_close(sw, data & 31);
    break;
  default:
    break;
  }
}

static void adaptive_write(struct hd_switch *sw, unsigned select, unsigned port, unsigned index,
                           uint16_t data)
{
  struct adaptive_state *a = adaptive_of(sw);
  if (select == 0 && port == 0 && index == HD_CFG_ADAPT) {
    a->channels = (uint8_t)(data & sw->vc_bits);
    a->cap = data >> HD_ADAPT_CAP_SHIFT & HD_ADAPT_CAP_MOST;
  } else if (select == 4 && port < sw->ports && index < sw->params.nodes) {
    a->sets[port * sw->params.nodes + index] = data;
  } else if (select == 5 && port < sw->ports && index == 0) {
    hd_adaptive_write_generator(sw, port, data);
  }
}

void hd_switch_config_ahead(struct hd_switch *sw, uint64_t cycle)
{
  if (sw->barrier)
    barrier_of(sw)->held_cycle = cycle;
}

void hd_switch_config_write(struct hd_switch *sw, uint64_t cycle, uint32_t addr, uint16_t data)
{
  unsigned select = addr >> 16 & 15, port = addr >> 12 & 15, index = addr & 0xfff;
  if (sw->coverage)
    cover_write(sw, cycle, addr, data);
  switch_quiet_not_before(sw, cycle + 2);
  assert(!sw->barrier || barrier_of(sw)->step_cycle != cycle); /* see hd_switch_config_ahead */
  if (sw->barrier)
    hd_barrier_owe_nobody(sw);
  if (sw->adaptive)
    adaptive_write(sw, select, port, index, data);
  if (sw->ugal && select == 0 && port == 0 && hd_ugal_write(sw, index, data))
    return;
  if (sw->cast && select == 7 && port == 0 && index < sw->params.trees)
    hd_cast_write_tree(sw, index, data);
  if (sw->cast && select == 0 && port == 0 && index == HD_CFG_CAST)
    cast_of(sw)->channel = data & 7;
  if (sw->coder && select == 6 && port == 0 && index < sw->params.code_places)
    hd_coder_write(sw, cycle, index, data);
  if (select == 0 && port == 0 && index == HD_CFG_ERRORS) {
    unsigned fresh = sw->error_cycle == cycle ? sw->errors_now : 0;
    if (sw->errors & data & ~fresh)
      switch_cover(sw, HD_POINT_CLEAR);
    if (sw->errors & ~(unsigned)data)
      switch_cover(sw, HD_POINT_CLEAR_OTHER);
    if (fresh & data)
      switch_cover(sw, HD_POINT_CLEAR_TIE);
    sw->errors = (uint16_t)((sw->errors & ~data) | fresh);
  } else if (sw->computes && select == 0 && port == 0 &&
             hd_switch_computed_write(sw, index, data)) {
    return;
  } else if (!sw->computes && (select == 1 || (select == 2 && sw->params.source_table)) &&
             port < sw->ports && index < sw->params.nodes) {
    switch_table(sw, select == 1 ? sw->destination_offset : sw->source_offset, port)[index] = data;
  } else if (sw->barrier && port == 0) {
    if (select == 0)
      barrier_register_write(sw, cycle, index, data);
    else if (select == 3 && index < sw->params.switches)
      barrier_ways(sw, barrier_of(sw))[index] = data & barrier_of(sw)->port_bits;
  }
}

uint16_t hd_switch_config_read(const struct hd_switch *sw, uint32_t addr)
{
  addr &= 0xfffff;
  switch_cover(sw, addr < HD_REGISTERS ? HD_POINT_READ_ID + addr : HD_POINT_READ_NOWHERE);
  if (addr == HD_CFG_ERRORS && sw->errors)
    switch_cover(sw, HD_POINT_READ_ERRORS_SET);
  switch (addr) {
  case HD_CFG_ERRORS:
    return sw->errors;
  case HD_CFG_IDLE:
    return sw->barrier ? barrier_of(sw)->idle_limit : 0;
  case HD_CFG_SELF:
    return sw->barrier ? barrier_of(sw)->self : 0;
  case HD_CFG_LIVE:
    return sw->barrier ? barrier_of(sw)->live : 0;
  case HD_CFG_ADAPT:
    return sw->adaptive
               ? (uint16_t)(adaptive_of(sw)->channels | adaptive_of(sw)->cap << HD_ADAPT_CAP_SHIFT)
               : 0;
  case HD_CFG_FIRST:
    return sw->ugal ? ugal_of(sw)->first : 0;
  case HD_CFG_BIAS:
    return sw->ugal ? ugal_of(sw)->bias : 0;
  default:
    return hd_register_of_params(&sw->params, addr);
  }
}

static void look_at_barrier(const struct hd_switch *sw, struct hd_switch_view *view)
{
  const struct barrier_state *b = barrier_of(sw);
  view->unit_act = b->unit.act;
  view->unit_turn = b->unit.turn;
  view->unit_spread = b->unit.spread;
  for (unsigned port = 0; port < sw->ports; port++) {
    const struct barrier_output *out = &b->output[port];
    view->barrier[port].queued = b->input[port].queued;
    view->barrier[port].slot = b->full_ports >> port & 1;
    view->barrier[port].second = out->second;
    view->barrier[port].preempting = b->preempting_ports >> port & 1;
    view->barrier[port].preempt_vc = out->preempt_vc;
    view->barrier[port].preempt_next = out->preempt_next;
    view->barrier[port].barrier_credit = out->credit;
    view->barrier[port].burst = out->burst;
    view->barrier[port].rest = out->rest;
    for (unsigned vc = 0; vc < sw->vcs; vc++)
      view->in[port][vc].preempted = b->input[port].preempted >> vc & 1;
  }
}

static void look_at_coder(const struct hd_switch *sw, struct hd_switch_view *view)
{
  const struct coder_state *c = coder_of(sw);
  view->coder_waiting = c->n_waiting;
  view->coder_next = (uint8_t)c->next;
  view->coder_picked = c->is_picked;
  view->coder_sending = c->is_sending;
  view->coder_flit = c->flit;
}

/* Indices in hd_state_list. */
enum {
#define STATE(place, name, ...) STATE_##place##_##name,
  HD_STATE_LIST(STATE)
#undef STATE
};

void hd_switch_look(const struct hd_switch *sw, struct hd_switch_view *view)
{
  memset(view, 0, sizeof *view);
  view->errors = sw->errors;
  for (unsigned port = 0; port < sw->ports; port++) {
    const struct port *p = &sw->port[port];
    view->in_next[port] = (uint8_t)switch_next(hd_switch_in_last(sw, port), sw->vcs);
    view->out_next[port] = (uint8_t)switch_next(p->out_last, switch_inputs(sw, port));
    view->vc_next[port] = (uint8_t)switch_next(p->vc_last, sw->vcs);
    view->generator[port] = sw->adaptive ? adaptive_of(sw)->generator[port] : 0;
    view->count[port] = sw->adaptive == HD_ADAPTIVE_COUNT ? adaptive_of(sw)->count[port] : 0;
    for (unsigned vc = 0; vc < sw->vcs; vc++) {
      const struct channel *ch = &sw->channels[switch_place(sw, port, vc)];
      view->in[port][vc].occupancy = ch->count;
      view->in[port][vc].state = ch->state;
      view->in[port][vc].oport = ch->oport;
      view->in[port][vc].ovc = ch->ovc;
      view->out[port][vc].credit = (uint8_t)switch_credit(sw, port, vc);
      view->out[port][vc].owned = (p->owned & switch_lane(vc)) != 0;
    }
  }
  if (sw->adaptive == HD_ADAPTIVE_COUNT)
    view->packets = adaptive_of(sw)->packets;
  if (sw->barrier)
    look_at_barrier(sw, view);
  if (sw->coder)
    look_at_coder(sw, view);
}

uint32_t hd_switch_view_get(const struct hd_switch_view *view, const struct hd_state *state,
                            unsigned p, unsigned v)
{
  switch (state - hd_state_list) {
#define STATE(place, name, bits, when, part, member) \
  case STATE_##place##_##name:                       \
    return view->member;
    HD_STATE_LIST(STATE)
#undef STATE
  default:
    return 0;
  }
}

bool hd_switch_look_group(const struct hd_switch *sw, unsigned group, struct hd_group_view *view)
{
  const struct barrier_entry *e = sw->barrier ? hd_barrier_find(sw, group) : NULL;
  if (!e)
    return false;
  *view = (struct hd_group_view){.bsr = e->bsr,
                                 .built = e->built,
                                 .failed = e->failed,
                                 .pending = e->up || e->to_local || e->to_child,
                                 .center = e->center,
                                 .parent = e->parent,
                                 .child = e->child,
                                 .child_in = e->child_in,
                                 .local = e->local,
                                 .local_in = e->local_in};
  memcpy(view->child_address, e->child_address, sizeof view->child_address);
  return true;
}
