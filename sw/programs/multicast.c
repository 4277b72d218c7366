/* Program multicast: members of groups send messages to their groups, and check every byte.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each message, a member first sends and then receives. So at most the messages of one round
 * are on their way, and members never wait for each other in a circle.
 */
#include "common.h"
#include "programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20, GROUPS_MAX = 32, UNICAST_MAX = 4096, FLITS_MAX = 16 };

struct task {
  int members, senders, groups;
  uint64_t messages, gap;
  uint64_t unicast; /* packets */
  uint32_t flits;   /* longest of these packets */
  size_t bytes;
};

/* A group, which all nodes share. The first node that needs it draws it. */
struct ranks {
  bool drawn;
  int of[]; /* [all nodes]: first the senders, then the other members, then the other nodes */
};

/* A group of which this node is a member. */
struct part {
  const int *ranks;
  struct hd_ep_multicast *group;
  int tag;
  bool sends;
};

static struct task read_task(struct hd_ep *ep)
{
  const uint32_t most = hd_ep_packet_flits(ep);
  struct task t = {.members = hd_program_members(ep)};
  t.senders = (int)hd_program_integer(ep, "senders", (uint64_t)t.members, 1, (uint64_t)t.members);
  t.groups = (int)hd_program_integer(ep, "groups", 1, 1, GROUPS_MAX);
  t.messages = hd_program_integer(ep, "messages", 10, 1, HD_INTEGER_MAX);
  t.bytes = hd_program_integer(ep, "bytes", 64, 0, BYTES_MAX);
  t.gap = hd_program_integer(ep, "gap", 0, 0, HD_INTEGER_MAX);
  t.unicast = hd_program_integer(ep, "unicast", 0, 0, UNICAST_MAX);
  t.flits = most < FLITS_MAX ? most : FLITS_MAX;
  return t;
}

static const int *draw_group(struct hd_ep *ep, const struct task *t, int number)
{
  const int size = hd_ep_size(ep);
  char key[32];
  snprintf(key, sizeof key, "multicast %d", number);
  struct ranks *ranks = hd_ep_shared(ep, key, sizeof *ranks + (size_t)size * sizeof *ranks->of);
  for (int i = 0; i < size && !ranks->drawn; i++)
    ranks->of[i] = i;
  if (!ranks->drawn)
    hd_program_draw(ep, ranks->of, 0, t->members);
  ranks->drawn = true;
  return ranks->of;
}

/* Joins the groups of which this node is a member, in the order of their numbers. All members use
 * this order. */
static int join_groups(struct hd_ep *ep, const struct task *t, struct part *parts)
{
  int n = 0;
  for (int g = 0; g < t->groups; g++) {
    const int *ranks = draw_group(ep, t, g);
    int me = 0;
    while (me < t->members && ranks[me] != hd_ep_rank(ep))
      me++;
    if (me == t->members)
      continue;
    parts[n++] =
        (struct part){.ranks = ranks,
                      .group = hd_program_multicast_create(ep, "groups", ranks, t->members),
                      .tag = g,
                      .sends = me < t->senders};
  }
  return n;
}

static void inject_packets(struct hd_ep *ep, const struct task *t)
{
  for (uint64_t i = 0; i < t->unicast; i++) {
    const int to = (int)(hd_ep_random(ep) % (uint64_t)hd_ep_size(ep));
    const uint32_t flits = 1 + (uint32_t)(hd_ep_random(ep) % t->flits);
    if (to != hd_ep_rank(ep))
      hd_ep_inject(ep, to, flits);
  }
}

static void receive(struct hd_ep *ep, const struct task *t, const struct part *part,
                    unsigned char *bytes, uint64_t number)
{
  for (int i = 0; i < t->senders; i++) {
    const int from = part->ranks[i];
    struct hd_ep_status status;
    if (from == hd_ep_rank(ep))
      continue;
    hd_ep_receive(ep, from, part->tag, bytes, t->bytes, &status);
    if (status.bytes != t->bytes)
      hd_ep_abort(ep, "%zu bytes came from node %d; %zu were sent", status.bytes, from, t->bytes);
    hd_program_verify(ep, bytes, t->bytes, from, part->tag, number);
    hd_ep_statistic(ep, "multicast message", status.received - status.sent);
  }
}

static void run(struct hd_ep *ep)
{
  const struct task t = read_task(ep);
  struct part *parts = hd_ep_alloc(ep, (size_t)t.groups * sizeof *parts);
  unsigned char *bytes = hd_ep_alloc(ep, t.bytes);
  const int n = join_groups(ep, &t, parts);
  for (uint64_t number = 0; number < t.messages; number++) {
    for (int i = 0; i < n; i++)
      if (parts[i].sends) {
        hd_program_fill(bytes, t.bytes, hd_ep_rank(ep), parts[i].tag, number);
        hd_ep_multicast_send(ep, parts[i].group, parts[i].tag, bytes, t.bytes);
      }
    inject_packets(ep, &t);
    for (int i = 0; i < n; i++)
      receive(ep, &t, &parts[i], bytes, number);
    hd_ep_delay(ep, t.gap);
  }
  for (int i = 0; i < n; i++)
    hd_ep_multicast_destroy(ep, parts[i].group);
}

static const char *const parameters[] = {
    "groups: number of groups, each with its own members; at most as many as switches have trees "
    "(1)",
    "members: number of nodes in a group, or all; the seed chooses them (all)",
    "senders: number of members that send (all)",
    "messages: number of messages of each sender; it sends the next one when it has received this "
    "one from all others (10)",
    "bytes: length of a message (64)",
    "gap: cycles between messages (0)",
    "unicast: packets of 1 to 16 flits to any node that each node sends beside each message (0)",
    NULL,
};

const struct hd_program hd_program_multicast = {
    .name = "multicast",
    .about = "members of groups send messages to all others by multicast in the network (key "
             "switch.trees); parameters groups, members, senders, messages, bytes, gap, unicast",
    .main = run,
    .parameters = parameters,
};
