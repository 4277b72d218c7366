/* A check hands out no build of a switch before it has handed out the runs of those that are built.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The test takes tasks from the plan and reports outcomes, but does not carry tasks out.
 */
#include "../lib/planted_rtl.h"
#include "../lib/test.h"

#include "../../../bridge/host/file.h"
#include "../../../bridge/check/check_internal.h"

enum { MOST_WORKERS = 8, TASKS = 400 };

struct given {
  uint64_t order;
  char kind[24], text[64];
};

/* A check and its plan, from which a test takes the tasks. */
struct bench {
  struct hd_check_params params;
  struct hd_check *check;
  struct hd_campaign campaign;
  const struct hd_plan *plan;
  char directory[64]; /* of changed RTL; "": none */
};

static void bench_open(struct bench *b, struct hd_check_params params)
{
  *b = (struct bench){.params = params};
  b->plan = &b->campaign.plan;
  must(hd_check_create(&b->check, &b->params, &why));
  hd_check_campaign(b->check, &b->campaign);
}

static void bench_close(struct bench *b)
{
  hd_check_destroy(b->check);
  if (*b->directory)
    assert_int_equal(hd_tree_remove(b->directory, NULL), 0);
}

static bool next_task(const struct hd_plan *plan, struct given *given)
{
  struct hd_task task;
  if (!plan->next(plan->context, &task))
    return false;
  *given = (struct given){.order = task.order};
  snprintf(given->kind, sizeof given->kind, "%s", task.kind);
  snprintf(given->text, sizeof given->text, "%s", task.text);
  return true;
}

static void end_task(const struct hd_plan *plan, const struct given *given)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  const struct hd_task task = {given->order, given->kind, given->text, 1};
  if (!strcmp(given->kind, "stream")) /* the RTL agrees */
    hd_check_put_count(&outcome, "events", 10);
  must(plan->ended(plan->context, &task, &outcome, &why));
}

static bool is_build(const struct given *given)
{
  return !strcmp(given->kind, "build");
}

struct seen {
  uint32_t builds, runs; /* runs: that compare */
  uint32_t most_ahead;   /* builds that ended before one of their runs was handed out */
};

/* Keeps all workers busy. The task that began first ends first. */
static struct seen carry_out_all(const struct hd_check_params *params, uint32_t workers)
{
  struct given at_work[MOST_WORKERS];
  struct seen seen = {0};
  uint32_t n = 0, ahead = 0;
  bool waits[CHECK_NO_SET] = {false};
  CLEANUP(bench_close) struct bench b;
  bench_open(&b, *params);
  for (uint32_t i = 0; i < TASKS; i++) {
    while (n < workers && next_task(b.plan, &at_work[n])) {
      const struct given *given = &at_work[n++];
      if (is_build(given))
        continue;
      uint32_t set = b.check->runs[given->order].set;
      seen.runs += hd_check_kinds[b.check->runs[given->order].kind].compares;
      if (set < CHECK_NO_SET && waits[set]) {
        waits[set] = false;
        ahead--;
      }
    }
    if (!n)
      break;
    if (is_build(&at_work[0])) {
      waits[strtoul(at_work[0].text, NULL, 10)] = true;
      seen.builds++;
      ahead++;
    }
    if (ahead > seen.most_ahead)
      seen.most_ahead = ahead;
    end_task(b.plan, &at_work[0]);
    memmove(at_work, at_work + 1, --n * sizeof *at_work);
  }
  return seen;
}

TEST(built_switches_are_run_before_more_are_built)
{
  const struct hd_check_params params = {.seed = 1};
  for (uint32_t workers = 1; workers <= MOST_WORKERS; workers *= 2) {
    struct seen seen = carry_out_all(&params, workers);
    assert_true(seen.builds > 20 && seen.runs > seen.builds);
    if (seen.most_ahead > workers)
      fail_msg("%u workers: %u switches were built ahead", workers, seen.most_ahead);
  }
}

TEST(the_limit_of_runs_counts_comparisons_only)
{
  const struct hd_check_params params = {.seed = 1, .runs = 40};
  assert_int_equal(carry_out_all(&params, 1).runs, 40);
  assert_int_equal(carry_out_all(&params, 3).runs, 40);
}

