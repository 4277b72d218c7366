/* Trees of multicast groups on a fabric (specification §13.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A link of the spanning tree is in a group's tree if both of its sides have members.
 */
#include "routing_cast.h"

#include "routing_build.h"

#include <stdlib.h>
#include <string.h>

/* Returns the switch above `sw`, and the port there: of the switches one link nearer to switch 0 the lowest number, by
 * its lowest port. */
static struct hd_peer parent_of(const struct hd_topology *t, const uint32_t *depth, uint32_t sw)
{
  struct hd_peer best = {.kind = HD_PEER_NONE};
  for (uint32_t port = 0; port < t->ports; port++) {
    const struct hd_peer far = t->peers[(size_t)sw * t->ports + port];
    const bool nearer = far.kind == HD_PEER_SWITCH && depth[far.index] + 1 == depth[sw];
    if (nearer && (best.kind == HD_PEER_NONE || far.index < best.index ||
                   (far.index == best.index && far.port < best.port)))
      best = far;
  }
  return best;
}

/* Joins each switch with the one above it, the farthest first. `below` counts the members at and below each switch. */
static void join_parents(const struct hd_topology *t, const uint32_t *depth, const uint32_t *queue,
                         uint32_t n, uint32_t *below, uint16_t *entries)
{
  for (uint32_t i = t->n_switches; i-- > 1;) {
    const uint32_t sw = queue[i];
    const struct hd_peer up = parent_of(t, depth, sw);
    below[up.index] += below[sw];
    if (!below[sw] || below[sw] == n)
      continue;
    entries[up.index] |= (uint16_t)(1u << up.port);
    entries[sw] |= (uint16_t)(1u << t->peers[(size_t)up.index * t->ports + up.port].port);
  }
}

int hd_cast_tree(const struct hd_topology *t, const uint32_t *members, uint32_t n,
                 uint16_t *entries, struct hd_error *err)
{
  if (hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT, "multicast, but links that go one way (§13.5)");
  uint32_t *words = calloc(3 * (size_t)t->n_switches, sizeof *words);
  if (!words)
    return hd_fail(err, HD_E_NOMEM, "no memory for a multicast tree of %u switches", t->n_switches);
  uint32_t *queue = words, *depth = words + t->n_switches, *below = words + 2 * t->n_switches;
  memset(entries, 0, t->n_switches * sizeof *entries);
  hd_routing_distances(t, 0, queue, depth);
  for (uint32_t i = 0; i < n; i++) {
    const struct hd_peer exit = t->node_exits[members[i]];
    entries[exit.index] |= (uint16_t)(1u << exit.port);
    below[exit.index]++;
  }
  join_parents(t, depth, queue, n, below, entries);
  free(words);
  return HD_OK;
}
