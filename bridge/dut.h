/* The DUT contract: one small ops table that every backend fills.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend is a shared object (or is linked in) that exports
 *     const struct hd_dut_ops *hd_dut_backend(void);
 * It holds a number of equal switches and replays windows of port events
 * (specification §6.1) on them. It is given a batch of switches at once. So it may run
 * them one after the other or in threads, send a burst over a cable, or run many switches
 * in the bit lanes of one word. It never sees the model, the fabric or the scenario.
 *
 * Threads: hd_dut_ops.run may be called at the same time for disjoint switches of one
 * DUT. All other calls come from one thread, with no run under way.
 *
 * Waves, X and Z, coverage and the like are in dut_extension.h. docs/add-a-backend.md walks through a complete example.
 */
#ifndef HD_DUT_H
#define HD_DUT_H

#include "../cmodel/port_event.h"
#include "../cmodel/switch/params.h"
#include "../cmodel/switch/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_DUT_ABI = 10 };

/** Can a port of a switch of `params` have these wires of a count (§10.8)? */
static inline bool hd_count_is_legal(const struct hd_switch_params *params, unsigned count)
{
  return !count || (hd_switch_counts(params) && count / HD_COUNT_SHOWN == 1);
}

/** Abilities of a backend, as bits. */
enum {
  HD_DUT_QUIESCENT = 1,  /* answers in quiescent and toggles (§2.10) */
  HD_DUT_SNAPSHOT = 2,   /* snapshot_save and snapshot_restore work */
  HD_DUT_WAVES = 4,      /* trace_open works */
  HD_DUT_FOUR_STATE = 8, /* knows X and Z: fills hd_dut_job.unknown; config_unknown works */
  HD_DUT_BATCH = 16,     /* is faster when all switches' windows come in one call of run */
  HD_DUT_COVERAGE = 32,  /* counts what is executed of the RTL: coverage_write works */
  HD_DUT_NEWS = 64,      /* news works */
  HD_DUT_READS = 128,    /* config_reads works */
  HD_DUT_DEAR_READS =
      256 /* Each read is slow. Only error registers are read, once, at the end of a run. */
};

/** An assertion in the RTL that failed in a window. Events after it do not count. */
struct hd_dut_assertion {
  bool failed;
  uint32_t cycle; /* cycle of the window at whose end it failed */
  /* "rtl/hd_switch.v:8: queue is full": file, line and the assertion's message if it has one */
  char where[120];
};

/** The model's output events of a switch in a window, as in hd_dut_job. */
struct hd_dut_expected {
  const struct hd_flit_event *flits;
  const struct hd_credit_event *credits;
  const uint32_t *toggles;
  uint32_t n_flits, n_credits, n_toggles;
  bool quiescent; /* in the window's first cycle */
};

struct hd_dut_unknown;

/** One switch's window. The caller owns the inputs and the arrays for outputs. Inputs are sorted
 *  by cycle. The backend sorts outputs by cycle, then by port. Outputs have cycles 1 … cycles.
 *  An output of cycle 0 was visible before the window: after reset, during configuration or
 *  between windows, when no output is allowed (post_reset_events.h). If an array is full, the
 *  backend drops further outputs and counts them in `lost`. */
struct hd_dut_job {
  uint32_t sw;
  uint32_t cycles; /* length of the window */
  /* its first cycle; the next window of a switch starts where the last one ended */
  uint64_t start;
  const struct hd_flit_event *flits_in;
  const struct hd_credit_event *credits_in;
  const struct hd_config_event *configs_in;
  uint32_t n_flits_in, n_credits_in, n_configs_in;

  struct hd_flit_event *flits_out;
  struct hd_credit_event *credits_out;
  uint32_t *toggles; /* cycles 1 … cycles at whose start quiescent_o changes */
  uint32_t cap_flits_out, cap_credits_out, cap_toggles;
  uint32_t n_flits_out, n_credits_out, n_toggles; /* set by the backend */
  uint32_t lost;
  uint32_t evaluated_cycles; /* cycles that were evaluated */
  bool quiescent;            /* quiescent_o in the window's first cycle */

  bool
      every_cycle; /* evaluate all cycles, also those in which quiescent_o says that nothing changes,
                       in order to check quiescent_o */
  /* The backend also reports kind, vc and data of idle outputs. These have no flit to count. */
  bool idle_pins;
  struct hd_dut_assertion assertion; /* the caller clears it */
  /* The first X or Z of the window, or since the reset before it. The caller owns it. May be
   * NULL. A backend without HD_DUT_FOUR_STATE does not write it. */
  struct hd_dut_unknown *unknown;

  /* The outputs that the model gives. NULL unless the comparison is exact. With them a backend
   * may compare by itself: at the switch, by signatures (§9.6) where events would cross a slow
   * line, or in lane words. */
  const struct hd_dut_expected *expected;
  /* A backend sets it after it has compared everything and found no difference. The caller then
   * ignores outputs, toggles, their numbers, `lost` and `quiescent`. The caller clears it. */
  bool agrees;
};

/** Growing byte buffer for snapshots. The caller owns it and frees `bytes` with free(). */
struct hd_dut_buffer {
  unsigned char *bytes;
  size_t length, capacity;
};

struct hd_dut;
struct hd_dut_extension;

struct hd_dut_ops {
  uint32_t abi;      /* HD_DUT_ABI */
  const char *name;  /* "verilator" */
  const char *about; /* one line with version, for the run database */
  uint32_t capabilities;

  /** Makes `count` switches, after reset and with empty tables. `options` is the text after the colon of
   *  --dut NAME:options, or "". */
  int (*create)(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                const char *options, struct hd_error *err);
  void (*destroy)(struct hd_dut *dut);
  /** Resets every switch (§2.9). */
  int (*reset)(struct hd_dut *dut, struct hd_error *err);
  /** Writes one configuration register outside of any window (§3). HD_E_INPUT if the switch is
   *  busy. After reset it is never busy (§2.9), whatever its quiescent_o shows. */
  int (*config_write)(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                      struct hd_error *err);
  /** Reads one configuration register outside of any window. The read changes nothing that a
   *  port shows. */
  int (*config_read)(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                     struct hd_error *err);
  /** Replays the jobs' windows, each switch at most once in a batch. */
  int (*run)(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err);
  /** Appends switch `sw`'s state to `buffer`. NULL without HD_DUT_SNAPSHOT. */
  int (*snapshot_save)(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                       struct hd_error *err);
  int (*snapshot_restore)(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                          struct hd_error *err);
  /** NULL: the backend has none of the extension's operations. */
  const struct hd_dut_extension *extension;
};

/** The one symbol of a backend's shared object. */
typedef const struct hd_dut_ops *hd_dut_backend_fn(void);
#ifdef __cplusplus
extern "C" {
#endif
const struct hd_dut_ops *hd_dut_backend(void);
#ifdef __cplusplus
}
#endif

#endif
