/* Tests that register themselves, and checks that all tests share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A test program has no list of its tests. It needs no main() either: lib/run_registered.c has one. A program with a
 * fixture for all its tests calls tests_run from its own main().
 */
#ifndef HD_TEST_H
#define HD_TEST_H

#include "../../../cmodel/error.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/** TEST(what_it_proves) { … }. Tests run in the order of their lines. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/** A test with a fixture of its own. */
#define TEST_WITH(name, setup, teardown)                                          \
  static void name(void **state);                                                 \
  __attribute__((constructor)) static void name##_is_there(void)                  \
  {                                                                               \
    test_add(&(struct CMUnitTest){#name, name, setup, teardown, NULL}, __LINE__); \
  }                                                                               \
  static void name(void **state __attribute__((unused)))

/** CLEANUP(hd_text_fini) struct hd_text text = {0}; calls hd_text_fini(&text) when the block ends, but not when a
 *  check in it fails. Several variables of a block are cleaned up in the reverse order of their declarations. */
#define CLEANUP(fini) __attribute__((cleanup(fini)))
/** CLEANUP_OF(struct hd_tape, hd_tape_destroy) defines hd_tape_destroy_at, for CLEANUP of a pointer to such a struct. */
#define CLEANUP_OF(type, destroy)                  \
  static inline void destroy##_at(type *const *at) \
  {                                                \
    destroy(*at);                                  \
  }
/** For CLEANUP of a pointer to memory of malloc. */
static inline void free_at(void *at)
{
  free(*(void **)at);
}

/** Message of the operation that failed last. Tests of one thread give &why to an operation that asks for a struct
 *  hd_error. */
extern struct hd_error why;

/** must(hd_x(…, &why)): ends the test with that message if the operation does not return 0. */
#define must(operation) test_must(operation, __FILE__, __LINE__)
/** must_fail(hd_x(…, &why), status, words): ends the test unless the operation returns `status` and its message has
 *  `words` in it. must_say: unless `words` are the whole message. */
#define must_fail(operation, status, words) must_refuse(operation, status, words, false)
#define must_say(operation, status, words) must_refuse(operation, status, words, true)
#define must_refuse(operation, status, words, whole) \
  (why.text[0] = 0, test_must_refuse(operation, status, words, whole, __FILE__, __LINE__))

void test_must(int status, const char *file, int line);
void test_must_refuse(int status, int expected, const char *text, bool whole, const char *file,
                      int line);

/** Writes a text file. */
void write_text(const char *path, const char *text);
/** Writes a text file of a new name in /tmp. */
void write_temporary(char path[64], const char *text);

/** Copies the test. */
void test_add(const struct CMUnitTest *test, int line);

/** Runs all tests; fixtures of the group may be NULL. Returns how many failed: the exit code. */
int tests_run(CMFixtureFunction setup, CMFixtureFunction teardown);

#endif
