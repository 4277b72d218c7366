/* The points and runs of a sweep, their order, and how a run is carried out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/memory.h"
#include "../host/file.h"
#include "../report/estimate.h"
#include "../report/results.h"
#include "../run/run.h"
#include "../scenario/scenario_keys.h"
#include "sweep_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_BITS = 10, STEP_BITS = 6 };

static uint64_t order_of(uint32_t combination, uint32_t step, uint32_t seed)
{
  return (uint64_t)combination << (SEED_BITS + STEP_BITS) | (uint64_t)step << SEED_BITS | seed;
}

void hd_sweep_split_order(uint64_t order, uint32_t *combination, uint32_t *step, uint32_t *seed)
{
  *seed = order & ((1 << SEED_BITS) - 1);
  *step = order >> SEED_BITS & ((1 << STEP_BITS) - 1);
  *combination = (uint32_t)(order >> (SEED_BITS + STEP_BITS));
}

const char *hd_sweep_value(const struct hd_sweep *s, uint32_t combination, uint32_t axis)
{
  for (uint32_t i = s->params->n_axes - 1; i > axis; i--)
    combination /= s->params->axes[i].n;
  const struct hd_axis *a = &s->params->axes[axis];
  return a->values[combination % a->n];
}

void hd_sweep_number(double value, char text[40])
{
  snprintf(text, 40, "%.12g", value);
}

/* ── points ────────────────────────────────────────────────────────────────── */

/* Returns the index of a search's upper end. The lower end has index 0, and each step adds 1. */
static uint64_t last_index(const struct hd_sweep_params *p)
{
  return (uint64_t)ceil((p->high - p->low) / p->step - 1e-9);
}

static double index_value(const struct hd_sweep_params *p, uint64_t index)
{
  return index == last_index(p) ? p->high : p->low + p->step * (double)index;
}

static void add_point(struct hd_sweep *s, uint32_t combination, uint32_t step, uint64_t index)
{
  HD_XROOM(s->points, s->capacity, s->n, 1);
  struct hd_point *p = &s->points[s->n];
  *p = (struct hd_point){.combination = combination,
                         .step = step,
                         .index = index,
                         .searched = s->params->saturation ? index_value(s->params, index) : 0,
                         .group = HD_SWEEP_NO_GROUP};
  s->n++;
  p->latencies = hd_xcalloc(s->params->seeds, sizeof *p->latencies);
  p->half_widths = hd_xcalloc(s->params->seeds, sizeof *p->half_widths);
}

static void free_point(struct hd_point *p)
{
  free(p->latencies);
  free(p->half_widths);
  free(p->why);
}

uint32_t hd_sweep_least_seeds(const struct hd_sweep *s)
{
  return s->params->precision > 0 && s->params->seeds > HD_SWEEP_LEAST ? HD_SWEEP_LEAST
                                                                       : s->params->seeds;
}

/* ── one run ───────────────────────────────────────────────────────────────── */

int hd_sweep_point_text(struct hd_sweep *s, const struct hd_point *p, uint32_t seed, char **text,
                        struct hd_error *err)
{
  struct hd_setting settings[HD_SWEEP_AXES + 2];
  char number[40], seed_text[24];
  size_t n = 0;
  for (uint32_t i = 0; i < s->params->n_axes; i++)
    settings[n++] =
        (struct hd_setting){s->params->axes[i].path, hd_sweep_value(s, p->combination, i)};
  if (s->params->saturation) {
    hd_sweep_number(p->searched, number);
    settings[n++] = (struct hd_setting){s->params->saturation, number};
  }
  snprintf(seed_text, sizeof seed_text, "%" PRIu64, s->first_seed + seed);
  settings[n++] = (struct hd_setting){"seed", seed_text};
  return hd_scenario_set(s->text, strlen(s->text), s->params->scenario_path, settings, n, text,
                         err);
}

