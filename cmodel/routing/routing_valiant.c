/* Valiant's routing: by a node drawn at random, then to the destination (§5.26).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

/* Entries of the rule, with the channel that has the number of the class alone in each mask, become those of both
 * halves of the way. */
static void split(struct hd_tables *tables, const struct hd_topology *t, uint32_t classes,
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
  split(tables, t, classes, mask);
  return 0;
}

const struct hd_routing_descriptor hd_routing_kind_valiant = {
    .name = "valiant",
    .help = "by the rule to a node drawn at random, then to the destination",
    .section = "5.26",
    .family = HD_FAMILY_RULE_BOTH_WAYS,
    .by_source = true,
    .by_node = true,
    .fill = fill,
};
