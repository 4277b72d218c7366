/* The endpoint API: packets, and the XOR coder beside the node.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For software that has use for a packet's head, or for the XOR coder of its switch (specification chapter 11). A
 * packet of this kind is no message: it has no envelope, no order and no matching, and nobody tells its source. The
 * one that came first is received first. Sending and receiving cost the start-up, testing does not.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_PACKET_H
#define HD_ENDPOINT_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node (endpoint.h) */

/** Bits of a packet that are free for software: `head_bits` bits of its head, and all `data_bits` bits of each flit behind
 *  it. In the head the lowest `header_bits` bits are the switches'. Data is above them. With a coder, length, place
 *  and code are above the data (specification §11.2): 4 bits, `place_bits` bits from bit `place_shift` on, 2 bits. */
struct hd_ep_layout {
  uint32_t data_bits, header_bits, head_bits;
  uint32_t places; /* places of each coder; 0: the switches have no coders, packets no code field */
  uint32_t place_bits, place_shift;
};
struct hd_ep_layout hd_ep_packet_layout(const struct hd_ep *ep);

enum hd_ep_code {
  HD_EP_CODE_NONE,   /* the coder leaves it alone */
  HD_EP_CODE_NATIVE, /* a packet that is to be encoded, or one to decode by */
  HD_EP_CODE_CODED,  /* the exclusive or of two native ones */
};

/** With a code, the coder of the switch at the destination keeps the packet in `place`.
 *  `length` of a coded packet is the exclusive or of flits − 1 of both native packets; a native one has flits − 1
 *  there, which a send sets itself.
 *  `words` is NULL if flits is 1. Those of a packet that is sent are copied. Those of one that was received are the
 *  runtime's, until this node's next receive or test of a packet. */
struct hd_ep_packet {
  enum hd_ep_code code;
  uint32_t place, length;
  uint32_t flits;        /* 1 … 65535, the head included; with a code up to 16 */
  uint64_t head;         /* data in the head */
  const uint64_t *words; /* [flits − 1] words of data */
  uint64_t received;     /* cycle; a send does not look at it */
};

/** Sends a packet. The destination may be this node: the packet then goes through its switch and comes back, so the
 *  coder sees it. Ends the run if there is no such coder or place, if data is wider than the bits for it, or if this
 *  routing brings no packet back to its own node. */
void hd_ep_packet_send(struct hd_ep *ep, int destination, const struct hd_ep_packet *packet);
/** The number of packets that this node's network interface still has to send, including one that
 *  is being sent: packets handed over before this cycle, less those whose tail was sent before it. */
uint32_t hd_ep_unsent(const struct hd_ep *ep);
/** Waits for the next packet. What the coder makes comes like others. */
void hd_ep_packet_receive(struct hd_ep *ep, struct hd_ep_packet *packet);
/** Receives a packet without waiting: false if none is there, and the call takes one cycle. It costs no start-up. */
bool hd_ep_packet_test(struct hd_ep *ep, struct hd_ep_packet *packet);

/** UNSUPPORTED: there is no coder (key switch.code_places), or the node is not on port 0 of its switch. */
enum hd_ep_chain_status {
  HD_EP_CHAIN_OPEN,
  HD_EP_CHAIN_FULL, /* the coder has not so many free places in a row */
  HD_EP_CHAIN_UNSUPPORTED,
};
/** The status as words. */
const char *hd_ep_chain_text(enum hd_ep_chain_status status);

/** A run of places of this node's coder: of the packets in neighbouring places it makes their exclusive or, or of
 *  one and the exclusive or the other one. */
struct hd_ep_chain {
  uint32_t first, places;
};

/** Opens a chain for `places` packets, at least 1, at the lowest places that are free. So nodes that open the same
 *  chains in the same order get the same places. Returns when the switch has the chain. No start-up cost. */
enum hd_ep_chain_status hd_ep_chain_open(struct hd_ep *ep, uint32_t places,
                                         struct hd_ep_chain *chain);
/** Closes an open chain of this node. Packets for it must not be under way. What it still keeps is lost, and the
 *  switch records the error *incomplete*. Returns when the switch has closed it. */
void hd_ep_chain_close(struct hd_ep *ep, const struct hd_ep_chain *chain);

#endif