TEST(progress_shows_which_switch_is_being_built)
{
  struct given given;
  struct hd_text text = {0};
  CLEANUP(bench_close) struct bench b;
  bench_open(&b, (struct hd_check_params){.seed = 1});
  while (next_task(b.plan, &given) && !is_build(&given))
    end_task(b.plan, &given);
  b.plan->describe(b.check, &text);
  assert_ptr_equal(strstr(hd_text_chars(&text), "0 runs, building switch 1 of "), text.chars);
  assert_true(strtoul(text.chars + strlen("0 runs, building switch 1 of "), NULL, 10) > 20);
  hd_text_fini(&text);
  end_task(b.plan, &given);
  b.plan->describe(b.check, &text);
  assert_string_equal(hd_text_chars(&text), "0 runs");
  hd_text_fini(&text);
}

static uint32_t stage_of(const char *name)
{
  uint32_t s = 0;
  while (hd_check_model_stages[s].name && strcmp(hd_check_model_stages[s].name, name) != 0)
    s++;
  assert_non_null(hd_check_model_stages[s].name);
  return s;
}

/* Carries out tasks until `stage` is complete. */
static void carry_out_stage(struct hd_check *check, const struct hd_plan *plan, const char *stage)
{
  struct given given;
  while (!hd_check_reached(check, stage_of(stage)).complete && next_task(plan, &given))
    end_task(plan, &given);
}

TEST(every_parameter_set_runs_once_before_any_runs_for_long)
{
  CLEANUP(bench_close) struct bench b;
  bench_open(&b, (struct hd_check_params){.seed = 1});
  struct check_reached sets = hd_check_reached(b.check, stage_of("sets"));
  assert_int_equal(sets.ended, 0);
  assert_int_equal(sets.size, hd_stream_sets());
  carry_out_stage(b.check, b.plan, "sets");
  sets = hd_check_reached(b.check, stage_of("sets"));
  assert_int_equal(sets.ended, hd_stream_sets());
  assert_true(hd_check_compared(b.check) < 2 * hd_stream_openings());
  assert_int_equal(b.check->n_built, hd_stream_sets());
}

TEST(a_check_that_did_not_reach_a_required_stage_does_not_pass)
{
  const struct hd_check_params params = {.seed = 1, .require = "elaboration,sets"};
  struct hd_check *check;
  struct hd_campaign campaign = {0};
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  must(hd_check_create(&check, &params, &why));
  hd_check_campaign(check, &campaign);
  carry_out_stage(check, &campaign.plan, "elaboration");
  assert_int_equal(hd_check_verdict(check), HD_E_NOTHING);
  hd_check_add_short(check, &text);
  char sets[40];
  snprintf(sets, sizeof sets, " of %u parameter sets", hd_stream_sets());
  assert_non_null(strstr(hd_text_chars(&text), sets));
  carry_out_stage(check, &campaign.plan, "sets");
  assert_int_equal(hd_check_verdict(check), HD_OK);
  hd_check_destroy(check);
  const struct hd_check_params none = {.seed = 1, .require = "sets,nothing"};
  must_fail(hd_check_create(&check, &none, &why), HD_E_INPUT,
            "--require nothing: there is no such stage; there are elaboration, ");
}

/* ── proofs that a changed module is the original's ────────────────────────── */

static void end_proof(const struct hd_plan *plan, const struct given *given,
                      enum hd_equal_status status)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  const struct hd_task task = {given->order, given->kind, given->text, 1};
  hd_check_put_count(&outcome, "equal_status", status);
  hd_check_put_count(&outcome, "equal_wires", status == HD_EQUAL_OPEN);
  if (status == HD_EQUAL_OPEN)
    hd_check_put_text(&outcome, "equal_lines", "rdata_o\thd_config.v\t32\t16\n");
  must(plan->ended(plan->context, &task, &outcome, &why));
}

