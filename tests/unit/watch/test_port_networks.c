/* The rules at ports on hand-made events of several switches (specification §6.7): cycles of waiting packets, routes
 * by a stated rule instead of tables, endpoints of a network.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/switch/registers.h"
#include "../lib/port_rig.h"
#include "../lib/test.h"

enum { RING = 3 };

/* Endpoint n is at port n, however many there are, and no table says so. */
TEST_WITH(a_network_may_have_many_endpoints, port_rig_begin, NULL)
{
  enum { ENDPOINTS = 200, FROM = 150, TO = 180, NEAR = TO - 16, NUMBER = 16 };
  static struct hd_peer ends[ENDPOINTS];
  for (uint16_t i = 0; i < ENDPOINTS; i++)
    ends[i] = (struct hd_peer){.kind = HD_PEER_NODE, .index = i};
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    params.sw.ports = params.sw.nodes = ENDPOINTS;
    params.peers = params.senders = ends;
    params.is_network = true;
    packet_in(10, FROM, 1, TO, NUMBER);
    packet_out(20, wrong ? NEAR : TO, 1, TO, NUMBER);
    expect(wrong ? HD_PORT_ROUTE : HD_PORT_NONE, wrong ? 20 : 0, wrong ? NEAR : 0, wrong);
  }
}

/* ── circles ───────────────────────────────────────────────────────────────── */

/* A ring of switches whose port 1 leads to port 2 of the next; port 0 has a node. */
static void ring(void)
{
  params.n_switches = RING;
  params.sw.vcs = 1;
  params.sw.depth_flits = 1;
  for (uint16_t sw = 0; sw < RING; sw++) {
    const uint16_t next = (uint16_t)((sw + 1) % RING);
    peers[sw * PORTS + 1] = (struct hd_peer){HD_PEER_SWITCH, 2, next};
    senders[next * PORTS + 2] = (struct hd_peer){HD_PEER_SWITCH, 1, sw};
  }
}

/* Each node sends a packet two switches on; its head is in the next one, its tail still in the first. The packet of
 * switch 0 goes `hops` switches on. */
static void send_around(unsigned hops)
{
  ring();
  for (unsigned sw = 0; sw < RING; sw++) {
    const uint64_t head = head_to((sw + (sw ? 2 : hops)) % RING, sw);
    flit_in_of(sw, 10, 0, 0, HEAD, head);
    flit_out_of(sw, 14, 1, 0, HEAD, head);
    flit_in_of((sw + 1) % RING, 14, 2, 0, HEAD, head);
    flit_in_of(sw, 15, 0, 0, TAIL, 5);
  }
  for (unsigned sw = 0; sw < RING; sw++) {
    struct events *e = &events[sw];
    e->n_credits_in = e->n_credits_out = 0;
    credit(e->credits_out, &e->n_credits_out,
           (struct hd_credit_event){.cycle = 14, .port = 0, .vcs = 1});
  }
}

static bool find_circle(struct hd_port_break *broken, char *circle, size_t size)
{
  CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch = open_watch();
  for (unsigned sw = 0; sw < RING; sw++) {
    assert_int_equal(play(watch, sw, 0, 90, broken), HD_OK);
    assert_int_equal(broken->rule, HD_PORT_NONE);
  }
  assert_false(hd_port_watch_deadlock(watch, 40, broken, circle, size));
  const bool found = hd_port_watch_deadlock(watch, 90, broken, circle, size);
  assert_int_equal(hd_port_watch_deadlock(watch, 90, broken, circle, size), found);
  return found;
}

TEST_WITH(a_cycle_of_waiting_packets_is_found, port_rig_begin, NULL)
{
  struct hd_port_break broken;
  char circle[2000];
  unsigned lines = 0;
  send_around(2);
  assert_true(find_circle(&broken, circle, sizeof circle));
  assert_int_equal(broken.rule, HD_PORT_CIRCLE);
  assert_int_equal(broken.since, 15);
  printf("%s\n%s", broken.what, circle);
  for (const char *c = circle; *c; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 2 * RING);
  assert_non_null(strstr(circle, "switch 1 input port 2 channel 0: head to node 2"));
}

