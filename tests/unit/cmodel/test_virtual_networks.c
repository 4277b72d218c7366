/* Virtual networks (specification §5.28): tables of each, packets that keep to their channels, and what is refused.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random tests take their seed from HD_SEED: HD_SEED=7 build/opt/unit/test_virtual_networks
 */
#include "../../../cmodel/fabric/fabric_state.h"

#include "../lib/switch_set.h"
#include "../lib/dice.h"
#include "../lib/test.h"

struct net {
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_fabric *fabric;
  uint32_t networks, channels;
};

static void tables_open(struct net *n, enum hd_routing_kind routing, uint32_t networks,
                        uint32_t vcs, uint32_t reserved)
{
  uint32_t of_one;
  if (hd_routing_split(routing, &n->topology, networks, vcs, reserved, &of_one, &why) ||
      hd_routing_build(&n->tables, &n->topology, routing, false, of_one, reserved, &why) ||
      hd_routing_check(&n->tables, &n->topology, of_one, false, &why))
    fail_msg("%s", why.text);
  n->tables.networks = n->networks = networks;
  n->channels = (vcs - reserved) / networks;
  assert_int_equal(n->tables.packet_vcs, n->channels);
}

static void net_open(struct net *n, enum hd_routing_kind routing, uint32_t networks, uint32_t vcs)
{
  tables_open(n, routing, networks, vcs, 0);
  const struct hd_fabric_params params = {
      .sw = {SIMPLE_SWITCH(n->topology.ports, vcs, 32, 4, n->topology.n_nodes * networks),
             .source_table = hd_routings[routing]->by_source},
      .link_cycles = 1};
  must(hd_fabric_create(&n->fabric, &params, &n->topology, &n->tables, &why));
}

static void net_close(struct net *n)
{
  hd_fabric_destroy(n->fabric);
  hd_tables_fini(&n->tables);
  hd_topology_fini(&n->topology);
}

static void mesh(struct net *n, uint32_t x, uint32_t y)
{
  must(hd_topology_mesh(&n->topology, (const uint32_t[]){x, y}, 2, &why));
}

/* Four switches in a ring, with tables: to the right, from switch 3 to switch 0 on channel 1. */
static void graph(struct net *n)
{
  static const char text[] = "n0,s0:0\nn1,s1:0\nn2,s2:0\nn3,s3:0\n"
                             "s0:1,s1:2\ns1:1,s2:2\ns2:1,s3:2\ns3:1,s0:2\n"
                             "to,s0,n0,0,*\nto,s1,n1,0,*\nto,s2,n2,0,*\nto,s3,n3,0,*\n"
                             "to,s0,n1-3,1,0\nto,s1,n2-3,1,0\nto,s1,n0,1,1\nto,s2,n3,1,0\n"
                             "to,s2,n0-1,1,1\nto,s3,n0-2,1,1\n";
  must(hd_topology_graph(&n->topology, text, sizeof text - 1, "ring", &why));
}

static uint32_t send(struct net *n, uint32_t from, uint32_t to, uint32_t network, uint32_t flits)
{
  const struct hd_packet packet = {
      .source = from, .destination = to, .network = network, .flits = flits};
  uint32_t number;
  must(hd_fabric_send(n->fabric, &packet, &number, &why));
  return number;
}

static void net_step(struct net *n)
{
  must(hd_fabric_step(n->fabric, &why));
}

/* ── tables ────────────────────────────────────────────────────────────────── */

/* All entries of a switch are written. Entries of network 0 are the tables' entries. Those of other networks have the
 * same channels, shifted up. */
static void check_writes(const struct net *n)
{
  const struct hd_tables *t = &n->tables;
  uint32_t checked = 0;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    struct hd_table_writes walk = {.tables = t, .sw = sw};
    struct hd_config_event write;
    while (hd_table_writes_next(&walk, &write)) {
      const uint32_t select = write.addr >> 16, port = write.addr >> 12 & 15;
      const uint32_t entry = write.addr & 0xfff, network = entry / t->n_nodes;
      const uint16_t *table = select == 1 ? t->destination : t->source;
      assert_non_null(table);
      const uint16_t first =
          table[((size_t)sw * t->ports + port) * t->n_nodes + entry % t->n_nodes];
      const unsigned own = (1u << n->channels) - 1, mask = first >> 4 & own;
      assert_in_range(network, 0, n->networks - 1);
      assert_int_equal(write.data & 0xf00f, first & 0xf00f);
      assert_int_equal(write.data >> 4 & 0xff, mask << network * n->channels);
      assert_int_not_equal(mask, 0);
      checked++;
    }
  }
  uint32_t entries = 0;
  for (size_t i = 0; i < (size_t)t->n_switches * t->ports * t->n_nodes; i++)
    entries += (t->destination[i] ? 1u : 0u) + (t->source && t->source[i] ? 1u : 0u);
  assert_int_equal(checked, entries * n->networks);
}