static bool sweep_next(void *context, struct hd_task *task)
{
  struct hd_sweep *s = context;
  struct hd_error err = {""};
  size_t point;
  if (s->next_point == s->n && !s->n_extra_seeds)
    return false;
  if (s->next_point < s->n) {
    point = s->next_point;
    if (++s->next_seed == hd_sweep_least_seeds(s)) {
      s->next_seed = 0;
      s->next_point++;
    }
  } else
    point = s->extra_seeds[--s->n_extra_seeds];
  struct hd_point *p = &s->points[point];
  uint32_t seed = p->started++;
  s->task_point = point;
  free(s->task_text);
  s->task_text = NULL;
  /* Values that are legal one by one may not fit together. Then the run reports it. */
  if (hd_sweep_point_text(s, p, seed, &s->task_text, &err))
    s->task_text = hd_xstrdup("");
  *task = (struct hd_task){order_of(p->combination, p->step, seed), "run", s->task_text, 1};
  return true;
}

/* Collects the results of a run. Wall time is left out, because it differs from run to run. */
static void collect_results(void *context, const struct hd_value *values)
{
  const struct hd_result_table *t = &hd_result_tables[HD_RESULTS_RUN];
  for (size_t i = 0; i < t->n; i++)
    if (t->columns[i].where & HD_IN_CSV && strcmp(t->columns[i].key, "seconds"))
      hd_task_outcome_add(context, t->columns[i].key, t->columns[i].unit, &values[i]);
}

/* Keeps the model's coverage for the page. It is no column of the tables. */
static void collect_coverage(const struct hd_coverage_set *set, struct hd_task_outcome *outcome)
{
  struct hd_text word = {0};
  if (set->runs)
    hd_coverage_word(set, &word);
  if (word.length)
    hd_task_outcome_add(outcome, HD_SWEEP_COVERAGE, NULL,
                        &(struct hd_value){.type = HD_VALUE_TEXT, .text = word.chars});
  hd_text_fini(&word);
}

static void fail_by(const struct hd_run_report *report, int status, const struct hd_error *err,
                    struct hd_task_outcome *outcome)
{
  struct hd_text signature = {0};
  hd_run_signature(report, &signature);
  hd_task_outcome_fail(outcome, status, err->text, hd_text_chars(&signature));
  hd_text_fini(&signature);
}

/* Turns a run's report into the outcome of its task, and frees the report. */
static void outcome_of_report(struct hd_run_report *report, int status, const struct hd_error *err,
                              struct hd_task_outcome *outcome)
{
  if (report->has_result)
    hd_result_tables[HD_RESULTS_RUN].each(report, collect_results, outcome);
  collect_coverage(&report->coverage, outcome);
  hd_task_outcome_add(outcome, HD_SWEEP_OPENED, "s",
                      &(struct hd_value){.type = HD_VALUE_REAL, .real = report->open_seconds});
  if (status)
    fail_by(report, status, err, outcome);
  /* A budget that is missed says nothing against the point's load, which is a result. */
  outcome->failed = outcome->failed && status != HD_E_BUDGET;
  outcome->status = status;
  hd_run_report_fini(report);
}

struct hd_point *hd_sweep_find(struct hd_sweep *s, uint32_t combination, uint32_t step)
{
  if (step == 0)
    return &s->points[combination];
  for (size_t i = s->n; i-- > s->combinations;)
    if (s->points[i].combination == combination && s->points[i].step == step)
      return &s->points[i];
  return NULL;
}

static struct hd_point *point_of(struct hd_sweep *s, const struct hd_task *task, uint32_t *seed)
{
  uint32_t combination, step;
  hd_sweep_split_order(task->order, &combination, &step, seed);
  return hd_sweep_find(s, combination, step);
}

static void sweep_run_tasks(void *context, const struct hd_task tasks[], uint32_t n,
                            struct hd_task_outcome outcomes[])
{
  struct hd_sweep *s = context;
  const struct hd_sweep_params *p = s->params;
  struct hd_run_options options[HD_RUN_TOGETHER];
  struct hd_run_report reports[HD_RUN_TOGETHER];
  struct hd_batch_run turns[HD_RUN_TOGETHER];
  uint32_t seed;
  for (uint32_t i = 0; i < n; i++) {
    options[i] = (struct hd_run_options){
        .scenario_path = p->scenario_path,
        .scenario_text = tasks[i].text,
        .own_text = true,
        .dut = hd_sweep_has_lanes(s, point_of(s, &tasks[i], &seed)) ? HD_SWEEP_LANES : p->dut,
        .rtl_dir = p->rtl_dir,
        .against = p->against,
        .cache_dir = p->cache_dir,
        .cycles = p->cycles,
        .quick = p->quick,
        .results_only = true};
    turns[i] = (struct hd_batch_run){.options = &options[i], .report = &reports[i]};
  }
  hd_run_batch(turns, n);
  for (uint32_t i = 0; i < n; i++)
    outcome_of_report(&reports[i], turns[i].status, &turns[i].err, &outcomes[i]);
}

