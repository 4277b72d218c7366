/* Multicast in whole fabrics of the model (specification §13.5, §13.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Members of groups send flits while all nodes send packets. Each other member receives each flit once, nothing
 * deadlocks, and no switch records an error.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

#include "../../../cmodel/routing/routing_cast.h"

enum { NODES = 24, GROUPS = 4, SENDING_CYCLES = 600, MOST_CYCLES = 40000, MOST_FLITS = 4096 };

struct flit {
  uint64_t waits; /* nodes that have not received it */
};

struct cast_fabric {
  struct hd_topology t;
  struct hd_tables tables;
  struct hd_fabric *fabric;
  struct hd_fabric_params params;
  uint32_t node_bits, n_groups;
  uint64_t members[GROUPS];
  uint32_t n_flits;
  struct flit flits[MOST_FLITS]; /* by what is in their payload */
  uint32_t packets;
};

static struct hd_switch_params random_cast_switch(struct dice *dice, unsigned barrier)
{
  struct hd_switch_params p = random_switch(dice, barrier);
  p.data_bits = 32;
  p.arb_cycles = 1;
  p.vcs = 2 + roll(dice, 2) + (barrier == HD_BARRIER_RESERVED ? 1u : 0u);
  p.trees = GROUPS;
  p.depth_flits = hd_switch_least_depth(&p) + 1 + roll(dice, 4);
  p.cut_flits = roll(dice, 3) ? 0 : 1 + roll(dice, p.depth_flits);
  return p;
}

static void open_fabric(struct cast_fabric *f, struct dice *dice, unsigned barrier)
{
  *f = (struct cast_fabric){.n_groups = 1 + roll(dice, GROUPS)};
  random_graph(&f->t, dice, 12 + roll(dice, 10), roll(dice, 10), NODES, 6, false);
  f->params = (struct hd_fabric_params){.sw = random_cast_switch(dice, barrier),
                                        .link_cycles = 1 + roll(dice, 3)};
  f->params.sw.ports = f->t.ports;
  f->params.sw.nodes = f->t.n_nodes;
  f->params.sw.switches = f->t.n_switches < 2 ? 2 : f->t.n_switches;
  f->node_bits = hd_log2_ceil(f->t.n_nodes);
  must(hd_routing_build(&f->tables, &f->t, HD_ROUTE_UP_DOWN, false, f->params.sw.vcs,
                        hd_switch_reserved_vcs(&f->params.sw), &why));
  f->tables.cast_vc = (uint8_t)hd_switch_cast_vc(&f->params.sw);
  must(hd_fabric_create(&f->fabric, &f->params, &f->t, &f->tables, &why));
}

static void close_fabric(struct cast_fabric *f)
{
  hd_fabric_destroy(f->fabric);
  hd_tables_fini(&f->tables);
  hd_topology_fini(&f->t);
}

/* A group of two members at least, and its tree into all switches. */
static void open_group(struct cast_fabric *f, struct dice *dice, uint32_t group)
{
  uint32_t members[NODES], n = 0;
  uint16_t entries[64];
  do {
    f->members[group] = 0;
    for (uint32_t node = n = 0; node < f->t.n_nodes; node++)
      if (!roll(dice, 1 + group)) {
        members[n++] = node;
        f->members[group] |= UINT64_C(1) << node;
      }
  } while (n < 2);
  must(hd_cast_tree(&f->t, members, n, entries, &why));
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++)
    must(hd_fabric_config(f->fabric, sw, HD_CFG_TREE(group), entries[sw], NULL, &why));
}

static void send_flit(struct cast_fabric *f, struct dice *dice)
{
  const uint32_t group = roll(dice, f->n_groups);
  uint32_t number, source;
  do
    source = roll(dice, f->t.n_nodes);
  while (!(f->members[group] >> source & 1));
  const uint64_t to = f->members[group] & ~(UINT64_C(1) << source);
  const struct hd_packet packet = {.source = source,
                                   .destination = source,
                                   .flits = 1,
                                   .to = (const uint64_t[]){to, 0},
                                   .header = 3 | (uint64_t)group << 2 |
                                             (uint64_t)f->n_flits << (2 + f->node_bits),
                                   .raw_header = true};
  assert_true(f->n_flits < MOST_FLITS);
  f->flits[f->n_flits++].waits = to;
  must(hd_fabric_send(f->fabric, &packet, &number, &why));
}

static void send_packet(struct cast_fabric *f, struct dice *dice)
{
  uint32_t number;
  const uint32_t most = f->params.sw.cut_flits ? f->params.sw.cut_flits : 6;
  struct hd_packet packet = {.source = roll(dice, f->t.n_nodes)};
  packet.destination = roll(dice, f->t.n_nodes);
  packet.flits = 1 + roll(dice, most);
  must(hd_fabric_send(f->fabric, &packet, &number, &why));
  f->packets++;
}

