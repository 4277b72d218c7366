/* Builds topology and routing tables of a scenario (specification chapter 5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_faults.h"
#include "../graphs/graphs.h"
#include "../host/file.h"
#include "scenario_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 64 * 1024 * 1024 };

static int at_line(const struct hd_scenario *s, const char *key, int status,
                   const struct hd_error *inner, struct hd_error *err)
{
  return hd_fail(err, status, "%s:%" PRIu32 ": %s: %s", s->path, hd_scenario_line(s, key), key,
                 inner->text);
}

int hd_scenario_topology(const struct hd_scenario *s, struct hd_topology *t, struct hd_error *err)
{
  const struct hd_topology_descriptor *d = hd_topologies[s->fabric.topology];
  struct hd_error inner;
  char blamed[64];
  snprintf(blamed, sizeof blamed, "fabric.%s", d->blamed);
  if (!d->from_text) {
    int status = hd_topology_build(t, s->fabric.topology, &s->fabric.shape, NULL, &inner);
    return status ? at_line(s, blamed, status, &inner, err) : 0;
  }
  char *chars, *file = hd_file_beside(s->path, s->fabric.shape.file);
  size_t length;
  int status = hd_file_regular(file, TEXT_BYTES, &chars, &length, &inner);
  if (status) {
    at_line(s, blamed, status, &inner, err);
  } else {
    /* Errors name the file and its lines. */
    struct hd_topology_text text = {chars, file, length};
    struct hd_text csv = {0};
    status = hd_graph_as_csv(&text, &csv, err);
    if (csv.chars) {
      text.chars = csv.chars;
      text.length = csv.length;
    }
    if (!status)
      status = hd_topology_build(t, s->fabric.topology, &s->fabric.shape, &text, err);
    hd_text_fini(&csv);
    free(chars);
  }
  free(file);
  return status;
}

/* Chooses between tables and registers from which switches compute routes (§12). */
static int settle_route(struct hd_scenario *s, const struct hd_topology *t, struct hd_error *err)
{
  struct hd_error inner;
  s->sw.route = HD_ROUTE_BY_TABLE;
  if (!s->routing.computed && !s->sw.route_cycles)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.route_cycles: 0; legal: 1, 2; 0 needs switches that "
                   "compute routes (routing.computed: true)",
                   s->path, hd_scenario_line(s, "switch.route_cycles"));
  if (!s->routing.computed)
    return HD_OK;
  const int status =
      hd_routing_compute(t, s->routing.algorithm, s->routing.always_top, &s->sw, &inner);
  return status ? at_line(s, "routing.computed", status, &inner, err) : HD_OK;
}

