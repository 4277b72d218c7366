/* Adaptive routing: all ports on shortest ways, and a way out by the table (§5.25).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <stdlib.h>
#include <string.h>

/* Returns the routing whose entries are the way out. */
static enum hd_routing_kind way_out(const struct hd_topology *t)
{
  switch (hd_topologies[t->kind]->family) {
  case HD_FAMILY_MESHES:
    return HD_ROUTE_DIMENSION_ORDER;
  case HD_FAMILY_TREES:
    return HD_ROUTE_D_MOD_K;
  default:
    return HD_ROUTE_MINIMAL;
  }
}

/* Makes the sets of all ports on shortest ways. All input ports of a switch have the same sets. */
static int fill_sets(struct hd_tables *tables, const struct hd_topology *t, struct hd_error *err)
{
  uint32_t *distance = malloc(2 * (size_t)t->n_switches * sizeof *distance), root = UINT32_MAX;
  if (!distance)
    return hd_fail(err, HD_E_NOMEM, "out of memory for routing");
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    const struct hd_peer *exit = &t->node_exits[node];
    if (exit->index != root) {
      root = exit->index;
      hd_routing_distances(t, root, distance + t->n_switches, distance);
    }
    for (uint32_t sw = 0; sw < t->n_switches; sw++) {
      unsigned set = sw == root ? 1u << exit->port : 0;
      for (uint32_t port = 0; port < t->ports && sw != root; port++) {
        const struct hd_peer *far = &t->peers[(size_t)sw * t->ports + port];
        if (far->kind == HD_PEER_SWITCH && distance[far->index] + 1 == distance[sw])
          set |= 1u << port;
      }
      hd_table_row(tables->sets, tables, sw, 0)[node] = (uint16_t)set;
    }
  }
  free(distance);
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t port = 1; port < t->ports; port++)
      memcpy(hd_table_row(tables->sets, tables, sw, port),
             hd_table_row(tables->sets, tables, sw, 0), t->n_nodes * sizeof *tables->sets);
  return 0;
}

/* Opens all channels of entries that lead to a node. */
static void open_exits(struct hd_tables *tables, const struct hd_topology *t, unsigned mask)
{
  for (uint32_t node = 0; node < t->n_nodes; node++)
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *exit = &t->node_exits[node];
      hd_table_row(tables->destination, tables, exit->index, port)[node] =
          hd_table_entry(exit->port, mask);
    }
}

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  const struct hd_routing_descriptor *base = hd_routings[way_out(t)];
  const uint32_t classes = hd_topology_channel_classes(t), vcs = tables->packet_vcs;
  const unsigned lowest = (1u << classes) - 1;
  bool apart = !hd_topologies[t->kind]->layered && vcs > classes;
  tables->adapt = (uint8_t)(apart ? ((1u << vcs) - 1) & ~lowest : mask);
  if (apart)
    tables->packet_vcs = classes;
  hd_routing_store(tables, base, t, always_top, apart ? lowest : mask);
  tables->packet_vcs = vcs;
  tables->least_vcs += !hd_topologies[t->kind]->layered;
  open_exits(tables, t, mask);
  return fill_sets(tables, t, err);
}

const struct hd_routing_descriptor hd_routing_kind_adaptive = {
    .name = "adaptive",
    .help = "any port on a shortest way, the least congested one",
    .section = "5.25",
    .family = HD_FAMILY_REGULAR,
    .adaptive = true,
    .fill = fill,
};
