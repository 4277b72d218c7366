/* Parameters of a switch: their list, legal ranges (specification §2.1, §1.3, §7.1, §11.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "params.h"

#include "registers.h"

#include <stdio.h>

/* Bits of the largest value: `high` is a small constant. */
#define BITS(high) (uint8_t)((high) < 2 ? 1 : 32 - __builtin_clz(high))

const struct hd_switch_param hd_switch_param_list[HD_SWITCH_PARAMS] = {
#define PARAM(name, VERILOG, low, high, fallback, kind, part, REGISTER, shift, unit, section,      \
              about)                                                                               \
  {#name, #VERILOG,   low,  high,    fallback, HD_PARAM_##kind, HD_PART_##part, HD_CFG_##REGISTER, \
   shift, BITS(high), unit, section, about},
    HD_SWITCH_PARAM_LIST(PARAM)
#undef PARAM
};

bool hd_switch_param_used(const struct hd_switch_params *params, size_t i)
{
  return hd_switch_has(params, hd_switch_param_list[i].part);
}

const char *hd_barrier_name(uint32_t barrier)
{
#define KIND(NAME, name, about) #name,
  static const char *const names[] = {HD_BARRIER_LIST(KIND)};
#undef KIND
  return barrier < HD_BARRIER_KINDS ? names[barrier] : NULL;
}

const char *hd_congestion_name(uint32_t congestion)
{
#define KIND(NAME, name, about) #name,
  static const char *const names[] = {HD_CONGESTION_LIST(KIND)};
#undef KIND
  return congestion < sizeof names / sizeof *names ? names[congestion] : NULL;
}

uint32_t hd_log2_ceil(uint32_t n)
{
  uint32_t bits = 0;
  while ((UINT64_C(1) << bits) < n)
    bits++;
  return bits ? bits : 1;
}

static int check_power(const struct hd_switch_param *d, uint32_t value, struct hd_error *err)
{
  char legal[64] = "";
  size_t used = 0;
  for (uint32_t v = d->low; v <= d->high; v *= 2) {
    if (value == v)
      return HD_OK;
    used += (size_t)snprintf(legal + used, sizeof legal - used, "%s%u",
                             v == d->low    ? ""
                             : v == d->high ? " or "
                                            : ", ",
                             v);
  }
  return hd_fail(err, HD_E_INPUT, "switch parameter %s is %u, must be %s", d->name, value, legal);
}

int hd_switch_params_check(const struct hd_switch_params *p, struct hd_error *err)
{
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    uint32_t value = hd_switch_param_get(p, i);
    int status = 0;
    if (!hd_switch_param_used(p, i))
      continue;
    if (d->kind == HD_PARAM_POWER)
      status = check_power(d, value, err);
    else if (value < d->low || value > d->high)
      status = hd_fail(err, HD_E_INPUT, "switch parameter %s is %u, must be %u to %u", d->name,
                       value, d->low, d->high);
    if (status)
      return status;
  }
  if (p->cut_flits > p->depth_flits)
    return hd_fail(err, HD_E_INPUT, "switch parameter cut_flits is %u, must be 0 to %u",
                   p->cut_flits, p->depth_flits);
  uint32_t need = hd_header_bits(p);
  if (p->data_bits < need)
    return hd_fail(err, HD_E_INPUT,
                   "a header for %u nodes%s takes %u bits, but data_bits is %u: use 32", p->nodes,
                   p->source_table ? " with source routing tables" : "", need, p->data_bits);
  if (p->data_bits < need + hd_code_bits(p))
    return hd_fail(err, HD_E_INPUT,
                   "a header for %u nodes%s and %u code_places takes %u bits, but data_bits is %u: "
                   "use %u",
                   p->nodes, p->source_table ? " with source routing tables" : "", p->code_places,
                   need + hd_code_bits(p), p->data_bits, need + hd_code_bits(p) > 32 ? 64 : 32);
  if (p->code_places && p->ports == HD_MAX_PORTS)
    return hd_fail(
        err, HD_E_INPUT,
        "switch parameter ports is %u, must be %u to %u with code_places %u: the coder is "
        "one more input port",
        p->ports, 2u, HD_MAX_PORTS - 1u, p->code_places);
  uint32_t slots = hd_switch_least_depth(p);
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