static int settle_switch(struct hd_scenario *s, struct hd_topology *t, struct hd_error *err)
{
  struct hd_error inner;
  if (s->fabric.inside) /* one port for each endpoint */
    s->sw.ports = t->ports;
  if (s->sw.ports && s->sw.ports < t->ports)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.ports: %" PRIu32 "; the fabric needs %" PRIu32
                   "; legal: %" PRIu32 " … %d",
                   s->path, hd_scenario_line(s, "switch.ports"), s->sw.ports, t->ports, t->ports,
                   HD_MAX_PORTS);
  const uint32_t entries = t->n_nodes * s->routing.virtual_networks; /* §5.28 */
  if (s->routing.computed && s->routing.virtual_networks > 1)
    return hd_fail(
        err, HD_E_INPUT,
        "%s:%" PRIu32 ": routing.virtual_networks: %" PRIu32 "; legal with routing.computed: 1",
        s->path, hd_scenario_line(s, "routing.virtual_networks"), s->routing.virtual_networks);
  if (!s->routing.computed && t->n_nodes > HD_MAX_NODES) {
    char blamed[64];
    snprintf(blamed, sizeof blamed, "fabric.%s", hd_topologies[t->kind]->blamed);
    hd_fail(
        &inner, HD_E_INPUT,
        "the fabric has %" PRIu32
        " nodes; routing tables have at most %d entries; more need switches that compute routes "
        "(routing.computed: true)",
        t->n_nodes, HD_MAX_NODES);
    return at_line(s, blamed, HD_E_INPUT, &inner, err);
  }
  if (entries > t->n_nodes && entries > HD_MAX_NODES)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": routing.virtual_networks: %" PRIu32 "; with %" PRIu32
                   " nodes they take %" PRIu32 " table entries of at most %d (switch.nodes)",
                   s->path, hd_scenario_line(s, "routing.virtual_networks"),
                   s->routing.virtual_networks, t->n_nodes, entries, HD_MAX_NODES);
  if (s->sw.nodes && s->sw.nodes < entries)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.nodes: %" PRIu32 "; the fabric has %" PRIu32
                   "%s; legal: %" PRIu32 " … %d",
                   s->path, hd_scenario_line(s, "switch.nodes"), s->sw.nodes, entries,
                   entries > t->n_nodes ? " in its virtual networks" : "", entries, HD_MAX_NODES);
  if (s->routing.computed && s->sw.nodes > entries)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.nodes: %" PRIu32
                   "; with routing.computed it is the number of nodes, %" PRIu32,
                   s->path, hd_scenario_line(s, "switch.nodes"), s->sw.nodes, entries);
  if (!s->sw.ports)
    s->sw.ports = t->ports;
  if (!s->sw.nodes)
    s->sw.nodes = entries;
  if (s->sw.barrier && t->n_switches > HD_MAX_BARRIER_SWITCHES)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.barrier: the fabric has %" PRIu32
                   " switches; barrier messages can address at most %d",
                   s->path, hd_scenario_line(s, "switch.barrier"), t->n_switches,
                   HD_MAX_BARRIER_SWITCHES);
  if (s->sw.barrier && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.barrier: the fabric has links that go one way; barrier "
                   "messages need both directions; legal: none",
                   s->path, hd_scenario_line(s, "switch.barrier"));
  if (s->sw.trees && hd_topology_one_way(t))
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.trees: the fabric has links that go one way; trees of "
                   "multicast need both directions; legal: 0",
                   s->path, hd_scenario_line(s, "switch.trees"));
  if (s->sw.switches && s->sw.switches < t->n_switches)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.switches: %" PRIu32 "; the fabric has %" PRIu32
                   "; legal: %" PRIu32 " … %d",
                   s->path, hd_scenario_line(s, "switch.switches"), s->sw.switches, t->n_switches,
                   t->n_switches, HD_MAX_BARRIER_SWITCHES);
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (!hd_switch_param_used(&s->sw, i)) /* one build serves all plain switches */
      hd_switch_param_set(&s->sw, i, 0);
  if (s->sw.barrier && !s->sw.switches)
    s->sw.switches = t->n_switches < 2 ? 2 : t->n_switches;
  if (t->routes.n && s->routing.is_default)
    s->routing.algorithm = HD_ROUTE_TABLES;
  const struct hd_routing_needs needs =
      s->fabric.inside ? (struct hd_routing_needs){0} : hd_routing_needs(s->routing.algorithm, t);
  if (s->sw.trees && (needs.header_mode || needs.sets))
    return hd_fail(
        err, HD_E_INPUT,
        "%s:%" PRIu32 ": switch.trees: not with routing.algorithm %s, which goes by "
        "source or chooses ports; multicast needs one that goes by the destination alone",
        s->path, hd_scenario_line(s, "switch.trees"), hd_routings[s->routing.algorithm]->name);
  s->sw.source_table = needs.header_mode != 0;
  const char *of_sets = s->routing.congestion   ? "routing.congestion"
                        : s->routing.credit_cap ? "routing.credit_cap"
                                                : NULL;
  if (of_sets && !needs.sets)
    return hd_fail(
        err, HD_E_INPUT,
        "%s:%" PRIu32 ": %s: the tables of the graph file have no sets of ports; legal: %s",
        s->path, hd_scenario_line(s, of_sets), of_sets, s->routing.congestion ? "credits" : "0");
  s->sw.adaptive = needs.sets ? HD_ADAPTIVE_CREDITS + s->routing.congestion
                   : hd_routings[s->routing.algorithm]->decides ? HD_ADAPTIVE_UGAL
                                                                : HD_ADAPTIVE_NONE;
  int status = settle_route(s, t, err);
  if (status)
    return status;
  status = (s->fabric.inside ? hd_dut_params_check : hd_switch_params_check)(&s->sw, &inner);
  if (status)
    return at_line(s, "switch.data_bits", status, &inner, err);
  return s->sw.ports == t->ports ? HD_OK : hd_topology_widen(t, s->sw.ports, err);
}

static uint16_t lead_through(const struct hd_tables *tables, uint32_t sw, uint32_t port,
                             uint32_t node)
{
  (void)sw;
  (void)port;
  (void)node; /* the node is the port (hd_routing_port) */
  return hd_table_entry(0, tables->mask);
}

/* Returns tables for a whole network as DUT, which routes packets itself. */
static struct hd_tables tables_of_network(const struct hd_scenario *s, const struct hd_topology *t)
{
  static const struct hd_routing_descriptor routes = {.name = "inside", .to = lead_through};
  return (struct hd_tables){.n_switches = t->n_switches,
                            .ports = t->ports,
                            .n_nodes = t->n_nodes,
                            .rule = &routes,
                            .topology = t,
                            .is_network = true,
                            .mask = (uint8_t)((1u << s->sw.vcs) - 1),
                            .packet_vcs = s->sw.vcs,
                            .networks = 1,
                            .least_vcs = 1};
}

