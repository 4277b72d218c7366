/* Endpoint software of one's own: nodes 1 and 2 have a datum each, and node 3 gets both with the help of coders.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The coder of node 0 makes the exclusive or of both. Node 3 gets that, and the datum of node 1 as it is. Its own coder
 * restores the datum of node 2. docs/endpoint.md builds and runs this file.
 */
#include "../../sw/endpoint.h"

enum { ENCODER = 0, FIRST = 1, SECOND = 2, DECODER = 3 };

static uint64_t datum(int rank)
{
  return (uint64_t)rank * 1000 + 7;
}

static void send_native(struct hd_ep *ep, int to, uint32_t place)
{
  struct hd_ep_packet p = {
      .code = HD_EP_CODE_NATIVE, .place = place, .flits = 1, .head = datum(hd_ep_rank(ep))};
  hd_ep_packet_send(ep, to, &p);
}

static void run(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep);
  struct hd_ep_chain chain;
  struct hd_ep_packet p;
  enum hd_ep_chain_status status =
      hd_ep_chain_open(ep, 2, &chain); /* at all nodes alike: places 0 and 1 */
  if (status != HD_EP_CHAIN_OPEN)
    hd_ep_abort(ep, "no chain: %s", hd_ep_chain_text(status));
  hd_ep_wait_until(ep, 100); /* every node has its chain */
  if (rank == FIRST || rank == SECOND)
    send_native(ep, ENCODER, rank == FIRST ? 0 : 1);
  if (rank == FIRST)
    send_native(ep, DECODER, 0);
  for (int i = 0; rank == ENCODER && i < 3; i++) { /* both data, and what the coder makes of them */
    hd_ep_packet_receive(ep, &p);
    if (p.code != HD_EP_CODE_CODED)
      continue;
    p.place = 1; /* beside the datum of node 1 */
    hd_ep_packet_send(ep, DECODER, &p);
  }
  for (int i = 0; rank == DECODER && i < 3;
       i++) { /* a datum, the exclusive or, what the coder restores */
    hd_ep_packet_receive(ep, &p);
    if (p.code == HD_EP_CODE_NATIVE && p.head != datum(p.place == 0 ? FIRST : SECOND))
      hd_ep_abort(ep, "place %u has %u", (unsigned)p.place, (unsigned)p.head);
    if (p.code == HD_EP_CODE_NATIVE && p.place == 1)
      hd_ep_statistic(ep, "restored datum", p.head);
  }
  hd_ep_chain_close(ep, &chain);
}

static const struct hd_program xor_coder = {
    .name = "xor-coder", .about = "two data and their exclusive or", .main = run};

HD_ENDPOINT_PROGRAM(xor_coder)
