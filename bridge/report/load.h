/* Judges whether a fabric carries its load: latency over time, warm-up, drift, saturation.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LOAD_H
#define HD_LOAD_H

#include "../../cmodel/error.h"

#include <stdint.h>

enum {
  HD_LOAD_BINS = 1024, /* the most bins of a phase */
  HD_LOAD_TIMES = 3,   /* saturated: mean latency above this multiple of the latency without load */
  HD_LOAD_CLEAR = 4,   /* saturated: above this multiple, even without a confidence interval */
  HD_LOAD_PHASE = 10,  /* a phase shorter than this multiple of it gives no verdict */
  HD_LOAD_PACKETS = 30, /* a phase with fewer packets gives no verdict */
};
#define HD_LOAD_BEHIND 0.05 /* saturated: both halves accept less than 1 minus this share */
#define HD_LOAD_DRIFT 0.05  /* a smaller drift does not matter */
#define HD_LOAD_WIDE 0.2    /* an interval wider than this share of the mean counts as none */

struct hd_load_bin {
  uint64_t packets, latency;  /* packets created in the bin and received; sum of their latencies */
  uint64_t created, received; /* flits created and received in the bin */
};

/** What happened in the measuring phase, by time. Cycles count from the phase's begin.
 *  Zeroed means empty; hd_load_fini frees it. */
struct hd_load {
  struct hd_load_bin *bins; /* [HD_LOAD_BINS], owned; NULL: nothing happened */
  uint64_t width;           /* cycles of a bin: a power of two, as small as the phase allows */
  double no_load;           /* sum of the latencies that packets would have without load (§4.5) */
  uint64_t no_load_packets;
  /* Packets that had not arrived at the end, and the sum of their ages */
  uint64_t missing, missing_age;
  uint64_t missing_first; /* cycle in which the oldest of them was created */
};

/** Records a packet that was created in `cycle`. no_load: its latency without load; 0: not
 *  known. */
void hd_load_created(struct hd_load *load, uint64_t cycle, uint32_t flits, uint64_t no_load);
/** Records a packet that was received in `cycle`; it may have been created before the phase. */
void hd_load_received(struct hd_load *load, uint64_t cycle, uint32_t flits);
/** Records the latency of a packet that was created in `cycle` of the phase. */
void hd_load_latency(struct hd_load *load, uint64_t cycle, uint64_t latency);
/** Records a packet of the phase, created in `cycle`, that was still under way at the end, and
 *  its age then. */
void hd_load_missing(struct hd_load *load, uint64_t cycle, uint64_t age);
/** A packet of the phase, created in `cycle`, was lost to a fault: whether the fabric bears its load, does not show in it. */
void hd_load_lost(struct hd_load *load, uint64_t cycle, uint32_t flits);
void hd_load_fini(struct hd_load *load);

enum hd_load_state {
  HD_LOAD_NONE,    /* the load was not judged */
  HD_LOAD_STEADY,  /* an equilibrium */
  HD_LOAD_WARM_UP, /* equilibrium, after cycles that still belong to the warm-up */
  HD_LOAD_DRIFTS,  /* latency rises or falls all the time */
  HD_LOAD_SHORT,   /* too short for a verdict */
  HD_LOAD_SATURATED,
};

struct hd_load_verdict {
  enum hd_load_state state;
  double no_load;    /* mean latency without load; 0: not known */
  double half_width; /* half the 95 % confidence interval of the mean latency; 0: not known */
  double drift;      /* change of latency from begin to end, divided by its mean (HD_LOAD_DRIFTS) */
  uint64_t warm_up;  /* cycles of the phase that are still warm-up */
  char why[200];     /* the reason: a sentence without its full stop */
};

/** The phase to judge: its first cycle in the run, its number of cycles, and the factor by which
 *  latencies of §4.5 are multiplied for this DUT. */
struct hd_load_phase {
  uint64_t begin, cycles;
  double scale;
};
void hd_load_judge(const struct hd_load *load, const struct hd_load_phase *phase,
                   struct hd_load_verdict *verdict);

/** Returns the name of the state: "steady", "warm-up", "drifts", "too short", "saturated"; NULL:
 *  nothing was judged. */
const char *hd_load_state_name(enum hd_load_state state);

#endif
