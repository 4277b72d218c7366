/* The runs of the study: their list, their scenarios, and their results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include "../../host/memory.h"
#include "../../report/results.h"
#include "../../run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t all_loads[] = {50, 100, 200, 300, 400, 500, 600, 700, 800, 900};
static const uint32_t quick_loads[] = {50, 200, 400, 600, 900};
enum { LOADS = sizeof all_loads / sizeof *all_loads };
enum { QUICK_LOADS = sizeof quick_loads / sizeof *quick_loads };

struct carrier {
  struct fattree_results *results;
  const struct hd_study_arguments *how;
};

/* ── runs to carry out ─────────────────────────────────────────────────────── */

static bool wanted(const struct fattree_network *network, const struct fattree_routing *routing,
                   enum fattree_traffic traffic, bool quick)
{
  if ((network->family == FATTREE_MESH) != routing->of_meshes ||
      !fattree_traffic_fits(traffic, network))
    return false;
  bool ends = network->nodes == 16 || network->nodes >= 64; /* the smallest and the largest */
  if (traffic != FATTREE_UNIFORM && (network->family == FATTREE_EDGE || !ends))
    return false;
  return !quick || (network->nodes <= 16 && traffic <= FATTREE_PERMUTATION);
}

void fattree_plan(struct fattree_results *r, bool quick, uint32_t seeds)
{
  const uint32_t *loads = quick ? quick_loads : all_loads;
  *r = (struct fattree_results){
      .n_loads = quick ? QUICK_LOADS : LOADS, .seeds = seeds, .quick = quick};
  r->curves = hd_xcalloc((size_t)fattree_n_networks * fattree_n_routings * FATTREE_TRAFFICS,
                         sizeof *r->curves);
  for (uint32_t traffic = 0; traffic < FATTREE_TRAFFICS; traffic++)
    for (uint32_t network = 0; network < fattree_n_networks; network++)
      for (uint32_t routing = 0; routing < fattree_n_routings; routing++)
        if (wanted(&fattree_networks[network], &fattree_routings[routing], traffic, quick)) {
          struct fattree_curve *curve = &r->curves[r->n++];
          *curve = (struct fattree_curve){network, routing, traffic, {{0}}};
          for (uint32_t i = 0; i < r->n_loads; i++)
            curve->points[i].load_permille = loads[i];
        }
}

void fattree_fini(struct fattree_results *r)
{
  free(r->curves);
  *r = (struct fattree_results){0};
}

/* Runs are ordered by seed, so that every point has a result before any point has a second one. */
static const struct fattree_curve *curve_at(const struct fattree_results *r, size_t index)
{
  return &r->curves[index / r->n_loads % r->n];
}

static struct fattree_point *point_at(const struct fattree_results *r, size_t index)
{
  return &r->curves[index / r->n_loads % r->n].points[index % r->n_loads];
}

static uint32_t seed_at(const struct fattree_results *r, size_t index)
{
  return (uint32_t)(index / r->n_loads / r->n);
}

/* ── one run ───────────────────────────────────────────────────────────────── */

/* The first seed of each point runs on RTL and model. Other seeds run on the model only, which
 * equals RTL with the first seed. */
static bool on_rtl(const struct fattree_results *r, const struct fattree_network *network,
                   uint32_t seed)
{
  return seed == 1 && (!r->quick || network->family == FATTREE_TREE);
}

/* All switches have tables for 128 nodes, so that RTL is built only once for each number of
 * ports. */
static void scenario_at(void *context, size_t index, struct hd_text *text)
{
  const struct fattree_results *r = ((const struct carrier *)context)->results;
  const struct fattree_curve *curve = curve_at(r, index);
  const struct fattree_network *network = &fattree_networks[curve->network];
  uint32_t seed = seed_at(r, index) + 1;
  hd_text_add(text, "# Made by make reproduce-fat-tree.\nname: %s\n", network->name);
  fattree_scenario_of(network, &fattree_routings[curve->routing], curve->traffic,
                      point_at(r, index)->load_permille / 1000.0, seed, text);
  hd_text_add(text,
              "switch: {vcs: 4, data_bits: 16, depth_flits: 8, cut_flits: 5, nodes: 128}\n"
              "run: {warmup_cycles: 1000, measure_cycles: 2000, cycles: 4500, dut: %s}\n"
              "trace: {packets: false}\nseed: %" PRIu32 "\n",
              on_rtl(r, network, seed) ? "verilator" : "none", seed);
}

