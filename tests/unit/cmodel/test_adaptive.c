/* Choice among output ports by free credits, and packets that go by another node (specification §10, §2.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/switch_set.h"
#include "../lib/barrier_rig.h"
#include "../lib/dice.h"
#include "../lib/test.h"

/* Three ports, R = 1, D = 0. Headers have 32 bits: two for the mode, two for the destination, two for the node to go
 * by. A flit that comes in t is granted in t + 2 and visible in t + 4. */
static void open_rig(struct rig *r, unsigned vcs, unsigned source_table)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.vcs = vcs;
  p.adaptive = 1;
  p.source_table = source_table;
  rig_open(r, &p);
}

static uint64_t head_for(unsigned node)
{
  return (uint64_t)node << 2;
}

static void write_set(struct rig *r, unsigned port, unsigned node, unsigned set)
{
  configure(r, HD_CFG_PORT_SET(port, node), set);
}

static void write_entry(struct rig *r, unsigned port, unsigned node, unsigned output)
{
  configure(r, HD_CFG_DESTINATION(port, node), hd_table_entry(output, 0xff));
}

/* A packet of input 0 holds channel 0 of output 1; it has taken one credit. */
static void hold_output_1(struct rig *r)
{
  write_entry(r, 0, 1, 1);
  put_flit(r, 0, 0, HD_KIND_HEAD, head_for(1));
  run_to(r, r->cycle + 4);
  assert_int_equal(r->n_flits, 1);
  assert_int_equal(view_of(r).out[1][0].owned, 1);
}

/* A single at input `in` leaves by output `out` four cycles later. */
static void expect_passage(struct rig *r, unsigned in, uint64_t header, unsigned out)
{
  const uint64_t t = r->cycle;
  put_flit(r, in, 0, HD_KIND_SINGLE, header);
  run_to(r, t + 6);
  expect_flit(r, t + 4, out, 0, HD_KIND_SINGLE, header);
}

/* ── choice ─────────────────────────────────────────────────────────────────── */

TEST(the_port_with_most_credits_is_chosen)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  write_set(&r, 0, 2, 6);
  write_entry(&r, 1, 3, 1);
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(3)); /* takes one credit of output 1 */
  run_to(&r, r.cycle + 6);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2)); /* 3 against 4: output 2, whatever is drawn */
  give_credits(&r, 1, 1); /* then they are equal: 3 against 3 after that packet */
  run_to(&r, t + 6);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_for(2));
  expect_passage(&r, 0, head_for(2), 1); /* 4 against 3: output 1 */
}

/* The cap is read together with the credits. A write in the cycle of a head counts for the next head. */
TEST(ports_with_at_least_the_cap_of_credits_count_as_equal)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  write_set(&r, 0, 2, 6);
  write_entry(&r, 1, 3, 1);
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(3)); /* takes one credit of output 1: 3 against 4 */
  run_to(&r, r.cycle + 6);
  for (unsigned cap = 0; cap < 6; cap++) {
    configure(&r, HD_CFG_ADAPT, cap << 8 | 1);
    assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_ADAPT), cap << 8 | 1);
    configure(&r, HD_CFG_GENERATOR(0), 1); /* draws the first of equals */
    uint64_t t = r.cycle;
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
    run_to(&r, t + 6);
    unsigned output = cap >= 1 && cap <= 3 ? 1 : 2;
    expect_flit(&r, t + 4, output, 0, HD_KIND_SINGLE, head_for(2));
    give_credits(&r, output, 1);
  }
  configure(&r, HD_CFG_ADAPT, 1);
  configure(&r, HD_CFG_GENERATOR(0), 1);
  uint64_t t = r.cycle;
  r.write = true;
  r.addr = HD_CFG_ADAPT;
  r.value = 0x301;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  run_to(&r, t + 6);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_for(2));
}

