/* Lists all results of a run: name, meaning, and where each value comes from.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "results.h"

#include "../version.h"
#include "results_run.h"

#include <assert.h>
#include <string.h>

static double offered(const struct hd_run_report *r)
{
  uint64_t until = hd_run_measured_until(r);
  if (until <= r->warmup_cycles || !r->n_nodes)
    return 0.0;
  return (double)r->measured_sent_flits / ((double)(until - r->warmup_cycles) * r->n_nodes);
}

/* Tests whether the run shows if it is saturated. */
static bool load_known(const struct hd_run_report *r)
{
  const enum hd_load_state state = r->verdict.state;
  return state == HD_LOAD_STEADY || state == HD_LOAD_WARM_UP || state == HD_LOAD_SATURATED;
}

static const char *quiescence(const struct hd_run_report *r)
{
  static const char *const names[] = {NULL, "proved", "sampled"};
  return names[r->quiescence];
}

/* Tests whether all evaluated windows count, so that the share of evaluated switches is known. */
static bool evaluated_known(const struct hd_run_report *r)
{
  return r->result.switch_cycles && r->result.cycles <= r->result.cycles_compared;
}

static uint64_t later_barriers(const struct hd_run_report *r)
{
  uint64_t n = 0;
  for (uint32_t i = 0; i < r->n_barriers; i++)
    n += r->barriers[i].later.n;
  return n;
}

static uint64_t longest_barrier(const struct hd_run_report *r)
{
  uint64_t longest = 0;
  for (uint32_t i = 0; i < r->n_barriers; i++)
    if (r->barriers[i].later.maximum > longest)
      longest = r->barriers[i].later.maximum;
  return longest;
}

/* Returns the only barrier group; with several, an empty one, since each has its own bound. */
static const struct hd_run_barrier *only_group(const struct hd_run_report *r)
{
  static const struct hd_run_barrier none;
  return r->n_barriers == 1 ? &r->barriers[0] : &none;
}

/* Tests whether the rules at ports were checked. */
static bool ports_watched(const struct hd_run_report *r)
{
  return r->result.ports.of[HD_PORT_LINK];
}

static bool ports_hold(const struct hd_run_report *r)
{
  return ports_watched(r) && !r->result.divergence.broken.rule;
}

static const struct hd_explain_inside *inside(const struct hd_run_report *r)
{
  return &r->explanation.inside;
}

static const char *cause(const struct hd_run_report *r)
{
  return r->explanation.cause;
}

static const struct hd_explain_state *first_wrong_state(const struct hd_run_report *r)
{
  return &inside(r)->states[inside(r)->first];
}

/* Returns the energy of all events of a kind in picojoules; HD_ENERGY_EVENTS for `event` adds up
 * all kinds. */
static double picojoules(const struct hd_run_report *r, unsigned event)
{
  const struct hd_run_energy *e = &r->energy;
  double sum = 0;
  for (unsigned i = 0; i < HD_ENERGY_EVENTS; i++)
    if (event == i || event == HD_ENERGY_EVENTS)
      sum += (double)e->events[i] * (double)e->femtojoules[i] / 1000;
  return sum;
}

enum {
  JSON = HD_IN_JSON,
  CSV = HD_IN_CSV,
  RUN = HD_IN_RUN,
  PROPERTY = HD_IN_PROPERTIES,
  BEFORE = HD_IS_BEFORE_RUN
};

/* Lines X(key, type, unit, value, known, where, .help = …, …): `value` has type HD_VALUE_… and
 * is read only if `known`. The rest are members of struct hd_column. Columns of CSV and members
 * of JSON are in the order of these lines, so add a new line at the end. */

#define LATENCY_RESULTS(X, key, l, measured, in_run, of)                                         \
  X(key ".packets", COUNT, "packets", (l).n, measured, JSON | CSV | in_run,                      \
    .help = "packets whose latency was measured: those created at `warmup_cycles` or later" of)  \
  X(key ".minimum", COUNT, "cycles", (l).minimum, (l).n, JSON | CSV | in_run,                    \
    .help = "shortest latency, from being handed over to being received" of,                     \
    .none = "no packet was measured")                                                            \
  X(key ".mean", REAL, "cycles", hd_latency_mean(&(l)), (l).n, JSON | CSV | in_run,              \
    .help = "mean latency" of, .none = "no packet was measured")                                 \
  X(key ".p99", COUNT, "cycles", (l).p99, (l).n, JSON | CSV | in_run,                            \
    .help = "99th percentile of the latency, nearest rank" of, .none = "no packet was measured") \
  X(key ".maximum", COUNT, "cycles", (l).maximum, (l).n, JSON | CSV | in_run,                    \
    .help = "longest latency" of, .none = "no packet was measured")

