/* The XOR coder (specification §11), rule by rule, and many chains at random.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Length: a chapter's rules, each by a case of its own, on one rig.
 */
#include "../lib/barrier_rig.h"
#include "../lib/dice.h"

/* The switch of the examples of §11.10: R = 1, D = 0, header of 6 bits, code [31:30], place [29:27], length
 * [26:23], data [22:6]. A flit that comes in t is granted in t + 2 and visible in t + 4. */
static struct hd_switch_params example_params(void)
{
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.nodes = 16;
  p.depth_flits = 64;
  p.code_places = 8;
  return p;
}

static void write_entries(struct rig *r)
{
  for (unsigned port = 0; port < r->params.ports; port++)
    for (unsigned node = 0; node < r->params.nodes; node++)
      configure(r, HD_CFG_DESTINATION(port, node), hd_table_entry(node == 2, 0xff));
}

/* Packets for all nodes but 2 leave by output 0. Places first to first + members - 1 are a chain. */
static void open_chain(struct rig *r, unsigned first, unsigned members)
{
  for (unsigned k = 0; k < members; k++)
    configure(r, HD_CFG_PLACE(first + k), HD_PLACE_OPEN | (k + 1 == members ? HD_PLACE_LAST : 0));
}

static void open_coder(struct rig *r, const struct hd_switch_params *p)
{
  rig_open(r, p);
  write_entries(r);
}

static void open_example(struct rig *r)
{
  struct hd_switch_params p = example_params();
  open_coder(r, &p);
  open_chain(r, 0, 3);
}

static uint64_t head_of(const struct hd_switch_params *p, unsigned code, unsigned place,
                        unsigned length, uint64_t below)
{
  uint32_t w = hd_place_bits(p);
  return (uint64_t)code << (p->data_bits - 2) | (uint64_t)place << (p->data_bits - 2 - w) |
         (uint64_t)length << (p->data_bits - 6 - w) | below;
}

enum { NATIVE = 1, CODED = 2, FOR_1 = 1 << 2 };

static uint64_t head(unsigned code, unsigned place, unsigned length)
{
  struct hd_switch_params p = example_params();
  return head_of(&p, code, place, length, FOR_1);
}

/* A packet at input 0, flit after flit; the data of flit f > 0 is `data` + f. */
static void put_packet(struct rig *r, unsigned port, uint64_t header, unsigned flits, uint64_t data)
{
  put(r, port, 0, flits > 1 ? HD_KIND_HEAD : HD_KIND_SINGLE, header);
  for (unsigned f = 1; f < flits; f++)
    put(r, port, 0, f + 1 < flits ? HD_KIND_BODY : HD_KIND_TAIL, data + f);
}

/* Flits that output 0 showed. */
static unsigned shown(const struct rig *r)
{
  unsigned n = 0;
  for (uint32_t i = 0; i < r->n_flits; i++)
    n += !r->flits[i].port;
  return n;
}

static void rest(struct rig *r)
{
  run_to(r, r->cycle + 40);
}

/* ── the examples of §11.10 ─────────────────────────────────────────────────── */

/* What a row says at the start of its cycle: state of places 0 to 2, what is picked and granted in it. */
struct row {
  const char *visible; /* kind and data, or "" */
  const char *places;
  unsigned picked; /* pair + 1 */
  unsigned waiting;
};

/* Rows of cycles 2 to 16; the packets' first head is granted in cycle 0. The names of places' states are not
 * observed, so `waiting` is how many places of the row are not empty. */
