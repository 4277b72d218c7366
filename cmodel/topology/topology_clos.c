/* Clos networks of three stages (§5.18).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  uint32_t n = shape->n, m = shape->m, r = shape->r, most = n > m ? n : m;
  const uint32_t values[] = {n, m, r};
  for (int i = 0; i < 3; i++)
    if (values[i] < 1 || values[i] > HD_MAX_PORTS)
      return hd_fail(err, HD_E_INPUT, "%c of the Clos network is %" PRIu32 "; legal: 1 … %d",
                     "nmr"[i], values[i], HD_MAX_PORTS);
  int status = hd_topology_alloc(t, HD_TOPO_CLOS, 2 * r + m, n * r, most > r ? most : r, err);
  if (!status)
    status = hd_topology_part(t, err);
  for (uint32_t i = 0; !status && i < r; i++) {
    uint32_t first = i, last = r + m + i;
    for (uint32_t a = 0; a < n; a++) {
      hd_topology_send(t, hd_node_end(i * n + a), hd_switch_end(first, a));
      hd_topology_send(t, hd_switch_end(last, a), hd_node_end(i * n + a));
    }
    for (uint32_t j = 0; j < m; j++) {
      hd_topology_send(t, hd_switch_end(first, j), hd_switch_end(r + j, i));
      hd_topology_send(t, hd_switch_end(r + j, i), hd_switch_end(last, j));
    }
  }
  return status;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  snprintf(buf, size, "Clos network (n %" PRIu32 ", m %" PRIu32 ", r %" PRIu32 ")", shape->n,
           shape->m, shape->r);
}

/* Nodes use the middle switches in turn. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  uint32_t n = t->shape.n, m = t->shape.m, r = t->shape.r;
  return (struct hd_hop){.port = sw < r ? node % m : sw < r + m ? node / n : node % n};
}

/* A middle switch loses a link to and one from each last and first switch of the smaller half. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->shape.n, m = t->shape.m, r = t->shape.r;
  f->switches = (uint32_t)(2 * r + m);
  f->nodes = (uint32_t)(n * r);
  f->links = 2 * m * r;
  f->diameter = 2;
  f->distance = 2 * n * r * (n * r - 1);
  f->bisection = 2 * m * (r / 2);
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t m = t->shape.m, r = t->shape.r, widest = m > r ? m : r;
  double apart = hd_topology_apart(widest);
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t stage = sw < r ? 0 : sw < r + m ? 1 : 2;
    uint32_t place = stage == 0 ? sw : stage == 1 ? sw - r : sw - r - m;
    at[sw] =
        (struct hd_topology_place){place + (widest - (stage == 1 ? m : r)) / 2.0, apart * stage};
  }
  return "stages, entered at the top and left at the bottom";
}

const struct hd_topology_descriptor hd_topology_kind_clos = {
    .name = "clos",
    .help = "a Clos network (n, m, r): r switches of n nodes, m in the middle, r of n nodes, links "
            "one way",
    .section = "5.18",
    .example = "n: 3, m: 3, r: 4",
    .needs = {"n", "m", "r"},
    .blamed = "n",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .one_way = true,
    .layered = true,
    .drawing = HD_DRAWN_LAYERS,
    .place = place,
};
