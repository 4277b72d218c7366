/* Fig. 11: the paper's formulas (1) to (4) with its own figures.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../../sw/analysis/barrier_analysis.h"

const struct barrier_analytic_panel barrier_analytic_panels[2] = {{"a", 10}, {"b", 128}};

double barrier_analytic_delta(uint32_t i)
{
  return 50.0 * i;
}

double barrier_analytic(double levels, double preempt, double delta, int formula, bool once)
{
  const struct hd_barrier_analysis a = {.startup = 100,
                                        .hop = 16,
                                        .preempt = preempt,
                                        .congestion = delta,
                                        .busy = 0.8,
                                        .blocked = 0.2,
                                        .ports = 16,
                                        .levels = levels};
  return once ? hd_barrier_formula_corrected(&a, (enum hd_barrier_case)formula)
              : hd_barrier_formula_printed(&a, (enum hd_barrier_case)formula);
}
