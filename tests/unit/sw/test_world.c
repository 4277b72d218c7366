/* Endpoint software's runtime: messages whole and in order, time exact.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/world_fixture.h"
#include "../lib/test.h"

/* ── messages ─────────────────────────────────────────────────────────────── */

TEST(envelope_has_the_documented_layout)
{
  struct hd_envelope e = {.source = 2047,
                          .tag = 0xabc,
                          .last = true,
                          .padding = 5,
                          .sequence = 0x1ffff,
                          .packet = 0x12345},
                     back;
  uint64_t bits = hd_envelope_pack(&e);
  assert_int_equal(bits, UINT64_C(0x7ff) | UINT64_C(0xabc) << 11 | UINT64_C(1) << 23 |
                             UINT64_C(5) << 24 | UINT64_C(0x1ffff) << 27 | UINT64_C(0x12345) << 44);
  hd_envelope_unpack(&back, bits);
  assert_int_equal(hd_envelope_pack(&back), bits);
  uint64_t words[8];
  const unsigned char bytes[3] = {0x11, 0x22, 0x33};
  hd_packet_write(words, 16, e, bytes, 3);
  assert_int_equal(hd_packet_words(16, 3), 6);
  assert_int_equal(words[0], (0x7ff | 0xabc << 11) & 0xffff);
  assert_int_equal(words[4], 0x2211);
  assert_int_equal(words[5], 0x33);
}

/* Messages with tags 2, 0, 1, in this order, of which a node waits for any. */
static void wait_for_any(struct hd_ep *ep)
{
  static const int order[3] = {2, 0, 1};
  unsigned char bytes[3][8];
  hd_ep_request requests[3];
  struct hd_ep_status status;
  if (hd_ep_rank(ep) == 0)
    for (int i = 0; i < 3; i++) {
      fill(bytes[0], 8, 0, 1, (uint64_t)order[i]);
      hd_ep_delay(ep, 1000);
      hd_ep_send(ep, 1, order[i], bytes[0], 8);
    }
  if (hd_ep_rank(ep) != 1)
    return;
  for (int i = 0; i < 3; i++)
    requests[i] = hd_ep_ireceive(ep, 0, i, bytes[i], 8);
  EXPECT(ep, hd_ep_wait_any(ep, requests, 3, false, &status) == 3 && hd_ep_time(ep) == 0);
  int tags[3] = {0, 1, 2};
  for (size_t left = 3; left; left--) {
    size_t i = hd_ep_wait_any(ep, requests, left, true, &status);
    EXPECT(ep, i < left && tags[i] == order[3 - left] && status.tag == tags[i]);
    EXPECT(ep, hd_ep_time(ep) == status.received + 1);
    verify(ep, bytes[tags[i]], 8, 0, (uint64_t)tags[i]);
    requests[i] = requests[left - 1];
    tags[i] = tags[left - 1];
  }
}

TEST(a_wait_for_any_ends_with_the_first_message)
{
  struct fake_network net = {.max_delay = 300};
  run_well(wait_for_any, fake_params(&net, 2, NULL), &net);
}

static uint32_t sizes_end;

static void send_all_sizes(struct hd_ep *ep)
{
  enum { ROOM = 8192 };
  unsigned char *bytes = hd_ep_alloc(ep, ROOM);
  for (uint32_t n = 0; n <= sizes_end; n++) {
    struct hd_ep_status status;
    if (hd_ep_rank(ep) == 0) {
      fill(bytes, n, 0, 1, n);
      hd_ep_send(ep, 1, (int)(n % 4096), bytes, n);
      hd_ep_delay(ep, 20);
    } else {
      memset(bytes, 0xee, ROOM);
      hd_ep_receive(ep, 0, HD_EP_ANY, bytes, ROOM, &status);
      EXPECT(ep, status.source == 0 && status.tag == (int)(n % 4096) && status.bytes == n);
      EXPECT(ep, status.sent < status.received && status.received < hd_ep_time(ep));
      verify(ep, bytes, n, 0, n);
      EXPECT(ep, bytes[n] == 0xee);
    }
  }
}

