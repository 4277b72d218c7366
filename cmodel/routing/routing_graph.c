/* Up-and-down and shortest-way routing on any topology (§5.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both work backwards from each destination's switch. They find distances first. Then every switch takes the lowest
 * port whose far end is one link nearer; parallel links take turns. A block of destinations is finished before the
 * tables are written, because the entries of a row are neighbours in memory.
 */
#include "routing_build.h"
#include "routing_dead.h"

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX
enum { BLOCK = 32, NO_PORT = 0xff };

struct search {
  struct hd_tables *tables;
  const struct hd_topology *t;
  const struct hd_dead *dead;
  unsigned mask;
  bool legal_only; /* up*, then down*; otherwise any shortest way */
  bool parallel;   /* some switches are joined by several links */
  uint32_t *depth; /* depth in the breadth-first tree from switch 0 */
  uint32_t *order; /* switches by depth, then number: the upper end of a link comes before the lower
                    * one */
  uint32_t *down;  /* distance by down links only, FAR: none */
  uint32_t *any;   /* distance by a legal way */
  uint32_t *queue;
  uint8_t *any_port, *down_port; /* [node of the block][switch] */
};

static const struct hd_peer *peers_of(const struct search *s, uint32_t sw)
{
  return s->t->peers + (size_t)sw * s->t->ports;
}

/* Returns the switch at the far end of a port; FAR if there is none, or it has failed. */
static uint32_t neighbour(const struct search *s, uint32_t sw, uint32_t port)
{
  const struct hd_peer *peer = &peers_of(s, sw)[port];
  return peer->kind == HD_PEER_SWITCH && hd_link_lives(s->t, s->dead, sw, port) ? peer->index : FAR;
}

/* Returns the switch that sends to a port; FAR if there is none, or it has failed. */
static uint32_t sender_to(const struct search *s, uint32_t sw, uint32_t port)
{
  const struct hd_peer *peer = &s->t->senders[(size_t)sw * s->t->ports + port];
  bool lives = !s->dead || hd_link_lives(s->t, s->dead, sw, port);
  return peer->kind == HD_PEER_SWITCH && lives ? peer->index : FAR;
}

/* Returns true if a link from a to b goes up: b is nearer to the root or, at the same depth, has the lower number. */
static bool goes_up(const struct search *s, uint32_t a, uint32_t b)
{
  return s->depth[b] < s->depth[a] || (s->depth[b] == s->depth[a] && b < a);
}

/* Finds the distances to `root`; with `down_only`, on ways of down links only. */
static void find_distances_to(const struct search *s, uint32_t root, bool down_only,
                              uint32_t *distance)
{
  uint32_t head = 0, tail = 0;
  for (uint32_t sw = 0; sw < s->t->n_switches; sw++)
    distance[sw] = FAR;
  distance[root] = 0;
  s->queue[tail++] = root;
  while (head < tail) {
    uint32_t sw = s->queue[head++];
    for (uint32_t p = 0; p < s->t->ports; p++) {
      uint32_t far = sender_to(s, sw, p);
      if (far != FAR && distance[far] == FAR && !(down_only && goes_up(s, far, sw))) {
        distance[far] = distance[sw] + 1;
        s->queue[tail++] = far;
      }
    }
  }
}

void hd_routing_distances(const struct hd_topology *t, uint32_t root, uint32_t *queue,
                          uint32_t *distance)
{
  const struct search s = {.t = t, .queue = queue};
  find_distances_to(&s, root, false, distance);
}

/* Finds legal distances from the down distances. In `order` every switch follows all switches above it, so one pass is
 * enough. */
static void find_up_distances(const struct search *s)
{
  for (uint32_t i = 0; i < s->t->n_switches; i++) {
    uint32_t sw = s->order[i], best = s->down[sw];
    for (uint32_t p = 0; p < s->t->ports; p++) {
      uint32_t far = neighbour(s, sw, p);
      if (far != FAR && goes_up(s, sw, far) && s->any[far] != FAR && s->any[far] + 1 < best)
        best = s->any[far] + 1;
    }
    s->any[sw] = best;
  }
}

/* Returns the port that the node takes among the parallel links that lead to the far end of `port`. */
static uint8_t share_parallel_links(const struct search *s, uint32_t sw, uint8_t port,
                                    uint32_t node)
{
  const uint32_t far = neighbour(s, sw, port);
  uint32_t n = 0, p = port;
  for (uint32_t q = port; q < s->t->ports; q++)
    n += neighbour(s, sw, q) == far;
  for (uint32_t turn = node % n; turn; turn--)
    do
      p++;
    while (neighbour(s, sw, p) != far);
  return (uint8_t)p;
}

/* Sets the output ports of all switches for a node. The distances are those to the node's switch. */
static void choose_ports(const struct search *s, uint32_t node, uint8_t *any_port,
                         uint8_t *down_port)
{
  struct hd_peer at = s->t->node_exits[node];
  bool cut_off = !hd_link_lives(s->t, s->dead, at.index, at.port);
  for (uint32_t sw = 0; sw < s->t->n_switches; sw++) {
    any_port[sw] = down_port[sw] = NO_PORT;
    if (sw == at.index && !cut_off)
      any_port[sw] = down_port[sw] = at.port;
    if (sw == at.index || cut_off)
      continue;
    for (uint32_t p = s->t->ports; p-- > 0;) {
      uint32_t far = neighbour(s, sw, p);
      if (far == FAR)
        continue;
      bool down = s->legal_only && !goes_up(s, sw, far);
      uint32_t rest = down ? s->down[far] : s->any[far];
      if (rest != FAR && rest + 1 == s->any[sw])
        any_port[sw] = (uint8_t)p;
      if (down && rest != FAR && rest + 1 == s->down[sw])
        down_port[sw] = (uint8_t)p;
    }
    if (s->parallel && any_port[sw] != NO_PORT)
      any_port[sw] = share_parallel_links(s, sw, any_port[sw], node);
    if (s->parallel && down_port[sw] != NO_PORT)
      down_port[sw] = share_parallel_links(s, sw, down_port[sw], node);
  }
}

