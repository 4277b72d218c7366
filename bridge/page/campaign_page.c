/* The page of a campaign: its entry, and the sections that sweeps and checks share.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_page.h"

#include "campaign_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool hd_is_campaign(const char *directory)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/campaign.db", directory);
  bool is = !access(path.chars, F_OK);
  hd_text_fini(&path);
  return is;
}

void hd_campaign_number(struct hd_text *text, uint64_t n, const char *what)
{
  hd_page_count(text, n);
  hd_text_add(text, " %s%s", what, n == 1 ? "" : "s");
}

void hd_campaign_tile(struct hd_text *text, const char *what, uint64_t n, const char *unit)
{
  struct hd_text words = {0};
  hd_page_count(&words, n);
  hd_page_tile(text, what, hd_text_chars(&words), unit);
  hd_text_fini(&words);
}

/* ── failures by signature ─────────────────────────────────────────────────── */

/* Tests whether a name is like those that heddle check makes. Other names could be addresses, or
 * lead out of the directory. */
static bool is_directory_name(const char *run)
{
  return *run != '.' && *run &&
         !run[strspn(run, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")];
}

static void link_to_run(struct hd_text *t, const struct hd_campaign_data *d, const char *run)
{
  struct hd_text path = {0}, link = {0};
  if (!is_directory_name(run))
    return;
  hd_text_add(&path, "%s/%s/report.html", d->directory, run);
  hd_text_add(&link, "%s%s/report.html", hd_text_chars(&d->beside), run);
  if (!access(path.chars, R_OK)) {
    hd_text_add(t, "<p><a href=\"");
    hd_text_add_xml(t, link.chars);
    hd_text_add(t,
                "\">The page of this failure</a>: both sides, the first wrong state, the timeline."
                "</p>\n");
  } else {
    hd_text_add_xml_in(t, "<p class=\"note\">The command writes a page of this run into <code>",
                       d->directory, "/");
    hd_text_add_xml(t, run);
    hd_text_add(t, "</code>.</p>\n");
  }
  hd_text_fini(&path);
  hd_text_fini(&link);
}

/* Lists the other places at which the difference showed. */
static void also_list(struct hd_text *t, const json_t *also)
{
  size_t i;
  const json_t *one;
  hd_text_add(t, "<p>It also showed as:</p>\n<ul class=\"also\">\n");
  json_array_foreach(also, i, one)
  {
    const char *signature = hd_json_text(one, "signature"), *example = hd_json_text(one, "example"),
               *command = hd_json_text(one, "command");
    hd_text_add(t, "<li>");
    hd_text_add_xml(t, signature ? signature : "unknown");
    hd_text_add(t, " <small>\u00d7 %" PRIu64 "</small>: ", hd_json_count(one, "failures"));
    hd_text_add_xml(t, example ? example : "");
    hd_text_add_xml_in(t, "<br/><code>", command ? command : "", "</code></li>\n");
  }
  hd_text_add(t, "</ul>\n");
}

void hd_campaign_group(struct hd_text *t, const struct hd_campaign_data *d,
                       const struct hd_campaign_group *g, unsigned number)
{
  hd_text_add(t, "<div class=\"group\" id=\"group-%u\">\n<h3>", number);
  hd_text_add_xml(t, g->signature ? g->signature : "unknown");
  hd_text_add(t, " <small>\u00d7 %" PRIu64 "</small></h3>\n", g->n);
  if (g->cause)
    hd_page_paragraph(t, "cause", g->cause);
  if (g->inside)
    hd_text_add_xml_in(t, "<p class=\"first\">The first wrong state inside is <code>", g->inside,
                       "</code>.</p>\n");
  if (g->first_wrong)
    hd_page_paragraph(t, NULL, g->first_wrong);
  if (g->example)
    hd_text_add_xml_in(t, "<p>One of them: ", g->example, "</p>\n");
  if (g->reason)
    hd_page_paragraph(t, NULL, g->reason);
  if (g->before)
    hd_text_add_xml_in(t, "<p class=\"note\">Before it was made small: ", g->before, "</p>\n");
  if (g->small)
    hd_text_add_xml_in(t, "<p>Made small: ", g->small, "</p>\n");
  if (g->causes) {
    hd_text_add(t, "<p>Signals that are wrong first, compared with the original RTL on the same "
                   "inputs:</p>\n");
    hd_page_lines(t, "causes", g->causes);
  }
  if (g->warning)
    hd_page_lines(t, "warning", g->warning);
  if (g->command && *g->command)
    hd_page_lines(t, "command", g->command);
  if (g->wave_command)
    hd_page_lines(t, "command", g->wave_command);
  if (g->run)
    link_to_run(t, d, g->run);
  if (json_array_size(g->also))
    also_list(t, g->also);
  hd_text_add(t, "</div>\n");
}

/* ── coverage ──────────────────────────────────────────────────────────────── */

/* Points of a section of the specification: all, the reachable ones, the exercised ones. */
struct reach {
  const char *section;
  uint32_t points, reachable, exercised;
};

enum { MOST_SECTIONS = 128 };

static size_t count_sections(const json_t *points, struct reach sections[MOST_SECTIONS])
{
  size_t n = 0, i;
  const json_t *point;
  json_array_foreach(points, i, point)
  {
    const char *name = hd_json_text(point, "section");
    if (!name)
      continue;
    if (!n || strcmp(sections[n - 1].section, name)) {
      if (n == MOST_SECTIONS)
        return n;
      sections[n++] = (struct reach){.section = name};
    }
    struct reach *s = &sections[n - 1];
    s->points++;
    s->reachable += json_is_true(json_object_get(point, "reachable"));
    s->exercised += hd_json_count(point, "count") > 0;
  }
  return n;
}

static void section_name(struct hd_text *t, const char *section)
{
  hd_text_add_xml_in(t, "<tr><th scope=\"row\">§", section, "</th>");
}

static void sections_table(struct hd_text *t, const json_t *points)
{
  static const struct hd_page_column columns[] = {
      {.name = "section"},
      {.name = "exercised", .number = true, .help = "points that some run came by"},
      {.name = "in reach",
       .number = true,
       .help = "points that some run could have exercised, with the parameters of its switches"},
      {.name = "all", .number = true}};
  struct reach sections[MOST_SECTIONS];
  size_t n = count_sections(points, sections);
  hd_page_table(t, "coverage-sections", "Points of the specification, by section", columns, 4,
                true);
  for (size_t i = 0; i < n; i++) {
    section_name(t, sections[i].section);
    hd_page_cell_count(t, sections[i].exercised);
    hd_page_cell_count(t, sections[i].reachable);
    hd_page_cell_count(t, sections[i].points);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
}

static void points_table(struct hd_text *t, const json_t *points)
{
  static const struct hd_page_column columns[] = {{.name = "section"},
                                                  {.name = "point"},
                                                  {.name = "times", .number = true},
                                                  {.name = ""},
                                                  {.name = "meaning"}};
  size_t i;
  const json_t *point;
  hd_page_table(t, "coverage-table", "Every point, and how often all runs together exercised it",
                columns, 5, true);
  json_array_foreach(points, i, point)
  {
    const char *name = hd_json_text(point, "point"), *status = hd_json_text(point, "status"),
               *about = hd_json_text(point, "about"), *section = hd_json_text(point, "section");
    section_name(t, section ? section : "");
    hd_page_cell_text(t, name ? name : "");
    hd_page_cell_count(t, hd_json_count(point, "count"));
    hd_page_cell_text(t, status && !strcmp(status, "hole") ? "never" : status ? status : "");
    hd_page_cell_text(t, about ? about : "");
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
}

/* Lists the points that no run exercised. */
static void holes_list(struct hd_text *t, const json_t *points)
{
  size_t i;
  const json_t *point;
  hd_text_add(t, "<ul id=\"coverage-holes\">\n");
  json_array_foreach(points, i, point)
  {
    const char *status = hd_json_text(point, "status"), *name = hd_json_text(point, "point"),
               *section = hd_json_text(point, "section");
    if (!status || strcmp(status, "hole") || !name || !section)
      continue;
    hd_text_add_xml_in(t, "<li>§", section, " ");
    hd_text_add_xml(t, name);
    hd_text_add(t, "</li>\n");
  }
  hd_text_add(t, "</ul>\n");
}

void hd_campaign_coverage_section(struct hd_page *page, const struct hd_campaign_data *d)
{
  const json_t *coverage = json_object_get(d->json, "coverage"),
               *points = json_object_get(coverage, "points");
  struct hd_text *t = &page->body;
  if (!json_array_size(points))
    return;
  uint64_t reachable = hd_json_count(coverage, "reachable"),
           holes = hd_json_count(coverage, "holes");
  hd_page_section(page, "coverage", "Coverage of the specification");
  hd_text_add(t, "<p>");
  hd_campaign_number(t, hd_json_count(coverage, "runs"), "run");
  hd_text_add(t, " together came by ");
  hd_page_count(t, reachable > holes ? reachable - holes : 0);
  hd_text_add(t, " of the ");
  hd_campaign_number(t, reachable, "point");
  hd_text_add(t,
              " of the specification that the parameters of their switches let them reach.</p>\n");
  sections_table(t, points);
  if (holes) {
    hd_text_add(t, "<details%s><summary>Never exercised: ", holes <= 40 ? " open=\"open\"" : "");
    hd_campaign_number(t, holes, "point");
    hd_text_add(t, "</summary>\n");
    holes_list(t, points);
    hd_text_add(t, "</details>\n");
  }
  hd_text_add(t, "<details><summary>All points</summary>\n");
  points_table(t, points);
  hd_text_add(t, "</details>\n");
  hd_page_section_end(page);
}

/* ── provenance ────────────────────────────────────────────────────────────── */

static void provenance_section(struct hd_page *page, const struct hd_campaign_data *d)
{
  static const struct hd_page_column columns[] = {{.name = "what"}, {.name = "value"}};
  const char *const facts[][2] = {{"started", d->about.started},
                                  {"Heddle", d->about.heddle},
                                  {"depends on", d->about.identity},
                                  {"directory", d->directory}};
  struct hd_text *t = &page->body;
  hd_page_section(page, "provenance", "Provenance");
  hd_text_add(t, d->about.complete ? "<p>This was the command:</p>\n"
                                   : "<p>This was the command; given again, it continues:</p>\n");
  hd_page_lines(t, "command", d->about.command);
  hd_page_table(t, "provenance-table", "The campaign and its tools", columns, 2, false);
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    hd_page_row(t);
    hd_page_cell_name(t, facts[i][0]);
    hd_page_cell_text(t, facts[i][1]);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  hd_text_add(t, "<details><summary>What the runs follow from</summary>\n");
  hd_page_lines(t, NULL, d->about.definition);
  hd_text_add(t, "</details>\n");
  hd_page_section_end(page);
}

int hd_campaign_page_write(const char *directory, const char *path, struct hd_error *err)
{
  struct hd_campaign_data data;
  struct hd_page page = {0};
  struct hd_text title = {0};
  int status = hd_campaign_data_read(&data, directory, path, err);
  if (!status) {
    (data.check ? hd_check_page : hd_sweep_page)(&page, &data, &title);
    provenance_section(&page, &data);
    status = hd_page_write(&page, hd_text_chars(&title), path, err);
  }
  hd_text_fini(&title);
  hd_page_fini(&page);
  hd_campaign_data_fini(&data);
  return status;
}
