/* Routing: making tables, following them for one packet; dimension order (§2.7, §5.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void hd_tables_fini(struct hd_tables *tables)
{
  free(tables->destination);
  free(tables->source);
  memset(tables, 0, sizeof *tables);
}

static int tables_alloc(struct hd_tables *tables, const struct hd_topology *t, bool by_source,
                        struct hd_error *err)
{
  uint64_t entries = (uint64_t)t->n_switches * t->ports * t->n_nodes;
  memset(tables, 0, sizeof *tables);
  if (entries > HD_MAX_TABLE_ENTRIES)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " switches of %" PRIu32 " ports with %" PRIu32 " nodes need %" PRIu64
                   " routing table entries; at most %" PRIu64 " are legal",
                   t->n_switches, t->ports, t->n_nodes, entries, (uint64_t)HD_MAX_TABLE_ENTRIES);
  tables->n_switches = t->n_switches;
  tables->ports = t->ports;
  tables->n_nodes = t->n_nodes;
  tables->header_mode = by_source;
  tables->destination = calloc(entries, sizeof *tables->destination);
  if (by_source)
    tables->source = calloc(entries, sizeof *tables->source);
  if (!tables->destination || (by_source && !tables->source)) {
    hd_tables_fini(tables);
    return hd_fail(err, HD_E_NOMEM, "out of memory for %" PRIu64 " routing table entries", entries);
  }
  return 0;
}

void hd_routing_dimension_order(struct hd_tables *tables, const struct hd_topology *t,
                                unsigned mask)
{
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
}

int hd_routing_build(struct hd_tables *tables, const struct hd_topology *t,
                     enum hd_routing_kind kind, bool always_top, uint32_t vcs, struct hd_error *err)
{
  bool tree = t->kind == HD_TOPO_TREE || t->kind == HD_TOPO_EXTENDED_TREE;
  bool mod_k = kind == HD_ROUTE_S_MOD_K || kind == HD_ROUTE_D_MOD_K;
  memset(tables, 0, sizeof *tables);
  if (vcs < 1 || vcs > HD_MAX_VCS)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " virtual channels; legal: 1 … %d", vcs, HD_MAX_VCS);
  if (kind == HD_ROUTE_DIMENSION_ORDER && t->kind != HD_TOPO_MESH)
    return hd_fail(err, HD_E_INPUT, "dimension-order routing is for meshes alone");
  if (mod_k && !tree)
    return hd_fail(err, HD_E_INPUT, "%s routing is for trees and extended trees alone",
                   kind == HD_ROUTE_S_MOD_K ? "s-mod-k" : "d-mod-k");
  if (always_top && !mod_k)
    return hd_fail(err, HD_E_INPUT, "always to the top is a matter of s-mod-k and d-mod-k alone");
  int status = tables_alloc(tables, t, kind == HD_ROUTE_S_MOD_K, err);
  if (status)
    return status;
  unsigned mask = (1u << vcs) - 1;
  switch (kind) {
  case HD_ROUTE_DIMENSION_ORDER:
    hd_routing_dimension_order(tables, t, mask);
    break;
  case HD_ROUTE_S_MOD_K:
  case HD_ROUTE_D_MOD_K:
    hd_routing_mod_k(tables, t, kind == HD_ROUTE_S_MOD_K, always_top, mask);
    break;
  case HD_ROUTE_UP_DOWN:
  case HD_ROUTE_SHORTEST:
    status = hd_routing_graph(tables, t, NULL, kind == HD_ROUTE_UP_DOWN, mask, err);
    break;
  default:
    status = hd_fail(err, HD_E_INPUT, "unknown routing algorithm %d", (int)kind);
  }
  if (status)
    hd_tables_fini(tables);
  return status;
}

int hd_routing_around(struct hd_tables *tables, const struct hd_topology *t,
                      const struct hd_dead *dead, uint32_t vcs, struct hd_error *err)
{
  int status = tables_alloc(tables, t, false, err);
  if (!status)
    status = hd_routing_graph(tables, t, dead, true, (1u << vcs) - 1, err);
  if (status)
    hd_tables_fini(tables);
  return status;
}

int hd_routing_path(const struct hd_tables *tables, const struct hd_topology *t, uint32_t source,
                    uint32_t destination, uint16_t *path, uint32_t max_hops, struct hd_error *err)
{
  if (source >= t->n_nodes || destination >= t->n_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "no way from n%" PRIu32 " to n%" PRIu32 ": nodes are 0 … %" PRIu32, source,
                   destination, t->n_nodes - 1);
  struct hd_peer at = t->node_peers[source];
  for (uint32_t hops = 0; hops < max_hops;) {
    path[hops++] = at.index;
    uint16_t entry = hd_routing_entry(tables, &at, source, destination);
    uint32_t port = entry & 15;
    if (!(entry >> 12 & 1) || !(entry >> 4 & 0xff) || port >= t->ports)
      return hd_fail(err, HD_E_INPUT,
                     "no way from n%" PRIu32 " to n%" PRIu32 ": s%u has no entry for it at input "
                     "port %u",
                     source, destination, at.index, at.port);
    struct hd_peer next = t->peers[(size_t)at.index * t->ports + port];
    if (next.kind == HD_PEER_NODE && next.index == destination)
      return (int)hops;
    if (next.kind != HD_PEER_SWITCH)
      return hd_fail(err, HD_E_INPUT,
                     "no way from n%" PRIu32 " to n%" PRIu32 ": s%u sends it to port %" PRIu32
                     ", which leads elsewhere",
                     source, destination, at.index, port);
    at = next;
  }
  return hd_fail(err, HD_E_INPUT,
                 "the way from n%" PRIu32 " to n%" PRIu32 " has more than %" PRIu32 " switches",
                 source, destination, max_hops);
}
