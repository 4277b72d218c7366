/* The switch model: layout of its block of memory, and reset (specification §2.9).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "adaptive_state.h"
#include "barrier_state.h"
#include "cast_state.h"
#include "coder_state.h"
#include "ugal_state.h"

#include <string.h>

#define ROW(m)                                                                                  \
  LANES_OF(m), LANES_OF(m + 1), LANES_OF(m + 2), LANES_OF(m + 3), LANES_OF(m + 4),              \
      LANES_OF(m + 5), LANES_OF(m + 6), LANES_OF(m + 7), LANES_OF(m + 8), LANES_OF(m + 9),      \
      LANES_OF(m + 10), LANES_OF(m + 11), LANES_OF(m + 12), LANES_OF(m + 13), LANES_OF(m + 14), \
      LANES_OF(m + 15)
#define LANES_OF(m) \
  ((((m)&0x7f) * UINT64_C(0x02040810204081) & LANE_ONES) << 7 | (uint64_t)((m)&0x80) << 56)
const uint64_t hd_switch_lanes_of[256] = {
    ROW(0x00), ROW(0x10), ROW(0x20), ROW(0x30), ROW(0x40), ROW(0x50), ROW(0x60), ROW(0x70),
    ROW(0x80), ROW(0x90), ROW(0xa0), ROW(0xb0), ROW(0xc0), ROW(0xd0), ROW(0xe0), ROW(0xf0)};
#undef LANES_OF
#undef ROW

static size_t align16(size_t size)
{
  return (size + 15) & ~(size_t)15;
}

static size_t slots_at(const struct hd_switch_params *p)
{
  return align16(sizeof(struct hd_switch) +
                 ((size_t)p->ports << hd_log2_ceil(p->vcs)) * sizeof(struct channel));
}

static size_t tables_at(const struct hd_switch_params *p)
{
  return slots_at(p) + (size_t)p->ports * p->vcs * p->depth_flits * sizeof(struct slot);
}

static size_t table_size(const struct hd_switch_params *p)
{
  return p->route ? 0 : (size_t)p->ports * p->nodes * sizeof(uint16_t);
}

static size_t barrier_at(const struct hd_switch_params *p)
{
  return align16(tables_at(p) + table_size(p) * (1 + p->source_table));
}

static size_t adaptive_at(const struct hd_switch_params *p)
{
  return align16(barrier_at(p) + hd_barrier_size(p));
}

static size_t coder_at(const struct hd_switch_params *p)
{
  return align16(adaptive_at(p) + hd_adaptive_size(p));
}

static size_t two_at(const struct hd_switch_params *p)
{
  return align16(coder_at(p) + hd_coder_size(p));
}

static size_t cast_at(const struct hd_switch_params *p)
{
  return align16(two_at(p) + (p->arb_cycles == 2 ? sizeof(struct two_cycles) : 0));
}

static size_t ugal_at(const struct hd_switch_params *p)
{
  return align16(cast_at(p) + hd_cast_size(p));
}

size_t hd_switch_size(const struct hd_switch_params *p)
{
  const size_t size = ugal_at(p) + hd_ugal_size(p);
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
  sw->vc_shift = (uint8_t)hd_log2_ceil(p->vcs);
  sw->nodes = p->nodes;
  sw->computes = p->route != HD_ROUTE_BY_TABLE;
  sw->ring_bytes = (uint16_t)(p->depth_flits * sizeof(struct slot));
  sw->vc_bits = (uint8_t)((1u << p->vcs) - 1);
  sw->head_need = (uint8_t)(p->cut_flits ? p->cut_flits : 1);
  sw->bias[0] = switch_bias(sw->head_need);
  sw->bias[1] = switch_bias(1);
  sw->surplus_bias = switch_bias(sw->depth + 1u);
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
    hd_barrier_init(sw);
  sw->adaptive = hd_switch_has_sets(p) ? (uint8_t)p->adaptive : 0;
  sw->adaptive_offset = (uint32_t)adaptive_at(p);
  sw->two_cycles = p->arb_cycles == 2;
  sw->two_offset = (uint32_t)two_at(p);
  sw->coder = p->code_places != 0;
  sw->coder_offset = (uint32_t)coder_at(p);
  if (sw->coder)
    hd_coder_init(sw);
  sw->cast = p->trees != 0;
  sw->cast_offset = (uint32_t)cast_at(p);
  sw->ugal = hd_switch_has(p, HD_PART_UGAL);
  sw->ugal_offset = (uint32_t)ugal_at(p);
  sw->extra = sw->barrier || sw->adaptive || sw->coder || sw->cast || sw->ugal;
  sw->is_plain = !sw->two_cycles && !sw->extra && switch_places(sw) <= 64;
  hd_switch_reset(sw);
  return sw;
}

void hd_switch_cover(struct hd_switch *sw, struct hd_coverage *coverage, uint64_t *blocked,
                     unsigned node_ports)
{
  sw->coverage = coverage;
  sw->extra = coverage || sw->barrier || sw->adaptive || sw->coder || sw->cast || sw->ugal;
  sw->blocked = blocked;
  sw->node_ports = (uint16_t)node_ports;
}

void hd_switch_reset(struct hd_switch *sw)
{
  if (sw->active)
    switch_cover(sw, HD_POINT_RESET_BUSY);
  if (sw->errors)
    switch_cover(sw, HD_POINT_RESET_ERRORS);
  sw->active = sw->sent_ports = 0;
  sw->fronts = sw->popped = (struct channel_set){{0}};
  sw->quiet_from = 0;
  sw->pop_cycle = sw->error_cycle = UINT64_MAX;
  sw->errors = sw->errors_now = 0;
  memset(sw->due, 0, sizeof sw->due);
  if (sw->two_cycles)
    memset(two_of(sw), 0, sizeof(struct two_cycles));
  for (unsigned i = 0; i < sw->ports; i++)
    sw->port[i] = (struct port){.credits = sw->depth * (switch_lanes(sw->vc_bits) >> 7),
                                .in_last = (uint8_t)(sw->vcs - 1),
                                .out_last = (uint8_t)(switch_inputs(sw, i) - 1),
                                .vc_last = (uint8_t)(sw->vcs - 1)};
  for (unsigned i = 0; i < (unsigned)sw->ports * sw->vcs; i++) {
    uint32_t base = (uint32_t)(slots_at(&sw->params) + i * sw->ring_bytes);
    *switch_channel(sw, i / sw->vcs, i % sw->vcs) = (struct channel){.base = base, .front = base};
  }
  if (sw->barrier)
    hd_barrier_reset(sw);
  if (sw->adaptive)
    hd_adaptive_reset(sw);
  if (sw->ugal)
    hd_ugal_reset(sw);
  if (sw->coder)
    hd_coder_reset(sw);
}
