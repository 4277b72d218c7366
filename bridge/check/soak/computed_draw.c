/* Draws switches that compute routes, and fabrics for them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such a switch has as many nodes as its fabric, and knows at which bits of a node's number its coordinates begin
 * (specification §12). So the dimensions of a mesh or torus follow from its switch. Of trees and multistage networks
 * several fabrics can have the same number of nodes, so these are drawn until one fits.
 */
#include "soak.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIES = 2000, MOST_STAGES = 5 };

const char *hd_soak_route_name(uint32_t route)
{
#define NAME(NAME, name) #name,
  static const char *const names[] = {HD_ROUTE_BY_LIST(NAME)};
#undef NAME
  return names[route];
}

/* ── switches ──────────────────────────────────────────────────────────────── */

/* Draws dimensions: all but the last are powers of two, and a torus has a ring of more than four switches. */
static void draw_grid_set(struct hd_switch_params *p, struct hd_random *r)
{
  const bool torus = p->route == HD_ROUTE_BY_TORUS;
  const uint32_t dims = soak_between(r, 1, 3);
  uint32_t bit = 0, largest;
  do {
    p->fields = largest = 1;
    bit = 0;
    for (uint32_t d = 1; d < dims; d++) {
      const uint32_t bits = soak_between(r, 1, 3);
      bit += bits;
      p->fields |= 1u << bit;
      largest = 1u << bits > largest ? 1u << bits : largest;
    }
    const uint32_t last = soak_between(r, 2, dims == 1 ? 12 : 6);
    largest = last > largest ? last : largest;
    p->nodes = last << bit;
  } while (p->nodes > SOAK_MAX_SWITCHES || p->nodes < 4 || (torus && largest <= 4));
  p->ports = 1 + 2 * dims + soak_chance(r, 30);
}

/* Draws a number of nodes that several topologies of §12.5 have. 12 and 24 are for sets without barrier hardware, because
 * mostly one-way networks have them. */
static void draw_digits_set(struct hd_switch_params *p, struct hd_random *r)
{
  static const uint32_t nodes[] = {8, 16, 16, 32, 12, 24};
  p->source_table = soak_chance(r, 30);
  p->nodes = nodes[soak_between(r, 0, p->source_table || p->barrier ? 3 : 5)];
  p->ports = 8;
}

static void draw_hypercube_set(struct hd_switch_params *p, struct hd_random *r)
{
  const uint32_t dims = soak_between(r, 2, 5);
  p->nodes = 1u << dims;
  p->ports = dims + 1 + soak_chance(r, 30);
}

static void draw_barrier(struct hd_switch_params *p, struct hd_random *r)
{
  p->barrier = soak_between(r, HD_BARRIER_ANY, HD_BARRIER_RESERVED);
  p->groups = hd_soak_octaves(r, 2, 8);
  p->switches = soak_between(r, SOAK_MAX_SWITCHES, 64);
  p->vcs += hd_switch_reserved_vcs(p) || (p->barrier == HD_BARRIER_MOVING && p->vcs == 1);
  soak_at_least(&p->depth_flits, hd_soak_least_depth(p));
}

static void draw_set(struct hd_switch_params *p, struct hd_random *r, enum hd_route route)
{
  const bool torus = route == HD_ROUTE_BY_TORUS; /* needs two classes of channels */
  *p = (struct hd_switch_params){.route = route, .fields = 1};
  p->vcs = soak_between(r, torus ? 2 : 1, torus ? 4 : 3);
  p->depth_flits = hd_soak_octaves(r, 1, 16);
  p->route_cycles = route == HD_ROUTE_BY_MESH || soak_chance(r, 60) ? 0 : soak_between(r, 1, 2);
  p->arb_cycles = soak_between(r, 1, 2);
  p->buffer_cycles = soak_between(r, 0, 1);
  p->data_bits = 16u << soak_between(r, 0, 2);
  if (soak_chance(r, 50)) {
    draw_barrier(p, r);
    p->values = p->data_bits == 64;
  }
  if (soak_chance(r, 40))
    p->cut_flits = soak_between(r, 1, p->depth_flits);
  if (route == HD_ROUTE_BY_DIGITS)
    draw_digits_set(p, r);
  else if (route == HD_ROUTE_BY_HYPERCUBE)
    draw_hypercube_set(p, r);
  else
    draw_grid_set(p, r);
}

void hd_soak_computed_sets(struct hd_switch_params *sets, uint64_t seed)
{
  struct hd_random r;
  hd_random_seed(&r, seed, UINT32_MAX - SOAK_MAX_SETS - 2);
  for (uint32_t i = 0; i < SOAK_COMPUTED_SETS; i++)
    draw_set(&sets[i], &r, HD_ROUTE_BY_MESH + i);
}

/* ── fabrics ───────────────────────────────────────────────────────────────── */

static uint32_t bits_of(uint32_t power)
{
  return (uint32_t)__builtin_ctz(power);
}

