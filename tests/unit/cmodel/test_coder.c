/* The XOR coder (specification §11), rule by rule.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/coder_rig.h"
#include "../lib/test.h"

/* ── the examples of §11.10 ─────────────────────────────────────────────────── */

/* A row of a table: states of places 0 to 2 at the start of its cycle, and the picks and grants in it. */
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
  CLEANUP(rig_close) struct rig r;
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
  assert_int_equal(flits_shown(&r), 11);
}

TEST(encoding_follows_the_example_of_the_specification)
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
  expect_rows(rows, packets, flits);
}

TEST(decoding_follows_the_example_of_the_specification)
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
  expect_rows(rows, packets, flits);
}

/* ── code field and places, §11.2, §11.3, §11.9 ─────────────────────────────── */

TEST(packets_not_for_the_coder_pass_through)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  put_packet(&r, 0, head(0, 0, 0), 2, 0);
  put_packet(&r, 0, 0x40000002, 1, 0);                    /* mode 2, port 0 */
  put_packet(&r, 0, head(NATIVE, 0, 1) + (1 << 2), 2, 0); /* for node 2: output 1 */
  run_to_rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(flits_shown(&r), 3);
}

TEST(a_place_that_is_not_open_stores_no_packet)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = example_params();
  p.code_places = 6;
  open_coder(&r, &p);
  open_chain(&r, 0, 3);
  put_packet(&r, 0, head(NATIVE, 3, 0), 1, 0);
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  put_packet(&r, 0, head(NATIVE, 6, 0), 1, 0); /* beyond the last */
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  put_packet(&r, 0, head(3, 0, 0), 1, 0);
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  configure(&r, HD_CFG_PLACE(6), 3); /* there is none, nor is this one */
  configure(&r, HD_CFG_PLACE(3) | 1 << 12, 3);
  configure(&r, HD_CFG_PLACE(3), 0xfffc); /* other bits are ignored */
  put_packet(&r, 0, head(NATIVE, 3, 0), 1, 0);
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(flits_shown(&r), 4);
}

TEST(an_occupied_place_refuses_a_second_packet)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  put_packet(&r, 0, head(NATIVE, 0, 0) | 0x40, 1, 0);
  put_packet(&r, 0, head(NATIVE, 0, 0) | 0x80, 1, 0); /* a duplicate */
  uint64_t t = r.cycle;
  put_packet(&r, 0, head(NATIVE, 1, 0) | 0x700, 1, 0);
  run_to_rest(&r);
  expect_flit(&r, t + 9, 0, 0, HD_KIND_SINGLE, head(CODED, 0, 0) | 0x740);
  expect_errors(&r, HD_ERR_OCCUPIED);
  assert_int_equal(view_of(&r).coder_waiting, 1); /* place 1 waits for 2 */
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN);
  expect_errors(&r, HD_ERR_INCOMPLETE);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN);
}

/* A place is empty from the cycle after the one at whose start it is spent, not earlier. */
TEST(a_place_is_empty_from_the_cycle_after_it_is_spent)
{
  for (unsigned late = 0; late < 2; late++) {
    CLEANUP(rig_close) struct rig r;
    open_example(&r);
    open_chain(&r, 0, 1);
    uint64_t t = r.cycle;
    put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0); /* visible in t + 4, spent at the start of t + 5 */
    run_to(&r, t + 5 + late);
    assert_int_equal(view_of(&r).coder_waiting, 1 - late);
    configure(&r, HD_CFG_PLACE(0), HD_PLACE_OPEN);
    expect_errors(&r, late ? 0 : HD_ERR_INCOMPLETE);
  }
}

/* The last place ends its chain without `last`, and the chain before it does not reach beyond its own. */
TEST(neighbouring_chains_do_not_mix)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  open_chain(&r, 3, 3);
  configure(&r, HD_CFG_PLACE(6), HD_PLACE_OPEN);
  configure(&r, HD_CFG_PLACE(7), HD_PLACE_OPEN);
  for (unsigned k = 0; k < 8; k++)
    put_packet(&r, 0, head(NATIVE, k, 0) | 0x40u << k, 1, 0);
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), 8 + 5);
  static const unsigned pairs[] = {0, 1, 3, 4, 6};
  for (unsigned i = 0; i < 5; i++) {
    unsigned found = 0;
    for (uint32_t j = 0; j < r.n_flits; j++)
      found += r.flits[j].data == (head(CODED, pairs[i], 0) | 0xc0u << pairs[i]);
    assert_int_equal(found, 1);
  }
  assert_int_equal(view_of(&r).coder_waiting, 0);
}

