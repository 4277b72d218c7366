/* Named statistics of software in the run database.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A name stands there once; the view `statistics` puts it beside its values.
 */
#include "rundb_internal.h"

#include <stdlib.h>
#include <string.h>

static int write_name(struct hd_rundb *db, const struct hd_rundb_value *value, struct hd_error *err)
{
  sqlite3_stmt *s;
  int status =
      hd_rundb_prepare(db, &s, "INSERT INTO statistic_names (statistic, name) VALUES (?, ?)", err);
  if (status)
    return status;
  sqlite3_bind_int64(s, 1, value->statistic);
  sqlite3_bind_text(s, 2, value->name, -1, SQLITE_STATIC);
  status = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  db->statistics++;
  return status;
}

int hd_rundb_value(struct hd_rundb *db, const struct hd_rundb_value *value, struct hd_error *err)
{
  int status = value->statistic < db->statistics ? HD_OK : write_name(db, value, err);
  if (status)
    return status;
  sqlite3_int64 *row = hd_rundb_bulk_row(&db->values);
  row[0] = value->statistic;
  row[1] = (sqlite3_int64)value->cycle;
  row[2] = (sqlite3_int64)value->value;
  db->rows++;
  return hd_rundb_bulk_added(db, &db->values, err);
}

static int read_name(struct hd_rundb_statistics *all, const char *name)
{
  struct hd_rundb_statistic *more = realloc(all->list, (all->n + 1) * sizeof *more);
  if (!more)
    return HD_E_NOMEM;
  all->list = more;
  more[all->n] = (struct hd_rundb_statistic){.name = strdup(name)};
  return more[all->n++].name ? HD_OK : HD_E_NOMEM;
}

static int read_value(struct hd_rundb_statistic *s, struct hd_world_value value)
{
  /* Doubled at every power of two. */
  if (!(s->n & (s->n - 1))) {
    struct hd_world_value *more = realloc(s->values, (s->n ? 2 * s->n : 1) * sizeof *more);
    if (!more)
      return HD_E_NOMEM;
    s->values = more;
  }
  s->values[s->n++] = value;
  return HD_OK;
}

/* Rows: number, name, cycle, value; one statistic behind the other. */
static int read_rows(struct hd_rundb_statistics *all, sqlite3_stmt *rows, int *code)
{
  int status = HD_OK;
  sqlite3_int64 last = -1;
  while (!status && (*code = sqlite3_step(rows)) == SQLITE_ROW) {
    sqlite3_int64 number = sqlite3_column_int64(rows, 0);
    const char *name = (const char *)sqlite3_column_text(rows, 1);
    if (number != last)
      status = read_name(all, name ? name : "");
    last = number;
    if (!status)
      status = read_value(&all->list[all->n - 1],
                          (struct hd_world_value){(uint64_t)sqlite3_column_int64(rows, 2),
                                                  (uint64_t)sqlite3_column_int64(rows, 3)});
  }
  return status;
}

int hd_rundb_statistics_read(struct hd_rundb_statistics *all, const char *path,
                             struct hd_error *err)
{
  *all = (struct hd_rundb_statistics){0};
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  int status = hd_rundb_open(&sqlite, path, err);
  if (status)
    return status;
  int code = sqlite3_prepare_v2(
      sqlite, "SELECT count(*) FROM sqlite_schema WHERE name = 'statistics'", -1, &s, NULL);
  if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
    all->known = sqlite3_column_int(s, 0) != 0;
    code = SQLITE_DONE;
  }
  sqlite3_finalize(s);
  s = NULL;
  if (all->known)
    code = sqlite3_prepare_v2(sqlite,
                              "SELECT statistic, name, cycle, value FROM statistic_values JOIN"
                              " statistic_names USING (statistic)"
                              " ORDER BY statistic, statistic_values.rowid",
                              -1, &s, NULL);
  if (all->known && code == SQLITE_OK)
    status = read_rows(all, s, &code);
  if (status)
    hd_fail(err, status, "%s: statistics: out of memory", path);
  else if (code != SQLITE_DONE)
    status = hd_fail(err, HD_E_IO, "%s: %s", path, sqlite3_errmsg(sqlite));
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}

void hd_rundb_statistics_fini(struct hd_rundb_statistics *all)
{
  for (size_t i = 0; i < all->n; i++) {
    free(all->list[i].name);
    free(all->list[i].values);
  }
  free(all->list);
  *all = (struct hd_rundb_statistics){0};
}
