/* Congestion that barrier programs make for their members: barrier_common.h says how and why.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BARRIER_JAM_H
#define HD_BARRIER_JAM_H

#include "barrier_common.h"

struct hd_jam;

/** The one of the run, for all nodes; not made yet. */
struct hd_jam *hd_congestion_shared_state(struct hd_ep *ep);

/** Chooses `congested` of the n members; called by each of them, done by the first. Rejects the
 *  parameter `congested` where not so many can be. */
void hd_jam_make(struct hd_ep *ep, struct hd_jam *jam, const struct hd_barrier_algorithm *algorithm,
                 const void *part, const int *members, int n, int congested);

/** The cycles of each of the two steps, and those after the hold until the blocked packets are
 *  gone. */
uint64_t hd_jam_pass_cycles(const struct hd_jam *jam);
uint64_t hd_jam_drain_cycles(const struct hd_jam *jam);

/** Returns true if packets stand still at this node's interface. */
bool hd_jam_holds(struct hd_ep *ep, const struct hd_jam *jam);

/** Steps 1 and 2, as this node carries them out. */
void hd_jam_fill(struct hd_ep *ep, const struct hd_jam *jam, uint64_t hold_cycles);
void hd_jam_block(struct hd_ep *ep, const struct hd_jam *jam);

#endif
