/* Trees of multicast groups on a fabric (specification §13.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_CAST_H
#define HD_ROUTING_CAST_H

#include "../topology/topology.h"

/** Makes the tree table's entries for a group of `n` different nodes: entries[n_switches], 0 for switches outside the
 *  tree. HD_E_INPUT: links go one way; HD_E_NOMEM. */
int hd_cast_tree(const struct hd_topology *t, const uint32_t *members, uint32_t n,
                 uint16_t *entries, struct hd_error *err);

#endif