static void expect_rows(const struct row *rows, const uint64_t packets[3][3],
                        const unsigned flits[3])
{
  struct rig r;
  open_example(&r);
  uint64_t start = r.cycle + 2; /* cycle 0 of the table */
  unsigned n = 0, granted = 0;
  uint64_t last = 0;
  struct {
    uint8_t kind;
    uint64_t data;
  } in[6];
  for (unsigned k = 0; k < 3; k++)
    for (unsigned f = 0; f < flits[k]; f++) {
      in[n].kind = (uint8_t)((f ? 0 : HD_KIND_HEAD) | (f + 1 == flits[k] ? HD_KIND_TAIL : 0));
      in[n++].data = packets[k][f];
    }
  for (unsigned i = 0; r.cycle < start + 17; i++) {
    if (r.cycle >= start + 2) {
      const struct row *row = &rows[r.cycle - start - 2];
      struct hd_switch_view view = view_of(&r);
      unsigned waiting = 0;
      for (const char *c = row->places; *c; c++)
        waiting += *c != '-';
      assert_int_equal(view.coder_waiting, waiting);
      assert_int_equal(waiting, row->waiting);
      if (last)
        assert_int_equal(view.coder_next, last);
      assert_int_equal(view.coder_picked, last && rows[r.cycle - start - 3].picked == last);
      if (row->picked)
        last = row->picked;
      unsigned kind, data;
      if (sscanf(row->visible, "%u %x", &kind, &data) == 2) {
        expect_flit(&r, r.cycle, 0, 0, kind, data);
        granted++;
      } else {
        expect_none(&r, r.cycle, r.cycle + 1, 0);
      }
    }
    if (i < n)
      set_flit(&r, 0, 0, in[i].kind, in[i].data);
    tick(&r);
  }
  assert_int_equal(granted, 11);
  assert_int_equal(shown(&r), 11);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

static void the_example_of_encoding(void **state)
{
  static const uint64_t packets[3][3] = {
      {0x40800284, 0x11111111}, {0x480002c4}, {0x51000704, 0x22222222, 0x33333333}};
  static const unsigned flits[3] = {2, 1, 3};
  static const struct row rows[] = {
      {"2 40800284", "---", 0, 0}, {"1 11111111", "F--", 0, 1}, {"3 480002c4", "N--", 0, 1},
      {"2 51000704", "NN-", 1, 2}, {"0 22222222", "NNF", 0, 3}, {"1 33333333", "NNF", 0, 3},
      {"", "NNN", 2, 3},           {"2 80800044", "NNN", 0, 3}, {"1 11111111", "NNN", 0, 3},
      {"", "NNN", 0, 3},           {"2 890005c4", "-NN", 0, 2}, {"0 22222222", "-NN", 0, 2},
      {"1 33333333", "-NN", 0, 2}, {"", "-NN", 0, 2},           {"", "---", 0, 0}};
  (void)state;
  expect_rows(rows, packets, flits);
}

static void the_example_of_decoding(void **state)
{
  static const uint64_t packets[3][3] = {
      {0x80800044, 0x11111111}, {0x480002c4}, {0x910005c4, 0x22222222, 0x33333333}};
  static const unsigned flits[3] = {2, 1, 3};
  static const struct row rows[] = {
      {"2 80800044", "---", 0, 0}, {"1 11111111", "F--", 0, 1}, {"3 480002c4", "C--", 0, 1},
      {"2 910005c4", "CN-", 1, 2}, {"0 22222222", "CNF", 0, 3}, {"1 33333333", "CNF", 0, 3},
      {"", "CNC", 2, 3},           {"2 40800284", "CNC", 0, 3}, {"1 11111111", "CNC", 0, 3},
      {"", "NNC", 0, 3},           {"2 51000704", "-NC", 0, 2}, {"0 22222222", "-NC", 0, 2},
      {"1 33333333", "-NC", 0, 2}, {"", "-NN", 0, 2},           {"", "---", 0, 0}};
  (void)state;
  expect_rows(rows, packets, flits);
}

/* ── code field and places, §11.2, §11.3, §11.9 ─────────────────────────────── */

static void what_is_not_for_the_coder_passes(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put_packet(&r, 0, head(0, 0, 0), 2, 0);
  put_packet(&r, 0, 0x40000002, 1, 0);                    /* mode 2, port 0 */
  put_packet(&r, 0, head(NATIVE, 0, 1) + (1 << 2), 2, 0); /* for node 2: output 1 */
  rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(shown(&r), 3);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

static void a_place_that_is_not_open_keeps_nothing(void **state)
{
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.code_places = 6;
  open_coder(&r, &p);
  open_chain(&r, 0, 3);
  put_packet(&r, 0, head(NATIVE, 3, 0), 1, 0);
  rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  put_packet(&r, 0, head(NATIVE, 6, 0), 1, 0); /* beyond the last */
  rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  put_packet(&r, 0, head(3, 0, 0), 1, 0);
  rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  configure(&r, HD_CFG_PLACE(6), 3); /* there is none, nor is this one */
  configure(&r, HD_CFG_PLACE(3) | 1 << 12, 3);
  configure(&r, HD_CFG_PLACE(3), 0xfffc); /* other bits are ignored */
  put_packet(&r, 0, head(NATIVE, 3, 0), 1, 0);
  rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(shown(&r), 4);
  rig_close(&r);
}

static void a_place_keeps_one_packet(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put_packet(&r, 0, head(NATIVE, 0, 0) | 0x40, 1, 0);
  put_packet(&r, 0, head(NATIVE, 0, 0) | 0x80, 1, 0); /* a duplicate */
  uint64_t t = r.cycle;
  put_packet(&r, 0, head(NATIVE, 1, 0) | 0x700, 1, 0);
  rest(&r);
  expect_flit(&r, t + 9, 0, 0, HD_KIND_SINGLE, head(CODED, 0, 0) | 0x740);
  expect_errors(&r, HD_ERR_OCCUPIED);
  assert_int_equal(view_of(&r).coder_waiting, 1); /* place 1 waits for 2 */
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN);
  expect_errors(&r, HD_ERR_INCOMPLETE);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN);
  expect_errors(&r, 0);
  rig_close(&r);
}

/* A place is empty from the cycle after the one at whose start it is spent, not earlier. */
static void a_write_in_the_cycle_in_which_a_place_becomes_empty(void **state)
{
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    struct rig r;
    open_example(&r);
    open_chain(&r, 0, 1);
    uint64_t t = r.cycle;
    put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0); /* visible in t + 4, spent at the start of t + 5 */
    run_to(&r, t + 5 + late);
    assert_int_equal(view_of(&r).coder_waiting, 1 - late);
    configure(&r, HD_CFG_PLACE(0), HD_PLACE_OPEN);
    expect_errors(&r, late ? 0 : HD_ERR_INCOMPLETE);
    rig_close(&r);
  }
}

