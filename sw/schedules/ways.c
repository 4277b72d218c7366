/* Ways: the paths from one node to another, which are shortest paths or those of routing tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_internal.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdio.h>

#define FAR UINT16_MAX

enum { MOST_LINKS = 200000000, MANY_WAYS = 1 << 16 };

size_t hd_schedule_links(const struct hd_topology *t)
{
  return (size_t)t->n_switches * t->ports + t->n_nodes;
}

void hd_schedule_link_name(const struct hd_topology *t, uint32_t link, char *text, size_t size)
{
  uint32_t of_switches = t->n_switches * t->ports;
  if (link >= of_switches)
    snprintf(text, size, "n%" PRIu32, link - of_switches);
  else
    snprintf(text, size, "s%" PRIu32 ":%" PRIu32, link / t->ports, link % t->ports);
}

bool hd_way_link_counts(const struct hd_schedule_network *network, uint32_t link)
{
  const struct hd_topology *t = network->topology;
  return !network->all_port ||
         (link < t->n_switches * t->ports && t->peers[link].kind != HD_PEER_NODE);
}

void hd_ways_open(struct ways *w, const struct hd_schedule_network *network)
{
  size_t nodes = network->topology->n_nodes;
  *w = (struct ways){.network = network};
  w->pairs = hd_xcalloc(nodes * nodes, sizeof *w->pairs);
  w->distance = hd_xcalloc(nodes, sizeof *w->distance);
  w->counts = hd_xcalloc(nodes, sizeof *w->counts);
}

void hd_ways_close(struct ways *w)
{
  for (uint32_t i = 0; w->distance && i < w->network->topology->n_nodes; i++)
    free(w->distance[i]);
  for (uint32_t i = 0; w->counts && i < w->network->topology->n_nodes; i++)
    free(w->counts[i]);
  free(w->distance);
  free(w->counts);
  free(w->pairs);
  free(w->all);
  free(w->links);
  *w = (struct ways){0};
}

static bool has_failed(const struct ways *w, uint32_t link)
{
  return w->network->failed && w->network->failed[link];
}

/* Returns the distance of each switch to a node in links, the link to the node included. */
static const uint16_t *distance_to(struct ways *w, uint32_t node)
{
  const struct hd_topology *t = w->network->topology;
  if (w->distance[node])
    return w->distance[node];
  uint16_t *d = hd_xmalloc(t->n_switches * sizeof *d);
  uint32_t *queue = hd_xmalloc(t->n_switches * sizeof *queue), head = 0, tail = 0;
  for (uint32_t s = 0; s < t->n_switches; s++)
    d[s] = FAR;
  const struct hd_peer *exit = &t->node_exits[node];
  if (!has_failed(w, exit->index * t->ports + exit->port)) {
    d[exit->index] = 1;
    queue[tail++] = exit->index;
  }
  while (head < tail) {
    uint32_t at = queue[head++];
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *from = &t->senders[(size_t)at * t->ports + port];
      if (from->kind != HD_PEER_SWITCH || d[from->index] != FAR ||
          has_failed(w, from->index * t->ports + from->port))
        continue;
      d[from->index] = (uint16_t)(d[at] + 1);
      queue[tail++] = from->index;
    }
  }
  free(queue);
  return w->distance[node] = d;
}

static void append_way(struct ways *w, const uint32_t *links, uint32_t n)
{
  HD_XROOM(w->all, w->capacity, w->n, 1);
  HD_XROOM(w->links, w->room, w->n_links, n);
  w->all[w->n++] = (struct way){w->n_links, n};
  memcpy(w->links + w->n_links, links, n * sizeof *links);
  w->n_links += n;
}

/* Finds the way of the routing tables. */
static int by_tables(struct ways *w, uint32_t from, uint32_t to, uint32_t *links)
{
  const struct hd_topology *t = w->network->topology;
  struct hd_peer at = t->node_peers[from];
  for (uint32_t n = 1; n <= t->n_switches; n++) {
    uint16_t entry = hd_routing_entry(w->network->tables, &at, from, to);
    uint32_t port = hd_routing_port(w->network->tables, entry, to);
    if (!(entry >> 12 & 1) || port >= t->ports)
      return 0;
    links[n] = at.index * t->ports + port;
    at = t->peers[links[n]];
    if (at.kind == HD_PEER_NODE && at.index == to) {
      append_way(w, links, n + 1);
      return 1;
    }
    if (at.kind != HD_PEER_SWITCH)
      return 0;
  }
  return 0;
}

/* Finds all shortest ways, by trying the ports of each switch in turn. Sets *cut if there are more
 * than MOST_WAYS. */
static int shortest(struct ways *w, uint32_t from, uint32_t to, uint32_t *links, bool *cut)
{
  const struct hd_topology *t = w->network->topology;
  const uint16_t *d = distance_to(w, to);
  uint32_t start = t->node_peers[from].index;
  if (d[start] == FAR || has_failed(w, links[0]))
    return 0;
  uint32_t length = d[start], depth = 0, *next = hd_xcalloc(length, sizeof *next);
  uint32_t *at = hd_xcalloc(length, sizeof *at);
  int found = 0;
  at[0] = start;
  for (;;) {
    uint32_t port = next[depth]++;
    if (port == t->ports) {
      if (!depth--)
        break;
      continue;
    }
    uint32_t link = at[depth] * t->ports + port;
    const struct hd_peer *peer = &t->peers[link];
    links[depth + 1] = link;
    if (has_failed(w, link))
      continue;
    if (depth + 1 == length) {
      if (peer->kind != HD_PEER_NODE || peer->index != to)
        continue;
      if (found == MOST_WAYS) {
        *cut = true;
        break;
      }
      append_way(w, links, length + 1);
      found++;
    } else if (peer->kind == HD_PEER_SWITCH && d[peer->index] + 1 == d[at[depth]]) {
      depth++;
      at[depth] = peer->index;
      next[depth] = 0;
    }
  }
  free(next);
  free(at);
  return found;
}

