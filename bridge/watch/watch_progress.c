/* Rules P3, P14 and P15 (specification §6.7): credits come back, packets that can leave do, and no packet is overtaken for ever.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The watch does not follow packets from cycle to cycle. In each LOOK_CYCLES-th cycle it looks, at
 * each input port, at the packet that has waited longest. If that packet can leave now, it could
 * leave since the last flit or credit that affects it.
 */
#include "watch_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t later(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* The oldest packet of an input channel that is surely inside; NULL: none. */
static struct packet *oldest_inside(const struct channel *c)
{
  uint32_t n = c->first;
  while (n != c->next && packet_of(c, n)->state == GONE)
    n++;
  struct packet *p = n == c->next ? NULL : packet_of(c, n);
  return p && (p->state == LEAVES || !(p->flags & LOOSE)) ? p : NULL;
}

/* The set of channels of output `o` that hold no packet and have `need` free slots. */
static unsigned free_channels(const struct hd_port_watch *w, const struct watched *s, uint32_t o,
                              uint32_t need)
{
  unsigned free = 0;
  for (uint32_t vc = 0; vc < w->params.sw.vcs; vc++)
    if (hd_watch_has_room(w, s, o, vc, need))
      free |= 1u << vc;
  return free & ~(unsigned)s->open_out[o] & ~(unsigned)s->preempted[o];
}

/* True if only the switch itself can keep a head of input channel `i` from leaving by `o`,
 * whichever channel it chose. */
static bool is_free(const struct hd_port_watch *w, const struct watched *s, uint32_t i,
                    const struct packet *p, uint32_t o)
{
  return !s->open_out[o] && !s->preempted[o] &&
         !(hd_watch_ways(w, s, p, o) & ~free_channels(w, s, o, hd_watch_room_for(w, s, p, i, o)));
}

struct able {
  bool now;       /* the head can leave */
  uint64_t since; /* since this cycle */
  uint32_t port;  /* output port */
};

/* Branches do not wait for each other (§13.4). So this finds the port by which a multicast
 * packet could have left first. */
static struct able judge_branches(const struct hd_port_watch *w, const struct watched *s,
                                  uint32_t i, const struct packet *p)
{
  const uint32_t barrier = w->params.sw.barrier;
  struct able a = {.now = false};
  if (barrier == HD_BARRIER_MOVING || barrier == HD_BARRIER_QUEUED || p->flags & ANY_WAY)
    return a;
  for (uint32_t o = 0; o < w->params.sw.ports; o++) {
    const uint64_t since = later(s->channels[i].came, later(s->credit_in[o], s->flit_out[o]));
    if (!(p->set >> o & 1) || !is_free(w, s, i, p, o) || (a.now && a.since <= since))
      continue;
    a = (struct able){.now = true, .since = since, .port = o};
  }
  return a;
}

/* Judges whether the oldest packet of input channel `i` can leave. A head may need its whole
 * packet inside. */
static struct able judge(const struct hd_port_watch *w, const struct watched *s, uint32_t i,
                         const struct packet *p)
{
  const struct hd_switch_params *sw = &w->params.sw;
  const struct channel *c = &s->channels[i];
  struct able a = {.now = true, .since = c->came};
  if (p->state == LEAVES) {
    a.port = p->port;
    a.now = p->left < p->flits && hd_watch_has_room(w, s, p->port, p->vc, 1) &&
            !(s->preempted[p->port] >> p->vc & 1);
    a.since = later(a.since, later(s->credit_in[a.port], s->flit_out[a.port]));
    return a;
  }
  if (p->flags & CAST)
    return judge_branches(w, s, i, p);
  /* With BARRIER 3 and 4 new packets wait for messages (§7.7). */
  a.now = sw->barrier != HD_BARRIER_MOVING && sw->barrier != HD_BARRIER_QUEUED &&
          (p->flags & WHOLE || hd_watch_is_full(w, s, i)) && !(p->flags & ANY_WAY);
  for (uint32_t o = 0; a.now && o < sw->ports; o++)
    if (hd_watch_ways(w, s, p, o)) {
      a.now = is_free(w, s, i, p, o);
      a.since = later(a.since, later(s->credit_in[o], s->flit_out[o]));
      a.port = o;
    }
  return a;
}

/* A packet under way may have to wait for another channel of its input or output. This holds
 * until the switch was seen to let channels pass each other. */
