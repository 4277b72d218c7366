/* RTL coverage: reads coverage.dat, adds the counts of runs, sums up lines.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A line of Verilator's file is C 'WORDS' COUNT; a word is \1 KEY \2 VALUE. The file may come from
 * anyone: whatever it contains, the result is consistent counts, or HD_E_INPUT.
 */
#include "rtl_coverage.h"

#include "../../cmodel/grow.h"
#include "../host/file.h"
#include "../host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_rtl_coverage_fini(struct hd_rtl_coverage *set)
{
  for (size_t i = 0; i < set->n_files; i++) {
    free(set->files[i].name);
    free(set->files[i].text);
    free(set->files[i].lines);
  }
  for (size_t i = 0; i < set->n_texts; i++)
    free(set->texts[i]);
  free(set->points);
  free(set->files);
  free(set->texts);
  *set = (struct hd_rtl_coverage){0};
}

/* ── reading ───────────────────────────────────────────────────────────────── */

/* Reads a number of at most `most`, and moves *text behind it. Returns false if there is no such
 * number. */
static bool read_number(const char **text, uint64_t most, uint64_t *number)
{
  const char *p = *text;
  *number = 0;
  for (; *p >= '0' && *p <= '9'; p++) {
    if (*number > (most - (uint64_t)(*p - '0')) / 10)
      return false;
    *number = *number * 10 + (uint64_t)(*p - '0');
  }
  bool some = p != *text;
  *text = p;
  return some;
}

/* Reads the next range first … last of "125-127,130". Returns false at the end and if the range
 * is wrong; then *text is not at the end. */
static bool next_range(const char **text, uint32_t *first, uint32_t *last)
{
  uint64_t a, b;
  const char *p = *text;
  if (!*p || !read_number(&p, HD_RTL_LINES, &a))
    return false;
  b = a;
  if (*p == '-' && (p++, !read_number(&p, HD_RTL_LINES, &b)))
    return false;
  if (!a || b < a || (*p && *p != ',') || (*p == ',' && !p[1]))
    return false;
  *first = (uint32_t)a;
  *last = (uint32_t)b;
  *text = p + (*p == ',');
  return true;
}

/* Tests whether ranges are in order and do not overlap. */
static bool ranges_are_right(const char *lines)
{
  uint32_t first, last;
  for (uint32_t before = 0; next_range(&lines, &first, &last); before = last)
    if (first <= before)
      return false;
  return !*lines;
}

/* Removes the directory from a file's name, so that it is relative to the directory of the RTL. */
static const char *file_name(const char *name)
{
  static const char *const above[] = {"rtl/", "outside/"};
  for (size_t i = 0; i < sizeof above / sizeof *above; i++)
    if (!strncmp(name, above[i], strlen(above[i])) && name[strlen(above[i])])
      return name + strlen(above[i]);
  return name;
}

/* Reads a word of a point. Returns NULL, or a sentence that says what is wrong. */
static const char *parse_word(struct hd_rtl_point *point, const char *key, const char *value)
{
  uint64_t number;
  bool line = !strcmp(key, "l");
  if (line || !strcmp(key, "n")) {
    if (!read_number(&value, line ? HD_RTL_LINES : UINT32_MAX, &number) || *value)
      return line ? "this is not a line of a file" : "this is not a column";
    *(line ? &point->line : &point->column) = (uint32_t)number;
  } else if (!strcmp(key, "f")) {
    point->file = file_name(value);
    if (strlen(point->file) > HD_RTL_NAME_BYTES)
      return "the name of the file is too long";
  } else if (!strcmp(key, "o")) {
    point->what = value;
  } else if (!strcmp(key, "S")) {
    point->lines = value;
    if (!ranges_are_right(value))
      return "these are not lines of a file in order";
  } else if (!strcmp(key, "page")) {
    point->kind = !strncmp(value, "v_toggle", 8)   ? HD_RTL_TOGGLE
                  : !strncmp(value, "v_branch", 8) ? HD_RTL_BRANCH
                                                   : HD_RTL_BLOCK;
  }
  return NULL;
}

/* Splits a line into words, each ended by a NUL. Characters with a meaning for terminals, quotes
 * or spreadsheets become '?'. */
