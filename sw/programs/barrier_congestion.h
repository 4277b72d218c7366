/* Congestion for members of a barrier. barrier_common.h describes the method.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BARRIER_CONGESTION_H
#define HD_BARRIER_CONGESTION_H

#include "barrier_common.h"

struct hd_congestion;

/** Returns the state of the run's congestion, which all nodes share. It is zero until
 *  hd_congestion_choose. */
struct hd_congestion *hd_congestion_shared_state(struct hd_ep *ep);

/** Chooses the congested members: `congested` of the `n` members. Each member calls it, and the
 *  first call makes the choice. Rejects the parameter `congested` if not so many members can be
 *  congested. */
void hd_congestion_choose(struct hd_ep *ep, struct hd_congestion *congestion,
                          const struct hd_barrier_algorithm *algorithm, const void *part,
                          const int *members, int n, int congested);

/** hd_congestion_pass_cycles returns the cycles of each of the steps 1 and 2. hd_congestion_drain_cycles returns
 *  the cycles from the end of the hold until no packet is blocked any more. */
uint64_t hd_congestion_pass_cycles(const struct hd_congestion *congestion);
uint64_t hd_congestion_drain_cycles(const struct hd_congestion *congestion);

/** Returns true if this node's interface is one that is blocked. */
bool hd_congestion_blocks_node(struct hd_ep *ep, const struct hd_congestion *congestion);

/** Carry out step 1 (hd_congestion_fill) and step 2 (hd_congestion_block) on this node. */
void hd_congestion_fill(struct hd_ep *ep, const struct hd_congestion *congestion,
                        uint64_t hold_cycles);
void hd_congestion_block(struct hd_ep *ep, const struct hd_congestion *congestion);

#endif
