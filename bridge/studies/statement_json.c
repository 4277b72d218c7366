/* Statements as JSON, and report.json.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "study.h"

#include "../render/render.h"

#include <math.h>

static json_t *number_of(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *check_of(const struct hd_study_check *c)
{
  return json_pack("{s:s,s:o,s:o,s:o,s:o,s:b}", "what", c->what, "paper", number_of(c->paper),
                   "measured", number_of(c->known ? c->value : NAN), "at least", number_of(c->low),
                   "at most", number_of(c->high), "holds", c->holds);
}

static json_t *statement_of(const struct hd_study_statement *s)
{
  json_t *checks = json_array();
  for (uint32_t i = 0; i < s->n_checks; i++)
    json_array_append_new(checks, check_of(&s->checks[i]));
  return json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s?,s:s,s:o}", "name", s->name, "where", s->where,
                   "says", s->says, "criterion", s->criterion, "note", s->note, "missing",
                   s->missing, "verdict", s->verdict, "checks", checks);
}

static json_t *statements_of(const struct hd_study_statements *statements)
{
  json_t *all = json_array();
  for (uint32_t i = 0; i < statements->n; i++)
    json_array_append_new(all, statement_of(&statements->all[i]));
  return all;
}

int hd_study_report_json(const struct hd_study_judged *study, struct hd_error *err)
{
  const struct hd_study_arguments *how = study->how;
  const struct hd_study_report *report = study->program->report;
  json_t *more = report->more ? report->more(study->program->results) : NULL;
  json_t *all =
      json_pack("{s:b,s:b,s:b,s:o}", "quick", how->quick, "part", how->quick || how->part,
                "interrupted", how->interrupted, "statements", statements_of(study->statements));
  if (all && more && json_object_update(all, more)) {
    json_decref(all);
    all = NULL;
  }
  json_decref(more);
  return hd_json_write(how->out, "report.json", all, JSON_REAL_PRECISION(10), err);
}
