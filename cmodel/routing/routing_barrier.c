/* Ways of barrier messages: up and down from a root in the middle (§5.7).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The barrier table knows the destination alone, not the port by which a message came. So a message that can go
 * down must go down. Then a switch that got it by a down link sends it down again, and no way goes up after it went
 * down.
 */
#include "routing_barrier.h"

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX

struct climb {
  const struct hd_topology *t;
  const struct hd_dead *dead;
  uint32_t *depth; /* depth below the root of its part of the network */
  uint32_t *order; /* living switches by depth, then number: the upper end of a link comes before
                    * the lower one */
  uint32_t n_order;
  uint32_t *length;   /* length of a way to the present destination, FAR: none */
  uint8_t *down;      /* the way has only down links */
  uint32_t *distance; /* distances of a plain search */
  uint32_t *queue;
};

static bool dead_switch(const struct climb *c, uint32_t sw)
{
  return !hd_switch_lives(c->dead, sw);
}

/* Returns the switch at the far end of a port; FAR if there is none, or if it cannot be reached. */
static uint32_t neighbour(const struct climb *c, uint32_t sw, uint32_t port)
{
  const struct hd_peer *peer = &c->t->peers[(size_t)sw * c->t->ports + port];
  return peer->kind == HD_PEER_SWITCH && hd_link_lives(c->t, c->dead, sw, port) ? peer->index : FAR;
}

/* Writes the distances from a living switch into c->distance, and the switches that were reached into c->queue. Returns
 * how many there are; *farthest gets the largest distance. */
static uint32_t find_distances_from(const struct climb *c, uint32_t from, uint32_t *farthest)
{
  uint32_t head = 0, tail = 0;
  memset(c->distance, 0xff, c->t->n_switches * sizeof *c->distance);
  c->distance[from] = 0;
  c->queue[tail++] = from;
  while (head < tail) {
    uint32_t sw = c->queue[head++];
    for (uint32_t p = 0; p < c->t->ports; p++) {
      uint32_t far = neighbour(c, sw, p);
      if (far == FAR || c->distance[far] != FAR)
        continue;
      c->distance[far] = c->distance[sw] + 1;
      c->queue[tail++] = far;
    }
  }
  *farthest = c->distance[c->queue[tail - 1]];
  return tail;
}

/* Sets the depths below the root of each part of the network. The root is the switch with the least eccentricity, the
 * lowest number among equals. */
static void settle_depths(const struct climb *c, const uint32_t *eccentricity)
{
  uint32_t n = c->t->n_switches, farthest;
  memset(c->depth, 0xff, n * sizeof *c->depth);
  for (uint32_t sw = 0; sw < n; sw++) {
    if (dead_switch(c, sw) || c->depth[sw] != FAR)
      continue;
    uint32_t root = sw, members = find_distances_from(c, sw, &farthest);
    for (uint32_t i = 0; i < members; i++) {
      uint32_t other = c->queue[i];
      if (eccentricity[other] < eccentricity[root] ||
          (eccentricity[other] == eccentricity[root] && other < root))
        root = other;
    }
    members = find_distances_from(c, root, &farthest);
    for (uint32_t i = 0; i < members; i++)
      c->depth[c->queue[i]] = c->distance[c->queue[i]];
  }
}

static void sort_by_depth(struct climb *c)
{
  /* A counting sort: a depth is below n. The counts are in c->distance. */
  uint32_t n = c->t->n_switches, sum = 0;
  memset(c->distance, 0, n * sizeof *c->distance);
  for (uint32_t sw = 0; sw < n; sw++)
    if (c->depth[sw] != FAR)
      c->distance[c->depth[sw]]++;
  for (uint32_t d = 0; d < n; d++) {
    uint32_t count = c->distance[d];
    c->distance[d] = sum;
    sum += count;
  }
  for (uint32_t sw = 0; sw < n; sw++)
    if (c->depth[sw] != FAR)
      c->order[c->distance[c->depth[sw]]++] = sw;
  c->n_order = sum;
}

/* Returns true if a link from a to b goes up: b is nearer to the root or, at the same depth, has the lower number. */
static bool goes_up(const struct climb *c, uint32_t a, uint32_t b)
{
  return c->depth[b] < c->depth[a] || (c->depth[b] == c->depth[a] && b < a);
}

/* First finds from below which switches can go down to `to`. Then goes through the others from above: they must go up
 * first, and the switches above them have their lengths by then. */
