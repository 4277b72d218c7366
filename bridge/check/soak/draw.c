/* Draws a scenario: its fabric, routing, traffic and run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include "../../../sw/coding/coding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const program_names[SOAK_PROGRAMS] = {
    "uniform", "hotspot",   "transpose", "bit-complement", "tornado",    "neighbour", "shuffle",
    "replay",  "broadcast", "pingpong",  "barrier",        "collective", "coding",    "multicast"};

const char *hd_soak_program_name(enum soak_program program)
{
  return program_names[program];
}

enum { MOST_ENTRIES = 500000, LONG_COST = 6000000, MOST_TRIES = 100 };

static const double least_long_load = 0.02;

static uint32_t integer_power(uint32_t k, uint32_t n)
{
  uint32_t p = 1;
  while (n--)
    p *= k;
  return p;
}

void hd_soak_settle(struct soak_case *c)
{
  switch (c->topology) {
  case HD_TOPO_MESH:
    c->n_switches = 1;
    for (uint32_t d = 0; d < c->n_dims; d++)
      c->n_switches *= c->dims[d];
    c->n_nodes = c->n_switches;
    break;
  case HD_TOPO_TREE:
    c->n_nodes = integer_power(c->k, c->n);
    c->n_switches = c->n * integer_power(c->k, c->n - 1);
    break;
  case HD_TOPO_EXTENDED_TREE:
    c->n_nodes = 2 * integer_power(c->k, c->n);
    c->n_switches = (2 * c->n - 1) * integer_power(c->k, c->n - 1);
    break;
  case HD_TOPO_GRAPH:
    c->n_nodes = c->graph.n_nodes;
    c->n_switches = c->graph.n_switches;
    break;
  case HD_TOPO_IRREGULAR:
    c->n_nodes = c->n_switches = c->n;
    break;
  default:
    hd_soak_shape_settle(c);
  }
}

/* ── fabric ────────────────────────────────────────────────────────────────── */

static uint32_t most_nodes(const struct soak_case *c)
{
  uint32_t most = c->size == SOAK_WIDE   ? SOAK_MOST_WIDE
                  : c->size == SOAK_LONG ? SOAK_MOST_LONG
                                         : SOAK_MAX_NODES;
  return c->sw.nodes < most ? c->sw.nodes : most;
}

static uint32_t most_switches(const struct soak_case *c)
{
  uint32_t most = c->size == SOAK_WIDE ? SOAK_MOST_WIDE : SOAK_MAX_SWITCHES;
  return c->sw.barrier && c->sw.switches < most ? c->sw.switches : most;
}

static bool fits(const struct soak_case *c)
{
  /* In a wide scenario, most of the time goes into writing the routing tables. */
  if (c->size == SOAK_WIDE && c->n_switches * c->sw.ports * c->n_nodes > MOST_ENTRIES)
    return false;
  uint32_t least = c->size == SOAK_WIDE ? SOAK_LEAST_WIDE : 2;
  return c->n_nodes >= least && c->n_nodes <= most_nodes(c) && c->n_switches <= most_switches(c);
}

static void draw_mesh(struct soak_case *c, struct hd_random *r)
{
  uint32_t most_dims = (c->sw.ports - 1) / 2 < 3 ? (c->sw.ports - 1) / 2 : 3;
  c->topology = HD_TOPO_MESH;
  c->n_dims = soak_between(r, 1, most_dims);
  const uint32_t most[] = {0, c->size == SOAK_WIDE ? SOAK_MOST_WIDE : 24,
                           c->size == SOAK_WIDE ? 25 : 7, c->size == SOAK_WIDE ? 9 : 6};
  do {
    for (uint32_t d = 0; d < c->n_dims; d++) /* 1: the mesh has one layer in this dimension */
      c->dims[d] = soak_chance(r, 15) ? 1 : soak_between(r, 2, most[c->n_dims]);
    hd_soak_settle(c);
  } while (!fits(c));
}

/* Draws a tree. Where none that is drawn fits, it takes one of 162 nodes for a wide scenario, else one of two nodes. */
static void draw_tree(struct soak_case *c, struct hd_random *r)
{
  c->topology = soak_chance(r, 50) ? HD_TOPO_TREE : HD_TOPO_EXTENDED_TREE;
  bool wide = c->size == SOAK_WIDE;
  for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
    uint32_t most_k = c->sw.ports / 2 < 8 ? c->sw.ports / 2 : 8;
    c->k = soak_chance(r, 50) ? soak_between(r, 2, most_k) : 2;
    c->n = soak_between(r, 1, wide ? 5 : 4);
    hd_soak_settle(c);
    if (fits(c))
      return;
  }
  c->topology = wide ? HD_TOPO_EXTENDED_TREE : HD_TOPO_TREE;
  c->k = wide ? 3 : 2;
  c->n = wide ? 4 : 1;
  hd_soak_settle(c);
}

