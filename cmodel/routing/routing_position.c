/* On FatTrees of k pods, up by a switch's own place in its pod (§5.20).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <string.h>

static uint32_t port_of(const struct hd_topology_shape *shape, uint32_t sw, uint32_t node)
{
  uint32_t h = shape->pods / 2, edges = shape->pods * h;
  uint32_t edge_nodes = hd_topology_edge_nodes(shape), edge = node / edge_nodes;
  if (sw < edges)
    return sw == edge ? node % edge_nodes : h + sw % h;
  if (sw < 2 * edges)
    return (sw - edges) / h == edge / h ? edge % h : h + sw % h;
  return edge / h;
}

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  (void)err;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint16_t *first = hd_table_row(tables->destination, tables, sw, 0);
    for (uint32_t node = 0; node < t->n_nodes; node++)
      first[node] = hd_table_entry(port_of(&t->shape, sw, node), mask);
    for (uint32_t port = 1; port < t->ports; port++)
      memcpy(hd_table_row(tables->destination, tables, sw, port), first,
             t->n_nodes * sizeof *first);
  }
  return 0;
}

const struct hd_routing_descriptor hd_routing_kind_position = {
    .name = "position",
    .help =
        "up by the switch's own place in its pod, as the adaptive paper's deterministic routing",
    .section = "5.20",
    .family = HD_FAMILY_FAT_TREES,
    .fill = fill,
};
