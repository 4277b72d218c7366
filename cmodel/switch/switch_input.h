/* Takes in the inputs of a switch in a cycle: flits and credits (specification §2.3, §2.6, §2.7). For cmodel/switch/
 * and cmodel/fabric/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inlined into the functions of switch.h and, for switches without `extra`, into the fabric's cycle.
 */
#ifndef HD_SWITCH_INPUT_H
#define HD_SWITCH_INPUT_H

#include "adaptive_state.h"
#include "barrier_state.h"
#include "switch_cover.h"

#define INLINED static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

/** Finds the entry for mode 3 (§2.7); 0: there is none. */
uint16_t hd_switch_route_by_node(const struct hd_switch *sw, unsigned port, uint64_t destination,
                                 uint64_t via, struct slot *slot);
/** Returns the route of a head (§12.2), as a table entry; 0: it is unroutable. `header` is not of mode 2. */
uint16_t hd_switch_compute_route(const struct hd_switch *sw, uint64_t header);
/** Counts an input that comes while the switch is empty (§2.10). */
void hd_switch_cover_wake(const struct hd_switch *sw, uint64_t cycle, enum hd_spec_point point);

/* Routes a head (§2.7, §7.7). Leaves vc_mask 0 if the packet is unroutable. */
INLINED void route(const struct hd_switch *sw, unsigned port, uint64_t header, struct slot *slot,
                   bool covered)
{
  uint32_t nodes = sw->nodes;
  uint64_t node_mask = (UINT64_C(1) << sw->node_bits) - 1;
  uint16_t entry = 0;
  const unsigned mode = header & 3, computed = sw->computes && mode != 2 ? 4 : 0;
  switch (mode | computed) {
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
      hd_switch_cover_route(sw, header & 1, by_source, entry);
    break;
  }
  case 2:
    entry = hd_table_entry((unsigned)(header >> 2) & ((1u << sw->port_bits) - 1), sw->data_vc_bits);
    slot->change = HEADER_SHIFTS;
    switch_cover(sw, (entry & 15u) < sw->ports ? HD_POINT_MODE_2 : HD_POINT_MODE_2_PORT);
    break;
  case 3:
    entry = hd_switch_route_by_node(sw, port, header >> 2 & node_mask,
                                    header >> (2 + sw->node_bits) & node_mask, slot);
    break;
  default:
    entry = hd_switch_compute_route(sw, header);
  }
  if ((entry >> 12 & 1) && (entry & 15u) < sw->ports) {
    slot->oport = entry & 15;
    slot->vc_mask = (uint8_t)(entry >> 4 & sw->data_vc_bits);
  }
}

/* Counts a flit that is accepted (§2.3, §7.4). Called before it is put into its buffer. */
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
  unsigned came = switch_set_of(sw, &sw->due[before], port);
  if (came)
    count[HD_POINT_ARRIVES_AGAIN + (came != 1u << vc)]++;
  if (sw->barrier && (barrier_of(sw)->input[port].preempted >> vc & 1))
    count[HD_POINT_DATA_PREEMPTED]++;
}

/* Drops a flit before the buffer, and records error `bit` (0: none). */
static inline bool refuse_flit(struct hd_switch *sw, uint64_t cycle, unsigned bit,
                               enum hd_spec_point point)
{
  switch_quiet_not_before(sw, cycle + 2);
  if (bit)
    switch_error(sw, cycle, bit, point);
  return false;
}

/* Takes in a flit (§2.3). True: it is in a buffer now, so the switch is active; the advance with which it leaves
 * postpones quiet_from. */
