/* Statements: their checks, verdicts, and tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "statement.h"

#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_check(struct hd_study_statement *s, struct hd_study_check check, const char *format,
                      va_list arguments)
{
  HD_XROOM(s->checks, s->cap_checks, s->n_checks, 1);
  check.holds = check.known && check.value >= check.low && check.value <= check.high;
  vsnprintf(check.what, sizeof check.what, format, arguments);
  s->checks[s->n_checks++] = check;
}

#define ADD_CHECK(s, format, ...)                                                              \
  do {                                                                                         \
    va_list arguments;                                                                         \
    va_start(arguments, format);                                                               \
    add_check(s, (struct hd_study_check){.known = known, .value = value, __VA_ARGS__}, format, \
              arguments);                                                                      \
    va_end(arguments);                                                                         \
  } while (0)

void hd_study_check(struct hd_study_statement *s, bool known, double value,
                    enum hd_study_sense sense, double bound, const char *format, ...)
{
  const bool most = sense == STUDY_AT_MOST;
  ADD_CHECK(s, format, .low = most ? -INFINITY : bound, .high = most ? bound : INFINITY,
            .paper = NAN);
}

void hd_study_check_within(struct hd_study_statement *s, bool known, double value, double low,
                           double high, const char *format, ...)
{
  ADD_CHECK(s, format, .low = low, .high = high, .paper = NAN);
}

void hd_study_check_near(struct hd_study_statement *s, bool known, double value, double paper,
                         double share, const char *format, ...)
{
  const double off = fabs(paper) * share;
  ADD_CHECK(s, format, .low = paper - off, .high = paper + off, .paper = paper);
}

static const char *verdict(const struct hd_study_statement *s)
{
  uint32_t held = 0;
  bool known = s->n_checks > 0;
  for (uint32_t i = 0; i < s->n_checks; i++) {
    known = known && s->checks[i].known;
    held += s->checks[i].holds;
  }
  return s->missing            ? "cannot be judged"
         : !known              ? "not measured"
         : held == s->n_checks ? "agrees"
         : held                ? "partly"
                               : "disagrees";
}

/* ── reading the file ──────────────────────────────────────────────────────── */

static const char **field_of(struct hd_study_statement *s, const char *key)
{
  const struct {
    const char *key, **field;
  } fields[] = {{"statement", &s->name},      {"where", &s->where}, {"says", &s->says},
                {"criterion", &s->criterion}, {"note", &s->note},   {"missing", &s->missing}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (!strcmp(fields[i].key, key))
      return fields[i].field;
  return NULL;
}

static int read_lines(struct hd_study_statements *statements, const char *path,
                      struct hd_error *err)
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
      statements->all[statements->n++] = (struct hd_study_statement){0};
    }
    const char **field =
        words && statements->n ? field_of(&statements->all[statements->n - 1], line) : NULL;
    if (!field)
      return hd_fail(err, HD_E_INPUT, "%s: '%s' is no field of a statement", path, line);
    *field = words + 2;
  }
  return 0;
}

/* Calls the judge of a statement and computes the verdict. Returns false if there is no judge. */
static bool judge(struct hd_study_statement *s, const struct hd_study_judge *const *tables,
                  const void *results, const char *mark)
{
  for (; *tables; tables++)
    for (const struct hd_study_judge *j = *tables; j->statement; j++)
      if (!strcmp(j->statement, s->name)) {
        j->judge(results, s);
        snprintf(s->verdict, sizeof s->verdict, "%s%s", mark, verdict(s));
        return true;
      }
  return false;
}

int hd_study_statements_judge(struct hd_study_statements *statements, const char *room,
                              const struct hd_study_judge *const *tables, const void *results,
                              const char *mark, struct hd_error *err)
{
  char root[PATH_MAX], path[PATH_MAX + 100];
  size_t length, judges = 0;
  *statements = (struct hd_study_statements){0};
  int status = hd_install_root(root, sizeof root, err);
  snprintf(path, sizeof path, "%s/bridge/studies/%s/statements.txt", root, room);
  if (!status)
    status = hd_file_read(path, &statements->text, &length, err);
  if (!status)
    status = read_lines(statements, path, err);
  for (uint32_t i = 0; !status && i < statements->n; i++)
    if (!judge(&statements->all[i], tables, results, mark))
      status = hd_fail(err, HD_E_INPUT, "%s: nothing judges %s", path, statements->all[i].name);
  for (const struct hd_study_judge *const *table = tables; *table; table++)
    for (const struct hd_study_judge *j = *table; j->statement; j++)
      judges++;
  if (!status && judges != statements->n)
    status = hd_fail(err, HD_E_INPUT, "%s: %" PRIu32 " statements, and %zu judges", path,
                     statements->n, judges);
  return status;
}

