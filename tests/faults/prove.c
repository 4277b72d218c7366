/* Proofs that a mutant that nothing found cannot be found.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Yosys proves by induction that the miter's outputs stay equal for ever (miter.c). Whether that
 * is so of a mutant depends on nothing but the netlist and mutants/invariants*.v: not on the other
 * mutants in the same proof, and not on time. The solver's steps are the same in each run, and its
 * limit is processor time, far above what a proof takes; a proof that meets it gives no verdict
 * and fails the suite.
 */
#include "prove.h"

#include "../../bridge/host/tool_run.h"
#include "miter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const char *const level_names[MITER_LEVELS] = {"strict", "loose"};

/* What a proof came to. Where there is none, mutant is that of the counterexample. */
struct answer {
  bool proved;
  unsigned mutant;
};

struct work {
  const struct suite *suite;
  const char *directory;
  const struct rig *rig;
  struct outcome *outcomes; /* of the mutants */
  size_t n;
  struct outcome *tasks; /* of processes: failed or not */
  size_t subtle, groups;
};

/* Which invariants, between "invariants" and ".v". */
static const char *kind_of(const struct work *w)
{
  return w->rig->sw.barrier ? "-barrier" : "";
}

static int write_script(const char *path, const struct work *w, const char *miter,
                        struct hd_error *err)
{
  FILE *out = fopen(path, "w");
  if (!out)
    return hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  fprintf(out,
          "read_ilang %s/mutants.il\nread_verilog %s/invariants%s.v %s\n"
          "hierarchy -top miter\nproc\nflatten\n"
          "opt_expr\nopt_merge\nwreduce\nopt_expr\nopt_merge\nopt_clean\n"
          "sat -tempinduct -seq 1 -maxsteps 1 -set-at 1 rst 1 -set-at 1 begun 1 -prove fine 1 "
          "-show mutant miter\n",
          w->directory, w->suite->directory, kind_of(w), miter);
  return fclose(out) ? hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno)) : 0;
}

/* Yosys' verdict, and the mutant of the counterexample. Without -verify it ends with exit code 0
 * and a complete log whatever the verdict is; a log without one is no proof of anything. */
static int read_log(const char *log, struct answer *answer, struct hd_error *err)
{
  FILE *in = fopen(log, "r");
  char *line = NULL;
  size_t room = 0;
  bool failed = false;
  unsigned value;
  *answer = (struct answer){0};
  while (in && getline(&line, &room, in) > 0) {
    answer->proved |= !strncmp(line, "Induction step proven: SUCCESS!", 31);
    failed |= strstr(line, "model found for base case: FAIL!") ||
              strstr(line, "maximum number of time steps -> proof failed.");
    if (sscanf(line, " init \\mutant %u", &value) == 1)
      answer->mutant = value;
  }
  free(line);
  if (in)
    fclose(in);
  return answer->proved != failed ? 0 : hd_fail(err, HD_E_TOOL, "%s has no verdict", log);
}

/* One proof for all mutants that are to be tried, none: of the RTL itself. */
static int prove(const struct work *w, enum miter_level level, const bool *tried, const char *name,
                 struct answer *answer, struct hd_error *err)
{
  char miter[700], script[700], log[700], plain[700];
  int exit_code = 0;
  snprintf(miter, sizeof miter, "%s/%s.v", w->directory, name);
  snprintf(script, sizeof script, "%s/%s.ys", w->directory, name);
  snprintf(log, sizeof log, "%s/%s.log", w->directory, name);
  snprintf(plain, sizeof plain, "%s/plain.il", w->directory);
  remove(log);
  const char *const argv[] = {"yosys", "-s", script, NULL};
  struct hd_tool yosys = {.argv = argv, .package = "yosys", .log_path = log};
  int status = miter_write(miter, plain, &w->rig->sw, level, tried, w->n, err);
  if (!status)
    status = write_script(script, w, miter, err);
  if (!status)
    status = hd_tool_run(&yosys, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL, "yosys failed: see %s", log);
  return status ? status : read_log(log, answer, err);
}

/* For this process and the tools that it starts. */
static void limit_time(const struct suite *suite)
{
  struct rlimit limit = {suite->proof_seconds, suite->proof_seconds + 5}; /* SIGXCPU, SIGKILL */
  setrlimit(RLIMIT_CPU, &limit);
}

/* ── checks ─────────────────────────────────────────────────────────────────── */

/* At each level the RTL must be proved equal to itself, as nothing is worth anything otherwise;
 * and a mutant that was found must not be, as a proof that cannot fail proves nothing. */
static void check(void *context, size_t index)
{
  const struct work *w = context;
  struct hd_error err = {""};
  enum miter_level level = index % MITER_LEVELS;
  bool must_fail = index >= MITER_LEVELS, *tried = calloc(w->n, sizeof *tried);
  char name[64];
  snprintf(name, sizeof name, "proof-%s-%s", must_fail ? "must-fail" : "itself",
           level_names[level]);
  struct answer answer = {0};
  limit_time(w->suite);
  if (!tried)
    abort();
  if (must_fail)
    tried[w->subtle] = true;
  int status = prove(w, level, tried, name, &answer, &err);
  if (!status && !must_fail && !answer.proved)
    status =
        hd_fail(&err, HD_E_TOOL,
                "the RTL is not proved equal to itself, so tests/faults/mutants/invariants%s.v "
                "or tests/faults/miter.c no longer fit it: see %s/%s.log",
                kind_of(w), w->directory, name);
  if (!status && must_fail && (answer.proved || answer.mutant != w->subtle + 1))
    status = hd_fail(&err, HD_E_TOOL,
                     "%s was found, but the proof did not fail with it (but with %u): see "
                     "%s/%s.log",
                     w->outcomes[w->subtle].name, answer.mutant, w->directory, name);
  free(tried);
  if (status)
    outcome_judge(&w->tasks[index], status, &err);
}