/* A place whose neighbour becomes the end of another chain can be spent by that. */
TEST(a_write_of_a_place_can_end_the_wait_of_its_neighbour)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  configure(&r, HD_CFG_PLACE(1), HD_PLACE_OPEN | HD_PLACE_LAST);
  configure(&r, HD_CFG_PLACE(0), HD_PLACE_OPEN);
  put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0);
  run_to_rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_equal(hd_switch_quiescent(r.sw, r.cycle), 1);
  configure(&r, HD_CFG_PLACE(0), HD_PLACE_LAST);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_not_equal(hd_switch_active(r.sw), 0);
  tick(&r);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  assert_int_equal(hd_switch_active(r.sw), 0);
}

/* ── watching, §11.4 ────────────────────────────────────────────────────────── */

TEST(packets_of_a_wrong_length_are_not_stored)
{
  static const struct {
    unsigned code, field, flits;
    bool kept;
  } cases[] = {{NATIVE, 0, 1, true},   {NATIVE, 1, 1, false},   {NATIVE, 0, 2, false},
               {NATIVE, 15, 16, true}, {NATIVE, 14, 16, false}, {NATIVE, 0, 17, false},
               {NATIVE, 1, 18, false}, {NATIVE, 15, 40, false}, {CODED, 7, 1, true},
               {CODED, 0, 16, true},   {CODED, 0, 17, false},   {CODED, 15, 33, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(rig_close) struct rig r;
    open_example(&r);
    put_packet(&r, 0, head(cases[i].code, 0, cases[i].field), cases[i].flits, 0);
    run_to_rest(&r);
    expect_errors(&r, cases[i].kept ? 0 : HD_ERR_LENGTH);
    assert_int_equal(view_of(&r).coder_waiting, cases[i].kept);
    assert_int_equal(flits_shown(&r), cases[i].flits);
  }
}

TEST(a_nested_head_ends_the_storing_of_its_packet)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1));
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head(NATIVE, 1, 0)); /* nested; it is kept */
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_LENGTH | HD_ERR_NESTED);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1));
  put_flit(&r, 0, 0, HD_KIND_SINGLE, head(NATIVE, 0, 0)); /* the place is not empty yet */
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_LENGTH | HD_ERR_NESTED | HD_ERR_OCCUPIED);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  assert_int_equal(flits_shown(&r), 4);
}

/* The next round may come two cycles after the tail of the later made packet is seen (§11.12). */
TEST(the_next_round_may_begin_two_cycles_after_the_last_tail)
{
  for (unsigned cycles = 0; cycles < 64; cycles += 21)
    for (unsigned late = 0; late < 2; late++) {
      CLEANUP(rig_close) struct rig r;
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
      run_to_rest(&r);
      expect_flit(&r, made, 0, 0, HD_KIND_SINGLE, head(CODED, 0, 0));
      expect_errors(&r, late ? 0 : HD_ERR_OCCUPIED);
    }
}

/* ── pairs and sending, §11.5 to §11.7, §11.10 ──────────────────────────────── */

TEST(latency_follows_from_the_parameters)
{
  for (unsigned i = 0; i < 24; i++) {
    CLEANUP(rig_close) struct rig r;
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
  }
}

/* m packets of F flits and m - 1 made ones take (2m - 1)·F cycles once the pairs pile up: no cycle is idle. */
TEST(output_0_sends_in_every_cycle_while_pairs_are_ready)
{
  enum { MEMBERS = 8 };
  static const unsigned lengths[] = {5, 7, 16};
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
      give_credits(&r, 0, now);
    }
    assert_int_equal(flits_shown(&r), (2 * MEMBERS - 1) * flits);
    for (unsigned f = 0; f < (2 * MEMBERS - 1) * flits; f++) {
      unsigned found = 0;
      for (uint32_t e = 0; e < r.n_flits; e++)
        found += !r.flits[e].port && r.flits[e].cycle == start + f;
      assert_int_equal(found, 1);
    }
    rig_close(&r);
  }
}

