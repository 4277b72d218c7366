/* Figures of a fabric as closed forms and as counts (§5.13), and functions that drawings share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bisection is found by search. Nodes that no cut between switches can separate are one *unit*. For each choice of
 * units for one side, the smallest cut is found as a largest flow.
 */
#include "topology_build.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNITS = 16 };

void hd_topology_closed_forms(const struct hd_topology *t, struct hd_topology_figures *f)
{
  *f = (struct hd_topology_figures){.switches = t->n_switches,
                                    .nodes = t->n_nodes,
                                    .links = HD_NO_FIGURE,
                                    .diameter = HD_NO_FIGURE,
                                    .distance = HD_NO_FIGURE,
                                    .bisection = HD_NO_FIGURE};
  if (hd_topologies[t->kind]->figures)
    hd_topologies[t->kind]->figures(t, f);
}

/* ── shapes ───────────────────────────────────────────────────────────────── */

int hd_topology_check_power(const char *name, uint32_t k, uint32_t most_k, uint32_t n,
                            struct hd_error *err)
{
  if (k < 2 || k > most_k)
    return hd_fail(err, HD_E_INPUT, "k of the %s is %" PRIu32 "; legal: 2 … %" PRIu32, name, k,
                   most_k);
  uint32_t most = 1;
  for (uint64_t nodes = (uint64_t)k * k; nodes <= HD_MAX_COMPUTED_NODES; nodes *= k)
    most++;
  if (n < 1 || n > most)
    return hd_fail(err, HD_E_INPUT,
                   "n of the %s is %" PRIu32 "; with k = %" PRIu32 " and at most %d nodes it is "
                   "1 … %" PRIu32,
                   name, n, k, HD_MAX_COMPUTED_NODES, most);
  return 0;
}

uint64_t hd_topology_grid_cut(const uint32_t *dims, uint32_t n_dims)
{
  uint32_t sorted[8], n = 0;
  uint64_t cut = 0, layer = 1;
  for (; n < n_dims; n++) { /* the largest first */
    uint32_t i = n;
    for (; i > 0 && sorted[i - 1] < dims[n]; i--)
      sorted[i] = sorted[i - 1];
    sorted[i] = dims[n];
    layer *= dims[n];
  }
  for (uint32_t i = 0; i < n; i++) {
    layer /= sorted[i];
    if (sorted[i] > 1)
      cut += layer;
    if (sorted[i] % 2 == 0)
      break;
  }
  return cut;
}

/* ── drawing ──────────────────────────────────────────────────────────────── */

const char hd_topology_grid[] =
    "a grid: dimension 0 to the right, dimension 1 down, further ones as copies of it";

double hd_topology_apart(uint32_t layer_switches)
{
  double apart = layer_switches / 6.0;
  return apart < 1.8 ? 1.8 : apart > 5 ? 5 : apart;
}

void hd_topology_place_grid(const uint32_t *dims, uint32_t n_dims, uint32_t n_switches,
                            struct hd_topology_place *at)
{
  for (uint32_t sw = 0; sw < n_switches; sw++) {
    double width = 1, height = 1;
    uint32_t rest = sw;
    at[sw] = (struct hd_topology_place){0, 0};
    for (uint32_t d = 0; d < n_dims; d++) {
      double gap = d < 2 ? 0 : 1;
      double *place = d % 2 ? &at[sw].y : &at[sw].x, *size = d % 2 ? &height : &width;
      *place += rest % dims[d] * (*size + gap);
      *size = *size * dims[d] + gap * (dims[d] - 1);
      rest /= dims[d];
    }
  }
}

/* ── distances ────────────────────────────────────────────────────────────── */

/* Searches breadth-first from a switch, along links; UINT32_MAX: no way. */
static void flood(const struct hd_topology *t, uint32_t from, uint32_t *distance, uint32_t *queue)
{
  uint32_t head = 0, tail = 0;
  memset(distance, 0xff, t->n_switches * sizeof *distance);
  distance[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    uint32_t sw = queue[head++];
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *peer = &t->peers[(size_t)sw * t->ports + p];
      if (peer->kind != HD_PEER_SWITCH || distance[peer->index] != UINT32_MAX)
        continue;
      distance[peer->index] = distance[sw] + 1;
      queue[tail++] = peer->index;
    }
  }
}

