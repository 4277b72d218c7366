/* The results of a run, described once: names, units, meaning and where each one stands.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every file that a run leaves is written from these tables by one writer a format. The first table is
 * of the run itself and has one row; the others are lists: of groups, faults, recorded values.
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
  HD_IS_BEFORE_RUN =
      HD_IN_OTHERS << 1, /* no result of lockstep: known of a run that did not come to one, too */
};

struct hd_result_table {
  const char
      *key; /* member of report.json; NULL: not there; "": its members are those of report.json */
  const char *file; /* name of a CSV file; NULL: none */
  const char *help;
  bool by_name; /* an object by the first column's text, not a list */
  const struct hd_column *columns;
  size_t n;
  bool (*applies)(const struct hd_run_report *report); /* is the file written? NULL: always */
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

/** The column whose key is `key`, of `length` characters; there is one. */
size_t hd_result_find(const struct hd_result_table *table, const char *key, size_t length);

/** A list of all results, for people and as the tables of docs/run-database.md. */
void hd_results_text(struct hd_text *text);
void hd_results_markdown(struct hd_text *text);

#endif
