/* Results and lists, as bridge/report/results.c describes them, and a run's provenance.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../backends/backend.h"
#include "../host/memory.h"
#include "run_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200 };

/* ── lists ─────────────────────────────────────────────────────────────────── */

static void list_table(struct hd_text *t, const struct hd_run_data *d,
                       const struct hd_result_table *list, uint64_t rows)
{
  struct hd_page_column *columns = hd_xcalloc(list->n, sizeof *columns);
  char caption[200];
  for (size_t i = 0; i < list->n; i++) {
    const struct hd_column *c = &list->columns[i];
    columns[i] =
        (struct hd_page_column){.name = c->key,
                                .unit = c->unit,
                                .help = c->help,
                                .number = c->type == HD_VALUE_COUNT || c->type == HD_VALUE_REAL};
  }
  bool cut = rows > MOST_ROWS;
  if (cut)
    snprintf(caption, sizeof caption, "%s: %s; the first %d of %llu", list->key, list->help,
             MOST_ROWS, (unsigned long long)rows);
  else
    snprintf(caption, sizeof caption, "%s: %s", list->key, list->help);
  hd_page_table(t, list->key, caption, columns, list->n, true);
  for (uint64_t row = 0; row < (cut ? MOST_ROWS : rows); row++) {
    hd_page_row(t);
    for (size_t i = 0; i < list->n; i++) {
      struct hd_value value = hd_run_data_value(d, list, i, row);
      hd_page_cell_value(t, &value, list->columns[i].none);
    }
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
  if (cut)
    hd_text_add(t, "<p class=\"note\">report.json has all of them.</p>\n");
  free(columns);
}

void hd_run_lists_section(struct hd_page *page, const struct hd_run_data *d)
{
  bool open = false;
  for (int k = HD_RESULTS_RUN + 1; k < HD_RESULT_TABLES; k++) {
    const struct hd_result_table *list = &hd_result_tables[k];
    uint64_t rows = list->key ? hd_run_data_rows(d, list->key) : 0;
    /* The settings are in the section on provenance. */
    if (!rows || k == HD_RESULTS_PARAMETERS)
      continue;
    if (!open)
      hd_page_section(page, "lists", "Software, barriers, faults, budgets");
    open = true;
    list_table(&page->body, d, list, rows);
  }
  if (open)
    hd_page_section_end(page);
}

/* ── results ───────────────────────────────────────────────────────────────── */

void hd_run_results_section(struct hd_page *page, const struct hd_run_data *d)
{
  static const struct hd_page_column columns[] = {
      {.name = "result"}, {.name = "value"}, {.name = "unit"}, {.name = "meaning"}};
  const struct hd_result_table *run = &hd_result_tables[HD_RESULTS_RUN];
  struct hd_text *t = &page->body;
  hd_page_section(page, "results", "All results");
  if (!d->tables[HD_RUNDB_RESULTS].rows) {
    hd_page_paragraph(t, "note",
                      "The run database has no results: the run did not come to its end, or is of "
                      "an older Heddle.");
  } else {
    hd_page_table(t, "result-table",
                  "Every result of the run, by its key in report.json and run.db", columns, 4,
                  true);
    for (size_t i = 0; i < run->n; i++) {
      const struct hd_column *c = &run->columns[i];
      struct hd_value value = hd_run_data_value(d, run, i, 0);
      hd_text_add(t, "<tr data-key=\"%s\">", c->key);
      hd_page_cell_name(t, c->key);
      hd_page_cell_value(t, &value, c->none);
      hd_page_cell_text(t, c->unit ? c->unit : "");
      hd_page_cell_text(t, c->help);
      hd_page_row_end(t);
    }
    hd_page_table_end(t);
  }
  hd_page_section_end(page);
}

/* ── provenance ────────────────────────────────────────────────────────────── */

static void fact(struct hd_text *t, const char *name, const char *value)
{
  if (!value)
    return;
  hd_page_row(t);
  hd_page_cell_name(t, name);
  hd_page_cell_text(t, value);
  hd_page_row_end(t);
}

/* Writes the rows of a table as names and values. The cells after the first one are the value. */
static void facts_of(struct hd_text *t, const struct hd_rundb_table *table, const char *prefix)
{
  for (size_t row = 0; row < table->rows; row++) {
    struct hd_text name = {0}, value = {0};
    const char *first = hd_rundb_cell(table, row, 0);
    hd_text_add(&name, "%s%s", prefix, first ? first : "");
    for (size_t c = 1; c < table->columns; c++) {
      const char *cell = hd_rundb_cell(table, row, c);
      if (cell)
        hd_text_add(&value, "%s%s", c > 1 ? ", " : "", cell);
    }
    fact(t, hd_text_chars(&name), hd_text_chars(&value));
    hd_text_fini(&name);
    hd_text_fini(&value);
  }
}

static void commands(struct hd_text *t, const struct hd_run_data *d)
{
  struct hd_text again = {0}, anew = {0};
  const char *dut = hd_run_data_run(d, "dut"), *path = hd_run_data_run(d, "scenario_path");
  hd_text_add_option(&again, "heddle replay ", d->directory);
  if (dut &&
      hd_backend_is_shared_object(dut)) /* a shared object is loaded only if the user names it */
    hd_text_add_option(&again, " --dut ", dut);
  hd_text_add_option(&anew, "heddle run ", path ? path : "SCENARIO");
  hd_text_add_option(&anew, " --dut ", dut);
  hd_text_add_option(&anew, " --rtl ", hd_run_data_run(d, "rtl_dir"));
  hd_text_add_option(&anew, " --against ", hd_run_data_item(d, "against", 0, "directory"));
  hd_text_add_option(&anew, " --seed ", hd_run_data_run(d, "seed"));
  hd_text_add_option(&anew, " --mode ", hd_run_data_run(d, "mode"));
  hd_text_add_option(&anew, " --window ", hd_run_data_run(d, "window_cycles"));
  hd_text_add_option(&anew, " --threads ", hd_run_data_run(d, "threads"));
  hd_text_add_option(&anew, " --cycles ", hd_run_data_run(d, "cycles_limit"));
  hd_text_add(t, "<p>This repeats the run with all that its run.db holds, and compares the digest:"
                 "</p>\n");
  hd_page_lines(t, "command", hd_text_chars(&again));
  hd_text_add(t, "<p>This runs the scenario's file with the same settings:</p>\n");
  hd_page_lines(t, "command", hd_text_chars(&anew));
  hd_text_fini(&again);
  hd_text_fini(&anew);
}

void hd_run_provenance_section(struct hd_page *page, const struct hd_run_data *d)
{
  static const char *const facts[][2] = {{"started", "started"},
                                         {"ended", "ended"},
                                         {"scenario", "scenario_path"},
                                         {"seed", "seed"},
                                         {"device under test", "dut"},
                                         {"of this kind", "dut_about"},
                                         {"RTL", "rtl_dir"},
                                         {"mode", "mode"},
                                         {"compared by", "compare"},
                                         {"Heddle", "heddle"},
                                         {"repeats the run", "replay_of"}};
  static const struct hd_page_column columns[] = {{.name = "what"}, {.name = "value"}};
  struct hd_text *t = &page->body;
  hd_page_section(page, "provenance", "Provenance");
  commands(t, d);
  hd_page_table(t, "provenance-table", "The run, its tools and its files", columns, 2, false);
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    fact(t, facts[i][0], hd_run_data_run(d, facts[i][1]));
  facts_of(t, &d->tables[HD_RUNDB_TOOLS], "tool: ");
  facts_of(t, &d->tables[HD_RUNDB_FILES], "file: ");
  hd_page_table_end(t);
  hd_text_add(t, "<details><summary>Every setting</summary>\n");
  hd_page_table(t, "parameters", "Settings by their keys in the scenario", columns, 2, true);
  facts_of(t, &d->tables[HD_RUNDB_PARAMETERS], "");
  hd_page_table_end(t);
  hd_text_add(t, "</details>\n<details><summary>The scenario's text</summary>\n");
  const char *scenario = hd_run_data_run(d, "scenario");
  hd_page_lines(t, NULL, scenario ? scenario : "");
  hd_text_add(t, "</details>\n");
  hd_page_section_end(page);
}
