/* Packets go by a node drawn at random, then to the destination: Valiant, ROMM, O1TURN (§5.26).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <inttypes.h>
#include <stdlib.h>

/* Makes the entries of both halves of the way from the entries of the rule. Each mask of these has one bit: the number
 * of the channel class. */
static void split_ways(struct hd_tables *tables, const struct hd_topology *t, uint32_t classes,
                       unsigned mask)
{
  const size_t entries = (size_t)t->n_switches * t->ports * t->n_nodes;
  for (size_t i = 0; i < entries; i++) {
    uint32_t sw = (uint32_t)(i / t->n_nodes / t->ports), node = (uint32_t)(i % t->n_nodes);
    uint32_t port = tables->destination[i] & 15;
    uint32_t channel_class = (uint32_t)__builtin_ctz(tables->destination[i] >> 4 & 0xff);
    bool there = t->node_exits[node].index == sw;
    unsigned upper =
        there ? mask : hd_class_mask(tables, mask, 2 * classes, classes + channel_class);
    tables->destination[i] = hd_table_entry(port, upper);
    if (!there)
      tables->source[i] =
          hd_table_entry(port, hd_class_mask(tables, mask, 2 * classes, channel_class));
  }
}

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)err;
  bool mesh = hd_topologies[t->kind]->family == HD_FAMILY_MESHES;
  const struct hd_routing_descriptor *rule =
      hd_routings[mesh ? HD_ROUTE_DIMENSION_ORDER : HD_ROUTE_MINIMAL];
  const uint32_t classes = hd_topology_channel_classes(t), vcs = tables->packet_vcs;
  tables->packet_vcs = classes;
  hd_routing_store(tables, rule, t, always_top, (1u << classes) - 1);
  tables->packet_vcs = vcs;
  tables->least_vcs += classes;
  split_ways(tables, t, classes, mask);
  return 0;
}

/* Packets decide at the input ports that come from a node. */
static int fill_ugal(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                     unsigned mask, struct hd_error *err)
{
  tables->first = calloc(t->n_switches, sizeof *tables->first);
  if (!tables->first)
    return hd_fail(err, HD_E_NOMEM, "out of memory for routing");
  for (uint32_t node = 0; node < t->n_nodes; node++)
    tables->first[t->node_peers[node].index] |= (uint16_t)(1u << t->node_peers[node].port);
  return fill(tables, t, always_top, mask, err);
}

/* Makes the entries of O1TURN, on a mesh of two dimensions. */
static int fill_o1turn(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                       unsigned mask, struct hd_error *err)
{
  if (t->n_dims > 2)
    return hd_fail(err, HD_E_INPUT,
                   "o1turn routing is for meshes of one or two dimensions; this one has %" PRIu32,
                   t->n_dims);
  return fill(tables, t, always_top, mask, err);
}

uint32_t hd_routing_draw_any(const struct hd_topology *t, uint32_t source, uint32_t destination,
                             uint32_t drawn)
{
  (void)source;
  (void)destination;
  return (uint32_t)((uint64_t)drawn * t->n_nodes >> 32);
}

/* Draws a node of the box that source and destination span. Draw 0 is the lowest corner. */
static uint32_t draw_in_box(const struct hd_topology *t, uint32_t source, uint32_t destination,
                            uint32_t drawn)
{
  enum { MOST = sizeof t->dims / sizeof *t->dims };
  uint32_t side[MOST], low[MOST], all = 1;
  for (uint32_t d = 0; d < t->n_dims; d++) {
    const uint32_t k = t->dims[d], x = source % k, y = destination % k;
    low[d] = x < y ? x : y;
    side[d] = (x < y ? y - x : x - y) + 1;
    all *= side[d];
    source /= k;
    destination /= k;
  }
  uint32_t place = (uint32_t)((uint64_t)drawn * all >> 32), node = 0;
  for (uint32_t d = 0, step = 1; d < t->n_dims; step *= t->dims[d++]) {
    node += step * (low[d] + place % side[d]);
    place /= side[d];
  }
  return node;
}

/* Draws one of two corners: each has the column of one node and the row of the other. */
static uint32_t draw_corner(const struct hd_topology *t, uint32_t source, uint32_t destination,
                            uint32_t drawn)
{
  const uint32_t k = t->dims[0], a = drawn >> 31 ? source : destination,
                 b = drawn >> 31 ? destination : source;
  return a % k + b / k * k;
}

const struct hd_routing_descriptor hd_routing_kind_valiant = {
    .name = "valiant",
    .help = "by the rule to a node drawn at random, then to the destination",
    .section = "5.26",
    .family = HD_FAMILY_RULE_BOTH_WAYS,
    .by_source = true,
    .by_node = hd_routing_draw_any,
    .fill = fill,
};

const struct hd_routing_descriptor hd_routing_kind_ugal = {
    .name = "ugal",
    .help =
        "by the rule, or by a node drawn at random where the first link of that way is much freer",
    .section = "5.26",
    .family = HD_FAMILY_RULE_BOTH_WAYS,
    .by_source = true,
    .by_node = hd_routing_draw_any,
    .decides = true,
    .fill = fill_ugal,
};

const struct hd_routing_descriptor hd_routing_kind_romm = {
    .name = "romm",
    .help = "by a node drawn in the box that source and destination span, a shortest way",
    .section = "5.26",
    .family = HD_FAMILY_MESHES,
    .by_source = true,
    .by_node = draw_in_box,
    .fill = fill,
};

const struct hd_routing_descriptor hd_routing_kind_o1turn = {
    .name = "o1turn",
    .help = "dimension 0 first or dimension 1 first, by a bit drawn for each packet",
    .section = "5.26",
    .family = HD_FAMILY_MESHES,
    .by_source = true,
    .by_node = draw_corner,
    .fill = fill_o1turn,
};
