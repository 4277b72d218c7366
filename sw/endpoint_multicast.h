/* The endpoint API: multicast in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * If the switches have multicast (key switch.trees), a message to a group leaves its sender once. Switches send copies of
 * its flits along a tree of links, by which each other member receives it once (specification chapter 13). Members
 * receive it like any other message: hd_ep_receive, hd_ep_ireceive. Messages of a member to its group arrive in the order in
 * which they were sent; those and other messages of the same sender may overtake one another.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_MULTICAST_H
#define HD_ENDPOINT_MULTICAST_H

#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node (endpoint.h) */

enum hd_ep_multicast_status {
  HD_EP_MULTICAST_OPEN,
  HD_EP_MULTICAST_FULL,        /* as many groups are open as switches have trees */
  HD_EP_MULTICAST_UNSUPPORTED, /* switches without multicast */
  HD_EP_MULTICAST_NARROW,      /* a flit has no room for a byte beside tree and sender */
};
/** The status as words. */
const char *hd_ep_multicast_text(enum hd_ep_multicast_status status);

/** Bytes of a message that one flit carries; 0: there is no multicast. A flit is a packet. A message needs five bytes more,
 *  for its tag and length. */
uint32_t hd_ep_multicast_bytes(const struct hd_ep *ep);

struct hd_ep_multicast; /* this node's part of a group; lives until hd_ep_multicast_destroy */

/** Makes a group of `n` different ranks, which include this one. Each of them calls it with the same ranks, in any order.
 *  Returns when every switch has the group's tree, so any member may send. *group is set if the status is
 *  HD_EP_MULTICAST_OPEN. All members get the same status. No start-up cost. */
enum hd_ep_multicast_status hd_ep_multicast_create(struct hd_ep *ep, const int *ranks, int n,
                                                   struct hd_ep_multicast **group);

/** Sends a message to all other members; costs the start-up once. Tag and length as in hd_ep_send, likewise when it is
 *  complete. */
void hd_ep_multicast_send(struct hd_ep *ep, struct hd_ep_multicast *group, int tag,
                          const void *bytes, size_t n);

/** This node leaves the group. When the last member has left, the tree is free for another group, unless a message of the
 *  group is still under way. */
void hd_ep_multicast_destroy(struct hd_ep *ep, struct hd_ep_multicast *group);

#endif
