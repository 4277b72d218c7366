/* The paper's statements, in its words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/memory.h"

#include <stdlib.h>

static const struct {
  struct study_statement statement;
  void (*judge)(const struct ss_results *results, struct study_statement *statement);
} all[] = {
    {{.name = "log2-N-steps",
      .where = "Section 3",
      .says = "The broadcast communication (OAB) in a wormhole-switched network cannot be done in "
              "less than s steps, where s = log2 N",
      .criterion = "the fewest steps of one-to-all broadcast, log2 N rounded up",
      .note =
          "An all-port node informs several in a step. The paper's own Table 3 has 2 steps for 7 "
          "nodes."},
     ss_judge_broadcast_bound},
    {{.name = "N-1-steps",
      .where = "Section 3",
      .says =
          "In case of OAS communication, because each node can inject not more then one message "
          "at a time, the lower bound is N-1 steps",
      .criterion = "the fewest steps of one-to-all scatter",
      .note = "All-port nodes, as the paper's FB-Trees have them, inject several."},
     ss_judge_scatter_bound},
    {{.name = "bound-out-of-reach",
      .where = "Section 3",
      .says = "Considering this limitation, the lower bound cannot be reached for some of proposed "
              "networks",
      .criterion = "all-to-all broadcast, N-1 steps",
      .note = "Every network of the paper reaches it."},
     ss_judge_bound_out_of_reach},
    {{.name = "eight-nodes-optimal",
      .where = "Section 5, Table 1",
      .says =
          "Obtained schedules for 8-node Omega and Butterfly met the theoretical lower bound for "
          "all classes of collective communications, and thus cannot be improved anymore",
      .criterion = "no schedule has fewer steps",
      .note = "Scatter between all on the Butterfly as butterfly-8.csv numbers its nodes: as the "
              "specification numbers them, it needs 8 steps."},
     ss_judge_eight},
    {{.name = "sixteen-needs-one-more",
      .where = "Section 5, Table 1",
      .says = "For successful accomplishment of all-to-all communications, EA had to add one "
              "additional communication step to the theoretically derived value",
      .criterion = "the step was needed: no schedule has fewer",
      .note =
          "The Butterfly as the specification numbers its nodes needs 16 steps for the scatter, "
          "as butterfly-16.csv numbers them 15."},
     ss_judge_sixteen},
    {{.name = "clos-needs-one-more",
      .where = "Section 5, Table 1",
      .says = "The Clos network embodies the same problem that leads also in one step addition",
      .criterion = "the step was needed: no schedule has fewer"},
     ss_judge_clos},
    {{.name = "b-trees-mostly-optimal",
      .where = "Section 5, Table 3",
      .says =
          "the proposed EA is able to find optimal communication schedules for most tested binary "
          "trees and investigated communication patterns",
      .criterion = "most: half of the rows, or more"},
     ss_judge_b_trees},
    {{.name = "f-trees-optimal",
      .where = "Section 5, Table 3",
      .says =
          "the EA was able to find optimal schedules for fat-trees with 4, 8, 16, and 32 leave, "
          "except AAS on 32-leave fat tree",
      .criterion = "all other rows have the fewest steps"},
     ss_judge_f_trees},
    {{.name = "f-tree-32-one-worse",
      .where = "Section 5, Table 3",
      .says = "There was achieved only a suboptimal solution with one step worse time complexity",
      .criterion = "one step above the fewest"},
     ss_judge_f_tree_32},
    {{.name = "fb-trees-at-their-bounds",
      .where = "Section 5, Table 3",
      .says = "In all cases, the theoretical lower bounds were reached",
      .criterion = "full binary trees: no schedule has fewer steps",
      .note =
          "The tables have N steps and N+1 for all-to-all broadcast, where N-1 are enough, and 48 "
          "for a scatter that takes 32."},
     ss_judge_fb_trees},
    {{.name = "only-scatter-in-large-networks",
      .where = "Section 6",
      .says =
          "The only exception is AAS communication in larger networks, where the lower bounds are "
          "apparently too tight",
      .criterion = "all other rows are optimal, and those of all-to-all scatter cannot be better"},
     ss_judge_only_scatter},
    {{.name = "table-2",
      .where = "Table 2",
      .says = "AAB in 7 steps on 8-node Omega network",
      .criterion = "each pair of nodes is there, and the transfers of a column share no link"},
     ss_judge_table_2},
    {{.name = "all-links-busy",
      .where = "Section 5",
      .says =
          "The lower bound for AAB is very tight and indicates that all the links are busy in all "
          "7 steps",
      .criterion = "links of the columns of Table 2"},
     ss_judge_all_busy},
    {{.name = "table-4",
      .where = "Table 4",
      .says = "AAS in 7 steps on 8-node fat tree network",
      .criterion =
          "each pair of nodes is there, and the transfers of a column have shortest ways that "
          "share no link"},
     ss_judge_table_4},
    {{.name = "example-of-the-model",
      .where = "Section 5, (1)",
      .says =
          "duration of one communication step has the value of 1.512 us and the resulting CC times "
          "range from 3.02 us (2 steps) up to 1499us (992 steps)",
      .criterion = "to the last digit, 1,024 bytes"},
     ss_judge_example},
    {{.name = "model",
      .where = "Section 5, (1)",
      .says = "the real computational times of CC can be obtained as a sum of communication steps, "
              "each "
              "step composed of a start-up delay plus the serialization delay",
      .criterion =
          "cycles on RTL, steps at times, within a third of what the model says with alpha and "
          "beta measured on the longest way",
      .note =
          "A step at times has room for one start-up more, that of the receiver. A node has one "
          "interface here, so messages of an all-port step are handed over one after the other."},
     ss_judge_model},
    {{.name = "contention-avoided",
      .where = "Section 5",
      .says = "Contention for links and associated delays are completely avoided in our schedules",
      .criterion = "schedules of the fewest steps, carried out on RTL, each step at its time"},
     ss_judge_avoided},
    {{.name = "synchronized-steps",
      .where = "Abstract",
      .says = "To avoid link contentions and associated delays, collective communications are "
              "processed "
              "in synchronized steps",
      .criterion = "contention without synchronization: at least one run on RTL blocks"},
     ss_judge_unseparated},
    {{.name = "b-trees-fall",
      .where = "Section 5",
      .says = "their performance rapidly decrease with the number of connected processing nodes",
      .criterion =
          "all-to-all scatter on RTL, B-Tree over F-Tree, grows by half or more each time the "
          "nodes are doubled"},
     ss_judge_b_tree_falls},
    {{.name = "fat-trees-best",
      .where = "Section 6",
      .says = "From all MINs, Fat tree networks promise the best scalable performance",
      .criterion = "no other network takes fewer cycles on RTL, steps at times, as many nodes",
      .note =
          "Steps are as many. What is left is the way: an F-Tree's longest one goes up and down."},
     ss_judge_f_tree_best},
    {{.name = "success-rates",
      .where = "Table 5",
      .says =
          "The success rates of OAS and OAB communications match the value of 100% in all tested "
          "topologies",
      .criterion = "seeds of the evolution here that reach the paper's steps",
      .note = "An attempt ends after a number of evaluations that takes about a second."},
     ss_judge_rates},
    {{.name = "all-to-all-rates",
      .where = "Section 5, Table 5",
      .says =
          "The success rates of all-to-all CC embody also sufficient values. Only for the most "
          "complex benchmarks the success rate dropped bellow applicable values of 50% (trees with "
          "more then 16 communicating nodes)",
      .criterion = "seeds of the evolution here that reach the paper's steps",
      .note = "The paper's own Table 5 has 40% for the scatter between all on Clos 16."},
     ss_judge_all_to_all_rates},
    {{.name = "scatter-under-a-second",
      .where = "Section 5, Table 6",
      .says = "OAS communication is relatively easy; a solution takes always less than one second",
      .criterion = "seconds of a processor for the evolution here"},
     ss_judge_scatter_second},
    {{.name = "fewest-steps-proved",
      .where = "here",
      .says = "Every row of Tables 1 and 3 has a schedule that is proved to have the fewest steps",
      .criterion = "steps and lower bound, by counting or by the solver's checked proof"},
     ss_judge_proved},
    {{.name = "paper-never-fewer",
      .where = "here",
      .says = "The paper nowhere has fewer steps",
      .criterion = "its tables, without the Butterfly as the specification numbers it"},
     ss_judge_no_fewer},
    {{.name = "search-time",
      .where = "here",
      .says = "All of them together take a hundredth of the evolution's time, or less",
      .criterion = "Table 6 without its failed runs, and seconds of this machine"},
     ss_judge_time},
    {{.name = "evolution-as-few",
      .where = "here",
      .says = "The evolution here reaches the paper's steps",
      .criterion = "rows of which one seed does; where that is fewer than the bound, the bound",
      .note = "The paper's runs took up to six days, an attempt here about a second."},
     ss_judge_as_few},
    {{.name = "evolution-optimal",
      .where = "here",
      .says = "The evolution here reaches the fewest steps, too",
      .criterion = "rows, from the bound up, seed 1"},
     ss_judge_evolved_optimal},
    {{.name = "barriers",
      .where = "here",
      .says = "Steps after hardware barriers block nothing",
      .criterion = "runs on RTL",
      .note =
          "Nodes without a transfer in a step arrive at the next barrier while others send, and "
          "the "
          "first to be released send while others are not. Data then waits for a barrier message. "
          "With settle_cycles they never meet."},
     ss_judge_barriers},
    {{.name = "unseparated-is-faster",
      .where = "here",
      .says = "Steps that are not separated are faster, whether messages block or not",
      .criterion = "cycles on RTL"},
     ss_judge_faster},
};
enum { N_STATEMENTS = sizeof all / sizeof *all };

struct study_statement *ss_judge(const struct ss_results *r, uint32_t *n)
{
  struct study_statement *statements = hd_xmalloc(N_STATEMENTS * sizeof *statements);
  *n = N_STATEMENTS;
  for (uint32_t i = 0; i < *n; i++) {
    statements[i] = all[i].statement;
    all[i].judge(r, &statements[i]);
  }
  return statements;
}
