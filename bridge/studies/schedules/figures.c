/* rows.csv, and the figures: time to find a schedule, and cycles to carry it out.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/file.h"
#include "../figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const enum hd_exchange kinds[] = {
    HD_EXCHANGE_ONE_TO_ALL_BROADCAST, HD_EXCHANGE_ALL_TO_ALL_BROADCAST,
    HD_EXCHANGE_ONE_TO_ALL_SCATTER, HD_EXCHANGE_ALL_TO_ALL_SCATTER};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void add_evolution(const struct schedules_results *r, const struct schedules_row *row,
                          struct hd_text *csv)
{
  const struct schedules_successes s = schedules_successes(r, row);
  const struct schedules_evolution *upwards = schedules_upwards(row);
  if (row->found)
    hd_text_add(csv, "%" PRIu32 ",%" PRIu64, schedules_prescribed(row), schedules_evaluations(row));
  else
    hd_text_add(csv, ",");
  hd_text_add(csv, ",%" PRIu32 ",%" PRIu32 ",", s.runs, s.reached);
  if (s.reached)
    hd_text_add(csv, "%.4f,%.0f,", s.seconds, s.evaluations);
  else
    hd_text_add(csv, ",,");
  if (upwards->done)
    hd_text_add(csv, "%" PRIu32 ",%.4f,%s,", upwards->steps, upwards->seconds, upwards->key);
  else
    hd_text_add(csv, ",,,");
}

static void add_csv(const struct schedules_results *r, struct hd_text *csv)
{
  hd_text_add(
      csv, "network,nodes,collective,root,ports,paper_steps,paper_time,paper_rate,evolution_steps,"
           "steps,bound,transfers,seconds,how,reason,schedule,evolved_asked,evolved_evaluations,"
           "evolved_seeds,evolved_reached,evolved_seconds,evolved_mean_evaluations,"
           "evolved_upwards_steps,evolved_upwards_seconds,evolved_schedule,model_cycles");
  for (int means = 0; means < SCHEDULES_MEANS; means++) {
    const char *name = schedules_means_names[means];
    hd_text_add(csv, ",%s_cycles,%s_blocked_flit_cycles,%s_run", name, name, name);
  }
  hd_text_add(csv, "\n");
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    hd_text_add_csv(csv, row->network);
    hd_text_add(csv, ",%" PRIu32 ",%s,", row->nodes, hd_exchange_name(row->kind));
    if (row->rooted)
      hd_text_add(csv, "%" PRIu32, row->root);
    hd_text_add(csv, ",%s,%s,%s,%" PRIu32 ",%" PRIu32 ",", row->all_port ? "all" : "one",
                row->paper_steps, row->paper_time, row->paper_rate, row->evolution);
    if (row->found)
      hd_text_add(csv, "%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%.4f,", row->steps, row->bound,
                  row->transfers, row->seconds);
    else
      hd_text_add(csv, ",,,,");
    hd_text_add_csv(csv, row->how);
    hd_text_add(csv, ",");
    hd_text_add_csv(csv, row->reason);
    hd_text_add(csv, ",%s,", row->key);
    add_evolution(r, row, csv);
    if (row->runs[SCHEDULES_TIME].done)
      hd_text_add(csv, "%" PRIu64, row->runs[SCHEDULES_TIME].model);
    for (int means = 0; means < SCHEDULES_MEANS; means++) {
      const struct schedules_run *run = &row->runs[means];
      if (run->done)
        hd_text_add(csv, ",%" PRIu64 ",%" PRIu64 ",%s", run->cycles, run->blocked, run->key);
      else
        hd_text_add(csv, ",,,");
    }
    hd_text_add(csv, "\n");
  }
}

/* ── panels ────────────────────────────────────────────────────────────────── */

/* Tests whether a row is shown. Of a network with several roots, only the first one is shown,
 * which is the worst. */
static bool shown(const struct schedules_results *r, size_t i, enum hd_exchange kind)
{
  const struct schedules_row *row = &r->rows[i];
  for (size_t before = 0; before < i; before++)
    if (r->rows[before].kind == kind && !strcmp(r->rows[before].network, row->network))
      return false;
  return row->kind == kind && row->found;
}

