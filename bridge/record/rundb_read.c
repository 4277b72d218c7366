/* Reads a run database, for replays and comparisons.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"
#include "../../cmodel/grow.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *column_text(sqlite3_stmt *s, int column)
{
  const char *text = (const char *)sqlite3_column_text(s, column);
  return text ? hd_xstrdup(text) : NULL;
}

/* ── opening ───────────────────────────────────────────────────────────────── */

enum { READER_MS = 10000 };

static int open_as(sqlite3 **sqlite, const char *path, int flags)
{
  int code = sqlite3_open_v2(path, sqlite, flags, NULL);
  if (code != SQLITE_OK)
    return code;
  sqlite3_busy_timeout(*sqlite, READER_MS);
  /* SQLite opens the file only when it executes a statement. */
  return sqlite3_exec(*sqlite, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
}

/* Tests whether a log is beside the database. It has rows to add, or changes to undo. */
static bool has_log(const char *path)
{
  static const char *const ends[] = {"-wal", "-journal"};
  bool has = false;
  for (int i = 0; i < 2; i++) {
    struct hd_text log = {0};
    struct stat st;
    hd_text_add(&log, "%s%s", path, ends[i]);
    has |= !stat(log.chars, &st) && st.st_size;
    hd_text_fini(&log);
  }
  return has;
}

/* Opens the file as one that never changes. Then SQLite uses no log and no lock, for which it
 * would need write permission. */
static int open_unchanging(sqlite3 **sqlite, const char *path)
{
  struct hd_text uri = {0};
  hd_text_add(&uri, "file:");
  for (const char *p = path; *p; p++)
    hd_text_add(&uri, strchr("?#%", *p) ? "%%%02x" : "%c", (unsigned char)*p);
  hd_text_add(&uri, "?immutable=1");
  const int code = open_as(sqlite, uri.chars, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  hd_text_fini(&uri);
  return code;
}

int hd_rundb_open(sqlite3 **sqlite, const char *path, struct hd_error *err)
{
  struct stat st;
  *sqlite = NULL;
  if (stat(path, &st))
    return hd_fail(err, HD_E_IO, "%s: %s", path, strerror(errno));
  if (!S_ISREG(st.st_mode))
    return hd_fail(err, HD_E_IO, "%s: is not a file, as a run's database is", path);
  /* SQLite would open a file of one byte as an empty database, because it makes such files on
   * some systems. */
  if (st.st_size == 1)
    return hd_fail(err, HD_E_INPUT, "%s: not a run database: it has one byte", path);
  /* Opens for writing if that is allowed, because a reader of a killed run merges its log into
   * the database. */
  int code = open_as(sqlite, path, SQLITE_OPEN_READWRITE);
  bool no_permission = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
  if (no_permission && !has_log(path)) {
    sqlite3_close(*sqlite);
    code = open_unchanging(sqlite, path);
    no_permission = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
  }
  if (code == SQLITE_OK)
    return HD_OK;
  int status = (code & 0xff) == SQLITE_NOTADB ? HD_E_INPUT : HD_E_IO;
  if (status == HD_E_INPUT)
    hd_fail(err, status, "%s: not a run database: %s", path, sqlite3_errmsg(*sqlite));
  else if (no_permission)
    hd_fail(err, status,
            "%s: %s; a run that was killed can be read only where it may be written: copy its "
            "directory to one of yours and read it there",
            path, sqlite3_errmsg(*sqlite));
  else
    hd_fail(err, status, "%s: %s", path, sqlite3_errmsg(*sqlite));
  sqlite3_close(*sqlite);
  *sqlite = NULL;
  return status;
}

/* Finds the database of a run that is given by directory or file. */
static int find_run_database(struct hd_rundb_info *info, const char *run, struct hd_error *err)
{
  struct stat st;
  if (stat(run, &st))
    return hd_fail(err, HD_E_IO, "%s: %s; a run is a directory that heddle run made, or its run.db",
                   run, strerror(errno));
  size_t n = strlen(run);
  info->path = hd_xmalloc(n + sizeof "/run.db");
  memcpy(info->path, run, n + 1);
  if (S_ISDIR(st.st_mode)) {
    while (n > 1 && info->path[n - 1] == '/')
      info->path[--n] = '\0';
    memcpy(info->path + n, "/run.db", sizeof "/run.db");
    if (stat(info->path, &st))
      return hd_fail(err, HD_E_IO, "%s: %s; this directory holds no run", info->path,
                     strerror(errno));
  }
  return HD_OK;
}

static bool is_empty(sqlite3 *sqlite)
{
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(sqlite, "SELECT 1 FROM sqlite_schema", -1, &s, NULL) != SQLITE_OK)
    return false;
  bool empty = sqlite3_step(s) == SQLITE_DONE;
  sqlite3_finalize(s);
  return empty;
}

static int read_divergence(struct hd_rundb_info *info, sqlite3 *sqlite)
{
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(sqlite,
                         "SELECT cycle, switch, port, vc, difference FROM divergences LIMIT 1", -1,
                         &s, NULL) != SQLITE_OK)
    return HD_E_INPUT;
  int code = sqlite3_step(s);
  if (code == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(s, 4);
    info->has_divergence = true;
    info->divergence.cycle = (uint64_t)sqlite3_column_int64(s, 0);
    info->divergence.sw = (uint32_t)sqlite3_column_int64(s, 1);
    info->divergence.port = (uint8_t)sqlite3_column_int(s, 2);
    info->divergence.vc = (uint8_t)sqlite3_column_int(s, 3);
    static const char four_state[] = "four-state ";
    if (name && !strncmp(name, four_state, sizeof four_state - 1)) {
      info->divergence.four_state_only = true;
      name += sizeof four_state - 1;
    }
    for (unsigned d = 0; name && d < HD_DIFFERENCES; d++)
      if (!strcmp(name, hd_difference_name(d)))
        info->divergence.difference = d;
  }
  sqlite3_finalize(s);
  return code == SQLITE_ROW || code == SQLITE_DONE ? HD_OK : HD_E_INPUT;
}

