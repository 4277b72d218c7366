/* Program chip-traffic: the packets and barriers that a fabric at speed sends on chip.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cycles are the same as on chip (specification §9.8).
 */
#include "common.h"

enum { BEATS_MOST = 4, LOAD_MOST = 256, NUMBER_BITS = 16, GAP_MOST = 16 };

struct source {
  uint32_t random, load, beats, begun;
  uint32_t node_bits, number_bits;
  uint32_t destination, number; /* of the packet that is sent in the next cycle */
  bool begins;
  struct hd_ep_layout layout;
};

/* A node as a member of the group of all nodes, if switches take barrier messages. */
struct member {
  struct hd_ep_barrier *group; /* NULL: switches take no barrier messages */
  uint32_t random, gap_bits;
  uint32_t wait; /* cycles until it arrives, if it has not arrived */
  bool arrived, failed;
};

static uint32_t next_random(uint32_t x)
{
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static uint64_t low_bits(uint64_t value, uint32_t bits)
{
  return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static void prepare_source(struct hd_ep *ep, struct source *s)
{
  const uint32_t own = (uint32_t)hd_ep_rank(ep), factor = 0x9e3779b1;
  s->layout = hd_ep_packet_layout(ep);
  s->node_bits = s->layout.header_bits - 2;
  s->number_bits = s->layout.data_bits == 16 ? NUMBER_BITS - s->node_bits : NUMBER_BITS;
  s->load = (uint32_t)hd_program_integer(ep, "load_256", 64, 0, LOAD_MOST);
  s->beats = (uint32_t)hd_program_integer(ep, "beats", BEATS_MOST, 1, BEATS_MOST);
  s->random = (own + 1) * factor;
  if (!s->random)
    s->random = 1;
}

static void begin_packet(struct hd_ep *ep, struct source *s)
{
  const uint64_t nodes = (uint64_t)hd_ep_size(ep);
  s->destination = (uint32_t)((s->random >> 16) * nodes >> 16);
  s->number = (uint32_t)low_bits(s->begun++, s->number_bits);
  s->begins = true;
}

static void send_packet(struct hd_ep *ep, struct source *s)
{
  const uint32_t own = (uint32_t)hd_ep_rank(ep), bits = s->layout.data_bits;
  const uint32_t seed = next_random(own << 16 ^ s->destination << 5 ^ s->number ^ 0x5bd1e995);
  const uint32_t more = seed % 4 < s->beats ? seed % 4 : s->beats - 1;
  uint64_t words[BEATS_MOST] = {own | (uint64_t)s->number << s->node_bits};
  uint32_t x = seed;
  for (uint32_t i = 1; i <= more; i++) {
    const uint32_t a = x + 0x9e3779b9, b = a ^ a << 7;
    x = b ^ b >> 9;
    words[i] = low_bits(x | (bits == 64 ? (uint64_t)x << 32 : 0), bits);
  }
  hd_ep_packet_send(ep, (int)s->destination,
                    &(struct hd_ep_packet){.flits = more + 2,
                                           .words = words,
                                           .head = s->layout.head_bits >= s->node_bits ? own : 0});
  s->begins = false;
}

/* ── barriers ──────────────────────────────────────────────────────────────── */

static void draw_wait(struct member *m)
{
  m->wait = (uint32_t)((uint64_t)m->random >> (32 - m->gap_bits));
  m->arrived = false;
}

/* Joins the group. Returns in the cycle in which the group is open. */
static void join_group(struct hd_ep *ep, struct member *m)
{
  const int n = hd_ep_size(ep);
  int *ranks = hd_ep_alloc(ep, (size_t)n * sizeof *ranks);
  for (int i = 0; i < n; i++)
    ranks[i] = i;
  m->gap_bits = (uint32_t)hd_program_integer(ep, "gap_bits", 6, 0, GAP_MOST);
  m->random = ((uint32_t)hd_ep_rank(ep) + 1) * 0x85ebca6b;
  if (!m->random)
    m->random = 1;
  const enum hd_ep_barrier_status status = hd_ep_barrier_create(ep, ranks, n, NULL, &m->group);
  if (status != HD_EP_BARRIER_PASSED && status != HD_EP_BARRIER_UNSUPPORTED)
    hd_ep_abort(ep, "no group of all nodes: %s", hd_ep_barrier_text(status));
}

/* Does what a member does in one cycle. `first` is true in the first cycle. */
static void step_member(struct hd_ep *ep, struct member *m, bool first)
{
  if (first) {
    draw_wait(m);
  } else if (m->arrived) {
    const enum hd_ep_barrier_status status = hd_ep_barrier_wait_until(ep, m->group, 0);
    if (status == HD_EP_BARRIER_PASSED)
      draw_wait(m);
    else if (status != HD_EP_BARRIER_PENDING)
      m->failed = true;
  } else if (m->wait) {
    m->wait--;
  } else {
    m->arrived = true;
    m->failed = hd_ep_barrier_arrive(ep, m->group) != HD_EP_BARRIER_PENDING;
  }
  m->random = next_random(m->random);
}

static void run(struct hd_ep *ep)
{
  struct source *s = hd_ep_alloc(ep, sizeof *s);
  struct member *m = hd_ep_alloc(ep, sizeof *m);
  struct hd_ep_packet came;
  const uint64_t cycles = hd_program_integer(ep, "cycles", 10000, 0, HD_INTEGER_MAX);
  prepare_source(ep, s);
  join_group(ep, m);
  for (uint64_t cycle = 0; !cycles || cycle < cycles; cycle++) {
    if (m->group && !m->failed)
      step_member(ep, m, !cycle);
    if (s->begins)
      send_packet(ep, s);
    else if (!hd_ep_unsent(ep) && (s->random & 0xff) < s->load)
      begin_packet(ep, s);
    s->random = next_random(s->random);
    while (hd_ep_packet_test(ep, &came)) /* ends the cycle when no packet is left */
      continue;
  }
}

static const char *const parameters[] = {
    "load_256: if a source has no packet, one begins with a probability of load_256 / 256 (64)",
    "beats: longest payload of a packet in flits, 1 to 4 (4)",
    "cycles: cycles in which packets begin; 0: without end, as on chip (10000)",
    "gap_bits: with switch.barrier, a node waits 0 to 2^gap_bits - 1 cycles before a barrier, 0 to "
    "16 (6)",
    NULL,
};

const struct hd_program hd_program_chip_traffic = {
    .name = "chip-traffic",
    .about =
        "random packets, and barriers of all nodes where switches take them, as the nodes of a "
        "fabric at speed send them on chip (heddle board speed); parameters load_256, beats, "
        "cycles, gap_bits",
    .main = run,
    .parameters = parameters,
};
