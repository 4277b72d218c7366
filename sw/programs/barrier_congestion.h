/* Congestion for members of a barrier. barrier_common.h describes the method.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BARRIER_JAM_H
#define HD_BARRIER_JAM_H

#include "barrier_common.h"

struct hd_jam;

/** Returns the state of the run's congestion, which all nodes share. It is zero until
 *  hd_jam_make. */
struct hd_jam *hd_congestion_shared_state(struct hd_ep *ep);

/** Chooses the congested members: `congested` of the `n` members. Each member calls it, and the
 *  first call makes the choice. Rejects the parameter `congested` if not so many members can be
 *  congested. */
void hd_jam_make(struct hd_ep *ep, struct hd_jam *jam, const struct hd_barrier_algorithm *algorithm,
                 const void *part, const int *members, int n, int congested);

/** hd_jam_pass_cycles returns the cycles of each of the steps 1 and 2. hd_jam_drain_cycles returns
 *  the cycles from the end of the hold until no packet is blocked any more. */
uint64_t hd_jam_pass_cycles(const struct hd_jam *jam);
uint64_t hd_jam_drain_cycles(const struct hd_jam *jam);

/** Returns true if this node's interface is one that is blocked. */
bool hd_jam_holds(struct hd_ep *ep, const struct hd_jam *jam);

/** Carry out step 1 (hd_jam_fill) and step 2 (hd_jam_block) on this node. */
void hd_jam_fill(struct hd_ep *ep, const struct hd_jam *jam, uint64_t hold_cycles);
void hd_jam_block(struct hd_ep *ep, const struct hd_jam *jam);

#endif