static int build_tables(const struct hd_scenario *s, const struct hd_topology *t,
                        struct hd_tables *tables, struct hd_error *err)
{
  if (s->fabric.inside) {
    *tables = tables_of_network(s, t);
    return HD_OK;
  }
  struct hd_error inner;
  const uint32_t networks = s->routing.virtual_networks, reserved = hd_switch_reserved_vcs(&s->sw);
  uint32_t vcs;
  int status =
      hd_routing_split(s->routing.algorithm, t, networks, s->sw.vcs, reserved, &vcs, &inner);
  if (status)
    return at_line(s, "routing.virtual_networks", status, &inner, err);
  status = hd_routing_by_rule(tables, t, s->routing.algorithm, s->routing.always_top, vcs, reserved,
                              &inner);
  tables->networks = networks;
  tables->cap = (uint8_t)s->routing.credit_cap;
  tables->bias = (uint16_t)s->routing.bias;
  tables->cast_vc = s->sw.trees ? (uint8_t)hd_switch_cast_vc(&s->sw) : 0;
  tables->computes = s->routing.computed;
  if (status == 0 && s->routing.deadlock_check) {
    status = hd_routing_check(tables, t, vcs, s->sw.cut_flits, &inner);
    if (status && s->run.routes != HD_ROUTES_TABLE)
      snprintf(inner.text + strlen(inner.text), sizeof inner.text - strlen(inner.text),
               "; a switch that routes by itself (run.routes: %s) may go other ways: say "
               "routing.deadlock_check: false",
               hd_port_routes_name(s->run.routes));
  }
  const char *blamed = s->routing.algorithm == HD_ROUTE_TABLES ? "fabric.file"
                       : networks > 1                          ? "routing.virtual_networks"
                                                               : "routing.algorithm";
  return status ? at_line(s, blamed, status, &inner, err) : 0;
}

/* Shortens the window for large fabrics. The events of a window take memory in every switch, and
 * those of a shorter one stay in the processor's caches. */
static void settle_window(struct hd_scenario *s, const struct hd_topology *t)
{
  enum { SWITCHES = 512, LEAST_CYCLES = 16 };
  while (!s->run.has_window && s->run.window_cycles > LEAST_CYCLES &&
         (uint64_t)t->n_switches * s->run.window_cycles > SWITCHES * 256)
    s->run.window_cycles /= 2;
  s->run.has_window = true; /* reports and databases show it */
}

/* Checks a whole network as DUT: it is one switch, whose endpoints are the nodes. */
static int check_inside(const struct hd_scenario *s, const struct hd_topology *t,
                        struct hd_error *err)
{
  struct hd_topology inner;
  if (!s->fabric.inside && t->ports > HD_MAX_PORTS)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": fabric.k: %" PRIu32 "; legal: 2 … %d; a whole network "
                   "(fabric.inside) may have more endpoints",
                   s->path, hd_scenario_line(s, "fabric.k"), t->ports, HD_MAX_PORTS);
  if (!s->fabric.inside)
    return HD_OK;
  if (t->n_switches != 1)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": fabric.inside: the fabric has %" PRIu32
                   " switches; a whole network is one: topology: flattened-butterfly, k: as many "
                   "as endpoints, n: 1",
                   s->path, hd_scenario_line(s, "fabric.inside"), t->n_switches);
  for (unsigned i = 0; i < HD_ENERGY_EVENTS; i++)
    if (s->energy.has[i])
      return hd_fail(err, HD_E_INPUT,
                     "%s:%" PRIu32
                     ": energy: not with fabric.inside, as nobody counts what happens inside of "
                     "a network",
                     s->path, hd_scenario_line(s, "energy"));
  const int status = hd_scenario_inside(s, t->n_nodes, &inner, err);
  if (!status)
    hd_topology_fini(&inner);
  return status;
}

int hd_scenario_build(struct hd_scenario *scenario, struct hd_topology *topology,
                      struct hd_tables *tables, struct hd_error *err)
{
  memset(topology, 0, sizeof *topology);
  if (tables)
    memset(tables, 0, sizeof *tables);
  int status = hd_scenario_topology(scenario, topology, err);
  if (status == 0)
    status = check_inside(scenario, topology, err);
  if (status == 0)
    status = settle_switch(scenario, topology, err);
  if (status == 0)
    status = hd_scenario_faults_check(scenario, topology, err);
  if (status == 0 && tables)
    status = build_tables(scenario, topology, tables, err);
  if (!status)
    settle_window(scenario, topology);
  if (status)
    hd_topology_fini(topology);
  if (status && tables)
    hd_tables_fini(tables);
  return status;
}

struct hd_fabric_params hd_scenario_fabric(const struct hd_scenario *scenario)
{
  return (struct hd_fabric_params){.sw = scenario->sw,
                                   .link_cycles = scenario->fabric.link_cycles,
                                   .barrier_idle_cycles = scenario->barrier.idle_cycles,
                                   .faults = scenario->n_faults != 0};
}
