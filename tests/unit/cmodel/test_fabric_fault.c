/* Failed links and switches in the fabric model (specification §5.9).
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

enum { CYCLES = 1200, PATIENCE = 40000, GROUPS = 2, PACKETS = 8192 };

struct damaged {
  struct barrier_fabric f;
  struct hd_tables tables; /* in force; destination NULL: f.tables */
  struct group groups[GROUPS];
  struct dice dice;
  bool barriers, reroute;
  uint32_t faults, received;
  uint8_t outcome[PACKETS];  /* 1: received, 2: lost */
  uint16_t ends[PACKETS][2]; /* source, destination */
};

static void open_damaged(struct damaged *d, struct dice *dice, unsigned barrier)
{
  uint32_t n = 2 + roll(dice, 14);
  struct hd_switch_params sw = random_switch(dice, barrier);
  memset(d, 0, sizeof *d);
  random_graph(&d->f.t, dice, n, roll(dice, 2 * n), 2 + roll(dice, n), 4 + roll(dice, 4), false);
  d->f.faults = true;
  d->barriers = barrier != HD_BARRIER_NONE;
  d->dice = *dice;
  barrier_fabric_open(&d->f, &sw, 1 + roll(dice, 3), 3 + roll(dice, 10));
  for (uint32_t k = 0; k < GROUPS && d->barriers; k++) {
    group_random(&d->groups[k], &d->dice, &d->f.t, k, 2);
    group_open(&d->groups[k], &d->f);
    group_begin(&d->groups[k], &d->dice, 20, 60);
  }
}

static void close_damaged(struct damaged *d)
{
  hd_tables_fini(&d->tables);
  barrier_fabric_close(&d->f);
}

/* Writes the tables around what is dead while packets are under way. */
static void write_tables(struct damaged *d)
{
  struct hd_tables now;
  const struct hd_tables *old = d->tables.destination ? &d->tables : &d->f.tables;
  must(hd_routing_around(&now, &d->f.t, hd_fabric_dead(d->f.fabric), d->f.params.sw.vcs, &why));
  for (uint32_t sw = 0; sw < now.n_switches; sw++) {
    struct hd_table_writes walk = {.tables = &now, .old = old, .sw = sw};
    struct hd_config_event write;
    while (hd_table_writes_next(&walk, &write))
      must(hd_fabric_config(d->f.fabric, sw, write.addr, write.data, NULL, &why));
  }
  hd_tables_fini(&d->tables);
  d->tables = now;
}

static void fail_at_random(struct damaged *d)
{
  uint32_t sw = roll(&d->dice, d->f.t.n_switches), port = roll(&d->dice, d->f.t.ports);
  bool whole = !roll(&d->dice, 6);
  if (roll(&d->dice, 250))
    return;
  if (whole)
    must(hd_fabric_fail_switch(d->f.fabric, sw, &why));
  else if (d->f.t.peers[sw * d->f.t.ports + port].kind == HD_PEER_NONE)
    assert_int_equal(hd_fabric_fail_link(d->f.fabric, sw, port, &why), HD_E_INPUT);
  else
    must(hd_fabric_fail_link(d->f.fabric, sw, port, &why));
  d->faults++;
  if (d->reroute && hd_fabric_dead(d->f.fabric))
    write_tables(d);
}

static void send_some(struct damaged *d)
{
  uint32_t nodes = d->f.t.n_nodes, number;
  for (uint32_t node = 0; node < nodes; node++) {
    if (roll(&d->dice, 40))
      continue;
    struct hd_packet p = {
        .source = node, .destination = roll(&d->dice, nodes), .flits = 1 + roll(&d->dice, 14)};
    must(hd_fabric_send(d->f.fabric, &p, &number, &why));
    assert_true(number < PACKETS);
    d->ends[number][0] = (uint16_t)p.source;
    d->ends[number][1] = (uint16_t)p.destination;
  }
}

static void damaged_step(struct damaged *d)
{
  uint32_t n;
  if (d->barriers)
    groups_arrive(d->groups, GROUPS, d->f.fabric);
  must(hd_fabric_step(d->f.fabric, &why));
  if (d->barriers)
    groups_receive(d->groups, GROUPS, d->f.fabric);
  const struct hd_delivery *got = hd_fabric_deliveries(d->f.fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(got[i].number < PACKETS && got[i].intact);
    assert_int_equal(d->outcome[got[i].number], 0);
    d->outcome[got[i].number] = 1;
    d->received++;
  }
  const struct hd_loss *lost = hd_fabric_losses(d->f.fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(d->outcome[lost[i].number], 0);
    assert_int_equal(d->ends[lost[i].number][0], lost[i].source);
    assert_int_equal(d->ends[lost[i].number][1], lost[i].destination);
    d->outcome[lost[i].number] = 2;
  }
}

