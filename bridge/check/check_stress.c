/* Compares the original switch and the changed one in every cycle, at one bench; decides who is right where they differ.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The comparison needs no model, so it is fast. It also sees differences that no tape shows, such as a value at a pin
 * between two events. A difference is then played to the model. Where the model agrees with the original, the tape is a
 * failing stream like any other. Where the model agrees with the changed switch, the original is wrong, which is no
 * failure of the changed one.
 *
 * A user's router has no model, so each difference is a failure. It gets the traffic that its ports would get in a fabric
 * (check_stress_router.c).
 */
#include "check_internal.h"

#include "../host/clock.h"
#include "../host/install_root.h"
#include "../host/memory.h"
#include "check_stress.h"
#include "streams/stress_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int hd_check_find_original(struct hd_check *c, struct hd_error *err)
{
  char root[4000];
  struct hd_text original = {0}, changed = {0};
  int status = HD_OK;
  if (c->params->against) {
    if (!realpath(c->params->against, c->original_dir))
      return hd_fail(err, HD_E_INPUT, "%s: there is no such directory", c->params->against);
  } else {
    status = hd_install_root(root, sizeof root, err);
    if (status)
      return status;
    snprintf(c->original_dir, sizeof c->original_dir, "%s/rtl", root);
  }
  status = hd_backend_identity(&original, c->original_dir, err);
  if (!status)
    status = hd_backend_identity(&changed, c->rtl_dir, err);
  if (!status) {
    c->is_original = !strcmp(original.chars, changed.chars);
    hd_text_add(&c->identity, ", beside %s", original.chars);
  }
  hd_text_fini(&original);
  hd_text_fini(&changed);
  return status;
}

/* ── the list of runs ──────────────────────────────────────────────────────── */

enum { ROUNDS = 4, IN_LANES = 1000 /* number of the first run in bit lanes */ };

/* The number of sets of streams and of the soak; those of the soak come first in `sets`. */
static uint32_t count_sets(void)
{
  return hd_stream_sets() + CHECK_SOAK_SETS;
}

/* Lists the sets of any router that the bench can stress: those without source tables, as its packets name no source. The
 * bench sends packets of one flit, too. */
static uint32_t foreign_sets(const struct hd_check *c, uint32_t sets[])
{
  uint32_t n = 0;
  const bool may = hd_check_against(c, CHECK_STRESS) && !c->in_vhdl && !c->params->takes.shortest;
  for (uint32_t set = 0; may && set < c->n_random_sets; set++)
    if (!c->sets[set].source_table)
      sets[n++] = set;
  return n;
}

uint32_t hd_check_stress_runs(const struct hd_check *c)
{
  uint32_t sets[CHECK_NO_SET];
  if (c->params->foreign)
    return ROUNDS * foreign_sets(c, sets);
  return c->is_original ? 0 : ROUNDS * count_sets();
}

struct check_run hd_check_stress_run(struct hd_check *c, enum check_kind kind, uint32_t index)
{
  uint32_t sets[CHECK_NO_SET];
  if (c->params->foreign)
    return (struct check_run){
        .kind = kind, .index = index, .set = sets[index % foreign_sets(c, sets)]};
  const uint32_t k = index % count_sets();
  return (struct check_run){.kind = kind,
                            .index = index,
                            .set = k < hd_stream_sets() ? c->stream_set[k] : k - hd_stream_sets()};
}

struct check_run hd_check_stress_end(const struct hd_check *c, uint32_t end)
{
  return (struct check_run){
      .kind = CHECK_STRESS, .index = hd_check_stress_runs(c) + end, .set = c->end_set[end]};
}

/* A run with 512 benches at once in bit lanes. Such runs are not in the plan: their build takes longer than all runs
 * beside the original that the plan has for the same switch (docs/check.md). */
static struct check_run lane_run(struct hd_check *c, uint32_t place)
{
  struct check_run run = hd_check_stress_run(c, CHECK_STRESS, place);
  run.index = IN_LANES + place;
  return run;
}

