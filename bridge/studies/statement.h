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

/** A number that is to be at most, or at least, another one. */
enum study_sense { STUDY_AT_MOST, STUDY_AT_LEAST };
struct study_check {
  char what[120];
  double value, bound;
  enum study_sense sense;
  bool known, holds;
};

struct study_statement {
  const char *name, *where, *says; /* the paper's section or figure, and its words */
  const char *criterion;           /* what is looked at, and when it counts as true */
  const char *note;                /* what to know about the comparison; may be NULL */
  struct study_check *checks;      /* owned */
  uint32_t n_checks;
  size_t cap_checks;
};

/** Adds a check; `known` false: not measured. */
void study_check(struct study_statement *s, bool known, double value, enum study_sense sense,
                 double bound, const char *format, ...) __attribute__((format(printf, 6, 7)));
/** "agrees": all checks hold; "disagrees": none; "partly"; "not measured": one is not known. Of a quick study it is
 *  marked: "QUICK: agrees". */
const char *study_verdict(const struct study_statement *statement, bool quick);
/** Frees what study_check added, and the array. */
void study_statements_free(struct study_statement *statements, uint32_t n);

/** Adds a table of all verdicts; all statements with their checks. Markdown. */
void study_overview(const struct study_statement *statements, uint32_t n, bool quick,
                    struct hd_text *text);
void study_statements(const struct study_statement *statements, uint32_t n, bool quick,
                      struct hd_text *text);
/** Adds the rows of statements.csv, and of checks.csv, each with a head. */
void study_statements_csv(const struct study_statement *statements, uint32_t n, bool quick,
                          struct hd_text *all, struct hd_text *checks);

#endif
