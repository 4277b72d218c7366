/* Computes the latency that a packet would have if it were alone in the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "no_load.h"

enum { MOST_HOPS = 2048 };

static uint32_t larger(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* The links between the switches on a packet's way. */
struct links {
  uint32_t link;    /* cycles of a link that has no value of its own (LINK) */
  uint32_t longest; /* cycles of the longest link; 0: no link */
  uint64_t sum;
};

/* Returns the cycles of the link from one switch to the next, the shortest one if several links
 * connect them. */
static uint32_t link_between(const struct hd_topology *t, uint32_t from, uint32_t to, uint32_t link)
{
  uint32_t least = 0;
  for (uint32_t port = 0; port < t->ports; port++) {
    const struct hd_peer *peer = &t->peers[(size_t)from * t->ports + port];
    const uint32_t cycles = hd_topology_link_cycles(t, from, port, link);
    if (peer->kind == HD_PEER_SWITCH && peer->index == to && (!least || cycles < least))
      least = cycles;
  }
  return least;
}

static struct links links_of(const struct hd_topology *t, uint32_t link, const uint16_t *path,
                             uint32_t hops)
{
  struct links l = {link, hops > 1 ? link : 0, (uint64_t)link * (hops - 1)};
  if (!t->link_cycles)
    return l;
  l.sum = l.longest = 0;
  for (uint32_t i = 1; i < hops; i++) {
    const uint32_t cycles = link_between(t, path[i - 1], path[i], link);
    l.sum += cycles;
    l.longest = larger(l.longest, cycles);
  }
  return l;
}

/* Returns the cycles after which every sender on the way can use a buffer slot again (§4.5). */
static uint32_t slot_cycles(const struct hd_switch_params *sw, const struct links *l)
{
  uint32_t grant = sw->route_cycles + sw->arb_cycles;
  uint32_t in = 2 * l->link + grant + 1, out = sw->buffer_cycles + 2 * l->link + 2;
  return larger(larger(in, out), l->longest ? sw->buffer_cycles + 2 * l->longest + grant + 2 : 0);
}

uint64_t hd_no_load(const struct hd_scenario *s, const struct hd_topology *topology,
                    const struct hd_tables *tables, const struct hd_packet *packet, uint32_t number)
{
  uint16_t path[MOST_HOPS];
  const unsigned node_bits = hd_log2_ceil(s->sw.nodes);
  if (packet->raw_header || !packet->flits)
    return 0;
  const uint64_t header = hd_routing_header(tables->header_mode, tables->draws, topology, node_bits,
                                            packet->source, packet->destination, number);
  const int hops = hd_routing_path_by(tables, topology, packet->source,
                                      hd_routing_by(header, topology->n_nodes, node_bits),
                                      packet->destination, path, MOST_HOPS, NULL);
  if (hops <= 0)
    return 0;
  const uint32_t link = s->fabric.link_cycles, depth = s->sw.depth_flits, n = (uint32_t)hops,
                 more = packet->flits - 1;
  const uint32_t inside = s->sw.route_cycles + s->sw.arb_cycles + s->sw.buffer_cycles + 1;
  const struct links links = links_of(topology, link, path, n);
  return 2 * link + links.sum + (uint64_t)n * inside +
         (uint64_t)(more / depth) * larger(slot_cycles(&s->sw, &links), depth) + more % depth;
}