int hd_check_only_stress(struct hd_check *c, struct hd_error *err)
{
  if (c->is_original && !c->params->foreign)
    return hd_fail(
        err, HD_E_NOTHING,
        "--stress: %.300s is the original, byte for byte; give another original with --against",
        c->rtl_dir);
  const uint32_t n = hd_check_stress_runs(c), k = c->params->stress, lanes = n / ROUNDS;
  if (!n)
    return hd_fail(err, HD_E_NOTHING, "--stress: no switch of this check can be stressed");
  if (k >= n + c->n_end_sets && (k < IN_LANES || k >= IN_LANES + lanes))
    return hd_fail(err, HD_E_INPUT,
                   "--stress %" PRIu32 ": there are 0 … %" PRIu32 ", and in lanes %d … %" PRIu32, k,
                   n + c->n_end_sets - 1, IN_LANES, IN_LANES + lanes - 1);
  c->only = k >= IN_LANES ? lane_run(c, k - IN_LANES)
            : k < n       ? hd_check_stress_run(c, CHECK_STRESS, k)
                          : hd_check_stress_end(c, k - n);
  return HD_OK;
}

void hd_check_merge_stress(struct hd_check *c, const struct hd_task_outcome *outcome)
{
  const char *wrong = hd_task_outcome_text(outcome, "original_wrong");
  const char *refusal = hd_task_outcome_text(outcome, "lanes_refusal");
  const double builds = (double)hd_task_outcome_count(outcome, "build_milliseconds") / 1000;
  c->stress_cycles += hd_task_outcome_count(outcome, "stress_cycles");
  c->build_seconds += builds;
  c->kinds[CHECK_STRESS].seconds -= builds;
  c->without_original += hd_task_outcome_count(outcome, "without_original");
  if (refusal && !c->without_lanes++)
    c->lanes_refusal = hd_xstrdup(refusal);
  if (wrong && !c->original_wrong)
    c->original_wrong = hd_xstrdup(wrong);
}

/* ── both switches at one bench ────────────────────────────────────────────── */

struct bench_pair {
  struct soak_common common, original_common;
  struct soak_opened *opened, *originals; /* backends of this task alone */
  const struct hd_dut_ops *ops, *original_ops;
  struct hd_stress bench;
  struct hd_stress_sides sides;
};

static void pair_close(struct bench_pair *p)
{
  hd_stress_close(&p->bench);
  hd_soak_backends_close(&p->common);
  hd_soak_backends_close(&p->original_common);
}

/* Returns the code for an error of the original or the bench, which says nothing about the checked RTL. */
static int not_of_rtl(int status)
{
  return status == HD_E_TOOL ? HD_E_INTERNAL : status;
}

/* Opens both switches and the bench, and builds those that are new. *lacks: the original does not build. */
static int pair_open(struct bench_pair *p, struct hd_check *c,
                     const struct hd_switch_params *params, bool *lacks, struct hd_error *err)
{
  const struct hd_backend_options options = {.cache_dir = c->params->cache_dir};
  *p = (struct bench_pair){.common = hd_check_common(c, CHECK_STRESS)};
  p->common.opened = &p->opened;
  p->original_common = p->common;
  p->original_common.rtl_dir = c->original_dir;
  p->original_common.opened = &p->originals;
  int status = hd_soak_backend(&p->common, params, &p->ops, err);
  if (status)
    return status;
  status = hd_soak_backend(&p->original_common, params, &p->original_ops, err);
  *lacks = status == HD_E_TOOL;
  if (!status)
    status = hd_stress_open(&p->bench, params, c->params->foreign, &options, err);
  if (status)
    return not_of_rtl(status);
  p->sides = (struct hd_stress_sides){
      &p->bench, hd_stress_pinned(hd_soak_backend_of(&p->original_common, p->original_ops)),
      hd_stress_pinned(hd_soak_backend_of(&p->common, p->ops))};
  return p->sides.original && p->sides.changed
             ? HD_OK
             : hd_fail(err, HD_E_INTERNAL, "a switch of Verilator without pins");
}

/* Fills in the case of a run, which borrows the router. A run in lanes has the same router as the run without lanes. */
static int fill_case(const struct hd_check *c, const struct check_run *run,
                     struct hd_stress_case *s, struct hd_stress_router *router,
                     struct hd_error *err)
{
  *s = (struct hd_stress_case){
      .params = c->sets[run->set],
      .seed = hd_mix64(hd_mix64(c->params->seed) + UINT64_C(0x5354524553530000) + run->index),
      .router = c->params->foreign ? router : NULL};
  *router = (struct hd_stress_router){.n_writes = 0};
  const struct check_run plain = {
      .kind = run->kind, .index = run->index % IN_LANES, .set = run->set};
  return s->router ? hd_check_stress_router(c, &plain, router, err) : HD_OK;
}

