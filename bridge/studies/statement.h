/* Statements of a paper, judged from data, and their part of a report.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_STATEMENT_H
#define HD_STUDY_STATEMENT_H

#include "../host/text.h"
#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_study_sense { STUDY_AT_MOST, STUDY_AT_LEAST };

/** Checks that a number is in a range, its ends included. An open end is infinite. */
struct hd_study_check {
  char what[120];
  double value, low, high;
  double paper; /* the paper's number, inside the range; NAN: none */
  bool known, holds;
};

struct hd_study_statement {
  const char *name, *where, *says; /* name; section or figure of the paper; the paper's words */
  const char *criterion;           /* the measured value, and when the statement counts as true */
  const char *note;                /* remark on the comparison; may be NULL */
  const char *missing;             /* facts that a verdict needs and the paper lacks; may be NULL */
  char verdict[48];
  struct hd_study_check *checks; /* owned */
  uint32_t n_checks;
  size_t cap_checks;
};

/** Add a check. If `known` is false, the value was not measured. hd_study_check has one bound.
 *  The others have two: hd_study_check_within gives them, hd_study_check_near takes a share of
 *  the paper's number to both sides. */
void hd_study_check(struct hd_study_statement *s, bool known, double value,
                    enum hd_study_sense sense, double bound, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void hd_study_check_within(struct hd_study_statement *s, bool known, double value, double low,
                           double high, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void hd_study_check_near(struct hd_study_statement *s, bool known, double value, double paper,
                         double share, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/** The function that adds the checks of the statement with this name. */
struct hd_study_judge {
  const char *statement; /* NULL ends a table */
  void (*judge)(const void *results, struct hd_study_statement *statement);
};

struct hd_study_statements {
  struct hd_study_statement *all; /* [n] */
  uint32_t n;
  size_t capacity;
  char *text; /* the file's text; the statements point into it */
};

/** Reads bridge/studies/ROOM/statements.txt, and calls the judge of each statement. A line of the
 *  file is `FIELD: words`, where FIELD is a member of struct hd_study_statement. A line
 *  `statement: NAME` begins a statement. The file may have empty lines, and comments, which begin
 *  with #.
 *
 *  Verdicts: "agrees": all checks hold; "partly": some hold; "disagrees": none holds;
 *  "not measured": the value of a check is not known; "cannot be judged": the paper does not give
 *  what is `missing`, whatever the checks are. If only a part was carried out, `mark` is put before
 *  each verdict ("QUICK: agrees"); otherwise it is "".
 *
 *  Errors: HD_E_IO; HD_E_INPUT: a line that has no field, a statement without a judge, or a judge
 *  without a statement. Call hd_study_statements_fini in any case. */
int hd_study_statements_judge(struct hd_study_statements *statements, const char *room,
                              const struct hd_study_judge *const *tables, const void *results,
                              const char *mark, struct hd_error *err);
void hd_study_statements_fini(struct hd_study_statements *statements);

/** Adds a table of all verdicts (overview), or all statements with their checks, in Markdown. */
void hd_study_overview(const struct hd_study_statements *statements, struct hd_text *text);
void hd_study_statements_add(const struct hd_study_statements *statements, struct hd_text *text);
/** Adds the rows of statements.csv and of checks.csv, with their header lines. */
void hd_study_statements_csv(const struct hd_study_statements *statements, struct hd_text *all,
                             struct hd_text *checks);

#endif