/* Credits that come, and those that a grant takes, count from the next cycle on. */
TEST(a_choice_ignores_credits_of_the_same_cycle)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  write_set(&r, 0, 2, 6);
  write_set(&r, 2, 2, 6);
  write_entry(&r, 1, 3, 1);
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(3)); /* is granted two cycles later */
  uint64_t t = r.cycle + 1;
  configure(&r, HD_CFG_GENERATOR(0), 1);           /* draws the first of equals */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2)); /* in the cycle of that grant: equal */
  r.pins[1].credits = 1;
  put_flit(&r, 2, 0, HD_KIND_SINGLE,
           head_for(2)); /* one cycle later, with the credit: 3 against 4 */
  run_to(&r, t + 10);
  expect_flit(&r, t + 4, 1, 0, HD_KIND_SINGLE, head_for(2));
  expect_flit(&r, t + 5, 2, 0, HD_KIND_SINGLE, head_for(2));
}

TEST(no_port_is_chosen_without_a_port_set_or_adaptive_channels)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  write_set(&r, 0, 2, 2);
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2)); /* ADAPT is 0 */
  run_to(&r, r.cycle + 6);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  configure(&r, HD_CFG_ADAPT, 0xfffe);                                /* channels beyond VCS */
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_ADAPT), 0xf00); /* the cap */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  run_to(&r, r.cycle + 6);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  configure(&r, HD_CFG_ADAPT, 0xffff);
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_ADAPT), 0xf01);
  write_set(&r, 0, 2, 0xfff8); /* ports beyond PORTS */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  run_to(&r, r.cycle + 6);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  assert_int_equal(view_of(&r).generator[0], 1);
  assert_int_equal(r.n_flits, 0);
  write_entry(&r, 0, 2, 2);
  expect_passage(&r, 0, head_for(2), 2); /* by its entry */
  write_set(&r, 0, 2, 0xfff9);
  expect_passage(&r, 0, head_for(2), 0); /* back, and no error */
}

TEST(credits_of_a_reserved_channel_do_not_count)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = plain_params(HD_BARRIER_RESERVED);
  p.adaptive = 1;
  rig_open(&r, &p);
  configure(&r, HD_CFG_ADAPT, 2);
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_ADAPT), 2);
  write_set(&r, 0, 2, 2);
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  run_to(&r, r.cycle + 6);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  configure(&r, HD_CFG_ADAPT, 3);
  for (unsigned i = 0; i < 4; i++)
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  uint64_t t = r.cycle - 4;
  run_to(&r, t + 10);
  for (unsigned i = 0; i < 4; i++)
    expect_flit(&r, t + 4 + i, 1, 0, HD_KIND_SINGLE, head_for(2));
}

/* ── requests ───────────────────────────────────────────────────────────────── */

TEST(the_table_entry_is_used_when_no_chosen_channel_is_free)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  hold_output_1(&r);
  write_set(&r, 1, 2, 2);
  write_entry(&r, 1, 2, 2);
  expect_passage(&r, 1, head_for(2), 2); /* output 1 has credits, and its channel is owned */
}

TEST(a_packet_waits_for_a_chosen_port_or_its_table_entry)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  hold_output_1(&r);
  write_set(&r, 1, 2, 2); /* no entry */
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(2));
  expect_silence(&r);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_TAIL, 0); /* granted in t + 2 */
  run_to(&r, t + 10);
  expect_flit(&r, t + 5, 1, 0, HD_KIND_SINGLE, head_for(2));
}

TEST(a_waiting_packet_follows_writes_of_the_adaptive_channels)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 2, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  hold_output_1(&r);
  write_set(&r, 1, 2, 2);
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(2)); /* channel 0 is owned, 1 is not in ADAPT */
  expect_silence(&r);
  configure(&r, HD_CFG_ADAPT, 0);
  expect_silence(&r);
  uint64_t t = r.cycle;
  configure(&r, HD_CFG_ADAPT, 2); /* granted in t + 1 */
  run_to(&r, t + 10);
  expect_flit(&r, t + 3, 1, 1, HD_KIND_SINGLE, head_for(2));
}