TEST(messages_of_0_to_5000_bytes_arrive_whole_at_every_width)
{
  for (uint32_t bits = 16; bits <= 64; bits *= 2)
    for (int narrow = 0; narrow < 2; narrow++) {
      struct fake_network net = {.max_delay = 400};
      struct hd_world_params p = fake_params(&net, 2, NULL);
      p.data_bits = bits;
      p.packet_bytes = narrow ? 7 : 256;
      sizes_end = narrow ? 600 : 5000;
      run_well(send_all_sizes, p, &net);
    }
}

TEST(packet_flits_limits_packets)
{
  CLEANUP(fake_fini) struct fake_network net = {.max_delay = 40};
  struct hd_world_params p = fake_params(&net, 2, NULL);
  struct hd_program program = program_of(send_all_sizes);
  uint64_t ended;
  p.packet_bytes = 256;
  p.packet_flits = 8; /* header, 4 of envelope, 3 of payload: 6 bytes */
  p.program = &program;
  sizes_end = 100;
  create(&net, &p);
  must(fake_run(&net, 1000000, &ended, &why));
  uint64_t packets = 0;
  for (uint32_t n = 0; n <= 100; n++)
    packets += n ? (n + 5) / 6 : 1;
  assert_int_equal(net.n_sent, packets);
}

static void send_largest(struct hd_ep *ep)
{
  enum { LARGEST = 1 << 20 };
  unsigned char *bytes = hd_ep_alloc(ep, LARGEST);
  if (hd_ep_rank(ep) == 0) {
    fill(bytes, LARGEST, 0, 1, 5);
    hd_ep_send(ep, 1, 4095, bytes, LARGEST);
  } else {
    hd_ep_receive(ep, 0, 4095, bytes, LARGEST, NULL);
    verify(ep, bytes, LARGEST, 0, 5);
  }
}

TEST(a_message_of_1_MiB_in_packets_of_1_byte_arrives)
{
  struct fake_network net = {.max_delay = 100000};
  struct hd_world_params p = fake_params(&net, 2, NULL);
  p.packet_bytes = 1;
  run_well(send_largest, p, &net);
}

enum { CROWD = 12, CROWD_MESSAGES = 150, CROWD_TAGS = 3 };

/* Everybody sends to everybody at random; sizes and tags are the sender's draw and are in the
 * message. Per source and tag the numbers must count up, however they are received. */
static void crowd(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep), size = hd_ep_size(ep);
  uint32_t *sent = hd_ep_alloc(ep, (size_t)size * CROWD_TAGS * sizeof *sent);
  uint32_t *got = hd_ep_alloc(ep, (size_t)size * CROWD_TAGS * sizeof *got);
  unsigned char bytes[700];
  for (int i = 0; i < CROWD_MESSAGES; i++)
    for (int d = 0; d < size; d++) {
      int tag = (int)(hd_ep_random(ep) % CROWD_TAGS);
      size_t n = 4 + hd_ep_random(ep) % 600;
      uint32_t number = sent[d * CROWD_TAGS + tag]++;
      fill(bytes, n, rank, d, number);
      memcpy(bytes, &number, sizeof number);
      if (hd_ep_random(ep) % 2)
        hd_ep_send(ep, d, tag, bytes, n);
      else
        hd_ep_wait(ep, hd_ep_isend(ep, d, tag, bytes, n), NULL);
    }
  for (int i = 0; i < size; i++)
    for (int tag = 0; tag < CROWD_TAGS; tag++) { /* tell each how many there were */
      uint32_t n = sent[i * CROWD_TAGS + tag];
      hd_ep_send(ep, i, 100 + tag, &n, sizeof n);
    }
  uint32_t left = 0, expected[CROWD][CROWD_TAGS];
  for (int i = 0; i < size; i++)
    for (int tag = 0; tag < CROWD_TAGS; tag++) { /* overtakes by tag what was sent before */
      hd_ep_receive(ep, i, 100 + tag, &expected[i][tag], sizeof(uint32_t), NULL);
      left += expected[i][tag];
    }
  while (left--) {
    struct hd_ep_status status;
    int source = HD_EP_ANY, tag = HD_EP_ANY;
    int s = (int)(hd_ep_random(ep) % (unsigned)size), t = (int)(hd_ep_random(ep) % CROWD_TAGS);
    if (expected[s][t]) /* sometimes exactly these, sometimes any */
      switch (hd_ep_random(ep) % 4) {
      case 0:
        source = s;
        break;
      case 1:
        tag = t;
        break;
      case 2:
        source = s;
        tag = t;
        break;
      default:
        break;
      }
    if (hd_ep_random(ep) % 2) {
      hd_ep_receive(ep, source, tag, bytes, sizeof bytes, &status);
    } else {
      hd_ep_request request = hd_ep_ireceive(ep, source, tag, bytes, sizeof bytes);
      while (!hd_ep_test(ep, request, &status))
        ;
    }
    EXPECT(ep, source == HD_EP_ANY || source == status.source);
    EXPECT(ep, tag == HD_EP_ANY || tag == status.tag);
    uint32_t number;
    memcpy(&number, bytes, sizeof number);
    EXPECT(ep, number == got[status.source * CROWD_TAGS + status.tag]++);
    expected[status.source][status.tag]--;
    unsigned char start[4];
    fill(start, sizeof start, status.source, rank, number);
    memcpy(bytes, start, sizeof start);
    verify(ep, bytes, status.bytes, status.source, number);
  }
}

