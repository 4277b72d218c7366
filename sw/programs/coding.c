/* Program coding: each node gets the datum of each source, by network coding or a rival.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The plan (sw/coding) says what a node sends when it has got an item. This program carries the
 * plan out: in a loop, a node receives the next packet, decodes it, and sends what the plan says.
 * With coders, the switches do the encoding (step C) and the decoding (step G), in a chain of
 * places for each group. Without coders, this program does both.
 *
 * A datum depends only on the number of its source. So each node can check every datum, flit by
 * flit. A datum that was checked need not be stored, because it can be made again.
 *
 * Nodes share the plan, and totals for the report. They exchange nothing else except packets.
 */
#include "coding_packets.h"
#include "coding_task.h"
#include "common.h"
#include "programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  LEVELS = HD_CODING_LEVELS,
  STEPS = HD_CODING_STEPS,
  SELF = HD_CODING_STEPS,         /* via: the node's own item */
  RESTORED = HD_CODING_STEPS + 1, /* via: restored in step G */
};

/* An item that waits: a pair until a datum comes to decode it with, or an item until its step. */
struct kept {
  struct kept *next;
  struct hd_coding_item item;
  struct hd_coding_via via;
  struct hd_coding_payload payload;
};

struct node {
  struct hd_ep *ep;
  struct hd_coding_task *t;
  uint32_t rank;
  /** [nodes] it has the datum of this source, and has checked it */
  bool *has_datum;
  uint32_t n_data; /* how many data it has */
  uint64_t done;   /* cycle of the last datum, counted from the start */
  /** packets; a message of all data counts when its last packet comes */
  uint32_t received[LEVELS][STEPS];
  uint32_t made[LEVELS], restored[LEVELS]; /* made: pairs or messages of all data; restored: data */
  uint64_t last[LEVELS][STEPS];
  uint32_t in_group[LEVELS]; /* data of its group that it has */
  /** [nodes] pairs that cannot be decoded yet, by the first source of the pair */
  struct kept **pairs[LEVELS];
  struct kept *held, **held_end, *free;
  struct hd_coding_via step; /* sequential: the current step */
  const struct hd_coding_payload *sending;
  uint64_t *words; /* words of a packet with several data; NULL until the first one */
};

/* ── data ──────────────────────────────────────────────────────────────────── */

/* Combines two payloads by exclusive or. Words after the end of a payload are 0. */
static void xor_payloads(struct hd_coding_payload *p, const struct hd_coding_payload *q)
{
  p->value ^= q->value;
  if (p->flits < q->flits)
    p->flits = q->flits;
  for (uint32_t f = 0; f + 1 < p->flits; f++)
    p->words[f] ^= q->words[f];
}

static void check_datum(struct node *me, uint32_t source, const struct hd_coding_payload *p)
{
  struct hd_coding_payload want;
  hd_coding_datum(me->t, source, &want);
  if (p->flits != want.flits || p->value != want.value ||
      memcmp(p->words, want.words, sizeof want.words) != 0)
    hd_ep_abort(me->ep, "the datum of node %" PRIu32 " is wrong", source);
}

/* ── the plan ────────────────────────────────────────────────────────────── */

static uint32_t group_of(const struct node *me, uint32_t level)
{
  return hd_coding_group(me->t->plan, level, me->rank);
}

/* ── sending ───────────────────────────────────────────────────────────────── */

static void send_packet(struct node *me, uint32_t to, struct hd_ep_packet *packet,
                        const struct hd_coding_payload *p)
{
  packet->flits = p->flits;
  packet->words = p->flits > 1 ? p->words : NULL;
  hd_ep_packet_send(me->ep, (int)to, packet);
}

/* Sends a native packet to a coder. The place identifies the packet, so its head only needs the
 * source's number. */
static void send_native(struct node *me, uint32_t to, uint32_t level, uint32_t source,
                        const struct hd_coding_payload *p)
{
  const struct hd_coding_task *t = me->t;
  uint32_t group = hd_coding_group(t->plan, level, source);
  struct hd_ep_packet packet = {.code = HD_EP_CODE_NATIVE,
                                .place = t->base[level][group] + t->number[level][source],
                                .head = hd_coding_head(t, 0, source, p->value)};
  send_packet(me, to, &packet, p);
}

