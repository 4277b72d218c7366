/* The results of a sweep as CSV, JSON and text, read from the campaign's file in order of points.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/file.h"
#include "../host/memory.h"
#include "../report/estimate.h"
#include "../report/report.h"
#include "sweep_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests whether a result is a column of runs.csv. The first columns are the same in all tables
 * and are written otherwise. */
static bool is_column(const struct hd_column *c)
{
  static const char *const other[] = {"name", "seed", "seconds", "status"};
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    if (!strcmp(c->key, other[i]))
      return false;
  return c->where & HD_IN_CSV;
}

enum { COLUMNS = 128 };

struct tables {
  struct hd_sweep *sweep;
  const struct hd_column *columns[COLUMNS];
  size_t n_columns;
  struct hd_text runs, points, saturation;
  json_t *json_runs, *json_points, *json_saturation;
  struct hd_coverage_set coverage; /* sum of all runs that report coverage */
  /* The point whose runs are being read. */
  bool any;
  uint32_t combination, step, seeds, saturated, failed, missed;
  struct hd_text
      why[4]; /* reason of its first run that is open, saturated, failed, missed a budget */
  double *values[COLUMNS]; /* [seeds] */
};

enum { WHY_OPEN, WHY_SATURATED, WHY_FAILED, WHY_MISSED };

static double number_of(const struct hd_value *value)
{
  if (value && value->type == HD_VALUE_REAL)
    return value->real;
  if (value && value->type == HD_VALUE_COUNT)
    return (double)value->number;
  return NAN;
}

/* ── first columns of all rows ─────────────────────────────────────────────── */

static void add_axis_names(const struct tables *t, struct hd_text *text)
{
  const struct hd_sweep_params *p = t->sweep->params;
  for (uint32_t i = 0; i < p->n_axes; i++)
    hd_text_add(text, "%s,", p->axes[i].path);
  if (p->saturation)
    hd_text_add(text, "%s,", p->saturation);
}

static void add_cell(struct hd_text *text, const char *value)
{
  char *end;
  strtod(value, &end);
  if (*end || end == value)
    hd_text_add_csv(text, value);
  else
    hd_text_add(text, "%s", value);
}

static json_t *json_cell(const char *value)
{
  char *end;
  double number = strtod(value, &end);
  return *end || end == value ? json_string(value) : json_real(number);
}

static void add_axis_cells(const struct tables *t, uint32_t combination, uint32_t step,
                           struct hd_text *text, json_t *row)
{
  const struct hd_sweep_params *p = t->sweep->params;
  for (uint32_t i = 0; i < p->n_axes; i++) {
    const char *value = hd_sweep_value(t->sweep, combination, i);
    add_cell(text, value);
    hd_text_add(text, ",");
    json_object_set_new(row, p->axes[i].path, json_cell(value));
  }
  const struct hd_point *point = hd_sweep_find(t->sweep, combination, step);
  if (!p->saturation || !point)
    return;
  char number[40];
  hd_sweep_number(point->searched, number);
  hd_text_add(text, "%s,", number);
  json_object_set_new(row, p->saturation, json_real(point->searched));
}

/* ── points ────────────────────────────────────────────────────────────────── */

static json_t *json_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static void add_number_cell(struct hd_text *text, double value)
{
  if (isfinite(value))
    hd_text_add(text, ",%.10g", value);
  else
    hd_text_add(text, ",");
}

static const char *verdict_name(enum hd_point_verdict verdict)
{
  static const char *const names[] = {"open", "accepted", "saturated", "failed"};
  return names[verdict];
}

/* Computes the mean of a result over the runs. For the mean latency, the interval of each run
 * counts, too. */
static struct hd_mean point_mean(const struct tables *t, size_t column)
{
  static const char own[] = "latency_ci95";
  if (strcmp(t->columns[column]->key, "latency.mean"))
    return hd_mean(t->values[column], t->seeds);
  for (size_t i = 0; i < t->n_columns; i++)
    if (!strcmp(t->columns[i]->key, own))
      return hd_mean_of_means(t->values[column], t->values[i], t->seeds);
  return hd_mean(t->values[column], t->seeds);
}

