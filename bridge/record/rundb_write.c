/* Rows of the run database that are written once: settings, results, links, divergence.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"
#include "../scenario/scenario_keys.h"
#include "../version.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void bind_text(sqlite3_stmt *s, int index, const char *text)
{
  if (text)
    sqlite3_bind_text(s, index, text, -1, SQLITE_STATIC);
}

static void bind_now(sqlite3_stmt *s, int index)
{
  char text[32];
  time_t now = time(NULL);
  struct tm tm;
  gmtime_r(&now, &tm);
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
  sqlite3_bind_text(s, index, text, -1, SQLITE_TRANSIENT);
}

static int write_run(struct hd_rundb *db, const struct hd_rundb_start *start, struct hd_error *err)
{
  sqlite3_stmt *s;
  const struct hd_scenario *c = start->scenario;
  int status = hd_rundb_prepare(
      db, &s,
      "INSERT INTO run (id, name, scenario, scenario_path, seed, dut, dut_about, rtl_dir, mode, "
      "compare,"
      " window_cycles, threads, cycles_limit, switches, nodes, ports, heddle, replay_of, started)"
      " VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      err);
  if (status)
    return status;
  int i = 0;
  bind_text(s, ++i, c->name);
  bind_text(s, ++i, c->text);
  /* An absolute path, so that a replay in any directory finds the files beside it. */
  char *path = realpath(c->path, NULL);
  bind_text(s, ++i, path ? path : c->path);
  hd_rundb_bind_u64(s, ++i, c->seed);
  bind_text(s, ++i, c->run.dut);
  bind_text(s, ++i, start->dut_about);
  bind_text(s, ++i, start->rtl_dir);
  bind_text(s, ++i, hd_mode_name(c->run.mode));
  bind_text(s, ++i, hd_compare_name(c->run.compare));
  sqlite3_bind_int64(s, ++i, c->run.window_cycles);
  sqlite3_bind_int64(s, ++i, c->run.threads);
  sqlite3_bind_int64(s, ++i, (sqlite3_int64)c->run.cycles);
  sqlite3_bind_int64(s, ++i, start->topology->n_switches);
  sqlite3_bind_int64(s, ++i, start->topology->n_nodes);
  sqlite3_bind_int64(s, ++i, start->topology->ports);
  bind_text(s, ++i, HD_VERSION);
  bind_text(s, ++i, start->replay_of);
  bind_now(s, ++i);
  status = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  free(path);
  return status;
}

static void bind_value(sqlite3_stmt *s, int index, const struct hd_value *v)
{
  switch (v->type) {
  case HD_VALUE_NONE:
    break;
  case HD_VALUE_COUNT:
    sqlite3_bind_int64(s, index, (sqlite3_int64)v->number);
    break;
  case HD_VALUE_NUMBER:
    hd_rundb_bind_u64(s, index, v->number);
    break;
  case HD_VALUE_HEX:
    hd_rundb_bind_hex(s, index, v->number);
    break;
  case HD_VALUE_REAL:
    sqlite3_bind_double(s, index, v->real);
    break;
  case HD_VALUE_FLAG:
    sqlite3_bind_int64(s, index, v->flag);
    break;
  case HD_VALUE_WORD:
  case HD_VALUE_TEXT:
    bind_text(s, index, v->text);
    break;
  }
}

/* Executes an INSERT of (key, value) whose value is bound already. */
static int write_key(struct hd_rundb *db, sqlite3_stmt *s, const char *key, struct hd_error *err)
{
  sqlite3_bind_text(s, 1, key, -1, SQLITE_TRANSIENT);
  int status = hd_rundb_step(db, s, err);
  sqlite3_clear_bindings(s);
  return status;
}

static int write_string(struct hd_rundb *db, sqlite3_stmt *s, const char *key, const char *value,
                        struct hd_error *err)
{
  bind_text(s, 2, value);
  return write_key(db, s, key, err);
}

struct parameter_writer {
  struct hd_rundb *db;
  sqlite3_stmt *statement;
  int status;
  struct hd_error *err;
};

