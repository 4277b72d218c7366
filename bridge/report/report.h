/* A run's report as table, JSON, CSV and JUnit XML.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_H
#define HD_REPORT_H

#include "outcome.h"

/** The table for people: aligned text, ended by a newline. */
void hd_report_table(const struct hd_run_report *report, struct hd_text *text);

/** A sentence without its full stop: that a fault struck, or did not; that a member is cut off. */
void hd_report_fault(const struct hd_fault_state *fault, struct hd_text *text);
void hd_report_unreachable(const struct hd_unreachable *cut, struct hd_text *text);

/** "7 packets, 1 barrier message", and who dropped messages for want of a way. */
void hd_report_lost(const struct hd_run_report *report, struct hd_text *text);

/** The table's lines about faults, and the lists of report.json (report_fault.c). */
void hd_report_faults(const struct hd_run_report *report, struct hd_text *text);
json_t *hd_report_faults_json(const struct hd_run_report *report);
json_t *hd_report_unreachable_json(const struct hd_run_report *report);

/** report.json; NULL when out of memory. */
json_t *hd_report_json(const struct hd_run_report *report);

/** report.csv: a line of names, a line of values. */
void hd_report_csv(const struct hd_run_report *report, struct hd_text *text);

/** JUnit XML: one suite, one case for each thing that a run can fail in. */
void hd_report_junit(const struct hd_run_report *report, struct hd_text *text);

/** Latencies and how many packets had each: two columns, for plots and histograms. */
void hd_report_latencies(const struct hd_run_report *report, struct hd_text *text);

/** Every barrier but the groups' first: group, cycle in which it was over, how long it took. */
void hd_report_barriers(const struct hd_run_report *report, struct hd_text *text);

/** Every value that software recorded: name, cycle, value. */
void hd_report_statistics(const struct hd_run_report *report, struct hd_text *text);

/** Writes report.json, report.csv, latency.csv, results.xml and, where software recorded any,
 *  statistics.csv, where there were barriers barriers.csv into `directory`. HD_E_IO. */
int hd_report_write(const struct hd_run_report *report, const char *directory,
                    struct hd_error *err);

/** Makes latency.svg from `directory`'s latency.csv. HD_E_TOOL without gnuplot. */
int hd_report_plot(const char *directory, struct hd_error *err);

/** The first cycle behind the measuring phase, which begins with warmup_cycles: the one behind that in
 *  which the last packet was created, as the drain is no load; where software waits for packets, the
 *  run's end. */
uint64_t hd_report_measured_until(const struct hd_run_report *report);

/** Flits received a node and cycle in the measuring phase. */
double hd_report_throughput(const struct hd_run_report *report);

/** Cycles that packets and latencies are from: those that agreed, or all of the model alone. */
uint64_t hd_report_cycles(const struct hd_run_report *report);

/** "proved", "sampled"; NULL where nothing was left out on quiescent_o's word. */
const char *hd_report_quiescence(const struct hd_run_report *report);

/** Share of compared switch-cycles that the DUT really evaluated, in percent;
 *  negative when it cannot be told, because a window was evaluated that did not count. */
double hd_report_evaluated(const struct hd_run_report *report);

/** Adds " --dut …" to a command on a recorded run, where its DUT is a shared object: replay and wave
 *  load none that is not said. */
void hd_report_add_dut(const struct hd_run_report *report, struct hd_text *command);

#endif
