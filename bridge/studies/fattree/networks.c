/* The networks, routings and traffics that are compared.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include <inttypes.h>
#include <math.h>

#define MESH(x, y)                                                                          \
  {                                                                                         \
    "mesh-" #x "x" #y, "mesh " #x "x" #y, FATTREE_MESH, {.dims = {x, y}, .n_dims = 2}, x *y \
  }
#define TREE(k)                                                                      \
  {                                                                                  \
    "fat-tree-" #k, "FatTree of " #k " pods", FATTREE_TREE, {.pods = k}, k *k *k / 4 \
  }
#define EDGE(k)                                                                  \
  {                                                                              \
    "edge-" #k, "FatTree of " #k " pods, one node an edge switch", FATTREE_EDGE, \
        {.pods = k, .edge_nodes = 1}, k *k / 2                                   \
  }

const struct fattree_network fattree_networks[] = {
    MESH(4, 4), MESH(8, 4), MESH(8, 8), TREE(4), TREE(6), TREE(8), EDGE(4), EDGE(6), EDGE(8)};
const uint32_t fattree_n_networks = sizeof fattree_networks / sizeof *fattree_networks;

/* The paper's deterministic routing is `position`. Routing `minimal` chooses the way by the
 * destination. */
const struct fattree_routing fattree_routings[] = {{.name = "dimension-order", .of_meshes = true},
                                                   {.name = "adaptive", .of_meshes = true},
                                                   {.name = "position"},
                                                   {.name = "minimal"},
                                                   {.name = "adaptive"}};
const uint32_t fattree_n_routings = sizeof fattree_routings / sizeof *fattree_routings;

static const struct {
  const char *name, *parameters; /* of its program */
} traffics[FATTREE_TRAFFICS] = {[FATTREE_UNIFORM] = {"uniform", ""},
                                [FATTREE_PERMUTATION] = {"permutation", ""},
                                [FATTREE_HOT_SPOT] = {"hotspot", ", fraction: 0.1"},
                                [FATTREE_TRANSPOSE] = {"transpose", ""}};

const char *fattree_traffic_name(enum fattree_traffic traffic)
{
  return traffics[traffic].name;
}

bool fattree_traffic_fits(enum fattree_traffic traffic, const struct fattree_network *network)
{
  uint32_t root = (uint32_t)lround(sqrt(network->nodes));
  return traffic != FATTREE_TRANSPOSE || root * root == network->nodes;
}

void fattree_scenario_of(const struct fattree_network *network,
                         const struct fattree_routing *routing, enum fattree_traffic traffic,
                         double load, uint32_t seed, struct hd_text *text)
{
  const struct hd_topology_shape *shape = &network->shape;
  if (network->family == FATTREE_MESH)
    hd_text_add(text, "fabric: {topology: mesh, dims: [%" PRIu32 ", %" PRIu32 "]}\n",
                shape->dims[0], shape->dims[1]);
  else
    hd_text_add(text, "fabric: {topology: fat-tree, pods: %" PRIu32 ", edge_nodes: %" PRIu32 "}\n",
                shape->pods, hd_topology_edge_nodes(shape));
  hd_text_add(text,
              "routing: {algorithm: %s}\nsoftware:\n  program: %s\n"
              "  parameters: {load: %g, flits: 5, cycles: 1000000%s",
              routing->name, traffics[traffic].name, load, traffics[traffic].parameters);
  if (traffic == FATTREE_PERMUTATION) /* each seed has another permutation */
    hd_text_add(text, ", permutation: %" PRIu32, seed);
  hd_text_add(text, "}\n");
}
