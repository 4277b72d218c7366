/* Reads the tables of a run database as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

void hd_rundb_table_add(struct hd_rundb_table *t, const char *text)
{
  HD_XROOM(t->cells, t->capacity, t->n_cells, 1);
  t->cells[t->n_cells++] = text ? t->chars.length : SIZE_MAX;
  if (text)
    hd_text_add(&t->chars, "%s%c", text, '\0');
  t->rows = t->n_cells / t->columns - 1;
}

int hd_rundb_table_read(struct hd_rundb_table *table, unsigned which, const char *path,
                        struct hd_error *err)
{
  static const char *const queries[HD_RUNDB_TABLES] = {
#define QUERY(NAME, sql) [HD_RUNDB_##NAME] = "SELECT " sql,
      HD_RUNDB_TABLE_LIST(QUERY)
#undef QUERY
  };
  *table = (struct hd_rundb_table){0};
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  int status = hd_rundb_open(&sqlite, path, err);
  if (status)
    return status;
  /* SQLITE_ERROR: an older Heddle did not make this table. */
  int code = sqlite3_prepare_v2(sqlite, queries[which], -1, &s, NULL);
  bool unknown = code == SQLITE_ERROR;
  if (code == SQLITE_OK) {
    table->columns = (size_t)sqlite3_column_count(s);
    for (size_t i = 0; i < table->columns; i++)
      hd_rundb_table_add(table, sqlite3_column_name(s, (int)i));
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
      for (size_t i = 0; i < table->columns; i++)
        hd_rundb_table_add(table, (const char *)sqlite3_column_text(s, (int)i));
  }
  if (code != SQLITE_DONE && !unknown)
    status = hd_fail(err, HD_E_IO, "%s: %s", path, sqlite3_errmsg(sqlite));
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}

const char *hd_rundb_cell(const struct hd_rundb_table *table, size_t row, size_t column)
{
  size_t at = table->cells[(row + 1) * table->columns + column];
  return at == SIZE_MAX ? NULL : table->chars.chars + at;
}

size_t hd_rundb_column(const struct hd_rundb_table *table, const char *name)
{
  size_t i = 0;
  while (i < table->columns && strcmp(table->chars.chars + table->cells[i], name) != 0)
    i++;
  return i;
}

void hd_rundb_table_fini(struct hd_rundb_table *table)
{
  hd_text_fini(&table->chars);
  free(table->cells);
  *table = (struct hd_rundb_table){0};
}
