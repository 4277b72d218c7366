/* Runs a soak as a campaign: builds parameter sets, then carries out scenarios in the order of their numbers.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plan hands out a scenario while fewer scenarios than wanted count or are under way. So a soak consists of the first
 * scenarios of which the wanted number counts, whatever the number of workers.
 */
#include "soak.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t build_order = UINT64_C(1) << 40; /* added to the order of tasks that build */
static const double patience_seconds = 120;            /* a scenario takes less than a second */
enum { BUILD_WORK = 20 };

const char *hd_soak_outcome_name(enum soak_outcome outcome)
{
  static const char *const names[SOAK_OUTCOMES] = {"agreed",
                                                   "refused by the deadlock rule",
                                                   "RTL and model differ",
                                                   "runs differ",
                                                   "packets damaged or lost",
                                                   "rule broken",
                                                   "stuck",
                                                   "not carried out",
                                                   "crashed",
                                                   "hung",
                                                   "stopped"};
  return names[outcome];
}

bool hd_soak_stopped(const struct soak_common *common)
{
  return common->stop && common->stop(common->context);
}

/* ── one scenario ──────────────────────────────────────────────────────────── */

static void put_result(const struct soak_result *result, struct hd_task_outcome *outcome)
{
  hd_soak_result_put(result, outcome);
  if (result->outcome != SOAK_AGREED && result->outcome != SOAK_REFUSED)
    hd_task_outcome_fail(outcome, result->status ? result->status : HD_E_DIVERGENCE,
                         result->message, hd_soak_outcome_name(result->outcome));
}

static void run_case(const struct soak_case *c, bool every_variant,
                     const struct soak_common *common, struct hd_task_outcome *outcome)
{
  struct soak_result result = {.outcome = SOAK_BROKEN};
  struct hd_error err = {""};
  char name[64], yaml[SOAK_PATH];
  snprintf(name, sizeof name, "soak-%" PRIu32, c->index);
  const struct hd_dut_ops *ops;
  int status = hd_soak_backend(common, &c->sw, &ops, &err);
  if (status) {
    hd_task_outcome_fail(outcome, status, err.text, "does not build");
    return;
  }
  if (hd_soak_write(c, common->directory, name, yaml, &err)) {
    hd_task_outcome_fail(outcome, HD_E_IO, err.text, "cannot be written");
    return;
  }
  hd_soak_run_scenario(yaml, ops, every_variant, common, &result);
  hd_soak_unlink(common->directory, name);
  put_result(&result, outcome);
}

struct trial {
  const struct soak_case *c; /* NULL: the scenario is that of `yaml` */
  const char *yaml;
  const struct hd_dut_ops *ops;
  const struct soak_common *common;
  bool every_variant;
};

static void run_trial(void *context, const struct hd_task *task, struct hd_task_outcome *outcome)
{
  const struct trial *t = context;
  struct soak_result result = {.outcome = SOAK_BROKEN};
  (void)task;
  if (t->c) {
    run_case(t->c, t->every_variant, t->common, outcome);
    return;
  }
  hd_soak_run_scenario(t->yaml, t->ops, t->every_variant, t->common, &result);
  put_result(&result, outcome);
}

/* Runs a trial in a process of its own. It opens the backend before that, in this process, for all later trials. */
static void try_in_process(struct trial *trial, const struct hd_switch_params *sw, uint32_t number,
                           struct soak_result *result)
{
  const struct soak_common *common = trial->common;
  const struct hd_plan plan = {.context = trial, .run_task = run_trial};
  const struct hd_task task = {number, "scenario", "", 1};
  struct hd_task_outcome outcome = {0};
  struct hd_error err = {""};
  *result = (struct soak_result){.outcome = SOAK_STOPPED};
  if (!hd_soak_backend(common, sw, &trial->ops, &err) &&
      !hd_task_run(&plan, &task, patience_seconds, common->stop, common->context, &outcome, &err))
    hd_soak_result_get(result, &outcome);
  else
    snprintf(result->message, sizeof result->message, "%.700s", err.text);
  hd_task_outcome_fini(&outcome);
}

