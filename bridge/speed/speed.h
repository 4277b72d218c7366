/* A fabric at speed against the model: signatures of windows compared, a difference narrowed to its cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board runs the exported fabric with its traffic on chip (specification 9.7); the model runs the same scenario
 * beside it, a window at a time. The last window's events are kept, so nothing of the model is run again.
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
  const char *device;    /* device file of the board; NULL: a virtual board of the exported RTL */
  const char *rtl_dir;   /* RTL of the switches; NULL: Heddle's own */
  const char *directory; /* where the fabric is exported to: made, or with an earlier export */
  unsigned baud;
  int patience_ms; /* milliseconds to wait for an answer; 0: as usual */
  uint64_t cycles; /* 0: as the scenario's run.cycles */
  int k;           /* 2^k cycles a window; HD_SPEED_K_AUTO: the shortest that the line can carry */
  const char *record; /* file that gets the model's signatures; NULL: none */
  const char
      *against;   /* file that has them: no model runs, but where they differ; NULL: the model */
  bool any_build; /* the board may have been built from other sources */
  struct hd_backend_options build; /* stop, say, building: while it is built and runs */
};

/** The first cycle in which a port's signature (§9.6) differs. */
struct hd_speed_difference {
  uint32_t sw, signature; /* the switch, the signature's number at it */
  uint32_t board, model;
};

struct hd_speed_result {
  uint32_t nodes, switches, ports, lanes, signatures; /* signatures: of all switches */
  uint32_t clock_khz, k;
  uint64_t build;
  uint64_t windows, compared; /* asked for; compared, that with a difference among them */
  uint64_t sent, received;    /* packets in the model's run */
  uint64_t barriers;          /* barriers that ended in the run */
  uint64_t bytes_out, bytes_in, resent;
  double seconds; /* from the first start on, without the narrowing */
  bool overrun;   /* the line was too slow for the windows after those compared */
  bool differs;
  bool unsteady;                /* played again, the window agreed */
  uint64_t window, cycle, runs; /* runs: starts of the board to narrow it */
  uint32_t n_differences;       /* all differences; `differences` keeps the first ones */
  struct hd_speed_difference differences[HD_SPEED_DIFFERENCES];
};

/** Exports, builds, runs and compares. A difference is no error: *result has it. HD_E_INPUT, HD_E_IO, HD_E_TOOL,
 *  HD_E_INTERRUPTED. */
int hd_speed(const struct hd_speed_options *options, struct hd_speed_result *result,
             struct hd_error *err);

#endif
