/* Reads the tables of a run database as text.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* All cells are in one text, each ended by a NUL, so that a table needs few allocations. */
struct cells {
  struct hd_rundb_table *table;
  size_t n, cap, length, room;
};

static void add_cell(struct cells *c, const char *text)
{
  struct hd_rundb_table *t = c->table;
  size_t size = text ? strlen(text) + 1 : 0;
  if (c->n == c->cap) {
    size_t cap = c->cap ? 2 * c->cap : 64;
    t->cells = hd_xrealloc(t->cells, cap * sizeof *t->cells);
    c->cap = cap;
  }
  if (c->length + size > c->room) {
    size_t room = c->room ? c->room : 1024;
    while (room < c->length + size)
      room *= 2;
    t->chars = hd_xrealloc(t->chars, room);
    c->room = room;
  }
  t->cells[c->n++] = text ? c->length : SIZE_MAX;
  if (text)
    memcpy(t->chars + c->length, text, size);
  c->length += size;
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
    struct cells cells = {.table = table};
    table->columns = (size_t)sqlite3_column_count(s);
    for (size_t i = 0; i < table->columns; i++)
      add_cell(&cells, sqlite3_column_name(s, (int)i));
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
      for (size_t i = 0; i < table->columns; i++)
        add_cell(&cells, (const char *)sqlite3_column_text(s, (int)i));
      table->rows++;
    }
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
  return at == SIZE_MAX ? NULL : table->chars + at;
}

size_t hd_rundb_column(const struct hd_rundb_table *table, const char *name)
{
  size_t i = 0;
  while (i < table->columns && strcmp(table->chars + table->cells[i], name) != 0)
    i++;
  return i;
}

void hd_rundb_table_fini(struct hd_rundb_table *table)
{
  free(table->chars);
  free(table->cells);
  *table = (struct hd_rundb_table){0};
}
