/* Writes the files of a study: report.md, report.json, and the tables and pictures that the documentation keeps.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_REPORT_H
#define HD_STUDY_REPORT_H

#include "statement.h"

struct json_t;
struct study_arguments;

/** A part of report.md besides the statements. Its tables are also SECTION.csv, SECTION-2.csv, … in docs/. */
struct study_part {
  const char *section;
  const char *heading;
  const char *picture; /* NAME.svg beside report.md; NULL: none */
  /** Adds it, from the report's context. Markdown. */
  void (*add)(const void *context, struct hd_text *text);
};

struct study_report {
  const char *title, *command; /* "The barrier paper", "make reproduce-barrier" */
  bool quick;
  const char *left;                   /* what a quick run leaves, part of a sentence */
  const char *about;                  /* what to know of the report, sentences */
  struct study_statement *statements; /* [n], owned */
  uint32_t n;
  const struct study_part *parts; /* [n_parts] */
  size_t n_parts;
  const void *context;
  struct json_t *more; /* members of report.json besides (jansson), taken over; NULL: none */
  /** Writes its other files into `directory`. */
  int (*files)(const void *context, const char *directory, struct hd_error *err);
  const char *written; /* names of all files, as the last line says them */
};

/** Writes report.md, report.json, the other files and, if asked for, those of the documentation, where `how` says;
 *  prints the verdicts; frees the statements. Both reports say if the study was interrupted. HD_E_IO, HD_E_INPUT. */
int study_report_write(const struct study_report *report, const struct study_arguments *how,
                       struct hd_error *err);

/** Writes into the directory `dir` statements.csv, checks.csv and the tables of all parts as CSV, and copies the
 *  pictures NAME.svg that it has already anew from `out`. HD_E_INPUT (a table too wide for it), HD_E_IO. */
int study_report_docs(const struct study_report *report, const char *out, const char *dir,
                      struct hd_error *err);

/** The JSON of study_report_write. HD_E_IO. */
int study_report_json(const struct study_report *report, const struct study_arguments *how,
                      struct hd_error *err);

#endif
