/* The barrier paper's formulas, against figures worked out by hand.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/analysis/barrier_analysis.h"
#include "../lib/test.h"

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Fig. 11 (a): T_s 100, T_b 16, p 0.8, p_f 0.2, k 16, L 10; T_p of 6 to 10, here 8; Delta 1,000. */
static const struct hd_barrier_analysis figure_11 = {.startup = 100,
                                                     .hop = 16,
                                                     .preempt = 8,
                                                     .congestion = 1000,
                                                     .busy = 0.8,
                                                     .blocked = 0.2,
                                                     .ports = 16,
                                                     .levels = 10};

TEST(formulas_give_the_values_worked_out_by_hand_for_figure_11)
{
  /* 0.8^16 = 0.0281475; 18 hops: 100 + 18·16 + 18·(16 + delay) */
  assert_near(hd_barrier_formula_printed(&figure_11, HD_CASE_ANY), 676 + 18 * 0.0281475 * 8, 1e-3);
  assert_near(hd_barrier_formula_printed(&figure_11, HD_CASE_FIXED), 676 + 18 * 6.4, 1e-9);
  assert_near(hd_barrier_formula_printed(&figure_11, HD_CASE_MOVING),
              676 + 18 * 0.0281475 * (0.8 * 8 + 0.2 * 1000), 1e-3);
  assert_near(hd_barrier_formula_printed(&figure_11, HD_CASE_TREE), 676 + 18 * 800, 1e-9);
  assert_near(hd_barrier_formula_corrected(&figure_11, HD_CASE_TREE), 388 + 18 * 800, 1e-9);
}

/* Without congestion the printed formula passes Theorem 2's bound, which no barrier may; counted once
 * it meets it. L levels are L - 1 hops. */
TEST(printed_formulas_count_the_distribution_twice)
{
  struct hd_barrier_analysis free_network = figure_11;
  free_network.busy = 0;
  free_network.startup = 0;
  double bound = hd_barrier_bound(free_network.hop, free_network.levels - 1);
  for (int formula = HD_CASE_ANY; formula <= HD_CASE_TREE; formula++) {
    assert_near(hd_barrier_formula_corrected(&free_network, (enum hd_barrier_case)formula), bound,
                1e-9);
    assert_near(hd_barrier_formula_printed(&free_network, (enum hd_barrier_case)formula), 2 * bound,
                1e-9);
  }
}

/* Only (3) and (4) know how long data blocks a channel. */
TEST(only_formulas_3_and_4_depend_on_the_length_of_congestion)
{
  struct hd_barrier_analysis longer = figure_11;
  longer.congestion *= 10;
  assert_near(hd_barrier_formula_printed(&longer, HD_CASE_ANY),
              hd_barrier_formula_printed(&figure_11, HD_CASE_ANY), 1e-9);
  assert_near(hd_barrier_formula_printed(&longer, HD_CASE_FIXED),
              hd_barrier_formula_printed(&figure_11, HD_CASE_FIXED), 1e-9);
  assert_true(hd_barrier_formula_printed(&longer, HD_CASE_MOVING) >
              hd_barrier_formula_printed(&figure_11, HD_CASE_MOVING));
  assert_true(hd_barrier_formula_printed(&longer, HD_CASE_TREE) >
              hd_barrier_formula_printed(&figure_11, HD_CASE_TREE));
}
