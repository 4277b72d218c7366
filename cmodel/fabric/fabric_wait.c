/* Explains a deadlock: which channel waits for which.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An input channel whose front cannot go on waits for the channel after the output that it wants: for room in it, or
 * for the packet that holds it to move on. Following these waits ends at a channel that can move, or comes back to a
 * channel it has passed: a deadlock.
 */
#include "fabric_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINES = 16 }; /* longest part of a list that is printed, lines */

struct text {
  char *buf;
  size_t size, length;
};

static void print_line(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void print_line(struct text *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  size_t left = t->length < t->size ? t->size - t->length : 0;
  int n = vsnprintf(left ? t->buf + t->length : NULL, left, format, args);
  va_end(args);
  if (n > 0)
    t->length += (size_t)n;
}

struct place {
  uint32_t sw, port, vc;
};

static uint32_t place_index(const struct hd_fabric *f, struct place p)
{
  return (p.sw * f->topology->ports + p.port) * f->params.sw.vcs + p.vc;
}

static const struct slot *front_flit(const struct hd_switch *s, struct place p)
{
  const struct channel *ch = &s->channels[switch_place(s, p.port, p.vc)];
  return ch->count ? switch_queue_head(s, ch) : NULL;
}

uint32_t hd_switch_front_packet(const struct hd_switch *s, uint32_t port, uint32_t vc)
{
  if (port >= s->params.ports || vc >= s->params.vcs)
    return HD_PACKET_NONE;
  const struct slot *front = front_flit(s, (struct place){0, port, vc});
  return front ? front->tag : HD_PACKET_NONE;
}

/* Finds the output that a front wants and the channel that it waits for. False: the front can go on. */
static bool find_wanted(const struct hd_switch *s, struct place p, uint32_t *port, uint32_t *vc)
{
  const struct slot *front = front_flit(s, p);
  if (!front)
    return false;
  const struct channel *ch = &s->channels[switch_place(s, p.port, p.vc)];
  if (ch->state == VC_OPEN) {
    *port = ch->oport;
    *vc = ch->ovc;
    return !switch_credit(s, *port, *vc);
  }
  if (ch->state != VC_IDLE || !front->vc_mask)
    return false;
  *port = front->oport;
  *vc = (uint32_t)__builtin_ctz(front->vc_mask);
  const struct port *out = &s->port[*port];
  return !(switch_lanes(front->vc_mask) & switch_has_credit(s, out, false) & ~out->owned);
}

static void print_place(const struct hd_fabric *f, struct text *t, struct place p, uint32_t port,
                        uint32_t vc)
{
  const struct hd_switch *s = hd_fabric_block(f, p.sw);
  uint32_t number = front_flit(s, p)->tag;
  const struct packet *packet = hd_fabric_find(f, number);
  print_line(t, "  switch %u input %u channel %u", p.sw, p.port, p.vc);
  if (packet)
    print_line(t, " (packet %u, node %u to node %u)", number, packet->source, packet->destination);
  print_line(t, " waits for output %u channel %u: %s\n", port, vc,
             s->port[port].owned & switch_lane(vc) ? "held by another packet or full"
                                                   : "no room behind it");
}

/* Follows the chain of waits from `start`. Returns true if it comes back on itself; *at is then a channel of the cycle.
 * */
static bool is_circular(const struct hd_fabric *f, struct place start, uint32_t *mark,
                        uint32_t colour, struct place *at)
{
  struct place p = start;
  for (;;) {
    uint32_t port, vc, index = place_index(f, p);
    if (mark[index] == colour) {
      *at = p;
      return true;
    }
    if (mark[index] || !find_wanted(hd_fabric_block(f, p.sw), p, &port, &vc))
      return false;
    mark[index] = colour;
    struct hd_peer far = f->topology->peers[p.sw * f->topology->ports + port];
    if (far.kind != HD_PEER_SWITCH)
      return false;
    p = (struct place){far.index, far.port, vc};
  }
}

static void print_chain(const struct hd_fabric *f, struct text *t, struct place p, uint32_t *mark,
                        uint32_t colour)
{
  uint32_t port, vc;
  while (mark[place_index(f, p)] != colour &&
         find_wanted(hd_fabric_block(f, p.sw), p, &port, &vc)) {
    mark[place_index(f, p)] = colour;
    print_place(f, t, p, port, vc);
    struct hd_peer far = f->topology->peers[p.sw * f->topology->ports + port];
    if (far.kind != HD_PEER_SWITCH)
      return;
    p = (struct place){far.index, far.port, vc};
  }
}

bool hd_fabric_sending(const struct hd_fabric *f, uint32_t node, struct hd_sending *s)
{
  const struct injector *in = &f->injectors[node];
  const struct packet *p = hd_fabric_find(f, in->first);
  if (!p)
    return false;
  const struct packet *first = p;
  *s = (struct hd_sending){p->number, p->destination, 0, true};
  for (; p; p = hd_fabric_find(f, p->next))
    s->packets++;
  if (in->sent)
    s->starved = !in->credit[in->vc];
  for (uint32_t vc = 0; !in->sent && vc < f->params.sw.vcs; vc++)
    s->starved &= !hd_fabric_may_begin(f, in, first, vc);
  return true;
}

/* Writes a line for each switch: its flits, and where they wait. */
static void print_held(const struct hd_fabric *f, struct text *t)
{
  uint32_t vcs = f->params.sw.vcs, channels = f->topology->ports * vcs, said = 0;
  for (uint32_t sw = 0; sw < f->topology->n_switches; sw++) {
    const uint32_t *held = f->held + (size_t)sw * channels;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < channels; i++)
      sum += held[i];
    if (!sum || said++ >= MOST_LINES)
      continue;
    print_line(t, "  switch %u: %u flit%s in", sw, sum, sum == 1 ? "" : "s");
    const char *between = " ";
    for (uint32_t i = 0; i < channels; i++) {
      if (!held[i])
        continue;
      print_line(t, "%sinput %u channel %u (%u)", between, i / vcs, i % vcs, held[i]);
      between = ", ";
    }
    print_line(t, "\n");
  }
  if (said > MOST_LINES)
    print_line(t, "  and %u switch%s more\n", said - MOST_LINES,
               said - MOST_LINES == 1 ? "" : "es");
  if (!said)
    print_line(t, "  nothing: every flit that went in came out\n");
}

