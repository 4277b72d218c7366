/* Binary trees: two nodes at each leaf, or a node at every switch (§5.19).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Switch 0 is the root; switches 2i + 1 and 2i + 2 are below switch i.
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

enum { UP, LEFT, RIGHT, NODE };

static int build(struct hd_topology *t, enum hd_topology_kind kind,
                 const struct hd_topology_shape *shape, struct hd_error *err)
{
  bool full = kind == HD_TOPO_FULL_BINARY_TREE;
  uint32_t n = shape->n;
  int status = hd_topology_check_power(full ? "full binary tree" : "binary tree", 2, 2, n, err);
  if (status)
    return status;
  uint32_t switches = (1u << n) - 1, first_leaf = switches / 2;
  status = hd_topology_alloc(t, kind, switches, full ? switches : switches + 1, full ? 4 : 3, err);
  for (uint32_t sw = 0; !status && sw < switches; sw++) {
    if (sw)
      hd_topology_link(t, sw, UP, (sw - 1) / 2, sw % 2 ? LEFT : RIGHT);
    if (full)
      hd_topology_attach(t, sw, sw, NODE);
    for (uint32_t i = 0; !full && sw >= first_leaf && i < 2; i++)
      hd_topology_attach(t, 2 * (sw - first_leaf) + i, sw, LEFT + i);
  }
  return status;
}

static int build_leaves(struct hd_topology *t, const struct hd_topology_shape *shape,
                        const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build(t, HD_TOPO_BINARY_TREE, shape, err);
}

static int build_full(struct hd_topology *t, const struct hd_topology_shape *shape,
                      const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build(t, HD_TOPO_FULL_BINARY_TREE, shape, err);
}

static void describe_leaves(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "binary tree of %" PRIu32 " levels", shape->n);
}

static void describe_full(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "full binary tree of %" PRIu32 " levels", shape->n);
}

/* Routes down if the node is below the switch, otherwise up. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  bool full = t->kind == HD_TOPO_FULL_BINARY_TREE;
  uint32_t to = full ? node : t->n_switches / 2 + node / 2, below = to;
  if (to == sw)
    return (struct hd_hop){.port = full ? NODE : LEFT + node % 2};
  while (to > sw) {
    below = to;
    to = (to - 1) / 2;
  }
  return (struct hd_hop){.port = to == sw ? below % 2 ? LEFT : RIGHT : UP};
}

/* The distance is summed over paths that turn l levels above the leaves. */
static void figures_leaves(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->shape.n, nodes = UINT64_C(1) << n;
  f->switches = (uint32_t)(nodes - 1);
  f->nodes = (uint32_t)nodes;
  f->links = nodes - 2;
  f->diameter = 2 * (n - 1);
  f->distance = 0;
  for (uint64_t l = 1; l < n; l++)
    f->distance += 2 * l * nodes << l;
  f->bisection = n > 1;
}

/* Each link is on the ways between the nodes below it and all others. */
static void figures_full(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->shape.n, nodes = (UINT64_C(1) << n) - 1;
  f->switches = f->nodes = (uint32_t)nodes;
  f->links = nodes - 1;
  f->diameter = 2 * (n - 1);
  f->distance = 0;
  for (uint64_t j = 1; j < n; j++) {
    uint64_t below = (UINT64_C(1) << j) - 1;
    f->distance += (UINT64_C(1) << (n - j)) * 2 * below * (nodes - below);
  }
  f->bisection = 1;
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t n = t->shape.n;
  for (uint32_t level = 0, sw = 0; level < n; level++)
    for (uint32_t i = 0; i < 1u << level; i++, sw++)
      at[sw] = (struct hd_topology_place){(i + 0.5) * (1u << (n - 1 - level)) - 0.5, 1.8 * level};
  return "a tree, the root at the top";
}

const struct hd_topology_descriptor hd_topology_kind_binary_tree = {
    .name = "binary-tree",
    .help = "a binary tree of n levels of switches, two nodes at each of the lowest",
    .section = "5.19",
    .example = "n: 3",
    .needs = {"n"},
    .blamed = "n",
    .build = build_leaves,
    .describe = describe_leaves,
    .figures = figures_leaves,
    .next_hop = next_hop,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};

const struct hd_topology_descriptor hd_topology_kind_full_binary_tree = {
    .name = "full-binary-tree",
    .help = "a binary tree of n levels with a node at every switch",
    .section = "5.19",
    .example = "n: 3",
    .needs = {"n"},
    .blamed = "n",
    .build = build_full,
    .describe = describe_full,
    .figures = figures_full,
    .next_hop = next_hop,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