static void draw_graph(struct soak_case *c, struct hd_random *r)
{
  uint32_t switches = c->sw.ports > 8 ? 10 : 24;
  soak_at_most(&switches, most_switches(c));
  c->topology = HD_TOPO_GRAPH;
  hd_soak_graph_draw(&c->graph, r, c->sw.ports, switches, most_nodes(c));
  hd_soak_settle(c);
}

/* Draws an irregular network as in the papers: all switches have the same degree and one node. */
static void draw_irregular(struct soak_case *c, struct hd_random *r)
{
  bool wide = c->size == SOAK_WIDE;
  uint32_t most = wide ? SOAK_MOST_WIDE : c->sw.ports > 8 ? 10 : 24;
  soak_at_most(&most, most_switches(c));
  soak_at_most(&most, most_nodes(c));
  c->topology = HD_TOPO_IRREGULAR;
  c->n = soak_between(r, wide ? SOAK_LEAST_WIDE : 3, most);
  c->k = soak_between(r, 2, c->sw.ports - 1 < c->n - 1 ? c->sw.ports - 1 : c->n - 1);
  c->graph_seed = soak_between(r, 0, UINT32_MAX);
  hd_soak_settle(c);
}

/* Draws a shape of a topology that is given by keys. False: no drawn shape fits the switch. */
static bool draw_by_keys(struct soak_case *c, struct hd_random *r, enum hd_topology_kind kind,
                         bool free)
{
  if (hd_topologies[kind]->one_way && (c->sw.barrier || c->sw.trees))
    return false;
  for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
    hd_soak_shape_draw(c, kind, free, r);
    hd_soak_settle(c);
    if (fits(c) && c->shape_ports <= c->sw.ports)
      return true;
  }
  return false;
}

/* Draws one of the topologies that are given by keys, most often with its own routing rule. */
static bool draw_keyed_fabric(struct soak_case *c, struct hd_random *r)
{
  const uint32_t first = HD_TOPO_IRREGULAR + 1;
  enum hd_topology_kind kind = soak_between(r, first, HD_TOPOLOGIES - 1);
  const struct hd_topology_descriptor *d = hd_topologies[kind];
  uint32_t way = soak_between(r, 0, 99);
  c->algorithm = way < 40 && kind == HD_TOPO_FAT_TREE ? HD_ROUTE_POSITION
                 : way < 60                           ? HD_ROUTE_MINIMAL
                 : way < 85 && !d->one_way            ? HD_ROUTE_UP_DOWN
                 : c->size == SOAK_WIDE               ? HD_ROUTE_MINIMAL
                 : soak_chance(r, 50)                 ? HD_ROUTE_LAYERED
                                                      : HD_ROUTE_SHORTEST;
  bool few = c->sw.vcs - hd_switch_reserved_vcs(&c->sw) < 2; /* no rule needs more than two */
  return draw_by_keys(c, r, kind, few && c->algorithm == HD_ROUTE_MINIMAL && soak_chance(r, 70));
}

static int build_graph(struct hd_topology *t, const struct soak_case *c)
{
  char *text = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&text, &length);
  int status = HD_E_NOMEM;
  if (f) {
    hd_soak_write_graph(c, f);
    if (!fclose(f))
      status = hd_topology_graph(t, text, length, "graph", NULL);
  }
  free(text);
  return status;
}

bool hd_soak_is_legal(const struct soak_case *c)
{
  struct hd_topology_shape shape;
  struct hd_topology t;
  struct hd_tables tables;
  hd_soak_shape_whole(c, &shape);
  if (c->topology == HD_TOPO_GRAPH ? build_graph(&t, c)
                                   : hd_topology_build(&t, c->topology, &shape, NULL, NULL))
    return false;
  const uint32_t vcs = soak_network_vcs(c);
  bool free_of_deadlock = !hd_routing_build(&tables, &t, c->algorithm, c->always_top, vcs,
                                            hd_switch_reserved_vcs(&c->sw), NULL) &&
                          !hd_routing_check(&tables, &t, vcs, c->sw.cut_flits, NULL);
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
  return free_of_deadlock;
}

