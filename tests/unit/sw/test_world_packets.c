/* Endpoint software's runtime: packets of software's own, on a network of random delays.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/world_fixture.h"
#include "../lib/test.h"

/* 16-bit flits of 16 nodes, without a coder; and 64-bit ones of 1,024 nodes with 256 places. */
static const struct hd_ep_layout plain = {.data_bits = 16, .header_bits = 6, .head_bits = 10};
static const struct hd_ep_layout coder = {.data_bits = 64,
                                          .header_bits = 12,
                                          .head_bits = 38,
                                          .places = 256,
                                          .place_bits = 8,
                                          .place_shift = 54};

static struct hd_world_params params(struct fake_network *net, uint32_t nodes,
                                     const struct hd_ep_layout *layout)
{
  struct hd_world_params p = fake_params(net, nodes, NULL);
  p.layout = *layout;
  p.data_bits = layout->data_bits;
  return p;
}

static uint64_t word_of_packet(int source, int number, uint32_t f, uint32_t bits)
{
  uint64_t mix = (uint64_t)source << 40 | (uint64_t)number << 20 | f;
  return hd_splitmix(&mix) >> (64 - bits);
}

enum { PACKETS = 20 };

static struct hd_ep_packet packet_of(struct hd_ep *ep, int source, int number, uint64_t *words)
{
  struct hd_ep_layout l = hd_ep_packet_layout(ep);
  struct hd_ep_packet p = {.flits = 1 + (uint32_t)number % 16, .words = words};
  p.head = (uint64_t)source << (l.head_bits - 4) | (uint64_t)number;
  if (l.places) {
    p.code = (enum hd_ep_code)(number % 3);
    p.place = p.code ? (uint32_t)(number * 13 + source) % l.places : 0;
    p.length = p.code == HD_EP_CODE_NATIVE  ? p.flits - 1
               : p.code == HD_EP_CODE_CODED ? (uint32_t)number % 16
                                            : 0;
  }
  for (uint32_t f = 0; f + 1 < p.flits; f++)
    words[f] = word_of_packet(source, number, f, l.data_bits);
  return p;
}

static void check_packet(struct hd_ep *ep, const struct hd_ep_packet *p)
{
  struct hd_ep_layout l = hd_ep_packet_layout(ep);
  int source = (int)(p->head >> (l.head_bits - 4)), number = (int)(p->head & 31);
  uint64_t words[16];
  struct hd_ep_packet want = packet_of(ep, source, number, words);
  EXPECT(ep, p->head == want.head && p->flits == want.flits && p->code == want.code);
  EXPECT(ep, p->place == want.place && p->length == want.length);
  EXPECT(ep, (p->flits > 1) == (p->words != NULL));
  EXPECT(ep, p->flits == 1 || !memcmp(p->words, words, (p->flits - 1) * sizeof *words));
  EXPECT(ep, p->received < hd_ep_time(ep));
}

/* To all, this node among them; half of them taken by tests, a message between the packets. */
static void all_to_all(struct hd_ep *ep)
{
  int size = hd_ep_size(ep), rank = hd_ep_rank(ep), seen[16][PACKETS] = {{0}};
  uint64_t words[16];
  for (int number = 0; number < PACKETS; number++)
    for (int to = 0; to < size; to++) {
      struct hd_ep_packet p = packet_of(ep, rank, number, words);
      hd_ep_packet_send(ep, to, &p);
      memset(words, 0, sizeof words); /* they were copied */
    }
  hd_ep_send(ep, (rank + 1) % size, 7, &rank, sizeof rank);
  for (int i = 0; i < size * PACKETS; i++) {
    struct hd_ep_packet p;
    if (i % 2)
      hd_ep_packet_receive(ep, &p);
    else
      while (!hd_ep_packet_test(ep, &p)) {
      }
    check_packet(ep, &p);
    seen[p.head >> (hd_ep_packet_layout(ep).head_bits - 4)][p.head & 31]++;
  }
  for (int source = 0; source < size; source++)
    for (int number = 0; number < PACKETS; number++)
      EXPECT(ep, seen[source][number] == 1);
  int before = 0;
  hd_ep_receive(ep, (rank + size - 1) % size, 7, &before, sizeof before, NULL);
  EXPECT(ep, before == (rank + size - 1) % size);
  struct hd_ep_packet none;
  EXPECT(ep, !hd_ep_packet_test(ep, &none));
}

TEST(packets_arrive_as_they_were_sent)
{
  for (int with_coder = 0; with_coder < 2; with_coder++) {
    struct fake_network net = {.max_delay = 300};
    run_well(all_to_all, params(&net, 9, with_coder ? &coder : &plain), &net);
  }
}

/* A packet is seen in the cycle after it was received; a receive costs the start-up, which may overlap. */
static void one_packet(struct hd_ep *ep)
{
  struct hd_ep_packet p = {.flits = 1, .head = 5};
  if (hd_ep_rank(ep)) {
    hd_ep_packet_send(ep, 0, &p);
    EXPECT(ep, hd_ep_time(ep) == 10);
    hd_ep_packet_send(ep, 0, &p);
    return;
  }
  hd_ep_packet_receive(ep, &p);
  EXPECT(ep, p.received == 40 && hd_ep_time(ep) == 41);
  hd_ep_packet_receive(ep, &p);
  EXPECT(ep, p.received == 50 && hd_ep_time(ep) == 51);
}

