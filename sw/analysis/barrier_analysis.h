/* How long a barrier takes by the barrier paper's formulas (1)–(4) and Theorem 2.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sun, Cheung and Lin, Section 4.1. Pure arithmetic. The formulas are computed as they are printed,
 * and so say more than their own words: "the latency of the distribution phase", 2 (L - 1) T_b, is
 * added to a sum that runs over both phases, which makes 4 (L - 1) T_b without any congestion,
 * twice what Theorem 2 allows. hd_barrier_once() is the same without that term.
 */
#ifndef HD_BARRIER_ANALYSIS_H
#define HD_BARRIER_ANALYSIS_H

#include <stdint.h>

/** The formulas, by their number in the paper. */
enum hd_barrier_case {
  HD_CASE_ANY = 1,    /* Fig. 7: any channel can be preempted */
  HD_CASE_FIXED = 2,  /* Fig. 9: one channel can */
  HD_CASE_MOVING = 3, /* Fig. 10: only where flits move */
  HD_CASE_TREE = 4,   /* [4] and [5]: no preemption */
};

/** The paper's parameters; times in cycles. */
struct hd_barrier_analysis {
  double startup;    /* T_s */
  double hop;        /* T_b, a barrier message over one hop */
  double preempt;    /* T_p, to preempt a channel */
  double congestion; /* Delta, how long data blocks a channel */
  double busy;       /* p, probability that a channel serves a data message */
  double blocked;    /* p_f, probability that its flits do not move */
  double ports;      /* k, as the paper has it: p^k is the probability that all are busy */
  double levels;     /* L, levels of the tree */
};

/** T of formula (1) to (4), cycles. */
double hd_barrier_printed(const struct hd_barrier_analysis *a, enum hd_barrier_case formula);

/** Duration by the formula, without the term that counts the distribution twice. */
double hd_barrier_once(const struct hd_barrier_analysis *a, enum hd_barrier_case formula);

/** Theorem 2: 2 T_b times the largest distance to the center in hops, cycles. */
double hd_barrier_bound(double hop_cycles, double distance_hops);

#endif
