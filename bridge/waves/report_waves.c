/* Reports the comparison of two wave files as text, CSV and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report_waves.h"

#include "../render/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A time unit: "1000 ns", "5 ps"; a power of ten if the unit has no name. */
static const char *unit(const struct hd_wave_diff *d, char text[16])
{
  static const char *const names[] = {"s", "ms", "us", "ns", "ps", "fs"};
  if (d->exponent <= 0 && d->exponent >= -15 && d->exponent % 3 == 0)
    snprintf(text, 16, "%s", names[-d->exponent / 3]);
  else
    snprintf(text, 16, "10^%ds", d->exponent);
  return text;
}

/* A value in readable form: few or unknown bits as bits, others in hexadecimal. */
static void value(struct hd_text *text, const char *bits)
{
  const size_t n = strlen(bits);
  if (n > 1 && strspn(bits, (char[]){bits[0], '\0'}) == n && bits[0] != '0' && bits[0] != '1')
    hd_text_add(text, "all %c", bits[0]);
  else if (n <= 4 || strspn(bits, "01") != n)
    hd_text_add(text, "%s", bits);
  else {
    hd_text_add(text, "0x");
    for (size_t i = 0, digit = 0; i < n; i++) {
      digit = digit << 1 | (bits[i] == '1');
      if ((n - 1 - i) % 4 == 0) {
        hd_text_add(text, "%zx", digit);
        digit = 0;
      }
    }
  }
}

static void text_row(struct hd_text *text, const struct hd_wave_difference *w)
{
  struct hd_text a = {0}, b = {0};
  value(&a, w->value_a);
  value(&b, w->value_b);
  hd_text_add(text, "%16llu  %12s  %12s  %s", (unsigned long long)w->time, hd_text_chars(&a),
              hd_text_chars(&b), w->a);
  hd_text_add(text, strcmp(w->a, w->b) ? " = %s\n" : "\n", w->b);
  hd_text_fini(&a);
  hd_text_fini(&b);
}

/* The first line: "not equal: B ends earlier; 762 signals are in A alone" and the like. */
static void verdict(const struct hd_wave_diff *d, bool common, struct hd_text *text)
{
  unsigned n = 0;
  if (d->n || hd_wave_diff_is_whole(d) || common) {
    hd_text_add(text, "%s\n",
                d->n                       ? "different"
                : hd_wave_diff_is_whole(d) ? "equal"
                                           : "equal in all that was compared");
    return;
  }
  hd_text_add(text, "not equal: ");
  if (d->first_a != d->first_b)
    hd_text_add(text, "%s%s begins later", n++ ? "; " : "", d->first_a > d->first_b ? "A" : "B");
  if (d->last_a != d->last_b)
    hd_text_add(text, "%s%s ends earlier", n++ ? "; " : "", d->last_a < d->last_b ? "A" : "B");
  if (d->only_a)
    hd_text_add(text, "%s%s only in A", n++ ? "; " : "", hd_count(d->only_a, "signal").text);
  if (d->only_b)
    hd_text_add(text, "%s%s only in B", n++ ? "; " : "", hd_count(d->only_b, "signal").text);
  if (d->not_comparable)
    hd_text_add(text, "%s%s not comparable", n++ ? "; " : "",
                hd_count(d->not_comparable, "signal").text);
  hd_text_add(text, "\nwhat was compared is equal; --common looks at nothing else\n");
}

bool hd_report_waves_equal(const struct hd_wave_diff *d, bool common)
{
  return !d->n && (common || hd_wave_diff_is_whole(d));
}

void hd_report_waves_text(const struct hd_wave_diff *d, const char *path_a, const char *path_b,
                          bool common, struct hd_text *text)
{
  char u[16];
  unit(d, u);
  verdict(d, common, text);
  hd_text_add(text, "  A  %s: %llu to %llu %s\n", path_a, (unsigned long long)d->first_a,
              (unsigned long long)d->last_a, u);
  hd_text_add(text, "  B  %s: %llu to %llu %s\n", path_b, (unsigned long long)d->first_b,
              (unsigned long long)d->last_b, u);
  hd_text_add(text, "compared  %llu to %llu %s\n", (unsigned long long)d->first,
              (unsigned long long)d->last, u);
  hd_text_add(text, "signals   %zu equal, %zu differ, %zu only in A, %zu only in B",
              d->compared - d->n, d->n, d->only_a, d->only_b);
  if (d->not_comparable)
    hd_text_add(text, ", %zu not comparable (reals, strings, other widths)", d->not_comparable);
  hd_text_add(text, "\n");
  if (!d->n)
    return;
  hd_text_add(text, "first differences\n%13s %-2s  %12s  %12s  signal\n", "time", u, "A", "B");
  for (size_t i = 0; i < d->n; i++)
    text_row(text, &d->differences[i]);
}

/* Writes a field, in quotes if needed. */
static void csv_field(struct hd_text *text, const char *field)
{
  if (!strpbrk(field, ",\"\r\n")) {
    hd_text_add(text, "%s", field);
    return;
  }
  hd_text_add(text, "\"");
  for (const char *c = field; *c; c++)
    hd_text_add(text, *c == '"' ? "\"\"" : "%c", *c);
  hd_text_add(text, "\"");
}

void hd_report_waves_csv(const struct hd_wave_diff *d, struct hd_text *text)
{
  char u[16];
  hd_text_add(text, "signal_a,signal_b,time,unit,value_a,value_b\n");
  for (size_t i = 0; i < d->n; i++) {
    const struct hd_wave_difference *w = &d->differences[i];
    csv_field(text, w->a);
    hd_text_add(text, ",");
    csv_field(text, w->b);
    hd_text_add(text, ",%llu,%s,%s,%s\n", (unsigned long long)w->time, unit(d, u), w->value_a,
                w->value_b);
  }
}

int hd_report_waves_json(const struct hd_wave_diff *d, const char *path_a, const char *path_b,
                         bool common, struct hd_text *text, struct hd_error *err)
{
  char u[16];
  json_t *rows = json_array();
  for (size_t i = 0; i < d->n; i++) {
    const struct hd_wave_difference *w = &d->differences[i];
    json_array_append_new(rows,
                          json_pack("{s:o, s:o, s:I, s:s, s:s}", "signal_a", hd_json_string(w->a),
                                    "signal_b", hd_json_string(w->b), "time", (json_int_t)w->time,
                                    "value_a", w->value_a, "value_b", w->value_b));
  }
  json_t *root = json_pack(
      "{s:b, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "equal",
      hd_report_waves_equal(d, common), "file_a", hd_json_string(path_a), "file_b",
      hd_json_string(path_b), "unit", unit(d, u), "from", (json_int_t)d->first, "to",
      (json_int_t)d->last, "begin_a", (json_int_t)d->first_a, "begin_b", (json_int_t)d->first_b,
      "end_a", (json_int_t)d->last_a, "end_b", (json_int_t)d->last_b, "compared",
      (json_int_t)d->compared, "only_a", (json_int_t)d->only_a, "only_b", (json_int_t)d->only_b,
      "not_comparable", (json_int_t)d->not_comparable, "differences", rows);
  return hd_json_add(root, 0, text, err);
}
