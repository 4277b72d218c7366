/* Writes the files of a study: report.md, report.json, and the tables and pictures that the documentation keeps.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_REPORT_H
#define HD_STUDY_REPORT_H

#include "statement.h"

struct json_t;
struct hd_study_arguments;
struct hd_study_program;

/** A part of report.md besides the statements. Its tables are also SECTION.csv, SECTION-2.csv, … in docs/. */
struct hd_study_part {
  const char *section;
  const char *heading;
  const char *picture; /* NAME.svg beside report.md; NULL: none */
  /** Adds it. Markdown. */
  void (*add)(const void *results, struct hd_text *text);
};

struct hd_study_report {
  const char *title;                 /* "The barrier paper" */
  const char *left;                  /* what a quick run leaves out; part of a sentence */
  const char *about, *about_quick;   /* sentences about the report; about_quick may be NULL */
  const struct hd_study_part *parts; /* [n_parts] */
  size_t n_parts;
  struct json_t *(*more)(const void *results); /* members of report.json besides; NULL: none */
  /** Writes its other files into `directory`. */
  int (*files)(const void *results, const char *directory, struct hd_error *err);
  const char *written; /* names of all files, as the last line says them */
};

/** A study that was carried out and judged. */
struct hd_study_judged {
  const struct hd_study_program *program;
  const struct hd_study_arguments *how;
  const struct hd_study_statements *statements;
};

/** Writes report.md, report.json, the other files and, if asked for, those of the documentation, where `how` says;
 *  prints the verdicts. Both reports say if the study was interrupted. HD_E_IO, HD_E_INPUT. */
int hd_study_report_write(const struct hd_study_judged *study, struct hd_error *err);

/** Writes into how->docs statements.csv, checks.csv and the tables of all parts as CSV, and copies the pictures
 *  NAME.svg that it has already anew from how->out. HD_E_INPUT (a table too wide for it), HD_E_IO. */
int hd_study_report_docs(const struct hd_study_judged *study, struct hd_error *err);

/** The JSON of hd_study_report_write. HD_E_IO. */
int hd_study_report_json(const struct hd_study_judged *study, struct hd_error *err);

#endif
