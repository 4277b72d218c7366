/* Reads CSV: lines of numbers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "csv.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int hd_csv_fail(struct hd_csv *csv, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  csv->error->line = csv->line;
  vsnprintf(csv->error->text, sizeof csv->error->text, format, args);
  va_end(args);
  return -1;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

static void skip_blanks(struct hd_csv *csv)
{
  while (csv->at < csv->end && is_blank(*csv->at))
    csv->at++;
}

void hd_csv_copy_printable(const struct hd_csv *csv, char *text, size_t size)
{
  size_t n = 0;
  for (const char *p = csv->at; p < csv->end && *p != ',' && n + 1 < size; p++)
    text[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
  text[n] = '\0';
}

/* Reads a number. Sets *more if a comma follows it. */
static int parse_number(struct hd_csv *csv, unsigned field, uint64_t most, uint64_t *value,
                        bool *more)
{
  const char *name = csv->names[field];
  skip_blanks(csv);
  const char *start = csv->at, *p = start;
  uint64_t v = 0;
  bool over = false;
  for (; p < csv->end && *p >= '0' && *p <= '9'; p++) {
    /* stays true, since more digits only make the number larger */
    if (v > most / 10)
      over = true;
    v = over ? v : v * 10 + (uint64_t)(*p - '0');
  }
  char text[32];
  hd_csv_copy_printable(csv, text, sizeof text);
  if (p == start) {
    if (*text)
      return hd_csv_fail(csv, "%s is '%s'; it must be a whole number", name, text);
    return hd_csv_fail(csv, "%s is missing; a line is %s", name, csv->header);
  }
  if (over || v > most)
    return hd_csv_fail(csv, "%s is %s; it must be at most %" PRIu64, name, text, most);
  const char *after = p;
  while (after < csv->end && is_blank(*after))
    after++;
  bool last = field + 1 == csv->numbers && !csv->rest;
  bool may_end = last || (csv->optional && field + 1 == csv->numbers - csv->optional);
  if (last && after < csv->end && *after == ',')
    return hd_csv_fail(csv, "more than %u fields; a line is %s", csv->numbers, csv->header);
  if (after < csv->end && *after != ',')
    return hd_csv_fail(csv, "%s is '%s'; it must be a whole number", name, text);
  if (!may_end && after == csv->end)
    return field + 1 == csv->numbers
               ? hd_csv_fail(csv, "something is missing after %s; a line is %s", name, csv->header)
               : hd_csv_fail(csv, "%s is missing; a line is %s", csv->names[field + 1],
                             csv->header);
  *more = after < csv->end;
  csv->at = *more ? after + 1 : after;
  *value = v;
  return 0;
}

int hd_csv_numbers(struct hd_csv *csv, const uint64_t *most, uint64_t *values)
{
  bool more = true;
  for (unsigned field = 0; field < csv->numbers; field++) {
    values[field] = 0;
    if (more && parse_number(csv, field, most[field], &values[field], &more))
      return -1;
  }
  if (csv->rest)
    skip_blanks(csv);
  return 0;
}

size_t hd_csv_lines_max(const char *text, size_t length)
{
  size_t n = 1;
  for (size_t i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

void hd_csv_open(struct hd_csv *csv, const char *text, size_t length)
{
  bool mark = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3); /* byte-order mark */
  csv->next = text + (mark ? 3 : 0);
  csv->last = text + length;
  csv->line = 0;
  csv->begun = false;
}

/* Returns true if the line is the header, with or without the optional fields. */
static bool is_header(const struct hd_csv *csv)
{
  const size_t length = (size_t)(csv->end - csv->at), whole = strlen(csv->header);
  unsigned commas = 0;
  for (size_t i = 0; i < length && i < whole; i++)
    commas += csv->header[i] == ',';
  return length <= whole && !memcmp(csv->at, csv->header, length) &&
         (length == whole ||
          (csv->header[length] == ',' && commas + 1 == csv->numbers - csv->optional));
}

int hd_csv_next(struct hd_csv *csv)
{
  while (csv->next < csv->last) {
    const char *newline = memchr(csv->next, '\n', (size_t)(csv->last - csv->next));
    csv->at = csv->next;
    csv->end = newline ? newline : csv->last;
    csv->next = newline ? newline + 1 : csv->last;
    if (++csv->line == UINT32_MAX)
      return hd_csv_fail(csv, "too many lines");
    if (csv->end > csv->at && csv->end[-1] == '\r')
      csv->end--;
    skip_blanks(csv);
    if (csv->at == csv->end || *csv->at == '#')
      continue;
    bool may_be_header = !csv->begun;
    csv->begun = true;
    if (may_be_header && is_header(csv))
      continue;
    return 1;
  }
  return 0;
}