int hd_ways_of(struct ways *w, uint32_t from, uint32_t to, size_t *first, struct hd_error *err)
{
  const struct hd_topology *t = w->network->topology;
  size_t pair = (size_t)from * t->n_nodes + to;
  if (!w->pairs[pair].known) {
    uint32_t *links = hd_xmalloc((t->n_switches + 2) * sizeof *links);
    size_t begin = w->n;
    links[0] = t->n_switches * t->ports + from;
    const int n = w->network->tables ? by_tables(w, from, to, links)
                                     : shortest(w, from, to, links, &w->pairs[pair].cut);
    free(links);
    if (w->n_links > MOST_LINKS)
      return hd_fail(err, HD_E_INPUT,
                     "the problem is too large: more than %d links on the ways of its messages; "
                     "--routes tables has one way for each pair",
                     MOST_LINKS);
    w->pairs[pair].first = begin;
    w->pairs[pair].n = (uint32_t)n;
    w->pairs[pair].known = true;
  }
  *first = w->pairs[pair].first;
  return (int)w->pairs[pair].n;
}

/* Returns the number of shortest ways from each switch to a node, at most MANY_WAYS. */
static const uint32_t *count_to(struct ways *w, uint32_t node)
{
  const struct hd_topology *t = w->network->topology;
  const uint16_t *d = distance_to(w, node);
  if (w->counts[node])
    return w->counts[node];
  uint32_t *counts = w->counts[node] = hd_xcalloc(t->n_switches, sizeof *counts);
  bool more = true;
  for (uint32_t distance = 1; more; distance++) {
    more = false;
    for (uint32_t sw = 0; sw < t->n_switches; sw++) {
      if (d[sw] != distance)
        continue;
      more = true;
      for (uint32_t link = sw * t->ports; link < (sw + 1) * t->ports; link++)
        if (distance > 1 && hd_ways_lead(w, link, node))
          counts[sw] += counts[t->peers[link].index];
      if (distance == 1)
        counts[sw] = 1;
      if (counts[sw] > MANY_WAYS)
        counts[sw] = MANY_WAYS;
    }
  }
  return counts;
}

uint32_t hd_ways_count(struct ways *w, uint32_t from, uint32_t to)
{
  return count_to(w, to)[w->network->topology->node_peers[from].index];
}

size_t hd_ways_add_numbered(struct ways *w, uint32_t from, uint32_t to, uint32_t number)
{
  const struct hd_topology *t = w->network->topology;
  const uint32_t *counts = count_to(w, to);
  struct hd_peer at = t->node_peers[from];
  uint32_t *links = hd_xmalloc((t->n_switches + 2) * sizeof *links), n = 0;
  links[n++] = t->n_switches * t->ports + from;
  while (at.kind == HD_PEER_SWITCH) {
    uint32_t link = at.index * t->ports;
    for (;; link++) {
      const bool leads = hd_ways_lead(w, link, to);
      const struct hd_peer *far = &t->peers[link];
      const uint32_t behind = !leads ? 0 : far->kind == HD_PEER_NODE ? 1 : counts[far->index];
      if (number < behind)
        break;
      number -= behind;
    }
    links[n++] = link;
    at = t->peers[link];
  }
  const size_t way = hd_ways_add(w, links, n);
  free(links);
  return way;
}

bool hd_ways_are_cut(const struct ways *w, uint32_t from, uint32_t to)
{
  return w->pairs[(size_t)from * w->network->topology->n_nodes + to].cut;
}

bool hd_ways_lead(const struct ways *w, uint32_t link, uint32_t to)
{
  const struct hd_topology *t = w->network->topology;
  const uint16_t *d = w->distance[to], here = d[link / t->ports];
  const struct hd_peer *peer = &t->peers[link];
  if (here == FAR || has_failed(w, link))
    return false;
  return here == 1 ? peer->kind == HD_PEER_NODE && peer->index == to
                   : peer->kind == HD_PEER_SWITCH && d[peer->index] + 1 == here;
}

size_t hd_ways_add(struct ways *w, const uint32_t *links, uint32_t n)
{
  append_way(w, links, n);
  return w->n - 1;
}

/* ── links that are taken ──────────────────────────────────────────────────── */

bool hd_way_is_free(const struct problem *p, size_t number)
{
  const struct way *way = &p->ways.all[number];
  for (uint32_t i = 0; i < way->n; i++)
    if (p->taken[p->ways.links[way->first + i]])
      return false;
  return true;
}

void hd_way_mark(struct problem *p, size_t number, bool taken)
{
  const struct way *way = &p->ways.all[number];
  for (uint32_t i = 0; i < way->n; i++)
    if (hd_way_link_counts(p->network, p->ways.links[way->first + i]))
      p->taken[p->ways.links[way->first + i]] = taken;
}
