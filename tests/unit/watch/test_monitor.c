/* The monitor of a router (bridge/watch/monitor.h): each rule is broken and kept at the pins; wrong sizes are
 * refused.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/watch/monitor.h"

#include "../../../bridge/watch/monitor_pins.h"
#include "../../../cmodel/error.h"
#include "../lib/test.h"

enum { PORTS = 4, NODES = 4 };

static struct hd_monitor_params params;
static struct hd_monitor_port pins[PORTS];
static uint32_t flit[PORTS][2]; /* first words of the flits at the pins */
static struct hd_monitor *monitor;

static void begin_params(enum hd_monitor_links links)
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
  must(hd_monitor_create(&monitor, &params, &why));
}

/* Node n is at port n. */
static void create_routed(void)
{
  create();
  for (uint32_t node = 0; node < NODES; node++)
    assert_int_equal(hd_monitor_route(monitor, HD_MONITOR_ANY_PORT, node, 1u << node, 0, NULL), 0);
}

/* A flit at a port: kind 'h' is a head, 'b' a body, 't' a tail, 's' a single. Its data have one word. */
static void show_flit(struct hd_monitor_side *side, uint32_t *word, char kind, uint32_t node,
                      uint32_t number)
{
  *word = number;
  side->valid = true;
  side->first = kind == 'h' || kind == 's';
  side->last = kind == 't' || kind == 's';
  side->node = node;
  side->data = word;
}

/* One cycle. `back` is what each receiver says: ready channels, channels that are on, or credits. */
static int cycle_with(uint8_t back)
{
  for (int p = 0; p < PORTS; p++)
    pins[p].in.back = pins[p].out.back = back;
  const int status = hd_monitor_cycle(monitor, pins);
  memset(pins, 0, sizeof pins);
  return status;
}

/* One cycle with what receivers say as the test has set it at each port. */
static int cycle_as_set(void)
{
  const int status = hd_monitor_cycle(monitor, pins);
  memset(pins, 0, sizeof pins);
  return status;
}

/* Plays events that are written as text. "in0:s1=5" is a single flit for node 1 with data 5 at input 0, "out2:h3=0x10" a
 * head at output 2. "|" ends a cycle in which all receivers are ready, or give no credits; "~" ends one in which none is
 * ready. "end" ends the watch. After each of them "!" says that a rule is broken there, and not elsewhere. */
static void play(const char *events)
{
  char word[32];
  for (int n; sscanf(events, "%31s%n", word, &n) == 1; events += n) {
    const int broken = word[strlen(word) - 1] == '!';
    unsigned port, node;
    char kind, data[16];
    if (sscanf(word, "in%u:%c%u=%15s", &port, &kind, &node, data) == 4)
      show_flit(&pins[port].in, &flit[port][0], kind, node, (uint32_t)strtoul(data, NULL, 0));
    else if (sscanf(word, "out%u:%c%u=%15s", &port, &kind, &node, data) == 4)
      show_flit(&pins[port].out, &flit[port][1], kind, node, (uint32_t)strtoul(data, NULL, 0));
    else if (*word == '|')
      assert_int_equal(cycle_with(params.links == HD_MONITOR_CREDITS ? 0 : 3), broken);
    else if (*word == '~')
      assert_int_equal(cycle_with(0), broken);
    else if (!strncmp(word, "end", 3))
      assert_int_equal(hd_monitor_end(monitor), broken);
    else
      fail_msg("no event: %s", word);
  }
}

/* The monitor must name this rule, "" for none, and its sentence must have `expected_message` in it. */
static void finish(const char *rule, const char *expected_message)
{
  if (strcmp(hd_monitor_rule(monitor), rule) || !strstr(hd_monitor_says(monitor), expected_message))
    fail_msg("rule \"%s\" with \"%s\" was expected, and it says: %s", rule, expected_message,
             hd_monitor_says(monitor));
  hd_monitor_destroy(monitor);
}

/* Plays events at a router whose node n is at port n. */
static void check_events(enum hd_monitor_links links, const char *events, const char *rule,
                         const char *expected_message)
{
  begin_params(links);
  create_routed();
  play(events);
  finish(rule, expected_message);
}

/* ── routers that are right ────────────────────────────────────────────────── */

TEST(a_flit_may_leave_in_the_cycle_of_its_arrival)
{
  check_events(
      HD_MONITOR_READY, "in0:s1=7 out1:s1=7 | end", "",
      "1 flits came in, 1 flits and 1 whole packets left in 1 cycles, and no rule was broken");
}