static int measure_ways(const struct hd_topology *t, uint32_t *distance, uint32_t *queue,
                        struct hd_topology_figures *f, struct hd_error *err)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    bool flooded = false;
    for (uint32_t s = 0; s < t->n_nodes; s++) {
      if (t->node_peers[s].index != sw)
        continue;
      if (!flooded)
        flood(t, sw, distance, queue);
      flooded = true;
      for (uint32_t d = 0; d < t->n_nodes; d++) {
        uint32_t links = distance[t->node_exits[d].index];
        if (d == s)
          continue;
        if (links == UINT32_MAX)
          return hd_fail(err, HD_E_INPUT, "no way from n%" PRIu32 " to n%" PRIu32, s, d);
        f->distance += links;
        f->diameter = links > f->diameter ? links : f->diameter;
      }
    }
  }
  return 0;
}

/* ── bisection ────────────────────────────────────────────────────────────── */

/* A graph for the flow. Vertices are units, and switches that no node is bound to. */
struct graph {
  uint32_t n_vertices, n_units;
  uint32_t *vertex;            /* [switch] */
  uint32_t weight[MOST_UNITS]; /* nodes of a unit */
  struct {
    uint32_t a, b;
    int flow; /* −1, 0, 1: flow from a to b */
  } * edges;
  uint32_t n_edges;
  uint32_t *first;        /* [vertex + 1] into `incident` */
  uint32_t *incident;     /* edges of each vertex */
  uint32_t *from, *queue; /* [vertex]: the edge by which the search reached it, + 1 */
};

static uint32_t root_of(uint32_t *parent, uint32_t sw)
{
  while (parent[sw] != sw)
    sw = parent[sw] = parent[parent[sw]];
  return sw;
}

/* Finds the units: a node's way in and way out must be on the same side. False: there are too many units. */
static bool find_units(struct graph *g, const struct hd_topology *t, uint32_t *parent)
{
  uint32_t *weight = g->queue; /* scratch: nodes of the unit with this root */
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    parent[sw] = sw;
    weight[sw] = 0;
    g->vertex[sw] = UINT32_MAX;
  }
  for (uint32_t node = 0; node < t->n_nodes; node++)
    parent[root_of(parent, t->node_exits[node].index)] = root_of(parent, t->node_peers[node].index);
  for (uint32_t node = 0; node < t->n_nodes; node++)
    weight[root_of(parent, t->node_peers[node].index)]++;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) /* the units are the first vertices */
    if (root_of(parent, sw) == sw && weight[sw]) {
      if (g->n_units == MOST_UNITS)
        return false;
      g->weight[g->n_units] = weight[sw];
      g->vertex[sw] = g->n_units++;
    }
  g->n_vertices = g->n_units;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    if (root_of(parent, sw) == sw && !weight[sw])
      g->vertex[sw] = g->n_vertices++;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    g->vertex[sw] = g->vertex[root_of(parent, sw)];
  return true;
}

static void find_edges(struct graph *g, const struct hd_topology *t)
{
  bool one_way = hd_topology_one_way(t);
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++) {
    const struct hd_peer *peer = &t->peers[i];
    uint32_t far = peer->index * t->ports + peer->port;
    if (peer->kind != HD_PEER_SWITCH || (!one_way && far < i))
      continue;
    uint32_t a = g->vertex[i / t->ports], b = g->vertex[peer->index];
    if (a == b)
      continue;
    g->edges[g->n_edges].a = a;
    g->edges[g->n_edges++].b = b;
    g->first[a + 1]++;
    g->first[b + 1]++;
  }
  for (uint32_t v = 0; v < g->n_vertices; v++)
    g->first[v + 1] += g->first[v];
  for (uint32_t e = 0; e < g->n_edges; e++) {
    g->incident[g->first[g->edges[e].a]++] = e;
    g->incident[g->first[g->edges[e].b]++] = e;
  }
  for (uint32_t v = g->n_vertices; v > 0; v--)
    g->first[v] = g->first[v - 1];
  g->first[0] = 0;
}

