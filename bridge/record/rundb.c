/* The run database during a run: creation, rows, commits.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"
#include "rundb_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A transaction ends after so many rows, even within a second, so that the page cache stays
 * small. */
enum { ROWS_A_COMMIT = 200000 };

/* Times to wait for another process that writes the database, and at the end for readers. */
enum { WRITER_MS = 60000, READERS_MS = 2000, READERS_STEP_MS = 20 };

/* Tests whether the database or its log has reached the limit of file sizes (ulimit -f). SQLite
 * reports this error like others. */
static bool is_at_limit(const struct hd_rundb *db)
{
  enum { AT_ONCE = 64 << 10 }; /* bytes of a write, at most */
  static const char *const endings[] = {"", "-wal"};
  struct rlimit limit;
  struct stat about;
  bool is = false;
  if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY)
    return false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    struct hd_text path = {0};
    hd_text_add(&path, "%s%s", db->path, endings[i]);
    is |= !stat(path.chars, &about) && (rlim_t)about.st_size + AT_ONCE > limit.rlim_cur;
    hd_text_fini(&path);
  }
  return is;
}

/* Tests whether the path names another file than when the database was made. */
static bool is_replaced(const struct hd_rundb *db)
{
  struct stat about;
  return db->database.fd > 0 &&
         (stat(db->path, &about) || about.st_ino != db->database.identity.st_ino ||
          about.st_dev != db->database.identity.st_dev);
}

int hd_rundb_fail(struct hd_rundb *db, const char *doing, struct hd_error *err)
{
  if (is_replaced(db)) {
    db->broken = true;
    return hd_fail(err, HD_E_IO,
                   "%s: somebody has removed or replaced the run database while the run went on",
                   db->path);
  }
  int code = sqlite3_extended_errcode(db->sqlite);
  int system = is_at_limit(db) ? EFBIG : sqlite3_system_errno(db->sqlite);
  int primary = code & 0xff;
  bool has_errno =
      system && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL);
  db->broken = true;
  const bool is_limit = has_errno && (system == EFBIG || system == EMFILE);
  return hd_fail(err, HD_E_IO, "%s: %s: %s%s%s%s%s", db->path, doing, sqlite3_errmsg(db->sqlite),
                 has_errno ? " (" : "", has_errno ? hd_cause(system).text : "",
                 has_errno ? ")" : "",
                 is_limit ? "" : "; free some space or choose another directory by --out");
}

static bool is_file(const struct hd_rundb_file *file, int fd)
{
  struct stat opened;
  return !fstat(fd, &opened) && opened.st_dev == file->identity.st_dev &&
         opened.st_ino == file->identity.st_ino;
}

/* Finds the descriptor by its path, because SQLite does not give it. */
static struct hd_rundb_file find_file(const char *path, const char *ending)
{
  enum { MOST = 4096 };
  struct hd_rundb_file file = {.fd = -1};
  struct hd_text name = {0};
  int fd = 0;
  hd_text_add(&name, "%s%s", path, ending);
  if (stat(name.chars, &file.identity))
    fd = MOST;
  while (fd < MOST && !is_file(&file, fd))
    fd++;
  file.fd = fd < MOST ? fd : -1;
  hd_text_fini(&name);
  return file;
}

static bool is_open(const struct hd_rundb_file *file)
{
  return file->fd < 0 || is_file(file, file->fd);
}