TEST(messages_of_a_source_and_tag_never_overtake)
{
  for (uint64_t i = 0; i < 5; i++) {
    struct fake_network net = {.max_delay = 1 + 400 * i};
    struct hd_world_params p = fake_params(&net, CROWD, NULL);
    p.seed = seed + i;
    p.startup_cycles = i;
    run_well(crowd, p, &net);
  }
}

TEST(the_same_seed_gives_the_same_run)
{
  uint64_t digest[3], ended[3];
  for (int i = 0; i < 3; i++) {
    CLEANUP(fake_fini) struct fake_network net = {.max_delay = 77};
    struct hd_program program = program_of(crowd);
    struct hd_world_params p = fake_params(&net, CROWD, &program);
    p.seed = seed + (i == 2);
    p.startup_cycles = 3;
    create(&net, &p);
    must(fake_run(&net, 1000000, &ended[i], &why));
    digest[i] = net.digest;
  }
  assert_true(digest[0] == digest[1] && ended[0] == ended[1]);
  assert_true(digest[0] != digest[2]);
}

/* ── non-blocking forms and matching ──────────────────────────────────────── */

static void post_and_match(struct hd_ep *ep)
{
  char text[6][4] = {"", "", "", "", "", ""};
  struct hd_ep_status status;
  if (hd_ep_rank(ep) == 1) {
    hd_ep_wait_until(ep, 100);
    hd_ep_send(ep, 0, 5, "a", 2);
    hd_ep_send(ep, 0, 6, "b", 2);
    hd_ep_send(ep, 0, 5, "c", 2);
    hd_ep_send(ep, 0, 7, "long", 5);
    hd_ep_send(ep, 0, 5, "d", 2);
    return;
  }
  /* The receive that was posted first of those that fit gets the message. */
  hd_ep_request any = hd_ep_ireceive(ep, HD_EP_ANY, 5, text[0], 4);
  hd_ep_request six = hd_ep_ireceive(ep, 1, 6, text[1], 4);
  hd_ep_request all = hd_ep_ireceive(ep, 1, HD_EP_ANY, text[2], 4);
  hd_ep_request seven = hd_ep_ireceive(ep, HD_EP_ANY, 7, text[3], 4);
  EXPECT(ep, !hd_ep_test(ep, six, NULL)); /* costs a cycle */
  EXPECT(ep, hd_ep_time(ep) == 1);
  hd_ep_wait(ep, seven, &status);
  EXPECT(ep, status.bytes == 5 && !memcmp(text[3], "long", 4)); /* cut short, and says so */
  EXPECT(ep, text[0][0] == '\0');                               /* not before it is waited for */
  hd_ep_wait(ep, all, &status);
  EXPECT(ep, status.tag == 5 && !strcmp(text[2], "c"));
  EXPECT(ep, hd_ep_test(ep, six, NULL) && !strcmp(text[1], "b"));
  EXPECT(ep, hd_ep_test(ep, any, &status) && !strcmp(text[0], "a"));
  EXPECT(ep, status.source == 1 && status.sent == 100);
  hd_ep_receive(ep, 1, 5, text[4], 4, NULL);
  EXPECT(ep, !strcmp(text[4], "d"));
  hd_ep_wait(ep, 0, NULL); /* no request: nothing to wait for */
  EXPECT(ep, hd_ep_test(ep, 0, NULL));
}