uint32_t hd_fabric_packet_sent(const struct hd_fabric *f, uint32_t number)
{
  const struct packet *p = hd_fabric_find(f, number);
  if (!p)
    return 0;
  const struct injector *in = &f->injectors[p->source];
  return p->sent ? p->flits : in->first == number ? in->sent : 0;
}

static void print_packets(const struct hd_fabric *f, struct text *t)
{
  uint32_t said = 0;
  for (uint32_t number = f->oldest; number != f->next_number; number++) {
    const struct packet *p = hd_fabric_find(f, number);
    if (!p || said++ >= MOST_LINES)
      continue;
    uint32_t sent = hd_fabric_packet_sent(f, number);
    if (said == 1)
      print_line(t, "packets under way, the oldest first:\n");
    print_line(t,
               "  packet %u, node %u to node %u, handed over in cycle %llu: %u of %u flit%s sent\n",
               number, p->source, p->destination, (unsigned long long)p->created, sent, p->flits,
               p->flits == 1 ? "" : "s");
  }
  if (said > MOST_LINES)
    print_line(t, "  and %u packet%s more\n", said - MOST_LINES, said - MOST_LINES == 1 ? "" : "s");
}

/* Explains the wait from the events on links alone. */
static void explain_external(const struct hd_fabric *f, struct text *t)
{
  print_line(
      t,
      "the DUT's switches cannot be looked into; by what went through their ports, they hold:\n");
  print_held(f, t);
  print_packets(f, t);
}

size_t hd_fabric_explain_wait(const struct hd_fabric *f, char *buf, size_t size)
{
  struct text t = {buf, size, 0};
  if (size)
    *buf = 0;
  if (!f->switches) {
    explain_external(f, &t);
    return t.length;
  }
  uint32_t ports = f->topology->ports, vcs = f->params.sw.vcs;
  uint32_t n = f->topology->n_switches * ports * vcs, colour = 0, waiting = 0;
  uint32_t *mark = calloc(n, sizeof *mark);
  if (!mark) {
    print_line(&t, "no memory to look for a circle of waiting channels\n");
    return t.length;
  }
  struct place first = {0, 0, 0}, at;
  bool found = false;
  for (uint32_t i = 0; i < n && !found; i++) {
    struct place p = {i / (ports * vcs), i / vcs % ports, i % vcs};
    uint32_t port, vc;
    if (find_wanted(hd_fabric_block(f, p.sw), p, &port, &vc) && !waiting++)
      first = p;
    found = is_circular(f, p, mark, ++colour, &at);
  }
  if (found) {
    print_line(&t, "deadlock: these channels wait for each other in a circle\n");
    print_chain(f, &t, at, mark, ++colour);
  } else if (waiting) {
    print_line(&t, "no circle of waiting channels; the first chain that waits:\n");
    print_chain(f, &t, first, mark, ++colour);
  } else {
    print_line(&t, "no channel waits\n");
  }
  free(mark);
  return t.length;
}
