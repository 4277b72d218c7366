/* Barriers in a run's report; for bridge/report/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_BARRIERS_H
#define HD_REPORT_BARRIERS_H

#include "report.h"

/** Rows of the table, each with `row(text, name)` in front; nothing without barriers. */
void hd_report_barrier_rows(const struct hd_run_report *report, struct hd_text *text,
                            void (*row)(struct hd_text *text, const char *name));

/** A member for each group; and flits by kind. NULL when out of memory. */
json_t *hd_report_barriers_json(const struct hd_run_report *report);
json_t *hd_report_flits_json(const struct hd_run_report *report);

/** Columns of report.csv, over all groups: names, and values. */
extern const char hd_report_barrier_columns[];
void hd_report_barrier_values(const struct hd_run_report *report, struct hd_text *text);

#endif
