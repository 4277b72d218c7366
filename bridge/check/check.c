/* Hands out the builds, runs and proofs of a check, and takes their results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_internal.h"
#include "check_stress.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/clock.h"
#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "../host/tool_run.h"
#include "streams/tape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const hd_check_linters[CHECK_LINTERS] = {"verilator", "iverilog", "yosys"};

const struct check_kind_info hd_check_kinds[CHECK_KINDS] = {
#define INFO(KIND, name, run, judges, compares, about) {#name, about, judges, compares},
    CHECK_KIND_LIST(INFO)
#undef INFO
};

/* ── tasks for workers ─────────────────────────────────────────────────────── */

/* The order of a task says what it is: a run has its number; the second attempt at a proof has flat_order, a build
 * build_order, and a step on a failure hd_check_step_order in it. */
static const uint64_t flat_order = UINT64_C(1) << 39, build_order = UINT64_C(1) << 40;

static bool hand_out_build(struct hd_check *c, uint32_t set, struct hd_task *task)
{
  c->built[set] = CHECK_BUILDING;
  c->building++;
  snprintf(c->text, sizeof c->text, "%" PRIu32, set);
  *task = (struct hd_task){build_order | set, "build", c->text, 1};
  return true;
}

static void skip_given(struct hd_check *c)
{
  while (c->first < c->n_runs && c->runs[c->first].given)
    c->first++;
}

static bool hand_out_run(struct hd_check *c, uint64_t number, struct hd_task *task)
{
  struct check_run *run = &c->runs[number];
  run->given = true;
  c->equal.proving += run->kind == CHECK_EQUAL;
  skip_given(c);
  snprintf(c->text, sizeof c->text, "%" PRIu32, run->index);
  *task = (struct hd_task){number, hd_check_kinds[run->kind].name, c->text, 1};
  return true;
}

static bool hand_out_flat(struct hd_check *c, uint32_t proof, struct hd_task *task)
{
  c->equal.proving++;
  snprintf(c->text, sizeof c->text, "%" PRIu32 " flat", proof);
  *task = (struct hd_task){flat_order | proof, hd_check_kinds[CHECK_EQUAL].name, c->text, 1};
  return true;
}

/* Limits proofs: about half of the busy workers may prove, and a single worker divides its time between proofs and all
 * else. Otherwise a check of one minute would compare nothing. */
static bool proofs_wait(const struct hd_check *c)
{
  double others = c->build_seconds;
  if (c->equal.proving)
    return 2 * c->equal.proving > c->at_work;
  for (int k = 0; k < CHECK_KINDS; k++)
    others += k == CHECK_EQUAL ? 0 : c->kinds[k].seconds;
  return !c->at_work && c->kinds[CHECK_EQUAL].seconds > others;
}

/* Hands out a run into a parameter set that is suspect, or the build for it. Such runs are the first n_waiting of the
 * sequence. As long as nothing is proved, the RTL may be another router, which lacks parameters of a suspect set and
 * does not build with it. Then an ordinary run comes first. */
static bool hand_out_suspected(struct hd_check *c, struct hd_task *task)
{
  if (!hd_check_compared(c) && !hd_check_equal_count(c, HD_EQUAL_PROVED))
    return false;
  for (uint64_t i = 0; i < c->n_waiting; i++) {
    const struct check_run *run = &c->runs[i];
    if (run->given || run->set == CHECK_NO_SET || !c->suspected[run->set])
      continue;
    if (c->built[run->set] == CHECK_BUILT)
      return hand_out_run(c, i, task);
    if (c->built[run->set] == CHECK_UNBUILT)
      return hand_out_build(c, run->set, task);
  }
  return false;
}

/* Skips a run that the RTL cannot carry out, and makes the sequence longer by one run. hd_check_note_refusal has noted
 * the reason. */
static bool skip_refused(struct hd_check *c, uint64_t number)
{
  struct check_run *run = &c->runs[number];
  if (!c->refuses[run->kind] && (run->set == CHECK_NO_SET || c->built[run->set] != CHECK_REFUSED))
    return false;
  run->given = true;
  if (c->stages[run->stage].size < CHECK_NO_END)
    c->stages[run->stage].size--;
  c->n_compared -= hd_check_kinds[run->kind].compares;
  skip_given(c);
  if (c->has_only)
    return true;
  c->limit = 0;
  if (!hd_check_are_refused(
          c, c->n_random_sets)) /* otherwise all further runs would be skipped, too, without end */
    hd_check_extend(c, c->n_runs + 1);
  return true;
}

