/* Inserts rows of a run database many at a time.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"
#include "../host/text.h"

static int prepare_rows(struct hd_rundb *db, sqlite3_stmt **statement, const char *table_columns,
                        int columns, int rows, struct hd_error *err)
{
  struct hd_text sql = {0};
  hd_text_add(&sql, "INSERT INTO %s VALUES ", table_columns);
  for (int r = 0; r < rows; r++) {
    hd_text_add(&sql, r ? ", (" : "(");
    for (int c = 0; c < columns; c++)
      hd_text_add(&sql, c ? ", ?" : "?");
    hd_text_add(&sql, ")");
  }
  int status = sql.failed ? hd_fail(err, HD_E_NOMEM, "run database: out of memory")
                          : hd_rundb_prepare(db, statement, sql.chars, err);
  hd_text_fini(&sql);
  return status;
}

int hd_rundb_bulk_prepare(struct hd_rundb *db, struct hd_rundb_bulk *bulk,
                          const char *table_columns, int columns, struct hd_error *err)
{
  bulk->columns = columns;
  int status = prepare_rows(db, &bulk->many, table_columns, columns, HD_BULK_ROWS, err);
  return status ? status : prepare_rows(db, &bulk->one, table_columns, columns, 1, err);
}

sqlite3_int64 *hd_rundb_bulk_row(struct hd_rundb_bulk *bulk)
{
  return &bulk->values[bulk->rows * bulk->columns];
}

static int insert(struct hd_rundb *db, sqlite3_stmt *statement, const sqlite3_int64 *values, int n,
                  struct hd_error *err)
{
  for (int i = 0; i < n; i++)
    if (values[i] == HD_BULK_NULL)
      sqlite3_bind_null(statement, i + 1);
    else
      sqlite3_bind_int64(statement, i + 1, values[i]);
  return hd_rundb_step(db, statement, err);
}

int hd_rundb_bulk_added(struct hd_rundb *db, struct hd_rundb_bulk *bulk, struct hd_error *err)
{
  if (++bulk->rows < HD_BULK_ROWS)
    return HD_OK;
  bulk->rows = 0;
  return insert(db, bulk->many, bulk->values, HD_BULK_ROWS * bulk->columns, err);
}

static int flush(struct hd_rundb *db, struct hd_rundb_bulk *bulk, struct hd_error *err)
{
  int status = HD_OK;
  for (int r = 0; !status && r < bulk->rows; r++)
    status = insert(db, bulk->one, &bulk->values[r * bulk->columns], bulk->columns, err);
  bulk->rows = 0;
  return status;
}

int hd_rundb_flush(struct hd_rundb *db, struct hd_error *err)
{
  int status = flush(db, &db->packets, err);
  if (!status)
    status = flush(db, &db->hops, err);
  return status ? status : flush(db, &db->values, err);
}

void hd_rundb_bulk_fini(struct hd_rundb_bulk *bulk)
{
  sqlite3_finalize(bulk->many);
  sqlite3_finalize(bulk->one);
}