static int read_row(struct hd_rundb_info *info, sqlite3 *sqlite)
{
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(
          sqlite,
          "SELECT name, scenario, scenario_path, dut, rtl_dir, status, digest, seed, mode,"
          " cycles_limit, cycles, cycles_compared, window_cycles, threads, switches, nodes"
          " FROM run WHERE id = 1",
          -1, &s, NULL) != SQLITE_OK)
    return HD_E_INPUT;
  if (sqlite3_step(s) != SQLITE_ROW) {
    sqlite3_finalize(s);
    return HD_E_INPUT;
  }
  char **const texts[] = {&info->name,    &info->scenario, &info->scenario_path, &info->dut,
                          &info->rtl_dir, &info->status,   &info->digest};
  for (int i = 0; i < 7; i++)
    *texts[i] = column_text(s, i);
  const char *seed = (const char *)sqlite3_column_text(s, 7);
  const char *mode = (const char *)sqlite3_column_text(s, 8);
  info->seed = seed ? strtoull(seed, NULL, 10) : 0;
  info->mode = mode && !strcmp(mode, "closed") ? HD_MODE_CLOSED : HD_MODE_DECOUPLED;
  info->cycles_limit = (uint64_t)sqlite3_column_int64(s, 9);
  info->cycles = (uint64_t)sqlite3_column_int64(s, 10);
  info->cycles_compared = (uint64_t)sqlite3_column_int64(s, 11);
  info->window_cycles = (uint32_t)sqlite3_column_int64(s, 12);
  info->threads = (uint32_t)sqlite3_column_int64(s, 13);
  info->n_switches = (uint32_t)sqlite3_column_int64(s, 14);
  info->n_nodes = (uint32_t)sqlite3_column_int64(s, 15);
  bool whole = info->name && info->scenario && info->scenario_path && info->dut && info->status;
  sqlite3_finalize(s);
  return whole ? HD_OK : HD_E_INPUT;
}

/* Reads the column `against`; NULL if the run has none. */
static char *read_against(sqlite3 *sqlite)
{
  sqlite3_stmt *s;
  char *against = NULL;
  if (sqlite3_prepare_v2(sqlite,
                         "SELECT value FROM lists WHERE list = 'against' AND key = 'directory'", -1,
                         &s, NULL) != SQLITE_OK)
    return NULL;
  if (sqlite3_step(s) == SQLITE_ROW)
    against = column_text(s, 0);
  sqlite3_finalize(s);
  return against;
}

static int read_version(sqlite3 *sqlite, int *version)
{
  sqlite3_stmt *s;
  if (sqlite3_prepare_v2(sqlite, "SELECT user_version FROM pragma_user_version", -1, &s, NULL) !=
      SQLITE_OK)
    return HD_E_INPUT;
  int status = sqlite3_step(s) == SQLITE_ROW ? HD_OK : HD_E_INPUT;
  *version = sqlite3_column_int(s, 0);
  sqlite3_finalize(s);
  return status;
}

