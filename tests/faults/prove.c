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

#include "../../bridge/host/file.h"
#include "../../bridge/host/tool_run.h"
#include "miter.h"

#include <errno.h>
#include <inttypes.h>
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
  const bool *survived;     /* [n]: the stimuli */
  size_t n;
  uint64_t netlist, invariants; /* hashes of what proofs are of, and rest on */
  size_t subtle, groups;
};

/* Which invariants, between "invariants" and ".v". */
static const char *kind_of(const struct work *w)
{
  return w->rig->sw.barrier ? "-barrier" : w->rig->sw.code_places ? "-coder" : "";
}

/* Registers that miter.c names and the netlist does not have, or that the invariants look at and
 * miter.c does not connect, have no driver: the check ends the proof with their names. */
static int write_script(const char *path, const struct work *w, const char *miter,
                        struct hd_error *err)
{
  FILE *out = fopen(path, "w");
  if (!out)
    return hd_fail(err, HD_E_IO, "cannot write %s: %s", path, strerror(errno));
  fprintf(out,
          "read_ilang %s/mutants.il\n"
          "setparam -type hd_memory -unset MEMID -unset INIT t:$mem_v2\n"
          "read_verilog %s/invariants%s.v %s\n"
          "hierarchy -top miter\nproc\nflatten\n"
          "opt_expr\nopt_merge\nwreduce\nopt_expr\nopt_merge\nopt_clean\n"
          "check -assert\n"
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

static void describe_proof(const struct work *w, struct hd_text *text)
{
  hd_text_add(text, "netlist %016" PRIx64 ", invariants %016" PRIx64 ", at most %u s: ", w->netlist,
              w->invariants, w->suite->proof_seconds);
}

/* ── checks ─────────────────────────────────────────────────────────────────── */

/* At each level the RTL must be proved equal to itself, as nothing is worth anything otherwise;
 * and a mutant that was found must not be, as a proof that cannot fail proves nothing. */
static void check(void *context, size_t index, struct hd_task_outcome *to)
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
    hd_task_outcome_fail(to, status, err.text, NULL);
}

static void describe_check(void *context, size_t index, struct hd_text *text)
{
  const struct work *w = context;
  describe_proof(w, text);
  if (index >= MITER_LEVELS)
    hd_text_add(text, "%s of %zu must fail", level_names[index % MITER_LEVELS], w->subtle + 1);
  else
    hd_text_add(text, "%s of itself", level_names[index]);
}

static int take_check(void *context, size_t index, const struct hd_task_outcome *from,
                      struct hd_error *err)
{
  (void)context;
  (void)index;
  return from->failed ? hd_fail(err, HD_E_TOOL, "%s", from->message) : 0;
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
static void take_group(const struct work *w, size_t group, bool *members)
{
  size_t survivors = 0;
  for (size_t i = 0; i < w->n; i++)
    members[i] = w->survived[i] && survivors++ % w->groups == group;
}

static void describe_group(void *context, size_t group, struct hd_text *text)
{
  const struct work *w = context;
  bool *members = calloc(w->n, sizeof *members);
  if (!members)
    abort();
  take_group(w, group, members);
  describe_proof(w, text);
  for (size_t i = 0; i < w->n; i++)
    if (members[i])
      hd_text_add(text, " %zu", i + 1);
  free(members);
}

/* A verdict and what it rests on, for each of the group: keys "verdict 17" and "text 17". */
static void put_group(const struct work *w, const bool *members, struct hd_task_outcome *to)
{
  char key[32];
  for (size_t i = 0; i < w->n; i++)
    if (members[i]) {
      const struct outcome *o = &w->outcomes[i];
      snprintf(key, sizeof key, "verdict %zu", i + 1);
      hd_task_outcome_add(to, key, NULL,
                          &(struct hd_value){.type = HD_VALUE_COUNT, .number = o->verdict});
      snprintf(key, sizeof key, "text %zu", i + 1);
      hd_task_outcome_add(to, key, NULL,
                          &(struct hd_value){.type = HD_VALUE_TEXT, .text = o->text});
    }
}

static int end_group(void *context, size_t group, const struct hd_task_outcome *from,
                     struct hd_error *err)
{
  const struct work *w = context;
  char key[32];
  (void)group;
  for (size_t i = 0; i < w->n; i++) {
    snprintf(key, sizeof key, "verdict %zu", i + 1);
    const struct hd_value *verdict = hd_task_outcome_find(from, key);
    snprintf(key, sizeof key, "text %zu", i + 1);
    const struct hd_value *text = hd_task_outcome_find(from, key);
    if (!verdict || !text)
      continue;
    w->outcomes[i].verdict = verdict->number;
    snprintf(w->outcomes[i].text, sizeof w->outcomes->text, "%s", text->text);
  }
  return from->n_values ? 0 : hd_fail(err, HD_E_TOOL, "%s", from->message);
}

static void prove_group(void *context, size_t group, struct hd_task_outcome *to)
{
  const struct work *w = context;
  struct hd_error err = {""};
  bool *tried = calloc(w->n, sizeof *tried), *rest = calloc(w->n, sizeof *rest),
       *members = calloc(w->n, sizeof *members);
  int status = 0;
  limit_time(w->suite);
  if (!tried || !rest || !members)
    abort();
  take_group(w, group, members);
  memcpy(rest, members, w->n * sizeof *rest);
  for (enum miter_level level = 0; !status && level < MITER_LEVELS; level++) {
    memcpy(tried, rest, w->n * sizeof *tried);
    memset(rest, 0, w->n * sizeof *rest);
    status = prove_rounds(w, level, group, tried, rest, &err);
  }
  for (size_t i = 0; status && i < w->n; i++)
    if (tried[i] || rest[i])
      no_verdict(&w->outcomes[i], &err);
  if (status)
    hd_task_outcome_fail(to, status, err.text, NULL);
  put_group(w, members, to);
  free(tried);
  free(rest);
  free(members);
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

static int hash_invariants(struct work *w, struct hd_error *err)
{
  char path[700], *bytes = NULL;
  size_t length = 0;
  snprintf(path, sizeof path, "%s/invariants%s.v", w->suite->directory, kind_of(w));
  int status = hd_file_read(path, &bytes, &length, err);
  w->invariants = status ? 0 : hd_hash_bytes(bytes, length, 1);
  free(bytes);
  return status;
}

static int check_and_prove(struct work *w, struct hd_error *err)
{
  const struct study_tasks checks = {.kind = "proofs of proofs",
                                     .n = w->subtle < w->n ? 2 * MITER_LEVELS : MITER_LEVELS,
                                     .context = w,
                                     .describe = describe_check,
                                     .run_task = check,
                                     .ended = take_check};
  const struct study_tasks proofs = {.kind = "proofs",
                                     .n = w->groups,
                                     .context = w,
                                     .describe = describe_group,
                                     .run_task = prove_group,
                                     .ended = end_group};
  int status = hash_invariants(w, err);
  if (!status)
    status = suite_each(w->suite, &checks, err);
  return status ? status : suite_each(w->suite, &proofs, err);
}

int prove_survivors(const struct suite *suite, const char *directory, uint64_t netlist,
                    const struct rig *rig, struct outcome *outcomes, size_t n, struct hd_error *err)
{
  size_t survivors = 0;
  bool *survived = calloc(n, sizeof *survived);
  if (!survived)
    return hd_fail(err, HD_E_NOMEM, "no memory for proofs");
  for (size_t i = 0; i < n; i++)
    survivors += survived[i] = outcomes[i].verdict == VERDICT_SURVIVED;
  struct work w = {.suite = suite,
                   .directory = directory,
                   .rig = rig,
                   .outcomes = outcomes,
                   .survived = survived,
                   .n = n,
                   .netlist = netlist,
                   .subtle = most_subtle(outcomes, n),
                   .groups = survivors < suite->jobs ? survivors : suite->jobs};
  int status = survivors ? check_and_prove(&w, err) : 0;
  for (size_t i = 0; status && i < n; i++)
    if (outcomes[i].verdict == VERDICT_SURVIVED)
      no_verdict(&outcomes[i], err);
  free(survived);
  return status;
}
