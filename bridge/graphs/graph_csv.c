/* Writes the links of a fabric as a graph file in CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graphs.h"

static bool same_end(const struct hd_peer *a, const struct hd_peer *b)
{
  return a->kind == b->kind && a->index == b->index && a->port == b->port;
}

void hd_graph_for_links(const struct hd_topology *t,
                        void (*each)(void *context, const struct hd_graph_link *link),
                        void *context)
{
  for (uint32_t n = 0; n < t->n_nodes; n++) {
    struct hd_peer node = {HD_PEER_NODE, 0, (uint16_t)n};
    struct hd_graph_link in = {node, t->node_peers[n], false, 0},
                         out = {t->node_exits[n], node, true, 0};
    in.one_way = !same_end(&in.b, &out.a);
    each(context, &in);
    if (in.one_way)
      each(context, &out);
  }
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    for (uint32_t p = 0; p < t->ports; p++) {
      const struct hd_peer *peer = &t->peers[(size_t)sw * t->ports + p];
      struct hd_graph_link l = {{HD_PEER_SWITCH, (uint8_t)p, (uint16_t)sw}, *peer, false, 0};
      l.one_way = !same_end(peer, &t->senders[(size_t)sw * t->ports + p]);
      l.cycles = hd_topology_link_cycles(t, sw, p, 0);
      if (peer->kind == HD_PEER_SWITCH &&
          (l.one_way || peer->index > sw || (peer->index == sw && peer->port > p)))
        each(context, &l);
    }
}

static void csv_end(struct hd_text *text, const struct hd_peer *end)
{
  if (end->kind == HD_PEER_NODE)
    hd_text_add(text, "n%u", end->index);
  else
    hd_text_add(text, "s%u:%u", end->index, end->port);
}

static void csv_link(void *context, const struct hd_graph_link *link)
{
  csv_end(context, &link->a);
  hd_text_add(context, ",");
  csv_end(context, &link->b);
  if (link->cycles)
    hd_text_add(context, ",%u", (unsigned)link->cycles);
  hd_text_add(context, link->one_way ? ",one-way\n" : "\n");
}

void hd_graph_add_csv(const struct hd_topology *topology, struct hd_text *text)
{
  hd_graph_for_links(topology, csv_link, text);
}
