/* Statements as JSON, and report.json.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include "../render/render.h"

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

static json_t *statements_of(const struct study_statement *statements, uint32_t n, bool quick)
{
  json_t *all = json_array();
  for (uint32_t i = 0; i < n; i++)
    json_array_append_new(all, statement_of(&statements[i], quick));
  return all;
}

int study_report_json(const struct study_report *report, const struct study_arguments *how,
                      struct hd_error *err)
{
  json_t *all =
      json_pack("{s:b,s:b,s:o}", "quick", report->quick, "interrupted", how->interrupted,
                "statements", statements_of(report->statements, report->n, report->quick));
  if (all && report->more && json_object_update(all, report->more)) {
    json_decref(all);
    all = NULL;
  }
  json_decref(report->more);
  return hd_json_write(how->out, "report.json", all, JSON_REAL_PRECISION(10), err);
}
