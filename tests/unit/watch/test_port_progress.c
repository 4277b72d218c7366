/* The rules at ports on hand-made events (specification §6.7): packets that do not leave, credits that do not come
 * back, and packets that others overtake. Packets that may wait for long are not reported.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/watch/watch_internal.h"
#include "../lib/port_rig.h"
#include "../lib/test.h"

TEST_WITH(a_packet_that_does_not_leave_is_reported_as_lost_or_held, port_rig_begin, NULL)
{
  /* The packet is whole since cycle 13. The watch looks after 64 more cycles. */
  expect_break("in 10 3.1 P 2 1", HD_PORT_MISSING, 96, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  events[0].n_credits_out = 2;
  expect(HD_PORT_HELD, 96, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 1000;
  expect(HD_PORT_MISSING, 1024, 3, 1);
}

TEST_WITH(packets_inside_at_the_end_are_reported_at_their_input_port, port_rig_begin, NULL)
{
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100000;
  expect(HD_PORT_MISSING, 10, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100000;
  events[0].n_credits_out = 2;
  expect(HD_PORT_HELD, 10, 3, 1);
  add_events("in 10 0.0 P 2 1, out 14 2.0 P 2 1");
  events[0].n_credits_out--;
  params.held_cycles = 100000;
  expect(HD_PORT_OWED, 3000, 0, 0);
}

TEST_WITH(a_missing_credit_is_reported_when_its_channel_is_quiet, port_rig_begin, NULL)
{
  /* The packet has left in cycle 17. */
  add_events("in 10 0.0 P 2 1, out 14 2.0 P 2 1");
  events[0].n_credits_out--;
  expect(HD_PORT_OWED, 96, 0, 0);
  /* While another channel of its port goes on, … */
  add_events("in 10 0.0 P 2 1, out 14 2.0 P 2 1");
  events[0].n_credits_out--;
  for (uint32_t i = 0; i < 200; i++) {
    flit_in(20 + 2 * i, 0, 1, SINGLE, head_to(1, 100 + i));
    flit_out(24 + 2 * i, 1, 1, SINGLE, head_to(1, 100 + i));
  }
  expect(HD_PORT_OWED, 96, 0, 0);
  /* … but not while packets of its own channel are in the slots and wait for credits. */
  for (uint32_t i = 0; i < 8; i++) {
    flit_in(8 + i, 1, 0, SINGLE, head_to(2, 50 + i));
    flit_out(12 + i, 2, i / 4, SINGLE, head_to(2, 50 + i));
  }
  events[0].n_credits_in = 0;
  add_events("in 30 0.0 S 2 1, in 40 0.0 S 2 2");
  events[0].n_credits_out -= 2;
  expect(HD_PORT_HELD, 30, 0, 0);
}

TEST_WITH(a_late_or_uncertain_credit_is_not_reported_as_missing, port_rig_begin, NULL)
{
  add_events("in 10 0.0 S 2 1, out 14 2.0 S 2 1");
  events[0].credits_out[0].cycle = 14 + 64;
  expect(HD_PORT_NONE, 0, 0, 0);
  add_events("in 10 0.0 S 2 1, out 14 2.0 S 2 1");
  events[0].credits_out[0].cycle = 1000;
  params.held_cycles = 1000;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* Of two equal packets, the other one has left. */
  add_events("in 10 0.0 S 2 1, in 10 1.0 S 2 1, out 14 2.0 S 2 1, out 2000 2.0 S 2 1");
  events[0].credits_out[0].cycle = 2000;
  params.held_cycles = 100;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* A packet without a way waits behind one whose output has no credit before cycle 300. */
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 5, .addr = 1u << 16 | 3, .data = 0};
  for (uint32_t i = 0; i < 8; i++) {
    flit_in(8 + i, 1, 0, SINGLE, head_to(2, 50 + i));
    flit_out(12 + i, 2, i / 4, SINGLE, head_to(2, 50 + i));
  }
  events[0].n_credits_in = 0;
  add_events("in 30 0.0 S 2 1, in 31 0.0 S 3 2");
  credit(events[0].credits_in, &events[0].n_credits_in,
         (struct hd_credit_event){.cycle = 300, .port = 2, .vcs = 1});
  flit_out(304, 2, 0, SINGLE, head_to(2, 1));
  for (uint32_t i = 0; i < 2; i++)
    events[0].credits_out[events[0].n_credits_out - 2 + i].cycle = 304 + i;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* A null flit is in the slot. */
  params.sw.barrier = HD_BARRIER_ANY;
  flit_in(10, 0, 0, HD_KIND_NULL, 0);
  events[0].credits_out[0].cycle = 2000;
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* Two heads look alike. The later one was granted, and its tail comes late. The other one is whole inside and is not
 * held. */
TEST_WITH(a_packet_that_may_already_be_leaving_is_not_reported_as_held, port_rig_begin, NULL)
{
  expect_no_break(
      "in 10 0.0 P 2 1, in 12 1.0 H 2 1, out 16 2.0 H 2 1, in 400 1.0 T 8, out 403 2.0 T 8, "
      "out 404 2.1 P 2 1");
  /* A body shows that the packet of port 0 has left, and this packet is held. */
  expect_break("in 10 0.0 P 2 1, in 12 1.0 H 2 1, out 16 2.0 H 2 1, out 17 2.0 B 17",
               HD_PORT_MISSING, 96, 0, 0);
}

/* If the packets of a channel may leave in any order, a packet behind another may leave first. */
TEST_WITH(a_packet_behind_another_may_leave_first_without_promised_order, port_rig_begin, NULL)
{
  struct events *e = &events[0];
  params.order = HD_ORDER_FLOWS;
  params.sw.depth_flits = 1;
  e->writes[e->n_writes++] = (struct hd_config_event){
      .cycle = 1, .addr = 1 << 16 | 1 << 12 | 2, .data = 1 << 12 | 1 << 4 | 2};
  flit_in(10, 0, 0, SINGLE, head_to(3, 9));
  flit_in(11, 1, 0, SINGLE,
          head_to(2, 1)); /* it may leave on channel 0 alone, which gets no credit for long */
  /* of port 0 */
  add_events("in 12 0.0 S 2 1, out 16 2.0 S 2 1");
  e->n_credits_in = 0;
  flit_out(18, 3, 0, SINGLE, head_to(3, 9));
  credit(e->credits_in, &e->n_credits_in,
         (struct hd_credit_event){.cycle = 2000, .port = 2, .vcs = 1});
  expect_no_break("out 2010 2.0 S 2 1");
}

/* Two equal packets wait at two input ports, and one of them leaves. If it was the other port's packet, a third
 * packet still waits after the first. */
TEST_WITH(a_packet_behind_one_that_may_still_be_inside_is_not_reported_as_held, port_rig_begin,
          NULL)
{
  add_events("in 10 0.0 S 2 7, in 11 1.0 S 2 7, in 12 0.0 S 3 8, out 20 2.0 S 2 7");
  events[0].credits_in[0].cycle = 2000;
  expect_no_break("out 2010 2.0 S 2 7, out 2012 3.0 S 3 8");
}

TEST_WITH(a_packet_behind_the_front_is_not_taken_for_the_one_that_leaves, port_rig_begin, NULL)
{
  params.order = HD_ORDER_FLOWS;
  /* of port 1 */
  expect_no_break("in 10 0.0 S 2 1, in 11 0.0 S 2 7, in 12 1.0 S 2 7, out 16 2.0 S 2 7, "
                  "out 18 2.0 S 2 1, out 20 2.0 S 2 7");
}

/* A switch may hold thousands of packets. The watch must not forget a packet that it has taken for the one that left.
 */
TEST_WITH(packets_behind_thousands_of_others_are_not_forgotten, port_rig_begin, NULL)
{
  enum { MANY = 6000 };
  static struct hd_flit_event came[2 + MANY];
  const struct hd_flit_event left[] = {{head_to(2, 1), MANY + 20, 2, 0, SINGLE, 0}, /* of port 0 */
                                       {head_to(2, 100), MANY + 21, 2, 0, SINGLE, 0},
                                       {head_to(2, 1), MANY + 22, 2, 0, SINGLE, 0}};
  struct hd_port_events window = {.cycles = MANY + 30, .flits_in = came, .flits_out = left};
  struct hd_port_break broken;
  params.held_cycles = 10 * MANY;
  came[0] = (struct hd_flit_event){head_to(2, 1), 10, 1, 0, SINGLE, 0};
  came[1] = (struct hd_flit_event){head_to(2, 1), 11, 0, 0, SINGLE, 0};
  for (uint32_t i = 0; i < MANY; i++)
    came[2 + i] = (struct hd_flit_event){head_to(2, 100 + i), 12 + i, 0, 0, SINGLE, 0};
  window.n_flits_in = 2 + MANY;
  window.n_flits_out = 3;
  CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch = open_watch();
  assert_int_equal(hd_port_watch_switch(watch, 0, &window, &broken), HD_OK);
  if (broken.rule != HD_PORT_NONE)
    fail_msg("%s", broken.what);
}

/* The wait that began first is reported, whatever its port. */
TEST_WITH(of_several_waits_the_one_that_began_first_is_reported, port_rig_begin, NULL)
{
  expect_break("in 20 0.0 P 2 1, in 10 3.1 P 1 2", HD_PORT_MISSING, 96, 3, 1);
}

/* A packet whose output has no credit, or sends all the time, is not held. With two channels the packet may have chosen
 * the one without a credit. */
static void wait_for_a_credit(uint32_t vcs)
{
  params.sw.vcs = vcs;
  for (unsigned i = 0; i < 5; i++)
    flit_in(10 + 4 * i, 0, 0, SINGLE, head_to(2, i));
  for (unsigned i = 0; i < 4; i++)
    flit_out(14 + 4 * i, 2, 0, SINGLE, head_to(2, i));
  events[0].n_credits_in = 0;
  credit(events[0].credits_in, &events[0].n_credits_in,
         (struct hd_credit_event){.cycle = 2000, .port = 2, .vcs = 1});
  flit_out(2010, 2, 0, SINGLE, head_to(2, 4));
  events[0].n_credits_in = 1;
  expect(HD_PORT_NONE, 0, 0, 0);
}

TEST_WITH(a_packet_that_waits_for_a_credit_is_not_reported_as_held, port_rig_begin, NULL)
{
  wait_for_a_credit(1);
  wait_for_a_credit(2);
}

static void pass_others(unsigned others)
{
  flit_in(10, 0, 0, SINGLE, head_to(2, 1));
  for (unsigned i = 0; i < others; i++) {
    flit_in(12 + 4 * i, 1, 0, SINGLE, head_to(2, 1000 + i));
    flit_out(16 + 4 * i, 2, 0, SINGLE, head_to(2, 1000 + i));
  }
  flit_out(20 + 4 * others, 2, 0, SINGLE, head_to(2, 1));
}

/* Many packets may overtake if each input port gets its turn. */
TEST_WITH(a_packet_overtaken_by_many_ports_in_turn_is_not_starved, port_rig_begin, NULL)
{
  flit_in(10, 0, 0, SINGLE, head_to(2, 1));
  for (unsigned i = 0; i < 200; i++) {
    flit_in(12 + 4 * i, 1 + 2 * (i % 2), 0, SINGLE, head_to(2, 1000 + i));
    flit_out(16 + 4 * i, 2, 0, SINGLE, head_to(2, 1000 + i));
  }
  expect_no_break("out 820 2.0 S 2 1");
}

TEST_WITH(a_packet_overtaken_for_long_is_reported_as_starved, port_rig_begin, NULL)
{
  pass_others(100);
  params.starved_heads = 128;
  expect(HD_PORT_NONE, 0, 0, 0);
  pass_others(400);
  expect(HD_PORT_STARVED, 576, 0, 0); /* 64 times the channels of a port are 128 */
  pass_others(400);
  params.starved_heads = 128;
  for (uint32_t cycles = 1; cycles <= 64; cycles += 63) {
    const struct hd_port_break b = judge_events(cycles);
    assert_int_equal(b.rule, HD_PORT_STARVED);
    assert_int_equal(b.port, 0);
    assert_int_equal(b.since, 10);
    assert_true(b.cycle > 12 + 4 * 128 && b.cycle < 12 + 4 * 128 + 96);
  }
}

/* Inside a network a packet may wait for others. It is late only when the whole network stands still (§6.8). */
TEST_WITH(a_packet_in_a_network_may_wait_while_others_move, port_rig_begin, NULL)
{
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1);
  for (unsigned i = 0; i < 100; i++) {
    flit_in(20 + 4 * i, 0, 0, SINGLE, head_to(1, i));
    flit_out(24 + 4 * i, 1, 0, SINGLE, head_to(1, i));
  }
  expect_no_break("out 600 2.0 P 2 1");
}

/* The credits of node 1 come late, and what is for node 2 is behind what is for node 1. */
TEST_WITH(a_network_may_stand_still_while_an_endpoint_gives_no_credits, port_rig_begin, NULL)
{
  params.is_network = true;
  params.sw.vcs = 1;
  for (unsigned i = 0; i < 5; i++)
    flit_in(10 + 4 * i, 0, 0, SINGLE, head_to(1, i));
  packet_in(40, 3, 0, 2, 9);
  for (unsigned i = 0; i < 4; i++)
    flit_out(14 + 4 * i, 1, 0, SINGLE, head_to(1, i));
  events[0].n_credits_in = 0;
  for (unsigned i = 0; i < 4; i++)
    credit(events[0].credits_in, &events[0].n_credits_in,
           (struct hd_credit_event){.cycle = 2000 + i, .port = 1, .vcs = 1});
  expect_no_break("out 2010 1.0 S 1 4, out 2012 2.0 P 2 9");
}

TEST_WITH(a_network_that_stands_still_is_found, port_rig_begin, NULL)
{
  params.is_network = true;
  /* since cycle 13; the look after 500 more */
  expect_break("in 10 3.1 P 2 1", HD_PORT_MISSING, 544, 3, 1);
  params.is_network = true;
  add_events("in 10 3.1 P 2 1, in 20 0.0 P 2 2");
  events[0].n_credits_out -= 2; /* it takes no more by another port */
  expect(HD_PORT_HELD, 544, 0, 0);
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100;
  expect(HD_PORT_MISSING, 128, 3, 1);
}

/* Chains of fair arbiters give the farthest of n endpoints one turn of 2ⁿ⁻¹. */
TEST_WITH(arbiters_of_a_network_are_allowed_to_halve_shares, port_rig_begin, NULL)
{
  static const struct {
    bool is_network;
    uint32_t ports, most;
  } cases[] = {{false, 4, 128}, {true, 4, 128}, {true, 9, 256}, {true, 16, 32768}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch;
    params.sw.ports = params.sw.nodes = cases[i].ports;
    params.is_network = cases[i].is_network;
    must(hd_port_watch_create(&watch, &params, &why));
    assert_int_equal(watch->params.starved_heads, cases[i].most);
  }
}

TEST_WITH(outputs_that_packets_wait_for_are_counted, port_rig_begin, NULL)
{
  CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch;
  struct hd_port_break broken;
  /* idle in cycle 32, busy in 64 */
  add_events("in 10 0.0 S 2 1, in 40 0.0 S 2 2, out 64 2.0 S 2 1, out 66 2.0 S 2 2");
  watch = open_watch();
  assert_int_equal(play(watch, 0, 0, 200, &broken), HD_OK);
  assert_int_equal(broken.rule, HD_PORT_NONE);
  assert_int_equal(hd_port_watch_counts(watch).wanted, 2);
  assert_int_equal(hd_port_watch_counts(watch).idle, 1);
}
