/* All runs as one campaign (bridge/campaign/): a task is a scenario's text.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A task's number is a hash of its text, so that figures, seeds and quick runs share what was carried out.
 * Runs depend on Heddle and the RTL, too: others have a directory of their own below DIRECTORY.
 */
#include "reproduce.h"

#include "../../../bridge/campaign/campaign.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct carrier {
  struct rep_book *book;
  const struct rep_execution *how;
  uint32_t next; /* run: cell and seed */
  struct hd_text text;
  bool terminal;
};

/* Every point first, then more seeds. */
static const struct rep_config *config_at(const struct carrier *c, uint32_t run)
{
  return &c->book->cells[run % c->book->n].config;
}

static struct rep_outcome *outcome_at(const struct carrier *c, uint32_t run)
{
  return &c->book->cells[run % c->book->n].outcomes[run / c->book->n];
}

static uint32_t run_of(const struct carrier *c, const struct hd_task *task)
{
  uint32_t run = 0;
  while (outcome_at(c, run)->order != task->order)
    run++;
  return run;
}

static void scenario_at(const struct carrier *c, uint32_t run, struct hd_text *text)
{
  rep_scenario(config_at(c, run), run / c->book->n + 1, text);
}

/* How long a run takes, roughly, in any unit: for the time left. RTL has to be built. */
static double work_at(const struct carrier *c, uint32_t run)
{
  const struct rep_config *k = config_at(c, run);
  double network = (double)k->switches * k->switches;
  return network * (k->load_permille ? 10 : 1) * (k->rtl ? 50 : 1);
}

/* ── one run ───────────────────────────────────────────────────────────────── */

/* Barriers that do not end are a result; everything else that goes wrong is none. */
static bool is_result(int status)
{
  return status == HD_OK || status == HD_E_BUDGET || status == HD_E_DEADLOCK ||
         status == HD_E_SOFTWARE;
}

static const struct hd_run_statistic *statistic(const struct hd_run_report *report,
                                                const char *name)
{
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, name))
      return &report->statistics[i];
  return NULL;
}

static void put(struct hd_task_outcome *outcome, const char *key, double cycles)
{
  hd_task_outcome_add(outcome, key, "cycles",
                      &(struct hd_value){.type = HD_VALUE_REAL, .real = cycles});
}

static void put_barriers(const struct hd_run_report *report, struct hd_task_outcome *outcome)
{
  const struct hd_run_statistic *first = statistic(report, "first barriers"),
                                *later = statistic(report, "later barriers");
  if (!first || first->n != 1 || !later) {
    hd_task_outcome_fail(outcome, HD_E_INTERNAL, "not one first barrier and later ones", NULL);
    return;
  }
  put(outcome, "first", first->mean);
  put(outcome, "later", later->mean);
  put(outcome, "most", (double)later->maximum);
}

static void run_task(void *context, const struct hd_task *task, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  const struct hd_run_options options = {
      .scenario_path = "barrier.yaml",
      .scenario_text = task->text,
      .rtl_dir = config_at(c, run_of(c, task))->rtl ? c->how->rtl_dir : NULL,
      .results_only = true};
  struct hd_run_report report;
  struct hd_error err = {""};
  int status = hd_run(&options, &report, &err);
  outcome->status = status;
  if (!is_result(status))
    hd_task_outcome_fail(outcome, status, err.text, hd_run_status_name(status));
  else if (!status)
    put_barriers(&report, outcome);
  hd_run_report_fini(&report);
}

/* ── all of them ───────────────────────────────────────────────────────────── */

static bool next(void *context, struct hd_task *task)
{
  struct carrier *c = context;
  if (c->next == c->book->n * c->book->seeds)
    return false;
  hd_text_fini(&c->text);
  scenario_at(c, c->next, &c->text);
  *task = (struct hd_task){outcome_at(c, c->next)->order, "barrier", hd_text_chars(&c->text),
                           work_at(c, c->next)};
  c->next++;
  return true;
}

