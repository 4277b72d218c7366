/* Answers questions of software about its fabric: links, and an order of the nodes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/memory.h"
#include "manager_internal.h"

static struct hd_peer peer_of(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return t->peers[(size_t)sw * t->ports + port];
}

/* Cycles that packets, one after another, need to pass two switches (specification §4.5). */
static uint64_t pass_cycles(const struct hd_manager *m, uint32_t channels)
{
  const struct hd_switch_params *p = &m->params.sw;
  uint64_t link = hd_topology_longest_link(m->params.topology, m->params.link_cycles),
           inside = p->route_cycles + p->arb_cycles + p->buffer_cycles;
  uint64_t turn = inside + 2 * link + 2, depth = p->depth_flits;
  uint64_t hop = inside + 1 + link;
  uint64_t buffer = turn > depth ? turn : depth;
  return link + 2 * hop + 2 * channels * buffer;
}

/* Fills in a link for messages of `node` by any of `ports`. */
static void describe(const struct hd_manager *m, uint32_t node, unsigned ports,
                     struct hd_ep_link *link)
{
  const struct hd_switch_params *p = &m->params.sw;
  const struct hd_topology *t = m->params.topology;
  struct hd_peer at = t->node_peers[node];
  *link = (struct hd_ep_link){.links = __builtin_popcount(ports), .node = -1};
  link->channels = p->vcs - hd_switch_reserved_vcs(p);
  link->depth_flits = p->depth_flits;
  link->pass_cycles = pass_cycles(m, link->channels);
  for (; ports && link->node < 0; ports &= ports - 1) {
    uint32_t port = (uint32_t)__builtin_ctz(ports);
    struct hd_peer far = peer_of(t, at.index, port);
    for (uint32_t q = 0; q < t->ports && link->node < 0; q++) {
      struct hd_peer there = peer_of(t, far.index, q);
      if (there.kind == HD_PEER_NODE &&
          (hd_routing_entry(m->params.tables, &at, node, there.index) & 15) == port)
        link->node = (int)there.index;
    }
  }
}

void hd_manager_link(const struct hd_manager *m, uint32_t source, uint32_t destination,
                     struct hd_ep_link *link)
{
  const struct hd_topology *t = m->params.topology;
  struct hd_peer at = t->node_peers[source];
  const struct hd_tables *tables = m->params.tables;
  unsigned ports = 1u << (hd_routing_entry(tables, &at, source, destination) & 15);
  bool leaves = t->node_exits[destination].index != at.index;
  if (tables->sets)
    ports |= tables->sets[((size_t)at.index * t->ports + at.port) * t->n_nodes + destination];
  for (uint32_t by = 0; tables->header_mode == 3 && by < t->n_nodes; by++) {
    const uint32_t node = hd_routing_drawn(tables, t, source, destination, by);
    uint16_t entry = tables->source[((size_t)at.index * t->ports + at.port) * t->n_nodes + node];
    ports |= (unsigned)(entry >> 12 & 1) << (entry & 15);
  }
  describe(m, source, leaves ? ports : 0, link);
}

/* The next switch to which `from` sends a reduction after the tree is built. The way follows the
 * first ways of all members to the center. It ends at a switch that has members, or where first
 * ways meet (§8.3). */
static uint32_t parent_of(const struct hd_manager *m, const uint32_t *members, uint32_t n,
                          uint32_t center, uint32_t from)
{
  const struct hd_topology *t = m->params.topology;
  const struct hd_barrier_ways *ways = hd_fabric_barrier_ways(m->fabric);
  /* bits: ports by which first ways come in */
  uint16_t *in = hd_xcalloc(t->n_switches, sizeof *in);
  bool *has = hd_xcalloc(t->n_switches, sizeof *has);
  uint32_t parent = from;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = t->node_peers[members[i]].index;
    bool new = !has[at];
    has[at] = true;
    while (new &&at != center && hd_barrier_way(ways, at, center)) {
      struct hd_peer next =
          peer_of(t, at, (uint32_t)__builtin_ctz(hd_barrier_way(ways, at, center)));
      /* otherwise another member's way already goes on from there */
      new = !(in[next.index] >> next.port & 1);
      in[next.index] |= (uint16_t)(1u << next.port);
      at = next.index;
    }
  }
  while (parent != center && hd_barrier_way(ways, parent, center)) {
    parent =
        peer_of(t, parent, (uint32_t)__builtin_ctz(hd_barrier_way(ways, parent, center))).index;
    if (has[parent] || __builtin_popcount(in[parent]) > 1)
      break;
  }
  free(in);
  free(has);
  return parent;
}

