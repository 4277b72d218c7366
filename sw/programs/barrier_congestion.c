/* Congestion for members of a barrier. barrier_common.h describes the method.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_congestion.h"

#include <inttypes.h>

/* A member, and the link by which its messages leave its switch. */
struct way_out {
  int member;
  struct hd_ep_link link;
};

struct hd_jam {
  bool made;
  int n, sharing; /* congested members; the largest number of them that have one node in common */
  struct way_out ways[];
};

struct hd_jam *hd_congestion_shared_state(struct hd_ep *ep)
{
  struct hd_jam *jam;
  size_t size = (size_t)hd_ep_size(ep);
  return hd_ep_shared(ep, "congestion", sizeof *jam + size * sizeof *jam->ways);
}

static void exchange(struct way_out *a, struct way_out *b)
{
  struct way_out moved = *a;
  *a = *b;
  *b = moved;
}

/* Sorts the members that can be congested into jam->ways: first those with a single link, then the
 * others, each kind in a random order. Returns their number. */
static int sort_by_chance(struct hd_ep *ep, struct hd_jam *jam,
                          const struct hd_barrier_algorithm *algorithm, const void *part,
                          const int *members, int n)
{
  int able = 0, alone = 0;
  for (int i = 0; i < n; i++) {
    struct hd_ep_link link = algorithm->link(ep, part, members[i]);
    if (link.node >= 0)
      jam->ways[able++] = (struct way_out){members[i], link};
  }
  for (int i = able; i > 1; i--)
    exchange(&jam->ways[i - 1], &jam->ways[hd_ep_random(ep) % (uint64_t)i]);
  for (int i = 0; i < able; i++)
    if (jam->ways[i].link.links == 1)
      exchange(&jam->ways[alone++], &jam->ways[i]);
  return able;
}

void hd_jam_make(struct hd_ep *ep, struct hd_jam *jam, const struct hd_barrier_algorithm *algorithm,
                 const void *part, const int *members, int n, int congested)
{
  if (jam->made)
    return;
  int able = sort_by_chance(ep, jam, algorithm, part, members, n);
  if (congested > able)
    hd_ep_reject(ep, "congested",
                 "%d; legal here: 0 … %d, the members whose messages leave by a link with a node "
                 "behind it",
                 congested, able);
  jam->n = congested;
  uint32_t flits = 2 * jam->ways[0].link.depth_flits;
  if (flits > hd_ep_packet_flits(ep))
    hd_ep_reject(ep, "congested",
                 "%d; it takes packets of %" PRIu32
                 " flits, and virtual cut-through has at most %" PRIu32 " (switch.cut_flits)",
                 congested, flits, hd_ep_packet_flits(ep));
  int alone = 0;
  for (int i = 0; i < jam->n; i++) {
    int same = 0;
    for (int j = 0; j < jam->n; j++)
      same += jam->ways[j].link.node == jam->ways[i].link.node;
    jam->sharing = same > jam->sharing ? same : jam->sharing;
    alone += jam->ways[i].link.links == 1;
  }
  hd_ep_statistic(ep, "congested, one way", (uint64_t)alone);
  /* set last, because the check of parameters ends at the first question about the network */
  jam->made = true;
}

uint64_t hd_jam_pass_cycles(const struct hd_jam *jam)
{
  return jam->ways[0].link.pass_cycles;
}

/* The packets of the members that share a node arrive one after another, within a pass for each
 * member. Two more passes are for the credits on their way. */
uint64_t hd_jam_drain_cycles(const struct hd_jam *jam)
{
  return (uint64_t)(2 + jam->sharing) * hd_jam_pass_cycles(jam);
}

bool hd_jam_holds(struct hd_ep *ep, const struct hd_jam *jam)
{
  for (int i = 0; i < jam->n; i++)
    if (jam->ways[i].link.node == hd_ep_rank(ep))
      return true;
  return false;
}

static void send(struct hd_ep *ep, const struct hd_ep_link *link, uint32_t flits)
{
  for (uint32_t i = 0; i < link->channels; i++)
    hd_ep_inject(ep, link->node, flits);
}

void hd_jam_fill(struct hd_ep *ep, const struct hd_jam *jam, uint64_t hold_cycles)
{
  if (hd_jam_holds(ep, jam))
    hd_ep_hold(ep, hold_cycles);
  for (int i = 0; i < jam->n; i++) {
    bool first = jam->ways[i].member == hd_ep_rank(ep);
    for (int j = 0; first && j < i; j++)
      first = jam->ways[j].link.node != jam->ways[i].link.node;
    if (first)
      send(ep, &jam->ways[i].link, jam->ways[i].link.depth_flits);
  }
}

void hd_jam_block(struct hd_ep *ep, const struct hd_jam *jam)
{
  for (int i = 0; i < jam->n; i++)
    if (jam->ways[i].member == hd_ep_rank(ep))
      send(ep, &jam->ways[i].link, 2 * jam->ways[i].link.depth_flits);
}