/* Draws a topology that fits the routing and has enough channels. False: none was found. */
static bool draw_fabric_for(struct soak_case *c, struct hd_random *r, enum hd_routing_kind routing)
{
  c->algorithm = routing;
  for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
    enum hd_topology_kind kind;
    bool drawn = true;
    do
      kind = soak_between(r, 0, HD_TOPOLOGIES - 1);
    while (!hd_routing_fits(routing, kind));
    if (kind == HD_TOPO_MESH) {
      draw_mesh(c, r);
    } else if (kind >= HD_TOPO_GRAPH) {
      drawn = draw_by_keys(c, r, kind, false);
    } else {
      drawn = c->sw.ports >= 4;
      if (drawn)
        draw_tree(c, r);
    }
    if (drawn && hd_soak_is_legal(c))
      return true;
  }
  return false;
}

/* Takes two switches in a row, in which packets cannot wait in a cycle. */
static void draw_two_switches(struct soak_case *c)
{
  c->topology = HD_TOPO_MESH;
  c->n_dims = 1;
  c->dims[0] = 2;
  hd_soak_settle(c);
}

/* Routings in which packets choose ports, and those in which they draw a node to pass. */
static const enum hd_routing_kind choosing[] = {HD_ROUTE_ADAPTIVE, HD_ROUTE_ADAPTIVE,
                                                HD_ROUTE_WEST_FIRST, HD_ROUTE_ODD_EVEN};
static const enum hd_routing_kind drawing[] = {HD_ROUTE_VALIANT, HD_ROUTE_ROMM, HD_ROUTE_O1TURN};
#define ONE_OF(r, list) (list)[soak_between((r), 0, sizeof(list) / sizeof *(list)-1)]

/* Draws a fabric for the switch. keyed: topologies that a scenario names by their keys may be drawn, too. */
static void draw_fabric(struct soak_case *c, struct hd_random *r, bool keyed)
{
  bool trees = c->sw.ports >= 4, meshes = c->sw.ports >= 3;
  uint32_t kind = soak_between(r, 0, 99);
  c->always_top = false;
  c->link_cycles = soak_chance(r, 50)   ? 1
                   : soak_chance(r, 80) ? soak_between(r, 2, 5)
                                        : soak_between(r, 6, 16);
  if (c->sw.adaptive) {
    const bool decides = c->sw.adaptive == HD_ADAPTIVE_UGAL;
    if (!draw_fabric_for(c, r, decides ? HD_ROUTE_UGAL : ONE_OF(r, choosing)))
      draw_two_switches(c);
    return;
  }
  if (keyed && c->sw.source_table && soak_chance(r, 30) &&
      draw_fabric_for(c, r, ONE_OF(r, drawing)))
    return;
  if (keyed && !c->sw.source_table && soak_chance(r, 40) && draw_keyed_fabric(c, r))
    return;
  if (c->sw.source_table || (trees && kind < 30)) {
    draw_tree(c, r);
    c->algorithm = c->sw.source_table   ? HD_ROUTE_S_MOD_K
                   : soak_chance(r, 50) ? HD_ROUTE_D_MOD_K
                   : soak_chance(r, 60) ? HD_ROUTE_UP_DOWN
                                        : HD_ROUTE_SHORTEST;
    c->always_top = (c->algorithm == HD_ROUTE_S_MOD_K || c->algorithm == HD_ROUTE_D_MOD_K) &&
                    soak_chance(r, 50);
  } else if (meshes && kind < 65) {
    draw_mesh(c, r);
    c->algorithm = soak_chance(r, 60)   ? HD_ROUTE_DIMENSION_ORDER
                   : soak_chance(r, 50) ? HD_ROUTE_UP_DOWN
                                        : HD_ROUTE_SHORTEST;
  } else {
    if (meshes && most_nodes(c) >= 3 && (soak_chance(r, 35) || c->size == SOAK_WIDE))
      draw_irregular(c, r);
    else
      draw_graph(c, r);
    c->algorithm = soak_chance(r, 60)                                   ? HD_ROUTE_UP_DOWN
                   : c->topology == HD_TOPO_GRAPH && soak_chance(r, 50) ? HD_ROUTE_TABLES
                   : c->size != SOAK_WIDE && soak_chance(r, 50)         ? HD_ROUTE_LAYERED
                                                                        : HD_ROUTE_SHORTEST;
  }
  /* On wide fabrics, shortest paths are seldom free of deadlock. */
  if (c->size == SOAK_WIDE && c->algorithm == HD_ROUTE_SHORTEST)
    c->algorithm = HD_ROUTE_UP_DOWN;
}

/* ── traffic ───────────────────────────────────────────────────────────────── */

static bool sends_messages(enum soak_program program)
{
  return program >= SOAK_SHUFFLE && program != SOAK_BARRIER && program != SOAK_CODING &&
         program != SOAK_MULTICAST;
}

