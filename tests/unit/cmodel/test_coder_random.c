/* Chains of the XOR coder at random: what is made is what §11.7 says, whatever the timing (§11.13).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/coder_rig.h"
#include "../lib/dice.h"
#include "../lib/test.h"

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

static uint64_t mask_of_low_bits(uint32_t n)
{
  return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* The exclusive or of two packets with `flits` flits: code, place and lowest bits are given. */
static struct packet combine_packets(const struct hd_switch_params *p, const struct packet *a,
                                     const struct packet *b, unsigned flits, unsigned code,
                                     unsigned place, uint64_t header)
{
  struct packet made = {.flits = flits};
  uint64_t kept =
      mask_of_low_bits(p->data_bits - 2 - hd_place_bits(p)) & ~mask_of_low_bits(hd_header_bits(p));
  for (unsigned f = 0; f < flits; f++)
    made.flit[f] = (f < a->flits ? a->flit[f] : 0) ^ (f < b->flits ? b->flit[f] : 0);
  made.flit[0] = (made.flit[0] & kept) | head_of(p, code, place, 0, 0) |
                 (header & mask_of_low_bits(hd_header_bits(p)));
  return made;
}

static uint64_t header_for(struct dice *dice)
{
  static const unsigned nodes[] = {0, 1, 3}; /* 2 is behind output 1 */
  return (uint64_t)nodes[roll(dice, 3)] << 2;
}

static uint64_t random_word(const struct hd_switch_params *p, struct dice *dice)
{
  uint64_t data = 0;
  for (unsigned i = 0; i < 4; i++)
    data = data << 16 | roll(dice, 65536);
  return data & mask_of_low_bits(p->data_bits);
}

static void add_packet(struct packet *list, unsigned *n, const struct packet *packet)
{
  assert_in_range(*n, 0, MOST - 1);
  list[(*n)++] = *packet;
}

static void send(struct world *w, const struct packet *packet)
{
  add_packet(w->sent, &w->n_sent, packet);
  add_packet(w->expected, &w->n_expected, packet);
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
      native[i].flit[f] = random_word(p, dice);
    native[i].flit[0] = (native[i].flit[0] & mask_of_low_bits(p->data_bits - 6 - hd_place_bits(p)) &
                         ~mask_of_low_bits(hd_header_bits(p))) |
                        head_of(p, NATIVE, first + i, native[i].flits - 1, header_for(dice));
  }
  unsigned given = decodes ? roll(dice, members) : members;
  for (unsigned i = 0; i < members; i++) {
    unsigned other = i < given ? i + 1 : i - 1;
    kept[i] = native[i];
    if (decodes && i != given)
      kept[i] = combine_packets(p, &native[i], &native[other],
                                native[i].flits > native[other].flits ? native[i].flits
                                                                      : native[other].flits,
                                CODED, first + i, header_for(dice));
    send(w, &kept[i]);
  }
  for (unsigned i = 0; !decodes && i + 1 < members; i++) {
    unsigned flits = native[i].flits > native[i + 1].flits ? native[i].flits : native[i + 1].flits;
    struct packet made =
        combine_packets(p, &native[i], &native[i + 1], flits, CODED, first + i, native[i].flit[0]);
    add_packet(w->expected, &w->n_expected, &made);
  }
  /* Restored from the given one on in both directions; the lowest bits are those of the lower place. */
  for (unsigned i = given + 1; decodes && i < members; i++) {
    kept[i] = combine_packets(p, &kept[i - 1], &kept[i], native[i].flits, NATIVE, first + i,
                              kept[i - 1].flit[0]);
    add_packet(w->expected, &w->n_expected, &kept[i]);
  }
  for (unsigned i = decodes ? given : 0; i-- > 0;) {
    kept[i] = combine_packets(p, &kept[i + 1], &kept[i], native[i].flits, NATIVE, first + i,
                              kept[i].flit[0]);
    add_packet(w->expected, &w->n_expected, &kept[i]);
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

/* Takes the outputs: packets of output 0, credits to give back and those of the inputs. */
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
static void world_step(struct world *w, struct dice *dice, unsigned *next, unsigned hold)
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

TEST(random_chains_give_the_packets_of_section_11_7)
{
  struct dice dice =
      dice_begin("random_chains_give_the_packets_of_section_11_7", "test_coder_random");
  struct hd_coverage coverage = {{0}};
  uint64_t made = 0;
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
        world_step(&w, &dice, &next, hold);
      assert_int_equal(w.matched, w.n_expected);
      assert_int_equal(view_of(&w.r).coder_waiting, 0);
      assert_int_equal(errors_of(&w.r), 0);
      made += w.n_expected - w.n_sent;
    }
    for (unsigned i = 0; i < 200; i++)
      world_step(&w, &dice, &(unsigned){w.n_sent}, 0);
    assert_int_equal(hd_switch_active(w.r.sw), 0);
    assert_true(hd_switch_quiescent(w.r.sw, w.r.cycle));
    rig_close(&w.r);
  }
  printf("%llu packets were made\n", (unsigned long long)made);
  assert_int_not_equal(made, 0);
}