static const char *keep_why(struct tables *t, struct hd_point *point)
{
  static const int which[] = {WHY_OPEN, -1, WHY_SATURATED, WHY_FAILED};
  const int why = which[hd_point_verdict(point)];
  struct hd_text text = {0};
  if (why == WHY_OPEN && (point->saturated || point->accepted))
    hd_text_add(&text, "of %s %" PRIu32 " saturated and %" PRIu32 " accepted%s",
                hd_count(t->seeds, "run").text, point->saturated, point->accepted,
                t->why[why].length ? "; " : "");
  hd_text_add(&text, "%s", why < 0 ? "" : hd_text_chars(&t->why[why]));
  free(point->why);
  point->why = text.chars;
  return point->why ? point->why : "";
}

/* Writes a point when all its runs have been read. */
static void end_point(struct tables *t)
{
  if (!t->any)
    return;
  struct hd_point *point = hd_sweep_find(t->sweep, t->combination, t->step);
  const char *verdict = verdict_name(hd_point_verdict(point)), *why = keep_why(t, point);
  json_t *row = json_object(), *results = json_object();
  add_axis_cells(t, t->combination, t->step, &t->points, row);
  hd_text_add(&t->points, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s", t->seeds, t->saturated,
              t->failed, verdict);
  json_object_set_new(row, "seeds", json_integer(t->seeds));
  json_object_set_new(row, "saturated", json_integer(t->saturated));
  json_object_set_new(row, "failed", json_integer(t->failed));
  json_object_set_new(row, "verdict", json_string(verdict));
  json_object_set_new(row, "why", json_string(why));
  for (size_t i = 0; i < t->n_columns; i++) {
    struct hd_mean mean = point_mean(t, i);
    add_number_cell(&t->points, mean.mean);
    add_number_cell(&t->points, mean.half_width);
    if (mean.n)
      json_object_set_new(results, t->columns[i]->key,
                          json_pack("{s:o s:o s:i}", "mean", json_number(mean.mean), "ci95",
                                    json_number(mean.half_width), "n", (int)mean.n));
  }
  struct hd_text all = {0};
  hd_text_add(&all, "%s", why);
  if (t->missed)
    hd_text_add(&all, "%sof %s %" PRIu32 " missed a budget: %s", *why ? "; " : "",
                hd_count(t->seeds, "run").text, t->missed, hd_text_chars(&t->why[WHY_MISSED]));
  hd_text_add(&t->points, ",");
  hd_text_add_csv(&t->points, hd_text_chars(&all));
  hd_text_add(&t->points, "\n");
  hd_text_fini(&all);
  json_object_set_new(row, "missed", json_integer(t->missed));
  json_object_set_new(row, "missed_why", json_string(hd_text_chars(&t->why[WHY_MISSED])));
  json_object_set_new(row, "results", results);
  json_array_append_new(t->json_points, row);
  t->any = false;
}

static void begin_point(struct tables *t, uint32_t combination, uint32_t step)
{
  t->any = true;
  t->combination = combination;
  t->step = step;
  t->seeds = t->saturated = t->failed = t->missed = 0;
  for (size_t i = 0; i < sizeof t->why / sizeof *t->why; i++)
    hd_text_fini(&t->why[i]);
}

/* ── runs ──────────────────────────────────────────────────────────────────── */

static void add_run_cell(struct tables *t, size_t i, const struct hd_value *value, json_t *row)
{
  struct hd_text *text = &t->runs;
  hd_text_add(text, ",");
  if (!value)
    return;
  if (value->type == HD_VALUE_TEXT) {
    add_cell(text, value->text);
    json_object_set_new(row, t->columns[i]->key, json_string(value->text));
    return;
  }
  hd_value_add(value, text);
  if (value->type == HD_VALUE_REAL)
    json_object_set_new(row, t->columns[i]->key, json_number(value->real));
  else if (value->type == HD_VALUE_COUNT)
    json_object_set_new(row, t->columns[i]->key, json_integer((json_int_t)value->number));
}

static void add_setting(struct hd_text *command, const char *key, const char *value)
{
  struct hd_text setting = {0};
  hd_text_add(&setting, "%s=%s", key, value);
  hd_text_add_option(command, " --set ", hd_text_chars(&setting));
  hd_text_fini(&setting);
}