/* The last place ends its chain without `last`, and the chain before it does not reach beyond its own. */
static void chains_stand_side_by_side(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  open_chain(&r, 3, 3);
  configure(&r, HD_CFG_PLACE(6), HD_PLACE_OPEN);
  configure(&r, HD_CFG_PLACE(7), HD_PLACE_OPEN);
  for (unsigned k = 0; k < 8; k++)
    put_packet(&r, 0, head(NATIVE, k, 0) | 0x40u << k, 1, 0);
  rest(&r);
  assert_int_equal(shown(&r), 8 + 5);
  static const unsigned pairs[] = {0, 1, 3, 4, 6};
  for (unsigned i = 0; i < 5; i++) {
    unsigned found = 0;
    for (uint32_t j = 0; j < r.n_flits; j++)
      found += r.flits[j].data == (head(CODED, pairs[i], 0) | 0xc0u << pairs[i]);
    assert_int_equal(found, 1);
  }
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

/* A place whose neighbour becomes the end of another chain can be spent by that. */
static void a_write_can_end_a_neighbours_wait(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN | HD_PLACE_LAST);
  configure(&r, HD_CFG_PLACE(0), HD_PLACE_OPEN);
  put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0);
  rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_equal(hd_switch_quiescent(r.sw, r.cycle), 1);
  configure(&r, HD_CFG_PLACE(0), HD_PLACE_LAST);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_not_equal(hd_switch_active(r.sw), 0);
  tick(&r);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(hd_switch_active(r.sw), 0);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

/* ── watching, §11.4 ────────────────────────────────────────────────────────── */

static void lengths_are_checked(void **state)
{
  static const struct {
    unsigned code, field, flits;
    bool kept;
  } cases[] = {{NATIVE, 0, 1, true},   {NATIVE, 1, 1, false},   {NATIVE, 0, 2, false},
               {NATIVE, 15, 16, true}, {NATIVE, 14, 16, false}, {NATIVE, 0, 17, false},
               {NATIVE, 1, 18, false}, {NATIVE, 15, 40, false}, {CODED, 7, 1, true},
               {CODED, 0, 16, true},   {CODED, 0, 17, false},   {CODED, 15, 33, false}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r;
    open_example(&r);
    put_packet(&r, 0, head(cases[i].code, 0, cases[i].field), cases[i].flits, 0);
    rest(&r);
    assert_int_equal(errors_of(&r), cases[i].kept ? 0 : HD_ERR_LENGTH);
    assert_int_equal(view_of(&r).coder_waiting, cases[i].kept);
    assert_int_equal(shown(&r), cases[i].flits);
    rig_close(&r);
  }
}

static void a_head_inside_a_packet_ends_its_watch(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1));
  put(&r, 0, 0, HD_KIND_SINGLE, head(NATIVE, 1, 0)); /* nested; it is kept */
  rest(&r);
  expect_errors(&r, HD_ERR_LENGTH | HD_ERR_NESTED);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  put(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1));
  put(&r, 0, 0, HD_KIND_SINGLE, head(NATIVE, 0, 0)); /* the place is not empty yet */
  rest(&r);
  expect_errors(&r, HD_ERR_LENGTH | HD_ERR_NESTED | HD_ERR_OCCUPIED);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_equal(shown(&r), 4);
  rig_close(&r);
}

/* The next round may come two cycles after the tail of the later made packet is seen (§11.12). */
static void the_next_round_comes_two_cycles_later(void **state)
{
  (void)state;
  for (unsigned cycles = 0; cycles < 64; cycles += 21)
    for (unsigned late = 0; late < 2; late++) {
      struct rig r;
      struct hd_switch_params p = example_params();
      p.code_cycles = cycles;
      open_coder(&r, &p);
      open_chain(&r, 0, 2);
      put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0);
      uint64_t c = r.cycle + 4;
      put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0); /* visible in c */
      uint64_t made = c + 5 + cycles;
      run_to(&r, made + 1 + cycles + late - 4);
      put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0);
      rest(&r);
      expect_flit(&r, made, 0, 0, HD_KIND_SINGLE, head(CODED, 0, 0));
      assert_int_equal(errors_of(&r), late ? 0 : HD_ERR_OCCUPIED);
      rig_close(&r);
    }
}

/* ── pairs and sending, §11.5 to §11.7, §11.10 ──────────────────────────────── */

static void latency_follows_from_the_parameters(void **state)
{
  (void)state;
  for (unsigned i = 0; i < 24; i++) {
    struct rig r;
    struct hd_switch_params p = example_params();
    p.code_cycles = i / 4 * 7;
    p.arb_cycles = 1 + i % 2;
    p.buffer_cycles = i / 2 % 2;
    uint64_t stages = hd_switch_grant_stages(&p);
    open_coder(&r, &p);
    open_chain(&r, 2, 2);
    put_packet(&r, 0, head(NATIVE, 3, 1), 2, 0x77);
    uint64_t c = r.cycle + 2 + 2 * p.arb_cycles + stages; /* the channel rests, §2.5 */
    put_packet(&r, 1, head(NATIVE, 2, 0) | 0x40, 1, 0);
    run_to(&r, c + 200);
    expect_flit(&r, c + 5 + p.code_cycles + stages, 0, 0, HD_KIND_HEAD, head(CODED, 2, 1) | 0x40);
    expect_flit(&r, c + 6 + p.code_cycles + stages, 0, 0, HD_KIND_TAIL, 0x78);
    assert_int_equal(errors_of(&r), 0);
    rig_close(&r);
  }
}

