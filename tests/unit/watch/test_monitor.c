/* The monitor of a router (bridge/watch/monitor.h): each rule from pins, right ones beside it, sizes that are refused.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/watch/monitor.h"

#include "../../../bridge/watch/monitor_pins.h"
#include "../../../cmodel/error.h"
#include "../lib/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 4, NODES = 4 };

static struct hd_monitor_params params;
static struct hd_monitor_port pins[PORTS];
static uint32_t data[PORTS][2];
static struct hd_monitor *monitor;

static void begin(enum hd_monitor_links links)
{
  params = (struct hd_monitor_params){.ports = PORTS,
                                      .vcs = 2,
                                      .data_bits = 32,
                                      .nodes = NODES,
                                      .links = links,
                                      .depth_flits = links == HD_MONITOR_CREDITS ? 4 : 0};
}

static void create(void)
{
  struct hd_error err;
  if (hd_monitor_create(&monitor, &params, &err))
    fail_msg("%s", err.text);
}

/* Node n is at port n. */
static void create_routed(void)
{
  create();
  for (uint32_t node = 0; node < NODES; node++)
    assert_int_equal(hd_monitor_route(monitor, HD_MONITOR_ANY_PORT, node, 1u << node, 0, NULL), 0);
}

/* A flit at a port; data are its first word. `kind`: "h" first, "b", "t" last, "s" both. */
static void show(struct hd_monitor_side *side, uint32_t *word, char kind, uint32_t node,
                 uint32_t number)
{
  *word = number;
  side->valid = true;
  side->first = kind == 'h' || kind == 's';
  side->last = kind == 't' || kind == 's';
  side->node = node;
  side->data = word;
}
static void in(unsigned port, char kind, uint32_t node, uint32_t number)
{
  show(&pins[port].in, &data[port][0], kind, node, number);
}
static void out(unsigned port, char kind, uint32_t node, uint32_t number)
{
  show(&pins[port].out, &data[port][1], kind, node, number);
}

static int cycle_with(uint8_t back)
{
  for (int p = 0; p < PORTS; p++)
    pins[p].in.back = pins[p].out.back = back;
  const int status = hd_monitor_cycle(monitor, pins);
  memset(pins, 0, sizeof pins);
  return status;
}
/* All are ready, or no credits. */
static int cycle(void)
{
  return cycle_with(params.links == HD_MONITOR_CREDITS ? 0 : 3);
}

static void finish(const char *rule, const char *says)
{
  if (strcmp(hd_monitor_rule(monitor), rule) || !strstr(hd_monitor_says(monitor), says))
    fail_msg("rule \"%s\" with \"%s\" was expected, and it says: %s", rule, says,
             hd_monitor_says(monitor));
  hd_monitor_destroy(monitor);
}

/* ── routers that are right ────────────────────────────────────────────────── */

TEST(a_flit_may_leave_in_the_cycle_in_which_it_came)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 's', 1, 7);
  out(1, 's', 1, 7);
  assert_int_equal(cycle(), 0);
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("",
         "1 flits came in, 1 flits and 1 whole packets left in 1 cycles, and no rule was broken");
}

TEST(the_verdict_names_what_was_not_watched)
{
  begin(HD_MONITOR_READY);
  create();
  finish("", "not watched: P1 to P3 (no credits), P5 (all outputs are linked), P7 (no routes are "
             "known), P12 (no order is promised), P16");
  begin(HD_MONITOR_CREDITS);
  params.nodes = 0;
  create();
  finish("", "P7 (no routes are known), P12 (no order is promised), P16");
}

/* Packets of three flits from each port to each other, whose flits wait in the router for some cycles. */
static void packets_that_pass_break_nothing(enum hd_monitor_links links, uint32_t bits)
{
  enum { PACKETS = 200, FLITS = 3 * PACKETS, DELAY = 2 };
  begin(links);
  params.data_bits = bits;
  create_routed();
  static const char kinds[] = "hbt";
  for (uint32_t i = 0; i < FLITS + DELAY; i++) {
    for (unsigned p = 0; p < PORTS; p++) {
      const uint32_t was = i - DELAY;
      const unsigned port = (p + was / 3) % NODES;
      if (i < FLITS)
        in(p, kinds[i % 3], (p + i / 3) % NODES, i * PORTS + p);
      if (i >= DELAY)
        out(port, kinds[was % 3], port, was * PORTS + p);
      pins[p].in.back = links == HD_MONITOR_CREDITS ? i >= DELAY : 3;
      pins[p].out.back = links == HD_MONITOR_CREDITS ? i > DELAY : 3;
    }
    if (hd_monitor_cycle(monitor, pins))
      fail_msg("%s", hd_monitor_says(monitor));
    memset(pins, 0, sizeof pins);
  }
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("", "2400 flits came in, 2400 flits and 800 whole packets left");
}