static void sweep_run_task(void *context, const struct hd_task *task,
                           struct hd_task_outcome *outcome)
{
  sweep_run_tasks(context, task, 1, outcome);
}

/* ── consequences of an outcome ────────────────────────────────────────────── */

/* Tests whether the confidence interval is small enough. Means of few seeds may agree by chance.
 * So if some run has no interval of its own, at least ENOUGH seeds are needed. */
static bool is_narrow(const struct hd_sweep *s, const struct hd_point *p)
{
  enum { ENOUGH = 10 };
  const struct hd_mean mean = hd_mean_of_means(p->latencies, p->half_widths, p->ended);
  bool each_has_one = true;
  for (uint32_t i = 0; i < p->ended; i++)
    each_has_one = each_has_one && !isnan(p->half_widths[i]);
  return mean.n == p->ended && mean.half_width <= s->params->precision * fabs(mean.mean) &&
         (each_has_one || p->ended >= ENOUGH);
}

/* Tests whether a point needs more seeds. Outside of equilibrium, more seeds do not make a
 * latency more exact. */
static bool needs_more_seeds(const struct hd_sweep *s, const struct hd_point *p)
{
  const enum hd_point_verdict verdict = hd_point_verdict(p);
  return s->params->precision > 0 && p->ended < s->params->seeds && verdict != HD_POINT_FAILED &&
         verdict != HD_POINT_SATURATED && !is_narrow(s, p);
}

static void add_extra_seed(struct hd_sweep *s, const struct hd_point *p)
{
  HD_XROOM(s->extra_seeds, s->capacity_extra_seeds, s->n_extra_seeds, 1);
  s->extra_seeds[s->n_extra_seeds++] = (size_t)(p - s->points);
}

enum hd_point_verdict hd_point_verdict(const struct hd_point *p)
{
  return p->failed                     ? HD_POINT_FAILED
         : 2 * p->saturated > p->ended ? HD_POINT_SATURATED
         : 2 * p->accepted > p->ended  ? HD_POINT_ACCEPTED
                                       : HD_POINT_OPEN;
}

/* Chooses the next value of a search. Returns false when the search is over. The search first
 * narrows the gap between accepted and refused values. If values between them get no verdict, it
 * then narrows the gap between saturated and unsaturated ones. */
static bool next_index(struct hd_sweep *s, uint32_t combination, uint32_t last, uint64_t *index)
{
  const uint64_t none = UINT64_MAX;
  uint64_t accepted = none, refused = none, below = none, saturated = none;
  for (uint32_t step = 0; step <= last; step++) {
    const struct hd_point *p = hd_sweep_find(s, combination, step);
    const enum hd_point_verdict verdict = hd_point_verdict(p);
    if (verdict == HD_POINT_ACCEPTED)
      accepted = accepted == none || p->index > accepted ? p->index : accepted;
    else
      refused = p->index < refused ? p->index : refused;
    if (verdict == HD_POINT_SATURATED)
      saturated = p->index < saturated ? p->index : saturated;
  }
  for (uint32_t step = 0; step <= last; step++) {
    const struct hd_point *p = hd_sweep_find(s, combination, step);
    if (p->index < saturated)
      below = below == none || p->index > below ? p->index : below;
  }
  *index = 0;
  if (refused == none || accepted == none) /* all values so far were accepted, or none was */
    return refused != none && last == 0;
  if (refused - accepted < 2) {
    accepted = below;
    refused = saturated;
  }
  *index = accepted + (refused - accepted) / 2;
  return refused != none && refused - accepted >= 2 && last + 1 < HD_SWEEP_STEPS;
}

/* Goes on with a search when a point has ended. The upper end comes first, then the lower end,
 * then halves. */