TEST(tables_have_the_entries_of_every_network)
{
  static const struct {
    uint32_t networks, vcs, reserved;
  } cases[] = {{1, 4, 0}, {2, 4, 0}, {4, 4, 0}, {2, 8, 0}, {3, 4, 1}, {8, 8, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct net n = {.networks = 0};
    mesh(&n, 3, 4);
    tables_open(&n, HD_ROUTE_DIMENSION_ORDER, cases[i].networks, cases[i].vcs, cases[i].reserved);
    if (cases[i].networks > 1)
      check_writes(&n);
    net_close(&n);
    must(hd_topology_tree(&n.topology, 3, 2, &why));
    tables_open(&n, HD_ROUTE_S_MOD_K, cases[i].networks, cases[i].vcs, cases[i].reserved);
    assert_non_null(n.tables.source);
    if (cases[i].networks > 1)
      check_writes(&n);
    net_close(&n);
  }
}

/* A torus needs two channels; each network needs them. */
TEST(each_network_has_the_classes_of_the_rule)
{
  const struct hd_topology_shape shape = {.dims = {5, 5}, .n_dims = 2};
  CLEANUP(net_close) struct net n = {.networks = 0};
  uint32_t of_one;
  must(hd_topology_build(&n.topology, HD_TOPO_TORUS, &shape, NULL, &why));
  tables_open(&n, HD_ROUTE_MINIMAL, 2, 4, 0);
  check_writes(&n);
  hd_tables_fini(&n.tables);
  must(hd_routing_split(HD_ROUTE_MINIMAL, &n.topology, 4, 4, 0, &of_one, &why));
  must(hd_routing_build(&n.tables, &n.topology, HD_ROUTE_MINIMAL, false, of_one, 0, &why));
  must_fail(hd_routing_check(&n.tables, &n.topology, of_one, true, &why), HD_E_INPUT,
            "with 1 virtual channel, where 2 are needed");
}

TEST(channels_that_cannot_be_split_among_networks_are_refused)
{
  static const struct {
    enum hd_routing_kind routing;
    uint32_t networks, vcs, reserved;
    const char *text;
  } cases[] = {
      {HD_ROUTE_DIMENSION_ORDER, 3, 4, 0,
       "3; packets may take 4 virtual channels of a port; legal"},
      {HD_ROUTE_DIMENSION_ORDER, 4, 4, 1,
       "4; packets may take 3 virtual channels of a port; legal"},
      {HD_ROUTE_DIMENSION_ORDER, 8, 4, 0,
       "8; packets may take 4 virtual channels of a port; legal"},
      {HD_ROUTE_ADAPTIVE, 2, 4, 0,
       "2; packets choose among ports, and packets of all networks would meet in the channels of a "
       "chosen port (§5.28); legal with routing.algorithm: adaptive: 1"},
  };
  CLEANUP(net_close) struct net n = {.networks = 0};
  uint32_t of_one;
  mesh(&n, 3, 3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    must_fail(hd_routing_split(cases[i].routing, &n.topology, cases[i].networks, cases[i].vcs,
                               cases[i].reserved, &of_one, &why),
              HD_E_INPUT, cases[i].text);
  }
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, 2, 2);
  const struct hd_packet packet = {.destination = 1, .network = 2, .flits = 1};
  uint32_t number;
  must_say(hd_fabric_send(n.fabric, &packet, &number, &why), HD_E_INPUT,
           "packet of virtual network 2, but there are 2");
  struct hd_fabric_params few = n.fabric->params;
  struct hd_fabric *none;
  few.sw.nodes--;
  must_say(hd_fabric_create(&none, &few, &n.topology, &n.tables, &why), HD_E_INPUT,
           "routing tables for 17 nodes, but the fabric has 18 in its virtual networks");
}

/* ── packets ───────────────────────────────────────────────────────────────── */

enum { SENT = 400 };

