/* Counts for each value that a soak covers: scenarios, switch-cycles, flits and blocked flit-cycles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include "../../host/memory.h"
#include "../../record/rundb.h"
#include "../../../sw/coding/coding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 400 };

struct value {
  const char *dimension;
  char label[48];
  uint64_t scenarios, switch_cycles, flits, blocked;
};

struct soak_coverage {
  struct value values[MOST_VALUES];
  uint32_t n;
  uint32_t pairs[HD_TOPOLOGIES][HD_ROUTINGS][HD_BARRIER_KINDS]; /* scenarios */
};

struct soak_coverage *hd_soak_coverage_create(void)
{
  return hd_xcalloc(1, sizeof(struct soak_coverage));
}

void hd_soak_coverage_destroy(struct soak_coverage *coverage)
{
  free(coverage);
}

static void count_value(struct soak_coverage *coverage, const char *dimension, const char *label,
                        const struct soak_result *r)
{
  uint32_t i = 0;
  while (i < coverage->n && (strcmp(coverage->values[i].dimension, dimension) ||
                             strcmp(coverage->values[i].label, label)))
    i++;
  if (i == MOST_VALUES)
    return;
  struct value *v = &coverage->values[i];
  if (i == coverage->n) {
    *v = (struct value){.dimension = dimension};
    snprintf(v->label, sizeof v->label, "%s", label);
    coverage->n++;
  }
  v->scenarios++;
  v->switch_cycles += r->switch_cycles;
  v->flits += r->flits;
  v->blocked += r->blocked;
}

static void count_number(struct soak_coverage *coverage, const char *dimension, uint32_t number,
                         const struct soak_result *r)
{
  char label[24];
  snprintf(label, sizeof label, "%" PRIu32, number);
  count_value(coverage, dimension, label, r);
}

/* Counts a number under its octave: "1", "2-3", "4-7", … */
static void count_octave(struct soak_coverage *coverage, const char *dimension, uint32_t number,
                         const struct soak_result *r)
{
  char label[24];
  uint32_t low = 1;
  while (low * 2 <= number)
    low *= 2;
  if (number <= 1)
    snprintf(label, sizeof label, "%" PRIu32, number);
  else
    snprintf(label, sizeof label, "%" PRIu32 "-%" PRIu32, low, 2 * low - 1);
  count_value(coverage, dimension, label, r);
}

static const char *load_label(const struct soak_case *c)
{
  if (!soak_has_load(c->program))
    return "messages";
  return c->load < 0.04 ? "below 0.04" : c->load < 0.4 ? "0.04 to 0.4" : "above 0.4";
}

static const char *length_label(const struct soak_case *c)
{
  if (!soak_has_load(c->program))
    return "messages";
  return c->flits == 1 ? "one flit" : c->flits <= c->sw.depth_flits ? "up to depth" : "above depth";
}

static const char *window_label(uint32_t window)
{
  return window == 1      ? "1"
         : window == 7    ? "7"
         : window == 256  ? "256"
         : window == 4096 ? "4096"
                          : "other";
}

static const char *size_label(const struct soak_case *c)
{
  if (c->size == SOAK_ORDINARY)
    return "ordinary";
  if (c->size == SOAK_LONG)
    return c->sw.barrier                 ? "long, barriers"
           : c->sw.ports == HD_MAX_PORTS ? "long, 16 ports"
                                         : "long";
  return c->sw.source_table ? "wide, source tables" : "wide";
}