INLINED bool put_flit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vc,
                      unsigned kind, uint64_t data, uint32_t tag, bool barrier, bool covered,
                      bool adaptive)
{
  if (covered && !sw->active)
    hd_switch_cover_wake(sw, cycle, HD_POINT_WAKE_FLIT);
  if (__builtin_expect(vc >= sw->vcs, 0))
    return refuse_flit(sw, cycle, HD_ERR_CHANNEL, HD_POINT_CHANNEL);
  if (barrier && sw->barrier && (kind & HD_KIND_RESERVED)) {
    if (kind == HD_KIND_NULL) {
      switch_cover(sw, HD_POINT_NULL_COMES);
      kind = SLOT_NULL;
      tag = UINT32_MAX;
    } else if (barrier_of(sw)->beside) {
      hd_barrier_arrive(sw, cycle, port, vc, kind, data);
      return refuse_flit(sw, cycle, 0, HD_POINTS);
    }
  }
  const unsigned place = switch_place(sw, port, vc);
  struct channel *ch = &sw->channels[place];
  bool popped = covered && sw->pop_cycle == cycle && switch_set_has(&sw->popped, place);
  if (ch->count + 1u >= sw->depth) {
    /* Occupancy is that of the cycle's start, so a pop in this cycle makes no room yet. */
    popped = sw->pop_cycle == cycle && switch_set_has(&sw->popped, place);
    if (__builtin_expect(ch->count + (unsigned)popped >= sw->depth, 0))
      return refuse_flit(sw, cycle, HD_ERR_OVERFLOW,
                         popped ? HD_POINT_OVERFLOW_POP : HD_POINT_OVERFLOW);
  }
  unsigned due = (unsigned)(cycle + sw->route_delay) % DUE_SLOTS;
  if (covered)
    cover_arrival(sw, port, vc, due, ch, popped);
  struct slot *slot = switch_slot(sw, ch, ch->count);
  *slot = (struct slot){.data = data, .tag = tag, .kind = (uint8_t)kind};
  if ((kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    route(sw, port, data, slot, covered);
  if (adaptive) {
    hd_adaptive_arrive(sw, cycle, port, slot);
    adaptive_came(sw, kind);
  }
  ch->count++;
  sw->active++;
  switch_set_add(&sw->due[due], place);
  return true;
}

/* Takes in credits (§2.6, §8.9). */
INLINED void put_credit(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs,
                        bool covered)
{
  bool barrier = vcs >> HD_BARRIER_CREDIT & 1 && sw->barrier;
  if (!(vcs & sw->vc_bits) && !barrier)
    return; /* no credit, or a barrier credit without barrier (§8.9) */
  if (covered && !sw->active)
    hd_switch_cover_wake(sw, cycle, barrier ? HD_POINT_WAKE_BARRIER_CREDIT : HD_POINT_WAKE_CREDIT);
  bool granted = covered && sw->pop_cycle == cycle && (sw->sent_ports >> port & 1);
  switch_quiet_not_before(sw, cycle + 2);
  if (barrier)
    hd_barrier_credit(sw, cycle, port);
  for (unsigned left = vcs & sw->vc_bits; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left);
    unsigned credit = switch_credit(sw, port, vc);
    if (granted && sw->port[port].sent_vc == vc)
      switch_cover(sw, credit + 1u == sw->depth ? HD_POINT_CREDIT_TIE_FULL : HD_POINT_CREDIT_TIE);
    if (__builtin_expect(credit >= sw->depth, 0)) {
      switch_error(sw, cycle, HD_ERR_CREDIT, HD_POINT_CREDIT_SURPLUS);
      continue;
    }
    sw->port[port].credits += UINT64_C(1) << 8 * vc;
    if (covered && !credit)
      switch_cover(sw, HD_POINT_CREDIT_BACK);
    if (covered && credit + 1u == sw->depth)
      switch_cover(sw, HD_POINT_CREDIT_ALL);
  }
  if (covered && (vcs & (vcs - 1) & sw->vc_bits))
    switch_cover(sw, HD_POINT_CREDIT_SEVERAL);
}

/* Takes in credits (§2.6) of a switch without `extra`. False: a credit is surplus, and nothing was done. */
INLINED bool put_credit_plain(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs)
{
  struct port *out = &sw->port[port];
  uint64_t credits = out->credits + (switch_lanes(vcs & sw->vc_bits) >> 7);
  if (__builtin_expect(((credits + sw->surplus_bias) & LANES) != 0, 0))
    return false;
  out->credits = credits;
  switch_quiet_not_before(sw, vcs & sw->vc_bits ? cycle + 2 : 0);
  return true;
}

#endif
