/* Rule P16 (specification §6.7): packets that wait for each other in a circle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An input channel waits for a free channel, for a credit or for its next flit, and so for another
 * channel. It can go on if that channel can. Channels in which something moved a short while ago
 * can go on. The search removes channels that can go on until it finds no more. The channels that
 * are left can never go on.
 */
#include "watch_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  QUIET_CYCLES = 64,
  /* an output with a packet under way and without a flit for this long counts as reserved for
   * that packet */
  IDLE_CYCLES = 256
};

/* No input channel. Input channels of the network have the number switch · channels + channel. */
#define NOBODY UINT32_MAX

struct net {
  /* w->waits[channel] is 1 if the channel is not known to go on. w->list lists these channels. */
  struct hd_port_watch *w;
  uint32_t n;
  uint64_t now;
};

static bool goes_on(const struct net *n, uint32_t at)
{
  return at == NOBODY || !n->w->waits[at];
}

/* Returns the input channel at the other end of output channel `out`. NOBODY: a node is at the
 * other end, or flits or credits are on the way. */
static uint32_t receiver(const struct net *n, uint32_t sw, uint32_t out)
{
  const struct hd_port_watch *w = n->w;
  const uint32_t vcs = w->params.sw.vcs;
  const struct hd_peer *to = &w->params.peers[(size_t)sw * w->params.sw.ports + out / vcs];
  if (to->kind != HD_PEER_SWITCH)
    return NOBODY;
  const uint32_t in = to->port * vcs + out % vcs;
  const bool on_the_way = w->switches[to->index].taken[in] != w->switches[sw].sent[out];
  return on_the_way ? NOBODY : to->index * w->channels + in;
}

/* Returns the input channel of the previous switch from which the next flit of input channel `in`
 * must come. NOBODY: a node sends it, no packet is under way there, or a flit or credit is on the
 * way. */
static uint32_t sender(const struct net *n, uint32_t sw, uint32_t in)
{
  const struct hd_port_watch *w = n->w;
  const uint32_t vcs = w->params.sw.vcs;
  const struct hd_peer *from = &w->params.senders[(size_t)sw * w->params.sw.ports + in / vcs];
  if (from->kind != HD_PEER_SWITCH)
    return NOBODY;
  const struct watched *s = &w->switches[from->index];
  const uint32_t out = from->port * vcs + in % vcs;
  if (s->sent[out] != w->switches[sw].taken[in] || s->outputs[out].channel < 0)
    return NOBODY;
  return from->index * w->channels + (uint32_t)s->outputs[out].channel;
}

/* The channel whose packet is under way at output port `o`, for a switch that reserves the whole
 * output for one packet. NOBODY: no packet is under way, or a flit has left by the port
 * recently. */
static uint32_t keeper(const struct net *n, uint32_t sw, uint32_t o)
{
  const struct hd_port_watch *w = n->w;
  const struct watched *s = &w->switches[sw];
  if (!s->open_out[o] || s->flit_out[o] + IDLE_CYCLES > n->now)
    return NOBODY;
  const uint32_t out = o * w->params.sw.vcs + (uint32_t)__builtin_ctz(s->open_out[o]);
  return s->outputs[out].channel < 0 ? NOBODY
                                     : sw * w->channels + (uint32_t)s->outputs[out].channel;
}

/* A channel that the packet waits for and that cannot go on; NOBODY: the packet can go on. */
static uint32_t blocked_by(const struct net *n, uint32_t sw, uint32_t in, const struct packet *p)
{
  const struct hd_port_watch *w = n->w;
  const struct hd_switch_params *params = &w->params.sw;
  const struct watched *s = &w->switches[sw];
  const uint32_t need = params->cut_flits ? params->cut_flits : 1;
  const bool cast = p->flags & CAST; /* a multicast packet stays until every branch has taken it */
  uint32_t by = NOBODY;
  if (p->state == LEAVES) {
    const uint32_t out = p->port * params->vcs + p->vc;
    if (s->preempted[p->port] >> p->vc & 1 || hd_watch_is_ambiguous(w, s, in, p))
      return NOBODY;
    /* no flit waits, not even a null flit (§7.5): the next one must come in first */
    if (p->left >= p->flits && !s->taken[in])
      by = sender(n, sw, in);
    else if (s->sent[out] >= params->depth_flits)
      by = receiver(n, sw, out);
    return goes_on(n, by) ? NOBODY : by;
  }
  if (p->flags & (LOOSE | ANY_WAY))
    return NOBODY;
  for (uint32_t o = 0; o < params->ports; o++)
    for (unsigned set = hd_watch_ways(w, s, p, o); set; set &= set - 1) {
      const uint32_t out = o * params->vcs + (uint32_t)__builtin_ctz(set);
      const struct output *holder = &s->outputs[out];
      uint32_t on = NOBODY;
      if (s->open_out[o] & (set & -set))
        on = holder->channel < 0 ? NOBODY : sw * w->channels + (uint32_t)holder->channel;
      else if (s->sent[out] + need > params->depth_flits)
        on = receiver(n, sw, out);
      else if (p->flags & WHOLE || hd_watch_is_full(w, s, in))
        on = keeper(n, sw, o);
      if (!goes_on(n, on))
        by = on;
      else if (!cast)
        return NOBODY;
    }
  return by;
}

/* True if the packet waits for packets before it. It does if it is still here and no flit has
 * left for long by any port that it may take. */
static bool is_behind(const struct net *n, uint32_t sw, uint32_t in, const struct packet *p)
{
  const struct watched *s = &n->w->switches[sw];
  if (p->state != WAITS || p->flags & (LOOSE | ANY_WAY | CAST) || p->came + IDLE_CYCLES > n->now ||
      !(p->flags & WHOLE || hd_watch_is_full(n->w, s, in)))
    return false;
  for (uint32_t o = 0; o < n->w->params.sw.ports; o++)
    if (hd_watch_ways(n->w, s, p, o) && s->flit_out[o] + IDLE_CYCLES > n->now)
      return false;
  return true;
}