static bool may_be_behind(const struct hd_port_watch *w, const struct watched *s, uint32_t in,
                          const struct packet *p)
{
  const uint32_t vcs = w->params.sw.vcs, port = in / vcs;
  if (p->state != LEAVES || !hd_watch_counts_slots(w))
    return false;
  for (uint32_t vc = 0; vc < vcs && !s->apart_out; vc++)
    if (s->open_out[p->port] >> vc & 1 && !hd_watch_has_room(w, s, p->port, vc, 1))
      return true;
  for (uint32_t i = port * vcs; i < (port + 1) * vcs && !s->apart_in; i++) {
    const struct packet *q = i == in ? NULL : oldest_inside(&s->channels[i]);
    if (q && !(q->state == LEAVES && q->left == q->flits) && !judge(w, s, i, q).now)
      return true;
  }
  return false;
}

/* The last cycle with a flit or credit at a port of a network. Inside of a network a packet may
 * wait for others as long as the network as a whole goes on (§6.8). */
static uint64_t last_crossing(const struct hd_port_watch *w, const struct watched *s)
{
  uint64_t last = 0;
  for (uint32_t o = 0; o < w->params.sw.ports; o++)
    last = later(last, later(s->credit_in[o], s->flit_out[o]));
  for (uint32_t i = 0; i < w->channels; i++)
    last = later(last, s->channels[i].came);
  return last;
}

/* True if an endpoint gives no credits back. It then blocks the packets that wait for it, and
 * those that wait for these. */
static bool waits_for_an_endpoint(const struct hd_port_watch *w, const struct watched *s)
{
  const uint32_t vcs = w->params.sw.vcs;
  for (uint32_t i = 0; i < w->channels; i++)
    if (!hd_watch_has_room(w, s, i / vcs, i % vcs, 1))
      return true;
  return false;
}

static void say_still(const struct view *v, uint64_t now, uint32_t i, const struct packet *p,
                      const struct able *a)
{
  const uint32_t vcs = v->watch->params.sw.vcs;
  const bool held = hd_watch_takes_no_more(v->watch, v->s);
  hd_watch_breaks(v, held ? HD_PORT_HELD : HD_PORT_MISSING, now, i / vcs, NULL, p, i,
                  "flit %" PRIu32 " of %s, which came in by port %" PRIu32 " in cycle %" PRIu64
                  ", has not left by port %" PRIu32 ", and nothing has crossed a port since cycle "
                  "%" PRIu64 "; %s",
                  p->left, hd_watch_head_name(v->watch, p->kind, p->looks).text, i / vcs, p->came,
                  a->port, a->since,
                  held ? "the network has not taken all flits that came, so it stands still"
                       : "the network took all flits that came, so it has lost it, or holds it "
                         "inside for ever");
  v->broken->vc = (uint8_t)(i % vcs);
  v->broken->since = a->since;
}

static void say_held(const struct view *v, uint64_t now, uint32_t i, const struct packet *p,
                     const struct able *a)
{
  const uint32_t vcs = v->watch->params.sw.vcs;
  const bool credited = !v->s->taken[i] && !v->watch->params.ready_links;
  if (v->watch->params.is_network) {
    say_still(v, now, i, p, a);
    return;
  }
  hd_watch_breaks(v, credited ? HD_PORT_MISSING : HD_PORT_HELD, now, i / vcs, NULL, p, i,
                  "flit %" PRIu32 " of %s, which came in by port %" PRIu32 " on channel %" PRIu32
                  " in cycle %" PRIu64 ", could leave by port %" PRIu32 " since cycle %" PRIu64
                  " and has not%s",
                  p->left, hd_watch_head_name(v->watch, p->kind, p->looks).text, i / vcs, i % vcs,
                  p->came, a->port, a->since,
                  credited ? "; its slot is credited, so the switch has lost it, or keeps it inside"
                           : "");
  v->broken->vc = (uint8_t)(i % vcs);
  v->broken->since = a->since;
}

/* Counts heads that left by the ports and channels that the packet waits for; heads_now gets the
 * counts, by input port. */
static void count_heads(const struct hd_port_watch *w, struct watched *s, const struct packet *p)
{
  const uint32_t ports = w->params.sw.ports;
  memset(s->heads_now, 0, ports * sizeof *s->heads_now);
  for (uint32_t o = 0; o < ports; o++)
    for (unsigned set = hd_watch_ways(w, s, p, o); set; set &= set - 1) {
      const uint32_t out = o * w->params.sw.vcs + (uint32_t)__builtin_ctz(set);
      for (uint32_t port = 0; port < ports; port++)
        s->heads_now[port] += s->heads_out[out * ports + port];
    }
}

/* The port whose packets overtook the front packet of `port` most often since its first look;
 * *most: how often. */
static uint32_t find_favoured(const struct hd_port_watch *w, struct watched *s, uint32_t port,
                              const struct packet *p, bool is_new, uint32_t *most)
{
  const uint32_t ports = w->params.sw.ports;
  uint32_t *before = &s->heads_before[port * ports], favoured = 0;
  count_heads(w, s, p);
  if (is_new)
    memcpy(before, s->heads_now, ports * sizeof *before);
  *most = 0;
  for (uint32_t by = 0; by < ports; by++)
    if (s->heads_now[by] - before[by] > *most) {
      *most = s->heads_now[by] - before[by];
      favoured = by;
    }
  return favoured;
}

