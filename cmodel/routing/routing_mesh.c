/* Dimension order on meshes (§5.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <string.h>

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  (void)err;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint16_t *first = hd_table_row(tables->destination, tables, sw, 0);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
      uint32_t here = sw, there = node, port = 0;
      for (uint32_t d = 0; d < t->n_dims && port == 0; d++) {
        uint32_t x = here % t->dims[d], y = there % t->dims[d];
        if (x != y)
          port = x < y ? 1 + 2 * d : 2 + 2 * d;
        here /= t->dims[d];
        there /= t->dims[d];
      }
      first[node] = hd_table_entry(port, mask);
    }
    for (uint32_t port = 1; port < t->ports; port++)
      memcpy(hd_table_row(tables->destination, tables, sw, port), first,
             t->n_nodes * sizeof *first);
  }
  return 0;
}

const struct hd_routing_descriptor hd_routing_kind_dimension_order = {
    .name = "dimension-order",
    .help = "one dimension after the other, the lowest first",
    .section = "5.1",
    .family = HD_FAMILY_MESHES,
    .fill = fill,
};
