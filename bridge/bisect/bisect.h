/* Searches the history of the RTL for the commit that broke a scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BISECT_H
#define HD_BISECT_H

#include "../host/repository.h"

#include <stdint.h>

enum hd_bisect_result {
  HD_BISECT_GOOD,   /* the scenario passes */
  HD_BISECT_BAD,    /* the scenario fails */
  HD_BISECT_SKIPPED /* no verdict: the RTL is missing or does not build, or heddle run failed */
};

/** File with the tested commits, by which a search's directory is recognized. */
#define HD_BISECT_TESTED "tested"

/** A commit that was tested. */
struct hd_bisect_test {
  char commit[HD_REPOSITORY_ID], tree[HD_REPOSITORY_ID];
  enum hd_bisect_result result;
  int exit_code;              /* of heddle run; 0: the scenario passed, or it did not run */
  char run[HD_REPOSITORY_ID]; /* directory of the run, inside the search's; "": there is none */
  char why[400];              /* one line; "" if it passed */
};

struct hd_bisect {
  /* Set by the caller. */
  const char *scenario, *good, *bad; /* good, bad: revisions */
  const char *rtl_dir;
  const char *description;    /* a router's description in rtl_dir; NULL: it has hd_switch.v */
  const char *const *options; /* options of heddle run, ended by NULL */
  /* Absolute path of the search's directory, which is made if it is missing. */
  const char *directory;
  const char *directory_as_given; /* that directory as the user wrote it, for messages */
  const char *identity; /* describes the search, one line; another search's directory is refused */
  void *context;
  bool (*stop)(void *context);
  void (*say)(void *context, const char *line); /* may be NULL */

  /* Results. */
  struct hd_repository repository;
  int lock; /* descriptor of the directory's lock, valid if `locked` */
  bool locked;
  struct hd_bisect_test *tests; /* [n_tests], in order */
  size_t n_tests, capacity;
  size_t given_bad; /* index of `bad` in `tests`, if `found` */
  size_t first_bad; /* index of the first bad commit in `tests`, if `found` */
  bool found;
  char **candidates; /* [n_candidates]: if not `found`, one of them is the first bad commit */
  size_t n_candidates;
};

/** Searches. If it succeeds, `found` is set, and directory/first-bad has the files of the first
 *  bad commit. Errors: HD_E_UNSUPPORTED: the search ends at commits that cannot be tested;
 *  HD_E_BUDGET: `good` fails, or `bad` passes; HD_E_TOOL: `good` or `bad` cannot be tested;
 *  HD_E_INPUT; HD_E_IO, also if another search uses the directory; HD_E_INTERRUPTED: a later
 *  call continues the search. Call hd_bisect_fini in any case. */
int hd_bisect(struct hd_bisect *bisect, struct hd_error *err);
void hd_bisect_fini(struct hd_bisect *bisect);

#endif
