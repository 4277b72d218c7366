/* Writes a scenario as files that `heddle run` takes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include "../../record/rundb.h"
#include "../../../sw/coding/coding.h"
#include "../../../sw/collectives/collectives.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_fabric(const struct soak_case *c, const char *name, FILE *f)
{
  fprintf(f, "fabric:\n  topology: %s\n", hd_topology_kind_name(c->topology));
  if (c->topology == HD_TOPO_MESH) {
    fprintf(f, "  dims: [");
    for (uint32_t d = 0; d < c->n_dims; d++)
      fprintf(f, "%s%" PRIu32, d ? ", " : "", c->dims[d]);
    fprintf(f, "]\n");
  } else if (c->topology == HD_TOPO_GRAPH) {
    fprintf(f, "  file: %s.net.csv\n", name);
  } else if (soak_by_keys(c->topology)) {
    hd_soak_shape_write(c, f);
  } else if (c->topology == HD_TOPO_IRREGULAR) {
    fprintf(f, "  switches: %" PRIu32 "\n  degree: %" PRIu32 "\n  graph_seed: %" PRIu32 "\n", c->n,
            c->k, c->graph_seed);
  } else {
    fprintf(f, "  k: %" PRIu32 "\n  n: %" PRIu32 "\n", c->k, c->n);
  }
  fprintf(f, "  link_cycles: %" PRIu32 "\n", c->link_cycles);
}

static void write_switch(const struct soak_case *c, FILE *f)
{
  const struct hd_switch_params *p = &c->sw;
  fprintf(f, "switch:\n");
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    if (!hd_switch_param_used(p, i) || d->kind == HD_PARAM_ROUTING)
      continue;
    if (d->kind == HD_PARAM_CHOICE)
      fprintf(f, "  %s: %s\n", d->name, hd_barrier_name(p->barrier));
    else
      fprintf(f, "  %s: %" PRIu32 "\n", d->name, hd_switch_param_get(p, i));
  }
  if (!p->barrier)
    return;
  fprintf(f, "barrier:\n  idle_cycles: %" PRIu32 "\n", c->idle_cycles);
}

static void write_groups(const struct soak_case *c, FILE *f)
{
  fprintf(f, "groups: %" PRIu32 ", members: %" PRIu32 ", rounds: %" PRIu32 ", compute: %" PRIu32,
          c->groups, c->members, c->rounds, c->compute);
  fprintf(f, ", start: %" PRIu32 ", load: %.6g, flits: %" PRIu32, c->start, c->load, c->flits);
  /* A fault can lose a message, so members wait for a limited time. Where messages wait for data, they may take any time
   * (§8.11), so there is no limit: a channel stays preempted for IDLE cycles, and packets wait for it. */
  if (c->n_faults && c->sw.barrier != HD_BARRIER_MOVING && c->sw.barrier != HD_BARRIER_QUEUED)
    fprintf(f, ", timeout: 2000");
  if (c->congested)
    fprintf(f, ", congested: %" PRIu32 ", congestion: %" PRIu32, c->congested, c->congestion);
  if (c->center == 2)
    fprintf(f, ", center: %" PRIu32, c->first);
  else
    fprintf(f, ", center: %s", c->center ? "middle" : "lowest");
}

/* Do the members fill a box in a network with coordinates? A plan of network coding needs that; all nodes do. */
static bool fill_a_box(const struct soak_case *c, uint32_t members)
{
  return members == c->n_nodes && (c->topology == HD_TOPO_MESH || c->topology == HD_TOPO_TORUS ||
                                   c->topology == HD_TOPO_HYPERCUBE);
}

/* Can barrier units combine the values of a collective? Only in a network that loses no packets. */
static bool may_combine(const struct soak_case *c)
{
  return c->sw.values && !c->n_faults;
}

static bool may_cast(const struct soak_case *c, enum hd_collective collective)
{
  return soak_trees(c) && hd_method_needs(collective, HD_ALGORITHM_IN_NETWORK) == HD_NEEDS_TREES;
}

/* Can the collective use the algorithm with these members and this network? A schedule names the links that packets take,
 * so it needs a routing in which packets do not choose. */
static bool may_take(const struct soak_case *c, enum hd_collective collective,
                     enum hd_algorithm algorithm, uint32_t members)
{
  return hd_method_possible(collective, algorithm, (int)members) &&
         !(algorithm == HD_ALGORITHM_IN_NETWORK && !may_combine(c) && !may_cast(c, collective)) &&
         !(algorithm == HD_ALGORITHM_SCHEDULE &&
           (c->sw.adaptive || hd_routings[c->algorithm]->by_node)) &&
         !(algorithm == HD_ALGORITHM_NETWORK_CODED && !fill_a_box(c, members));
}

