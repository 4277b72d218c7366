/* The endpoint API: barriers in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * If the switches process barrier messages (key switch.barrier), they combine the arrivals of a
 * group's members and release all members after the last has arrived. The first round builds the tree
 * that later rounds use (specification chapter 8). A node may be in many groups, and arrive at each
 * once in a round.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_BARRIER_H
#define HD_ENDPOINT_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node (endpoint.h) */

/** The result of a call. All but the first two end the group for this member. */
enum hd_ep_barrier_status {
  HD_EP_BARRIER_PASSED,      /* this member is released; or the call succeeded */
  HD_EP_BARRIER_PENDING,     /* not yet released */
  HD_EP_BARRIER_FAILED,      /* the switches refused: not a member, or a fault left it no room */
  HD_EP_BARRIER_TIMEOUT,     /* no answer for the group's timeout_cycles since this arrival */
  HD_EP_BARRIER_UNREACHABLE, /* creation: no way between a member and the center */
  HD_EP_BARRIER_FULL,        /* creation (anew, too): no number is free, or no room in a switch */
  HD_EP_BARRIER_UNSUPPORTED, /* creation: switches without barrier messages */
  HD_EP_BARRIER_CUT_OFF,     /* a fault has cut off a member: no round can be completed any more */
};
/** The status as words: "passed", "no way between a member and the center" … */
const char *hd_ep_barrier_text(enum hd_ep_barrier_status status);

enum hd_ep_center {
  HD_EP_CENTER_LOWEST, /* the member of lowest rank */
  HD_EP_CENTER_MIDDLE, /* the member with the shortest distance to the member farthest from it, the
                           lowest rank among equals */
  HD_EP_CENTER_RANK,   /* the member named in `center` */
};

/** The settings of a new group; all members must give the same. */
struct hd_ep_barrier_options {
  enum hd_ep_center center_rule;
  int center;              /* HD_EP_CENTER_RANK: rank of a member */
  uint64_t timeout_cycles; /* 0: a million */
};

struct hd_ep_barrier; /* this node's part of a group; lives until hd_ep_barrier_destroy */

/** Makes a group of `n` different ranks, which include this one. Each of them calls it with the same ranks,
 *  in any order. Returns when every switch has the group, so any member may arrive. options may be NULL:
 *  zeros. *barrier is set if the status is HD_EP_BARRIER_PASSED. All members get the same status. No start-up
 *  cost. */
enum hd_ep_barrier_status hd_ep_barrier_create(struct hd_ep *ep, const int *ranks, int n,
                                               const struct hd_ep_barrier_options *options,
                                               struct hd_ep_barrier **barrier);
/** Rank of the center. */
int hd_ep_barrier_center(const struct hd_ep_barrier *barrier);

/** Says that this node has arrived; costs the start-up. Returns HD_EP_BARRIER_PENDING and does not wait for
 *  others. After a fault it first waits until the network is configured again (specification §5.10). */
enum hd_ep_barrier_status hd_ep_barrier_arrive(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Says whether this node is released. If it is not (HD_EP_BARRIER_PENDING), the call takes one cycle. */
enum hd_ep_barrier_status hd_ep_barrier_test(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits until this node is released, or until the group's timeout has passed. */
enum hd_ep_barrier_status hd_ep_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits for the barrier, until `cycle` at the latest; it then returns HD_EP_BARRIER_PENDING. */
enum hd_ep_barrier_status hd_ep_barrier_wait_until(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                   uint64_t cycle);

/* ── values ──────────────────────────────────────────────────────────────────
 *
 * Switches with values (key switch.values) combine one value of each member on its way to the center, and release all
 * members with the result (specification §8.14). */

enum hd_ep_reduction {
  HD_EP_REDUCE_NOTHING, /* a barrier */
  HD_EP_REDUCE_SUM,     /* modulo 2^32 */
  HD_EP_REDUCE_MINIMUM, /* minimum of unsigned numbers */
  HD_EP_REDUCE_MAXIMUM,
};

/** Returns true if the switches combine values. */
bool hd_ep_barrier_reduces(const struct hd_ep *ep);
/** hd_ep_barrier_arrive with a value; all members name the same reduction. The first round of a group builds its tree
 *  and has no value. So if this node was never released from the group, the call first waits for a barrier, in which
 *  all members take part that call it likewise. Ends the run if switches do not combine values. */
enum hd_ep_barrier_status hd_ep_barrier_arrive_with(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                    enum hd_ep_reduction reduction, uint32_t value);
/** The result of the round from which this node was released last. False: it has none, as it was a barrier, or members
 *  named different reductions. */
bool hd_ep_barrier_result(const struct hd_ep_barrier *barrier, uint32_t *value);

/** This node leaves the group. It must have no round under way. When the last member has left, the switches
 *  close the group. If a round failed, they do not, and its number stays taken, because messages of it may
 *  still be under way. */
void hd_ep_barrier_destroy(struct hd_ep *ep, struct hd_ep_barrier *barrier);

#endif