static void send_coded(struct node *me, const struct hd_coding_send *send,
                       const struct hd_coding_payload *p)
{
  const struct hd_coding_task *t = me->t;
  const struct hd_coding_item *item = &send->item;
  uint32_t n, native = hd_coding_native(t->plan, item->level, item->group, send->to);
  const uint32_t *sources = hd_coding_sources(t->plan, item->level, item->group, &n);
  uint32_t a = sources[item->index], b = sources[item->index + 1];
  struct hd_ep_packet packet = {.code = HD_EP_CODE_CODED,
                                .place = t->base[item->level][item->group] + item->index +
                                         (item->index >= native),
                                .length = (hd_coding_flits(t, a) - 1) ^ (hd_coding_flits(t, b) - 1),
                                .head = hd_coding_head(t, 0, a ^ b, p->value)};
  send_packet(me, send->to, &packet, p);
}

static void send_plain(struct node *me, const struct hd_coding_send *send, uint32_t id,
                       const struct hd_coding_payload *p)
{
  struct hd_ep_packet packet = {.head =
                                    hd_coding_head(me->t, hd_coding_kind_of(send), id, p->value)};
  send_packet(me, send->to, &packet, p);
}

/* Sends one message with all data of a group, in as few packets as their length allows. A packet
 * contains whole data. Before each datum is what would be its head, so the message has as many
 * flits as its data. Returns the number of packets. */
static uint32_t send_all_data(struct node *me, const struct hd_coding_send *send)
{
  const struct hd_coding_task *t = me->t;
  uint32_t n, packets = 0;
  const uint32_t *sources = hd_coding_sources(t->plan, send->item.level, send->item.group, &n);
  struct hd_ep_packet packet = {.flits = 0};
  if (!me->words)
    me->words = hd_ep_alloc(me->ep, (size_t)t->nodes * t->most_flits * sizeof *me->words);
  packet.words = me->words;
  for (uint32_t i = 0; i < n; i++) {
    struct hd_coding_payload p;
    hd_coding_datum(t, sources[i], &p);
    const uint64_t head = hd_coding_head(t, hd_coding_kind_of(send), sources[i], p.value);
    if (packet.flits)
      me->words[packet.flits - 1] = head;
    else
      packet.head = head;
    memcpy(me->words + packet.flits, p.words, (p.flits - 1) * sizeof *p.words);
    packet.flits += p.flits;
    if (i + 1 < n && packet.flits + hd_coding_flits(t, sources[i + 1]) <= t->combined_flits)
      continue;
    hd_ep_packet_send(me->ep, (int)send->to, &packet);
    packet.flits = 0;
    packets++;
  }
  return packets;
}

/* Returns true if the packet is for a coder. Native packets of step B go to the encoder; those of
 * step F, and pairs, go to a decoder. */
static bool is_for_coder(const struct hd_coding_task *t, const struct hd_coding_send *send)
{
  uint32_t level = send->as.level;
  if (t->scheme != HD_CODING_CODED || send->item.what == HD_CODING_ALL_DATA)
    return false;
  if (send->item.what == HD_CODING_PAIR)
    return t->decode;
  if (hd_coding_n_sources(t, level, hd_coding_group(t->plan, level, send->item.index)) < 2)
    return false;
  return send->as.step == HD_CODING_F ? t->decode
                                      : t->encode && hd_coding_is_intermediate(t, level, send->to);
}

static void transmit(struct node *me, const struct hd_coding_send *send)
{
  struct hd_coding_task *t = me->t;
  uint32_t n, packets = 1;
  t->hops[send->as.level][send->as.step] += (uint64_t)hd_coding_packets(t->plan, send) *
                                            hd_coding_distance(t->plan, send->from, send->to);
  if (t->own_channels)
    hd_ep_use_network(me->ep, send->as.step);
  if (send->item.what == HD_CODING_ALL_DATA) {
    packets = send_all_data(me, send);
  } else if (!is_for_coder(t, send)) {
    uint32_t id = send->item.index;
    if (send->item.what == HD_CODING_PAIR)
      id = hd_coding_sources(t->plan, send->item.level, send->item.group, &n)[id];
    send_plain(me, send, id, me->sending);
  } else if (send->item.what == HD_CODING_PAIR) {
    send_coded(me, send, me->sending);
  } else {
    send_native(me, send->to, send->as.level, send->item.index, me->sending);
  }
  t->packets[send->as.level][send->as.step] += packets;
}

