/* An independent, slow reading of specification §5.6 that the deadlock check is held against.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_naive.h"

#include <string.h>

static bool naive_follow(struct naive *nv, uint32_t s, uint32_t d)
{
  const struct hd_topology *t = nv->t;
  struct hd_peer at = t->node_peers[s];
  unsigned held = 0; /* a node's own link is no vertex of any cycle */
  for (uint32_t hops = 0; hops <= t->n_switches * t->ports; hops++) {
    size_t state = (size_t)at.index * t->ports + at.port;
    uint16_t entry = nv->tables->destination[state * t->n_nodes + d];
    if (!(entry & 1 << 12) && nv->tables->header_mode == 1)
      entry = nv->tables->source ? nv->tables->source[state * t->n_nodes + s] : 0;
    unsigned port = entry & 15, mask = (entry >> 4 & 0xff) & ((1u << nv->vcs) - 1);
    if (!(entry & 1 << 12) || port >= t->ports || !mask)
      return false;
    struct hd_peer next = t->peers[(size_t)at.index * t->ports + port];
    if (next.kind != HD_PEER_SWITCH)
      return next.kind == HD_PEER_NODE && next.index == d;
    size_t next_state = (size_t)next.index * t->ports + next.port;
    for (uint32_t v = 0; v < nv->vcs; v++)
      for (uint32_t w = 0; w < nv->vcs; w++)
        if ((held >> v & 1) && (mask >> w & 1))
          nv->edges[(state * nv->vcs + v) * nv->n_vertices + next_state * nv->vcs + w] = true;
    held = mask;
    at = next;
  }
  return false;
}

/* Removes vertices that wait for no remaining vertex, until there are none. Returns the number of remaining vertices:
 * those on cycles, and those that wait for them. */
static size_t count_cyclic_vertices(const struct naive *nv, bool *gone)
{
  size_t n = nv->n_vertices, left = n;
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t v = 0; v < n; v++) {
      bool waits = false;
      for (size_t w = 0; w < n && !waits && !gone[v]; w++)
        waits = nv->edges[v * n + w] && !gone[w];
      if (!gone[v] && !waits) {
        gone[v] = moved = true;
        left--;
      }
    }
  }
  return left;
}

int naive_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs)
{
  size_t n = (size_t)t->n_switches * t->ports * vcs;
  struct naive nv = {tables, t, vcs, n, calloc(n * n, sizeof(bool))};
  bool *gone = calloc(n, sizeof *gone);
  int verdict = nv.edges && gone ? NAIVE_FINE : -1;
  for (uint32_t s = 0; s < t->n_nodes && verdict == NAIVE_FINE; s++)
    for (uint32_t d = 0; d < t->n_nodes && verdict == NAIVE_FINE; d++)
      if (!naive_follow(&nv, s, d))
        verdict = NAIVE_NO_WAY;
  if (verdict == NAIVE_FINE && count_cyclic_vertices(&nv, gone))
    verdict = NAIVE_CYCLE;
  free(nv.edges);
  free(gone);
  return verdict;
}

/* ── where packets choose ──────────────────────────────────────────────────── */

/* An output that a packet in a state can take: a port and its channels. */
struct way {
  uint32_t port, mask;
  bool chosen;
};

struct choice {
  struct naive nv;
  bool cut_through, turns;
  const uint16_t *table;
  uint32_t node;
  bool *
      at; /* [state · (vcs + 1) + channel, or vcs where it came from a node]: a packet can be here */
};

/* Lists the outputs of a state, the table's first. Returns 0 if the table has none. */
static uint32_t ways_of(const struct choice *c, size_t state, struct way ways[HD_MAX_PORTS + 1])
{
  const struct hd_tables *tables = c->nv.tables;
  const struct hd_topology *t = c->nv.t;
  size_t at = state * t->n_nodes + c->node;
  uint32_t all = (1u << c->nv.vcs) - 1, n = 0;
  uint16_t entry = c->table[at];
  ways[n++] = (struct way){entry & 15, entry >> 4 & all, false};
  if (!(entry >> 12) || ways[0].port >= t->ports || !ways[0].mask)
    return 0;
  for (uint32_t p = 0; p < t->ports && tables->sets && !c->turns; p++)
    if (tables->sets[at] >> p & 1 && tables->adapt & all)
      ways[n++] = (struct way){p, tables->adapt & all, true};
  return n;
}

