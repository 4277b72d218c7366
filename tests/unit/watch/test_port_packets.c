/* The rules at ports on hand-made events (specification §6.7): each kind of damaged, lost or misordered packet is
 * reported with its rule, cycle, port and channel, in windows of any length. Correct packets around it break no rule.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/port_rig.h"
#include "../lib/test.h"

/* ── packets ───────────────────────────────────────────────────────────────── */

TEST_WITH(packets_that_leave_as_they_arrived_break_no_rule, port_rig_begin, NULL)
{
  /* The last packet leaves by the port by which it came in. */
  expect_no_break("in 10 0.0 P 2 1, in 10 1.1 P 2 2, out 14 2.0 P 2 1, out 18 2.1 P 2 2, "
                  "in 30 3.1 S 3 7, out 33 3.0 S 3 7");
}

TEST_WITH(a_lost_flit_is_found, port_rig_begin, NULL)
{
  expect_break("in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 18, out 16 2.1 T 19",
               HD_PORT_MISSING, 15, 2, 1);
}

TEST_WITH(swapped_flits_are_found, port_rig_begin, NULL)
{
  expect_break(
      "in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 18, out 16 2.1 B 17, out 17 2.1 T 19",
      HD_PORT_SWAPPED, 15, 2, 1);
}

TEST_WITH(a_doubled_flit_is_found, port_rig_begin, NULL)
{
  expect_break("in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 17, out 16 2.1 B 17",
               HD_PORT_DOUBLED, 16, 2, 1);
}

TEST_WITH(a_damaged_flit_is_found, port_rig_begin, NULL)
{
  expect_break(
      "in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 17, out 16 2.1 B 18, out 17 2.1 T 23",
      HD_PORT_DAMAGED, 17, 2, 1);
  expect_break("in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 99, out 16 2.1 B 18",
               HD_PORT_DAMAGED, 15, 2, 1);
  expect_break("in 10 0.0 S 2 1, out 13 2.0 S 2 5", HD_PORT_DAMAGED, 13, 2, 0);
}

TEST_WITH(a_tail_that_leaves_as_a_body_flit_is_found, port_rig_begin, NULL)
{
  expect_break(
      "in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 17, out 16 2.1 B 18, out 17 2.1 B 19",
      HD_PORT_DAMAGED, 17, 2, 1);
}

TEST_WITH(a_flit_that_never_arrived_is_found, port_rig_begin, NULL)
{
  expect_break("in 10 0.0 P 2 1, out 14 2.1 H 2 1, out 15 2.1 B 99, out 16 2.1 B 17",
               HD_PORT_ORIGIN, 15, 2, 1);
  /* The body leaves before it has come in. */
  expect_break("in 10 0.0 H 2 1, out 13 2.1 H 2 1, out 14 2.1 B 17, in 14 0.0 B 17", HD_PORT_ORIGIN,
               14, 2, 1);
  expect_break("out 13 2.1 S 2 1", HD_PORT_ORIGIN, 13, 2, 1);
}

TEST_WITH(a_flit_of_another_packet_is_found, port_rig_begin, NULL)
{
  expect_break(
      "in 10 0.0 P 2 1, in 10 1.0 P 2 2, out 14 2.0 H 2 1, out 15 2.1 H 2 2, out 16 2.0 B 33",
      HD_PORT_MIXED, 16, 2, 0);
}

/* If a router marks no heads, a packet continues until its tail. */
TEST_WITH(a_head_that_leaves_inside_of_another_packet_is_found, port_rig_begin, NULL)
{
  add_events("in 10 0.0 P 2 1, in 10 1.0 P 2 2, out 14 2.0 H 2 1");
  flit_out(15, 2, 0, BODY, head_to(2, 2));
  expect(HD_PORT_MIXED, 15, 2, 0);
  add_events("in 10 0.0 P 2 1, in 14 0.0 P 2 2, out 14 2.0 H 2 1");
  flit_out(15, 2, 0, BODY, head_to(2, 2)); /* the flits between were lost */
  expect(HD_PORT_MISSING, 15, 2, 0);
}

TEST_WITH(a_packet_that_leaves_twice_is_found, port_rig_begin, NULL)
{
  /* The packet leaves a second time, long after all others have arrived. */
  expect_break("in 10 0.0 S 2 1, out 13 2.0 S 2 1, out 2500 2.1 S 2 1", HD_PORT_DOUBLED, 2500, 2,
               1);
}

TEST_WITH(a_packet_on_a_wrong_output_port_is_found, port_rig_begin, NULL)
{
  expect_break("in 10 0.0 P 2 1, out 14 3.1 H 2 1", HD_PORT_ROUTE, 14, 3, 1);
}

/* ── which of packets that look alike ──────────────────────────────────────── */

TEST_WITH(packets_with_equal_heads_are_distinguished_by_their_flits, port_rig_begin, NULL)
{
  for (unsigned port = 0; port < 2; port++) { /* the one that came second leaves first */
    flit_in(10 + port, port, 0, HEAD, head_to(2, 1));
    flit_in(12 + port, port, 0, BODY, 100 + port);
    flit_in(14 + port, port, 0, TAIL, 7);
  }
  expect_no_break("in 20 1.0 P 3 3, out 20 2.0 H 2 1, out 21 2.0 B 101, out 22 2.1 H 2 1, "
                  "out 23 2.1 B 100, out 24 2.0 T 7, out 25 2.1 T 7, out 26 3.0 P 3 3");
}

