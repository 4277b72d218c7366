/* Reads a run's packets or hops one by one, in order.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

#include <stdlib.h>
#include <string.h>

struct hd_rundb_cursor {
  sqlite3 *sqlite;
  sqlite3_stmt *rows;
  char *path;
  bool hops;
  struct hd_rundb_row row;
};

static int cursor_failed(const struct hd_rundb_cursor *c, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "%s: %s", c->path, sqlite3_errmsg(c->sqlite));
}

static uint64_t column(const struct hd_rundb_cursor *c, int i)
{
  return (uint64_t)sqlite3_column_int64(c->rows, i);
}

static void read_packet(struct hd_rundb_cursor *c)
{
  bool received = sqlite3_column_type(c->rows, 5) != SQLITE_NULL;
  c->row.key = column(c, 0);
  c->row.packet = (struct hd_rundb_packet){
      .number = (uint32_t)column(c, 0),
      .source = (uint32_t)column(c, 1),
      .destination = (uint32_t)column(c, 2),
      .flits = (uint32_t)column(c, 3),
      .created = column(c, 4),
      .received = received ? column(c, 5) : UINT64_MAX,
      .synthetic = column(c, 6) != 0,
      .intact = column(c, 7) != 0,
  };
}

static void read_hop(struct hd_rundb_cursor *c)
{
  c->row.key = column(c, 0) << 32 | column(c, 1);
  c->row.hop = (struct hd_rundb_hop){
      .packet = (uint32_t)column(c, 0),
      .hop = (uint32_t)column(c, 1),
      .sw = (uint16_t)column(c, 2),
      .in_port = (uint8_t)column(c, 3),
      .out_port = (uint8_t)column(c, 4),
      .vc = (uint8_t)column(c, 5),
      .cycle = column(c, 6),
  };
}

int hd_rundb_cursor_next(struct hd_rundb_cursor *c, struct hd_error *err)
{
  int code = sqlite3_step(c->rows);
  c->row = (struct hd_rundb_row){.present = code == SQLITE_ROW, .key = UINT64_MAX};
  if (code != SQLITE_ROW)
    return code == SQLITE_DONE ? HD_OK : cursor_failed(c, err);
  if (c->hops)
    read_hop(c);
  else
    read_packet(c);
  return HD_OK;
}

int hd_rundb_cursor_open(struct hd_rundb_cursor **cursor, const char *path, bool hops,
                         struct hd_error *err)
{
  *cursor = NULL;
  struct hd_rundb_cursor *c = calloc(1, sizeof *c);
  if (!c || !(c->path = strdup(path))) {
    free(c);
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", path);
  }
  c->hops = hops;
  const char *sql = hops ? "SELECT packet, hop, switch, in_port, out_port, vc, cycle FROM hops"
                           " ORDER BY packet, hop"
                         : "SELECT number, source, destination, flits, created, received,"
                           " synthetic, intact FROM packets ORDER BY number";
  int status = hd_rundb_open(&c->sqlite, path, err);
  if (!status && sqlite3_prepare_v2(c->sqlite, sql, -1, &c->rows, NULL) != SQLITE_OK)
    status = cursor_failed(c, err);
  if (!status)
    status = hd_rundb_cursor_next(c, err);
  if (status) {
    hd_rundb_cursor_close(c);
    return status;
  }
  *cursor = c;
  return HD_OK;
}

const struct hd_rundb_row *hd_rundb_cursor_row(const struct hd_rundb_cursor *cursor)
{
  return &cursor->row;
}

void hd_rundb_cursor_close(struct hd_rundb_cursor *c)
{
  if (!c)
    return;
  sqlite3_finalize(c->rows);
  sqlite3_close(c->sqlite);
  free(c->path);
  free(c);
}