/* Finds all states that packets can reach. Returns false if some packet has no route. */
static bool find_reachable_states(struct choice *c)
{
  const struct hd_topology *t = c->nv.t;
  const uint32_t vcs = c->nv.vcs;
  const size_t states = (size_t)t->n_switches * t->ports;
  struct way ways[HD_MAX_PORTS + 1];
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < states * (vcs + 1); i++) {
      size_t state = i / (vcs + 1), held = i % (vcs + 1);
      if (!c->at[i] || (c->turns && !(c->table[state * t->n_nodes + c->node] >> 12)))
        continue;
      uint32_t n = ways_of(c, state, ways);
      if (!n)
        return false;
      for (uint32_t k = 0; k < n; k++) {
        struct hd_peer next = t->peers[state / t->ports * t->ports + ways[k].port];
        if (next.kind == HD_PEER_NODE && next.index == c->node && !c->turns)
          continue;
        if (next.kind != HD_PEER_SWITCH)
          return false;
        size_t to = (size_t)next.index * t->ports + next.port;
        for (uint32_t w = 0; w < vcs; w++) {
          if (!(ways[k].mask >> w & 1))
            continue;
          if (held < vcs && (!ways[k].chosen || !c->cut_through))
            c->nv.edges[(state * vcs + held) * c->nv.n_vertices + to * vcs + w] = true;
          moved |= !c->at[to * (vcs + 1) + w];
          c->at[to * (vcs + 1) + w] = true;
        }
      }
    }
  }
  for (size_t i = 0; i < states * (vcs + 1); i++) { /* by the table alone */
    size_t state = i / (vcs + 1), hops = 0;
    while (c->at[i] && hops++ <= states) {
      uint16_t entry = c->table[state * t->n_nodes + c->node];
      if (c->turns && !(entry >> 12))
        break;
      struct hd_peer next = t->peers[state / t->ports * t->ports + (entry & 15)];
      if (next.kind == HD_PEER_NODE)
        break;
      state = (size_t)next.index * t->ports + next.port;
    }
    if (hops > states)
      return false;
  }
  return true;
}

/* Returns true if the first packet of a channel can wait for channels of the set alone. */
static bool can_be_stuck(struct choice *c, const bool *reached, const bool *in_set, size_t vertex)
{
  const struct hd_topology *t = c->nv.t;
  const uint32_t vcs = c->nv.vcs;
  const size_t state = vertex / vcs, n = (size_t)t->n_switches * t->ports * (vcs + 1);
  struct way ways[HD_MAX_PORTS + 1];
  for (c->node = 0; c->node < t->n_nodes; c->node++) {
    if (!reached[c->node * n + state * (vcs + 1) + vertex % vcs])
      continue;
    bool waits[HD_MAX_PORTS + 1];
    uint32_t m = ways_of(c, state, ways), choices = 0;
    for (uint32_t k = 0; k < m; k++) {
      struct hd_peer next = t->peers[state / t->ports * t->ports + ways[k].port];
      waits[k] = next.kind == HD_PEER_SWITCH;
      for (uint32_t w = 0; w < vcs && waits[k]; w++)
        if (ways[k].mask >> w & 1)
          waits[k] = in_set[((size_t)next.index * t->ports + next.port) * vcs + w];
      choices += k && waits[k];
    }
    if (m && waits[0] && (m == 1 || choices))
      return true;
  }
  return false;
}

static uint32_t count_stuck(struct choice *c, const bool *reached)
{
  size_t n = c->nv.n_vertices;
  bool *in_set = malloc(n);
  uint32_t left = (uint32_t)n;
  memset(in_set, true, n);
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t v = 0; v < n; v++)
      if (in_set[v] && !can_be_stuck(c, reached, in_set, v)) {
        in_set[v] = false;
        moved = true;
        left--;
      }
  }
  free(in_set);
  return left;
}

/* The packets of one source; by[]: where they begin, or where they turn. */
static bool explore_source(struct choice *c, uint32_t source, bool *reached)
{
  const struct hd_topology *t = c->nv.t;
  const uint32_t vcs = c->nv.vcs;
  const size_t n = (size_t)t->n_switches * t->ports * (vcs + 1);
  const struct hd_peer *first = &t->node_peers[source];
  const size_t injected = ((size_t)first->index * t->ports + first->port) * (vcs + 1) + vcs;
  bool fine = true, via = c->nv.tables->header_mode == 3;
  bool *start = malloc(n);
  c->at = malloc(n);
  for (uint32_t by = 0; by < (via ? t->n_nodes : 1) && fine; by++) {
    memset(start, false, n);
    start[injected] = true;
    if (via) {
      c->table = c->nv.tables->source;
      c->node = by;
      c->turns = true;
      memcpy(c->at, start, n);
      fine = find_reachable_states(c);
      for (size_t i = 0; i < n; i++)
        start[i] = c->at[i] && !(c->table[i / (vcs + 1) * t->n_nodes + by] >> 12);
    }
    c->table = c->nv.tables->destination;
    c->turns = false;
    for (c->node = 0; c->node < t->n_nodes && fine; c->node++) {
      memcpy(c->at, start, n);
      fine = find_reachable_states(c);
      for (size_t i = 0; i < n; i++)
        reached[c->node * n + i] |= c->at[i];
    }
  }
  free(start);
  free(c->at);
  return fine;
}

int naive_choice(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                 bool cut_through, uint32_t *stuck)
{
  size_t states = (size_t)t->n_switches * t->ports, n = states * vcs;
  struct choice c = {.nv = {tables, t, vcs, n, calloc(n * n, sizeof(bool))},
                     .cut_through = cut_through};
  bool *gone = calloc(n, sizeof *gone);
  bool *reached = calloc(states * (vcs + 1) * t->n_nodes, sizeof *reached);
  int verdict = c.nv.edges && gone && reached ? NAIVE_FINE : -1;
  for (uint32_t s = 0; s < t->n_nodes && verdict == NAIVE_FINE; s++)
    if (!explore_source(&c, s, reached))
      verdict = NAIVE_NO_WAY;
  if (verdict == NAIVE_FINE && count_cyclic_vertices(&c.nv, gone))
    verdict = NAIVE_CYCLE;
  *stuck = verdict == NAIVE_NO_WAY ? 0 : count_stuck(&c, reached);
  free(c.nv.edges);
  free(gone);
  free(reached);
  return verdict;
}