/* Picks one of the possible algorithms by a drawn number; AUTO: none is possible. */
static enum hd_algorithm algorithm_of(const struct soak_case *c, enum hd_collective collective,
                                      uint32_t members)
{
  uint32_t possible = 0, number = 0;
  if (may_take(c, collective, HD_ALGORITHM_IN_NETWORK, members) && c->destinations % 4)
    return HD_ALGORITHM_IN_NETWORK; /* preferred, because few switches can do it */
  for (unsigned i = 1; i < HD_ALGORITHMS; i++)
    possible += may_take(c, collective, (enum hd_algorithm)i, members);
  for (unsigned i = 1; i < HD_ALGORITHMS; i++)
    if (may_take(c, collective, (enum hd_algorithm)i, members) &&
        number++ == c->destinations % possible)
      return (enum hd_algorithm)i;
  return HD_ALGORITHM_AUTO;
}

/* Picks a collective. Switches that can do collectives get only those that they can do; other scenarios try the rest. */
static enum hd_collective collective_of(const struct soak_case *c)
{
  static const enum hd_collective combined[] = {HD_COLLECTIVE_ALLREDUCE, HD_COLLECTIVE_REDUCE,
                                                HD_COLLECTIVE_BARRIER};
  if (soak_trees(c))
    return c->sources % 2 ? HD_COLLECTIVE_BROADCAST : HD_COLLECTIVE_ALLGATHER;
  return may_combine(c) ? combined[c->sources % 3]
                        : (enum hd_collective)(c->sources % HD_COLLECTIVES);
}

static const char *const value_operators[] = {"sum-u32", "min-u32", "max-u32"};

/* Writes the parameters of a collective. They follow from numbers that are drawn for all kinds of messages. */
static void write_collective(const struct soak_case *c, FILE *f)
{
  enum hd_collective collective = collective_of(c);
  struct hd_collective_info info = hd_collective_info(collective);
  uint32_t members = 1 + c->n_rows % c->n_nodes, groups = 1 + c->first / 2 % 3;
  const enum hd_algorithm algorithm = algorithm_of(c, collective, members);
  const bool in_network = algorithm == HD_ALGORITHM_IN_NETWORK;
  const bool combined = in_network && !may_cast(c, collective);
  if (combined && groups > c->sw.groups)
    groups = c->sw.groups;
  if (in_network && !combined && groups > soak_trees(c))
    groups = soak_trees(c);
  fprintf(f, "collective: %s, members: %" PRIu32 ", groups: %" PRIu32, info.name, members, groups);
  if (algorithm != HD_ALGORITHM_AUTO)
    fprintf(f, ", algorithm: %s", hd_algorithm_info(algorithm).name);
  if (collective != HD_COLLECTIVE_BARRIER)
    fprintf(f, ", bytes: %" PRIu32, combined ? c->bytes % 64 / 4 * 4 + 4 : c->bytes);
  if (in_network) /* given values spare the program the cycles in which it would measure them */
    fprintf(f, ", alpha: 10, beta: 1");
  if (combined && info.reduces)
    fprintf(f, ", operator: %s", value_operators[c->bytes % 3]);
  if (combined && c->sw.groups >= 2 * groups)
    fprintf(f, ", at_once: %" PRIu32, c->sw.groups / groups < 8 ? c->sw.groups / groups : 8);
  if (info.rooted)
    fprintf(f, ", root: rotate");
  fprintf(f, ", under_way: %" PRIu32 ", repeat: %" PRIu32 ", gap: %" PRIu32,
          combined ? 1 : 1 + c->packet_bytes % 3, c->rounds, c->n_rows % 4 * 10);
}

static void write_multicast(const struct soak_case *c, FILE *f)
{
  const uint32_t members = 1 + c->n_rows % c->n_nodes;
  fprintf(f, "groups: %" PRIu32 ", members: %" PRIu32 ", senders: %" PRIu32,
          1 + c->first % soak_trees(c), members, 1 + c->destinations % members);
  fprintf(f, ", messages: %" PRIu32 ", bytes: %" PRIu32 ", gap: %" PRIu32 ", unicast: %" PRIu32,
          c->rounds, c->bytes % 64, c->packet_bytes % 4 * 25, c->sources % 5);
}

static void write_sides(FILE *f, const char *key, const uint32_t *sides, uint32_t n)
{
  fprintf(f, ", %s: \"", key); /* text, because a single number would mean a count of members */
  for (uint32_t d = 0; d < n; d++)
    fprintf(f, "%s%" PRIu32, d ? "x" : "", sides[d]);
  fprintf(f, "\"");
}

