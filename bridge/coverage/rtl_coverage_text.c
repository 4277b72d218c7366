/* RTL coverage as text: tables, the source with counts, JSON, CSV, lcov.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Words of points have no quote, backslash or control character (rtl_coverage.c). Lines of the
 * source may have any.
 */
#include "rtl_coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const k_kinds[] = {"block", "branch", "toggle"};

/* Names the side of an `if`. Verilator counts both sides, also an `else` that is not written. */
static const char *side_of(const struct hd_rtl_point *p)
{
  return !strcmp(p->what, "elsif") ? "if" : *p->what ? p->what : "block";
}

/* ── for readers ───────────────────────────────────────────────────────────── */

static void add_share(uint32_t hit, uint32_t all, struct hd_text *text)
{
  if (all)
    hd_text_add(text, "  %6" PRIu32 " of %6" PRIu32 " %5.1f %%", hit, all, 100.0 * hit / all);
  else
    hd_text_add(text, "  %16s %7s", "-", "");
}

static void add_sums(const char *name, int width, const struct hd_rtl_sums *s, struct hd_text *text)
{
  hd_text_add(text, "%-*s", width, name);
  add_share(s->lines_hit, s->lines, text);
  add_share(s->branches_hit, s->branches, text);
  add_share(s->bits_hit, s->bits, text);
  hd_text_add(text, "\n");
}

/* Adds the line's text without indentation, if the source is known. */
static void add_source(const struct hd_rtl_file *file, uint32_t number, struct hd_text *text)
{
  size_t length, blanks;
  const char *line = hd_rtl_source_line(file, number, &length);
  for (blanks = 0; blanks < length && strchr(" \t", line[blanks]); blanks++)
    ;
  if (blanks < length)
    hd_text_add(text, ": %.*s", (int)(length - blanks), line + blanks);
  hd_text_add(text, "\n");
}

static void add_never(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file,
                      struct hd_text *text)
{
  for (uint32_t i = 1; i <= file->n_lines; i++) {
    const struct hd_rtl_line *line = &file->lines[i];
    if (!line->unexecuted)
      continue;
    if (!line->count) {
      hd_text_add(text, "%s:%" PRIu32, file->name, i);
      add_source(file, i, text);
      continue;
    }
    size_t at = 0;
    for (const struct hd_rtl_point *p; (p = hd_rtl_next_unexecuted_point(set, file, i, &at));) {
      hd_text_add(text, "%s:%" PRIu32 " (%s never taken)", file->name, i, side_of(p));
      add_source(file, i, text);
    }
  }
}

/* Adds the signals with bits that never changed, and the number of these bits. A signal's name
 * ends before "[". */
static void add_still(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file,
                      struct hd_text *text)
{
  const struct hd_rtl_point *points = set->points + file->first;
  for (size_t i = 0, next; i < file->n_points; i = next) {
    const struct hd_rtl_point *p = &points[i];
    size_t n = strcspn(p->what, "[");
    unsigned bits = 0, still = 0;
    for (next = i; next < file->n_points && points[next].kind == p->kind &&
                   points[next].line == p->line && points[next].column == p->column &&
                   strcspn(points[next].what, "[") == n && !memcmp(points[next].what, p->what, n);
         next++) {
      bits++;
      still += !points[next].count;
    }
    if (p->kind == HD_RTL_TOGGLE && still)
      hd_text_add(text, "%s:%" PRIu32 ": %.*s: %u of %s never changed\n", file->name, p->line,
                  (int)n, p->what, still, hd_count(bits, "bit").text);
  }
}

void hd_rtl_coverage_table(const struct hd_rtl_coverage *set, bool bits, struct hd_text *text)
{
  struct hd_rtl_sums all = hd_rtl_coverage_sums(set);
  int width = 12;
  for (size_t i = 0; i < set->n_files; i++)
    if ((int)strlen(set->files[i].name) > width)
      width = (int)strlen(set->files[i].name);
  hd_text_add(text, "%-*s  %-24s  %-24s  %s\n", width, "RTL", "     lines executed",
              "     branches taken", "       bits changed");
  for (size_t i = 0; i < set->n_files; i++)
    add_sums(set->files[i].name, width, &set->files[i].sums, text);
  add_sums("all", width, &all, text);
  if (all.lines_hit < all.lines || all.branches_hit < all.branches)
    hd_text_add(text, "never executed:\n");
  for (size_t i = 0; i < set->n_files; i++)
    add_never(set, &set->files[i], text);
  if (bits && all.bits_hit < all.bits)
    hd_text_add(text, "never changed:\n");
  for (size_t i = 0; bits && i < set->n_files; i++)
    add_still(set, &set->files[i], text);
  for (size_t i = 0; i < set->n_files; i++)
    if (!set->files[i].text)
      hd_text_add(text, "%s is not shown: %s\n", set->files[i].name, set->files[i].why);
}

