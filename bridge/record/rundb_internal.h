/* The run database's handle and its small SQLite helpers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNDB_INTERNAL_H
#define HD_RUNDB_INTERNAL_H

#include "rundb.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { HD_BULK_ROWS = 32, HD_BULK_COLUMNS = 10 };

/** Rows of one table that are inserted by one statement: a statement a row costs twice as much. */
struct hd_rundb_bulk {
  sqlite3_stmt *many, *one; /* HD_BULK_ROWS rows, one row */
  int columns, rows;
  sqlite3_int64 values[HD_BULK_ROWS * HD_BULK_COLUMNS]; /* HD_BULK_NULL: NULL */
};
#define HD_BULK_NULL INT64_MIN

/** A file that SQLite has open. */
struct hd_rundb_file {
  int fd;               /* < 0: not known */
  struct stat identity; /* device and inode alone */
};

struct hd_rundb {
  sqlite3 *sqlite;
  char *path;
  struct hd_rundb_bulk packets, hops, values;
  uint32_t statistics; /* statistics with a name in the database */
  sqlite3_stmt *progress;
  sqlite3_stmt *list, *signal; /* NULL before the first */
  double committed;            /* time of the last commit */
  uint64_t rows;               /* rows written since the last commit */
  bool broken;                 /* a write failed; nothing more is tried */
  struct hd_rundb_file database, log;
};

extern const char hd_rundb_schema[];

/** Reports HD_E_IO with path and SQLite's reason. */
int hd_rundb_fail(struct hd_rundb *db, const char *doing, struct hd_error *err);
int hd_rundb_exec(struct hd_rundb *db, const char *sql, struct hd_error *err);
int hd_rundb_prepare(struct hd_rundb *db, sqlite3_stmt **statement, const char *sql,
                     struct hd_error *err);
/** Tests whether the file is still open. Endpoint software and backends run in this process and may
 * close its files; the next file that they open would then receive the database's writes. */
int hd_rundb_check_file(struct hd_rundb *db, struct hd_error *err);
/** Steps a statement that returns no row, and resets it. */
int hd_rundb_step(struct hd_rundb *db, sqlite3_stmt *statement, struct hd_error *err);

/** Writes what waits in all bulks. */
int hd_rundb_flush(struct hd_rundb *db, struct hd_error *err);

/** 64-bit values as text: SQLite's integers have 63 bits and a sign. */
void hd_rundb_bind_u64(sqlite3_stmt *statement, int index, uint64_t value);
void hd_rundb_bind_hex(sqlite3_stmt *statement, int index, uint64_t value);

/** Puts everything into the database file alone. Called after the last commit. */
int hd_rundb_one_file(struct hd_rundb *db, struct hd_error *err);

/** Opens the database of a run that goes on, is over or was killed, whoever it belongs to. HD_E_IO,
 *  HD_E_INPUT (not a database). *sqlite is NULL after a failure. */
int hd_rundb_open(sqlite3 **sqlite, const char *path, struct hd_error *err);

/** Writes the tables that are known at the start. */
int hd_rundb_write_start(struct hd_rundb *db, const struct hd_rundb_start *start,
                         struct hd_error *err);

/** Writes the points of the specification and how often the run came by each. */
int hd_rundb_write_coverage(struct hd_rundb *db, const struct hd_coverage_set *set,
                            struct hd_error *err);

/** Writes the names and contents of the files that the scenario names. */
int hd_rundb_write_files(struct hd_rundb *db, const struct hd_scenario *scenario,
                         struct hd_error *err);
int hd_rundb_write_rtl(struct hd_rundb *db, const char *files, struct hd_error *err);

struct hd_rundb_cursor;

/** Opens a database's packets or hops at the first row. HD_E_IO. */
int hd_rundb_cursor_open(struct hd_rundb_cursor **cursor, const char *path, bool hops,
                         struct hd_error *err);
/** The row that it stands on, borrowed until the cursor moves. */
const struct hd_rundb_row *hd_rundb_cursor_row(const struct hd_rundb_cursor *cursor);
int hd_rundb_cursor_next(struct hd_rundb_cursor *cursor, struct hd_error *err);
void hd_rundb_cursor_close(struct hd_rundb_cursor *cursor); /* NULL is fine */

/** Reads all of a database's statistics, in the order of their names' first use. HD_E_IO. The caller frees by hd_rundb_statistics_fini, after failures too. */
int hd_rundb_statistics_read(struct hd_rundb_statistics *statistics, const char *path,
                             struct hd_error *err);
void hd_rundb_statistics_fini(struct hd_rundb_statistics *statistics);

#endif
