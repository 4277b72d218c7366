/* Shortest ways of any graph in layers of channels, spread over its links (§5.31).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A packet that goes up after it went down makes a turn and goes to the next layer. Within a layer there are no such
 * turns, so no cycle of channels can arise, and no packet returns to an earlier layer.
 */
#include "routing_build.h"

#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX
enum { ROOTS = 4, FEW_MORE = 1 }; /* that are tried; layers more than are needed, likewise */

struct layering {
  struct hd_tables *tables;
  const struct hd_topology *t;
  unsigned mask;
  uint32_t root, layers;
  uint32_t *depth;    /* depth of each switch below the root */
  uint32_t *distance; /* distance to the destination's switch */
  uint32_t *found;    /* switches from which the destination can be reached, the nearest first */
  uint32_t n_found;
  uint32_t
      *turns; /* twice the least turns that are ahead of a packet here, and 1 if it goes up next */
  uint32_t *sources; /* nodes whose packets come through this switch */
  uint32_t *from_above,
      *from_below; /* highest layer of packets that come by down links, by up links, plus 1; 0:
                    * none come */
  uint32_t *ways;  /* [switch][port]: pairs of nodes whose way uses this link */
  uint32_t most_turns, most_ways;
};

static const struct hd_peer *peer_of(const struct layering *l, uint32_t sw, uint32_t port)
{
  return &l->t->peers[(size_t)sw * l->t->ports + port];
}

static bool goes_up(const struct layering *l, uint32_t from, uint32_t to)
{
  return l->depth[to] < l->depth[from] || (l->depth[to] == l->depth[from] && to < from);
}

static bool is_nearer(const struct layering *l, uint32_t sw, uint32_t port)
{
  const struct hd_peer *far = peer_of(l, sw, port);
  return far->kind == HD_PEER_SWITCH && l->distance[far->index] != FAR &&
         l->distance[far->index] + 1 == l->distance[sw];
}

/* Returns the fewest turns that a packet on this link has ahead. */
static uint32_t turns_ahead(const struct layering *l, uint32_t from, uint32_t to)
{
  return l->turns[to] / 2 + (!goes_up(l, from, to) && l->turns[to] & 1);
}

static void look_ahead(struct layering *l)
{
  l->turns[l->found[0]] = 0;
  for (uint32_t i = 1; i < l->n_found; i++) {
    const uint32_t sw = l->found[i];
    l->turns[sw] = FAR;
    for (uint32_t port = 0; port < l->t->ports; port++) {
      const uint32_t far = peer_of(l, sw, port)->index;
      if (!is_nearer(l, sw, port))
        continue;
      const uint32_t turns = 2 * turns_ahead(l, sw, far) + goes_up(l, sw, far);
      if (turns < l->turns[sw])
        l->turns[sw] = turns;
    }
    if (l->turns[sw] / 2 > l->most_turns)
      l->most_turns = l->turns[sw] / 2;
  }
}

/* Returns the layer of packets that leave this switch by an up or a down link. All packets that come here must be
 * known. */
static uint32_t layer_of(const struct layering *l, uint32_t sw, bool up)
{
  const uint32_t above = l->from_above[sw] ? l->from_above[sw] - 1 + up : 0,
                 below = l->from_below[sw] ? l->from_below[sw] - 1 : 0;
  return above > below ? above : below;
}

/* Returns the port with the fewest ways among those that leave enough layers for the rest of the way. */
static uint32_t choose_port(const struct layering *l, uint32_t sw)
{
  uint32_t best = FAR, fewest = FAR;
  for (uint32_t port = 0; port < l->t->ports; port++) {
    const uint32_t far = peer_of(l, sw, port)->index, ways = l->ways[sw * l->t->ports + port];
    if (is_nearer(l, sw, port) && ways < fewest &&
        layer_of(l, sw, goes_up(l, sw, far)) + turns_ahead(l, sw, far) < l->layers) {
      best = port;
      fewest = ways;
    }
  }
  return best;
}

static void write_entry(struct layering *l, uint32_t sw, uint32_t port, uint32_t layer)
{
  const uint32_t far = peer_of(l, sw, port)->index;
  uint32_t *ways = &l->ways[sw * l->t->ports + port];
  uint32_t *from = goes_up(l, sw, far) ? &l->from_below[far] : &l->from_above[far];
  if (!l->sources[sw])
    return;
  *ways += l->sources[sw];
  l->sources[far] += l->sources[sw];
  if (*ways > l->most_ways)
    l->most_ways = *ways;
  if (layer + 1 > *from)
    *from = layer + 1;
}