/* m packets of F flits and m - 1 made ones take (2m - 1)·F cycles once the pairs pile up: no cycle is idle. */
static void output_0_has_a_flit_in_every_cycle(void **state)
{
  enum { MEMBERS = 8 };
  static const unsigned lengths[] = {5, 7, 16};
  (void)state;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    struct rig r;
    unsigned flits = lengths[i];
    struct hd_switch_params p = example_params();
    open_coder(&r, &p);
    open_chain(&r, 0, MEMBERS);
    unsigned left[3] = {0};
    uint64_t start = r.cycle + 4;
    /* Two inputs take turns, so that one is there while the other has its packet sent. */
    unsigned next = 0, of[3] = {0}, in_flight = 0;
    while (r.cycle < start + (2 * MEMBERS - 1) * flits + 40) {
      for (unsigned port = 0; port < 3; port++) {
        if (!left[port] && next < MEMBERS && in_flight < MEMBERS) {
          of[port] = next++;
          left[port] = flits;
        }
        if (!left[port])
          continue;
        unsigned f = flits - left[port]--;
        set_flit(&r, port, 0, (f ? 0u : HD_KIND_HEAD) | (f + 1 == flits ? HD_KIND_TAIL : 0u),
                 f ? f : head(NATIVE, of[port], flits - 1));
      }
      unsigned now = 0;
      for (uint32_t e = 0; e < r.n_flits; e++)
        now += !r.flits[e].port && r.flits[e].cycle == r.cycle;
      r.pins[0].credits = now;
      tick(&r);
    }
    assert_int_equal(shown(&r), (2 * MEMBERS - 1) * flits);
    for (unsigned f = 0; f < (2 * MEMBERS - 1) * flits; f++) {
      unsigned found = 0;
      for (uint32_t e = 0; e < r.n_flits; e++)
        found += !r.flits[e].port && r.flits[e].cycle == start + f;
      assert_int_equal(found, 1);
    }
    assert_int_equal(errors_of(&r), 0);
    rig_close(&r);
  }
}

/* A chain is decoded in F + 4 + D cycles a packet, from the native one in place 0 on. */
static void a_chain_is_decoded_packet_by_packet(void **state)
{
  (void)state;
  for (unsigned flits = 1; flits <= 4; flits++) {
    struct rig r;
    struct hd_switch_params p = example_params();
    p.code_cycles = flits % 2;
    open_coder(&r, &p);
    open_chain(&r, 0, 8);
    for (unsigned k = 1; k < 8; k++)
      put_packet(&r, 0, head(CODED, k, 0), flits, 0);
    rest(&r);
    uint64_t c = r.cycle + 3 + flits; /* its tail */
    put_packet(&r, 0, head(NATIVE, 0, flits - 1), flits, 0x40);
    run_to(&r, c + 200);
    for (unsigned k = 1; k < 8; k++) {
      uint64_t t = c + 5 + p.code_cycles + (k - 1) * (flits + 4 + p.code_cycles);
      expect_flit(&r, t, 0, 0, flits > 1 ? HD_KIND_HEAD : HD_KIND_SINGLE,
                  head(NATIVE, k, flits - 1));
      if (flits > 1)
        expect_flit(&r, t + flits - 1, 0, 0, HD_KIND_TAIL,
                    (0x40 + flits - 1) ^ (k & 1 ? flits - 1 : 0));
    }
    assert_int_equal(view_of(&r).coder_waiting, 0);
    assert_int_equal(errors_of(&r), 0);
    rig_close(&r);
  }
}

/* Pairs 0 and 2 become ready while others wait for a credit: the search goes on from pair 6. */
static void pairs_take_turns(void **state)
{
  static const unsigned comes[] = {4, 6, 2, 0}, leaves[] = {4, 6, 0, 2};
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.depth_flits = 8;
  p.code_cycles = 20;
  open_coder(&r, &p);
  for (unsigned k = 0; k < 8; k += 2)
    open_chain(&r, k, 2);
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 0; k < 2; k++)
      put_packet(&r, i % 2, head(NATIVE, comes[i] + k, 0) | 0x40u << k, 1, 0);
  rest(&r);
  for (unsigned i = 0; i < 4; i++) {
    r.pins[0].credits = 1;
    tick(&r);
  }
  rest(&r);
  assert_int_equal(shown(&r), 12);
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(r.flits[8 + i].data, head(CODED, leaves[i], 0) | 0xc0);
  assert_int_equal(view_of(&r).coder_next, 3);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