/* Hands out the first run of the sequence that can begin, or the build that it needs. Without `any` it passes over
 * proofs that are to wait, so that they do not delay the first builds. */
static bool hand_out_next(struct hd_check *c, bool any, struct hd_task *task)
{
  for (uint64_t i = c->first; i < c->n_runs && i < c->first + CHECK_AHEAD; i++) {
    const struct check_run *run = &c->runs[i];
    if (run->given || (!any && run->kind == CHECK_EQUAL && proofs_wait(c)) || skip_refused(c, i))
      continue;
    if (run->set == CHECK_NO_SET || c->built[run->set] == CHECK_BUILT)
      return hand_out_run(c, i, task);
    if (c->built[run->set] == CHECK_UNBUILT)
      return hand_out_build(c, run->set, task);
  }
  return false;
}

/* Seconds at the end of the check in which no run begins: failures of the last runs are explained in them. */
static double reserve(const struct hd_check *c)
{
  const double most = 10, part = c->params->seconds / 10;
  return c->params->seconds > 0 ? (part < most ? part : most) : 0;
}

/* Finds the next task for a free worker: a step on a failure, a second attempt at a proof, or the first run of the
 * sequence that can begin or its build. So each switch runs as soon as it is built, and the check builds at most as many
 * switches ahead as there are workers. */
static bool find_next(struct hd_check *c, struct hd_task *task)
{
  uint32_t proof;
  if (c->unbuilt)
    return false;
  if (hd_check_group_task(c, task))
    return true;
  if (!proofs_wait(c) && hd_check_equal_next(c, &proof))
    return hand_out_flat(c, proof, task);
  if (hd_check_left(c) < reserve(c))
    return false;
  if (c->params->failures && c->failed >= c->params->failures)
    return false;
  hd_check_extend(c, c->first + CHECK_AHEAD);
  return hand_out_suspected(c, task) || hand_out_next(c, false, task) ||
         hand_out_next(c, true, task) ||
         (hd_check_equal_next(c, &proof) && hand_out_flat(c, proof, task));
}

static bool check_next(void *context, struct hd_task *task)
{
  struct hd_check *c = context;
  bool found = find_next(c, task);
  c->at_work += found;
  return found;
}

static void check_task(void *context, const struct hd_task *task, struct hd_task_outcome *outcome)
{
  struct hd_check *c = context;
  const uint64_t step = task->order >> CHECK_STEP_SHIFT;
  const uint64_t number = task->order & (build_order - 1);
  if (task->order & build_order)
    hd_check_build(c, (uint32_t)number, outcome);
  else if (task->order & flat_order)
    hd_check_prove_equal(c, (uint32_t)(number & ~flat_order), true, outcome);
  else {
    hd_check_extend(c, number + 1);
    if (step)
      hd_check_run_step(c, &c->runs[number], (enum check_step)(step - 1), outcome);
    else
      hd_check_run_task(c, &c->runs[number], outcome);
  }
}

/* ── results of tasks ──────────────────────────────────────────────────────── */

/* Tests whether a failed run says something about the RTL. It does not where nothing was compared, a scenario or a tool
 * is missing, the process died, or the original is wrong. It does where the run hung, because other runs take seconds. */
static bool is_difference(const struct hd_task_outcome *outcome)
{
  if (outcome->signature && !strcmp(outcome->signature, hd_check_original_failed))
    return false;
  switch (outcome->status) {
  case HD_E_DIVERGENCE:
  case HD_E_BUDGET:
  case HD_E_DEADLOCK:
  case HD_E_SOFTWARE:
  case HD_E_FAULT:
  case HD_E_INVARIANT:
    return true;
  case HD_E_INTERNAL:
    return outcome->signature && !strcmp(outcome->signature, HD_TASK_HUNG);
  default:
    return false;
  }
}