TEST(the_verdict_names_the_rules_that_were_not_watched)
{
  begin_params(HD_MONITOR_READY);
  create();
  finish("", "not watched: P1 to P3 (no credits), P5 (all outputs are linked), P7 (no routes are "
             "known), P12 (no order is promised), P16");
  begin_params(HD_MONITOR_CREDITS);
  params.nodes = 0;
  create();
  finish("", "P7 (no routes are known), P12 (no order is promised), P16");
}

/* Packets of three flits from each port to each other, whose flits wait in the router for some cycles. */
TEST(correct_routers_break_no_rule)
{
  enum { PACKETS = 200, FLITS = 3 * PACKETS, DELAY = 2 };
  static const char kinds[] = "hbt";
  static const enum hd_monitor_links all[] = {HD_MONITOR_READY, HD_MONITOR_CREDITS,
                                              HD_MONITOR_ONOFF};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    begin_params(all[k]);
    create_routed();
    for (uint32_t i = 0; i < FLITS + DELAY; i++) {
      for (unsigned p = 0; p < PORTS; p++) {
        const uint32_t was = i - DELAY;
        const unsigned port = (p + was / 3) % NODES;
        if (i < FLITS)
          show_flit(&pins[p].in, &flit[p][0], kinds[i % 3], (p + i / 3) % NODES, i * PORTS + p);
        if (i >= DELAY)
          show_flit(&pins[port].out, &flit[port][1], kinds[was % 3], port, was * PORTS + p);
        pins[p].in.back = all[k] == HD_MONITOR_CREDITS ? i >= DELAY : 3;
        pins[p].out.back = all[k] == HD_MONITOR_CREDITS ? i > DELAY : 3;
      }
      if (cycle_as_set())
        fail_msg("%s", hd_monitor_says(monitor));
    }
    play("end");
    finish("", "2400 flits came in, 2400 flits and 800 whole packets left");
  }
}

TEST(bits_that_the_router_may_change_are_not_compared)
{
  const uint32_t kept = 0xffffff00;
  begin_params(HD_MONITOR_READY);
  params.kept = &kept;
  create_routed();
  play("in0:h1=0x703 | in0:t1=0x805 out1:h1=0x702 |"); /* one hop less */
  play("out1:t1=0x804 |!");                            /* what follows is no header */
  finish("P9", "a tail with data 0x804 left by port 1 on channel 0 as flit 1 of head to node 1; a "
               "tail with data 0x805");
}

TEST(first_flits_are_known_without_a_wire_for_them)
{
  begin_params(HD_MONITOR_READY);
  params.no_first = true;
  create_routed();
  play("in0:b1=0 out1:b1=0 | in0:b1=1 out1:b1=1 | in0:t1=2 out1:t1=2 |");
  play("in0:b1=3 out1:b1=3 | in0:b1=4 out1:b1=4 | in0:t1=5 out1:t1=5 | end");
  finish("", "2 whole packets");
}

TEST(ready_may_wait_for_valid)
{
  begin_params(HD_MONITOR_READY);
  create_routed();
  play("in0:h1=1 |");
  for (int i = 0; i < 200; i++) { /* the router waits for the whole packet */
    pins[1].out.back = 3;
    assert_int_equal(cycle_as_set(), 0);
  }
  play("in0:t1=2 | out1:h1=1 | out1:t1=2 | end");
  finish("", "1 whole packets");
}

TEST(without_routes_packets_may_leave_in_any_order)
{
  begin_params(HD_MONITOR_READY);
  create();
  play("in0:s1=1 | in0:s1=2 | out2:s1=2 | out3:s1=1 | end");
  finish("", "2 whole packets");
}

TEST(a_reset_forgets_the_packets_inside)
{
  begin_params(HD_MONITOR_READY);
  create_routed();
  play("in0:h1=1 |");
  hd_monitor_reset(monitor);
  assert_int_equal(hd_monitor_route(monitor, 0, 3, 1, 0, NULL), 0);
  play("in0:s3=2 out0:s3=2 | end"); /* by the new route */
  finish("", "in 3 cycles");
}

/* ── routers that are wrong ────────────────────────────────────────────────── */

TEST(leaving_by_a_port_that_no_route_allows_breaks_p7)
{
  check_events(
      HD_MONITOR_READY, "in2:s1=9 | out3:s1=9 |! | end!", "P7",
      "(cycle 1, output port 3, channel 0): single to node 1 left by port 3, the table says port "
      "1; packet for node 1 that came in by port 2 on channel 0 in cycle 0");
}

