/* Endpoint software's runtime: misuse, foreign packets, waiting and its end.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/world_fixture.h"
#include "../lib/test.h"

/* ── failures ─────────────────────────────────────────────────────────────── */

static void ring(struct hd_ep *ep)
{
  int rank = hd_ep_rank(ep), size = hd_ep_size(ep), token = rank;
  for (int i = 0; i < 5; i++) {
    hd_ep_send(ep, (rank + 1) % size, i, &token, sizeof token);
    hd_ep_receive(ep, (rank + size - 1) % size, i, &token, sizeof token, NULL);
    EXPECT(ep, token == (rank + size - 1 - i) % size);
  }
}

/* Misuses of the runtime: name of the program, its nodes, the run's message, and the program's code. */
#define MISUSES(X)                                                                                 \
  X(send_to_nobody, 4, "send to node 4; nodes are 0 to 3",                                         \
    hd_ep_send(ep, hd_ep_size(ep), 0, NULL, 0))                                                    \
  X(tag_too_great, 4, "tag 4096; tags are 0 to 4095", hd_ep_send(ep, 0, 4096, NULL, 0))            \
  X(message_too_long, 4, "1048577 bytes; a message has at most 1048576",                           \
    hd_ep_send(ep, 0, 0, "", (1 << 20) + 1))                                                       \
  X(send_from_nowhere, 4, "send of 1 byte with NULL as the buffer", hd_ep_send(ep, 0, 0, NULL, 1)) \
  X(receive_from_nobody, 4, "receive from node -2; nodes are 0 to 3, or HD_EP_ANY",                \
    hd_ep_receive(ep, -2, 0, NULL, 0, NULL))                                                       \
  X(packet_too_long, 4, "65536 flits; packets have 1 to 65535", hd_ep_inject(ep, 0, 65536))        \
  X(class_too_great, 4, "packets of class 8; classes are 0 to 7",                                  \
    hd_ep_use_class(ep, HD_EP_CLASSES - 1);                                                        \
    hd_ep_use_class(ep, HD_EP_CLASSES))                                                            \
  X(priority_too_great, 4, "packets of priority 8; priorities are 0 to 7",                         \
    hd_ep_use_priority(ep, HD_EP_PRIORITIES - 1);                                                  \
    hd_ep_use_priority(ep, HD_EP_PRIORITIES))                                                      \
  X(network_too_great, 4,                                                                          \
    "sends in virtual network 1; there are 1 (key routing.virtual_networks)",                      \
    EXPECT(ep, hd_ep_networks(ep) == 1);                                                           \
    hd_ep_use_network(ep, 0); hd_ep_use_network(ep, 1))                                            \
  X(wait_for_no_request, 4, "is not under way", hd_ep_wait(ep, 77, NULL))                          \
  X(value_too_great, 4, "statistic 'too great': 9223372036854775808; values are below 2^63",       \
    hd_ep_statistic(ep, "too great", UINT64_C(1) << 63))                                           \
  X(wait_twice, 4, "is not under way", hd_ep_request request = hd_ep_isend(ep, 0, 0, NULL, 0);     \
    hd_ep_wait(ep, request, NULL); hd_ep_wait(ep, request, NULL))                                  \
  X(never_wait, 1, "more than 65535 operations under way",                                         \
    for (;;) hd_ep_ireceive(ep, HD_EP_ANY, 1, NULL, 0))

#define MISUSE_PROGRAM(name, nodes, expected_message, ...) \
  static void name(struct hd_ep *ep)                       \
  {                                                        \
    __VA_ARGS__;                                           \
  }
MISUSES(MISUSE_PROGRAM)

static void abort_in_the_middle(struct hd_ep *ep)
{
  if (hd_ep_rank(ep) == 2) {
    hd_ep_delay(ep, 41);
    hd_ep_abort(ep, "%s is %d", "answer", 42);
  }
  hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, NULL, 0, NULL);
}

static void names_without_end(struct hd_ep *ep)
{
  char name[32];
  for (unsigned i = 0;; i++) {
    snprintf(name, sizeof name, "name %u", i);
    hd_ep_statistic(ep, name, i);
    snprintf(name, sizeof name, "name %u", i / 2); /* known */
    hd_ep_statistic(ep, name, i);
  }
}

static void long_name(struct hd_ep *ep)
{
  char name[257];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  hd_ep_statistic(ep, name + 1, 0);
  hd_ep_statistic(ep, name, 0);
}

static void shares_unequally(struct hd_ep *ep)
{
  int *shared = hd_ep_shared(ep, "table", (size_t)(4 + hd_ep_rank(ep) / 2 * 4));
  EXPECT(ep, *shared == hd_ep_rank(ep)); /* node 1 sees what node 0 wrote */
  *shared = 1;
}

