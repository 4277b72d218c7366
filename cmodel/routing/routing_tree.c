/* S-mod-k and D-mod-k on k-ary n-trees and extended ones (§5.2–5.4).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A packet comes to a switch from below (down ports) or from above (up ports); all ports of one side have the same
 * entries. For packets from above, only entries for nodes below the switch are valid: no other packet comes down to it.
 */
#include "routing_build.h"

/* The position of a switch in its tree. */
struct place {
  uint32_t k, half_nodes, weight; /* kⁿ, and kˡ */
  uint32_t low, high; /* nodes below it: low … high − 1, if it is not in a last stage */
  uint32_t start;     /* first node of its half */
  bool is_last;
};

static struct place position_of(const struct hd_topology *t, uint32_t sw)
{
  const uint32_t half_nodes = t->n_nodes / t->halves, per_stage = half_nodes / t->k;
  const uint32_t lower = (t->n - 1) * per_stage; /* switches of a half, without its last stage */
  struct place p = {.k = t->k, .half_nodes = half_nodes, .weight = 1};
  if (sw >= t->halves * lower) {
    p.weight = per_stage;
    p.is_last = true;
    return p;
  }
  for (uint32_t l = sw % lower / per_stage; l; l--)
    p.weight *= t->k;
  p.start = sw / lower * half_nodes;
  /* Digits l+1 … n−1 of the node are digits l … n−2 of the label (§5.2). */
  p.low = p.start + sw % lower % per_stage / p.weight * p.weight * t->k;
  p.high = p.low + p.weight * t->k;
  return p;
}

static uint32_t port_down(const struct place *p, uint32_t node)
{
  const uint32_t digit = node % p->half_nodes / p->weight % p->k;
  return p->is_last ? node / p->half_nodes * p->k + digit : digit;
}

static uint16_t entry_up(const struct hd_tables *tables, const struct place *p, uint32_t node)
{
  return hd_table_entry(p->k + node % p->half_nodes / p->weight % p->k, tables->mask);
}

static uint16_t destination_entry(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                  uint32_t node, bool by_source)
{
  const struct place p = position_of(tables->topology, sw);
  const bool above = port >= p.k, below_it = node >= p.low && node < p.high;
  if (port >= 2 * p.k || (p.is_last && above && tables->topology->halves == 1))
    return 0;
  if (p.is_last || (below_it && (above || !tables->always_top)))
    return hd_table_entry(port_down(&p, node), tables->mask);
  return above || by_source ? 0 : entry_up(tables, &p, node);
}

static uint16_t to_by_source(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                             uint32_t node)
{
  return destination_entry(tables, sw, port, node, true);
}

static uint16_t to_by_destination(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                  uint32_t node)
{
  return destination_entry(tables, sw, port, node, false);
}

/* Returns the source entry of packets from below, on their way up. */
static uint16_t source_entry(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                             uint32_t node)
{
  const struct place p = position_of(tables->topology, sw);
  const bool below_it = node >= p.low && node < p.high;
  return p.is_last || port >= p.k || !below_it ? 0 : entry_up(tables, &p, node);
}

const struct hd_routing_descriptor hd_routing_kind_s_mod_k = {
    .name = "s-mod-k",
    .help = "up by the source's digits, down by the destination's",
    .section = "5.4",
    .family = HD_FAMILY_TREES,
    .by_source = true,
    .always_top = true,
    .to = to_by_source,
    .from = source_entry,
    .by_side = true,
};

const struct hd_routing_descriptor hd_routing_kind_d_mod_k = {
    .name = "d-mod-k",
    .help = "up and down by the destination's digits",
    .section = "5.4",
    .family = HD_FAMILY_TREES,
    .always_top = true,
    .to = to_by_destination,
    .by_side = true,
};
