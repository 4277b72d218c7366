/* The run database in SQLite: settings, packets, hops and results of a run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/run-database.md documents the schema; an ordinary sqlite3 reads it. Rows are written during
 * the run and committed about once a second. So a killed process leaves a usable database, whose
 * status is still 'running'. The operating system decides when data goes to the disk: a power
 * failure may destroy the file, a killed process does not.
 */
#ifndef HD_RUNDB_H
#define HD_RUNDB_H

#include "../coverage/coverage_set.h"
#include "../host/text.h"
#include "../host/value.h"
#include "../lockstep/lockstep.h"
#include "../scenario/scenario.h"

enum { HD_RUNDB_VERSION = 1 }; /* PRAGMA user_version */

struct hd_rundb;

/** Facts that are known before the first cycle. They are borrowed for the call. */
struct hd_rundb_start {
  const struct hd_scenario *scenario; /* with the changes of the command line */
  const struct hd_topology *topology;
  const char *dut_about;   /* description by the backend, one line; NULL: no DUT */
  const char *rtl_dir;     /* absolute path; NULL: the installed RTL */
  const char *against;     /* absolute path of the original RTL; NULL: the model is the reference */
  const char *rtl_files;   /* lines of hd_backend_options; "" or NULL: none */
  const char *rtl_version; /* version from Git; NULL: none */
  const char *replay_of;   /* directory of the run that this one repeats; NULL: none */
};

/** Creates the database. `path` must not exist. Errors: HD_E_IO with SQLite's reason;
 *  HD_E_INPUT: the file exists. */
int hd_rundb_create(struct hd_rundb **db, const char *path, const struct hd_rundb_start *start,
                    struct hd_error *err);

/** A packet. received = UINT64_MAX: it did not leave the fabric. */
struct hd_rundb_packet {
  uint32_t number, source, destination, flits;
  uint64_t created, entered, received; /* entered: the network; UINT64_MAX: not known */
  uint8_t traffic_class;
  bool synthetic, intact;
};
int hd_rundb_packet(struct hd_rundb *db, const struct hd_rundb_packet *packet,
                    struct hd_error *err);

/** One hop of a packet: its first flit became visible at an output of a switch. */
struct hd_rundb_hop {
  uint32_t packet;
  uint32_t hop; /* from 0 */
  uint16_t sw;
  uint8_t in_port, out_port, vc;
  uint64_t cycle;
};
int hd_rundb_hop(struct hd_rundb *db, const struct hd_rundb_hop *hop, struct hd_error *err);

/** A value that software recorded under a name (hd_ep_statistic). */
struct hd_rundb_value {
  uint32_t statistic; /* names are numbered from 0, in order of their first use */
  const char *name;
  uint64_t cycle, value; /* < 2^63 */
};
int hd_rundb_value(struct hd_rundb *db, const struct hd_rundb_value *value, struct hd_error *err);

/** Writes a divergence with all its fields. */
int hd_rundb_divergence(struct hd_rundb *db, const struct hd_divergence *divergence,
                        struct hd_error *err);

/** Stores how many cycles the run has done. Commits a second after the last commit; `now` is in
 *  seconds, from any origin. */
int hd_rundb_progress(struct hd_rundb *db, uint64_t cycles, double now, struct hd_error *err);

/** A named result of the run. */
struct hd_rundb_result {
  const char *key, *unit; /* unit NULL: no unit */
  bool in_run;            /* also a column of table `run`, named by the key with _ for dots */
  struct hd_value value;
};

/** Facts that are known after the last cycle. */
struct hd_rundb_end {
  const struct hd_rundb_result *results; /* [n_results] */
  size_t n_results;
  /* [n_switches × ports × vcs] flits that left each output on each channel; may be NULL. */
  const uint64_t *link_flits;
  const uint64_t *blocked; /* blocked flit-cycles of each input's channels; may be NULL */
  uint32_t vcs;
  const struct hd_coverage_set *coverage; /* points that the run covered; NULL: not known */
};

/** Writes a value in a row of a list, such as a fault's switch; `row` counts from 0. Nothing is
 *  written if there is no value. */
