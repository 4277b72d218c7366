/* Builds topology and routing tables of a scenario (specification chapter 5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_faults.h"
#include "scenario_file.h"
#include "scenario.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPH_BYTES = 64 * 1024 * 1024 };

static int at_line(const struct hd_scenario *s, uint32_t line, const char *key, int status,
                   const struct hd_error *inner, struct hd_error *err)
{
  return hd_fail(err, status, "%s:%" PRIu32 ": %s: %s", s->path, line, key, inner->text);
}

/* A graph's errors name its own file and lines. */
static int build_graph(const struct hd_scenario *s, struct hd_topology *t, struct hd_error *err)
{
  struct hd_error inner;
  char *text, *file = hd_scenario_relative(s->path, s->fabric.file);
  size_t length;
  if (!file)
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", s->path);
  int status = hd_scenario_file(file, GRAPH_BYTES, &text, &length, &inner);
  if (status) {
    at_line(s, s->lines.shape, "fabric.file", status, &inner, err);
  } else {
    status = hd_topology_graph(t, text, length, file, err);
    free(text);
  }
  free(file);
  return status;
}

static int build_topology(const struct hd_scenario *s, struct hd_topology *t, struct hd_error *err)
{
  struct hd_error inner;
  const char *key = "fabric.k";
  int status;
  switch (s->fabric.topology) {
  case HD_TOPO_MESH:
    key = "fabric.dims";
    status = hd_topology_mesh(t, s->fabric.dims, s->fabric.n_dims, &inner);
    break;
  case HD_TOPO_TREE:
    status = hd_topology_tree(t, s->fabric.k, s->fabric.n, &inner);
    break;
  case HD_TOPO_EXTENDED_TREE:
    status = hd_topology_extended_tree(t, s->fabric.k, s->fabric.n, &inner);
    break;
  case HD_TOPO_IRREGULAR:
    key = "fabric.degree";
    status = hd_topology_irregular(t, s->fabric.switches, s->fabric.degree, s->fabric.graph_seed,
                                   &inner);
    break;
  default:
    return build_graph(s, t, err);
  }
  return status ? at_line(s, s->lines.shape, key, status, &inner, err) : 0;
}

static int settle_switch(struct hd_scenario *s, struct hd_topology *t, struct hd_error *err)
{
  struct hd_error inner;
  if (s->sw.ports && s->sw.ports < t->ports)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.ports: %" PRIu32 "; the fabric needs %" PRIu32
                   "; legal: %" PRIu32 " … %d",
                   s->path, s->lines.ports, s->sw.ports, t->ports, t->ports, HD_MAX_PORTS);
  if (s->sw.nodes && s->sw.nodes < t->n_nodes)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.nodes: %" PRIu32 "; the fabric has %" PRIu32
                   "; legal: %" PRIu32 " … %d",
                   s->path, s->lines.nodes, s->sw.nodes, t->n_nodes, t->n_nodes, HD_MAX_NODES);
  if (!s->sw.ports)
    s->sw.ports = t->ports;
  if (!s->sw.nodes)
    s->sw.nodes = t->n_nodes;
  if (s->sw.barrier && t->n_switches > HD_MAX_BARRIER_SWITCHES)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.barrier: the fabric has %" PRIu32
                   " switches; barrier messages find their way among at most %d",
                   s->path, s->lines.barrier, t->n_switches, HD_MAX_BARRIER_SWITCHES);
  if (s->sw.switches && s->sw.switches < t->n_switches)
    return hd_fail(err, HD_E_INPUT,
                   "%s:%" PRIu32 ": switch.switches: %" PRIu32 "; the fabric has %" PRIu32
                   "; legal: %" PRIu32 " … %d",
                   s->path, s->lines.switches, s->sw.switches, t->n_switches, t->n_switches,
                   HD_MAX_BARRIER_SWITCHES);
  if (!s->sw.barrier)
    s->sw.groups = s->sw.switches = 0; /* one build serves all plain switches */
  else if (!s->sw.switches)
    s->sw.switches = t->n_switches < 2 ? 2 : t->n_switches;
  s->sw.source_table = s->routing.algorithm == HD_ROUTE_S_MOD_K;
  int status = hd_switch_params_check(&s->sw, &inner);
  if (status)
    return at_line(s, s->lines.width, "switch.data_bits", status, &inner, err);
  return hd_topology_widen(t, s->sw.ports, err);
}

static int build_tables(const struct hd_scenario *s, const struct hd_topology *t,
                        struct hd_tables *tables, struct hd_error *err)
{
  struct hd_error inner;
  int status =
      hd_routing_build(tables, t, s->routing.algorithm, s->routing.always_top, s->sw.vcs, &inner);
  if (status == 0 && s->routing.deadlock_check)
    status = hd_routing_check(tables, t, s->sw.vcs, &inner);
  return status ? at_line(s, s->lines.routing, "routing.algorithm", status, &inner, err) : 0;
}

int hd_scenario_build(struct hd_scenario *scenario, struct hd_topology *topology,
                      struct hd_tables *tables, struct hd_error *err)
{
  memset(topology, 0, sizeof *topology);
  memset(tables, 0, sizeof *tables);
  int status = build_topology(scenario, topology, err);
  if (status == 0)
    status = settle_switch(scenario, topology, err);
  if (status == 0)
    status = hd_scenario_faults_check(scenario, topology, err);
  if (status == 0)
    status = build_tables(scenario, topology, tables, err);
  if (status) {
    hd_topology_fini(topology);
    hd_tables_fini(tables);
  }
  return status;
}
