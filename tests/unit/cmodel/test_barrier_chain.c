/* Three switches in a row, linked by hand: barriers under data that they preempt through.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Port 0 of each switch leads to a member, 1 to the next switch, 2 to the one before, 3 to a
 * node with data traffic. Checked are what a barrier is (nobody leaves before the last has
 * come, everybody leaves) and what preemption must not do (lose, double or reorder a flit).
 * The network is one block of memory, so a snapshot is a copy.
 */
#include "../lib/barrier_rig.h"
#include "../lib/dice.h"
#include "../lib/test.h"

enum { SWITCHES = 3, PORTS = 4, DELAY = 8, ROUNDS = 3, BLOCK = 16384, VCS = 2, LIMIT = 4000 };
enum { MEMBER, RIGHT, LEFT, DATA };

/* Values at the pins of one port in one of the next cycles. */
struct wires {
  bool valid;
  uint8_t vc, kind;
  uint64_t data;
  unsigned credits;
};

struct sender {
  uint32_t packet, length, sent; /* packet under way: its number, flits */
  uint32_t credit;
};

struct receiver {
  bool open[VCS];
  uint32_t packet[VCS], seen[VCS];
  uint32_t packets, owed[VCS];
  uint8_t got[2048];
};

struct network {
  _Alignas(64) unsigned char block[SWITCHES][BLOCK];
  struct hd_switch_params params;
  struct wires in[SWITCHES][PORTS][DELAY], out[SWITCHES][PORTS][DELAY]; /* by cycle modulo */
  struct sender sender[SWITCHES];
  struct receiver receiver[SWITCHES];
  uint64_t cycle, random, arrives[SWITCHES];
  uint32_t arrived[SWITCHES], released[SWITCHES], round, preemptions, nulls, messages, sent;
  uint64_t digest;
  bool load;
};

static struct hd_switch *switch_at(struct network *n, unsigned i)
{
  return (struct hd_switch *)(void *)n->block[i];
}

static void open_network(struct network *n, const struct hd_switch_params *p, unsigned center,
                         uint64_t seed, bool load)
{
  memset(n, 0, sizeof *n);
  n->params = *p;
  n->random = seed;
  n->load = load;
  assert_true(hd_switch_size(p) <= BLOCK);
  for (unsigned i = 0; i < SWITCHES; i++) {
    struct hd_switch *sw = hd_switch_init(n->block[i], p);
    const struct {
      uint32_t addr, data;
    } writes[] = {{HD_CFG_SELF, i},
                  {HD_CFG_IDLE, 6},
                  {HD_CFG_CENTER, center},
                  {HD_CFG_COUNT, SWITCHES - 1},
                  {HD_CFG_LOCAL, 1u << MEMBER},
                  {HD_CFG_OPEN, 4}};
    for (size_t k = 0; k < sizeof writes / sizeof *writes; k++)
      hd_switch_config_write(sw, 0, writes[k].addr, (uint16_t)writes[k].data);
    for (unsigned to = 0; to < SWITCHES; to++) {
      unsigned port = to == i ? (unsigned)DATA : to > i ? (unsigned)RIGHT : (unsigned)LEFT;
      if (to != i)
        hd_switch_config_write(sw, 0, HD_CFG_BARRIER_WAY(to), (uint16_t)(1u << port));
      for (unsigned in = 0; in < PORTS; in++)
        hd_switch_config_write(sw, 0, HD_CFG_DESTINATION(in, to), hd_table_entry(port, 0xff));
    }
    n->sender[i].credit = p->depth_flits;
    n->arrives[i] = 20 + below(&n->random, 60);
  }
  n->cycle = 1;
}

/* The pins that output wires of (sw, port) lead to; NULL: to a node. */
static struct wires *far_pins(struct network *n, unsigned sw, unsigned port, uint64_t cycle)
{
  if (port == RIGHT && sw + 1 < SWITCHES)
    return &n->in[sw + 1][LEFT][cycle % DELAY];
  if (port == LEFT && sw > 0)
    return &n->in[sw - 1][RIGHT][cycle % DELAY];
  return port == MEMBER || port == DATA ? &n->out[sw][port][cycle % DELAY] : NULL;
}