int hd_rundb_list(struct hd_rundb *db, const char *list, uint64_t row, const char *key,
                  const struct hd_value *value, struct hd_error *err);

/** The value of a port or state of the divergent switch in a cycle, as text. */
struct hd_rundb_signal {
  const char *signal;
  uint64_t cycle;
  const char *model, *dut; /* dut: NULL if not known */
  bool differs;
};
int hd_rundb_signal(struct hd_rundb *db, const struct hd_rundb_signal *signal,
                    struct hd_error *err);

/** Writes results, links and indexes, and commits. The database stays open. */
int hd_rundb_finish(struct hd_rundb *db, const struct hd_topology *topology,
                    const struct hd_rundb_end *end, struct hd_error *err);

/** Reads the hops of one packet so far, in order. The caller frees *hops. */
int hd_rundb_packet_hops(struct hd_rundb *db, uint32_t packet, struct hd_rundb_hop **hops,
                         uint32_t *n);

/** Writes all packets to `path` as CSV. Errors: HD_E_IO. */
int hd_rundb_packets_csv(struct hd_rundb *db, const char *path, struct hd_error *err);
/** Writes the latency of each pair of source and destination, by class, to `path` as CSV, for
 *  packets created in [from, until). Errors: HD_E_IO. */
int hd_rundb_pairs_csv(struct hd_rundb *db, const char *path, uint64_t from, uint64_t until,
                       struct hd_error *err);

/** Tests whether a write has failed. Then the database is not complete and cannot be completed. */
bool hd_rundb_write_failed(const struct hd_rundb *db);

/** Closes the database. Rows that were not committed are lost. NULL is allowed. */
void hd_rundb_close(struct hd_rundb *db);

/** Closes the database of a run whose process has died or will not write any more. Keeps the
 *  committed rows, and sets status and message. Errors: HD_E_IO. */
int hd_rundb_close_orphaned(const char *directory, const char *status, const char *message,
                            struct hd_error *err);

/* ── reading ───────────────────────────────────────────────────────────────── */

/** Facts that are needed to repeat a run or to compare it. Strings are owned. */
struct hd_rundb_info {
  char *path; /* of the database */
  char *name, *scenario, *scenario_path, *dut, *rtl_dir, *status, *digest;
  char *against; /* directory of the original; NULL: the model was the reference */
  uint64_t seed, cycles_limit, cycles, cycles_compared;
  uint32_t window_cycles, threads, n_switches, n_nodes;
  enum hd_mode mode;
  bool has_divergence;
  struct hd_divergence divergence; /* only difference, cycle, sw, port, vc */
};

/** Reads a run by its directory or its database. Errors: HD_E_IO: it is missing; HD_E_INPUT: it
 *  is not a run database, or of a version that this Heddle does not know. */
int hd_rundb_read(struct hd_rundb_info *info, const char *run, struct hd_error *err);
void hd_rundb_info_fini(struct hd_rundb_info *info);

/** Adds the run's counts of points of the specification to `set`. Errors: HD_E_IO; HD_E_INPUT:
 *  the run has no counts, because it did not finish or an older Heddle made it. */
int hd_rundb_coverage_read(struct hd_coverage_set *set, const struct hd_rundb_info *info,
                           struct hd_error *err);

/** Checks that the files that the run's scenario names (graph, trace) are unchanged. Pipes are
 *  not checked, nor files of a run by an older Heddle that did not record them. Errors:
 *  HD_E_INPUT with the name of a changed file; HD_E_IO. */
int hd_rundb_files_same(const struct hd_rundb_info *info, struct hd_error *err);

/** Adds the files of RTL that have changed since the run, such as "hd_port.v has changed, x.v is
 *  new". Adds nothing if none has changed, or if that is not known. `files`: lines of
 *  hd_backend_options. */
void hd_rundb_rtl_changes(const struct hd_rundb_info *info, const char *files,
                          struct hd_text *text);

/** Calls `file` for each file of RTL that the run's build read, with the hash of its bytes
 *  (hd_hash_bytes, seed 0), as long as it returns 0. Runs of an older Heddle may have no such
 *  files. Returns the status of `file`, or HD_E_IO. */
