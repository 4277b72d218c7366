/* FatTrees of k pods (§5.20).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t nodes_of(const struct hd_topology_shape *shape)
{
  uint32_t h = shape->pods / 2;
  return shape->nodes ? shape->nodes : 2 * h * h * hd_topology_edge_nodes(shape);
}

/* Builds the switches in this order, with h = pods / 2: edge switches, h in each pod; aggregation switches, h in each
 * pod; h² core switches. */
static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t pods = shape->pods, h = pods / 2, core = 2 * pods * h;
  uint32_t edge_nodes = hd_topology_edge_nodes(shape);
  if (pods < 2 || pods > HD_MAX_PORTS || pods % 2)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " pods; a FatTree has an even number of them, legal: 2 … %d", pods,
                   HD_MAX_PORTS);
  if (edge_nodes > h)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " nodes of an edge switch; one of a FatTree of %" PRIu32
                   " pods has room for %" PRIu32,
                   edge_nodes, pods, h);
  if (nodes_of(shape) > pods * h * edge_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " nodes; a FatTree of %" PRIu32 " pods has room for %" PRIu32,
                   shape->nodes, pods, pods * h * edge_nodes);
  int status = hd_topology_alloc(t, HD_TOPO_FAT_TREE, core + h * h, nodes_of(shape), pods, err);
  for (uint32_t node = 0; !status && node < t->n_nodes; node++)
    hd_topology_attach(t, node, node / edge_nodes, node % edge_nodes);
  for (uint32_t pod = 0; !status && pod < pods; pod++)
    for (uint32_t i = 0; i < h; i++)
      for (uint32_t j = 0; j < h; j++) {
        uint32_t aggregation = pods * h + pod * h + j;
        hd_topology_link(t, pod * h + i, h + j, aggregation, i);
        hd_topology_link(t, aggregation, h + i, core + j * h + i, pod);
      }
  return status;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "FatTree of %" PRIu32 " pods", shape->pods);
}

/* Routes up only as far as needed. Picks ports up by the destination's number, then by that of its edge switch. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  uint32_t pods = t->shape.pods, h = pods / 2, edges = pods * h;
  uint32_t edge_nodes = hd_topology_edge_nodes(&t->shape), edge = node / edge_nodes;
  if (sw < edges)
    return (struct hd_hop){.port = sw == edge ? node % edge_nodes : h + node % h};
  if (sw < 2 * edges)
    return (struct hd_hop){.port = (sw - edges) / h == edge / h ? edge % h : h + edge % h};
  return (struct hd_hop){.port = edge / h};
}

/* Returns the ordered pairs of nodes in the same group; a node with itself is a pair, too. */
static uint64_t pairs_within_groups(uint64_t nodes, uint64_t group)
{
  uint64_t rest = nodes % group;
  return nodes / group * group * group + rest * rest;
}

static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t pods = t->shape.pods, h = pods / 2, n = nodes_of(&t->shape);
  uint64_t edge_nodes = hd_topology_edge_nodes(&t->shape), pod_nodes = h * edge_nodes;
  f->switches = (uint32_t)(5 * h * h);
  f->nodes = (uint32_t)n;
  f->links = 2 * pods * h * h;
  f->diameter = n > pod_nodes ? 4 : n > edge_nodes ? 2 : 0;
  f->distance =
      4 * n * n - 2 * pairs_within_groups(n, pod_nodes) - 2 * pairs_within_groups(n, edge_nodes);
  if (n == pods * h * h) /* as in §5.2, every permutation has ways without a common link */
    f->bisection = h * (pods * h / 2);
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t h = t->shape.pods / 2, edges = 2 * h * h;
  double apart = hd_topology_apart(edges);
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    at[sw] = sw < edges       ? (struct hd_topology_place){sw, 2 * apart}
             : sw < 2 * edges ? (struct hd_topology_place){sw - edges, apart}
                              : (struct hd_topology_place){2 * (sw - 2 * edges) + 0.5, 0};
  return "layers: core switches at the top, aggregation switches, edge switches";
}

const struct hd_topology_descriptor hd_topology_kind_fat_tree = {
    .name = "fat-tree",
    .help = "a FatTree of k pods: edge, aggregation and core switches of k ports",
    .section = "5.20",
    .example = "pods: 4",
    .family = HD_FAMILY_FAT_TREES,
    .needs = {"pods"},
    .takes = {"nodes", "edge_nodes"},
    .blamed = "pods",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