static void advance_switch(struct network *n, unsigned i)
{
  struct hd_flit_event flits[PORTS];
  struct hd_credit_event credits[PORTS];
  uint32_t tags[PORTS];
  struct hd_switch_output out = {.flits = flits, .tags = tags, .credits = credits};
  hd_switch_advance(switch_at(n, i), n->cycle, 0, &out);
  for (uint32_t k = 0; k < out.n_flits; k++) {
    const struct hd_flit_event *e = &flits[k];
    struct wires *w = far_pins(n, i, e->port, e->cycle);
    assert_non_null(w);
    w->valid = true;
    w->vc = e->vc;
    w->kind = e->kind;
    w->data = e->data;
    n->preemptions += e->kind == HD_KIND_PADDING && !e->data;
    n->nulls += e->kind == HD_KIND_NULL;
    n->messages += e->kind == HD_KIND_BARRIER_LAST;
    n->digest += hd_flit_digest(e, 0) * (i + 1);
  }
  for (uint32_t k = 0; k < out.n_credits; k++) {
    const struct hd_credit_event *e = &credits[k];
    struct wires *w = far_pins(n, i, e->port, e->cycle);
    assert_non_null(w);
    w->credits = e->vcs | (unsigned)e->barrier << HD_BARRIER_CREDIT;
    n->digest += hd_credit_digest(e, 0) * (i + 1);
  }
}

/* A member answers its release with the credit and arrives again a while later. */
static void member(struct network *n, unsigned i, struct wires *now, struct wires *pins)
{
  bool beside = hd_barrier_beside(&n->params);
  if (now->valid) {
    if (!beside)
      pins->credits |= 1u << now->vc;
    if (now->kind == HD_KIND_BARRIER_LAST)
      pins->credits |= 1u << HD_BARRIER_CREDIT;
    assert_true(now->kind == HD_KIND_BARRIER || now->kind == HD_KIND_BARRIER_LAST);
    if (now->kind == HD_KIND_BARRIER_LAST) {
      uint64_t high = n->params.data_bits == 16 ? 15 : 31;
      assert_int_equal(now->data >> high, 1); /* local */
      n->released[i]++;
      for (unsigned k = 0; k < SWITCHES; k++)
        assert_true(n->arrived[k] >= n->released[i]); /* nobody is missing */
      n->arrives[i] = n->cycle + 1 + below(&n->random, 40);
    }
  }
  if (n->arrived[i] == ROUNDS || n->arrived[i] > n->released[i] || n->cycle < n->arrives[i])
    return;
  uint32_t message = hd_barrier_local(HD_REDUCE, 4);
  bool two = n->params.data_bits == 16;
  pins->valid = true;
  pins->vc = n->params.barrier == HD_BARRIER_RESERVED ? VCS - 1 : 0;
  pins->kind = HD_KIND_BARRIER_LAST;
  pins->data = two ? message >> 16 : message;
  if (two && n->cycle == n->arrives[i]) {
    pins->kind = HD_KIND_BARRIER;
    pins->data = message & 0xffff;
  } else {
    n->arrived[i]++;
  }
}

/* Flit k of a packet: its header, then number and place. */
static uint64_t word_of_packet(unsigned to, uint32_t packet, uint32_t k)
{
  return k ? (packet & 0xff) << 4 | k : to << 2 | (packet & 0x7ff) << 5;
}

static void data_node(struct network *n, unsigned i, struct wires *now, struct wires *pins)
{
  struct sender *s = &n->sender[i];
  struct receiver *r = &n->receiver[i];
  unsigned to = SWITCHES - 1 - i;
  s->credit += now->credits & 1;
  if (!s->length && i != 1 && n->load && n->round < ROUNDS && below(&n->random, 4) == 0)
    s->length = 1 + below(&n->random, 14);
  if (s->length && s->credit && below(&n->random, 8)) {
    bool head = s->sent == 0, tail = s->sent + 1 == s->length;
    pins->valid = true;
    pins->kind = (uint8_t)((head ? HD_KIND_HEAD : 0) | (tail ? HD_KIND_TAIL : 0));
    pins->data = word_of_packet(to, s->packet, s->sent++);
    s->credit--;
    if (tail) {
      s->length = s->sent = 0;
      s->packet++;
      n->sent++;
    }
  }
  if (now->valid) {
    unsigned vc = now->vc;
    bool padding = now->kind == HD_KIND_PADDING;
    assert_true(padding || now->kind < 4 || now->kind == HD_KIND_NULL);
    r->owed[vc] += !padding || !hd_barrier_beside(&n->params);
    if (now->kind < 4) {
      bool head = now->kind & HD_KIND_HEAD;
      assert_int_equal(head, !r->open[vc]);
      if (head) {
        r->packet[vc] = (uint32_t)(now->data >> 5 & 0x7ff);
        r->seen[vc] = 0;
      }
      assert_int_equal(now->data, word_of_packet(i, r->packet[vc], r->seen[vc]));
      r->seen[vc]++;
      r->open[vc] = !(now->kind & HD_KIND_TAIL);
      if (!r->open[vc]) {
        assert_int_equal(r->got[r->packet[vc]]++, 0);
        r->packets++;
      }
    }
  }
  for (unsigned vc = 0; vc < VCS; vc++) /* slowly, so that buffers fill */
    if (r->owed[vc] && below(&n->random, 2)) {
      r->owed[vc]--;
      pins->credits |= 1u << vc;
    }
}