TEST(receives_match_in_the_order_of_posting)
{
  struct fake_network net = {.max_delay = 30};
  run_well(post_and_match, fake_params(&net, 2, NULL), &net);
}

static void to_oneself(struct hd_ep *ep)
{
  char text[8] = "";
  struct hd_ep_status status;
  hd_ep_request request = hd_ep_ireceive(ep, 0, 1, text, sizeof text);
  hd_ep_send(ep, 0, 1, "hello", 6);
  hd_ep_wait(ep, request, &status);
  EXPECT(ep, !strcmp(text, "hello") && status.source == 0 && hd_ep_time(ep) == 1);
  hd_ep_send(ep, 0, 2, NULL, 0);
  hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, NULL, 0, &status);
  EXPECT(ep, status.tag == 2 && status.bytes == 0 && hd_ep_time(ep) == 2);
}

TEST(a_send_to_oneself_takes_a_cycle_and_no_network)
{
  struct fake_network net = {.refuse = HD_E_INTERNAL};
  assert_int_equal(run_well(to_oneself, fake_params(&net, 1, NULL), &net), 2);
}

/* ── time ─────────────────────────────────────────────────────────────────── */

static void pay_startup(struct hd_ep *ep)
{
  char byte = 'x';
  struct hd_ep_status status;
  if (hd_ep_rank(ep) == 0) {
    hd_ep_send(ep, 1, 0, &byte, 1);
    EXPECT(ep, hd_ep_time(ep) == 100);
    hd_ep_request request = hd_ep_isend(ep, 1, 1, &byte, 1);
    EXPECT(ep, hd_ep_time(ep) == 200);
    EXPECT(ep, hd_ep_test(ep, request, &status) && hd_ep_time(ep) == 200 && status.sent == 200);
    hd_ep_delay(ep, 50);
    hd_ep_inject(ep, 1, 3);
    EXPECT(ep, hd_ep_time(ep) == 250);
    hd_ep_wait_until(ep, 10);
    EXPECT(ep, hd_ep_time(ep) == 250);
    hd_ep_wait_until(ep, 1000);
    EXPECT(ep, hd_ep_time(ep) == 1000);
    hd_ep_send(ep, 1, 2, &byte, 1);
    EXPECT(ep, hd_ep_time(ep) == 1100);
  } else {
    hd_ep_request request = hd_ep_ireceive(ep, 0, 0, &byte, 1);
    EXPECT(ep, hd_ep_time(ep) == 100);
    hd_ep_wait(ep, request, &status); /* sent in 100, 7 cycles under way, seen in the next */
    EXPECT(ep, hd_ep_time(ep) == 108 && status.sent == 100 && status.received == 107);
    hd_ep_receive(ep, 0, 1, &byte, 1, &status); /* posted in 208, when the message is there */
    EXPECT(ep, hd_ep_time(ep) == 208 && status.sent == 200 && status.received == 207);
    hd_ep_receive(ep, 0, 2, &byte, 1, &status);
    EXPECT(ep, hd_ep_time(ep) == 1108 && status.sent == 1100 && status.received == 1107);
  }
}

TEST(startup_costs_are_exact)
{
  struct fake_network net = {.fixed_delay = 7};
  struct hd_world_params p = fake_params(&net, 2, NULL);
  p.startup_cycles = 100;
  run_well(pay_startup, p, &net);
}

static void sleep_at_random(struct hd_ep *ep)
{
  for (int i = 0; i < 300; i++) {
    uint64_t start = hd_ep_time(ep),
             cycles = hd_ep_random(ep) % 3 ? hd_ep_random(ep) % 20 : hd_ep_random(ep) % 3000;
    hd_ep_delay(ep, cycles);
    EXPECT(ep, hd_ep_time(ep) == start + cycles);
  }
}

TEST(delays_end_in_the_exact_cycle)
{
  struct fake_network net = {.fixed_delay = 1};
  run_well(sleep_at_random, fake_params(&net, 200, NULL), &net);
}