#define PERCENTILE_RESULTS(X, key, l, of)                                                          \
  X(key ".median", COUNT, "cycles", (l).median, (l).n, JSON | CSV, .help = "median of the " of,    \
    .none = "no packet was measured")                                                              \
  X(key ".p95", COUNT, "cycles", (l).p95, (l).n, JSON | CSV, .help = "95th percentile of the " of, \
    .none = "no packet was measured")                                                              \
  X(key ".p999", COUNT, "cycles", (l).p999, (l).n, JSON | CSV,                                     \
    .help = "99.9th percentile of the " of, .none = "no packet was measured")

#define SUMMARY_COLUMNS(X, prefix, s)                                                 \
  X(prefix "n", COUNT, "values", (s).n, (s).n, JSON, .help = "how many")              \
  X(prefix "minimum", COUNT, NULL, (s).minimum, (s).n, JSON, .help = "the least")     \
  X(prefix "mean", REAL, NULL, (s).mean, (s).n, JSON, .help = "their mean")           \
  X(prefix "median", COUNT, NULL, (s).median, (s).n, JSON, .help = "50th percentile") \
  X(prefix "p99", COUNT, NULL, (s).p99, (s).n, JSON, .help = "99th percentile, nearest rank")

#define STATISTIC_COLUMNS(X)                                                 \
  X("name", TEXT, NULL, s->name, true, JSON, .help = "as software named it") \
  SUMMARY_COLUMNS(X, "", *s)                                                 \
  X("maximum", COUNT, NULL, s->maximum, true, JSON, .help = "the largest")

#define GROUP_COLUMNS(X)                                                                          \
  X("group", COUNT, NULL, b->group, true, JSON, .help = "number of the group")                    \
  X("members", COUNT, "nodes", b->members, true, JSON, .help = "its members")                     \
  X("center_switch", COUNT, NULL, b->center, true, JSON, .help = "where its tree has its root")   \
  X("first", COUNT, "cycles", b->first_cycles, b->has_first, JSON,                                \
    .help = "the first barrier, which builds the tree", .none = "there was none")                 \
  SUMMARY_COLUMNS(X, "later.", b->later)                                                          \
  X("later.p999", COUNT, NULL, b->later.p999, b->later.n, JSON, .help = "99.9th percentile")      \
  X("later.maximum", COUNT, NULL, b->later.maximum, b->later.n, JSON, .help = "the largest")      \
  X("bsr_nodes", COUNT, "nodes", b->bsr_nodes, b->bsr_nodes, JSON,                                \
    .help = "nodes of the group's tree", .none = "the tree is not known")                         \
  X("distance_hops", COUNT, "hops", b->distance_hops, b->bsr_nodes, JSON,                         \
    .help = "from the center to the farthest of them, along the tree: D of Theorem 2",            \
    .none = "the tree is not known")                                                              \
  X("hop_cycles", COUNT, "cycles", b->hop_cycles, b->bsr_nodes, JSON,                             \
    .help = "a hop of a barrier message: T_b (§8.5)", .none = "the tree is not known")            \
  X("preempt_cycles", COUNT, "cycles", b->preempt_cycles, b->bsr_nodes, JSON,                     \
    .help = "preempting a channel: T_p (§8.5)", .none = "the tree is not known")                  \
  X("theorem_2_cycles", REAL, "cycles", b->theorem_2_cycles, b->bsr_nodes, JSON,                  \
    .help = "2 T_b D", .none = "the tree is not known")                                           \
  X("busy", REAL, NULL, b->busy, b->has_busy, JSON,                                               \
    .help = "share of the channels between switches that serve a packet when the last member "    \
            "arrives: p of the paper",                                                            \
    .none = "it was not measured")                                                                \
  X("blocked", REAL, NULL, b->blocked, b->has_busy, JSON,                                         \
    .help = "share of these that has no credit: p_f of the paper", .none = "it was not measured") \
  X("formula_cycles", REAL, "cycles", b->formula_cycles, b->formula_cycles >= 0, JSON,            \
    .help = "(1) or (2) of the paper by these, without T_s", .none = "neither applies")           \
  X("bound_cycles", COUNT, "cycles", b->bound_cycles, b->bound_cycles, JSON,                      \
    .help = "bound of §8.11", .none = "no bound holds")                                           \
  X("no_bound", TEXT, NULL, b->no_bound, true, JSON, .help = "why no bound holds",                \
    .none = "one does")                                                                           \
  X("above_bound", COUNT, "barriers", b->above_bound, b->bound_cycles, JSON,                      \
    .help = "later barriers that took longer than the bound", .none = "no bound holds")

