/* Parameters of a switch: their list, legal ranges (specification §2.1, §1.3, §7.1, §11.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "params.h"

#include "registers.h"

#include <stdio.h>

/* Number of bits of `high`, a small constant. */
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

/* §12.1 */
static int check_fields(const struct hd_switch_params *p, struct hd_error *err)
{
  const uint32_t node_bits = hd_log2_ceil(p->nodes);
  const uint32_t dimensions = (uint32_t)__builtin_popcount(p->fields);
  if (p->route == HD_ROUTE_BY_HYPERCUBE && p->ports < node_bits + 1)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter ports is %u, must be %u or more: a hypercube of %u nodes has "
                   "so many dimensions, and a node on each switch",
                   p->ports, node_bits + 1, p->nodes);
  if (p->route != HD_ROUTE_BY_MESH && p->route != HD_ROUTE_BY_TORUS)
    return HD_OK;
  if (!(p->fields & 1) || p->fields >> node_bits)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter fields is 0x%x; bit 0 must be 1, and those from bit %u on 0, "
                   "for there are %u nodes",
                   p->fields, node_bits, p->nodes);
  if (p->ports < 2 * dimensions + 1)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter ports is %u, must be %u or more: fields has %u dimensions",
                   p->ports, 2 * dimensions + 1, dimensions);
  return HD_OK;
}

static int check_route(const struct hd_switch_params *p, struct hd_error *err)
{
  if (p->route == HD_ROUTE_BY_TABLE && p->nodes > HD_MAX_NODES)
    return hd_fail(
        err, HD_E_INPUT,
        "switch parameter nodes is %u, must be 2 to %u where switches have routing tables",
        p->nodes, HD_MAX_NODES);
  if (p->route == HD_ROUTE_BY_TABLE && !p->route_cycles)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter route_cycles is 0, must be 1 or 2 where switches have routing "
                   "tables");
  if (p->route && p->adaptive)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter adaptive is %u, must be 0 where switches compute routes: port "
                   "sets are tables",
                   p->adaptive);
  if (p->route && p->route != HD_ROUTE_BY_DIGITS && p->source_table)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter source_table is 1, must be 0 with route %u: only digits (%u) "
                   "route by source",
                   p->route, HD_ROUTE_BY_DIGITS);
  if (p->adaptive == HD_ADAPTIVE_UGAL && !p->source_table)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter source_table is 0, must be 1 with adaptive %u: nodes to go by "
                   "have entries in source tables",
                   p->adaptive);
  return check_fields(p, err);
}

/* §13.1 */
static int check_trees(const struct hd_switch_params *p, struct hd_error *err)
{
  const struct {
    const char *name;
    uint32_t value, needed;
  } others[] = {{"route", p->route, HD_ROUTE_BY_TABLE},
                {"source_table", p->source_table, 0},
                {"adaptive", p->adaptive, HD_ADAPTIVE_NONE},
                {"arb_cycles", p->arb_cycles, 1},
                {"code_places", p->code_places, 0}};
  for (size_t i = 0; p->trees && i < sizeof others / sizeof *others; i++)
    if (others[i].value != others[i].needed)
      return hd_fail(err, HD_E_INPUT, "switch parameter %s is %u, must be %u with trees %u",
                     others[i].name, others[i].value, others[i].needed, p->trees);
  return HD_OK;
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
  int status = check_route(p, err);
  if (!status)
    status = check_trees(p, err);
  if (status)
    return status;
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
  if (p->barrier && p->values && p->data_bits != 64)
    return hd_fail(
        err, HD_E_INPUT,
        "switch parameter values is 1, but data_bits is %u, must be 64: a barrier message "
        "with a value takes one flit",
        p->data_bits);
  if (p->barrier == HD_BARRIER_RESERVED && p->vcs < 2)
    return hd_fail(err, HD_E_INPUT,
                   "switch parameter vcs is %u, must be 2 or more with barrier %u: one is for "
                   "barrier messages alone",
                   p->vcs, p->barrier);
  return HD_OK;
}

int hd_dut_params_check(const struct hd_switch_params *p, struct hd_error *err)
{
  struct hd_switch_params rest = *p;
  if (p->ports > HD_MAX_ENDPOINTS)
    return hd_fail(err, HD_E_INPUT, "a network has %u endpoints, must be 2 to %d", p->ports,
                   HD_MAX_ENDPOINTS);
  if (p->ports > HD_MAX_PORTS && !p->barrier && !p->code_places && !p->route)
    rest.ports = HD_MAX_PORTS;
  return hd_switch_params_check(&rest, err);
}
