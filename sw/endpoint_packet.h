/* The endpoint API: packets without an envelope, and the XOR coder of the node's switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * These calls are for software that writes packet heads itself, or uses the XOR coder of its switch
 * (specification chapter 11). Such a packet is not a message: it has no envelope, no tag and no
 * order, and its receiver does not learn its source. hd_ep_packet_receive returns packets in the
 * order in which they arrive. Sending and receiving have the start-up cost, testing has not.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_PACKET_H
#define HD_ENDPOINT_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node (endpoint.h) */

/** The bits of a packet that software may use: `head_bits` bits of the head flit, and all
 *  `data_bits` bits of every later flit. In the head flit, the lowest `header_bits` bits are for
 *  the switches, and software's data follows them. If switches have coders, the highest bits of the
 *  head flit are the code field (specification §11.2). From the lowest bit up, it has the length (4
 *  bits), the place (`place_bits` bits, beginning at bit `place_shift`) and the code (2 bits). */
struct hd_ep_layout {
  uint32_t data_bits, header_bits, head_bits;
  /** places of each coder; 0: the switches have no coders, and packets no code field */
  uint32_t places;
  uint32_t place_bits, place_shift;
};
struct hd_ep_layout hd_ep_packet_layout(const struct hd_ep *ep);

enum hd_ep_code {
  HD_EP_CODE_NONE,   /* not for the coder */
  HD_EP_CODE_NATIVE, /* a packet to encode, or to decode another one with */
  HD_EP_CODE_CODED,  /* the exclusive or of two native packets */
};

/** A packet of software. If it has a code, the coder at the destination's switch keeps it in
 *  `place`.
 *
 *  A native packet has its number of flits − 1 in `length`; hd_ep_packet_send sets it. A coded
 *  packet has the exclusive or of the lengths of both native packets there.
 *
 *  `words` is NULL if the packet has one flit. A send copies the words. The words of a received
 *  packet belong to the runtime, and are valid until this node's next receive or test of a packet.
 */
struct hd_ep_packet {
  enum hd_ep_code code;
  uint32_t place, length;
  uint32_t flits;        /* 1 … 65535, head included; with a code at most 16 */
  uint64_t head;         /* software's data in the head flit */
  const uint64_t *words; /* [flits − 1] data of the other flits */
  uint64_t received;     /* cycle of arrival; not used by a send */
};

/** Sends a packet. The destination may be this node: the packet then passes the node's switch and
 *  its coder, and comes back. Ends the run if the switches have no coder, if the coder has no such
 *  place, if data does not fit into its bits, or if the routing cannot bring a packet back to its
 *  own node. */
void hd_ep_packet_send(struct hd_ep *ep, int destination, const struct hd_ep_packet *packet);
/** Returns the number of packets that this node's network interface still has to send: those that
 *  were passed to it before this cycle, except those whose last flit left before this cycle. */
uint32_t hd_ep_unsent(const struct hd_ep *ep);
/** Waits for the next packet. A packet that the coder has made arrives in the same way. */
void hd_ep_packet_receive(struct hd_ep *ep, struct hd_ep_packet *packet);
/** Receives a packet without waiting. Returns false if none has arrived; the call then takes one
 *  cycle. No start-up cost. */
bool hd_ep_packet_test(struct hd_ep *ep, struct hd_ep_packet *packet);

/** The result of hd_ep_chain_open. HD_EP_CHAIN_UNSUPPORTED: the switches have no coder (key
 *  switch.code_places), or the node is not at port 0 of its switch. */
enum hd_ep_chain_status {
  HD_EP_CHAIN_OPEN,
  HD_EP_CHAIN_FULL, /* the coder has fewer free places in a row */
  HD_EP_CHAIN_UNSUPPORTED,
};
/** Returns a text that describes the status. */
const char *hd_ep_chain_text(enum hd_ep_chain_status status);

/** A chain: consecutive places of this node's coder. The coder makes the exclusive or of the
 *  packets in two neighbouring places. If one of them is a coded packet, the result is the other
 *  packet that went into it. */
struct hd_ep_chain {
  uint32_t first, places;
};

/** Opens a chain for `places` packets, at least 1, at the lowest free places. So nodes that open
 *  the same chains in the same order get the same places. Returns when the switch has stored the
 *  chain. No start-up cost. */
enum hd_ep_chain_status hd_ep_chain_open(struct hd_ep *ep, uint32_t places,
                                         struct hd_ep_chain *chain);
/** Closes a chain of this node. No packet for it may be on its way. Packets that it still keeps are
 *  lost, and the switch then records the error *incomplete*. Returns when the switch has closed the
 *  chain. */
void hd_ep_chain_close(struct hd_ep *ep, const struct hd_ep_chain *chain);

#endif