static const char *parse_words(struct hd_rtl_point *point, char *words)
{
  const char *wrong = *words == '\1' ? NULL : "a word begins with the byte 1";
  for (char *p = words, *next; p && !wrong; p = next) {
    char *key = p + 1, *value = key + strcspn(key, "\1\2");
    if (*value != '\2')
      return "a word has a key, the byte 2 and a value";
    *value++ = '\0';
    next = strchr(value, '\1');
    if (next)
      *next = '\0';
    for (char *c = value; *c; c++)
      if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\' || *c == 0x7f)
        *c = '?';
    wrong = parse_word(point, key, value);
  }
  return wrong;
}

static const char *parse_line(struct hd_rtl_point *point, char *line)
{
  char *end = strrchr(line, '\'');
  if (strncmp(line, "C '", 3) != 0 || end < line + 3 || end[1] != ' ')
    return "it should read C 'WORDS' COUNT";
  const char *count = end + 2;
  *end = '\0';
  if (!read_number(&count, UINT64_MAX, &point->count) || *count)
    return "the count is not a number";
  const char *wrong = parse_words(point, line + 3);
  if (!wrong && (!point->file || !*point->file || !point->line))
    wrong = "a file (f) and a line (l) are needed";
  return wrong;
}

static int add_lines(struct hd_rtl_coverage *set, char *text, size_t length, const char *path,
                     struct hd_error *err)
{
  static const char magic[] = "# SystemC::Coverage-3";
  if (strlen(text) != length)
    return hd_fail(err, HD_E_INPUT, "%s: is not a text", path);
  if (strncmp(text, magic, sizeof magic - 1) != 0)
    return hd_fail(err, HD_E_INPUT, "%s:1: coverage of RTL begins with \"%s\"", path, magic);
  unsigned number = 1;
  for (char *line = text, *next; *line; line = next, number++) {
    size_t n = strcspn(line, "\n");
    if (!line[n])
      return hd_fail(err, HD_E_INPUT, "%s:%u: the file ends in the middle of a line", path, number);
    next = line + n + 1;
    line[n] = '\0';
    if (!n || *line == '#')
      continue;
    struct hd_rtl_point point = {.what = "", .lines = ""};
    const char *wrong = parse_line(&point, line);
    if (wrong)
      return hd_fail(err, HD_E_INPUT, "%s:%u: %s", path, number, wrong);
    HD_XROOM(set->points, set->points_capacity, set->n_points, 1);
    set->points[set->n_points++] = point;
  }
  return HD_OK;
}

int hd_rtl_coverage_add(struct hd_rtl_coverage *set, char *text, size_t length, const char *path,
                        struct hd_error *err)
{
  HD_XROOM(set->texts, set->texts_capacity, set->n_texts, 1);
  set->texts[set->n_texts++] = text;
  set->runs++;
  return add_lines(set, text, length, path, err);
}

int hd_rtl_coverage_read(struct hd_rtl_coverage *set, const char *path, struct hd_error *err)
{
  char *text = NULL;
  size_t length = 0;
  int status = hd_file_regular(path, HD_RTL_COVERAGE_BYTES, &text, &length, err);
  return status ? status : hd_rtl_coverage_add(set, text, length, path, err);
}

/* ── files ─────────────────────────────────────────────────────────────────── */

static int find_file(struct hd_rtl_coverage *set, const char *name, struct hd_rtl_file **found,
                     struct hd_error *err)
{
  for (size_t i = 0; i < set->n_files; i++)
    if (!strcmp(set->files[i].name, name)) {
      *found = &set->files[i];
      return HD_OK;
    }
  if (set->n_files == HD_RTL_FILES)
    return hd_fail(err, HD_E_INPUT, "coverage: the RTL has more than %d files", HD_RTL_FILES);
  HD_XROOM(set->files, set->files_capacity, set->n_files, 1);
  struct hd_rtl_file *file = *found = &set->files[set->n_files];
  *file = (struct hd_rtl_file){.name = hd_xstrdup(name),
                               .why = "the runs did not record what was in it"};
  set->n_files++;
  return HD_OK;
}