static void continue_search(struct hd_sweep *s, const struct hd_point *p)
{
  uint64_t index;
  if (next_index(s, p->combination, p->step, &index))
    add_point(s, p->combination, p->step + 1, index);
}

static double real_of(const struct hd_task_outcome *outcome, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  return value && value->type == HD_VALUE_REAL ? value->real : NAN;
}

/* Tests a flag. Flags that come from a file are numbers. */
static bool is_set(const struct hd_value *flag)
{
  return flag->type == HD_VALUE_FLAG ? flag->flag
                                     : flag->type == HD_VALUE_COUNT && flag->number != 0;
}

static int sweep_ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                       struct hd_error *err)
{
  struct hd_sweep *s = context;
  uint32_t seed;
  (void)err;
  struct hd_point *p = point_of(s, task, &seed);
  const struct hd_value *saturated = hd_task_outcome_find(outcome, "saturated");
  const bool known = !outcome->failed && saturated && saturated->type != HD_VALUE_NONE;
  p->latencies[seed] = real_of(outcome, "latency.mean");
  p->half_widths[seed] = real_of(outcome, "latency_ci95");
  p->saturated += known && is_set(saturated);
  p->accepted += known && !is_set(saturated);
  p->failed += outcome->failed;
  p->ended++;
  hd_sweep_lanes_ended(s, p, outcome);
  if (p->ended < p->started || p->ended < hd_sweep_least_seeds(s))
    return HD_OK;
  if (needs_more_seeds(s, p))
    add_extra_seed(s, p);
  else if (s->params->saturation)
    continue_search(s, p);
  return HD_OK;
}

static void sweep_size(void *context, uint64_t *tasks, double *work)
{
  const struct hd_sweep *s = context;
  *tasks = 0;
  const uint32_t sure = hd_sweep_least_seeds(s);
  for (size_t i = 0; i < s->n; i++)
    *tasks += s->points[i].started > sure ? s->points[i].started : sure;
  *work = (double)*tasks;
}

/* ── creation ──────────────────────────────────────────────────────────────── */

/* Checks each value of each axis with the first values of the other axes, so that a wrong one is
 * reported before any run. */
static int check_values(struct hd_sweep *s, struct hd_error *err)
{
  const struct hd_sweep_params *p = s->params;
  int status = HD_OK;
  for (uint32_t axis = 0; !status && axis < p->n_axes; axis++)
    for (uint32_t v = 0; !status && v < p->axes[axis].n; v++) {
      struct hd_setting setting = {p->axes[axis].path, p->axes[axis].values[v]};
      char *text = NULL;
      status = hd_scenario_set(s->text, strlen(s->text), p->scenario_path, &setting, 1, &text, err);
      free(text);
    }
  return status;
}

static int text_at(struct hd_sweep *s, uint32_t combination, char **text, struct hd_error *err)
{
  return hd_sweep_point_text(s, &s->points[combination], 0, text, err);
}

/* Checks that two values of an axis give two different scenarios. They do not if a later setting
 * sets the same key. */
static int check_axes(struct hd_sweep *s, struct hd_error *err)
{
  const struct hd_sweep_params *p = s->params;
  int status = HD_OK;
  for (uint32_t axis = 0, apart = s->combinations; !status && axis < p->n_axes; axis++) {
    char *one = NULL, *other = NULL;
    apart /= p->axes[axis].n;
    if (p->axes[axis].n < 2)
      continue;
    struct hd_error why = {""}; /* ignored here: check_first or the run reports it */
    if (!text_at(s, 0, &one, &why) && !text_at(s, apart, &other, &why) && !strcmp(one, other))
      status = hd_fail(err, HD_E_INPUT,
                       "%s: its values make no difference, because another axis or --saturation "
                       "sets the same key again; leave one of them out",
                       p->axes[axis].path);
    free(one);
    free(other);
  }
  return status;
}

/* Returns how many runs of this fabric can share a DUT; 0 if the DUT is not faster with more
 * switches. */
