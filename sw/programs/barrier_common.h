/* Shared by all barrier programs: groups, rounds, background traffic, congestion, statistics.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each program gives the messages of its barrier as a struct hd_barrier_algorithm. Everything else
 * is the same for all programs, so that their results can be compared.
 *
 * **Rounds.** The duration of a round is the time from the last arrival, start-up included, to the
 * last departure. The first round of a group is reported apart from the later ones. Every member
 * checks that nobody leaves a round before the last member has arrived. With `align` 0, each member
 * goes on as soon as it can. Otherwise all members begin a round in the same cycle: the next
 * multiple of `align` after the round before.
 *
 * **Congestion.** The barrier paper, Section 4.2, says that congested members "cannot forward
 * barrier messages [...] but can receive barrier messages from other nodes until the congestion is
 * gone"; all of them are congested from the beginning of the barrier for the same time. Here, data
 * packets that are blocked cause it. Let m be a congested member, and let y be a node on the switch
 * at the other end of the link by which m's message leaves m's switch towards the center. Before
 * each round but the first, in which the switches build their tree:
 *  1. y blocks its interface (hd_ep_hold). A congested member sends y one packet of a buffer's
 *     length for each channel of the link. They use up all credits of y's interface.
 *  2. When they have arrived, each congested member of y sends it as many packets, each as long as
 *     two buffers. The head of each waits at y's switch, with a buffer's worth of flits after it.
 *     The other half fills the input buffers of m's node at m's own switch. So each channel of the
 *     link from m's switch belongs to a blocked packet without a credit, and no message of m's node
 *     can pass.
 *  3. When they are blocked, the round begins. y blocks its interface for `congestion` more cycles.
 *     Then the packets go on to y, and the next round waits until they are gone.
 *
 * The network gives the length of steps 1 and 2 (hd_ep_link: pass_cycles). A member whose message
 * could also leave by another link is congested only if there are not enough others, because
 * switches would send its message around. With `load`, other packets come between, and the
 * congestion is less exact. y's own messages wait at its interface, too, if they need credits; that
 * is part of the method.
 */
#ifndef HD_BARRIER_COMMON_H
#define HD_BARRIER_COMMON_H

#include "common.h"

enum { HD_BARRIER_GROUPS = 32 };

/** The parameters of all barrier programs. Their values are in struct hd_barrier_task. */
#define HD_BARRIER_PARAMETERS                                                                      \
  "members: number of nodes in a group, or all; the seed chooses them (all)",                      \
      "rounds: number of barriers of a group (100)",                                               \
      "center: center of a group: lowest, middle, or a node, which is then a member (lowest)",     \
      "compute: a member computes for 0 to so many cycles before a round, at random (0)",          \
      "start: cycle before which no round begins (0)",                                             \
      "align: all members begin a round in the same cycle, a multiple of this number; 0: each as " \
      "soon "                                                                                      \
      "as it can (0; with congested members 64)",                                                  \
      "congested: number of members that find blocked data in front of their messages; the seed "  \
      "chooses them (0)",                                                                          \
      "congestion: cycles for which the data are blocked, from the beginning of each round "       \
      "but the first (100)",                                                                       \
      "load: data flits that a node injects in a cycle on average, until the last round, 0 to 1"   \
      " (0)",                                                                                      \
      "flits: length of a data packet, header included (4)"
#define HD_BARRIER_PARAMETER_NAMES \
  "members, rounds, center, compute, start, align, congested, congestion, load, flits"

/** Background traffic: packets of this node to random nodes. */
struct hd_background_traffic {
  double scale; /* 1 / log(1 − packets a cycle): scale of the random gaps */
  uint32_t flits;
  uint64_t next; /* cycle of the next packet; UINT64_MAX without load */
};

/** Parameters of a barrier program. */
struct hd_barrier_task {
  uint64_t rounds, compute, start, align, congestion;
  int groups, members, congested; /* number of groups; members and congested members of each */
  enum hd_ep_center center_rule;
  int center; /* HD_EP_CENTER_RANK */
  struct hd_background_traffic traffic;
};

struct hd_member_tree;

/** The messages by which a group completes a barrier. `part` is this node's part of the group. */
struct hd_barrier_algorithm {
  /** Joins the group and returns this node's part of it. Each member calls it. */
  void *(*join)(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm,
                const struct hd_barrier_task *m, const int *members, int group);
  /** Arrives at the barrier: sends what this member can send without waiting. */
  void (*arrive)(struct hd_ep *ep, void *part, uint64_t round);
  /** Waits until all members have arrived, and until every member that waits for this node has been
   *  sent the message. */
  void (*wait)(struct hd_ep *ep, void *part, struct hd_background_traffic *t, uint64_t round);
  /** Called after the last round; may be NULL. */
  void (*leave)(struct hd_ep *ep, void *part);
  /** Returns the link by which a member's message leaves on its way to the center. */
  struct hd_ep_link (*link)(struct hd_ep *ep, const void *part, int member);
  /** For barriers by messages: adds all members except the center to the tree. */
  void (*build)(struct hd_ep *ep, struct hd_member_tree *tree, const int *members, int n,
                int center);
};

/** Runs the whole program of a node. */
void hd_barrier_program_run(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm);

/** Returns the center of these members, chosen by the task's rule. */
int hd_barrier_center(struct hd_ep *ep, const struct hd_barrier_task *m, const int *members);

/** Sends the background packets that are due. */
void hd_background_inject_due(struct hd_ep *ep, struct hd_background_traffic *t);

/** Like hd_ep_wait, but sends the background packets that become due meanwhile. */
void hd_background_wait_request(struct hd_ep *ep, struct hd_background_traffic *t,
                                hd_ep_request request);

#endif
