/* A run under way: what the files of this room share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_INTERNAL_H
#define HD_RUN_INTERNAL_H

#include "../backends/backend.h"
#include "deliveries.h"
#include "hops.h"
#include "progress.h"
#include "run.h"
#include "software.h"
#include "../invariants/tree_check.h"
#include "statistics.h"
#include "../waves/waves.h"

struct hd_run {
  const struct hd_run_options *options;
  struct hd_run_report *report;
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_topology inside; /* topology inside a network; no switches: not known */
  struct hd_tables tables;
  struct hd_backend backend, original; /* original.ops NULL: the model is the reference */
  struct hd_barrier_watch *watch;      /* NULL: the switches take no barrier messages */
  struct hd_tree_check *check;         /* checks the barrier tree; NULL: not on */
  struct hd_software *software;
  struct hd_lockstep *lockstep;
  struct hd_rundb *db;
  int window_status; /* why the last window that agreed could not be kept; HD_OK: it was kept */
  struct hd_error window_error;
  char rtl_dir[4096]; /* absolute; "" when the installed one is used */
  char against[4096]; /* directory of --against; "": there is no original */

  struct hd_deliveries *deliveries;
  struct hd_hops *hops;
  struct hd_statistics statistics;
  struct hd_progress progress;
  uint64_t packets_real; /* packets with a payload of software */
  uint64_t
      least_no_load; /* shortest latency without load (§4.5) of the packets that were asked for; 0: of none */
  struct hd_run_supervisor *supervisor;           /* NULL: the run has no supervisor */
  struct hd_user_code *user_code, *own_user_code; /* own: NULL if the process has a supervisor */
  int working_directory;                          /* < 0: not open */
  unsigned directory; /* a directory of user_code->directories; HD_USER_RUNS: none */
};

/** Starts a thread that watches calls of the DUT and of software (run_supervise.c). Until it is
 * stopped, the caller has the turn (hd_lockstep_params.turn). */
int hd_run_supervise(struct hd_run *run, struct hd_error *err);
pthread_mutex_t *hd_run_turn(struct hd_run_supervisor *supervisor); /* NULL: no supervisor */
/** The lockstep runs; from now on its results are worth writing. */
void hd_run_supervise_results(struct hd_run_supervisor *supervisor, bool are_there);
void hd_run_supervise_stop(struct hd_run_supervisor *supervisor); /* NULL is fine */
/** Writes the DUT's messages. The caller holds the turn. */
void hd_run_news(struct hd_run *run);

/** Undoes what users' code changed of the process: working directory, locale, rounding. */
void hd_run_restore_process(const struct hd_run *run);

/** The file in the run's directory that receives the output of the RTL. */
#define HD_RUN_RTL_LOG "rtl.log"

/** Called where the database is closed: the watching process need not close it any more. */
void hd_run_forget_directory(struct hd_run *run);

/** Hooks for lockstep; their context is the struct hd_run. */
void hd_run_hooks(struct hd_run *run, struct hd_lockstep_hooks *hooks);

/** Callbacks of software; their context is the struct hd_run. */
void hd_run_software_hooks(struct hd_run *run, struct hd_software_params *params);

/** Writes results up to and including cycle `limit`: latencies of pending packets that were
 * received, and the software's statistics. */
int hd_run_flush(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** Called after the last cycle: judges what lockstep returned, explains it, writes database and
 *  files. Returns the run's status. */
int hd_run_end(struct hd_run *run, int status, struct hd_error *err);

/** Writes a run's end into the database: results, lists, links. Commits. */
int hd_run_keep_results(struct hd_run *run, struct hd_error *err);

/** Writes a divergence into the database: the explanation, the packet's way, the first state that differed, and its
 *  signals, which a watcher of the waves collects. */
struct hd_run_watch {
  struct hd_run *run;
  struct hd_error *err;
};
void hd_run_watcher(struct hd_run_watch *watch, const struct hd_divergence *divergence,
                    struct hd_waves_watcher *watcher);
int hd_run_keep_divergence(struct hd_run *run, const struct hd_waves_watcher *watcher,
                           struct hd_error *err);

/* run_waves.c */
/** Finds the first wrong state inside the switch. A DUT with its own timing has none. */
void hd_run_find_inside(struct hd_run *run);
void hd_run_write_waves(struct hd_run *run, struct hd_waves_watcher *watcher);
/** Adds to the report the command that makes waves from before a rule began to be broken, since
 *  waves of the run itself may not reach back so far. */
void hd_run_tell_rule_waves(struct hd_run_report *report);

/** Writes the waves of a window that the user asked for. Called instead of hd_run_end. */
int hd_run_window_end(struct hd_run *run, int status, struct hd_error *err);

#endif
