/* FatTrees of k pods: packets go up by their switch's position in its pod (§5.20).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

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

static uint16_t destination_entry(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                  uint32_t node)
{
  (void)port;
  return hd_table_entry(port_of(&tables->topology->shape, sw, node), tables->mask);
}

const struct hd_routing_descriptor hd_routing_kind_position = {
    .name = "position",
    .help =
        "up by the switch's own place in its pod, as the adaptive paper's deterministic routing",
    .section = "5.20",
    .family = HD_FAMILY_FAT_TREES,
    .to = destination_entry,
};