void hd_soak_try(const struct soak_case *c, bool every_variant, const struct soak_common *common,
                 struct soak_result *result)
{
  struct trial trial = {.c = c, .common = common, .every_variant = every_variant};
  try_in_process(&trial, &c->sw, c->index, result);
}

void hd_soak_try_file(const char *yaml, const struct hd_switch_params *sw,
                      const struct soak_common *common, struct soak_result *result)
{
  struct trial trial = {.yaml = yaml, .common = common};
  try_in_process(&trial, sw, 0, result);
}

/* ── tasks ─────────────────────────────────────────────────────────────────── */

static uint32_t all_sets(const struct soak_plan *p)
{
  return p->n_sets + (!p->large ? 0 : p->pairs ? SOAK_LARGE_SETS : SOAK_OTHER_SETS);
}

bool hd_soak_plan_draw(const struct soak_plan *p, uint32_t index, struct soak_case *c)
{
  /* Special scenarios have even numbers, because scenarios for a recipe and large ones have odd numbers. */
  const uint32_t computed = p->n_sets + SOAK_LARGE_SETS + SOAK_CODER_SETS;
  const bool special = p->large && !p->pairs;
  if (special && index % SOAK_SPECIAL_EVERY == SOAK_SPECIAL_EVERY / 2)
    hd_soak_draw_coding(c, p->sets, p->n_sets, p->seed, index);
  else if (special && index % SOAK_SPECIAL_EVERY == SOAK_SPECIAL_EVERY / 4 * 3) {
    hd_soak_draw_multicast(c, p->sets + computed + SOAK_COMPUTED_SETS, p->seed, index);
    c->set += computed + SOAK_COMPUTED_SETS;
  } else if (special && soak_computes(index) &&
             hd_soak_draw_computed(c, p->sets + computed, SOAK_COMPUTED_SETS, p->seed, index))
    c->set += computed;
  else
    (p->pairs ? hd_soak_draw_pair : hd_soak_draw)(c, p->sets, p->n_sets, p->large, p->seed, index);
  return p->has_only || (p->every && index % p->every == 0);
}

uint32_t hd_soak_plan_end(const struct soak_plan *p)
{
  return 4 * p->count + 20;
}

bool hd_soak_counts(const struct soak_result *r)
{
  return r->outcome != SOAK_REFUSED &&
         (r->outcome != SOAK_AGREED || r->flits_in_order >= SOAK_LEAST_FLITS);
}

static bool hand_out(struct soak_plan *p, struct hd_task *task, const char *kind, uint64_t order,
                     uint32_t number, double work)
{
  snprintf(p->text, sizeof p->text, "%" PRIu32, number);
  *task = (struct hd_task){order, kind, p->text, work};
  return true;
}

static bool plan_next(void *context, struct hd_task *task)
{
  struct soak_plan *p = context;
  struct soak_case c;
  if (p->failed >= p->most_failures)
    return false;
  if (p->has_only && !p->next_set) {
    hd_soak_plan_draw(p, p->only, &c);
    p->next_set = all_sets(p);
    return hand_out(p, task, "build", build_order + c.set, c.set, BUILD_WORK);
  }
  if (p->next_set < all_sets(p)) {
    uint32_t set = p->next_set++;
    return hand_out(p, task, "build", build_order + set, set, BUILD_WORK);
  }
  /* Quiet and refused scenarios do not count, but a soak with only such scenarios must end, too. */
  uint32_t most = p->has_only ? 1 : hd_soak_plan_end(p), index = p->has_only ? p->only : p->next;
  if (p->next >= most || p->counted + p->running >= p->count)
    return false;
  hd_soak_plan_draw(p, index, &c);
  if (!p->built[c.set])
    return false;
  p->next++;
  p->running++;
  return hand_out(p, task, "scenario", index, index, 1);
}