static uint32_t square_root(uint32_t n)
{
  uint32_t root = 1;
  while ((root + 1) * (root + 1) <= n)
    root++;
  return root;
}

/* Is the program possible with these nodes and packets? */
static bool program_fits(const struct soak_case *c)
{
  uint32_t n = c->n_nodes, root = square_root(n);
  if (sends_messages(c->program) && c->sw.cut_flits && c->sw.cut_flits < 2 + 64 / c->sw.data_bits)
    return false; /* packets have no room for an envelope */
  switch (c->program) {
  case SOAK_TRANSPOSE:
    return root * root == n;
  case SOAK_BIT_COMPLEMENT:
    return (n & (n - 1)) == 0;
  case SOAK_TORNADO:
    return n >= 3;
  case SOAK_BARRIER:
    return c->sw.barrier;
  case SOAK_MULTICAST:
    return soak_trees(c);
  case SOAK_CODING:
    return c->sw.code_places && (c->topology == HD_TOPO_MESH || c->topology == HD_TOPO_TORUS);
  default:
    return true;
  }
}

static void draw_open_loop(struct soak_case *c, struct hd_random *r)
{
  uint32_t depth = c->sw.depth_flits, kind = soak_between(r, 0, 99);
  c->load = kind < 2    ? 0
            : kind < 25 ? 0.002 * soak_between(r, 1, 20)
            : kind < 65 ? 0.01 * soak_between(r, 4, 40)
            : kind < 85 ? 0.01 * soak_between(r, 40, 99)
                        : 1;
  kind = soak_between(r, 0, 99);
  c->flits = kind < 15   ? 1
             : kind < 30 ? 2
             : kind < 60 ? soak_between(r, 1, depth)
             : kind < 85 ? soak_between(r, depth + 1, depth < 20 ? 3 * depth : depth + 20)
                         : soak_between(r, 1, 16);
  c->traffic_cycles = soak_chance(r, 50) ? c->cycles : soak_between(r, c->cycles / 4, c->cycles);
  /* The number of columns divides that of nodes; a tornado needs a row or column of three. */
  do
    c->columns = soak_between(r, 1, c->n_nodes);
  while (c->n_nodes % c->columns || (c->columns < 3 && c->n_nodes / c->columns < 3 &&
                                     c->n_nodes > 2 && c->program == SOAK_TORNADO));
  c->hot_node = soak_between(r, 0, c->n_nodes - 1);
  c->hot_percent = soak_between(r, 0, 100);
}

static void draw_messages(struct soak_case *c, struct hd_random *r)
{
  c->sources = soak_between(r, 1, c->n_nodes);
  c->destinations = soak_between(r, 1, c->n_nodes);
  c->first = soak_between(r, 0, c->n_nodes - 1);
  c->bytes = soak_chance(r, 10) ? 0 : hd_soak_octaves(r, 1, 600);
  c->rounds = hd_soak_octaves(r, 1, 20);
  c->n_rows = hd_soak_octaves(r, 20, 400);
  c->startup_cycles = soak_chance(r, 60) ? 0 : hd_soak_octaves(r, 1, 60);
  c->packet_bytes = hd_soak_octaves(r, 1, 300);
}

static void draw_groups(struct soak_case *c, struct hd_random *r)
{
  uint32_t kind = soak_between(r, 0, 99);
  c->idle_cycles = kind < 30   ? soak_between(r, 1, 4)
                   : kind < 80 ? soak_between(r, 5, 40)
                               : soak_between(r, 41, 300);
  if (c->size == SOAK_LONG)
    c->idle_cycles = hd_soak_octaves(r, 1, UINT16_MAX);
  c->groups = soak_chance(r, 40) ? 1 : soak_between(r, 1, c->sw.groups < 8 ? c->sw.groups : 8);
  c->members = soak_chance(r, 30) ? c->n_nodes : soak_between(r, 1, c->n_nodes);
  c->center = soak_between(r, 0, 2);
  c->compute = soak_chance(r, 40) ? 0 : hd_soak_octaves(r, 1, 200);
  c->start = soak_chance(r, 60) ? 0 : soak_between(r, 1, 200);
  if (c->program == SOAK_BARRIER)
    c->rounds = soak_chance(r, 40) || c->size == SOAK_LONG ? 100000 : hd_soak_octaves(r, 1, 60);
}

/* Draws members whose interfaces are held, so that barrier messages meet data that does not move. */
static void draw_congestion(struct soak_case *c, struct hd_random *r)
{
  /* The held packets are longer than virtual cut-through allows. */
  if (c->program != SOAK_BARRIER || c->n_faults || c->sw.cut_flits || !soak_chance(r, 30))
    return;
  c->groups = 1;
  c->congested = hd_soak_octaves(r, 1, 6);
  c->congestion = hd_soak_octaves(r, 1, 300);
}