TEST(a_packet_may_leave_by_any_of_several_routes)
{
  begin_params(HD_MONITOR_READY);
  create();
  assert_int_equal(hd_monitor_route(monitor, -1, 1, 0xc, 0, NULL), 0);
  play("in0:s1=1 out2:s1=1 | in0:s1=2 out3:s1=2 | in0:s1=3 out1:s1=3 |!");
  finish("P7", "the table says port 2 or 3");
}

TEST(damaged_lost_and_doubled_flits_are_found)
{
  check_events(HD_MONITOR_READY, "in0:s1=0x1000 | out1:s1=0x1001 |!", "P9", "data 0x1001");
  check_events(HD_MONITOR_READY, "in0:s1=5 out1:s1=5 | out1:s1=5 |!", "P8", "left twice");
  check_events(HD_MONITOR_READY, "in0:s1=5 | end!", "P13",
               "1 of its 1 flits did not leave; packet");
}

TEST(wide_flits_are_compared_in_all_bits)
{
  uint32_t wide[32] = {0}, other[32] = {0};
  begin_params(HD_MONITOR_READY);
  params.data_bits = 1000;
  create_routed();
  for (int bit = 0; bit < 1024; bit += 333) {
    play("in0:s1=0 out1:s1=0");
    wide[bit / 32] ^= 1u << bit % 32;
    pins[0].in.data = wide;
    pins[1].out.data = wide;
    play("|");
  }
  play("in0:s1=0");
  pins[0].in.data = wide;
  play("| out1:s1=0");
  memcpy(other, wide, sizeof wide);
  other[500 / 32] ^= 1u << 500 % 32;
  pins[1].out.data = other;
  play("|!");
  finish("P9", "digest 0x");
}

TEST(withdrawing_an_offered_flit_breaks_v1)
{
  check_events(
      HD_MONITOR_READY, "in0:s1=5 | out1:s1=5 ~ |!", "V1",
      "(cycle 2, output port 1, channel 0): the flit that was offered in cycle 1 is not offered "
      "any more");
  check_events(HD_MONITOR_READY, "in0:s1=5 | out1:s1=5 ~ out1:s1=6 ~!", "V1", "has changed");
  params.may_withdraw = true;
  create_routed();
  play("in0:s1=5 | out1:s1=5 ~ |");
  finish("", "V1 (switched off)");
}

TEST(sending_while_a_channel_is_off_breaks_v2)
{
  begin_params(HD_MONITOR_ONOFF);
  create_routed();
  for (int i = 0; i < 3; i++) { /* off in cycle 1: a flit of cycle 2 breaks the rule */
    play("in0:s1=9 out1:s1=9");
    pins[0].in.back = 3;
    pins[1].out.back = i == 0 ? 3 : 2;
    assert_int_equal(cycle_as_set(), i == 2);
  }
  finish("V2", "the channel is off since cycle 1");
}

TEST(flits_and_credits_beyond_the_slots_break_p1_and_p2)
{
  check_events(HD_MONITOR_CREDITS,
               "in0:s1=0 in2:s1=1 | in0:s1=2 in2:s1=3 | in0:s1=4 in2:s1=5 | in0:s1=6 in2:s1=7 | "
               "out1:s1=0 | out1:s1=2 | out1:s1=4 | out1:s1=6 | out1:s1=1 |!",
               "P1", "whose receiver has no free slot of 4");
  create_routed();
  pins[3].in.back = 2;
  assert_int_equal(cycle_as_set(), 1);
  finish("P2", "(cycle 0, input port 3, channel 1)");
  check_events(HD_MONITOR_CREDITS, "in0:s1=2 out1:s1=2 | end!", "P3",
               "1 credit is owed at input port 0");
}

TEST(wrong_framing_of_packets_is_found)
{
  check_events(HD_MONITOR_READY, "out1:b1=5 |!", "P4", "where no packet is under way");
  create_routed();
  play("out1:s1=5");
  pins[1].out.vc = 2;
  play("|!");
  finish("P4", "channels are 0 to 1");
}

TEST(leaving_by_an_output_without_a_link_breaks_p5)
{
  begin_params(HD_MONITOR_READY);
  params.unlinked = 1 << 3;
  create();
  play("in0:s1=5 out3:s1=5 |!");
  finish("P5", "left by port 3, which has no link");
}

TEST(a_packet_that_could_leave_and_does_not_breaks_p14)
{
  begin_params(HD_MONITOR_READY);
  create_routed();
  play("in0:s1=5 |");
  int status = 0;
  for (int i = 0; i < 200 && !status; i++)
    status = cycle_with(i < 90 ? 0 : 3); /* ready since cycle 91 */
  assert_int_equal(status, 1);
  finish("P14", "could leave by port 1 since cycle 91 and has not; packet");
}

