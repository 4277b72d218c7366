/* The duration of a barrier by the barrier paper's formulas (1)–(4), and by Theorem 2.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sun, Cheung and Lin, Section 4.1. hd_barrier_formula_printed computes the formulas as they are printed.
 * So it counts the distribution twice: the paper adds "the latency of the distribution phase", 2 (L
 * - 1) T_b, to a sum that already runs over both phases. Without congestion that makes 4 (L - 1)
 * T_b, twice what Theorem 2 allows. hd_barrier_formula_corrected leaves that term out.
 */
#ifndef HD_BARRIER_ANALYSIS_H
#define HD_BARRIER_ANALYSIS_H

#include <stdint.h>

/** The formulas, with their numbers in the paper. */
enum hd_barrier_case {
  HD_CASE_ANY = 1,    /* Fig. 7: any channel can be preempted */
  HD_CASE_FIXED = 2,  /* Fig. 9: one channel can be preempted */
  HD_CASE_MOVING = 3, /* Fig. 10: a channel can be preempted only while its flits move */
  HD_CASE_TREE = 4,   /* [4] and [5]: no preemption */
};

/** The paper's parameters; times in cycles. */
struct hd_barrier_analysis {
  double startup;    /* T_s */
  double hop;        /* T_b, time of a barrier message over one hop */
  double preempt;    /* T_p, time to preempt a channel */
  double congestion; /* Delta, time for which data blocks a channel */
  double busy;       /* p, probability that a channel serves a data message */
  double blocked;    /* p_f, probability that its flits do not move */
  double ports;      /* k in the paper: p^k is the probability that all channels are busy */
  double levels;     /* L, levels of the tree */
};

/** Returns T of a formula as it is printed, in cycles. */
double hd_barrier_formula_printed(const struct hd_barrier_analysis *a,
                                  enum hd_barrier_case formula);

/** Returns T of a formula without the term that counts the distribution twice, in cycles. */
double hd_barrier_formula_corrected(const struct hd_barrier_analysis *a,
                                    enum hd_barrier_case formula);

/** Returns the bound of Theorem 2, in cycles: 2 T_b times the largest distance to the center in
 *  hops. */
double hd_barrier_bound(double hop_cycles, double distance_hops);

#endif