TEST(right_routers_break_nothing)
{
  packets_that_pass_break_nothing(HD_MONITOR_READY, 32);
  packets_that_pass_break_nothing(HD_MONITOR_CREDITS, 32);
  packets_that_pass_break_nothing(HD_MONITOR_ONOFF, 32);
}

TEST(a_header_that_the_router_changes_is_masked)
{
  const uint32_t kept = 0xffffff00;
  begin(HD_MONITOR_READY);
  params.kept = &kept;
  create_routed();
  in(0, 'h', 1, 0x703);
  cycle();
  in(0, 't', 1, 0x805);
  out(1, 'h', 1, 0x702); /* one hop less */
  assert_int_equal(cycle(), 0);
  out(1, 't', 1, 0x804); /* what follows is no header */
  assert_int_equal(cycle(), 1);
  finish("P9", "a tail with data 0x804 left by port 1 on channel 0 as flit 1 of head to node 1; a "
               "tail with data 0x805");
}

TEST(a_wire_that_says_first_is_not_needed)
{
  begin(HD_MONITOR_READY);
  params.no_first = true;
  create_routed();
  for (uint32_t i = 0; i < 6; i++) {
    in(0, i % 3 == 2 ? 't' : 'b', 1, i);
    out(1, i % 3 == 2 ? 't' : 'b', 1, i);
    assert_int_equal(cycle(), 0);
  }
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("", "2 whole packets");
}

TEST(ready_may_wait_for_valid)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 'h', 1, 1);
  cycle();
  for (int i = 0; i < 200; i++) { /* the router waits for the whole packet */
    pins[1].out.back = 3;
    assert_int_equal(hd_monitor_cycle(monitor, pins), 0);
  }
  in(0, 't', 1, 2);
  cycle();
  out(1, 'h', 1, 1);
  cycle();
  out(1, 't', 1, 2);
  assert_int_equal(cycle(), 0);
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("", "1 whole packets");
}

TEST(without_routes_packets_may_change_places)
{
  begin(HD_MONITOR_READY);
  create();
  in(0, 's', 1, 1);
  cycle();
  in(0, 's', 1, 2);
  cycle();
  out(2, 's', 1, 2);
  cycle();
  out(3, 's', 1, 1);
  assert_int_equal(cycle(), 0);
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("", "2 whole packets");
}

TEST(a_reset_forgets_what_was_inside)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 'h', 1, 1);
  cycle();
  hd_monitor_reset(monitor);
  assert_int_equal(hd_monitor_route(monitor, 0, 3, 1, 0, NULL), 0);
  in(0, 's', 3, 2);
  out(0, 's', 3, 2); /* by the new route */
  assert_int_equal(cycle(), 0);
  assert_int_equal(hd_monitor_end(monitor), 0);
  finish("", "in 3 cycles");
}

/* ── routers that are wrong ────────────────────────────────────────────────── */

TEST(a_way_that_no_route_allows)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(2, 's', 1, 9);
  cycle();
  out(3, 's', 1, 9);
  assert_int_equal(cycle(), 1);
  assert_int_equal(cycle(), 0);
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("P7", "(cycle 1, output port 3, channel 0): single to node 1 left by port 3, the table "
               "says port 1; packet for "
               "node 1 that came in by port 2 on channel 0 in cycle 0");
}

TEST(one_of_several_ways)
{
  begin(HD_MONITOR_READY);
  create();
  assert_int_equal(hd_monitor_route(monitor, -1, 1, 0xc, 0, NULL), 0);
  in(0, 's', 1, 1);
  out(2, 's', 1, 1);
  assert_int_equal(cycle(), 0);
  in(0, 's', 1, 2);
  out(3, 's', 1, 2);
  assert_int_equal(cycle(), 0);
  in(0, 's', 1, 3);
  out(1, 's', 1, 3);
  assert_int_equal(cycle(), 1);
  finish("P7", "the table says port 2 or 3");
}