const uint32_t *hd_soak_dimensions(const struct soak_case *c, uint32_t *n)
{
  bool mesh = c->topology == HD_TOPO_MESH;
  *n = mesh ? c->n_dims : c->shape.n_dims;
  return mesh ? c->dims : c->shape.dims;
}

/* Makes a plan of network coding fit the network: outer groups divide it, and inner groups divide the outer ones. */
static void fit_coding(struct soak_case *c)
{
  struct soak_coding *coding = &c->coding;
  uint32_t n, most = c->sw.cut_flits && c->sw.cut_flits < 16 ? c->sw.cut_flits : 16;
  const uint32_t *sides = hd_soak_dimensions(c, &n);
  bool divides = true;
  for (uint32_t d = 0; d < n; d++) {
    soak_at_most(&coding->group[d], sides[d]);
    divides = divides && coding->inner[0] && sides[d] % coding->group[d] == 0 &&
              coding->group[d] % coding->inner[d] == 0;
  }
  if (!divides)
    coding->inner[0] = 0;
  soak_at_most(&c->flits, most);
  soak_at_most(&coding->most_flits, most);
  if (coding->most_flits < c->flits)
    coding->most_flits = c->flits;
}

void hd_soak_fit_traffic(struct soak_case *c)
{
  if (!program_fits(c))
    c->program = SOAK_UNIFORM;
  if (c->program == SOAK_CODING)
    fit_coding(c);
  soak_at_most(&c->members, c->n_nodes);
  if (!c->crowded)
    soak_at_most(&c->groups, c->sw.groups);
  if (c->program != SOAK_BARRIER || c->members < 2)
    c->congested = 0;
  else
    soak_at_most(&c->congested, c->members - 1);
  soak_at_most(&c->sources, c->n_nodes);
  soak_at_most(&c->destinations, c->n_nodes);
  soak_at_most(&c->first, c->n_nodes - 1);
  soak_at_most(&c->hot_node, c->n_nodes - 1);
  while (c->n_nodes % c->columns ||
         (c->program == SOAK_TORNADO && c->columns < 3 && c->n_nodes / c->columns < 3))
    c->columns = c->columns < c->n_nodes ? c->columns + 1 : 1;
  if (c->sw.cut_flits)
    soak_at_most(&c->flits, c->sw.cut_flits);
}

static void draw_traffic(struct soak_case *c, struct hd_random *r)
{
  static const enum soak_program often[] = {SOAK_UNIFORM, SOAK_UNIFORM, SOAK_HOTSPOT,
                                            SOAK_SHUFFLE, SOAK_REPLAY,  SOAK_TRANSPOSE};
  do {
    uint32_t pick = soak_between(r, 0, SOAK_BARRIER + sizeof often / sizeof *often - 1);
    c->program = pick < SOAK_BARRIER ? (enum soak_program)pick : often[pick - SOAK_BARRIER];
  } while (!program_fits(c));
  if (c->sw.barrier && soak_chance(r, 80))
    c->program = SOAK_BARRIER;
  draw_open_loop(c, r);
  draw_messages(c, r);
  /* Broadcasts from odd nodes become collectives. No number is drawn for that, so other scenarios stay as they are. */
  if (c->program == SOAK_BROADCAST && c->first % 2)
    c->program = SOAK_COLLECTIVE;
  if (c->sw.barrier)
    draw_groups(c, r);
  if (c->sw.values && c->first % 4)
    c->program = SOAK_COLLECTIVE;
  if (soak_trees(c))
    c->program = c->first % 4 ? SOAK_MULTICAST : SOAK_COLLECTIVE;
  if (c->program == SOAK_COLLECTIVE && (c->sw.values || soak_trees(c)))
    c->rounds = 1 + c->rounds % 60;
  if (c->size == SOAK_LONG && c->load < least_long_load) /* with less load too few flits move */
    c->load = least_long_load;
  hd_soak_fit_traffic(c);
}

/* ── run ───────────────────────────────────────────────────────────────────── */

