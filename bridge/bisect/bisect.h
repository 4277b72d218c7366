/* The search for the commit that broke a scenario, in the history of the RTL.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BISECT_H
#define HD_BISECT_H

#include "../host/repository.h"

#include <stdint.h>

enum hd_bisect_result {
  HD_BISECT_GOOD,   /* the scenario passes */
  HD_BISECT_BAD,    /* the scenario fails */
  HD_BISECT_SKIPPED /* no verdict: the RTL does not build, or is missing */
};

/** The file that only directories of searches have: what was tested. */
#define HD_BISECT_TESTED "tested"

/** A commit that was tested. */
struct hd_bisect_test {
  char commit[HD_REPOSITORY_ID], tree[HD_REPOSITORY_ID];
  enum hd_bisect_result result;
  int exit_code;              /* exit code of heddle run; 0: it did not run */
  char run[HD_REPOSITORY_ID]; /* the run's directory below the search's; "": there is none */
  char why[400];              /* one line; "" when it passed */
};

struct hd_bisect {
  /* The caller's: */
  const char *scenario, *good, *bad; /* the last two: revisions */
  const char *rtl_dir;
  const char *
      description; /* a router's description, a file in that directory; NULL: hd_switch.v is there */
  const char *const *options; /* options of heddle run; NULL ends the list */
  const char
      *directory;     /* absolute path of the search's directory, which is made if it is missing */
  const char *called; /* the search's directory as the user wrote it, for messages */
  const char *identity; /* describes the search: a directory with another identity is refused */
  void *context;
  bool (*stop)(void *context);
  void (*say)(void *context, const char *line); /* may be NULL */

  /* Results: */
  struct hd_repository repository;
  int lock; /* descriptor of the directory's lock; valid if `locked` */
  bool locked;
  struct hd_bisect_test *tests; /* [n_tests], in order */
  size_t n_tests, capacity;
  size_t known;     /* tests that an earlier, interrupted search has left */
  size_t first_bad; /* where `found`: of the tests */
  bool found;
  char **candidates; /* [n_candidates]; not found: one of them is the first bad commit */
  size_t n_candidates;
};

/** Searches. HD_OK: `found`, and directory/first-bad has the repository's files; HD_E_UNSUPPORTED: commits that
 *  cannot be tested are in the way; HD_E_BUDGET: `good` fails, or `bad` passes; HD_E_TOOL: one of these two
 *  cannot be tested; HD_E_INPUT, HD_E_IO (another search is at work in the directory, for one), HD_E_INTERRUPTED: the same search goes on later. */
int hd_bisect(struct hd_bisect *bisect, struct hd_error *err);
void hd_bisect_fini(struct hd_bisect *bisect);

#endif