TEST(an_unknown_pin_breaks_p17)
{
  begin_params(HD_MONITOR_READY);
  params.four_state = true;
  create();
  hd_monitor_unknown(monitor, true, false, 3);
  play("|! |");
  finish("P17", "(cycle 0, output port 3, channel 0): valid or a valid flit is X or Z");
  create();
  hd_monitor_unknown(monitor, true, true, 3);
  play("|!");
  finish("B1", "a wire against the flits is X or Z");
}

/* ── benches that are wrong ────────────────────────────────────────────────── */

TEST(mistakes_of_the_bench_are_not_blamed_on_the_router)
{
  check_events(HD_MONITOR_CREDITS, "in0:t1=5 |!", "B1",
               "the bench sent a flit that is not a first one");
  check_events(HD_MONITOR_CREDITS, "in0:s4=5 |!", "B1",
               "the bench sent a packet to node 4; nodes are 0 to 3");
  check_events(HD_MONITOR_CREDITS, "in0:s1=0 | in0:s1=1 | in0:s1=2 | in0:s1=3 | in0:s1=4 |!", "B1",
               "none of the 4 slots is free");
  create_routed();
  pins[2].out.back = 1;
  assert_int_equal(cycle_as_set(), 1);
  finish("B1", "the bench gave a credit, and all slots are free");
  check_events(HD_MONITOR_CREDITS, "end!", "B1", "nothing was judged");
  check_events(HD_MONITOR_READY, "in0:h1=5 | end!", "B1", "the bench has not sent the last flit");
  check_events(HD_MONITOR_READY, "in0:s1=5 | out1:s1=5 ~ end!", "B1",
               "the bench has not taken the flit that is offered");
}

TEST(impossible_sizes_are_refused)
{
  static const struct {
    size_t member;
    uint32_t value;
    const char *expected_message;
  } cases[] = {
#define CASE(member, value, expected_message) \
  {offsetof(struct hd_monitor_params, member), value, expected_message}
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
    begin_params(HD_MONITOR_READY);
    memcpy((char *)&params + cases[i].member, &cases[i].value, sizeof cases[i].value);
    must_fail(hd_monitor_create(&monitor, &params, &why), HD_E_INPUT, cases[i].expected_message);
    assert_null(monitor);
  }
  begin_params(HD_MONITOR_READY);
  params.order = "networks";
  must_fail(hd_monitor_create(&monitor, &params, &why), HD_E_INPUT,
            "order is \"networks\"; it must be");
}

TEST(impossible_routes_are_refused)
{
  begin_params(HD_MONITOR_READY);
  create();
  must_fail(hd_monitor_route(monitor, 4, 0, 1, 0, &why), HD_E_INPUT, "input port 4");
  must_fail(hd_monitor_route(monitor, 0, 4, 1, 0, &why), HD_E_INPUT, "node 4");
  must_fail(hd_monitor_route(monitor, 0, 0, 0x10, 0, &why), HD_E_INPUT, "the ports 0x10");
  must_fail(hd_monitor_route(monitor, 0, 0, 3, 1, &why), HD_E_INPUT, "of one port");
  play("|");
  must_fail(hd_monitor_route(monitor, 0, 0, 1, 0, &why), HD_E_INPUT, "before the first cycle");
  hd_monitor_destroy(monitor);
  hd_monitor_destroy(NULL);
}

/* ── by numbers ────────────────────────────────────────────────────────────── */

TEST(the_interface_by_numbers_finds_the_same_errors)
{
  const uint32_t all[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  uint32_t words[32] = {0xabc};
  void *p = hd_pins_open(4, 2, 40, 4, "ready", 0, 0, "", 0, 0, 0, 0, 0, 0, NULL);
  assert_int_equal(hd_pins_refused(p), 0);
  assert_int_equal(hd_pins_route(p, -1, 2, 4, 0), 0);
  hd_pins_flit(p, 0, 0, 1, 1, 1, 2, words);
  hd_pins_flit(p, 1, 2, 1, 1, 1, 2, words);
  assert_int_equal(hd_pins_cycle(p, all, all), 0);
  hd_pins_reset(p);
  hd_pins_flit(p, 0, 0, 1, 1, 1, 2, words);
  hd_pins_flit(p, 1, 3, 1, 1, 1, 2, words);
  assert_int_equal(hd_pins_cycle(p, all, all), 1);
  assert_string_equal(hd_pins_rule(p), "P7");
  assert_non_null(strstr(hd_pins_says(p), "the table says port 2"));
  assert_int_equal(hd_pins_end(p), 1);
  hd_pins_close(p);
}

TEST(a_wrong_call_of_the_interface_by_numbers_has_a_message)
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
