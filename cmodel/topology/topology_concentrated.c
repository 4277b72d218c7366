/* Concentrated meshes and tori: p nodes at each switch (§5.29).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first p ports of a switch are for nodes; the others have the links of a mesh or torus. Routings use the
 * topology's rule only, never coordinates.
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>

static bool has_rings(const struct hd_topology *t)
{
  return t->kind == HD_TOPO_CONCENTRATED_TORUS;
}

static int build_kind(struct hd_topology *t, enum hd_topology_kind kind,
                      const struct hd_topology_shape *shape, struct hd_error *err)
{
  const uint32_t p = shape->p;
  uint64_t switches = 1;
  if (shape->n_dims < 1 || p < 1 || p > HD_MAX_PORTS)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " dimensions with %" PRIu32
                   " nodes at each switch; legal: 1 or more, and 1 … %d",
                   shape->n_dims, p, HD_MAX_PORTS);
  for (uint32_t d = 0; d < shape->n_dims; d++) {
    switches *= shape->dims[d];
    if (shape->dims[d] < 1 || switches * p > HD_MAX_NODES)
      return hd_fail(err, HD_E_INPUT,
                     "dimension %" PRIu32 " is %" PRIu32
                     "; the nodes of all switches must be 2 … %d",
                     d, shape->dims[d], HD_MAX_NODES);
  }
  int status = hd_topology_alloc(t, kind, (uint32_t)switches, (uint32_t)switches * p,
                                 p + 2 * shape->n_dims, err);
  for (uint32_t node = 0; !status && node < t->n_nodes; node++)
    hd_topology_attach(t, node, node / p, node % p);
  uint32_t stride = 1;
  for (uint32_t d = 0; !status && d < shape->n_dims; stride *= shape->dims[d++])
    for (uint32_t sw = 0; sw < switches; sw++) {
      const uint32_t k = shape->dims[d], x = sw / stride % k, up = p + 2 * d;
      if (x + 1 < k)
        hd_topology_link(t, sw, up, sw + stride, up + 1);
      else if (k > 2 && has_rings(t))
        hd_topology_link(t, sw, up, sw - x * stride, up + 1);
    }
  return status;
}

static int build_mesh(struct hd_topology *t, const struct hd_topology_shape *shape,
                      const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build_kind(t, HD_TOPO_CONCENTRATED_MESH, shape, err);
}

static int build_torus(struct hd_topology *t, const struct hd_topology_shape *shape,
                       const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return build_kind(t, HD_TOPO_CONCENTRATED_TORUS, shape, err);
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size,
                     const char *what)
{
  size_t used = 0;
  for (uint32_t d = 0; d < shape->n_dims && used < size; d++)
    used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu32, d ? "x" : "", shape->dims[d]);
  if (used < size)
    snprintf(buf + used, size - used, " %s of %" PRIu32 " nodes a switch", what, shape->p);
}

static void describe_mesh(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  describe(shape, buf, size, "mesh");
}

static void describe_torus(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  describe(shape, buf, size, "torus");
}

static uint32_t channel_classes(const struct hd_topology *t)
{
  uint32_t longest = 0;
  for (uint32_t d = 0; d < t->shape.n_dims; d++)
    longest = t->shape.dims[d] > longest ? t->shape.dims[d] : longest;
  return has_rings(t) && longest > 4 ? 2 : 1;
}

/* Routes along the lowest dimension that differs; in rings as in a torus (§5.15). */
static struct hd_hop next_hop(const struct hd_topology *t, uint32_t sw, uint32_t node)
{
  const struct hd_topology_shape *s = &t->shape;
  uint32_t there = node / s->p;
  for (uint32_t d = 0; d < s->n_dims; d++) {
    const uint32_t k = s->dims[d], x = sw % k, y = there % k, steps_up = (y + k - x) % k;
    sw /= k;
    there /= k;
    if (!steps_up)
      continue;
    const bool up = !has_rings(t) ? y > x : 2 * steps_up < k || (2 * steps_up == k && x % 2 == 0);
    return (struct hd_hop){.port = s->p + 2 * d + !up,
                           .channel_class = channel_classes(t) > 1 && (up ? y > x : y < x)};
  }
  return (struct hd_hop){.port = node % s->p};
}

static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  const struct hd_topology_shape *s = &t->shape;
  const uint64_t n = t->n_switches, p = s->p;
  const bool rings = has_rings(t);
  f->switches = t->n_switches;
  f->nodes = t->n_nodes;
  f->links = f->diameter = f->distance = 0;
  for (uint32_t d = 0; d < s->n_dims; d++) {
    const uint64_t k = s->dims[d], line = rings ? k * (k * k / 4) : k * (k * k - 1) / 3;
    f->links += rings && k > 2 ? n : n / k * (k - 1);
    f->diameter += rings ? k / 2 : k - 1;
    f->distance += p * p * (n / k) * (n / k) * line;
  }
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  hd_topology_place_grid(t->shape.dims, t->shape.n_dims, t->n_switches, at);
  return hd_topology_grid;
}

const struct hd_topology_descriptor hd_topology_kind_concentrated_mesh = {
    .name = "concentrated-mesh",
    .help = "a mesh of any number of dimensions, p nodes at each switch",
    .section = "5.29",
    .example = "dims: [4, 4], p: 4",
    .needs = {"dims", "p"},
    .blamed = "dims",
    .build = build_mesh,
    .describe = describe_mesh,
    .figures = figures,
    .next_hop = next_hop,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};

const struct hd_topology_descriptor hd_topology_kind_concentrated_torus = {
    .name = "concentrated-torus",
    .help = "a torus of any number of dimensions, p nodes at each switch",
    .section = "5.29",
    .example = "dims: [4, 4], p: 2",
    .needs = {"dims", "p"},
    .blamed = "dims",
    .build = build_torus,
    .describe = describe_torus,
    .figures = figures,
    .next_hop = next_hop,
    .channel_classes = channel_classes,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
