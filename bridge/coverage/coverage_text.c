/* Coverage as text: summary, table, CSV, JSON, and the list of points as Markdown.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Names and sentences are those of HD_COVERAGE_LIST, which have no character that CSV in quotes, JSON
 * or Markdown would have to escape; names_need_no_escapes (test_coverage_run) holds them to it.
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
  /* The first, and the first of another section that has any. */
  enum hd_spec_point first = hd_coverage_next_hole(set, (enum hd_spec_point)0), other = first;
  while (other < HD_POINTS &&
         !strcmp(hd_coverage_list[other].section, hd_coverage_list[first].section))
    other = hd_coverage_next_hole(set, other + 1);
  add_example(first, ", such as ", text);
  if (other < HD_POINTS)
    add_example(other, " and ", text);
}

static const char *status_of(const struct hd_coverage_set *set, enum hd_spec_point point)
{
  if (set->count[point])
    return "exercised";
  return set->reachable[point] ? "hole" : "out of reach";
}

/* Why no run of the set could come by it. */
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

void hd_coverage_csv(const struct hd_coverage_set *set, bool holes, struct hd_text *text)
{
  hd_text_add(text, "section,point,count,reachable\n");
  for (unsigned i = 0; i < HD_POINTS; i++)
    if (!holes || hd_coverage_is_hole(set, (enum hd_spec_point)i))
      hd_text_add(text, "%s,\"%s\",%" PRIu64 ",%d\n", hd_coverage_list[i].section,
                  hd_coverage_list[i].name, set->count[i], set->reachable[i]);
}

void hd_coverage_json(const struct hd_coverage_set *set, bool holes, struct hd_text *text)
{
  const char *between = "";
  hd_text_add(text,
              "{\n  \"runs\": %" PRIu32 ",\n  \"reachable\": %" PRIu32 ",\n  \"holes\": %" PRIu32
              ",\n  \"points\": [",
              set->runs, hd_coverage_reachable_points(set), hd_coverage_holes(set));
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    if (holes && !hd_coverage_is_hole(set, (enum hd_spec_point)i))
      continue;
    hd_text_add(text,
                "%s\n    {\"section\": \"%s\", \"point\": \"%s\", \"count\": %" PRIu64
                ", \"reachable\": %s, \"status\": \"%s\", \"about\": \"%s\"}",
                between, p->section, p->name, set->count[i], set->reachable[i] ? "true" : "false",
                status_of(set, (enum hd_spec_point)i), p->about);
    between = ",";
  }
  hd_text_add(text, "\n  ]\n}\n");
}

void hd_coverage_markdown(struct hd_text *text)
{
  hd_text_add(text, "<!-- keys: points -->\n"
                    "| § | point | meaning | reached by | under |\n|---|---|---|---|---|\n");
  for (unsigned i = 0; i < HD_POINTS; i++) {
    const struct hd_coverage_point *p = &hd_coverage_list[i];
    hd_text_add(text, "| §%s | %s | %s | %s | ", p->section, p->name, p->about,
                p->by == HD_COVERAGE_RUN ? "runs" : "tests");
    /* A bar would end the column. */
    for (const char *c = p->when ? p->when : ""; *c; c++)
      hd_text_add(text, *c == '|' ? "\\|" : "%c", *c);
    hd_text_add(text, " |\n");
  }
  hd_text_add(text, "<!-- end of keys -->\n");
}
