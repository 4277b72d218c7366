/* Writes the files of a study: report.md, report.json, and tables and pictures for docs/.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_REPORT_H
#define HD_STUDY_REPORT_H

#include "statement.h"

struct json_t;
struct hd_study_arguments;
struct hd_study_program;

/** A part of report.md after the statements. With --docs, its tables are also written as
 *  SECTION.csv, SECTION-2.csv, … */
struct hd_study_part {
  const char *section;
  const char *heading;
  const char *picture; /* NAME.svg beside report.md; NULL: none */
  /** Adds the part's text in Markdown. */
  void (*add)(const void *results, struct hd_text *text);
};

struct hd_study_report {
  const char *title;                 /* such as "The barrier paper" */
  const char *left;                  /* part of a sentence: what a quick run leaves out */
  const char *about, *about_quick;   /* sentences about the report; about_quick may be NULL */
  const struct hd_study_part *parts; /* [n_parts] */
  size_t n_parts;
  struct json_t *(*more)(const void *results); /* further members of report.json; NULL: none */
  /** Writes the study's other files into `directory`. */
  int (*files)(const void *results, const char *directory, struct hd_error *err);
  const char *written; /* names of all files, for the last line that is printed */
};

/** A study that was carried out and judged. */
struct hd_study_judged {
  const struct hd_study_program *program;
  const struct hd_study_arguments *how;
  const struct hd_study_statements *statements;
};

/** Writes report.md, report.json, the other files and, with --docs, those of the documentation,
 *  to the directories that `how` names. Prints the verdicts. Both reports say whether the study
 *  was interrupted. Errors: HD_E_IO, HD_E_INPUT. */
int hd_study_report_write(const struct hd_study_judged *study, struct hd_error *err);

/** Writes statements.csv, checks.csv and the tables of all parts as CSV into how->docs. Pictures
 *  NAME.svg that are there are replaced by those of how->out. Errors: HD_E_INPUT (a line or
 *  section has more than fits), HD_E_IO. */
int hd_study_report_docs(const struct hd_study_judged *study, struct hd_error *err);

/** Writes report.json. Errors: HD_E_IO. */
int hd_study_report_json(const struct hd_study_judged *study, struct hd_error *err);

#endif
