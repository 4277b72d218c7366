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
  int exit_code;              /* of heddle run; 0 where it did not run */
  char run[HD_REPOSITORY_ID]; /* directory in that of the search; "": there is none */
  char why[400];              /* one line; "" when it passed */
};

struct hd_bisect {
  /* The caller's: */
  const char *scenario, *good, *bad; /* the last two: revisions */
  const char *rtl_dir;
  const char *description; /* of a router, a file in that directory; NULL: hd_switch.v is there */
  const char *const *options; /* for heddle run, NULL behind the last */
  const char *directory;      /* of the search, absolute; made where it is not there */
  const char *called;         /* the same as the user names it, for messages */
  const char *identity; /* a line that says what is searched for: another one is not gone on with */
  void *context;
  bool (*stop)(void *context);
  void (*say)(void *context, const char *line); /* may be NULL */

  /* Results: */
  struct hd_repository repository;
  int lock; /* of the directory; where `locked` */
  bool locked;
  struct hd_bisect_test *tests; /* [n_tests], in order */
  size_t n_tests, capacity;
  size_t known;     /* of them, of an earlier search that was interrupted */
  size_t first_bad; /* where `found`: of the tests */
  bool found;
  char **candidates; /* [n_candidates], where not found: the first bad commit is one of them */
  size_t n_candidates;
};

/** Searches. HD_OK: `found`, and directory/first-bad has the repository's files; HD_E_UNSUPPORTED: commits that
 *  cannot be tested are in the way; HD_E_BUDGET: `good` fails, or `bad` passes; HD_E_TOOL: one of these two
 *  cannot be tested; HD_E_INPUT, HD_E_IO (another search is at work in the directory, for one), HD_E_INTERRUPTED: the same search goes on later. */
int hd_bisect(struct hd_bisect *bisect, struct hd_error *err);
void hd_bisect_fini(struct hd_bisect *bisect);

#endif