void hd_rtl_coverage_annotate(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file,
                              struct hd_text *text)
{
  const char *line = file->text;
  for (uint32_t i = 1; line && *line; i++) {
    size_t length = strcspn(line, "\n"), at = 0;
    const struct hd_rtl_line *c = i <= file->n_lines ? &file->lines[i] : &file->lines[0];
    if (c->points)
      hd_text_add(text, "%s%11" PRIu64 "  ", c->count ? " " : "#", c->count);
    else
      hd_text_add(text, "%14s", "");
    hd_text_add(text, "%.*s", (int)length, line);
    for (const struct hd_rtl_point *p;
         c->count && (p = hd_rtl_next_unexecuted_point(set, file, i, &at));)
      hd_text_add(text, "  // # %s never taken", side_of(p));
    if (c->unchanged)
      hd_text_add(text, "  // ~ %" PRIu32 " of %s never changed", c->unchanged,
                  hd_count(c->bits, "bit").text);
    hd_text_add(text, "\n");
    line += length + (line[length] == '\n');
  }
}

/* ── for programs ──────────────────────────────────────────────────────────── */

#define SUM_COLUMNS(X)                                    \
  X("lines", COUNT, NULL, s->lines, true)                 \
  X("lines_executed", COUNT, NULL, s->lines_hit, true)    \
  X("branches", COUNT, NULL, s->branches, true)           \
  X("branches_taken", COUNT, NULL, s->branches_hit, true) \
  X("bits", COUNT, NULL, s->bits, true)                   \
  X("bits_changed", COUNT, NULL, s->bits_hit, true)

#define POINT_COLUMNS(X)                        \
  X("file", TEXT, NULL, p->file, true)          \
  X("line", COUNT, NULL, p->line, true)         \
  X("column", COUNT, NULL, p->column, true)     \
  X("kind", WORD, NULL, k_kinds[p->kind], true) \
  X("what", TEXT, NULL, p->what, true)          \
  X("lines", TEXT, NULL, p->lines, true)        \
  X("count", COUNT, NULL, p->count, true)

static const struct hd_column sum_columns[] = {SUM_COLUMNS(HD_PLAIN_COLUMN)};
static const struct hd_column point_columns[] = {POINT_COLUMNS(HD_PLAIN_COLUMN)};

/* Puts the sums, then `name` with what follows them. */
static json_t *json_sums(json_t *into, const struct hd_rtl_sums *s, const char *name, json_t *list)
{
  hd_json_put(HD_COLUMNS(sum_columns), HD_PLAIN_ROW(SUM_COLUMNS), into);
  json_object_set_new(into, name, list);
  return into;
}

static json_t *json_file(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file)
{
  json_t *never = json_array();
  for (uint32_t i = 1; i <= file->n_lines; i++) {
    const struct hd_rtl_line *line = &file->lines[i];
    size_t at = 0, length;
    const char *source = hd_rtl_source_line(file, i, &length);
    const struct hd_rtl_point *p = NULL;
    while (line->unexecuted &&
           (!line->count || (p = hd_rtl_next_unexecuted_point(set, file, i, &at)))) {
      json_array_append_new(never, json_pack("{s:i,s:o,s:o}", "line", (int)i, "what",
                                             hd_json_string(p ? side_of(p) : "line"), "text",
                                             hd_json_chars(source, length)));
      if (!p)
        break;
    }
  }
  return json_sums(json_pack("{s:o}", "file", hd_json_string(file->name)), &file->sums, "never",
                   never);
}

json_t *hd_rtl_coverage_json(const struct hd_rtl_coverage *set)
{
  struct hd_rtl_sums all = hd_rtl_coverage_sums(set);
  json_t *files = json_array();
  for (size_t i = 0; i < set->n_files; i++)
    json_array_append_new(files, json_file(set, &set->files[i]));
  return json_sums(json_pack("{s:i}", "runs", (int)set->runs), &all, "files", files);
}

void hd_rtl_coverage_csv(const struct hd_rtl_coverage *set, struct hd_text *text)
{
  hd_csv_names(HD_COLUMNS(point_columns), text);
  for (size_t i = 0; i < set->n_points; i++) {
    const struct hd_rtl_point *p = &set->points[i];
    hd_csv_row(HD_COLUMNS(point_columns), HD_PLAIN_ROW(POINT_COLUMNS), text);
  }
}

void hd_rtl_coverage_lcov(const struct hd_rtl_coverage *set, const char *directory,
                          struct hd_text *text)
{
  for (size_t k = 0; k < set->n_files; k++) {
    const struct hd_rtl_file *file = &set->files[k];
    const struct hd_rtl_point *points = set->points + file->first;
    hd_text_add(text, "TN:heddle\nSF:%s/%s\n", directory, file->name);
    for (size_t i = 0, block = 0; i < file->n_points; i++) {
      if (points[i].kind != HD_RTL_BRANCH)
        continue;
      /* the other side of the same if has the column before */
      bool second = i && points[i - 1].kind == HD_RTL_BRANCH &&
                    points[i - 1].line == points[i].line &&
                    points[i - 1].column + 1 == points[i].column;
      block += !second;
      hd_text_add(text, "BRDA:%" PRIu32 ",%zu,%d,%" PRIu64 "\n", points[i].line, block, second,
                  points[i].count);
    }
    hd_text_add(text, "BRF:%" PRIu32 "\nBRH:%" PRIu32 "\n", file->sums.branches,
                file->sums.branches_hit);
    for (uint32_t i = 1; i <= file->n_lines; i++)
      if (file->lines[i].points)
        hd_text_add(text, "DA:%" PRIu32 ",%" PRIu64 "\n", i, file->lines[i].count);
    hd_text_add(text, "LF:%" PRIu32 "\nLH:%" PRIu32 "\nend_of_record\n", file->sums.lines,
                file->sums.lines_hit);
  }
}
