/* What a check says of failures does not depend on the order in which they come.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/check/check_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct failure {
  uint64_t number;
  enum check_kind kind;
  const char *signature, *message;
};

static void add(struct hd_check *check, const struct failure *f)
{
  struct hd_task_outcome outcome = {0};
  const struct check_run run = {.kind = f->kind, .index = (uint32_t)f->number};
  hd_task_outcome_fail(&outcome, HD_E_DIVERGENCE, f->message, f->signature);
  hd_check_group_add(check, &run, f->number, &outcome);
  hd_task_outcome_fini(&outcome);
}

static void shrunk(struct hd_check *check, uint64_t number, const char *inside)
{
  struct hd_task_outcome outcome = {0};
  hd_check_put_text(&outcome, "file", "small");
  if (inside)
    hd_check_put_text(&outcome, "inside", inside);
  hd_check_group_shrunk(check, number, &outcome);
  hd_task_outcome_fini(&outcome);
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
  return (struct hd_check){.params = &params, .runs = runs, .coverage = hd_soak_coverage_create()};
}

/* In the order that `way` says, of all there are. */
static char *say(unsigned way)
{
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  bool added[FAILURES] = {false};
  for (unsigned left = FAILURES; left; way /= left--) {
    unsigned skip = way % left, i = 0;
    while (added[i] || skip--)
      i++;
    added[i] = true;
    add(&check, &failures[i]);
  }
  assert_int_equal(check.n_groups, 3);
  for (uint32_t i = 0; i < 3;
       i++) /* a random scenario before a stock one, then the lowest numbers */
    assert_int_equal(check.groups[i].run, 2 + i);
  return text_of(&check);
}

static void the_text_is_the_same_in_any_order(void **state)
{
  (void)state;
  enum { ORDERS = 720 };
  char *first = say(0);
  assert_non_null(strstr(first, "one of them: scenario 4"));
  for (unsigned way = 1; way < ORDERS; way++) {
    char *other = say(way);
    assert_string_equal(other, first);
    free(other);
  }
  free(first);
}

/* One that is being made small when a better one comes is none any more. */
static void a_better_example_is_made_small_anew(void **state)
{
  (void)state;
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  add(&check, &failures[0]);
  shrunk(&check, 7, "in.next");
  assert_true(check.groups[0].shrunk);
  add(&check, &failures[1]);
  assert_false(check.groups[0].shrunk);
  assert_null(check.groups[0].inside);
  check.groups[0].shrinking = true;
  shrunk(&check, 7, "in.next"); /* late */
  assert_null(check.groups[0].inside);
  assert_true(check.groups[0].shrinking);
  shrunk(&check, 3, "out.next");
  assert_string_equal(check.groups[0].inside, "out.next");
  free(text_of(&check));
}

static void groups_with_one_first_wrong_state_are_one_kind(void **state)
{
  (void)state;
  struct check_run runs[16] = {{0}};
  struct hd_check check = new_check(runs);
  for (unsigned i = 0; i < FAILURES; i++)
    add(&check, &failures[i]);
  assert_int_equal(check.n_groups, 3);
  assert_int_equal(hd_check_groups_kinds(&check), 1); /* streams of which nothing is known yet */
  shrunk(&check, 2, "out.owned");
  assert_int_equal(hd_check_groups_kinds(&check), 3);
  shrunk(&check, 3, "in.next");
  shrunk(&check, 4, "out.owned");
  assert_int_equal(hd_check_groups_kinds(&check), 2);
  char *text = text_of(&check);
  /* The scenario leads, because its run has a report; the stream is named after it. */
  const char *scenario = strstr(text, "one of them: scenario 4"),
             *also = strstr(text, "also 1 × a stream into one switch: credit");
  assert_true(scenario && also && scenario < also);
  assert_non_null(strstr(text, "first wrong state in.next"));
  free(text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_text_is_the_same_in_any_order),
      cmocka_unit_test(a_better_example_is_made_small_anew),
      cmocka_unit_test(groups_with_one_first_wrong_state_are_one_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
