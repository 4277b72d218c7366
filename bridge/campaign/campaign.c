/* The loop of a campaign: hands tasks out, stores outcomes, ends by plan, time, failures or user.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/clock.h"
#include "../host/memory.h"
#include "campaign_internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WAIT_MS = 250 };

struct campaign {
  const struct hd_campaign *campaign;
  struct hd_campaign_db *db;
  struct hd_workers *workers;
  struct hd_campaign_result *result;
  struct hd_task_copy
      *again; /* tasks of lost workers, and of workers that died with several tasks */
  size_t n_again, capacity;
  double started, shown, work, work_known; /* work of all ended tasks; work of those from before */
};

static bool stopped(const struct campaign *c)
{
  return c->campaign->stop && c->campaign->stop(c->campaign->context);
}

static void add_time(double seconds, struct hd_text *text)
{
  unsigned long s = (unsigned long)(seconds + 0.5);
  if (s >= 3600)
    hd_text_add(text, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
  else
    hd_text_add(text, "%lu:%02lu", s / 60, s % 60);
}

void hd_campaign_progress_add(const struct hd_campaign_progress *p, struct hd_text *text)
{
  if (p->plan_text)
    hd_text_add(text, "%s", p->plan_text);
  else
    hd_text_add(text, "%" PRIu64, p->ended);
  if (p->tasks && !p->plan_text)
    hd_text_add(text, " of %" PRIu64, p->tasks);
  hd_text_add(text, p->plan_text ? "" : " runs");
  if (p->known)
    hd_text_add(text, " (%" PRIu64 " from before)", p->known);
  if (p->failed)
    hd_text_add(text, ", %" PRIu64 " failed", p->failed);
  hd_text_add(text, ", %" PRIu32 " workers", p->workers);
  if (p->lost)
    hd_text_add(text, " (%" PRIu32 " do not answer)", p->lost);
  if (!p->plan_text)
    hd_text_add(text, ", %.1f runs/s", p->per_second);
  hd_text_add(text, ", ");
  add_time(p->seconds, text);
  if (p->seconds_left >= 0) {
    hd_text_add(text, ", about ");
    add_time(p->seconds_left, text);
    hd_text_add(text, " left");
  }
}

static void report_progress(struct campaign *c)
{
  const struct hd_campaign_result *r = c->result;
  struct hd_campaign_progress p = {.ended = r->ended,
                                   .known = r->known,
                                   .failed = r->failed,
                                   .running = (uint32_t)hd_workers_running(c->workers),
                                   .workers = hd_workers_number(c->workers),
                                   .lost = hd_workers_lost(c->workers),
                                   .seconds = hd_seconds_now() - c->started,
                                   .seconds_left = -1};
  double work = 0, done = c->work - c->work_known;
  if (!c->campaign->progress || p.seconds < c->shown + c->campaign->progress_seconds)
    return;
  c->shown = p.seconds;
  if (c->campaign->plan.size)
    c->campaign->plan.size(c->campaign->plan.context, &p.tasks, &work);
  p.per_second = p.seconds > 0 ? (double)(r->ended - r->known) / p.seconds : 0;
  if (done > 0 && work > c->work)
    p.seconds_left = p.seconds * (work - c->work) / done;
  double budget = c->campaign->seconds - p.seconds;
  if (c->campaign->seconds > 0 && (p.seconds_left < 0 || p.seconds_left > budget))
    p.seconds_left = budget > 0 ? budget : 0;
  struct hd_text told = {0};
  if (c->campaign->plan.describe) {
    c->campaign->plan.describe(c->campaign->plan.context, &told);
    p.plan_text = hd_text_chars(&told);
  }
  c->campaign->progress(c->campaign->context, &p);
  hd_text_fini(&told);
}

/* Counts an outcome and passes it to the plan. */
static int pass_to_plan(struct campaign *c, const struct hd_task *task,
                        struct hd_task_outcome *outcome, bool known, struct hd_error *err)
{
  c->result->ended++;
  c->result->known += known;
  c->result->failed += outcome->failed;
  c->result->busy_seconds += known ? 0 : outcome->seconds;
  c->work += task->work;
  c->work_known += known ? task->work : 0;
  int status = c->campaign->plan.ended(c->campaign->plan.context, task, outcome, err);
  hd_task_outcome_fini(outcome);
  return status;
}

/* Returns the number of tasks that are not yet handed out; 0: not known. */
static uint64_t tasks_left(const struct campaign *c)
{
  const struct hd_plan *plan = &c->campaign->plan;
  const uint64_t given = c->result->ended + hd_workers_running(c->workers);
  uint64_t tasks = 0;
  double work;
  if (plan->size && plan->run_tasks)
    plan->size(plan->context, &tasks, &work);
  return tasks > given ? tasks - given : 0;
}

/* Hands out a task. If a worker gets several, hands out the following tasks, too, up to one
 * whose outcome is known. */
static int hand_out(struct campaign *c, const struct hd_task *first, struct hd_error *err)
{
  const struct hd_plan *plan = &c->campaign->plan;
  const uint32_t most = hd_workers_share(c->workers, tasks_left(c));
  struct hd_task_copy copies[HD_TASKS_BATCH];
  struct hd_task tasks[HD_TASKS_BATCH], task = *first;
  struct hd_task_outcome outcome;
  bool known;
  uint32_t n = 0;
  int status;
  do {
    status = hd_campaign_db_find(c->db, &task, &known, &outcome, err);
    if (!status && known)
      status = pass_to_plan(c, &task, &outcome, true, err);
    else if (!status) {
      hd_task_copy(&copies[n], &task);
      tasks[n] = copies[n].task;
      n++;
    }
  } while (!status && !known && n < most && plan->next(plan->context, &task));
  if (!status && n)
    status = hd_workers_start(c->workers, tasks, n, err);
  while (n)
    hd_task_copy_fini(&copies[--n]);
  return status;
}

static int hand_out_again(struct campaign *c, struct hd_error *err)
{
  struct hd_task_copy copy = c->again[--c->n_again];
  int status = hd_workers_start(c->workers, &copy.task, 1, err);
  hd_task_copy_fini(&copy);
  return status;
}

static void queue_again(struct campaign *c, struct hd_task_copy *copy)
{
  HD_XROOM(c->again, c->capacity, c->n_again, 1);
  c->again[c->n_again++] = *copy;
}

static int wait_for_event(struct campaign *c, struct hd_error *err)
{
  struct hd_task_copy copy;
  struct hd_task_outcome outcome;
  enum hd_worker_event event = hd_workers_wait(c->workers, WAIT_MS, &copy, &outcome);
  if (event == HD_WORKER_AGAIN)
    return queue_again(c, &copy), HD_OK;
  if (event != HD_WORKER_ENDED)
    return HD_OK;
  /* An interrupted run has no result. */
  int status = outcome.status == HD_E_INTERRUPTED
                   ? hd_fail(err, HD_E_INTERRUPTED, "interrupted")
                   : hd_campaign_db_add(c->db, &copy.task, &outcome, err);
  if (status)
    hd_task_outcome_fini(&outcome);
  else
    status = pass_to_plan(c, &copy.task, &outcome, false, err);
  hd_task_copy_fini(&copy);
  return status;
}

/* Tests whether the time budget is used up. */
static bool time_is_up(const struct campaign *c)
{
  const struct hd_campaign *w = c->campaign;
  const double over = hd_seconds_now() - c->started - w->seconds;
  const struct hd_plan *plan = &w->plan;
  return w->seconds > 0 && over >= 0 &&
         (over >= w->grace_seconds || !plan->unfinished || !plan->unfinished(plan->context));
}

/* Tests whether the campaign ends before all tasks have ended. */
static bool cut_short(struct campaign *c)
{
  const struct hd_campaign *w = c->campaign;
  if (w->most_failures && c->result->failed >= w->most_failures)
    c->result->end = HD_CAMPAIGN_FAILURES;
  else if (time_is_up(c))
    c->result->end = HD_CAMPAIGN_TIME;
  return c->result->end != HD_CAMPAIGN_COMPLETE;
}

static int run_loop(struct campaign *c, struct hd_error *err)
{
  const struct hd_plan *plan = &c->campaign->plan;
  struct hd_task task;
  int status = HD_OK;
  while (!status) {
    report_progress(c);
    if (stopped(c))
      return hd_fail(err, HD_E_INTERRUPTED, "interrupted");
    if (cut_short(c) || (plan->enough && plan->enough(plan->context)))
      return HD_OK;
    if (c->n_again && hd_workers_free(c->workers))
      status = hand_out_again(c, err);
    else if (hd_workers_free(c->workers) && plan->next(plan->context, &task))
      status = hand_out(c, &task, err);
    else if (hd_workers_running(c->workers) || c->n_again)
      status = wait_for_event(c, err);
    else
      return HD_OK;
  }
  return status;
}

static void close_all(struct campaign *c)
{
  c->result->lost = c->workers ? hd_workers_lost(c->workers) : 0;
  c->result->workers = c->workers ? hd_workers_number(c->workers) : 0;
  c->result->seconds = hd_seconds_now() - c->started;
  hd_workers_destroy(c->workers);
  while (c->n_again)
    hd_task_copy_fini(&c->again[--c->n_again]);
  free(c->again);
}

double hd_campaign_efficiency(const struct hd_campaign_result *result)
{
  const double all = result->seconds * result->workers;
  return all > 0 ? result->busy_seconds / all : 0;
}

int hd_campaign_run(const struct hd_campaign *campaign, struct hd_campaign_result *result,
                    struct hd_error *err)
{
  struct campaign c = {.campaign = campaign, .result = result, .started = hd_seconds_now()};
  *result = (struct hd_campaign_result){0};
  int status = hd_campaign_db_open(&c.db, campaign, err);
  if (!status)
    status = hd_campaign_db_complete(c.db, false, err);
  if (!status) {
    c.workers = hd_workers_create(campaign);
    status = run_loop(&c, err);
  }
  close_all(&c);
  if (!status)
    status = hd_campaign_db_complete(c.db, result->end == HD_CAMPAIGN_COMPLETE, err);
  hd_campaign_db_close(c.db);
  return status;
}
