/* Files of RTL that a run's build read: records their hashes, and finds changes since the run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Backends give them as lines "hash bytes name". A hash has HASH digits.
 */
#include "rundb_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 16 };

/* The parts of a line. */
struct file {
  const char *hash, *name; /* HASH characters, and `length` characters; not ended by NUL */
  int length;
  long long bytes;
};

/* Reads the next line. Returns false if there are no more. */
static bool next_file(const char **lines, struct file *f)
{
  const char *line = *lines, *end = line + strcspn(line, "\n");
  char *after = NULL;
  if (end - line < HASH + 2)
    return false;
  f->hash = line;
  f->bytes = strtoll(line + HASH, &after, 10);
  f->name = *after == ' ' ? after + 1 : after;
  f->length = (int)(end - f->name);
  *lines = *end ? end + 1 : end;
  return true;
}

int hd_rundb_write_rtl(struct hd_rundb *db, const char *files, struct hd_error *err)
{
  struct file f;
  char hash[HASH + 3];
  sqlite3_stmt *s;
  int status = hd_rundb_prepare(
      db, &s, "INSERT OR REPLACE INTO rtl (name, bytes, hash) VALUES (?, ?, ?)", err);
  while (!status && next_file(&files, &f)) {
    snprintf(hash, sizeof hash, "0x%.*s", HASH, f.hash);
    sqlite3_bind_text(s, 1, f.name, f.length, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, f.bytes);
    sqlite3_bind_text(s, 3, hash, -1, SQLITE_TRANSIENT);
    status = hd_rundb_step(db, s, err);
  }
  sqlite3_finalize(s);
  return status;
}

/* Returns how a file differs from the one in the lines; NULL if it does not. */
static const char *change_of(const char *files, const char *name, const char *hash)
{
  struct file f;
  while (next_file(&files, &f))
    if (!strncmp(f.name, name, (size_t)f.length) && !name[f.length])
      return strncmp(f.hash, hash + 2, HASH) != 0 ? "has changed" : NULL;
  return "is gone";
}

static void add_change(struct hd_text *text, int length, const char *name, const char *what)
{
  if (what)
    hd_text_add(text, "%s%.*s %s", text->length ? ", " : "", length, name, what);
}

void hd_rundb_rtl_changes(const struct hd_rundb_info *info, const char *files, struct hd_text *text)
{
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL, *known = NULL;
  struct file f;
  bool some = false;
  /* A database without this table is of an older Heddle. */
  if (!*files || hd_rundb_open(&sqlite, info->path, NULL))
    return;
  if (sqlite3_prepare_v2(sqlite, "SELECT name, hash FROM rtl ORDER BY name", -1, &s, NULL) ==
          SQLITE_OK &&
      sqlite3_prepare_v2(sqlite, "SELECT 1 FROM rtl WHERE name = ?", -1, &known, NULL) ==
          SQLITE_OK) {
    while (sqlite3_step(s) == SQLITE_ROW) {
      const char *name = (const char *)sqlite3_column_text(s, 0);
      const char *hash = (const char *)sqlite3_column_text(s, 1);
      some = true;
      if (name && hash && strlen(hash) == HASH + 2)
        add_change(text, (int)strlen(name), name, change_of(files, name, hash));
    }
    while (some && next_file(&files, &f)) {
      sqlite3_bind_text(known, 1, f.name, f.length, SQLITE_STATIC);
      add_change(text, f.length, f.name, sqlite3_step(known) == SQLITE_ROW ? NULL : "is new");
      sqlite3_reset(known);
    }
  }
  sqlite3_finalize(s);
  sqlite3_finalize(known);
  sqlite3_close(sqlite);
}

int hd_rundb_rtl_each(const struct hd_rundb_info *info,
                      int (*file)(void *context, const char *name, uint64_t hash,
                                  struct hd_error *err),
                      void *context, struct hd_error *err)
{
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  int status = hd_rundb_open(&sqlite, info->path, err);
  if (!status && sqlite3_prepare_v2(sqlite, "SELECT name, hash FROM rtl ORDER BY name", -1, &s,
                                    NULL) == SQLITE_OK)
    while (!status && sqlite3_step(s) == SQLITE_ROW) {
      const char *name = (const char *)sqlite3_column_text(s, 0);
      const char *hash = (const char *)sqlite3_column_text(s, 1);
      if (name && hash)
        status = file(context, name, strtoull(hash, NULL, 16), err);
    }
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}