/* Checks that no link holds packets or credits, and that nothing waits. */
static void assert_at_rest(const struct damaged *d)
{
  const struct hd_switch_params *p = &d->f.params.sw;
  for (uint32_t sw = 0; sw < d->f.t.n_switches; sw++) {
    struct hd_switch_view v;
    const struct hd_switch *s = hd_fabric_switch(d->f.fabric, sw);
    hd_switch_look(s, &v);
    assert_int_equal(hd_switch_active(s), 0);
    assert_int_equal(v.errors & (HD_ERR_OVERFLOW | HD_ERR_ORPHAN | HD_ERR_NESTED | HD_ERR_RESERVED |
                                 HD_ERR_CREDIT | HD_ERR_CHANNEL | HD_ERR_PROTOCOL),
                     0);
    for (uint32_t port = 0; port < p->ports; port++) {
      assert_int_equal(v.barrier[port].preempting, 0);
      assert_int_equal(v.barrier[port].barrier_credit, d->barriers ? 2 : 0);
      for (uint32_t vc = 0; vc < p->vcs; vc++) {
        assert_int_equal(v.in[port][vc].state, 0);
        assert_int_equal(v.in[port][vc].preempted, 0);
        assert_int_equal(v.out[port][vc].owned, 0);
        assert_int_equal(v.out[port][vc].credit, p->depth_flits);
      }
    }
  }
}

static bool route_is_dead(const struct damaged *d, uint32_t number)
{
  uint16_t path[64];
  const struct hd_topology *t = &d->f.t;
  const struct hd_dead *dead = hd_fabric_dead(d->f.fabric);
  int n = hd_routing_path(&d->f.tables, t, d->ends[number][0], d->ends[number][1], path, 64, &why);
  assert_true(n > 0);
  struct hd_peer at = t->node_peers[d->ends[number][0]];
  bool over = !hd_link_lives(t, dead, at.index, at.port);
  for (int i = 0; i < n; i++) {
    uint16_t entry =
        d->f.tables
            .destination[((size_t)at.index * t->ports + at.port) * t->n_nodes + d->ends[number][1]];
    over |= !hd_link_lives(t, dead, at.index, entry & 15);
    at = t->peers[(size_t)at.index * t->ports + (entry & 15)];
  }
  return over;
}

TEST(a_failed_link_loses_only_the_packets_on_it)
{
  struct dice dice = dice_begin("a_failed_link_loses_only_the_packets_on_it", "test_fabric_fault");
  static struct damaged d;
  uint64_t received = 0, lost = 0, messages = 0, faults = 0;
  for (unsigned i = 0; i < 90; i++) {
    open_damaged(&d, &dice, i % 6);
    d.reroute = i % 12 >= 6;
    for (uint32_t c = 0; c < CYCLES; c++) {
      fail_at_random(&d);
      send_some(&d);
      damaged_step(&d);
    }
    uint32_t waited = 0;
    for (; !hd_fabric_idle(d.f.fabric) && waited < PATIENCE; waited++)
      damaged_step(&d);
    assert_true(waited < PATIENCE);
    assert_at_rest(&d);
    struct hd_fabric_counters c;
    hd_fabric_counters(d.f.fabric, &c);
    assert_int_equal(c.packets_received, d.received);
    assert_int_equal(c.packets_sent, c.packets_received + c.packets_lost);
    assert_int_equal(c.packets_foreign, 0);
    assert_true(c.oldest_created == UINT64_MAX);
    for (uint32_t k = 0; k < c.packets_sent; k++) {
      assert_int_not_equal(d.outcome[k], 0);
      if (d.outcome[k] == 2 && !d.reroute)
        assert_true(route_is_dead(&d, k));
    }
    received += c.packets_received;
    lost += c.packets_lost;
    messages += c.barriers_lost;
    faults += d.faults;
    dice = d.dice;
    close_damaged(&d);
  }
  printf("%llu faults; %llu packets received, %llu lost; %llu barrier messages lost\n",
         (unsigned long long)faults, (unsigned long long)received, (unsigned long long)lost,
         (unsigned long long)messages);
  assert_true(faults > 100 && received > 5000 && lost > 500 && messages > 3);
}

TEST(bad_faults_are_refused)
{
  struct dice dice = dice_begin("bad_faults_are_refused", "test_fabric_fault");
  static struct damaged d;
  open_damaged(&d, &dice, 0);
  assert_null(hd_fabric_dead(d.f.fabric));
  assert_int_equal(hd_fabric_fail_switch(d.f.fabric, d.f.t.n_switches, &why), HD_E_INPUT);
  assert_int_equal(hd_fabric_fail_link(d.f.fabric, 0, d.f.t.ports, &why), HD_E_INPUT);
  assert_null(hd_fabric_dead(d.f.fabric));
  must(hd_fabric_fail_switch(d.f.fabric, 0, &why));
  assert_false(hd_switch_lives(hd_fabric_dead(d.f.fabric), 0));
  close_damaged(&d);
  open_damaged(&d, &dice, 0);
  hd_fabric_destroy(d.f.fabric);
  d.f.params.faults = false;
  must(hd_fabric_create(&d.f.fabric, &d.f.params, &d.f.t, &d.f.tables, &why));
  must_fail(hd_fabric_fail_switch(d.f.fabric, 0, &why), HD_E_INPUT, "made to have none");
  close_damaged(&d);
}