void hd_study_statements_fini(struct hd_study_statements *statements)
{
  for (uint32_t i = 0; i < statements->n; i++)
    free(statements->all[i].checks);
  free(statements->all);
  free(statements->text);
}

/* ── Markdown ──────────────────────────────────────────────────────────────── */

/* Adds the paper's number, the measured one, the range and whether it holds, with `between`
 * between them. */
static void add_outcome(const struct hd_study_check *c, const char *between, struct hd_text *text)
{
  if (isfinite(c->paper))
    hd_text_add(text, "%.5g", c->paper);
  hd_text_add(text, "%s", between);
  if (c->known)
    hd_text_add(text, "%.4g", c->value);
  hd_text_add(text, "%s", between);
  if (isinf(c->low))
    hd_text_add(text, "≤ %.4g", c->high);
  else if (isinf(c->high))
    hd_text_add(text, "≥ %.4g", c->low);
  else
    hd_text_add(text, "%.4g to %.4g", c->low, c->high);
  hd_text_add(text, "%s%s", between,
              !c->known  ? "not measured"
              : c->holds ? "holds"
                         : "does not hold");
}

static void write_checks(const struct hd_study_statement *s, struct hd_text *text)
{
  hd_text_add(text, "\n| %s | the paper | measured | asked | |\n|---|---|---|---|---|\n",
              s->criterion);
  for (uint32_t i = 0; i < s->n_checks; i++) {
    hd_text_add(text, "| %s | ", s->checks[i].what);
    add_outcome(&s->checks[i], " | ", text);
    hd_text_add(text, " |\n");
  }
}

static void write_statement(const struct hd_study_statement *s, struct hd_text *text)
{
  hd_text_add(text, "### %s: %s\n\n%s: “%s”\n", s->name, s->verdict, s->where, s->says);
  if (s->missing)
    hd_text_add(text, "\n**It cannot be judged**: %s\n", s->missing);
  if (s->note)
    hd_text_add(text, "\n%s\n", s->note);
  write_checks(s, text);
  hd_text_add(text, "\n");
}

void hd_study_statements_add(const struct hd_study_statements *statements, struct hd_text *text)
{
  for (uint32_t i = 0; i < statements->n; i++)
    write_statement(&statements->all[i], text);
}

void hd_study_overview(const struct hd_study_statements *statements, struct hd_text *text)
{
  hd_text_add(text, "| statement | where | verdict | checks that hold |\n|---|---|---|---|\n");
  for (const struct hd_study_statement *s = statements->all; s < statements->all + statements->n;
       s++) {
    uint32_t held = 0;
    for (uint32_t c = 0; c < s->n_checks; c++)
      held += s->checks[c].holds;
    hd_text_add(text, "| %s | %s | **%s** | %" PRIu32 " of %" PRIu32 " |\n", s->name, s->where,
                s->verdict, held, s->n_checks);
  }
}

/* ── CSV ───────────────────────────────────────────────────────────────────── */

/* Adds a note for readers of the verdict. If there is no verdict, the note begins with the
 * reason. */
static void add_note(const struct hd_study_statement *s, struct hd_text *csv)
{
  struct hd_text words = {0};
  hd_text_add(&words, "%s%s%s", s->missing ? s->missing : "", s->missing && s->note ? " " : "",
              s->note ? s->note : "");
  hd_text_add(csv, ",");
  hd_text_add_csv(csv, hd_text_chars(&words));
  hd_text_add(csv, "\n");
  hd_text_fini(&words);
}

void hd_study_statements_csv(const struct hd_study_statements *statements, struct hd_text *all,
                             struct hd_text *checks)
{
  hd_text_add(all, "\"statement\",\"verdict\",\"where\",\"says\",\"criterion\",\"note\"\n");
  hd_text_add(checks, "\"statement\",\"check\",\"the paper\",\"measured\",\"asked\",\"holds\"\n");
  for (const struct hd_study_statement *s = statements->all; s < statements->all + statements->n;
       s++) {
    const char *const fields[] = {s->name, s->verdict, s->where, s->says, s->criterion};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
      hd_text_add(all, "%s", i ? "," : "");
      hd_text_add_csv(all, fields[i]);
    }
    add_note(s, all);
    for (const struct hd_study_check *c = s->checks; c < s->checks + s->n_checks; c++) {
      hd_text_add_csv(checks, s->name);
      hd_text_add(checks, ",");
      hd_text_add_csv(checks, c->what);
      hd_text_add(checks, ",\"");
      add_outcome(c, "\",\"", checks);
      hd_text_add(checks, "\"\n");
    }
  }
}
