/* Declares the state of a run, and functions that only the files of this room call.
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
  struct hd_topology inside; /* topology inside a network that is the DUT; no switches: not known */
  struct hd_tables tables;
  struct hd_backend backend, original; /* original.ops NULL: the model is the reference */
  struct hd_barrier_watch *watch;      /* NULL: the switches take no barrier messages */
  struct hd_tree_check *check;         /* checks the barrier tree; NULL: it is not checked */
  struct hd_software *software;
  struct hd_lockstep *lockstep;
  struct hd_rundb *db;
  int window_status; /* HD_OK, or why the last window that agreed could not be checked or written */
  struct hd_error window_error;
  char rtl_dir[4096]; /* absolute; "" when the installed one is used */
  char against[4096]; /* directory of --against; "": there is no original */

  struct hd_deliveries *deliveries;
  struct hd_hops *hops;
  struct hd_statistics statistics;
  struct hd_progress progress;
  size_t n_lost;                 /* losses to faults that the deliveries know of */
  uint64_t packets_real;         /* packets with a payload of software */
  struct hd_rundb_packet oldest; /* measured packet that waited longest at the end; flits 0: none */
  /* Least latency without load (§4.5) that was computed; 0: none was */
  uint64_t least_no_load;
  struct hd_run_supervisor *supervisor;           /* NULL: the run has no supervisor */
  struct hd_user_code *user_code, *own_user_code; /* own: NULL if a process watches this one */
  int working_directory;                          /* < 0: not open */
  unsigned directory; /* index in user_code->directories; HD_USER_RUNS: none */
};

/** Starts a thread that watches calls of the DUT and of software (run_supervise.c). The caller
 * has the turn (hd_lockstep_params.turn) until the thread is stopped. */
int hd_run_supervise(struct hd_run *run, struct hd_error *err);
pthread_mutex_t *hd_run_turn(struct hd_run_supervisor *supervisor); /* NULL: no supervisor */
/** Called with true when lockstep begins, so that there are results to write if the run is given
 *  up, and with false when it has ended. The caller has the turn. */
void hd_run_supervise_results(struct hd_run_supervisor *supervisor, bool are_there);
void hd_run_supervise_stop(struct hd_run_supervisor *supervisor); /* NULL is fine */
/** Passes the DUT's messages on to options->say. The caller has the turn. */
void hd_run_pass_news(struct hd_run *run);

/** Undoes what users' code changed in the process: standard streams, working directory, locale,
 *  rounding. */
void hd_run_restore_process(const struct hd_run *run);

/** The file in the run's directory that receives the output of the RTL. */
#define HD_RUN_RTL_LOG "rtl.log"

/** Called when the database is closed: the process that watches this one need not close it any
 *  more. */
void hd_run_forget_directory(struct hd_run *run);

/** Hooks for lockstep; their context is the struct hd_run. */
void hd_run_hooks(struct hd_run *run, struct hd_lockstep_hooks *hooks);

/** Callbacks of software; their context is the struct hd_run. */
void hd_run_software_hooks(struct hd_run *run, struct hd_software_params *params);

/** Writes results up to and including cycle `limit`: latencies of pending packets that were
 * received, and the software's statistics. */
int hd_run_flush(struct hd_run *run, uint64_t limit, struct hd_error *err);

/** Called after the last cycle: judges the status of lockstep, explains a divergence, writes
 *  database and files. Returns the run's status. */
int hd_run_end(struct hd_run *run, int status, struct hd_error *err);

/** Writes the results of a run into the database: figures, lists, flits of links. Commits. */
int hd_run_keep_results(struct hd_run *run, struct hd_error *err);

/** Write a divergence into the database: explanation, packet's way, first state that differed,
 *  and the signals around it. hd_run_watcher sets up the watcher that writes the signals while
 *  waves are made. */
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
/** Adds to the report the command that makes waves of a broken rule from its first cycle on. The
 *  run's own waves may begin later. */
void hd_run_add_rule_waves(struct hd_run_report *report);

/** Writes the waves of a window that the user asked for. Called instead of hd_run_end. */
int hd_run_window_end(struct hd_run *run, int status, struct hd_error *err);

#endif