/* A chain is decoded in F + 4 + D cycles a packet, from the native one in place 0 on. */
TEST(a_chain_is_decoded_packet_by_packet)
{
  for (unsigned flits = 1; flits <= 4; flits++) {
    CLEANUP(rig_close) struct rig r;
    struct hd_switch_params p = example_params();
    p.code_cycles = flits % 2;
    open_coder(&r, &p);
    open_chain(&r, 0, 8);
    for (unsigned k = 1; k < 8; k++)
      put_packet(&r, 0, head(CODED, k, 0), flits, 0);
    run_to_rest(&r);
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
  }
}

/* Pairs 0 and 2 become ready while others wait for a credit: the search goes on from pair 6. */
TEST(coder_pairs_that_are_ready_take_turns)
{
  static const unsigned comes[] = {4, 6, 2, 0}, leaves[] = {4, 6, 0, 2};
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = example_params();
  p.depth_flits = 8;
  p.code_cycles = 20;
  open_coder(&r, &p);
  for (unsigned k = 0; k < 8; k += 2)
    open_chain(&r, k, 2);
  for (unsigned i = 0; i < 4; i++)
    for (unsigned k = 0; k < 2; k++)
      put_packet(&r, i % 2, head(NATIVE, comes[i] + k, 0) | 0x40u << k, 1, 0);
  run_to_rest(&r);
  for (unsigned i = 0; i < 4; i++) {
    give_credits(&r, 0, 1);
  }
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), 12);
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(r.flits[8 + i].data, head(CODED, leaves[i], 0) | 0xc0);
  assert_int_equal(view_of(&r).coder_next, 3);
}

TEST(a_made_packet_waits_for_a_channel_and_credits)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = example_params();
  p.depth_flits = 4;
  open_coder(&r, &p);
  open_chain(&r, 0, 2);
  put_packet(&r, 0, head(NATIVE, 0, 1), 2, 0x10);
  put_packet(&r, 0, head(NATIVE, 1, 1), 2, 0x20); /* all four credits are taken */
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), 4);
  assert_int_equal(view_of(&r).coder_sending, 1);
  assert_int_equal(view_of(&r).coder_flit, 0);
  uint32_t blocked = r.blocked;
  uint64_t t = r.cycle;
  give_credits(&r, 0, 1); /* granted in t + 1 */
  run_to_rest(&r);
  expect_flit(&r, t + 3, 0, 0, HD_KIND_HEAD, FOR_1 | UINT64_C(2) << 30);
  assert_int_equal(view_of(&r).coder_flit, 1);
  assert_int_equal(view_of(&r).out[0][0].owned, 1);
  assert_int_equal(view_of(&r).out_next[0], 0);
  put_packet(&r, 0, head(0, 0, 0), 1, 0); /* waits for the channel */
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), 5);
  assert_int_not_equal(r.blocked, blocked); /* of that packet, not of the coder (§6.3) */
  t = r.cycle;
  give_credits(&r, 0, 1);
  give_credits(&r, 0, 1);
  run_to_rest(&r);
  expect_flit(&r, t + 3, 0, 0, HD_KIND_TAIL, 0x11 ^ 0x21);
  expect_flit(&r, t + 4, 0, 0, HD_KIND_SINGLE, head(0, 0, 0));
  assert_int_equal(view_of(&r).out[0][0].owned, 0);
  assert_int_equal(view_of(&r).out_next[0], 1);
}

