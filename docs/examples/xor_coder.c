/* Endpoint software as a shared object: coders in the switches help to bring two data to a node.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two nodes have a datum each. The coder of a third node makes the exclusive or of both. A fourth
 * node gets it, and the first datum directly. Its own coder restores the second datum. The nodes
 * take these parts in turn, for eight rounds. Each round has a chain of its own. docs/endpoint.md
 * builds and runs this file, and tests/fpga/xor.sh runs it on a board.
 */
#include "../../sw/endpoint.h"

enum { ROUNDS = 8, ROUND_CYCLES = 200, PARTS = 4 };
enum part { ENCODER, FIRST, SECOND, DECODER };

static enum part part_of(int rank, int round)
{
  return (enum part)((rank + round) % PARTS);
}

static int rank_of(enum part part, int round)
{
  return (int)(part + PARTS * ROUNDS - (unsigned)round) % PARTS;
}

/* A datum is in the flits after the head, 1 to 15 of them, so it fits any width of flits. */
static uint32_t words_of(int rank, int round)
{
  return 1 + (uint32_t)(7 * rank + 5 * round) % 15;
}

static uint64_t word_of(int rank, int round, uint32_t i)
{
  return (uint64_t)rank * 1000 + (uint64_t)round * 100 + i;
}

static void send_datum(struct hd_ep *ep, int round, int to, uint32_t place)
{
  uint64_t words[15];
  int rank = hd_ep_rank(ep);
  struct hd_ep_packet p = {.code = HD_EP_CODE_NATIVE,
                           .place = place,
                           .flits = 1 + words_of(rank, round),
                           .words = words};
  for (uint32_t i = 0; i + 1 < p.flits; i++)
    words[i] = word_of(rank, round, i);
  hd_ep_packet_send(ep, to, &p);
}

static void check_datum(struct hd_ep *ep, int round, int rank, const struct hd_ep_packet *p)
{
  if (p->flits != 1 + words_of(rank, round))
    hd_ep_abort(ep, "the datum of node %d came with %u flits", rank, (unsigned)p->flits);
  for (uint32_t i = 0; i + 1 < p->flits; i++)
    if (p->words[i] != word_of(rank, round, i))
      hd_ep_abort(ep, "word %u of node %d is %u", (unsigned)i, rank, (unsigned)p->words[i]);
}

static void take_part(struct hd_ep *ep, int round, uint32_t place)
{
  enum part part = part_of(hd_ep_rank(ep), round);
  int encoder = rank_of(ENCODER, round), decoder = rank_of(DECODER, round);
  struct hd_ep_packet p;
  if (part == FIRST || part == SECOND)
    send_datum(ep, round, encoder, place + (part == SECOND));
  if (part == FIRST)
    send_datum(ep, round, decoder, place);
  for (int i = 0; part == ENCODER && i < 3; i++) { /* both data, and what the coder makes of them */
    hd_ep_packet_receive(ep, &p);
    if (p.code != HD_EP_CODE_CODED)
      continue;
    p.place = place + 1; /* beside the first datum */
    hd_ep_packet_send(ep, decoder, &p);
  }
  for (int i = 0; part == DECODER && i < 3;
       i++) { /* a datum, the exclusive or, what the coder restores */
    hd_ep_packet_receive(ep, &p);
    if (p.code == HD_EP_CODE_NATIVE)
      check_datum(ep, round, rank_of(p.place == place ? FIRST : SECOND, round), &p);
    if (p.code == HD_EP_CODE_NATIVE && p.place == place + 1)
      hd_ep_statistic(ep, "restored words", p.flits - 1);
  }
}

static void run(struct hd_ep *ep)
{
  struct hd_ep_chain chains[ROUNDS];
  for (int round = 0; round < ROUNDS;
       round++) { /* at all nodes alike, so all have the same places */
    enum hd_ep_chain_status status = hd_ep_chain_open(ep, 2, &chains[round]);
    if (status != HD_EP_CHAIN_OPEN)
      hd_ep_abort(ep, "no chain: %s", hd_ep_chain_text(status));
  }
  for (int round = 0; round < ROUNDS; round++) {
    hd_ep_wait_until(ep, (uint64_t)ROUND_CYCLES *
                             (uint64_t)(round + 1)); /* every node has its chains */
    take_part(ep, round, chains[round].first);
  }
  for (int round = 0; round < ROUNDS; round++)
    hd_ep_chain_close(ep, &chains[round]);
}

static const struct hd_program xor_coder = {
    .name = "xor-coder", .about = "two data and their exclusive or", .main = run};

HD_ENDPOINT_PROGRAM(xor_coder)