/* ── received items ──────────────────────────────────────────────────────── */

static struct kept *keep_item(struct node *me, struct hd_coding_item item, struct hd_coding_via via,
                              const struct hd_coding_payload *p)
{
  struct kept *k = me->free;
  if (k)
    me->free = k->next;
  else
    k = hd_ep_alloc(me->ep, sizeof *k);
  *k = (struct kept){.item = item, .via = via, .payload = *p};
  return k;
}

static void free_kept(struct node *me, struct kept *k)
{
  k->next = me->free;
  me->free = k;
}

static void hold_for_step(struct node *me, struct kept *k)
{
  k->next = NULL;
  *me->held_end = k;
  me->held_end = &k->next;
}

static bool is_step(struct hd_coding_via a, struct hd_coding_via b)
{
  return a.step == b.step && a.level == b.level;
}

/* Compares steps in the sequential order: the innermost level first; within a level B, D, E, F. */
static bool is_before(struct hd_coding_via a, struct hd_coding_via b)
{
  return a.level > b.level || (a.level == b.level && a.step < b.step);
}

struct visit {
  struct node *me;
  bool later; /* some send belongs to a later step */
};

static void visit_send(void *context, const struct hd_coding_send *send)
{
  struct visit *v = context;
  if (!v->me->t->sequential || is_step(send->as, v->me->step))
    transmit(v->me, send);
  else if (is_before(v->me->step, send->as))
    v->later = true;
}

static bool send_all(struct node *me, struct hd_coding_item item, struct hd_coding_via via,
                     const struct hd_coding_payload *p)
{
  struct visit v = {.me = me};
  me->sending = p;
  hd_coding_sends(me->t->plan, me->rank, via, item, visit_send, &v);
  return v.later;
}

static void handle_item(struct node *me, struct hd_coding_item item, struct hd_coding_via via,
                        const struct hd_coding_payload *p)
{
  if (send_all(me, item, via, p))
    hold_for_step(me, keep_item(me, item, via, p));
}

/* Sends the items that waited for the current step (sequential). */
static void send_held(struct node *me)
{
  struct kept *k = me->held;
  me->held = NULL;
  me->held_end = &me->held;
  for (struct kept *next; k; k = next) {
    next = k->next;
    if (send_all(me, k->item, k->via, &k->payload))
      hold_for_step(me, k);
    else
      free_kept(me, k);
  }
}

/* ── encoding, step C ──────────────────────────────────────────────────────── */

static void handle_made_pair(struct node *me, uint32_t level, uint32_t q,
                             const struct hd_coding_payload *p)
{
  const struct hd_coding_item item = {
      .what = HD_CODING_PAIR, .level = (uint8_t)level, .group = group_of(me, level), .index = q};
  me->made[level]++;
  handle_item(me, item, (struct hd_coding_via){.step = SELF}, p);
}

/* Encodes the datum of a source of this node's group. This node is the group's intermediate
 * node. */
static void encode_pairs(struct node *me, uint32_t level, uint32_t source,
                         const struct hd_coding_payload *p)
{
  const struct hd_coding_task *t = me->t;
  uint32_t n, number = t->number[level][source];
  const uint32_t *sources = hd_coding_sources(t->plan, level, group_of(me, level), &n);
  for (uint32_t q = number ? number - 1 : 0; q <= number && q + 1 < n; q++) {
    uint32_t other = sources[q == number ? q + 1 : q];
    struct hd_coding_payload pair;
    if (!me->has_datum[other])
      continue;
    hd_coding_datum(t, other, &pair);
    xor_payloads(&pair, p);
    hd_ep_delay(me->ep, t->xor_cycles);
    handle_made_pair(me, level, q, &pair);
  }
}

