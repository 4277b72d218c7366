/* Runs from a scenario's text to the report, in a directory that is removed afterwards; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_RUNS_H
#define HD_TEST_RUNS_H

#include "../../../bridge/run/run.h"

#include "test.h"

/** Carries out a run. `options` name all but the directory. Returns its status; its message is in `why`. The caller frees
 *  the report. */
int run_options(struct hd_run_options options, struct hd_run_report *report);

/** Carries out the run of a scenario. */
int run_text(const char *text, struct hd_run_report *report);

const struct hd_run_statistic *statistic(const struct hd_run_report *r, const char *name);

/** Carries out a run that must end well; the caller frees the report. */
void run_text_well(const char *text, struct hd_run_report *report);

#endif