static double work_at(void *context, size_t index)
{
  const struct fattree_results *r = ((const struct carrier *)context)->results;
  const struct fattree_network *network = &fattree_networks[curve_at(r, index)->network];
  double rtl = on_rtl(r, network, seed_at(r, index) + 1) ? 5 : 1;
  return network->nodes * (20.0 + point_at(r, index)->load_permille) * rtl;
}

static double real(const struct hd_value *value)
{
  return value->real;
}

static const struct {
  const char *key, *unit;
  double (*of)(const struct hd_value *value);
} columns[] = {{"latency.mean", "cycles", real},
               {"offered", "flits/node/cycle", real},
               {"throughput", "flits/node/cycle", real}};

static void collect(void *context, const struct hd_value *values)
{
  const struct hd_result_table *t = &hd_result_tables[HD_RESULTS_RUN];
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    size_t at = hd_result_find(t, columns[i].key, strlen(columns[i].key));
    hd_study_put(context, columns[i].key, columns[i].unit, columns[i].of(&values[at]));
  }
}

/* Tests whether reception falls behind the offered traffic, whatever the latency is. */
static bool falls_behind(const struct hd_run_report *r, const struct hd_task_outcome *outcome)
{
  return r->latency.n < r->measured_sent ||
         hd_study_value(outcome, "throughput") <
             FATTREE_ALL_OFFERED * hd_study_value(outcome, "offered");
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  struct hd_text text = {0};
  struct hd_run_report report;
  scenario_at(context, index, &text);
  if (hd_study_scenario("fat-tree.yaml", &text, c->how->study.rtl_dir, NULL, &report, outcome) &&
      !report.latency.n)
    hd_task_outcome_fail(outcome, HD_E_NOTHING, "no packet was measured", NULL);
  else if (!outcome->status) {
    double packets = (double)report.counters.packets_sent;
    hd_result_tables[HD_RESULTS_RUN].each(&report, collect, outcome);
    hd_study_put(outcome, "blocked", "flit-cycles/packet",
                 (double)report.counters.blocked_flit_cycles / packets);
    hd_study_put(outcome, "saturated", NULL, falls_behind(&report, outcome));
  }
  hd_run_report_fini(&report);
}

/* ── all runs ──────────────────────────────────────────────────────────────── */

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct fattree_results *r = ((const struct carrier *)context)->results;
  (void)err;
  point_at(r, index)->runs[seed_at(r, index)] =
      (struct fattree_run){.done = true,
                           .saturated = hd_study_value(outcome, "saturated") > 0,
                           .latency = hd_study_value(outcome, "latency.mean"),
                           .offered = hd_study_value(outcome, "offered"),
                           .accepted = hd_study_value(outcome, "throughput"),
                           .blocked = hd_study_value(outcome, "blocked")};
  return HD_OK;
}

int fattree_run_all(struct fattree_results *r, const struct hd_study_arguments *how,
                    struct hd_error *err)
{
  struct carrier c = {r, how};
  const struct hd_study_tasks tasks = {.kind = "fat-tree",
                                       .n = (size_t)r->n * r->n_loads * r->seeds,
                                       .context = &c,
                                       .describe = scenario_at,
                                       .work = work_at,
                                       .run_task = run_task,
                                       .ended = ended,
                                       .scenarios = true};
  for (size_t i = 0; i < (size_t)r->n * r->n_loads; i++)
    hd_study_key(&tasks, i, point_at(r, i)->key);
  return hd_study_run(&how->study, &tasks, err);
}