static void draw_run(struct soak_case *c, struct hd_random *r)
{
  static const uint32_t windows[] = {1, 7, 256, 4096};
  /* The time of a cycle grows with ports × channels, so scenarios with large switches get fewer cycles. */
  uint32_t cost = c->n_switches * c->sw.ports * (c->sw.vcs + (c->sw.barrier ? 2 : 0));
  uint32_t most = 1500000 / cost;
  most = most > 2000 ? 2000 : most < 500 ? 500 : most;
  c->cycles = soak_between(r, most / 3 < 300 ? 300 : most / 3, most);
  if (c->size == SOAK_LONG) {
    most = LONG_COST / cost;
    c->cycles = soak_between(r, 20000, most < 20000 ? 20000 : most > 80000 ? 80000 : most);
  }
  c->window_cycles =
      soak_chance(r, 70) ? windows[soak_between(r, 0, 3)] : hd_soak_octaves(r, 1, 4096);
  c->threads = soak_between(r, 1, 2);
  c->mode = soak_chance(r, 20) ? HD_MODE_CLOSED : HD_MODE_DECOUPLED;
  c->seed = hd_random_next(r) >> 32;
}

/* ── network coding ────────────────────────────────────────────────────────── */

static uint32_t draw_divisor(uint32_t n, struct hd_random *r)
{
  uint32_t d;
  do
    d = soak_between(r, 1, n);
  while (n % d);
  return d;
}

/* Draws a small mesh or torus: each coder needs places for the data of all groups, and for that in its own group. */
static void draw_coding_fabric(struct soak_case *c, struct hd_random *r)
{
  uint32_t most = c->sw.code_places / 2 < 36 ? c->sw.code_places / 2 : 36;
  c->always_top = false;
  c->link_cycles = soak_chance(r, 60) ? 1 : soak_between(r, 2, 8);
  bool drawn = true, own_rule = soak_chance(r, 70), mesh = soak_chance(r, 50);
  do {
    if (mesh)
      draw_mesh(c, r);
    else
      drawn = draw_by_keys(c, r, HD_TOPO_TORUS, false);
    c->algorithm = !own_rule ? HD_ROUTE_UP_DOWN
                   : mesh    ? HD_ROUTE_DIMENSION_ORDER
                             : HD_ROUTE_MINIMAL;
  } while (!drawn || c->n_nodes < 4 || c->n_nodes > most || !hd_soak_is_legal(c));
}

static void draw_coding(struct soak_case *c, struct hd_random *r)
{
  struct soak_coding *coding = &c->coding;
  uint32_t n;
  const uint32_t *sides = hd_soak_dimensions(c, &n);
  c->program = SOAK_CODING;
  c->n_faults = 0; /* software would wait for packets that a fault has lost */
  coding->scheme = soak_chance(r, 75) ? HD_CODING_CODED : soak_between(r, 0, HD_CODING_SCHEMES - 1);
  coding->multicast = soak_between(r, 0, HD_CODING_MULTICASTS - 1);
  bool nested = soak_chance(r, 30);
  for (uint32_t d = 0; d < n; d++) {
    coding->group[d] = nested ? draw_divisor(sides[d], r) : soak_between(r, 1, sides[d]);
    coding->inner[d] = nested ? draw_divisor(coding->group[d], r) : 0;
  }
  c->sources = soak_chance(r, 60) ? c->n_nodes : soak_between(r, 1, c->n_nodes);
  c->flits = soak_chance(r, 50) ? 1 : soak_between(r, 1, 16);
  coding->most_flits = soak_chance(r, 40) ? c->flits : soak_between(r, c->flits, 16);
  uint32_t software = soak_between(r, 0, 99);
  coding->software_encodes = software < 30;
  coding->software_decodes = software >= 25 && software < 55;
  coding->xor_cycles = soak_chance(r, 50) ? 0 : hd_soak_octaves(r, 1, 40);
  coding->restore_cycles = soak_chance(r, 50) ? 0 : hd_soak_octaves(r, 1, 40);
  coding->sequential = c->sw.barrier && soak_chance(r, 50);
}

/* Gives large scenario number `turn` its size and one of the large sets, in turn. */
static void draw_size(struct soak_case *c, uint32_t turn)
{
  static const struct {
    enum soak_size size;
    uint32_t set;
  } turns[] = {{SOAK_WIDE, 0}, {SOAK_LONG, 2}, {SOAK_WIDE, 1}, {SOAK_LONG, 1}, {SOAK_LONG, 0}};
  turn %= sizeof turns / sizeof *turns;
  c->size = turns[turn].size;
  c->set += turns[turn].set;
}

/* Draws virtual networks, where each has the channels that the routing needs: in half of the scenarios that are drawn for
 * no other purpose, and in more of the few scenarios of network coding. Only network coding and a trace send packets in
 * networks other than 0, so most other programs become a trace. */