TEST(misuse_ends_the_run_with_a_clear_message)
{
#define MISUSE_RUN(name, nodes, expected_message, ...) \
  run_badly(name, nodes, HD_E_SOFTWARE, expected_message);
  MISUSES(MISUSE_RUN)
  run_badly(abort_in_the_middle, 4, HD_E_SOFTWARE, "node 2 at cycle 41: answer is 42");
  run_badly(names_without_end, 1, HD_E_SOFTWARE,
            "statistic 'name 65536': a run has at most 65536 names of statistics");
  run_badly(long_name, 1, HD_E_SOFTWARE, "256 bytes; names of statistics have at most 255");
  run_badly(shares_unequally, 4, HD_E_SOFTWARE,
            "node 2 at cycle 0: shared memory 'table' has 4 bytes");
}

TEST(a_refusing_network_ends_the_run_with_its_status)
{
  CLEANUP(fake_fini) struct fake_network net = {.refuse = HD_E_NOMEM};
  struct hd_program program = program_of(ring);
  struct hd_world_params p = fake_params(&net, 4, &program);
  create(&net, &p);
  must_fail(hd_world_step(net.world, 0, &why), HD_E_NOMEM,
            "node 0 at cycle 0: the network refused a packet of 7 flits to node 1: "
            "out of memory");
}

TEST(worlds_with_wrong_parameters_are_refused)
{
  struct fake_network net = {.fixed_delay = 1};
  struct hd_program program = program_of(ring);
  const struct hd_parameter parameter = {"speed", NULL, 1};
  const struct hd_world_params good = fake_params(&net, 4, &program);
  static const struct {
    size_t member;
    uint32_t value;
    const char *expected_message;
  } cases[] = {
#define CASE(member, value, expected_message) \
  {offsetof(struct hd_world_params, member), value, expected_message}
      CASE(nodes, 0, "0 nodes"),
      CASE(nodes, 65537, "65537 nodes"),
      CASE(data_bits, 24, "data_bits is 24"),
      CASE(packet_bytes, 0, "packet_bytes is 0"),
      CASE(packet_flits, 65536, "of at most 65536 flits"),
      CASE(packet_bytes, 131061, "at most 131060 fit"),
      CASE(n_parameters, 1, "has no parameter 'speed'; its parameters: none"),
#undef CASE
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_world_params p = good;
    struct hd_world *world;
    p.parameters = &parameter;
    memcpy((char *)&p + cases[i].member, &cases[i].value, sizeof cases[i].value);
    must_fail(hd_world_create(&world, &p, &why), HD_E_INPUT, cases[i].expected_message);
    assert_null(world);
  }
}

static void inject_then_send(struct hd_ep *ep)
{
  hd_ep_inject(ep, 1, 5);
  compared++;
  if (hd_ep_number(ep, "send", 0) > 0)
    hd_ep_send(ep, 1, 0, "x", 1);
}

TEST(packets_too_short_for_messages_still_carry_traffic)
{
  static const char *const known[] = {"send: 1: send a message, too", NULL};
  const struct hd_parameter parameter = {"send", NULL, 1};
  struct hd_program program = program_of(inject_then_send);
  program.parameters = known;
  for (uint32_t sends = 0; sends < 2; sends++) {
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
    struct hd_world_params p = fake_params(&net, 2, &program);
    struct hd_error err = {""};
    uint64_t ended;
    p.packet_flits = 5; /* a header and an envelope fit, nothing else */
    p.parameters = &parameter;
    p.n_parameters = sends;
    create(&net, &p);
    assert_int_equal(fake_run(&net, 100000, &ended, &err), sends ? HD_E_SOFTWARE : HD_OK);
    assert_int_equal(compared, 2 - sends);
    if (sends && !strstr(err.text, "packets of at most 5 flits hold no message; it takes 6"))
      fail_msg("%s", err.text);
  }
}

static void send_one(struct hd_ep *ep)
{
  unsigned char bytes[100];
  if (hd_ep_rank(ep) == 3) {
    fill(bytes, 99, 3, 5, 0);
    hd_ep_send(ep, 5, 9, bytes, 99); /* packets of 64 and 35 bytes */
  } else if (hd_ep_rank(ep) == 5) {
    hd_ep_receive(ep, 3, 9, bytes, 99, NULL);
    verify(ep, bytes, 99, 3, 0);
  }
}

