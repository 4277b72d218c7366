/* Statements as JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statement.h"

#include <jansson.h>

static json_t *check_of(const struct study_check *c)
{
  return json_pack("{s:s,s:o,s:s,s:f,s:b}", "what", c->what, "measured",
                   c->known ? json_real(c->value) : json_null(), "asked",
                   c->sense == STUDY_AT_MOST ? "at most" : "at least", "bound", c->bound, "holds",
                   c->holds);
}

static json_t *statement_of(const struct study_statement *s)
{
  json_t *checks = json_array();
  for (uint32_t i = 0; i < s->n_checks; i++)
    json_array_append_new(checks, check_of(&s->checks[i]));
  return json_pack("{s:s,s:s,s:s,s:s,s:s?,s:s,s:o}", "name", s->name, "where", s->where, "says",
                   s->says, "criterion", s->criterion, "note", s->note, "verdict", study_verdict(s),
                   "checks", checks);
}

json_t *study_statements_json(const struct study_statement *statements, uint32_t n)
{
  json_t *all = json_array();
  for (uint32_t i = 0; i < n; i++)
    json_array_append_new(all, statement_of(&statements[i]));
  return all;
}
