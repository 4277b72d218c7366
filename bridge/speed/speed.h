/* Compares a fabric at speed on a board with the model, by signatures of windows.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board runs the exported fabric with traffic sources on chip (specification §9.7). The model
 * runs the same scenario, a window at a time. After a difference, the board repeats parts of the
 * window until the first differing cycle is found. The model keeps the window's events, so it need
 * not run again.
 */
#ifndef HD_SPEED_H
#define HD_SPEED_H

#include "../../cmodel/error.h"
#include "../backends/backend.h"
#include "../scenario/scenario_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_SPEED_K_MOST = 20, HD_SPEED_K_AUTO = -1, HD_SPEED_DIFFERENCES = 8 };

struct hd_speed_options {
  const char *scenario;
  const struct hd_setting *settings; /* [n_settings] */
  size_t n_settings;
  const char *device;    /* device file of the board; NULL: a virtual board with the exported RTL */
  const char *rtl_dir;   /* RTL of the switches; NULL: Heddle's own */
  const char *directory; /* of the export: made if missing; may hold an earlier export */
  unsigned baud;
  int patience_ms; /* milliseconds to wait for an answer; 0: default */
  uint64_t cycles; /* 0: the scenario's run.cycles */
  int k; /* 2^k cycles a window; HD_SPEED_K_AUTO: the shortest window that the line can carry */
  const char *record; /* file to which the model's signatures are written; NULL: none */
  /* File with the expected signatures. The model then runs only to find the differing cycle.
   * NULL: the model. */
  const char *against;
  bool any_build;                  /* accept a board that was built from other sources */
  struct hd_backend_options build; /* stop and say are also used while the fabric runs */
};

/** A port whose signature (§9.6) differs in the first differing cycle. */
struct hd_speed_difference {
  uint32_t sw, signature; /* the switch; the signature's number at the switch */
  uint32_t board, model;
};

struct hd_speed_result {
  uint32_t nodes, switches, ports, lanes, signatures; /* signatures: of all switches */
  uint32_t clock_khz, k;
  uint64_t build;
  uint64_t windows, compared; /* windows to compare; compared ones, a differing one included */
  uint64_t sent, received;    /* packets in the model's run */
  uint64_t barriers;          /* barriers that ended in the model's run */
  uint64_t bytes_out, bytes_in, resent;
  double seconds; /* from the first start of the board on, without narrowing */
  bool overrun;   /* the line was too slow for the windows after the compared ones */
  bool differs;
  bool unsteady;                /* when the window was repeated, it did not differ */
  uint64_t window, cycle, runs; /* runs: starts of the board while narrowing */
  uint32_t n_differences;       /* number of all differences; `differences` has the first ones */
  struct hd_speed_difference differences[HD_SPEED_DIFFERENCES];
};

/** Exports the fabric, builds it, runs it and compares. A difference is no error; *result has
 *  it. Errors: HD_E_INPUT, HD_E_IO, HD_E_TOOL, HD_E_INTERRUPTED. */
int hd_speed(const struct hd_speed_options *options, struct hd_speed_result *result,
             struct hd_error *err);

#endif