/* ── survivors ──────────────────────────────────────────────────────────────── */

/* Proves all that are tried at once; one that a counterexample names is left to the next level, or
 * a miss, and the rest is tried again. */
static int prove_rounds(const struct work *w, enum miter_level level, size_t group, bool *tried,
                        bool *rest, struct hd_error *err)
{
  struct answer answer = {0};
  char name[64];
  for (unsigned round = 1; !answer.proved; round++) {
    size_t left = 0;
    for (size_t i = 0; i < w->n; i++)
      left += tried[i];
    if (!left)
      return 0;
    snprintf(name, sizeof name, "proof-%zu-%s-%u", group + 1, level_names[level], round);
    int status = prove(w, level, tried, name, &answer, err);
    if (status)
      return status;
    if (answer.proved)
      break;
    if (!answer.mutant || answer.mutant > w->n || !tried[answer.mutant - 1])
      return hd_fail(err, HD_E_TOOL, "a counterexample with mutant %u: see %s/%s.log",
                     answer.mutant, w->directory, name);
    struct outcome *o = &w->outcomes[answer.mutant - 1];
    tried[answer.mutant - 1] = false;
    rest[answer.mutant - 1] = true;
    size_t used = strlen(o->text);
    snprintf(o->text + used, sizeof o->text - used, "%s%s.log", used ? ", " : "no proof, ", name);
  }
  for (size_t i = 0; i < w->n; i++)
    if (tried[i]) {
      w->outcomes[i].verdict = VERDICT_EQUIVALENT;
      snprintf(w->outcomes[i].text, sizeof w->outcomes->text, "by induction, %s.log", name);
    }
  return 0;
}

/* Neither equivalent nor missed. */
static void no_verdict(struct outcome *outcome, const struct hd_error *err)
{
  outcome->verdict = VERDICT_FAILED;
  snprintf(outcome->text, sizeof outcome->text, "no verdict: %.580s", err->text);
}

/* Every w->groups-th survivor. */
static void prove_group(void *context, size_t group)
{
  const struct work *w = context;
  struct hd_error err = {""};
  bool *tried = calloc(w->n, sizeof *tried), *rest = calloc(w->n, sizeof *rest);
  size_t survivors = 0;
  int status = 0;
  limit_time(w->suite);
  if (!tried || !rest)
    abort();
  for (size_t i = 0; i < w->n; i++)
    if (w->outcomes[i].verdict == VERDICT_SURVIVED)
      rest[i] = survivors++ % w->groups == group;
  for (enum miter_level level = 0; !status && level < MITER_LEVELS; level++) {
    memcpy(tried, rest, w->n * sizeof *tried);
    memset(rest, 0, w->n * sizeof *rest);
    status = prove_rounds(w, level, group, tried, rest, &err);
  }
  for (size_t i = 0; status && i < w->n; i++)
    if (tried[i] || rest[i])
      no_verdict(&w->outcomes[i], &err);
  free(tried);
  free(rest);
}

/* ── both ───────────────────────────────────────────────────────────────────── */

/* The found mutant that needed the most comparing; n: there is none. */
static size_t most_subtle(const struct outcome *outcomes, size_t n)
{
  size_t subtle = n;
  for (size_t i = 0; i < n; i++)
    if (outcomes[i].verdict == VERDICT_FOUND &&
        (subtle == n || outcomes[i].finding.compared > outcomes[subtle].finding.compared))
      subtle = i;
  return subtle;
}

static int run_tasks(struct work *w, size_t n, void (*one)(void *context, size_t index),
                     struct hd_error *err)
{
  struct suite all = *w->suite;
  all.only = NULL;
  memset(w->tasks, 0, n * sizeof *w->tasks);
  suite_each(&all, n, one, w, w->tasks);
  for (size_t i = 0; i < n; i++)
    if (w->tasks[i].verdict == VERDICT_FAILED)
      return hd_fail(err, HD_E_TOOL, "%s", w->tasks[i].text);
  return 0;
}

int prove_survivors(const struct suite *suite, const char *directory, const struct rig *rig,
                    struct outcome *outcomes, size_t n, struct hd_error *err)
{
  size_t survivors = 0, groups, most;
  for (size_t i = 0; i < n; i++)
    survivors += outcomes[i].verdict == VERDICT_SURVIVED;
  if (!survivors)
    return 0;
  groups = survivors < suite->jobs ? survivors : suite->jobs;
  most = groups > 2 * MITER_LEVELS ? groups : 2 * MITER_LEVELS;
  struct work w = {.suite = suite,
                   .directory = directory,
                   .rig = rig,
                   .outcomes = outcomes,
                   .n = n,
                   .subtle = most_subtle(outcomes, n),
                   .groups = groups,
                   .tasks = suite_shared(most * sizeof *w.tasks)};
  if (!w.tasks)
    return hd_fail(err, HD_E_NOMEM, "no memory for proofs");
  size_t checks = w.subtle < n ? 2 * MITER_LEVELS : MITER_LEVELS;
  int status = run_tasks(&w, checks, check, err);
  if (!status)
    status = run_tasks(&w, groups, prove_group, err);
  for (size_t i = 0; status && i < n; i++)
    if (outcomes[i].verdict == VERDICT_SURVIVED)
      no_verdict(&outcomes[i], err);
  suite_unshare(w.tasks, most * sizeof *w.tasks);
  return status;
}
