/* Meshes of any number of dimensions (§5.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "topology_build.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_DIMS = (HD_MAX_PORTS - 1) / 2 };

int hd_topology_mesh(struct hd_topology *t, const uint32_t *dims, uint32_t n_dims,
                     struct hd_error *err)
{
  memset(t, 0, sizeof *t);
  if (n_dims < 1 || n_dims > MAX_DIMS)
    return hd_fail(err, HD_E_INPUT, "the mesh has %" PRIu32 " dimensions; legal: 1 … %d", n_dims,
                   MAX_DIMS);
  uint32_t nodes = 1;
  for (uint32_t d = 0; d < n_dims; d++) {
    if (dims[d] < 1 || dims[d] > HD_MAX_NODES)
      return hd_fail(err, HD_E_INPUT,
                     "dimension %" PRIu32 " of the mesh is %" PRIu32 "; legal: 1 … %d", d, dims[d],
                     HD_MAX_NODES);
    nodes *= dims[d];
    if (nodes > HD_MAX_NODES)
      return hd_fail(err, HD_E_INPUT,
                     "the mesh has more than %d nodes; the product of dims must be 2 … %d",
                     HD_MAX_NODES, HD_MAX_NODES);
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