/* Checks P15. */
static void check_starved(const struct view *v, uint64_t now, uint32_t i, const struct packet *p)
{
  const struct hd_port_watch *w = v->watch;
  struct watched *s = v->s;
  const uint32_t vcs = w->params.sw.vcs, port = i / vcs;
  struct front *front = &s->fronts[port];
  if (p->state != WAITS || p->flags & DECIDES || !(p->flags & WHOLE || hd_watch_is_full(w, s, i)) ||
      w->params.sw.barrier == HD_BARRIER_MOVING || w->params.sw.barrier == HD_BARRIER_QUEUED)
    return;
  const bool is_new = front->channel != i || front->number != p->first + 1;
  if (is_new)
    *front = (struct front){later(p->came, s->channels[i].moved), i, p->first + 1};
  uint32_t passed;
  const uint32_t by = find_favoured(w, s, port, p, is_new, &passed);
  s->counts.of[HD_PORT_STARVED]++;
  if (passed > s->counts.most_passed)
    s->counts.most_passed = passed;
  if (passed <= w->params.starved_heads || hd_watch_is_broken(v))
    return;
  hd_watch_breaks(v, HD_PORT_STARVED, now, port, NULL, p, i,
                  "%s, which came in by port %" PRIu32 " on channel %" PRIu32 " in cycle %" PRIu64
                  ", waits, while %" PRIu32 " others from port %" PRIu32
                  " left by the channels that it may take",
                  hd_watch_head_name(w, p->kind, p->looks).text, port, i % vcs, p->came, passed,
                  by);
  v->broken->vc = (uint8_t)(i % vcs);
  v->broken->since = front->since;
}

/* Adds outputs to *wanted for which a flit of input port `port` waits that could have left by
 * now. */
static void note_wanted(const struct view *v, uint64_t now, uint32_t port, unsigned *wanted)
{
  const struct hd_switch_params *sw = &v->watch->params.sw;
  const struct watched *s = v->s;
  const uint64_t pipeline = sw->route_cycles + sw->arb_cycles + sw->buffer_cycles + 3;
  unsigned some = 0;
  for (uint32_t i = port * sw->vcs; i < (port + 1) * sw->vcs; i++) {
    const struct channel *c = &s->channels[i];
    const struct packet *p = oldest_inside(c);
    if (c->moved == now)
      return;
    if (!p || c->came + pipeline > now)
      continue;
    for (uint32_t o = 0; o < sw->ports; o++) {
      const bool can =
          p->state == LEAVES
              ? p->port == o && p->left < p->flits && hd_watch_has_room(v->watch, s, o, p->vc, 1)
              : free_channels(v->watch, s, o, sw->cut_flits ? sw->cut_flits : 1) &
                    hd_watch_ways(v->watch, s, p, o);
      if (can && s->credit_in[o] + pipeline <= now)
        some |= 1u << o;
    }
  }
  *wanted |= some;
}

/* ── credits that do not come back ─────────────────────────────────────────── */

/* Flits of a channel that are inside, with those that will be discarded when their turn comes.
 * *loose is set if some of them may be gone. */
static uint32_t count_inside(const struct channel *c, bool *loose)
{
  uint32_t flits = 0;
  for (uint32_t n = c->first; n != c->next; n++) {
    const struct packet *p = packet_of(c, n);
    if (p->state == GONE)
      continue;
    flits += p->flits - p->left + p->behind;
    *loose |= p->flags & LOOSE;
  }
  return flits;
}

/* True if no flit came or left on the channel for so long that every credit must be back. */
static bool is_quiet(const struct hd_port_watch *w, const struct channel *c, uint64_t now)
{
  return now > later(c->came, c->moved) + w->params.held_cycles;
}

/* Checks P3 during the run. Null flits, and packets in a coder, do not count as flits of a
 * channel; so switches that have them are not checked. */
