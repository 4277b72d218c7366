/* Fabrics whose switches can compute routes, and the registers of each switch (§12).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t log2_of(uint32_t power)
{
  return (uint32_t)__builtin_ctz(power);
}

/* ── which fabrics ─────────────────────────────────────────────────────────── */

static int fail_no_power(const char *what, uint32_t value, struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT,
                 "%s is %" PRIu32 ", and switches that compute routes need a power of two (§12)",
                 what, value);
}

static bool is_power(uint32_t value)
{
  return value && !(value & (value - 1));
}

/* §12.3 */
static int check_sizes(const struct hd_topology *t, struct hd_error *err)
{
  uint32_t largest = 0;
  for (uint32_t d = 0; d < t->n_dims; d++) {
    char name[32];
    snprintf(name, sizeof name, "dims[%" PRIu32 "]", d);
    if (t->dims[d] < 2)
      return hd_fail(err, HD_E_INPUT,
                     "%s is 1; switches that compute routes need 2 or more (§12.3)", name);
    if (d + 1 < t->n_dims && !is_power(t->dims[d]))
      return fail_no_power(name, t->dims[d], err);
    largest = t->dims[d] > largest ? t->dims[d] : largest;
  }
  if (t->kind == HD_TOPO_TORUS && largest <= 4)
    return hd_fail(
        err, HD_E_INPUT,
        "the torus has no size of more than 4; switches that compute its routes need one "
        "(§12.3)");
  return HD_OK;
}

/* §12.5 */
static int check_digits(const struct hd_topology *t, struct hd_error *err)
{
  const struct hd_topology_shape *s = &t->shape;
  struct {
    const char *name;
    uint32_t value;
  } sizes[2] = {{"k", s->k}, {"k", s->k}};
  if (t->kind == HD_TOPO_FAT_TREE) {
    sizes[0].name = "pods";
    sizes[0].value = s->pods;
    sizes[1].name = "edge_nodes";
    sizes[1].value = hd_topology_edge_nodes(s);
  } else if (t->kind == HD_TOPO_CLOS) {
    sizes[0].name = "n";
    sizes[0].value = s->n;
    sizes[1].name = "m";
    sizes[1].value = s->m;
  } else if (hd_topologies[t->kind]->family == HD_FAMILY_TREES) {
    sizes[0].value = sizes[1].value = t->k;
  }
  for (int i = 0; i < 2; i++)
    if (!is_power(sizes[i].value))
      return fail_no_power(sizes[i].name, sizes[i].value, err);
  return HD_OK;
}

/* Returns how switches of the topology route. HD_ROUTE_BY_TABLE: they cannot compute routes. */
static enum hd_route route_of(const struct hd_topology *t)
{
  switch (t->kind) {
  case HD_TOPO_MESH:
    return HD_ROUTE_BY_MESH;
  case HD_TOPO_TORUS:
    return HD_ROUTE_BY_TORUS;
  case HD_TOPO_HYPERCUBE:
    return HD_ROUTE_BY_HYPERCUBE;
  case HD_TOPO_TREE:
  case HD_TOPO_EXTENDED_TREE:
  case HD_TOPO_FAT_TREE:
  case HD_TOPO_FOLDED_BUTTERFLY:
  case HD_TOPO_OMEGA:
  case HD_TOPO_BUTTERFLY:
  case HD_TOPO_CLOS:
    return HD_ROUTE_BY_DIGITS;
  default:
    return HD_ROUTE_BY_TABLE;
  }
}

static bool is_computable(enum hd_routing_kind kind)
{
  return kind == HD_ROUTE_DIMENSION_ORDER || kind == HD_ROUTE_MINIMAL || kind == HD_ROUTE_S_MOD_K ||
         kind == HD_ROUTE_D_MOD_K;
}

int hd_routing_compute(const struct hd_topology *t, enum hd_routing_kind kind, bool always_top,
                       struct hd_switch_params *sw, struct hd_error *err)
{
  const enum hd_route route = route_of(t);
  int status = HD_OK;
  if (route == HD_ROUTE_BY_TABLE)
    return hd_fail(err, HD_E_INPUT, "switches cannot compute the routes of a %s (§12.7)",
                   hd_topologies[t->kind]->name);
  if (!is_computable(kind) || always_top)
    return hd_fail(err, HD_E_INPUT,
                   "switches cannot compute %s routes%s; legal: dimension-order, minimal, and "
                   "s-mod-k and d-mod-k at the nearest common ancestor (§12.7)",
                   hd_routings[kind]->name, always_top ? " that go always to the top" : "");
  if (route == HD_ROUTE_BY_DIGITS)
    status = check_digits(t, err);
  else if (route != HD_ROUTE_BY_HYPERCUBE)
    status = check_sizes(t, err);
  sw->route = route;
  sw->fields = 1;
  for (uint32_t d = 0, bit = 0; !status && route <= HD_ROUTE_BY_TORUS && d + 1 < t->n_dims; d++) {
    bit += log2_of(t->dims[d]);
    sw->fields |= 1u << bit;
  }
  return status;
}

/* ── registers of a switch ─────────────────────────────────────────────────── */

struct registers {
  uint32_t own, far, below, digits;
};

static uint32_t bits_from(uint32_t first)
{
  return UINT32_MAX << first;
}

static uint32_t digits_of(uint32_t down_bit, uint32_t down, uint32_t up_bit, uint32_t up)
{
  return down_bit | down << 4 | up_bit << 8 | up << 12;
}

