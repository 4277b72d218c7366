/* Finds the packet of each flit at the original's ports, as far as the events there show it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Flits carry no packet numbers. A network interface knows the number of the packet that it sends.
 * A head that leaves a switch is matched with a head that waits there and has the same header
 * (specification §1.3). If heads of several channels match, the one whose slot was given back is
 * chosen, then the one nearest to the front of its channel. If that does not decide, all of them
 * lose their numbers. Numbers serve reports only; no comparison uses them.
 */
#include "lockstep_internal.h"

#include "../../cmodel/grow.h"

#include <stdlib.h>

/* A head that waits in a switch. */
struct waiting {
  uint64_t looks; /* the header as it leaves, without the mode */
  uint32_t tag;
  uint32_t slot; /* number of the flit on its channel */
};

/* An input channel of a switch. */
struct input {
  struct waiting *heads; /* [n], in order of time */
  /* [n_coming], in order of time: tags of packets that have left the previous switch and have not
   * come in yet */
  uint32_t *coming;
  size_t cap, cap_coming;
  uint32_t n, n_coming;
  uint32_t came, credited; /* flits that came in, and slots that were given back */
  uint32_t tag;            /* tag of the packet under way on this channel */
};

struct tags {
  const struct hd_topology *topology;
  uint32_t vcs, port_bits;
  struct input *inputs; /* [n_switches × ports × vcs] */
  uint32_t *outputs;    /* tags of the packets under way on output channels */
};

struct tags *hd_tags_create(const struct hd_topology *topology, const struct hd_switch_params *sw)
{
  struct tags *t = calloc(1, sizeof *t);
  const size_t channels = (size_t)topology->n_switches * topology->ports * sw->vcs;
  if (!t)
    return NULL;
  *t = (struct tags){.topology = topology, .vcs = sw->vcs, .port_bits = hd_log2_ceil(sw->ports)};
  t->inputs = calloc(channels, sizeof *t->inputs);
  t->outputs = malloc(channels * sizeof *t->outputs);
  for (size_t i = 0; t->outputs && i < channels; i++)
    t->outputs[i] = HD_PACKET_NONE;
  if (t->inputs && t->outputs)
    return t;
  hd_tags_destroy(t);
  return NULL;
}

void hd_tags_destroy(struct tags *t)
{
  if (!t)
    return;
  const size_t channels = (size_t)t->topology->n_switches * t->topology->ports * t->vcs;
  for (size_t i = 0; t->inputs && i < channels; i++) {
    free(t->inputs[i].heads);
    free(t->inputs[i].coming);
  }
  free(t->inputs);
  free(t->outputs);
  free(t);
}

static size_t channel_of(const struct tags *t, uint32_t sw, uint32_t port, uint32_t vc)
{
  return ((size_t)sw * t->topology->ports + port) * t->vcs + vc;
}

static bool is_legal(const struct tags *t, const struct hd_flit_event *f)
{
  return f->port < t->topology->ports && f->vc < t->vcs && !(f->kind & HD_KIND_RESERVED);
}

/* The header as a switch forwards it; the mode may change there (§1.3). */
static uint64_t looks_after(const struct tags *t, uint64_t data)
{
  const uint64_t rest = data >> 2;
  return (data & 3) == 2 ? rest >> t->port_bits : rest;
}

/* Removes the number of the next packet that the previous switch sent to this channel. */
static uint32_t take_coming(struct input *in)
{
  if (!in->n_coming)
    return HD_PACKET_NONE;
  const uint32_t tag = in->coming[0];
  memmove(in->coming, in->coming + 1, --in->n_coming * sizeof *in->coming);
  return tag;
}

bool hd_tags_in(struct tags *t, uint32_t sw, const struct hd_flit_event *f, uint32_t *tag)
{
  if (!is_legal(t, f))
    return true;
  struct input *in = &t->inputs[channel_of(t, sw, f->port, f->vc)];
  if (f->kind & HD_KIND_HEAD) {
    if (!HD_ROOM(in->heads, in->cap, in->n, 1))
      return false;
    in->tag = *tag == HD_PACKET_NONE ? take_coming(in) : *tag;
    in->heads[in->n++] = (struct waiting){looks_after(t, f->data), in->tag, in->came};
  }
  in->came++;
  *tag = in->tag;
  return true;
}

void hd_tags_credit(struct tags *t, uint32_t sw, const struct hd_credit_event *c)
{
  for (uint32_t vc = 0; c->port < t->topology->ports && vc < t->vcs; vc++)
    t->inputs[channel_of(t, sw, c->port, vc)].credited += c->vcs >> vc & 1;
}

/* Index of the first head of a channel with this header; in->n: none. */
static uint32_t find_head(const struct input *in, uint64_t looks)
{
  uint32_t i = 0;
  while (i < in->n && in->heads[i].looks != looks)
    i++;
  return i;
}

static void forget(struct input *in, uint32_t up_to)
{
  in->n -= up_to + 1;
  memmove(in->heads, in->heads + up_to + 1, in->n * sizeof *in->heads);
}

/* Removes the head that leaves from its channel; returns its packet's number. */
static uint32_t take_head(struct tags *t, uint32_t sw, uint64_t looks)
{
  struct input *inputs = &t->inputs[channel_of(t, sw, 0, 0)], *best = NULL;
  uint32_t at = 0, alike = 0;
  bool best_left = false;
  for (uint32_t i = 0; i < t->topology->ports * t->vcs; i++) {
    const uint32_t n = find_head(&inputs[i], looks);
    if (n == inputs[i].n)
      continue;
    const bool left = inputs[i].credited > inputs[i].heads[n].slot;
    alike = !best || left > best_left || (left == best_left && n < at) ? 1
            : left == best_left && n == at                             ? alike + 1
                                                                       : alike;
    if (!best || left > best_left || (left == best_left && n < at)) {
      best = &inputs[i];
      at = n;
      best_left = left;
    }
  }
  if (!best)
    return HD_PACKET_NONE;
  const uint32_t tag = alike == 1 ? best->heads[at].tag : HD_PACKET_NONE;
  for (uint32_t i = 0; alike > 1 && i < t->topology->ports * t->vcs; i++) {
    const uint32_t n = find_head(&inputs[i], looks);
    if (n < inputs[i].n)
      inputs[i].heads[n].tag = HD_PACKET_NONE;
  }
  forget(best, at);
  return tag;
}

bool hd_tags_out(struct tags *t, uint32_t sw, const struct hd_flit_event *f, uint32_t *tag)
{
  *tag = HD_PACKET_NONE;
  if (!is_legal(t, f))
    return true;
  uint32_t *output = &t->outputs[channel_of(t, sw, f->port, f->vc)];
  if (f->kind & HD_KIND_HEAD) {
    const struct hd_peer to = t->topology->peers[(size_t)sw * t->topology->ports + f->port];
    *output = take_head(t, sw, f->data >> 2);
    if (to.kind == HD_PEER_SWITCH) {
      struct input *next = &t->inputs[channel_of(t, to.index, to.port, f->vc)];
      if (!HD_ROOM(next->coming, next->cap_coming, next->n_coming, 1))
        return false;
      next->coming[next->n_coming++] = *output;
    }
  }
  *tag = *output;
  return true;
}
