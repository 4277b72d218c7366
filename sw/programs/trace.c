/* Reading traces of messages from CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 4, BYTES_MAX = 1 << 20 };
/* A cycle must be exact as a double too (run databases, spreadsheets). */
#define CYCLE_MAX (UINT64_C(1) << 53)

static const char *const names[FIELDS] = {"cycle", "source", "destination", "bytes"};
static const char header[] = "cycle,source,destination,bytes";

struct line {
  const char *at, *end;
  uint32_t number;
  struct hd_trace_error *error;
};

static int fail(const struct line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int fail(const struct line *line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  line->error->line = line->number;
  vsnprintf(line->error->text, sizeof line->error->text, format, args);
  va_end(args);
  return -1;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static void skip_blanks(struct line *line)
{
  while (line->at < line->end && is_blank(*line->at))
    line->at++;
}

/* The text of a field as far as it can be shown in a message. */
static int shown(const struct line *line, char *buf, size_t size)
{
  size_t n = 0;
  for (const char *p = line->at; p < line->end && *p != ',' && n + 1 < size; p++)
    buf[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
  buf[n] = '\0';
  return (int)n;
}

static int parse_field(struct line *line, int field, uint64_t most, uint64_t *value)
{
  skip_blanks(line);
  const char *start = line->at, *p = start;
  uint64_t v = 0;
  bool over = false;
  for (; p < line->end && *p >= '0' && *p <= '9'; p++) {
    if (v > most / 10)
      over = true; /* stays so: the digits only make it larger */
    v = over ? v : v * 10 + (uint64_t)(*p - '0');
  }
  char text[32];
  if (p == start) {
    if (shown(line, text, sizeof text))
      return fail(line, "%s is '%s'; it must be a whole number", names[field], text);
    return fail(line, "%s is missing; a line is %s", names[field], header);
  }
  if (over || v > most) {
    shown(line, text, sizeof text);
    return fail(line, "%s is %s; it must be at most %" PRIu64, names[field], text, most);
  }
  const char *after = p;
  while (after < line->end && is_blank(*after))
    after++;
  bool last = field == FIELDS - 1;
  if (last ? after < line->end : after < line->end && *after != ',') {
    if (last && *after == ',')
      return fail(line, "more than %d fields; a line is %s", FIELDS, header);
    shown(line, text, sizeof text);
    return fail(line, "%s is '%s'; it must be a whole number", names[field], text);
  }
  line->at = last || after == line->end ? after : after + 1;
  if (!last && after == line->end)
    return fail(line, "%s is missing; a line is %s", names[field + 1], header);
  *value = v;
  return 0;
}

size_t hd_trace_rows_max(const char *text, size_t length)
{
  size_t n = 1;
  for (size_t i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

int hd_trace_parse(const char *text, size_t length, uint32_t nodes, struct hd_trace_row *rows,
                   size_t *n_rows, struct hd_trace_error *error)
{
  const char *end = text + length;
  const uint64_t most[FIELDS] = {CYCLE_MAX, nodes - 1, nodes - 1, BYTES_MAX};
  bool first = true;
  struct line line = {.error = error};
  *n_rows = 0;
  if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
    text += 3; /* byte-order mark */
  for (const char *next = text; next < end;) {
    const char *newline = memchr(next, '\n', (size_t)(end - next));
    line.at = next;
    line.end = newline ? newline : end;
    next = newline ? newline + 1 : end;
    if (++line.number == UINT32_MAX)
      return fail(&line, "too many lines");
    if (line.end > line.at && line.end[-1] == '\r')
      line.end--;
    skip_blanks(&line);
    if (line.at == line.end || *line.at == '#')
      continue;
    bool may_be_header = first;
    first = false;
    if (may_be_header && (size_t)(line.end - line.at) == sizeof header - 1 &&
        !memcmp(line.at, header, sizeof header - 1))
      continue;
    uint64_t value[FIELDS] = {0};
    for (int field = 0; field < FIELDS; field++)
      if (parse_field(&line, field, most[field], &value[field]))
        return -1;
    rows[(*n_rows)++] = (struct hd_trace_row){.cycle = value[0],
                                              .source = (uint32_t)value[1],
                                              .destination = (uint32_t)value[2],
                                              .bytes = (uint32_t)value[3],
                                              .line = line.number};
  }
  if (!*n_rows)
    return fail(&line, "no message in the trace; a line is %s", header);
  return 0;
}

static int compare(const void *left, const void *right)
{
  const struct hd_trace_row *a = left, *b = right;
  if (a->source != b->source)
    return a->source < b->source ? -1 : 1;
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

void hd_trace_sort(struct hd_trace_row *rows, size_t n_rows)
{
  qsort(rows, n_rows, sizeof *rows, compare);
}
