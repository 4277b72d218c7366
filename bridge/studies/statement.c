/* Statements: their checks, verdicts, and tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statement.h"

#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ── from a file ───────────────────────────────────────────────────────────── */

static const char **field_of(struct study_statement *s, const char *key)
{
  const struct {
    const char *key, **field;
  } fields[] = {{"statement", &s->name},
                {"where", &s->where},
                {"says", &s->says},
                {"criterion", &s->criterion},
                {"note", &s->note}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (!strcmp(fields[i].key, key))
      return fields[i].field;
  return NULL;
}

static int read_lines(struct study_statements *statements, const char *path, struct hd_error *err)
{
  for (char *line = statements->text, *next; line && *line; line = next) {
    if ((next = strchr(line, '\n')))
      *next++ = '\0';
    if (!*line || *line == '#')
      continue;
    char *words = strstr(line, ": ");
    if (words)
      *words = '\0';
    if (!strcmp(line, "statement")) {
      HD_XROOM(statements->all, statements->capacity, statements->n, 1);
      statements->all[statements->n++] = (struct study_statement){0};
    }
    const char **field =
        words && statements->n ? field_of(&statements->all[statements->n - 1], line) : NULL;
    if (!field)
      return hd_fail(err, HD_E_INPUT, "%s: '%s' is no field of a statement", path, line);
    *field = words + 2;
  }
  return 0;
}

/* Calls the judge of a statement. False: it has none. */
static bool judge(struct study_statement *s, const struct study_judge *const *tables,
                  const void *results)
{
  for (; *tables; tables++)
    for (const struct study_judge *j = *tables; j->statement; j++)
      if (!strcmp(j->statement, s->name)) {
        j->judge(results, s);
        return true;
      }
  return false;
}

int study_statements_judge(struct study_statements *statements, const char *room,
                           const struct study_judge *const *tables, const void *results,
                           struct hd_error *err)
{
  char root[PATH_MAX], path[PATH_MAX + 100];
  size_t length, judges = 0;
  *statements = (struct study_statements){0};
  int status = hd_install_root(root, sizeof root, err);
  snprintf(path, sizeof path, "%s/bridge/studies/%s/statements.txt", root, room);
  if (!status)
    status = hd_file_read(path, &statements->text, &length, err);
  if (!status)
    status = read_lines(statements, path, err);
  for (uint32_t i = 0; !status && i < statements->n; i++)
    if (!judge(&statements->all[i], tables, results))
      status = hd_fail(err, HD_E_INPUT, "%s: nothing judges %s", path, statements->all[i].name);
  for (const struct study_judge *const *table = tables; *table; table++)
    for (const struct study_judge *j = *table; j->statement; j++)
      judges++;
  if (!status && judges != statements->n)
    status = hd_fail(err, HD_E_INPUT, "%s: %" PRIu32 " statements, and %zu judges", path,
                     statements->n, judges);
  return status;
}

void study_statements_fini(struct study_statements *statements)
{
  for (uint32_t i = 0; i < statements->n; i++)
    free(statements->all[i].checks);
  free(statements->all);
  free(statements->text);
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

void study_statements_add(const struct study_statements *statements, bool quick,
                          struct hd_text *text)
{
  for (uint32_t i = 0; i < statements->n; i++)
    write_statement(&statements->all[i], quick, text);
}

void study_overview(const struct study_statements *statements, bool quick, struct hd_text *text)
{
  hd_text_add(text, "| statement | where | verdict | checks that hold |\n|---|---|---|---|\n");
  for (const struct study_statement *s = statements->all; s < statements->all + statements->n;
       s++) {
    uint32_t held = 0;
    for (uint32_t c = 0; c < s->n_checks; c++)
      held += s->checks[c].holds;
    hd_text_add(text, "| %s | %s | **%s** | %" PRIu32 " of %" PRIu32 " |\n", s->name, s->where,
                study_verdict(s, quick), held, s->n_checks);
  }
}

/* ── CSV ───────────────────────────────────────────────────────────────────── */

void study_statements_csv(const struct study_statements *statements, bool quick,
                          struct hd_text *all, struct hd_text *checks)
{
  hd_text_add(all, "\"statement\",\"verdict\",\"where\",\"says\",\"criterion\",\"note\"\n");
  hd_text_add(checks, "\"statement\",\"check\",\"measured\",\"asked\",\"holds\"\n");
  for (const struct study_statement *s = statements->all; s < statements->all + statements->n;
       s++) {
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
