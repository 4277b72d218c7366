/* The run database's handle and its small SQLite helpers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNDB_INTERNAL_H
#define HD_RUNDB_INTERNAL_H

#include "rundb.h"

#include <sqlite3.h>
#include <sys/stat.h>

enum { HD_BULK_ROWS = 32, HD_BULK_COLUMNS = 10 };

/** Rows of one table that are inserted by one statement. A statement for each row would cost
 *  twice as much. */
struct hd_rundb_bulk {
  sqlite3_stmt *many, *one; /* many: inserts HD_BULK_ROWS rows; one: inserts one row */
  int columns, rows;
  sqlite3_int64 values[HD_BULK_ROWS * HD_BULK_COLUMNS]; /* HD_BULK_NULL: NULL */
};
#define HD_BULK_NULL INT64_MIN

/** A file that SQLite has open. */
struct hd_rundb_file {
  int fd;               /* < 0: not known */
  struct stat identity; /* only device and inode */
};

struct hd_rundb {
  sqlite3 *sqlite;
  char *path;
  struct hd_rundb_bulk packets, hops, values;
  uint32_t statistics; /* number of statistics whose names are in the database */
  sqlite3_stmt *progress;
  sqlite3_stmt *list, *signal; /* NULL before their first use */
  double committed;            /* time of the last commit */
  uint64_t rows;               /* rows written since the last commit */
  bool broken;                 /* a write has failed; nothing more is written */
  struct hd_rundb_file database, log;
};

extern const char hd_rundb_schema[];

/** Makes an HD_E_IO with the path and SQLite's reason. */
int hd_rundb_fail(struct hd_rundb *db, const char *doing, struct hd_error *err);
int hd_rundb_exec(struct hd_rundb *db, const char *sql, struct hd_error *err);
int hd_rundb_prepare(struct hd_rundb *db, sqlite3_stmt **statement, const char *sql,
                     struct hd_error *err);
/** Tests whether the file is still open. Endpoint software and backends run in this process and
 *  may close its files. The next file that they open would then get the database's writes. */
int hd_rundb_check_file(struct hd_rundb *db, struct hd_error *err);
/** Steps a statement that returns no row, and resets it. */
int hd_rundb_step(struct hd_rundb *db, sqlite3_stmt *statement, struct hd_error *err);

/** Writes the rows that wait in all bulks. */
int hd_rundb_flush(struct hd_rundb *db, struct hd_error *err);

/** Bind 64-bit values as text, because SQLite's integers are signed. */
void hd_rundb_bind_u64(sqlite3_stmt *statement, int index, uint64_t value);
void hd_rundb_bind_hex(sqlite3_stmt *statement, int index, uint64_t value);

/** Merges the log into the database file. Call it after the last commit. */
int hd_rundb_one_file(struct hd_rundb *db, struct hd_error *err);

/** Opens the database of a run that is going on, has ended or was killed, whoever owns it.
 *  Errors: HD_E_IO, HD_E_INPUT (not a database); then *sqlite is NULL. */
int hd_rundb_open(sqlite3 **sqlite, const char *path, struct hd_error *err);

/** Writes the tables that are known at the start. */
int hd_rundb_write_start(struct hd_rundb *db, const struct hd_rundb_start *start,
                         struct hd_error *err);

/** Writes the points of the specification, and how often the run reached each of them. */
int hd_rundb_write_coverage(struct hd_rundb *db, const struct hd_coverage_set *set,
                            struct hd_error *err);

/** Writes the names and contents of the files that the scenario names. */
int hd_rundb_write_files(struct hd_rundb *db, const struct hd_scenario *scenario,
                         struct hd_error *err);
int hd_rundb_write_rtl(struct hd_rundb *db, const char *files, struct hd_error *err);

struct hd_rundb_cursor;

/** Opens a database's packets or hops at the first row. Errors: HD_E_IO. */
int hd_rundb_cursor_open(struct hd_rundb_cursor **cursor, const char *path, bool hops,
                         struct hd_error *err);
/** Returns the current row, borrowed until the cursor moves. */
const struct hd_rundb_row *hd_rundb_cursor_row(const struct hd_rundb_cursor *cursor);
int hd_rundb_cursor_next(struct hd_rundb_cursor *cursor, struct hd_error *err);
void hd_rundb_cursor_close(struct hd_rundb_cursor *cursor); /* NULL is allowed */

/** Reads all statistics of a database, in order of the first use of their names. Errors:
 *  HD_E_IO. Call hd_rundb_statistics_fini in any case. */
int hd_rundb_statistics_read(struct hd_rundb_statistics *statistics, const char *path,
                             struct hd_error *err);
void hd_rundb_statistics_fini(struct hd_rundb_statistics *statistics);

#endif
