/* Flattened butterflies (§5.22).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns the port of a switch with digit x in dimension d that leads to the switch with digit y. */
static uint32_t port_to(uint32_t k, uint32_t d, uint32_t x, uint32_t y)
{
  return k + d * (k - 1) + (y < x ? y : y - 1);
}

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t k = shape->k, n = shape->n;
  const uint32_t most = n == 1 ? HD_MAX_ENDPOINTS : HD_MAX_PORTS; /* a whole network, §6.8 */
  int status = hd_topology_check_power("flattened butterfly", k, most, n, err);
  if (status)
    return status;
  uint32_t switches = hd_power(k, n - 1), weight = 1;
  status = hd_topology_alloc(t, HD_TOPO_FLATTENED_BUTTERFLY, switches, switches * k,
                             k + (n - 1) * (k - 1), err);
  for (uint32_t node = 0; !status && node < t->n_nodes; node++)
    hd_topology_attach(t, node, node / k, node % k);
  for (uint32_t d = 0; !status && d + 1 < n; d++, weight *= k)
    for (uint32_t sw = 0; sw < switches; sw++)
      for (uint32_t x = sw / weight % k, y = x + 1; y < k; y++)
        hd_topology_link(t, sw, port_to(k, d, x, y), sw + (y - x) * weight, port_to(k, d, y, x));
  return status;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "flattened butterfly, %" PRIu32 "-ary %" PRIu32 "-flat", shape->k, shape->n);
}

/* Corrects the lowest digit that differs, in one step. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  uint32_t k = t->shape.k, there = node / k;
  for (uint32_t d = 0; d + 1 < t->shape.n; d++, sw /= k, there /= k)
    if (sw % k != there % k)
      return (struct hd_hop){.port = port_to(k, d, sw % k, there % k)};
  return (struct hd_hop){.port = node % k};
}

/* The cut is that of k × … × k complete graphs: Nakano, Linear layout of generalized hypercubes. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t k = t->shape.k, n = t->shape.n, switches = hd_power((uint32_t)k, (uint32_t)n - 1);
  f->switches = (uint32_t)switches;
  f->nodes = (uint32_t)(switches * k);
  f->links = switches * (n - 1) * (k - 1) / 2;
  f->diameter = n - 1;
  f->distance = (uint64_t)f->nodes * f->nodes / k * (n - 1) * (k - 1);
  f->bisection = n == 1 ? 0 : k % 2 == 0 ? switches * k / 4 : (k + 1) * (switches - 1) / 4;
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t dims[12];
  for (uint32_t d = 0; d + 1 < t->shape.n; d++)
    dims[d] = t->shape.k;
  hd_topology_place_grid(dims, t->shape.n - 1, t->n_switches, at);
  return hd_topology_grid;
}

const struct hd_topology_descriptor hd_topology_kind_flattened_butterfly = {
    .name = "flattened-butterfly",
    .help = "a k-ary n-flat: k nodes at each switch, all switches of a row linked with each other",
    .section = "5.22",
    .example = "k: 3, n: 3",
    .needs = {"k", "n"},
    .blamed = "n",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