static void add_barrier(struct soak_coverage *coverage, const struct soak_case *c,
                        const struct soak_result *r)
{
  char label[24];
  count_value(coverage, "barrier", hd_barrier_name(c->sw.barrier), r);
  if (!c->sw.barrier)
    return;
  count_octave(coverage, "status table", c->sw.groups, r);
  count_octave(coverage, "idle cycles", c->idle_cycles, r);
  if (c->program != SOAK_BARRIER)
    return;
  if (c->mode == HD_MODE_CLOSED)
    count_value(coverage, "barriers by", hd_compare_name(c->compare), r);
  snprintf(label, sizeof label, "%s, %s", hd_barrier_name(c->sw.barrier), load_label(c));
  count_value(coverage, "barriers at load", label, r);
  snprintf(label, sizeof label, "%s, %s", hd_barrier_name(c->sw.barrier),
           hd_topology_kind_name(c->topology));
  count_value(coverage, "barriers on", label, r);
  count_octave(coverage, "groups", c->groups, r);
  count_value(coverage, "interfaces", c->congested ? "held" : "free", r);
  count_value(coverage, "members",
              c->members == c->n_nodes ? "all"
              : c->members == 1        ? "one"
                                       : "some",
              r);
  count_value(coverage, "center",
              c->center == 0   ? "lowest"
              : c->center == 1 ? "middle"
                               : "named",
              r);
}

static void add_coding(struct soak_coverage *coverage, const struct soak_case *c,
                       const struct soak_result *r)
{
  const struct soak_coding *coding = &c->coding;
  count_value(coverage, "coding", hd_coding_scheme_name(coding->scheme), r);
  count_value(coverage, "multicast", hd_coding_multicast_name(coding->multicast), r);
  count_value(coverage, "steps", coding->sequential ? "sequential" : "overlapping", r);
  if (r->made)
    count_value(coverage, "coders on", hd_topology_kind_name(c->topology), r);
  if (r->made)
    count_value(coverage, "coders' work",
                coding->software_encodes   ? "decoding"
                : coding->software_decodes ? "encoding"
                                           : "both",
                r);
}

/* Counts virtual networks. If packets went in networks other than 0, also the program, the routing, and faults. */
static void add_networks(struct soak_coverage *coverage, const struct soak_case *c,
                         const struct soak_result *r)
{
  count_number(coverage, "networks", c->networks, r);
  if (!r->of_others)
    return;
  count_value(coverage, "networks' packets", hd_soak_program_name(c->program), r);
  count_value(coverage, "networks routed", hd_routing_kind_name(c->algorithm), r);
  if (r->struck)
    count_value(coverage, "networks' packets", "with faults", r);
}

void hd_soak_coverage_add(struct soak_coverage *coverage, const struct soak_case *c,
                          const struct soak_result *r)
{
  const struct hd_switch_params *p = &c->sw;
  count_value(coverage, "topology", hd_topology_kind_name(c->topology), r);
  char pair[64];
  snprintf(pair, sizeof pair, "%s, %s", hd_topology_kind_name(c->topology),
           hd_routing_kind_name(c->algorithm));
  count_value(coverage, "routed", pair, r);
  coverage->pairs[c->topology][c->algorithm][p->barrier]++;
  if (c->topology == HD_TOPO_MESH)
    count_number(coverage, "mesh dimensions", c->n_dims, r);
  count_value(coverage, "routing", hd_routing_kind_name(c->algorithm), r);
  if (c->always_top)
    count_value(coverage, "routing", "always to the top", r);
  count_value(coverage, "program", hd_soak_program_name(c->program), r);
  count_value(coverage, "load", load_label(c), r);
  count_value(coverage, "packet length", length_label(c), r);
  count_value(coverage, "switching", p->cut_flits ? "cut-through" : "wormhole", r);
  count_value(coverage, "mode", c->mode == HD_MODE_CLOSED ? "closed" : "decoupled", r);
  if (c->mode == HD_MODE_DECOUPLED)
    count_value(coverage, "window", window_label(c->window_cycles), r);
  else
    count_value(coverage, "compare", hd_compare_name(c->compare), r);
  count_number(coverage, "threads", c->threads, r);
  count_number(coverage, "ports", p->ports, r);
  count_number(coverage, "vcs", p->vcs, r);
  add_networks(coverage, c, r);
  count_number(coverage, "data bits", p->data_bits, r);
  count_octave(coverage, "depth", p->depth_flits, r);
  count_octave(coverage, "table entries", p->nodes, r);
  count_number(coverage, "route cycles", p->route_cycles, r);
  count_number(coverage, "arb cycles", p->arb_cycles, r);
  count_number(coverage, "buffer cycles", p->buffer_cycles, r);
  count_octave(coverage, "link cycles", c->link_cycles, r);
  if (hd_soak_has_latencies(c))
    count_value(coverage, "links of their own", hd_topology_kind_name(c->topology), r);
  if (p->route)
    count_value(coverage, "computed routes", hd_soak_route_name(p->route), r);
  count_octave(coverage, "switches", c->n_switches, r);
  count_octave(coverage, "nodes", c->n_nodes, r);
  count_value(coverage, "size", size_label(c), r);
  count_value(coverage, "faults", !c->n_faults || r->struck ? hd_soak_fault_label(c) : "too late",
              r);
  if (r->struck)
    count_value(coverage, "members cut off", r->cut_off ? "some" : "none", r);
  count_value(coverage, "coders",
              !p->code_places ? "none"
              : r->made       ? "made packets"
                              : "made nothing",
              r);
  if (c->program == SOAK_CODING)
    add_coding(coverage, c, r);
  add_barrier(coverage, c, r);
}

