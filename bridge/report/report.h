/* Writes a run's results as table, JSON, CSV and JUnit XML.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "results.h"

/** Adds the table for people: aligned text, ended by a newline. */
void hd_report_table(const struct hd_run_report *report, struct hd_text *text);

/** Adds a sentence without its full stop: a member is cut off. */
void hd_report_unreachable(const struct hd_unreachable *cut, struct hd_text *text);

/** Adds "7 packets, 1 barrier message", and which switches dropped messages because there was no
 *  way or no room. */
void hd_report_lost(const struct hd_run_report *report, struct hd_text *text);

/** Returns report.json as an object, which the caller frees; NULL: no memory. */
json_t *hd_report_json(const struct hd_run_report *report);

/** Adds a table of results as CSV: a line of names, and a line for each row. */
void hd_report_csv(const struct hd_run_report *report, const struct hd_result_table *table,
                   struct hd_text *text);

/** Adds JUnit XML: one suite, with a case for each thing that can fail in a run. */
void hd_report_junit(const struct hd_run_report *report, struct hd_text *text);

/** Writes report.json, results.xml and the CSV files of all tables that apply into `directory`.
 *  HD_E_IO. */
int hd_report_write(const struct hd_run_report *report, const char *directory,
                    struct hd_error *err);

/** Makes latency.svg from `directory`'s latency.csv. HD_E_TOOL without gnuplot. */
int hd_report_plot(const char *directory, struct hd_error *err);

/** Adds " --dut …" to a command on a recorded run if its DUT is a shared object, because replay
 *  and wave load one only if the user names it. */
void hd_report_add_dut(const struct hd_run_report *report, struct hd_text *command);

#endif
