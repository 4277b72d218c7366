/* The run database's schema (docs/run-database.md) and the names in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "rundb_internal.h"

const char hd_rundb_schema[] =
    "PRAGMA application_id = 0x48454444;" /* HEDD */
    "PRAGMA user_version = 1;"
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY CHECK (id = 1),"
    " name TEXT NOT NULL, scenario TEXT NOT NULL, scenario_path TEXT NOT NULL,"
    " seed TEXT NOT NULL, dut TEXT NOT NULL, dut_about TEXT, rtl_dir TEXT,"
    " mode TEXT NOT NULL, compare TEXT NOT NULL, window_cycles INTEGER NOT NULL,"
    " threads INTEGER NOT NULL, cycles_limit INTEGER NOT NULL,"
    " switches INTEGER NOT NULL, nodes INTEGER NOT NULL, ports INTEGER NOT NULL,"
    " heddle TEXT NOT NULL, replay_of TEXT,"
    " started TEXT NOT NULL, ended TEXT, seconds REAL,"
    " status TEXT NOT NULL DEFAULT 'running', message TEXT,"
    " cycles INTEGER NOT NULL DEFAULT 0, cycles_compared INTEGER, switch_cycles INTEGER,"
    " evaluated_cycles INTEGER, events_compared INTEGER, digest TEXT,"
    " packets_sent INTEGER, packets_received INTEGER, packets_foreign INTEGER,"
    " undelivered INTEGER, flits_received INTEGER, messages_sent INTEGER,"
    " messages_received INTEGER, blocked_flit_cycles INTEGER, latency_packets INTEGER,"
    " latency_minimum INTEGER, latency_mean REAL, latency_p99 INTEGER, latency_maximum INTEGER);"
    "CREATE TABLE parameters (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE files (key TEXT PRIMARY KEY, path TEXT NOT NULL, bytes INTEGER, hash TEXT)"
    " WITHOUT ROWID;"
    "CREATE TABLE tools (name TEXT PRIMARY KEY, version TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE packets ("
    " number INTEGER PRIMARY KEY, source INTEGER NOT NULL, destination INTEGER NOT NULL,"
    " flits INTEGER NOT NULL, created INTEGER NOT NULL, received INTEGER,"
    " synthetic INTEGER NOT NULL, intact INTEGER NOT NULL,"
    " latency INTEGER GENERATED ALWAYS AS (received - created) VIRTUAL);"
    "CREATE TABLE hops ("
    " packet INTEGER NOT NULL, hop INTEGER NOT NULL, switch INTEGER NOT NULL,"
    " in_port INTEGER NOT NULL, out_port INTEGER NOT NULL, vc INTEGER NOT NULL,"
    " cycle INTEGER NOT NULL);"
    "CREATE TABLE links ("
    " switch INTEGER NOT NULL, port INTEGER NOT NULL, peer_kind TEXT NOT NULL,"
    " peer INTEGER NOT NULL, peer_port INTEGER NOT NULL, flits INTEGER,"
    " PRIMARY KEY (switch, port)) WITHOUT ROWID;"
    "CREATE TABLE statistic_names (statistic INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE statistic_values ("
    " statistic INTEGER NOT NULL, cycle INTEGER NOT NULL, value INTEGER NOT NULL);"
    "CREATE VIEW statistics AS SELECT name, cycle, value"
    " FROM statistic_values JOIN statistic_names USING (statistic);"
    "CREATE TABLE divergences ("
    " cycle INTEGER NOT NULL, switch INTEGER NOT NULL, port INTEGER NOT NULL,"
    " vc INTEGER NOT NULL, difference TEXT NOT NULL, packet INTEGER,"
    " expected_cycle INTEGER, expected_port INTEGER, expected_vc INTEGER,"
    " expected_kind INTEGER, expected_data TEXT,"
    " got_cycle INTEGER, got_port INTEGER, got_vc INTEGER, got_kind INTEGER, got_data TEXT,"
    " expected_credits INTEGER, got_credits INTEGER,"
    " expected_quiescent INTEGER, got_quiescent INTEGER,"
    " expected_errors INTEGER, got_errors INTEGER);";

const char *hd_difference_name(enum hd_difference difference)
{
  switch (difference) {
  case HD_DIFF_NONE:
    return "none";
  case HD_DIFF_FLIT:
    return "flit";
  case HD_DIFF_CREDIT:
    return "credit";
  case HD_DIFF_QUIESCENT:
    return "quiescent";
  case HD_DIFF_ERRORS:
    return "errors";
  case HD_DIFF_PACKET:
    return "packet";
  case HD_DIFF_BARRIER:
    return "barrier message";
  case HD_DIFF_UNKNOWN:
    return "unknown";
  case HD_DIFF_NOT_RESET:
    return "not reset";
  case HD_DIFF_LOST:
    return "lost";
  case HD_DIFF_ASSERTION:
    return "assertion";
  case HD_DIFF_REGISTER:
    return "register";
  }
  return "?";
}

const char *hd_divergence_name(const struct hd_divergence *d)
{
  if (d->four_state_only && d->difference == HD_DIFF_FLIT)
    return "four-state flit";
  if (d->four_state_only && d->difference == HD_DIFF_CREDIT)
    return "four-state credit";
  if (d->four_state_only && d->difference == HD_DIFF_QUIESCENT)
    return "four-state quiescent";
  return hd_difference_name(d->difference);
}