static void draw_networks(struct soak_case *c, bool recipe)
{
  struct hd_random r; /* of its own, so that other draws of the scenario stay as they are */
  hd_random_seed(&r, c->seed, 1);
  const uint32_t channels = c->sw.vcs - hd_switch_reserved_vcs(&c->sw);
  if (hd_switch_has_sets(&c->sw) || c->sw.route || c->sw.trees || c->size || recipe ||
      channels < 2 || (c->sw.code_places && channels % HD_CODING_STEPS) ||
      soak_chance(&r, c->sw.code_places ? 20 : 50))
    return;
  do
    c->networks = soak_between(&r, 2, channels);
  while (channels % c->networks);
  if (c->sw.code_places)
    c->networks = HD_CODING_STEPS;
  if (c->n_nodes * c->networks > c->sw.nodes || !hd_soak_is_legal(c)) {
    c->networks = 1;
    return;
  }
  const enum soak_program drawn = c->program;
  if (c->program == SOAK_BARRIER && soak_chance(&r, 50))
    return;
  c->program = SOAK_REPLAY;
  if (!program_fits(c))
    c->program = drawn;
}

/* Half of the fabrics in which packets choose by free credits get a cap on them (§10.4). Half of those in which packets
 * decide between two ways get a bias towards the direct way (§10.9). */
static void draw_limits(struct soak_case *c)
{
  struct hd_random r; /* of its own, so that other draws of the scenario stay as they are */
  hd_random_seed(&r, c->seed, 4);
  if (c->sw.adaptive == HD_ADAPTIVE_CREDITS && soak_chance(&r, 50))
    c->credit_cap = soak_between(&r, 1, soak_chance(&r, 70) ? 4 : HD_ADAPT_CAP_MOST);
  if (c->sw.adaptive == HD_ADAPTIVE_UGAL && soak_chance(&r, 50))
    c->bias = hd_soak_octaves(&r, 1, soak_chance(&r, 90) ? 16 : HD_BIAS_MOST);
}

/* Half of the fabrics that can have links with different latencies get them (§1.5). */
static void draw_latencies(struct soak_case *c, bool recipe)
{
  struct hd_random r; /* of its own, so that other draws of the scenario stay as they are */
  hd_random_seed(&r, c->seed, 3);
  if (!c->sw.barrier && !c->size && !recipe && soak_chance(&r, 50))
    hd_soak_latencies_draw(c, &r);
}

void hd_soak_draw_on_fabric(struct soak_case *c, struct hd_random *r,
                            const struct soak_recipe *recipe)
{
  draw_run(c, r);
  draw_traffic(c, r);
  draw_networks(c, recipe != NULL);
  draw_latencies(c, recipe != NULL);
  draw_limits(c);
  hd_soak_draw_faults(c, r);
  if (c->sw.code_places)
    draw_coding(c, r);
  draw_congestion(c, r);
  if (recipe)
    hd_soak_recipe_follow(recipe, c, r);
  if (hd_topologies[c->topology]->one_way || hd_routings[c->algorithm]->by_node || c->sw.trees)
    c->n_faults = 0; /* §5.12, §5.26; multicast cannot go around faults */
  if (c->mode == HD_MODE_CLOSED && !c->n_faults && !c->size)
    c->compare = (enum hd_compare)soak_between(r, HD_COMPARE_EXACT, HD_COMPARE_PACKETS);
  hd_soak_fit_traffic(c);
}

void hd_soak_draw(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                  uint32_t large, uint64_t seed, uint32_t index)
{
  struct hd_random r;
  hd_random_seed(&r, seed, index);
  *c = (struct soak_case){.index = index, .networks = 1};
  c->set = soak_between(&r, 0, n_sets - 1);
  if (large && index % large == large - 1) {
    c->set = n_sets;
    draw_size(c, index / large);
  }
  const struct soak_recipe *recipe = c->size ? NULL : hd_soak_recipe_of(index);
  if (recipe)
    c->set = hd_soak_recipe_set(recipe, sets, n_sets, c->set, &r);
  c->sw = sets[c->set];
  uint32_t tries = 0;
  do
    draw_fabric(c, &r, !recipe); /* recipes need a mesh or an irregular network */
  while (recipe && !hd_soak_recipe_fits(recipe, c) && ++tries < MOST_TRIES);
  hd_soak_draw_on_fabric(c, &r, recipe);
}

void hd_soak_draw_coding(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                         uint64_t seed, uint32_t index)
{
  struct hd_random r;
  hd_random_seed(&r, seed, index);
  *c = (struct soak_case){.index = index, .networks = 1};
  c->set = n_sets + SOAK_LARGE_SETS + index / SOAK_SPECIAL_EVERY % SOAK_CODER_SETS;
  c->sw = sets[c->set];
  draw_coding_fabric(c, &r);
  hd_soak_draw_on_fabric(c, &r, NULL);
}

