/* Turn models on meshes of two dimensions: west-first, odd-even (§5.30).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <inttypes.h>

/* Ports of a mesh (§5.1). WEST goes down in dimension 0, and a packet that moves east comes in by it. */
enum { EAST = 1, WEST = 2, UP = 3, DOWN = 4 };

/* A packet at a switch: the switch's column, the destination's column, and the port by which the packet came. */
struct turn {
  uint32_t column, to_column, in;
  unsigned vertical; /* the port towards the destination's row, as a set; empty: the packet is in
                      * that row */
};

static unsigned west_first(const struct turn *p)
{
  if (p->to_column < p->column)
    return 1u << WEST;
  return p->vertical | (unsigned)(p->to_column > p->column) << EAST;
}

static unsigned odd_even(const struct turn *p)
{
  const bool odd = p->column & 1;
  if (p->to_column == p->column)
    return p->vertical;
  if (p->to_column < p->column)
    return 1u << WEST | (odd ? 0 : p->vertical);
  if (!p->vertical)
    return 1u << EAST;
  const bool turns = odd || p->in != WEST;
  const unsigned on = p->to_column & 1 || p->to_column - p->column > 1;
  return (turns ? p->vertical : 0) | on << EAST;
}

static int fill_by(unsigned (*legal)(const struct turn *), const char *name,
                   struct hd_tables *tables, const struct hd_topology *t, unsigned mask,
                   struct hd_error *err)
{
  const uint32_t k = t->dims[0];
  if (t->n_dims > 2)
    return hd_fail(err, HD_E_INPUT,
                   "%s routing is for meshes of one or two dimensions; this one has %" PRIu32, name,
                   t->n_dims);
  tables->adapt = (uint8_t)mask;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t in = 0; in < t->ports; in++)
      for (uint32_t node = 0; node < t->n_nodes; node++) {
        const uint32_t row = sw / k, to_row = node / k;
        const struct turn p = {
            .column = sw % k,
            .to_column = node % k,
            .in = in,
            .vertical = row == to_row ? 0 : 1u << (row < to_row ? UP : DOWN),
        };
        const unsigned set = sw == node ? 1 : legal(&p);
        hd_table_row(tables->sets, tables, sw, in)[node] = (uint16_t)set;
        if (set) /* empty: no packet arrives in this way */
          hd_table_row(tables->destination, tables, sw, in)[node] =
              hd_table_entry((uint32_t)__builtin_ctz(set), mask);
      }
  return HD_OK;
}

static int fill_west_first(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                           unsigned mask, struct hd_error *err)
{
  (void)always_top;
  return fill_by(west_first, "west-first", tables, t, mask, err);
}

static int fill_odd_even(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                         unsigned mask, struct hd_error *err)
{
  (void)always_top;
  return fill_by(odd_even, "odd-even", tables, t, mask, err);
}

const struct hd_routing_descriptor hd_routing_kind_west_first = {
    .name = "west-first",
    .help = "a shortest way, first to the west, then the least congested port",
    .section = "5.30",
    .family = HD_FAMILY_MESHES,
    .adaptive = true,
    .fill = fill_west_first,
};

const struct hd_routing_descriptor hd_routing_kind_odd_even = {
    .name = "odd-even",
    .help = "a shortest way, turns by odd and even columns, the least congested port",
    .section = "5.30",
    .family = HD_FAMILY_MESHES,
    .adaptive = true,
    .fill = fill_odd_even,
};