/* Adds the cause of a failed run, the signature of similar failures, and the command that
 * repeats it. */
static void json_failure(const struct tables *t, uint32_t combination, uint32_t step, uint64_t seed,
                         const struct hd_task_outcome *o, json_t *row)
{
  const struct hd_sweep_params *p = t->sweep->params;
  const struct hd_point *point = hd_sweep_find(t->sweep, combination, step);
  const struct hd_value *dut = hd_task_outcome_find(o, "dut");
  const bool is_lanes = dut && dut->type == HD_VALUE_TEXT && !strcmp(dut->text, HD_SWEEP_LANES);
  struct hd_text command = {0};
  char number[40];
  hd_text_add_option(&command, "heddle run ", p->scenario_path);
  for (size_t i = 0; i < p->n_settings; i++)
    add_setting(&command, p->settings[i].path, p->settings[i].value);
  for (uint32_t i = 0; i < p->n_axes; i++)
    add_setting(&command, p->axes[i].path, hd_sweep_value(t->sweep, combination, i));
  if (p->saturation && point) {
    hd_sweep_number(point->searched, number);
    add_setting(&command, p->saturation, number);
  }
  hd_text_add(&command, " --seed %" PRIu64, seed);
  hd_text_add_option(&command, " --dut ", is_lanes ? dut->text : p->dut);
  hd_text_add_option(&command, " --rtl ", p->rtl_dir);
  hd_text_add_option(&command, " --against ", p->against);
  if (p->cycles)
    hd_text_add(&command, " --cycles %" PRIu64, p->cycles);
  json_object_set_new(row, "message", json_string(o->message ? o->message : ""));
  json_object_set_new(row, "signature", json_string(o->signature ? o->signature : "unknown"));
  json_object_set_new(row, "command", json_string(hd_text_chars(&command)));
  hd_text_fini(&command);
}

static void keep_reason(struct tables *t, const struct hd_task_outcome *o,
                        const struct hd_value *is_known, bool saturated)
{
  const struct hd_value *load = hd_task_outcome_find(o, "load_why");
  const int which = o->failed ? WHY_FAILED : saturated ? WHY_SATURATED : WHY_OPEN;
  const char *why = load && load->type == HD_VALUE_TEXT ? load->text : "";
  if (o->failed)
    why = o->message ? o->message : hd_status_text(o->status);
  if (which == WHY_OPEN && is_known && is_known->type != HD_VALUE_NONE)
    return;
  if (!t->why[which].length)
    hd_text_add(&t->why[which], "%.*s", (int)strcspn(why, "\n"), why);
}

static int add_run(void *context, const struct hd_task *task, const struct hd_task_outcome *o,
                   struct hd_error *err)
{
  struct tables *t = context;
  uint32_t combination, step, seed;
  hd_sweep_split_order(task->order, &combination, &step, &seed);
  if (combination >= t->sweep->combinations || seed >= t->sweep->params->seeds)
    return hd_fail(err, HD_E_INPUT, "run %" PRIu64 " is not of this sweep", task->order);
  if (t->any && (t->combination != combination || t->step != step))
    end_point(t);
  if (!t->any)
    begin_point(t, combination, step);
  json_t *row = json_object();
  const struct hd_value *status = hd_task_outcome_find(o, "status");
  const char *verdict = status && status->type == HD_VALUE_TEXT ? status->text : "failed";
  add_axis_cells(t, combination, step, &t->runs, row);
  hd_text_add(&t->runs, "%" PRIu64 ",%s", t->sweep->first_seed + seed, verdict);
  json_object_set_new(row, "seed", json_integer((json_int_t)(t->sweep->first_seed + seed)));
  json_object_set_new(row, "status", json_string(verdict));
  const bool missed = o->status == HD_E_BUDGET;
  if (o->failed || missed)
    json_failure(t, combination, step, t->sweep->first_seed + seed, o, row);
  const struct hd_value *word = hd_task_outcome_find(o, HD_SWEEP_COVERAGE);
  if (word && word->type == HD_VALUE_TEXT)
    hd_coverage_add_word(&t->coverage, word->text);
  for (size_t i = 0; i < t->n_columns; i++) {
    const struct hd_value *value = hd_task_outcome_find(o, t->columns[i]->key);
    add_run_cell(t, i, value, row);
    t->values[i][t->seeds] = number_of(value);
  }
  hd_text_add(&t->runs, "\n");
  json_array_append_new(t->json_runs, row);
  const struct hd_value *saturated = hd_task_outcome_find(o, "saturated");
  const bool is_saturated = saturated && number_of(saturated) > 0;
  keep_reason(t, o, saturated, is_saturated);
  if (missed && !t->missed++)
    hd_text_add(&t->why[WHY_MISSED], "%s", o->message ? o->message : "");
  t->saturated += is_saturated;
  t->failed += o->failed;
  t->seeds++;
  return HD_OK;
}