static void use_datum_at_level(struct node *me, uint32_t level, uint32_t source,
                               struct hd_coding_via via, const struct hd_coding_payload *p)
{
  struct hd_coding_task *t = me->t;
  uint32_t n = hd_coding_n_sources(t, level, group_of(me, level));
  me->in_group[level]++;
  if (!hd_coding_is_intermediate(t, level, me->rank) || n < (t->scheme == HD_CODING_CODED ? 2 : 1))
    return;
  if (t->scheme == HD_CODING_CODED && t->encode) {
    if (t->own_channels)
      hd_ep_use_network(me->ep, HD_CODING_B);
    if (via.step != HD_CODING_B || via.level != level) /* the coder does not have it yet */
      send_native(me, me->rank, level, source, p);
  } else if (t->scheme == HD_CODING_CODED) {
    encode_pairs(me, level, source, p);
  } else if (t->scheme == HD_CODING_COMBINED && me->in_group[level] == n) {
    const struct hd_coding_item item = {
        .what = HD_CODING_ALL_DATA, .level = (uint8_t)level, .group = group_of(me, level)};
    me->made[level]++;
    handle_item(me, item, (struct hd_coding_via){.step = SELF}, p);
  }
}

/* Returns the number of pairs, or messages of all data, that this node makes. */
static uint32_t pairs_to_make(const struct node *me, uint32_t level)
{
  const struct hd_coding_task *t = me->t;
  uint32_t n = t->levels ? hd_coding_n_sources(t, level, group_of(me, level)) : 0;
  if (!n || t->scheme == HD_CODING_PLAIN || !hd_coding_is_intermediate(t, level, me->rank))
    return 0;
  return t->scheme == HD_CODING_CODED ? n - 1 : 1;
}

/* ── data, and decoding, step G ────────────────────────────────────────────── */

static void add_datum(struct node *me, uint32_t source, const struct hd_coding_payload *p)
{
  check_datum(me, source, p);
  if (me->has_datum[source])
    hd_ep_abort(me->ep, "the datum of node %" PRIu32 " came twice", source);
  me->has_datum[source] = true;
  if (++me->n_data == me->t->sources)
    me->done = hd_ep_time(me->ep) - me->t->start;
}

/* Uses a datum for every encoding and combination in which this node takes part. */
static void use_datum(struct node *me, uint32_t source, struct hd_coding_via via,
                      const struct hd_coding_payload *p)
{
  for (uint32_t level = me->t->levels; level--;)
    if (hd_coding_group(me->t->plan, level, source) == group_of(me, level))
      use_datum_at_level(me, level, source, via, p);
}

static void handle_datum(struct node *me, uint32_t source, struct hd_coding_via via,
                         const struct hd_coding_payload *p)
{
  const struct hd_coding_item item = {.what = HD_CODING_DATUM, .index = source};
  add_datum(me, source, p);
  if (via.step == RESTORED)
    me->restored[via.level]++;
  else
    handle_item(me, item, via, p);
  use_datum(me, source, via, p);
}

/* Restores the second datum of a pair from the pair and its known datum. */
static void restore_datum(struct node *me, const struct hd_coding_item *pair, uint32_t known,
                          uint32_t restored, const struct hd_coding_payload *coded)
{
  struct hd_coding_payload p;
  hd_coding_datum(me->t, known, &p);
  xor_payloads(&p, coded);
  p.flits = hd_coding_flits(me->t, restored);
  hd_ep_delay(me->ep, me->t->restore_cycles);
  handle_datum(me, restored, (struct hd_coding_via){RESTORED, pair->level}, &p);
}

static bool restore_kept(struct node *me, uint32_t level, uint32_t first, uint32_t known,
                         uint32_t restored)
{
  struct kept *k = me->pairs[level][first];
  if (!k)
    return false;
  me->pairs[level][first] = NULL;
  restore_datum(me, &k->item, known, restored, &k->payload);
  free_kept(me, k);
  return true;
}

/* Decodes with a datum that has come: along its chain in both directions, as long as there are
 * pairs. */
static void decode_chain(struct node *me, uint32_t level, uint32_t source)
{
  const struct hd_coding_task *t = me->t;
  uint32_t n, at = t->number[level][source];
  const uint32_t *s =
      hd_coding_sources(t->plan, level, hd_coding_group(t->plan, level, source), &n);
  for (uint32_t i = at; i + 1 < n && restore_kept(me, level, s[i], s[i], s[i + 1]); i++) {
  }
  for (uint32_t i = at; i && restore_kept(me, level, s[i - 1], s[i], s[i - 1]); i--) {
  }
}

