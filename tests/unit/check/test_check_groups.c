/* A check's text on failures does not depend on the order in which they come.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/check/check_internal.h"
#include "../lib/test.h"
#include "../../../bridge/host/clock.h"

struct failure {
  uint64_t number;
  enum check_kind kind;
  const char *signature, *message;
};

static void add_failure(struct hd_check *check, const struct failure *f)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  const struct check_run run = {.kind = f->kind, .index = (uint32_t)f->number};
  hd_task_outcome_fail(&outcome, HD_E_DIVERGENCE, f->message, f->signature);
  hd_check_group_add(check, &run, f->number, &outcome);
}

/* Ends the explanation of example `number` with these findings. NULL: nothing was found. */
static void end_explanation(struct hd_check *check, uint64_t number, const char *inside,
                            const char *suspects)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  for (uint32_t i = 0; i < check->n_groups; i++)
    if (check->groups[i].run == number)
      check->groups[i].step = CHECK_STEP_EXPLAIN;
  hd_check_put_text(&outcome, "file", "small");
  if (inside)
    hd_check_put_text(&outcome, "inside", inside);
  if (suspects)
    hd_check_put_text(&outcome, "suspects", suspects);
  hd_check_group_step(check, number, CHECK_STEP_EXPLAIN, &outcome);
}

static char *text_of(struct hd_check *check)
{
  struct hd_text text = {0};
  hd_check_text(check, &text);
  hd_check_groups_free(check);
  hd_soak_coverage_destroy(check->coverage);
  return text.chars;
}

enum { FAILURES = 6 };
static const struct failure failures[FAILURES] = {
    {7, CHECK_STREAM, "a stream into one switch: flit", "stream 7"},
    {3, CHECK_STREAM, "a stream into one switch: flit", "stream 3"},
    {9, CHECK_RANDOM, "a node's port: flit", "scenario 9"},
    {4, CHECK_RANDOM, "a node's port: flit", "scenario 4"},
    {1, CHECK_STOCK, "a node's port: flit", "stock 1"},
    {2, CHECK_STREAM, "a stream into one switch: credit", "stream 2"},
};
static const struct hd_check_params params = {.rtl_dir = "rtl", .shrink_seconds = 1};

static struct hd_check new_check(struct check_run runs[16])
{
  for (uint32_t i = 0; i < 16; i++)
    runs[i].index = i;
  return (struct hd_check){.params = &params,
                           .judge = hd_check_judge_of(&params),
                           .runs = runs,
                           .coverage = hd_soak_coverage_create()};
}

/* Adds the failures in order number `way` of all possible orders. Returns the check's text. */
static char *text_of_order(unsigned way)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  bool added[FAILURES] = {false};
  for (unsigned left = FAILURES; left; way /= left--) {
    unsigned skip = way % left, i = 0;
    while (added[i] || skip--)
      i++;
    added[i] = true;
    add_failure(&check, &failures[i]);
  }
  assert_int_equal(check.n_groups, 3);
  for (uint32_t i = 0; i < 3;
       i++) /* a random scenario before a stock one, then the lowest numbers */
    assert_int_equal(check.groups[i].run, 2 + i);
  return text_of(&check);
}

TEST(the_text_on_failures_does_not_depend_on_their_order)
{
  enum { ORDERS = 720 };
  CLEANUP(free_at) char *first = text_of_order(0);
  assert_non_null(strstr(first, "one of them: scenario 4"));
  for (unsigned way = 1; way < ORDERS; way++) {
    CLEANUP(free_at) char *other = text_of_order(way);
    assert_string_equal(other, first);
  }
}

/* A better example comes while the first one is being shrunk. The check then drops the first one. */
TEST(a_better_example_replaces_the_one_that_is_being_shrunk)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  add_failure(&check, &failures[0]);
  end_explanation(&check, 7, "in.next", NULL);
  assert_string_equal(check.groups[0].found.inside, "in.next");
  assert_int_equal(check.groups[0].step, CHECK_STEP_DONE);
  add_failure(&check, &failures[1]);
  assert_int_equal(check.groups[0].step, CHECK_STEP_SMALL_SOON);
  assert_null(check.groups[0].found.inside);
  check.groups[0].busy = true;
  end_explanation(&check, 7, "in.next", NULL); /* late */
  assert_null(check.groups[0].found.inside);
  assert_true(check.groups[0].busy);
  end_explanation(&check, 3, "out.next", NULL);
  assert_string_equal(check.groups[0].found.inside, "out.next");
  free(text_of(&check));
}

