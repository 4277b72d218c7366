/* Learns how a router uses slots (specification §6.7, "Slots"), so that P14 expects no more than the router has shown.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A correct router may leave slots empty. It may wait for room for a whole packet, or for an empty
 * channel, before it begins a packet. Its channels may wait for each other. So P14 does not ask for
 * what a router never does. A thing that it did once shows that it can do it.
 */
#include "watch_internal.h"

/* True if the packet under way on output channel `out` has a flit inside and has had no credit
 * for long. */
static bool is_stuck(const struct view *v, uint32_t out, uint64_t now)
{
  const struct watched *s = v->s;
  const struct output *o = &s->outputs[out];
  if (o->channel < 0 || s->sent[out] < v->watch->params.sw.depth_flits ||
      s->full_at[out] + LOOK_CYCLES > now)
    return false;
  const struct channel *c = &s->channels[o->channel];
  const struct packet *p = packet_of(c, o->packet);
  return p->left < p->flits && c->came + LOOK_CYCLES <= now;
}

void hd_watch_learn(const struct view *v, const struct hd_flit_event *e, uint32_t in)
{
  const struct hd_switch_params *p = &v->watch->params.sw;
  struct watched *s = v->s;
  const uint64_t now = v->start + e->cycle;
  const uint32_t out = e->port * p->vcs + e->vc, in_port = in / p->vcs;
  if (!hd_watch_counts_slots(v->watch))
    return;
  if (e->kind == HD_KIND_SINGLE) {
    const uint8_t free = (uint8_t)(p->depth_flits - s->sent[out] + 1); /* before this single left */
    uint8_t *least = &s->single_room[in_port * p->ports + e->port];
    if (!*least || free < *least)
      *least = free;
  }
  if (s->apart_in && s->apart_out)
    return;
  for (uint32_t o = 0; o < v->watch->channels; o++) {
    if (o == out || !(s->open_out[o / p->vcs] >> o % p->vcs & 1) || !is_stuck(v, o, now))
      continue;
    s->apart_out |= o / p->vcs == e->port;
    s->apart_in |= (uint32_t)s->outputs[o].channel / p->vcs == in_port;
  }
}

uint32_t hd_watch_room_for(const struct hd_port_watch *w, const struct watched *s,
                           const struct packet *p, uint32_t in, uint32_t o)
{
  const struct hd_switch_params *sw = &w->params.sw;
  if (!hd_watch_counts_slots(w))
    return sw->cut_flits ? sw->cut_flits : 1;
  const uint32_t seen =
      p->kind == HD_KIND_SINGLE ? s->single_room[in / sw->vcs * sw->ports + o] : 0;
  return seen ? seen : sw->depth_flits;
}