/* RTL with a changed module. */
static void bench_open_with(struct bench *b, bool settles, const char *file, const char *old,
                            const char *new)
{
  static char directory[64]; /* as long as the check */
  snprintf(directory, sizeof directory, "build/check-plan-rtl-%d", (int)getpid());
  plant_rtl(directory, file, old, new);
  bench_open(b, (struct hd_check_params){.seed = 1, .rtl_dir = directory, .settles = settles});
  strcpy(b->directory, directory);
}

static void bench_open_changed(struct bench *b)
{
  bench_open_with(b, true, "hd_config.v", "else if (read_i) rdata_o <= value;",
                  "else rdata_o <= read_i ? value : rdata_o;");
  assert_true(b->check->equal.n > 3);
}

/* One worker proves while another one builds. When all proofs have ended, the stage is complete. */
TEST(proofs_run_at_the_same_time_as_the_first_builds)
{
  struct given proof, build, given;
  CLEANUP(bench_close) struct bench b;
  bench_open_changed(&b);
  struct hd_check *check = b.check;
  const struct hd_plan *plan = b.plan;
  assert_true(next_task(plan, &given) && !strcmp(given.kind, "lint"));
  end_task(plan, &given);
  assert_true(next_task(plan, &proof) && !strcmp(proof.kind, "equal"));
  while (next_task(plan, &build) && !strcmp(build.kind, "lint"))
    end_task(plan, &build);
  assert_true(is_build(&build));
  for (uint32_t ended = 1; ended <= check->equal.n; ended++) {
    assert_false(plan->enough(plan->context));
    assert_int_equal(hd_check_verdict(check), HD_E_NOTHING);
    end_proof(plan, &proof, HD_EQUAL_PROVED);
    do /* the others of this turn, too */
      assert_true(ended == check->equal.n || next_task(plan, &proof));
    while (ended < check->equal.n && strcmp(proof.kind, "equal") != 0);
  }
  assert_true(plan->enough(plan->context));
  assert_int_equal(hd_check_verdict(check), HD_OK);
}

/* A single worker compares after the first proof, and spends no more time on proofs than on all else. */
TEST(a_single_worker_spends_at_most_half_of_its_time_on_proofs)
{
  struct given given;
  CLEANUP(bench_close) struct bench b;
  bench_open_changed(&b);
  struct hd_check *check = b.check;
  double proved = 0, others = 0;
  const double takes = 3; /* seconds, each */
  for (uint32_t i = 0; i < 40 && next_task(b.plan, &given); i++) {
    CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {.seconds = takes};
    const struct hd_task task = {given.order, given.kind, given.text, 1};
    bool proof = !strcmp(given.kind, "equal");
    if (proof)
      hd_check_put_count(&outcome, "equal_status", HD_EQUAL_PROVED);
    if (proof && proved > others)
      fail_msg("task %u: a proof after %.0f s of them and %.0f s of all else", i, proved, others);
    *(proof ? &proved : &others) += takes;
    must(b.plan->ended(check, &task, &outcome, &why));
  }
  assert_true(proved > 0 && hd_check_compared(check) > 5);
}

/* Proofs without end, also those with submodules inside, take at most half of the workers. */
TEST(proofs_use_at_most_half_of_the_workers)
{
  struct given given;
  CLEANUP(bench_close) struct bench b;
  bench_open_with(&b, false, "hd_input_port.v", "picked_kind[0] && !picked_kind[2];",
                  "picked_kind == 3'd1;"); /* a module with others inside */
  struct hd_check *check = b.check;
  const struct hd_plan *plan = b.plan;
  uint32_t proofs = 0, others = 0, open = 0;
  /* Two proofs leave wires open. They are tried again with submodules inside, once every set has run deeply. */
  while ((!hd_check_is_deep(check) || check->equal.ended < check->equal.n) &&
         next_task(plan, &given))
    if (strcmp(given.kind, "equal") != 0)
      end_task(plan, &given);
    else
      end_proof(plan, &given, open++ < 2 ? HD_EQUAL_OPEN : HD_EQUAL_PROVED);
  assert_true(open > 2);
  for (uint32_t i = 0; i < 60 && next_task(plan, &given); i++)
    if (!strcmp(given.kind, "equal"))
      proofs++; /* the proof does not end */
    else {
      others++;
      end_task(plan, &given);
    }
  assert_int_equal(proofs, 1);
  assert_int_equal(others, 59);
}