#define FAULT_COLUMNS(X)                                                                         \
  X("switch", COUNT, NULL, f->fault.sw, true, JSON,                                              \
    .help = "the switch that fails, or whose link")                                              \
  X("port", COUNT, NULL, f->fault.port, !f->fault.whole_switch, JSON, .help = "the link's port", \
    .none = "the switch fails")                                                                  \
  X("struck", FLAG, NULL, f->struck, true, JSON, .help = "the run came so far")                  \
  X("cycle", COUNT, NULL, f->cycle, f->struck, JSON, .help = "in which it failed",               \
    .none = "it did not")

#define UNREACHABLE_COLUMNS(X)                                                          \
  X("node", COUNT, NULL, c->node, true, JSON, .help = "the member that is cut off")     \
  X("switch", COUNT, NULL, c->sw, true, JSON, .help = "its switch")                     \
  X("group", COUNT, NULL, c->group, true, JSON, .help = "number of the group")          \
  X("center", COUNT, NULL, c->center, true, JSON, .help = "node at the group's center") \
  X("center_switch", COUNT, NULL, c->center_sw, true, JSON, .help = "its switch")       \
  X("cycle", COUNT, NULL, c->cycle, true, JSON, .help = "in which it was found")        \
  X("why", TEXT, NULL, c->why, true, JSON, .help = "what cut it off")

static double of_class(const struct hd_run_report *r, uint64_t flits)
{
  const uint64_t until = hd_run_measured_until(r);
  return until > r->warmup_cycles && r->n_nodes
             ? (double)flits / ((double)(until - r->warmup_cycles) * r->n_nodes)
             : 0;
}

#define CLASS_COLUMNS(X)                                                                          \
  X("class", COUNT, NULL, i, true, JSON | CSV, .help = "number of the class")                     \
  X("offered", REAL, "flits/node/cycle", of_class(r, c->sent_flits), hd_run_has_phase(r),         \
    JSON | CSV, .help = "flits of its packets created in the measuring phase, a node and cycle",  \
    NO_PHASE)                                                                                     \
  X("throughput", REAL, "flits/node/cycle", of_class(r, c->received_flits), hd_run_has_phase(r),  \
    JSON | CSV, .help = "flits of its packets received in the measuring phase, a node and cycle", \
    NO_PHASE)                                                                                     \
  LATENCY_RESULTS(X, "latency", c->latency, true, 0, "")                                          \
  PERCENTILE_RESULTS(X, "latency", c->latency, "latency")                                         \
  X("network_latency.mean", REAL, "cycles", hd_latency_mean(&c->network_latency),                 \
    c->network_latency.n, JSON | CSV, .help = "mean latency in the network",                      \
    .none = "no packet was measured")                                                             \
  PERCENTILE_RESULTS(X, "network_latency", c->network_latency, "latency in the network")          \
  X("network_latency.p99", COUNT, "cycles", c->network_latency.p99, c->network_latency.n,         \
    JSON | CSV, .help = "99th percentile of the latency in the network",                          \
    .none = "no packet was measured")

#define ENERGY_COLUMNS(X)                                                                      \
  X("event", WORD, NULL, names[i], true, JSON | CSV, .help = "as in `energy.…`")               \
  X("events", COUNT, NULL, r->energy.events[i], true, JSON | CSV, .help = "how many")          \
  X("each", COUNT, "fJ", r->energy.femtojoules[i], true, JSON | CSV, .help = "what one takes") \
  X("energy", REAL, "pJ", picojoules(r, i), true, JSON | CSV, .help = "what all take")