TEST(packets_take_start_up_and_network_time)
{
  struct fake_network net = {.fixed_delay = 30};
  struct hd_world_params p = params(&net, 2, &plain);
  p.startup_cycles = 10;
  run_well(one_packet, p, &net);
}

/* ── misuse ────────────────────────────────────────────────────────────────── */

static void send(struct hd_ep *ep, int to, struct hd_ep_packet p)
{
  hd_ep_packet_send(ep, to, &p);
}
static void bad_node(struct hd_ep *ep)
{
  send(ep, 2, (struct hd_ep_packet){.flits = 1});
}
static void no_flits(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 0});
}
static void no_words(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 2});
}
static void wide_head(struct hd_ep *ep)
{
  send(ep, 1,
       (struct hd_ep_packet){.flits = 1, .head = UINT64_C(1) << hd_ep_packet_layout(ep).head_bits});
}
static void wide_word(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 2, .words = (const uint64_t[]){65536}});
}
static void native(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 1, .code = HD_EP_CODE_NATIVE, .place = 255});
}
static void bad_code(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 1, .code = (enum hd_ep_code)3});
}
static void bad_place(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 1, .code = HD_EP_CODE_CODED, .place = 256});
}
static void bad_length(struct hd_ep *ep)
{
  send(ep, 1, (struct hd_ep_packet){.flits = 1, .code = HD_EP_CODE_CODED, .length = 16});
}
static void long_packet(struct hd_ep *ep)
{
  static const uint64_t words[16];
  send(ep, 1, (struct hd_ep_packet){.flits = 17, .words = words, .code = HD_EP_CODE_NATIVE});
}
static void empty_chain(struct hd_ep *ep)
{
  struct hd_ep_chain chain;
  hd_ep_chain_open(ep, 0, &chain);
}
static void no_chain(struct hd_ep *ep)
{
  struct hd_ep_chain chain = {3, 4};
  EXPECT(ep, hd_ep_chain_open(ep, 4, &chain) == HD_EP_CHAIN_UNSUPPORTED);
  hd_ep_chain_close(ep, &chain);
}

static void run_wrong(void (*run)(struct hd_ep *ep), const struct hd_ep_layout *layout,
                      const char *expected_message)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
  struct hd_program program = program_of(run);
  struct hd_world_params p = params(&net, 2, layout);
  uint64_t ended;
  p.program = &program;
  create(&net, &p);
  must_fail(fake_run(&net, 1000, &ended, &why), HD_E_SOFTWARE, expected_message);
}

TEST(misuse_ends_the_run_with_a_clear_message)
{
  run_wrong(bad_node, &coder, "packet to node 2; nodes are 0 to 1");
  run_wrong(no_flits, &coder, "packet of 0 flits; packets have 1 to 65535");
  run_wrong(no_words, &coder, "packet of 2 flits with NULL as its words");
  run_wrong(wide_head, &plain, "packet with 0x400 in its head, which has 10 bits for data");
  run_wrong(wide_head, &coder, "in its head, which has 38 bits for data");
  run_wrong(wide_word, &plain, "packet with 0x10000 in a flit of 16 bits");
  run_wrong(native, &plain, "the switches have no coder (key switch.code_places)");
  run_wrong(bad_code, &coder, "packet with code 3; codes are 0 to 2");
  run_wrong(bad_place, &coder, "packet for place 256; places are 0 to 255");
  run_wrong(bad_length, &coder, "coded packet with length 16; lengths are 0 to 15");
  run_wrong(long_packet, &coder, "packet of 17 flits for a coder; it keeps packets of 1 to 16");
  run_wrong(empty_chain, &coder, "chain of no places");
  run_wrong(no_chain, &coder, "closes a chain of 4 places from 0 on, which is not open here");
}

static void waits_for_ever(struct hd_ep *ep)
{
  struct hd_ep_packet p;
  hd_ep_delay(ep, 12);
  hd_ep_packet_receive(ep, &p);
}

TEST(a_node_that_waits_for_a_packet_is_reported)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  struct hd_program program = program_of(waits_for_ever);
  struct hd_world_params p = params(&net, 1, &plain);
  uint64_t ended;
  char text[200];
  p.program = &program;
  create(&net, &p);
  assert_int_equal(fake_run(&net, 200, &ended, NULL), 0);
  assert_false(hd_world_finished(net.world));
  hd_world_explain_wait(net.world, text, sizeof text);
  assert_string_equal(text, "node 0: in receive of a packet since cycle 12\n");
}

/* Packets that nobody takes are freed with the world; bad ones are refused. */
TEST(wrong_deliveries_of_packets_are_refused)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  struct hd_program program = program_of(bad_node);
  struct hd_world_params p = params(&net, 2, &plain);
  const uint64_t words[2] = {1, 2};
  p.program = &program;
  create(&net, &p);
  must_fail(hd_world_deliver_packet(net.world, 2, words, 2, 0, &why), HD_E_INPUT,
            "a packet of 2 flits for node 2; there are 2 nodes");
  assert_int_equal(hd_world_deliver_packet(net.world, 1, words, 0, 0, &why), HD_E_INPUT);
  must(hd_world_deliver_packet(net.world, 1, words, 2, 0, &why));
}