/* Counts a run that says nothing about the RTL, and keeps the message of the first such run of the sequence. */
static void count_inconclusive(struct hd_check *c, uint64_t number,
                               const struct hd_task_outcome *outcome)
{
  if (c->inconclusive++ && number > c->inconclusive_run)
    return;
  free(c->inconclusive_text);
  c->inconclusive_text = hd_xstrdup(outcome->message ? outcome->message : "");
  c->inconclusive_run = number;
  c->inconclusive_status = outcome->status;
}

static void merge_run(struct hd_check *c, uint64_t number, const struct hd_task_outcome *outcome)
{
  const struct check_run *run = &c->runs[number];
  if (run->kind == CHECK_EQUAL) {
    c->equal.proving--;
    hd_check_merge_proof(c, run->index, false, outcome);
  }
  if (outcome->failed && !is_difference(outcome)) {
    count_inconclusive(c, number, outcome);
    return;
  }
  c->kinds[run->kind].ended++;
  if (!c->has_only && !hd_task_outcome_count(outcome, "unproved") &&
      !hd_task_outcome_count(outcome, "unfit")) {
    c->runs[number].ended = true;
    c->stages[run->stage].ended++;
  }
  c->kinds[run->kind].failed += outcome->failed;
  c->missed += outcome->failed && outcome->status == HD_E_BUDGET;
  c->alike += hd_task_outcome_count(outcome, "alike");
  if (outcome->failed && !c->failed++)
    c->first_failed_seconds = hd_seconds_now() - c->started;
  c->kinds[run->kind].seconds += outcome->seconds;
  c->events += hd_check_is_beside(c, run->kind) ? hd_task_outcome_count(outcome, "events") : 0;
  c->switch_cycles += hd_task_outcome_count(outcome, "switch_cycles");
  hd_check_merge_warnings(c, number, outcome);
  c->ruled_messages += hd_task_outcome_count(outcome, "ruled_messages");
  c->ruled_rounds += hd_task_outcome_count(outcome, "ruled_rounds");
  c->proved += hd_task_outcome_count(outcome, "proved");
  c->unproved += hd_task_outcome_count(outcome, "unproved");
  c->unfit += hd_task_outcome_count(outcome, "unfit");
  hd_check_merge_stress(c, outcome);
  hd_check_merge_router(c, run, outcome);
  const char *points = hd_task_outcome_text(outcome, "coverage");
  /* In a failed run the model is ahead of the cycles that were compared. */
  if (!outcome->failed && points)
    hd_coverage_add_word(&c->points, points);
  if (outcome->failed)
    hd_check_group_add(c, run, number, outcome);
  else if (hd_check_is_random(run->kind)) {
    struct soak_result result;
    struct soak_case drawn;
    hd_soak_result_get(&result, outcome);
    if (result.outcome != SOAK_AGREED || result.flits_in_order < SOAK_LEAST_FLITS)
      return;
    hd_check_draw(c, run->index, &drawn);
    hd_soak_coverage_add(c->coverage, &drawn, &result);
  }
}

static int check_ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                       struct hd_error *err)
{
  struct hd_check *c = context;
  const uint64_t step = task->order >> CHECK_STEP_SHIFT;
  const uint64_t number = task->order & (build_order - 1);
  const bool none = outcome->signature && !strcmp(outcome->signature, hd_check_no_scenario);
  const bool refused =
      c->params->foreign && outcome->failed && outcome->status == HD_E_TOOL && !step;
  c->at_work--;
  /* These end the check, because they say nothing about the RTL: a full disk, for example. */
  if (outcome->failed && !step &&
      (none || outcome->status == HD_E_IO || outcome->status == HD_E_NOMEM ||
       outcome->status == HD_E_INTERRUPTED))
    return hd_fail(err, outcome->status, "%.900s", outcome->message ? outcome->message : "");
  c->build_seconds += task->order & build_order ? outcome->seconds : 0;
  c->step_seconds += step ? outcome->seconds : 0;
  if (step)
    hd_check_group_step(c, number, (enum check_step)(step - 1), outcome);
  else if (task->order & build_order) {
    c->built[number] = CHECK_BUILT;
    c->building--;
    c->n_built++;
    if (refused)
      hd_check_note_refusal(c, NULL, (uint32_t)number, outcome);
  } else if (task->order & flat_order) {
    c->equal.proving--;
    hd_check_merge_proof(c, (uint32_t)(number & ~flat_order), true, outcome);
  } else if (refused)
    hd_check_note_refusal(c, &c->runs[number], c->runs[number].set, outcome);
  else if (!outcome->failed || outcome->status != HD_E_TOOL)
    merge_run(c, number, outcome);
  if (refused && !hd_check_are_refused(c, c->n_sets))
    return HD_OK;
  if (outcome->status == HD_E_TOOL && outcome->failed && !step && !c->unbuilt) {
    const enum check_kind builds = c->params->foreign ? CHECK_MIX : CHECK_LINT;
    c->kinds[builds].ended++;
    c->kinds[builds].failed++;
    c->unbuilt = hd_xstrdup(outcome->message ? outcome->message : "");
    return hd_fail(err, HD_E_TOOL, "the %s does not build: %.900s",
                   hd_check_is_of_original(c->unbuilt) ? "original" : "RTL", c->unbuilt);
  }
  return HD_OK;
}