static void handle_pair(struct node *me, struct hd_coding_item item, struct hd_coding_via via,
                        const struct hd_coding_payload *p)
{
  uint32_t n;
  const uint32_t *s = hd_coding_sources(me->t->plan, item.level, item.group, &n) + item.index;
  handle_item(me, item, via, p);
  if (me->t->decode)
    return;
  if (!me->has_datum[s[0]] && !me->has_datum[s[1]]) {
    me->pairs[item.level][s[0]] = keep_item(me, item, via, p);
    return;
  }
  uint32_t known = me->has_datum[s[0]] ? s[0] : s[1], restored = me->has_datum[s[0]] ? s[1] : s[0];
  restore_datum(me, &item, known, restored, p);
  decode_chain(me, item.level, restored);
}

/* ── receiving ─────────────────────────────────────────────────────────────── */

static void bad_packet(struct node *me, const struct hd_ep_packet *p)
{
  hd_ep_abort(me->ep,
              "a packet that is not part of the plan: code %d, place %" PRIu32 ", head 0x%" PRIx64,
              (int)p->code, p->place, p->head);
}

static void count_packet(struct node *me, struct hd_coding_via via)
{
  me->received[via.level][via.step]++;
  me->last[via.level][via.step] = hd_ep_time(me->ep) - me->t->start;
}

static void receive_coded(struct node *me, const struct hd_ep_packet *packet, uint64_t id,
                          const struct hd_coding_payload *p)
{
  const struct hd_coding_task *t = me->t;
  uint32_t level, group, at, n;
  if (!hd_coding_find_chain(t, me->rank, packet->place, &level, &group, &at))
    bad_packet(me, packet);
  const uint32_t *sources = hd_coding_sources(t->plan, level, group, &n);
  bool own = group == group_of(me, level);
  uint32_t native = own ? n : hd_coding_native(t->plan, level, group, me->rank);
  struct hd_coding_via via = {HD_CODING_B, (uint8_t)level};
  if (packet->code == HD_EP_CODE_CODED) {
    uint32_t q = at > native ? at - 1 : at;
    if (q + 1 >= n || id != (sources[q] ^ sources[q + 1]))
      bad_packet(me, packet);
    const struct hd_coding_item item = {HD_CODING_PAIR, (uint8_t)level, group, q};
    if (own) {
      handle_made_pair(me, level, q, p);
      return;
    }
    via.step = hd_coding_is_intermediate(t, level, me->rank) ? HD_CODING_D : HD_CODING_E;
    count_packet(me, via);
    handle_pair(me, item, via, p);
    return;
  }
  if (id != sources[at])
    bad_packet(me, packet);
  /* it had sent this packet to its own coder */
  if (own && (sources[at] == me->rank || level + 1 < t->levels))
    return;
  if (!own)
    via.step = at == native ? HD_CODING_F : RESTORED;
  if (via.step != RESTORED)
    count_packet(me, via);
  handle_datum(me, sources[at], via, p);
}

/* Receives a packet of a message of all data. The message is complete when its last packet is here;
 * packets come in any order. */
static void receive_all_data(struct node *me, const struct hd_ep_packet *packet)
{
  const struct hd_coding_task *t = me->t;
  const uint64_t kind = hd_coding_head_kind(t, packet->head);
  const struct hd_coding_via via = hd_coding_via_of(kind);
  struct hd_coding_item item = {.what = (uint8_t)(kind >> 3), .level = via.level};
  struct hd_coding_payload p;
  uint32_t n;
  for (uint32_t at = 0; at < packet->flits; at += p.flits) {
    const uint64_t head = at ? packet->words[at - 1] : packet->head;
    const uint32_t source = (uint32_t)hd_coding_head_id(t, head);
    if (hd_coding_head_kind(t, head) != kind ||
        !hd_coding_is_expected(t, me->rank, &item, via, source))
      bad_packet(me, packet);
    const uint32_t group = hd_coding_group(t->plan, via.level, source);
    const uint32_t left = packet->flits - at, flits = hd_coding_flits(t, source);
    if (at && group != item.group)
      bad_packet(me, packet);
    item.group = group;
    const uint64_t *words = packet->words ? packet->words + at : NULL;
    p = hd_coding_packet_payload(t, head, words, flits < left ? flits : left);
    add_datum(me, source, &p);
    use_datum(me, source, via, &p);
  }
  const uint32_t *sources = hd_coding_sources(t->plan, item.level, item.group, &n);
  for (uint32_t i = 0; i < n; i++)
    if (!me->has_datum[sources[i]])
      return;
  count_packet(me, via);
  handle_item(me, item, via, &p);
}

