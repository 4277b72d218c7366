/* The campaign's file in SQLite, with a row for each task.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/sweep.md documents the schema. Each outcome is committed at once, so a campaign that is
 * killed loses none.
 */
#include "../host/directory_lock.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../version.h"
#include "campaign_internal.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1, APPLICATION = 0x48454443, PATIENCE_MS = 60000 }; /* application ID: "HEDC" */

static const char schema[] =
    "CREATE TABLE campaign ("
    " id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL, command TEXT NOT NULL,"
    " definition TEXT NOT NULL, identity TEXT NOT NULL, heddle TEXT NOT NULL,"
    " started TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
    " complete INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE tasks ("
    " task INTEGER PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, work REAL NOT NULL,"
    " status INTEGER NOT NULL, failed INTEGER NOT NULL, message TEXT, signature TEXT,"
    " seconds REAL NOT NULL);"
    "CREATE TABLE results ("
    " task INTEGER NOT NULL, place INTEGER NOT NULL, key TEXT NOT NULL, value, unit TEXT,"
    " PRIMARY KEY (task, place)) WITHOUT ROWID;";

struct hd_campaign_db {
  sqlite3 *sqlite;
  sqlite3_stmt *find, *find_values, *add, *forget_values, *add_value;
  int directory; /* file descriptor that holds the directory's lock */
  char *path;
};

static int fail(const struct hd_campaign_db *db, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO, "%s: %s", db->path,
                 db->sqlite ? sqlite3_errmsg(db->sqlite) : "out of memory");
}

static int execute(struct hd_campaign_db *db, const char *sql, struct hd_error *err)
{
  return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) ? fail(db, err) : HD_OK;
}

static int prepare(struct hd_campaign_db *db, const char *sql, sqlite3_stmt **statement,
                   struct hd_error *err)
{
  return sqlite3_prepare_v2(db->sqlite, sql, -1, statement, NULL) ? fail(db, err) : HD_OK;
}

static const char *column_text(sqlite3_stmt *s, int column)
{
  return (const char *)sqlite3_column_text(s, column);
}

static void bind_text(sqlite3_stmt *s, int index, const char *text)
{
  if (text)
    sqlite3_bind_text(s, index, text, -1, SQLITE_TRANSIENT);
}

/* ── opening ───────────────────────────────────────────────────────────────── */

