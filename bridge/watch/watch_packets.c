/* Rules P6 to P13 (specification §6.7): packets leave whole, once, in order, by ports that the tables allow, and no others leave.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "watch_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  SETTLE_CYCLES = 64, /* limit for the flits that must follow one that left out of turn */
  MOST_PACKETS =
      1 << 16 /* most packets of a channel; above it, loose ones at the front are forgotten */
};

/* ── what comes in ─────────────────────────────────────────────────────────── */

/* Doubles a ring whose items have running numbers; false: out of memory. */
static bool widen(void *ring, uint32_t *capacity, uint32_t first, uint32_t next, size_t bytes)
{
  const uint32_t old = *capacity, wide = old ? 2 * old : 8;
  unsigned char *from, *to = malloc(wide * bytes);
  memcpy(&from, ring, sizeof from); /* memcpy, since `ring` may point to a pointer of any type */
  if (!to)
    return false;
  for (uint32_t i = first; i != next; i++)
    memcpy(to + (i & (wide - 1)) * bytes, from + (i & (old - 1)) * bytes, bytes);
  free(from);
  memcpy(ring, &to, sizeof to);
  *capacity = wide;
  return true;
}

/* Removes packets from the front of the ring that have left, or loose ones above MOST_PACKETS. */
static void forget(struct watched *s, struct channel *c)
{
  while (c->first != c->next && packet_of(c, c->first)->state == GONE)
    c->first++;
  while (c->next - c->first > MOST_PACKETS && packet_of(c, c->first)->flags & LOOSE &&
         packet_of(c, c->first)->state == WAITS) {
    c->first++;
    s->inside--;
  }
  if (c->waits - c->first > c->next - c->first) /* the packet that left was among those that wait */
    c->waits = c->first;
  hd_watch_find_waiting(c);
}

static uint32_t first_flit(const struct channel *c)
{
  return c->first == c->next ? c->next_flit : packet_of(c, c->first)->first;
}

/* A head or single comes in on a channel without a packet. *coming: DISCARDED if it will not
 * leave (§2.8). */
static int head_in(const struct view *v, const struct hd_flit_event *e, uint32_t i,
                   enum coming *coming)
{
  struct watched *s = v->s;
  struct channel *c = &s->channels[i];
  struct packet p = {.came = v->start + e->cycle, .kind = e->kind, .state = WAITS};
  *coming = hd_watch_route(v->watch, s, e->port, e->data, &p) ? A_PACKET : DISCARDED;
  if (*coming == DISCARDED)
    return HD_OK;
  p.first = c->next_flit;
  if (c->next - c->first == c->cap_packets &&
      !widen(&c->packets, &c->cap_packets, c->first, c->next, sizeof p))
    return HD_E_NOMEM;
  *packet_of(c, c->next++) = p;
  s->inside++;
  hd_watch_find_waiting(c);
  hd_watch_note_waiting(s, i);
  return HD_OK;
}

int hd_watch_flit_in(const struct view *v, const struct hd_flit_event *e)
{
  const uint32_t i = e->port * v->watch->params.sw.vcs + e->vc;
  struct channel *c = &v->s->channels[i];
  const bool head = e->kind & HD_KIND_HEAD, nested = head && c->coming == A_PACKET;
  enum coming coming = c->coming;
  c->came = v->start + e->cycle;
  if (coming == NO_PACKET && head && head_in(v, e, i, &coming))
    return HD_E_NOMEM;
  c->coming = (uint8_t)(e->kind & HD_KIND_TAIL ? NO_PACKET : coming);
  if (coming != A_PACKET) { /* orphans are discarded, too (§2.4) */
    if (c->first != c->next)
      packet_of(c, c->next - 1)->behind++;
    return HD_OK;
  }
  if (c->next_flit - first_flit(c) == c->cap_flits &&
      !widen(&c->flits, &c->cap_flits, first_flit(c), c->next_flit, sizeof *c->flits))
    return HD_E_NOMEM;
  struct packet *p = packet_of(c, c->next - 1);
  c->flits[c->next_flit++ & (c->cap_flits - 1)] = p->flits ? e->data : p->looks;
  p->flits++;
  if (nested)
    p->flags |= ODD;
  if (e->kind & HD_KIND_TAIL)
    p->flags |= WHOLE;
  return HD_OK;
}

