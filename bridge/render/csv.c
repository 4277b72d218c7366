/* Writes rows as CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "render.h"

void hd_csv_name(const struct hd_column *column, struct hd_text *text)
{
  const char *name = column->csv ? column->csv : column->key;
  for (const char *c = name; *c; c++)
    hd_text_add(text, "%c", *c == '.' ? '_' : *c);
}

static void add_cell(const struct hd_column *column, const struct hd_value *value,
                     struct hd_text *text)
{
  if (value->type == HD_VALUE_TEXT && value->text)
    hd_text_add_csv(text, value->text);
  else if (value->type == HD_VALUE_REAL && column->format)
    hd_text_add(text, column->format, value->real);
  else
    hd_value_add(value, text);
}

/* Adds a row, or the line of names if `values` is NULL. */
static void add_line(const struct hd_column *columns, size_t n, const struct hd_value *values,
                     struct hd_text *text)
{
  const char *between = "";
  for (size_t i = 0; i < n; i++) {
    if (!(columns[i].where & HD_IN_CSV))
      continue;
    hd_text_add(text, "%s", between);
    between = ",";
    if (values)
      add_cell(&columns[i], &values[i], text);
    else
      hd_csv_name(&columns[i], text);
  }
  hd_text_add(text, "\n");
}

void hd_csv_names(const struct hd_column *columns, size_t n, struct hd_text *text)
{
  add_line(columns, n, NULL, text);
}

void hd_csv_row(const struct hd_column *columns, size_t n, const struct hd_value *values,
                struct hd_text *text)
{
  add_line(columns, n, values, text);
}
