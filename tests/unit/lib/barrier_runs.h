/* Runs of barrier programs from a scenario's text to the report; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_BARRIER_RUNS_H
#define HD_TEST_BARRIER_RUNS_H

#include "../../../bridge/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

int barrier_run(const char *text, struct hd_run_report *report);

const struct hd_run_statistic *statistic(const struct hd_run_report *r, const char *name);

/** Carries out a run that must end well; the caller frees the report. */
void barrier_run_well(const char *text, struct hd_run_report *report);

#endif
