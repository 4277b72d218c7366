/* report.md, and the verdicts for who looks on.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include "../host/file.h"

#include <stdio.h>

static void add_page(const struct study_report *report, bool interrupted, struct hd_text *page)
{
  hd_text_add(page, "# %s, reproduced\n\nMade by %s", report->title, report->command);
  if (report->quick)
    hd_text_add(page, " QUICK=1, %s", report->left);
  hd_text_add(page, ". %s\n\n", report->about);
  if (report->quick)
    hd_text_add(page, "**QUICK**: verdicts are on that part alone, and the whole study may have "
                      "others.\n\n");
  if (interrupted)
    hd_text_add(page,
                "**Interrupted**: not all runs have ended. What follows is of those that have. "
                "The same command goes on.\n\n");
  study_overview(report->statements, report->n, report->quick, page);
  hd_text_add(page, "\n## Statements\n\n");
  study_statements(report->statements, report->n, report->quick, page);
  for (size_t i = 0; i < report->n_parts; i++) {
    const struct study_part *part = &report->parts[i];
    hd_text_add(page, "## %s\n\n", part->heading);
    if (part->picture)
      hd_text_add(page, "![%s](%s.svg)\n\n", part->picture, part->picture);
    part->add(report->context, page);
  }
}

int study_report_write(const struct study_report *report, const struct study_arguments *how,
                       struct hd_error *err)
{
  struct hd_text page = {0};
  add_page(report, how->interrupted, &page);
  int status = study_report_json(report, how, err);
  int written = hd_text_write(how->out, "report.md", &page, status ? NULL : err);
  status = status ? status : written;
  if (!status && report->quick)
    printf("QUICK, %s: verdicts are on that alone, and the whole study may have others\n",
           report->left);
  for (uint32_t i = 0; !status && i < report->n; i++)
    printf("%-32s %s\n", report->statements[i].name,
           study_verdict(&report->statements[i], report->quick));
  if (!status)
    status = report->files(report->context, how->out, err);
  if (!status && how->docs)
    status = study_report_docs(report, how->out, how->docs, err);
  study_statements_free(report->statements, report->n);
  if (!status)
    printf("%s/%s\n", how->out, report->written);
  return status;
}
