/* Barrier messages and data in one fabric model: nothing is lost, nobody is released too early.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Specification §7.3, §7.9, §7.10, §8.6.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

enum { GROUPS = 2, LIMIT = 400000 };

/* Data and barriers at once. */
struct mix {
  struct barrier_fabric f;
  struct group groups[GROUPS];
  struct dice dice;
  uint32_t load;  /* packets a node starts in 1,000 cycles */
  uint32_t flits; /* longest packet */
  uint64_t until; /* packets are made before this cycle */
  uint64_t sent, received, rounds;
  uint64_t latest; /* longest round */
};

static void mix_open(struct mix *m, unsigned barrier)
{
  uint32_t n = 2 + roll(&m->dice, 10);
  random_graph(&m->f.t, &m->dice, n, roll(&m->dice, n), 2 + roll(&m->dice, n),
               4 + roll(&m->dice, 4), false);
  struct hd_switch_params sw = random_switch(&m->dice, barrier);
  barrier_fabric_open(&m->f, &sw, 1 + roll(&m->dice, 2), 1 + roll(&m->dice, 30));
  for (uint32_t k = 0; k < GROUPS; k++) {
    group_random(&m->groups[k], &m->dice, &m->f.t, k ? 31 : 3, 1 + roll(&m->dice, 3));
    group_open(&m->groups[k], &m->f);
    group_begin(&m->groups[k], &m->dice, 20 + roll(&m->dice, 400), 100);
  }
}

static void make_packets(struct mix *m)
{
  uint32_t nodes = m->f.t.n_nodes, number;
  for (uint32_t node = 0; node < nodes; node++) {
    if (roll(&m->dice, 1000) >= m->load)
      continue;
    struct hd_packet p = {.source = node,
                          .destination = roll(&m->dice, nodes),
                          .flits = 1 + roll(&m->dice, m->flits)};
    must(hd_fabric_send(m->f.fabric, &p, &number, &why));
    m->sent++;
  }
}

static void take_packets(struct mix *m)
{
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(m->f.fabric, &n);
  for (uint32_t i = 0; i < n; i++)
    assert_true(d[i].intact);
  m->received += n;
}

/* A cycle; groups begin again as soon as they can, while packets are made. */
static void mix_step(struct mix *m)
{
  uint64_t now = hd_fabric_cycle(m->f.fabric);
  if (now < m->until)
    make_packets(m);
  groups_step(m->groups, GROUPS, &m->f);
  take_packets(m);
  for (uint32_t k = 0; k < GROUPS; k++) {
    struct group *g = &m->groups[k];
    if (!group_done(g))
      continue;
    assert_int_equal(g->failed, 0);
    uint64_t last = 0;
    for (uint32_t i = 0; i < g->n_members; i++)
      last = g->arrive[i] > last ? g->arrive[i] : last;
    m->rounds += last != UINT64_MAX;
    if (last != UINT64_MAX && now - last > m->latest)
      m->latest = now - last;
    g->arrived = g->released = 0;
    for (uint32_t i = 0; i < g->n_members; i++)
      g->arrive[i] = now < m->until ? now + 1 + roll(&m->dice, 50) : UINT64_MAX;
  }
}

static bool has_rounds_left(const struct mix *m)
{
  return m->groups[0].arrive[0] != UINT64_MAX || m->groups[1].arrive[0] != UINT64_MAX;
}

