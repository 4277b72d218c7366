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
  uint64_t cycle, cycles;          /* done, and at most to do */
  double switch_cycles_per_second; /* since the last call */
  double seconds, seconds_left;    /* seconds_left < 0: unknown */
  const char *phase;               /* "running", "writing" … */
  /* Not NULL: users' code has been in this call for `call_seconds`, such as "backend fault in run
   * of switch 5, window of …" */
  const char *call;
  double call_seconds;
};

/** Cycles `from` to `to` of one switch, to be looked at. */
struct hd_run_window {
  uint32_t sw;
  uint64_t from, to, mark; /* mark: the cycle of the marker, at which offsets are 0 */
  const char *dir;         /* directory for the files; it is made */
};
enum { HD_RUN_WINDOW_CYCLES = 10000 }; /* at most */

struct hd_run_options {
  const char *scenario_path;
  const char *scenario_text; /* NULL: the file is read; otherwise scenario_path only names it */
  /* Changes to the scenario; settings first. */
  const struct hd_setting *settings; /* [n_settings] */
  size_t n_settings;
  const char *
      program; /* shared object of software.program; NULL: the scenario's, none if scenario_text is set */
  bool own_text;   /* The text is from the file of whoever asks for the run. */
  const char *dut; /* NULL: the scenario's; "none": the model alone */
  bool has_seed, has_mode;
  uint64_t seed;
  uint64_t seed_add; /* added to the seed, whoever says it */
  enum hd_mode mode;
  uint32_t threads, window_cycles; /* 0: the scenario's */
  uint64_t cycles;                 /* 0: the scenario's */
  const char *rtl_dir;             /* NULL: the installed one */
  const char *
      against; /* RTL that runs in closed loop, on Verilator, or in GHDL where the DUT is; the DUT is compared with it, exactly,
                  instead of with the model. NULL: with the model */
  const char *cache_dir;   /* NULL: hd_install_cache */
  bool quick, unoptimised; /* hd_backend_options */
  bool coverage;           /* count the executed parts of the RTL: HD_RTL_COVERAGE_FILE */
  const char *out_dir;     /* NULL: runs/<name>-<n> with the lowest free n */
  bool out_by_seed;        /* out_dir/seed-<seed> instead */
  const char *replay_of;   /* run that this one replays, for the database */
  bool packets_csv;        /* also write packets.csv and pairs.csv */
  bool results_only;       /* the report is all that is wanted: no directory, no files */
  bool no_page;            /* do not write report.html */
  /* Not NULL: the run ends with this window, and only waves are kept. */
  const struct hd_run_window *window;

  void *context;
  void (*say)(void *context, const char *line);                            /* may be NULL */
  void (*progress)(void *context, const struct hd_run_progress *progress); /* may be NULL */
  bool (*stop)(void *context);                                             /* may be NULL */
  /* While the DUT is built (hd_backend_options); may be NULL */
  void (*building)(void *context, const char *what, double seconds);
  /* Called if the run was stopped, but the DUT or the software does not return from a call; or if it ends the process.
   * Results so far are written before; this function ends the process. It may be called from another thread, as may
   * `stop` and `progress`. NULL: the run waits until the call returns. */
  void (*abandon)(void *context, const struct hd_run_report *report, const struct hd_error *err);
};

/** Runs a scenario. Returns 0, HD_E_DIVERGENCE, HD_E_BUDGET (a budget was missed, or `cycles` were not enough
 *  for software that ends), HD_E_DEADLOCK, HD_E_FAULT (faults of the scenario cut off a member of a group, or
 *  lost what software waits for), HD_E_NOTHING (the DUT showed nothing that could be compared),
 *  HD_E_INTERRUPTED, HD_E_INPUT, HD_E_IO, HD_E_TOOL, …; err says why. The report has the results up to the end of
 *  the run. */
int hd_run(const struct hd_run_options *options, struct hd_run_report *report,
           struct hd_error *err);

/** One run of a batch. */
struct hd_run_turn {
  const struct hd_run_options *options;
  struct hd_run_report *report;
  int status; /* the status and the error are those of hd_run */
  struct hd_error err;
};
enum { HD_RUN_TOGETHER = 64 };
/** Carries out 1 to HD_RUN_TOGETHER runs as hd_run does. Successive runs share one DUT, side by
 *  side, as long as their backend is faster with more switches (hd_backend_max_switches) and they
 *  have the same switches, backend, RTL, windows and threads. The others run one after the other. */
void hd_run_batch(struct hd_run_turn turns[], uint32_t n);

/** Called by the process that watches a run which users' code has ended. Closes the database in
 *  `directory` with this status and message, and writes the reports that the dead process did not
 *  write. The page has all that was committed. HD_E_IO. */
int hd_run_close_for_dead(const char *directory, int status, const char *message, bool has_page,
                          struct hd_error *err);

#endif