/* Ends the first seconds of the search for a smaller example. */
static void end_short_search(struct hd_check *check, uint64_t number, unsigned unfinished)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
  hd_check_put_text(&outcome, "file", "small");
  hd_check_put_count(&outcome, "unfinished", unfinished);
  hd_check_group_step(check, number, CHECK_STEP_SMALL_SOON, &outcome);
}

static enum check_step next_step(struct hd_check *check, uint64_t *run)
{
  struct hd_task task;
  assert_true(hd_check_group_task(check, &task));
  *run = strtoull(task.text, NULL, 10);
  return (enum check_step)((task.order >> CHECK_STEP_SHIFT) - 1);
}

/* A short search for a smaller example and the explanation come before long searches. A step that finds nothing keeps
 * the results of earlier steps. */
TEST(failures_are_explained_before_long_searches)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0}, nothing = {0};
  struct hd_task task;
  uint64_t run;
  add_failure(&check, &failures[3]);
  assert_true(hd_check_groups_unfinished(&check));
  assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL_SOON);
  assert_int_equal(run, 4);
  assert_false(hd_check_group_task(&check, &task)); /* it is under way */
  end_short_search(&check, 4, 1);
  assert_string_equal(check.groups[0].found.file, "small");
  assert_int_equal(next_step(&check, &run), CHECK_STEP_EXPLAIN);
  hd_check_put_text(&outcome, "inside", "out.owned");
  hd_check_group_step(&check, 4, CHECK_STEP_EXPLAIN, &outcome);
  assert_false(hd_check_groups_unfinished(&check)); /* the check need not find a smaller example */
  add_failure(&check, &failures[5]);
  assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL_SOON);
  assert_int_equal(run, 2);
  assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL);
  assert_int_equal(run, 4);
  hd_check_put_count(&nothing, "unfinished", 1);
  hd_check_group_step(&check, 4, CHECK_STEP_SMALL, &nothing);
  assert_string_equal(check.groups[1].found.inside, "out.owned");
  assert_int_equal(next_step(&check, &run), CHECK_STEP_EXPLAIN_SMALL);
  hd_check_group_step(&check, 4, CHECK_STEP_EXPLAIN_SMALL, &nothing);
  assert_string_equal(check.groups[1].found.inside, "out.owned");
  assert_false(hd_check_group_task(&check, &task));
  free(text_of(&check));
}

/* The outcome of the short search decides whether the search continues. The explanation does not. */
TEST(an_unfinished_search_continues_after_the_explanation)
{
  struct check_run runs[16] = {{0}};
  for (unsigned unfinished = 0; unfinished < 2; unfinished++) {
    struct hd_check check = new_check(runs);
    CLEANUP(hd_task_outcome_fini) struct hd_task_outcome told = {0};
    uint64_t run;
    add_failure(&check, &failures[5]);
    assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL_SOON);
    end_short_search(&check, 2, unfinished);
    assert_int_equal(next_step(&check, &run), CHECK_STEP_EXPLAIN);
    hd_check_put_text(&told, "inside", "out.owned");
    hd_check_group_step(&check, 2, CHECK_STEP_EXPLAIN, &told);
    assert_int_equal(check.groups[0].step, unfinished ? CHECK_STEP_SMALL : CHECK_STEP_DONE);
    free(text_of(&check));
  }
}

/* At the end of its time a check explains what it found, and begins no search. */
TEST(late_in_its_time_a_check_explains_and_begins_no_search)
{
  for (unsigned late = 0; late < 2; late++) {
    struct check_run runs[16] = {{0}};
    struct hd_check_params timed = params;
    struct hd_check check = new_check(runs);
    CLEANUP(hd_task_outcome_fini) struct hd_task_outcome told = {0};
    struct hd_task task;
    uint64_t run;
    timed.seconds = 1e6;
    check.params = &timed;
    check.started = hd_seconds_now() - (late ? 1e6 : 0);
    add_failure(&check, &failures[3]);
    assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL_SOON);
    end_short_search(&check, 4, 1);
    assert_int_equal(next_step(&check, &run), CHECK_STEP_EXPLAIN);
    assert_true(hd_check_groups_unfinished(&check));
    hd_check_put_text(&told, "inside", "out.owned");
    hd_check_group_step(&check, 4, CHECK_STEP_EXPLAIN, &told);
    assert_int_equal(check.groups[0].step, CHECK_STEP_SMALL);
    assert_int_equal(hd_check_group_task(&check, &task), !late);
    assert_int_equal(check.groups[0].step, late ? CHECK_STEP_DONE : CHECK_STEP_SMALL);
    assert_false(late && hd_check_groups_unfinished(&check));
    free(text_of(&check));
  }
}

