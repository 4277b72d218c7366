/* Shortest ways by the topology's own rule (§5.14).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

#include <string.h>

static int fill(struct hd_tables *tables, const struct hd_topology *t, bool always_top,
                unsigned mask, struct hd_error *err)
{
  (void)always_top;
  (void)err;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint16_t *first = hd_table_row(tables->destination, tables, sw, 0);
    for (uint32_t node = 0; node < t->n_nodes; node++)
      first[node] = hd_table_entry(hd_topologies[t->kind]->next_port(t, sw, node), mask);
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
