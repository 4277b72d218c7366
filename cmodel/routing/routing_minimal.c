/* Shortest ways by the topology's own rule, its channel classes (§5.14, §5.24).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <string.h>

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  (void)err;
  const struct hd_topology_descriptor *d = hd_topologies[t->kind];
  const uint32_t classes = hd_topology_channel_classes(t);
  tables->least_vcs += classes - 1;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint16_t *first = hd_table_row(tables->destination, tables, sw, 0);
    for (uint32_t node = 0; node < t->n_nodes; node++) {
      struct hd_hop hop = d->next_hop(t, sw, node);
      bool leaves = t->peers[(size_t)sw * t->ports + hop.port].kind == HD_PEER_NODE;
      first[node] = hd_table_entry(
          hop.port, leaves ? mask : hd_class_mask(tables, mask, classes, hop.channel_class));
    }
    for (uint32_t port = 1; port < t->ports; port++)
      memcpy(hd_table_row(tables->destination, tables, sw, port), first,
             t->n_nodes * sizeof *first);
  }
  return 0;
}

const struct hd_routing_descriptor hd_routing_kind_minimal = {
    .name = "minimal",
    .help = "a shortest way by the rule of the topology's section",
    .section = "5.14",
    .family = HD_FAMILY_OWN_RULE,
    .fill = fill,
};
