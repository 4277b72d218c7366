/* Tori of any number of dimensions (§5.15).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A mesh whose rows are closed to rings if they have more than two switches.
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  int status = hd_topology_mesh(t, shape->dims, shape->n_dims, err);
  if (status)
    return status;
  t->kind = HD_TOPO_TORUS;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t stride = 1;
    for (uint32_t d = 0; d < t->n_dims; d++) {
      uint32_t k = t->dims[d];
      if (k > 2 && sw / stride % k == k - 1)
        hd_topology_link(t, sw, 1 + 2 * d, sw - (k - 1) * stride, 2 + 2 * d);
      stride *= k;
    }
  }
  return 0;
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  size_t used = 0;
  for (uint32_t d = 0; d < shape->n_dims && used < size; d++)
    used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu32, d ? "x" : "", shape->dims[d]);
  if (used < size)
    snprintf(buf + used, size - used, " torus");
}

/* A ring of four needs only one class. Packets that have a second hop upwards come from even switches, and those with a
 * second hop downwards from odd ones, so there is no cycle. */
static uint32_t channel_classes(const struct hd_topology *t)
{
  for (uint32_t d = 0; d < t->n_dims; d++)
    if (t->dims[d] > 4)
      return 2;
  return 1;
}

/* Routes along the lowest dimension that differs, by the shorter way round. If both ways are as long, half of the
 * switches send up, so that both directions of a ring carry the same. Class 1 is for packets whose way no longer
 * crosses the link between the ends of the row. */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  for (uint32_t d = 0; d < t->n_dims; d++) {
    uint32_t k = t->dims[d], x = sw % k, y = node % k, steps_up = (y + k - x) % k;
    if (steps_up) {
      bool up = 2 * steps_up < k || (2 * steps_up == k && x % 2 == 0);
      return (struct hd_hop){.port = up ? 1 + 2 * d : 2 + 2 * d,
                             .channel_class = channel_classes(t) > 1 && (up ? y > x : y < x)};
    }
    sw /= k;
    node /= k;
  }
  return (struct hd_hop){.port = 0};
}

/* If all rings are closed, the cut is twice that of the mesh. A dimension of two is linked once. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->n_switches, twos = 0, widest = 0;
  *f = (struct hd_topology_figures){.switches = t->n_switches, .nodes = t->n_nodes};
  for (uint32_t d = 0; d < t->n_dims; d++) {
    uint64_t k = t->dims[d];
    f->links += k > 2 ? n : n / k * (k - 1);
    f->diameter += k / 2;
    f->distance += n / k * (n / k) * k * (k * k / 4);
    twos += k == 2;
    widest = k > widest ? k : widest;
  }
  bool rings = !twos || (widest % 2 == 0 && widest > 2);
  f->bisection = rings ? 2 * hd_topology_grid_cut(t->dims, t->n_dims) : HD_NO_FIGURE;
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  uint32_t wide = 0;
  for (uint32_t d = 0; d < t->n_dims; d++)
    wide += t->dims[d] > 1;
  if (wide < 2)
    return NULL; /* drawn as a circle */
  hd_topology_place_grid(t->dims, t->n_dims, t->n_switches, at);
  return hd_topology_grid;
}

const struct hd_topology_descriptor hd_topology_kind_torus = {
    .name = "torus",
    .help = "a mesh whose rows are rings, a node at each switch",
    .section = "5.15",
    .example = "dims: [4, 4]",
    .needs = {"dims"},
    .blamed = "dims",
    .build = build,
    .describe = describe,
    .figures = figures,
    .next_hop = next_hop,
    .channel_classes = channel_classes,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