static int last_rank;
static uint64_t last_cycle;

static void check_rank_order(struct hd_ep *ep)
{
  for (int i = 0; i < 50; i++) {
    EXPECT(ep, hd_ep_time(ep) != last_cycle || hd_ep_rank(ep) > last_rank);
    last_rank = hd_ep_rank(ep);
    last_cycle = hd_ep_time(ep);
    hd_ep_delay(ep, 1 + hd_ep_random(ep) % 700);
  }
}

TEST(software_of_a_cycle_runs_in_rank_order)
{
  struct fake_network net = {.fixed_delay = 1};
  last_cycle = UINT64_MAX;
  run_well(check_rank_order, fake_params(&net, 300, NULL), &net);
}

static void ring(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep), size = hd_ep_size(ep), token = rank;
  for (int i = 0; i < 5; i++) {
    hd_ep_send(ep, (rank + 1) % size, i, &token, sizeof token);
    hd_ep_receive(ep, (rank + size - 1) % size, i, &token, sizeof token, NULL);
    EXPECT(ep, token == (rank + size - 1 - i) % size);
  }
}

TEST(software_of_2048_nodes_runs)
{
  struct fake_network net = {.max_delay = 40};
  struct hd_world_params p = fake_params(&net, 2048, NULL);
  p.startup_cycles = 10;
  run_well(ring, p, &net);
}

static void send_once(struct hd_ep *ep)
{
  int token = 1;
  hd_ep_send(ep, (hd_ep_rank(ep) + 1) % hd_ep_size(ep), 0, &token, sizeof token);
}

/* An envelope names 2,048 senders. */
TEST(more_than_2048_nodes_can_send_packets_but_no_messages)
{
  struct fake_network net = {.fixed_delay = 1};
  static const struct hd_program sender = {.name = "sender", .main = send_once};
  struct hd_world_params p = fake_params(&net, 2049, NULL);
  struct hd_world *world;
  p.program = &sender;
  must(hd_world_create(&world, &p, &why));
  assert_int_not_equal(hd_world_step(world, 0, &why), 0);
  assert_non_null(
      strstr(why.text, "send of a message among 2049 nodes; messages are for at most 2048"));
  hd_world_destroy(world);
}

#if !defined(__SANITIZE_ADDRESS__) /* which finds it itself */
/* Node 5 writes beyond its stack of 64 KiB, and gives the turn to others. */
static void overrun_stack(struct hd_ep *ep)
{
  volatile char frame[64 * 1024 + 512];
  if (hd_ep_rank(ep) == 5)
    for (size_t i = 0; i < sizeof frame; i += 64)
      frame[i] = 1;
  hd_ep_delay(ep, 1);
}

TEST(a_stack_without_a_guard_page_that_is_too_small_is_found)
{
  struct fake_network net = {.fixed_delay = 1};
  struct hd_world_params p = fake_params(&net, 20000, NULL);
  static const struct hd_program deep = {.name = "deep", .main = overrun_stack};
  struct hd_world *world;
  p.program = &deep;
  must(hd_world_create(&world, &p, &why));
  must_fail(hd_world_step(world, 0, &why), HD_E_INPUT,
            "the software of node 5 needs more than its stack of 65536 bytes");
  hd_world_destroy(world);
}
#endif

static uint64_t held_for[4];

static int record_hold(void *context, uint32_t node, uint64_t cycles)
{
  (void)context;
  held_for[node] += cycles;
  return 0;
}

static void hold_by_rank(struct hd_ep *ep)
{
  uint64_t now = hd_ep_time(ep);
  hd_ep_hold(ep, 0);
  hd_ep_hold(ep, 10 + (uint64_t)hd_ep_rank(ep));
  EXPECT(ep, hd_ep_time(ep) == now);
}

TEST(a_hold_reaches_the_network_without_start_up_cycles)
{
  struct fake_network net = {.fixed_delay = 1};
  struct hd_world_params p = fake_params(&net, 4, NULL);
  p.startup_cycles = 10;
  p.hold = record_hold;
  run_well(hold_by_rank, p, &net);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(held_for[i], 10 + i);
  run_badly(hold_by_rank, 1, HD_E_INPUT, "the network refused to hold this node's interface");
}
