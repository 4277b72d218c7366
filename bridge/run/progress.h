/* Reports how far a run is, at most twice a second.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRESS_H
#define HD_PROGRESS_H

#include "run.h"

/** The time at which a run began, and the time of the last message. */
struct hd_progress {
  double started, reported;
  uint64_t reported_cycle;
};

void hd_progress_start(struct hd_progress *progress);

/** Reports by options->progress, if it is set, that `cycle` of at most `cycles` is reached. At most
 *  twice a second. */
void hd_progress_report(struct hd_progress *progress, const struct hd_run_options *options,
                        uint64_t cycle, uint64_t cycles, uint32_t n_switches);

#endif