/* Adds one unit of flow from the units of `side` to the others. False: no more flow is possible. */
static bool add_flow(struct graph *g, uint32_t side)
{
  uint32_t head = 0, tail = 0;
  memset(g->from, 0, g->n_vertices * sizeof *g->from);
  for (uint32_t v = 0; v < g->n_units; v++)
    if (side >> v & 1) {
      g->from[v] = UINT32_MAX;
      g->queue[tail++] = v;
    }
  while (head < tail) {
    uint32_t v = g->queue[head++];
    if (v < g->n_units && !(side >> v & 1)) {
      while (g->from[v] != UINT32_MAX) {
        uint32_t e = g->from[v] - 1;
        bool forward = g->edges[e].b == v;
        g->edges[e].flow += forward ? 1 : -1;
        v = forward ? g->edges[e].a : g->edges[e].b;
      }
      return true;
    }
    for (uint32_t i = g->first[v]; i < g->first[v + 1]; i++) {
      uint32_t e = g->incident[i];
      bool forward = g->edges[e].a == v;
      uint32_t to = forward ? g->edges[e].b : g->edges[e].a;
      if (g->from[to] || (forward ? g->edges[e].flow == 1 : g->edges[e].flow == -1))
        continue;
      g->from[to] = e + 1;
      g->queue[tail++] = to;
    }
  }
  return false;
}

static uint64_t cut_of(struct graph *g, uint32_t side, uint64_t most)
{
  uint64_t flow = 0;
  for (uint32_t e = 0; e < g->n_edges; e++)
    g->edges[e].flow = 0;
  while (flow < most && add_flow(g, side))
    flow++;
  return flow;
}

static uint64_t find_largest_flow(struct graph *g, uint32_t n_nodes)
{
  uint64_t best = HD_NO_FIGURE;
  uint32_t fairest = n_nodes, all = (1u << g->n_units) - 1;
  for (uint32_t side = 1; side <= all; side += 2) { /* unit 0 is always on this side */
    uint32_t nodes = 0;
    for (uint32_t v = 0; v < g->n_units; v++)
      nodes += side >> v & 1 ? g->weight[v] : 0;
    uint32_t unfair = 2 * nodes > n_nodes ? 2 * nodes - n_nodes : n_nodes - 2 * nodes;
    if (unfair > fairest)
      continue;
    if (unfair < fairest)
      best = HD_NO_FIGURE;
    fairest = unfair;
    uint64_t cut = side == all ? 0 : cut_of(g, side, best);
    best = cut < best ? cut : best;
  }
  return best;
}

static int measure_bisection(const struct hd_topology *t, struct hd_topology_figures *f,
                             struct hd_error *err)
{
  size_t n = t->n_switches, places = n * t->ports;
  struct graph g = {0};
  uint32_t *parent = malloc(n * sizeof *parent);
  g.vertex = malloc(n * sizeof *g.vertex);
  g.edges = calloc(places + 1, sizeof *g.edges);
  g.first = calloc(n + 2, sizeof *g.first);
  g.incident = malloc((2 * places + 1) * sizeof *g.incident);
  g.from = malloc(n * sizeof *g.from);
  g.queue = malloc(n * sizeof *g.queue);
  bool whole = parent && g.vertex && g.edges && g.first && g.incident && g.from && g.queue;
  if (whole && find_units(&g, t, parent)) {
    find_edges(&g, t);
    f->bisection = find_largest_flow(&g, t->n_nodes);
  }
  free(parent);
  free(g.vertex);
  free(g.edges);
  free(g.first);
  free(g.incident);
  free(g.from);
  free(g.queue);
  return whole ? 0 : hd_fail(err, HD_E_NOMEM, "out of memory for the figures of a topology");
}

/* ── all figures ──────────────────────────────────────────────────────────── */

int hd_topology_measure(const struct hd_topology *t, struct hd_topology_figures *f,
                        struct hd_error *err)
{
  *f = (struct hd_topology_figures){
      .switches = t->n_switches, .nodes = t->n_nodes, .bisection = HD_NO_FIGURE};
  for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
    f->links += t->peers[i].kind == HD_PEER_SWITCH;
  if (!hd_topology_one_way(t))
    f->links /= 2;
  uint32_t *words = malloc(2 * (size_t)t->n_switches * sizeof *words);
  if (!words)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the figures of a topology");
  int status = measure_ways(t, words, words + t->n_switches, f, err);
  free(words);
  return status ? status : measure_bisection(t, f, err);
}