/* Proofs are open only with eight channels. A switch that holds such an instance is built and run next. */
TEST(switches_with_an_instance_of_an_open_proof_run_first)
{
  struct given given;
  uint32_t builds = 0, runs = 0;
  CLEANUP(bench_close) struct bench b;
  bench_open_changed(&b);
  struct hd_check *check = b.check;
  const struct hd_plan *plan = b.plan;
  assert_true(check->n_waiting > 10);
  for (uint32_t i = 0; i < check->equal.n; i++)
    if (check->equal.proofs[i].holder[0] == CHECK_NO_SET)
      fail_msg("%s: no switch holds it", check->equal.proofs[i].set->parameters);
  while (!hd_check_equal_count(check, HD_EQUAL_OPEN) && next_task(plan, &given))
    if (!strcmp(given.kind, "equal")) {
      const char *set = check->equal.proofs[atoi(given.text)].set->parameters;
      end_proof(plan, &given, strstr(set, " VCS=8 ") ? HD_EQUAL_OPEN : HD_EQUAL_PROVED);
    } else {
      assert_true(given.order >= check->n_waiting); /* no switch is suspected yet */
      end_task(plan, &given);
    }
  assert_true(hd_check_equal_count(check, HD_EQUAL_PROVED) > 0);
  assert_true(hd_check_reached(check, stage_of("ends")).size > 10);
  while (builds + runs < 4 && next_task(plan, &given)) {
    if (!strcmp(given.kind, "equal")) { /* once more, with submodules inside */
      end_proof(plan, &given, HD_EQUAL_OPEN);
      continue;
    }
    uint32_t set = is_build(&given) ? (uint32_t)atoi(given.text) : check->runs[given.order].set;
    assert_true(set < CHECK_NO_SET);
    assert_int_equal(check->sets[set].vcs, 8);
    *(is_build(&given) ? &builds : &runs) += 1;
    end_task(plan, &given);
  }
  assert_true(builds > 0 && runs > 0);
}

/* A number beside a parameter may be where the module does another thing. */
TEST(a_value_that_a_change_names_is_proved)
{
  static const char output_port[] = "hd_output_port.v", count[] = "several[w] = count > 1",
                    arbiter[] = "hd_rr_arbiter.v", pick[] = "pick_o = req_i & ~beaten";
  static const struct {
    const char *file, *old, *new, *named; /* named: in that many sets or more */
    uint32_t sets;
  } cases[] = {
      {output_port, count, "several[w] = (VCS == 6) ? count > 2 : count > 1", " VCS=6 VC_W=3 ", 10},
      {output_port, count, "several[w] = (DEPTH == 24) ? count > 2 : count > 1", " DEPTH=24 ", 8},
      {output_port, count, "several[w] = (VCS == 5 && DEPTH == 24) ? count > 2 : count > 1",
       " VCS=5 VC_W=3 DATA_W=16 DEPTH=24 ", 1},
      /* no parameter of the switch: few ports or channels may give it this value */
      {arbiter, pick, "pick_o = (N == 6) ? NOBODY : req_i & ~beaten", "N=6 NEXT_W=8", 1},
      /* nothing: no switch has this value, the number is not beside a parameter */
      {output_port, count, "several[w] = (VCS == 9) ? count > 2 : count > 1", "VCS=9", 0},
      {output_port, count, "several[w] = (count == 9) ? count > 2 : count > 1", "9", 0},
  };
  char directory[64];
  snprintf(directory, sizeof directory, "build/check-named-rtl-%d", (int)getpid());
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint32_t n = 0;
    struct hd_switch_params sw;
    struct check_equal e = {0};
    plant_rtl(directory, cases[i].file, cases[i].old, cases[i].new);
    must(hd_equal_open(&e.modules, "rtl", directory, "hd_switch", &why));
    must(hd_equal_sets_read(&e.sets, "tb/instances.txt", &why));
    hd_check_name_sets(&e);
    for (uint32_t k = e.n_of_file; k < e.sets.n; k++) {
      const struct hd_equal_set *set = &e.sets.list[k];
      assert_true(set->named);
      n += strstr(set->parameters, cases[i].named) != NULL;
      if (!hd_check_read_switch(set->holders[0], &sw) &&
          !hd_check_read_switch(set->holders[1], &sw))
        fail_msg("%s: no switch holds it", set->parameters);
    }
    if (n < cases[i].sets || (e.sets.n > e.n_of_file) != (cases[i].sets > 0) || e.left_out)
      fail_msg("%s: %u sets, %u with %s", cases[i].new, e.sets.n - e.n_of_file, n, cases[i].named);
    hd_check_equal_free(&e);
  }
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
}

