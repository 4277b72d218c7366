/* A switch counts its packets, sends the count to its neighbours, and chooses ports by the neighbours' counts
 * (specification §10.8).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_rig.h"
#include "../lib/dice.h"
#include "../lib/test.h"

/* Three ports, R = 1, D = 0, header of 32 bits. A flit that comes in t is granted in t + 2. */
static void open_counting(struct rig *r, unsigned vcs)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.vcs = vcs;
  p.adaptive = HD_ADAPTIVE_COUNT;
  rig_open(r, &p);
  for (unsigned node = 0; node < 3; node++)
    configure(r, HD_CFG_DESTINATION(0, node), hd_table_entry(node, 0xff));
}

static uint64_t head_for(unsigned node)
{
  return (uint64_t)node << 2;
}

/* A neighbour sends its count in this cycle. */
static void show_count(struct rig *r, unsigned port, unsigned count)
{
  r->pins[port].credits |= (unsigned)(HD_COUNT_SHOWN | count) << HD_COUNT_WIRES;
}

/* The wires of input `port`'s count in `cycle`. */
static unsigned count_wires_at(const struct rig *r, uint64_t cycle, unsigned port)
{
  for (uint32_t i = 0; i < r->n_credits; i++)
    if (r->credits[i].cycle == cycle && r->credits[i].port == port)
      return r->credits[i].count;
  return 0;
}

/* Between the cycles `from` and `to`, all ports show exactly one count: this one, in `cycle`. -1: they show none. */
static void expect_count(const struct rig *r, uint64_t from, uint64_t to, uint64_t cycle, int count)
{
  for (uint64_t c = from; c <= to; c++)
    for (unsigned port = 0; port < r->params.ports; port++)
      assert_int_equal(count_wires_at(r, c, port),
                       count >= 0 && c == cycle ? HD_COUNT_SHOWN | (unsigned)count : 0);
}

/* ── what is counted ────────────────────────────────────────────────────────── */

TEST(a_packet_counts_from_its_head_to_its_tail)
{
  CLEANUP(rig_close) struct rig r;
  open_counting(&r, 1);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_for(1));
  assert_int_equal(view_of(&r).packets, 1);
  run_to(&r, t + 10); /* its head left long ago */
  assert_int_equal(view_of(&r).packets, 1);
  expect_count(&r, t, t + 10, t + 2, 1);
  uint64_t u = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_TAIL, 0); /* popped in u + 2 */
  run_to(&r, u + 2);
  assert_int_equal(view_of(&r).packets, 1);
  tick(&r);
  assert_int_equal(view_of(&r).packets, 0);
  run_to(&r, u + 10);
  expect_count(&r, u, u + 10, u + 4, 0);
  u = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(1));
  run_to(&r, u + 10);
  expect_count(&r, u, u + 3, u + 2, 1);
  expect_count(&r, u + 3, u + 10, u + 4, 0);
}

/* Packets leave while others arrive. The switch sends a count only when it has changed. */
TEST(an_unchanged_packet_count_is_not_sent)
{
  CLEANUP(rig_close) struct rig r;
  open_counting(&r, 1);
  uint64_t t = r.cycle;
  for (unsigned i = 0; i < 20; i++) {
    r.pins[1].credits = i >= 3;
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(1));
  }
  run_to(&r, t + 30);
  expect_count(&r, t, t + 2, t + 2, 1);
  expect_count(&r, t + 3, t + 21, t + 3, 2); /* one is popped in each cycle from t + 2 on */
  expect_count(&r, t + 22, t + 22, t + 22, 1);
  expect_count(&r, t + 23, t + 30, t + 23, 0);
}

TEST(unroutable_packets_count_until_they_are_discarded)
{
  CLEANUP(rig_close) struct rig r;
  open_counting(&r, 1);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_for(3)); /* no entry */
  run_to(&r, r.cycle + 5);
  assert_int_equal(view_of(&r).in[0][0].state, 2);
  assert_int_equal(view_of(&r).packets, 1);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_for(1)); /* nested: counts until it is popped */
  assert_int_equal(view_of(&r).packets, 2);
  run_to(&r, r.cycle + 5);
  assert_int_equal(view_of(&r).packets, 1);
  put_flit(&r, 0, 0, HD_KIND_SINGLE, 0); /* nested: both go */
  run_to(&r, r.cycle + 2);
  assert_int_equal(view_of(&r).packets, 0);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_BODY, 0); /* orphans and reserved kinds are no packets */
  put_flit(&r, 0, 0, HD_KIND_TAIL, 0);
  put_flit(&r, 0, 0, HD_KIND_PADDING, 0);
  run_to(&r, t + 10);
  assert_int_equal(view_of(&r).packets, 0);
  expect_errors(&r, HD_ERR_UNROUTABLE | HD_ERR_NESTED | HD_ERR_ORPHAN | HD_ERR_RESERVED);
  expect_count(&r, t + 2, t + 10, 0, -1);
}

