/* Verdicts on statements of papers: two-sided checks, figures that a paper omits, and the mark of partial runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/text.h"
#include "../../../bridge/studies/statement.h"
#include "../lib/test.h"

/* A source tree that holds one study's statements: HD_ROOT names it. */
struct tree {
  char root[256];
  struct hd_study_statements statements;
};

static void write_file(const char *root, const char *folder, const char *name, const char *text)
{
  char path[400];
  struct hd_text file = {0};
  snprintf(path, sizeof path, "mkdir -p %s/%s", root, folder);
  assert_int_equal(system(path), 0);
  snprintf(path, sizeof path, "%s/%s", root, folder);
  hd_text_add(&file, "%s", text);
  must(hd_text_write(path, name, &file, &why));
}

static int setup(void **state)
{
  struct tree *t = calloc(1, sizeof *t);
  must(hd_directory_temporary("statements", t->root, sizeof t->root, &why));
  write_file(t->root, "bridge/backends/verilator", "verilator.cpp", "");
  setenv("HD_ROOT", t->root, 1);
  *state = t;
  return 0;
}

static int teardown(void **state)
{
  CLEANUP(free_at) struct tree *t = *state;
  char command[300];
  hd_study_statements_fini(&t->statements);
  unsetenv("HD_ROOT");
  snprintf(command, sizeof command, "rm -rf %s", t->root);
  assert_int_equal(system(command), 0);
  return 0;
}

#define STATEMENT "statement: s\nwhere: Section 1\nsays: about twice\ncriterion: within a tenth\n"

/* The statement of a file, judged by `judge`. */
static const struct hd_study_statement *judged(struct tree *t, const char *file, const char *mark,
                                               void (*judge)(const void *,
                                                             struct hd_study_statement *))
{
  const struct hd_study_judge judges[] = {{"s", judge}, {0}}, *const tables[] = {judges, NULL};
  hd_study_statements_fini(&t->statements);
  write_file(t->root, "bridge/studies/some", "statements.txt", file);
  must(hd_study_statements_judge(&t->statements, "some", tables, NULL, mark, &why));
  assert_int_equal(t->statements.n, 1);
  return t->statements.all;
}

static void check_near_two(struct hd_study_statement *s, double value)
{
  hd_study_check_near(s, true, value, 2, 0.1, "times faster");
}

static void judge_as_said(const void *results, struct hd_study_statement *s)
{
  (void)results;
  check_near_two(s, 1.9);
}

static void judge_too_good(const void *results, struct hd_study_statement *s)
{
  (void)results;
  check_near_two(s, 8.1);
}

static void judge_too_bad(const void *results, struct hd_study_statement *s)
{
  (void)results;
  check_near_two(s, 1.1);
}

static void judge_both(const void *results, struct hd_study_statement *s)
{
  (void)results;
  check_near_two(s, 2);
  hd_study_check(s, true, 3, STUDY_AT_MOST, 2, "too much");
}

static void judge_unmeasured(const void *results, struct hd_study_statement *s)
{
  (void)results;
  check_near_two(s, 2);
  hd_study_check_within(s, false, 2, 1, 3, "nobody looked");
}

static void judge_nothing(const void *results, struct hd_study_statement *s)
{
  (void)results;
  (void)s;
}

TEST_WITH(a_value_beyond_the_good_end_of_a_two_sided_check_does_not_agree, setup, teardown)
{
  struct tree *t = *state;
  assert_string_equal(judged(t, STATEMENT, "", judge_as_said)->verdict, "agrees");
  assert_string_equal(judged(t, STATEMENT, "", judge_too_good)->verdict, "disagrees");
  assert_string_equal(judged(t, STATEMENT, "", judge_too_bad)->verdict, "disagrees");
}

TEST_WITH(the_verdict_combines_all_checks_of_a_statement, setup, teardown)
{
  struct tree *t = *state;
  assert_string_equal(judged(t, STATEMENT, "", judge_both)->verdict, "partly");
  assert_string_equal(judged(t, STATEMENT, "", judge_unmeasured)->verdict, "not measured");
  assert_string_equal(judged(t, STATEMENT, "", judge_nothing)->verdict, "not measured");
}

TEST_WITH(a_statement_whose_figure_the_paper_omits_cannot_be_judged, setup, teardown)
{
  struct tree *t = *state;
  static const char file[] = STATEMENT "missing: The paper gives no rate.\n";
  CLEANUP(hd_text_fini) struct hd_text page = {0}, all = {0}, checks = {0};
  assert_string_equal(judged(t, file, "", judge_as_said)->verdict, "cannot be judged");
  assert_string_equal(judged(t, file, "", judge_too_bad)->verdict, "cannot be judged");
  assert_string_equal(judged(t, file, "", judge_nothing)->verdict, "cannot be judged");
  hd_study_statements_add(&t->statements, &page);
  hd_study_statements_csv(&t->statements, &all, &checks);
  assert_non_null(strstr(hd_text_chars(&page), "cannot be judged**: The paper gives no rate."));
  assert_non_null(strstr(hd_text_chars(&all), "\"cannot be judged\""));
  assert_non_null(strstr(hd_text_chars(&all), "\"The paper gives no rate.\""));
}

TEST_WITH(verdicts_of_partial_runs_are_marked_as_such, setup, teardown)
{
  struct tree *t = *state;
  assert_string_equal(judged(t, STATEMENT, "QUICK: ", judge_as_said)->verdict, "QUICK: agrees");
  assert_string_equal(judged(t, STATEMENT, "QUICK: ", judge_too_good)->verdict, "QUICK: disagrees");
  assert_string_equal(judged(t, STATEMENT, "PART: ", judge_nothing)->verdict, "PART: not measured");
}

TEST_WITH(tables_show_the_papers_number_next_to_the_measured_one, setup, teardown)
{
  struct tree *t = *state;
  CLEANUP(hd_text_fini) struct hd_text page = {0}, all = {0}, checks = {0};
  judged(t, STATEMENT, "", judge_too_good);
  hd_study_statements_add(&t->statements, &page);
  hd_study_statements_csv(&t->statements, &all, &checks);
  assert_non_null(
      strstr(hd_text_chars(&page), "| times faster | 2 | 8.1 | 1.8 to 2.2 | does not "));
  assert_non_null(strstr(hd_text_chars(&checks), "\"2\",\"8.1\",\"1.8 to 2.2\",\"does not hold\""));
}