void hd_watch_loosen(const struct view *v, struct rewritten rewritten)
{
  for (uint32_t i = 0; v->s->inside && i < v->watch->channels; i++) {
    const struct channel *c = &v->s->channels[i];
    for (uint32_t n = c->first; n != c->next; n++) {
      struct packet *p = packet_of(c, n);
      if (p->state == WAITS &&
          (p->flags & CAST ? rewritten.trees >> hd_watch_tree(v->watch, p->looks) & 1
                           : rewritten.others))
        p->flags |= LOOSE | ANY_WAY;
    }
  }
}

/* ── names ─────────────────────────────────────────────────────────────────── */

struct head_name hd_watch_head_name(const struct hd_port_watch *w, unsigned kind, uint64_t looks)
{
  struct head_name name;
  if (w->params.sw.nodes == 1) /* packets carry no node */
    snprintf(name.text, sizeof name.text, "%s", hd_watch_kind_name(kind));
  else if ((looks & 3) == 2)
    snprintf(name.text, sizeof name.text, "source-routed %s", hd_watch_kind_name(kind));
  else if ((looks & 3) == 3 && w->params.sw.trees)
    snprintf(name.text, sizeof name.text, "multicast %s of tree %" PRIu32, hd_watch_kind_name(kind),
             hd_watch_tree(w, looks));
  else
    snprintf(name.text, sizeof name.text, "%s to node %" PRIu64, hd_watch_kind_name(kind),
             looks >> 2 & ((UINT64_C(1) << w->node_bits) - 1));
  return name;
}

/* Makes the rule that was just broken pending, since the next output decides its name. If packet
 * `packet` leaves next, or the flit of it that is due, the rule is `if_next`. */
static void wait_for(const struct view *v, enum hd_port_rule if_next, const char *says,
                     uint32_t channel, uint32_t packet)
{
  struct pending *p = &v->s->pending;
  if (p->on || v->broken->rule == HD_PORT_NONE)
    return;
  *p = (struct pending){.on = true,
                        .if_next = if_next,
                        .broken = *v->broken,
                        .until = v->broken->cycle + SETTLE_CYCLES,
                        .channel = (uint16_t)channel,
                        .packet = packet,
                        .if_next_says = says};
  v->broken->rule = HD_PORT_NONE;
}

static void report_pending(const struct view *v, bool next)
{
  struct pending *p = &v->s->pending;
  *v->broken = p->broken;
  if (next) {
    const size_t at = strlen(v->broken->what);
    /* the last clause, which names another cause, is replaced */
    char *end = strrchr(v->broken->what, ';');
    end = end ? end : v->broken->what + at;
    v->broken->rule = p->if_next;
    snprintf(end, sizeof v->broken->what - (size_t)(end - v->broken->what), "; %s",
             p->if_next_says);
  }
  p->on = false;
}

void hd_watch_settle(const struct view *v, uint64_t now)
{
  if (now > v->s->pending.until)
    report_pending(v, false);
}

/* ── heads that leave ──────────────────────────────────────────────────────── */

/* The address in the header: mode, destination and, with source tables, source. */
static uint64_t address(const struct hd_port_watch *w, uint64_t looks)
{
  const unsigned bits = 2 + w->node_bits * (1 + w->params.sw.source_table);
  return bits < 64 ? looks & ((UINT64_C(1) << bits) - 1) : looks;
}

bool hd_watch_in_order(const struct hd_port_watch *w, const struct packet *a, uint32_t a_vc,
                       const struct packet *b, uint32_t b_vc)
{
  const uint32_t share = w->params.sw.vcs / w->params.networks;
  const bool by_path = (a->looks & 3) == 2 || (b->looks & 3) == 2;
  switch (w->params.order) {
  case HD_ORDER_CHANNELS:
    return a_vc == b_vc;
  case HD_ORDER_FLOWS:
    return a_vc == b_vc && !by_path && address(w, a->looks) == address(w, b->looks);
  case HD_ORDER_PAIRS:
    return !by_path && address(w, a->looks) == address(w, b->looks);
  case HD_ORDER_NETWORKS:
    return !share || a_vc / share == b_vc / share;
  default:
    return false;
  }
}