/* Writes the tables for a block of nodes. A packet that came by a down link may only go on down. */
static void write_block(const struct search *s, uint32_t first, uint32_t n)
{
  size_t switches = s->t->n_switches;
  for (uint32_t sw = 0; sw < switches; sw++)
    for (uint32_t p = 0; p < s->t->ports; p++) {
      const struct hd_peer *peer = &s->t->senders[sw * s->t->ports + p];
      bool down = s->legal_only && peer->kind == HD_PEER_SWITCH && !goes_up(s, peer->index, sw);
      const uint8_t *ports = down ? s->down_port : s->any_port;
      uint16_t *row = hd_table_row(s->tables->destination, s->tables, sw, p) + first;
      for (uint32_t i = 0; i < n; i++)
        if (ports[i * switches + sw] != NO_PORT)
          row[i] = hd_table_entry(ports[i * switches + sw], s->mask);
    }
}

static int compare_numbers(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int sort_switches(const struct search *s)
{
  uint32_t n = s->t->n_switches;
  uint64_t *keys = malloc(n * sizeof *keys);
  if (!keys)
    return HD_E_NOMEM;
  for (uint32_t sw = 0; sw < n; sw++)
    keys[sw] = (uint64_t)s->depth[sw] << 32 | sw;
  qsort(keys, n, sizeof *keys, compare_numbers);
  for (uint32_t i = 0; i < n; i++)
    s->order[i] = (uint32_t)keys[i];
  free(keys);
  return 0;
}

static bool has_parallel_links(const struct search *s)
{
  for (uint32_t sw = 0; sw < s->t->n_switches; sw++)
    for (uint32_t p = 0; p < s->t->ports; p++)
      for (uint32_t q = 0; q < p; q++)
        if (neighbour(s, sw, p) != FAR && neighbour(s, sw, p) == neighbour(s, sw, q))
          return true;
  return false;
}

static void find_distances(const struct search *s)
{
  uint32_t root = FAR;
  size_t switches = s->t->n_switches;
  for (uint32_t first = 0; first < s->t->n_nodes; first += BLOCK) {
    uint32_t n = s->t->n_nodes - first < BLOCK ? s->t->n_nodes - first : BLOCK;
    for (uint32_t i = 0; i < n; i++) {
      if (s->t->node_exits[first + i].index != root) {
        root = s->t->node_exits[first + i].index;
        find_distances_to(s, root, s->legal_only, s->legal_only ? s->down : s->any);
        if (s->legal_only)
          find_up_distances(s);
      }
      choose_ports(s, first + i, s->any_port + i * switches, s->down_port + i * switches);
    }
    write_block(s, first, n);
  }
}

int hd_routing_graph(struct hd_tables *tables, const struct hd_topology *t,
                     const struct hd_dead *dead, bool legal_only, unsigned mask,
                     struct hd_error *err)
{
  size_t n = t->n_switches;
  struct search s = {.tables = tables, .t = t, .mask = mask, .legal_only = legal_only};
  uint32_t *words = malloc(5 * n * sizeof *words);
  uint8_t *bytes = malloc(2 * BLOCK * n);
  int status = HD_E_NOMEM;
  if (words && bytes) {
    s.depth = words;
    s.order = words + n;
    s.down = words + 2 * n;
    s.any = words + 3 * n;
    s.queue = words + 4 * n;
    s.any_port = bytes;
    s.down_port = bytes + BLOCK * n;
    find_distances_to(&s, 0, false,
                      s.depth); /* of the whole graph: up stays up after a fault (§5.10) */
    s.dead = dead;
    s.parallel = has_parallel_links(&s);
    status = sort_switches(&s);
  }
  if (status)
    hd_fail(err, status, "out of memory for routing");
  else
    find_distances(&s);
  free(words);
  free(bytes);
  return status;
}

static int fill_up_down(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                        unsigned mask, struct hd_error *err)
{
  (void)always_top;
  if (hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT,
                   "up-down routing is for links in both directions, and some go one way; legal: "
                   "shortest");
  return hd_routing_graph(tables, t, NULL, true, mask, err);
}

static int fill_shortest(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                         unsigned mask, struct hd_error *err)
{
  (void)always_top;
  return hd_routing_graph(tables, t, NULL, false, mask, err);
}

const struct hd_routing_descriptor hd_routing_kind_up_down = {
    .name = "up-down",
    .help = "up a breadth-first tree, then down; around failed links, too",
    .section = "5.5",
    .family = HD_FAMILY_BOTH_WAYS,
    .goes_around = true,
    .fill = fill_up_down,
};

const struct hd_routing_descriptor hd_routing_kind_shortest = {
    .name = "shortest",
    .help = "a shortest way; it may deadlock, then the deadlock check refuses it",
    .section = "5.5",
    .fill = fill_shortest,
};