/* Orders values by dimension, then by number, then by name. */
static int by_label(const void *a, const void *b)
{
  const struct value *x = a, *y = b;
  int dimension = strcmp(x->dimension, y->dimension);
  if (dimension)
    return dimension;
  long nx = strtol(x->label, NULL, 10), ny = strtol(y->label, NULL, 10);
  return nx < ny ? -1 : nx > ny ? 1 : strcmp(x->label, y->label);
}

void hd_soak_coverage_print(const struct soak_coverage *coverage, FILE *file)
{
  struct soak_coverage sorted = *coverage;
  qsort(sorted.values, sorted.n, sizeof *sorted.values, by_label);
  fprintf(file, "%-16s %-18s %9s %14s %12s %14s\n", "", "", "scenarios", "switch-cycles", "flits",
          "blocked");
  for (uint32_t i = 0; i < sorted.n; i++) {
    const struct value *v = &sorted.values[i];
    bool first = i == 0 || strcmp(v[-1].dimension, v->dimension);
    fprintf(file, "%-16s %-18s %9" PRIu64 " %14" PRIu64 " %12" PRIu64 " %14" PRIu64 "\n",
            first ? v->dimension : "", v->label, v->scenarios, v->switch_cycles, v->flits,
            v->blocked);
  }
}

#define VALUE_COLUMNS(X)                                  \
  X("scenarios", COUNT, NULL, v->scenarios, true)         \
  X("switch_cycles", COUNT, NULL, v->switch_cycles, true) \
  X("flits", COUNT, NULL, v->flits, true)                 \
  X("blocked", COUNT, NULL, v->blocked, true)

json_t *hd_soak_coverage_json(const struct soak_coverage *coverage)
{
  static const struct hd_column columns[] = {VALUE_COLUMNS(HD_PLAIN_COLUMN)};
  struct soak_coverage sorted = *coverage;
  json_t *all = json_object(), *labels = NULL;
  qsort(sorted.values, sorted.n, sizeof *sorted.values, by_label);
  for (uint32_t i = 0; i < sorted.n; i++) {
    const struct value *v = &sorted.values[i];
    if (i == 0 || strcmp(v[-1].dimension, v->dimension))
      json_object_set_new(all, v->dimension, labels = json_object());
    json_object_set_new(labels, v->label,
                        hd_json_row(HD_COLUMNS(columns), HD_PLAIN_ROW(VALUE_COLUMNS)));
  }
  return all;
}

uint32_t hd_soak_coverage_pair(const struct soak_coverage *coverage, const struct soak_case *c)
{
  return coverage->pairs[c->topology][c->algorithm][c->sw.barrier];
}