static void check_owed(const struct view *v, uint64_t now)
{
  const struct hd_port_watch *w = v->watch;
  const struct hd_switch_params *sw = &w->params.sw;
  const struct watched *s = v->s;
  bool loose = w->params.ready_links || sw->barrier || sw->code_places, some = false;
  uint32_t first = 0, owed = 0;
  for (uint32_t i = 0; i < w->channels && !loose; i++) {
    const struct channel *c = &s->channels[i];
    const uint32_t inside = count_inside(c, &loose);
    if (some || s->taken[i] <= inside || !is_quiet(w, c, now))
      continue;
    some = true;
    first = i;
    owed = s->taken[i] - inside;
  }
  if (!some || loose || hd_watch_is_broken(v))
    return;
  const struct channel *c = &s->channels[first];
  const uint64_t since = later(c->came, c->moved);
  hd_watch_breaks(v, HD_PORT_OWED, now, first / sw->vcs, NULL, NULL, 0,
                  "%" PRIu32 " %s at input port %" PRIu32 ", channel %" PRIu32
                  ", on which no flit has come or left since cycle %" PRIu64,
                  owed, owed == 1 ? "credit is owed" : "credits are owed", first / sw->vcs,
                  first % sw->vcs, since);
  v->broken->vc = (uint8_t)(first % sw->vcs);
  v->broken->since = since;
}

/* Keeps the broken rule that began first. The others may be its consequences. */
static void keep_first(const struct view *v, struct hd_port_break *first)
{
  if (v->broken->rule != HD_PORT_NONE &&
      (first->rule == HD_PORT_NONE || v->broken->since < first->since))
    *first = *v->broken;
  v->broken->rule = HD_PORT_NONE;
}

/* True if the waiting packet may wait for an equal one that the watch believes gone. Some packet
 * inside must be loose. */
static bool may_be_second(const struct hd_port_watch *w, const struct watched *s,
                          const struct packet *p)
{
  bool loose = false;
  for (uint32_t i = 0; p->state == WAITS && i < w->channels; i++)
    count_inside(&s->channels[i], &loose);
  return loose;
}

/* Checks P14 for the oldest packet of input channel `i`. Cycles before `since` do not count. */
static void check_held(const struct view *v, uint64_t now, uint32_t i, const struct packet *p,
                       uint64_t since)
{
  const struct hd_port_watch *w = v->watch;
  struct watched *s = v->s;
  struct able a = judge(w, s, i, p);
  s->counts.of[HD_PORT_HELD]++;
  if (p->state == LEAVES && hd_watch_counts_slots(w))
    s->counts.filled += p->left < p->flits && !hd_watch_has_room(w, s, p->port, p->vc, 1);
  a.since = later(a.since, since);
  if (a.now && now > a.since + w->params.held_cycles && !hd_watch_is_broken(v) &&
      !(p->state == LEAVES && hd_watch_is_ambiguous(w, s, i, p)) && !may_be_behind(w, s, i, p) &&
      !may_be_second(w, s, p))
    say_held(v, now, i, p, &a);
}

/* Checks P14 and P15 for the oldest packet of an input port, and P14 for all packets under way. */
static void look_at_port(const struct view *v, uint64_t now, uint32_t port, uint64_t since,
                         struct hd_port_break *first_broken)
{
  const struct hd_port_watch *w = v->watch;
  const struct watched *s = v->s;
  const uint32_t vcs = w->params.sw.vcs;
  const bool all = hd_watch_counts_slots(w);
  const struct packet *first = NULL;
  uint32_t of = 0;
  for (uint32_t i = port * vcs; i < (port + 1) * vcs; i++) {
    const struct packet *p = oldest_inside(&s->channels[i]);
    since = later(since, s->channels[i].moved);
    if (p && (!first || p->came < first->came)) {
      first = p;
      of = i;
    }
  }
  for (uint32_t i = port * vcs; first && i < (port + 1) * vcs; i++) {
    const struct packet *p = i == of ? first : all ? oldest_inside(&s->channels[i]) : NULL;
    if (!p || (i != of && p->state != LEAVES))
      continue;
    check_held(v, now, i, p, since);
    keep_first(v, first_broken);
  }
  if (first)
    check_starved(v, now, of, first);
  keep_first(v, first_broken);
}

void hd_watch_look(const struct view *v, uint64_t now)
{
  struct hd_port_break first_broken = {.rule = HD_PORT_NONE};
  const struct hd_port_watch *w = v->watch;
  const struct hd_switch_params *sw = &w->params.sw;
  struct watched *s = v->s;
  uint64_t since = w->params.is_network ? last_crossing(w, s) : 0;
  if (w->params.is_network && waits_for_an_endpoint(w, s))
    since = now;
  unsigned wanted = 0;
  if (s->owing)
    check_owed(v, now);
  keep_first(v, &first_broken);
  for (uint32_t port = 0; port < sw->ports; port++) {
    if (!w->params.is_network) /* a network's depth is not known */
      note_wanted(v, now, port, &wanted);
    look_at_port(v, now, port, since, &first_broken);
  }
  *v->broken = first_broken;
  for (uint32_t o = 0; o < sw->ports; o++) {
    const bool waits = wanted >> o & 1, sends = s->flit_out[o] == now && !w->params.is_network;
    s->counts.wanted += waits || sends;
    s->counts.idle += waits && !sends;
  }
}
