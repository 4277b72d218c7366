/* Tests that register themselves: a test program has no list of them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program of such tests needs no main(): lib/run_registered.c has one. One that wants a fixture for all of them calls
 * tests_run from its own.
 */
#ifndef HD_TEST_H
#define HD_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/** TEST(what_it_proves) { … }. Tests run in the order of their lines. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/** With a fixture of its own. */
#define TEST_WITH(name, setup, teardown)                                          \
  static void name(void **state);                                                 \
  __attribute__((constructor)) static void name##_is_there(void)                  \
  {                                                                               \
    test_add(&(struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__); \
  }                                                                               \
  static void name(void **state __attribute__((unused)))

/** Copies the test. */
void test_add(const struct CMUnitTest *test, int line);

/** Runs all tests; fixtures of the group may be NULL. Returns how many failed: the exit code. */
int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