TEST(a_nested_head_does_not_change_the_port_of_its_packet)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  hold_output_1(&r);
  write_set(&r, 0, 2, 4);
  expect_passage(&r, 0, head_for(2), 1);
  expect_errors(&r, HD_ERR_NESTED);
  assert_int_not_equal(view_of(&r).generator[0], 1); /* it has made its steps */
}

/* ── generator ──────────────────────────────────────────────────────────────── */

/* x^16 + x^14 + x^13 + x^11 + 1, bit by bit. */
static unsigned reference_steps(unsigned g)
{
  for (unsigned step = 0; step < 8; step++) {
    bool out[17] = {false};
    for (unsigned bit = 0; bit < 16; bit++)
      out[bit] = g >> bit & 1;
    g = 0;
    for (unsigned bit = 0; bit < 16; bit++) {
      bool tap = bit == 15 || bit == 13 || bit == 12 || bit == 10;
      g |= (unsigned)(out[bit + 1] != (tap && out[0])) << bit;
    }
  }
  return g;
}

TEST(a_random_generator_takes_all_its_values)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  write_set(&r, 1, 2, 4);
  unsigned g = 2;
  uint32_t n = 0;
  do {
    r.pins[2].credits = r.n_flits; /* a packet leaves in each second cycle */
    r.n_flits = r.n_credits = 0;
    put_flit(&r, 1, 0, HD_KIND_SINGLE, head_for(2));
    assert_int_equal(view_of(&r).generator[1], g); /* it steps in the cycle after */
    tick(&r);
    g = reference_steps(g);
    assert_int_equal(view_of(&r).generator[1], g);
    n++;
  } while (g != 2 && n < 70000);
  assert_int_equal(n, 65535);
  assert_int_equal(view_of(&r).generator[0], 1);
  assert_int_equal(view_of(&r).generator[2], 3);
}

TEST(a_write_of_a_generator_takes_precedence_over_its_step)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 0);
  configure(&r, HD_CFG_ADAPT, 1);
  write_set(&r, 0, 2, 7);
  set_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  uint64_t t = r.cycle;
  configure(&r, HD_CFG_GENERATOR(0), 0xab55); /* 0x55 · 3 / 256: the first */
  assert_int_equal(view_of(&r).generator[0], 0xab55);
  set_flit(&r, 0, 0, HD_KIND_SINGLE, head_for(2));
  configure(&r, HD_CFG_GENERATOR(0),
            0x12ff); /* instead of eight steps; ff: the last of two or three */
  assert_int_equal(view_of(&r).generator[0], 0x12ff);
  configure(&r, HD_CFG_GENERATOR(0), 0);
  assert_int_equal(view_of(&r).generator[0], 1);
  configure(&r, HD_CFG_GENERATOR(0) | 1, 77); /* no generator is there */
  configure(&r, HD_CFG_GENERATOR(3), 77);
  assert_int_equal(view_of(&r).generator[0], 1);
  run_to(&r, t + 10);
  expect_flit(&r, t + 4, 0, 0, HD_KIND_SINGLE, head_for(2));
  expect_flit(&r, t + 5, 2, 0, HD_KIND_SINGLE, head_for(2));
  hd_switch_reset(r.sw);
  for (unsigned port = 0; port < 3; port++)
    assert_int_equal(view_of(&r).generator[port], 1 + port);
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_ADAPT), 0);
}

/* ── many draws, against §10.4 written once more ────────────────────────────── */

enum { PORTS = 7, VCS = 3, DEPTH = 5, NODES = 40, TIES = 1000000, IN_FLIGHT = 1 << 10 };
enum { NODE_BITS = 6, DISCARDED = 0xff, DONE = 0xfe };

