/* Statements: their checks, verdicts, and tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statement.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void study_check(struct study_statement *s, bool known, double value, enum study_sense sense,
                 double bound, const char *format, ...)
{
  va_list arguments;
  HD_XROOM(s->checks, s->cap_checks, s->n_checks, 1);
  struct study_check *check = &s->checks[s->n_checks++];
  *check = (struct study_check){.known = known, .value = value, .bound = bound, .sense = sense};
  check->holds = known && (sense == STUDY_AT_MOST ? value <= bound : value >= bound);
  va_start(arguments, format);
  vsnprintf(check->what, sizeof check->what, format, arguments);
  va_end(arguments);
}

const char *study_verdict(const struct study_statement *s, bool quick)
{
  static const char *const verdicts[][2] = {{"not measured", "QUICK: not measured"},
                                            {"agrees", "QUICK: agrees"},
                                            {"partly", "QUICK: partly"},
                                            {"disagrees", "QUICK: disagrees"}};
  uint32_t held = 0;
  bool known = s->n_checks > 0;
  for (uint32_t i = 0; i < s->n_checks; i++) {
    known = known && s->checks[i].known;
    held += s->checks[i].holds;
  }
  return verdicts[!known ? 0 : held == s->n_checks ? 1 : held ? 2 : 3][quick];
}

void study_statements_free(struct study_statement *statements, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    free(statements[i].checks);
  free(statements);
}

/* ── Markdown ──────────────────────────────────────────────────────────────── */

/* measured, asked, holds; between each two of them `between`. */
static void add_outcome(const struct study_check *c, const char *between, struct hd_text *text)
{
  if (c->known)
    hd_text_add(text, "%.4g", c->value);
  hd_text_add(text, "%s%s %.4g%s%s", between, c->sense == STUDY_AT_MOST ? "≤" : "≥", c->bound,
              between,
              !c->known  ? "not measured"
              : c->holds ? "holds"
                         : "does not hold");
}

static void write_checks(const struct study_statement *s, struct hd_text *text)
{
  hd_text_add(text, "\n| %s | measured | asked | |\n|---|---|---|---|\n", s->criterion);
  for (uint32_t i = 0; i < s->n_checks; i++) {
    hd_text_add(text, "| %s | ", s->checks[i].what);
    add_outcome(&s->checks[i], " | ", text);
    hd_text_add(text, " |\n");
  }
}

static void write_statement(const struct study_statement *s, bool quick, struct hd_text *text)
{
  hd_text_add(text, "### %s: %s\n\n%s: “%s”\n", s->name, study_verdict(s, quick), s->where,
              s->says);
  if (s->note)
    hd_text_add(text, "\n%s\n", s->note);
  write_checks(s, text);
  hd_text_add(text, "\n");
}

void study_statements(const struct study_statement *statements, uint32_t n, bool quick,
                      struct hd_text *text)
{
  for (uint32_t i = 0; i < n; i++)
    write_statement(&statements[i], quick, text);
}

void study_overview(const struct study_statement *statements, uint32_t n, bool quick,
                    struct hd_text *text)
{
  hd_text_add(text, "| statement | where | verdict | checks that hold |\n|---|---|---|---|\n");
  for (uint32_t i = 0; i < n; i++) {
    uint32_t held = 0;
    for (uint32_t c = 0; c < statements[i].n_checks; c++)
      held += statements[i].checks[c].holds;
    hd_text_add(text, "| %s | %s | **%s** | %" PRIu32 " of %" PRIu32 " |\n", statements[i].name,
                statements[i].where, study_verdict(&statements[i], quick), held,
                statements[i].n_checks);
  }
}

/* ── CSV ───────────────────────────────────────────────────────────────────── */

void study_statements_csv(const struct study_statement *statements, uint32_t n, bool quick,
                          struct hd_text *all, struct hd_text *checks)
{
  hd_text_add(all, "\"statement\",\"verdict\",\"where\",\"says\",\"criterion\",\"note\"\n");
  hd_text_add(checks, "\"statement\",\"check\",\"measured\",\"asked\",\"holds\"\n");
  for (const struct study_statement *s = statements; s < statements + n; s++) {
    const char *const fields[] = {s->name,      study_verdict(s, quick), s->where, s->says,
                                  s->criterion, s->note ? s->note : ""};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
      hd_text_add(all, "%s", i ? "," : "");
      hd_text_add_csv(all, fields[i]);
    }
    hd_text_add(all, "\n");
    for (const struct study_check *c = s->checks; c < s->checks + s->n_checks; c++) {
      hd_text_add_csv(checks, s->name);
      hd_text_add(checks, ",");
      hd_text_add_csv(checks, c->what);
      hd_text_add(checks, ",\"");
      add_outcome(c, "\",\"", checks);
      hd_text_add(checks, "\"\n");
    }
  }
}
