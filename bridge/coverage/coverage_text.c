/* Coverage as text: summary, table, CSV, JSON, and the list of points as Markdown.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names and sentences come from HD_COVERAGE_LIST. They have no character with a meaning in
 * Markdown; the test names_of_coverage_points_need_no_escaping (test_coverage_run) checks that.
 */
#include "coverage_set.h"

#include <inttypes.h>
#include <string.h>

static void add_example(enum hd_spec_point point, const char *before, struct hd_text *text)
{
  const struct hd_coverage_point *p = &hd_coverage_list[point];
  hd_text_add(text, "%s§%s \"%s\"", before, p->section, p->name);
}

void hd_coverage_summary(const struct hd_coverage_set *set, struct hd_text *text)
{
  uint32_t holes = hd_coverage_holes(set), all = hd_coverage_reachable_points(set);
  if (!all)
    return;
  hd_text_add(text, "%" PRIu32 " of %s of the specification", holes, hd_count(all, "point").text);
  if (!holes)
    return;
  /* Examples: the first hole, and the first hole of another section. */
  enum hd_spec_point first = hd_coverage_next_hole(set, (enum hd_spec_point)0), another = first;
  while (another < HD_POINTS &&
         !strcmp(hd_coverage_list[another].section, hd_coverage_list[first].section))
    another = hd_coverage_next_hole(set, another + 1);
  add_example(first, ", such as ", text);
  if (another < HD_POINTS)
    add_example(another, " and ", text);
}

static const char *status_of(const struct hd_coverage_set *set, enum hd_spec_point point)
{
  if (set->count[point])
    return "exercised";
  return set->reachable[point] ? "hole" : "out of reach";
}

/* Adds the reason why no run of the set could reach the point. */
static void add_reason(const struct hd_coverage_point *p, struct hd_text *text)
{
  if (p->by == HD_COVERAGE_TEST)
    hd_text_add(text, "no network interface or management of a run does it");
  else
    hd_text_add(text, "needs %s", p->when ? p->when : "a run");
}

void hd_coverage_table(const struct hd_coverage_set *set, bool holes, struct hd_text *text)
{
  uint32_t all = hd_coverage_reachable_points(set), n = hd_coverage_holes(set);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    if (holes && !hd_coverage_is_hole(set, (enum hd_spec_point)i))
      continue;
    hd_text_add(text, "§%-5s ", p->section);
    if (set->count[i] || set->reachable[i])
      hd_text_add(text, "%12" PRIu64 "  %s\n", set->count[i], p->name);
    else {
      hd_text_add(text, "%12s  %s (", "-", p->name);
      add_reason(p, text);
      hd_text_add(text, ")\n");
    }
  }
  hd_text_add(text, "%s: %" PRIu32 " of %s exercised, %s; %" PRIu32 " more %s out of reach\n",
              hd_count(set->runs, "run").text, all - n, hd_count(all, "point").text,
              hd_count(n, "hole").text, HD_POINTS - all, HD_POINTS - all == 1 ? "is" : "are");
}

#define POINT_COLUMNS(X)                                                                         \
  X("section", WORD, NULL, p->section, true, HD_IN_JSON | HD_IN_CSV, .help = NULL)               \
  X("point", TEXT, NULL, p->name, true, HD_IN_JSON | HD_IN_CSV, .help = NULL)                    \
  X("count", COUNT, NULL, set->count[i], true, HD_IN_JSON | HD_IN_CSV, .help = NULL)             \
  X("reachable", COUNT, NULL, set->reachable[i], true, HD_IN_CSV, .help = NULL)                  \
  X("reachable", FLAG, NULL, set->reachable[i], true, HD_IN_JSON, .help = NULL)                  \
  X("status", WORD, NULL, status_of(set, (enum hd_spec_point)i), true, HD_IN_JSON, .help = NULL) \
  X("about", TEXT, NULL, p->about, true, HD_IN_JSON, .help = NULL)

static const struct hd_column point_columns[] = {POINT_COLUMNS(HD_COLUMN)};

static void each_point(const struct hd_coverage_set *set, bool holes, hd_row_fn *row, void *context)
{
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    if (!holes || hd_coverage_is_hole(set, (enum hd_spec_point)i))
      row(context, (const struct hd_value[]){POINT_COLUMNS(HD_CELL)});
  }
}

static void csv_row(void *context, const struct hd_value *values)
{
  hd_csv_row(HD_COLUMNS(point_columns), values, context);
}

static void json_row(void *context, const struct hd_value *values)
{
  json_array_append_new(context, hd_json_row(HD_COLUMNS(point_columns), values));
}

void hd_coverage_csv(const struct hd_coverage_set *set, bool holes, struct hd_text *text)
{
  hd_csv_names(HD_COLUMNS(point_columns), text);
  each_point(set, holes, csv_row, text);
}

json_t *hd_coverage_json(const struct hd_coverage_set *set, bool holes)
{
  json_t *points = json_array();
  each_point(set, holes, json_row, points);
  return json_pack("{s:i,s:i,s:i,s:o}", "runs", (int)set->runs, "reachable",
                   (int)hd_coverage_reachable_points(set), "holes", (int)hd_coverage_holes(set),
                   "points", points);
}

void hd_coverage_markdown(struct hd_text *text)
{
  hd_text_add(text, "<!-- keys: points -->\n"
                    "| § | point | meaning | reached by | under |\n|---|---|---|---|---|\n");
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    hd_text_add(text, "| §%s | %s | %s | %s | ", p->section, p->name, p->about,
                p->by == HD_COVERAGE_RUN ? "runs" : "tests");
    /* A vertical bar would end the column. */
    for (const char *c = p->when ? p->when : ""; *c; c++)
      hd_text_add(text, *c == '|' ? "\\|" : "%c", *c);
    hd_text_add(text, " |\n");
  }
  hd_text_add(text, "<!-- end of keys -->\n");
}