TEST(flits_that_were_damaged_lost_or_doubled)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 's', 1, 0x1000);
  cycle();
  out(1, 's', 1, 0x1001);
  assert_int_equal(cycle(), 1);
  finish("P9", "data 0x1001");
  create_routed();
  in(0, 's', 1, 5);
  out(1, 's', 1, 5);
  cycle();
  out(1, 's', 1, 5);
  assert_int_equal(cycle(), 1);
  finish("P8", "left twice");
  create_routed();
  in(0, 's', 1, 5);
  cycle();
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("P13", "1 of its 1 flits did not leave; packet");
}

TEST(a_wide_flit_is_known_by_all_its_bits)
{
  uint32_t wide[32] = {0}, other[32] = {0};
  begin(HD_MONITOR_READY);
  params.data_bits = 1000;
  create_routed();
  for (int bit = 0; bit < 1024; bit += 333) {
    in(0, 's', 1, 0);
    out(1, 's', 1, 0);
    wide[bit / 32] ^= 1u << bit % 32;
    pins[0].in.data = wide;
    pins[1].out.data = wide;
    assert_int_equal(cycle(), 0);
  }
  in(0, 's', 1, 0);
  pins[0].in.data = wide;
  cycle();
  out(1, 's', 1, 0);
  memcpy(other, wide, sizeof wide);
  other[500 / 32] ^= 1u << 500 % 32;
  pins[1].out.data = other;
  assert_int_equal(cycle(), 1);
  finish("P9", "digest 0x");
}

TEST(a_flit_that_is_offered_stays)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 's', 1, 5);
  cycle();
  out(1, 's', 1, 5);
  assert_int_equal(cycle_with(0), 0);
  assert_int_equal(cycle(), 1);
  finish("V1", "(cycle 2, output port 1, channel 0): the flit that was offered in cycle 1 is not "
               "offered any more");
  create_routed();
  in(0, 's', 1, 5);
  cycle();
  out(1, 's', 1, 5);
  cycle_with(0);
  out(1, 's', 1, 6);
  assert_int_equal(cycle_with(0), 1);
  finish("V1", "has changed");
  params.may_withdraw = true;
  create_routed();
  in(0, 's', 1, 5);
  cycle();
  out(1, 's', 1, 5);
  cycle_with(0);
  assert_int_equal(cycle(), 0);
  finish("", "V1 (switched off)");
}

TEST(nothing_is_sent_while_a_channel_is_off)
{
  begin(HD_MONITOR_ONOFF);
  create_routed();
  for (uint32_t i = 0; i < 2; i++) {
    in(0, 's', 1, i);
    out(1, 's', 1, i);
    pins[0].in.back = 3;
    pins[1].out.back = i == 0 ? 3 : 2; /* off in cycle 1 */
    assert_int_equal(hd_monitor_cycle(monitor, pins), 0);
    memset(pins, 0, sizeof pins);
  }
  in(0, 's', 1, 9);
  out(1, 's', 1, 9);
  pins[0].in.back = 3;
  pins[1].out.back = 2;
  assert_int_equal(hd_monitor_cycle(monitor, pins), 1);
  memset(pins, 0, sizeof pins);
  finish("V2", "the channel is off since cycle 1");
}

TEST(credits_are_counted)
{
  begin(HD_MONITOR_CREDITS);
  create_routed();
  for (uint32_t i = 0; i < 4; i++) {
    in(0, 's', 1, 2 * i);
    in(2, 's', 1, 2 * i + 1);
    assert_int_equal(cycle(), 0);
  }
  for (uint32_t i = 0; i < 4; i++) {
    out(1, 's', 1, 2 * i);
    assert_int_equal(cycle(), 0);
  }
  out(1, 's', 1, 1);
  assert_int_equal(cycle(), 1);
  finish("P1", "whose receiver has no free slot of 4");
  create_routed();
  pins[3].in.back = 2;
  assert_int_equal(hd_monitor_cycle(monitor, pins), 1);
  memset(pins, 0, sizeof pins);
  finish("P2", "(cycle 0, input port 3, channel 1)");
  create_routed();
  in(0, 's', 1, 2);
  out(1, 's', 1, 2);
  cycle();
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("P3", "1 credit is owed at input port 0");
}