int hd_rundb_check_file(struct hd_rundb *db, struct hd_error *err)
{
  if (db->broken || (is_open(&db->database) && is_open(&db->log)))
    return HD_OK;
  db->broken = true;
  return hd_fail(err, HD_E_SOFTWARE,
                 "%s: endpoint software or a backend has closed the run database's file; it must "
                 "close only descriptors that it has opened",
                 db->path);
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

/* Creates an empty file. SQLite would open an existing one, but a run must not be overwritten. */
static int rundb_claim(const char *path, struct hd_error *err)
{
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return hd_fail(err, errno == EEXIST ? HD_E_INPUT : HD_E_IO,
                   "%s: cannot create the run database: %s; choose another directory by --out",
                   path, hd_cause(errno).text);
  close(fd);
  return HD_OK;
}

static int prepare_rows(struct hd_rundb *db, sqlite3_stmt **statement, const char *table_columns,
                        int columns, int rows, struct hd_error *err)
{
  struct hd_text sql = {0};
  hd_text_add(&sql, "INSERT OR REPLACE INTO %s VALUES ", table_columns);
  for (int r = 0; r < rows; r++) {
    hd_text_add(&sql, r ? ", (" : "(");
    for (int c = 0; c < columns; c++)
      hd_text_add(&sql, c ? ", ?" : "?");
    hd_text_add(&sql, ")");
  }
  int status = hd_rundb_prepare(db, statement, sql.chars, err);
  hd_text_fini(&sql);
  return status;
}

static int bulk_prepare(struct hd_rundb *db, struct hd_rundb_bulk *bulk, const char *table_columns,
                        int columns, struct hd_error *err)
{
  bulk->columns = columns;
  int status = prepare_rows(db, &bulk->many, table_columns, columns, HD_BULK_ROWS, err);
  return status ? status : prepare_rows(db, &bulk->one, table_columns, columns, 1, err);
}

static int rundb_begin(struct hd_rundb *db, const struct hd_rundb_start *start,
                       struct hd_error *err)
{
  /* Writes go to a log first. So a reader and the run do not wait for each other, and a reader sees
   * only committed rows. */
  int status = hd_rundb_exec(db,
                             "PRAGMA page_size = 8192;"
                             "PRAGMA journal_mode = WAL;"
                             "PRAGMA synchronous = OFF;"
                             "PRAGMA locking_mode = NORMAL;"
                             "PRAGMA cache_size = -32768;",
                             err);
  /* Schema and start are one transaction, so a database that is not empty always has a run. */
  if (!status)
    status = hd_rundb_exec(db, "BEGIN", err);
  if (!status)
    status = hd_rundb_exec(db, hd_rundb_schema, err);
  if (!status)
    status = hd_rundb_write_start(db, start, err);
  if (!status)
    status = hd_rundb_exec(db, "COMMIT; BEGIN", err);
  if (!status)
    status = bulk_prepare(db, &db->packets,
                          "packets (number, source, destination, flits, created,"
                          " received, synthetic, intact, entered, class)",
                          10, err);
  if (!status)
    status = bulk_prepare(db, &db->hops, "hops (packet, hop, switch, in_port, out_port, vc, cycle)",
                          7, err);
  if (!status)
    status = bulk_prepare(db, &db->values, "statistic_values (statistic, cycle, value)", 3, err);
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
  struct hd_rundb *db = hd_xcalloc(1, sizeof *db);
  db->path = hd_xstrdup(path);
  if (sqlite3_open_v2(path, &db->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
      SQLITE_OK)
    status = hd_rundb_fail(db, "opening the run database", err);
  else {
    sqlite3_busy_timeout(db->sqlite, WRITER_MS);
    status = rundb_begin(db, start, err);
    db->database = find_file(path, "");
    db->log = find_file(path, "-wal");
  }
  if (status) {
    hd_rundb_close(db);
    return status;
  }
  *out = db;
  return HD_OK;
}

/* ── rows, many at a time ──────────────────────────────────────────────────── */

static sqlite3_int64 *bulk_row(struct hd_rundb_bulk *bulk)
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

static int bulk_added(struct hd_rundb *db, struct hd_rundb_bulk *bulk, struct hd_error *err)
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

static void bulk_fini(struct hd_rundb_bulk *bulk)
{
  sqlite3_finalize(bulk->many);
  sqlite3_finalize(bulk->one);
}

int hd_rundb_packet(struct hd_rundb *db, const struct hd_rundb_packet *p, struct hd_error *err)
{
  sqlite3_int64 *row = bulk_row(&db->packets);
  row[0] = p->number;
  row[1] = p->source;
  row[2] = p->destination;
  row[3] = p->flits;
  row[4] = (sqlite3_int64)p->created;
  row[5] = p->received == UINT64_MAX ? HD_BULK_NULL : (sqlite3_int64)p->received;
  row[6] = p->synthetic;
  row[7] = p->intact;
  row[8] = p->entered == UINT64_MAX ? HD_BULK_NULL : (sqlite3_int64)p->entered;
  row[9] = p->traffic_class;
  db->rows++;
  return bulk_added(db, &db->packets, err);
}

int hd_rundb_hop(struct hd_rundb *db, const struct hd_rundb_hop *h, struct hd_error *err)
{
  sqlite3_int64 *row = bulk_row(&db->hops);
  row[0] = h->packet;
  row[1] = h->hop;
  row[2] = h->sw;
  row[3] = h->in_port;
  row[4] = h->out_port;
  row[5] = h->vc;
  row[6] = (sqlite3_int64)h->cycle;
  db->rows++;
  return bulk_added(db, &db->hops, err);
}

/* Writes a statistic's name, which the database has once. The view `statistics` joins names and
 * values. */
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
  sqlite3_int64 *row = bulk_row(&db->values);
  row[0] = value->statistic;
  row[1] = (sqlite3_int64)value->cycle;
  row[2] = (sqlite3_int64)value->value;
  db->rows++;
  return bulk_added(db, &db->values, err);
}

int hd_rundb_progress(struct hd_rundb *db, uint64_t cycles, double now, struct hd_error *err)
{
  if (now - db->committed < 1.0 && db->rows < ROWS_A_COMMIT)
    return HD_OK;
  db->committed = now;
  db->rows = 0;
  int status = hd_rundb_check_file(db, err);
  if (!status)
    status = hd_rundb_flush(db, err);
  if (status)
    return status;
  sqlite3_bind_int64(db->progress, 1, (sqlite3_int64)cycles);
  status = hd_rundb_step(db, db->progress, err);
  return status ? status : hd_rundb_exec(db, "COMMIT; BEGIN", err);
}

/* Deletes the log, so that only the database file is left. While another process reads the
 * database, the log stays. SQLite deletes it when that reader closes. */
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

bool hd_rundb_write_failed(const struct hd_rundb *db)
{
  return db->broken;
}

void hd_rundb_close(struct hd_rundb *db)
{
  if (!db)
    return;
  bulk_fini(&db->packets);
  bulk_fini(&db->hops);
  bulk_fini(&db->values);
  sqlite3_finalize(db->progress);
  sqlite3_finalize(db->list);
  sqlite3_finalize(db->signal);
  sqlite3_close(db->sqlite);
  free(db->path);
  free(db);
}
