/* Writes the files of a study: report.md, report.json, and the generated parts of its page of the documentation.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_REPORT_H
#define HD_STUDY_REPORT_H

#include "statement.h"

struct json_t;
struct study_arguments;

/** A part of report.md besides the statements, and a section of the page. */
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
  const char *left;                         /* what a quick run leaves, part of a sentence */
  const char *about;                        /* what to know of the report, sentences */
  const struct study_statement *statements; /* [n] */
  uint32_t n;
  const struct study_part *parts; /* [n_parts] */
  size_t n_parts;
  const void *context;
};

/** A section: overview, statements, or that of a part. Markdown. False: there is none. */
bool study_section(const struct study_report *report, const char *name, struct hd_text *text);

/** Writes report.md and report.json, where `how` says; the latter also has the members of `more` (jansson, taken
 *  over; NULL: none). Both say if the study was interrupted. Prints the verdicts. HD_E_IO, HD_E_NOMEM. */
int study_report_write(const struct study_report *report, struct json_t *more,
                       const struct study_arguments *how, struct hd_error *err);

/** Makes the made sections of a page of the documentation anew: what stands between a line
 *  `<!-- made: SECTION -->` and the next line `<!-- end -->`. Pictures that the page shows as
 *  reproduction/FIGURE.svg are copied from `out`, with the licence's line. HD_E_INPUT (as for a section that there is not), HD_E_IO,
 *  HD_E_NOMEM. */
int study_report_docs(const struct study_report *report, const char *out, const char *page,
                      struct hd_error *err);

/** The JSON of study_report_write. Takes `more` over. HD_E_IO. */
int study_report_json(const struct study_report *report, struct json_t *more,
                      const struct study_arguments *how, struct hd_error *err);

#endif