static void a_made_packet_waits_for_a_channel_and_credits(void **state)
{
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.depth_flits = 4;
  open_coder(&r, &p);
  open_chain(&r, 0, 2);
  put_packet(&r, 0, head(NATIVE, 0, 1), 2, 0x10);
  put_packet(&r, 0, head(NATIVE, 1, 1), 2, 0x20); /* all four credits are taken */
  rest(&r);
  assert_int_equal(shown(&r), 4);
  assert_int_equal(view_of(&r).coder_sending, 1);
  assert_int_equal(view_of(&r).coder_flit, 0);
  uint32_t blocked = r.blocked;
  uint64_t t = r.cycle;
  r.pins[0].credits = 1;
  tick(&r); /* granted in t + 1 */
  rest(&r);
  expect_flit(&r, t + 3, 0, 0, HD_KIND_HEAD, FOR_1 | UINT64_C(2) << 30);
  assert_int_equal(view_of(&r).coder_flit, 1);
  assert_int_equal(view_of(&r).out[0][0].owned, 1);
  assert_int_equal(view_of(&r).out_next[0], 0);
  put_packet(&r, 0, head(0, 0, 0), 1, 0); /* waits for the channel */
  rest(&r);
  assert_int_equal(shown(&r), 5);
  assert_int_not_equal(r.blocked, blocked); /* of that packet, not of the coder (§6.3) */
  t = r.cycle;
  r.pins[0].credits = 1;
  tick(&r);
  r.pins[0].credits = 1;
  tick(&r);
  rest(&r);
  expect_flit(&r, t + 3, 0, 0, HD_KIND_TAIL, 0x11 ^ 0x21);
  expect_flit(&r, t + 4, 0, 0, HD_KIND_SINGLE, head(0, 0, 0));
  assert_int_equal(view_of(&r).out[0][0].owned, 0);
  assert_int_equal(view_of(&r).out_next[0], 1);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

/* A made packet never begins where cut-through could not end it, nor on a channel for barrier messages. */
static void a_made_packet_begins_like_any_other(void **state)
{
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.depth_flits = 5;
  p.cut_flits = 3;
  open_coder(&r, &p);
  open_chain(&r, 0, 2);
  put_packet(&r, 0, head(NATIVE, 0, 1), 2, 0x10);
  put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0x20); /* two credits are left */
  rest(&r);
  assert_int_equal(shown(&r), 3);
  uint64_t t = r.cycle;
  r.pins[0].credits = 1;
  tick(&r);
  rest(&r);
  expect_flit(&r, t + 3, 0, 0, HD_KIND_HEAD, FOR_1 | UINT64_C(1) << 31 | 1 << 23);
  rig_close(&r);
  for (unsigned barrier = 0; barrier < 2; barrier++) {
    p = example_params();
    p.vcs = 3;
    p.barrier = barrier ? HD_BARRIER_RESERVED : HD_BARRIER_NONE;
    p.groups = 1;
    p.switches = 2;
    open_coder(&r, &p);
    open_chain(&r, 0, 7);
    for (unsigned k = 0; k < 7; k++)
      put_packet(&r, 0, head(NATIVE, k, 0), 1, 0);
    rest(&r);
    assert_int_equal(shown(&r), 13);
    unsigned next = 0;
    for (unsigned i = 0; i < 13; i++) { /* each begins on the channel after that of the last */
      assert_int_equal(r.flits[i].vc, next);
      next = (next + 1) % (barrier ? 2 : 3);
    }
    rig_close(&r);
  }
}

/* §11.2: with two ports a head of mode 2 is shifted by one bit, and what is then where its code would be is
 * not looked at. */
static void mode_2_has_no_code_field(void **state)
{
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.ports = 2;
  open_coder(&r, &p);
  open_chain(&r, 0, 3);
  uint64_t t = r.cycle;
  put_packet(&r, 0, 0x80000002, 1, 0);
  rest(&r);
  expect_flit(&r, t + 4, 0, 0, HD_KIND_SINGLE, 0x40000002);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(errors_of(&r), 0);
  rig_close(&r);
}

/* What was made of a packet is not made again of it, though its neighbour is written and comes again. */
static void a_pair_is_made_once(void **state)
{
  (void)state;
  for (unsigned again = 1; again <= 2; again++) {
    struct rig r;
    open_example(&r);
    open_chain(&r, 0, 4);
    put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0);
    put_packet(&r, 0, head(NATIVE, 2, 0), 1, 0);
    rest(&r);
    assert_int_equal(shown(&r), 3);
    configure(&r, HD_CFG_PLACE(again), HD_PLACE_OPEN);
    expect_errors(&r, HD_ERR_INCOMPLETE);
    put_packet(&r, 0, head(NATIVE, again, 0), 1, 0);
    rest(&r);
    assert_int_equal(shown(&r), 4);
    assert_int_equal(view_of(&r).coder_waiting, 2);
    rig_close(&r);
  }
}

static void a_count_of_flits_does_not_wrap(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 15));
  for (unsigned f = 1; f < 256 + 16; f++) {
    r.pins[0].credits = f > 6;
    put(&r, 0, 0, f < 256 + 15 ? HD_KIND_BODY : HD_KIND_TAIL, 0);
  }
  rest(&r);
  expect_errors(&r, HD_ERR_LENGTH);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  rig_close(&r);
}