/* All flits of a packet, at every switch that it comes to and leaves. */
static uint64_t check_channels(const struct net *n, const struct hd_record *record,
                               const uint32_t *network_of)
{
  uint64_t checked = 0;
  for (uint32_t sw = 0; sw < record->n_switches; sw++) {
    const struct hd_switch_record *r = &record->switches[sw];
    for (uint32_t i = 0; i < r->n_flits_in; i++, checked++)
      assert_int_equal(r->flits_in[i].vc / n->channels, network_of[r->tags_in[i]]);
    for (uint32_t i = 0; i < r->n_flits_out; i++, checked++)
      assert_int_equal(r->flits_out[i].vc / n->channels, network_of[r->tags_out[i]]);
  }
  return checked;
}

static void run_random(struct net *n, uint64_t seed)
{
  struct dice dice = {seed};
  CLEANUP(hd_record_fini) struct hd_record record;
  uint32_t network_of[SENT], sent = 0, received = 0, deliveries;
  uint64_t checked = 0;
  assert_int_equal(hd_record_init(&record, n->topology.n_switches), 0);
  while (received < SENT) {
    assert_true(hd_fabric_cycle(n->fabric) < 20000);
    hd_fabric_record_begin(n->fabric, &record);
    for (uint32_t cycle = 0; cycle < 64; cycle++) {
      for (uint32_t i = roll(&dice, 4); i-- && sent < SENT; sent++) {
        const uint32_t network = roll(&dice, n->networks), nodes = n->topology.n_nodes;
        const uint32_t from = roll(&dice, nodes);
        const uint32_t to = (from + 1 + roll(&dice, nodes - 1)) % nodes;
        network_of[sent] = network;
        assert_int_equal(send(n, from, to, network, 1 + roll(&dice, 6)), sent);
      }
      net_step(n);
      const struct hd_delivery *d = hd_fabric_deliveries(n->fabric, &deliveries);
      for (uint32_t i = 0; i < deliveries; i++)
        assert_true(d[i].intact);
      received += deliveries;
    }
    must(hd_fabric_record_end(n->fabric, &why));
    checked += check_channels(n, &record, network_of);
  }
  assert_true(checked > 4 * SENT);
}

TEST(packets_keep_to_the_channels_of_their_network)
{
  const uint64_t seed = first_seed();
  print_message("seed %llu: HD_SEED=%llu build/opt/unit/test_virtual_networks\n",
                (unsigned long long)seed, (unsigned long long)seed);
  for (uint32_t networks = 2; networks <= 4; networks *= 2) {
    struct net n = {.networks = 0};
    mesh(&n, 4, 3);
    net_open(&n, HD_ROUTE_DIMENSION_ORDER, networks, 4);
    run_random(&n, seed);
    net_close(&n);
    must(hd_topology_tree(&n.topology, 2, 3, &why));
    net_open(&n, HD_ROUTE_S_MOD_K, networks, 4); /* packets that go by their source */
    run_random(&n, seed + 1);
    net_close(&n);
    mesh(&n, 4, 3);
    net_open(&n, HD_ROUTE_VALIANT, networks, 2 * networks); /* by another node */
    run_random(&n, seed + 2);
    net_close(&n);
    graph(&n);
    net_open(&n, HD_ROUTE_TABLES, networks, 2 * networks);
    run_random(&n, seed + 3);
    net_close(&n);
  }
}

/* Node 2 takes nothing, so packets for it fill network 0 on the links before it. */
TEST(a_full_network_does_not_hold_up_another)
{
  CLEANUP(net_close) struct net n = {.networks = 0};
  uint32_t deliveries;
  bool came[2] = {false};
  mesh(&n, 4, 1);
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, 2, 2);
  must(hd_fabric_hold(n.fabric, 2, 2000, &why));
  for (int i = 0; i < 20; i++)
    send(&n, 0, 2, 0, 4);
  for (int i = 0; i < 200; i++)
    net_step(&n);
  const uint32_t same = send(&n, 1, 3, 0, 1), other = send(&n, 1, 3, 1, 1);
  for (int i = 0; i < 1000; i++) {
    net_step(&n);
    const struct hd_delivery *d = hd_fabric_deliveries(n.fabric, &deliveries);
    for (uint32_t j = 0; j < deliveries; j++) {
      came[0] |= d[j].number == same;
      came[1] |= d[j].number == other;
    }
  }
  assert_false(came[0]);
  assert_true(came[1]);
}