/* ── one run ───────────────────────────────────────────────────────────────── */

/* Plays the tape on the model and one of the switches, and compares them. */
static int play_on_model(const struct hd_tape *tape, const struct hd_dut_ops *ops,
                         struct hd_stream_result *result, struct hd_error *err)
{
  int status = hd_tape_play(tape, ops, result, err);
  return status == HD_E_NOTHING ? HD_OK : status;
}

static void fail_beside(const struct hd_stress_result *found, const char *more,
                        struct hd_task_outcome *outcome)
{
  char signature[96], text[600];
  snprintf(signature, sizeof signature, "beside the original: %s",
           hd_stress_difference_name(found->found.difference));
  snprintf(text, sizeof text, "%s%s", found->found.text, more);
  hd_task_outcome_fail(outcome, HD_E_DIVERGENCE, text, signature);
}

static void judge_difference(const struct bench_pair *p, const struct hd_stress_case *s,
                             const struct hd_stress_result *found, struct hd_task_outcome *outcome)
{
  if (s->router) {
    fail_beside(found, "", outcome);
    return;
  }
  struct hd_tape *tape = NULL;
  struct hd_stream_result result = {0};
  struct hd_error err = {""};
  char signature[96];
  int status = hd_stress_record(&tape, s, &found->traffic, &p->sides, &err);
  if (!status)
    status = play_on_model(tape, p->ops, &result, &err);
  if (status == HD_E_DIVERGENCE) {
    snprintf(signature, sizeof signature, "a stream into one switch: %s",
             hd_stream_difference_name(result.difference));
    hd_task_outcome_fail(outcome, status, result.text, signature);
  } else if (!status) {
    status = play_on_model(tape, p->original_ops, &result, &err);
    if (status == HD_E_DIVERGENCE)
      hd_check_put_text(outcome, "original_wrong", result.text);
    else if (!status)
      fail_beside(found,
                  "; the model's streams do not show it: it differs from the original, but not "
                  "from the model",
                  outcome);
  }
  if (status && status != HD_E_DIVERGENCE)
    hd_task_outcome_fail(outcome, status, err.text, hd_status_text(status));
  hd_tape_destroy(tape);
}

enum { BUILD_SECONDS = 420 }; /* the campaign takes a task of 600 s for one that hangs */

static bool is_late(void *context)
{
  const double *began = context;
  return hd_seconds_now() - *began > BUILD_SECONDS;
}

/* Plays all benches in lanes; *lanes says which bench differs first. A build that takes too long gives HD_E_INPUT, because
 * it says nothing about the switch. */
static int play_lanes(const struct hd_check *c, const struct hd_stress_case *s,
                      struct hd_stress_lanes_result *lanes, struct hd_error *err)
{
  double began = hd_seconds_now();
  const struct hd_backend_options options = {
      .cache_dir = c->params->cache_dir, .stop = is_late, .context = &began};
  int status = hd_stress_play_lanes(s, c->original_dir, c->rtl_dir, &options, lanes, err);
  return status == HD_E_INTERRUPTED
             ? hd_fail(err, HD_E_INPUT, "the switches were not built within %d s", BUILD_SECONDS)
             : status;
}

/* Plays the bench that differs in lanes again, on Verilator. */
static int play_again(const struct bench_pair *p, const struct hd_stress_case *s,
                      const struct hd_stress_lanes_result *lanes, struct hd_stress_result *result,
                      struct hd_error *err)
{
  const struct hd_stress_job job = {.original = p->sides.original,
                                    .changed = p->sides.changed,
                                    .router = s->router,
                                    .traffic = lanes->traffic};
  *result = (struct hd_stress_result){.traffic = lanes->traffic};
  int status = p->bench.run(&job, &result->found, err);
  if (!status && !result->found.difference)
    status = hd_fail(err, HD_E_INTERNAL,
                     "bench %" PRIu32 ", seed %" PRIu64 ", differs in lanes, and not on Verilator: "
                     "does it depend on a state that no reset sets?",
                     lanes->lane, lanes->traffic.seed);
  return status;
}

