/* Hypercubes (§5.16).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t n = shape->n;
  int status = hd_topology_check_power("hypercube", 2, 2, n, err);
  if (!status)
    status = hd_topology_alloc(t, HD_TOPO_HYPERCUBE, 1u << n, 1u << n, 1 + n, err);
  for (uint32_t sw = 0; !status && sw < t->n_switches; sw++) {
    hd_topology_attach(t, sw, sw, 0);
    for (uint32_t d = 0; d < n; d++)
      if (!(sw >> d & 1))
        hd_topology_link(t, sw, 1 + d, sw | 1u << d, 1 + d);
  }
  return status;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "hypercube of %" PRIu32 " dimensions", shape->n);
}

/* Routes along the lowest bit that differs. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  (void)t;
  return (struct hd_hop){.port = sw == node ? 0 : 1 + (uint32_t)__builtin_ctz(sw ^ node)};
}

static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->shape.n, half = UINT64_C(1) << (n - 1);
  *f = (struct hd_topology_figures){.switches = (uint32_t)(2 * half),
                                    .nodes = (uint32_t)(2 * half),
                                    .links = n * half,
                                    .diameter = n,
                                    .distance = 2 * half * n * half,
                                    .bisection = half};
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  static const uint32_t twos[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  hd_topology_place_grid(twos, t->shape.n, t->n_switches, at);
  return hd_topology_grid;
}

const struct hd_topology_descriptor hd_topology_kind_hypercube = {
    .name = "hypercube",
    .help = "2ⁿ switches, linked where their numbers differ in one bit, a node at each",
    .section = "5.16",
    .example = "n: 3",
    .needs = {"n"},
    .blamed = "n",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