/* Waits for the first elaboration, which shows that the files are valid RTL. */
static bool check_enough(void *context)
{
  const struct hd_check *c = context;
  return c->params->settles && c->kinds[CHECK_LINT].ended && hd_check_settled(c);
}

static bool check_unfinished(void *context)
{
  return hd_check_groups_unfinished(context);
}

/* Adds the line of progress. Its number of switches is that of the sequence as far as it is known. */
static void check_progress(void *context, struct hd_text *text)
{
  const struct hd_check *c = context;
  uint64_t n = hd_check_compared(c);
  hd_text_add(text, "%" PRIu64, n);
  if (c->params->runs)
    hd_text_add(text, " of %" PRIu64, c->params->runs);
  hd_text_add(text, n == 1 && !c->params->runs ? " run" : " runs");
  if (c->building)
    hd_text_add(text, ", building switch %" PRIu32 " of %" PRIu32, c->n_built + 1,
                hd_check_switches(c));
}

static void check_size(void *context, uint64_t *tasks, double *work)
{
  const struct hd_check *c = context;
  *tasks = c->params->runs;
  *work = (double)c->params->runs;
}

/* ── creation ──────────────────────────────────────────────────────────────── */

static bool has_tool(const char *name)
{
  const char *const argv[] = {name, strcmp(name, "verilator") ? "-V" : "--version", NULL};
  char line[256];
  return !hd_tool_first_line(argv, name, line, sizeof line, NULL);
}

static int find_rtl(struct hd_check *c, struct hd_error *err)
{
  char root[4000];
  struct hd_dut_sources sources = {0};
  if (c->params->rtl_dir) {
    if (!realpath(c->params->rtl_dir, c->rtl_dir))
      return hd_fail(err, HD_E_INPUT, "%s: there is no such directory", c->params->rtl_dir);
  } else {
    int failed = hd_install_root(root, sizeof root, err);
    if (failed)
      return failed;
    snprintf(c->rtl_dir, sizeof c->rtl_dir, "%s/rtl", root);
  }
  c->in_vhdl = hd_sources_are_vhdl(c->rtl_dir);
  if (c->in_vhdl && !c->params->foreign)
    return hd_fail(
        err, HD_E_INPUT,
        "%s is in VHDL, and Heddle's switch is not: give --foreign, which checks any router",
        c->params->rtl_dir);
  int status = (c->in_vhdl ? hd_sources_add_vhdl : hd_sources_add_rtl)(&sources, c->rtl_dir, err);
  hd_sources_fini(&sources);
  return status;
}

/* Adds a hash of tools, scenarios and proofs to the identity: together with the seed they decide the sequence. */
static int add_lists(struct hd_check *c, struct hd_error *err)
{
  uint64_t hash = hd_hash_bytes(c->has_tool, sizeof c->has_tool, 1);
  int status = HD_OK;
  for (size_t i = 0; !status && i < c->n_stock; i++) {
    char *bytes;
    size_t length;
    status = hd_file_read(c->stock[i].path, &bytes, &length, err);
    if (!status) {
      hash = hd_hash_bytes(bytes, length, hash);
      free(bytes);
    }
  }
  for (uint32_t i = 0; i < c->n_proofs; i++) {
    const struct check_proof *p = &c->proofs[i];
    hash = hd_hash_bytes(p->name, strlen(p->name) + 1, hash);
    hash = hd_hash_bytes(p->module, strlen(p->module) + 1, hash);
    hash = hd_hash_bytes(p->parameters, strlen(p->parameters) + 1, hash);
  }
  hd_text_add(&c->identity, ", lists %016" PRIx64, hash);
  return status;
}

