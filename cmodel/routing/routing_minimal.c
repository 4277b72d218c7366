/* Shortest ways by the topology's own rule, with its channel classes (§5.14, §5.24).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

static uint16_t destination_entry(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                  uint32_t node)
{
  const struct hd_topology *t = tables->topology;
  const struct hd_hop hop = hd_topologies[t->kind]->next_hop(t, sw, node);
  (void)port;
  if (t->peers[(size_t)sw * t->ports + hop.port].kind == HD_PEER_NODE)
    return hd_table_entry(hop.port, tables->mask);
  return hd_table_entry(hop.port, hd_class_mask(tables, tables->mask,
                                                hd_topology_channel_classes(t), hop.channel_class));
}

const struct hd_routing_descriptor hd_routing_kind_minimal = {
    .name = "minimal",
    .help = "a shortest way by the rule of the topology's section",
    .section = "5.14",
    .family = HD_FAMILY_OWN_RULE,
    .to = destination_entry,
};