/* Credits, tables and generators as the rules of §2 to §10 make them, from what crosses the pins. */
struct reference {
  int credit[PORTS][VCS], owed[PORTS][VCS];
  int sender[PORTS][VCS],
      popped[PORTS][VCS]; /* popped: credits that are visible in the next cycle */
  unsigned set[PORTS][NODES], adapt, cap, generator[PORTS];
  struct {
    bool some;
    unsigned best, id;
  } head[PORTS]; /* of the last cycle */
  uint8_t way[IN_FLIGHT];
  uint64_t drawn, ties, discarded, left;
};

static unsigned best_ports(const struct reference *x, unsigned port, unsigned node)
{
  unsigned best = 0;
  int most = -1;
  for (unsigned o = 0; o < PORTS; o++) {
    int free = 0;
    for (unsigned w = 0; w < VCS; w++)
      free += x->adapt >> w & 1 ? x->credit[o][w] : 0;
    if (x->cap && free > (int)x->cap)
      free = (int)x->cap;
    if (!(x->set[port][node] >> o & 1) || free < most)
      continue;
    best = free > most ? 1u << o : best | 1u << o;
    most = free;
  }
  return x->adapt ? best : 0;
}

/* Draws a port for the head that came in at `port` in the last cycle, with the generator's present value. */
static void draw_port(struct reference *x, unsigned port)
{
  unsigned ports[PORTS], n = 0;
  if (!x->head[port].some)
    return;
  x->head[port].some = false;
  for (unsigned o = 0; o < PORTS; o++)
    if (x->head[port].best >> o & 1)
      ports[n++] = o;
  x->way[x->head[port].id] = DISCARDED;
  x->discarded += !n;
  if (!n)
    return;
  x->way[x->head[port].id] = (uint8_t)ports[x->generator[port] % 256 * n / 256];
  x->generator[port] = reference_steps(x->generator[port]);
  x->drawn++;
  x->ties += n > 1;
}

static void random_write(struct rig *r, struct reference *x, struct dice *dice)
{
  unsigned port = roll(dice, PORTS), node = roll(dice, NODES), value = roll(dice, 0x10000);
  switch (roll(dice, 8)) {
  case 0:
    value = roll(dice, 4) ? value | 1 : value & ~7u;
    value = roll(dice, 2) ? value : value & 0xff; /* without a cap */
    hd_switch_config_write(r->sw, r->cycle, HD_CFG_ADAPT, (uint16_t)value);
    x->adapt = value % (1 << VCS);
    x->cap = value >> 8 & 15;
    return;
  case 1:
    value = roll(dice, 4) ? value : 0;
    hd_switch_config_write(r->sw, r->cycle, HD_CFG_GENERATOR(port), (uint16_t)value);
    x->generator[port] = value ? value : 1;
    return;
  default:
    value = roll(dice, 8) ? value : value & 0xff80;
    hd_switch_config_write(r->sw, r->cycle, HD_CFG_PORT_SET(port, node), (uint16_t)value);
    x->set[port][node] = value;
  }
}

/* Flits of this cycle leave by the port that was drawn. */
static void take_outputs(struct reference *x, const struct hd_switch_output *out)
{
  for (uint32_t i = 0; i < out->n_flits; i++) {
    const struct hd_flit_event *e = &out->flits[i];
    unsigned id = (unsigned)(e->data >> (2 + NODE_BITS)) % IN_FLIGHT;
    assert_int_equal(e->port, x->way[id]);
    x->way[id] = DONE;
    x->credit[e->port][e->vc]--;
    x->owed[e->port][e->vc]++;
    x->left++;
  }
  for (uint32_t i = 0; i < out->n_credits; i++)
    for (unsigned v = 0; v < VCS; v++)
      x->popped[out->credits[i].port][v] += out->credits[i].vcs >> v & 1;
}

static void show_credits(struct reference *x)
{
  for (unsigned port = 0; port < PORTS; port++)
    for (unsigned v = 0; v < VCS; v++) {
      x->sender[port][v] += x->popped[port][v];
      x->popped[port][v] = 0;
    }
}

