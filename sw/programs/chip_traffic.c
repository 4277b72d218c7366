/* The sources of a fabric at speed (specification 9.8): packets that these draw on chip, in the same cycles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"

enum { BEATS_MOST = 4, LOAD_MOST = 256, NUMBER_BITS = 16 };

struct source {
  uint32_t random, load, beats, begun;
  uint32_t node_bits, number_bits;
  uint32_t destination, number; /* of the packet that is handed over in the next cycle */
  bool begins;
  struct hd_ep_layout layout;
};

static uint32_t step(uint32_t x)
{
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

static uint64_t low_bits(uint64_t value, uint32_t bits)
{
  return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static void prepare(struct hd_ep *ep, struct source *s)
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

static void begin(struct hd_ep *ep, struct source *s)
{
  const uint64_t nodes = (uint64_t)hd_ep_size(ep);
  s->destination = (uint32_t)((s->random >> 16) * nodes >> 16);
  s->number = (uint32_t)low_bits(s->begun++, s->number_bits);
  s->begins = true;
}

static void hand_over(struct hd_ep *ep, struct source *s)
{
  const uint32_t own = (uint32_t)hd_ep_rank(ep), bits = s->layout.data_bits;
  const uint32_t seed = step(own << 16 ^ s->destination << 5 ^ s->number ^ 0x5bd1e995);
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

static void run(struct hd_ep *ep)
{
  struct source *s = hd_ep_alloc(ep, sizeof *s);
  struct hd_ep_packet came;
  const uint64_t cycles = hd_program_integer(ep, "cycles", 10000, 0, HD_INTEGER_MAX);
  prepare(ep, s);
  for (uint64_t cycle = 0; !cycles || cycle < cycles; cycle++) {
    if (s->begins)
      hand_over(ep, s);
    else if (!hd_ep_unsent(ep) && (s->random & 0xff) < s->load)
      begin(ep, s);
    s->random = step(s->random);
    while (hd_ep_packet_test(ep, &came)) /* takes a cycle when none is there */
      continue;
  }
}

static const char *const parameters[] = {
    "load_256: a packet begins in so many of 256 cycles in which the source has none (64)",
    "beats: payload of a packet, flits at most, 1 to 4 (4)",
    "cycles: how long packets begin; 0: without end, as on chip (10000)",
    NULL,
};

const struct hd_program hd_program_chip_traffic = {
    .name = "chip-traffic",
    .about = "random packets as the sources of a fabric at speed send them on chip (heddle board "
             "speed); parameters load_256, beats, cycles",
    .main = run,
    .parameters = parameters,
};
