/* The page of a check: verdict, kinds of difference, exercised and unexercised points.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_data.h"

#include <inttypes.h>
#include <string.h>

static const char *text_or(const json_t *object, const char *key, const char *otherwise)
{
  const char *text = hd_json_text(object, key);
  return text ? text : otherwise;
}

/* Adds a tile with a time. A number that is missing (NAN) or not above 0 gets no tile. */
static void seconds_tile(struct hd_text *t, const char *what, double number)
{
  struct hd_text seconds = {0};
  if (!(number > 0))
    return;
  hd_page_real(&seconds, number);
  hd_page_tile(t, what, hd_text_chars(&seconds), "s");
  hd_text_fini(&seconds);
}

static void head(struct hd_text *t, const struct hd_campaign_data *d)
{
  static const char *const kinds[][2] = {
      {"same", "good"},           {"proved", "good"},
      {"no rule broken", "good"}, {"nothing compared", "warn"},
      {"nothing known", "warn"},  {"less than required", "warn"}};
  const char *verdict = text_or(d->json, "verdict", "unknown"), *kind = "bad";
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(verdict, kinds[i][0]))
      kind = kinds[i][1];
  hd_text_add(t, "<p class=\"verdict %s\" id=\"verdict\">", kind);
  hd_text_add_xml(t, verdict);
  hd_text_add_xml_in(t, "</p>\n<h1>", text_or(d->json, "question", "Is this RTL the switch?"),
                     "</h1>\n");
  hd_page_paragraph(t, "lead", text_or(d->json, "sentence", ""));
  hd_text_add(t, "<dl class=\"tiles\">\n");
  hd_campaign_tile(t, "runs", hd_json_count(d->json, "runs"), NULL);
  hd_campaign_tile(t, "kinds of difference",
                   json_array_size(json_object_get(d->json, "differences")), NULL);
  hd_campaign_tile(t, "events compared", hd_json_count(d->json, "events_compared"), NULL);
  hd_campaign_tile(t, "switch-cycles", hd_json_count(d->json, "switch_cycles"), NULL);
  seconds_tile(t, "time", hd_json_real(d->json, "seconds"));
  seconds_tile(t, "first difference after", hd_json_real(d->json, "first_difference_seconds"));
  seconds_tile(t, "workers' time", d->seconds);
  seconds_tile(t, "of it in builds", hd_json_real(d->json, "build_seconds"));
  seconds_tile(t, "of it in explanations", hd_json_real(d->json, "explain_seconds"));
  hd_text_add(t, "</dl>\n");
}

static void differences_section(struct hd_page *page, const struct hd_campaign_data *d)
{
  const json_t *groups = json_object_get(d->json, "differences"), *g;
  size_t i;
  if (!json_array_size(groups))
    return;
  hd_page_section(page, "failures", "Differences");
  hd_text_add(&page->body,
              "<p>Failures that look alike are one kind. Each has a command that shows "
              "one of them again.</p>\n");
  json_array_foreach(groups, i, g)
  {
    const struct hd_campaign_group group = {.signature = hd_json_text(g, "signature"),
                                            .inside = hd_json_text(g, "first_wrong_state"),
                                            .first_wrong = hd_json_text(g, "first_wrong"),
                                            .example = hd_json_text(g, "example"),
                                            .small = hd_json_text(g, "shrunk"),
                                            .cause = hd_json_text(g, "cause"),
                                            .causes = hd_json_text(g, "causes"),
                                            .before = hd_json_text(g, "before_shrinking"),
                                            .reason = hd_json_text(g, "reason"),
                                            .warning = hd_json_text(g, "warning"),
                                            .also = json_object_get(g, "also"),
                                            .command = text_or(g, "command", ""),
                                            .wave_command = hd_json_text(g, "wave_command"),
                                            .n = hd_json_count(g, "failures"),
                                            .run = hd_json_text(g, "run")};
    hd_campaign_group(&page->body, d, &group, (unsigned)i + 1);
  }
  hd_page_section_end(page);
}