void hd_manager_barrier_link(const struct hd_manager *m, const uint32_t *members, uint32_t n,
                             uint32_t center, uint32_t member, struct hd_ep_link *link)
{
  const struct hd_peer *at = m->params.topology->node_peers;
  const uint32_t from = at[member].index;
  const uint32_t parent = parent_of(m, members, n, at[center].index, from);
  describe(m, member, hd_barrier_way(hd_fabric_barrier_ways(m->fabric), from, parent), link);
}

/* ── an order of all nodes ────────────────────────────────────────────────── */

struct walk {
  const struct hd_topology *t;
  /* parent of each switch in the breadth-first tree; switch 0 is its own parent */
  uint32_t *parent;
  int *nodes;
  uint32_t n;
};

static void visit_switch(struct walk *w, uint32_t sw)
{
  const struct hd_topology *t = w->t;
  for (uint32_t p = 0; p < t->ports; p++)
    if (peer_of(w->t, sw, p).kind == HD_PEER_NODE)
      w->nodes[w->n++] = peer_of(w->t, sw, p).index;
}

/* The i-th neighbour of a switch; i < 2 · ports. Both directions of a link count. */
static struct hd_peer linked(const struct hd_topology *t, uint32_t sw, uint32_t i)
{
  return i < t->ports ? peer_of(t, sw, i) : t->senders[(size_t)sw * t->ports + i - t->ports];
}

/* The child of `sw` with the lowest number above `after`; UINT32_MAX: none. */
static uint32_t next_child(const struct walk *w, uint32_t sw, uint32_t after)
{
  uint32_t child = UINT32_MAX;
  for (uint32_t p = 0; p < 2 * w->t->ports; p++) {
    struct hd_peer peer = linked(w->t, sw, p);
    bool its = peer.kind == HD_PEER_SWITCH && w->parent[peer.index] == sw && peer.index != sw;
    if (its && (after == UINT32_MAX || peer.index > after) && peer.index < child)
      child = peer.index;
  }
  return child;
}

static void spread(struct walk *w, uint32_t *queue)
{
  const struct hd_topology *t = w->t;
  uint32_t tail = 0;
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    w->parent[sw] = UINT32_MAX;
  w->parent[0] = 0;
  queue[tail++] = 0;
  for (uint32_t head = 0; head < tail; head++) {
    uint32_t sw = queue[head];
    for (uint32_t last = UINT32_MAX, far;; last = far) { /* lowest number first, as in §5.5 */
      far = UINT32_MAX;
      for (uint32_t p = 0; p < 2 * t->ports; p++) {
        struct hd_peer peer = linked(w->t, sw, p);
        if (peer.kind == HD_PEER_SWITCH && peer.index < far &&
            (last == UINT32_MAX || peer.index > last))
          far = peer.index;
      }
      if (far == UINT32_MAX)
        break;
      if (w->parent[far] != UINT32_MAX)
        continue;
      w->parent[far] = sw;
      queue[tail++] = far;
    }
  }
}

void hd_manager_order(const struct hd_manager *m, int *nodes)
{
  struct walk w = {.t = m->params.topology, .nodes = nodes};
  uint32_t n = w.t->n_switches, *queue = hd_xmalloc(2 * n * sizeof *queue);
  w.parent = queue + n;
  spread(&w, queue);
  visit_switch(&w, 0);
  for (uint32_t sw = 0, after = UINT32_MAX;;) {
    uint32_t child = next_child(&w, sw, after);
    if (child != UINT32_MAX) {
      visit_switch(&w, child);
      sw = child;
      after = UINT32_MAX;
    } else if (sw) {
      after = sw;
      sw = w.parent[sw];
    } else {
      break;
    }
  }
  free(queue);
}