/* Returns how far packets go up (§12.3). */
static uint32_t stages_up(const struct hd_topology *t, uint32_t sw)
{
  uint32_t far = 0, weight = 1;
  for (uint32_t d = 0; d < t->n_dims; d++, weight *= t->dims[d - 1]) {
    const uint32_t k = t->dims[d], x = sw / weight % k;
    const uint32_t steps = x % 2 ? (k - 1) / 2 : k / 2;
    far += (k == 2 ? 1 : (x + steps) % k) * weight;
  }
  return far;
}

static struct registers registers_of_tree(const struct hd_topology *t, uint32_t sw)
{
  const uint32_t lambda = log2_of(t->k), half_nodes = t->n_nodes / t->halves;
  const uint32_t per_stage = half_nodes / t->k, lower = (t->n - 1) * per_stage;
  const uint32_t half = sw / (lower ? lower : 1), in_half = lower ? sw % lower : 0;
  if (sw >= t->halves * lower) /* the last stage */
    return (struct registers){.digits = digits_of(lambda * (t->n - 1), t->halves * t->k - 1, 0, 0)};
  const uint32_t l = in_half / per_stage, w = in_half % per_stage, bit = lambda * l;
  return (struct registers){.own = half * half_nodes + (w >> bit << (bit + lambda)),
                            .below = bits_from(bit + lambda),
                            .digits = digits_of(bit, t->k - 1, bit, t->k - 1)};
}

static struct registers registers_of_fat_tree(const struct hd_topology *t, uint32_t sw)
{
  const uint32_t pods = t->shape.pods, h = pods / 2, e = hd_topology_edge_nodes(&t->shape);
  const uint32_t edge_bits = log2_of(e), pod_bits = log2_of(h * e);
  if (sw < pods * h)
    return (struct registers){
        .own = sw * e, .below = bits_from(edge_bits), .digits = digits_of(0, e - 1, 0, h - 1)};
  if (sw < 2 * pods * h)
    return (struct registers){.own = (sw - pods * h) / h * h * e,
                              .below = bits_from(pod_bits),
                              .digits = digits_of(edge_bits, h - 1, edge_bits, h - 1)};
  return (struct registers){.digits = digits_of(pod_bits, pods - 1, 0, 0)};
}

static struct registers registers_of_folded_butterfly(const struct hd_topology *t, uint32_t sw)
{
  const uint32_t k = t->shape.k, n = t->shape.n, lambda = log2_of(k), per_stage = t->n_nodes / k;
  const uint32_t l = sw / per_stage, w = sw % per_stage, turn = lambda * (n - 1 - l);
  const bool last = l == n - 1;
  return (struct registers){
      .own = (w & ((1u << turn) - 1)) << lambda,
      .below = bits_from(lambda) & ~bits_from(turn + lambda),
      .digits = digits_of(l ? turn + lambda : 0, k - 1, last ? 0 : turn, last ? 0 : k - 1)};
}

static struct registers registers_of_one_way(const struct hd_topology *t, uint32_t sw)
{
  const uint32_t k = t->shape.k, l = sw / (t->n_nodes / k);
  return (struct registers){.digits = digits_of(log2_of(k) * (t->shape.n - 1 - l), k - 1, 0, 0)};
}

static struct registers registers_of_clos(const struct hd_topology *t, uint32_t sw)
{
  const struct hd_topology_shape *s = &t->shape;
  const uint32_t last = s->n - 1;
  if (sw < s->r)
    return (struct registers){.digits = digits_of(0, s->m - 1, 0, 0)};
  if (sw < s->r + s->m)
    return (struct registers){
        .digits = digits_of(log2_of(s->n), s->r > 1 ? (1u << hd_log2_ceil(s->r)) - 1 : 0, 0, 0)};
  return (struct registers){.digits = digits_of(0, last, 0, 0)};
}

static struct registers registers_of(const struct hd_topology *t, uint32_t sw)
{
  switch (t->kind) {
  case HD_TOPO_TREE:
  case HD_TOPO_EXTENDED_TREE:
    return registers_of_tree(t, sw);
  case HD_TOPO_FAT_TREE:
    return registers_of_fat_tree(t, sw);
  case HD_TOPO_FOLDED_BUTTERFLY:
    return registers_of_folded_butterfly(t, sw);
  case HD_TOPO_OMEGA:
  case HD_TOPO_BUTTERFLY:
    return registers_of_one_way(t, sw);
  case HD_TOPO_CLOS:
    return registers_of_clos(t, sw);
  case HD_TOPO_TORUS:
    return (struct registers){.own = sw, .far = stages_up(t, sw)};
  default:
    return (struct registers){.own = sw};
  }
}

bool hd_routing_register(const struct hd_tables *tables, uint32_t sw, size_t which,
                         struct hd_config_event *write)
{
  const struct registers r = registers_of(tables->topology, sw);
  const uint32_t node_mask = (1u << hd_log2_ceil(tables->n_nodes)) - 1;
  const struct hd_config_event writes[] = {
      {.addr = HD_CFG_OWN, .data = (uint16_t)(r.own & node_mask)},
      {.addr = HD_CFG_FAR, .data = (uint16_t)(r.far & node_mask)},
      {.addr = HD_CFG_BELOW, .data = (uint16_t)(r.below & node_mask)},
      {.addr = HD_CFG_DIGITS, .data = (uint16_t)r.digits}};
  if (which >= sizeof writes / sizeof *writes)
    return false;
  *write = writes[which];
  return true;
}
