/* The rules at ports on hand-made events (specification §6.7): each way to break one has its name, cycle, port and
 * channel, whatever the windows, and what is right beside it breaks none.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Length: each rule has its events here, played by one set of helpers.
 */
#include "../../../bridge/watch/watch_internal.h"
#include "../../../cmodel/switch/registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PORTS = 4, MOST = 4096, SWITCHES = 4, RING = 3, HEAD = HD_KIND_HEAD, BODY = HD_KIND_BODY };
enum { TAIL = HD_KIND_TAIL, SINGLE = HD_KIND_SINGLE };

/* Events of the switches, by cycle. */
struct events {
  struct hd_flit_event in[MOST], out[MOST];
  struct hd_credit_event credits_in[MOST], credits_out[MOST];
  struct hd_config_event writes[MOST];
  uint32_t n_in, n_out, n_credits_in, n_credits_out, n_writes;
};
static struct events events[SWITCHES];
static struct hd_peer peers[SWITCHES * PORTS], senders[SWITCHES * PORTS];
static struct hd_port_watch_params params;
static const struct events none;

/* A switch with a node at each port; node n is at port n. */
static void begin(void)
{
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    events[sw] = none;
  params = (struct hd_port_watch_params){
      .sw = {.ports = PORTS,
             .vcs = 2,
             .data_bits = 64,
             .depth_flits = 4,
             .nodes = PORTS,
             .route_cycles = 1,
             .arb_cycles = 1},
      .n_switches = 1,
      .peers = peers,
      .senders = senders,
  };
  for (uint16_t i = 0; i < SWITCHES * PORTS; i++)
    peers[i] = senders[i] = (struct hd_peer){.kind = HD_PEER_NODE, .index = i % PORTS};
}

static uint64_t to(unsigned node, uint64_t number)
{
  return number << 8 | node << 2;
}

static void add(struct hd_flit_event *list, uint32_t *n, struct hd_flit_event e)
{
  uint32_t at = (*n)++;
  for (; at && list[at - 1].cycle > e.cycle; at--)
    list[at] = list[at - 1];
  list[at] = e;
}

static void credit(struct hd_credit_event *list, uint32_t *n, struct hd_credit_event e)
{
  uint32_t at = (*n)++;
  for (; at && list[at - 1].cycle > e.cycle; at--)
    list[at] = list[at - 1];
  list[at] = e;
}

/* A flit at an input of switch `sw`, whose slot is credited three cycles later. */
static void in_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                  uint64_t data)
{
  struct events *e = &events[sw];
  add(e->in, &e->n_in,
      (struct hd_flit_event){data, cycle, (uint8_t)port, (uint8_t)vc, (uint8_t)kind, 0});
  credit(e->credits_out, &e->n_credits_out,
         (struct hd_credit_event){
             .cycle = cycle + 3, .port = (uint8_t)port, .vcs = (uint8_t)(1 << vc)});
}

/* A flit at an output, whose receiver gives its credit two cycles later. */
static void out_of(unsigned sw, uint32_t cycle, unsigned port, unsigned vc, unsigned kind,
                   uint64_t data)
{
  struct events *e = &events[sw];
  add(e->out, &e->n_out,
      (struct hd_flit_event){data, cycle, (uint8_t)port, (uint8_t)vc, (uint8_t)kind, 0});
  credit(e->credits_in, &e->n_credits_in,
         (struct hd_credit_event){
             .cycle = cycle + 2, .port = (uint8_t)port, .vcs = (uint8_t)(1 << vc)});
}

static void in(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  in_of(0, cycle, port, vc, kind, data);
}

static void out(uint32_t cycle, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  out_of(0, cycle, port, vc, kind, data);
}

/* A packet of four flits that comes in from `cycle` on. */
static void packet_in(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number)
{
  in(cycle, port, vc, HEAD, to(node, number));
  in(cycle + 1, port, vc, BODY, number * 16 + 1);
  in(cycle + 2, port, vc, BODY, number * 16 + 2);
  in(cycle + 3, port, vc, TAIL, number * 16 + 3);
}

static void packet_out(uint32_t cycle, unsigned port, unsigned vc, unsigned node, uint64_t number)
{
  out(cycle, port, vc, HEAD, to(node, number));
  out(cycle + 1, port, vc, BODY, number * 16 + 1);
  out(cycle + 2, port, vc, BODY, number * 16 + 2);
  out(cycle + 3, port, vc, TAIL, number * 16 + 3);
}

/* The table of every switch: node n by port n; in a ring by port 1, but for the switch's own node, at port 0. */
static struct hd_port_watch *open_watch(void)
{
  struct hd_port_watch *watch;
  struct hd_error err = {""};
  assert_int_equal(hd_port_watch_create(&watch, &params, &err), HD_OK);
  for (uint32_t sw = 0; sw < params.n_switches; sw++)
    for (uint32_t port = 0; port < PORTS; port++)
      for (uint32_t node = 0; node < PORTS; node++) {
        const uint32_t by = params.n_switches == 1 ? node : node != sw;
        hd_port_watch_config(watch, sw, 1u << 16 | port << 12 | node,
                             (uint16_t)(1u << 12 | 3u << 4 | by));
      }
  return watch;
}