static void write_parameter(void *context, const char *key, const struct hd_value *value)
{
  struct parameter_writer *w = context;
  if (w->status)
    return;
  bind_value(w->statement, 2, value);
  w->status = write_key(w->db, w->statement, key, w->err);
}

static int write_parameters(struct hd_rundb *db, const struct hd_scenario *c, struct hd_error *err)
{
  struct parameter_writer w = {.db = db, .err = err};
  w.status =
      hd_rundb_prepare(db, &w.statement, "INSERT INTO parameters (key, value) VALUES (?, ?)", err);
  if (!w.status)
    hd_scenario_parameters(c, write_parameter, &w);
  sqlite3_finalize(w.statement);
  return w.status;
}

static int write_tools(struct hd_rundb *db, const struct hd_rundb_start *start,
                       struct hd_error *err)
{
  const char *const tools[][2] = {
      {"heddle", hd_version()},  {"rtl", start->rtl_version}, {"sqlite", sqlite3_libversion()},
      {"compiler", __VERSION__}, {"dut", start->dut_about},
  };
  sqlite3_stmt *s;
  int status = hd_rundb_prepare(db, &s, "INSERT INTO tools (name, version) VALUES (?, ?)", err);
  for (size_t i = 0; !status && i < sizeof tools / sizeof *tools; i++)
    if (tools[i][1])
      status = write_string(db, s, tools[i][0], tools[i][1], err);
  sqlite3_finalize(s);
  return status;
}

int hd_rundb_write_start(struct hd_rundb *db, const struct hd_rundb_start *start,
                         struct hd_error *err)
{
  int status = write_run(db, start, err);
  if (status)
    return status;
  status = write_parameters(db, start->scenario, err);
  if (!status)
    status = hd_rundb_write_files(db, start->scenario, err);
  if (!status && start->rtl_files)
    status = hd_rundb_write_rtl(db, start->rtl_files, err);
  if (!status && start->against)
    status = hd_rundb_list(db, "against", 0, "directory",
                           &(struct hd_value){.type = HD_VALUE_TEXT, .text = start->against}, err);
  return status ? status : write_tools(db, start, err);
}

static void bind_flit(sqlite3_stmt *s, int index, const struct hd_flit_event *flit)
{
  if (flit->kind == 0xff)
    return;
  sqlite3_bind_int64(s, index, flit->cycle);
  sqlite3_bind_int64(s, index + 1, flit->port);
  sqlite3_bind_int64(s, index + 2, flit->vc);
  sqlite3_bind_int64(s, index + 3, flit->kind);
  hd_rundb_bind_hex(s, index + 4, flit->data);
}

int hd_rundb_divergence(struct hd_rundb *db, const struct hd_divergence *d, struct hd_error *err)
{
  sqlite3_stmt *s;
  int status =
      hd_rundb_prepare(db, &s,
                       "INSERT INTO divergences VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
                       " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
                       err);
  if (status)
    return status;
  sqlite3_bind_int64(s, 1, (sqlite3_int64)d->cycle);
  sqlite3_bind_int64(s, 2, d->sw);
  sqlite3_bind_int64(s, 3, d->port);
  sqlite3_bind_int64(s, 4, d->vc);
  bind_text(s, 5, hd_divergence_name(d));
  if (d->packet != HD_PACKET_NONE && d->packet != HD_PACKET_MADE)
    sqlite3_bind_int64(s, 6, d->packet);
  if (d->difference == HD_DIFF_FLIT && d->has_expected)
    bind_flit(s, 7, &d->expected);
  if ((d->difference == HD_DIFF_FLIT || d->difference == HD_DIFF_RULE) && d->has_got)
    bind_flit(s, 12, &d->got);
  if (d->difference == HD_DIFF_CREDIT) {
    sqlite3_bind_int64(s, 17, d->has_expected ? hd_credit_set(&d->expected_credit) : 0);
    sqlite3_bind_int64(s, 18, d->has_got ? hd_credit_set(&d->got_credit) : 0);
  }
  if (d->difference == HD_DIFF_QUIESCENT) {
    sqlite3_bind_int64(s, 19, d->expected_quiescent);
    sqlite3_bind_int64(s, 20, d->got_quiescent);
  }
  if (d->difference == HD_DIFF_ERRORS || d->difference == HD_DIFF_REGISTER) {
    sqlite3_bind_int64(s, 21, d->expected_errors);
    sqlite3_bind_int64(s, 22, d->got_errors);
    sqlite3_bind_int64(s, 23, d->address);
  }
  status = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  return status;
}

