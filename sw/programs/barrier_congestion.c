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

struct hd_congestion {
  bool initialised;
  int n, sharing; /* congested members; the largest number of them that have one node in common */
  struct way_out ways[];
};

struct hd_congestion *hd_congestion_shared_state(struct hd_ep *ep)
{
  struct hd_congestion *congestion;
  size_t size = (size_t)hd_ep_size(ep);
  return hd_ep_shared(ep, "congestion", sizeof *congestion + size * sizeof *congestion->ways);
}

static void swap_ways(struct way_out *a, struct way_out *b)
{
  struct way_out moved = *a;
  *a = *b;
  *b = moved;
}

/* Sorts the members that can be congested into congestion->ways: first those with a single link, then the
 * others, each kind in a random order. Returns their number. */
static int sort_members(struct hd_ep *ep, struct hd_congestion *congestion,
                        const struct hd_barrier_algorithm *algorithm, const void *part,
                        const int *members, int n)
{
  int able = 0, alone = 0;
  for (int i = 0; i < n; i++) {
    struct hd_ep_link link = algorithm->link(ep, part, members[i]);
    if (link.node >= 0)
      congestion->ways[able++] = (struct way_out){members[i], link};
  }
  for (int i = able; i > 1; i--)
    swap_ways(&congestion->ways[i - 1], &congestion->ways[hd_ep_random(ep) % (uint64_t)i]);
  for (int i = 0; i < able; i++)
    if (congestion->ways[i].link.links == 1)
      swap_ways(&congestion->ways[alone++], &congestion->ways[i]);
  return able;
}

void hd_congestion_choose(struct hd_ep *ep, struct hd_congestion *congestion,
                          const struct hd_barrier_algorithm *algorithm, const void *part,
                          const int *members, int n, int congested)
{
  if (congestion->initialised)
    return;
  int able = sort_members(ep, congestion, algorithm, part, members, n);
  if (congested > able)
    hd_ep_reject(ep, "congested",
                 "%d; legal here: 0 … %d, the members whose messages leave by a link with a node "
                 "behind it",
                 congested, able);
  congestion->n = congested;
  uint32_t flits = 2 * congestion->ways[0].link.depth_flits;
  if (flits > hd_ep_packet_flits(ep))
    hd_ep_reject(ep, "congested",
                 "%d; it takes packets of %" PRIu32
                 " flits, and virtual cut-through has at most %" PRIu32 " (switch.cut_flits)",
                 congested, flits, hd_ep_packet_flits(ep));
  int alone = 0;
  for (int i = 0; i < congestion->n; i++) {
    int same = 0;
    for (int j = 0; j < congestion->n; j++)
      same += congestion->ways[j].link.node == congestion->ways[i].link.node;
    congestion->sharing = same > congestion->sharing ? same : congestion->sharing;
    alone += congestion->ways[i].link.links == 1;
  }
  hd_ep_statistic(ep, "congested, one way", (uint64_t)alone);
  /* set last, because the check of parameters ends at the first question about the network */
  congestion->initialised = true;
}

uint64_t hd_congestion_pass_cycles(const struct hd_congestion *congestion)
{
  return congestion->ways[0].link.pass_cycles;
}

/* The packets of the members that share a node arrive one after another, within a pass for each
 * member. Two more passes are for the credits on their way. */
uint64_t hd_congestion_drain_cycles(const struct hd_congestion *congestion)
{
  return (uint64_t)(2 + congestion->sharing) * hd_congestion_pass_cycles(congestion);
}

bool hd_congestion_blocks_node(struct hd_ep *ep, const struct hd_congestion *congestion)
{
  for (int i = 0; i < congestion->n; i++)
    if (congestion->ways[i].link.node == hd_ep_rank(ep))
      return true;
  return false;
}

static void send(struct hd_ep *ep, const struct hd_ep_link *link, uint32_t flits)
{
  for (uint32_t i = 0; i < link->channels; i++)
    hd_ep_inject(ep, link->node, flits);
}

void hd_congestion_fill(struct hd_ep *ep, const struct hd_congestion *congestion,
                        uint64_t hold_cycles)
{
  if (hd_congestion_blocks_node(ep, congestion))
    hd_ep_hold(ep, hold_cycles);
  for (int i = 0; i < congestion->n; i++) {
    bool first = congestion->ways[i].member == hd_ep_rank(ep);
    for (int j = 0; first && j < i; j++)
      first = congestion->ways[j].link.node != congestion->ways[i].link.node;
    if (first)
      send(ep, &congestion->ways[i].link, congestion->ways[i].link.depth_flits);
  }
}

void hd_congestion_block(struct hd_ep *ep, const struct hd_congestion *congestion)
{
  for (int i = 0; i < congestion->n; i++)
    if (congestion->ways[i].member == hd_ep_rank(ep))
      send(ep, &congestion->ways[i].link, 2 * congestion->ways[i].link.depth_flits);
}
