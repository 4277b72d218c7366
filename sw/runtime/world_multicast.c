/* Multicast groups of endpoint software: creation, messages, arriving flits.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A message is a sequence of bytes: five with its tag and length, then its data. Each flit carries
 * some of them in its header, after the sender's rank (specification §13.2). Flits of one sender
 * take one path and one channel. So they arrive in order and need no numbers.
 */
#include "runtime.h"

#include "envelope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MODE = 3, MODE_BITS = 2, ENVELOPE = 5, TAG_BITS = 12 };

/** A member's part of a group. */
struct hd_ep_multicast {
  struct hd_multicast_group *group;
  /** [n] this member's messages that are on their way to each other member; NULL: it has sent
   *  none */
  struct hd_channel *to;
  bool joined, left;
};

/** A multicast group, in a list in the order of creation. */
struct hd_multicast_group {
  struct hd_multicast_group *next;
  uint8_t status; /* enum hd_ep_multicast_status of the creation */
  uint8_t tree;   /* valid if `status` is HD_EP_MULTICAST_OPEN */
  uint32_t n, n_joined, n_left;
  uint32_t under_way; /* messages on their way; one for each receiver */
  uint64_t ready;     /* first cycle in which a member may send */
  uint32_t *members;  /* [n] ranks, ascending; in the same allocation */
  /** [nodes / 64 + 1] a bit for each member; in the same allocation */
  uint64_t *bits;
  struct hd_ep_multicast parts[]; /* [n] */
};

const char *hd_ep_multicast_text(enum hd_ep_multicast_status status)
{
  static const char *const texts[] = {
      [HD_EP_MULTICAST_OPEN] = "open",
      [HD_EP_MULTICAST_FULL] = "all trees of the switches are taken (key switch.trees)",
      [HD_EP_MULTICAST_UNSUPPORTED] = "the switches have no multicast (key switch.trees)",
      [HD_EP_MULTICAST_NARROW] =
          "a flit has no room for a byte beside tree and sender (key switch.data_bits)",
  };
  return texts[status];
}

/* ── the layout of a flit ─────────────────────────────────────────────────── */

static uint32_t node_bits(const struct hd_world *world)
{
  return world->params.layout.header_bits - MODE_BITS;
}

static uint32_t flit_bytes(const struct hd_world *world)
{
  const uint32_t taken = MODE_BITS + 2 * node_bits(world);
  return world->params.data_bits > taken ? (world->params.data_bits - taken) / 8 : 0;
}

uint32_t hd_ep_multicast_bytes(const struct hd_ep *ep)
{
  return ep->world->params.trees ? flit_bytes(ep->world) : 0;
}

static uint64_t envelope_of(int tag, size_t n)
{
  return (uint64_t)tag | (uint64_t)n << TAG_BITS;
}

/* Returns byte `at` of a message, envelope included; 0 after its end. */
static unsigned char byte_at(uint64_t envelope, const unsigned char *bytes, size_t n, size_t at)
{
  if (at < ENVELOPE)
    return (unsigned char)(envelope >> 8 * at);
  return at - ENVELOPE < n ? bytes[at - ENVELOPE] : 0;
}

/* ── groups ───────────────────────────────────────────────────────────────── */

static struct hd_ep_multicast *find_part(struct hd_multicast_group *g, uint32_t rank)
{
  const uint32_t *found = bsearch(&rank, g->members, g->n, sizeof rank, hd_compare_ranks);
  return found ? &g->parts[found - g->members] : NULL;
}

static uint32_t rank_of(const struct hd_ep_multicast *part)
{
  return part->group->members[part - part->group->parts];
}

static void free_group(struct hd_multicast_group *g)
{
  for (uint32_t i = 0; i < g->n; i++) {
    for (uint32_t j = 0; g->parts[i].to && j < g->n; j++)
      hd_channel_fini(&g->parts[i].to[j]);
    free(g->parts[i].to);
  }
  free(g);
}

void hd_world_multicast_free(struct hd_world *world)
{
  for (struct hd_multicast_group *g = world->multicast, *next; g; g = next) {
    next = g->next;
    free_group(g);
  }
}