static void receive_plain(struct node *me, const struct hd_ep_packet *packet,
                          const struct hd_coding_payload *p)
{
  const struct hd_coding_task *t = me->t;
  const uint64_t kind = hd_coding_head_kind(t, packet->head);
  const struct hd_coding_via via = hd_coding_via_of(kind);
  struct hd_coding_item item = {.what = (uint8_t)(kind >> 3), .level = via.level};
  uint32_t source = (uint32_t)hd_coding_head_id(t, packet->head);
  if (!hd_coding_is_expected(t, me->rank, &item, via, source))
    bad_packet(me, packet);
  if (item.what == HD_CODING_DATUM) {
    count_packet(me, via);
    handle_datum(me, source, via, p);
    if (via.step == HD_CODING_F && !t->decode)
      decode_chain(me, via.level, source);
    return;
  }
  item.group = hd_coding_group(t->plan, via.level, source);
  item.index = t->number[via.level][source];
  count_packet(me, via);
  handle_pair(me, item, via, p);
}

static void receive_packet(struct node *me)
{
  const struct hd_coding_task *t = me->t;
  struct hd_ep_packet packet;
  hd_ep_packet_receive(me->ep, &packet);
  if (!packet.code && hd_coding_head_kind(t, packet.head) >> 3 == HD_CODING_ALL_DATA) {
    receive_all_data(me, &packet);
    return;
  }
  if (packet.flits > HD_CODING_FLITS)
    bad_packet(me, &packet);
  const struct hd_coding_payload p =
      hd_coding_packet_payload(t, packet.head, packet.words, packet.flits);
  if (packet.code)
    receive_coded(me, &packet, hd_coding_head_id(t, packet.head), &p);
  else
    receive_plain(me, &packet, &p);
}

/* ── the run of a node ─────────────────────────────────────────────────────── */

static void open_chains(struct node *me)
{
  const struct hd_coding_task *t = me->t;
  for (uint32_t level = 0; level < t->levels && t->places; level++) {
    uint32_t n, first = hd_coding_siblings(t->plan, level, me->rank, &n);
    for (uint32_t group = first; group < first + n; group++) {
      struct hd_ep_chain chain;
      uint32_t m = hd_coding_n_sources(t, level, group);
      if (m < 2 || (!t->decode && group != group_of(me, level)))
        continue;
      enum hd_ep_chain_status status = hd_ep_chain_open(me->ep, m, &chain);
      if (status != HD_EP_CHAIN_OPEN)
        hd_ep_abort(me->ep, "a chain of %" PRIu32 " places: %s", m, hd_ep_chain_text(status));
      if (chain.first != t->base[level][group])
        hd_ep_abort(me->ep, "a chain begins at place %" PRIu32 ", not %" PRIu32, chain.first,
                    t->base[level][group]);
    }
  }
}

static uint32_t expected_packets(const struct node *me, uint32_t level, unsigned step)
{
  const struct hd_coding_via via = {(uint8_t)step, (uint8_t)level};
  return hd_coding_receives(me->t->plan, via, me->rank);
}

static void receive_step(struct node *me, uint32_t level, unsigned step)
{
  uint32_t expected = expected_packets(me, level, step);
  while (me->received[level][step] < expected)
    receive_packet(me);
}

static void receive_until_made(struct node *me, uint32_t level)
{
  uint32_t expected = pairs_to_make(me, level);
  while (me->made[level] < expected)
    receive_packet(me);
}

/* Receives pairs until the data of this level are restored. */
static void receive_until_restored(struct node *me, uint32_t level)
{
  const struct hd_coding_task *t = me->t;
  uint32_t expected = 0;
  if (t->scheme == HD_CODING_CODED)
    expected = expected_packets(me, level, HD_CODING_D) + expected_packets(me, level, HD_CODING_E);
  while (me->restored[level] < expected)
    receive_packet(me);
}