/* Finds a channel that blocks the input channel `at`. The first packet decides if packets keep
 * their order; otherwise all packets must be blocked. */
static uint32_t channel_blocked_by(const struct net *n, uint32_t at)
{
  const struct hd_port_watch *w = n->w;
  const uint32_t sw = at / w->channels, in = at % w->channels;
  const struct channel *c = &w->switches[sw].channels[in];
  uint32_t first = NOBODY;
  for (uint32_t i = c->first; i != c->next; i++) {
    const struct packet *p = packet_of(c, i);
    if (p->state == GONE)
      continue;
    const uint32_t by = blocked_by(n, sw, in, p);
    const bool is_first = first == NOBODY;
    if (by == NOBODY && (is_first || !is_behind(n, sw, in, p)))
      return NOBODY;
    if (is_first)
      first = by;
    if (w->params.order == HD_ORDER_CHANNELS)
      break;
  }
  return first;
}

static void collect(struct net *n, uint64_t now)
{
  struct hd_port_watch *w = n->w;
  for (uint32_t sw = 0; sw < w->params.n_switches; sw++) {
    struct watched *s = &w->switches[sw];
    for (uint32_t i = 0; s->inside && i < w->channels; i++) {
      const struct channel *c = &s->channels[i];
      if (c->first == c->next || c->came + QUIET_CYCLES > now || c->moved + QUIET_CYCLES > now)
        continue;
      s->counts.of[HD_PORT_CIRCLE]++;
      w->waits[sw * w->channels + i] = 1;
      w->list[n->n++] = sw * w->channels + i;
    }
  }
}

/* Removes channels that can go on from the list until none is left that can. */
static void reduce(struct net *n)
{
  for (bool some = true; some && n->n;) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < n->n; i++) {
      const uint32_t at = n->w->list[i];
      if (channel_blocked_by(n, at) == NOBODY)
        n->w->waits[at] = 0;
      else
        n->w->list[left++] = at;
    }
    some = left < n->n;
    n->n = left;
  }
}

static const struct packet *first_of(const struct net *n, uint32_t at)
{
  const struct channel *c = &n->w->switches[at / n->w->channels].channels[at % n->w->channels];
  uint32_t i = c->first;
  while (packet_of(c, i)->state == GONE)
    i++;
  return packet_of(c, i);
}

static uint64_t last_move(const struct net *n, uint32_t at)
{
  const struct channel *c = &n->w->switches[at / n->w->channels].channels[at % n->w->channels];
  return c->came > c->moved ? c->came : c->moved;
}

/* Describes the circle to which the first channel of the list leads. */
static void say_circle(const struct net *n, uint64_t now, struct hd_port_break *b, char *circle,
                       size_t size)
{
  const struct hd_port_watch *w = n->w;
  const uint32_t vcs = w->params.sw.vcs;
  uint32_t at = w->list[0], length = 0;
  size_t used = 0;
  for (uint32_t i = 0; i < n->n; i++) /* after n->n steps, `at` is on the circle */
    at = channel_blocked_by(n, at);
  const uint32_t first = at;
  uint64_t closed = 0;
  if (size)
    circle[0] = 0;
  do {
    const struct packet *p = first_of(n, at);
    const uint32_t sw = at / w->channels, in = at % w->channels;
    const uint32_t next = channel_blocked_by(n, at);
    closed = last_move(n, at) > closed ? last_move(n, at) : closed;
    if (used < size)
      used += (size_t)snprintf(
          circle + used, size - used,
          "switch %" PRIu32 " input port %" PRIu32 " channel %" PRIu32
          ": %s, there since cycle %" PRIu64 ", waits for switch %" PRIu32 " input port %" PRIu32
          " channel %" PRIu32 "\n",
          sw, in / vcs, in % vcs, hd_watch_head_name(w, p->kind, p->looks).text, p->came,
          next / w->channels, next % w->channels / vcs, next % w->channels % vcs);
    length++;
    at = next;
  } while (at != first);
  const struct packet *p = first_of(n, first);
  const uint32_t in = first % w->channels;
  *b = (struct hd_port_break){.rule = HD_PORT_CIRCLE,
                              .cycle = now,
                              .since = closed,
                              .sw = first / w->channels,
                              .port = (uint8_t)(in / vcs),
                              .vc = (uint8_t)(in % vcs),
                              .has_packet = true,
                              .in_port = (uint8_t)(in / vcs),
                              .in_vc = (uint8_t)(in % vcs),
                              .came = p->came,
                              .head = p->looks};
  snprintf(b->what, sizeof b->what,
           "%" PRIu32
           " input channels wait for each other in a circle, which closed by cycle %" PRIu64
           "; %s at input port %u, channel %u is one of them",
           length, closed, hd_watch_head_name(w, p->kind, p->looks).text, b->port, b->vc);
}

bool hd_port_watch_deadlock(struct hd_port_watch *watch, uint64_t now, struct hd_port_break *broken,
                            char *circle, size_t size)
{
  struct net n = {.w = watch, .now = now};
  const uint32_t barrier = watch->params.sw.barrier;
  if (watch->params.ready_links || barrier == HD_BARRIER_MOVING ||
      barrier == HD_BARRIER_QUEUED) /* heads wait for barrier messages */
    return false;
  collect(&n, now);
  reduce(&n);
  const bool found = n.n;
  if (found)
    say_circle(&n, now, broken, circle, size);
  for (uint32_t i = 0; i < n.n; i++)
    watch->waits[watch->list[i]] = 0;
  return found;
}