/* ── results of a search for saturation ────────────────────────────────────── */

static const struct hd_point *last_step(const struct tables *t, uint32_t combination)
{
  const struct hd_point *last = hd_sweep_find(t->sweep, combination, 0), *next = last;
  for (uint32_t step = 1; next; step++) {
    last = next;
    next = hd_sweep_find(t->sweep, combination, step);
  }
  return last;
}

/* The result of a search: the largest accepted and the smallest saturated value, NaN if there is
 * none, and the reason why values between them are neither. */
struct search_result {
  double low, high;
  struct hd_text why;
};

/* Returns the reason why a point is neither accepted nor saturated; "" if it is. */
static const char *why_undecided(const struct hd_point *point)
{
  const enum hd_point_verdict verdict = hd_point_verdict(point);
  const bool told = verdict == HD_POINT_ACCEPTED || verdict == HD_POINT_SATURATED;
  return point->ended && !told && point->why ? point->why : "";
}

/* Adds the reason of this step with all values that have it, unless an earlier step has added
 * it. */
static void add_undecided(const struct tables *t, uint32_t combination, uint32_t step,
                          uint32_t last, struct hd_text *text)
{
  const struct hd_point *point = hd_sweep_find(t->sweep, combination, step);
  const char *why = why_undecided(point);
  bool said = !*why;
  for (uint32_t i = 0; !said && i < step; i++)
    said = !strcmp(why_undecided(hd_sweep_find(t->sweep, combination, i)), why);
  if (said)
    return;
  hd_text_add(text, text->length ? "; " : "");
  for (uint32_t i = step; i <= last; i++) {
    const struct hd_point *alike = hd_sweep_find(t->sweep, combination, i);
    char number[40];
    hd_sweep_number(alike->searched, number);
    if (!strcmp(why_undecided(alike), why))
      hd_text_add(text, "%s%s", i > step ? ", " : "", number);
  }
  hd_text_add(text, " %s: %s", hd_point_verdict(point) == HD_POINT_FAILED ? "failed" : "undecided",
              why);
}

static void find_bounds(const struct tables *t, uint32_t combination, struct search_result *f)
{
  const uint32_t last = last_step(t, combination)->step;
  *f = (struct search_result){.low = NAN, .high = NAN};
  for (uint32_t step = 0; step <= last; step++) {
    const struct hd_point *point = hd_sweep_find(t->sweep, combination, step);
    const enum hd_point_verdict verdict = hd_point_verdict(point);
    if (point->ended && verdict == HD_POINT_ACCEPTED)
      f->low = fmax(f->low, point->searched);
    if (point->ended && verdict == HD_POINT_SATURATED)
      f->high = fmin(f->high, point->searched);
    add_undecided(t, combination, step, last, &f->why);
  }
}

