/* Meshes of any number of dimensions (§5.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  MAX_DIMS = (HD_MAX_PORTS - 1) / 2,
  LINE_SWITCHES = 24, /* a longer line is drawn folded */
  FOLD_SWITCHES = 16  /* into rows of this many */
};

int hd_topology_mesh(struct hd_topology *t, const uint32_t *dims, uint32_t n_dims,
                     struct hd_error *err)
{
  memset(t, 0, sizeof *t);
  if (n_dims < 1 || n_dims > MAX_DIMS)
    return hd_fail(err, HD_E_INPUT, "the mesh has %" PRIu32 " dimensions; legal: 1 … %d", n_dims,
                   MAX_DIMS);
  uint32_t nodes = 1;
  for (uint32_t d = 0; d < n_dims; d++) {
    if (dims[d] < 1 || dims[d] > HD_MAX_COMPUTED_NODES)
      return hd_fail(err, HD_E_INPUT,
                     "dimension %" PRIu32 " of the mesh is %" PRIu32 "; legal: 1 … %d", d, dims[d],
                     HD_MAX_COMPUTED_NODES);
    nodes *= dims[d];
    if (nodes > HD_MAX_COMPUTED_NODES)
      return hd_fail(err, HD_E_INPUT,
                     "the mesh has more than %d nodes; the product of dims must be 2 … %d",
                     HD_MAX_COMPUTED_NODES, HD_MAX_COMPUTED_NODES);
  }
  int status = hd_topology_alloc(t, HD_TOPO_MESH, nodes, nodes, 1 + 2 * n_dims, err);
  if (status)
    return status;
  t->n_dims = n_dims;
  memcpy(t->dims, dims, n_dims * sizeof *dims);
  for (uint32_t sw = 0; sw < nodes; sw++) {
    hd_topology_attach(t, sw, sw, 0);
    uint32_t stride = 1;
    for (uint32_t d = 0; d < n_dims; d++) {
      if (sw / stride % dims[d] + 1 < dims[d])
        hd_topology_link(t, sw, 1 + 2 * d, sw + stride, 2 + 2 * d);
      stride *= dims[d];
    }
  }
  return 0;
}

static int build(struct hd_topology *t, const struct hd_topology_shape *shape,
                 const struct hd_topology_text *text, struct hd_error *err)
{
  (void)text;
  return hd_topology_mesh(t, shape->dims, shape->n_dims, err);
}

static void describe(const struct hd_topology_shape *shape, char *buf, size_t size)
{
  size_t used = 0;
  for (uint32_t d = 0; d < shape->n_dims && used < size; d++)
    used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu32, d ? "x" : "", shape->dims[d]);
  if (used < size)
    snprintf(buf + used, size - used, " mesh");
}

/* Sums over the dimensions: links between neighbours, and shortest ways. */
static void figures(const struct hd_topology *t, struct hd_topology_figures *f)
{
  uint64_t n = t->n_switches;
  *f = (struct hd_topology_figures){.switches = t->n_switches, .nodes = t->n_nodes};
  for (uint32_t d = 0; d < t->n_dims; d++) {
    uint64_t k = t->dims[d];
    f->links += n / k * (k - 1);
    f->diameter += k - 1;
    f->distance += n / k * (n / k) * (k * (k * k - 1) / 3);
  }
  f->bisection = hd_topology_grid_cut(t->dims, t->n_dims);
}

static const char *place(const struct hd_topology *t, struct hd_topology_place *at)
{
  bool folded = t->n_dims == 1 && t->dims[0] > LINE_SWITCHES;
  if (!folded)
    hd_topology_place_grid(t->dims, t->n_dims, t->n_switches, at);
  for (uint32_t sw = 0; folded && sw < t->n_switches; sw++) {
    uint32_t row = sw / FOLD_SWITCHES, x = sw % FOLD_SWITCHES;
    at[sw] = (struct hd_topology_place){row % 2 ? FOLD_SWITCHES - 1 - x : x, row};
  }
  return folded ? "a line, folded into rows" : t->n_dims == 1 ? "a line" : hd_topology_grid;
}

const struct hd_topology_descriptor hd_topology_kind_mesh = {
    .name = "mesh",
    .help = "a mesh of any number of dimensions, a node at each switch",
    .section = "5.1",
    .example = "dims: [8, 8]",
    .family = HD_FAMILY_MESHES,
    .needs = {"dims"},
    .blamed = "dims",
    .build = build,
    .describe = describe,
    .figures = figures,
    .drawing = HD_DRAWN_GRID,
    .place = place,
};