TEST_WITH(equal_packets_of_two_ports_may_leave_in_either_order, port_rig_begin, NULL)
{
  for (unsigned port = 0; port < 2; port++)
    flit_in(10 + port, port, 0, SINGLE, head_to(2, 1));
  /* The first single that leaves is port 1's: its next packet leaves after it. */
  expect_no_break("in 14 1.0 P 3 3, in 14 0.0 P 3 4, out 20 2.0 S 2 1, out 22 3.0 P 3 3, "
                  "out 30 2.0 S 2 1, out 31 3.0 P 3 4");
}

TEST_WITH(equal_packets_of_one_port_and_of_another_break_no_rule, port_rig_begin, NULL)
{
  expect_no_break(
      "in 10 0.0 S 2 1, in 10 1.0 S 2 1, out 14 2.0 S 2 1, " /* of port 1; the watch takes it for port 0's */
      "in 20 1.0 S 2 1, out 24 2.0 S 2 1, " /* again of port 1, after which its next packet leaves */
      "in 26 1.0 S 3 4, out 30 3.0 S 3 4, out 32 2.0 S 2 1");
}

TEST_WITH(packets_inside_may_follow_the_old_or_the_new_table_after_a_write, port_rig_begin, NULL)
{
  flit_in(10, 0, 0, SINGLE, head_to(2, 1));
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 11, .addr = 1 << 16 | 2, .data = 1 << 12 | 3 << 4 | 3};
  expect_no_break("out 14 3.0 S 2 1");
}

TEST_WITH(a_packet_without_a_table_entry_may_be_discarded, port_rig_begin, NULL)
{
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 5, .addr = 1 << 16 | 2};
  expect_no_break("in 10 0.0 P 2 1, in 20 0.0 S 1 1, out 23 1.0 S 1 1");
}

/* ── order ─────────────────────────────────────────────────────────────────── */

/* Two packets of a port on given channels to given nodes; the second leaves first. */
static void overtake(unsigned vc_1, unsigned node_1, unsigned vc_2, unsigned node_2)
{
  flit_in(10, 0, vc_1, SINGLE, head_to(node_1, 1));
  flit_in(11, 0, vc_2, SINGLE, head_to(node_2, 2));
  flit_out(15, node_2, 0, SINGLE, head_to(node_2, 2));
  flit_out(17, node_1, 1, SINGLE, head_to(node_1, 1));
}

TEST_WITH(packets_that_leave_against_the_promised_order_are_found, port_rig_begin, NULL)
{
  /* The cases: packets of one channel to one node; of one channel; of one port to one node; of one port. */
  static const unsigned cases[4][4] = {{0, 2, 0, 2}, {0, 2, 0, 3}, {0, 2, 1, 2}, {0, 2, 1, 3}};
  static const bool broken[HD_ORDER_NONE + 1][4] = {
      [HD_ORDER_USUAL] = {true, true, false, false},
      [HD_ORDER_CHANNELS] = {true, true, false, false},
      [HD_ORDER_FLOWS] = {true, false, false, false},
      [HD_ORDER_PAIRS] = {true, false, true, false},
      [HD_ORDER_NETWORKS] = {true, true, true, true},
      [HD_ORDER_NONE] = {false, false, false, false}};
  for (unsigned order = 0; order <= HD_ORDER_NONE; order++)
    for (unsigned i = 0; i < 4; i++) {
      overtake(cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
      params.order = (enum hd_port_order)order;
      expect(broken[order][i] ? HD_PORT_ORDER : HD_PORT_NONE, 15, cases[i][3], 0);
    }
  overtake(0, 2, 1, 2); /* each channel is a network of its own */
  params.order = HD_ORDER_NETWORKS;
  params.networks = 2;
  expect(HD_PORT_NONE, 0, 0, 0);
}

TEST_WITH(a_packet_overtaken_by_others_is_reported_as_lost, port_rig_begin, NULL)
{
  expect_break("in 10 0.0 S 2 1, in 11 0.0 S 2 2, out 15 2.0 S 2 2", HD_PORT_MISSING, 15, 2, 0);
}

TEST_WITH(an_x_at_an_output_is_reported_before_its_consequences, port_rig_begin, NULL)
{
  const struct hd_flit_event made_up = {
      .cycle = 9, .kind = SINGLE, .port = 2, .data = head_to(2, 1)};
  struct hd_port_unknown unknown = {.cycle = 9, .port = 2, .vc = 1, .pin = "out_data_o"};
  const struct hd_port_events four_state = {
      .cycles = 20, .flits_out = &made_up, .n_flits_out = 1, .unknown = &unknown};
  struct hd_port_events two_state = four_state;
  struct hd_port_watch *watch = open_watch();
  struct hd_port_break b;
  two_state.unknown = NULL;
  assert_int_equal(hd_port_watch_switch(watch, 0, &two_state, &b), HD_OK);
  assert_int_equal(b.rule, HD_PORT_ORIGIN);
  assert_int_equal(hd_port_watch_counts(watch).of[HD_PORT_UNKNOWN], 0);
  hd_port_watch_destroy(watch);
  for (unsigned x = 0; x < 2; x++) {
    watch = open_watch();
    unknown.seen = x ? 'x' : 0;
    assert_int_equal(hd_port_watch_switch(watch, 0, &four_state, &b), HD_OK);
    assert_int_equal(b.rule, x ? HD_PORT_UNKNOWN : HD_PORT_ORIGIN);
    assert_int_equal(b.cycle, 9);
    assert_int_equal(b.port, 2);
    assert_int_equal(hd_port_watch_counts(watch).of[HD_PORT_UNKNOWN], 1);
    hd_port_watch_destroy(watch);
  }
  assert_string_equal(b.what, "x in out_data_o, port 2, channel 1");
}