/* Adds a line for each row: its name, the paper's seconds, our seconds, those of our evolution,
 * and cycles by the model and by each means; NaN for a missing value. Returns true if there is a
 * row. */
static bool add_block(const struct schedules_results *r, int k, struct hd_text *gp)
{
  bool any = false;
  hd_text_add(gp, "$rows%d << EOD\n", k);
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    char title[2 * SCHEDULES_NAME];
    if (!shown(r, i, kinds[k]))
      continue;
    any = true;
    schedules_title(row, title, sizeof title);
    const struct schedules_successes s = schedules_successes(r, row);
    hd_text_add(gp, "\"%s\" %g %g", title, row->paper_seconds, row->seconds);
    if (s.reached)
      hd_text_add(gp, " %g", s.seconds);
    else
      hd_text_add(gp, " NaN");
    if (row->runs[SCHEDULES_TIME].done)
      hd_text_add(gp, " %" PRIu64, row->runs[SCHEDULES_TIME].model);
    else
      hd_text_add(gp, " NaN");
    for (int means = 0; means < SCHEDULES_MEANS; means++)
      if (row->runs[means].done)
        hd_text_add(gp, " %" PRIu64, row->runs[means].cycles);
      else
        hd_text_add(gp, " NaN");
    hd_text_add(gp, "\n");
  }
  hd_text_add(gp, "EOD\n");
  return any;
}

enum { PAPER = 2, SECONDS, EVOLVED, MODEL, FIRST_MEANS };

static void add_points(struct hd_text *gp, int k, int column, const char *title)
{
  hd_text_add(gp, "%s$rows%d using 0:%d:xtic(1) with points lc %d pt %d ps 0.9 title '%s'",
              column == PAPER || column == MODEL ? "" : ", ", k, column,
              column < 6 ? column - 1 : column /* no yellow */, column + 2, title);
}

static int write_figure(const struct schedules_results *r, bool cycles, const char *directory,
                        struct hd_error *err)
{
  const char *name = cycles ? "cycles" : "search";
  struct hd_text csv = {0}, gp = {0};
  hd_study_figure_begin(&gp, "make reproduce-schedules", name, KINDS);
  hd_text_add(&gp,
              "set logscale y\nset xtics rotate by 60 right font ',8'\nset xrange [-0.5:]\nset "
              "offsets 0, 0.5, 0, 0\nset bmargin 9\n"
              "set ylabel '%s'\nset key above maxcols 3 font ',9'\n",
              cycles ? "cycles" : "s");
  for (int k = 0; k < KINDS; k++) {
    bool any = add_block(r, k, &gp);
    hd_text_add(&gp, "set title '%s'\nplot ", hd_exchange_name(kinds[k]));
    if (!any) {
      hd_text_add(&gp, "[0:1][1:2] NaN title 'not measured'\n");
      continue;
    }
    add_points(&gp, k, cycles ? MODEL : PAPER,
               cycles ? "alpha-beta model" : "the evolution, Table 6");
    if (!cycles) {
      add_points(&gp, k, SECONDS, "found and proved here");
      add_points(&gp, k, EVOLVED, "the evolution here, if it reaches as many steps");
    }
    for (int means = 0; cycles && means < SCHEDULES_MEANS; means++)
      add_points(&gp, k, FIRST_MEANS + means, schedules_means_names[means]);
    hd_text_add(&gp, "\n");
  }
  add_csv(r, &csv);
  return hd_study_figure_end(directory, name, &csv, &gp, err);
}

int schedules_write_figures(const void *results, const char *directory, struct hd_error *err)
{
  const struct schedules_results *r = results;
  struct hd_text csv = {0};
  add_csv(r, &csv);
  int status = hd_text_write(directory, "rows.csv", &csv, err);
  int first = write_figure(r, false, directory, status ? NULL : err);
  status = status ? status : first;
  int second = write_figure(r, true, directory, status ? NULL : err);
  return status ? status : second;
}
