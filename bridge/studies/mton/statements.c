/* The paper's statements, in its words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../../host/memory.h"

#include <stdlib.h>

static const struct {
  struct study_statement statement;
  void (*judge)(const struct mts_results *results, struct study_statement *statement);
} all[] = {
    {{.name = "table-1",
      .where = "Table 1",
      .says = "Concurrent Source-Destination Pairs for 6-to-10 Communication",
      .criterion = "all destinations exist",
      .note = "The text goes around at the table's end; the printed table does not."},
     mts_judge_table_1},
    {{.name = "6-to-10",
      .where = "Section V-A",
      .says = "There is no link/switch/endpoint contention during each cycle. It is also available "
              "when using D-mod-k routing",
      .criterion = "6-to-10 on the extended 2-ary 3-tree"},
     mts_judge_6_to_10},
    {{.name = "no-contention-up-to-N",
      .where = "Section I",
      .says = "When M < N or M = N, a node-level communication schedule based on contiguous task "
              "mapping scheme can avoid hot-spot congestion totally without any extra overhead",
      .criterion = "M <= N <= 16 on the extended 2-ary 3-tree",
      .note = "Sources begin at node 0, destinations at the next multiple of 4, or earlier if they "
              "do not fit. A schedule goes wrong where it goes around: entries at the table's end "
              "and its beginning come to differ by less than a block of nodes below one switch."},
     mts_judge_no_contention},
    {{.name = "groups",
      .where = "Section V-A",
      .says = "the first i-1 communications are N-to-N pattern and the last one is (M mod N)-to-N "
              "pattern. They can be implemented efficiently",
      .criterion = "N < M <= 16 on the extended 2-ary 3-tree"},
     mts_judge_groups},
    {{.name = "closed-form",
      .where = "here",
      .says = "S-mod-k contends if and only if for some l < n floor(N/k^l) >= 1 and M > k^l "
              "floor(N/k^l), D-mod-k if and only if for some l < n 0 < N mod k^l < M",
      .criterion = "M <= N, destinations from a multiple of k^(n-1), no node in both groups"},
     mts_judge_closed_form},
    {{.name = "checker",
      .where = "here",
      .says = "heddle schedule names contention exactly if the run blocks flits",
      .criterion = "all M, N <= 16 on the extended 2-ary 3-tree"},
     mts_judge_checker},
    {{.name = "padded",
      .where = "here",
      .says = "the next length of the table that passes removes all contention",
      .criterion = "all M, N <= 16 on the extended 2-ary 3-tree"},
     mts_judge_padded},
    {{.name = "latency-of-five-hops",
      .where = "Section VI-B",
      .says = "the theoretical delay of transmitting through five hops is only about 1.484 us",
      .criterion = "the paper's own parts of it",
      .note = "The 26 ns between are not explained; the paper also has 110.6 and 111.6 ns for one "
              "hop of the same switch."},
     mts_judge_zero_load},
    {{.name = "throughput-of-a-pair",
      .where = "Section VI-B, Fig. 7",
      .says = "The throughput per port can reach to 14.222 Gbps. The theoretical bandwidth is 16 "
              "Gbps",
      .criterion = "one pair, 256-byte packets",
      .note = "14.222 is 16 times 32/36: a packet takes 36 cycles. Ours has 34 flits: header, "
              "envelope, and 32 of payload."},
     mts_judge_throughput},
    {{.name = "fair-port",
      .where = "Section VI-B, Fig. 8",
      .says =
          "the output port in the switch won't be occupied by one input port all the time until "
          "there are no packets from this port",
      .criterion = "2-to-1, packets at once"},
     mts_judge_fair_port},
    {{.name = "hot-spot-leaves-2.5",
      .where = "Section VI-B, Fig. 9",
      .says = "two 2-to-1 communication transactions, where the average throughput is only 2.4967 "
              "Gbps",
      .criterion = "2-to-1",
      .note = "Two sources share a port of 16 Gb/s; each gets near half of it if it sends as much "
              "as it can. 2.4967 Gb/s is what these sources sent, not what the hot spot left."},
     mts_judge_hot_spot_slow},
    {{.name = "hot-spot-grows",
      .where = "Section VI-B, Fig. 10",
      .says = "the average throughput in the case showed in Fig. 10 is nearly full and the latency "
              "is increased continuously",
      .criterion = "2-to-1, packets at once"},
     mts_judge_hot_spot},
    {{.name = "2-to-2",
      .where = "Section VI-B, Fig. 11",
      .says = "if removing the hot-spot, the latency can be decreased about 200 ns",
      .criterion = "2-to-2; 100 to 300 ns",
      .note = "A packet waits for one other packet: 34 cycles of 4 ns."},
     mts_judge_2_to_2},
    {{.name = "2-to-4",
      .where = "Section VI-B",
      .says = "2-to-4 personalized concurrent communication (the latency situation is similar to "
              "Fig.11)",
      .criterion = "2-to-4; 100 to 300 ns"},
     mts_judge_2_to_4},
    {{.name = "unscheduled-latency",
      .where = "Section VI-B, Fig. 12",
      .says =
          "The latency can be as long as 34.784 us, while the theoretical delay of transmitting "
          "through five hops is only about 1.484 us",
      .criterion = "48-to-54 in order of address, unscheduled; at least the paper's ratio",
      .note =
          "In which order the paper's sources send, and how fast, it does not say. Here all "
          "send to the same destination at the same time, and latency counts from when software "
          "hands a message over."},
     mts_judge_unscheduled},
    {{.name = "virtual-destinations",
      .where = "Section VI-B, Fig. 13",
      .says =
          "The communication overhead has been reduced a lot. But there are still hot-spot "
          "contentions because the virtual destinations share routing links with some of the 54 "
          "nodes",
      .criterion = "48-to-72: the 18 virtual destinations after the 54, in one table, by slot"},
     mts_judge_virtual},
    {{.name = "hierarchical-is-like-one-pair",
      .where = "Section VI-B, Fig. 14",
      .says = "the situation of the latency, which is similar to the case with only single "
              "source-destination pair",
      .criterion = "48-to-54 and then 48-to-18 in three transactions, by slot",
      .note = "Its phases of 18 sources and 18 destinations contend by the closed form: 18 > 16 "
              "floor(18/16)."},
     mts_judge_hierarchical},
    {{.name = "9.216-us-more",
      .where = "Section VI-B",
      .says = "the processing time of source nodes is increased about 9.216 us, compared to the "
              "original case if having no head-of-line blocking",
      .criterion = "slots beyond the messages of a source; a message of 480 bytes has 64 flits, "
                   "256 ns"},
     mts_judge_more_processing},
    {{.name = "decrease-of-twice",
      .where = "Section VI-B",
      .says = "the total communication overhead is still improved, which is a decrease of twice",
      .criterion = "48-to-54",
      .note = "Unscheduled as above: the worst order. How the paper's original order fares between "
              "this and the schedule, it does not say."},
     mts_judge_twice},
    {{.name = "96-slots",
      .where = "here",
      .says = "48-to-54 with 18 doubled destinations takes 96 slots without contention, not 108",
      .criterion = "48-to-54, by slot"},
     mts_judge_merged},
};
enum { N_STATEMENTS = sizeof all / sizeof *all };

struct study_statement *mts_judge(const struct mts_results *r, uint32_t *n)
{
  struct study_statement *statements = hd_xmalloc(N_STATEMENTS * sizeof *statements);
  *n = N_STATEMENTS;
  for (uint32_t i = 0; i < *n; i++) {
    statements[i] = all[i].statement;
    all[i].judge(r, &statements[i]);
  }
  return statements;
}