/* §11.11: a place that waits is quiet; a packet that has not taken effect is not. */
static void a_coder_with_nothing_to_do_is_quiescent(void **state)
{
  struct rig r;
  (void)state;
  struct hd_switch_params p = example_params();
  p.code_cycles = 40;
  open_coder(&r, &p);
  open_chain(&r, 0, 2);
  uint64_t c = r.cycle + 4;
  put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0); /* visible in c; takes effect at the end of c + 40 */
  r.pins[0].credits = 1;
  run_to(&r, c + 6);
  while (r.cycle < c + 42) {
    assert_int_not_equal(hd_switch_quiescent(r.sw, r.cycle), 1);
    assert_true(hd_switch_active(r.sw) || r.cycle > c + 40);
    tick(&r);
  }
  assert_true(hd_switch_quiescent(r.sw, r.cycle));
  assert_int_equal(view_of(&r).coder_waiting, 1);
  rig_close(&r);
}

static void reset_forgets_what_the_coder_has(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0);
  put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0);
  run_to(&r, r.cycle + 5);
  assert_int_equal(view_of(&r).coder_waiting, 2);
  assert_int_equal(view_of(&r).coder_picked, 1);
  hd_switch_reset(r.sw);
  assert_int_equal(hd_switch_active(r.sw), 0);
  struct hd_switch_view view = view_of(&r);
  assert_int_equal(view.coder_waiting | view.coder_next | view.coder_picked | view.coder_sending,
                   0);
  unsigned before = shown(&r);
  rest(&r);
  assert_int_equal(shown(&r), before);
  put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0);
  rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  rig_close(&r);
}

static void a_place_written_under_way_can_be_kept_all_the_same(void **state)
{
  struct rig r;
  (void)state;
  open_example(&r);
  put(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1)); /* visible in t + 4 */
  run_to(&r, r.cycle + 8);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  configure(&r, HD_CFG_PLACE(0), 0);
  expect_errors(&r, HD_ERR_INCOMPLETE);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  put(&r, 0, 0, HD_KIND_TAIL, 5);
  rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  configure(&r, HD_CFG_PLACE(0), 0);
  expect_errors(&r, HD_ERR_INCOMPLETE);
  rig_close(&r);
}

/* 0 bytes more without a coder; places are what it takes. */
static void only_a_coder_takes_memory(void **state)
{
  struct hd_switch_params p = example_params();
  (void)state;
  size_t with_8 = hd_switch_size(&p);
  p.code_places = 0;
  size_t without = hd_switch_size(&p);
  p.code_cycles = 63;
  assert_int_equal(hd_switch_size(&p), without);
  assert_true(with_8 > without + 8 * 16 * sizeof(uint64_t));
}

/* ── many chains at random: what is made is what §11.7 says, whatever the timing (§11.13) ──────────── */

enum { PLACES = 48, MOST = 2 * PLACES, KEPT_FLITS = 16 };

struct packet {
  uint64_t flit[KEPT_FLITS];
  unsigned flits;
  bool seen;
};

struct world {
  struct rig r;
  struct packet expected[MOST], sent[MOST];
  unsigned n_expected, n_sent;
  struct {
    int credits, packet; /* packet: number + 1 */
    unsigned flit;
  } in[HD_MAX_PORTS][HD_MAX_VCS];
  unsigned owed[HD_MAX_PORTS][HD_MAX_VCS];
  struct packet coming[HD_MAX_VCS];
  unsigned matched;
};