static void delete_files(const struct hd_campaign_db *db)
{
  static const char *const names[] = {"campaign.db", "campaign.db-wal", "campaign.db-shm"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlinkat(db->directory, names[i], 0);
}

static int pragma(struct hd_campaign_db *db, const char *sql, int64_t *value, struct hd_error *err)
{
  sqlite3_stmt *s = NULL;
  int status = prepare(db, sql, &s, err);
  *value = 0;
  if (!status && sqlite3_step(s) == SQLITE_ROW)
    *value = sqlite3_column_int64(s, 0);
  else if (!status)
    status = fail(db, err);
  sqlite3_finalize(s);
  return status;
}

static int create(struct hd_campaign_db *db, const struct hd_campaign *c, struct hd_error *err)
{
  char head[96];
  sqlite3_stmt *s = NULL;
  snprintf(head, sizeof head, "PRAGMA application_id = %d; PRAGMA user_version = %d;", APPLICATION,
           VERSION);
  int status = execute(db, "BEGIN", err);
  if (!status)
    status = execute(db, head, err);
  if (!status)
    status = execute(db, schema, err);
  if (!status)
    status = prepare(db,
                     "INSERT INTO campaign (id, name, command, definition, identity, heddle)"
                     " VALUES (1, ?, ?, ?, ?, ?)",
                     &s, err);
  if (status)
    return status;
  bind_text(s, 1, c->name);
  bind_text(s, 2, c->command);
  bind_text(s, 3, c->definition);
  bind_text(s, 4, c->identity);
  bind_text(s, 5, HD_VERSION);
  if (sqlite3_step(s) != SQLITE_DONE)
    status = fail(db, err);
  sqlite3_finalize(s);
  return status ? status : execute(db, "COMMIT", err);
}

/* Checks that the file is a campaign's, of a known version. *is_new: it is empty. */
static int check_version(struct hd_campaign_db *db, bool *is_new, struct hd_error *err)
{
  int64_t application, version, tables;
  int status = pragma(db, "PRAGMA application_id", &application, err);
  if (!status)
    status = pragma(db, "PRAGMA user_version", &version, err);
  if (!status)
    status = pragma(db, "SELECT count(*) FROM sqlite_master", &tables, err);
  if (status)
    return hd_fail(err, HD_E_INPUT, "%s: is not a campaign's file (%s)", db->path,
                   sqlite3_errmsg(db->sqlite));
  *is_new = !application && !version && !tables;
  if (!*is_new && application != APPLICATION)
    return hd_fail(err, HD_E_INPUT, "%s: is not a campaign's file", db->path);
  if (!*is_new && version != VERSION)
    return hd_fail(err, HD_E_INPUT,
                   "%s: is of version %lld; this Heddle knows version %d: use the Heddle that "
                   "wrote it, or another directory",
                   db->path, (long long)version, VERSION);
  return HD_OK;
}

static int check_same(struct hd_campaign_db *db, const struct hd_campaign *c, struct hd_error *err)
{
  sqlite3_stmt *s = NULL;
  int status = prepare(db, "SELECT definition, identity, command FROM campaign", &s, err);
  if (!status && sqlite3_step(s) != SQLITE_ROW)
    status = hd_fail(err, HD_E_INPUT, "%s is damaged: it has no campaign", db->path);
  else if (!status && !(column_text(s, 0) && column_text(s, 1) && column_text(s, 2)))
    status =
        hd_fail(err, HD_E_INPUT, "%s is damaged: it does not say which campaign it has", db->path);
  else if (!status && strcmp(column_text(s, 0), c->definition) &&
           !strcmp(column_text(s, 2), c->command))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: was begun by the same command, but the scenario or another input has "
                     "changed since; choose another directory, or remove this one",
                     db->path);
  else if (!status && strcmp(column_text(s, 0), c->definition))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: is another campaign's (%s); repeat that command to go on with it, or "
                     "choose another directory",
                     db->path, column_text(s, 2));
  else if (!status && strcmp(column_text(s, 1), c->identity))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: was begun with other RTL or another Heddle, or with other files or tools "
                     "(%s, now %s); choose another directory",
                     db->path, column_text(s, 1), c->identity);
  sqlite3_finalize(s);
  return status;
}