/* Gives the only mesh or torus that the switch is for; false: there is none. */
static bool settle_grid(struct soak_case *c, const struct hd_switch_params *p)
{
  uint32_t dims[8], n = 0, first = 0;
  for (uint32_t rest = p->fields & ~1u; rest; rest &= rest - 1) {
    if (n == 3)
      return false;
    dims[n++] = 1u << (bits_of(rest) - first);
    first = bits_of(rest);
  }
  dims[n++] = p->nodes >> first;
  if (p->route == HD_ROUTE_BY_MESH) {
    c->topology = HD_TOPO_MESH;
    if (n > 3)
      return false;
    c->n_dims = n;
    memcpy(c->dims, dims, n * sizeof *dims);
  } else {
    c->topology = HD_TOPO_TORUS;
    c->shape.n_dims = n;
    memcpy(c->shape.dims, dims, n * sizeof *dims);
  }
  return true;
}

static void draw_tree_of_digits(struct soak_case *c, bool extended, struct hd_random *r)
{
  c->topology = extended ? HD_TOPO_EXTENDED_TREE : HD_TOPO_TREE;
  c->k = 1u << soak_between(r, 1, 2);
  c->n = soak_between(r, 1, MOST_STAGES);
}

static void draw_digits(struct soak_case *c, const struct hd_switch_params *p, struct hd_random *r)
{
  static const enum hd_topology_kind kinds[] = {
      HD_TOPO_TREE,  HD_TOPO_EXTENDED_TREE, HD_TOPO_FAT_TREE, HD_TOPO_FOLDED_BUTTERFLY,
      HD_TOPO_OMEGA, HD_TOPO_BUTTERFLY,     HD_TOPO_CLOS};
  const uint32_t pick = soak_between(r, 0, p->source_table ? 1 : 6);
  if (pick < 2)
    draw_tree_of_digits(c, pick == 1, r);
  else
    hd_soak_shape_draw(c, kinds[pick], false, r);
}

/* Finds the switch that the drawn fabric needs. False: the fabric cannot have switches that compute routes. */
static bool fit_switch(const struct soak_case *c, struct hd_switch_params *sw)
{
  struct hd_topology_shape shape;
  struct hd_topology t;
  hd_soak_shape_whole(c, &shape);
  if (hd_topology_build(&t, c->topology, &shape, NULL, NULL))
    return false;
  const bool fits =
      !hd_routing_compute(&t, c->algorithm, c->always_top, sw, NULL) && t.ports <= sw->ports;
  sw->nodes = t.n_nodes;
  hd_topology_fini(&t);
  return fits;
}

bool hd_soak_computed_settle(struct soak_case *c)
{
  return !c->sw.route || fit_switch(c, &c->sw);
}

/* Draws a fabric once. True: its switches are `p`. */
static bool try_fabric(struct soak_case *c, const struct hd_switch_params *p, struct hd_random *r)
{
  struct hd_switch_params needed = *p;
  memset(&c->shape, 0, sizeof c->shape);
  if (p->route == HD_ROUTE_BY_DIGITS) {
    draw_digits(c, p, r);
  } else if (p->route == HD_ROUTE_BY_HYPERCUBE) {
    c->topology = HD_TOPO_HYPERCUBE;
    c->shape.n = bits_of(p->nodes);
  } else if (!settle_grid(c, p)) {
    return false;
  }
  c->sw = *p;
  const bool tree = hd_topologies[c->topology]->family == HD_FAMILY_TREES;
  c->algorithm = c->topology == HD_TOPO_MESH ? HD_ROUTE_DIMENSION_ORDER
                 : !tree                     ? HD_ROUTE_MINIMAL
                 : p->source_table           ? HD_ROUTE_S_MOD_K
                                             : HD_ROUTE_D_MOD_K;
  hd_soak_settle(c);
  return c->n_nodes == p->nodes && c->n_switches <= SOAK_MAX_NODES && fit_switch(c, &needed) &&
         !memcmp(&needed, p, sizeof needed) &&
         !(p->barrier && (c->n_switches > p->switches || hd_topologies[c->topology]->one_way)) &&
         hd_soak_is_legal(c);
}

static bool draw_fabric(struct soak_case *c, const struct hd_switch_params *p, struct hd_random *r)
{
  if (!p->route || p->code_places || p->nodes > SOAK_MAX_NODES)
    return false;
  const uint32_t tries = p->route == HD_ROUTE_BY_DIGITS ? MOST_TRIES : 1;
  for (uint32_t i = 0; i < tries; i++)
    if (try_fabric(c, p, r))
      return true;
  return false;
}

bool hd_soak_draw_computed(struct soak_case *c, const struct hd_switch_params *sets,
                           uint32_t n_sets, uint64_t seed, uint32_t index)
{
  struct hd_random r;
  hd_random_seed(&r, seed, index);
  const uint32_t first = index / SOAK_SPECIAL_EVERY;
  for (uint32_t i = 0; i < n_sets; i++) {
    *c = (struct soak_case){.index = index, .networks = 1, .set = (first + i) % n_sets};
    if (!draw_fabric(c, &sets[c->set], &r))
      continue;
    c->link_cycles = soak_chance(&r, 50) ? 1 : soak_between(&r, 2, 8);
    hd_soak_draw_on_fabric(c, &r, NULL);
    return true;
  }
  return false;
}