static void saturation_rows(struct tables *t)
{
  const struct hd_sweep_params *p = t->sweep->params;
  for (uint32_t c = 0; p->saturation && c < t->sweep->combinations; c++) {
    struct search_result f;
    json_t *row = json_object();
    find_bounds(t, c, &f);
    for (uint32_t i = 0; i < p->n_axes; i++) {
      add_cell(&t->saturation, hd_sweep_value(t->sweep, c, i));
      hd_text_add(&t->saturation, ",");
      json_object_set_new(row, p->axes[i].path, json_cell(hd_sweep_value(t->sweep, c, i)));
    }
    if (isfinite(f.low))
      hd_text_add(&t->saturation, "%.10g", f.low);
    add_number_cell(&t->saturation, f.high);
    hd_text_add(&t->saturation, ",");
    hd_text_add_csv(&t->saturation, hd_text_chars(&f.why));
    hd_text_add(&t->saturation, "\n");
    json_object_set_new(row, "accepts", json_number(f.low));
    json_object_set_new(row, "saturates", json_number(f.high));
    json_object_set_new(row, "why", json_string(hd_text_chars(&f.why)));
    hd_text_fini(&f.why);
    json_array_append_new(t->json_saturation, row);
  }
}

/* ── all tables ────────────────────────────────────────────────────────────── */

static void begin_tables(struct tables *t)
{
  const struct hd_result_table *table = &hd_result_tables[HD_RESULTS_RUN];
  for (size_t i = 0; i < table->n && t->n_columns < COLUMNS; i++)
    if (is_column(&table->columns[i]))
      t->columns[t->n_columns++] = &table->columns[i];
  add_axis_names(t, &t->runs);
  hd_text_add(&t->runs, "seed,status");
  add_axis_names(t, &t->points);
  hd_text_add(&t->points, "seeds,saturated,failed,verdict");
  for (size_t i = 0; i < t->n_columns; i++) {
    hd_text_add(&t->runs, ",");
    hd_csv_name(t->columns[i], &t->runs);
    hd_text_add(&t->points, ",");
    hd_csv_name(t->columns[i], &t->points);
    hd_text_add(&t->points, "_mean,");
    hd_csv_name(t->columns[i], &t->points);
    hd_text_add(&t->points, "_ci95");
  }
  hd_text_add(&t->runs, "\n");
  hd_text_add(&t->points, ",why\n");
  for (uint32_t i = 0; i < t->sweep->params->n_axes; i++)
    hd_text_add(&t->saturation, "%s,", t->sweep->params->axes[i].path);
  hd_text_add(&t->saturation, "accepts,saturates,why\n");
}

static json_t *units(const struct tables *t)
{
  json_t *object = json_object();
  for (size_t i = 0; i < t->n_columns; i++)
    if (t->columns[i]->unit)
      json_object_set_new(object, t->columns[i]->key, json_string(t->columns[i]->unit));
  return object;
}

static json_t *axes(const struct tables *t)
{
  const struct hd_sweep_params *p = t->sweep->params;
  json_t *array = json_array();
  for (uint32_t i = 0; i < p->n_axes; i++) {
    json_t *values = json_array();
    for (uint32_t v = 0; v < p->axes[i].n; v++)
      json_array_append_new(values, json_cell(p->axes[i].values[v]));
    json_array_append_new(array, json_pack("{s:s s:o}", "key", p->axes[i].path, "values", values));
  }
  return array;
}

/* Lists the backend of each switch's runs if the user named none, and the reason. */
static json_t *backends(const struct hd_sweep *s)
{
  json_t *all = json_array();
  for (size_t i = 0; i < s->n_groups; i++) {
    const struct hd_sweep_group *g = &s->groups[i];
    struct hd_text sw = {0};
    hd_sweep_lanes_switch(g, &sw);
    if (g->verilator.n || g->lanes.n)
      json_array_append_new(all,
                            json_pack("{s:s s:s s:I s:I}", "switch", hd_text_chars(&sw), "why",
                                      hd_sweep_lanes_why(g), "verilator",
                                      (json_int_t)g->verilator.n, "lanes", (json_int_t)g->lanes.n));
    hd_text_fini(&sw);
  }
  return all;
}

static int write_json(struct tables *t, const char *directory, struct hd_error *err)
{
  const struct hd_sweep_params *p = t->sweep->params;
  json_t *all = json_pack(
      "{s:s s:s s:I s:s? s:o s:s? s:o s:O s:O s:O s:o s:o}", "name", t->sweep->name, "scenario",
      p->scenario_path, "cycles", (json_int_t)p->cycles, "against", p->against, "axes", axes(t),
      "searched", p->saturation, "units", units(t), "runs", t->json_runs, "points", t->json_points,
      "saturation", t->json_saturation, "backends", backends(t->sweep), "coverage",
      t->coverage.runs ? hd_coverage_json(&t->coverage, false) : json_null());
  return hd_json_write(directory, "sweep.json", all, 0, err);
}