static void find_lengths_to(const struct climb *c, uint32_t to)
{
  uint32_t head = 0, tail = 0;
  memset(c->length, 0xff, c->t->n_switches * sizeof *c->length);
  memset(c->down, 0, c->t->n_switches);
  c->length[to] = 0;
  c->down[to] = 1;
  c->queue[tail++] = to;
  while (head < tail) {
    uint32_t sw = c->queue[head++];
    for (uint32_t p = 0; p < c->t->ports; p++) {
      uint32_t far = neighbour(c, sw, p);
      if (far == FAR || c->down[far] || !goes_up(c, sw, far))
        continue;
      c->length[far] = c->length[sw] + 1;
      c->down[far] = 1;
      c->queue[tail++] = far;
    }
  }
  for (uint32_t i = 0; i < c->n_order; i++) {
    uint32_t sw = c->order[i];
    for (uint32_t p = 0; !c->down[sw] && p < c->t->ports; p++) {
      uint32_t far = neighbour(c, sw, p);
      if (far != FAR && goes_up(c, sw, far) && c->length[far] != FAR &&
          c->length[far] + 1 < c->length[sw])
        c->length[sw] = c->length[far] + 1;
    }
  }
}

static uint16_t ports_towards(const struct climb *c, uint32_t sw)
{
  unsigned mask = 0;
  if (c->length[sw] == FAR || c->length[sw] == 0)
    return 0;
  for (uint32_t p = 0; p < c->t->ports; p++) {
    uint32_t far = neighbour(c, sw, p);
    if (far == FAR || c->length[far] == FAR || c->length[far] + 1 != c->length[sw])
      continue;
    if (goes_up(c, sw, far) ? !c->down[sw] : c->down[sw] && c->down[far])
      mask |= 1u << p;
  }
  return (uint16_t)mask;
}

static int climb_init(struct climb *c, const struct hd_topology *t, const struct hd_dead *dead,
                      struct hd_error *err)
{
  size_t n = t->n_switches;
  *c = (struct climb){.t = t, .dead = dead};
  uint32_t *words = malloc(5 * n * sizeof *words + n);
  if (!words)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the ways of barrier messages");
  c->depth = words;
  c->order = words + n;
  c->length = words + 2 * n;
  c->distance = words + 3 * n;
  c->queue = words + 4 * n;
  c->down = (uint8_t *)(words + 5 * n);
  return 0;
}

static void measure_eccentricities(const struct climb *c, uint32_t *eccentricity)
{
  for (uint32_t sw = 0; sw < c->t->n_switches; sw++) {
    eccentricity[sw] = FAR;
    if (!dead_switch(c, sw))
      find_distances_from(c, sw, &eccentricity[sw]);
  }
}

int hd_barrier_eccentricities(const struct hd_topology *t, const struct hd_dead *dead,
                              uint32_t *eccentricity, struct hd_error *err)
{
  struct climb c;
  int status = climb_init(&c, t, dead, err);
  if (status)
    return status;
  measure_eccentricities(&c, eccentricity);
  free(c.depth);
  return 0;
}

int hd_barrier_ways_build(struct hd_barrier_ways *ways, const struct hd_topology *t,
                          const struct hd_dead *dead, struct hd_error *err)
{
  struct climb c;
  uint32_t n = t->n_switches;
  *ways = (struct hd_barrier_ways){.n_switches = n};
  if (n > HD_MAX_BARRIER_SWITCHES)
    return hd_fail(err, HD_E_INPUT, "%u switches, but barrier messages can address at most %d", n,
                   HD_MAX_BARRIER_SWITCHES);
  int status = climb_init(&c, t, dead, err);
  if (status)
    return status;
  ways->masks = calloc((size_t)n * n, sizeof *ways->masks);
  if (!ways->masks) {
    free(c.depth);
    return hd_fail(err, HD_E_NOMEM, "out of memory for the ways between %u switches", n);
  }
  measure_eccentricities(&c, c.length);
  settle_depths(&c, c.length);
  sort_by_depth(&c);
  for (uint32_t to = 0; to < n; to++) {
    if (dead_switch(&c, to))
      continue;
    find_lengths_to(&c, to);
    for (uint32_t i = 0; i < c.n_order; i++) {
      uint32_t sw = c.order[i];
      ways->masks[(size_t)sw * n + to] = ports_towards(&c, sw);
    }
  }
  free(c.depth);
  return 0;
}

void hd_barrier_ways_fini(struct hd_barrier_ways *ways)
{
  free(ways->masks);
  *ways = (struct hd_barrier_ways){0};
}

int hd_barrier_middle(const struct hd_topology *t, const struct hd_dead *dead,
                      const uint32_t *switches, uint32_t n, uint32_t *place, struct hd_error *err)
{
  struct climb c;
  uint32_t best = FAR, farthest;
  int status = climb_init(&c, t, dead, err);
  if (status)
    return status;
  *place = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t most = 0;
    if (dead_switch(&c, switches[i]))
      continue;
    find_distances_from(&c, switches[i], &farthest);
    for (uint32_t j = 0; j < n; j++)
      if (c.distance[switches[j]] > most)
        most = c.distance[switches[j]];
    if (most < best) {
      best = most;
      *place = i;
    }
  }
  free(c.depth);
  return 0;
}
