/* Files that a scenario names: records their hashes, and checks later that they are unchanged.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The hash is 64-bit FNV-1a. It finds an edit, but does not protect against an attack.
 */
#include "rundb_internal.h"
#include "../host/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct content {
  uint64_t bytes, hash;
};

/* Reads size and hash of a file. Returns false if it cannot be read, or not twice (a pipe). */
static bool read_content(const char *path, struct content *content)
{
  unsigned char buffer[16384];
  struct stat info;
  *content = (struct content){0, UINT64_C(0xcbf29ce484222325)};
  /* A pipe is not opened: opening and closing would lose the data that its writer has for the run.
   */
  if (stat(path, &info) || !S_ISREG(info.st_mode))
    return false;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool good = fd >= 0;
  for (ssize_t n; good && (n = read(fd, buffer, sizeof buffer)) != 0;) {
    good = n > 0;
    for (ssize_t i = 0; i < n; i++)
      content->hash = (content->hash ^ buffer[i]) * UINT64_C(0x100000001b3);
    content->bytes += good ? (uint64_t)n : 0;
  }
  if (fd >= 0)
    close(fd);
  return good;
}

struct writing {
  struct hd_rundb *db;
  sqlite3_stmt *s;
};

static int write_file(void *context, const char *key, const char *path, struct hd_error *err)
{
  const struct writing *w = context;
  struct content content;
  /* an absolute path is valid in any directory */
  char *absolute = realpath(path, NULL);
  sqlite3_bind_text(w->s, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_text(w->s, 2, absolute ? absolute : path, -1, SQLITE_TRANSIENT);
  if (read_content(path, &content)) {
    sqlite3_bind_int64(w->s, 3, (sqlite3_int64)content.bytes);
    hd_rundb_bind_hex(w->s, 4, content.hash);
  }
  int status = hd_rundb_step(w->db, w->s, err);
  sqlite3_clear_bindings(w->s);
  free(absolute);
  return status;
}

int hd_rundb_write_files(struct hd_rundb *db, const struct hd_scenario *c, struct hd_error *err)
{
  struct writing w = {.db = db};
  int status = hd_rundb_prepare(
      db, &w.s, "INSERT INTO files (key, path, bytes, hash) VALUES (?, ?, ?, ?)", err);
  if (!status)
    status = hd_scenario_each_file(c, write_file, &w, err);
  sqlite3_finalize(w.s);
  return status;
}

/* Compares a file with its row in the table: key, path, bytes, hash. */
static int compare_row(const struct hd_rundb_info *info, sqlite3_stmt *s, struct hd_error *err)
{
  const char *key = (const char *)sqlite3_column_text(s, 0);
  const char *path = (const char *)sqlite3_column_text(s, 1);
  const char *hash = (const char *)sqlite3_column_text(s, 3);
  struct content now;
  char digits[24];
  if (!key || !path || !hash)
    return HD_OK;
  if (!read_content(path, &now))
    return hd_fail(err, HD_E_IO, "%s of %s: %s can no longer be read", key, info->path, path);
  snprintf(digits, sizeof digits, "0x%016llx", (unsigned long long)now.hash);
  if (!strcmp(digits, hash))
    return HD_OK;
  return hd_fail(
      err, HD_E_INPUT,
      "%s of %s: %s has changed since the run: it had %lld bytes, hash %s, and has %llu, "
      "hash %s",
      key, info->path, path, (long long)sqlite3_column_int64(s, 2), hash,
      (unsigned long long)now.bytes, digits);
}

int hd_rundb_files_same(const struct hd_rundb_info *info, struct hd_error *err)
{
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  int status = hd_rundb_open(&sqlite, info->path, err), code = SQLITE_DONE;
  /* A database without this table is of an older Heddle. */
  if (!status && sqlite3_prepare_v2(sqlite, "SELECT key, path, bytes, hash FROM files ORDER BY key",
                                    -1, &s, NULL) == SQLITE_OK)
    while (!status && (code = sqlite3_step(s)) == SQLITE_ROW)
      status = compare_row(info, s, err);
  if (!status && code != SQLITE_DONE)
    status = hd_fail(err, HD_E_IO, "%s: %s", info->path, sqlite3_errmsg(sqlite));
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}