static void tables_fini(struct tables *t)
{
  hd_text_fini(&t->runs);
  hd_text_fini(&t->points);
  hd_text_fini(&t->saturation);
  for (size_t i = 0; i < sizeof t->why / sizeof *t->why; i++)
    hd_text_fini(&t->why[i]);
  json_decref(t->json_runs);
  json_decref(t->json_points);
  json_decref(t->json_saturation);
  for (size_t i = 0; i < t->n_columns; i++)
    free(t->values[i]);
}

static int read_all(struct tables *t, struct hd_sweep *sweep, const char *directory,
                    struct hd_error *err)
{
  *t = (struct tables){.sweep = sweep,
                       .json_runs = json_array(),
                       .json_points = json_array(),
                       .json_saturation = json_array()};
  begin_tables(t);
  for (size_t i = 0; i < t->n_columns; i++)
    t->values[i] = hd_xcalloc(sweep->params->seeds, sizeof(double));
  int status = hd_campaign_each(directory, add_run, t, err);
  end_point(t);
  if (!status)
    saturation_rows(t);
  return status;
}

int hd_sweep_write(struct hd_sweep *sweep, const char *directory, struct hd_error *err)
{
  struct tables t;
  int status = read_all(&t, sweep, directory, err);
  if (!status)
    status = hd_text_write(directory, "runs.csv", &t.runs, err);
  if (!status)
    status = hd_text_write(directory, "points.csv", &t.points, err);
  if (!status && sweep->params->saturation)
    status = hd_text_write(directory, "saturation.csv", &t.saturation, err);
  if (!status)
    status = write_json(&t, directory, err);
  tables_fini(&t);
  return status;
}

/* ── text for readers ──────────────────────────────────────────────────────── */

double hd_sweep_result(const json_t *point, const char *key, const char *member)
{
  json_t *mean = json_object_get(json_object_get(json_object_get(point, "results"), key), member);
  return mean && !json_is_null(mean) ? json_number_value(mean) : NAN;
}

/* Returns the width of a column: that of its heading or of the longest value of its axis. NULL:
 * numbers. */
static int axis_width(const struct hd_axis *axis, const char *heading)
{
  enum { LEAST = 12 };
  size_t width = strlen(heading) > LEAST ? strlen(heading) : LEAST;
  for (uint32_t i = 0; axis && i < axis->n; i++)
    width = strlen(axis->values[i]) > width ? strlen(axis->values[i]) : width;
  return (int)width;
}

static void text_number(struct hd_text *text, int width, const char *format, double value)
{
  char number[40] = "-";
  if (isfinite(value))
    snprintf(number, sizeof number, format, value);
  hd_text_add(text, " %*s", width, number);
}

/* Adds as much of a reason as fits into a table. The files have all of it. */
static void text_why(struct hd_text *text, const char *before, const char *why)
{
  enum { ROOM = 120 };
  size_t n = strlen(why);
  if (n > ROOM)
    for (n = ROOM; n && ((unsigned char)why[n] & 0xc0) == 0x80;)
      n--;
  if (n)
    hd_text_add(text, "  %s%.*s%s", before, (int)n, why, why[n] ? " …" : "");
}

static void text_verdict(json_t *point, struct hd_text *text)
{
  const char *verdict = json_string_value(json_object_get(point, "verdict"));
  const char *why = json_string_value(json_object_get(point, "why"));
  int saturated = (int)json_integer_value(json_object_get(point, "saturated"));
  int failed = (int)json_integer_value(json_object_get(point, "failed"));
  int missed = (int)json_integer_value(json_object_get(point, "missed"));
  if (failed) {
    hd_text_add(text, "  %d FAILED", failed);
    text_why(text, "", why);
  } else if (!strcmp(verdict, verdict_name(HD_POINT_SATURATED)))
    hd_text_add(text, "  saturated");
  else if (saturated && strcmp(verdict, verdict_name(HD_POINT_OPEN)) != 0)
    hd_text_add(text, "  %d saturated", saturated);
  if (!strcmp(verdict, verdict_name(HD_POINT_OPEN)))
    text_why(text, "undecided: ", why);
  if (missed) {
    hd_text_add(text, "  %d MISSED", missed);
    text_why(text, "", json_string_value(json_object_get(point, "missed_why")));
  }
  hd_text_add(text, "\n");
}

