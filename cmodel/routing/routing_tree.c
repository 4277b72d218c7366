/* S-mod-k and D-mod-k on k-ary n-trees and extended ones (§5.2–5.4).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A packet comes to a switch from below (down ports) or from above (up ports); all ports
 * of one side have the same table, so two rows a switch are worked out and copied. From above
 * only entries for nodes below the switch are valid: nobody else's packets come down to it.
 */
#include "routing_build.h"

#include <string.h>

struct tree {
  struct hd_tables *tables;
  uint32_t k, n;
  uint32_t half_nodes; /* kⁿ */
  uint32_t per_stage;  /* kⁿ⁻¹ */
  uint32_t halves;
  bool by_source, always_top;
  unsigned mask;
};

static void copy_rows(const struct tree *tr, uint16_t *table, uint32_t sw, uint32_t first)
{
  const uint16_t *row = hd_table_row(table, tr->tables, sw, first);
  for (uint32_t port = first + 1; port < first + tr->k; port++)
    memcpy(hd_table_row(table, tr->tables, sw, port), row, tr->tables->n_nodes * sizeof *row);
}

/* A switch of a stage below the last: label w, `weight` = kˡ. */
static void fill_lower(const struct tree *tr, uint32_t half, uint32_t sw, uint32_t w,
                       uint32_t weight)
{
  uint32_t k = tr->k, start = half * tr->half_nodes;
  uint16_t *below = hd_table_row(tr->tables->destination, tr->tables, sw, 0);
  uint16_t *above = hd_table_row(tr->tables->destination, tr->tables, sw, k);
  /* Nodes below the switch: digits l+1 … n−1 of the node are digits l … n−2 of w (§5.2). */
  uint32_t low = start + w / weight * weight * k, high = low + weight * k;
  if (!tr->by_source)
    for (uint32_t d = 0; d < tr->tables->n_nodes; d++)
      below[d] = hd_table_entry(k + d % tr->half_nodes / weight % k, tr->mask);
  for (uint32_t d = low; d < high; d++) {
    above[d] = hd_table_entry((d - start) / weight % k, tr->mask);
    if (!tr->always_top)
      below[d] = above[d];
  }
  copy_rows(tr, tr->tables->destination, sw, 0);
  copy_rows(tr, tr->tables->destination, sw, k);
  if (tr->by_source) {
    uint16_t *source = hd_table_row(tr->tables->source, tr->tables, sw, 0);
    for (uint32_t s = low; s < high; s++)
      source[s] = hd_table_entry(k + (s - start) / weight % k, tr->mask);
    copy_rows(tr, tr->tables->source, sw, 0);
  }
}

/* A switch of the last stage: everybody turns here. */
static void fill_last(const struct tree *tr, uint32_t sw)
{
  uint16_t *row = hd_table_row(tr->tables->destination, tr->tables, sw, 0);
  for (uint32_t d = 0; d < tr->tables->n_nodes; d++)
    row[d] =
        hd_table_entry(d / tr->half_nodes * tr->k + d % tr->half_nodes / tr->per_stage, tr->mask);
  copy_rows(tr, tr->tables->destination, sw, 0);
  if (tr->halves == 2) {
    memcpy(hd_table_row(tr->tables->destination, tr->tables, sw, tr->k), row,
           tr->tables->n_nodes * sizeof *row);
    copy_rows(tr, tr->tables->destination, sw, tr->k);
  }
}

static void mod_k(struct hd_tables *tables, const struct hd_topology *t, bool by_source,
                  bool always_top, unsigned mask)
{
  uint32_t halves = t->halves;
  struct tree tr = {.tables = tables,
                    .k = t->k,
                    .n = t->n,
                    .half_nodes = t->n_nodes / halves,
                    .per_stage = t->n_nodes / halves / t->k,
                    .halves = halves,
                    .by_source = by_source,
                    .always_top = always_top,
                    .mask = mask};
  uint32_t sw = 0;
  for (uint32_t half = 0; half < halves; half++) {
    uint32_t weight = 1;
    for (uint32_t l = 0; l + 1 < t->n; l++, weight *= t->k)
      for (uint32_t w = 0; w < tr.per_stage; w++)
        fill_lower(&tr, half, sw++, w, weight);
  }
  for (uint32_t w = 0; w < tr.per_stage; w++)
    fill_last(&tr, sw++);
}

static int fill_s_mod_k(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                        unsigned mask, struct hd_error *err)
{
  (void)err;
  mod_k(tables, t, true, always_top, mask);
  return 0;
}

static int fill_d_mod_k(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                        unsigned mask, struct hd_error *err)
{
  (void)err;
  mod_k(tables, t, false, always_top, mask);
  return 0;
}

const struct hd_routing_descriptor hd_routing_kind_s_mod_k = {
    .name = "s-mod-k",
    .help = "up by the source's digits, down by the destination's",
    .section = "5.4",
    .family = HD_FAMILY_TREES,
    .by_source = true,
    .always_top = true,
    .fill = fill_s_mod_k,
};

const struct hd_routing_descriptor hd_routing_kind_d_mod_k = {
    .name = "d-mod-k",
    .help = "up and down by the destination's digits",
    .section = "5.4",
    .family = HD_FAMILY_TREES,
    .always_top = true,
    .fill = fill_d_mod_k,
};