#define STATE_COLUMNS(X)                                                               \
  X("name", TEXT, NULL, s->name, true, JSON, .help = "of the state (§6.5, §8.10)")     \
  X("rtl", TEXT, NULL, s->rtl, true, JSON, .help = "its value in the RTL; x: unknown") \
  X("model", TEXT, NULL, s->model, true, JSON, .help = "its value in the model")       \
  X("differs", FLAG, NULL, s->differs, true, JSON, .help = "these differ, and mean something")

#define NAMED_COLUMNS(X)                                      \
  X("name", TEXT, NULL, name, true, JSON, .help = "its name") \
  X("value", COUNT, NULL, value, true, JSON, .help = "its value")

#define COVERAGE_COLUMNS(X)                                                                        \
  X("section", TEXT, NULL, p->section, true, JSON, .help = "of the specification")                 \
  X("point", TEXT, NULL, p->name, true, JSON, .help = "its name, see docs/coverage.md")            \
  X("count", COUNT, NULL, r->coverage.count[i], true, JSON, .help = "how often the model came by") \
  X("reachable", FLAG, NULL, r->coverage.reachable[i], true, JSON,                                 \
    .help = "a run with switches of these parameters could come by")

#define DISTANCE_COLUMNS(X)                                                                        \
  X("links", COUNT, "links", links, true, JSON, .help = "on a shortest way inside of the network") \
  X("packets", COUNT, "packets", d->packets, true, JSON,                                           \
    .help = "measured packets that had such a way")                                                \
  X("minimum", COUNT, "cycles", d->minimum, true, JSON, .help = "the smallest of their latencies") \
  X("mean", REAL, "cycles", (double)d->sum / (double)d->packets, true, JSON, .help = "their mean") \
  X("maximum", COUNT, "cycles", d->maximum, true, JSON, .help = "the largest")

#define LATENCY_COLUMNS(X)                                                     \
  X("latency_cycles", COUNT, "cycles", cycles, true, CSV, .help = "a latency") \
  X("packets", COUNT, "packets", packets, true, CSV, .help = "how many had it")

#define VALUE_COLUMNS(X)                                                                       \
  X("name", TEXT, NULL, s->name, true, CSV, .help = "of the statistic")                        \
  X("cycle", COUNT, NULL, v->cycle, true, CSV, .help = "in which software recorded the value") \
  X("value", COUNT, NULL, v->value, true, CSV, .help = "what it recorded")

#define BARRIER_COLUMNS(X)                                                                       \
  X("group", COUNT, NULL, b->group, true, CSV, .help = "number of the group")                    \
  X("released", COUNT, NULL, v->cycle, true, CSV, .help = "cycle in which the barrier was over") \
  X("cycles", COUNT, "cycles", v->value, true, CSV, .help = "how long it took")

/* ── descriptions and values of these lines ────────────────────────────────── */

static const struct hd_column run_results[] = {RUN_RESULTS(HD_COLUMN)};
static const struct hd_column statistics[] = {STATISTIC_COLUMNS(HD_COLUMN)};
static const struct hd_column groups[] = {GROUP_COLUMNS(HD_COLUMN)};
static const struct hd_column faults[] = {FAULT_COLUMNS(HD_COLUMN)};
static const struct hd_column unreachable[] = {UNREACHABLE_COLUMNS(HD_COLUMN)};
static const struct hd_column classes[] = {CLASS_COLUMNS(HD_COLUMN)};
static const struct hd_column states[] = {STATE_COLUMNS(HD_COLUMN)};
static const struct hd_column named[] = {NAMED_COLUMNS(HD_COLUMN)};
static const struct hd_column coverage[] = {COVERAGE_COLUMNS(HD_COLUMN)};
static const struct hd_column latencies[] = {LATENCY_COLUMNS(HD_COLUMN)};
static const struct hd_column distances[] = {DISTANCE_COLUMNS(HD_COLUMN)};
static const struct hd_column energies[] = {ENERGY_COLUMNS(HD_COLUMN)};
static const struct hd_column values[] = {VALUE_COLUMNS(HD_COLUMN)};
static const struct hd_column barriers[] = {BARRIER_COLUMNS(HD_COLUMN)};

static void each_run(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  struct hd_value of_run[] = {RUN_RESULTS(HD_CELL)};
  for (size_t i = 0; !r->has_result && i < sizeof of_run / sizeof *of_run; i++)
    if (!(run_results[i].where & HD_IS_BEFORE_RUN))
      of_run[i] = (struct hd_value){.type = HD_VALUE_NONE};
  row(context, of_run);
}

