/* A fabric of the model with its topology and tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fabric_net.h"
#include "test.h"

void net_open(struct net *n, enum hd_routing_kind routing, bool always_top)
{
  n->params.sw.ports = n->topology.ports;
  n->params.sw.nodes = n->topology.n_nodes;
  n->params.sw.source_table = hd_routings[routing]->by_source;
  /* Without cycles of routing there are no tables (§12.1). */
  if (!n->params.sw.route_cycles &&
      hd_routing_compute(&n->topology, routing, always_top, &n->params.sw, &why))
    fail_msg("%s", why.text);
  must((n->params.sw.route ? hd_routing_by_rule : hd_routing_build)(
      &n->tables, &n->topology, routing, always_top, n->params.sw.vcs, 0, &why));
  n->tables.computes = n->params.sw.route;
  must(hd_fabric_create(&n->fabric, &n->params, &n->topology, &n->tables, &why));
}

void net_close(struct net *n)
{
  hd_fabric_destroy(n->fabric);
  hd_tables_fini(&n->tables);
  hd_topology_fini(&n->topology);
}

struct hd_fabric_params params_of(uint32_t vcs, uint32_t bits, uint32_t depth, uint32_t route,
                                  uint32_t arb, uint32_t buffer, uint32_t link)
{
  struct hd_fabric_params p = {.sw = {.vcs = vcs,
                                      .data_bits = bits,
                                      .depth_flits = depth,
                                      .route_cycles = route,
                                      .arb_cycles = arb,
                                      .buffer_cycles = buffer},
                               .link_cycles = link};
  return p;
}

uint32_t net_send(struct net *n, uint32_t from, uint32_t to, uint32_t flits)
{
  struct hd_packet packet = {.source = from, .destination = to, .flits = flits};
  uint32_t number;
  must(hd_fabric_send(n->fabric, &packet, &number, &why));
  return number;
}

void net_step(struct net *n)
{
  must(hd_fabric_step(n->fabric, &why));
}

uint64_t latency_alone(struct net *n, uint32_t from, uint32_t to, uint32_t flits)
{
  uint32_t received, number = net_send(n, from, to, flits);
  for (unsigned i = 0; i < 100000; i++) {
    net_step(n);
    const struct hd_delivery *d = hd_fabric_deliveries(n->fabric, &received);
    if (!received)
      continue;
    assert_int_equal(received, 1);
    assert_int_equal(d->number, number);
    assert_true(d->intact);
    uint64_t latency = d->received - d->created;
    while (!hd_fabric_idle(n->fabric))
      net_step(n);
    return latency;
  }
  fail_msg("packet from %u to %u of %u flits was never received", from, to, flits);
  return 0;
}
