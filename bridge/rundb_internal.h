/* The run database's handle and its small SQLite helpers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNDB_INTERNAL_H
#define HD_RUNDB_INTERNAL_H

#include "rundb.h"

#include <sqlite3.h>

struct hd_rundb {
  sqlite3 *sqlite;
  char *path;
  sqlite3_stmt *packet, *hop, *progress;
  double committed; /* time of the last commit */
  uint64_t rows;    /* since then */
  bool broken;      /* a write failed; nothing more is tried */
};

extern const char hd_rundb_schema[];

/** HD_E_IO with path and SQLite's reason. */
int hd_rundb_fail(struct hd_rundb *db, const char *doing, struct hd_error *err);
int hd_rundb_exec(struct hd_rundb *db, const char *sql, struct hd_error *err);
int hd_rundb_prepare(struct hd_rundb *db, sqlite3_stmt **statement, const char *sql,
                     struct hd_error *err);
/** Steps a statement that returns no row, and resets it. */
int hd_rundb_step(struct hd_rundb *db, sqlite3_stmt *statement, struct hd_error *err);

/** 64-bit values as text: SQLite's integers have 63 bits and a sign. */
void hd_rundb_bind_u64(sqlite3_stmt *statement, int index, uint64_t value);
void hd_rundb_bind_hex(sqlite3_stmt *statement, int index, uint64_t value);

/** Writes the tables that are known at the start. */
int hd_rundb_write_start(struct hd_rundb *db, const struct hd_rundb_start *start,
                         struct hd_error *err);

#endif
