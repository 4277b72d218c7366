/* Writes report.md, and prints the verdicts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include "../host/file.h"

#include <stdio.h>

static void add_page(const struct hd_study_judged *study, struct hd_text *page)
{
  const struct hd_study_report *report = study->program->report;
  const bool quick = study->how->quick;
  hd_text_add(page, "# %s, reproduced\n\nMade by %s", report->title, study->how->study.command);
  if (quick)
    hd_text_add(page, " QUICK=1, %s", report->left);
  hd_text_add(page, ". %s\n\n", quick && report->about_quick ? report->about_quick : report->about);
  if (quick)
    hd_text_add(page, "**QUICK**: verdicts are on that part alone, and the whole study may have "
                      "others.\n\n");
  if (study->how->interrupted)
    hd_text_add(page,
                "**Interrupted**: not all runs have ended. What follows is of those that have. "
                "The same command goes on.\n\n");
  if (study->how->part && !quick)
    hd_text_add(page,
                "**PART**: options left something out. Verdicts are on the rest alone, and the "
                "whole study may have others.\n\n");
  hd_study_overview(study->statements, page);
  hd_text_add(page, "\n## Statements\n\n");
  hd_study_statements_add(study->statements, page);
  for (size_t i = 0; i < report->n_parts; i++) {
    const struct hd_study_part *part = &report->parts[i];
    hd_text_add(page, "## %s\n\n", part->heading);
    if (part->picture)
      hd_text_add(page, "![%s](%s.svg)\n\n", part->picture, part->picture);
    part->add(study->program->results, page);
  }
}

int hd_study_report_write(const struct hd_study_judged *study, struct hd_error *err)
{
  const struct hd_study_report *report = study->program->report;
  const struct hd_study_arguments *how = study->how;
  struct hd_text page = {0};
  add_page(study, &page);
  int status = hd_study_report_json(study, err);
  int written = hd_text_write(how->out, "report.md", &page, status ? NULL : err);
  status = status ? status : written;
  if (!status && how->quick)
    printf("QUICK, %s: verdicts are on that alone, and the whole study may have others\n",
           report->left);
  for (uint32_t i = 0; !status && i < study->statements->n; i++)
    printf("%-32s %s\n", study->statements->all[i].name, study->statements->all[i].verdict);
  if (!status)
    status = report->files(study->program->results, how->out, err);
  if (!status && how->docs)
    status = hd_study_report_docs(study, err);
  if (!status)
    printf("%s/%s\n", how->out, report->written);
  return status;
}