/* Makes a group of these ranks. Ends the run if they cannot be a group. */
static struct hd_multicast_group *new_group(struct hd_ep *ep, const int *ranks, int n)
{
  const uint32_t words = ep->world->params.nodes / 64 + 1;
  struct hd_multicast_group *g;
  if (n < 1 || n > hd_ep_size(ep))
    hd_ep_abort(ep, "multicast group of %d members; there are %d nodes", n, hd_ep_size(ep));
  g = calloc(1, sizeof *g + (size_t)n * (sizeof *g->parts + sizeof *g->members) +
                    (words + 1) * sizeof *g->bits);
  if (!g)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for a multicast group of %d members", n);
  g->n = (uint32_t)n;
  g->bits = (uint64_t *)(void *)(g->parts + n);
  g->members = (uint32_t *)(void *)(g->bits + words);
  hd_ep_sort_ranks(ep, "multicast group", ranks, g->n, g->members, g);
  for (uint32_t i = 0; i < g->n; i++) {
    g->parts[i].group = g;
    g->bits[g->members[i] / 64] |= UINT64_C(1) << g->members[i] % 64;
  }
  return g;
}

/* Opens the group in the switches. The first member that creates it calls this. */
static void open_group(struct hd_ep *ep, struct hd_multicast_group *g)
{
  struct hd_world *world = ep->world;
  const struct hd_world_params *p = &world->params;
  struct hd_multicast_group **last = &world->multicast;
  while (*last)
    last = &(*last)->next;
  *last = g;
  if (!p->trees)
    g->status = HD_EP_MULTICAST_UNSUPPORTED;
  else if (!flit_bytes(world))
    g->status = HD_EP_MULTICAST_NARROW;
  else if (!(~world->trees & UINT32_MAX >> (32 - p->trees)))
    g->status = HD_EP_MULTICAST_FULL;
  if (g->status)
    return;
  g->tree = (uint8_t)__builtin_ctz(~world->trees);
  world->trees |= UINT32_C(1) << g->tree;
  const int status = p->multicast_open(p->context, g->tree, g->members, g->n, &g->ready);
  if (status)
    hd_ep_fail(ep, status, "the network refused a multicast group of %" PRIu32 " members: %s", g->n,
               hd_status_text(status));
}

static void unlink_group(struct hd_world *world, struct hd_multicast_group *g)
{
  struct hd_multicast_group **at = &world->multicast;
  while (*at != g)
    at = &(*at)->next;
  *at = g->next;
  free_group(g);
}

static bool same_members(const struct hd_multicast_group *a, const struct hd_multicast_group *b)
{
  return a->n == b->n && !memcmp(a->members, b->members, a->n * sizeof *a->members);
}

enum hd_ep_multicast_status hd_ep_multicast_create(struct hd_ep *ep, const int *ranks, int n,
                                                   struct hd_ep_multicast **group)
{
  struct hd_world *world = ep->world;
  struct hd_multicast_group *wanted = new_group(ep, ranks, n), *g = world->multicast;
  *group = NULL;
  if (world->checking && hd_ep_multicast_bytes(ep)) {
    free_group(wanted);
    hd_ep_stop_check(ep);
  }
  while (g && (!same_members(g, wanted) || find_part(g, ep->rank)->joined))
    g = g->next;
  if (g) {
    free_group(wanted);
  } else {
    g = wanted;
    open_group(ep, g);
  }
  struct hd_ep_multicast *part = find_part(g, ep->rank);
  const enum hd_ep_multicast_status status = (enum hd_ep_multicast_status)g->status;
  part->joined = true;
  g->n_joined++;
  if (status) {
    if (g->n_joined == g->n)
      unlink_group(world, g);
    return status;
  }
  *group = part;
  hd_ep_wait_until(ep, g->ready);
  return status;
}

static void check_part(struct hd_ep *ep, const struct hd_ep_multicast *part)
{
  if (rank_of(part) != ep->rank || part->left)
    hd_ep_abort(
        ep,
        "multicast group %u was used with a handle of another node, or after this node had left it",
        part->group->tree);
}

void hd_ep_multicast_destroy(struct hd_ep *ep, struct hd_ep_multicast *part)
{
  struct hd_world *world = ep->world;
  const struct hd_world_params *p = &world->params;
  struct hd_multicast_group *g = part->group;
  check_part(ep, part);
  part->left = true;
  if (++g->n_left < g->n || g->under_way)
    return;
  const int status = p->multicast_close(p->context, g->tree);
  if (status)
    hd_ep_fail(ep, status, "the network refused to end multicast group %u: %s", g->tree,
               hd_status_text(status));
  world->trees &= ~(UINT32_C(1) << g->tree);
  unlink_group(world, g);
}

/* ── messages ─────────────────────────────────────────────────────────────── */

