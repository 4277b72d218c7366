/* A run's results as table, JSON, CSV and JUnit XML.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "results.h"

/** The table for people: aligned text, ended by a newline. */
void hd_report_table(const struct hd_run_report *report, struct hd_text *text);

/** A sentence without its full stop: that a member is cut off. */
void hd_report_unreachable(const struct hd_unreachable *cut, struct hd_text *text);

/** Adds "7 packets, 1 barrier message", and which switches dropped messages for lack of a way or of
 *  room. */
void hd_report_lost(const struct hd_run_report *report, struct hd_text *text);

/** report.json; NULL when out of memory. */
json_t *hd_report_json(const struct hd_run_report *report);

/** A table of results as CSV: a line of names, a line for each row. */
void hd_report_csv(const struct hd_run_report *report, const struct hd_result_table *table,
                   struct hd_text *text);

/** JUnit XML: one suite, one case for each thing that a run can fail in. */
void hd_report_junit(const struct hd_run_report *report, struct hd_text *text);

/** Writes report.json, results.xml and the CSV files of all tables that apply into `directory`.
 *  HD_E_IO. */
int hd_report_write(const struct hd_run_report *report, const char *directory,
                    struct hd_error *err);

/** Makes latency.svg from `directory`'s latency.csv. HD_E_TOOL without gnuplot. */
int hd_report_plot(const char *directory, struct hd_error *err);

/** Adds " --dut …" to a command on a recorded run, where its DUT is a shared object: replay and wave
 *  load none that is not said. */
void hd_report_add_dut(const struct hd_run_report *report, struct hd_text *command);

#endif