static uint32_t runs_a_dut(const struct hd_sweep *s, const struct hd_scenario *scenario)
{
  struct hd_topology topology;
  const char *dut = s->params->dut ? s->params->dut : scenario->run.dut;
  const uint32_t room = dut ? hd_backend_max_switches(dut) : 0;
  uint32_t runs = 0;
  if (room && !hd_scenario_topology(scenario, &topology, NULL)) {
    runs = room / topology.n_switches;
    hd_topology_fini(&topology);
  }
  return runs < HD_RUN_TOGETHER ? runs : HD_RUN_TOGETHER;
}

/* Checks the first point, because most errors in it are errors in many points. */
static int check_first(struct hd_sweep *s, struct hd_error *err)
{
  struct hd_scenario scenario;
  struct hd_error why = {""};
  char *text = NULL;
  int status = hd_sweep_point_text(s, &s->points[0], 0, &text, err);
  if (status)
    return status;
  status = hd_scenario_parse(&scenario, text, strlen(text), s->params->scenario_path, &why);
  if (!status)
    status = hd_run_cycles_check(&scenario, s->params->cycles, &why);
  if (status)
    hd_fail(err, status, "%.900s (in the first point of the sweep)", why.text);
  else if (s->params->saturation && !scenario.run.measure_cycles)
    status =
        hd_fail(err, HD_E_INPUT, "%s: --saturation needs a measuring phase: set run.measure_cycles",
                s->params->scenario_path);
  if (!status) {
    s->name = hd_xstrdup(scenario.name);
    s->runs_a_dut = runs_a_dut(s, &scenario);
    hd_scenario_identify(&scenario, s->params->dut, &s->files);
  }
  hd_scenario_fini(&scenario);
  free(text);
  return status;
}

static int read_seed(struct hd_sweep *s, struct hd_error *err)
{
  struct hd_scenario scenario;
  s->first_seed = s->params->seed;
  if (s->params->has_seed)
    return HD_OK;
  /* The parser may refuse the scenario here, because axes may set required keys. */
  s->first_seed = 1;
  if (!hd_scenario_parse(&scenario, s->text, strlen(s->text), s->params->scenario_path, err))
    s->first_seed = scenario.seed;
  hd_scenario_fini(&scenario);
  return HD_OK;
}

static int check_key(const char *key, struct hd_error *err)
{
  if (strcmp(key, "seed"))
    return HD_OK;
  return hd_fail(err, HD_E_INPUT,
                 "seed: the seed is not an axis of a sweep; give the number of seeds with --seeds, "
                 "and the first one with --seed");
}

/* Checks the key of a search. It must be a number on which the load depends, of the software,
 * the fabric or the switches. For parameters of the software, the software itself checks that it
 * is a number. */
static int check_searched(const char *path, struct hd_error *err)
{
  static const char *const others[] = {"name", "run.", "trace.", "budgets.", "faults"};
  size_t n;
  const char *why = NULL;
  const struct hd_key *keys = hd_scenario_keys(&n);
  int status = check_key(path, err);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(keys[i].path, path) && keys[i].type != HD_KEY_NUMBER &&
        keys[i].type != HD_KEY_POWER)
      why = "is not a number";
  for (size_t i = 0; !why && i < sizeof others / sizeof *others; i++)
    if (!strncmp(path, others[i], strlen(others[i])))
      why = "does not change the load";
  return status || !why
             ? status
             : hd_fail(
                   err, HD_E_INPUT,
                   "--saturation %s: it %s; search along a number with which the load rises, as "
                   "--saturation software.parameters.load=0.05:0.95:0.05",
                   path, why);
}

static int count_points(struct hd_sweep *s, struct hd_error *err)
{
  const struct hd_sweep_params *p = s->params;
  uint64_t points = 1;
  if (p->saturation && check_searched(p->saturation, err))
    return HD_E_INPUT;
  for (uint32_t i = 0; i < p->n_axes; i++) {
    if (check_key(p->axes[i].path, err))
      return HD_E_INPUT;
    if (p->saturation && !strcmp(p->axes[i].path, p->saturation))
      return hd_fail(err, HD_E_INPUT,
                     "%s: is an axis, and --saturation searches along it; the search would be "
                     "repeated for each of its values: leave one of them out",
                     p->saturation);
    points *= p->axes[i].n;
    if (points * p->seeds > HD_SWEEP_RUNS)
      return hd_fail(err, HD_E_INPUT,
                     "the axes up to %s make %" PRIu64 " points of %" PRIu32
                     " seeds; at most %d runs are one sweep: leave values or axes out, or make "
                     "several sweeps",
                     p->axes[i].path, points, p->seeds, HD_SWEEP_RUNS);
  }
  s->combinations = (uint32_t)points;
  return HD_OK;
}