/* A packet that is granted and ends with a nested single: two fewer at once. */
TEST(a_nested_single_flit_lowers_the_packet_count_by_two)
{
  CLEANUP(rig_close) struct rig r;
  open_counting(&r, 1);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_for(1));
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  run_to(&r, t + 10);
  expect_errors(&r, HD_ERR_NESTED);
  expect_count(&r, t, t + 2, t + 2, 1);
  expect_count(&r, t + 3, t + 4, t + 3, 2);
  expect_count(&r, t + 5, t + 10, t + 5, 0);
}

TEST(packet_counts_above_63_are_sent_as_63)
{
  struct rig r;
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.adaptive = HD_ADAPTIVE_COUNT;
  p.depth_flits = 64;
  p.vcs = 2;
  rig_open(&r, &p);
  configure(&r, HD_CFG_DESTINATION(0, 1), hd_table_entry(1, 3));
  for (unsigned vc = 0; vc < 2; vc++)
    put_flit(&r, 0, vc, HD_KIND_HEAD, head_for(1));
  for (unsigned i = 0; i < 126; i++) /* they take all credits of output 1 */
    put_flit(&r, 0, i % 2, HD_KIND_BODY, 0);
  run_to(&r, r.cycle + 5);
  uint64_t t = r.cycle;
  for (unsigned i = 0; i < 128; i++)
    put_flit(&r, 0, i % 2, HD_KIND_SINGLE, head_for(1));
  run_to(&r, t + 140);
  assert_int_equal(view_of(&r).packets, 130);
  for (unsigned i = 0; i < 61; i++)
    expect_count(&r, t + 2 + i, t + 2 + i, t + 2 + i, 3 + (int)i);
  expect_count(&r, t + 63, t + 141, 0, -1);
  r.n_credits = r.n_flits = 0;
  t = r.cycle;
  for (unsigned i = 0; i < 140;
       i++) { /* singles of both channels leave in turn, the first close them */
    give_credits(&r, 1, 1u << i % 2);
  }
  assert_int_equal(view_of(&r).packets, 0);
  unsigned told = HD_COUNT_MOST;
  for (uint64_t c = t; c <= t + 140; c++) {
    unsigned wires = count_wires_at(&r, c, 2);
    assert_true(!wires || (wires & HD_COUNT_MOST) == told - 1);
    told -= wires != 0;
  }
  assert_int_equal(told, 0);
  expect_errors(&r, HD_ERR_NESTED);
  rig_close(&r);
}

/* ── choice ─────────────────────────────────────────────────────────────────── */

static void open_choice(struct rig *r)
{
  open_counting(r, 1);
  configure(r, HD_CFG_ADAPT, 1);
  configure(r, HD_CFG_PORT_SET(0, 3), 6);
}

/* A single for node 3 leaves by this port. */
static void expect_way(struct rig *r, unsigned port)
{
  uint64_t t = r->cycle;
  put_flit(r, 0, 0, HD_KIND_SINGLE, head_for(3));
  run_to(r, t + 5);
  expect_flit(r, t + 4, port, 0, HD_KIND_SINGLE, head_for(3));
  give_credits(r, port, 1);
}

TEST(the_port_with_the_least_count_is_chosen)
{
  CLEANUP(rig_close) struct rig r;
  open_choice(&r);
  for (unsigned i = 0; i < 3; i++) { /* output 1 has one credit of four from now on */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(1));
    run_to(&r, r.cycle + 5);
  }
  show_count(&r, 1, 5);
  show_count(&r, 2, 6);
  tick(&r);
  expect_way(&r, 1); /* despite its credits, and whatever is drawn */
  assert_int_equal(view_of(&r).count[1], 5);
  assert_int_equal(view_of(&r).count[2], 6);
  expect_way(&r, 1);
  show_count(&r, 1, 63);
  tick(&r);
  expect_way(&r, 2);
  show_count(&r, 2, 0);
  show_count(&r, 1, 1);
  tick(&r);
  expect_way(&r, 2);
  assert_int_equal(view_of(&r).count[0], 0); /* no neighbour has told a count */
  bool way[3] = {false};
  show_count(&r, 1, 63);
  show_count(&r, 2, 63);
  tick(&r);
  for (unsigned i = 0; i < 60; i++) {
    r.n_flits = r.n_credits = 0;
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(3));
    run_to(&r, r.cycle + 5);
    assert_int_equal(r.n_flits, 1);
    way[r.flits[0].port] = true;
    r.pins[r.flits[0].port].credits = 1;
    tick(&r);
  }
  assert_true(way[1] && way[2]); /* drawn among equals */
  hd_switch_reset(r.sw);
  for (unsigned port = 0; port < 3; port++)
    assert_int_equal(view_of(&r).count[port], 0);
}

