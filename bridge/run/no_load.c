/* The latency that a packet would have alone in the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "no_load.h"

enum { MOST_HOPS = 2048 };

static uint32_t larger(uint32_t a, uint32_t b)
{
  return a > b ? a : b;
}

/* §4.5: cycles after which a sender can use a slot again, the most on the way. */
static uint32_t slot_cycles(const struct hd_switch_params *sw, uint32_t link, uint32_t hops)
{
  uint32_t grant = sw->route_cycles + sw->arb_cycles;
  uint32_t in = 2 * link + grant + 1, out = sw->buffer_cycles + 2 * link + 2;
  return larger(larger(in, out), hops > 1 ? sw->buffer_cycles + 2 * link + grant + 2 : 0);
}

uint64_t hd_no_load(const struct hd_scenario *s, const struct hd_topology *topology,
                    const struct hd_tables *tables, const struct hd_packet *packet, uint32_t number)
{
  uint16_t path[MOST_HOPS];
  const unsigned node_bits = hd_log2_ceil(s->sw.nodes);
  if (packet->raw_header || !packet->flits)
    return 0;
  const uint64_t header = hd_routing_header(tables->header_mode, topology->n_nodes, node_bits,
                                            packet->source, packet->destination, number);
  const int hops = hd_routing_path_by(tables, topology, packet->source,
                                      hd_routing_by(header, topology->n_nodes, node_bits),
                                      packet->destination, path, MOST_HOPS, NULL);
  if (hops <= 0)
    return 0;
  const uint32_t link = s->fabric.link_cycles, depth = s->sw.depth_flits, n = (uint32_t)hops,
                 more = packet->flits - 1;
  const uint32_t hop = s->sw.route_cycles + s->sw.arb_cycles + s->sw.buffer_cycles + 1 + link;
  return link + (uint64_t)n * hop +
         (uint64_t)(more / depth) * larger(slot_cycles(&s->sw, link, n), depth) + more % depth;
}
