/* The stage of a check that compares the changed switch with the original at one bench.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_STRESS_H
#define HD_CHECK_STRESS_H

#include "check_internal.h"

/** Finds the original, which is params->against or Heddle's own RTL, and whether the RTL has the same text. HD_E_INPUT,
 *  HD_E_IO. */
int hd_check_find_original(struct hd_check *check, struct hd_error *err);

/** The number of runs; 0 where the RTL is the original's. */
uint32_t hd_check_stress_runs(const struct hd_check *check);
/** Run number `index`. All sets come once before a set comes again with another seed. */
struct check_run hd_check_stress_run(struct hd_check *check, enum check_kind kind, uint32_t index);
/** The run with switch number `end` of `end_set`; it has a higher number than all other runs. */
struct check_run hd_check_stress_end(const struct hd_check *check, uint32_t end);
/** Makes run params->stress the only one of the check. HD_E_INPUT: no run has that number; HD_E_NOTHING: the RTL is the
 *  original's, or no switch can be stressed. */
int hd_check_only_stress(struct hd_check *check, struct hd_error *err);

/** Takes the results of a run. */
void hd_check_merge_stress(struct hd_check *check, const struct hd_task_outcome *outcome);

void hd_check_run_stress(struct hd_check *check, const struct check_run *run,
                         struct hd_task_outcome *outcome);

/** Repeats a run, and records the inputs of the segment in which the switches differ; the caller destroys the tape. */
int hd_check_stress_record(struct hd_check *check, const struct check_run *run,
                           struct hd_tape **tape, struct hd_error *err);

#endif