static int prepare_all(struct hd_campaign_db *db, struct hd_error *err)
{
  int status = prepare(db,
                       "SELECT status, failed, message, signature, seconds FROM tasks"
                       " WHERE task = ? AND kind = ? AND text = ?",
                       &db->find, err);
  if (!status)
    status = prepare(db, "SELECT key, value, unit FROM results WHERE task = ? ORDER BY place",
                     &db->find_values, err);
  if (!status)
    status = prepare(db,
                     "INSERT OR REPLACE INTO tasks (task, kind, text, work, status, failed,"
                     " message, signature, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     &db->add, err);
  if (!status)
    status = prepare(db, "DELETE FROM results WHERE task = ?", &db->forget_values, err);
  if (!status)
    status = prepare(db,
                     "INSERT INTO results (task, place, key, value, unit)"
                     " VALUES (?, ?, ?, ?, ?)",
                     &db->add_value, err);
  return status;
}

static int connect_file(struct hd_campaign_db *db, const char *directory, int flags,
                        struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/campaign.db", directory);
  db->path = path.chars;
  if (sqlite3_open_v2(db->path, &db->sqlite, flags, NULL))
    return fail(db, err);
  sqlite3_busy_timeout(db->sqlite, PATIENCE_MS);
  return HD_OK;
}

/* Files that campaigns of any kind write beside their database. */
static const char *const own_files[] = {"report.html",    "points.csv", "runs.csv",  "sweep.json",
                                        "saturation.csv", "check.json", "check.xml", "sweep.svg",
                                        "sweep.gp",       "sweep.csv",  "sweep.pdf", NULL};

int hd_campaign_db_open(struct hd_campaign_db **out, const struct hd_campaign *c,
                        struct hd_error *err)
{
  bool is_new = false;
  struct hd_campaign_db *db = hd_xcalloc(1, sizeof *db);
  *out = NULL;
  int status = hd_directory_spares(c->directory, "campaign.db", own_files, err);
  db->directory = -1;
  if (!status)
    status = hd_directory_lock(c->directory, &db->directory, err);
  if (!status && c->afresh)
    delete_files(db);
  if (!status)
    status = connect_file(db, c->directory, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
  if (!status)
    status = check_version(db, &is_new, err);
  if (!status)
    status = execute(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF", err);
  if (!status)
    status = is_new ? create(db, c, err) : check_same(db, c, err);
  if (!status)
    status = prepare_all(db, err);
  if (status) {
    hd_campaign_db_close(db);
    return status;
  }
  *out = db;
  return HD_OK;
}

void hd_campaign_db_close(struct hd_campaign_db *db)
{
  if (!db)
    return;
  sqlite3_finalize(db->find);
  sqlite3_finalize(db->find_values);
  sqlite3_finalize(db->add);
  sqlite3_finalize(db->forget_values);
  sqlite3_finalize(db->add_value);
  sqlite3_close(db->sqlite);
  if (db->directory >= 0)
    close(db->directory);
  free(db->path);
  free(db);
}

/* ── tasks ─────────────────────────────────────────────────────────────────── */

/* Returns false if the row has no name, which only a damaged file has. */
static bool read_value(struct hd_task_outcome *o, sqlite3_stmt *s)
{
  const char *key = column_text(s, 0);
  if (!key)
    return false;
  struct hd_value value = {.type = HD_VALUE_NONE};
  switch (sqlite3_column_type(s, 1)) {
  case SQLITE_INTEGER:
    value =
        (struct hd_value){.type = HD_VALUE_COUNT, .number = (uint64_t)sqlite3_column_int64(s, 1)};
    break;
  case SQLITE_FLOAT:
    value = (struct hd_value){.type = HD_VALUE_REAL, .real = sqlite3_column_double(s, 1)};
    break;
  case SQLITE_TEXT:
    value = (struct hd_value){.type = HD_VALUE_TEXT, .text = column_text(s, 1)};
    break;
  default:
    break;
  }
  hd_task_outcome_add(o, key, column_text(s, 2), &value);
  return true;
}

static int read_values(struct hd_campaign_db *db, uint64_t task, struct hd_task_outcome *o,
                       struct hd_error *err)
{
  int step;
  sqlite3_reset(db->find_values);
  sqlite3_bind_int64(db->find_values, 1, (sqlite3_int64)task);
  bool sound = true;
  while (sound && (step = sqlite3_step(db->find_values)) == SQLITE_ROW)
    sound = read_value(o, db->find_values);
  sqlite3_reset(db->find_values);
  if (!sound)
    return hd_fail(err, HD_E_INPUT, "%s is damaged: a result has no name", db->path);
  return step == SQLITE_DONE ? HD_OK : fail(db, err);
}

static void read_outcome(struct hd_task_outcome *o, sqlite3_stmt *s, int first)
{
  const char *message = column_text(s, first + 2), *signature = column_text(s, first + 3);
  *o = (struct hd_task_outcome){.status = sqlite3_column_int(s, first),
                                .failed = sqlite3_column_int(s, first + 1) != 0,
                                .message = message ? hd_xstrdup(message) : NULL,
                                .signature = signature ? hd_xstrdup(signature) : NULL,
                                .seconds = sqlite3_column_double(s, first + 4)};
}

/* Tests whether the machine was the cause: a full disk, no memory, a missing tool, too much
 * time. Such an outcome says nothing about the task, so the task is repeated. */
static bool is_machine_failure(const struct hd_task_outcome *o)
{
  return o->status == HD_E_IO || o->status == HD_E_NOMEM || o->status == HD_E_TOOL ||
         (o->signature && !strcmp(o->signature, HD_TASK_HUNG));
}

int hd_campaign_db_find(struct hd_campaign_db *db, const struct hd_task *task, bool *known,
                        struct hd_task_outcome *outcome, struct hd_error *err)
{
  *known = false;
  sqlite3_reset(db->find);
  sqlite3_bind_int64(db->find, 1, (sqlite3_int64)task->order);
  bind_text(db->find, 2, task->kind);
  bind_text(db->find, 3, task->text);
  int step = sqlite3_step(db->find), status = HD_OK;
  if (step == SQLITE_ROW) {
    read_outcome(outcome, db->find, 0);
    *known = !is_machine_failure(outcome);
    if (*known)
      status = read_values(db, task->order, outcome, err);
    if (status || !*known)
      hd_task_outcome_fini(outcome);
  } else if (step != SQLITE_DONE)
    status = fail(db, err);
  sqlite3_reset(db->find);
  return status;
}

static void bind_value(sqlite3_stmt *s, int index, const struct hd_value *value)
{
  if (value->type == HD_VALUE_COUNT)
    sqlite3_bind_int64(s, index, (sqlite3_int64)value->number);
  else if (value->type == HD_VALUE_REAL)
    sqlite3_bind_double(s, index, value->real);
  else if (value->type == HD_VALUE_FLAG)
    sqlite3_bind_int64(s, index, value->flag);
  else if (value->type == HD_VALUE_TEXT)
    bind_text(s, index, value->text);
}

static int step(struct hd_campaign_db *db, sqlite3_stmt *s, struct hd_error *err)
{
  int status = sqlite3_step(s) == SQLITE_DONE ? HD_OK : fail(db, err);
  sqlite3_reset(s);
  sqlite3_clear_bindings(s);
  return status;
}

static int add_values(struct hd_campaign_db *db, uint64_t task, const struct hd_task_outcome *o,
                      struct hd_error *err)
{
  sqlite3_bind_int64(db->forget_values, 1, (sqlite3_int64)task);
  int status = step(db, db->forget_values, err); /* an earlier attempt may have left more values */
  for (size_t i = 0; !status && i < o->n_values; i++) {
    sqlite3_bind_int64(db->add_value, 1, (sqlite3_int64)task);
    sqlite3_bind_int64(db->add_value, 2, (sqlite3_int64)i);
    bind_text(db->add_value, 3, o->values[i].key);
    bind_value(db->add_value, 4, &o->values[i].value);
    bind_text(db->add_value, 5, o->values[i].unit);
    status = step(db, db->add_value, err);
  }
  return status;
}

static int add_task(struct hd_campaign_db *db, const struct hd_task *task,
                    const struct hd_task_outcome *o, struct hd_error *err)
{
  sqlite3_bind_int64(db->add, 1, (sqlite3_int64)task->order);
  bind_text(db->add, 2, task->kind);
  bind_text(db->add, 3, task->text);
  sqlite3_bind_double(db->add, 4, task->work);
  sqlite3_bind_int(db->add, 5, o->status);
  sqlite3_bind_int(db->add, 6, o->failed);
  bind_text(db->add, 7, o->message);
  bind_text(db->add, 8, o->signature);
  sqlite3_bind_double(db->add, 9, o->seconds);
  return step(db, db->add, err);
}

int hd_campaign_db_add(struct hd_campaign_db *db, const struct hd_task *task,
                       const struct hd_task_outcome *o, struct hd_error *err)
{
  int status = execute(db, "BEGIN", err);
  if (!status)
    status = add_task(db, task, o, err);
  if (!status)
    status = add_values(db, task->order, o, err);
  return status ? status : execute(db, "COMMIT", err);
}

int hd_campaign_db_complete(struct hd_campaign_db *db, bool complete, struct hd_error *err)
{
  return execute(db,
                 complete ? "UPDATE campaign SET complete = 1"
                          : "UPDATE campaign SET complete = 0 WHERE complete != 0",
                 err);
}

/* ── reading ───────────────────────────────────────────────────────────────── */

static int open_to_read(struct hd_campaign_db *db, const char *directory, struct hd_error *err)
{
  bool is_new;
  int status = connect_file(db, directory, SQLITE_OPEN_READWRITE, err);
  if (!status)
    status = check_version(db, &is_new, err);
  if (!status && is_new)
    status = hd_fail(err, HD_E_INPUT, "%s: is empty", db->path);
  return status;
}

static void close_reader(struct hd_campaign_db *db)
{
  sqlite3_finalize(db->find);
  sqlite3_finalize(db->find_values);
  sqlite3_close(db->sqlite);
  free(db->path);
}

int hd_campaign_each(const char *directory,
                     int (*row)(void *context, const struct hd_task *task,
                                const struct hd_task_outcome *outcome, struct hd_error *err),
                     void *context, struct hd_error *err)
{
  struct hd_campaign_db db = {.directory = -1};
  int status = open_to_read(&db, directory, err), next = SQLITE_DONE;
  if (!status)
    status = prepare(&db,
                     "SELECT task, kind, text, work, status, failed, message, signature, seconds"
                     " FROM tasks ORDER BY task",
                     &db.find, err);
  if (!status)
    status = prepare(&db, "SELECT key, value, unit FROM results WHERE task = ? ORDER BY place",
                     &db.find_values, err);
  while (!status && (next = sqlite3_step(db.find)) == SQLITE_ROW) {
    struct hd_task task = {(uint64_t)sqlite3_column_int64(db.find, 0), column_text(db.find, 1),
                           column_text(db.find, 2), sqlite3_column_double(db.find, 3)};
    struct hd_task_outcome outcome;
    read_outcome(&outcome, db.find, 4);
    if (!task.kind || !task.text)
      status = hd_fail(err, HD_E_INPUT, "%s is damaged: a task has no text", db.path);
    if (!status)
      status = read_values(&db, task.order, &outcome, err);
    if (!status)
      status = row(context, &task, &outcome, err);
    hd_task_outcome_fini(&outcome);
  }
  if (!status && next != SQLITE_DONE)
    status = fail(&db, err);
  close_reader(&db);
  return status;
}

int hd_campaign_about_read(struct hd_campaign_about *about, const char *directory,
                           struct hd_error *err)
{
  struct hd_campaign_db db = {.directory = -1};
  *about = (struct hd_campaign_about){0};
  char **const members[] = {&about->name,     &about->command, &about->definition,
                            &about->identity, &about->heddle,  &about->started};
  int status = open_to_read(&db, directory, err);
  if (!status)
    status = prepare(&db,
                     "SELECT name, command, definition, identity, heddle, started, complete"
                     " FROM campaign",
                     &db.find, err);
  if (!status && sqlite3_step(db.find) != SQLITE_ROW)
    status = hd_fail(err, HD_E_INPUT, "%s is damaged: it has no campaign", db.path);
  for (int i = 0; !status && i < 6; i++) {
    const char *text = column_text(db.find, i);
    *members[i] = hd_xstrdup(text ? text : "");
  }
  if (!status)
    about->complete = sqlite3_column_int(db.find, 6) != 0;
  close_reader(&db);
  return status;
}

void hd_campaign_about_fini(struct hd_campaign_about *about)
{
  free(about->name);
  free(about->command);
  free(about->definition);
  free(about->identity);
  free(about->heddle);
  free(about->started);
  *about = (struct hd_campaign_about){0};
}