/* Events of cycles from … to of a list into copies that count from `from`. */
#define CUT(list, n, copy, from, to)                            \
  uint32_t n_##copy = 0;                                        \
  for (uint32_t i = 0; i < (n); i++)                            \
    if ((list)[i].cycle >= (from) && (list)[i].cycle <= (to)) { \
      copy[n_##copy] = (list)[i];                               \
      copy[n_##copy++].cycle -= start;                          \
    }

static int play(struct hd_port_watch *watch, uint32_t sw, uint32_t start, uint32_t cycles,
                struct hd_port_break *broken)
{
  static struct hd_flit_event fi[MOST], fo[MOST];
  static struct hd_credit_event ci[MOST], co[MOST];
  static struct hd_config_event w[MOST];
  const struct events *e = &events[sw];
  const uint32_t last = start + cycles - 1;
  CUT(e->in, e->n_in, fi, start, last)
  CUT(e->out, e->n_out, fo, start + 1, start + cycles)
  CUT(e->credits_in, e->n_credits_in, ci, start, last)
  CUT(e->credits_out, e->n_credits_out, co, start + 1, start + cycles)
  CUT(e->writes, e->n_writes, w, start, last)
  const struct hd_port_events window = {start, cycles, fi,   fo,   ci,  co,  w,
                                        n_fi,  n_fo,   n_ci, n_co, n_w, NULL};
  return hd_port_watch_switch(watch, sw, &window, broken);
}

/* The first rule that is broken in 3,000 cycles or at their end, by windows of `cycles`. */
static struct hd_port_break judge(uint32_t cycles)
{
  struct hd_port_watch *watch = open_watch();
  struct hd_port_break broken = {.rule = HD_PORT_NONE};
  for (uint32_t start = 0; start < 3000 && broken.rule == HD_PORT_NONE; start += cycles)
    assert_int_equal(play(watch, 0, start, cycles, &broken), HD_OK);
  if (broken.rule == HD_PORT_NONE && !hd_port_watch_end(watch, 3000, &broken))
    broken.rule = HD_PORT_NONE;
  hd_port_watch_destroy(watch);
  return broken;
}

static void expect(enum hd_port_rule rule, uint32_t cycle, unsigned port, unsigned vc)
{
  static const uint32_t windows[] = {1, 7, 64, 1000};
  for (unsigned i = 0; i < 4; i++) {
    const struct hd_port_break b = judge(windows[i]);
    if (b.rule != rule || (rule && (b.cycle != cycle || b.port != port || b.vc != vc)))
      fail_msg(
          "windows of %u: %s in cycle %llu, port %u, channel %u (%s), not %s in cycle %u, port "
          "%u, channel %u",
          windows[i], hd_port_rule_name(b.rule), (unsigned long long)b.cycle, b.port, b.vc, b.what,
          hd_port_rule_name(rule), cycle, port, vc);
    if (!i && rule)
      printf("%s: %s\n", hd_port_rule_number(rule), b.what);
  }
  begin();
}

static int setup(void **state)
{
  (void)state;
  begin();
  return 0;
}

/* ── packets ───────────────────────────────────────────────────────────────── */

static void packets_that_leave_as_they_came_break_no_rule(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  packet_in(10, 1, 1, 2, 2);
  packet_out(14, 2, 0, 2, 1);
  packet_out(18, 2, 1, 2, 2);
  in(30, 3, 1, SINGLE, to(3, 7)); /* back by the port by which it came */
  out(33, 3, 0, SINGLE, to(3, 7));
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_lost_flit_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 18);
  out(16, 2, 1, TAIL, 19);
  expect(HD_PORT_MISSING, 15, 2, 1);
}

static void swapped_flits_are_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 18);
  out(16, 2, 1, BODY, 17);
  out(17, 2, 1, TAIL, 19);
  expect(HD_PORT_SWAPPED, 15, 2, 1);
}

static void a_doubled_flit_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 17);
  out(16, 2, 1, BODY, 17);
  expect(HD_PORT_DOUBLED, 16, 2, 1);
}

static void a_damaged_flit_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 17);
  out(16, 2, 1, BODY, 0x12);
  out(17, 2, 1, TAIL, 19 ^ 4);
  expect(HD_PORT_DAMAGED, 17, 2, 1);
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 99);
  out(16, 2, 1, BODY, 18);
  expect(HD_PORT_DAMAGED, 15, 2, 1);
  in(10, 0, 0, SINGLE, to(2, 1));
  out(13, 2, 0, SINGLE, to(2, 5));
  expect(HD_PORT_DAMAGED, 13, 2, 0);
}

static void a_tail_that_leaves_as_a_body_is_damaged(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 17);
  out(16, 2, 1, BODY, 18);
  out(17, 2, 1, BODY, 19);
  expect(HD_PORT_DAMAGED, 17, 2, 1);
}

static void a_made_up_flit_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 2, 1, HEAD, to(2, 1));
  out(15, 2, 1, BODY, 99);
  out(16, 2, 1, BODY, 17);
  expect(HD_PORT_ORIGIN, 15, 2, 1);
  in(10, 0, 0, HEAD, to(2, 1)); /* it leaves before it came in */
  out(13, 2, 1, HEAD, to(2, 1));
  out(14, 2, 1, BODY, 17);
  in(14, 0, 0, BODY, 17);
  expect(HD_PORT_ORIGIN, 14, 2, 1);
  out(13, 2, 1, SINGLE, to(2, 1));
  expect(HD_PORT_ORIGIN, 13, 2, 1);
}

