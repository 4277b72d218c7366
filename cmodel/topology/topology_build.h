/* What the topology constructors share; for cmodel/topology*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPOLOGY_BUILD_H
#define HD_TOPOLOGY_BUILD_H

#include "../switch/params.h"
#include "topology.h"

#define HD_TOPOLOGY_EXTERN(KIND, name) \
  extern const struct hd_topology_descriptor hd_topology_kind_##name;
HD_TOPOLOGY_LIST(HD_TOPOLOGY_EXTERN)
#undef HD_TOPOLOGY_EXTERN

/** Zeroes *t, sets its sizes and allocates its peers, all unlinked. HD_E_INPUT when there
 *  are too few or too many nodes, switches or ports. */
int hd_topology_alloc(struct hd_topology *t, enum hd_topology_kind kind, uint32_t n_switches,
                      uint32_t n_nodes, uint32_t ports, struct hd_error *err);

/** Links two free switch ports, both directions. */
void hd_topology_link(struct hd_topology *t, uint32_t a, uint32_t a_port, uint32_t b,
                      uint32_t b_port);

/** Puts a node on a free switch port. */
void hd_topology_attach(struct hd_topology *t, uint32_t node, uint32_t sw, uint32_t port);

#endif
