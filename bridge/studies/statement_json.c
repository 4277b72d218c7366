/* Statements as JSON, and report.json.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include <jansson.h>
#include <stdio.h>

static json_t *check_of(const struct study_check *c)
{
  return json_pack("{s:s,s:o,s:s,s:f,s:b}", "what", c->what, "measured",
                   c->known ? json_real(c->value) : json_null(), "asked",
                   c->sense == STUDY_AT_MOST ? "at most" : "at least", "bound", c->bound, "holds",
                   c->holds);
}

static json_t *statement_of(const struct study_statement *s, bool quick)
{
  json_t *checks = json_array();
  for (uint32_t i = 0; i < s->n_checks; i++)
    json_array_append_new(checks, check_of(&s->checks[i]));
  return json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s,s:o}", "name", s->name, "where", s->where, "says",
                   s->says, "criterion", s->criterion, "note", s->note, "verdict",
                   study_verdict(s, quick), "checks", checks);
}

json_t *study_statements_json(const struct study_statement *statements, uint32_t n, bool quick)
{
  json_t *all = json_array();
  for (uint32_t i = 0; i < n; i++)
    json_array_append_new(all, statement_of(&statements[i], quick));
  return all;
}

int study_report_json(const struct study_report *report, json_t *more,
                      const struct study_arguments *how, struct hd_error *err)
{
  char path[STUDY_PATH];
  json_t *all =
      json_pack("{s:b,s:b,s:o}", "quick", report->quick, "interrupted", how->interrupted,
                "statements", study_statements_json(report->statements, report->n, report->quick));
  snprintf(path, sizeof path, "%s/report.json", how->out);
  int failed = !all || (more && json_object_update(all, more)) ||
               json_dump_file(all, path, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  json_decref(all);
  json_decref(more);
  return failed ? hd_fail(err, HD_E_IO, "%s could not be written", path) : 0;
}