int hd_rundb_rtl_each(const struct hd_rundb_info *info,
                      int (*file)(void *context, const char *name, uint64_t hash,
                                  struct hd_error *err),
                      void *context, struct hd_error *err);

/** A packet or a hop of a run, in order of `key`: the packet's number, or packet·2^32 + hop. */
struct hd_rundb_row {
  bool present; /* false: there are no more rows */
  uint64_t key; /* UINT64_MAX: there are no more rows */
  struct hd_rundb_packet packet;
  struct hd_rundb_hop hop;
};

/** A named statistic of a run. */
struct hd_rundb_statistic {
  char *name;
  struct hd_world_value *values; /* [n], in order of time */
  size_t n, capacity;
};
/** Tables of a run that can be read as text; single packets and hops are not among them. X(NAME,
 *  columns and tables in SQL). A table that an older Heddle did not write has no rows. */
#define HD_RUNDB_TABLE_LIST(X)                                                                     \
  X(RUN, "name, status, message, scenario, scenario_path, seed, dut, dut_about, rtl_dir, mode,"    \
         " compare, window_cycles, threads, cycles_limit, switches, nodes, ports, heddle,"         \
         " replay_of, started, ended, cycles, cycles_compared, seconds FROM run")                  \
  X(PARAMETERS, "key, value FROM parameters")                                                      \
  X(TOOLS, "name, version FROM tools")                                                             \
  X(FILES, "key, path, bytes, hash FROM files")                                                    \
  X(RESULTS, "key, value FROM results")                                                            \
  X(LISTS, "coalesce(list, '') AS list, row, coalesce(key, '') AS key, value FROM lists ORDER BY " \
           "1, 2, 3")                                                                              \
  X(LINKS, "switch, port, peer_kind, peer, peer_port, flits FROM links ORDER BY switch, port")     \
  X(LINK_VCS, "switch, port, vc, flits FROM link_vcs ORDER BY switch, port, vc")                   \
  X(INPUTS, "switch, port, vc, blocked_flit_cycles FROM inputs ORDER BY switch, port, vc")         \
  X(DIVERGENCES, "cycle, switch, port, vc, difference, packet FROM divergences")                   \
  X(SIGNALS, "signal, cycle, model, dut, differs FROM signals ORDER BY signal, cycle")             \
  X(LATENCIES,                                                                                     \
    "latency, count(*) AS packets FROM packets WHERE latency IS NOT NULL AND created >= coalesce(" \
    "(SELECT value FROM parameters WHERE key = 'run.warmup_cycles'), 0) GROUP BY 1")
enum {
#define HD_RUNDB_MEMBER(NAME, sql) HD_RUNDB_##NAME,
  HD_RUNDB_TABLE_LIST(HD_RUNDB_MEMBER) HD_RUNDB_TABLES
#undef HD_RUNDB_MEMBER
};

/** The cells of a table, row by row. The names of the columns come first. */
struct hd_rundb_table {
  struct hd_text
      chars;     /* texts of all cells, each ended by NUL, so that there are few allocations */
  size_t *cells; /* [(1 + rows) × columns] index of a cell's text in `chars`; SIZE_MAX: NULL */
  size_t rows, columns, n_cells, capacity;
};

/** Adds the next cell; NULL: it has no value. The first `columns` cells are the columns' names.
 *  `columns` must be set. */
void hd_rundb_table_add(struct hd_rundb_table *table, const char *text);
/** Reads a table of the database at `path` into *table. Errors: HD_E_IO. Call
 *  hd_rundb_table_fini in any case. */
int hd_rundb_table_read(struct hd_rundb_table *table, unsigned which, const char *path,
                        struct hd_error *err);
/** Returns a cell's text; NULL: there is no value. */
const char *hd_rundb_cell(const struct hd_rundb_table *table, size_t row, size_t column);
/** Returns the index of the column with that name; table->columns if there is none. */
size_t hd_rundb_column(const struct hd_rundb_table *table, const char *name);
void hd_rundb_table_fini(struct hd_rundb_table *table);

struct hd_rundb_statistics {
  bool known; /* false: an older Heddle made the database, without statistics */
  struct hd_rundb_statistic *list;
  size_t n, capacity;
};

#endif