TEST(data_packets_stay_intact_while_barriers_pass)
{
  struct dice dice =
      dice_begin("data_packets_stay_intact_while_barriers_pass", "test_barrier_fabric");
  for (unsigned barrier = 1; barrier <= 5; barrier++) {
    uint64_t packets = 0, rounds = 0, latest = 0;
    for (int i = 0; i < 40; i++) {
      struct mix m = {.dice = {hd_mix64(dice.state + (uint64_t)i + 1000 * barrier)}, .until = 3000};
      m.load = roll(&m.dice, 120);
      m.flits = 1 + roll(&m.dice, 40);
      mix_open(&m, barrier);
      do
        mix_step(&m);
      while (hd_fabric_cycle(m.f.fabric) < LIMIT &&
             (hd_fabric_cycle(m.f.fabric) < m.until || has_rounds_left(&m) ||
              !hd_fabric_idle(m.f.fabric)));
      assert_false(has_rounds_left(&m));
      assert_true(hd_fabric_idle(m.f.fabric));
      assert_int_equal(m.received, m.sent);
      struct hd_fabric_counters c;
      hd_fabric_counters(m.f.fabric, &c);
      assert_int_equal(c.packets_foreign, 0);
      assert_int_equal(c.barriers_sent, c.barriers_received);
      for (uint32_t sw = 0; sw < m.f.t.n_switches; sw++)
        assert_int_equal(hd_switch_config_read(hd_fabric_switch(m.f.fabric, sw), HD_CFG_ERRORS), 0);
      packets += m.sent;
      rounds += m.rounds;
      latest = m.latest > latest ? m.latest : latest;
      barrier_fabric_close(&m.f);
    }
    printf("%s: %llu packets, %llu barriers, the longest took %llu cycles\n",
           hd_barrier_name(barrier), (unsigned long long)packets, (unsigned long long)rounds,
           (unsigned long long)latest);
    assert_true(packets > 1000 && rounds > 1000);
  }
}

/* One write a cycle, in order; the plain switch has the port, too. */
TEST(configuration_writes_take_effect_one_per_cycle_in_order)
{
  const uint32_t dims[2] = {2, 2};
  for (unsigned barrier = 0; barrier < 2; barrier++) {
    CLEANUP(barrier_fabric_close) struct barrier_fabric f = {0};
    CLEANUP(hd_record_fini) struct hd_record record;
    struct hd_switch_params sw = {.data_bits = 16,
                                  .depth_flits = 4,
                                  .vcs = 2,
                                  .route_cycles = 1,
                                  .arb_cycles = 1,
                                  .barrier = barrier,
                                  .groups = 1};
    must(hd_topology_mesh(&f.t, dims, 2, &why));
    barrier_fabric_open(&f, &sw, 1, 0);
    assert_int_equal(hd_record_init(&record, 4), 0);
    uint64_t when;
    for (uint32_t i = 0; i < 3; i++) {
      must(hd_fabric_config(f.fabric, 2, HD_CFG_DESTINATION(0, i), (uint16_t)i, &when, &why));
      assert_int_equal(when, i);
    }
    must(hd_fabric_config(f.fabric, 1, HD_CFG_ERRORS, 0, &when, &why));
    assert_int_equal(when, 0);
    assert_false(hd_fabric_idle(f.fabric));
    hd_fabric_record_begin(f.fabric, &record);
    for (int i = 0; i < 10; i++)
      must(hd_fabric_step(f.fabric, &why));
    must(hd_fabric_record_end(f.fabric, &why));
    assert_true(hd_fabric_idle(f.fabric));
    const struct hd_switch_record *r = &record.switches[2];
    assert_int_equal(r->n_configs_in, 3);
    for (uint32_t i = 0; i < 3; i++) {
      assert_int_equal(r->configs_in[i].cycle, i);
      assert_int_equal(r->configs_in[i].addr, HD_CFG_DESTINATION(0, i));
      assert_int_equal(r->configs_in[i].data, i);
    }
    assert_int_equal(record.switches[1].n_configs_in, 1);
    /* §2.10: 0 in the cycle after each write, so in cycles 1 to 3. */
    assert_true(r->quiescent_at_start);
    assert_int_equal(r->n_toggles, 2);
    assert_int_equal(r->toggles[0], 1);
    assert_int_equal(r->toggles[1], 4);
    assert_int_equal(hd_fabric_config(f.fabric, 4, 0, 0, NULL, &why), HD_E_INPUT);
    assert_int_equal(hd_fabric_barrier_send(f.fabric, 4, 0, &why), HD_E_INPUT);
    if (!barrier)
      assert_int_equal(hd_fabric_barrier_send(f.fabric, 0, 0, &why), HD_E_INPUT);
    if (barrier) {
      assert_int_equal(hd_switch_config_read(hd_fabric_switch(f.fabric, 3), HD_CFG_SELF), 3);
      assert_int_equal(hd_switch_config_read(hd_fabric_switch(f.fabric, 3), HD_CFG_IDLE), 16);
    }
  }
}