static void each_statistic(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_statistics; i++) {
    const struct hd_run_statistic *s = &r->statistics[i];
    row(context, (const struct hd_value[]){STATISTIC_COLUMNS(HD_CELL)});
  }
}

static void each_group(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_barriers; i++) {
    const struct hd_run_barrier *b = &r->barriers[i];
    row(context, (const struct hd_value[]){GROUP_COLUMNS(HD_CELL)});
  }
}

static void each_fault(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_faults; i++) {
    const struct hd_fault_state *f = &r->faults[i];
    row(context, (const struct hd_value[]){FAULT_COLUMNS(HD_CELL)});
  }
}

static void each_unreachable(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_unreachable; i++) {
    const struct hd_unreachable *c = &r->unreachable[i];
    row(context, (const struct hd_value[]){UNREACHABLE_COLUMNS(HD_CELL)});
  }
}

static void each_class(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_classes; i++) {
    const struct hd_run_class *c = &r->classes[i];
    row(context, (const struct hd_value[]){CLASS_COLUMNS(HD_CELL)});
  }
}

static void each_state(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < inside(r)->n_states; i++) {
    const struct hd_explain_state *s = &inside(r)->states[i];
    row(context, (const struct hd_value[]){STATE_COLUMNS(HD_CELL)});
  }
}

static void named_row(hd_row_fn *row, void *context, const char *name, uint64_t value)
{
  row(context, (const struct hd_value[]){NAMED_COLUMNS(HD_CELL)});
}

static void each_parameter(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (size_t i = 0; i < r->n_parameters; i++)
    row(context, (const struct hd_value[]){{.type = HD_VALUE_TEXT, .text = r->parameters[i].key},
                                           r->parameters[i].value});
}

static void each_dut_counter(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_dut_counters; i++)
    named_row(row, context, r->dut_counters[i].name, r->dut_counters[i].value);
}

static void each_budget(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  if (r->has_latency_budget)
    named_row(row, context, "latency_cycles", r->latency_budget);
  if (r->has_barrier_budget)
    named_row(row, context, "barrier_cycles", r->barrier_budget);
  if (r->has_blocked_budget)
    named_row(row, context, "blocked_flit_cycles", r->blocked_budget);
}

static void each_point(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (unsigned i = 0; r->coverage.runs && i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    row(context, (const struct hd_value[]){COVERAGE_COLUMNS(HD_CELL)});
  }
}

static void each_latency(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint64_t cycles = 0; r->latency.counts && cycles < HD_LATENCY_NEAR; cycles++) {
    uint64_t packets = r->latency.counts[cycles];
    if (packets)
      row(context, (const struct hd_value[]){LATENCY_COLUMNS(HD_CELL)});
  }
  for (size_t i = 0; i < r->latency.n_far; i++) {
    uint64_t cycles = r->latency.far[i].cycles, packets = r->latency.far[i].packets;
    row(context, (const struct hd_value[]){LATENCY_COLUMNS(HD_CELL)});
  }
}

static void each_distance(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t links = 0; links < r->n_distances; links++) {
    const struct hd_run_distance *d = &r->distances[links];
    if (d->packets)
      row(context, (const struct hd_value[]){DISTANCE_COLUMNS(HD_CELL)});
  }
}

static void each_energy(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
#define NAME(name, NAME, unit, help) #name,
  static const char *const names[] = {HD_ENERGY_LIST(NAME)};
#undef NAME
  for (unsigned i = 0; r->has_energy && i < HD_ENERGY_EVENTS; i++)
    row(context, (const struct hd_value[]){ENERGY_COLUMNS(HD_CELL)});
}

static void each_value(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_statistics; i++)
    for (size_t j = 0; j < r->statistics[i].n; j++) {
      const struct hd_run_statistic *s = &r->statistics[i];
      const struct hd_world_value *v = &s->values[j];
      row(context, (const struct hd_value[]){VALUE_COLUMNS(HD_CELL)});
    }
}

static void each_barrier(const struct hd_run_report *r, hd_row_fn *row, void *context)
{
  for (uint32_t i = 0; i < r->n_barriers; i++)
    for (size_t j = 0; j < r->barriers[i].later.n; j++) {
      const struct hd_run_barrier *b = &r->barriers[i];
      const struct hd_world_value *v = &b->later.values[j];
      row(context, (const struct hd_value[]){BARRIER_COLUMNS(HD_CELL)});
    }
}