static void texts(struct hd_text *t, const char *id, const json_t *array)
{
  size_t i;
  const json_t *line;
  hd_text_add(t, "<ul id=\"%s\">\n", id);
  json_array_foreach(array, i, line)
  {
    if (!json_is_string(line))
      continue;
    hd_text_add_xml_in(t, "<li>", json_string_value(line), "</li>\n");
  }
  hd_text_add(t, "</ul>\n");
}

static void exercised_section(struct hd_page *page, const struct hd_campaign_data *d)
{
  static const struct hd_page_column columns[] = {{.name = "what"},
                                                  {.name = "runs", .number = true},
                                                  {.name = "failed", .number = true},
                                                  {.name = "time", .unit = "s", .number = true}};
  struct hd_text *t = &page->body;
  const json_t *kinds = json_object_get(d->json, "kinds"), *kind;
  size_t i;
  hd_page_section(page, "exercised", "Exercised");
  hd_page_table(t, "kind-table", "Kinds of run", columns, 4, true);
  json_array_foreach(kinds, i, kind)
  {
    hd_page_row(t);
    hd_page_cell_name(t, text_or(kind, "about", ""));
    hd_page_cell_count(t, hd_json_count(kind, "runs"));
    hd_page_cell_count(t, hd_json_count(kind, "failed"));
    double seconds = hd_json_real(kind, "seconds");
    hd_page_cell_real(t, seconds > 0 ? seconds : 0);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  if (json_array_size(json_object_get(d->json, "notes")))
    texts(t, "notes", json_object_get(d->json, "notes"));
  if (json_array_size(json_object_get(d->json, "not_exercised"))) {
    hd_text_add(t, "<h3>Not exercised</h3>\n");
    texts(t, "not-exercised", json_object_get(d->json, "not_exercised"));
  }
  hd_page_section_end(page);
}

/* Adds a table of the parameters of random scenarios:
 * {"topology": {"mesh": {"scenarios": 12, …}, …}, …} */
static void drawn_table(struct hd_text *t, json_t *drawn)
{
  static const struct hd_page_column columns[] = {{.name = "parameter"},
                                                  {.name = "value"},
                                                  {.name = "scenarios", .number = true},
                                                  {.name = "switch-cycles", .number = true},
                                                  {.name = "flits", .number = true}};
  json_t *values, *value;
  const char *name, *label;
  hd_page_table(t, "drawn-table", "Parameters of the random scenarios that agreed", columns, 5,
                true);
  json_object_foreach(drawn, name, values)
  {
    json_object_foreach(values, label, value)
    {
      hd_page_row(t);
      hd_page_cell_name(t, name);
      hd_page_cell_text(t, label);
      hd_page_cell_count(t, hd_json_count(value, "scenarios"));
      hd_page_cell_count(t, hd_json_count(value, "switch_cycles"));
      hd_page_cell_count(t, hd_json_count(value, "flits"));
      hd_page_row_end(t);
    }
  }
  hd_page_table_end(t);
}

static void drawn_section(struct hd_page *page, const struct hd_campaign_data *d)
{
  struct hd_text *t = &page->body;
  json_t *drawn = json_object_get(d->json, "drawn");
  const json_t *missing = json_object_get(d->json, "not_drawn");
  if (!json_object_size(drawn) && !json_array_size(missing))
    return;
  hd_page_section(page, "drawn", "Parameters drawn");
  if (json_object_size(drawn))
    drawn_table(t, drawn);
  else
    hd_page_paragraph(t, "note", "No random scenario agreed.");
  if (json_array_size(missing)) {
    hd_text_add(t, "<details><summary>Not drawn: %zu values</summary>\n", json_array_size(missing));
    texts(t, "not-drawn", missing);
    hd_text_add(t, "</details>\n");
  }
  hd_page_section_end(page);
}

void hd_check_page(struct hd_page *page, const struct hd_campaign_data *d, struct hd_text *title)
{
  hd_text_add(title, "check: %s", text_or(d->json, "verdict", "unknown"));
  head(&page->head, d);
  differences_section(page, d);
  exercised_section(page, d);
  drawn_section(page, d);
  hd_campaign_coverage_section(page, d);
}
