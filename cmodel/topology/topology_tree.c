/* k-ary n-trees and extended k-ary n-trees (§5.2, §5.3).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One half of an extended tree, or a whole plain one: its first switch and node, and the first of the last stage's
 * ports that lead down into it. */
struct half {
  uint32_t first_switch, first_node, top_first_switch, top_port;
};

/* Returns the number of switch (l, w). The last stage may be shared, so its numbers are separate. */
static uint32_t switch_number(const struct half *half, uint32_t n, uint32_t per_stage, uint32_t l,
                              uint32_t w)
{
  return (l + 1 < n ? half->first_switch + l * per_stage : half->top_first_switch) + w;
}

static void link_half(struct hd_topology *t, const struct half *half, uint32_t per_stage)
{
  uint32_t k = t->k, n = t->n;
  for (uint32_t p = 0; p < per_stage * k; p++)
    hd_topology_attach(t, half->first_node + p, switch_number(half, n, per_stage, 0, p / k),
                       p % k + (n == 1 ? half->top_port : 0));
  uint32_t weight = 1; /* k^l, the weight of digit l of a label */
  for (uint32_t l = 0; l + 1 < n; l++, weight *= k)
    for (uint32_t w = 0; w < per_stage; w++) {
      uint32_t digit = w / weight % k;
      for (uint32_t j = 0; j < k; j++)
        hd_topology_link(t, switch_number(half, n, per_stage, l, w), k + j,
                         switch_number(half, n, per_stage, l + 1, w + j * weight - digit * weight),
                         digit + (l + 2 == n ? half->top_port : 0));
    }
}

static int build_tree_kind(struct hd_topology *t, enum hd_topology_kind kind, uint32_t k,
                           uint32_t n, struct hd_error *err)
{
  uint32_t halves = kind == HD_TOPO_EXTENDED_TREE ? 2 : 1;
  const char *name = halves == 2 ? "extended k-ary n-tree" : "k-ary n-tree";
  memset(t, 0, sizeof *t);
  if (k < 2 || k > HD_MAX_PORTS / 2)
    return hd_fail(err, HD_E_INPUT, "k of the %s is %" PRIu32 "; legal: 2 … %d", name, k,
                   HD_MAX_PORTS / 2);
  if (n < 1 || n > 13)
    return hd_fail(err, HD_E_INPUT, "n of the %s is %" PRIu32 "; legal: 1 … 13", name, n);
  uint32_t per_stage = 1, most = 1;
  for (uint64_t nodes = (uint64_t)halves * k * k; nodes <= HD_MAX_COMPUTED_NODES; nodes *= k)
    most++;
  if (n > most)
    return hd_fail(err, HD_E_INPUT,
                   "the %s with k = %" PRIu32 " and n = %" PRIu32
                   " has more than %d nodes; with this k, n is 1 … %" PRIu32,
                   name, k, n, HD_MAX_COMPUTED_NODES, most);
  for (uint32_t i = 1; i < n; i++)
    per_stage *= k;
  uint32_t stages = halves * (n - 1) + 1;
  int status = hd_topology_alloc(t, kind, stages * per_stage, halves * k * per_stage, 2 * k, err);
  if (status)
    return status;
  t->k = k;
  t->n = n;
  t->halves = halves;
  for (uint32_t h = 0; h < halves; h++) {
    struct half half = {h * (n - 1) * per_stage, h * k * per_stage, (stages - 1) * per_stage,
                        h * k};
    link_half(t, &half, per_stage);
  }
  return 0;
}

int hd_topology_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err)
{
  return build_tree_kind(t, HD_TOPO_TREE, k, n, err);
}

int hd_topology_extended_tree(struct hd_topology *t, uint32_t k, uint32_t n, struct hd_error *err)
{
  return build_tree_kind(t, HD_TOPO_EXTENDED_TREE, k, n, err);
}

static int build_plain(struct hd_topology *t, const struct hd_topology_shape *shape,
                       const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build_tree_kind(t, HD_TOPO_TREE, shape->k, shape->n, err);
}

static int build_extended(struct hd_topology *t, const struct hd_topology_shape *shape,
                          const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build_tree_kind(t, HD_TOPO_EXTENDED_TREE, shape->k, shape->n, err);
}

static void describe_plain(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "%" PRIu32 "-ary %" PRIu32 "-tree", shape->k, shape->n);
}

static void describe_extended(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "extended %" PRIu32 "-ary %" PRIu32 "-tree", shape->k, shape->n);
}

/* Every permutation of the nodes has ways without a common link, so at least as many links as a half has nodes must
 * be cut. The up links of a half's first switches are that many. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t k = t->k, half = t->n_nodes / t->halves, per_stage = half / k;
  uint64_t stages = (uint64_t)t->halves * (t->n - 1) + 1, leaves = t->halves * per_stage;
  f->switches = (uint32_t)(stages * per_stage);
  f->nodes = (uint32_t)(t->halves * half);
  f->links = (stages - 1) * half;
  f->diameter = 2 * (uint64_t)(t->n - 1);
  f->distance = t->halves == 2 ? 2 * half * half * f->diameter : 0;
  for (uint64_t l = 1, below = k; l < t->n; l++, below *= k) /* pairs whose ways turn at stage l */
    f->distance += 2 * l * f->nodes * (below * k - below);
  f->bisection = t->n > 1 ? k * (leaves / 2) : 0;
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t n = t->n, per_stage = t->n_nodes / t->halves / t->k;
  uint32_t stages = t->halves * (n - 1) + 1;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t stage = sw / per_stage; /* counted over both halves; the last is shared */
    uint32_t row = stage == stages - 1 ? n - 1 : stage % (n > 1 ? n - 1 : 1);
    bool upper = stage != stages - 1 && n > 1 && stage / (n - 1) == 1;
    uint32_t line = t->halves == 1 ? n - 1 - row : upper ? row : 2 * (n - 1) - row;
    at[sw] =
        (struct hd_topology_place){sw % per_stage, hd_topology_apart(per_stage) * (double)line};
  }
  return t->halves == 2 ? "stages: the shared one in the middle, a half above and a half below it"
                        : "stages, the last one at the top";
}

const struct hd_topology_descriptor hd_topology_kind_tree = {
    .name = "tree",
    .help = "a k-ary n-tree: kⁿ nodes, n stages of kⁿ⁻¹ switches",
    .section = "5.2",
    .example = "k: 2, n: 3",
    .family = HD_FAMILY_TREES,
    .needs = {"k", "n"},
    .blamed = "k",
    .build = build_plain,
    .describe = describe_plain,
    .figures = figures,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};

const struct hd_topology_descriptor hd_topology_kind_extended_tree = {
    .name = "extended-tree",
    .help = "two k-ary n-trees that share their last stage: 2kⁿ nodes",
    .section = "5.3",
    .example = "k: 2, n: 3",
    .family = HD_FAMILY_TREES,
    .needs = {"k", "n"},
    .blamed = "k",
    .build = build_extended,
    .describe = describe_extended,
    .figures = figures,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