static void network_step(struct network *n)
{
  for (unsigned i = 0; i < SWITCHES; i++)
    advance_switch(n, i);
  unsigned now = n->cycle % DELAY;
  for (unsigned i = 0; i < SWITCHES; i++) {
    member(n, i, &n->out[i][MEMBER][now], &n->in[i][MEMBER][now]);
    data_node(n, i, &n->out[i][DATA][now], &n->in[i][DATA][now]);
    for (unsigned port = 0; port < PORTS; port++) {
      struct wires *w = &n->in[i][port][now];
      if (w->valid)
        hd_switch_put_flit(switch_at(n, i), n->cycle, port, w->vc, w->kind, w->data, 0);
      if (w->credits)
        hd_switch_put_credit(switch_at(n, i), n->cycle, port, w->credits);
      memset(w, 0, sizeof *w);
      memset(&n->out[i][port][now], 0, sizeof *w);
    }
  }
  n->cycle++;
  uint32_t left = 0;
  for (unsigned i = 0; i < SWITCHES; i++)
    left += n->released[i] > n->round;
  n->round += left == SWITCHES;
}

static void run_to_the_end(struct network *n)
{
  while (n->round < ROUNDS) {
    network_step(n);
    if (n->cycle > LIMIT)
      fail_msg("BARRIER %u: round %u hangs", n->params.barrier, n->round);
  }
  for (unsigned i = 0; i < 1000; i++) /* all data gets through, all preemptions end */
    network_step(n);
  uint32_t received = 0;
  for (unsigned i = 0; i < SWITCHES; i++) {
    received += n->receiver[i].packets;
    assert_int_equal(hd_switch_active(switch_at(n, i)), 0);
    assert_true(hd_switch_quiescent(switch_at(n, i), n->cycle));
    assert_int_equal(hd_switch_config_read(switch_at(n, i), HD_CFG_ERRORS), 0);
  }
  assert_int_equal(received, n->sent);
}

TEST(barriers_complete_and_data_survives)
{
  static struct network n, copy;
  uint64_t seed = first_seed();
  uint32_t preemptions[6] = {0}, nulls[6] = {0}, runs = 0, packets = 0;
  printf("seeds from %llu; replay: HD_SEED=%llu build/opt/unit/test_barrier_chain\n",
         (unsigned long long)seed, (unsigned long long)seed);
  for (unsigned all = 0; all < 5 * 2 * 3 * 20; all++, runs++) {
    unsigned barrier = 1 + all % 5, center = all / 5 % 3;
    struct hd_switch_params p = plain_params(barrier);
    p.ports = PORTS;
    p.vcs = barrier == HD_BARRIER_RESERVED ? VCS : 1 + (all / 60 & 1);
    p.data_bits = all / 15 & 1 ? 32 : 16;
    p.nodes = SWITCHES;
    p.switches = SWITCHES;
    p.arb_cycles = 1 + (all / 30 & 1);
    open_network(&n, &p, center, seed + all, all % 20 != 0);
    uint64_t middle = 30 + below(&n.random, 150);
    while (n.cycle < middle)
      network_step(&n);
    copy = n;
    run_to_the_end(&n);
    run_to_the_end(&copy);
    assert_memory_equal(&copy, &n, sizeof n);
    preemptions[barrier] += n.preemptions;
    nulls[barrier] += n.nulls;
    packets += n.sent;
    /* Each round: up and down two links, three released. The first time, from one end to the
     * other, the far end's message passes the middle. */
    uint32_t expected = ROUNDS * (2 * (SWITCHES - 1) + SWITCHES) + (center != 1);
    if (n.messages != expected)
      fail_msg("%u messages, not %u", n.messages, expected);
  }
  printf("%u runs, %u packets", runs, packets);
  for (unsigned barrier = 1; barrier <= 5; barrier++) {
    printf(", BARRIER %u: %u preemptions %u null flits", barrier, preemptions[barrier],
           nulls[barrier]);
    assert_int_equal(preemptions[barrier] != 0, barrier <= HD_BARRIER_MOVING);
    assert_int_equal(nulls[barrier] != 0, barrier <= HD_BARRIER_MOVING);
  }
  printf("\n");
  assert_true(packets > runs);
}
