/* A run under way: what run.c, run_hooks.c and run_end.c share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_INTERNAL_H
#define HD_RUN_INTERNAL_H

#include "../backends/backend.h"
#include "run.h"
#include "software.h"
#include "../record/rundb.h"

/** Where a packet's head was last seen. */
struct hd_run_trail {
  uint16_t hops;
  uint8_t next_port; /* input port of the next switch */
};

struct hd_run {
  const struct hd_run_options *options;
  struct hd_run_report *report;
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_backend backend;
  struct hd_barrier_watch *watch; /* NULL: the switches take no barrier messages */
  struct hd_software *software;
  struct hd_lockstep *lockstep;
  struct hd_rundb *db;
  char rtl_dir[4096]; /* absolute; "" when the installed one is used */

  /* [pending_n] received by the model, not yet known to be right. */
  struct hd_rundb_packet *pending;
  size_t pending_n, pending_cap;

  struct hd_run_trail *trails; /* [trails_cap] by packet number, when hops are traced */
  size_t trails_cap;
  struct hd_rundb_hop *heads; /* of one window, in order of time */
  size_t heads_n, heads_cap;
  uint32_t *head_counts; /* [window_cycles + 2] */
  size_t *values_taken;  /* [n_values_taken] of each statistic, in the database */
  uint32_t n_values_taken;
  uint64_t *link_flits;   /* [n_switches × ports] */
  uint64_t packets_real;  /* sent with a payload of software's */
  uint64_t late_flits;    /* received since offered_until, as far as it is known */
  uint64_t packets_taken; /* received, agreed, in the statistics or before the warm-up's end */

  struct hd_run_supervisor *supervisor; /* NULL: there is none */
  double started, last_progress;
  uint64_t last_progress_cycle;
};

/** Monotonic seconds. */
double hd_run_now(void);

/** Watches the DUT's calls from a thread of its own (run_supervise.c). Until it is stopped, the caller
 *  has the turn (struct hd_lockstep_calls). */
int hd_run_supervise(struct hd_run *run, struct hd_error *err);
struct hd_lockstep_calls *hd_run_calls(struct hd_run_supervisor *supervisor);
/** The lockstep runs: what it found so far is worth writing. */
void hd_run_supervise_results(struct hd_run_supervisor *supervisor, bool are_there);
void hd_run_supervise_stop(struct hd_run_supervisor *supervisor); /* NULL is fine */

/** Hooks for lockstep; their context is the struct hd_run. */
void hd_run_hooks(struct hd_run *run, struct hd_lockstep_hooks *hooks);

/** Callbacks of software; their context is the struct hd_run. */
void hd_run_software_hooks(struct hd_run *run, struct hd_software_params *params);

/** The report's figures of values in order of time; copies name and values. n >= 1. HD_E_NOMEM. */
int hd_run_summarise(struct hd_run_statistic *statistic, const char *name,
                     const struct hd_world_value *values, size_t n);

/** Takes what is known up to and in cycle `limit`: pending packets that were received into latencies
 *  and database, software's statistics into the database. */
int hd_run_flush(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** What software recorded up to and in cycle `limit` into the database (run_statistics.c). */
int hd_run_statistics_flush(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** What software recorded up to and in cycle `limit` into the report (run_statistics.c). */
int hd_run_statistics(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** Behind the last cycle: judges what lockstep returned, explains, writes database and
 *  files. Returns the run's status. */
int hd_run_end(struct hd_run *run, int status, struct hd_error *err);

/** Instead of hd_run_end, where a window is asked for: writes its waves. */
int hd_run_window_end(struct hd_run *run, int status, struct hd_error *err);

/** mkdir -p, for waves of a recorded run. HD_E_IO. */
int hd_run_make_directory(const char *path, struct hd_error *err);

/** Makes the run's directory: out_dir, or runs/<name>-<n>. *directory is the caller's. */
int hd_run_directory(const char *out_dir, const char *name, char **directory, struct hd_error *err);

#endif