TEST(packets_of_no_message_are_refused_and_do_no_harm)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  struct hd_program program = program_of(send_one);
  struct hd_world_params p = fake_params(&net, 8, &program);
  uint64_t ended;
  create(&net, &p);
  must(hd_world_step(net.world, 0, &why));
  assert_int_equal(net.n, 2);
  struct fake_packet *second = &net.heap[1];
  uint32_t n = second->flits - 1;
  assert_int_equal(n, 4 + 18);
  /* Every single bit of the second packet's envelope and padding, flipped. */
  uint64_t bad[40];
  int refused = 0;
  for (uint32_t bit = 0; bit < 64 + 8; bit++, refused++) {
    memcpy(bad, second->payload, n * sizeof *bad);
    if (bit < 64)
      bad[bit / 16] ^= UINT64_C(1) << (bit % 16);
    else
      bad[n - 1] ^= UINT64_C(1) << (bit - 64 + 8);
    assert_int_equal(hd_world_deliver(net.world, 5, bad, n, 3, &why), HD_E_INPUT);
    assert_true(strlen(why.text) > 20);
  }
  for (uint32_t cut = 0; cut < n; cut++, refused++) /* cut short */
    assert_int_equal(hd_world_deliver(net.world, 5, second->payload, cut, 3, &why), HD_E_INPUT);
  memcpy(bad, second->payload, n * sizeof *bad);
  bad[n] = 0;
  assert_int_equal(hd_world_deliver(net.world, 5, bad, n + 1, 3, &why), HD_E_INPUT);
  bad[6] |= UINT64_C(1) << 16;
  must_fail(hd_world_deliver(net.world, 5, bad, n, 3, &why), HD_E_INPUT, "data above bit 15");
  for (uint32_t node = 0; node < 9; node++) /* somewhere else */
    if (node != 5)
      assert_int_equal(hd_world_deliver(net.world, node, second->payload, n, 3, &why), HD_E_INPUT);
  must(hd_world_deliver(net.world, 5, second->payload, n, 3, &why));
  must_fail(hd_world_deliver(net.world, 5, second->payload, n, 3, &why), HD_E_INPUT,
            "node 5, cycle 3: packet 1 of message 0 of node 3 came twice");
  assert_int_equal(refused, 72 + 22);
  net.n = 1; /* the first packet comes, the second one has come */
  free(net.heap[1].payload);
  must(fake_run(&net, 100, &ended, &why));
  assert_true(hd_world_finished(net.world) && compared);
  assert_int_equal(hd_world_deliver(net.world, 5, bad, 0, 200, &why), HD_E_INPUT);
}

static void wait_for_nothing(struct hd_ep *ep)
{
  char byte;
  switch (hd_ep_rank(ep)) {
  case 0:
    return;
  case 1:
    hd_ep_delay(ep, 500);
    return;
  case 2:
    hd_ep_wait(ep, hd_ep_ireceive(ep, HD_EP_ANY, HD_EP_ANY, &byte, 1), NULL);
    return;
  case 4:
    hd_ep_send(ep, 0, 0, "x", 1);
    return; /* node 0 has long finished */
  default:
    hd_ep_delay(ep, 120);
    hd_ep_receive(ep, 2, 1, &byte, 1, NULL);
    return;
  }
}

TEST(waiting_nodes_are_reported_with_what_they_wait_for)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  struct hd_program program = program_of(wait_for_nothing);
  struct hd_world_params p = fake_params(&net, 5, &program);
  struct hd_world_counters counters;
  uint64_t ended;
  create(&net, &p);
  assert_int_equal(fake_run(&net, 200, &ended, NULL), 0);
  static const char expected[] = "node 1: in computation until cycle 500\n"
                                 "node 2: in receive from any node tag any since cycle 0\n"
                                 "node 3: in receive from 2 tag 1 since cycle 120\n";
  char text[400], little[10];
  assert_int_equal(hd_world_explain_wait(net.world, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
  assert_int_equal(hd_world_explain_wait(net.world, little, sizeof little), strlen(expected));
  assert_string_equal(little, "node 1: i");
  assert_int_equal(hd_world_explain_wait(net.world, NULL, 0), strlen(expected));
  assert_int_equal(hd_world_next_cycle(net.world), 500);
  assert_int_equal(fake_run(&net, 600, &ended, NULL), 0);
  assert_int_equal(hd_world_step(net.world, 600, NULL), 0);
  assert_true(hd_world_next_cycle(net.world) == UINT64_MAX);
  assert_false(hd_world_finished(net.world));
  hd_world_counters(net.world, &counters);
  assert_int_equal(counters.messages_sent, 1);
  assert_int_equal(counters.messages_received, 1);
}

/* Node 0 sends three messages to each other node. Of these, a node takes two, one of them without
 * a wait, and posts a receive for a message that nobody sends. Node 3 never returns. */
static void leave_open(struct hd_ep *ep)
{
  static int late;
  if (hd_ep_rank(ep)) {
    hd_ep_delay(ep, 200);
    hd_ep_receive(ep, 0, 1, NULL, 0, NULL);
    hd_ep_ireceive(ep, 0, 2, &late, sizeof late);
    hd_ep_ireceive(ep, HD_EP_ANY, 9, &late, sizeof late);
    if (hd_ep_rank(ep) == 3)
      hd_ep_receive(ep, 0, 8, NULL, 0, NULL);
    return;
  }
  for (int to = 1; to < hd_ep_size(ep); to++)
    for (int tag = 1; tag <= 3; tag++)
      hd_ep_send(ep, to, tag, NULL, 0);
}

TEST(messages_and_receives_that_a_program_leaves_open_are_counted)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
  struct hd_program program = program_of(leave_open);
  struct hd_world_params p = fake_params(&net, 4, &program);
  uint64_t ended, messages, receives;
  create(&net, &p);
  assert_int_equal(fake_run(&net, 100, &ended, NULL), 0);
  hd_world_open_operations(net.world, &messages, &receives);
  assert_int_equal(messages + receives, 0); /* no program that receives has returned yet */
  assert_int_equal(fake_run(&net, 500, &ended, NULL), 0);
  hd_world_open_operations(net.world, &messages, &receives);
  assert_int_equal(messages, 2 * 1);
  assert_int_equal(receives, 2 * 2);
}