int hd_rundb_read(struct hd_rundb_info *info, const char *run, struct hd_error *err)
{
  *info = (struct hd_rundb_info){0};
  int status = find_run_database(info, run, err);
  if (status)
    return status;
  sqlite3 *sqlite = NULL;
  int version = 0;
  status = hd_rundb_open(&sqlite, info->path, err);
  if (status)
    return status;
  if (read_version(sqlite, &version))
    status =
        hd_fail(err, HD_E_INPUT, "%s: not a run database: %s", info->path, sqlite3_errmsg(sqlite));
  else if (!version && is_empty(sqlite))
    status =
        hd_fail(err, HD_E_INPUT,
                "%s: the run was killed before it had written anything; run it again", info->path);
  else if (version != HD_RUNDB_VERSION)
    status =
        hd_fail(err, HD_E_INPUT, "%s: run database of version %d; this Heddle reads version %d",
                info->path, version, HD_RUNDB_VERSION);
  else if ((status = read_row(info, sqlite)) != 0 ||
           (status = read_divergence(info, sqlite)) != 0) {
    int code = sqlite3_errcode(sqlite);
    bool asked = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
    hd_fail(err, status, "%s: the run database holds no readable run: %s", info->path,
            asked ? "it was killed at its start, or is damaged" : sqlite3_errmsg(sqlite));
  } else
    info->against = read_against(sqlite);
  sqlite3_close(sqlite);
  return status;
}

void hd_rundb_info_fini(struct hd_rundb_info *info)
{
  free(info->path);
  free(info->name);
  free(info->scenario);
  free(info->scenario_path);
  free(info->dut);
  free(info->rtl_dir);
  free(info->against);
  free(info->status);
  free(info->digest);
  *info = (struct hd_rundb_info){0};
}

int hd_rundb_packet_hops(struct hd_rundb *db, uint32_t packet, struct hd_rundb_hop **hops,
                         uint32_t *n)
{
  sqlite3_stmt *s;
  *hops = NULL;
  *n = 0;
  int status = hd_rundb_flush(db, NULL);
  if (status)
    return status;
  status = hd_rundb_prepare(
      db, &s,
      "SELECT hop, switch, in_port, out_port, vc, cycle FROM hops WHERE packet = ? ORDER BY hop",
      NULL);
  if (status)
    return status;
  sqlite3_bind_int64(s, 1, packet);
  size_t capacity = 0;
  while (sqlite3_step(s) == SQLITE_ROW) {
    HD_XROOM(*hops, capacity, *n, 1);
    (*hops)[(*n)++] = (struct hd_rundb_hop){
        .packet = packet,
        .hop = (uint32_t)sqlite3_column_int64(s, 0),
        .sw = (uint16_t)sqlite3_column_int(s, 1),
        .in_port = (uint8_t)sqlite3_column_int(s, 2),
        .out_port = (uint8_t)sqlite3_column_int(s, 3),
        .vc = (uint8_t)sqlite3_column_int(s, 4),
        .cycle = (uint64_t)sqlite3_column_int64(s, 5),
    };
  }
  sqlite3_finalize(s);
  return HD_OK;
}

static int csv_failed(const char *path, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "%s: %s; free some space or choose another directory by --out", path,
                 strerror(errno));
}

/* Writes all rows of a prepared query as CSV, and finalizes it. `names` is the first line. */
static int write_csv(struct hd_rundb *db, sqlite3_stmt *rows, const char *names, const char *path,
                     struct hd_error *err)
{
  const int columns = sqlite3_column_count(rows);
  FILE *file;
  int code, status = hd_file_create(path, &file, err);
  if (status) {
    sqlite3_finalize(rows);
    return status;
  }
  fprintf(file, "%s\n", names);
  while ((code = sqlite3_step(rows)) == SQLITE_ROW)
    for (int i = 0; i < columns; i++) {
      const unsigned char *text = sqlite3_column_text(rows, i);
      fprintf(file, "%s%c", text ? (const char *)text : "", i + 1 < columns ? ',' : '\n');
    }
  bool failed = ferror(file);
  failed |= fclose(file) != 0;
  if (failed)
    status = csv_failed(path, err);
  else if (code != SQLITE_DONE)
    status = hd_rundb_fail(db, "reading packets", err);
  sqlite3_finalize(rows);
  return status;
}

int hd_rundb_packets_csv(struct hd_rundb *db, const char *path, struct hd_error *err)
{
  static const char columns[] =
      "number,source,destination,flits,created,received,latency,synthetic,intact,entered,class";
  sqlite3_stmt *s;
  char sql[sizeof columns + 64];
  snprintf(sql, sizeof sql, "SELECT %s FROM packets ORDER BY number", columns);
  int status = hd_rundb_flush(db, err);
  if (!status)
    status = hd_rundb_prepare(db, &s, sql, err);
  return status ? status : write_csv(db, s, columns, path, err);
}

#define RANKED(permille) \
  " max(CASE WHEN place = (packets * " permille " + 999) / 1000 THEN latency END),"

