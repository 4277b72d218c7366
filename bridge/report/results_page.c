/* Writes the list of all results as text and Markdown.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "results.h"

#include <string.h>

static void add_where(const struct hd_column *result, struct hd_text *text)
{
  static const struct {
    unsigned bit;
    const char *name;
  } places[] = {
      {HD_IN_JSON, "JSON"}, {HD_IN_CSV, "CSV"}, {HD_IN_RUN, "run"}, {HD_IN_PROPERTIES, "JUnit"}};
  bool any = false;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (!(result->where & places[i].bit))
      continue;
    hd_text_add(text, "%s%s", any ? ", " : "", places[i].name);
    any = true;
    if (places[i].bit == HD_IN_CSV && result->csv)
      hd_text_add(text, " (%s)", result->csv);
  }
}

static void add_meaning(const struct hd_column *result, struct hd_text *text)
{
  hd_text_add(text, "%s", result->help);
  if (result->none)
    hd_text_add(text, "; no value: %s", result->none);
}

/* Returns the table's name in the page. */
static const char *name_of(const struct hd_result_table *t)
{
  return t->key && *t->key ? t->key : t == hd_result_tables ? "results" : t->file;
}

void hd_results_text(struct hd_text *text)
{
  for (const struct hd_result_table *t = hd_result_tables; t < hd_result_tables + HD_RESULT_TABLES;
       t++) {
    hd_text_add(text, "%s: %s\n", name_of(t), t->help);
    for (const struct hd_column *r = t->columns; r < t->columns + t->n; r++) {
      hd_text_add(text, "  %-24s %-16s ", r->key, r->unit ? r->unit : "");
      if (t == hd_result_tables)
        add_where(r, text);
      hd_text_add(text, "\n      ");
      add_meaning(r, text);
      hd_text_add(text, "\n");
    }
  }
}

void hd_results_markdown(struct hd_text *text)
{
  for (const struct hd_result_table *t = hd_result_tables; t < hd_result_tables + HD_RESULT_TABLES;
       t++) {
    bool run = t == hd_result_tables;
    hd_text_add(text, "<!-- keys: %s -->\n", name_of(t));
    hd_text_add(text, run ? "| key | unit | also in | meaning |\n|---|---|---|---|\n"
                          : "| column | unit | meaning |\n|---|---|---|\n");
    for (const struct hd_column *r = t->columns; r < t->columns + t->n; r++) {
      hd_text_add(text, "| `%s` | %s | ", r->key, r->unit ? r->unit : "–");
      if (run) {
        if (r->where)
          add_where(r, text);
        else
          hd_text_add(text, "–");
        hd_text_add(text, " | ");
      }
      add_meaning(r, text);
      hd_text_add(text, " |\n");
    }
    hd_text_add(text, "<!-- end of keys -->\n");
  }
}