bool hd_watch_find_due(const struct view *v, const struct found *f, uint32_t port,
                       struct found *due)
{
  const uint32_t vcs = v->watch->params.sw.vcs, vc = f->channel % vcs;
  const enum hd_port_order order = v->watch->params.order;
  if (order == HD_ORDER_NONE)
    return false;
  const bool many = order == HD_ORDER_PAIRS || order == HD_ORDER_NETWORKS;
  const uint32_t from = many ? f->channel - vc : f->channel, to = many ? from + vcs : from + 1;
  due->packet = NULL;
  for (uint32_t i = from; i < to; i++) {
    const struct channel *c = &v->s->channels[i];
    for (uint32_t n = c->waits; n != c->next; n++) {
      struct packet *p = packet_of(c, n);
      if (p == f->packet || p->came > f->packet->came)
        break;
      if (p->state == WAITS && !(p->flags & LOOSE) && !(p->flags & CAST && !(p->set >> port & 1)) &&
          hd_watch_in_order(v->watch, p, i % vcs, f->packet, vc) &&
          (!due->packet || p->came < due->packet->came))
        *due = (struct found){.channel = i, .number = n, .packet = p};
    }
  }
  return due->packet;
}

/* P6, P8, P9: names the rule for a head that matches no packet inside. */
static void name_stranger(const struct view *v, const struct hd_flit_event *e)
{
  struct watched *s = v->s;
  const uint64_t cycle = v->start + e->cycle;
  const struct head_name name = hd_watch_head_name(v->watch, e->kind, e->data);
  const uint64_t header = address(v->watch, UINT64_MAX);
  for (uint32_t i = 0; i < PASSED && i < s->n_passed; i++) {
    const struct passed *p = &s->passed[i];
    if (p->looks != e->data || p->kind != e->kind)
      continue;
    hd_watch_breaks(v, HD_PORT_DOUBLED, cycle, e->port, e, NULL, 0,
                    "%s left by port %u on channel %u, but it came in once, by port %u in cycle "
                    "%" PRIu64 ", and left by port %u in cycle %" PRIu64,
                    name.text, e->port, e->vc, p->in_port, p->came, p->port, p->left);
    return;
  }
  for (uint32_t i = 0; i < v->watch->channels; i++) {
    const struct channel *c = &s->channels[i];
    const struct packet *p = c->waits == c->next ? NULL : packet_of(c, c->waits);
    const uint64_t differs = p ? p->looks ^ e->data : 0;
    if (!p || p->kind != e->kind || (differs & header && __builtin_popcountll(differs) > 4))
      continue;
    hd_watch_breaks(v, HD_PORT_DAMAGED, cycle, e->port, e, p, i,
                    "%s with %s left by port %u on channel %u; the one that waits at input port "
                    "%" PRIu32 " would leave with %s",
                    name.text, hd_watch_data_text(v->watch, e->data).text, e->port, e->vc,
                    i / v->watch->params.sw.vcs, hd_watch_data_text(v->watch, p->looks).text);
    return;
  }
  hd_watch_breaks(v, HD_PORT_ORIGIN, cycle, e->port, e, NULL, 0,
                  "%s left by port %u, but none that looks so came in, or the tables have no way "
                  "for it",
                  name.text, e->port);
}

static void gone(const struct view *v, struct output *o)
{
  struct channel *c = &v->s->channels[o->channel];
  packet_of(c, o->packet)->state = GONE;
  v->s->inside--;
  v->s->counts.of[HD_PORT_MISSING]++;
  o->channel = -1;
  forget(v->s, c);
}