TEST(framing_is_watched)
{
  begin(HD_MONITOR_READY);
  create_routed();
  out(1, 'b', 1, 5);
  assert_int_equal(cycle(), 1);
  finish("P4", "where no packet is under way");
  create_routed();
  out(1, 's', 1, 5);
  pins[1].out.vc = 2;
  assert_int_equal(cycle(), 1);
  finish("P4", "channels are 0 to 1");
}

TEST(an_output_without_a_link)
{
  begin(HD_MONITOR_READY);
  params.unlinked = 1 << 3;
  create();
  in(0, 's', 1, 5);
  out(3, 's', 1, 5);
  assert_int_equal(cycle(), 1);
  finish("P5", "left by port 3, which has no link");
}

TEST(what_can_leave_leaves)
{
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 's', 1, 5);
  int status = cycle();
  for (int i = 0; i < 200 && !status; i++)
    status = cycle_with(i < 90 ? 0 : 3); /* ready since cycle 91 */
  assert_int_equal(status, 1);
  finish("P14", "could leave by port 1 since cycle 91 and has not; packet");
}

TEST(a_pin_that_is_unknown)
{
  begin(HD_MONITOR_READY);
  params.four_state = true;
  create();
  hd_monitor_unknown(monitor, true, false, 3);
  assert_int_equal(cycle(), 1);
  assert_int_equal(cycle(), 0);
  finish("P17", "(cycle 0, output port 3, channel 0): valid or a valid flit is X or Z");
  create();
  hd_monitor_unknown(monitor, true, true, 3);
  assert_int_equal(cycle(), 1);
  finish("B1", "a wire against the flits is X or Z");
}

/* ── benches that are wrong ────────────────────────────────────────────────── */

TEST(the_bench_is_told_from_the_router)
{
  begin(HD_MONITOR_CREDITS);
  create_routed();
  in(0, 't', 1, 5);
  assert_int_equal(cycle(), 1);
  finish("B1", "the bench sent a flit that is not a first one");
  create_routed();
  in(0, 's', 4, 5);
  assert_int_equal(cycle(), 1);
  finish("B1", "the bench sent a packet to node 4; nodes are 0 to 3");
  create_routed();
  for (uint32_t i = 0; i < 4; i++) {
    in(0, 's', 1, i);
    assert_int_equal(cycle(), 0);
  }
  in(0, 's', 1, 4);
  assert_int_equal(cycle(), 1);
  finish("B1", "none of the 4 slots is free");
  create_routed();
  pins[2].out.back = 1;
  assert_int_equal(hd_monitor_cycle(monitor, pins), 1);
  memset(pins, 0, sizeof pins);
  finish("B1", "the bench gave a credit, and all slots are free");
  create_routed();
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("B1", "nothing was judged");
  begin(HD_MONITOR_READY);
  create_routed();
  in(0, 'h', 1, 5);
  cycle();
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("B1", "the bench has not sent the last flit");
  create_routed();
  in(0, 's', 1, 5);
  cycle();
  out(1, 's', 1, 5);
  cycle_with(0);
  assert_int_equal(hd_monitor_end(monitor), 1);
  finish("B1", "the bench has not taken the flit that is offered");
}

TEST(sizes_that_cannot_be_are_refused)
{
  static const struct {
    size_t member;
    uint32_t value;
    const char *says;
  } cases[] = {
#define CASE(member, value, says) {offsetof(struct hd_monitor_params, member), value, says}
      CASE(ports, 1, "ports is 1; it must be 2 to 16"),
      CASE(ports, 17, "ports is 17"),
      CASE(vcs, 0, "vcs is 0; it must be 1 to 8"),
      CASE(vcs, UINT32_MAX, "vcs is 4294967295"),
      CASE(data_bits, 0, "data_bits is 0; it must be 1 to 1024"),
      CASE(data_bits, 1025, "data_bits is 1025"),
      CASE(nodes, UINT32_MAX, "nodes is 4294967295; it must be 0 to"),
      CASE(links, 3, "links is 3"),
      CASE(depth_flits, 4, "depth_flits without credits is 4"),
      CASE(unlinked, 0x10, "unlinked is 0x10, which names ports above 3"),
#undef CASE
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_error err;
    begin(HD_MONITOR_READY);
    memcpy((char *)&params + cases[i].member, &cases[i].value, sizeof cases[i].value);
    assert_int_equal(hd_monitor_create(&monitor, &params, &err), HD_E_INPUT);
    assert_null(monitor);
    if (!strstr(err.text, cases[i].says))
      fail_msg("%s, not %s", err.text, cases[i].says);
  }
  struct hd_error err;
  begin(HD_MONITOR_READY);
  params.order = "networks";
  assert_int_equal(hd_monitor_create(&monitor, &params, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "order is \"networks\"; it must be"));
}