static void receive(struct cast_fabric *f)
{
  uint32_t n;
  const struct hd_delivery *d = hd_fabric_deliveries(f->fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    assert_true(d[i].intact);
    if (!d[i].cast) {
      f->packets--;
      continue;
    }
    const uint64_t number = d[i].words[0] >> (2 + f->node_bits);
    assert_true(number < f->n_flits);
    assert_true(f->flits[number].waits >> d[i].node & 1); /* a member, and for the first time */
    f->flits[number].waits &= ~(UINT64_C(1) << d[i].node);
  }
}

static void run(struct cast_fabric *f, struct dice *dice)
{
  const uint32_t load = 1 + roll(dice, 60);
  for (uint32_t cycle = 0; cycle < MOST_CYCLES; cycle++) {
    if (cycle == SENDING_CYCLES && hd_fabric_idle(f->fabric))
      break;
    for (uint32_t i = 0; cycle > 20 && cycle < SENDING_CYCLES && i < 4; i++)
      if (roll(dice, 100) < load) {
        if (roll(dice, 3))
          send_packet(f, dice);
        else
          send_flit(f, dice);
      }
    must(hd_fabric_step(f->fabric, &why));
    receive(f);
    if (cycle > SENDING_CYCLES && hd_fabric_idle(f->fabric))
      break;
  }
  assert_true(hd_fabric_idle(f->fabric));
}

TEST(every_member_except_the_sender_receives_each_flit_once)
{
  struct dice dice =
      dice_begin("every_member_except_the_sender_receives_each_flit_once", "test_cast_fabric");
  uint64_t flits = 0, copies = 0;
  for (uint32_t i = 0; i < n_cases(60); i++) {
    CLEANUP(free_at) struct cast_fabric *f = malloc(sizeof *f);
    struct hd_fabric_counters counters;
    assert_non_null(f);
    open_fabric(f, &dice, i % HD_BARRIER_KINDS);
    for (uint32_t group = 0; group < f->n_groups; group++)
      open_group(f, &dice, group);
    run(f, &dice);
    for (uint32_t k = 0; k < f->n_flits; k++)
      assert_int_equal(f->flits[k].waits, 0);
    assert_int_equal(f->packets, 0);
    hd_fabric_counters(f->fabric, &counters);
    assert_int_equal(counters.packets_sent, counters.packets_received);
    assert_int_equal(counters.packets_foreign, 0);
    for (uint32_t sw = 0; sw < f->t.n_switches; sw++)
      assert_int_equal(hd_switch_config_read(hd_fabric_switch(f->fabric, sw), HD_CFG_ERRORS), 0);
    flits += f->n_flits;
    copies += counters.packets_received;
    close_fabric(f);
  }
  printf("%llu multicast flits, %llu packets and copies\n", (unsigned long long)flits,
         (unsigned long long)copies);
  assert_true(flits > 100);
}

/* A tree has a link less than switches, all links both ways, and no switch that only one link of it leads to and that
 * has no member. */
TEST(multicast_trees_have_no_needless_links_or_switches)
{
  struct dice dice =
      dice_begin("multicast_trees_have_no_needless_links_or_switches", "test_cast_fabric");
  for (uint32_t i = 0; i < n_cases(300); i++) {
    struct hd_topology t;
    uint32_t members[NODES], n = 0, switches = 0, ends = 0;
    uint16_t entries[64];
    random_graph(&t, &dice, 12 + roll(&dice, 20), roll(&dice, 10), NODES, 6, false);
    for (uint32_t node = 0; node < t.n_nodes; node++)
      if (!roll(&dice, 1 + i % 8))
        members[n++] = node;
    must(hd_cast_tree(&t, members, n, entries, &why));
    for (uint32_t sw = 0; sw < t.n_switches; sw++) {
      uint32_t links = 0;
      bool some = false;
      for (uint32_t port = 0; port < t.ports; port++) {
        const struct hd_peer far = t.peers[sw * t.ports + port];
        if (!(entries[sw] >> port & 1))
          continue;
        assert_true(far.kind != HD_PEER_NONE);
        some |= far.kind == HD_PEER_NODE;
        links += far.kind == HD_PEER_SWITCH;
        if (far.kind == HD_PEER_SWITCH)
          assert_true(entries[far.index] >> far.port & 1);
      }
      switches += entries[sw] != 0;
      ends += links;
      assert_true(links != 1 || some);
    }
    for (uint32_t k = 0; k < n; k++)
      assert_true(entries[t.node_exits[members[k]].index] >> t.node_exits[members[k]].port & 1);
    assert_int_equal(ends, switches ? 2 * (switches - 1) : 0);
    hd_topology_fini(&t);
  }
}