static int identify_sweep(struct hd_sweep *s, struct hd_error *err)
{
  const struct hd_sweep_params *p = s->params;
  int status = hd_campaign_identity(&s->identity, p->rtl_dir, err);
  if (!status && p->against) {
    hd_text_add(&s->identity, ", against ");
    status = hd_backend_identity(&s->identity, p->against, err);
    hd_text_add(&s->definition, "against\n");
  }
  hd_text_add(&s->identity, "%s", hd_text_chars(&s->files));
  for (uint32_t i = 0; i < p->n_axes; i++)
    for (uint32_t v = 0; v < p->axes[i].n && p->axes[i].n > 1; v++)
      hd_scenario_identify_file(p->scenario_path, p->axes[i].values[v], &s->identity);
  hd_text_add(&s->definition,
              "%s\nseeds %" PRIu64 " %" PRIu32 " precision %.17g cycles %" PRIu64 " dut %s\n",
              s->text, s->first_seed, p->seeds, p->precision, p->cycles, p->dut ? p->dut : "-");
  for (uint32_t i = 0; i < p->n_axes; i++) {
    hd_text_add(&s->definition, "%s:", p->axes[i].path);
    for (uint32_t v = 0; v < p->axes[i].n; v++)
      hd_text_add(&s->definition, " %s", p->axes[i].values[v]);
    hd_text_add(&s->definition, "\n");
  }
  if (p->saturation)
    hd_text_add(&s->definition, "saturation %s %.17g %.17g %.17g\n", p->saturation, p->low, p->high,
                p->step);
  return status;
}

static int read_text(struct hd_sweep *s, struct hd_error *err)
{
  const struct hd_sweep_params *p = s->params;
  char *text = NULL;
  size_t length;
  int status = hd_file_regular(p->scenario_path, 256 * 1024, &s->text, &length, err);
  if (status || !p->n_settings)
    return status;
  status =
      hd_scenario_set(s->text, length, p->scenario_path, p->settings, p->n_settings, &text, err);
  if (!status) {
    free(s->text);
    s->text = text;
  }
  return status;
}

int hd_sweep_create(struct hd_sweep **out, const struct hd_sweep_params *params,
                    struct hd_error *err)
{
  struct hd_sweep *s = hd_xcalloc(1, sizeof *s);
  *out = NULL;
  s->params = params;
  int status = read_text(s, err);
  if (!status)
    status = count_points(s, err);
  if (!status)
    status = read_seed(s, err);
  for (uint32_t i = 0; !status && i < s->combinations; i++)
    add_point(s, i, 0, params->saturation ? last_index(params) : 0);
  if (!status)
    status = check_values(s, err);
  if (!status)
    status = check_axes(s, err);
  if (!status)
    status = check_first(s, err);
  if (!status)
    status = identify_sweep(s, err);
  if (status) {
    hd_sweep_destroy(s);
    return status;
  }
  *out = s;
  return HD_OK;
}

void hd_sweep_destroy(struct hd_sweep *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->n; i++)
    free_point(&s->points[i]);
  free(s->points);
  hd_sweep_lanes_fini(s);
  free(s->extra_seeds);
  free(s->text);
  free(s->name);
  free(s->task_text);
  hd_text_fini(&s->definition);
  hd_text_fini(&s->identity);
  hd_text_fini(&s->files);
  free(s);
}

void hd_sweep_campaign(struct hd_sweep *s, struct hd_campaign *campaign)
{
  campaign->name = s->name;
  campaign->definition = hd_text_chars(&s->definition);
  campaign->identity = hd_text_chars(&s->identity);
  campaign->plan = (struct hd_plan){.context = s,
                                    .next = sweep_next,
                                    .run_task = sweep_run_task,
                                    .ended = sweep_ended,
                                    .size = sweep_size,
                                    .run_tasks = sweep_run_tasks,
                                    .batch_size = hd_sweep_batch_size};
  hd_sweep_lanes_begin(s, campaign);
}