/* A count that comes with a head, before or after it in the order of calls, is for the next one. */
TEST(a_count_that_arrives_with_a_head_counts_for_the_next_head)
{
  struct rig r;
  struct hd_switch_output out;
  uint32_t tags[3];
  for (unsigned first = 0; first < 2; first++) {
    open_choice(&r);
    configure(&r, HD_CFG_PORT_SET(2, 3), 6);
    show_count(&r, 1, 9);
    tick(&r);
    uint64_t t = r.cycle;
    out = (struct hd_switch_output){
        .flits = r.flits + r.n_flits, .tags = tags, .credits = r.credits + r.n_credits};
    hd_switch_advance(r.sw, t, 0, &out);
    const unsigned wires = (unsigned)(HD_COUNT_SHOWN | 10) << HD_COUNT_WIRES;
    if (first)
      hd_switch_put_credit(r.sw, t, 2, wires);
    hd_switch_put_flit(r.sw, t, 0, 0, HD_KIND_SINGLE, head_for(3), 0); /* 9 against 0 */
    if (!first)
      hd_switch_put_credit(r.sw, t, 2, wires);
    r.cycle++;
    put_flit(&r, 2, 0, HD_KIND_SINGLE, head_for(3)); /* 9 against 10 */
    run_to(&r, t + 8);
    expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_for(3));
    expect_flit(&r, t + 5, 1, 0, HD_KIND_SINGLE, head_for(3));
    rig_close(&r);
  }
}

TEST(count_wires_without_their_valid_bit_are_ignored)
{
  struct rig r;
  open_choice(&r);
  show_count(&r, 1, 7);
  tick(&r);
  run_to(&r, r.cycle + 5);
  r.pins[1].credits = 3u << HD_COUNT_WIRES; /* bits 5-0 mean nothing */
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  tick(&r);
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  assert_int_equal(view_of(&r).count[1], 7);
  rig_close(&r);
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.adaptive = HD_ADAPTIVE_CREDITS;
  rig_open(&r, &p);
  run_to(&r, 5);
  show_count(&r, 1, 7); /* ignored, and not even an input */
  tick(&r);
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_for(3));
  run_to(&r, r.cycle + 10);
  for (uint32_t i = 0; i < r.n_credits; i++)
    assert_int_equal(r.credits[i].count, 0);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  rig_close(&r);
}

/* ── quiescence ─────────────────────────────────────────────────────────────── */

TEST(a_switch_is_not_quiescent_before_it_has_sent_its_count)
{
  CLEANUP(rig_close) struct rig r;
  open_counting(&r, 1);
  run_to(&r, r.cycle + 5);
  uint64_t t = r.cycle;
  assert_true(hd_switch_quiescent(r.sw, t));
  put_flit(&r, 0, 0, HD_KIND_HEAD,
           head_for(3)); /* popped in t + 2, without another count: 1 since t + 2 */
  for (; r.cycle < t + 5; tick(&r))
    assert_false(hd_switch_quiescent(r.sw, r.cycle));
  assert_true(hd_switch_quiescent(r.sw, r.cycle)); /* its credit was visible in t + 3 */
  t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_TAIL, 0); /* popped in t + 2, told in t + 4 */
  for (; r.cycle < t + 6; tick(&r))
    assert_false(hd_switch_quiescent(r.sw, r.cycle));
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  t = r.cycle;
  show_count(&r, 2, 0); /* changes nothing, and is an input */
  tick(&r);
  assert_false(hd_switch_quiescent(r.sw, r.cycle));
  tick(&r);
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  expect_errors(&r, HD_ERR_UNROUTABLE);
}

/* ── anything, against the definition ───────────────────────────────────────── */

enum { CELLS = 64, RANDOM_CYCLES = 40000 };

/* The flits of a channel, from acceptance to pop. */
struct held {
  uint8_t kind[CELLS];
  unsigned first, n;
};