int hd_rundb_pairs_csv(struct hd_rundb *db, const char *path, uint64_t from, uint64_t until,
                       struct hd_error *err)
{
  sqlite3_stmt *s;
  int status = hd_rundb_flush(db, err);
  if (!status)
    status = hd_rundb_prepare(
        db, &s,
        "SELECT source, destination, class, packets, sum(flits), min(latency), "
        "avg(latency)," RANKED("500") RANKED("950") RANKED("990") RANKED(
            "999") " max(latency), avg(network_latency) FROM"
                   " (SELECT source, destination, class, flits, latency, network_latency,"
                   " count(*) OVER pair AS packets,"
                   " row_number() OVER (PARTITION BY source, destination, class ORDER BY latency) "
                   "AS place"
                   " FROM packets WHERE received IS NOT NULL AND created >= ? AND created < ?"
                   " WINDOW pair AS (PARTITION BY source, destination, class))"
                   " GROUP BY source, destination, class ORDER BY source, destination, class",
        err);
  if (status)
    return status;
  sqlite3_bind_int64(s, 1, (sqlite3_int64)from);
  sqlite3_bind_int64(s, 2, until > INT64_MAX ? INT64_MAX : (sqlite3_int64)until);
  return write_csv(db, s,
                   "source,destination,class,packets,flits,latency_minimum,latency_mean,"
                   "latency_median,latency_p95,latency_p99,latency_p999,latency_maximum,"
                   "network_latency_mean",
                   path, err);
}

/* ── packets and hops one by one ───────────────────────────────────────────── */

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
  struct hd_rundb_cursor *c = hd_xcalloc(1, sizeof *c);
  c->path = hd_xstrdup(path);
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

/* ── statistics of software ────────────────────────────────────────────────── */

static void read_name(struct hd_rundb_statistics *all, const char *name)
{
  HD_XROOM(all->list, all->capacity, all->n, 1);
  struct hd_rundb_statistic *s = &all->list[all->n++];
  *s = (struct hd_rundb_statistic){.name = hd_xstrdup(name)};
}

static void read_value(struct hd_rundb_statistic *s, struct hd_world_value value)
{
  HD_XROOM(s->values, s->capacity, s->n, 1);
  s->values[s->n++] = value;
}

/* Reads rows of number, name, cycle and value, one statistic after the other. */
static int read_rows(struct hd_rundb_statistics *all, sqlite3_stmt *rows)
{
  int code;
  sqlite3_int64 last = -1;
  while ((code = sqlite3_step(rows)) == SQLITE_ROW) {
    sqlite3_int64 number = sqlite3_column_int64(rows, 0);
    const char *name = (const char *)sqlite3_column_text(rows, 1);
    if (number != last)
      read_name(all, name ? name : "");
    last = number;
    read_value(&all->list[all->n - 1],
               (struct hd_world_value){(uint64_t)sqlite3_column_int64(rows, 2),
                                       (uint64_t)sqlite3_column_int64(rows, 3)});
  }
  return code;
}

int hd_rundb_statistics_read(struct hd_rundb_statistics *all, const char *path,
                             struct hd_error *err)
{
  *all = (struct hd_rundb_statistics){0};
  sqlite3 *sqlite = NULL;
  sqlite3_stmt *s = NULL;
  int status = hd_rundb_open(&sqlite, path, err);
  if (status)
    return status;
  int code = sqlite3_prepare_v2(
      sqlite, "SELECT count(*) FROM sqlite_schema WHERE name = 'statistics'", -1, &s, NULL);
  if (code == SQLITE_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
    all->known = sqlite3_column_int(s, 0) != 0;
    code = SQLITE_DONE;
  }
  sqlite3_finalize(s);
  s = NULL;
  if (all->known)
    code = sqlite3_prepare_v2(sqlite,
                              "SELECT statistic, name, cycle, value FROM statistic_values JOIN"
                              " statistic_names USING (statistic)"
                              " ORDER BY statistic, statistic_values.rowid",
                              -1, &s, NULL);
  if (all->known && code == SQLITE_OK)
    code = read_rows(all, s);
  if (code != SQLITE_DONE)
    status = hd_fail(err, HD_E_IO, "%s: %s", path, sqlite3_errmsg(sqlite));
  sqlite3_finalize(s);
  sqlite3_close(sqlite);
  return status;
}

void hd_rundb_statistics_fini(struct hd_rundb_statistics *all)
{
  for (size_t i = 0; i < all->n; i++) {
    free(all->list[i].name);
    free(all->list[i].values);
  }
  free(all->list);
  *all = (struct hd_rundb_statistics){0};
}
