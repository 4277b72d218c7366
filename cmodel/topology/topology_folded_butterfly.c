/* Folded butterflies: the bidirectional fat tree (§5.21).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t k = shape->k, n = shape->n;
  int status = hd_topology_check_power("folded butterfly", k, HD_MAX_PORTS / 2, n, err);
  if (status)
    return status;
  uint32_t per_stage = hd_power(k, n - 1), nodes = per_stage * k;
  status = hd_topology_alloc(t, HD_TOPO_FOLDED_BUTTERFLY, n * per_stage, nodes, 2 * k, err);
  for (uint32_t i = 0; !status && i < nodes; i++) {
    hd_topology_attach(t, i, i / k, i % k);
    for (uint32_t l = 0; l + 1 < n; l++) {
      /* Stages are wired as in a Butterfly: digits 0 and n − 1 − l of a position are exchanged. */
      uint32_t weight = hd_power(k, n - 1 - l), low = i % k, high = i / weight % k;
      uint32_t to = i - low - high * weight + high + low * weight;
      hd_topology_link(t, l * per_stage + i / k, k + low, (l + 1) * per_stage + to / k, to % k);
    }
  }
  return status;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "folded %" PRIu32 "-ary %" PRIu32 "-fly", shape->k, shape->n);
}

/* A switch of stage l is above the nodes whose digits 1 … n − 1 − l equal those of its label. Packets go up and down by
 * the destination's digits. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  uint32_t k = t->shape.k, n = t->shape.n, per_stage = hd_power(k, n - 1);
  uint32_t l = sw / per_stage, same = hd_power(k, n - 1 - l);
  if (sw % per_stage % same == node / k % same)
    return (struct hd_hop){.port = hd_digit(node, k, l ? n - l : 0)};
  return (struct hd_hop){.port = k + hd_digit(node, k, n - 1 - l)};
}

/* Figures of a k-ary n-tree (§5.2): a folded butterfly is one, with its digits in the other order. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t k = t->shape.k, n = t->shape.n, per_stage = hd_power((uint32_t)k, (uint32_t)n - 1);
  f->switches = (uint32_t)(n * per_stage);
  f->nodes = (uint32_t)(k * per_stage);
  f->links = (n - 1) * k * per_stage;
  f->diameter = 2 * (n - 1);
  f->distance = 0;
  for (uint64_t l = 1, below = k; l < n; l++, below *= k)
    f->distance += 2 * l * f->nodes * (below * k - below);
  f->bisection = n > 1 ? k * (per_stage / 2) : 0;
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t n = t->shape.n, per_stage = t->n_switches / n;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    at[sw] = (struct hd_topology_place){sw % per_stage,
                                        hd_topology_apart(per_stage) * (n - 1 - sw / per_stage)};
  return "stages, the last one at the top";
}

const struct hd_topology_descriptor hd_topology_kind_folded_butterfly = {
    .name = "folded-butterfly",
    .help = "a Butterfly and its mirror image folded into one: the bidirectional fat tree",
    .section = "5.21",
    .example = "k: 2, n: 3",
    .needs = {"k", "n"},
    .blamed = "n",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
