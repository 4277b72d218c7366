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

static json_t *statements_of(const struct study_statements *statements, bool quick)
{
  json_t *all = json_array();
  for (uint32_t i = 0; i < statements->n; i++)
    json_array_append_new(all, statement_of(&statements->all[i], quick));
  return all;
}

int study_report_json(const struct study_judged *study, struct hd_error *err)
{
  const struct study_arguments *how = study->how;
  const struct study_report *report = study->program->report;
  json_t *more = report->more ? report->more(study->program->results) : NULL;
  json_t *all = json_pack("{s:b,s:b,s:o}", "quick", how->quick, "interrupted", how->interrupted,
                          "statements", statements_of(study->statements, how->quick));
  if (all && more && json_object_update(all, more)) {
    json_decref(all);
    all = NULL;
  }
  json_decref(more);
  return hd_json_write(how->out, "report.json", all, JSON_REAL_PRECISION(10), err);
}