static double value_of(const struct hd_task_outcome *outcome, const char *key)
{
  const struct hd_value *value = hd_task_outcome_find(outcome, key);
  return value && value->type == HD_VALUE_REAL ? value->real : 0;
}

static int ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  struct carrier *c = context;
  struct rep_outcome *o = outcome_at(c, run_of(c, task));
  char path[REP_PATH];
  snprintf(path, sizeof path, "%s/%s.yaml", c->how->directory, o->key);
  int status = hd_file_write(path, task->text, strlen(task->text), err);
  if (!status && outcome->failed)
    status = hd_fail(err, HD_E_TOOL, "%s: %.800s", path,
                     outcome->message ? outcome->message : hd_status_text(outcome->status));
  if (status)
    return status;
  o->done = true;
  o->finished = outcome->status == HD_OK;
  o->first = value_of(outcome, "first");
  o->later = value_of(outcome, "later");
  o->most = value_of(outcome, "most");
  return HD_OK;
}

static void size(void *context, uint64_t *tasks, double *work)
{
  const struct carrier *c = context;
  *tasks = (uint64_t)c->book->n * c->book->seeds;
  for (uint32_t i = 0; i < *tasks; i++)
    *work += work_at(c, i);
}

static void show(void *context, const struct hd_campaign_progress *progress)
{
  const struct carrier *c = context;
  struct hd_text line = {0};
  hd_campaign_progress_add(progress, &line);
  fprintf(stderr, "%sreproduce: %s%s", c->terminal ? "\r\033[K" : "", hd_text_chars(&line),
          c->terminal ? "" : "\n");
  hd_text_fini(&line);
}

static bool stop(void *context)
{
  const struct carrier *c = context;
  return *c->how->stop;
}

static void number(struct carrier *c)
{
  for (uint32_t i = 0; i < c->book->n * c->book->seeds; i++) {
    struct rep_outcome *o = outcome_at(c, i);
    struct hd_text text = {0};
    scenario_at(c, i, &text);
    uint64_t hash = hd_hash_bytes(hd_text_chars(&text), text.length, 1);
    o->order = hash >> 1; /* SQLite's numbers have a sign */
    snprintf(o->key, sizeof o->key, "%016" PRIx64, hash);
    hd_text_fini(&text);
  }
}

int rep_run_scenarios(struct rep_book *book, const struct rep_execution *how, struct hd_error *err)
{
  struct carrier c = {.book = book, .how = how, .terminal = isatty(2)};
  struct hd_campaign_result result = {0};
  struct hd_text identity = {0}, directory = {0};
  number(&c);
  int status = hd_campaign_identity(&identity, how->rtl_dir, err);
  struct hd_campaign campaign = {
      .name = "barrier",
      .command = "make reproduce-barrier",
      .definition = "scenarios of the barrier paper",
      .identity = hd_text_chars(&identity),
      .plan = {&c, next, run_task, ended, size},
      .workers = how->jobs,
      .context = &c,
      .progress = show,
      .progress_seconds = c.terminal ? 0.5 : 10,
      .stop = stop,
  };
  hd_text_add(&directory, "%s/%016" PRIx64, how->directory, hd_campaign_hash(&campaign));
  campaign.directory = hd_text_chars(&directory);
  if (!status && (identity.failed || directory.failed))
    status = hd_fail(err, HD_E_NOMEM, "out of memory");
  if (!status)
    status = hd_campaign_run(&campaign, &result, err);
  fprintf(stderr,
          "%sreproduce: %" PRIu64 " of %" PRIu32 " runs (%" PRIu64 " from before), %.0f s\n",
          c.terminal ? "\r\033[K" : "", result.ended, book->n * book->seeds, result.known,
          result.seconds);
  hd_text_fini(&identity);
  hd_text_fini(&directory);
  hd_text_fini(&c.text);
  return status;
}