TEST(groups_with_the_same_cause_count_as_one_kind)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  for (unsigned i = 0; i < FAILURES; i++)
    add_failure(&check, &failures[i]);
  assert_int_equal(check.n_groups, 3);
  assert_int_equal(hd_check_groups_kinds(&check), 1); /* no group has an explanation yet */
  end_explanation(&check, 2, "out.owned", NULL);
  assert_int_equal(hd_check_groups_kinds(&check), 1); /* the others have none */
  end_explanation(&check, 3, "in.next", NULL);
  assert_int_equal(hd_check_groups_kinds(&check), 2);
  end_explanation(&check, 4, "out.owned", NULL);
  assert_int_equal(hd_check_groups_kinds(&check), 2);
  CLEANUP(free_at) char *text = text_of(&check);
  /* The scenario leads, because its run has a report; the stream is named after it. */
  const char *scenario = strstr(text, "one of them: scenario 4"),
             *also = strstr(text, "also 1 × a stream into one switch: credit");
  assert_true(scenario && also && scenario < also);
  assert_non_null(strstr(text, "first wrong state in.next"));
}

/* Groups are joined by the signals that were wrong first rather than by states that follow from them. */
TEST(groups_that_share_a_suspect_signal_count_as_one_kind)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  for (unsigned i = 0; i < FAILURES; i++)
    add_failure(&check, &failures[i]);
  end_explanation(&check, 2, "out.owned", "hd_output_port.owned_q hd_output_port.next");
  end_explanation(&check, 3, "in.next", "hd_link.valid_o hd_output_port.next");
  end_explanation(&check, 4, "in.state", "hd_output_port.next_q");
  assert_int_equal(hd_check_groups_kinds(&check), 2);
  assert_int_equal(check.groups[0].leader, check.groups[1].leader);
  assert_int_equal(check.groups[2].leader, 2);
  free(text_of(&check));
}

/* Groups whose state was wrong earliest before the failure come first. A group with a cause comes before all groups
 * with a state only. */
TEST(kinds_are_ordered_by_how_early_their_cause_was_wrong)
{
  static const struct {
    const char *suspects, *cause_lead, *inside, *inside_lead;
  } found[3] = {{"m.a", "2", "a", "9"}, {"m.b", "7", "b", "3"}, {NULL, NULL, "c", "50"}};
  static const uint64_t numbers[3] = {2, 3, 4};
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  for (unsigned i = 0; i < FAILURES; i++)
    add_failure(&check, &failures[i]);
  for (unsigned i = 0; i < 3; i++) {
    CLEANUP(hd_task_outcome_fini) struct hd_task_outcome outcome = {0};
    check.groups[i].step = CHECK_STEP_EXPLAIN;
    if (found[i].suspects) {
      hd_check_put_text(&outcome, "suspects", found[i].suspects);
      hd_check_put_text(&outcome, "cause", found[i].suspects);
      hd_check_put_text(&outcome, "cause_lead", found[i].cause_lead);
    }
    hd_check_put_text(&outcome, "inside", found[i].inside);
    hd_check_put_text(&outcome, "inside_lead", found[i].inside_lead);
    hd_check_group_step(&check, numbers[i], CHECK_STEP_EXPLAIN, &outcome);
  }
  assert_int_equal(hd_check_groups_kinds(&check), 3);
  CLEANUP(free_at) char *text = text_of(&check);
  const char *near = strstr(text, "cause: m.b"), *far = strstr(text, "cause: m.a"),
             *last = strstr(text, "first wrong state c");
  assert_true(near && far && last && near < far && far < last);
}

/* Only one example of each kind gets a long search. */
TEST(only_one_group_of_a_kind_gets_a_long_search)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  struct hd_task task;
  uint64_t run;
  for (unsigned i = 0; i < FAILURES; i++)
    add_failure(&check, &failures[i]);
  for (uint64_t number = 2; number <= 4; number++) {
    assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL_SOON);
    end_short_search(&check, run, 1);
    assert_int_equal(next_step(&check, &run), CHECK_STEP_EXPLAIN);
    assert_int_equal(run, number);
    end_explanation(&check, run, "out.owned", "hd_output_port.owned_q");
  }
  assert_int_equal(next_step(&check, &run), CHECK_STEP_SMALL);
  assert_int_equal(run, 4);
  assert_false(hd_check_group_task(&check, &task));
  free(text_of(&check));
}
