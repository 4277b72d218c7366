/* The endpoint API: barriers in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * If switches process barrier messages (key switch.barrier), they combine the arrivals of a group's
 * members, and release all members after the last one has arrived. The first round of a group
 * builds the tree that later rounds use (specification chapter 8). A node may be a member of many
 * groups. In each round it arrives once at each of them.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_BARRIER_H
#define HD_ENDPOINT_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node (endpoint.h) */

/** The result of a call. After any status except the first two, this member cannot use the group
 *  any more. */
enum hd_ep_barrier_status {
  HD_EP_BARRIER_PASSED,  /* this member is released, or the call succeeded */
  HD_EP_BARRIER_PENDING, /* this member is not released yet */
  /** the switches refused the message: the node is not a member, or after a fault they had no room
   *  for the group */
  HD_EP_BARRIER_FAILED,
  HD_EP_BARRIER_TIMEOUT,     /* no release within the group's timeout_cycles after the arrival */
  HD_EP_BARRIER_UNREACHABLE, /* creation: no path between a member and the center */
  /** creation, also after a fault: all group numbers are in use, or a switch has no room */
  HD_EP_BARRIER_FULL,
  HD_EP_BARRIER_UNSUPPORTED, /* creation: the switches take no barrier messages */
  HD_EP_BARRIER_CUT_OFF,     /* a fault has cut off a member, so no round can end any more */
};
/** Returns a text that describes the status. */
const char *hd_ep_barrier_text(enum hd_ep_barrier_status status);

enum hd_ep_center {
  HD_EP_CENTER_LOWEST, /* the member with the lowest rank */
  /** the member with the shortest distance, in links, to the member farthest from it; of several
   *  such members, the lowest rank */
  HD_EP_CENTER_MIDDLE,
  HD_EP_CENTER_RANK, /* the member named in `center` */
};

/** Settings of a new group. All members must pass the same. */
struct hd_ep_barrier_options {
  enum hd_ep_center center_rule;
  int center;              /* HD_EP_CENTER_RANK: the rank of a member */
  uint64_t timeout_cycles; /* longest wait for a release; 0: 1,000,000 */
};

struct hd_ep_barrier; /* this node's membership of a group; valid until hd_ep_barrier_destroy */

/** Creates a group of `n` different ranks, which include this one. Every member must call it with
 *  the same ranks, in any order. Returns when every switch has stored the group, so that any member
 *  may arrive. `options` may be NULL: all zeros. Sets *barrier if it returns HD_EP_BARRIER_PASSED.
 *  All members get the same status. No start-up cost. */
enum hd_ep_barrier_status hd_ep_barrier_create(struct hd_ep *ep, const int *ranks, int n,
                                               const struct hd_ep_barrier_options *options,
                                               struct hd_ep_barrier **barrier);
/** Returns the rank of the center. */
int hd_ep_barrier_center(const struct hd_ep_barrier *barrier);

/** Tells the switches that this node has arrived, after the start-up cost. Returns
 *  HD_EP_BARRIER_PENDING without waiting for other members, or the status that has ended the group.
 *  After a fault, it first waits until the network is configured again (specification §5.10). */
enum hd_ep_barrier_status hd_ep_barrier_arrive(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Tests whether this node is released. If not, the call takes one cycle and returns
 *  HD_EP_BARRIER_PENDING. */
enum hd_ep_barrier_status hd_ep_barrier_test(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits until this node is released, or until timeout_cycles have passed since its arrival. */
enum hd_ep_barrier_status hd_ep_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Like hd_ep_barrier_wait, but returns HD_EP_BARRIER_PENDING if the node is not released by
 *  `cycle`. */
enum hd_ep_barrier_status hd_ep_barrier_wait_until(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                   uint64_t cycle);

/* ── values ──────────────────────────────────────────────────────────────────
 *
 * Switches with values (key switch.values) combine one value of each member on its way to the center, and release all
 * members with the result (specification §8.14). */

enum hd_ep_reduction {
  HD_EP_REDUCE_NOTHING, /* no value: a plain barrier */
  HD_EP_REDUCE_SUM,     /* modulo 2^32 */
  HD_EP_REDUCE_MINIMUM, /* minimum of unsigned numbers */
  HD_EP_REDUCE_MAXIMUM,
};

/** Returns true if the switches can reduce values. */
bool hd_ep_barrier_reduces(const struct hd_ep *ep);
/** Like hd_ep_barrier_arrive, with a value. All members must name the same reduction. The first
 *  round of a group builds its tree and cannot have values. So if this node has not passed a round
 *  of the group yet, the call first arrives at a plain barrier and waits for it; all members must
 *  then use this call. Ends the run if the switches cannot reduce values. */
enum hd_ep_barrier_status hd_ep_barrier_arrive_with(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                    enum hd_ep_reduction reduction, uint32_t value);
/** Writes the result of the last round that released this node to *value. Returns false if that
 *  round has no result: it was a plain barrier, or members named different reductions. */
bool hd_ep_barrier_result(const struct hd_ep_barrier *barrier, uint32_t *value);

/** Removes this node from the group. Its last round must be over. When the last member has left,
 *  the switches delete the group. After a failed round they keep it, and its number stays in use,
 *  because messages of the group may still be on their way. */
void hd_ep_barrier_destroy(struct hd_ep *ep, struct hd_ep_barrier *barrier);

#endif
