/* The stage of a check that has the original switch beside the changed one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_STRESS_H
#define HD_CHECK_STRESS_H

#include "check_internal.h"

/** Finds the original: params->against, or Heddle's own RTL; and whether the RTL is the same text. HD_E_INPUT, HD_E_IO. */
int hd_check_find_original(struct hd_check *check, struct hd_error *err);

/** How many runs there are, 0 where the RTL is the original's; and the run of that number. Each set comes before any
 *  comes again with another seed. */
uint32_t hd_check_stress_runs(const struct hd_check *check);
struct check_run hd_check_stress_run(struct hd_check *check, uint32_t index);
/** The run into that switch of `end_set`; its number is above those of the others. */
struct check_run hd_check_stress_end(const struct hd_check *check, uint32_t end);
/** Carries out only run params->stress. HD_E_INPUT: no run has that number; HD_E_NOTHING: there is no original. */
int hd_check_only_stress(struct hd_check *check, struct hd_error *err);

/** Adds what a run says to the check. */
void hd_check_take_stress(struct hd_check *check, const struct hd_task_outcome *outcome);

void hd_check_run_stress(struct hd_check *check, const struct check_run *run,
                         struct hd_task_outcome *outcome);

/** Records the inputs that a run gave the switches until they differed; the caller destroys the tape. */
int hd_check_stress_record(struct hd_check *check, const struct check_run *run,
                           struct hd_tape **tape, struct hd_error *err);

#endif