int hd_check_prepare_model(struct hd_check *c, struct hd_error *err)
{
  const struct hd_check_params *params = c->params;
  int status = hd_check_find_scenarios(c, err);
  if (!status)
    status = hd_check_find_proofs(c, err);
  if (!status)
    status = add_lists(c, err);
  if (!status)
    status = hd_check_find_original(c, err);
  if (!status)
    status = hd_check_find_equal(c, err);
  if (params->has_stress)
    hd_text_add(&c->definition, " stress %" PRIu32, params->stress);
  if (params->has_stream)
    hd_text_add(&c->definition, " stream %" PRIu32, params->stream);
  if (params->proof)
    hd_text_add(&c->definition, " proof %s", params->proof);
  if (params->proof_of)
    hd_text_add(&c->definition, " proof of %s", params->proof_of);
  if (!status)
    status = hd_check_read_tape(c, err);
  return status ? status : hd_check_sequence(c, err);
}

int hd_check_create(struct hd_check **out, const struct hd_check_params *params,
                    struct hd_error *err)
{
  struct hd_check *c = hd_xcalloc(1, sizeof *c);
  *out = NULL;
  c->params = params;
  c->judge = hd_check_judge_of(params);
  c->started = hd_seconds_now();
  c->coverage = hd_soak_coverage_create();
  int status = find_rtl(c, err);
  for (uint32_t i = 0; i < CHECK_LINTERS; i++)
    c->has_tool[i] = has_tool(hd_check_linters[i]);
  const char *simulator = c->in_vhdl ? "ghdl" : hd_check_linters[CHECK_VERILATOR];
  if (!status && !(c->in_vhdl ? hd_tool_installed(simulator) : c->has_tool[CHECK_VERILATOR]))
    status = hd_fail(err, HD_E_TOOL, "%s is missing; install the package %s", simulator, simulator);
  if (!status)
    status = hd_check_read_aim(c, err);
  if (!status)
    status = hd_campaign_identity(&c->identity, c->rtl_dir, err);
  hd_text_add(&c->definition, "check seed %" PRIu64 " runs %" PRIu64, params->seed, params->runs);
  if (!status)
    status = c->judge->prepare(c, err);
  if (!status)
    status = hd_check_read_require(c, err);
  if (status) {
    hd_check_destroy(c);
    return status;
  }
  *out = c;
  return HD_OK;
}

void hd_check_destroy(struct hd_check *c)
{
  if (!c)
    return;
  for (size_t i = 0; i < c->n_stock; i++)
    free(c->stock[i].path);
  hd_check_groups_free(c);
  hd_check_warnings_free(c);
  hd_check_equal_free(&c->equal);
  for (size_t i = 0; i < CHECK_NETWORKS; i++)
    free(c->network_keys[i]);
  hd_tape_destroy(c->tape);
  free(c->stock);
  free(c->runs);
  free(c->unbuilt);
  free(c->inconclusive_text);
  free(c->original_wrong);
  free(c->lanes_refusal);
  for (uint32_t i = 0; i < c->n_refusals; i++)
    free(c->refusals[i].why);
  hd_soak_coverage_destroy(c->coverage);
  hd_text_fini(&c->definition);
  hd_text_fini(&c->identity);
  free(c);
}

void hd_check_directory(struct hd_check *c, const char *directory)
{
  c->directory = directory;
}

void hd_check_campaign(struct hd_check *c, struct hd_campaign *campaign)
{
  campaign->name = "check";
  campaign->definition = hd_text_chars(&c->definition);
  campaign->identity = hd_text_chars(&c->identity);
  campaign->patience_seconds = 600; /* a build on a busy machine, too */
  campaign->plan = (struct hd_plan){.context = c,
                                    .next = check_next,
                                    .run_task = check_task,
                                    .ended = check_ended,
                                    .unfinished = check_unfinished,
                                    .enough = check_enough,
                                    .describe = check_progress};
  campaign->grace_seconds = HD_CHECK_GRACE_SECONDS;
  if (c->params->runs)
    campaign->plan.size = check_size;
}