TEST(ties_among_ports_are_drawn_as_specified)
{
  struct dice dice = dice_begin("ties_among_ports_are_drawn_as_specified", "test_adaptive");
  struct hd_switch_params p = {.ports = PORTS,
                               .vcs = VCS,
                               .data_bits = 32,
                               .depth_flits = DEPTH,
                               .nodes = NODES,
                               .route_cycles = 1 + roll(&dice, 2),
                               .arb_cycles = 1 + roll(&dice, 2),
                               .adaptive = 1};
  static struct rig r;
  static struct reference x;
  uint64_t ties = n_cases(TIES), sent = 0;
  unsigned id = 0;
  memset(&x, 0, sizeof x);
  rig_open(&r, &p);
  for (unsigned o = 0; o < PORTS; o++)
    for (unsigned v = 0; v < VCS; v++)
      x.credit[o][v] = x.sender[o][v] = DEPTH;
  for (unsigned port = 0; port < PORTS; port++)
    x.generator[port] = 1 + port;
  memset(x.way, DONE, sizeof x.way);
  for (uint64_t end = UINT64_MAX; r.cycle < end; r.cycle++) {
    uint32_t tags[PORTS];
    struct hd_switch_output out = {.flits = r.flits, .tags = tags, .credits = r.credits};
    show_credits(&x);
    struct reference start = x;
    hd_switch_advance(r.sw, r.cycle, 0, &out);
    for (unsigned port = 0; port < PORTS; port++)
      draw_port(&x, port);
    take_outputs(&x, &out);
    bool over = x.ties >= ties;
    if (over && end == UINT64_MAX) { /* let the waiting packets leave */
      hd_switch_config_write(r.sw, r.cycle, HD_CFG_ADAPT, (1 << VCS) - 1);
      x.adapt = (1 << VCS) - 1;
      x.cap = 0;
      end = r.cycle + 2000;
      continue;
    }
    for (unsigned port = 0; port < PORTS; port++) {
      unsigned v = roll(&dice, VCS), node = roll(&dice, NODES), credits = 0;
      if (roll(&dice,
               2)) /* credits come before the flits of some ports, and after those of others */
        for (unsigned w = 0; w < VCS; w++)
          if (x.owed[port][w] && (over || roll(&dice, 4))) {
            x.owed[port][w]--;
            x.credit[port][w]++;
            credits |= 1u << w;
          }
      hd_switch_put_credit(r.sw, r.cycle, port, credits);
      while (x.way[id] != DONE)
        id = (id + 1) % IN_FLIGHT;
      if (over || !x.sender[port][v] || !roll(&dice, 8))
        continue;
      x.sender[port][v]--;
      x.head[port].some = true;
      x.head[port].best = best_ports(&start, port, node);
      x.head[port].id = id;
      x.way[id] = DISCARDED;
      hd_switch_put_flit(r.sw, r.cycle, port, v, HD_KIND_SINGLE,
                         (uint64_t)id << (2 + NODE_BITS) | head_for(node), 0);
      if (!x.head[port].best) { /* the switch discards the packet */
        x.head[port].some = false;
        x.discarded++;
        x.way[id] = DONE;
      }
      sent++;
      id = (id + 1) % IN_FLIGHT;
    }
    if (!over && roll(&dice, 4) == 0)
      random_write(&r, &x, &dice);
  }
  print_message("%llu draws, %llu of them among equals; %llu packets without a choice\n",
                (unsigned long long)x.drawn, (unsigned long long)x.ties,
                (unsigned long long)x.discarded);
  assert_true(x.ties >= ties && x.discarded > ties / 100);
  assert_int_equal(x.left, x.drawn);
  assert_int_equal(sent, x.drawn + x.discarded);
  struct hd_switch_view view = view_of(&r);
  for (unsigned port = 0; port < PORTS; port++)
    assert_int_equal(view.generator[port], x.generator[port]);
  expect_errors(&r, HD_ERR_UNROUTABLE);
  rig_close(&r);
}

