/* The RTL's source with the number of times that runs executed each line, as a page of HTML.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coverage_page.h"

#include "page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Writes a share, such as "37 of 41 (90.2 %)". */
static void share(char text[64], uint32_t hit, uint32_t all)
{
  if (all)
    snprintf(text, 64, "%" PRIu32 " of %" PRIu32 " (%.1f %%)", hit, all, 100.0 * hit / all);
  else
    snprintf(text, 64, "none");
}

static void tile(struct hd_text *text, const char *what, uint32_t hit, uint32_t all)
{
  char value[64];
  share(value, hit, all);
  hd_page_tile(text, what, value, NULL);
}

static void add_head(struct hd_page *page, const struct hd_coverage_set *points,
                     const struct hd_rtl_coverage *rtl)
{
  struct hd_rtl_sums all = hd_rtl_coverage_sums(rtl);
  uint32_t reachable = hd_coverage_reachable_points(points);
  hd_text_add(&page->head, "<h1>Coverage of %s</h1>\n<dl class=\"tiles\">\n",
              hd_count(points->runs, "run").text);
  tile(&page->head, "lines executed", all.lines_hit, all.lines);
  tile(&page->head, "branches taken", all.branches_hit, all.branches);
  tile(&page->head, "bits changed", all.bits_hit, all.bits);
  tile(&page->head, "points of the specification", reachable - hd_coverage_holes(points),
       reachable);
  hd_text_add(&page->head, "</dl>\n");
}

static void cell_share(struct hd_text *text, uint32_t hit, uint32_t all)
{
  char value[64];
  share(value, hit, all);
  hd_text_add(text, "<td class=\"n\" data-v=\"%.6f\">%s</td>", all ? (double)hit / all : 1.0,
              value);
}

static void add_files(struct hd_page *page, const struct hd_rtl_coverage *rtl)
{
  static const struct hd_page_column columns[] = {
      {.name = "file"},
      {.name = "lines executed", .number = true},
      {.name = "branches taken", .number = true, .help = "sides of an if, arms of a case"},
      {.name = "bits changed", .number = true}};
  struct hd_text *t = &page->body;
  hd_page_section(page, "files", "Files");
  hd_page_table(t, "file-table", "Each file of the RTL, all its instances together", columns,
                sizeof columns / sizeof *columns, true);
  for (size_t i = 0; i < rtl->n_files; i++) {
    const struct hd_rtl_file *file = &rtl->files[i];
    hd_page_row(t);
    hd_text_add(t, "<th scope=\"row\"><a href=\"#file-%zu\">", i);
    hd_text_add_xml(t, file->name);
    hd_text_add(t, "</a></th>");
    cell_share(t, file->sums.lines_hit, file->sums.lines);
    cell_share(t, file->sums.branches_hit, file->sums.branches);
    cell_share(t, file->sums.bits_hit, file->sums.bits);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  hd_page_section_end(page);
}

static void add_holes(struct hd_page *page, const struct hd_coverage_set *points)
{
  static const struct hd_page_column columns[] = {
      {.name = "§"}, {.name = "point"}, {.name = "meaning"}};
  struct hd_text *t = &page->body;
  hd_page_section(page, "holes", "Specification");
  if (!hd_coverage_holes(points))
    hd_page_paragraph(t, NULL, "The runs exercised every point that they could reach.");
  else
    hd_page_table(t, "hole-table", "Points that the runs could have reached and did not exercise",
                  columns, sizeof columns / sizeof *columns, true);
  for (enum hd_spec_point p = hd_coverage_next_hole(points, (enum hd_spec_point)0); p < HD_POINTS;
       p = hd_coverage_next_hole(points, p + 1)) {
    hd_page_row(t);
    hd_page_cell_name(t, hd_coverage_list[p].section);
    hd_page_cell_text(t, hd_coverage_list[p].name);
    hd_page_cell_text(t, hd_coverage_list[p].about);
    hd_page_row_end(t);
  }
  if (hd_coverage_holes(points))
    hd_page_table_end(t);
  hd_page_section_end(page);
}

/* Says in words what a line lacks, because some readers cannot distinguish the colours. */
static void add_remarks(struct hd_text *t, const struct hd_rtl_coverage *rtl,
                        const struct hd_rtl_file *file, uint32_t number)
{
  const struct hd_rtl_line *line = &file->lines[number];
  const struct hd_rtl_point *p;
  for (size_t at = 0; line->count && (p = hd_rtl_next_unexecuted_point(rtl, file, number, &at));)
    hd_text_add_xml_in(t, "<small>", p->what, " never taken </small>");
  if (line->points && !line->count)
    hd_text_add(t, "<small>never executed </small>");
  if (line->unchanged)
    hd_text_add(t, "<small>%" PRIu32 " of %s never changed</small>", line->unchanged,
                hd_count(line->bits, "bit").text);
}

static void add_line(struct hd_text *t, const struct hd_rtl_coverage *rtl,
                     const struct hd_rtl_file *file, uint32_t number, const char *source)
{
  static const struct hd_rtl_line nothing;
  const struct hd_rtl_line *line = number <= file->n_lines ? &file->lines[number] : &nothing;
  const char *kind = !line->points      ? ""
                     : !line->count     ? " class=\"never\""
                     : line->unexecuted ? " class=\"partly\""
                                        : " class=\"hit\"";
  hd_text_add(t, "<tr%s><th scope=\"row\" class=\"n\">%" PRIu32 "</th><td class=\"n\">", kind,
              number);
  if (line->points)
    hd_page_count(t, line->count);
  hd_text_add_xml_in(t, "</td><td><code>", source, "</code></td><td>");
  if (number <= file->n_lines)
    add_remarks(t, rtl, file, number);
  hd_text_add(t, "</td></tr>\n");
}

static void add_source(struct hd_page *page, const struct hd_rtl_coverage *rtl, size_t i)
{
  const struct hd_rtl_file *file = &rtl->files[i];
  struct hd_text *t = &page->body, line = {0};
  char id[32];
  uint32_t number = 1;
  snprintf(id, sizeof id, "file-%zu", i);
  hd_page_section(page, id, file->name);
  if (!file->text)
    hd_page_paragraph(t, "note", file->why);
  else
    hd_text_add(t, "<div class=\"scroll\"><table class=\"source\">\n<thead><tr><th class=\"n\">line"
                   "</th><th class=\"n\">executed</th><th>source</th><th>never</th></tr></thead>\n"
                   "<tbody>\n");
  for (const char *p = file->text; p && *p; number++) {
    size_t n = strcspn(p, "\r\n");
    hd_text_fini(&line);
    hd_text_add(&line, "%.*s", (int)n, p);
    add_line(t, rtl, file, number, hd_text_chars(&line));
    p += strcspn(p, "\n");
    p += *p == '\n';
  }
  if (file->text)
    hd_text_add(t, "</tbody></table></div>\n");
  hd_text_fini(&line);
  hd_page_section_end(page);
}

int hd_coverage_page_write(const struct hd_coverage_set *points, const struct hd_rtl_coverage *rtl,
                           const char *path, struct hd_error *err)
{
  struct hd_page page = {0};
  add_head(&page, points, rtl);
  add_files(&page, rtl);
  add_holes(&page, points);
  for (size_t i = 0; i < rtl->n_files; i++)
    add_source(&page, rtl, i);
  int status = hd_page_write(&page, "Coverage", path, err);
  hd_page_fini(&page);
  return status;
}