/* Adds a point's latency. A mean that is not in equilibrium gets brackets, because it says only
 * how long the run was. */
static void text_latency(struct hd_text *text, const json_t *point)
{
  const char *verdict = json_string_value(json_object_get(point, "verdict"));
  const double mean = hd_sweep_result(point, "latency.mean", "mean");
  char number[32];
  snprintf(number, sizeof number, "(%.2f)", mean);
  if (!strcmp(verdict, verdict_name(HD_POINT_ACCEPTED)) || isnan(mean))
    text_number(text, 10, "%.2f", mean);
  else
    hd_text_add(text, " %10s", number);
}

static void text_point(const struct tables *t, json_t *point, struct hd_text *text)
{
  const struct hd_sweep_params *p = t->sweep->params;
  for (uint32_t i = 0; i <= p->n_axes; i++) {
    const char *key = i < p->n_axes ? p->axes[i].path : p->saturation;
    if (!key || (i < p->n_axes && p->axes[i].n == 1))
      continue;
    json_t *value = json_object_get(point, key);
    const int width = axis_width(i < p->n_axes ? &p->axes[i] : NULL, key);
    if (json_is_string(value))
      hd_text_add(text, "%-*s ", width, json_string_value(value));
    else
      hd_text_add(text, "%-*.10g ", width, json_number_value(value));
  }
  text_number(text, 10, "%.4f", hd_sweep_result(point, "offered", "mean"));
  text_number(text, 10, "%.4f", hd_sweep_result(point, "throughput", "mean"));
  text_latency(text, point);
  text_number(text, 8, "%.2f", hd_sweep_result(point, "latency.mean", "ci95"));
  text_number(text, 8, "%.0f", hd_sweep_result(point, "latency.p99", "mean"));
  hd_text_add(text, " %5d", (int)json_integer_value(json_object_get(point, "seeds")));
  text_verdict(point, text);
}

int hd_sweep_text(struct hd_sweep *sweep, const char *directory, struct hd_text *text,
                  struct hd_error *err)
{
  struct tables t;
  const struct hd_sweep_params *p = sweep->params;
  int status = read_all(&t, sweep, directory, err);
  for (uint32_t i = 0; i <= p->n_axes; i++) {
    const char *key = i < p->n_axes ? p->axes[i].path : p->saturation;
    if (key && !(i < p->n_axes && p->axes[i].n == 1))
      hd_text_add(text, "%-*s ", axis_width(i < p->n_axes ? &p->axes[i] : NULL, key), key);
  }
  hd_text_add(text, " %10s %10s %10s %8s %8s %5s\n", "offered", "accepted", "latency", "± 95 %",
              "99th", "seeds");
  for (size_t i = 0; !status && i < json_array_size(t.json_points); i++)
    text_point(&t, json_array_get(t.json_points, i), text);
  if (p->saturation)
    hd_text_add(text, "\n%s: accepted up to, saturated from (-: not in the searched range)\n",
                p->saturation);
  for (size_t i = 0; !status && i < json_array_size(t.json_saturation); i++) {
    json_t *row = json_array_get(t.json_saturation, i), *low = json_object_get(row, "accepts"),
           *high = json_object_get(row, "saturates");
    for (uint32_t a = 0; a < p->n_axes; a++)
      if (p->axes[a].n > 1)
        hd_text_add(text, "%-*s ", axis_width(&p->axes[a], ""),
                    hd_sweep_value(sweep, (uint32_t)i, a));
    text_number(text, 10, "%.4g", json_is_null(low) ? NAN : json_number_value(low));
    text_number(text, 10, "%.4g", json_is_null(high) ? NAN : json_number_value(high));
    const char *why = json_string_value(json_object_get(row, "why"));
    text_why(text, "", why);
    hd_text_add(text, "\n");
  }
  tables_fini(&t);
  return status;
}
