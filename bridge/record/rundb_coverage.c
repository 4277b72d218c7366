/* The run database's table of coverage: writes it at the end of a run, and reads it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

int hd_rundb_write_coverage(struct hd_rundb *db, const struct hd_coverage_set *set,
                            struct hd_error *err)
{
  sqlite3_stmt *s;
  int status = hd_rundb_prepare(
      db, &s, "INSERT INTO coverage (section, point, count, reachable) VALUES (?, ?, ?, ?)", err);
  for (unsigned i = 0; !status && i < HD_POINTS; i++) {
    sqlite3_bind_text(s, 1, hd_coverage_list[i].section, -1, SQLITE_STATIC);
    sqlite3_bind_text(s, 2, hd_coverage_list[i].name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)set->count[i]);
    sqlite3_bind_int(s, 4, set->reachable[i]);
    status = hd_rundb_step(db, s, err);
  }
  sqlite3_finalize(s);
  return status;
}

/* Reads the rows. Points that this Heddle does not know are left out. */
static uint32_t read_points(struct hd_coverage_set *set, sqlite3_stmt *s, int *code)
{
  uint32_t n = 0;
  while ((*code = sqlite3_step(s)) == SQLITE_ROW) {
    const char *section = (const char *)sqlite3_column_text(s, 0);
    const char *name = (const char *)sqlite3_column_text(s, 1);
    enum hd_spec_point point = section && name ? hd_coverage_find(section, name) : HD_POINTS;
    n++;
    if (point == HD_POINTS)
      continue;
    set->count[point] = (uint64_t)sqlite3_column_int64(s, 2);
    set->reachable[point] = sqlite3_column_int(s, 3) != 0;
  }
  return n;
}

int hd_rundb_coverage_read(struct hd_coverage_set *set, const struct hd_rundb_info *info,
                           struct hd_error *err)
{
  struct hd_coverage_set own = {.runs = 1};
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  uint32_t n = 0;
  int status = hd_rundb_open(&sqlite, info->path, err);
  if (status)
    return status;
  int code = sqlite3_prepare_v2(
      sqlite, "SELECT count(*) FROM sqlite_schema WHERE name = 'coverage'", -1, &s, NULL);
  bool known = code == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0);
  sqlite3_finalize(s);
  s = NULL;
  if (known) {
    code = sqlite3_prepare_v2(sqlite, "SELECT section, point, count, reachable FROM coverage", -1,
                              &s, NULL);
    if (code == SQLITE_OK)
      n = read_points(&own, s, &code);
    if (code != SQLITE_DONE)
      status = hd_fail(err, HD_E_IO, "%s: %s", info->path, sqlite3_errmsg(sqlite));
  }
  if (!status && !n)
    status =
        hd_fail(err, HD_E_INPUT,
                "%s: the run counted no points of the specification: it was not finished, or is "
                "of an older Heddle; run it again",
                info->path);
  if (!status)
    hd_coverage_merge(set, &own);
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}
