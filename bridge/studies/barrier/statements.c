/* The paper's statements about its figures, in its words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "judge.h"

#include "../../host/memory.h"

#include <stdlib.h>

static const struct {
  struct study_statement statement;
  void (*judge)(const struct rep_results *results, struct study_statement *statement);
} all[] = {
    {{.name = "formulas-as-printed",
      .where = "Section 4.1, (1), Theorem 2",
      .says =
          "The overall latency for the barrier operation is therefore 2 T_b max(D_T(x_i, center))",
      .criterion = "(1) is no more than what Theorem 2 allows",
      .note =
          "Each of (1) to (4) adds the latency of the distribution phase, 2 (L-1) T_b, to a sum "
          "that runs over the hops of both phases."},
     judge_printed_is_theorem_2},
    {{.name = "I-and-II-independent",
      .where = "Fig. 11",
      .says = "in the first and second switch schemes, the latency is almost independent of the "
              "traffic of data messages",
      .criterion = "most over least along Delta"},
     judge_two_do_not_depend_on_delta},
    {{.name = "tree-grows-faster",
      .where = "Section 4.1, (3), (4)",
      .says = "the latency for barrier synchronization in [4] approaches infinity at a much faster "
              "speed than that of our third scheme",
      .criterion = "growth with Delta"},
     judge_tree_grows_faster},
    {{.name = "formulas-outperform",
      .where = "Fig. 11",
      .says = "our schemes outperform the scheme in [4] in cases of congestion",
      .criterion = "at the smallest congestion of the axis"},
     judge_formulas_outperform},
    {{.name = "theorem-2-measured",
      .where = "Section 3, Theorem 2",
      .says = "the upper bound of the barrier operation is 2 T_b max(D_T(x_i, center))",
      .criterion = "no data traffic; T_b = M + D + LINK + 3 = 8 cycles (specification 8.5)",
      .note =
          "D_T is that of the tree which the first round builds, a node's own link counted as one "
          "hop. The proof has no time for a switch that hears of several children one after the "
          "other."},
     judge_measured_by_theorem_2},
    {{.name = "formula-1-as-printed",
      .where = "Section 4.1, (1)",
      .says = "the total latency T for a barrier synchronization operation is calculated by "
              "T = T_s + 2 (L_BS - 1) T_b + sum of (T_b + p^k T_p) over 2 (L_BS - 1) hops",
      .criterion = "later rounds without data (p = 0); the larger over the smaller of both"},
     judge_formula_printed},
    {{.name = "formula-1-counted-once",
      .where = "here",
      .says = "(1) without its second term, which counts the distribution twice",
      .criterion = "later rounds without data (p = 0); the larger over the smaller of both"},
     judge_formula_once},
    {{.name = "congestion-adds-up",
      .where = "Section 4.1, (4)",
      .says = "The latency of barrier synchronization in [4] is proportional to p Delta",
      .criterion = "how often a barrier pays Delta; by (4) 2 (L-1) p times, here at least 2",
      .note =
          "What all members wait for at the same time is over at the same time: (4) adds it up hop "
          "by hop, as if each hop met a congestion of its own."},
     judge_congestion_adds_up},
    {{.name = "small-groups-start-cheaply",
      .where = "Section 4.2, Fig. 12",
      .says = "when the number of members is small with respect to the network size, the "
              "initialization overhead is very small and can be neglected",
      .criterion = "first round over later ones"},
     judge_small_groups_start_cheaply},
    {{.name = "large-groups-start-dearly",
      .where = "Section 4.2, Fig. 12",
      .says = "as the number of members in the group increases gradually to approach the network "
              "size, the initialization overhead increases rapidly",
      .criterion = "first round of the largest group over that of the smallest"},
     judge_large_groups_of_fig12},
    {{.name = "first-round-at-most-twice",
      .where = "Section 4.2, Fig. 12",
      .says =
          "In the worst case, the latency of the first round of a barrier operation is twice as "
          "large as that of the nonround operations",
      .criterion = "first round over later ones, the largest along the axis",
      .note =
          "Every reduction message of the first round goes to the center itself, which takes one "
          "every two cycles and has at most three links for them."},
     judge_first_is_twice_at_most},
    {{.name = "first-round-less-than-tree",
      .where = "Section 4.2, Fig. 12",
      .says =
          "the latency of the first round, in the proposed scheme, is still much less than that "
          "of the scheme in [4]",
      .criterion = "our first round over the baseline's rounds"},
     judge_first_is_less_than_tree},
    {{.name = "star-is-worse",
      .where = "Section 4.2, Fig. 12",
      .says = "the well-known star-based barrier schemes for networks with arbitrary topologies "
              "perform worse than the proposed barrier scheme",
      .criterion = "star over our later rounds"},
     judge_star_is_worse},
    {{.name = "tree-saturates-beyond-720",
      .where = "Section 4.2, Fig. 12c, d",
      .says = "when the number of members in a barrier group exceeds 720, the scheme in [4] enters "
              "saturation",
      .criterion =
          "the curve bends upwards at 720 of 1,200 members; slopes below 0.05 are taken as 0.05"},
     judge_trees_saturate},
    {{.name = "ours-does-not-saturate",
      .where = "Section 4.2, Fig. 12c, d",
      .says = "The proposed scheme does not enter saturation when the number of members is greater "
              "than 720",
      .criterion = "the curve does not bend upwards there; slopes below 0.05 are taken as 0.05"},
     judge_ours_does_not_saturate},
    {{.name = "start-up-irregular",
      .where = "Section 4.2, Fig. 12",
      .says =
          "Similar to the schemes in [4], [5], the proposed scheme latency increases gradually as "
          "the startup increases",
      .criterion = "a barrier pays the start-up once"},
     judge_startup_of_fig12},
    {{.name = "start-up-mesh",
      .where = "Section 4.3, Fig. 14",
      .says =
          "Similar to the schemes in [4] and [5], the latency of the proposed scheme goes up in a "
          "stable way when the startup latency increases",
      .criterion = "a barrier pays the start-up once"},
     judge_startup_of_fig14},
    {{.name = "mesh-center-is-bottleneck",
      .where = "Section 4.3, Fig. 14",
      .says = "The fast increase in the initialization overhead in our scheme results from the "
              "initialization reduction phase. In a 2D mesh, the effect of the center node as a "
              "bottleneck is significant",
      .criterion = "first round of the largest group over that of the smallest"},
     judge_large_groups_of_fig14},
    {{.name = "approaches-cs-tree",
      .where = "Section 4.3, Fig. 14",
      .says =
          "After the initialization, the proposed scheme has the performance approaching that in "
          "[5]",
      .criterion = "our later rounds over the baseline's"},
     judge_ours_approaches_cs},
    {{.name = "short-congestion-irregular",
      .where = "Section 4.2, Fig. 13",
      .says =
          "When the duration of congestion is small, i.e., ten cycles, the two schemes show little "
          "change in the latencies",
      .criterion = "most over least, congestion of 1 to 10 cycles"},
     judge_short_congestion_of_fig13},
    {{.name = "flat-under-congestion-irregular",
      .where = "Section 4.2, Fig. 13",
      .says = "the latency of our proposed scheme remains almost constant",
      .criterion = "most over least along the duration, 1 to 10,000 cycles"},
     judge_ours_is_flat_in_fig13},
    {{.name = "tree-changes-irregular",
      .where = "Section 4.2, Fig. 13",
      .says =
          "The latency of the scheme in [4] changes dramatically with the variation of congestion "
          "duration",
      .criterion = "most over least along the duration, 1 to 10,000 cycles"},
     judge_trees_change_in_fig13},
    {{.name = "number-of-congested",
      .where = "Section 4.2, Fig. 13",
      .says = "The two schemes are not sensitive to change in the number of congested members",
      .criterion = "most over least along the number of congested members"},
     judge_number_of_congested},
    {{.name = "short-congestion-mesh",
      .where = "Section 4.3, Fig. 15",
      .says =
          "When the congestion duration is small, i.e., ten cycles, the two schemes show a little "
          "change in latency",
      .criterion = "most over least, congestion of 1 to 10 cycles"},
     judge_short_congestion_of_fig15},
    {{.name = "flat-under-congestion-mesh",
      .where = "Section 4.3, Fig. 15",
      .says = "the latency of our scheme remains almost constant",
      .criterion = "most over least along the duration, 1 to 10,000 cycles"},
     judge_ours_is_flat_in_fig15},
    {{.name = "tree-changes-mesh",
      .where = "Section 4.3, Fig. 15",
      .says = "The latency of the scheme in [5] increases dramatically in the congestion duration",
      .criterion = "most over least along the duration, 1 to 10,000 cycles"},
     judge_trees_change_in_fig15},
    {{.name = "simpler-switches-are-flat",
      .where = "Section 4.1",
      .says = "the proposed schemes remain especially stable in front of congestion",
      .criterion = "the second and the third switch; most over least along the duration"},
     judge_simpler_switches_are_flat},
    {{.name = "independent-of-data",
      .where = "Section 4.2",
      .says =
          "The latency of a barrier synchronization is determined only by the maximum number of "
          "hops between the center member and the leaf member in the barrier tree, which is "
          "independent of congestion from data messages",
      .criterion = "most over least along the load of real data"},
     judge_independent_of_data},
    {{.name = "rtl-is-the-model",
      .where = "here",
      .says = "what the model measures, RTL in lockstep measures",
      .criterion = "real data on RTL"},
     judge_rtl_is_the_model},
};
enum { N_STATEMENTS = sizeof all / sizeof *all };

struct study_statement *rep_judge(const struct rep_results *r, uint32_t *n)
{
  struct study_statement *statements = hd_xmalloc(N_STATEMENTS * sizeof *statements);
  *n = N_STATEMENTS;
  for (uint32_t i = 0; i < *n; i++) {
    statements[i] = all[i].statement;
    all[i].judge(r, &statements[i]);
  }
  return statements;
}
