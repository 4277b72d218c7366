/* The run database while a run goes: creation, rows, commits.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many rows end a transaction even within a second: the page cache stays small. */
enum { ROWS_A_COMMIT = 200000 };

/* So long somebody else who writes, against all advice, is waited for; and readers at the end. */
enum { WRITER_MS = 60000, READERS_MS = 2000, READERS_STEP_MS = 20 };

int hd_rundb_fail(struct hd_rundb *db, const char *doing, struct hd_error *err)
{
  int code = sqlite3_extended_errcode(db->sqlite);
  int system = sqlite3_system_errno(db->sqlite);
  int primary = code & 0xff;
  bool has_errno =
      system && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL);
  db->broken = true;
  return hd_fail(err, HD_E_IO,
                 "%s: %s: %s%s%s%s; free some space or choose another directory by --out", db->path,
                 doing, sqlite3_errmsg(db->sqlite), has_errno ? " (" : "",
                 has_errno ? strerror(system) : "", has_errno ? ")" : "");
}

int hd_rundb_exec(struct hd_rundb *db, const char *sql, struct hd_error *err)
{
  if (sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
    return hd_rundb_fail(db, "writing the run database", err);
  return HD_OK;
}

int hd_rundb_prepare(struct hd_rundb *db, sqlite3_stmt **statement, const char *sql,
                     struct hd_error *err)
{
  if (sqlite3_prepare_v3(db->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) !=
      SQLITE_OK)
    return hd_rundb_fail(db, "preparing the run database", err);
  return HD_OK;
}

int hd_rundb_step(struct hd_rundb *db, sqlite3_stmt *statement, struct hd_error *err)
{
  int code = sqlite3_step(statement);
  if (code != SQLITE_DONE) {
    int status = hd_rundb_fail(db, "writing the run database", err);
    sqlite3_reset(statement);
    return status;
  }
  sqlite3_reset(statement);
  return HD_OK;
}

void hd_rundb_bind_u64(sqlite3_stmt *statement, int index, uint64_t value)
{
  char digits[24];
  snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  sqlite3_bind_text(statement, index, digits, -1, SQLITE_TRANSIENT);
}

void hd_rundb_bind_hex(sqlite3_stmt *statement, int index, uint64_t value)
{
  char digits[24];
  snprintf(digits, sizeof digits, "0x%016llx", (unsigned long long)value);
  sqlite3_bind_text(statement, index, digits, -1, SQLITE_TRANSIENT);
}

/* SQLite would open an existing file; a run is never written over. */
static int rundb_claim(const char *path, struct hd_error *err)
{
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return hd_fail(err, errno == EEXIST ? HD_E_INPUT : HD_E_IO,
                   "%s: cannot create the run database: %s; choose another directory by --out",
                   path, strerror(errno));
  close(fd);
  return HD_OK;
}

static int rundb_begin(struct hd_rundb *db, const struct hd_rundb_start *start,
                       struct hd_error *err)
{
  /* Ahead of the database goes a log: whoever reads neither waits for the run nor keeps it waiting,
   * and what a killed run had not committed is not read. */
  int status = hd_rundb_exec(db,
                             "PRAGMA page_size = 8192;"
                             "PRAGMA journal_mode = WAL;"
                             "PRAGMA synchronous = OFF;"
                             "PRAGMA locking_mode = NORMAL;"
                             "PRAGMA cache_size = -32768;",
                             err);
  /* All at once: a database that is not empty holds a run. */
  if (!status)
    status = hd_rundb_exec(db, "BEGIN", err);
  if (!status)
    status = hd_rundb_exec(db, hd_rundb_schema, err);
  if (!status)
    status = hd_rundb_write_start(db, start, err);
  if (!status)
    status = hd_rundb_exec(db, "COMMIT; BEGIN", err);
  if (!status)
    status = hd_rundb_bulk_prepare(db, &db->packets,
                                   "packets (number, source, destination, flits, created,"
                                   " received, synthetic, intact)",
                                   8, err);
  if (!status)
    status = hd_rundb_bulk_prepare(
        db, &db->hops, "hops (packet, hop, switch, in_port, out_port, vc, cycle)", 7, err);
  if (!status)
    status = hd_rundb_bulk_prepare(db, &db->values, "statistic_values (statistic, cycle, value)", 3,
                                   err);
  if (!status)
    status = hd_rundb_prepare(db, &db->progress, "UPDATE run SET cycles = ?", err);
  return status;
}

int hd_rundb_create(struct hd_rundb **out, const char *path, const struct hd_rundb_start *start,
                    struct hd_error *err)
{
  *out = NULL;
  int status = rundb_claim(path, err);
  if (status)
    return status;
  struct hd_rundb *db = calloc(1, sizeof *db);
  if (!db || !(db->path = strdup(path))) {
    free(db);
    return hd_fail(err, HD_E_NOMEM, "run database: out of memory");
  }
  if (sqlite3_open_v2(path, &db->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
      SQLITE_OK)
    status = hd_rundb_fail(db, "opening the run database", err);
  else {
    sqlite3_busy_timeout(db->sqlite, WRITER_MS);
    status = rundb_begin(db, start, err);
  }
  if (status) {
    hd_rundb_close(db);
    return status;
  }
  *out = db;
  return HD_OK;
}

int hd_rundb_packet(struct hd_rundb *db, const struct hd_rundb_packet *p, struct hd_error *err)
{
  sqlite3_int64 *row = hd_rundb_bulk_row(&db->packets);
  row[0] = p->number;
  row[1] = p->source;
  row[2] = p->destination;
  row[3] = p->flits;
  row[4] = (sqlite3_int64)p->created;
  row[5] = p->received == UINT64_MAX ? HD_BULK_NULL : (sqlite3_int64)p->received;
  row[6] = p->synthetic;
  row[7] = p->intact;
  db->rows++;
  return hd_rundb_bulk_added(db, &db->packets, err);
}

int hd_rundb_hop(struct hd_rundb *db, const struct hd_rundb_hop *h, struct hd_error *err)
{
  sqlite3_int64 *row = hd_rundb_bulk_row(&db->hops);
  row[0] = h->packet;
  row[1] = h->hop;
  row[2] = h->sw;
  row[3] = h->in_port;
  row[4] = h->out_port;
  row[5] = h->vc;
  row[6] = (sqlite3_int64)h->cycle;
  db->rows++;
  return hd_rundb_bulk_added(db, &db->hops, err);
}

int hd_rundb_progress(struct hd_rundb *db, uint64_t cycles, double now, struct hd_error *err)
{
  if (now - db->committed < 1.0 && db->rows < ROWS_A_COMMIT)
    return HD_OK;
  db->committed = now;
  db->rows = 0;
  int status = hd_rundb_flush(db, err);
  if (status)
    return status;
  sqlite3_bind_int64(db->progress, 1, (sqlite3_int64)cycles);
  status = hd_rundb_step(db, db->progress, err);
  return status ? status : hd_rundb_exec(db, "COMMIT; BEGIN", err);
}

/* One file again. Who still reads keeps the log (empty, if he reads an older state no more); SQLite
 * takes it away when he is done. */
int hd_rundb_one_file(struct hd_rundb *db, struct hd_error *err)
{
  sqlite3_busy_timeout(db->sqlite, READERS_MS);
  int code = sqlite3_wal_checkpoint_v2(db->sqlite, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  for (int ms = 0; code == SQLITE_OK; ms += READERS_STEP_MS) {
    code = sqlite3_exec(db->sqlite, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if (code != SQLITE_BUSY || ms >= READERS_MS)
      break;
    code = SQLITE_OK;
    sqlite3_sleep(READERS_STEP_MS);
  }
  return code == SQLITE_OK || code == SQLITE_BUSY
             ? HD_OK
             : hd_rundb_fail(db, "writing the run database", err);
}

bool hd_rundb_broken(const struct hd_rundb *db)
{
  return db->broken;
}

void hd_rundb_close(struct hd_rundb *db)
{
  if (!db)
    return;
  hd_rundb_bulk_fini(&db->packets);
  hd_rundb_bulk_fini(&db->hops);
  hd_rundb_bulk_fini(&db->values);
  sqlite3_finalize(db->progress);
  sqlite3_close(db->sqlite);
  free(db->path);
  free(db);
}
