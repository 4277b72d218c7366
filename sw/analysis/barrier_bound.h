/* The longest possible duration of a barrier on this hardware (specification §8.11).
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is computed from a group's tree. It holds for one group on its own, from its second barrier
 * on, for any data traffic, on switches on which barrier messages never wait for data: `any`,
 * `fixed` and `reserved`.
 */
#ifndef HD_BARRIER_BOUND_H
#define HD_BARRIER_BOUND_H

#include <stdbool.h>
#include <stdint.h>

/** The parameters on which the time of a hop depends, in cycles. */
struct hd_barrier_hardware {
  uint32_t message_flits; /* M, §7.1 */
  uint32_t grant_stages;  /* D, §2.1 */
  uint32_t link_cycles;   /* LINK, §1.5 */
  /** messages through the buffers (§7.1): ROUTE_CYCLES + 1; beside them: 0 */
  uint32_t buffer_cycles;
  uint32_t idle_cycles; /* IDLE, §8.6 */
  bool preempts;        /* true for `any` and `fixed`, false for `reserved` */
};

/** A BSR node of the tree. Nodes are in an order in which parents come before their children, the
 *  center first. */
struct hd_barrier_branch {
  uint32_t parent;             /* index of its parent; the center: 0 */
  uint32_t before;             /* number of children to which its parent sends first */
  uint32_t children, locals;   /* number of BSR nodes, and of members, directly below it */
  uint32_t hops_up, hops_down; /* number of links to its parent, and back */
  /** of these links, those on which other messages of a round may travel, too */
  uint32_t rests_up, rests_down;
  /** cycles for which other messages may delay it at switches on the way */
  uint32_t wait_up, wait_down;
  uint32_t passing_cycles; /* cycles for which passing messages may delay it here */
  uint32_t send_cycles;    /* cycles between two of its sends: 2 if no two of them share a slot */
};

enum { HD_BARRIER_STEP = 2, HD_BARRIER_REST = 16 }; /* cycles, §8.5, §7.6 */

/** Returns T_b (§8.5). */
uint32_t hd_barrier_hop_cycles(const struct hd_barrier_hardware *hardware);

/** Returns T_p: 1, or 0 if nothing is preempted. */
uint32_t hd_barrier_preempt_cycles(const struct hd_barrier_hardware *hardware);

/** Returns the cycles of a preemption if the one before may have been ended by force (rule 5 of
 *  §7.6). */
uint32_t hd_barrier_rest_cycles(const struct hd_barrier_hardware *hardware);

/** Returns the number of links from the farthest BSR node to the center, along the tree. */
uint32_t hd_barrier_farthest_hops(const struct hd_barrier_branch *branches, uint32_t n);

/** Returns the cycles from the last arrival (given to the network interface) to the last release
 *  (seen by software); 0 if there is no memory. n ≥ 1; a switch has at most 16 ports. */
uint64_t hd_barrier_worst_latency(const struct hd_barrier_hardware *hardware,
                                  const struct hd_barrier_branch *branches, uint32_t n);

#endif
