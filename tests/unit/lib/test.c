/* Collects the tests of a program, and runs them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test.h"

#include <stdlib.h>

enum { MOST = 128 };

static struct entry {
  struct CMUnitTest test;
  int line;
} entries[MOST];
static size_t n;

void test_add(const struct CMUnitTest *test, int line)
{
  if (n == MOST)
    abort();
  entries[n++] = (struct entry){*test, line};
}

static int by_line(const void *left, const void *right)
{
  const struct entry *a = left, *b = right;
  return (a->line > b->line) - (a->line < b->line);
}

int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
  struct CMUnitTest tests[MOST];
  qsort(entries, n, sizeof *entries, by_line);
  for (size_t i = 0; i < n; i++)
    tests[i] = entries[i].test;
  return _cmocka_run_group_tests("tests", tests, n, setup, teardown);
}