/* Where there are too many of them, proofs of all listed sets do not show that the RTL is the switch. */
TEST(values_that_are_not_proved_are_said)
{
  struct given given;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  CLEANUP(bench_close) struct bench b;
  bench_open_with(&b, true, "hd_output_port.v", "several[w] = count > 1",
                  "several[w] = (VCS == 4 || VCS == 5 || VCS == 6 || VCS == 7 || DEPTH == 9 || "
                  "DEPTH == 10 || DEPTH == 11 || DEPTH == 12 || DEPTH == 13 || DEPTH == 24) ? "
                  "count >= 2 : count > 1");
  const struct check_equal *e = &b.check->equal;
  bool last = false;
  for (uint32_t i = 0; i < e->n; i++)
    last |= strstr(e->proofs[i].set->parameters, " DEPTH=24 ") != NULL;
  assert_true(last); /* each number is proved with some sets */
  while ((e->ended < e->n || !b.check->events) && next_task(b.plan, &given))
    if (strcmp(given.kind, "equal") != 0)
      end_task(b.plan, &given);
    else
      end_proof(b.plan, &given, HD_EQUAL_PROVED);
  assert_int_equal(hd_check_equal_count(b.check, HD_EQUAL_PROVED), e->n);
  assert_false(b.plan->enough(b.plan->context));
  hd_check_text(b.check, &text);
  assert_non_null(strstr(hd_text_chars(&text), "; a changed module is not proved equal\n"));
  assert_non_null(
      strstr(hd_text_chars(&text), "proofs with all values that a changed module names"));
}

/* A switch with the value is built next, also where no other set of the module is proved. */
TEST(a_switch_with_a_named_value_comes_first)
{
  struct given given;
  CLEANUP(bench_close) struct bench b;
  bench_open_with(&b, true, "hd_output_port.v", "several[w] = count > 1",
                  "several[w] = (VCS == 6) ? count > 2 : count > 1");
  uint32_t builds = 0;
  /* as long as nothing is proved, an ordinary run comes before it */
  while ((!hd_check_equal_count(b.check, HD_EQUAL_OPEN) || !hd_check_compared(b.check)) &&
         next_task(b.plan, &given))
    if (strcmp(given.kind, "equal") != 0)
      end_task(b.plan, &given);
    else
      end_proof(b.plan, &given, HD_EQUAL_OPEN);
  for (uint32_t i = 0; i < 20 && next_task(b.plan, &given); i++)
    if (!strcmp(given.kind, "equal"))
      end_proof(b.plan, &given, HD_EQUAL_OPEN);
    else {
      const uint32_t set =
          is_build(&given) ? (uint32_t)atoi(given.text) : b.check->runs[given.order].set;
      builds += is_build(&given);
      assert_int_equal(b.check->sets[set].vcs, 6);
      end_task(b.plan, &given);
    }
  assert_in_range(builds, 1, CHECK_EARLY_SETS);
}