static void a_flit_of_another_packet_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  packet_in(10, 1, 0, 2, 2);
  out(14, 2, 0, HEAD, to(2, 1));
  out(15, 2, 1, HEAD, to(2, 2));
  out(16, 2, 0, BODY, 33);
  expect(HD_PORT_MIXED, 16, 2, 0);
}

static void a_packet_that_leaves_twice_is_found(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  out(13, 2, 0, SINGLE, to(2, 1));
  out(2500, 2, 1, SINGLE, to(2, 1)); /* long after all else has arrived */
  expect(HD_PORT_DOUBLED, 2500, 2, 1);
}

static void a_packet_on_a_wrong_way_is_found(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  out(14, 3, 1, HEAD, to(2, 1));
  expect(HD_PORT_ROUTE, 14, 3, 1);
}

/* ── which of packets that look alike ──────────────────────────────────────── */

static void packets_with_equal_heads_are_told_apart_by_their_flits(void **state)
{
  (void)state;
  for (unsigned port = 0; port < 2; port++) { /* the one that came second leaves first */
    in(10 + port, port, 0, HEAD, to(2, 1));
    in(12 + port, port, 0, BODY, 100 + port);
    in(14 + port, port, 0, TAIL, 7);
  }
  packet_in(20, 1, 0, 3, 3);
  out(20, 2, 0, HEAD, to(2, 1));
  out(21, 2, 0, BODY, 101);
  out(22, 2, 1, HEAD, to(2, 1));
  out(23, 2, 1, BODY, 100);
  out(24, 2, 0, TAIL, 7);
  out(25, 2, 1, TAIL, 7);
  packet_out(26, 3, 0, 3, 3);
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void equal_packets_of_two_ports_are_no_fault_in_either_order(void **state)
{
  (void)state;
  for (unsigned port = 0; port < 2; port++)
    in(10 + port, port, 0, SINGLE, to(2, 1));
  packet_in(14, 1, 0, 3, 3);
  packet_in(14, 0, 0, 3, 4);
  out(20, 2, 0, SINGLE, to(2, 1)); /* of port 1, after which its next packet leaves */
  packet_out(22, 3, 0, 3, 3);
  out(30, 2, 0, SINGLE, to(2, 1));
  packet_out(31, 3, 0, 3, 4);
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void equal_packets_of_one_port_are_no_fault_beside_one_of_another(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  in(10, 1, 0, SINGLE, to(2, 1));
  out(14, 2, 0, SINGLE, to(2, 1)); /* of port 1; the watch takes it for port 0's */
  in(20, 1, 0, SINGLE, to(2, 1));
  out(24, 2, 0, SINGLE, to(2, 1)); /* again of port 1, after which its next packet leaves */
  in(26, 1, 0, SINGLE, to(3, 4));
  out(30, 3, 0, SINGLE, to(3, 4));
  out(32, 2, 0, SINGLE, to(2, 1));
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_table_that_is_written_counts_for_packets_inside_or_not(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 11, .addr = 1 << 16 | 2, .data = 1 << 12 | 3 << 4 | 3};
  out(14, 3, 0, SINGLE, to(2, 1));
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_packet_without_a_way_may_be_discarded(void **state)
{
  (void)state;
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 5, .addr = 1 << 16 | 2};
  packet_in(10, 0, 0, 2, 1);
  in(20, 0, 0, SINGLE, to(1, 1));
  out(23, 1, 0, SINGLE, to(1, 1));
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* ── order ─────────────────────────────────────────────────────────────────── */

/* Two packets of a port on given channels to given nodes; the second leaves first. */
static void overtake(unsigned vc_1, unsigned node_1, unsigned vc_2, unsigned node_2)
{
  in(10, 0, vc_1, SINGLE, to(node_1, 1));
  in(11, 0, vc_2, SINGLE, to(node_2, 2));
  out(15, node_2, 0, SINGLE, to(node_2, 2));
  out(17, node_1, 1, SINGLE, to(node_1, 1));
}

static void packets_against_the_promised_order_are_found(void **state)
{
  /* Of one channel to one node; of one channel; of one port to one node; of one port. */
  static const unsigned cases[4][4] = {{0, 2, 0, 2}, {0, 2, 0, 3}, {0, 2, 1, 2}, {0, 2, 1, 3}};
  static const bool broken[HD_ORDER_NONE + 1][4] = {
      [HD_ORDER_USUAL] = {true, true, false, false},
      [HD_ORDER_CHANNELS] = {true, true, false, false},
      [HD_ORDER_FLOWS] = {true, false, false, false},
      [HD_ORDER_PAIRS] = {true, false, true, false},
      [HD_ORDER_NETWORKS] = {true, true, true, true},
      [HD_ORDER_NONE] = {false, false, false, false}};
  (void)state;
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

static void a_packet_that_others_pass_is_lost(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  in(11, 0, 0, SINGLE, to(2, 2));
  out(15, 2, 0, SINGLE, to(2, 2));
  expect(HD_PORT_MISSING, 15, 2, 0);
}

/* ── progress ──────────────────────────────────────────────────────────────── */

static void a_packet_that_does_not_leave_is_lost_or_held(void **state)
{
  (void)state;
  packet_in(10, 3, 1, 2, 1); /* since cycle 13; the look after 64 more */
  expect(HD_PORT_MISSING, 96, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  events[0].n_credits_out = 2;
  expect(HD_PORT_HELD, 96, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 1000;
  expect(HD_PORT_MISSING, 1024, 3, 1);
}

static void what_is_there_at_the_end_is_named_where_it_came_in(void **state)
{
  (void)state;
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100000;
  expect(HD_PORT_MISSING, 10, 3, 1);
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100000;
  events[0].n_credits_out = 2;
  expect(HD_PORT_HELD, 10, 3, 1);
  packet_in(10, 0, 0, 2, 1);
  packet_out(14, 2, 0, 2, 1);
  events[0].n_credits_out--;
  params.held_cycles = 100000;
  expect(HD_PORT_OWED, 3000, 0, 0);
}

static void a_credit_that_does_not_come_back_is_missed_when_its_channel_is_quiet(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  packet_out(14, 2, 0, 2, 1); /* ends in cycle 17 */
  events[0].n_credits_out--;
  expect(HD_PORT_OWED, 96, 0, 0);
  /* While another channel of its port goes on, … */
  packet_in(10, 0, 0, 2, 1);
  packet_out(14, 2, 0, 2, 1);
  events[0].n_credits_out--;
  for (uint32_t i = 0; i < 200; i++) {
    in(20 + 2 * i, 0, 1, SINGLE, to(1, 100 + i));
    out(24 + 2 * i, 1, 1, SINGLE, to(1, 100 + i));
  }
  expect(HD_PORT_OWED, 96, 0, 0);
  /* … but not while packets of its own channel are in the slots, for which no receiver has one. */
  for (uint32_t i = 0; i < 8; i++) {
    in(8 + i, 1, 0, SINGLE, to(2, 50 + i));
    out(12 + i, 2, i / 4, SINGLE, to(2, 50 + i));
  }
  events[0].n_credits_in = 0;
  in(30, 0, 0, SINGLE, to(2, 1));
  in(40, 0, 0, SINGLE, to(2, 2));
  events[0].n_credits_out -= 2;
  expect(HD_PORT_HELD, 30, 0, 0);
}

static void a_credit_that_comes_late_or_cannot_be_counted_is_not_missed(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  out(14, 2, 0, SINGLE, to(2, 1));
  events[0].credits_out[0].cycle = 14 + 64;
  expect(HD_PORT_NONE, 0, 0, 0);
  in(10, 0, 0, SINGLE, to(2, 1));
  out(14, 2, 0, SINGLE, to(2, 1));
  events[0].credits_out[0].cycle = 1000;
  params.held_cycles = 1000;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* Of two that are alike the other one has left. */
  in(10, 0, 0, SINGLE, to(2, 1));
  in(10, 1, 0, SINGLE, to(2, 1));
  out(14, 2, 0, SINGLE, to(2, 1));
  out(2000, 2, 0, SINGLE, to(2, 1));
  events[0].credits_out[0].cycle = 2000;
  params.held_cycles = 100;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* A packet without a way waits behind one whose output has no credit before cycle 300. */
  events[0].writes[events[0].n_writes++] =
      (struct hd_config_event){.cycle = 5, .addr = 1u << 16 | 3, .data = 0};
  for (uint32_t i = 0; i < 8; i++) {
    in(8 + i, 1, 0, SINGLE, to(2, 50 + i));
    out(12 + i, 2, i / 4, SINGLE, to(2, 50 + i));
  }
  events[0].n_credits_in = 0;
  in(30, 0, 0, SINGLE, to(2, 1));
  in(31, 0, 0, SINGLE, to(3, 2));
  credit(events[0].credits_in, &events[0].n_credits_in,
         (struct hd_credit_event){.cycle = 300, .port = 2, .vcs = 1});
  out(304, 2, 0, SINGLE, to(2, 1));
  for (uint32_t i = 0; i < 2; i++)
    events[0].credits_out[events[0].n_credits_out - 2 + i].cycle = 304 + i;
  expect(HD_PORT_NONE, 0, 0, 0);
  /* A null flit is in the slot. */
  params.sw.barrier = HD_BARRIER_ANY;
  in(10, 0, 0, HD_KIND_NULL, 0);
  events[0].credits_out[0].cycle = 2000;
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* Of two heads that look alike the later one was granted, and its tail comes late: the other one, which is whole
 * inside, is not held. */
static void a_packet_that_may_not_be_the_one_that_leaves_is_not_held(void **state)
{
  (void)state;
  packet_in(10, 0, 0, 2, 1);
  in(12, 1, 0, HEAD, to(2, 1));
  out(16, 2, 0, HEAD, to(2, 1));
  in(400, 1, 0, TAIL, 8);
  out(403, 2, 0, TAIL, 8);
  packet_out(404, 2, 1, 2, 1);
  expect(HD_PORT_NONE, 0, 0, 0);
  packet_in(10, 0, 0, 2, 1); /* a body says which one it is, and that one is held */
  in(12, 1, 0, HEAD, to(2, 1));
  out(16, 2, 0, HEAD, to(2, 1));
  out(17, 2, 0, BODY, 17);
  expect(HD_PORT_MISSING, 96, 0, 0);
}

/* Where no order of all packets of a channel is promised, one behind another may be the one that leaves. */
static void a_packet_behind_another_may_be_the_one_that_leaves(void **state)
{
  struct events *e = &events[0];
  (void)state;
  params.order = HD_ORDER_FLOWS;
  params.sw.depth_flits = 1;
  e->writes[e->n_writes++] = (struct hd_config_event){
      .cycle = 1, .addr = 1 << 16 | 1 << 12 | 2, .data = 1 << 12 | 1 << 4 | 2};
  in(10, 0, 0, SINGLE, to(3, 9));
  in(11, 1, 0, SINGLE,
     to(2, 1)); /* it may leave on channel 0 alone, which gets no credit for long */
  in(12, 0, 0, SINGLE, to(2, 1));
  out(16, 2, 0, SINGLE, to(2, 1)); /* of port 0 */
  e->n_credits_in = 0;
  out(18, 3, 0, SINGLE, to(3, 9));
  credit(e->credits_in, &e->n_credits_in,
         (struct hd_credit_event){.cycle = 2000, .port = 2, .vcs = 1});
  out(2010, 2, 0, SINGLE, to(2, 1));
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* The one behind another of its flow cannot, as that must leave before it. */
static void a_packet_whose_turn_it_is_not_is_not_taken_for_the_one_that_leaves(void **state)
{
  (void)state;
  params.order = HD_ORDER_FLOWS;
  in(10, 0, 0, SINGLE, to(2, 1));
  in(11, 0, 0, SINGLE, to(2, 7));
  in(12, 1, 0, SINGLE, to(2, 7));
  out(16, 2, 0, SINGLE, to(2, 7)); /* of port 1 */
  out(18, 2, 0, SINGLE, to(2, 1));
  out(20, 2, 0, SINGLE, to(2, 7));
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* A switch may keep thousands of packets: the one that looks alike and is taken for the one that left is not forgotten. */
static void packets_behind_thousands_of_others_are_not_forgotten(void **state)
{
  enum { MANY = 6000 };
  static struct hd_flit_event came[2 + MANY];
  const struct hd_flit_event left[] = {{to(2, 1), MANY + 20, 2, 0, SINGLE, 0}, /* of port 0 */
                                       {to(2, 100), MANY + 21, 2, 0, SINGLE, 0},
                                       {to(2, 1), MANY + 22, 2, 0, SINGLE, 0}};
  struct hd_port_events window = {.cycles = MANY + 30, .flits_in = came, .flits_out = left};
  struct hd_port_break broken;
  (void)state;
  params.held_cycles = 10 * MANY;
  came[0] = (struct hd_flit_event){to(2, 1), 10, 1, 0, SINGLE, 0};
  came[1] = (struct hd_flit_event){to(2, 1), 11, 0, 0, SINGLE, 0};
  for (uint32_t i = 0; i < MANY; i++)
    came[2 + i] = (struct hd_flit_event){to(2, 100 + i), 12 + i, 0, 0, SINGLE, 0};
  window.n_flits_in = 2 + MANY;
  window.n_flits_out = 3;
  struct hd_port_watch *watch = open_watch();
  assert_int_equal(hd_port_watch_switch(watch, 0, &window, &broken), HD_OK);
  if (broken.rule != HD_PORT_NONE)
    fail_msg("%s", broken.what);
  hd_port_watch_destroy(watch);
}

/* What waits since earlier is told, whatever its port. */
static void of_several_waits_the_one_that_began_first_is_told(void **state)
{
  (void)state;
  packet_in(20, 0, 0, 2, 1);
  packet_in(10, 3, 1, 1, 2);
  expect(HD_PORT_MISSING, 96, 3, 1);
}

/* A packet whose output has no credit, or sends all the time, is not held. With two channels the packet may have chosen
 * the one without a credit. */
static void wait_for_a_credit(uint32_t vcs)
{
  params.sw.vcs = vcs;
  for (unsigned i = 0; i < 5; i++)
    in(10 + 4 * i, 0, 0, SINGLE, to(2, i));
  for (unsigned i = 0; i < 4; i++)
    out(14 + 4 * i, 2, 0, SINGLE, to(2, i));
  events[0].n_credits_in = 0;
  credit(events[0].credits_in, &events[0].n_credits_in,
         (struct hd_credit_event){.cycle = 2000, .port = 2, .vcs = 1});
  out(2010, 2, 0, SINGLE, to(2, 4));
  events[0].n_credits_in = 1;
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_packet_that_cannot_leave_is_not_held(void **state)
{
  (void)state;
  wait_for_a_credit(1);
  wait_for_a_credit(2);
}

static void pass_by(unsigned others)
{
  in(10, 0, 0, SINGLE, to(2, 1));
  for (unsigned i = 0; i < others; i++) {
    in(12 + 4 * i, 1, 0, SINGLE, to(2, 1000 + i));
    out(16 + 4 * i, 2, 0, SINGLE, to(2, 1000 + i));
  }
  out(20 + 4 * others, 2, 0, SINGLE, to(2, 1));
}

/* Many may pass if each input port has its turn. */
static void a_packet_that_many_ports_pass_is_not_starved(void **state)
{
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  for (unsigned i = 0; i < 200; i++) {
    in(12 + 4 * i, 1 + 2 * (i % 2), 0, SINGLE, to(2, 1000 + i));
    out(16 + 4 * i, 2, 0, SINGLE, to(2, 1000 + i));
  }
  out(820, 2, 0, SINGLE, to(2, 1));
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_packet_that_is_passed_by_for_long_is_starved(void **state)
{
  (void)state;
  pass_by(100);
  params.starved_heads = 128;
  expect(HD_PORT_NONE, 0, 0, 0);
  pass_by(400);
  expect(HD_PORT_STARVED, 576, 0, 0); /* 64 times the channels of a port are 128 */
  pass_by(400);
  params.starved_heads = 128;
  for (uint32_t cycles = 1; cycles <= 64; cycles += 63) {
    const struct hd_port_break b = judge(cycles);
    assert_int_equal(b.rule, HD_PORT_STARVED);
    assert_int_equal(b.port, 0);
    assert_int_equal(b.since, 10);
    assert_true(b.cycle > 12 + 4 * 128 && b.cycle < 12 + 4 * 128 + 96);
  }
}

/* Inside of a network a packet may wait for others: it is late when all stands still (§6.8). */
static void a_packet_in_a_network_may_wait_while_others_move(void **state)
{
  (void)state;
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1);
  for (unsigned i = 0; i < 100; i++) {
    in(20 + 4 * i, 0, 0, SINGLE, to(1, i));
    out(24 + 4 * i, 1, 0, SINGLE, to(1, i));
  }
  packet_out(600, 2, 0, 2, 1);
  expect(HD_PORT_NONE, 0, 0, 0);
}

/* The credits of node 1 come late, and what is for node 2 is behind what is for node 1. */
static void a_network_may_stand_still_for_an_endpoint(void **state)
{
  (void)state;
  params.is_network = true;
  params.sw.vcs = 1;
  for (unsigned i = 0; i < 5; i++)
    in(10 + 4 * i, 0, 0, SINGLE, to(1, i));
  packet_in(40, 3, 0, 2, 9);
  for (unsigned i = 0; i < 4; i++)
    out(14 + 4 * i, 1, 0, SINGLE, to(1, i));
  events[0].n_credits_in = 0;
  for (unsigned i = 0; i < 4; i++)
    credit(events[0].credits_in, &events[0].n_credits_in,
           (struct hd_credit_event){.cycle = 2000 + i, .port = 1, .vcs = 1});
  out(2010, 1, 0, SINGLE, to(1, 4));
  packet_out(2012, 2, 0, 2, 9);
  expect(HD_PORT_NONE, 0, 0, 0);
}

static void a_network_that_stands_still_is_found(void **state)
{
  (void)state;
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1); /* since cycle 13; the look after 500 more */
  expect(HD_PORT_MISSING, 544, 3, 1);
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1);
  packet_in(20, 0, 0, 2, 2);
  events[0].n_credits_out -= 2; /* it takes no more by another port */
  expect(HD_PORT_HELD, 544, 0, 0);
  params.is_network = true;
  packet_in(10, 3, 1, 2, 1);
  params.held_cycles = 100;
  expect(HD_PORT_MISSING, 128, 3, 1);
}

/* Endpoint n is at port n, however many there are, and no table says so. */
static void a_network_may_have_many_endpoints(void **state)
{
  enum { ENDPOINTS = 200, FROM = 150, TO = 180, NEAR = TO - 16, NUMBER = 16 };
  static struct hd_peer ends[ENDPOINTS];
  (void)state;
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

/* Chains of fair arbiters give the farthest of n endpoints one turn of 2ⁿ⁻¹. */
static void arbiters_of_a_network_are_allowed_to_halve_shares(void **state)
{
  (void)state;
  static const struct {
    bool is_network;
    uint32_t ports, most;
  } cases[] = {{false, 4, 128}, {true, 4, 128}, {true, 9, 256}, {true, 16, 32768}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_port_watch *watch;
    struct hd_error err = {""};
    params.sw.ports = params.sw.nodes = cases[i].ports;
    params.is_network = cases[i].is_network;
    assert_int_equal(hd_port_watch_create(&watch, &params, &err), HD_OK);
    assert_int_equal(watch->params.starved_heads, cases[i].most);
    hd_port_watch_destroy(watch);
  }
}

static void outputs_that_somebody_waits_for_are_counted(void **state)
{
  struct hd_port_watch *watch;
  struct hd_port_break broken;
  (void)state;
  in(10, 0, 0, SINGLE, to(2, 1));
  in(40, 0, 0, SINGLE, to(2, 2));
  out(64, 2, 0, SINGLE, to(2, 1)); /* idle in cycle 32, busy in 64 */
  out(66, 2, 0, SINGLE, to(2, 2));
  watch = open_watch();
  assert_int_equal(play(watch, 0, 0, 200, &broken), HD_OK);
  assert_int_equal(broken.rule, HD_PORT_NONE);
  assert_int_equal(hd_port_watch_counts(watch).wanted, 1);
  assert_int_equal(hd_port_watch_counts(watch).idle, 1);
  hd_port_watch_destroy(watch);
}

static void an_output_that_is_x_is_found_before_what_follows_from_it(void **state)
{
  const struct hd_flit_event made_up = {.cycle = 9, .kind = SINGLE, .port = 2, .data = to(2, 1)};
  struct hd_port_unknown unknown = {.cycle = 9, .port = 2, .vc = 1, .pin = "out_data_o"};
  const struct hd_port_events four_state = {
      .cycles = 20, .flits_out = &made_up, .n_flits_out = 1, .unknown = &unknown};
  struct hd_port_events two_state = four_state;
  struct hd_port_watch *watch = open_watch();
  struct hd_port_break b;
  (void)state;
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

/* ── networks ──────────────────────────────────────────────────────────────── */

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
    const uint64_t head = to((sw + (sw ? 2 : hops)) % RING, sw);
    in_of(sw, 10, 0, 0, HEAD, head);
    out_of(sw, 14, 1, 0, HEAD, head);
    in_of((sw + 1) % RING, 14, 2, 0, HEAD, head);
    in_of(sw, 15, 0, 0, TAIL, 5);
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
  struct hd_port_watch *watch = open_watch();
  for (unsigned sw = 0; sw < RING; sw++) {
    assert_int_equal(play(watch, sw, 0, 90, broken), HD_OK);
    assert_int_equal(broken->rule, HD_PORT_NONE);
  }
  assert_false(hd_port_watch_deadlock(watch, 40, broken, circle, size));
  const bool found = hd_port_watch_deadlock(watch, 90, broken, circle, size);
  assert_int_equal(hd_port_watch_deadlock(watch, 90, broken, circle, size), found);
  hd_port_watch_destroy(watch);
  return found;
}

static void a_circle_of_packets_is_found(void **state)
{
  struct hd_port_break broken;
  char circle[2000];
  unsigned lines = 0;
  (void)state;
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

static void packets_that_one_of_them_lets_go_are_no_circle(void **state)
{
  struct hd_port_break broken;
  (void)state;
  send_around(1); /* it can leave by port 0 of switch 1 */
  assert_false(find_circle(&broken, NULL, 0));
}

/* A second channel is free in each output, but packets wait for the whole output. */
static void a_circle_through_outputs_that_one_packet_keeps_is_found(void **state)
{
  struct hd_port_break broken;
  (void)state;
  send_around(2);
  params.sw.vcs = 2;
  struct hd_port_watch *watch = open_watch();
  for (unsigned sw = 0; sw < RING; sw++) {
    assert_int_equal(play(watch, sw, 0, 300, &broken), HD_OK);
    assert_int_equal(broken.rule, HD_PORT_NONE);
  }
  assert_false(hd_port_watch_deadlock(watch, 256, &broken, NULL, 0));
  assert_true(hd_port_watch_deadlock(watch, 300, &broken, NULL, 0));
  assert_int_equal(broken.since, 15);
  hd_port_watch_destroy(watch);
}

/* In switch 0 the packet of port 3 holds the output; that of port 0 looks alike and can leave by another port, too. */
static void a_packet_that_may_not_be_the_one_that_leaves_is_in_no_circle(void **state)
{
  struct events *e = &events[0];
  struct hd_port_break broken;
  (void)state;
  send_around(2);
  params.sw.adaptive = 1;
  e->writes[0] = (struct hd_config_event){.cycle = 1, .addr = HD_CFG_ADAPT, .data = 1};
  e->writes[1] =
      (struct hd_config_event){.cycle = 2, .addr = HD_CFG_PORT_SET(0, 2), .data = 1 << 3};
  e->n_writes = 2;
  in_of(0, 11, 3, 0, HEAD, to(2, 0));
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

static void a_way_is_right_by_the_rule_that_is_stated(void **state)
{
  /* Ports of switch 0 for nodes: dimension order corrects the first dimension first; both ways to node 3 are minimal;
   * by port 2 node 1 is farther; by port 0 a packet comes to another node. */
  static const unsigned ways[][2] = {{3, 1}, {3, 2}, {1, 2}, {3, 0}};
  static const bool right[][4] = {[HD_ROUTES_DIMENSION_ORDER] = {true, false, false, false},
                                  [HD_ROUTES_MINIMAL] = {true, true, false, false},
                                  [HD_ROUTES_ANY] = {true, true, true, false}};
  (void)state;
  for (unsigned routes = HD_ROUTES_DIMENSION_ORDER; routes <= HD_ROUTES_ANY; routes++)
    for (unsigned i = 0; i < 4; i++) {
      const unsigned node = ways[i][0], port = ways[i][1];
      mesh((enum hd_port_routes)routes);
      in(10, 0, 0, SINGLE, to(node, 1));
      out(13, port, 1, SINGLE, to(node, 1));
      expect(right[routes][i] ? HD_PORT_NONE : HD_PORT_ROUTE, 13, port, 1);
    }
}

static void a_stated_rule_knows_virtual_networks(void **state)
{
  (void)state;
  for (unsigned node = 3; node < 12; node += 4) { /* of three networks two are there */
    mesh(HD_ROUTES_MINIMAL);
    params.sw.nodes = 16;
    params.networks = 2;
    in(10, 0, 0, SINGLE, to(node, 1));
    out(13, 1, 1, SINGLE, to(node, 1));
    expect(node < 8 ? HD_PORT_NONE : HD_PORT_ORIGIN, 13, 1, 1);
  }
}

static void dimension_order_needs_dimensions(void **state)
{
  struct hd_port_watch *watch;
  struct hd_error err = {""};
  (void)state;
  mesh(HD_ROUTES_DIMENSION_ORDER);
  params.n_dims = 0;
  assert_int_equal(hd_port_watch_create(&watch, &params, &err), HD_E_INPUT);
  assert_null(watch);
}

static void the_way_of_a_packet_is_what_its_switches_saw(void **state)
{
  struct hd_port_watch *watch;
  struct hd_port_break broken;
  char way[400];
  (void)state;
  ring();
  params.sw.depth_flits = 4;
  in_of(0, 10, 0, 0, SINGLE, to(2, 7));
  out_of(0, 14, 1, 0, SINGLE, to(2, 7));
  in_of(1, 14, 2, 0, SINGLE, to(2, 7));
  out_of(1, 18, 0, 0, SINGLE, to(2, 7));
  watch = open_watch();
  assert_int_equal(play(watch, 0, 0, 64, &broken), HD_OK);
  assert_int_equal(play(watch, 1, 0, 64, &broken), HD_OK);
  assert_int_equal(broken.rule, HD_PORT_ROUTE);
  hd_port_watch_way(watch, &broken, way, sizeof way);
  assert_string_equal(way,
                      "switch 0 (in by port 0, channel 0, cycle 10; out by 1, 0, 14), switch 1 "
                      "(in by port 2, channel 0, cycle 14; out by 0, 0, 18)");
  hd_port_watch_destroy(watch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(packets_that_leave_as_they_came_break_no_rule, setup),
      cmocka_unit_test_setup(a_lost_flit_is_found, setup),
      cmocka_unit_test_setup(swapped_flits_are_found, setup),
      cmocka_unit_test_setup(a_doubled_flit_is_found, setup),
      cmocka_unit_test_setup(a_damaged_flit_is_found, setup),
      cmocka_unit_test_setup(a_tail_that_leaves_as_a_body_is_damaged, setup),
      cmocka_unit_test_setup(a_made_up_flit_is_found, setup),
      cmocka_unit_test_setup(a_flit_of_another_packet_is_found, setup),
      cmocka_unit_test_setup(a_packet_that_leaves_twice_is_found, setup),
      cmocka_unit_test_setup(a_packet_on_a_wrong_way_is_found, setup),
      cmocka_unit_test_setup(packets_with_equal_heads_are_told_apart_by_their_flits, setup),
      cmocka_unit_test_setup(equal_packets_of_two_ports_are_no_fault_in_either_order, setup),
      cmocka_unit_test_setup(equal_packets_of_one_port_are_no_fault_beside_one_of_another, setup),
      cmocka_unit_test_setup(a_table_that_is_written_counts_for_packets_inside_or_not, setup),
      cmocka_unit_test_setup(a_packet_without_a_way_may_be_discarded, setup),
      cmocka_unit_test_setup(packets_against_the_promised_order_are_found, setup),
      cmocka_unit_test_setup(a_packet_that_others_pass_is_lost, setup),
      cmocka_unit_test_setup(a_packet_that_does_not_leave_is_lost_or_held, setup),
      cmocka_unit_test_setup(what_is_there_at_the_end_is_named_where_it_came_in, setup),
      cmocka_unit_test_setup(a_credit_that_does_not_come_back_is_missed_when_its_channel_is_quiet,
                             setup),
      cmocka_unit_test_setup(a_credit_that_comes_late_or_cannot_be_counted_is_not_missed, setup),
      cmocka_unit_test_setup(a_packet_that_may_not_be_the_one_that_leaves_is_not_held, setup),
      cmocka_unit_test_setup(a_packet_behind_another_may_be_the_one_that_leaves, setup),
      cmocka_unit_test_setup(a_packet_whose_turn_it_is_not_is_not_taken_for_the_one_that_leaves,
                             setup),
      cmocka_unit_test_setup(packets_behind_thousands_of_others_are_not_forgotten, setup),
      cmocka_unit_test_setup(of_several_waits_the_one_that_began_first_is_told, setup),
      cmocka_unit_test_setup(a_packet_that_cannot_leave_is_not_held, setup),
      cmocka_unit_test_setup(a_packet_that_many_ports_pass_is_not_starved, setup),
      cmocka_unit_test_setup(a_packet_that_is_passed_by_for_long_is_starved, setup),
      cmocka_unit_test_setup(a_packet_in_a_network_may_wait_while_others_move, setup),
      cmocka_unit_test_setup(a_network_may_stand_still_for_an_endpoint, setup),
      cmocka_unit_test_setup(a_network_that_stands_still_is_found, setup),
      cmocka_unit_test_setup(a_network_may_have_many_endpoints, setup),
      cmocka_unit_test_setup(arbiters_of_a_network_are_allowed_to_halve_shares, setup),
      cmocka_unit_test_setup(outputs_that_somebody_waits_for_are_counted, setup),
      cmocka_unit_test_setup(an_output_that_is_x_is_found_before_what_follows_from_it, setup),
      cmocka_unit_test_setup(a_circle_of_packets_is_found, setup),
      cmocka_unit_test_setup(a_circle_through_outputs_that_one_packet_keeps_is_found, setup),
      cmocka_unit_test_setup(packets_that_one_of_them_lets_go_are_no_circle, setup),
      cmocka_unit_test_setup(a_packet_that_may_not_be_the_one_that_leaves_is_in_no_circle, setup),
      cmocka_unit_test_setup(a_way_is_right_by_the_rule_that_is_stated, setup),
      cmocka_unit_test_setup(a_stated_rule_knows_virtual_networks, setup),
      cmocka_unit_test_setup(dimension_order_needs_dimensions, setup),
      cmocka_unit_test_setup(the_way_of_a_packet_is_what_its_switches_saw, setup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
