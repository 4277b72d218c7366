/* Operations of the DUT contract that few backends have: waves, X and Z, counters, coverage, reads in bulk.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_DUT_EXTENSION_H
#define HD_DUT_EXTENSION_H

#include "dut.h"

/** An X or Z at a place where §6.6 allows none. */
struct hd_dut_unknown {
  uint32_t cycle;   /* cycle of the window in which the bit is visible: 0 … cycles */
  char seen;        /* 'x' or 'z'; 0: there is none */
  bool after_reset; /* true: after reset, the state called `name` (§6.5, §8.10) was still unknown */
  uint8_t port, vc; /* 0xff: the pin has no port or no channel */
  char name[40];    /* name of the pin, such as "out_data_o" */
  /* registers that held X or Z in this cycle, narrow ones first; "" if not known */
  char registers[160];
};

/** Something a backend counted, for the report. */
struct hd_dut_counter {
  char name[32]; /* lower case, words joined by '_': "bytes_out" */
  uint64_t value;
};
enum { HD_DUT_COUNTERS = 16 }; /* at most */

/** A register to read, and its value. */
struct hd_dut_read {
  uint32_t sw, addr;
  uint16_t data, unknown; /* set by the backend; unknown: bits as in config_unknown */
};

/** One link inside of a network (§6.8) in one cycle. */
struct hd_dut_link {
  uint64_t data;    /* data of the offered flit in Heddle's format */
  bool valid, tail; /* a flit is offered; it is its packet's last */
  bool ready;       /* the receiver accepts flits */
  /* destination node plus 1, from the fields of the router's own flit; 0: the pins do not show
   * them */
  uint16_t dest_1;
  uint8_t vc, vcs; /* its channel, and how many the links inside have */
};

/** A backend must have the operations that its capabilities promise. All others may be NULL. */
struct hd_dut_extension {
  /** Writes waves of switch `sw` to `path` (FST) from now on, one time unit a cycle with cycle
   *  `start`'s values at time start·2 (clock high) … until trace_close. With HD_DUT_WAVES. */
  int (*trace_open)(struct hd_dut *dut, uint32_t sw, const char *path, struct hd_error *err);
  int (*trace_close)(struct hd_dut *dut, struct hd_error *err);
  /** Says which bits of the value that config_read last read from this switch were X or Z (config_read
   *  returns 0 for them). With HD_DUT_FOUR_STATE. */
  int (*config_unknown)(struct hd_dut *dut, uint32_t sw, uint16_t *bits, struct hd_error *err);
  /** Replaces every X and Z in the switch by 0, now and in every cycle until the next
   *  snapshot_restore. The switch then behaves as in a two-state simulator. NULL: the backend
   *  cannot; reports then never say that X and Z alone caused a difference. */
  int (*make_two_state)(struct hd_dut *dut, uint32_t sw, struct hd_error *err);
  /** Fills in counters of the backend since create, for the report. Returns their number. May be
   *  called after any call, also after one that failed. */
  uint32_t (*counters)(struct hd_dut *dut, struct hd_dut_counter counters[HD_DUT_COUNTERS]);
  /** Calls that wait for something outside then return HD_E_INTERRUPTED soon: the current one
   *  and all later ones. Another thread calls this, during any call but create and destroy, once
   *  or more often. */
  void (*interrupt)(struct hd_dut *dut);
  /** Writes to `path`, in the format of Verilator's coverage.dat, how often each line of the RTL
   *  was executed and each bit changed since create. Counts are sums over all switches. With
   *  HD_DUT_COVERAGE. */
  int (*coverage_write)(struct hd_dut *dut, const char *path, struct hd_error *err);
  /** Copies the oldest message for the user that came up during a call, such as a pulled cable,
   *  into `line` and removes it. The line is NUL-terminated and cut to `size`. False: no message
   *  is left. Another thread may call this, between calls or during any call but create and
   *  destroy. With HD_DUT_NEWS. */
  bool (*news)(struct hd_dut *dut, char *line, size_t size);
  /** Reads many registers in one call. Backends have it if each call takes long, or if they can
   *  read many switches at once. With HD_DUT_READS. */
  int (*config_reads)(struct hd_dut *dut, struct hd_dut_read *reads, size_t n_reads,
                      struct hd_error *err);
  /** Reads the links inside of a network (§6.8) as they were in the last cycle of switch `sw`'s
   *  last window, and fills the first n. Links from switches come first, port by port; links
   *  from nodes follow. Returns the number of links that the RTL's pins show, or 0. NULL: the
   *  backend shows no links. */
  uint32_t (*links)(struct hd_dut *dut, uint32_t sw, struct hd_dut_link *links, uint32_t n);
};

#endif
