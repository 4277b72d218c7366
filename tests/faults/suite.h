/* The fault suite: what its parts share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_SUITE_H
#define HD_FAULTS_SUITE_H

#include "outcome.h"

#include "../../bridge/studies/study.h"

struct suite {
  const char *directory; /* build/faults */
  const char *lists[7];  /* of faults; NULL: none */
  char cache[512];       /* of shared objects */
  const char *dut;       /* the backend that RTL is built for */
  uint64_t seed;         /* of the stimuli */
  unsigned jobs;
  unsigned part, parts; /* of the faults those whose number is `part` modulo `parts` */
  bool alone;           /* each fault is planted by itself */
  const char *only;     /* NULL: all; otherwise what a name must contain */
  volatile int *stop;   /* not 0: interrupted */
};

bool suite_wants(const struct suite *suite, const char *name);

/** Carries tasks out, suite->jobs at a time, but for those that ended in an earlier call. 0,
 *  HD_E_INTERRUPTED, what `ended` returned, HD_E_IO. */
int suite_each(const struct suite *suite, const struct hd_study_tasks *tasks, struct hd_error *err);

/** Tries every rig on RTL without a fault, counting, then the faults of suite->lists. 0 or a status. */
int run_faults(const struct suite *suite, struct score *score, unsigned *passed, unsigned *failed,
               struct hd_error *err);

#endif
