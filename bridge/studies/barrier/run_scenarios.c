/* Runs all scenarios. A task is a scenario's text, so figures and quick runs share results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char kind[] = "reproduce";

struct carrier {
  struct barrier_book *book;
  const struct hd_study_arguments *how;
};

/* Runs are ordered by seed, so that every point has a result before any point has a second one. */
static const struct barrier_config *config_at(const struct carrier *c, size_t run)
{
  return &c->book->cells[run % c->book->n].config;
}

static struct barrier_outcome *outcome_at(const struct carrier *c, size_t run)
{
  return &c->book->cells[run % c->book->n].outcomes[run / c->book->n];
}

static void scenario_at(void *context, size_t run, struct hd_text *text)
{
  const struct carrier *c = context;
  barrier_scenario(config_at(c, run), (uint32_t)(run / c->book->n + 1), text);
}

static bool wanted(void *context, size_t run)
{
  const struct carrier *c = context;
  return run < c->book->n || !config_at(c, run)->rtl;
}

/* Estimates the time of a run, building RTL included. Progress lines compute the remaining time
 * from it. */
static double work_at(void *context, size_t run)
{
  const struct barrier_config *k = config_at(context, run);
  double network = (double)k->switches * k->switches;
  return network * (k->load_permille ? 10 : 1) * (k->rtl ? 10 : 1);
}

/* ── one run ───────────────────────────────────────────────────────────────── */

/* A run whose barriers do not end is a result. Any other failure is an error. */
static bool is_barrier_result(int status)
{
  return status == HD_E_BUDGET || status == HD_E_DEADLOCK || status == HD_E_SOFTWARE;
}

static const struct hd_run_statistic *statistic(const struct hd_run_report *report,
                                                const char *name)
{
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, name))
      return &report->statistics[i];
  return NULL;
}

static void put_barriers(const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  const struct hd_run_statistic *first = statistic(report, "first barriers"),
                                *later = statistic(report, "later barriers");
  if (!first || first->n != 1 || !later) {
    hd_task_outcome_fail(outcome, HD_E_INTERNAL, "not one first barrier and later ones", NULL);
    return;
  }
  hd_study_put(outcome, "first", "cycles", first->mean);
  hd_study_put(outcome, "later", "cycles", later->mean);
  hd_study_put(outcome, "most", "cycles", (double)later->maximum);
  hd_study_put(outcome, "renewed", "groups", report->n_renewals);
  hd_study_put(outcome, "data", "cycles", hd_latency_mean(&report->latency));
}

static void run_task(void *context, size_t run, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  struct hd_text text = {0};
  struct hd_run_report report;
  scenario_at(context, run, &text);
  if (hd_study_scenario("barrier.yaml", &text,
                        config_at(c, run)->rtl ? c->how->study.rtl_dir : NULL, is_barrier_result,
                        &report, outcome))
    put_barriers(&report, outcome);
  hd_run_report_fini(&report);
}

/* ── all runs ──────────────────────────────────────────────────────────────── */

static int ended(void *context, size_t run, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  struct carrier *c = context;
  struct barrier_outcome *o = outcome_at(c, run);
  (void)err;
  o->done = true;
  o->finished = outcome->status == HD_OK;
  o->first = hd_study_value(outcome, "first");
  o->later = hd_study_value(outcome, "later");
  o->most = hd_study_value(outcome, "most");
  o->renewed = hd_study_value(outcome, "renewed");
  o->data = hd_study_value(outcome, "data");
  return HD_OK;
}

int barrier_run_scenarios(struct barrier_book *book, const struct hd_study_arguments *how,
                          struct hd_error *err)
{
  struct carrier c = {.book = book, .how = how};
  const struct hd_study_tasks tasks = {.kind = kind,
                                       .n = (size_t)book->n * book->seeds,
                                       .context = &c,
                                       .wanted = wanted,
                                       .describe = scenario_at,
                                       .work = work_at,
                                       .run_task = run_task,
                                       .ended = ended,
                                       .scenarios = true};
  for (size_t i = 0; i < tasks.n; i++)
    hd_study_key(&tasks, i, outcome_at(&c, i)->key);
  return hd_study_run(&how->study, &tasks, err);
}
