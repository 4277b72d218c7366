/* Parts that all barrier programs share: groups, rounds, background traffic, congestion, checks, statistics.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program says in struct hd_barrier_algorithm by which messages a group completes a barrier. The rest is
 * the same for all programs, so that what they measure can be compared.
 *
 * **Rounds.** A round's duration goes from the last arrival, start-up included, to the last departure;
 * the first round of a group is told apart from the later ones. Every member checks that nobody leaves
 * a round before the last has arrived. With `align` 0 each member goes on by itself. Otherwise all
 * members begin a round in the same cycle, the next multiple of `align` after the one before.
 *
 * **Congestion** (barrier paper, Section 4.2: the congested members "cannot forward barrier messages
 * [...] but can receive barrier messages from other nodes until the congestion is gone", all of them
 * from the beginning of the barrier for the same time) is made of data packets that stand still. For a
 * congested member m let y be a node on the switch at the far end of the link by which m's message leaves m's
 * switch on its way to the center. Before each round but the first, in which the switches
 * build their tree:
 *  1. y holds its interface (hd_ep_hold); a congested member sends it as many packets of a buffer's
 *     length as a link has channels, which takes all credits of y's interface;
 *  2. when they are there, each congested member of y sends it as many packets of two buffers' length:
 *     their heads wait at y's switch with a buffer's worth after them, and the other half fills the
 *     input buffers of m's node at m's own switch. So each channel of the link from m's switch is owned
 *     by a packet that stands still, without a credit, and nothing of m's node can get past them;
 *  3. when they stand, the round begins; y holds its interface `congestion` cycles longer. When that
 *     is over the packets go on to y, and the next round waits until they are gone.
 * Steps 1 and 2 take as long as the network says (hd_ep_link: pass_cycles). Members whose message could
 * leave by another link as well are congested only where there are not enough others: the switches
 * would send their messages around. With `load` other packets are between these, and
 * what stands still is not as exact. That y's own messages wait at its interface, too, where
 * they need credits, is part of it.
 */
#ifndef HD_BARRIER_COMMON_H
#define HD_BARRIER_COMMON_H

#include "common.h"

enum { HD_BARRIER_GROUPS = 32 };

/** The parameters of all barrier programs, for their lists; values in struct hd_barrier_task. */
#define HD_BARRIER_PARAMETERS                                                                      \
  "members: number of nodes in a group, or all; the seed chooses them (all)",                      \
      "rounds: how often a group meets (100)",                                                     \
      "center: center of a group: lowest, middle, or a node, which is then a member (lowest)",     \
      "compute: largest time in cycles that a member computes before a round, at random (0)",      \
      "start: cycle before which no round begins (0)",                                             \
      "align: all members begin a round in the same cycle, a multiple of this number; 0: each "    \
      "by itself (0; with congested members 64)",                                                  \
      "congested: number of members that find blocked data in front of their messages; the seed "  \
      "chooses them (0)",                                                                          \
      "congestion: cycles for which the data are blocked, from the beginning of each round "       \
      "but the first (100)",                                                                       \
      "load: data flits a node injects in a cycle on average until the last round is over, 0 to 1" \
      " (0)",                                                                                      \
      "flits: flits of such a packet, header included (4)"
#define HD_BARRIER_PARAMETER_NAMES \
  "members, rounds, center, compute, start, align, congested, congestion, load, flits"

/** Background traffic: packets of this node to random nodes. */
struct hd_background_traffic {
  double scale; /* scale of the gaps' logarithms */
  uint32_t flits;
  uint64_t next; /* cycle of the next packet; the largest cycle without load */
};

/** Parameters of a barrier program. */
struct hd_barrier_task {
  uint64_t rounds, compute, start, align, congestion;
  int groups, members, congested; /* groups; of each: members, congested ones */
  enum hd_ep_center center_rule;
  int center; /* HD_EP_CENTER_RANK */
  struct hd_background_traffic traffic;
};

struct hd_member_tree;

/** The messages by which a group completes a barrier. `part` is this node's part of the group. */
struct hd_barrier_algorithm {
  /** Joins the group; each member calls it. */
  void *(*join)(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm,
                const struct hd_barrier_task *m, const int *members, int group);
  /** Arrives at the barrier: sends what this member can send without waiting. */
  void (*arrive)(struct hd_ep *ep, void *part, uint64_t round);
  /** Returns when all members have arrived, and every member that waits for this node knows it. */
  void (*wait)(struct hd_ep *ep, void *part, struct hd_background_traffic *t, uint64_t round);
  /** Called after the last round; may be NULL. */
  void (*leave)(struct hd_ep *ep, void *part);
  /** Returns the link by which a member's message leaves on its way to the center. */
  struct hd_ep_link (*link)(struct hd_ep *ep, const void *part, int member);
  /** Barriers by messages: adds all members but the center to the tree. */
  void (*build)(struct hd_ep *ep, struct hd_member_tree *tree, const int *members, int n,
                int center);
};

/** Runs the whole program. */
void hd_barrier_program_run(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm);

/** Returns the center of these members by the rule. */
int hd_barrier_center(struct hd_ep *ep, const struct hd_barrier_task *m, const int *members);

/** Sends the packets that are due. */
void hd_background_inject_due(struct hd_ep *ep, struct hd_background_traffic *t);

/** Does what hd_ep_wait does, and sends the packets that become due meanwhile. */
void hd_background_wait_request(struct hd_ep *ep, struct hd_background_traffic *t,
                                hd_ep_request request);

#endif