static uint64_t low_bits(uint32_t n)
{
  return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* The exclusive or of two packets with `flits` flits: code, place and lowest bits are given. */
static struct packet combined(const struct hd_switch_params *p, const struct packet *a,
                              const struct packet *b, unsigned flits, unsigned code, unsigned place,
                              uint64_t header)
{
  struct packet made = {.flits = flits};
  uint64_t kept = low_bits(p->data_bits - 2 - hd_place_bits(p)) & ~low_bits(hd_header_bits(p));
  for (unsigned f = 0; f < flits; f++)
    made.flit[f] = (f < a->flits ? a->flit[f] : 0) ^ (f < b->flits ? b->flit[f] : 0);
  made.flit[0] = (made.flit[0] & kept) | head_of(p, code, place, 0, 0) |
                 (header & low_bits(hd_header_bits(p)));
  return made;
}

static uint64_t header_for(struct dice *dice)
{
  static const unsigned nodes[] = {0, 1, 3}; /* 2 is behind output 1 */
  return (uint64_t)nodes[roll(dice, 3)] << 2;
}

static uint64_t any_data(const struct hd_switch_params *p, struct dice *dice)
{
  uint64_t data = 0;
  for (unsigned i = 0; i < 4; i++)
    data = data << 16 | roll(dice, 65536);
  return data & low_bits(p->data_bits);
}

static void add(struct packet *list, unsigned *n, const struct packet *packet)
{
  assert_in_range(*n, 0, MOST - 1);
  list[(*n)++] = *packet;
}

static void send(struct world *w, const struct packet *packet)
{
  add(w->sent, &w->n_sent, packet);
  add(w->expected, &w->n_expected, packet);
}

/* A chain of `members` places from `first` on, and what its packets give. */
static void add_chain(struct world *w, struct dice *dice, unsigned first, unsigned members,
                      bool decodes)
{
  const struct hd_switch_params *p = &w->r.params;
  struct packet native[PLACES], kept[PLACES];
  for (unsigned i = 0; i < members; i++) {
    native[i].seen = false;
    native[i].flits = 1 + roll(dice, 16);
    for (unsigned f = 0; f < native[i].flits; f++)
      native[i].flit[f] = any_data(p, dice);
    native[i].flit[0] = (native[i].flit[0] & low_bits(p->data_bits - 6 - hd_place_bits(p)) &
                         ~low_bits(hd_header_bits(p))) |
                        head_of(p, NATIVE, first + i, native[i].flits - 1, header_for(dice));
  }
  unsigned given = decodes ? roll(dice, members) : members;
  for (unsigned i = 0; i < members; i++) {
    unsigned other = i < given ? i + 1 : i - 1;
    kept[i] = native[i];
    if (decodes && i != given)
      kept[i] =
          combined(p, &native[i], &native[other],
                   native[i].flits > native[other].flits ? native[i].flits : native[other].flits,
                   CODED, first + i, header_for(dice));
    send(w, &kept[i]);
  }
  for (unsigned i = 0; !decodes && i + 1 < members; i++) {
    unsigned flits = native[i].flits > native[i + 1].flits ? native[i].flits : native[i + 1].flits;
    struct packet made =
        combined(p, &native[i], &native[i + 1], flits, CODED, first + i, native[i].flit[0]);
    add(w->expected, &w->n_expected, &made);
  }
  /* Restored from the given one on in both directions; the lowest bits are those of the lower place. */
  for (unsigned i = given + 1; decodes && i < members; i++) {
    kept[i] = combined(p, &kept[i - 1], &kept[i], native[i].flits, NATIVE, first + i,
                       kept[i - 1].flit[0]);
    add(w->expected, &w->n_expected, &kept[i]);
  }
  for (unsigned i = decodes ? given : 0; i-- > 0;) {
    kept[i] =
        combined(p, &kept[i + 1], &kept[i], native[i].flits, NATIVE, first + i, kept[i].flit[0]);
    add(w->expected, &w->n_expected, &kept[i]);
  }
  for (unsigned i = 0; decodes && i < members; i++)
    for (unsigned f = 1; f < native[i].flits; f++)
      assert_true(kept[i].flit[f] == native[i].flit[f]);
}

static void expect_packet(struct world *w, const struct packet *packet)
{
  for (unsigned i = 0; i < w->n_expected; i++) {
    struct packet *e = &w->expected[i];
    if (e->seen || e->flits != packet->flits ||
        memcmp(e->flit, packet->flit, packet->flits * sizeof *e->flit))
      continue;
    e->seen = true;
    w->matched++;
    return;
  }
  fail_msg("output 0 showed a packet of %u flits with head %llx that nothing explains",
           packet->flits, (unsigned long long)packet->flit[0]);
}

/* What came out: packets of output 0, credits to give back and those of the inputs. */
static void take_outputs(struct world *w)
{
  struct rig *r = &w->r;
  for (uint32_t i = 0; i < r->n_flits; i++) {
    const struct hd_flit_event *e = &r->flits[i];
    struct packet *coming = &w->coming[e->vc];
    w->owed[e->port][e->vc]++;
    if (e->kind & HD_KIND_HEAD)
      coming->flits = 0;
    assert_in_range(coming->flits, 0, KEPT_FLITS - 1);
    coming->flit[coming->flits++] = e->data;
    if (e->kind & HD_KIND_TAIL)
      expect_packet(w, coming);
  }
  for (uint32_t i = 0; i < r->n_credits; i++)
    for (unsigned v = 0; v < r->params.vcs; v++)
      w->in[r->credits[i].port][v].credits += hd_credit_set(&r->credits[i]) >> v & 1;
  r->n_flits = r->n_credits = 0;
}

/* One cycle: a flit at each input that has one, credits back after any time. */
static void step(struct world *w, struct dice *dice, unsigned *next, unsigned hold)
{
  struct rig *r = &w->r;
  for (unsigned port = 0; port < r->params.ports; port++) {
    unsigned v = roll(dice, r->params.vcs);
    if (!w->in[port][v].packet && *next < w->n_sent) {
      w->in[port][v].packet = (int)++*next;
      w->in[port][v].flit = 0;
    }
    if (w->in[port][v].packet && w->in[port][v].credits > 0) {
      const struct packet *p = &w->sent[w->in[port][v].packet - 1];
      unsigned f = w->in[port][v].flit++;
      bool tail = f + 1 == p->flits;
      set_flit(r, port, v, (f ? 0u : HD_KIND_HEAD) | (tail ? HD_KIND_TAIL : 0u), p->flit[f]);
      w->in[port][v].credits--;
      if (tail)
        w->in[port][v].packet = 0;
    }
    for (unsigned vc = 0; vc < r->params.vcs; vc++)
      if (w->owed[port][vc] && roll(dice, 100) >= hold) {
        w->owed[port][vc]--;
        r->pins[port].credits |= 1u << vc;
      }
  }
  tick(r);
  take_outputs(w);
}

static struct hd_switch_params random_params(struct dice *dice)
{
  struct hd_switch_params p = example_params();
  p.ports = 2 + roll(dice, 4);
  p.vcs = 1 + roll(dice, 4);
  p.nodes = 4;
  p.depth_flits = 1 + roll(dice, 16);
  p.cut_flits = roll(dice, 2) ? 1 + roll(dice, p.depth_flits) : 0;
  p.route_cycles = 1 + roll(dice, 2);
  p.arb_cycles = 1 + roll(dice, 2);
  p.buffer_cycles = roll(dice, 2);
  p.code_places = 1 + roll(dice, PLACES);
  p.code_cycles = roll(dice, 2) ? roll(dice, 64) : 0;
  p.data_bits = p.code_places <= 64 && roll(dice, 2) ? 16 : 32u << roll(dice, 2);
  return p;
}

static void random_chains_give_what_they_must(void **state)
{
  struct dice dice = dice_begin("random_chains_give_what_they_must", "test_coder");
  struct hd_coverage coverage = {{0}};
  uint64_t made = 0;
  (void)state;
  for (uint32_t run = 0, runs = n_cases(120); run < runs; run++) {
    static struct world w;
    struct hd_switch_params p = random_params(&dice);
    memset(&w, 0, sizeof w);
    open_coder(&w.r, &p);
    if (run % 2)
      hd_switch_cover(w.r.sw, &coverage, NULL, 1);
    for (unsigned port = 0; port < p.ports; port++)
      for (unsigned v = 0; v < p.vcs; v++)
        w.in[port][v].credits = (int)p.depth_flits;
    unsigned ends[PLACES], hold = roll(&dice, 91);
    for (unsigned k = 0; k < p.code_places; k++)
      ends[k] = roll(&dice, 6) == 0;
    for (unsigned k = 0; k < p.code_places; k++)
      configure(&w.r, HD_CFG_PLACE(k), HD_PLACE_OPEN | (ends[k] ? HD_PLACE_LAST : 0));
    for (unsigned round = 0; round < 2; round++) {
      w.n_expected = w.n_sent = w.matched = 0;
      for (unsigned first = 0, k = 0; k < p.code_places; k++)
        if (ends[k] || k + 1 == p.code_places) {
          add_chain(&w, &dice, first, k + 1 - first, roll(&dice, 2));
          first = k + 1;
        }
      for (unsigned i = w.n_sent; i > 1; i--) {
        unsigned other = roll(&dice, i);
        struct packet packet = w.sent[i - 1];
        w.sent[i - 1] = w.sent[other];
        w.sent[other] = packet;
      }
      unsigned next = 0;
      uint64_t end = w.r.cycle + 60000;
      while ((w.matched < w.n_expected || view_of(&w.r).coder_waiting) && w.r.cycle < end)
        step(&w, &dice, &next, hold);
      assert_int_equal(w.matched, w.n_expected);
      assert_int_equal(view_of(&w.r).coder_waiting, 0);
      assert_int_equal(errors_of(&w.r), 0);
      made += w.n_expected - w.n_sent;
    }
    for (unsigned i = 0; i < 200; i++)
      step(&w, &dice, &(unsigned){w.n_sent}, 0);
    assert_int_equal(hd_switch_active(w.r.sw), 0);
    assert_true(hd_switch_quiescent(w.r.sw, w.r.cycle));
    rig_close(&w.r);
  }
  printf("%llu packets were made\n", (unsigned long long)made);
  assert_int_not_equal(made, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example_of_encoding),
      cmocka_unit_test(the_example_of_decoding),
      cmocka_unit_test(what_is_not_for_the_coder_passes),
      cmocka_unit_test(a_place_that_is_not_open_keeps_nothing),
      cmocka_unit_test(a_place_keeps_one_packet),
      cmocka_unit_test(a_write_in_the_cycle_in_which_a_place_becomes_empty),
      cmocka_unit_test(chains_stand_side_by_side),
      cmocka_unit_test(a_write_can_end_a_neighbours_wait),
      cmocka_unit_test(lengths_are_checked),
      cmocka_unit_test(a_head_inside_a_packet_ends_its_watch),
      cmocka_unit_test(the_next_round_comes_two_cycles_later),
      cmocka_unit_test(latency_follows_from_the_parameters),
      cmocka_unit_test(output_0_has_a_flit_in_every_cycle),
      cmocka_unit_test(a_chain_is_decoded_packet_by_packet),
      cmocka_unit_test(pairs_take_turns),
      cmocka_unit_test(a_made_packet_waits_for_a_channel_and_credits),
      cmocka_unit_test(a_made_packet_begins_like_any_other),
      cmocka_unit_test(mode_2_has_no_code_field),
      cmocka_unit_test(a_pair_is_made_once),
      cmocka_unit_test(a_count_of_flits_does_not_wrap),
      cmocka_unit_test(a_coder_with_nothing_to_do_is_quiescent),
      cmocka_unit_test(reset_forgets_what_the_coder_has),
      cmocka_unit_test(a_place_written_under_way_can_be_kept_all_the_same),
      cmocka_unit_test(only_a_coder_takes_memory),
      cmocka_unit_test(random_chains_give_what_they_must),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