static void write_coding(const struct soak_case *c, FILE *f)
{
  const struct soak_coding *coding = &c->coding;
  uint32_t n;
  const uint32_t *sides = hd_soak_dimensions(c, &n);
  fprintf(f, "scheme: %s, multicast: %s, torus: %d, sources: %" PRIu32 ", flits: %" PRIu32,
          hd_coding_scheme_name(coding->scheme), hd_coding_multicast_name(coding->multicast),
          c->topology == HD_TOPO_TORUS, c->sources, c->flits);
  fprintf(f, ", most_flits: %" PRIu32 ", encode: %s, decode: %s, order: %s", coding->most_flits,
          coding->software_encodes ? "software" : "hardware",
          coding->software_decodes ? "software" : "hardware",
          coding->sequential ? "sequential" : "overlapping");
  fprintf(f, ", xor: %" PRIu32 ", restore: %" PRIu32, coding->xor_cycles, coding->restore_cycles);
  if (c->networks >= HD_CODING_STEPS)
    fprintf(f, ", channels: own");
  write_sides(f, "dims", sides, n);
  if (coding->scheme != HD_CODING_FLAT)
    write_sides(f, "group", coding->group, n);
  if (coding->scheme != HD_CODING_FLAT && coding->inner[0])
    write_sides(f, "inner", coding->inner, n);
}

static void write_parameters(const struct soak_case *c, const char *name, FILE *f)
{
  uint32_t n = c->n_nodes;
  switch (c->program) {
  case SOAK_SHUFFLE:
    fprintf(f, "sources: %" PRIu32 ", destinations: %" PRIu32 ", first: %" PRIu32, c->sources,
            c->destinations, c->first % (n - c->sources + 1));
    fprintf(f, ", first_destination: %" PRIu32 ", bytes: %" PRIu32 ", rounds: %" PRIu32,
            c->first * 7 % (n - c->destinations + 1), c->bytes, c->rounds);
    return;
  case SOAK_REPLAY:
    fprintf(f, "file: %s.trace.csv", name);
    return;
  case SOAK_BROADCAST:
    fprintf(f, "root: %" PRIu32 ", bytes: %" PRIu32 ", rounds: %" PRIu32, c->first, c->bytes,
            c->rounds);
    return;
  case SOAK_PINGPONG:
    fprintf(f, "first: %" PRIu32 ", second: %" PRIu32 ", bytes: %" PRIu32 ", rounds: %" PRIu32,
            c->first, (c->first + 1 + c->destinations % (n - 1)) % n, c->bytes, c->rounds);
    return;
  case SOAK_BARRIER:
    write_groups(c, f);
    return;
  case SOAK_COLLECTIVE:
    write_collective(c, f);
    return;
  case SOAK_CODING:
    write_coding(c, f);
    return;
  case SOAK_MULTICAST:
    write_multicast(c, f);
    return;
  default:
    break;
  }
  fprintf(f, "load: %.6g, flits: %" PRIu32 ", cycles: %" PRIu32, c->load, c->flits,
          c->traffic_cycles);
  if (c->program == SOAK_HOTSPOT)
    fprintf(f, ", node: %" PRIu32 ", fraction: %.2f", c->hot_node, 0.01 * c->hot_percent);
  if (c->program == SOAK_TORNADO || c->program == SOAK_NEIGHBOUR)
    fprintf(f, ", columns: %" PRIu32, c->columns);
}

static void write_scenario(const struct soak_case *c, const char *name, FILE *f)
{
  fprintf(f, "name: soak-%" PRIu32 "\n", c->index);
  write_fabric(c, name, f);
  write_switch(c, f);
  fprintf(f, "routing:\n  algorithm: %s\n", hd_routing_kind_name(c->algorithm));
  if (hd_switch_counts(&c->sw))
    fprintf(f, "  congestion: %s\n", hd_congestion_name(HD_ADAPTIVE_COUNT - HD_ADAPTIVE_CREDITS));
  if (c->credit_cap)
    fprintf(f, "  credit_cap: %" PRIu32 "\n", c->credit_cap);
  if (c->bias)
    fprintf(f, "  bias: %" PRIu32 "\n", c->bias);
  if (c->always_top)
    fprintf(f, "  always_top: true\n");
  if (c->sw.route)
    fprintf(f, "  computed: true\n");
  if (c->networks > 1)
    fprintf(f, "  virtual_networks: %" PRIu32 "\n", c->networks);
  fprintf(f, "software:\n  program: %s\n", hd_soak_program_name(c->program));
  fprintf(f, "  startup_cycles: %" PRIu32 "\n  packet_bytes: %" PRIu32 "\n  parameters: {",
          c->startup_cycles, c->packet_bytes ? c->packet_bytes : 1);
  write_parameters(c, name, f);
  fprintf(f, "}\nseed: %" PRIu64 "\n", c->seed);
  fprintf(f, "run:\n  cycles: %" PRIu32 "\n  window_cycles: %" PRIu32 "\n  threads: %" PRIu32 "\n",
          c->cycles, c->window_cycles, c->threads);
  /* Only a deadlock lasts so long without progress, because start-up times and holds are shorter. */
  fprintf(f, "  mode: %s\n  watchdog_cycles: %" PRIu32 "\n  dut: verilator\n",
          c->mode == HD_MODE_CLOSED ? "closed" : "decoupled", c->congested ? c->cycles : 400);
  fprintf(f, "  compare: %s\n", hd_compare_name(c->compare));
}