uint32_t hd_soak_coverage_pairs(const struct soak_coverage *coverage, uint32_t least, FILE *file)
{
  uint32_t holes = 0;
  for (unsigned k = 0; k < HD_TOPOLOGIES; k++)
    for (unsigned r = 0; r < HD_ROUTINGS; r++)
      for (unsigned b = 0; b < HD_BARRIER_KINDS; b++) {
        const uint32_t found = coverage->pairs[k][r][b];
        if (!hd_soak_pair_exists(k, r, b) || found >= least)
          continue;
        fprintf(file, "not covered: %s, %s, barrier %s: %" PRIu32 " scenarios of %" PRIu32 "\n",
                hd_topology_kind_name(k), hd_routing_kind_name(r), hd_barrier_name(b), found,
                least);
        holes++;
      }
  return holes;
}

/* ── values that a soak should cover ───────────────────────────────────────── */

/* A dimension and its labels in each row. */
static const char *const wanted[][17] = {
    {"mesh dimensions", "1", "2", "3"},
    {"routing", "always to the top"},
    {"program", "uniform", "hotspot", "transpose", "bit-complement", "tornado", "neighbour",
     "shuffle", "replay", "broadcast", "pingpong", "collective", "coding", "multicast"},
    {"coders", "made packets"},
    {"coders on", "mesh", "torus"},
    {"coders' work", "encoding", "decoding", "both"},
    {"networks", "1", "2", "4"},
    {"networks' packets", "replay", "coding", "with faults"},
    {"size", "wide", "wide, source tables", "long", "long, barriers", "long, 16 ports"},
    {"load", "below 0.04", "0.04 to 0.4", "above 0.4"},
    {"packet length", "one flit", "up to depth", "above depth"},
    {"switching", "wormhole", "cut-through"},
    {"mode", "decoupled", "closed"},
    {"compare", "exact", "order", "packets"},
    {"barriers by", "order", "packets"},
    {"window", "1", "7", "256", "4096", "other"},
    {"threads", "1", "2"},
    {"ports", "2", "16"},
    {"vcs", "1", "8"},
    {"data bits", "16", "32", "64"},
    {"depth", "1", "64-127"},
    {"table entries", "2048-4095"},
    {"route cycles", "1", "2"},
    {"arb cycles", "1", "2"},
    {"buffer cycles", "0", "1"},
    {"program", "barrier"},
    {"barrier", "none"},
    {"route cycles", "0"},
    {"computed routes", "mesh", "torus", "hypercube", "digits"},
    {"links of their own", "graph", "dragonfly"},
    {"barriers at load", "any, below 0.04", "any, 0.04 to 0.4", "any, above 0.4",
     "fixed, below 0.04", "fixed, 0.04 to 0.4", "fixed, above 0.4", "moving, below 0.04",
     "moving, 0.04 to 0.4", "moving, above 0.4", "queued, below 0.04", "queued, 0.04 to 0.4",
     "queued, above 0.4", "reserved, below 0.04", "reserved, 0.04 to 0.4", "reserved, above 0.4"},
    {"barriers on", "any, mesh", "any, graph", "any, irregular", "fixed, mesh", "fixed, graph",
     "fixed, irregular", "moving, mesh", "moving, graph", "moving, irregular", "queued, mesh",
     "queued, graph", "queued, irregular", "reserved, mesh", "reserved, graph",
     "reserved, irregular"},
    {"status table", "1", "32-63"},
    {"groups", "1", "2-3", "4-7"},
    {"members", "all", "some"},
    {"center", "lowest", "middle", "named"},
    {"idle cycles", "1", "256-511"},
    {"interfaces", "held"},
    {"faults", "none", "between rounds", "at any time", "both"},
    {"members cut off", "none", "some"},
};

bool hd_soak_wanted(uint32_t number, struct soak_value *value)
{
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    for (const char *const *label = wanted[i] + 1; *label; label++)
      if (!number--) {
        *value = (struct soak_value){wanted[i][0], *label};
        return true;
      }
  if (number < HD_TOPOLOGIES)
    *value = (struct soak_value){"topology", hd_topology_kind_name(number)};
  else if (number - HD_TOPOLOGIES < HD_ROUTINGS)
    *value = (struct soak_value){"routing", hd_routing_kind_name(number - HD_TOPOLOGIES)};
  else
    return false;
  return true;
}

