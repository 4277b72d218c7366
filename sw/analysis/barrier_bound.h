/* How long a barrier can take at most on this hardware (specification §8.11).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Pure arithmetic over a group's tree. It holds for one group on its own, from its second barrier on,
 * whatever the data traffic, for switches on which no barrier message ever waits for data:
 * `any`, `fixed` and `reserved`.
 */
#ifndef HD_BARRIER_BOUND_H
#define HD_BARRIER_BOUND_H

#include <stdbool.h>
#include <stdint.h>

/** Parts of a hop, in cycles. */
struct hd_barrier_hardware {
  uint32_t message_flits; /* M, §7.1 */
  uint32_t grant_stages;  /* D, §2.1 */
  uint32_t link_cycles;   /* LINK, §1.5 */
  uint32_t buffer_cycles; /* through the buffers (§7.1): ROUTE_CYCLES + 1; beside them: 0 */
  uint32_t idle_cycles;   /* IDLE, §8.6 */
  bool preempts;          /* any, fixed; reserved does not */
};

/** A BSR node of the tree. Parents stand before their children, the center first. */
struct hd_barrier_branch {
  uint32_t parent;               /* place of its parent; the center: 0 */
  uint32_t before;               /* children to whom the parent sends before it */
  uint32_t children, locals;     /* BSR nodes and members below it */
  uint32_t hops_up, hops_down;   /* links to its parent, and back */
  uint32_t rests_up, rests_down; /* those of them on which other messages of a round may go, too */
  uint32_t wait_up, wait_down;   /* cycles that others may take of it at switches on the way */
  uint32_t passing_cycles;       /* cycles that others, on their way, may take of it here */
  uint32_t send_cycles; /* from one of its sends to the next: 2 where no two share a slot */
};

enum { HD_BARRIER_STEP = 2, HD_BARRIER_REST = 16 }; /* cycles, §8.5, §7.6 */

/** T_b, §8.5. */
uint32_t hd_barrier_hop_cycles(const struct hd_barrier_hardware *hardware);

/** T_p: 1, or 0 where nothing is preempted. */
uint32_t hd_barrier_preempt_cycles(const struct hd_barrier_hardware *hardware);

/** A preemption where the one before may have been ended by force (rule 5 of §7.6). */
uint32_t hd_barrier_rest_cycles(const struct hd_barrier_hardware *hardware);

/** Links from the farthest BSR node to the center, along the tree. */
uint32_t hd_barrier_distance(const struct hd_barrier_branch *branches, uint32_t n);

/** From the last arrival (handed to the network interface) to the last release (seen by software),
 *  cycles; 0 when out of memory. n >= 1; a switch has at most 16 ports. */
uint64_t hd_barrier_worst(const struct hd_barrier_hardware *hardware,
                          const struct hd_barrier_branch *branches, uint32_t n);

#endif