static void write_links(const struct soak_case *c, FILE *f)
{
  const struct soak_graph *g = &c->graph;
  for (uint32_t i = 0; i < g->n_nodes; i++)
    fprintf(f, "n%" PRIu32 ",s%u:%u\n", i, g->nodes[i].sw, g->nodes[i].port);
  for (uint32_t i = 0; i < g->n_links; i++) {
    fprintf(f, "s%u:%u,s%u:%u", g->links[i].a, g->links[i].a_port, g->links[i].b,
            g->links[i].b_port);
    if (g->links[i].cycles)
      fprintf(f, ",%u", g->links[i].cycles);
    fprintf(f, "\n");
  }
}

void hd_soak_write_graph(const struct soak_case *c, FILE *f)
{
  char *links = NULL;
  size_t length = 0;
  FILE *memory = c->algorithm == HD_ROUTE_TABLES ? open_memstream(&links, &length) : NULL;
  write_links(c, memory ? memory : f);
  if (memory && !fclose(memory))
    hd_soak_write_tables(c, links, length, f);
  free(links);
}

/* Writes a trace that follows from seed, nodes and number of rows, so that shrinking keeps no rows. */
static void write_trace(const struct soak_case *c, const char *name, FILE *f)
{
  struct hd_random r, networks;
  (void)name;
  hd_random_seed(&r, c->seed, 0);
  hd_random_seed(&networks, c->seed, 2);
  fprintf(f, "cycle,source,destination,bytes,network\n");
  for (uint32_t i = 0; i < c->n_rows; i++) {
    uint32_t cycle = soak_between(&r, 0, c->traffic_cycles - 1);
    uint32_t source = soak_between(&r, 0, c->n_nodes - 1);
    fprintf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", cycle, source,
            soak_between(&r, 0, c->n_nodes - 1));
    fprintf(f, "%" PRIu32 ",%" PRIu32 "\n",
            c->bytes ? soak_between(&r, 0, 2 * c->bytes) : soak_between(&r, 0, 40),
            soak_between(&networks, 0, c->networks - 1));
  }
}

static void write_graph(const struct soak_case *c, const char *name, FILE *f)
{
  (void)name;
  hd_soak_write_graph(c, f);
}

static int write_file(const struct soak_case *c, const char *directory, const char *name,
                      const char *ending,
                      void (*write)(const struct soak_case *c, const char *name, FILE *f),
                      char path[SOAK_PATH], struct hd_error *err)
{
  snprintf(path, SOAK_PATH, "%s/%s%s", directory, name, ending);
  FILE *f = fopen(path, "w");
  if (f)
    write(c, name, f);
  const bool failed = !f || ferror(f);
  return (f && fclose(f)) || failed ? hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno))
                                    : HD_OK;
}

int hd_soak_write(const struct soak_case *c, const char *directory, const char *name,
                  char yaml[SOAK_PATH], struct hd_error *err)
{
  char path[SOAK_PATH];
  int status = write_file(c, directory, name, ".yaml", write_scenario, yaml, err);
  if (!status && c->topology == HD_TOPO_GRAPH)
    status = write_file(c, directory, name, ".net.csv", write_graph, path, err);
  if (!status && c->program == SOAK_REPLAY)
    status = write_file(c, directory, name, ".trace.csv", write_trace, path, err);
  return status ? status : hd_soak_write_faults(c, yaml, err);
}

void hd_soak_unlink(const char *directory, const char *name)
{
  static const char *const endings[] = {".yaml", ".net.csv", ".trace.csv"};
  char path[SOAK_PATH];
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    snprintf(path, sizeof path, "%s/%s%s", directory, name, endings[i]);
    unlink(path);
  }
}