int hd_rtl_coverage_source(struct hd_rtl_coverage *set, const char *name, uint64_t hash,
                           const char *run, struct hd_error *err)
{
  struct hd_rtl_file *file = NULL;
  int status = find_file(set, name, &file, err);
  if (status)
    return status;
  if (file->known && file->hash != hash)
    return hd_fail(err, HD_E_INPUT,
                   "%s: its %s is another than in the runs before it; counts of other RTL are not "
                   "added up: name runs of one RTL",
                   run, name);
  file->known = true;
  file->hash = hash;
  return HD_OK;
}

static void find_lines(struct hd_rtl_file *file)
{
  const char *line = file->text;
  for (uint32_t i = 1; line && i <= file->n_lines; i++) {
    file->lines[i].source = line;
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
}

void hd_rtl_coverage_read_sources(struct hd_rtl_coverage *set, const char *directory)
{
  for (size_t i = 0; i < set->n_files; i++) {
    struct hd_rtl_file *file = &set->files[i];
    struct hd_text path = {0};
    struct hd_error why = {""};
    size_t length = 0;
    if (!file->known)
      continue;
    hd_text_add(&path, "%s/%s", directory, file->name);
    int status = hd_file_read(path.chars, &file->text, &length, &why);
    if (status)
      snprintf(file->why, sizeof file->why, "%.190s", why.text);
    else if (hd_hash_bytes(file->text, length, 0) != file->hash || strlen(file->text) != length) {
      snprintf(file->why, sizeof file->why, "%.150s has changed since the run", path.chars);
      free(file->text);
      file->text = NULL;
    }
    find_lines(file);
    hd_text_fini(&path);
  }
}

/* ── sums ──────────────────────────────────────────────────────────────────── */

static int compare_points(const void *x, const void *y)
{
  const struct hd_rtl_point *a = x, *b = y;
  int order = strcmp(a->file, b->file);
  if (!order)
    order = (a->line > b->line) - (a->line < b->line);
  if (!order)
    order = (a->column > b->column) - (a->column < b->column);
  if (!order)
    order = (a->kind > b->kind) - (a->kind < b->kind);
  if (!order)
    order = strcmp(a->what, b->what);
  return order ? order : strcmp(a->lines, b->lines);
}

static int compare_files(const void *x, const void *y)
{
  return strcmp(((const struct hd_rtl_file *)x)->name, ((const struct hd_rtl_file *)y)->name);
}

static void merge_points(struct hd_rtl_coverage *set)
{
  size_t n = 0;
  if (set->n_points)
    qsort(set->points, set->n_points, sizeof *set->points, compare_points);
  for (size_t i = 0; i < set->n_points; i++) {
    struct hd_rtl_point *before = n ? &set->points[n - 1] : NULL;
    uint64_t count = set->points[i].count;
    if (before && !compare_points(before, &set->points[i]))
      before->count = count > UINT64_MAX - before->count ? UINT64_MAX : before->count + count;
    else
      set->points[n++] = set->points[i];
  }
  set->n_points = n;
}

/* Gives the next range of lines that a point stands for. *at is NULL before the first range. */
static bool next_lines(const struct hd_rtl_point *p, const char **at, uint32_t *first,
                       uint32_t *last)
{
  if (!*at && !*p->lines) {
    *first = *last = p->line;
    *at = p->lines;
    return true;
  }
  if (!*at)
    *at = p->lines;
  return next_range(at, first, last);
}

static void count_point(struct hd_rtl_file *file, const struct hd_rtl_point *p)
{
  uint32_t first, last;
  if (p->kind == HD_RTL_TOGGLE) {
    file->lines[p->line].bits++;
    file->lines[p->line].unchanged += !p->count;
    file->sums.bits++;
    file->sums.bits_hit += p->count != 0;
    return;
  }
  file->sums.branches += p->kind == HD_RTL_BRANCH;
  file->sums.branches_hit += p->kind == HD_RTL_BRANCH && p->count;
  for (const char *at = NULL; next_lines(p, &at, &first, &last);)
    for (uint32_t i = first; i <= last; i++) {
      struct hd_rtl_line *line = &file->lines[i];
      line->points++;
      line->unexecuted += !p->count;
      if (p->count > line->count)
        line->count = p->count;
    }
}

/* Finds the highest line of a file. Returns the number of lines of its table and of its points
 * together. */
static uint64_t size_file(const struct hd_rtl_coverage *set, struct hd_rtl_file *file)
{
  uint32_t first, last;
  uint64_t lines = 0;
  const struct hd_rtl_point *points = set->points + file->first;
  for (size_t i = 0; i < file->n_points; i++) {
    if (points[i].line > file->n_lines)
      file->n_lines = points[i].line;
    for (const char *at = NULL; next_lines(&points[i], &at, &first, &last);) {
      lines += *points[i].lines ? last - first + 1 : 0;
      if (last > file->n_lines)
        file->n_lines = last;
    }
  }
  return lines + file->n_lines;
}

static int count_file(struct hd_rtl_coverage *set, struct hd_rtl_file *file, uint64_t *lines,
                      struct hd_error *err)
{
  const struct hd_rtl_point *points = set->points + file->first;
  *lines += size_file(set, file);
  if (*lines > HD_RTL_LINES_ALL)
    return hd_fail(err, HD_E_INPUT, "coverage: %s: the counts are of more than %d lines of RTL",
                   file->name, HD_RTL_LINES_ALL);
  file->lines = hd_xcalloc((size_t)file->n_lines + 1, sizeof *file->lines);
  for (size_t i = 0; i < file->n_points; i++)
    count_point(file, &points[i]);
  for (uint32_t i = 1; i <= file->n_lines; i++) {
    file->sums.lines += file->lines[i].points != 0;
    file->sums.lines_hit += file->lines[i].count != 0;
  }
  return HD_OK;
}

int hd_rtl_coverage_finish(struct hd_rtl_coverage *set, struct hd_error *err)
{
  size_t n = 0;
  uint64_t lines = 0;
  int status = HD_OK;
  merge_points(set);
  for (size_t i = 0, next; !status && i < set->n_points; i = next) {
    struct hd_rtl_file *file = NULL;
    for (next = i; next < set->n_points && !strcmp(set->points[next].file, set->points[i].file);)
      next++;
    status = find_file(set, set->points[i].file, &file, err);
    if (!status) {
      file->first = i;
      file->n_points = next - i;
      status = count_file(set, file, &lines, err);
    }
  }
  if (status)
    return status;
  for (size_t i = 0; i < set->n_files; i++)
    if (set->files[i].n_points)
      set->files[n++] = set->files[i];
    else /* a header without anything to count */
      free(set->files[i].name);
  set->n_files = n;
  if (n)
    qsort(set->files, n, sizeof *set->files, compare_files);
  return HD_OK;
}

struct hd_rtl_sums hd_rtl_coverage_sums(const struct hd_rtl_coverage *set)
{
  struct hd_rtl_sums all = {0};
  for (size_t i = 0; i < set->n_files; i++) {
    const struct hd_rtl_sums *s = &set->files[i].sums;
    all.lines += s->lines;
    all.lines_hit += s->lines_hit;
    all.branches += s->branches;
    all.branches_hit += s->branches_hit;
    all.bits += s->bits;
    all.bits_hit += s->bits_hit;
  }
  return all;
}

const char *hd_rtl_source_line(const struct hd_rtl_file *file, uint32_t number, size_t *length)
{
  const char *line = number && number <= file->n_lines ? file->lines[number].source : NULL;
  *length = line ? strcspn(line, "\r\n") : 0;
  return line ? line : "";
}

const struct hd_rtl_point *hd_rtl_next_unexecuted_point(const struct hd_rtl_coverage *set,
                                                        const struct hd_rtl_file *file,
                                                        uint32_t line, size_t *i)
{
  const struct hd_rtl_point *points = set->points + file->first;
  for (size_t behind = file->n_points; *i < behind;) { /* finds the first point of the line */
    size_t middle = *i + (behind - *i) / 2;
    if (points[middle].line < line)
      *i = middle + 1;
    else
      behind = middle;
  }
  while (*i < file->n_points && points[*i].line == line) {
    const struct hd_rtl_point *p = &points[(*i)++];
    if (p->kind != HD_RTL_TOGGLE && !p->count)
      return p;
  }
  return NULL;
}
