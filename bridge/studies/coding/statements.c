/* The paper's statements, in its words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include "../../host/memory.h"

#include <stdlib.h>

static const struct {
  struct study_statement statement;
  void (*judge)(const struct cs_results *results, struct study_statement *statement);
} all[] = {
    {{.name = "tree-2.7-million",
      .where = "Section 1, Fig. 2",
      .says = "the original multicast (2.7 millions)",
      .criterion = "hops of tree-based broadcasts of all nodes on a 32-ary 2-mesh: 2.65 to 2.75 "
                   "million",
      .note = "Recursive halving, dimension after dimension, has this very number: 2,703,360."},
     cs_judge_tree_hops},
    {{.name = "coded-0.67-million",
      .where = "Section 1, Fig. 2",
      .says = "the network coding only consumes 0.67 million aggregate unicast hop counts of "
              "packets in a 32-ary 2-mesh",
      .criterion = "hops of all steps, as Section 3 has them: at most 0.675 million",
      .note = "Any broadcast between all by unicasts needs N(N - 1) = 1.05 million: see "
              "0.67-is-step-F."},
     cs_judge_coded_hops},
    {{.name = "75-percent",
      .where = "Section 1",
      .says = "it reduces the unicast hop counts by 75%",
      .criterion = "all steps, the best group, against the tree: at least 74.5 percent saved"},
     cs_judge_75},
    {{.name = "94-percent",
      .where = "Sections 1 and 4.2, Fig. 5",
      .says = "In a 4,096-switch network, this technique improves the aggregate number of unicast "
              "path hops by 94%",
      .criterion = "64-ary 2-mesh, all steps, the best group, against the tree: at least 93.5 "
                   "percent saved"},
     cs_judge_94},
    {{.name = "32-times-less",
      .where = "Section 4.4, Fig. 8",
      .says = "the hop counts required by network coding for this all-to-all scenario in the "
              "256-ary 2-mesh is 32 times less than that of the all-at-once multicast",
      .criterion = "all steps, the best group: at least 31.5 times fewer hops"},
     cs_judge_32_times},
    {{.name = "benefit-grows",
      .where = "Sections 1 and 4.4",
      .says = "the benefit of hierarchical network coding increases as the network size increases",
      .criterion = "percent saved by the best group: no less than on the next smaller network"},
     cs_judge_grows},
    {{.name = "best-group-hops",
      .where = "Section 4.3, Fig. 6",
      .says = "The best group size is 32 nodes per group",
      .criterion = "16-ary 2-mesh, tree: no group size has fewer hops than 32"},
     cs_judge_group_hops},
    {{.name = "largest-2x128",
      .where = "Section 6.1, Fig. 6",
      .says = "the largest hop count is the case for configuration 2M x 128G",
      .criterion = "16-ary 2-mesh, tree: no group size has more hops than 2"},
     cs_judge_largest},
    {{.name = "torus-alike",
      .where = "Section 4.5, Fig. 9",
      .says = "A good performance gain similar to the case for the k-ary 2-meshes is obtained",
      .criterion = "all-at-once: percent saved no more than 10 below the mesh's: hops of the best "
                   "groups, and what runs with groups of 32 came to",
      .note = "The figure has the ratio of hops over k. The 32-ary torus ran on the model alone."},
     cs_judge_torus},
    {{.name = "more-sources-more-benefit",
      .where = "Section 6.3, Fig. 18",
      .says = "the benefits of the hierarchical network coding increase as the number of sources "
              "increases. Thus, the most beneficial case is the all-to-all multicast scenario",
      .criterion = "16-ary 2-mesh, all-at-once, groups of 32, on RTL: hops and cycles relative to "
                   "those without coding fall whenever sources double",
      .note =
          "The figure has the ratio of hops over the number of sources. The paper does not say "
          "which nodes are sources. Spread: every so many nodes one; together: the first rows."},
     cs_judge_sources},
    {{.name = "recursive-saves-more",
      .where = "Section 6.4, Fig. 19",
      .says = "the recursive network coding achieves more reduction in the aggregate hop counts",
      .criterion = "all-at-once: the best recursive form against the best group of one level, "
                   "counted and carried out",
      .note = "The figure has the ratio of hops over k. The 32-ary mesh ran on the model alone."},
     cs_judge_recursive},
    {{.name = "recursion-is-marginal",
      .where = "Section 6.4",
      .says = "the advantage to recursively applying the network coding is marginal",
      .criterion = "it saves at most 10 percent of the hops without coding, and of the cycles"},
     cs_judge_marginal},
    {{.name = "longest-paths",
      .where = "Section 6.1, Figs. 7 and 15",
      .says = "group size 32 [...] achieved the best balance between longest path count for group "
              "nodes and intermediate nodes",
      .criterion = "M-hops and G-hops of the printed table, with intermediate nodes as near to the "
                   "middle as their groups allow"},
     cs_judge_balance},
    {{.name = "three-times-tree",
      .where = "Section 5.2, Fig. 10",
      .says = "The hierarchical network coding speeds up the all-to-all broadcast communications "
              "by three times",
      .criterion = "32-ary 2-mesh, tree, groups of 32, on RTL: at least 2.9 times"},
     cs_judge_three_times_tree},
    {{.name = "tree-wins-when-small",
      .where = "Section 5.2",
      .says = "the performance of the tree-based multicast is better than that with the "
              "hierarchical network coding in small networks, while the hierarchical network "
              "coding achieves better performance in large networks",
      .criterion = "4-ary: at most as fast with coding; 32-ary: at least"},
     cs_judge_small_tree},
    {{.name = "best-group-time",
      .where = "Section 5.3, Fig. 11",
      .says = "The best group size is 32 nodes per group",
      .criterion = "16-ary 2-mesh, tree, on RTL: no group size takes fewer cycles than 32"},
     cs_judge_group_time},
    {{.name = "three-times-all-at-once",
      .where = "Section 5.4, Fig. 12",
      .says = "The hierarchical network coding speeds up the multicast communications in the "
              "all-to-all broadcast scenario by three times in the execution time for a 32-ary "
              "2-mesh",
      .criterion = "groups of 32, on RTL: at least 2.9 times"},
     cs_judge_three_times_all},
    {{.name = "slightly-better-when-small",
      .where = "Section 5.4",
      .says = "the performance is slightly improved by the hierarchical network coding in small "
              "networks up to 8-ary 2-mesh",
      .criterion = "all-at-once, 4-ary and 8-ary, on RTL: at least as fast with coding"},
     cs_judge_small_all},
    {{.name = "70-percent",
      .where = "Abstract, Section 7",
      .says = "In 1,024-switch networks, the network reduces the execution time of collective "
              "communications as much as 70%",
      .criterion = "32-ary 2-mesh, groups of 32, on RTL: at least 69.5 percent saved"},
     cs_judge_70},
    {{.name = "every-length",
      .where = "Section 5.5, Fig. 13",
      .says = "The network coding always improve the execution time",
      .criterion = "16-ary 2-mesh, tree, groups of 32, 1 to 16 flits, on RTL: time saved",
      .note = "Here the paper speaks of 32 groups, elsewhere of 32 nodes in a group."},
     cs_judge_lengths},
    {{.name = "53-percent",
      .where = "Section 5.5, Fig. 13",
      .says = "As the packet length increases, it becomes more beneficial, up to 53% for the case "
              "of 16-flit packet transfer",
      .criterion =
          "at least 52.5 percent of the time saved with 16 flits, and no less than with 1"},
     cs_judge_53},
    {{.name = "xor-latency-is-marginal",
      .where = "Section 5.6, Fig. 14",
      .says = "the overhead only marginally affects the end-to-end latency",
      .criterion = "16-ary 2-mesh, tree, groups of 32, on RTL: at most 10 percent more time",
      .note = "The paper's overhead is at the intermediate nodes. A coder's latency is that of "
              "decoding, too."},
     cs_judge_xor},
    {{.name = "coding-beats-combining",
      .where = "Section 6.5",
      .says = "the hierarchical network coding is expected to have a lower end-to-end latency when "
              "using small packets",
      .criterion = "16-ary 2-mesh, tree, groups of 32, one flit, on RTL: no more cycles than with "
                   "message combining",
      .note =
          "A message of 32 data of one flit is two packets of 16, as virtual cut-through allows "
          "here, or a packet for each datum."},
     cs_judge_combining},
    {{.name = "1276-against-1832",
      .where = "Section 6.5",
      .says = "the end-to-end latency for the hierarchical network coding is 1,276 cycles while it "
              "is 1,832 cycles for the message combining",
      .criterion = "16-ary 2-mesh, tree, groups of 32, on RTL: within 10 percent",
      .note = "The paper's hop takes three cycles, this switch's four at least; steps one after "
              "the other end with a barrier."},
     cs_judge_1276},
    {{.name = "0.67-is-step-F",
      .where = "here",
      .says = "0.67 million hops on the 32-ary 2-mesh, and 32 times fewer on the 256-ary one, are "
              "those of step F alone with groups of 32",
      .criterion = "step F: 0.665 to 0.675 million; 31.5 to 32.5 times fewer"},
     cs_judge_left_out},
    {{.name = "floor",
      .where = "here",
      .says = "No plan needs fewer hops than N(N - 1), and unicasts from neighbour to neighbour "
              "need no more",
      .criterion = "both, at each size"},
     cs_judge_floor},
    {{.name = "hops-without-coding",
      .where = "here",
      .says = "The same hierarchy without coding needs fewer hops",
      .criterion = "the best group of each"},
     cs_judge_plain_hops},
    {{.name = "formula-sends-switches",
      .where = "here",
      .says = "Formula, sends and switches count the same hops",
      .criterion = "formula and sends for all plans up to 1,024 nodes, and some of 4,096; switches "
                   "in all runs"},
     cs_judge_equal},
    {{.name = "own-channels",
      .where = "here",
      .says = "A virtual channel for each step, as Section 3 has it against deadlocks, makes steps "
              "that overlap no faster than channels that they share",
      .criterion = "16-ary 2-mesh, tree, groups of 32, one flit, on RTL: at most 5 percent saved",
      .note = "No packet waits in the network for another step: nodes take every packet. So steps "
              "that share channels cannot deadlock either."},
     cs_judge_channels},
    {{.name = "rivals-are-faster",
      .where = "here",
      .says = "The same hierarchy without coding, and unicasts from neighbour to neighbour, are "
              "faster, too",
      .criterion = "tree, steps overlapping, on RTL: no more cycles than with coding"},
     cs_judge_rivals},
};
enum { STATEMENTS = sizeof all / sizeof *all };

struct study_statement *cs_judge(const struct cs_results *results, uint32_t *n)
{
  struct study_statement *statements = hd_xcalloc(STATEMENTS, sizeof *statements);
  *n = STATEMENTS;
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    statements[i] = all[i].statement;
    all[i].judge(results, &statements[i]);
  }
  return statements;
}