/* A wire without a proof is a suspicion. It is no difference, and the check goes on. */
TEST(an_open_proof_is_no_difference_and_the_check_continues)
{
  struct given given;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  uint32_t open = 0;
  CLEANUP(bench_close) struct bench b;
  bench_open_changed(&b);
  struct hd_check *check = b.check;
  const struct hd_plan *plan = b.plan;
  while ((check->equal.ended < check->equal.n || !check->events) && next_task(plan, &given)) {
    if (strcmp(given.kind, "equal") != 0 || strstr(given.text, "flat"))
      end_task(plan, &given); /* the second attempt has no result */
    else
      end_proof(plan, &given, open++ == 2 ? HD_EQUAL_OPEN : HD_EQUAL_PROVED);
  }
  assert_int_equal(open, check->equal.n);
  assert_false(plan->enough(plan->context));
  assert_int_equal(check->n_groups, 0);
  assert_int_equal(hd_check_verdict(check), HD_OK); /* streams have agreed */
  hd_check_text(check, &text);
  assert_non_null(strstr(hd_text_chars(&text), "; a changed module is not proved equal\n"));
  assert_non_null(strstr(hd_text_chars(&text), "rdata_o of hd_config (hd_config.v:32)\n"));
}

/* ── outcomes that tell nothing of the RTL ─────────────────────────────────── */

static void forget_failures(struct hd_check *check)
{
  hd_check_groups_free(check);
  free(check->inconclusive_text);
  free(check->unbuilt);
  check->inconclusive_text = check->unbuilt = NULL;
  check->n_groups = 0;
  check->inconclusive = 0;
}

static int verdict_after(struct hd_check *check, const struct hd_plan *plan,
                         const struct given *given, int status, const char *signature)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  const struct hd_task task = {given->order, given->kind, given->text, 1};
  hd_task_outcome_fail(&outcome, status, "why", signature);
  int ended = plan->ended(plan->context, &task, &outcome, &why);
  int verdict = ended ? ended : hd_check_verdict(check);
  forget_failures(check);
  return verdict;
}

TEST(a_run_that_compares_nothing_keeps_warnings_of_earlier_runs)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  struct given given;
  CLEANUP(bench_close) struct bench b;
  bench_open(&b, (struct hd_check_params){.seed = 1});
  assert_true(next_task(b.plan, &given));
  assert_string_equal(given.kind, "lint");
  const struct hd_task lint = {given.order, given.kind, given.text, 1};
  hd_check_put_text(&outcome, "warnings", "%Warning-WIDTH: ./hd_x.v:7:9: too wide\n");
  must(b.plan->ended(b.plan->context, &lint, &outcome, &why));
  while (next_task(b.plan, &given) && strcmp(given.kind, "stream") != 0)
    end_task(b.plan, &given);
  verdict_after(b.check, b.plan, &given, HD_E_NOTHING, "how");
  hd_check_text(b.check, &text);
  assert_non_null(strstr(hd_text_chars(&text), "./hd_x.v:7:9: too wide\n"));
}

TEST(only_failures_caused_by_the_rtl_count_as_differences)
{
  static const char *const kinds[] = {"stream", "random"};
  static const int differences[] = {HD_E_DIVERGENCE, HD_E_DEADLOCK, HD_E_BUDGET,
                                    HD_E_SOFTWARE,   HD_E_FAULT,    HD_E_INVARIANT};
  static const int others[] = {HD_E_INTERNAL,    HD_E_INPUT, HD_E_UNSUPPORTED, HD_E_IO,
                               HD_E_INTERRUPTED, HD_E_NOMEM, HD_E_TOOL};
  struct given given;
  CLEANUP(bench_close) struct bench b;
  bench_open(&b, (struct hd_check_params){.seed = 1});
  for (size_t i = 0; i < 2; i++) {
    while (next_task(b.plan, &given) && strcmp(given.kind, kinds[i]) != 0)
      end_task(b.plan, &given);
    /* Streams before a scenario have compared. */
    assert_int_equal(verdict_after(b.check, b.plan, &given, HD_E_NOTHING, "how"),
                     i ? HD_OK : HD_E_NOTHING);
    for (size_t k = 0; k < sizeof differences / sizeof *differences; k++)
      assert_int_equal(verdict_after(b.check, b.plan, &given, differences[k], "how"),
                       HD_E_DIVERGENCE);
    assert_int_equal(verdict_after(b.check, b.plan, &given, HD_E_INTERNAL, HD_TASK_HUNG),
                     HD_E_DIVERGENCE);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
      assert_int_equal(verdict_after(b.check, b.plan, &given, others[k], "ended by signal 9"),
                       others[k]);
    b.check->failed = 0;
    end_task(b.plan, &given);
  }
}