/* ── by another node ────────────────────────────────────────────────────────── */

static const uint64_t upper_data = UINT64_C(0xbeef) << 16;

static uint64_t head_by(unsigned node, unsigned via)
{
  return upper_data | via << 4 | node << 2 | 3;
}

TEST(a_packet_turns_to_its_destination_at_its_intermediate_node)
{
  CLEANUP(rig_close) struct rig r;
  open_rig(&r, 1, 1);
  configure(&r, HD_CFG_ADAPT, 1);
  write_set(&r, 0, 2, 1); /* a head of mode 3 chooses nothing */
  write_entry(&r, 0, 2, 1);
  configure(&r, HD_CFG_SOURCE(0, 3), hd_table_entry(2, 1));
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_by(2, 3)); /* S leads on */
  put_flit(&r, 0, 0, HD_KIND_TAIL, 3);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head_by(2, 1)); /* no entry for node 1: D leads on */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 1));
  run_to(&r, t + 20);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_HEAD, head_by(2, 3));
  expect_flit(&r, t + 5, 2, 0, HD_KIND_TAIL, 3);
  expect_flit(&r, t + 6, 1, 0, HD_KIND_HEAD, head_by(2, 1) & ~UINT64_C(3));
  expect_flit(&r, t + 7, 1, 0, HD_KIND_SINGLE, head_by(2, 1)); /* nested: unchanged */
  expect_errors(&r, HD_ERR_NESTED);
  assert_int_equal(view_of(&r).generator[0], 1);
  expect_passage(&r, 0, head_by(2, 1) & ~UINT64_C(3), 0); /* as the next switch has it */
}

/* §10.9: output 1 leads to node 2, output 2 to node 3, by which packets may go. */
static void open_deciding(struct rig *r, unsigned first, unsigned bias)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.source_table = 1;
  p.adaptive = HD_ADAPTIVE_UGAL;
  rig_open(r, &p);
  for (unsigned port = 0; port < 3; port++) {
    write_entry(r, port, 2, 1);
    write_entry(r, port, 3, 2);
    configure(r, HD_CFG_SOURCE(port, 3), hd_table_entry(2, 1));
  }
  configure(r, HD_CFG_FIRST, first);
  configure(r, HD_CFG_BIAS, bias);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_FIRST), first & 7);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_BIAS), bias & 1023);
  assert_int_equal(hd_switch_config_read(r->sw, HD_CFG_ADAPT), 0);
}

/* `n` flits go out by an output, and no credit comes back. */
static void take_credits(struct rig *r, unsigned node, unsigned n)
{
  for (; n; n--)
    put_flit(r, 2, 0, HD_KIND_SINGLE, head_for(node));
  run_to(r, r->cycle + 8);
}

TEST(packets_go_straight_while_their_queue_is_at_most_twice_the_other_plus_bias)
{
  for (unsigned waits = 0; waits <= 3; waits++)
    for (unsigned by_node = 0; by_node <= 3; by_node++)
      for (unsigned bias = 0; bias <= 2; bias++) {
        CLEANUP(rig_close) struct rig r;
        open_deciding(&r, 1, bias);
        take_credits(&r, 2, waits);
        take_credits(&r, 3, by_node);
        uint64_t t = r.cycle;
        put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3));
        run_to(&r, t + 6);
        if (waits <= 2 * by_node + bias)
          expect_flit(&r, t + 4, 1, 0, HD_KIND_SINGLE, head_by(2, 3) & ~UINT64_C(3));
        else
          expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_by(2, 3));
      }
}

