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

/** A number that is to be in a range, its ends included. An end that is open is infinite. */
struct hd_study_check {
  char what[120];
  double value, low, high;
  double paper; /* the paper's number, in the middle of the range; NAN: it has none */
  bool known, holds;
};

struct hd_study_statement {
  const char *name, *where, *says; /* the paper's section or figure, and its words */
  const char *criterion;           /* the measured value, and when the statement counts as true */
  const char *note;                /* remark on the comparison; may be NULL */
  const char *missing; /* what the paper does not give and a verdict needs; may be NULL */
  char verdict[48];
  struct hd_study_check *checks; /* owned */
  uint32_t n_checks;
  size_t cap_checks;
};

/** Add a check; `known` false: not measured. The second one is two-sided: a number beyond its good end does not hold,
 *  either. The third one, too: within a share of the paper's number. */
void hd_study_check(struct hd_study_statement *s, bool known, double value,
                    enum hd_study_sense sense, double bound, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void hd_study_check_within(struct hd_study_statement *s, bool known, double value, double low,
                           double high, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
void hd_study_check_near(struct hd_study_statement *s, bool known, double value, double paper,
                         double share, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/** Adds the checks of the statement with this name. */
struct hd_study_judge {
  const char *statement; /* NULL ends a table */
  void (*judge)(const void *results, struct hd_study_statement *statement);
};

struct hd_study_statements {
  struct hd_study_statement *all; /* [n] */
  uint32_t n;
  size_t capacity;
  char *text; /* the file, which the statements point into */
};

/** Reads bridge/studies/ROOM/statements.txt, and lets each statement be judged. The file has a line `FIELD: words` for
 *  each field of struct hd_study_statement, `statement` for the name, which begins a statement; empty lines, and comments
 *  after a #.
 *
 *  Verdicts: "agrees": all checks hold; "disagrees": none; "partly"; "not measured": one is not known; "cannot be judged":
 *  the paper does not give what is `missing`, whatever the checks say. `mark` begins each of them where only a part was
 *  carried out ("QUICK: agrees"); it is "" for all of it.
 *
 *  HD_E_IO, HD_E_INPUT: a line that has no field, a statement without a judge, or a judge without a statement.
 *  hd_study_statements_fini frees all in any case. */
int hd_study_statements_judge(struct hd_study_statements *statements, const char *room,
                              const struct hd_study_judge *const *tables, const void *results,
                              const char *mark, struct hd_error *err);
void hd_study_statements_fini(struct hd_study_statements *statements);

/** Adds a table of all verdicts; all statements with their checks. Markdown. */
void hd_study_overview(const struct hd_study_statements *statements, struct hd_text *text);
void hd_study_statements_add(const struct hd_study_statements *statements, struct hd_text *text);
/** Adds the rows of statements.csv, and of checks.csv, each with a head. */
void hd_study_statements_csv(const struct hd_study_statements *statements, struct hd_text *all,
                             struct hd_text *checks);

#endif
