/* The endpoint API: multicast in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * If switches have multicast (key switch.trees), a message to a group leaves its sender once.
 * Switches copy its flits along a tree of links, so that each other member receives it once
 * (specification chapter 13). Members receive it like any other message, by hd_ep_receive or
 * hd_ep_ireceive. Messages of one member to its group arrive in the order in which they were sent.
 * A multicast message and an ordinary message of the same sender may overtake each other.
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
  HD_EP_MULTICAST_FULL,        /* all trees of the switches are in use */
  HD_EP_MULTICAST_UNSUPPORTED, /* the switches have no multicast */
  HD_EP_MULTICAST_NARROW,      /* a flit is too narrow for tree, sender and one byte of data */
};
/** Returns a text that describes the status. */
const char *hd_ep_multicast_text(enum hd_ep_multicast_status status);

/** Returns the number of message bytes that one flit carries, or 0 if the network has no multicast.
 *  Each flit is a packet. A message takes five more bytes, for its tag and length. */
uint32_t hd_ep_multicast_bytes(const struct hd_ep *ep);

struct hd_ep_multicast; /* this node's membership of a group; valid until hd_ep_multicast_destroy */

/** Creates a group of `n` different ranks, which include this one. Every member must call it with
 *  the same ranks, in any order. Returns when every switch has the group's tree, so that any member
 *  may send. Sets *group if it returns HD_EP_MULTICAST_OPEN. All members get the same status. No
 *  start-up cost. */
enum hd_ep_multicast_status hd_ep_multicast_create(struct hd_ep *ep, const int *ranks, int n,
                                                   struct hd_ep_multicast **group);

/** Sends a message to all other members. Tag, length and completion are those of hd_ep_send. The
 *  start-up cost is paid once. */
void hd_ep_multicast_send(struct hd_ep *ep, struct hd_ep_multicast *group, int tag,
                          const void *bytes, size_t n);

/** Removes this node from the group. When the last member has left, another group may use the tree,
 *  unless a message of the group is still on its way; the tree then stays in use. */
void hd_ep_multicast_destroy(struct hd_ep *ep, struct hd_ep_multicast *group);

#endif