TEST_WITH(waiting_packets_form_no_cycle_if_one_of_them_can_leave, port_rig_begin, NULL)
{
  struct hd_port_break broken;
  send_around(1); /* it can leave by port 0 of switch 1 */
  assert_false(find_circle(&broken, NULL, 0));
}

/* The cycle is not found after 256 cycles, but after 300. It exists since cycle `since`. No other rule is broken. */
static void expect_cycle_since(uint64_t since)
{
  struct hd_port_break broken;
  CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch = open_watch();
  for (unsigned sw = 0; sw < RING; sw++) {
    assert_int_equal(play(watch, sw, 0, 300, &broken), HD_OK);
    assert_int_equal(broken.rule, HD_PORT_NONE);
  }
  assert_false(hd_port_watch_deadlock(watch, 256, &broken, NULL, 0));
  assert_true(hd_port_watch_deadlock(watch, 300, &broken, NULL, 0));
  assert_int_equal(broken.since, since);
}

/* A second channel is free in each output, but packets wait for the whole output. */
TEST_WITH(a_cycle_through_outputs_held_by_one_packet_is_found, port_rig_begin, NULL)
{
  send_around(2);
  params.sw.vcs = 2;
  expect_cycle_since(15);
}

/* After each waiting packet comes one for the node of the same switch, whose port is free. Without a promised order
 * it could leave first, but it has not for hundreds of cycles. */
TEST_WITH(a_cycle_with_packets_that_could_overtake_and_do_not_is_found, port_rig_begin, NULL)
{
  ring();
  params.sw.depth_flits = 2;
  params.order = HD_ORDER_FLOWS;
  for (unsigned sw = 0; sw < RING; sw++) {
    const unsigned next = (sw + 1) % RING;
    const uint64_t head = head_to((sw + 2) % RING, sw);
    flit_in_of(sw, 10, 0, 0, HEAD, head);
    flit_in_of(sw, 11, 0, 0, BODY, 7);
    flit_out_of(sw, 14, 1, 0, HEAD, head);
    flit_out_of(sw, 15, 1, 0, BODY, 7);
    flit_in_of(next, 14, 2, 0, HEAD, head);
    flit_in_of(next, 15, 2, 0, BODY, 7);
    flit_in_of(sw, 16, 0, 0, TAIL, 5);
    flit_in_of(sw, 17, 0, 0, SINGLE, head_to(sw, sw));
  }
  for (unsigned sw = 0; sw < RING; sw++) {
    struct events *e = &events[sw];
    e->n_credits_in = e->n_credits_out = 0;
    for (uint32_t cycle = 14; cycle < 16; cycle++)
      credit(e->credits_out, &e->n_credits_out,
             (struct hd_credit_event){.cycle = cycle, .port = 0, .vcs = 1});
  }
  expect_cycle_since(17);
}

/* In switch 0 the packet of port 3 holds the output. The packet of port 0 has an equal head, and can also leave by
 * another port. */
TEST_WITH(a_packet_that_may_not_be_the_one_that_waits_is_in_no_cycle, port_rig_begin, NULL)
{
  struct events *e = &events[0];
  struct hd_port_break broken;
  send_around(2);
  params.sw.adaptive = 1;
  e->writes[0] = (struct hd_config_event){.cycle = 1, .addr = HD_CFG_ADAPT, .data = 1};
  e->writes[1] =
      (struct hd_config_event){.cycle = 2, .addr = HD_CFG_PORT_SET(0, 2), .data = 1 << 3};
  e->n_writes = 2;
  flit_in_of(0, 11, 3, 0, HEAD, head_to(2, 0));
  assert_false(find_circle(&broken, NULL, 0));
}

/* ── ways without tables ───────────────────────────────────────────────────── */

