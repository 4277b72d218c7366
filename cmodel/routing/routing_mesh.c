/* Dimension order on meshes (§5.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "routing_build.h"

static uint16_t destination_entry(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                                  uint32_t node)
{
  const struct hd_topology *t = tables->topology;
  uint32_t out = 0;
  (void)port;
  for (uint32_t d = 0; d < t->n_dims && !out; d++) {
    const uint32_t k = t->dims[d], x = sw % k, y = node % k;
    if (x != y)
      out = x < y ? 1 + 2 * d : 2 + 2 * d;
    sw /= k;
    node /= k;
  }
  return hd_table_entry(out, tables->mask);
}

const struct hd_routing_descriptor hd_routing_kind_dimension_order = {
    .name = "dimension-order",
    .help = "one dimension after the other, the lowest first",
    .section = "5.1",
    .family = HD_FAMILY_MESHES,
    .to = destination_entry,
};