static void plan_run_task(void *context, const struct hd_task *task,
                          struct hd_task_outcome *outcome)
{
  const struct soak_plan *p = context;
  struct hd_error err = {""};
  if (task->order >= build_order) {
    const struct hd_dut_ops *ops;
    int status = hd_soak_backend(p->common, &p->sets[task->order - build_order], &ops, &err);
    if (status)
      hd_task_outcome_fail(outcome, status, err.text, "does not build");
    return;
  }
  struct soak_case c;
  bool every_variant = hd_soak_plan_draw(p, (uint32_t)task->order, &c);
  run_case(&c, every_variant, p->common, outcome);
}

/* Opens a built set in this process, so that the processes of its scenarios inherit it. */
static int take_build(struct soak_plan *p, uint32_t set, const struct hd_task_outcome *outcome,
                      struct hd_error *err)
{
  struct hd_error why = {""};
  const struct hd_dut_ops *ops;
  int status =
      outcome->failed ? outcome->status : hd_soak_backend(p->common, &p->sets[set], &ops, &why);
  p->built[set] = !status;
  return status ? hd_fail(err, status, "the RTL of parameter set %" PRIu32 " is not built: %.800s",
                          set, outcome->message ? outcome->message : why.text)
                : HD_OK;
}

static int plan_ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                      struct hd_error *err)
{
  struct soak_plan *p = context;
  struct soak_result result;
  if (task->order >= build_order)
    return take_build(p, (uint32_t)(task->order - build_order), outcome, err);
  hd_soak_result_get(&result, outcome);
  p->running--;
  p->counted += hd_soak_counts(&result);
  p->failed += outcome->failed;
  return HD_OK;
}

static void plan_size(void *context, uint64_t *tasks, double *work)
{
  const struct soak_plan *p = context;
  uint32_t sets = p->has_only ? 1 : all_sets(p);
  *tasks = sets + p->count;
  *work = (double)BUILD_WORK * sets + p->count;
}

void hd_soak_plan_campaign(struct soak_plan *p, struct hd_campaign *campaign)
{
  campaign->name = "soak";
  campaign->directory = p->common->directory;
  campaign->patience_seconds = 1800; /* for the bit lanes of a large switch on a busy machine */
  campaign->plan = (struct hd_plan){.context = p,
                                    .next = plan_next,
                                    .run_task = plan_run_task,
                                    .ended = plan_ended,
                                    .size = plan_size};
}

/* ── results ───────────────────────────────────────────────────────────────── */

struct reader {
  const struct soak_plan *plan;
  void (*take)(void *context, const struct soak_case *c, bool every_variant,
               const struct soak_result *result);
  void *context;
  uint32_t counted, failed;
};

/* Passes a scenario on, but not those after the last one that counts, which other workers ran at the same time: a single
 * worker would not have run them. */
static int read_row(void *context, const struct hd_task *task,
                    const struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct reader *r = context;
  struct soak_result result;
  struct soak_case c;
  (void)err;
  if (task->order >= build_order || r->counted >= r->plan->count ||
      r->failed >= r->plan->most_failures)
    return HD_OK;
  bool every_variant = hd_soak_plan_draw(r->plan, (uint32_t)task->order, &c);
  hd_soak_result_get(&result, outcome);
  r->counted += hd_soak_counts(&result);
  r->failed += outcome->failed;
  r->take(r->context, &c, every_variant, &result);
  return HD_OK;
}

int hd_soak_plan_results(const struct soak_plan *p,
                         void (*take)(void *context, const struct soak_case *c, bool every_variant,
                                      const struct soak_result *result),
                         void *context, struct hd_error *err)
{
  struct reader reader = {.plan = p, .take = take, .context = context};
  return hd_campaign_each(p->common->directory, read_row, &reader, err);
}
