/* A fabric of the model with its topology and tables; what fails in it fails the test.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_FABRIC_NET_H
#define HD_TEST_FABRIC_NET_H

#include "../../../cmodel/fabric/fabric.h"

struct net {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_fabric_params params;
  struct hd_fabric *fabric;
};

/** Opens a fabric of the caller's `topology` and `params`; ports and nodes of `params` follow from the topology. */
void net_open(struct net *n, enum hd_routing_kind routing, bool always_top);

/** Destroys the fabric, and its topology, too. */
void net_close(struct net *n);

struct hd_fabric_params params_of(uint32_t vcs, uint32_t bits, uint32_t depth, uint32_t route,
                                  uint32_t arb, uint32_t buffer, uint32_t link);

/** Returns the packet's number. */
uint32_t net_send(struct net *n, uint32_t from, uint32_t to, uint32_t flits);

void net_step(struct net *n);

/** Sends a packet through the idle fabric, until the fabric is idle again. Returns the packet's latency. */
uint64_t latency_alone(struct net *n, uint32_t from, uint32_t to, uint32_t flits);

#endif