/* A network that has sent nothing yet of nodes 1 to 3. */
static bool describe_stuck_sender(void *context, uint32_t node, struct hd_world_sending *sending)
{
  (void)context;
  *sending =
      (struct hd_world_sending){.destination = node + 1, .packets = node, .starved = node < 3};
  return node && node < 4;
}

TEST(a_node_that_injects_a_packet_is_not_reported_as_computing)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 5};
  struct hd_program program = program_of(wait_for_nothing);
  struct hd_world_params p = fake_params(&net, 5, &program);
  uint64_t ended;
  char text[400];
  p.sending = describe_stuck_sender;
  create(&net, &p);
  assert_int_equal(fake_run(&net, 200, &ended, NULL), 0);
  static const char expected[] =
      "node 1: injecting packet to node 2, waiting for credits\n"
      "node 2: injecting packet to node 3, waiting for credits; 1 packet behind it\n"
      "node 2: in receive from any node tag any since cycle 0\n"
      "node 3: injecting packet to node 4; 2 packets behind it\n"
      "node 3: in receive from 2 tag 1 since cycle 120\n";
  assert_int_equal(hd_world_explain_wait(net.world, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
  for (size_t size = 0; size < sizeof expected; size++) {
    CLEANUP(free_at)
    char *exact = malloc(size ? size : 1); /* a byte too many is seen by the sanitizer */
    assert_non_null(exact);
    assert_int_equal(hd_world_explain_wait(net.world, exact, size), strlen(expected));
    if (size)
      assert_memory_equal(exact, expected, size - 1);
  }
}

static void send_a_flood(struct hd_ep *ep)
{
  enum { FLOOD = 2 * HD_MESSAGE_SEQUENCES + 5 };
  if (hd_ep_rank(ep) == 1)
    for (uint32_t i = 0; i < FLOOD; i++) {
      hd_ep_send(ep, 0, (int)(i % 4096), NULL, 0);
      if (i + 1 == HD_MESSAGE_WINDOW)
        EXPECT(ep, hd_ep_time(ep) == 0);
    }
  else
    for (uint32_t i = 0; i < FLOOD; i++) {
      struct hd_ep_status status;
      hd_ep_receive(ep, 1, HD_EP_ANY, NULL, 0, &status);
      EXPECT(ep, status.tag == (int)(i % 4096));
    }
}

TEST(a_sender_waits_when_its_window_of_messages_is_full)
{
  struct fake_network net = {.max_delay = 5000};
  struct hd_program program = program_of(send_a_flood);
  struct hd_world_params p = fake_params(&net, 2, &program);
  char text[200];
  create(&net, &p);
  assert_int_equal(hd_world_step(net.world, 0, NULL), 0);
  assert_int_equal(net.n_sent, HD_MESSAGE_WINDOW);
  hd_world_explain_wait(net.world, text, sizeof text);
  assert_string_equal(text,
                      "node 0: in receive from 1 tag any since cycle 0\n"
                      "node 1: in send to 0 since cycle 0, 4096 of its messages are under way\n");
  fake_fini(&net);
  net = (struct fake_network){.max_delay = 5000};
  run_well(send_a_flood, fake_params(&net, 2, NULL), &net);
}
