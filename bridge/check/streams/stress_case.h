/* Compares the original switch and the changed one at one bench, and records the inputs where they differ.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case is a parameter set and a seed. It has segments with different kinds of traffic. Short segments with resets and
 * writes come first, because they take little time to play again. A long saturated segment comes later, because a counter
 * that wraps late shows in no shorter one. The model takes no part. Where the switches differ, the inputs of that segment
 * become a tape, and the model then says which switch is right.
 */
#ifndef HD_STRESS_CASE_H
#define HD_STRESS_CASE_H

#include "../../backends/verilator/stress.h"
#include "tape.h"

struct hd_stress_case {
  struct hd_switch_params params;
  uint64_t seed;
  const struct hd_stress_router *router; /* NULL: Heddle's own switch. Otherwise neighbours keep
                                            the rules, and nothing is written */
};

/** The bench, and the switches at its pins; borrowed. */
struct hd_stress_sides {
  const struct hd_stress *bench;
  const struct hd_pinned_ops *original, *changed;
};

struct hd_stress_result {
  struct hd_stress_found found;     /* difference of the first segment that has one */
  struct hd_stress_traffic traffic; /* traffic of that segment */
  uint64_t cycles, flits;           /* sums over all segments that were played */
};

/** Plays segment after segment until the switches differ. 0, also if they differ; HD_E_NOTHING: nothing was compared; other
 *  codes as of hd_stress_run_fn. */
int hd_stress_play(const struct hd_stress_case *c, const struct hd_stress_sides *sides,
                   struct hd_stress_result *result, struct hd_error *err);

struct hd_stress_lanes_result {
  bool differs;
  uint32_t lane;                    /* the first bench that differs, if any */
  struct hd_stress_traffic traffic; /* traffic of that bench */
  uint64_t cycles, flits; /* sums over all benches; flits only of segments without a difference */
  double build_seconds;
};

/** Plays many benches at once in bit lanes, with the RTL of these directories. The first bench has the same traffic as
 *  hd_stress_play. A run with the result's `traffic` shows what differs, and when. Errors as of hd_backend_open; HD_E_INPUT:
 *  Yosys makes no netlist of the RTL; HD_E_NOTHING: nothing was compared. */
int hd_stress_play_lanes(const struct hd_stress_case *c, const char *original_dir,
                         const char *changed_dir, const struct hd_backend_options *options,
                         struct hd_stress_lanes_result *result, struct hd_error *err);

/** Plays a segment again, and records all inputs of the switches until they differ. The caller destroys the tape. A read
 *  in a cycle becomes a read before that cycle, which gives the same word (§3.1). */
int hd_stress_record(struct hd_tape **tape, const struct hd_stress_case *c,
                     const struct hd_stress_traffic *traffic, const struct hd_stress_sides *sides,
                     struct hd_error *err);

#endif