static void leaves(struct watched *s, struct output *o, const struct found *f,
                   const struct hd_flit_event *e)
{
  struct channel *c = &s->channels[f->channel];
  f->packet->state = LEAVES;
  f->packet->port = e->port;
  f->packet->vc = e->vc;
  if (f->packet->flags & DECIDES && !(e->data & 3))
    f->packet->flags |= TURNED;
  o->channel = (int32_t)f->channel;
  o->packet = f->number;
  hd_watch_find_waiting(c);
  hd_watch_note_waiting(s, f->channel);
}

/* A packet left out of turn before. If the packet that was due leaves now, the pending rule is
 * settled. */
static bool settles_head(const struct view *v, const struct found *f)
{
  const struct pending *p = &v->s->pending;
  if (!p->on || !p->of_head || p->channel != f->channel || p->packet != f->number)
    return false;
  report_pending(v, true);
  return true;
}

static void check_order(const struct view *v, const struct hd_flit_event *e, const struct found *f)
{
  struct found due;
  v->s->counts.of[HD_PORT_ORDER]++;
  if (!hd_watch_find_due(v, f, e->port, &due) || hd_watch_is_broken(v))
    return;
  hd_watch_breaks(
      v, HD_PORT_MISSING, v->start + e->cycle, e->port, e, due.packet, due.channel,
      "%s left by port %u on channel %u, before the %s that came in first, by port %" PRIu32
      " on channel %" PRIu32 " in cycle %" PRIu64 "; that one did not leave",
      hd_watch_head_name(v->watch, e->kind, e->data).text, e->port, e->vc,
      hd_watch_head_name(v->watch, due.packet->kind, due.packet->looks).text,
      due.channel / v->watch->params.sw.vcs, due.channel % v->watch->params.sw.vcs,
      due.packet->came);
  wait_for(v, HD_PORT_ORDER, "it left later", due.channel, due.number);
  v->s->pending.of_head = true;
}

/* Notes that a multicast packet left by a port (§13.4). True: it waits for other ports. */
static bool has_branches_left(struct watched *s, const struct found *f, uint32_t port, uint32_t vcs)
{
  f->packet->entry |= (uint16_t)(1u << port);
  f->packet->set &= (uint16_t) ~(1u << port);
  s->fronts[f->channel / vcs].number = 0; /* it waits for fewer ports now */
  return f->packet->set;
}

void hd_watch_head_out(const struct view *v, const struct hd_flit_event *e)
{
  struct watched *s = v->s;
  const uint32_t out = e->port * v->watch->params.sw.vcs + e->vc;
  struct output *o = &s->outputs[out];
  s->counts.of[HD_PORT_ORIGIN]++;
  if (o->channel >= 0) /* framing is broken */
    gone(v, o);
  struct found f = hd_watch_find_packet(v, e, false);
  if (!f.packet || !f.allowed)
    f = hd_watch_find_packet(v, e, true);
  if (!f.packet) {
    if (!(v->watch->params.sw.code_places && e->port == 0)) /* a coder makes packets (§11.6) */
      name_stranger(v, e);
    return;
  }
  s->counts.of[HD_PORT_ROUTE]++;
  if (!f.allowed && f.packet->flags & CAST && f.packet->entry >> e->port & 1)
    hd_watch_breaks(v, HD_PORT_DOUBLED, v->start + e->cycle, e->port, e, f.packet, f.channel,
                    "%s left by port %u on channel %u twice",
                    hd_watch_head_name(v->watch, e->kind, e->data).text, e->port, e->vc);
  if (!f.allowed) {
    char ways[120];
    hd_watch_say_ways(v->watch, s, f.packet, e, ways, sizeof ways);
    hd_watch_breaks(v, HD_PORT_ROUTE, v->start + e->cycle, e->port, e, f.packet, f.channel, "%s%s",
                    hd_watch_head_name(v->watch, e->kind, e->data).text, ways);
  }
  if (!settles_head(v, &f))
    check_order(v, e, &f);
  struct channel *c = &s->channels[f.channel];
  c->moved = v->start + e->cycle;
  s->heads_out[out * v->watch->params.sw.ports + f.channel / v->watch->params.sw.vcs]++;
  s->passed[s->n_passed % PASSED] =
      (struct passed){f.packet->flags & DECIDES ? e->data : f.packet->looks,
                      f.packet->came,
                      c->moved,
                      e->kind,
                      (uint8_t)(f.channel / v->watch->params.sw.vcs),
                      (uint8_t)(f.channel % v->watch->params.sw.vcs),
                      e->port,
                      e->vc};
  s->n_passed = s->n_passed + 1 == 2 * PASSED ? PASSED : s->n_passed + 1;
  if (f.packet->flags & CAST && has_branches_left(s, &f, e->port, v->watch->params.sw.vcs))
    return;
  leaves(s, o, &f, e);
  f.packet->left = 1;
  hd_watch_learn(v, e, f.channel);
  if (e->kind & HD_KIND_TAIL)
    gone(v, o);
}