static void run_in_lanes(struct hd_check *c, const struct hd_stress_case *s,
                         struct hd_task_outcome *outcome)
{
  struct bench_pair p;
  struct hd_stress_lanes_result lanes = {.cycles = 0};
  struct hd_stress_result result = {.cycles = 0};
  struct hd_error err = {""};
  bool lacks = false;
  int status = play_lanes(c, s, &lanes, &err);
  hd_check_put_count(outcome, "build_milliseconds", (uint64_t)(1000 * lanes.build_seconds));
  hd_check_put_count(outcome, "switch_cycles", 2 * lanes.cycles);
  hd_check_put_count(outcome, "stress_cycles", lanes.cycles);
  hd_check_put_count(outcome, "events", lanes.flits);
  if (status == HD_E_TOOL || status == HD_E_INPUT) {
    /* RTL that Yosys refuses is no failure: other runs simulate it. */
    hd_check_put_text(outcome, "lanes_refusal", err.text);
    return;
  }
  if (!status && !lanes.differs)
    return;
  if (!status) {
    status = pair_open(&p, c, &s->params, &lacks, &err);
    if (!status)
      status = play_again(&p, s, &lanes, &result, &err);
    if (!status)
      judge_difference(&p, s, &result, outcome);
    pair_close(&p);
  }
  if (status)
    hd_task_outcome_fail(outcome, not_of_rtl(status), err.text, hd_status_text(status));
}

static const char *signature_of(int status)
{
  return status == HD_E_INVARIANT ? hd_check_original_failed
         : status == HD_E_TOOL    ? "does not build"
                                  : hd_status_text(status);
}

static void run_on_verilator(struct hd_check *c, const struct hd_stress_case *s,
                             struct hd_task_outcome *outcome)
{
  struct bench_pair p;
  struct hd_stress_result result = {0};
  struct hd_error err = {""};
  bool lacks = false;
  const double began = hd_seconds_now();
  int status = pair_open(&p, c, &s->params, &lacks, &err);
  hd_check_put_count(outcome, "build_milliseconds", (uint64_t)(1000 * (hd_seconds_now() - began)));
  if (!status) {
    status = hd_stress_play(s, &p.sides, &result, &err);
    status = s->router ? status : not_of_rtl(status);
    hd_check_put_count(outcome, "events", result.flits);
    hd_check_put_count(outcome, "switch_cycles", 2 * result.cycles);
    hd_check_put_count(outcome, "stress_cycles", result.cycles);
    if (!status && result.found.difference)
      judge_difference(&p, s, &result, outcome);
  }
  if (lacks || status == HD_E_UNSUPPORTED)
    hd_check_put_count(outcome, "without_original", 1);
  else if (status)
    hd_task_outcome_fail(outcome, status, err.text, signature_of(status));
  pair_close(&p);
}

void hd_check_run_stress(struct hd_check *c, const struct check_run *run,
                         struct hd_task_outcome *outcome)
{
  struct hd_stress_case s;
  struct hd_stress_router router;
  struct hd_error err = {""};
  const int status = fill_case(c, run, &s, &router, &err);
  if (status)
    hd_task_outcome_fail(outcome, not_of_rtl(status), err.text, hd_status_text(status));
  else
    (run->index >= IN_LANES ? run_in_lanes : run_on_verilator)(c, &s, outcome);
  hd_check_stress_router_fini(&router);
}

int hd_check_stress_record(struct hd_check *c, const struct check_run *run, struct hd_tape **tape,
                           struct hd_error *err)
{
  struct bench_pair p;
  struct hd_stress_case s;
  struct hd_stress_router router;
  struct hd_stress_result result;
  struct hd_stress_lanes_result lanes;
  bool lacks;
  const bool in_lanes = run->index >= IN_LANES;
  *tape = NULL;
  int status = fill_case(c, run, &s, &router, err);
  const bool opens = !status;
  if (opens)
    status = pair_open(&p, c, &s.params, &lacks, err);
  if (!status && in_lanes)
    status = play_lanes(c, &s, &lanes, err);
  if (!status)
    status = in_lanes ? play_again(&p, &s, &lanes, &result, err)
                      : hd_stress_play(&s, &p.sides, &result, err);
  if (!status)
    status = hd_stress_record(tape, &s, &result.traffic, &p.sides, err);
  if (opens)
    pair_close(&p);
  hd_check_stress_router_fini(&router);
  return status;
}