static int write_links(struct hd_rundb *db, const struct hd_topology *t,
                       const struct hd_rundb_end *end, struct hd_error *err)
{
  static const char *const kinds[] = {"none", "switch", "node"};
  sqlite3_stmt *s, *of_vc = NULL;
  int status = hd_rundb_prepare(db, &s,
                                "INSERT INTO links (switch, port, peer_kind, peer, peer_port, "
                                "flits) VALUES (?, ?, ?, ?, ?, ?)",
                                err);
  if (!status)
    status = hd_rundb_prepare(
        db, &of_vc, "INSERT INTO link_vcs (switch, port, vc, flits) VALUES (?, ?, ?, ?)", err);
  for (uint32_t i = 0; !status && i < t->n_switches * t->ports; i++) {
    const struct hd_peer *peer = &t->peers[i];
    if (peer->kind == HD_PEER_NONE)
      continue;
    sqlite3_bind_int64(s, 1, i / t->ports);
    sqlite3_bind_int64(s, 2, i % t->ports);
    bind_text(s, 3, kinds[peer->kind]);
    sqlite3_bind_int64(s, 4, peer->index);
    sqlite3_bind_int64(s, 5, peer->port);
    uint64_t flits = 0;
    for (uint32_t vc = 0; !status && end->link_flits && vc < end->vcs; vc++) {
      uint64_t n = end->link_flits[(size_t)i * end->vcs + vc];
      flits += n;
      sqlite3_bind_int64(of_vc, 1, i / t->ports);
      sqlite3_bind_int64(of_vc, 2, i % t->ports);
      sqlite3_bind_int64(of_vc, 3, vc);
      sqlite3_bind_int64(of_vc, 4, (sqlite3_int64)n);
      status = hd_rundb_step(db, of_vc, err);
    }
    if (end->link_flits)
      sqlite3_bind_int64(s, 6, (sqlite3_int64)flits);
    if (!status)
      status = hd_rundb_step(db, s, err);
  }
  sqlite3_finalize(s);
  sqlite3_finalize(of_vc);
  return status;
}

/* Writes blocked flit-cycles of inputs. Channels in which no flit waited have no row. */
static int write_inputs(struct hd_rundb *db, const struct hd_topology *t,
                        const struct hd_rundb_end *end, struct hd_error *err)
{
  sqlite3_stmt *s;
  size_t n = end->blocked ? (size_t)t->n_switches * t->ports * end->vcs : 0;
  int status = hd_rundb_prepare(
      db, &s, "INSERT INTO inputs (switch, port, vc, blocked_flit_cycles) VALUES (?, ?, ?, ?)",
      err);
  for (size_t i = 0; !status && i < n; i++) {
    if (!end->blocked[i])
      continue;
    sqlite3_bind_int64(s, 1, (sqlite3_int64)(i / end->vcs / t->ports));
    sqlite3_bind_int64(s, 2, (sqlite3_int64)(i / end->vcs % t->ports));
    sqlite3_bind_int64(s, 3, (sqlite3_int64)(i % end->vcs));
    sqlite3_bind_int64(s, 4, (sqlite3_int64)end->blocked[i]);
    status = hd_rundb_step(db, s, err);
  }
  sqlite3_finalize(s);
  return status;
}

int hd_rundb_list(struct hd_rundb *db, const char *list, uint64_t row, const char *key,
                  const struct hd_value *value, struct hd_error *err)
{
  if (!hd_value_is(value))
    return HD_OK;
  int status = HD_OK;
  if (!db->list)
    status = hd_rundb_prepare(db, &db->list,
                              "INSERT INTO lists (list, row, key, value) VALUES (?, ?, ?, ?)", err);
  if (status)
    return status;
  bind_text(db->list, 1, list);
  sqlite3_bind_int64(db->list, 2, (sqlite3_int64)row);
  bind_text(db->list, 3, key);
  bind_value(db->list, 4, value);
  return hd_rundb_step(db, db->list, err);
}