/* Waits until this node has received and made everything of a step. In sequential order, a barrier
 * of all nodes ends the step. Otherwise nodes send at once, and the steps are only the order in
 * which a node checks what is missing. */
static void run_step(struct node *me, struct hd_ep_barrier *barrier, uint32_t level, unsigned step)
{
  if (!hd_coding_step_has_sends(me->t, level, step))
    return;
  if (step == HD_CODING_D)
    receive_until_made(me, level);
  me->step = (struct hd_coding_via){(uint8_t)step, (uint8_t)level};
  send_held(me);
  receive_step(me, level, step);
  if (step == HD_CODING_F)
    receive_until_restored(me, level);
  hd_program_barrier_wait(me->ep, barrier);
}

static void report_results(struct node *me)
{
  static const char *const prefixes[] = {"", "inner "};
  struct hd_coding_task *t = me->t;
  char name[64];
  hd_ep_statistic(me->ep, "done", me->done);
  bool all = ++t->n_ended == t->nodes;
  for (uint32_t level = 0; level < hd_coding_step_levels(t); level++)
    for (unsigned s = 0; s < STEPS; s++) {
      const char *step_name = hd_coding_step_name(s), *prefix = prefixes[level];
      snprintf(name, sizeof name, "last of %sstep %s", prefix, step_name);
      if (me->received[level][s])
        hd_ep_statistic(me->ep, name, me->last[level][s]);
      if (!all || !t->packets[level][s])
        continue;
      snprintf(name, sizeof name, "packets of %sstep %s", prefix, step_name);
      hd_ep_statistic(me->ep, name, t->packets[level][s]);
      snprintf(name, sizeof name, "hops of %sstep %s", prefix, step_name);
      hd_ep_statistic(me->ep, name, t->hops[level][s]);
    }
}

static void run(struct hd_ep *ep)
{
  struct hd_coding_task *t = hd_coding_task(ep);
  struct node me = {.ep = ep, .t = t, .rank = (uint32_t)hd_ep_rank(ep)};
  struct hd_ep_barrier *barrier = NULL;
  me.has_datum = hd_ep_alloc(ep, t->nodes * sizeof *me.has_datum);
  me.held_end = &me.held;
  for (uint32_t level = 0; level < t->levels; level++)
    me.pairs[level] = hd_ep_alloc(ep, t->nodes * sizeof *me.pairs[level]);
  if (t->sequential) {
    int *ranks = hd_ep_alloc(ep, t->nodes * sizeof *ranks);
    for (uint32_t i = 0; i < t->nodes; i++)
      ranks[i] = (int)i;
    barrier = hd_program_barrier_create(ep, "order", ranks, (int)t->nodes, HD_EP_CENTER_LOWEST);
  }
  open_chains(&me);
  hd_ep_wait_until(ep, t->places + 1); /* all have them */
  hd_program_barrier_wait(ep, barrier);
  if (!t->start)
    t->start = hd_ep_time(ep);
  me.step.level = (uint8_t)hd_coding_step_levels(t); /* before the first step */
  if (t->is_source[me.rank]) {
    struct hd_coding_payload own;
    hd_coding_datum(t, me.rank, &own);
    handle_datum(&me, me.rank, (struct hd_coding_via){.step = SELF}, &own);
  }
  for (uint32_t level = hd_coding_step_levels(t); level--;)
    for (unsigned s = 0; s < STEPS; s++)
      run_step(&me, barrier, level, s);
  if (me.n_data != t->sources)
    hd_ep_abort(ep, "it has %" PRIu32 " of %" PRIu32 " data", me.n_data, t->sources);
  report_results(&me);
}

const struct hd_program hd_program_coding = {
    .name = "coding",
    .about =
        "all-to-all broadcast on meshes and tori by hierarchical network coding, or by its "
        "rivals; parameters "
        "scheme, multicast, dims, torus, group, inner, sources, placed, flits, most_flits, encode, "
        "decode, xor, restore, channels, combined_flits, order",
    .main = run,
    .parameters = hd_coding_parameters,
};
