/* Functions that the routing algorithms share; for cmodel/routing*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_BUILD_H
#define HD_ROUTING_BUILD_H

#include "routing.h"

/* Most entries of one table, all switches together: 1 GiB. The largest fabrics with a closed form are far below (2-ary
 * 11-tree: 92 Mi entries). */
#define HD_MAX_TABLE_ENTRIES (UINT64_C(1) << 29)

/** Returns the first of the ports that have the same entries as `port` by a rule. */
static inline uint32_t hd_rule_port(const struct hd_tables *tables, uint32_t port)
{
  const uint32_t k = tables->topology->k;
  if (!tables->rule->by_side)
    return 0;
  return port < k ? 0 : port < 2 * k ? k : 2 * k;
}

/** Stores the entries of a rule in tables whose entries are all invalid. */
void hd_routing_store(struct hd_tables *tables, const struct hd_routing_descriptor *rule,
                      const struct hd_topology *t, bool always_top, unsigned mask);

/** Makes the write of register number `which`, from 0 on, among those of §12.6 of a switch. False: there are no more. */
bool hd_routing_register(const struct hd_tables *tables, uint32_t sw, size_t which,
                         struct hd_config_event *write);

/** Returns the entries of one input port, [node]. */
static inline uint16_t *hd_table_row(uint16_t *table, const struct hd_tables *tables, uint32_t sw,
                                     uint32_t port)
{
  return table + ((size_t)sw * tables->ports + port) * tables->n_nodes;
}

/** Returns the channels of one class (§5.24) of `classes`. If there is one class, or there are too few channels,
 *  returns `mask`, all channels. */
static inline unsigned hd_class_mask(const struct hd_tables *tables, unsigned mask,
                                     uint32_t classes, uint32_t channel_class)
{
  uint32_t vcs = tables->packet_vcs;
  if (classes == 1 || vcs < classes)
    return mask;
  uint32_t first = channel_class * vcs / classes, end = (channel_class + 1) * vcs / classes;
  return (1u << end) - (1u << first);
}

#define HD_ROUTING_EXTERN(KIND, name) \
  extern const struct hd_routing_descriptor hd_routing_kind_##name;
HD_ROUTING_LIST(HD_ROUTING_EXTERN)
#undef HD_ROUTING_EXTERN

/** Sets distance[]: links from each switch to `root` on a shortest way, UINT32_MAX: none. queue[n_switches] is scratch.
 *  */
void hd_routing_distances(const struct hd_topology *t, uint32_t root, uint32_t *queue,
                          uint32_t *distance);

/** Fills tables whose entries are all invalid: up-and-down routing if `legal_only`, otherwise shortest ways. `dead` may
 *  be NULL. */
int hd_routing_graph(struct hd_tables *tables, const struct hd_topology *t,
                     const struct hd_dead *dead, bool legal_only, unsigned mask,
                     struct hd_error *err);

#endif
