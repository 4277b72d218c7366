/* Parameters of a switch: legal ranges (specification §2.1, §1.3, §7.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "params.h"

uint32_t hd_log2_ceil(uint32_t n)
{
  uint32_t bits = 0;
  while ((UINT64_C(1) << bits) < n)
    bits++;
  return bits ? bits : 1;
}

int hd_switch_params_check(const struct hd_switch_params *p, struct hd_error *err)
{
  const struct {
    const char *name;
    uint32_t value, low, high;
  } ranges[] = {
      {"ports", p->ports, 2, HD_MAX_PORTS},
      {"vcs", p->vcs, 1, HD_MAX_VCS},
      {"depth_flits", p->depth_flits, 1, HD_MAX_DEPTH},
      {"nodes", p->nodes, 2, HD_MAX_NODES},
      {"route_cycles", p->route_cycles, 1, 2},
      {"arb_cycles", p->arb_cycles, 1, 2},
      {"buffer_cycles", p->buffer_cycles, 0, 1},
      {"cut_flits", p->cut_flits, 0, p->depth_flits},
      {"source_table", p->source_table, 0, 1},
      {"barrier", p->barrier, 0, HD_BARRIER_RESERVED},
      {"groups", p->barrier ? p->groups : 1, 1, HD_MAX_GROUPS},
      {"switches", p->barrier ? p->switches : 2, 2, HD_MAX_BARRIER_SWITCHES},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (ranges[i].value < ranges[i].low || ranges[i].value > ranges[i].high)
      return hd_fail(err, HD_E_INPUT, "switch parameter %s is %u, must be %u to %u", ranges[i].name,
                     ranges[i].value, ranges[i].low, ranges[i].high);
  if (p->data_bits != 16 && p->data_bits != 32 && p->data_bits != 64)
    return hd_fail(err, HD_E_INPUT, "switch parameter data_bits is %u, must be 16, 32 or 64",
                   p->data_bits);
  uint32_t need = 2 + hd_log2_ceil(p->nodes) * (1 + p->source_table);
  if (p->data_bits < need)
    return hd_fail(err, HD_E_INPUT,
                   "a header for %u nodes%s takes %u bits, but data_bits is %u: use 32", p->nodes,
                   p->source_table ? " with source routing tables" : "", need, p->data_bits);
  uint32_t message = p->barrier < HD_BARRIER_MOVING ? 0 : hd_barrier_flits(p);
  uint32_t slots = message + (p->barrier == HD_BARRIER_MOVING ? 2 : 0); /* request and end */
  if (p->depth_flits < slots)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter depth_flits is %u, but with barrier %u and data_bits %u a "
                   "barrier message needs %u slots",
                   p->depth_flits, p->barrier, p->data_bits, slots);
  if (p->barrier == HD_BARRIER_RESERVED && p->vcs < 2)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter vcs is %u, must be 2 or more with barrier %u: one is for "
                   "barrier messages alone",
                   p->vcs, p->barrier);
  return HD_OK;
}
