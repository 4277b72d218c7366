/* One run: scenario → fabric and tables → backend → world → lockstep → database, report.
 * SPDX-License-Identifier: Apache-2.0
 *
 * This library prints nothing. Progress comes through callbacks. Results are in the report and in
 * the run's directory:
 *     run.db  report.html  report.json  report.csv  results.xml  [waves.fst waves.gtkw]
 *     [rtl_coverage.dat] [rtl.log]
 */
#ifndef HD_RUN_H
#define HD_RUN_H

#include "../report/outcome.h"
#include "../scenario/scenario_set.h"

/** Progress of a run. */
struct hd_run_progress {
  uint64_t cycle, cycles;          /* cycles done, and most cycles to do */
  double switch_cycles_per_second; /* since the last call */
  double seconds, seconds_left;    /* seconds_left < 0: unknown */
  const char *phase;               /* "running", "writing" … */
  /* Not NULL: users' code has been in this call for `call_seconds`, such as "backend fault in run
   * of switch 5, window of …" */
  const char *call;
  double call_seconds;
};

/** Cycles `from` to `to` of one switch, of which waves are written. */
struct hd_run_window {
  uint32_t sw;
  uint64_t from, to, mark; /* mark: the cycle of the marker, at which offsets are 0 */
  const char *dir;         /* directory for the files; the run creates it */
};
enum { HD_RUN_WINDOW_CYCLES = 10000 }; /* most cycles of a window */

struct hd_run_options {
  const char *scenario_path;
  const char *scenario_text; /* NULL: the file is read; otherwise scenario_path only names it */
  /* Changes to the scenario. Settings are applied first, the members below after them. */
  const struct hd_setting *settings; /* [n_settings] */
  size_t n_settings;
  /* Shared object of software.program. NULL: the scenario's, which is allowed only if
   * scenario_text is NULL or own_text is set. */
  const char *program;
  bool own_text;   /* scenario_text is from a file of the user, so its software may run */
  const char *dut; /* NULL: the scenario's; "none": the model alone */
  bool has_seed, has_mode;
  uint64_t seed;
  uint64_t seed_add; /* added to `seed`, or to the scenario's */
  enum hd_mode mode;
  uint32_t threads, window_cycles; /* 0: the scenario's */
  uint64_t cycles;                 /* 0: the scenario's */
  const char *rtl_dir;             /* NULL: the installed one */
  /* Directory of RTL that the DUT is compared with exactly, instead of with the model. It runs
   * in closed loop, on Verilator, or on GHDL if the DUT does. NULL: the model is the reference. */
  const char *against;
  const char *cache_dir;   /* NULL: hd_install_cache */
  bool quick, unoptimised; /* hd_backend_options */
  bool coverage;           /* count the executed parts of the RTL: HD_RTL_COVERAGE_FILE */
  const char *out_dir;     /* NULL: runs/<name>-<n> with the lowest free n */
  bool out_by_seed;        /* out_dir/seed-<seed> instead */
  const char *replay_of;   /* run that this one replays, for the database */
  bool packets_csv;        /* also write packets.csv and pairs.csv */
  bool results_only;       /* fills in the report only: no directory, no files */
  bool no_page;            /* do not write report.html */
  /* Not NULL: the run ends after this window and writes only its waves. */
  const struct hd_run_window *window;

  void *context;
  void (*say)(void *context, const char *line);                            /* may be NULL */
  void (*progress)(void *context, const struct hd_run_progress *progress); /* may be NULL */
  bool (*stop)(void *context);                                             /* may be NULL */
  /* Called while the DUT is built (hd_backend_options); may be NULL */
  void (*building)(void *context, const char *what, double seconds);
  /* Called if the user stops the run, but a call of the DUT or of software does not return, or
   * if such a call ends the process. Results so far have been written. This function must end
   * the process. Like `stop` and `progress`, it may be called from another thread. NULL: the run
   * waits until the call returns. */
  void (*abandon)(void *context, const struct hd_run_report *report, const struct hd_error *err);
};

/** Runs a scenario. Returns 0, HD_E_DIVERGENCE, HD_E_BUDGET (a budget was exceeded, or software
 *  did not finish within `cycles`), HD_E_DEADLOCK, HD_E_FAULT (faults of the scenario cut off a
 *  member of a group, or lost what software waits for), HD_E_NOTHING (the DUT showed nothing
 *  that could be compared), HD_E_INTERRUPTED, HD_E_INPUT, HD_E_IO, HD_E_TOOL, …; err says why.
 *  The report has the results up to the end of the run. */
int hd_run(const struct hd_run_options *options, struct hd_run_report *report,
           struct hd_error *err);

/** Checks that a run of the scenario that ends after `cycles` does not end within its warm-up; 0:
 *  `run.cycles` holds. Errors: HD_E_INPUT. */
int hd_run_cycles_check(const struct hd_scenario *scenario, uint64_t cycles, struct hd_error *err);

/** One run of a batch. */
struct hd_batch_run {
  const struct hd_run_options *options;
  struct hd_run_report *report;
  int status; /* status and error, as of hd_run */
  struct hd_error err;
};
enum { HD_RUN_TOGETHER = 64 };
/** Carries out 1 to HD_RUN_TOGETHER runs as hd_run does. Successive runs share one DUT, side by
 *  side, as long as their backend is faster with more switches (hd_backend_max_switches) and they
 *  have the same switches, backend, RTL, windows and threads. The others run one after the other. */
void hd_run_batch(struct hd_batch_run turns[], uint32_t n);

/** Called by a process that has watched a run, after users' code has ended it. Closes the
 *  database in `directory` with this status and message, and writes the reports that the ended
 *  process did not write. The page shows all that was committed. HD_E_IO. */
int hd_run_close_for_dead(const char *directory, int status, const char *message, bool has_page,
                          struct hd_error *err);

#endif
