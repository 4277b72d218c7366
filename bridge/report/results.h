/* The results of a run, described once: names, units, meaning and where each one stands.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every file that a run leaves is written from these tables by one writer a format. The first table is
 * of the run itself and has one row; the others are lists: of groups, faults, recorded values.
 */
#ifndef HD_RESULTS_H
#define HD_RESULTS_H

#include "../host/value.h"
#include "outcome.h"

/** Where a result stands besides the table `results` of the run database, which has all of the run. */
enum {
  HD_IN_JSON = 1, /* report.json: at its key, of which each part before a dot is an object. Such
                           an object is null where one of its members has no value. */
  HD_IN_CSV = 2,  /* a column of report.csv, or of a list's own file */
  HD_IN_RUN = 4,  /* a column of the run database's table `run`, with _ for the key's dots */
  HD_IN_PROPERTIES = 8,  /* a property in results.xml */
  HD_IS_BEFORE_RUN = 16, /* no result of lockstep: known of a run that did not come to one, too */
};

/** One result, or one column of a list. */
struct hd_result {
  const char *key;  /* "latency.mean" */
  const char *unit; /* "cycles"; NULL: none */
  enum hd_value_type type;
  unsigned where;   /* HD_IN_… */
  const char *help; /* a sentence without its full stop */
  const char
      *none;       /* when there is no value, "no packet was measured"; NULL: there always is one */
  const char *csv; /* its column in CSV; NULL: the key, with _ for its dots */
  const char *row; /* a line of its own in the table for people; NULL: report_text.c places it, or
                       it is not there */
};

/** Called with the values of a row, one a column; they are borrowed for the call. */
typedef void hd_result_row(void *context, const struct hd_value *values);

struct hd_result_table {
  const char
      *key; /* member of report.json; NULL: not there; "": its members are those of report.json */
  const char *file; /* a CSV of its own; NULL: none */
  const char *help;
  bool by_name; /* an object by the first column's text, not a list */
  const struct hd_result *columns;
  size_t n;
  bool (*applies)(const struct hd_run_report *report); /* is the file written? NULL: always */
  void (*each)(const struct hd_run_report *report, hd_result_row *row, void *context);
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