/* ── flits inside packets ──────────────────────────────────────────────────── */

/* The packet on another output whose next flit is equal to `e`; NULL: none. */
static const struct packet *find_owner(const struct view *v, const struct packet *not_of,
                                       const struct hd_flit_event *e)
{
  for (uint32_t i = 0; i < v->watch->channels; i++) {
    const struct output *o = &v->s->outputs[i];
    const struct channel *c = o->channel < 0 ? NULL : &v->s->channels[o->channel];
    const struct packet *p = c ? packet_of(c, o->packet) : NULL;
    if (p && p != not_of && hd_watch_is_flit(c, p, p->left, e))
      return p;
  }
  return NULL;
}

/* The first waiting packet of a channel whose head has the data of `e`; NULL: none. `e` itself
 * is no head: some routers do not mark heads, and then a head that leaves inside of another
 * packet looks like a body. */
static const struct packet *find_head(const struct view *v, const struct hd_flit_event *e,
                                      uint32_t *channel)
{
  for (uint32_t i = 0; i < v->watch->channels; i++) {
    const struct channel *c = &v->s->channels[i];
    const struct packet *p = c->waits == c->next ? NULL : packet_of(c, c->waits);
    if (p && p->looks == e->data && !((p->kind ^ e->kind) & HD_KIND_TAIL)) {
      *channel = i;
      return p;
    }
  }
  return NULL;
}

/* P10, P13: names the rule if a head leaves although a flit of packet `p` is due. */
static bool name_head(const struct view *v, const struct output *o, const struct packet *p,
                      const struct hd_flit_event *e)
{
  uint32_t from = 0;
  const struct packet *head = find_head(v, e, &from);
  const uint32_t channel = (uint32_t)o->channel, vcs = v->watch->params.sw.vcs;
  if (!head)
    return false;
  const struct head_name name = hd_watch_head_name(v->watch, p->kind, p->looks),
                         other = hd_watch_head_name(v->watch, head->kind, head->looks);
  if (from == channel && p->left < p->flits)
    hd_watch_breaks(v, HD_PORT_MISSING, v->start + e->cycle, e->port, e, p, channel,
                    "%s left by port %u on channel %u after flit %" PRIu32 " of %s; flit %" PRIu32
                    " of that did not leave",
                    other.text, e->port, e->vc, p->left - 1, name.text, p->left);
  else
    hd_watch_breaks(v, HD_PORT_MIXED, v->start + e->cycle, e->port, e, p, channel,
                    "%s, which came in by port %" PRIu32 " on channel %" PRIu32
                    ", left by port %u on channel %u inside of %s",
                    other.text, from / vcs, from % vcs, e->port, e->vc, name.text);
  return true;
}