int hd_rundb_signal(struct hd_rundb *db, const struct hd_rundb_signal *signal, struct hd_error *err)
{
  int status = HD_OK;
  if (!db->signal)
    status = hd_rundb_prepare(
        db, &db->signal,
        "INSERT INTO signals (signal, cycle, model, dut, differs) VALUES (?, ?, ?, ?, ?)", err);
  if (status)
    return status;
  bind_text(db->signal, 1, signal->signal);
  sqlite3_bind_int64(db->signal, 2, (sqlite3_int64)signal->cycle);
  bind_text(db->signal, 3, signal->model);
  if (signal->dut)
    bind_text(db->signal, 4, signal->dut);
  else
    sqlite3_bind_null(db->signal, 4);
  sqlite3_bind_int64(db->signal, 5, signal->differs);
  return hd_rundb_step(db, db->signal, err);
}

static int write_column(struct hd_rundb *db, const struct hd_rundb_result *result,
                        struct hd_error *err)
{
  char sql[128];
  int n = snprintf(sql, sizeof sql, "UPDATE run SET %s = ?", result->key);
  for (int i = 0; i < n; i++)
    sql[i] = sql[i] == '.' ? '_' : sql[i];
  sqlite3_stmt *s;
  int status = hd_rundb_prepare(db, &s, sql, err);
  if (status)
    return status;
  bind_value(s, 1, &result->value);
  status = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  return status;
}

static int write_end(struct hd_rundb *db, const struct hd_rundb_end *end, struct hd_error *err)
{
  sqlite3_stmt *s;
  int status =
      hd_rundb_prepare(db, &s, "INSERT INTO results (key, value, unit) VALUES (?, ?, ?)", err);
  for (size_t i = 0; !status && i < end->n_results; i++) {
    const struct hd_rundb_result *result = &end->results[i];
    bind_value(s, 2, &result->value);
    bind_text(s, 3, result->unit);
    status = write_key(db, s, result->key, err);
    if (!status && result->in_run)
      status = write_column(db, result, err);
  }
  sqlite3_finalize(s);
  if (!status)
    status = hd_rundb_prepare(db, &s, "UPDATE run SET ended = ?", err);
  if (status)
    return status;
  bind_now(s, 1);
  status = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  return status;
}

int hd_rundb_finish(struct hd_rundb *db, const struct hd_topology *topology,
                    const struct hd_rundb_end *end, struct hd_error *err)
{
  int status = hd_rundb_check_file(db, err);
  if (!status)
    status = hd_rundb_flush(db, err);
  if (!status)
    status = write_links(db, topology, end, err);
  if (!status)
    status = write_inputs(db, topology, end, err);
  if (!status && end->coverage)
    status = hd_rundb_write_coverage(db, end->coverage, err);
  if (!status)
    status = hd_rundb_exec(db, "CREATE INDEX hops_packet ON hops (packet, hop)", err);
  if (!status)
    status = write_end(db, end, err);
  if (!status)
    status = hd_rundb_exec(db, "COMMIT", err);
  return status ? status : hd_rundb_one_file(db, err);
}

static int write_dead(struct hd_rundb *db, const char *status, const char *message,
                      struct hd_error *err)
{
  sqlite3_stmt *s;
  int failed = hd_rundb_prepare(
      db, &s, "UPDATE run SET status = ?, message = ?, ended = ? WHERE status = 'running'", err);
  if (failed)
    return failed;
  bind_text(s, 1, status);
  bind_text(s, 2, message);
  bind_now(s, 3);
  failed = hd_rundb_step(db, s, err);
  sqlite3_finalize(s);
  return failed ? failed : hd_rundb_one_file(db, err);
}

int hd_rundb_close_orphaned(const char *directory, const char *status, const char *message,
                            struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/run.db", directory);
  struct hd_rundb db = {.path = path.chars};
  int failed = sqlite3_open_v2(path.chars, &db.sqlite, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
                   ? hd_rundb_fail(&db, "opening the run database", err)
                   : write_dead(&db, status, message, err);
  sqlite3_close(db.sqlite);
  hd_text_fini(&path);
  return failed;
}