static bool has_statistics(const struct hd_run_report *r)
{
  return r->n_statistics != 0;
}

static bool has_classes(const struct hd_run_report *r)
{
  return r->n_classes != 0;
}

static bool has_energy(const struct hd_run_report *r)
{
  return r->has_energy;
}

static bool has_barriers(const struct hd_run_report *r)
{
  return r->n_barriers != 0;
}

#define COLUMNS(list) .columns = (list), .n = sizeof(list) / sizeof *(list)
const struct hd_result_table hd_result_tables[HD_RESULT_TABLES] = {
    [HD_RESULTS_RUN] = {.key = "",
                        .file = "report.csv",
                        .help = "the run",
                        COLUMNS(run_results),
                        .each = each_run},
    [HD_RESULTS_STATISTICS] = {.key = "statistics",
                               .help = "what software recorded by hd_ep_statistic",
                               COLUMNS(statistics),
                               .each = each_statistic},
    [HD_RESULTS_BARRIERS] = {.key = "barriers",
                             .help = "barrier groups; `later`: all barriers but the first",
                             COLUMNS(groups),
                             .each = each_group},
    [HD_RESULTS_FAULTS] = {.key = "faults",
                           .help = "faults of the scenario",
                           COLUMNS(faults),
                           .each = each_fault},
    [HD_RESULTS_UNREACHABLE] = {.key = "cut_off",
                                .help = "members of barrier groups that faults cut off",
                                COLUMNS(unreachable),
                                .each = each_unreachable},
    [HD_RESULTS_STATES] = {.key = "first_wrong_states",
                           .help = "states beside `first_wrong`, at the start of its cycle",
                           COLUMNS(states),
                           .each = each_state},
    [HD_RESULTS_PARAMETERS] = {.key = "parameters",
                               .help = "every parameter of the scenario as it ran, by name",
                               .by_name = true,
                               COLUMNS(named),
                               .each = each_parameter},
    [HD_RESULTS_DUT_COUNTERS] = {.key = "dut_counters",
                                 .help = "what the backend counted, by name",
                                 .by_name = true,
                                 COLUMNS(named),
                                 .each = each_dut_counter},
    [HD_RESULTS_BUDGETS] = {.key = "budgets",
                            .help = "budgets that the scenario sets, by name",
                            .by_name = true,
                            COLUMNS(named),
                            .each = each_budget},
    [HD_RESULTS_COVERAGE] = {.key = "coverage",
                             .help =
                                 "points of the specification, also the table `coverage` of the "
                                 "run database",
                             COLUMNS(coverage),
                             .each = each_point},
    [HD_RESULTS_CLASSES] = {.key = "classes",
                            .file = "classes.csv",
                            .help = "classes of packets, where there are several",
                            COLUMNS(classes),
                            .applies = has_classes,
                            .each = each_class},
    [HD_RESULTS_DISTANCES] = {.key = "distances",
                              .help = "latencies by the links inside of a network that is the "
                                      "DUT, where `fabric.inside` says what is inside",
                              COLUMNS(distances),
                              .each = each_distance},
    [HD_RESULTS_ENERGY] = {.key = "energy_events",
                           .file = "energy.csv",
                           .help = "events that take energy, where the scenario says how much",
                           COLUMNS(energies),
                           .applies = has_energy,
                           .each = each_energy},
    [HD_RESULTS_LATENCY_CSV] = {.file = "latency.csv",
                                .help = "how many packets had which latency",
                                COLUMNS(latencies),
                                .each = each_latency},
    [HD_RESULTS_STATISTICS_CSV] = {.file = "statistics.csv",
                                   .help = "every value that software recorded",
                                   COLUMNS(values),
                                   .applies = has_statistics,
                                   .each = each_value},
    [HD_RESULTS_BARRIERS_CSV] = {.file = "barriers.csv",
                                 .help = "every barrier but the groups' first",
                                 COLUMNS(barriers),
                                 .applies = has_barriers,
                                 .each = each_barrier},
};

size_t hd_result_find(const struct hd_result_table *table, const char *key, size_t length)
{
  for (size_t i = 0; i < table->n; i++)
    if (!strncmp(table->columns[i].key, key, length) && !table->columns[i].key[length])
      return i;
  assert(!"a result of that name");
  return 0;
}
