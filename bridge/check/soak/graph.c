/* Draws random connected graphs, and removes links, nodes and switches from them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include <string.h>

struct ports {
  uint32_t most;
  uint16_t taken[SOAK_MAX_SWITCHES];
};

static uint32_t free_ports(const struct ports *p, uint32_t sw)
{
  return p->most - (uint32_t)__builtin_popcount(p->taken[sw]);
}

/* Takes any free port of a switch. */
static uint8_t take_port(struct ports *p, struct hd_random *r, uint32_t sw)
{
  for (;;) {
    uint32_t port = soak_between(r, 0, p->most - 1);
    if (p->taken[sw] >> port & 1)
      continue;
    p->taken[sw] = (uint16_t)(p->taken[sw] | 1u << port);
    return (uint8_t)port;
  }
}

/* Picks a switch below `n` with a free port, but not switch `other`; n: there is none. */
static uint32_t pick_switch(const struct ports *p, struct hd_random *r, uint32_t n, uint32_t other)
{
  uint32_t start = soak_between(r, 0, n - 1);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t sw = (start + i) % n;
    if (sw != other && free_ports(p, sw))
      return sw;
  }
  return n;
}

static void add_link(struct soak_graph *g, struct ports *p, struct hd_random *r, uint32_t a,
                     uint32_t b)
{
  g->links[g->n_links].a = (uint16_t)a;
  g->links[g->n_links].b = (uint16_t)b;
  g->links[g->n_links].a_port = take_port(p, r, a);
  g->links[g->n_links].b_port = take_port(p, r, b);
  g->n_links++;
}

static void add_node(struct soak_graph *g, struct ports *p, struct hd_random *r, uint32_t sw)
{
  g->nodes[g->n_nodes].sw = (uint16_t)sw;
  g->nodes[g->n_nodes].port = take_port(p, r, sw);
  g->n_nodes++;
}

void hd_soak_graph_draw(struct soak_graph *g, struct hd_random *r, uint32_t ports,
                        uint32_t max_switches, uint32_t max_nodes)
{
  struct ports p = {.most = ports};
  memset(g, 0, sizeof *g);
  g->n_switches = soak_between(r, 1, max_switches);
  for (uint32_t sw = 1; sw < g->n_switches; sw++)
    add_link(g, &p, r, pick_switch(&p, r, sw, sw), sw); /* a tree always leaves two ports free */
  for (int i = 0; i < 2; i++)
    add_node(g, &p, r, pick_switch(&p, r, g->n_switches, g->n_switches));
  uint32_t more_nodes = soak_between(r, 0, max_nodes - 2);
  uint32_t more_links = soak_between(r, 0, g->n_switches * (ports - 1) / 2);
  while (more_nodes || more_links) {
    bool link = soak_between(r, 1, more_nodes + more_links) <= more_links;
    uint32_t a = pick_switch(&p, r, g->n_switches, g->n_switches);
    if (a == g->n_switches)
      break;
    if (link) {
      uint32_t b = pick_switch(&p, r, g->n_switches, a);
      more_links--;
      if (b < g->n_switches && g->n_links < SOAK_MAX_LINKS)
        add_link(g, &p, r, a, b);
    } else {
      more_nodes--;
      add_node(g, &p, r, a);
    }
  }
}

uint32_t hd_soak_graph_ports(const struct soak_graph *g)
{
  uint32_t most = 1;
  for (uint32_t i = 0; i < g->n_links; i++) {
    most = g->links[i].a_port > most ? g->links[i].a_port : most;
    most = g->links[i].b_port > most ? g->links[i].b_port : most;
  }
  for (uint32_t i = 0; i < g->n_nodes; i++)
    most = g->nodes[i].port > most ? g->nodes[i].port : most;
  return most + 1;
}

static bool is_connected(const struct soak_graph *g)
{
  uint64_t seen = 1, before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t i = 0; i < g->n_links; i++) {
      uint64_t ends = UINT64_C(1) << g->links[i].a | UINT64_C(1) << g->links[i].b;
      if (seen & ends)
        seen |= ends;
    }
  }
  return (uint32_t)__builtin_popcountll(seen) == g->n_switches;
}

bool hd_soak_graph_drop_link(struct soak_graph *g, uint32_t link)
{
  struct soak_graph without = *g;
  if (link >= g->n_links)
    return false;
  without.n_links--;
  memmove(&without.links[link], &without.links[link + 1],
          (without.n_links - link) * sizeof *without.links);
  if (!is_connected(&without))
    return false;
  *g = without;
  return true;
}

bool hd_soak_graph_drop_node(struct soak_graph *g, uint32_t node)
{
  if (g->n_nodes <= 2 || node >= g->n_nodes)
    return false;
  g->n_nodes--;
  memmove(&g->nodes[node], &g->nodes[node + 1], (g->n_nodes - node) * sizeof *g->nodes);
  return true;
}

bool hd_soak_graph_drop_switch(struct soak_graph *g, uint32_t sw)
{
  struct soak_graph without = {.n_switches = g->n_switches - 1};
  if (g->n_switches < 2 || sw >= g->n_switches)
    return false;
  for (uint32_t i = 0; i < g->n_links; i++) {
    if (g->links[i].a == sw || g->links[i].b == sw)
      continue;
    without.links[without.n_links] = g->links[i];
    without.links[without.n_links].a = (uint16_t)(g->links[i].a - (g->links[i].a > sw));
    without.links[without.n_links].b = (uint16_t)(g->links[i].b - (g->links[i].b > sw));
    without.n_links++;
  }
  for (uint32_t i = 0; i < g->n_nodes; i++) {
    if (g->nodes[i].sw == sw)
      continue;
    without.nodes[without.n_nodes] = g->nodes[i];
    without.nodes[without.n_nodes].sw = (uint16_t)(g->nodes[i].sw - (g->nodes[i].sw > sw));
    without.n_nodes++;
  }
  if (without.n_nodes < 2 || !is_connected(&without))
    return false;
  *g = without;
  return true;
}

void hd_soak_graph_pack_ports(struct soak_graph *g)
{
  uint8_t next[SOAK_MAX_SWITCHES] = {0};
  for (uint32_t i = 0; i < g->n_nodes; i++)
    g->nodes[i].port = next[g->nodes[i].sw]++;
  for (uint32_t i = 0; i < g->n_links; i++) {
    g->links[i].a_port = next[g->links[i].a]++;
    g->links[i].b_port = next[g->links[i].b]++;
  }
}
