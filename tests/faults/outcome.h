/* Outcome of each fault, and the score made from it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_OUTCOME_H
#define HD_FAULTS_OUTCOME_H

#include "rig.h"

#include "../../bridge/campaign/campaign.h"

#include <stdio.h>

enum verdict {
  VERDICT_NONE,       /* not tried */
  VERDICT_FOUND,      /* a divergence, at one place in both modes */
  VERDICT_TWO_PLACES, /* a divergence, but closed loop has it elsewhere */
  VERDICT_SURVIVED,   /* no difference */
  VERDICT_FAILED,     /* something went wrong: see text */
};

struct outcome {
  enum verdict verdict;
  int status; /* error status, if verdict is VERDICT_FAILED */
  char name[64], rig[16], what[160];
  struct finding finding;
  char stimulus[24]; /* storage of finding.stimulus, if another process found it */
  double seconds;
  char text[600]; /* message of a failure */
};

struct score {
  unsigned found, missed, failed, untried;
};

/** Judges a finding; `status` and `err` are those of rig_try. */
void outcome_judge(struct outcome *outcome, int status, const struct hd_error *err);

/** Write a verdict and its reasons in the process that judged, read them in the one that counts. */
void outcome_put(const struct outcome *outcome, struct hd_task_outcome *to);
void outcome_take(struct outcome *outcome, const struct hd_task_outcome *from);

/** Prints one line of the table. */
void outcome_print(const struct outcome *outcome, FILE *out);

/** Counts verdicts; prints the sum. */
struct score outcomes_score(const struct outcome *outcomes, size_t n, FILE *out);

/** Writes faults.json and faults.csv in the directory. HD_E_IO. */
int outcomes_write(const struct outcome *outcomes, size_t n, const char *directory, uint64_t seed,
                   struct hd_error *err);

#endif
