/* The endpoint API: packets without an envelope, and chains of the XOR coder (endpoint_packet.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  PACKET_FLITS_MAX = 65535,
  CODER_FLITS_MAX = 16, /* specification §11.3 */
  CODE_BITS = 2,
  LENGTH_BITS = 4,
};

struct hd_bare_packet {
  struct hd_bare_packet *next;
  uint64_t received;
  uint32_t flits;
  uint64_t words[]; /* [flits] */
};

struct hd_ep_layout hd_ep_packet_layout(const struct hd_ep *ep)
{
  return ep->world->params.layout;
}

static uint64_t low_bits(uint32_t n)
{
  return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* ── sending ──────────────────────────────────────────────────────────────── */

static void check_code(struct hd_ep *ep, const struct hd_ep_packet *p)
{
  const struct hd_ep_layout *l = &ep->world->params.layout;
  if (!l->places)
    hd_ep_abort(ep, "packet with a code, but the switches have no coder (key switch.code_places)");
  if (p->code != HD_EP_CODE_NATIVE && p->code != HD_EP_CODE_CODED)
    hd_ep_abort(ep, "packet with code %d; codes are 0 to %d", (int)p->code, HD_EP_CODE_CODED);
  if (p->place >= l->places)
    hd_ep_abort(ep, "packet for place %" PRIu32 "; places are 0 to %" PRIu32, p->place,
                l->places - 1);
  if (p->flits > CODER_FLITS_MAX)
    hd_ep_abort(ep, "packet of %s for a coder; it keeps packets of 1 to %d",
                hd_count(p->flits, "flit").text, CODER_FLITS_MAX);
  if (p->code == HD_EP_CODE_CODED && p->length >= CODER_FLITS_MAX)
    hd_ep_abort(ep, "coded packet with length %" PRIu32 "; lengths are 0 to %d", p->length,
                CODER_FLITS_MAX - 1);
}

static void check_packet(struct hd_ep *ep, int destination, const struct hd_ep_packet *p)
{
  const struct hd_ep_layout *l = &ep->world->params.layout;
  if (destination < 0 || destination >= hd_ep_size(ep))
    hd_ep_abort(ep, "packet to node %d; nodes are 0 to %d", destination, hd_ep_size(ep) - 1);
  if (p->flits < 1 || p->flits > PACKET_FLITS_MAX)
    hd_ep_abort(ep, "packet of %s; packets have 1 to %d", hd_count(p->flits, "flit").text,
                PACKET_FLITS_MAX);
  if (p->code)
    check_code(ep, p);
  if (p->flits > 1 && !p->words)
    hd_ep_abort(ep, "packet of %s with NULL as its words", hd_count(p->flits, "flit").text);
  if (p->head & ~low_bits(l->head_bits))
    hd_ep_abort(ep, "packet with 0x%" PRIx64 " in its head, which has %" PRIu32 " bits for data",
                p->head, l->head_bits);
  for (uint32_t f = 0; f + 1 < p->flits; f++)
    if (p->words[f] & ~low_bits(l->data_bits))
      hd_ep_abort(ep, "packet with 0x%" PRIx64 " in a flit of %" PRIu32 " bits", p->words[f],
                  l->data_bits);
}

static uint64_t pack(const struct hd_ep_layout *l, const struct hd_ep_packet *p)
{
  uint64_t header = p->head << l->header_bits;
  if (!p->code)
    return header;
  uint64_t length = p->code == HD_EP_CODE_NATIVE ? p->flits - 1 : p->length;
  return header | length << (l->place_shift - LENGTH_BITS) | (uint64_t)p->place << l->place_shift |
         (uint64_t)p->code << (l->data_bits - CODE_BITS);
}

static void unpack(const struct hd_ep_layout *l, struct hd_ep_packet *p, uint64_t header)
{
  p->head = header >> l->header_bits & low_bits(l->head_bits);
  if (!l->places)
    return;
  p->length = (uint32_t)(header >> (l->place_shift - LENGTH_BITS) & low_bits(LENGTH_BITS));
  p->place = (uint32_t)(header >> l->place_shift & low_bits(l->place_bits));
  p->code = (enum hd_ep_code)(header >> (l->data_bits - CODE_BITS) & low_bits(CODE_BITS));
}

void hd_ep_packet_send(struct hd_ep *ep, int destination, const struct hd_ep_packet *packet)
{
  const struct hd_world_params *p = &ep->world->params;
  check_packet(ep, destination, packet);
  hd_ep_stop_check(ep);
  hd_ep_startup(ep);
  hd_ep_pass_packet(ep,
                    &(struct hd_world_packet){.source = ep->rank,
                                              .destination = (uint32_t)destination,
                                              .flits = packet->flits,
                                              .payload = packet->flits > 1 ? packet->words : NULL,
                                              .bare = true,
                                              .header = pack(&p->layout, packet)});
}

uint32_t hd_ep_unsent(const struct hd_ep *ep)
{
  const struct hd_world_params *p = &ep->world->params;
  struct hd_world_sending sending;
  return p->sending && p->sending(p->context, ep->rank, &sending) ? sending.packets : 0;
}

/* ── receiving ────────────────────────────────────────────────────────────── */

int hd_world_deliver_packet(struct hd_world *world, uint32_t node, const uint64_t *words,
                            uint32_t n_words, uint64_t cycle, struct hd_error *err)
{
  struct hd_ep *ep = node < world->params.nodes ? &world->eps[node] : NULL;
  if (!ep || !n_words)
    return hd_fail(err, HD_E_INPUT,
                   "a packet of %s for node %" PRIu32 "; there are %" PRIu32 " nodes",
                   hd_count(n_words, "flit").text, node, world->params.nodes);
  struct hd_bare_packet *packet = malloc(sizeof *packet + n_words * sizeof *words);
  if (!packet)
    return hd_fail(err, HD_E_NOMEM, "no memory for a packet of %" PRIu32 " flits", n_words);
  *packet = (struct hd_bare_packet){.received = cycle, .flits = n_words};
  memcpy(packet->words, words, n_words * sizeof *words);
  *(ep->packets_first ? &ep->packets_last->next : &ep->packets_first) = packet;
  ep->packets_last = packet;
  if (ep->state == HD_EP_AWAITS_PACKET) {
    ep->state = HD_EP_SLEEPS;
    ep->since = world->now;
    ep->until = cycle + 1;
    hd_calendar_add(&world->calendar, cycle + 1, node);
  }
  return HD_OK;
}

void hd_ep_packets_free(struct hd_ep *ep)
{
  free(ep->packet_taken);
  for (struct hd_bare_packet *p = ep->packets_first, *next; p; p = next) {
    next = p->next;
    free(p);
  }
}

/* Takes the next packet. Returns false if software can see none yet. */
static bool pop_packet(struct hd_ep *ep, struct hd_ep_packet *packet)
{
  struct hd_bare_packet *taken = ep->packets_first;
  free(ep->packet_taken);
  ep->packet_taken = NULL;
  if (!taken || taken->received >= ep->world->now)
    return false;
  ep->packets_first = taken->next;
  ep->packet_taken = taken;
  *packet = (struct hd_ep_packet){.flits = taken->flits,
                                  .words = taken->flits > 1 ? taken->words + 1 : NULL,
                                  .received = taken->received};
  unpack(&ep->world->params.layout, packet, taken->words[0]);
  return true;
}

void hd_ep_packet_receive(struct hd_ep *ep, struct hd_ep_packet *packet)
{
  hd_ep_stop_check(ep);
  hd_ep_startup(ep);
  while (!pop_packet(ep, packet)) {
    if (ep->packets_first) {
      hd_ep_wait_until(ep, ep->packets_first->received + 1);
      continue;
    }
    ep->state = HD_EP_AWAITS_PACKET; /* hd_world_deliver_packet wakes it */
    ep->since = ep->world->now;
    hd_ep_yield(ep);
  }
}

bool hd_ep_packet_test(struct hd_ep *ep, struct hd_ep_packet *packet)
{
  hd_ep_stop_check(ep);
  if (pop_packet(ep, packet))
    return true;
  hd_ep_delay(ep, 1); /* otherwise a loop of tests would never end */
  return false;
}

/* ── chains ───────────────────────────────────────────────────────────────── */

const char *hd_ep_chain_text(enum hd_ep_chain_status status)
{
  static const char *const texts[] = {
      [HD_EP_CHAIN_OPEN] = "open",
      [HD_EP_CHAIN_FULL] = "the coder has not so many free places in a row",
      [HD_EP_CHAIN_UNSUPPORTED] =
          "the node has no coder (key switch.code_places; port 0 of its switch)",
  };
  return texts[status];
}

enum hd_ep_chain_status hd_ep_chain_open(struct hd_ep *ep, uint32_t places,
                                         struct hd_ep_chain *chain)
{
  const struct hd_world_params *p = &ep->world->params;
  enum hd_ep_chain_status opened = HD_EP_CHAIN_UNSUPPORTED;
  uint64_t ready = 0;
  *chain = (struct hd_ep_chain){.places = places};
  if (!places)
    hd_ep_abort(ep, "chain of no places");
  if (!p->layout.places)
    return opened;
  hd_ep_stop_check(ep);
  if (!p->chain_open)
    return opened;
  int status = p->chain_open(p->context, ep->rank, places, &chain->first, &ready, &opened);
  if (status)
    hd_ep_fail(ep, status, "the network refused a chain of %s: %s", hd_count(places, "place").text,
               hd_status_text(status));
  hd_ep_wait_until(ep, ready);
  return opened;
}

void hd_ep_chain_close(struct hd_ep *ep, const struct hd_ep_chain *chain)
{
  const struct hd_world_params *p = &ep->world->params;
  bool open = false;
  uint64_t done = 0;
  int status = HD_OK;
  if (p->chain_close)
    status = p->chain_close(p->context, ep->rank, chain->first, chain->places, &done, &open);
  if (status)
    hd_ep_fail(ep, status, "the network refused to close a chain: %s", hd_status_text(status));
  if (!open)
    hd_ep_abort(ep, "closes a chain of %s from %" PRIu32 " on, which is not open here",
                hd_count(chain->places, "place").text, chain->first);
  hd_ep_wait_until(ep, done);
}
