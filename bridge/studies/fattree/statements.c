/* The paper's statements, in its words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include "../../host/memory.h"

#include <stdlib.h>

static const struct {
  struct study_statement statement;
  void (*judge)(const struct fts_results *results, struct study_statement *statement);
} all[] = {
    {{.name = "routers",
      .where = "Section 2.1",
      .says = "there are totally 5/4 k² routers",
      .criterion = "counted in the network as built"},
     fts_judge_switches},
    {{.name = "internal-links",
      .where = "Section 2.1",
      .says = "and 1/2 k³ internal links in the whole network",
      .criterion = "counted in the network as built"},
     fts_judge_links},
    {{.name = "external-links",
      .where = "Section 2.1",
      .says = "each edge router is restricted to connect to at most k/2 hosts through external "
              "links, so there are totally at most k³/4 external links",
      .criterion = "counted in the network with as many nodes as it takes"},
     fts_judge_nodes},
    {{.name = "minimal-steps",
      .where = "Section 2.3",
      .says = "we have k/2 different choices of going upwards, each can validly take us to the "
              "final destination within minimal steps",
      .criterion = "every up port of every switch, for every edge switch that it is not above"},
     fts_judge_minimal_steps},
    {{.name = "lower-latency",
      .where = "Section 3.1",
      .says = "FatTree maintained lower and more consistent latency levels",
      .criterion = "lower: each mesh and the smallest FatTree with as many nodes, at the lowest "
                   "load and at the highest that the mesh takes",
      .note = "The paper does not say here by which routing its FatTrees were run."},
     fts_judge_lower},
    {{.name = "more-consistent-latency",
      .where = "Section 3.1",
      .says = "FatTree maintained lower and more consistent latency levels",
      .criterion =
          "more consistent: latency over that of the lowest load, at the highest load that "
          "the mesh takes"},
     fts_judge_steady},
    {{.name = "meshes-rise",
      .where = "Section 3.1",
      .says = "Mesh configurations, which experienced a significant increase in latency with "
              "higher injection rates",
      .criterion = "twice, or more"},
     fts_judge_meshes_rise},
    {{.name = "scalability",
      .where = "Section 3.1",
      .says = "FatTree topologies excel in stability and scalability, particularly under high "
              "traffic conditions",
      .criterion = "what a node gets accepted at most, large networks over small ones"},
     fts_judge_scale},
    {{.name = "linear-reception",
      .where = "Section 3.2",
      .says = "both increase linearly when injection rate increases, no serious conjestion occurs "
              "in these settings",
      .criterion = "not saturated at any load up to 0.9",
      .note = "The paper's text does not give its rates. Up to the loads below it is right."},
     fts_judge_linear},
    {{.name = "adaptive-alleviates",
      .where = "Section 3.2",
      .says = "our adaptive routing algorithm makes a great progress to alleviate the busy network "
              "traffic compared to the deterministic baseline algorithm",
      .criterion = "k/2 nodes at each edge switch; great: a quarter more accepted, or all that is "
                   "offered at the highest load"},
     fts_judge_alleviates},
    {{.name = "adaptive-alleviates-one-node",
      .where = "Section 3.2",
      .says = "our adaptive routing algorithm makes a great progress to alleviate the busy network "
              "traffic compared to the deterministic baseline algorithm",
      .criterion = "one node at each edge switch; great: a quarter more accepted, or all that is "
                   "offered at the highest load",
      .note = "With one node, no two nodes share an up port; what is left is contention further up "
              "and down. A routing that is not saturated at 0.9, the highest load measured, may "
              "accept more than is counted."},
     fts_judge_alleviates_one},
    {{.name = "progress-without-congestion",
      .where = "Section 3.2",
      .says =
          "no serious conjestion occurs in these settings; our adaptive routing algorithm makes "
          "a great progress to alleviate the busy network traffic",
      .criterion = "both at once: at most four fifths of the latency, at the highest load at "
                   "which the deterministic routing is not saturated"},
     fts_judge_without_congestion},
    {{.name = "avoids-competition",
      .where = "Section 3.2",
      .says = "avoiding the competition for single deterministic channels",
      .criterion = "at most four fifths of the blocked flit-cycles, at the same load"},
     fts_judge_competition},
    {{.name = "global-congestion",
      .where = "Section 2.3",
      .says = "we defined the congestion value of a router as the number of packages currently "
              "going through that router, kept maintainence of all congestion values in the "
              "GarnetNetwork class",
      .criterion = "what this adds to free credits at the own output",
      .note = "A simulator can look into the next router in the same cycle; a router cannot. Our "
              "switches choose by the free credits of their own outputs here. What global "
              "knowledge adds is measured apart from this study, in the model alone: "
              "docs/congestion.md."},
     fts_judge_nothing},
    {{.name = "one-up-port",
      .where = "here",
      .says = "Position routing sends all packets of an edge switch by one up port, so uniform "
              "traffic has at most (N-1)/(h(N-h)) flits a node and cycle",
      .criterion = "h = k/2 nodes at each of the edge switches, N in all"},
     fts_judge_one_up_port},
    {{.name = "adaptive-over-minimal",
      .where = "here",
      .says = "Adaptive routing accepts no less than a deterministic one that spreads ways over "
              "the up ports by their destinations",
      .criterion = "not below what minimal routing accepts by more than the confidence interval of "
                   "their ratio over the seeds"},
     fts_judge_by_destination},
    {{.name = "adaptive-on-meshes",
      .where = "here",
      .says = "Adaptive routing on a mesh accepts no less than dimension order",
      .criterion = "not below what dimension order accepts by more than the confidence interval of "
                   "their ratio over the seeds",
      .note = "A packet that chooses has three of the four channels; the fourth is the way out."},
     fts_judge_on_meshes},
};
enum { N_STATEMENTS = sizeof all / sizeof *all };

struct study_statement *fts_judge(const struct fts_results *r, uint32_t *n)
{
  struct study_statement *statements = hd_xmalloc(N_STATEMENTS * sizeof *statements);
  *n = N_STATEMENTS;
  for (uint32_t i = 0; i < *n; i++) {
    statements[i] = all[i].statement;
    all[i].judge(r, &statements[i]);
  }
  return statements;
}