void hd_soak_draw_multicast(struct soak_case *c, const struct hd_switch_params *sets, uint64_t seed,
                            uint32_t index)
{
  struct hd_random r;
  hd_random_seed(&r, seed, index);
  *c = (struct soak_case){.index = index, .networks = 1};
  c->set = index / SOAK_SPECIAL_EVERY % SOAK_MULTICAST_SETS;
  c->sw = sets[c->set];
  draw_fabric(c, &r, true);
  hd_soak_draw_on_fabric(c, &r, NULL);
}

/* ── topologies with each routing and each kind of barrier hardware ─────────── */

bool hd_soak_pair_exists(enum hd_topology_kind topology, enum hd_routing_kind routing,
                         enum hd_barrier barrier)
{
  return hd_routing_fits(routing, topology) && !(barrier && hd_topologies[topology]->one_way);
}

/* Gives combination `number` in c->topology, c->algorithm and *barrier, and returns how many there are. */
static uint32_t find_pair(uint32_t number, struct soak_case *c, enum hd_barrier *barrier)
{
  uint32_t n = 0;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++)
    for (unsigned r = 0; r < HD_ROUTINGS; r++)
      for (unsigned b = 0; b < HD_BARRIER_KINDS; b++)
        if (hd_soak_pair_exists(k, r, b) && n++ == number) {
          c->topology = k;
          c->algorithm = r;
          *barrier = b;
        }
  return n;
}

uint32_t hd_soak_pairs(void)
{
  struct soak_case c;
  enum hd_barrier barrier;
  return find_pair(UINT32_MAX, &c, &barrier);
}

/* Draws a fabric of the given topology and routing. False: the switch has too few ports, or other tables, or no shape
 * fits it. */
static bool draw_pair_fabric(struct soak_case *c, struct hd_random *r, enum hd_topology_kind kind,
                             enum hd_routing_kind routing)
{
  const struct hd_topology_descriptor *d = hd_topologies[kind];
  bool tree = d->family == HD_FAMILY_TREES, by_source = hd_routings[routing]->by_source;
  c->algorithm = routing;
  c->always_top = hd_routings[routing]->always_top && soak_chance(r, 50);
  c->link_cycles = soak_between(r, 1, 4);
  const bool sets = hd_switch_has_sets(&c->sw);
  bool adaptive = routing == HD_ROUTE_TABLES ? sets : hd_routings[routing]->adaptive;
  if (c->sw.source_table != by_source || sets != adaptive ||
      (c->sw.adaptive == HD_ADAPTIVE_UGAL) != hd_routings[routing]->decides ||
      (tree && c->sw.ports < 4) || (!soak_by_keys(kind) && c->sw.ports < 3))
    return false;
  switch (kind) {
  case HD_TOPO_MESH:
    draw_mesh(c, r);
    return true;
  case HD_TOPO_TREE:
  case HD_TOPO_EXTENDED_TREE:
    for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
      draw_tree(c, r);
      if (c->topology == kind)
        return true;
    }
    return false;
  case HD_TOPO_GRAPH:
    draw_graph(c, r);
    return true;
  case HD_TOPO_IRREGULAR:
    if (most_nodes(c) < 3 || most_switches(c) < 3)
      return false;
    draw_irregular(c, r);
    return true;
  default:
    return draw_by_keys(c, r, kind, false);
  }
}

void hd_soak_draw_pair(struct soak_case *c, const struct hd_switch_params *sets, uint32_t n_sets,
                       uint32_t large, uint64_t seed, uint32_t index)
{
  struct hd_random r;
  struct soak_case pair = {0};
  enum hd_barrier barrier = HD_BARRIER_NONE;
  uint32_t sets_drawn = n_sets + (large ? SOAK_LARGE_SETS : 0);
  hd_random_seed(&r, seed, index);
  find_pair(index % hd_soak_pairs(), &pair, &barrier);
  uint32_t first = soak_between(&r, 0, sets_drawn - 1);
  for (uint32_t i = 0; i < sets_drawn; i++) {
    *c = (struct soak_case){.index = index, .networks = 1, .set = (first + i) % sets_drawn};
    c->sw = sets[c->set];
    bool drawn = false, taken = false;
    if (c->sw.barrier != barrier)
      continue;
    for (uint32_t tries = 0; tries < MOST_TRIES && !taken && (drawn || !tries); tries++) {
      drawn = draw_pair_fabric(c, &r, pair.topology, pair.algorithm);
      taken = drawn && hd_soak_is_legal(c);
    }
    if (taken) {
      hd_soak_draw_on_fabric(c, &r, NULL);
      return;
    }
  }
  assert(!"no set of parameters is for this pair");
}
