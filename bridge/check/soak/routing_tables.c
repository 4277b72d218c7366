/* Writes routing tables for graph files (specification §5.27). They follow from the graph, so shrinking keeps no tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include "../../report/report_topo.h"

#include <stdlib.h>
#include <string.h>

enum { NO_PORT = 0xff };

/* Returns the port of a switch that leads to another switch. */
static uint8_t port_to(const struct hd_topology *t, uint32_t sw, uint32_t other)
{
  for (uint32_t p = 0; p < t->ports; p++)
    if (t->peers[sw * t->ports + p].kind == HD_PEER_SWITCH &&
        t->peers[sw * t->ports + p].index == other)
      return (uint8_t)p;
  return NO_PORT;
}

/* Searches breadth-first from `root`: gives each switch its distance in links, and the next switch on the way to `root`. */
static void search_breadth_first(const struct hd_topology *t, uint32_t root, uint16_t *next,
                                 uint16_t *distance, uint16_t *queue)
{
  uint32_t head = 0, tail = 0;
  memset(distance, 0xff, t->n_switches * sizeof *distance);
  queue[tail++] = (uint16_t)root;
  distance[root] = 0;
  while (head < tail) {
    uint32_t sw = queue[head++];
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *far = &t->peers[sw * t->ports + p];
      if (far->kind != HD_PEER_SWITCH || distance[far->index] != UINT16_MAX)
        continue;
      distance[far->index] = (uint16_t)(distance[sw] + 1);
      next[far->index] = (uint16_t)sw;
      queue[tail++] = far->index;
    }
  }
}

/* Fills in port sets with all ports on shortest paths. The escape path is a tree of links, on channel 0 alone. */
static void fill_port_sets(const struct soak_case *c, const struct hd_topology *t,
                           struct hd_tables *tables, uint16_t *words)
{
  const uint32_t n = t->n_switches, packet_vcs = c->sw.vcs - hd_switch_reserved_vcs(&c->sw);
  uint16_t *parent = words, *next = words + n, *distance = words + 2 * n, *queue = words + 3 * n;
  search_breadth_first(t, 0, parent, distance, queue);
  tables->adapt = (uint8_t)((1u << packet_vcs) - 2);
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    const struct hd_peer *exit = &t->node_exits[node];
    search_breadth_first(t, exit->index, next, distance, queue);
    memcpy(next, parent, n * sizeof *next);
    for (uint32_t at = exit->index, up; at;
         at = up) { /* switches above the exit send down the tree */
      up = parent[at];
      next[up] = (uint16_t)at;
    }
    for (uint32_t sw = 0; sw < n; sw++) {
      bool there = sw == exit->index;
      unsigned set = there ? 1u << exit->port : 0;
      for (uint32_t p = 0; p < t->ports && !there; p++) {
        const struct hd_peer *far = &t->peers[sw * t->ports + p];
        if (far->kind == HD_PEER_SWITCH && distance[far->index] < distance[sw])
          set |= 1u << p;
      }
      uint16_t entry = there ? hd_table_entry(exit->port, (1u << c->sw.vcs) - 1)
                             : hd_table_entry(port_to(t, sw, next[sw]), 1);
      for (uint32_t p = 0; p < t->ports; p++) {
        size_t i = ((size_t)sw * t->ports + p) * t->n_nodes + node;
        tables->destination[i] = entry;
        tables->sets[i] = (uint16_t)set;
      }
    }
  }
}

void hd_soak_write_tables(const struct soak_case *c, const char *links, size_t length, FILE *f)
{
  struct hd_topology t;
  struct hd_tables tables = {0};
  struct hd_text text = {0};
  if (hd_topology_graph(&t, links, length, "graph", NULL))
    return;
  int status = hd_routing_build(&tables, &t, HD_ROUTE_UP_DOWN, false, soak_network_vcs(c),
                                hd_switch_reserved_vcs(&c->sw), NULL);
  uint16_t *words = calloc(4 * (size_t)t.n_switches, sizeof *words);
  if (!status && hd_switch_has_sets(&c->sw)) {
    tables.sets = calloc((size_t)t.n_switches * t.ports * t.n_nodes, sizeof *tables.sets);
    status = !tables.sets || !words;
    if (!status)
      fill_port_sets(c, &t, &tables, words);
  }
  if (!status)
    hd_topo_routes(&t, &tables, soak_network_vcs(c), &text);
  if (text.chars)
    fputs(text.chars, f);
  free(words);
  free(text.chars);
  hd_tables_fini(&tables);
  hd_topology_fini(&t);
}
