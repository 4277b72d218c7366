/* Finds a position in a fabric for any router, so that the bench which compares it with its original sends packets that
 * it can route.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such a router may route by its position, or may have no way between some of its ports. So the bench sends to each port
 * the packets that come by that port in a fabric of the check: this file follows all pairs of nodes through the routing
 * tables, and takes the switch that most of them pass.
 */
#include "check_internal.h"

#include "../host/memory.h"
#include "../scenario/scenario.h"
#include "streams/stress_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct position {
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  bool *arrivals; /* [switch][input port][node]: packets to the node come there; owned */
};

static bool *arrivals_at(const struct position *p, uint32_t sw, uint32_t port)
{
  return &p->arrivals[((size_t)sw * p->topology.ports + port) * p->topology.n_nodes];
}

/* Marks the input ports on the way of a pair of nodes. The deadlock rule has been checked, so each way ends. */
static void mark_route(const struct position *p, uint32_t source, uint32_t destination)
{
  const struct hd_topology *t = &p->topology;
  struct hd_peer at = t->node_peers[source];
  while (at.kind == HD_PEER_SWITCH) {
    const uint16_t entry = hd_routing_entry(&p->tables, &at, source, destination);
    arrivals_at(p, at.index, at.port)[destination] = true;
    at = t->peers[(size_t)at.index * t->ports + (entry & 15)];
  }
}

static uint32_t busiest(const struct position *p)
{
  const size_t of_switch = (size_t)p->topology.ports * p->topology.n_nodes;
  uint32_t best = 0, most = 0;
  for (uint32_t sw = 0; sw < p->topology.n_switches; sw++) {
    uint32_t n = 0;
    for (size_t i = 0; i < of_switch; i++)
      n += p->arrivals[sw * of_switch + i];
    if (n > most)
      best = sw;
    most = n > most ? n : most;
  }
  return best;
}

/* Fills the bench's list of destinations for a port with the nodes that packets at this port go to. */
static void fill_destinations(const bool *arrivals, uint32_t n_nodes,
                              uint16_t numbers[HD_STRESS_NODES])
{
  uint32_t *nodes = hd_xmalloc((n_nodes + 1) * sizeof *nodes), n = 0;
  for (uint32_t node = 0; node < n_nodes; node++)
    if (arrivals[node])
      nodes[n++] = node;
  for (uint32_t i = 0; n && i < HD_STRESS_NODES; i++)
    numbers[i] =
        (uint16_t)(HD_STRESS_NODE | nodes[n > HD_STRESS_NODES ? i * n / HD_STRESS_NODES : i % n]);
  free(nodes);
}

static void copy_tables(const struct position *p, uint32_t sw, struct hd_stress_router *router)
{
  struct hd_table_writes walk = {.tables = &p->tables, .sw = sw};
  struct hd_config_event write;
  size_t capacity = 0;
  while (hd_table_writes_next(&walk, &write)) {
    HD_XROOM(router->writes, capacity, router->n_writes, 1);
    router->writes[router->n_writes++] = write;
  }
}

/* Builds the fabric and the tables of a mix with this switch. */
static int build_position(const struct hd_check *c, const struct check_run *run, struct position *p,
                          struct hd_error *err)
{
  const struct check_run mix = {
      .kind = CHECK_MIX, .index = run->index / c->n_random_sets, .set = run->set};
  char name[64], path[SOAK_PATH];
  snprintf(name, sizeof name, "place-%" PRIu32, run->index);
  int status = hd_check_write_ruled(c, &mix, c->directory, name, path, err);
  if (!status)
    status = hd_scenario_read(&p->scenario, path, err);
  hd_soak_unlink(c->directory, name);
  return status ? status : hd_scenario_build(&p->scenario, &p->topology, &p->tables, err);
}

int hd_check_stress_router(const struct hd_check *c, const struct check_run *run,
                           struct hd_stress_router *router, struct hd_error *err)
{
  struct position p = {.arrivals = NULL};
  const struct hd_topology *t = &p.topology;
  int status = build_position(c, run, &p, err);
  *router = (struct hd_stress_router){
      .single = c->params->takes.single || c->params->takes.longest || c->sets[run->set].cut_flits};
  if (!status && (p.tables.header_mode || p.tables.sets))
    status = hd_fail(err, HD_E_NOTHING, "packets of this fabric do not go by destination alone");
  if (!status) {
    p.arrivals = hd_xcalloc((size_t)t->n_switches * t->ports * t->n_nodes, sizeof *p.arrivals);
    for (uint32_t from = 0; from < t->n_nodes; from++)
      for (uint32_t to = 0; to < t->n_nodes; to++)
        if (from != to)
          mark_route(&p, from, to);
    const uint32_t sw = busiest(&p);
    for (uint32_t port = 0; port < t->ports; port++)
      fill_destinations(arrivals_at(&p, sw, port), t->n_nodes, router->nodes[port]);
    copy_tables(&p, sw, router);
  }
  free(p.arrivals);
  hd_tables_fini(&p.tables);
  hd_topology_fini(&p.topology);
  hd_scenario_fini(&p.scenario);
  return status;
}

void hd_check_stress_router_fini(struct hd_stress_router *router)
{
  free(router->writes);
  *router = (struct hd_stress_router){.n_writes = 0};
}