/* A made packet never begins where cut-through could not end it, nor on a channel for barrier messages. */
TEST(a_made_packet_obeys_cut_through_and_reserved_channels)
{
  struct rig r;
  struct hd_switch_params p = example_params();
  p.depth_flits = 5;
  p.cut_flits = 3;
  open_coder(&r, &p);
  open_chain(&r, 0, 2);
  put_packet(&r, 0, head(NATIVE, 0, 1), 2, 0x10);
  put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0x20); /* two credits are left */
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), 3);
  uint64_t t = r.cycle;
  give_credits(&r, 0, 1);
  run_to_rest(&r);
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
    run_to_rest(&r);
    assert_int_equal(flits_shown(&r), 13);
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
TEST(mode_2_has_no_code_field)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = example_params();
  p.ports = 2;
  open_coder(&r, &p);
  open_chain(&r, 0, 3);
  uint64_t t = r.cycle;
  put_packet(&r, 0, 0x80000002, 1, 0);
  run_to_rest(&r);
  expect_flit(&r, t + 4, 0, 0, HD_KIND_SINGLE, 0x40000002);
  assert_int_equal(view_of(&r).coder_waiting, 0);
}

/* A pair that was made of a packet is not made again of it, though its neighbour is written and comes again. */
TEST(a_pair_is_not_encoded_twice_from_the_same_packet)
{
  for (unsigned again = 1; again <= 2; again++) {
    CLEANUP(rig_close) struct rig r;
    open_example(&r);
    open_chain(&r, 0, 4);
    put_packet(&r, 0, head(NATIVE, 1, 0), 1, 0);
    put_packet(&r, 0, head(NATIVE, 2, 0), 1, 0);
    run_to_rest(&r);
    assert_int_equal(flits_shown(&r), 3);
    configure(&r, HD_CFG_PLACE(again), HD_PLACE_OPEN);
    expect_errors(&r, HD_ERR_INCOMPLETE);
    put_packet(&r, 0, head(NATIVE, again, 0), 1, 0);
    run_to_rest(&r);
    assert_int_equal(flits_shown(&r), 4);
    assert_int_equal(view_of(&r).coder_waiting, 2);
  }
}

TEST(a_count_of_flits_does_not_wrap)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 15));
  for (unsigned f = 1; f < 256 + 16; f++) {
    r.pins[0].credits = f > 6;
    put_flit(&r, 0, 0, f < 256 + 15 ? HD_KIND_BODY : HD_KIND_TAIL, 0);
  }
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_LENGTH);
  assert_int_equal(view_of(&r).coder_waiting, 0);
}

/* §11.11: a place that waits is quiet; a packet that has not taken effect is not. */
TEST(a_coder_is_quiescent_when_no_packet_can_take_effect)
{
  CLEANUP(rig_close) struct rig r;
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
  expect_errors(&r, HD_ERR_CREDIT);
}

TEST(reset_clears_the_state_of_the_coder)
{
  CLEANUP(rig_close) struct rig r;
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
  unsigned before = flits_shown(&r);
  run_to_rest(&r);
  assert_int_equal(flits_shown(&r), before);
  put_packet(&r, 0, head(NATIVE, 0, 0), 1, 0);
  run_to_rest(&r);
  expect_errors(&r, HD_ERR_CLOSED);
}

TEST(a_place_written_during_the_arrival_of_its_packet_still_stores_it)
{
  CLEANUP(rig_close) struct rig r;
  open_example(&r);
  put_flit(&r, 0, 0, HD_KIND_HEAD, head(NATIVE, 0, 1)); /* visible in t + 4 */
  run_to(&r, r.cycle + 8);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  configure(&r, HD_CFG_PLACE(0), 0);
  expect_errors(&r, HD_ERR_INCOMPLETE);
  assert_int_equal(view_of(&r).coder_waiting, 0);
  put_flit(&r, 0, 0, HD_KIND_TAIL, 5);
  run_to_rest(&r);
  assert_int_equal(view_of(&r).coder_waiting, 1);
  configure(&r, HD_CFG_PLACE(0), 0);
  expect_errors(&r, HD_ERR_INCOMPLETE);
}

/* 0 bytes more without a coder; places are what it takes. */
TEST(only_switches_with_a_coder_have_memory_for_it)
{
  struct hd_switch_params p = example_params();
  size_t with_8 = hd_switch_size(&p);
  p.code_places = 0;
  size_t without = hd_switch_size(&p);
  p.code_cycles = 63;
  assert_int_equal(hd_switch_size(&p), without);
  assert_true(with_8 > without + 8 * 16 * sizeof(uint64_t));
}