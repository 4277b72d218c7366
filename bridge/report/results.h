/* Describes all results of a run: names, units, meaning, and the files that show each one.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One writer for each format writes all files of a run from these tables. The first table is
 * about the run itself and has one row; the others are lists: of groups, faults, recorded
 * values.
 */
#ifndef HD_RESULTS_H
#define HD_RESULTS_H

#include "../render/render.h"
#include "outcome.h"

/** The places that show a result, besides report.json, report.csv or the file of a list. The table
 * `results` of the run database has all results. */
enum {
  HD_IN_RUN =
      HD_IN_OTHERS, /* a column of the run database's table `run`, with _ for the key's dots */
  /* Known even if lockstep did not run */
  HD_IS_BEFORE_RUN = HD_IN_OTHERS << 1,
};

struct hd_result_table {
  /* Member of report.json; NULL: the table is not in it; "": its columns are members of
   * report.json itself */
  const char *key;
  const char *file; /* name of a CSV file; NULL: none */
  const char *help;
  bool by_name; /* a JSON object whose keys are the first column, instead of a list */
  const struct hd_column *columns;
  size_t n;
  bool (*applies)(const struct hd_run_report *report); /* tests whether the file is written; NULL:
                                                          always */
  void (*each)(const struct hd_run_report *report, hd_row_fn *row, void *context);
};
enum {
  HD_RESULTS_RUN,
  HD_RESULTS_STATISTICS,
  HD_RESULTS_BARRIERS,
  HD_RESULTS_FAULTS,
  HD_RESULTS_UNREACHABLE,
  HD_RESULTS_STATES,
  HD_RESULTS_PARAMETERS,
  HD_RESULTS_DUT_COUNTERS,
  HD_RESULTS_BUDGETS,
  HD_RESULTS_COVERAGE,
  HD_RESULTS_CLASSES,
  HD_RESULTS_DISTANCES,
  HD_RESULTS_ENERGY,
  HD_RESULTS_LATENCY_CSV,
  HD_RESULTS_STATISTICS_CSV,
  HD_RESULTS_BARRIERS_CSV,
  HD_RESULT_TABLES
};
extern const struct hd_result_table hd_result_tables[HD_RESULT_TABLES];

/** Returns the column whose key is `key`, of `length` characters, which must exist. */
size_t hd_result_find(const struct hd_result_table *table, const char *key, size_t length);

/** Adds a list of all results, for people, and as the tables of docs/run-database.md. */
void hd_results_text(struct hd_text *text);
void hd_results_markdown(struct hd_text *text);

#endif