/* P6, P8 … P11, P13: names the rule for a flit that is not the next one of its packet. */
static void name_flit(const struct view *v, const struct output *o, const struct hd_flit_event *e)
{
  const struct channel *c = &v->s->channels[o->channel];
  const struct packet *p = packet_of(c, o->packet);
  const uint64_t cycle = v->start + e->cycle;
  const uint32_t k = p->left, channel = (uint32_t)o->channel;
  const struct head_name name = hd_watch_head_name(v->watch, p->kind, p->looks);
  const char *kind = hd_watch_kind_name(e->kind);
  uint32_t later = k + 1;
  while (later < p->flits && !hd_watch_is_flit(c, p, later, e))
    later++;
  if (k > 1 && hd_watch_is_flit(c, p, k - 1, e)) {
    hd_watch_breaks(v, HD_PORT_DOUBLED, cycle, e->port, e, p, channel,
                    "flit %" PRIu32 " (%s) of %s left by port %u on channel %u twice", k - 1, kind,
                    name.text, e->port, e->vc);
    return;
  }
  const struct packet *owner = find_owner(v, p, e);
  if (owner) {
    hd_watch_breaks(v, HD_PORT_MIXED, cycle, e->port, e, p, channel,
                    "a %s left by port %u on channel %u inside of %s, but it is of the packet that "
                    "leaves by port %u on channel %u",
                    kind, e->port, e->vc, name.text, owner->port, owner->vc);
    return;
  }
  if (later >= p->flits && name_head(v, o, p, e))
    return;
  if (k >= p->flits) {
    hd_watch_breaks(v, HD_PORT_ORIGIN, cycle, e->port, e, p, channel,
                    "a %s left by port %u on channel %u as flit %" PRIu32
                    " of %s, of which %" PRIu32 " flits have come in",
                    kind, e->port, e->vc, k, name.text, p->flits);
    return;
  }
  if (later < p->flits) {
    hd_watch_breaks(v, HD_PORT_MISSING, cycle, e->port, e, p, channel,
                    "flit %" PRIu32 " of %s left by port %u on channel %u after flit %" PRIu32
                    "; flit %" PRIu32 " did not leave",
                    later, name.text, e->port, e->vc, k - 1, k);
    wait_for(v, HD_PORT_SWAPPED, "the flits between left after it", channel, o->packet);
  } else {
    hd_watch_breaks(v, HD_PORT_DAMAGED, cycle, e->port, e, p, channel,
                    "a %s with %s left by port %u on channel %u as flit %" PRIu32
                    " of %s; a %s with %s came in",
                    kind, hd_watch_data_text(v->watch, e->data).text, e->port, e->vc, k, name.text,
                    hd_watch_kind_name(hd_watch_flit_kind(p, k)),
                    hd_watch_data_text(v->watch, hd_watch_flit_data(c, p, k)).text);
    if (!(e->kind & HD_KIND_TAIL))
      wait_for(v, HD_PORT_ORIGIN, "that one left after it", channel, o->packet);
  }
  v->s->pending.due = hd_watch_flit_data(c, p, k);
  v->s->pending.due_kind = (uint8_t)hd_watch_flit_kind(p, k);
}

void hd_watch_flit_out(const struct view *v, const struct hd_flit_event *e)
{
  struct watched *s = v->s;
  struct output *o = &s->outputs[e->port * v->watch->params.sw.vcs + e->vc];
  const struct pending *late = &s->pending;
  if (late->on && !late->of_head && late->broken.port == e->port && late->broken.vc == e->vc) {
    report_pending(v, late->due == e->data && late->due_kind == e->kind);
    return;
  }
  if (o->channel < 0) /* the packet is unknown */
    return;
  struct channel *c = &s->channels[o->channel];
  struct packet *p = packet_of(c, o->packet);
  s->counts.of[HD_PORT_DAMAGED]++;
  if (!(p->flags & ODD) && !hd_watch_is_flit(c, p, p->left, e)) {
    if (hd_watch_change_places(v, o, e)) {
      c = &s->channels[o->channel];
      p = packet_of(c, o->packet);
    } else if (v->watch->params.sw.code_places && e->port == 0) {
      p->state = WAITS; /* a coder made the packet, and the original is still inside */
      p->left = 0;
      p->flags |= LOOSE;
      if (o->packet - c->first < c->waits - c->first)
        c->waits = o->packet;
      hd_watch_note_waiting(s, (uint32_t)o->channel);
      o->channel = -1;
      return;
    } else if (!hd_watch_is_broken(v)) {
      name_flit(v, o, e);
    }
  }
  p->left++;
  c->moved = v->start + e->cycle;
  hd_watch_learn(v, e, (uint32_t)o->channel);
  if (e->kind & HD_KIND_TAIL)
    gone(v, o);
}