bool hd_soak_covered(const struct soak_coverage *coverage, const struct soak_value *value)
{
  for (uint32_t i = 0; i < coverage->n; i++)
    if (!strcmp(coverage->values[i].dimension, value->dimension) &&
        !strcmp(coverage->values[i].label, value->label))
      return true;
  return false;
}

bool hd_soak_may_cover(const struct soak_case *c, const struct soak_value *value)
{
  struct soak_coverage coverage = {.n = 0};
  for (uint32_t cut_off = 0; cut_off < 2; cut_off++)
    hd_soak_coverage_add(
        &coverage, c,
        &(struct soak_result){.struck = c->n_faults,
                              .of_others = c->networks > 1,
                              .cut_off = cut_off,
                              .made = c->program == SOAK_CODING &&
                                      c->coding.scheme == HD_CODING_CODED &&
                                      !(c->coding.software_encodes && c->coding.software_decodes)});
  return hd_soak_covered(&coverage, value);
}

uint32_t hd_soak_coverage_holes(const struct soak_coverage *coverage, FILE *file)
{
  uint32_t holes = 0;
  struct soak_value value;
  for (uint32_t i = 0; hd_soak_wanted(i, &value); i++)
    if (!hd_soak_covered(coverage, &value)) {
      fprintf(file, "not covered: %s %s\n", value.dimension, value.label);
      holes++;
    }
  return holes;
}

void hd_soak_csv_head(FILE *file)
{
  fprintf(
      file,
      "scenario,outcome,runs,topology,switches,nodes,routing,program,load,flits,mode,window,"
      "threads,ports,table_entries,vcs,data_bits,depth,route,arb,buffer,cut,link,cycles,"
      "switch_cycles,evaluated_cycles,flits_compared,events_compared,blocked,packets,"
      "delivered,barrier,table,idle,groups,members,rounds,answers,faults,struck,cut_off,digest\n");
}

void hd_soak_csv_line(FILE *file, const struct soak_case *c, const struct soak_result *r,
                      bool every_variant)
{
  const struct hd_switch_params *p = &c->sw;
  bool groups = c->program == SOAK_BARRIER;
  fprintf(file, "%" PRIu32 ",%s%s,%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%s%s,%s,", c->index,
          hd_soak_outcome_name(r->outcome), every_variant ? " every way" : "", r->runs,
          hd_topology_kind_name(c->topology), c->n_switches, c->n_nodes,
          hd_routing_kind_name(c->algorithm),
          c->always_top ? " always to the top"
          : c->sw.route ? " computed"
                        : "",
          hd_soak_program_name(c->program));
  if (soak_has_load(c->program))
    fprintf(file, "%g,%" PRIu32, c->load, c->flits);
  else
    fprintf(file, ",");
  fprintf(file, ",%s,%" PRIu32 ",%" PRIu32, c->mode == HD_MODE_CLOSED ? "closed" : "decoupled",
          c->window_cycles, c->threads);
  const uint32_t numbers[] = {p->ports,       p->nodes,        p->vcs,        p->data_bits,
                              p->depth_flits, p->route_cycles, p->arb_cycles, p->buffer_cycles,
                              p->cut_flits,   c->link_cycles};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    fprintf(file, ",%" PRIu32, numbers[i]);
  const uint64_t counts[] = {r->cycles, r->switch_cycles, r->evaluated_cycles, r->flits,
                             r->events, r->blocked,       r->packets,          r->delivered};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    fprintf(file, ",%" PRIu64, counts[i]);
  fprintf(file, ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64,
          hd_barrier_name(p->barrier), p->groups, c->idle_cycles, groups ? c->groups : 0,
          groups ? c->members : 0, groups ? c->rounds : 0, r->barriers);
  fprintf(file, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%016" PRIx64 "\n", c->n_faults, r->struck,
          r->cut_off, r->digest);
}
