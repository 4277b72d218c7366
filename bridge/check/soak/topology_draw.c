/* Draws random shapes of the topologies whose shape a scenario gives by keys.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include <inttypes.h>
#include <string.h>

/* The numbers of a shape except `dims`, by their keys, and the range that they are drawn from. */
static const struct {
  const char *key;
  size_t offset;
  uint32_t low, high;
} numbers[] = {{"k", offsetof(struct hd_topology_shape, k), 2, 5},
               {"n", offsetof(struct hd_topology_shape, n), 1, 6},
               {"m", offsetof(struct hd_topology_shape, m), 1, 6},
               {"r", offsetof(struct hd_topology_shape, r), 1, 8},
               {"p", offsetof(struct hd_topology_shape, p), 1, 3},
               {"a", offsetof(struct hd_topology_shape, a), 1, 4},
               {"h", offsetof(struct hd_topology_shape, h), 1, 3},
               {"pods", offsetof(struct hd_topology_shape, pods), 2, 6},
               {"nodes", offsetof(struct hd_topology_shape, nodes), 0, 32},
               {"edge_nodes", offsetof(struct hd_topology_shape, edge_nodes), 0, 3}};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static uint32_t *number_of(struct hd_topology_shape *shape, size_t i)
{
  return (uint32_t *)(void *)((char *)shape + numbers[i].offset);
}

static bool takes_key(const struct soak_case *c, const char *key)
{
  bool needed;
  return hd_topology_takes(hd_topologies[c->topology], key, &needed);
}

void hd_soak_shape_draw(struct soak_case *c, enum hd_topology_kind kind, bool free,
                        struct hd_random *r)
{
  c->topology = kind;
  memset(&c->shape, 0, sizeof c->shape);
  for (size_t i = 0; i < NUMBERS; i++)
    if (takes_key(c, numbers[i].key))
      *number_of(&c->shape, i) = soak_between(r, numbers[i].low, numbers[i].high);
  if (takes_key(c, "dims")) {
    c->shape.n_dims = soak_between(r, 1, 3);
    for (uint32_t d = 0; d < c->shape.n_dims; d++) /* larger rings need two classes of channels */
      c->shape.dims[d] = soak_between(r, 1, free ? 3 : c->shape.n_dims == 3 ? 4 : 7);
  }
  if (takes_key(c, "a") && free)
    c->shape.a = 1;
  if (takes_key(c, "pods")) {
    c->shape.pods &= ~1u;
    c->shape.nodes = soak_chance(r, 60) ? 0 : c->shape.nodes == 1 ? 2 : c->shape.nodes;
  }
}

void hd_soak_shape_whole(const struct soak_case *c, struct hd_topology_shape *shape)
{
  *shape = c->shape;
  if (soak_by_keys(c->topology))
    return;
  shape->k = c->k;
  shape->n = shape->switches = c->n;
  shape->degree = c->k;
  shape->graph_seed = c->graph_seed;
  shape->n_dims = c->n_dims;
  memcpy(shape->dims, c->dims, sizeof c->dims);
}

/* In a graph only a drawn share of the links get their own latency. */
void hd_soak_latencies_draw(struct soak_case *c, struct hd_random *r)
{
  if (takes_key(c, "global_link_cycles"))
    c->shape.global_link_cycles = hd_soak_octaves(r, 1, HD_LINK_CYCLES_MAX);
  if (c->topology != HD_TOPO_GRAPH)
    return;
  const uint32_t percent = soak_between(r, 10, 100);
  for (uint32_t i = 0; i < c->graph.n_links; i++)
    if (soak_chance(r, percent))
      c->graph.links[i].cycles = (uint8_t)hd_soak_octaves(r, 1, HD_LINK_CYCLES_MAX);
}

bool hd_soak_has_latencies(const struct soak_case *c)
{
  bool some = c->shape.global_link_cycles;
  for (uint32_t i = 0; c->topology == HD_TOPO_GRAPH && i < c->graph.n_links; i++)
    some |= c->graph.links[i].cycles;
  return some;
}

void hd_soak_latencies_drop(struct soak_case *c)
{
  c->shape.global_link_cycles = 0;
  for (uint32_t i = 0; i < c->graph.n_links; i++)
    c->graph.links[i].cycles = 0;
}

void hd_soak_shape_settle(struct soak_case *c)
{
  struct hd_topology t;
  c->n_switches = c->n_nodes = c->shape_ports = 0;
  if (hd_topology_build(&t, c->topology, &c->shape, NULL, NULL))
    return;
  c->n_switches = t.n_switches;
  c->n_nodes = t.n_nodes;
  c->shape_ports = t.ports;
  hd_topology_fini(&t);
}

void hd_soak_shape_write(const struct soak_case *c, FILE *f)
{
  struct hd_topology_shape shape = c->shape;
  for (size_t i = 0; i < NUMBERS; i++)
    if (takes_key(c, numbers[i].key))
      fprintf(f, "  %s: %" PRIu32 "\n", numbers[i].key, *number_of(&shape, i));
  if (shape.global_link_cycles)
    fprintf(f, "  global_link_cycles: %" PRIu32 "\n", shape.global_link_cycles);
  for (uint32_t d = 0; d < shape.n_dims; d++)
    fprintf(f, "%s%" PRIu32 "%s", d ? ", " : "  dims: [", shape.dims[d],
            d + 1 < shape.n_dims ? "" : "]\n");
}

bool hd_soak_shape_smaller(struct soak_case *c, uint32_t i, bool *changed)
{
  uint32_t before = 0, *value, step = 1;
  *changed = false;
  if (i >= NUMBERS + c->shape.n_dims)
    return false;
  if (i < NUMBERS) {
    if (!takes_key(c, numbers[i].key))
      return true;
    value = number_of(&c->shape, i);
    step = value == &c->shape.pods ? 2 : 1;
  } else {
    value = &c->shape.dims[i - NUMBERS];
  }
  before = *value;
  if (before > step) {
    *value -= step;
    hd_soak_shape_settle(c);
    *changed = c->n_nodes >= 2;
  }
  if (!*changed)
    *value = before;
  return true;
}
