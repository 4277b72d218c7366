/* Does a fabric bear its load: latency in time, warm-up, drift, saturation.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LOAD_H
#define HD_LOAD_H

#include "../../cmodel/error.h"

#include <stdint.h>

enum {
  HD_LOAD_BINS = 1024, /* the most bins of a phase */
  HD_LOAD_TIMES = 3,   /* saturated: mean latency above this multiple of the latency without load */
  HD_LOAD_CLEAR = 4,   /* whatever its interval is */
  HD_LOAD_PHASE = 10,  /* a phase with fewer such latencies gives no verdict */
  HD_LOAD_PACKETS = 30, /* a phase with fewer packets gives none, either */
};
#define HD_LOAD_BEHIND 0.05 /* saturated: both halves accept less than 1 minus this share */
#define HD_LOAD_DRIFT 0.05  /* a drift by less does not matter */
#define HD_LOAD_WIDE 0.2    /* an interval wider than this share of the mean counts as none */

struct hd_load_bin {
  uint64_t packets, latency;  /* created in it, by now received; their latencies, summed */
  uint64_t created, received; /* flits */
};

/** The measuring phase in time; cycles count from its begin. Zeroed is empty, freed by hd_load_fini. */
struct hd_load {
  struct hd_load_bin *bins; /* [HD_LOAD_BINS], owned; NULL: nothing happened */
  uint64_t width;           /* cycles of a bin: a power of two, as small as the phase allows */
  double no_load;           /* latencies that packets would have without load (§4.5), summed */
  uint64_t no_load_packets;
  uint64_t missing,
      missing_age;        /* packets that had not arrived at the end; how old they were, summed */
  uint64_t missing_first; /* cycle in which the first of them was created */
};

/** A packet was created in `cycle`. no_load: its latency without load; 0: not known. */
void hd_load_created(struct hd_load *load, uint64_t cycle, uint32_t flits, uint64_t no_load);
/** A packet was received in `cycle`, whenever it was created. */
void hd_load_received(struct hd_load *load, uint64_t cycle, uint32_t flits);
/** A packet of the phase, created in `cycle`, had this latency. */
void hd_load_latency(struct hd_load *load, uint64_t cycle, uint64_t latency);
/** A packet of the phase, created in `cycle`, was still under way at the end, this old. */
void hd_load_missing(struct hd_load *load, uint64_t cycle, uint64_t age);
void hd_load_fini(struct hd_load *load);

enum hd_load_state {
  HD_LOAD_NONE,    /* the load was not judged */
  HD_LOAD_STEADY,  /* an equilibrium */
  HD_LOAD_WARM_UP, /* an equilibrium, after cycles that still belong to the warm-up */
  HD_LOAD_DRIFTS,  /* latency rises or falls all the time */
  HD_LOAD_SHORT,   /* too short for a verdict */
  HD_LOAD_SATURATED,
};

struct hd_load_verdict {
  enum hd_load_state state;
  double no_load;    /* mean latency without load; 0: not known */
  double half_width; /* half the 95 % confidence interval of the mean latency; 0: not known */
  double drift; /* change of latency from begin to end, as a share of its mean (HD_LOAD_DRIFTS) */
  uint64_t warm_up; /* cycles of the phase that are still warm-up */
  char why[200];    /* a sentence without its end */
};

/** The phase to judge: its first cycle in the run, its number of cycles, and the factor of this DUT on the latency
 *  of §4.5. */
struct hd_load_phase {
  uint64_t begin, cycles;
  double scale;
};
void hd_load_judge(const struct hd_load *load, const struct hd_load_phase *phase,
                   struct hd_load_verdict *verdict);

/** Name of the state: "steady", "warm-up", "drifts", "too short", "saturated"; NULL: nothing was
 *  judged. */
const char *hd_load_state_name(enum hd_load_state state);

#endif
