/* Writes the tables of results as CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

struct csv_writer {
  const struct hd_result_table *table;
  struct hd_text *text;
};

static void csv_row(void *context, const struct hd_value *values)
{
  const struct csv_writer *w = context;
  hd_csv_row(w->table->columns, w->table->n, values, w->text);
}

void hd_report_csv(const struct hd_run_report *r, const struct hd_result_table *table,
                   struct hd_text *text)
{
  struct csv_writer w = {table, text};
  hd_csv_names(table->columns, table->n, text);
  table->each(r, csv_row, &w);
}
