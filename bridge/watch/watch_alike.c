/* Decides which of several packets that look alike leaves (specification §6.7, "Which packet").
 * SPDX-License-Identifier: Apache-2.0
 *
 * The watch recognises a leaving packet by its header, then by its flits. Several packets inside
 * may look alike. The watch guesses which of them leaves. If a later flit shows that the guess was
 * wrong, the two packets change places. The watch cannot know which of several equal packets has
 * left. So it marks the others as *loose*: no rule assumes that they are still inside.
 */
#include "watch_internal.h"

static bool looks_like(const struct packet *p, const struct hd_flit_event *e)
{
  return p->kind == e->kind &&
         (p->looks == e->data || (p->flags & ANY_WAY && (p->looks ^ e->data) < 4) ||
          (p->flags & DECIDES && (p->looks & ~UINT64_C(3)) == e->data));
}

/* True if `a` is more likely than `b` to be the packet that leaves. */
static bool is_better(const struct found *a, const struct found *b)
{
  if (!b->packet || a->allowed != b->allowed)
    return !b->packet || a->allowed;
  return a->packet->came < b->packet->came;
}

/* True if `a`, of two packets that look alike, must leave first: it is surely inside, and the order
 * of its channel is promised. */
static bool leaves_first(const struct hd_port_watch *w, const struct found *a,
                         const struct found *b)
{
  const uint32_t vc = a->channel % w->params.sw.vcs;
  return a->channel == b->channel && !(a->packet->flags & LOOSE) &&
         hd_watch_in_order(w, a->packet, vc, b->packet, vc);
}

struct found hd_watch_find_packet(const struct view *v, const struct hd_flit_event *e, bool deep)
{
  struct found best = {.packet = NULL};
  const bool all = deep || v->watch->params.order != HD_ORDER_CHANNELS;
  for (uint32_t word = 0; 64 * word < v->watch->channels; word++)
    for (uint64_t some = v->s->waiting[word]; some; some &= some - 1) {
      const uint32_t i = 64 * word + (uint32_t)__builtin_ctzll(some);
      const struct channel *c = &v->s->channels[i];
      for (uint32_t n = c->waits; n != c->next; n++) {
        struct packet *p = packet_of(c, n);
        if (p->state != WAITS)
          continue;
        struct found f = {i, n, p, false}, due;
        if (looks_like(p, e) && (deep || !all || !hd_watch_find_due(v, &f, e->port, &due))) {
          f.allowed = hd_watch_ways_with(v->watch, v->s, p, e->port, e->data) >> e->vc & 1;
          const bool better = is_better(&f, &best);
          const bool either = best.packet && !leaves_first(v->watch, &best, &f);
          if (either && f.allowed && best.allowed)
            (better ? best.packet : p)->flags |= LOOSE;
          if (better)
            best = f;
        }
        if (!all && !(p->flags & LOOSE))
          break;
      }
    }
  return best;
}

/* The header that the packet had when it left. */
static uint64_t left_as(const struct packet *p)
{
  return p->flags & TURNED ? p->looks & ~UINT64_C(3) : p->looks;
}

static bool may_leave_as(const struct packet *p, uint64_t header)
{
  return p->looks == header || (p->flags & DECIDES && (p->looks & ~UINT64_C(3)) == header);
}

/* True if the first `n` flits of the leaving packet and of the other one are equal. */
static bool begin_alike(const struct channel *c, const struct packet *p, const struct channel *d,
                        const struct packet *q, uint32_t n)
{
  bool alike = n <= p->flits && n <= q->flits && may_leave_as(q, left_as(p)) &&
               (q->state != LEAVES || may_leave_as(p, left_as(q)));
  for (uint32_t i = 1; alike && i < n; i++)
    alike = hd_watch_flit_data(c, p, i) == hd_watch_flit_data(d, q, i);
  return alike;
}

bool hd_watch_change_places(const struct view *v, struct output *o, const struct hd_flit_event *e)
{
  struct watched *s = v->s;
  struct channel *c = &s->channels[o->channel];
  struct packet *p = packet_of(c, o->packet);
  for (uint32_t i = 0; i < v->watch->channels; i++) {
    struct channel *d = &s->channels[i];
    for (uint32_t n = d->first; n != d->next; n++) {
      struct packet *q = packet_of(d, n);
      if (q == p || q->state == GONE || !hd_watch_is_flit(d, q, p->left, e) ||
          !begin_alike(c, p, d, q, p->left) ||
          (q->state == LEAVES && !begin_alike(c, p, d, q, q->left)) ||
          !(hd_watch_ways_with(v->watch, s, q, e->port, left_as(p)) >> e->vc & 1))
        continue;
      struct output *of_q =
          q->state == LEAVES ? &s->outputs[q->port * v->watch->params.sw.vcs + q->vc] : NULL;
      const struct output was = *o;
      const struct packet now = *q;
      q->state = LEAVES;
      q->port = p->port;
      q->vc = p->vc;
      q->left = p->left;
      q->flags = (uint8_t)((q->flags & ~TURNED) | (p->flags & TURNED));
      *o = (struct output){.packet = n, .channel = (int32_t)i};
      p->state = now.state;
      p->port = now.port;
      p->vc = now.vc;
      p->left = of_q ? now.left : 0;
      p->flags = (uint8_t)((p->flags & ~TURNED) | LOOSE | (now.flags & TURNED));
      if (of_q)
        *of_q = was;
      if (p->state == WAITS && was.packet - c->first < c->waits - c->first)
        c->waits = was.packet;
      hd_watch_find_waiting(d);
      hd_watch_note_waiting(s, i);
      hd_watch_note_waiting(s, (uint32_t)was.channel);
      return true;
    }
  }
  return false;
}

bool hd_watch_is_ambiguous(const struct hd_port_watch *w, const struct watched *s, uint32_t channel,
                           const struct packet *p)
{
  const struct channel *c = &s->channels[channel];
  for (uint32_t i = 0; i < w->channels; i++) {
    const struct channel *d = &s->channels[i];
    for (uint32_t n = d->first; n != d->next; n++) {
      const struct packet *q = packet_of(d, n);
      const uint32_t flits = q->left > p->left ? q->left : p->left;
      if (q != p && q->state != GONE && q->kind == p->kind && begin_alike(c, p, d, q, flits) &&
          hd_watch_ways_with(w, s, q, p->port, left_as(p)) >> p->vc & 1)
        return true;
    }
  }
  return false;
}
