/* The original switch beside the changed one: what is played, and what it becomes where they differ.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case is a parameter set and a seed. It has segments, each with another kind of traffic: short ones with resets and
 * writes come first, because little has to be played again of them; then everything is saturated for long, because a
 * counter that wraps late shows in nothing shorter. The model has no part in it. Where the switches differ, the inputs
 * of that segment become a tape, and the model says who is right.
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
  struct hd_stress_found found;     /* of the first segment that differs */
  struct hd_stress_traffic traffic; /* that segment's */
  uint64_t cycles, flits;           /* compared in all segments that were played */
};

/** Plays segment after segment until the switches differ. 0, also where they do. HD_E_NOTHING: nothing was compared.
 *  Otherwise as hd_stress_run_fn. */
int hd_stress_play(const struct hd_stress_case *c, const struct hd_stress_sides *sides,
                   struct hd_stress_result *result, struct hd_error *err);

struct hd_stress_lanes_result {
  bool differs;
  uint32_t lane;                    /* the first bench that does, if any */
  struct hd_stress_traffic traffic; /* its */
  uint64_t cycles, flits; /* of all benches together; flits of parts without a difference */
  double build_seconds;
};

/** Plays many benches at once in bit lanes. The RTL is in these directories; the first bench has the case's own
 *  traffic. A run with the result's `traffic` shows what differs, and when. Errors as of hd_backend_open: HD_E_INPUT where Yosys makes
 *  no netlist of the RTL. HD_E_NOTHING. */
int hd_stress_play_lanes(const struct hd_stress_case *c, const char *original_dir,
                         const char *changed_dir, const struct hd_backend_options *options,
                         struct hd_stress_lanes_result *result, struct hd_error *err);

/** Plays a segment again, and keeps all that the switches are given until they differ. The caller destroys the tape.
 *  Reads in a cycle become reads before it, which show the same state (§3.1). */
int hd_stress_record(struct hd_tape **tape, const struct hd_stress_case *c,
                     const struct hd_stress_traffic *traffic, const struct hd_stress_sides *sides,
                     struct hd_error *err);

#endif