TEST(packet_counts_match_the_definition)
{
  struct dice dice = dice_begin("packet_counts_match_the_definition", "test_packet_counts");
  uint64_t told = 0, cycles = n_cases(RANDOM_CYCLES), most = 0, fell_by_more = 0;
  for (unsigned set = 0; set < 6; set++) {
    static struct rig r;
    static struct held held[HD_MAX_PORTS][HD_MAX_VCS];
    struct hd_switch_params p = plain_params(HD_BARRIER_NONE + set);
    p.adaptive = HD_ADAPTIVE_COUNT;
    p.vcs = 2;
    p.depth_flits = 16;
    p.route_cycles = 1 + roll(&dice, 2);
    p.arb_cycles = 1 + roll(&dice, 2);
    p.source_table = roll(&dice, 2);
    memset(held, 0, sizeof held);
    rig_open(&r, &p);
    for (unsigned port = 0; port < p.ports; port++)
      for (unsigned node = 0; node < p.nodes; node++) {
        configure(&r, HD_CFG_DESTINATION(port, node), roll(&dice, 0x2000));
        configure(&r, HD_CFG_PORT_SET(port, node), roll(&dice, 8));
      }
    configure(&r, HD_CFG_ADAPT, 3);
    run_to(&r, r.cycle + 5);
    bool beside = hd_barrier_beside(&p);
    unsigned before = 0;
    for (uint64_t i = 0; i < cycles; i++) {
      struct hd_switch_view view = view_of(&r);
      unsigned packets = 0, wires = 0;
      for (unsigned port = 0; port < p.ports; port++)
        for (unsigned vc = 0; vc < p.vcs; vc++) {
          const struct held *h = &held[port][vc];
          assert_int_equal(view.in[port][vc].occupancy, h->n);
          packets += view.in[port][vc].state != 0;
          for (unsigned k = 0; k < h->n; k++)
            packets += h->kind[(h->first + k) % CELLS] / 2 == 1;
        }
      assert_int_equal(view.packets, packets);
      if (packets > most)
        most = packets;
      fell_by_more += packets + 1 < before;
      unsigned now = packets < 63 ? packets : 63, then = before < 63 ? before : 63;
      if (now != then)
        wires = HD_COUNT_SHOWN | now;
      before = packets;
      unsigned phase = (unsigned)(i / 512 % 4); /* few flits; many flits; no credits; no flits */
      uint8_t took[HD_MAX_PORTS];
      memset(took, 0xff, sizeof took);
      for (unsigned port = 0; port < p.ports; port++) {
        unsigned vc = roll(&dice, p.vcs), kind = roll(&dice, 24);
        kind = kind < 8 ? kind : kind < 18 ? HD_KIND_SINGLE : HD_KIND_HEAD;
        if (phase != 2 || !roll(&dice, 8))
          r.pins[port].credits = roll(&dice, 4) | (p.barrier ? roll(&dice, 2) : 0)
                                                      << HD_BARRIER_CREDIT;
        if (!roll(&dice, 4))
          show_count(&r, port, roll(&dice, 64));
        if (phase == 3 || roll(&dice, phase == 0 ? 6 : 2))
          continue;
        set_flit(&r, port, vc, kind, roll(&dice, 1 << 16));
        bool slot = !(beside && kind >= HD_KIND_BARRIER && kind <= HD_KIND_PADDING);
        if (slot && held[port][vc].n < p.depth_flits)
          took[port] = (uint8_t)(vc << 3 | kind);
      }
      r.n_flits = r.n_credits = 0;
      tick(&r);
      for (uint32_t k = 0; k < r.n_credits; k++) {
        const struct hd_credit_event *e = &r.credits[k];
        assert_int_equal(e->cycle, r.cycle);
        for (unsigned vc = 0; vc < p.vcs; vc++)
          if (e->vcs >> vc & 1) {
            held[e->port][vc].n--;
            held[e->port][vc].first++;
          }
      }
      for (unsigned port = 0; port < p.ports; port++) {
        assert_int_equal(count_wires_at(&r, r.cycle, port), wires);
        if (took[port] == 0xff)
          continue;
        struct held *h = &held[port][took[port] >> 3];
        h->kind[(h->first + h->n++) % CELLS] = took[port] & 7;
      }
      told += wires != 0;
    }
    free(r.sw); /* without a check of its errors: random flits break rules */
  }
  print_message("%llu counts told, %llu packets at most, %llu times fewer by two or more\n",
                (unsigned long long)told, (unsigned long long)most,
                (unsigned long long)fell_by_more);
  assert_true(told > cycles && most > 63 && fell_by_more > cycles / 1000);
}
