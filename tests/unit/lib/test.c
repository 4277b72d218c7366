/* Collects the tests of a program, and runs them; checks that all tests share.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test.h"

enum { MOST = 128 };

static struct entry {
  struct CMUnitTest test;
  int line;
} entries[MOST];
static size_t n;
struct hd_error why;

void test_must(int status, const char *file, int line)
{
  if (status == HD_OK)
    return;
  print_error("status %d: %s\n", status, why.text);
  _fail(file, line);
}

void test_must_refuse(int status, int expected, const char *text, bool whole, const char *file,
                      int line)
{
  if (status == expected && (whole ? !strcmp(why.text, text) : strstr(why.text, text) != NULL))
    return;
  print_error("status %d: \"%s\", not status %d with \"%s\"\n", status, why.text, expected, text);
  _fail(file, line);
}

void write_text(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

void write_temporary(char path[64], const char *text)
{
  strcpy(path, "/tmp/heddle-test-XXXXXX");
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  write_text(path, text);
}

void test_add(const struct CMUnitTest *test, int line)
{
  if (n == MOST)
    abort();
  entries[n++] = (struct entry){*test, line};
}

static int compare_lines(const void *left, const void *right)
{
  const struct entry *a = left, *b = right;
  return (a->line > b->line) - (a->line < b->line);
}

int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
  struct CMUnitTest tests[MOST];
  qsort(entries, n, sizeof *entries, compare_lines);
  for (size_t i = 0; i < n; i++)
    tests[i] = entries[i].test;
  return _cmocka_run_group_tests("tests", tests, n, setup, teardown);
}