TEST(routes_that_cannot_be_are_refused)
{
  struct hd_error err;
  begin(HD_MONITOR_READY);
  create();
  assert_int_equal(hd_monitor_route(monitor, 4, 0, 1, 0, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "input port 4"));
  assert_int_equal(hd_monitor_route(monitor, 0, 4, 1, 0, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "node 4"));
  assert_int_equal(hd_monitor_route(monitor, 0, 0, 0x10, 0, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "the ports 0x10"));
  assert_int_equal(hd_monitor_route(monitor, 0, 0, 3, 1, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "of one port"));
  cycle();
  assert_int_equal(hd_monitor_route(monitor, 0, 0, 1, 0, &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "before the first cycle"));
  hd_monitor_destroy(monitor);
  hd_monitor_destroy(NULL);
}

/* ── by numbers ────────────────────────────────────────────────────────────── */

TEST(calls_by_numbers_find_the_same)
{
  const uint32_t all[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  uint32_t flit[32] = {0xabc};
  void *p = hd_pins_open(4, 2, 40, 4, "ready", 0, 0, "", 0, 0, 0, 0, 0, 0, NULL);
  assert_int_equal(hd_pins_refused(p), 0);
  assert_int_equal(hd_pins_route(p, -1, 2, 4, 0), 0);
  hd_pins_flit(p, 0, 0, 1, 1, 1, 2, flit);
  hd_pins_flit(p, 1, 2, 1, 1, 1, 2, flit);
  assert_int_equal(hd_pins_cycle(p, all, all), 0);
  hd_pins_reset(p);
  hd_pins_flit(p, 0, 0, 1, 1, 1, 2, flit);
  hd_pins_flit(p, 1, 3, 1, 1, 1, 2, flit);
  assert_int_equal(hd_pins_cycle(p, all, all), 1);
  assert_string_equal(hd_pins_rule(p), "P7");
  assert_non_null(strstr(hd_pins_says(p), "the table says port 2"));
  assert_int_equal(hd_pins_end(p), 1);
  hd_pins_close(p);
}

TEST(a_mistake_by_numbers_has_a_sentence)
{
  const uint32_t none[32] = {0};
  void *p = hd_pins_open(-1, 2, 40, 4, "ready", 0, 0, "", 0, 0, 0, 0, 0, 0, NULL);
  assert_int_equal(hd_pins_refused(p), 1);
  hd_pins_flit(p, 0, 0, 0, 1, 1, 0, none);
  assert_int_equal(hd_pins_cycle(p, none, none), -1);
  assert_int_equal(hd_pins_end(p), -1);
  assert_non_null(strstr(hd_pins_says(p), "ports is 4294967295; it must be 2 to 16"));
  hd_pins_close(p);
  p = hd_pins_open(4, 2, 40, 4, "valid", 0, 0, "", 0, 0, 0, 0, 0, 0, NULL);
  assert_non_null(
      strstr(hd_pins_says(p), "links are \"valid\"; they must be ready, credits or onoff"));
  hd_pins_close(p);
  p = hd_pins_open(4, 2, 40, 4, "", 0, 0, "", 0, 0, 0, 0, 0, 0, NULL);
  hd_pins_flit(p, 0, 4, 0, 1, 1, 0, none);
  assert_int_equal(hd_pins_cycle(p, none, none), -1);
  assert_non_null(strstr(hd_pins_says(p), "a flit is shown at port 4; ports are 0 to 3"));
  hd_pins_close(p);
  hd_pins_close(NULL);
}