/* Adds the message to the channels from this member to each other member. */
static void add_messages(struct hd_ep *ep, struct hd_ep_multicast *part, int tag, uint32_t n,
                         uint32_t n_flits)
{
  struct hd_multicast_group *g = part->group;
  if (!part->to)
    part->to = calloc(g->n, sizeof *part->to);
  for (uint32_t i = 0; i < g->n; i++) {
    const uint32_t to = g->members[i];
    if (to == ep->rank)
      continue;
    struct hd_channel *at = hd_mailbox_channel(&ep->world->eps[to].mailbox, ep->rank);
    struct hd_message *m =
        at && part->to ? hd_message_create(at, tag, n, n_flits, ep->world->now) : NULL;
    if (!m || hd_channel_push(&part->to[i], m)) {
      hd_message_destroy(m);
      hd_ep_fail(ep, HD_E_NOMEM, "no memory for a message of %" PRIu32 " bytes", n);
    }
    part->to[i].source = ep->rank;
    ep->world->counters.messages_sent++;
  }
  g->under_way += g->n - 1;
  ep->under_way += g->n - 1;
  ep->bytes_under_way += (g->n - 1) * n;
}

void hd_ep_multicast_send(struct hd_ep *ep, struct hd_ep_multicast *part, int tag,
                          const void *bytes, size_t n)
{
  struct hd_multicast_group *g = part->group;
  const struct hd_world *world = ep->world;
  const uint32_t share = flit_bytes(world), shift = MODE_BITS + 2 * node_bits(world);
  const uint32_t n_flits = (uint32_t)((n + ENVELOPE + share - 1) / share);
  const uint64_t own = UINT64_C(1) << ep->rank % 64;
  check_part(ep, part);
  hd_ep_check_message(ep, tag, bytes, n);
  hd_ep_startup(ep);
  if (g->n == 1)
    return;
  hd_ep_wait_for_room(ep, ep->rank, (g->n - 1) * (uint32_t)n);
  add_messages(ep, part, tag, (uint32_t)n, n_flits);
  g->bits[ep->rank / 64] &= ~own;
  for (uint32_t flit = 0; flit < n_flits; flit++) {
    uint64_t header = MODE | (uint64_t)g->tree << MODE_BITS |
                      (uint64_t)ep->rank << (MODE_BITS + node_bits(world));
    for (uint32_t i = 0; i < share; i++)
      header |= (uint64_t)byte_at(envelope_of(tag, n), bytes, n, (size_t)flit * share + i)
                << (shift + 8 * i);
    hd_ep_pass_packet(ep, &(struct hd_world_packet){.source = ep->rank,
                                                    .destination = ep->rank,
                                                    .flits = 1,
                                                    .header = header,
                                                    .to = g->bits});
  }
  g->bits[ep->rank / 64] |= own;
}

/* ── flits that arrive ────────────────────────────────────────────────────── */

/* Copies the flit's bytes to the message. Returns false if it is not the next flit of this
 * message. */
static bool copy_flit(const struct hd_world *world, struct hd_message *m, uint64_t header)
{
  const uint32_t share = flit_bytes(world), shift = MODE_BITS + 2 * node_bits(world);
  size_t at = (size_t)(m->n_packets - m->n_missing) * share;
  if (shift + 8 * share < 64 && header >> (shift + 8 * share))
    return false;
  for (uint32_t i = 0; i < share; i++, at++) {
    const unsigned char byte = (unsigned char)(header >> (shift + 8 * i));
    if (at >= ENVELOPE && at - ENVELOPE < m->bytes)
      m->data[at - ENVELOPE] = byte;
    else if (byte != byte_at(envelope_of(m->tag, m->bytes), NULL, 0, at))
      return false;
  }
  m->n_missing--;
  return true;
}

int hd_world_deliver_multicast(struct hd_world *world, uint32_t node, uint64_t header,
                               uint64_t cycle, struct hd_error *err)
{
  const uint64_t mask = (UINT64_C(1) << node_bits(world)) - 1;
  const uint32_t tree = (uint32_t)(header >> MODE_BITS & mask);
  const uint32_t source = (uint32_t)(header >> (MODE_BITS + node_bits(world)) & mask);
  struct hd_multicast_group *g = world->multicast;
  while (g && (g->status || g->tree != tree))
    g = g->next;
  const struct hd_ep_multicast *from = g ? find_part(g, source) : NULL;
  const struct hd_ep_multicast *to = g ? find_part(g, node) : NULL;
  struct hd_channel *channel = from && from->to && to ? &from->to[to - g->parts] : NULL;
  struct hd_message *m = channel ? hd_channel_find(channel, channel->sequence) : NULL;
  if (!m || !copy_flit(world, m, header))
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": a multicast flit of tree %" PRIu32
                   " and node %" PRIu32 " that is no part of a message under way",
                   node, cycle, tree, source);
  if (m->n_missing)
    return HD_OK;
  m->received = cycle;
  world->counters.messages_received++;
  g->under_way--;
  hd_world_match_arrivals(world, &world->eps[node], channel, cycle + 1);
  return HD_OK;
}