/* A mesh of 2 x 2 switches: node n at port 0 of switch n, port 1 leads on in the first dimension, port 2 in the second. */
static void mesh(enum hd_port_routes routes)
{
  params.n_switches = 4;
  params.routes = routes;
  params.n_dims = 2;
  params.dims[0] = params.dims[1] = 2;
  for (uint16_t sw = 0; sw < 4; sw++) {
    struct hd_peer *to = &peers[sw * PORTS];
    to[0] = (struct hd_peer){.kind = HD_PEER_NODE, .index = sw};
    to[1] = (struct hd_peer){HD_PEER_SWITCH, 1, sw ^ 1};
    to[2] = (struct hd_peer){HD_PEER_SWITCH, 2, sw ^ 2};
    to[3] = (struct hd_peer){.kind = HD_PEER_NONE};
  }
  memcpy(senders, peers, sizeof senders);
}

TEST_WITH(routes_are_judged_by_the_stated_routing_rule, port_rig_begin, NULL)
{
  /* Ports of switch 0 for nodes: dimension order corrects the first dimension first; both ways to node 3 are minimal;
   * by port 2 node 1 is farther; by port 0 a packet comes to another node. */
  static const unsigned ways[][2] = {{3, 1}, {3, 2}, {1, 2}, {3, 0}};
  static const bool right[][4] = {[HD_ROUTES_DIMENSION_ORDER] = {true, false, false, false},
                                  [HD_ROUTES_MINIMAL] = {true, true, false, false},
                                  [HD_ROUTES_ANY] = {true, true, true, false}};
  for (unsigned routes = HD_ROUTES_DIMENSION_ORDER; routes <= HD_ROUTES_ANY; routes++)
    for (unsigned i = 0; i < 4; i++) {
      const unsigned node = ways[i][0], port = ways[i][1];
      mesh((enum hd_port_routes)routes);
      flit_in(10, 0, 0, SINGLE, head_to(node, 1));
      flit_out(13, port, 1, SINGLE, head_to(node, 1));
      expect(right[routes][i] ? HD_PORT_NONE : HD_PORT_ROUTE, 13, port, 1);
    }
}

TEST_WITH(a_stated_routing_rule_respects_virtual_networks, port_rig_begin, NULL)
{
  for (unsigned node = 3; node < 12; node += 4) { /* of three networks two are there */
    mesh(HD_ROUTES_MINIMAL);
    params.sw.nodes = 16;
    params.networks = 2;
    flit_in(10, 0, 0, SINGLE, head_to(node, 1));
    flit_out(13, 1, 1, SINGLE, head_to(node, 1));
    expect(node < 8 ? HD_PORT_NONE : HD_PORT_ORIGIN, 13, 1, 1);
  }
}

TEST_WITH(dimension_order_is_refused_without_dimensions, port_rig_begin, NULL)
{
  struct hd_port_watch *watch;
  mesh(HD_ROUTES_DIMENSION_ORDER);
  params.n_dims = 0;
  assert_int_equal(hd_port_watch_create(&watch, &params, &why), HD_E_INPUT);
  assert_null(watch);
}

TEST_WITH(the_path_of_a_packet_consists_of_the_hops_that_switches_saw, port_rig_begin, NULL)
{
  CLEANUP(hd_port_watch_destroy_at) struct hd_port_watch *watch;
  struct hd_port_break broken;
  char way[400];
  ring();
  params.sw.depth_flits = 4;
  flit_in_of(0, 10, 0, 0, SINGLE, head_to(2, 7));
  flit_out_of(0, 14, 1, 0, SINGLE, head_to(2, 7));
  flit_in_of(1, 14, 2, 0, SINGLE, head_to(2, 7));
  flit_out_of(1, 18, 0, 0, SINGLE, head_to(2, 7));
  watch = open_watch();
  assert_int_equal(play(watch, 0, 0, 64, &broken), HD_OK);
  assert_int_equal(play(watch, 1, 0, 64, &broken), HD_OK);
  assert_int_equal(broken.rule, HD_PORT_ROUTE);
  hd_port_watch_way(watch, &broken, way, sizeof way);
  assert_string_equal(way,
                      "switch 0 (in by port 0, channel 0, cycle 10; out by 1, 0, 14), switch 1 "
                      "(in by port 2, channel 0, cycle 14; out by 0, 0, 18)");
}