/* Routes to one node, farthest switches first. So a switch is routed after all switches that send packets to it. */
static void route_to_node(struct layering *l, uint32_t node, bool write)
{
  const size_t bytes = l->t->n_switches * sizeof *l->sources;
  const struct hd_peer *exit = &l->t->node_exits[node];
  memset(l->sources, 0, bytes);
  memset(l->from_above, 0, bytes);
  memset(l->from_below, 0, bytes);
  for (uint32_t source = 0; source < l->t->n_nodes; source++)
    l->sources[l->t->node_peers[source].index]++;
  for (uint32_t i = l->n_found; i-- > 1;) {
    const uint32_t sw = l->found[i], port = choose_port(l, sw);
    if (port == FAR) /* too few layers: another root is tried, or the deadlock rule reports it */
      continue;
    const uint32_t layer = layer_of(l, sw, goes_up(l, sw, peer_of(l, sw, port)->index));
    write_entry(l, sw, port, layer);
    if (write)
      hd_table_row(l->tables->destination, l->tables, sw, 0)[node] =
          hd_table_entry(port, hd_class_mask(l->tables, l->mask, l->layers, layer));
  }
  if (write)
    hd_table_row(l->tables->destination, l->tables, exit->index, 0)[node] =
        hd_table_entry(exit->port, l->mask);
}

/* Routes to all nodes with this root. With 0 layers it only finds most_turns. */
static void route_all_nodes(struct layering *l, uint32_t root, uint32_t layers, bool write)
{
  uint32_t end = FAR;
  l->root = root;
  l->layers = layers;
  l->most_turns = l->most_ways = 0;
  hd_routing_distances(l->t, root, l->found, l->depth);
  memset(l->ways, 0, (size_t)l->t->n_switches * l->t->ports * sizeof *l->ways);
  for (uint32_t node = 0; node < l->t->n_nodes; node++) {
    if (l->t->node_exits[node].index != end) {
      end = l->t->node_exits[node].index;
      hd_routing_distances(l->t, end, l->found, l->distance);
      l->n_found = 0;
      for (uint32_t sw = 0; sw < l->t->n_switches; sw++)
        l->n_found += l->distance[sw] != FAR;
      look_ahead(l);
    }
    if (layers)
      route_to_node(l, node, write);
  }
}

/* Chooses the root and the number of layers that put the fewest ways on any link. *least: layers that are needed. */
static void choose(struct layering *l, uint32_t channels, uint32_t *root, uint32_t *layers,
                   uint32_t *least)
{
  uint32_t fewest = FAR;
  *root = 0;
  *least = FAR;
  for (uint32_t r = 0; r < ROOTS && r < l->t->n_switches; r++) {
    route_all_nodes(l, r, 0, false);
    const uint32_t needed = l->most_turns + 1;
    if (needed < *least) {
      *least = needed;
      *root = r;
    }
  }
  *layers = *least;
  for (uint32_t more = 0; more <= FEW_MORE && *least + more <= channels; more++)
    for (uint32_t r = 0; r < ROOTS && r < l->t->n_switches; r++) {
      route_all_nodes(l, r, *least + more, false);
      if (l->most_turns < *least + more && l->most_ways < fewest) {
        fewest = l->most_ways;
        *root = r;
        *layers = *least + more;
      }
    }
}

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  const size_t n = t->n_switches;
  struct layering l = {.tables = tables, .t = t, .mask = mask};
  uint32_t *words = malloc((7 + t->ports) * n * sizeof *words), root, layers, least;
  if (!words)
    return hd_fail(err, HD_E_NOMEM, "out of memory for routing");
  l.depth = words;
  l.distance = words + n;
  l.found = words + 2 * n;
  l.turns = words + 3 * n;
  l.sources = words + 4 * n;
  l.from_above = words + 5 * n;
  l.from_below = words + 6 * n;
  l.ways = words + 7 * n;
  choose(&l, tables->packet_vcs, &root, &layers, &least);
  tables->least_vcs += least - 1;
  route_all_nodes(&l, root, layers, true);
  free(words);
  for (uint32_t sw = 0; sw < n; sw++)
    for (uint32_t port = 1; port < t->ports; port++)
      memcpy(hd_table_row(tables->destination, tables, sw, port),
             hd_table_row(tables->destination, tables, sw, 0),
             t->n_nodes * sizeof *tables->destination);
  return HD_OK;
}

const struct hd_routing_descriptor hd_routing_kind_layered = {
    .name = "layered",
    .help = "a shortest way, spread over the links; where it goes up again, in a further layer of "
            "channels",
    .section = "5.31",
    .fill = fill,
};
