/* CSV, from the tables of results.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

struct csv_writer {
  const struct hd_result_table *table;
  struct hd_text *text;
};

void hd_report_csv_name(const struct hd_result *column, struct hd_text *text)
{
  const char *name = column->csv ? column->csv : column->key;
  for (const char *c = name; *c; c++)
    hd_text_add(text, "%c", *c == '.' ? '_' : *c);
}

/* NULL: the line of names. */
static void csv_row(void *context, const struct hd_value *values)
{
  struct csv_writer *w = context;
  const struct hd_result_table *t = w->table;
  bool any = false;
  for (size_t i = 0; i < t->n; i++) {
    if (!(t->columns[i].where & HD_IN_CSV))
      continue;
    hd_text_add(w->text, "%s", any ? "," : "");
    any = true;
    if (!values)
      hd_report_csv_name(&t->columns[i], w->text);
    else if (values[i].type == HD_VALUE_TEXT && values[i].text)
      hd_text_add_csv(w->text, values[i].text);
    else
      hd_value_add(&values[i], w->text);
  }
  hd_text_add(w->text, "\n");
}

void hd_report_csv(const struct hd_run_report *r, const struct hd_result_table *table,
                   struct hd_text *text)
{
  struct csv_writer w = {table, text};
  csv_row(&w, NULL);
  table->each(r, csv_row, &w);
}
