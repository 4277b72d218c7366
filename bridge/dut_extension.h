/* The part of the DUT contract that few backends have: waves, X and Z, counters, coverage, reads in bulk.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_DUT_EXTENSION_H
#define HD_DUT_EXTENSION_H

#include "dut.h"

/** An X or Z at a place where §6.6 allows none. */
struct hd_dut_unknown {
  uint32_t cycle;      /* cycle of the window in which the bit is visible: 0 … cycles */
  char seen;           /* 'x' or 'z'; 0: there is none */
  bool after_reset;    /* a state of §6.5, §8.10 that reset left unknown; `name` is its name */
  uint8_t port, vc;    /* 0xff: none */
  char name[40];       /* name of the pin, such as "out_data_o" */
  char registers[160]; /* some that held X or Z then, narrow ones first; "" when not known */
};

/** Something a backend counted, for the report. */
struct hd_dut_counter {
  char name[32]; /* lower case, words joined by '_': "bytes_out" */
  uint64_t value;
};
enum { HD_DUT_COUNTERS = 16 }; /* at most */

/** A register to be read, and what it gives. */
struct hd_dut_read {
  uint32_t sw, addr;
  uint16_t data, unknown; /* set by the backend; unknown: as of config_unknown */
};

/** A link inside of a network (§6.8), in one cycle. */
struct hd_dut_link {
  uint64_t data;    /* Heddle's, of the flit that is offered */
  bool valid, tail; /* one is; it is the last one of its packet */
  bool ready;       /* the receiver takes flits */
  uint16_t
      dest_1; /* 1 more than the node that the fields of the router's own flit name; 0: they are not shown */
};

/** Operations that a capability promises must be there. All others may be NULL. */
struct hd_dut_extension {
  /** Writes waves of switch `sw` to `path` (FST) from now on, one time unit a cycle with cycle
   *  `start`'s values at time start·2 (clock high) … until trace_close. With HD_DUT_WAVES. */
  int (*trace_open)(struct hd_dut *dut, uint32_t sw, const char *path, struct hd_error *err);
  int (*trace_close)(struct hd_dut *dut, struct hd_error *err);
  /** Says which bits of the value that config_read last read from this switch were X or Z (config_read
   *  returns 0 for them). With HD_DUT_FOUR_STATE. */
  int (*config_unknown)(struct hd_dut *dut, uint32_t sw, uint16_t *bits, struct hd_error *err);
  /** Replaces every X and Z in the switch by 0, now and in every cycle until the next snapshot_restore, as
   *  in a two-state simulator. NULL: it cannot; then nobody says that a difference is one of four states alone. */
  int (*make_two_state)(struct hd_dut *dut, uint32_t sw, struct hd_error *err);
  /** Fills in counters of the backend since create, for the report; returns how many. May be called after any
   *  call, also after one that failed. */
  uint32_t (*counters)(struct hd_dut *dut, struct hd_dut_counter counters[HD_DUT_COUNTERS]);
  /** From another thread, during any call but create and destroy: calls that wait for something outside
   *  return HD_E_INTERRUPTED soon, this one and all later ones. May come more than once. */
  void (*interrupt)(struct hd_dut *dut);
  /** Writes how often each line of the RTL was executed and each bit changed since create, all switches
   *  together, to `path`, as Verilator's coverage.dat. With HD_DUT_COVERAGE. */
  int (*coverage_write)(struct hd_dut *dut, const char *path, struct hd_error *err);
  /** From another thread, during any call but create and destroy, or between calls: takes the oldest line
   *  of what people should hear while the call is under way, such as a cable that was pulled; NUL-terminated
   *  and cut to `size`. False: there is none. With HD_DUT_NEWS. */
  bool (*news)(struct hd_dut *dut, char *line, size_t size);
  /** config_read of many registers in one call, for a backend to which each call is a journey, or which reads many
   *  switches at once. With HD_DUT_READS. */
  int (*config_reads)(struct hd_dut *dut, struct hd_dut_read *reads, size_t n_reads,
                      struct hd_error *err);
  /** Reads the links inside of a network (§6.8), as they were in the last cycle of the last window of switch `sw`. Links
   *  from switches come first, port by port; links from nodes follow. Returns how many links the pins of the RTL have
   *  room for, 0 without any, and fills the first n. NULL: the backend shows no links. */
  uint32_t (*links)(struct hd_dut *dut, uint32_t sw, struct hd_dut_link *links, uint32_t n);
};

#endif