/* A head decides by the state at the start of its cycle. Credits and writes of that cycle count for the next head. */
TEST(packets_decide_by_the_state_at_the_start_of_their_cycle)
{
  CLEANUP(rig_close) struct rig r;
  open_deciding(&r, 0xfff9, 0xfc00); /* what is beyond the registers' bits is ignored */
  take_credits(&r, 2, 1);
  uint64_t t = r.cycle;
  r.pins[1].credits = 1;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3)); /* 1 > 0: by the node */
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3)); /* 0: straight */
  run_to(&r, t + 12);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_by(2, 3));
  expect_flit(&r, t + 5, 1, 0, HD_KIND_SINGLE, head_by(2, 3) & ~UINT64_C(3));
  r.pins[1].credits = 1;
  give_credits(&r, 2, 1);
  take_credits(&r, 2, 2);
  t = r.cycle;
  r.write = true;
  r.addr = HD_CFG_BIAS;
  r.value = 2;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3));
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3));
  run_to(&r, t + 12);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_by(2, 3));
  expect_flit(&r, t + 5, 1, 0, HD_KIND_SINGLE, head_by(2, 3) & ~UINT64_C(3));
}

TEST(packets_decide_only_at_their_first_switch_and_with_two_routes)
{
  CLEANUP(rig_close) struct rig r;
  open_deciding(&r, 2, 1023);
  uint64_t t = r.cycle;
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3)); /* port 0 is not in FIRST */
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_by(2, 3));
  put_flit(&r, 1, 0, HD_KIND_SINGLE, head_by(0, 3)); /* no entry for node 0 */
  run_to(&r, t + 12);
  expect_flit(&r, t + 4, 2, 0, HD_KIND_SINGLE, head_by(2, 3));
  expect_flit(&r, t + 5, 1, 0, HD_KIND_SINGLE, head_by(2, 3) & ~UINT64_C(3));
  expect_flit(&r, t + 6, 2, 0, HD_KIND_SINGLE, head_by(0, 3));
  expect_errors(&r, 0);
  hd_switch_reset(r.sw);
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_FIRST), 0);
  assert_int_equal(hd_switch_config_read(r.sw, HD_CFG_BIAS), 0);
}

TEST(a_packet_without_a_route_to_its_intermediate_node_is_unroutable)
{
  struct rig r;
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.nodes = 3;
  for (p.source_table = 0; p.source_table < 2; p.source_table++) {
    rig_open(&r, &p);
    for (unsigned node = 0; node < 3; node++) {
      write_entry(&r, 0, node, 1);
      configure(&r, HD_CFG_SOURCE(0, node), node ? hd_table_entry(node == 1 ? 3 : 2, 1) : 0);
    }
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 3)); /* no such node to go by */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 1)); /* a valid entry, its port beyond PORTS */
    put_flit(&r, 0, 0, HD_KIND_SINGLE,
             head_by(3, 0)); /* turns towards a node that does not exist */
    expect_silence(&r);
    expect_errors(&r, HD_ERR_UNROUTABLE);
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(3, 2)); /* its destination is not asked */
    put_flit(&r, 0, 0, HD_KIND_SINGLE, head_by(2, 0));
    run_to(&r, r.cycle + 20);
    assert_int_equal(r.n_flits, p.source_table ? 2 : 0);
    expect_errors(&r, p.source_table ? 0 : HD_ERR_UNROUTABLE);
    rig_close(&r);
  }
}

/* ── memory ─────────────────────────────────────────────────────────────────── */

TEST(only_adaptive_switches_have_memory_for_port_sets)
{
  struct hd_switch_params p = {SIMPLE_SWITCH(5, 2, 16, 4, 64)};
  size_t without = hd_switch_size(&p), sets = (size_t)p.ports * p.nodes * sizeof(uint16_t);
  p.adaptive = 1;
  size_t with = hd_switch_size(&p);
  print_message("5 ports, 2 channels of 4 flits, 64 nodes: %zu bytes, with port sets %zu\n",
                without, with);
  assert_true(without < 4096 && with < 4096);
  assert_in_range(with - without, sets, sets + 320);
}
