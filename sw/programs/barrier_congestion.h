/* Congestion that barrier programs make for their members: barrier_common.h says how and why.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BARRIER_JAM_H
#define HD_BARRIER_JAM_H

#include "barrier_common.h"

struct hd_jam;

/** Returns the memory of the run's congestion, which all nodes share. It is zeroed until hd_jam_make. */
struct hd_jam *hd_congestion_shared_state(struct hd_ep *ep);

/** Chooses `congested` of the n members. Each of them calls it, and the first makes the choice. Rejects the parameter
 *  `congested` if not so many members can be congested. */
void hd_jam_make(struct hd_ep *ep, struct hd_jam *jam, const struct hd_barrier_algorithm *algorithm,
                 const void *part, const int *members, int n, int congested);

/** The cycles of each of the two steps, and the cycles after the hold until no packet is blocked any more.
 *  */
uint64_t hd_jam_pass_cycles(const struct hd_jam *jam);
uint64_t hd_jam_drain_cycles(const struct hd_jam *jam);

/** Returns true if packets stand still at this node's interface. */
bool hd_jam_holds(struct hd_ep *ep, const struct hd_jam *jam);

/** Carries out steps 1 and 2 of this node. */
void hd_jam_fill(struct hd_ep *ep, const struct hd_jam *jam, uint64_t hold_cycles);
void hd_jam_block(struct hd_ep *ep, const struct hd_jam *jam);

#endif
