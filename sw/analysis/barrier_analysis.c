/* The barrier paper's formulas.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_analysis.h"

#include <math.h>

/* Returns the cycles that congestion adds to one hop: the term after T_b in the sum. */
static double congestion_cycles_of_hop(const struct hd_barrier_analysis *a,
                                       enum hd_barrier_case formula)
{
  double all_busy = pow(a->busy, a->ports);
  switch (formula) {
  case HD_CASE_ANY:
    return all_busy * a->preempt;
  case HD_CASE_FIXED:
    return a->busy * a->preempt;
  case HD_CASE_MOVING:
    return all_busy * ((1 - a->blocked) * a->preempt + a->blocked * a->congestion);
  case HD_CASE_TREE:
    break;
  }
  return a->busy * a->congestion;
}

double hd_barrier_formula_corrected(const struct hd_barrier_analysis *a,
                                    enum hd_barrier_case formula)
{
  double hops = 2 * (a->levels - 1);
  return a->startup + hops * (a->hop + congestion_cycles_of_hop(a, formula));
}

double hd_barrier_formula_printed(const struct hd_barrier_analysis *a, enum hd_barrier_case formula)
{
  return hd_barrier_formula_corrected(a, formula) + 2 * (a->levels - 1) * a->hop;
}

double hd_barrier_bound(double hop_cycles, double distance_hops)
{
  return 2 * hop_cycles * distance_hops;
}
