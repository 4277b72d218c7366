/* The fabric model: zero-load latency in closed form, nothing lost, deadlock.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random tests take their seed from HD_SEED: HD_SEED=7 build/opt/unit/test_fabric
 */
#include "../../../cmodel/fabric/fabric.h"

#include "../lib/dice.h"
#include "../lib/fabric_net.h"
#include "../lib/test.h"

static uint64_t seed_of_run(void)
{
  uint64_t seed = first_seed();
  print_message("seed %llu: HD_SEED=%llu build/opt/unit/test_fabric\n", (unsigned long long)seed,
                (unsigned long long)seed);
  return seed;
}

/* Specification §4.5. */
static uint64_t zero_load(const struct hd_fabric_params *p, uint64_t hops, uint64_t flits)
{
  uint64_t r = p->sw.route_cycles, a = p->sw.arb_cycles, b = p->sw.buffer_cycles;
  uint64_t l = p->link_cycles, depth = p->sw.depth_flits;
  uint64_t inner = b + 2 * l + r + a + 2, in = 2 * l + r + a + 1, out = b + 2 * l + 2;
  uint64_t t = hops >= 2 ? inner : in > out ? in : out;
  if (in > t)
    t = in;
  if (t < depth)
    t = depth;
  return l + hops * (r + a + b + 1 + l) + (flits - 1) / depth * t + (flits - 1) % depth;
}

/* One slot a channel, so a credit comes now and then, and inputs take turns (§2.5, two cycles). */
TEST(every_channel_gets_its_turn_when_credits_are_scarce)
{
  enum { CYCLES = 1000, PAIRS = 6, LATE = 16 };
  static const uint32_t pairs[PAIRS][2] = {{1, 3}, {2, 6}, {3, 1}, {5, 7}, {6, 2}, {7, 5}};
  const uint32_t dims[] = {9};
  CLEANUP(net_close) struct net n = {.params = params_of(4, 64, 1, 2, 2, 1, 2)};
  struct dice dice = {.state = 1};
  uint32_t source_of[PAIRS * CYCLES], place_of[PAIRS * CYCLES];
  uint32_t sent_by[9] = {0}, received_by[9] = {0}, received, sent = 0, total = 0;
  must(hd_topology_mesh(&n.topology, dims, 1, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  for (unsigned cycle = 0; cycle < CYCLES || total < sent; cycle++) {
    for (size_t k = 0; cycle < CYCLES && k < PAIRS; k++)
      if (roll(&dice, 100) < 38) {
        const uint32_t number = net_send(&n, pairs[k][0], pairs[k][1], 1);
        source_of[number] = pairs[k][0];
        place_of[number] = sent_by[pairs[k][0]]++;
        sent++;
      }
    net_step(&n);
    const struct hd_delivery *d = hd_fabric_deliveries(n.fabric, &received);
    for (uint32_t i = 0; i < received; i++, total++) {
      const uint32_t from = source_of[d[i].number], after = received_by[from]++;
      if (after > place_of[d[i].number] + LATE)
        fail_msg("packet %u of node %u came after %u others", place_of[d[i].number], from, after);
    }
  }
}

TEST(zero_load_latency_equals_closed_form)
{
  static const struct {
    uint32_t depth, route, arb, buffer, link;
  } timings[] = {{4, 1, 1, 0, 1},  {8, 2, 2, 1, 2}, {1, 1, 2, 0, 1}, {3, 2, 1, 1, 3},
                 {64, 1, 1, 1, 1}, {4, 0, 1, 0, 1}, {3, 0, 2, 1, 2}};
  static const uint32_t lengths[] = {1, 2, 4, 5, 9, 33};
  const uint32_t dims[] = {8, 8};
  unsigned compared = 0;
  for (size_t t = 0; t < sizeof timings / sizeof *timings; t++) {
    CLEANUP(net_close)
    struct net n = {.params = params_of(2, 16, timings[t].depth, timings[t].route, timings[t].arb,
                                        timings[t].buffer, timings[t].link)};
    must(hd_topology_mesh(&n.topology, dims, 2, &why));
    net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
    for (uint32_t from = 0; from < 64; from++)
      for (uint32_t to = 0; to < 64; to++) {
        uint32_t dx = (uint32_t)abs((int)(from % 8) - (int)(to % 8));
        uint32_t dy = (uint32_t)abs((int)(from / 8) - (int)(to / 8));
        for (size_t f = 0; f < sizeof lengths / sizeof *lengths; f++) {
          uint64_t got = latency_alone(&n, from, to, lengths[f]);
          uint64_t want = zero_load(&n.params, dx + dy + 1, lengths[f]);
          if (got != want)
            fail_msg("depth %u route %u arb %u buffer %u link %u, %u to %u, %u flits: %llu cycles, "
                     "closed form %llu",
                     timings[t].depth, timings[t].route, timings[t].arb, timings[t].buffer,
                     timings[t].link, from, to, lengths[f], (unsigned long long)got,
                     (unsigned long long)want);
          compared++;
        }
      }
  }
  print_message("compared %u latencies\n", compared);
  assert_int_equal(compared, 7 * 64 * 64 * 6);
}

/* Switches on the way from one node to another, by coordinates (§5.15) and by groups (§5.23). */
static uint32_t switches_between(const struct hd_topology *t, uint32_t from, uint32_t to)
{
  uint32_t n = 1;
  if (t->kind == HD_TOPO_TORUS) {
    for (uint32_t d = 0; d < t->n_dims; from /= t->dims[d], to /= t->dims[d], d++) {
      uint32_t k = t->dims[d], up = (to % k + k - from % k) % k;
      n += up < k - up ? up : k - up;
    }
    return n;
  }
  uint32_t p = t->shape.p, a = t->shape.a, h = t->shape.h, groups = a * h + 1;
  from /= p;
  to /= p;
  if (from / a == to / a)
    return n + (from != to);
  uint32_t out = (to / a + groups - from / a - 1) % groups, in = a * h - 1 - out;
  return n + (from % a != out / h) + 1 + (to % a != in / h);
}

TEST(zero_load_latency_of_tori_and_dragonflies_follows_the_rule)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
  } fabrics[] = {{HD_TOPO_TORUS, {.dims = {5, 4}, .n_dims = 2}},
                 {HD_TOPO_TORUS, {.dims = {3, 2, 6}, .n_dims = 3}},
                 {HD_TOPO_DRAGONFLY, {.p = 2, .a = 3, .h = 1}},
                 {HD_TOPO_DRAGONFLY, {.p = 1, .a = 4, .h = 2}}};
  uint32_t compared = 0;
  for (uint32_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++) {
    CLEANUP(net_close)
    struct net n = {.params = params_of(2 + i % 2, 16, 4, 1 + i % 2, 1, i / 2, 1)};
    must(hd_topology_build(&n.topology, fabrics[i].kind, &fabrics[i].shape, NULL, &why));
    net_open(&n, HD_ROUTE_MINIMAL, false);
    must(hd_routing_check(&n.tables, &n.topology, n.params.sw.vcs, n.params.sw.cut_flits, &why));
    for (uint32_t from = 0; from < n.topology.n_nodes; from++)
      for (uint32_t to = 0; to < n.topology.n_nodes; to++)
        for (uint32_t flits = 1; flits <= 10; flits += 9, compared++)
          assert_int_equal(latency_alone(&n, from, to, flits),
                           zero_load(&n.params, switches_between(&n.topology, from, to), flits));
  }
  print_message("compared %u latencies\n", compared);
  assert_true(compared > 5000);
}

/* §4.5 with a LINK of its own for global links of a dragonfly: `own` in T and once in the sum, if the way has one. */
static uint64_t zero_load_with_global_links(const struct hd_fabric_params *p, uint64_t hops,
                                            uint64_t flits, bool global, uint64_t own)
{
  const uint64_t depth = p->sw.depth_flits, l = p->link_cycles;
  const uint64_t t = p->sw.buffer_cycles + 2 * own + p->sw.route_cycles + p->sw.arb_cycles + 2;
  if (!global)
    return zero_load(p, hops, flits);
  assert_true(own >= l); /* then its T is the largest */
  return zero_load(p, hops, 1) + own - l + (flits - 1) / depth * (t > depth ? t : depth) +
         (flits - 1) % depth;
}

TEST(links_can_have_individual_latencies)
{
  uint32_t compared = 0;
  for (uint32_t own = 1; own <= HD_LINK_CYCLES_MAX; own = 3 * own + 1) {
    const struct hd_topology_shape shape = {.p = 2, .a = 3, .h = 1, .global_link_cycles = own};
    CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 4, 1, 1, 1, 1)};
    must(hd_topology_build(&n.topology, HD_TOPO_DRAGONFLY, &shape, NULL, &why));
    must(hd_topology_widen(&n.topology, n.topology.ports + 2, &why));
    n.params.sw.ports = n.topology.ports;
    net_open(&n, HD_ROUTE_MINIMAL, false);
    for (uint32_t from = 0; from < n.topology.n_nodes; from++)
      for (uint32_t to = 0; to < n.topology.n_nodes; to++)
        for (uint32_t flits = 1; flits <= 10; flits += 9, compared++)
          assert_int_equal(latency_alone(&n, from, to, flits),
                           zero_load_with_global_links(&n.params,
                                                       switches_between(&n.topology, from, to),
                                                       flits, from / 6 != to / 6, own));
  }
  print_message("compared %u latencies\n", compared);
  assert_int_equal(compared, 5 * 24 * 24 * 2);
}

/* In a graph file, in both directions or one; the longest is what a watchdog waits for. */
TEST(graph_files_can_set_the_latency_of_links)
{
  static const char text[] = "n0,s0\nn1,s1\ns0:1,s1:1,20\ns0:2,s1:2,one-way,30\n"
                             "s1:3,s0:3, 7 ,one-way\ns0:4,s1:4\n";
  static const char bad[] = "n0,s0,3\nn1,s1\ns0,s1\n";
  struct hd_topology t;
  must(hd_topology_graph(&t, text, strlen(text), "net.csv", &why));
  static const uint32_t want[2][5] = {{5, 20, 30, 5, 5}, {5, 20, 5, 7, 5}};
  for (uint32_t sw = 0; sw < 2; sw++)
    for (uint32_t port = 0; port < 5; port++)
      assert_int_equal(hd_topology_link_cycles(&t, sw, port, 5), want[sw][port]);
  assert_int_equal(hd_topology_longest_link(&t, 5), 30);
  hd_topology_fini(&t);
  must_fail(hd_topology_graph(&t, bad, strlen(bad), "net.csv", &why), HD_E_INPUT,
            "net.csv:1: the link of a node has no latency of its own");
  static const char more[] = "n0,s0\nn1,s1\ns0,s1,129\n";
  assert_int_equal(hd_topology_graph(&t, more, strlen(more), "net.csv", &why), HD_E_INPUT);
}

/* One packet after the other: each has the latency of the two ways that its number says (§4.3), with one switch
 * in common. */
TEST(valiant_routes_through_every_node_and_arrives)
{
  uint32_t by[20] = {0};
  CLEANUP(net_close) struct net n = {.params = params_of(4, 16, 4, 1, 1, 0, 1)};
  const struct hd_topology_shape torus = {.dims = {5, 4}, .n_dims = 2};
  must(hd_topology_build(&n.topology, HD_TOPO_TORUS, &torus, NULL, &why));
  net_open(&n, HD_ROUTE_VALIANT, false);
  for (uint32_t number = 0; number < 2000; number++) {
    uint32_t from = number % 20, to = number / 20 % 20, flits = 1 + number % 3;
    uint32_t node = (uint32_t)((hd_mix64((uint64_t)number << 16) >> 32) * 20 >> 32);
    uint32_t ways =
        switches_between(&n.topology, from, node) + switches_between(&n.topology, node, to) - 1;
    assert_int_equal(latency_alone(&n, from, to, flits), zero_load(&n.params, ways, flits));
    by[node]++;
  }
  for (uint32_t node = 0; node < 20; node++)
    assert_in_range(by[node], 50, 150);
}

/* Uniform random traffic for some cycles, then drained; returns a digest of deliveries. */
static uint64_t run_random_traffic(struct net *n, uint64_t *random, unsigned cycles,
                                   unsigned per_1000, uint32_t longest)
{
  uint32_t nodes = n->topology.n_nodes, received;
  uint64_t digest = 0;
  for (unsigned i = 0; i < cycles || !hd_fabric_idle(n->fabric); i++) {
    for (uint32_t node = 0; i < cycles && node < nodes; node++)
      if (next_random(random) % 1000 < per_1000)
        net_send(n, node, (uint32_t)(next_random(random) % nodes),
                 1 + (uint32_t)(next_random(random) % longest));
    net_step(n);
    const struct hd_delivery *d = hd_fabric_deliveries(n->fabric, &received);
    for (uint32_t k = 0; k < received; k++) {
      assert_true(d[k].intact);
      digest = hd_mix64(digest + d[k].number) + d[k].received;
    }
    assert_true(i < cycles + 1000000);
  }
  return digest;
}

TEST(random_traffic_loses_no_packet)
{
  uint64_t random = seed_of_run();
  uint64_t packets = 0;
  for (unsigned round = 0; round < 40; round++) {
    uint32_t depth = 1 + (uint32_t)(next_random(&random) % 8);
    bool cut = next_random(&random) % 3 == 0;
    struct net n = {.params = params_of(1 + (uint32_t)(next_random(&random) % 4), 32, depth,
                                        1 + (uint32_t)(next_random(&random) % 2),
                                        1 + (uint32_t)(next_random(&random) % 2),
                                        (uint32_t)(next_random(&random) % 2),
                                        1 + (uint32_t)(next_random(&random) % 3))};
    n.params.sw.cut_flits = cut ? depth : 0;
    const uint32_t dims[] = {3, 4};
    enum hd_routing_kind routing = HD_ROUTE_DIMENSION_ORDER;
    switch (round % 3) {
    case 0:
      must(hd_topology_mesh(&n.topology, dims, 2, &why));
      break;
    case 1:
      must(hd_topology_tree(&n.topology, 2, 3, &why));
      routing = HD_ROUTE_D_MOD_K;
      break;
    default:
      must(hd_topology_extended_tree(&n.topology, 2, 3, &why));
      routing = HD_ROUTE_S_MOD_K;
    }
    net_open(&n, routing, routing != HD_ROUTE_DIMENSION_ORDER && round % 2);
    run_random_traffic(&n, &random, 400, 150, cut ? depth : 12);
    struct hd_fabric_counters c;
    hd_fabric_counters(n.fabric, &c);
    assert_true(c.packets_sent > 0);
    assert_int_equal(c.packets_sent, c.packets_received);
    assert_int_equal(c.packets_foreign, 0);
    for (uint32_t sw = 0; sw < n.topology.n_switches; sw++) {
      assert_int_equal(hd_switch_config_read(hd_fabric_switch(n.fabric, sw), HD_CFG_ERRORS), 0);
      assert_true(
          hd_switch_quiescent(hd_fabric_switch(n.fabric, sw), hd_fabric_cycle(n.fabric) + 8));
    }
    packets += c.packets_received;
    net_close(&n);
  }
  print_message("received %llu packets, all intact\n", (unsigned long long)packets);
}

/* Saturates 8x4 switches. Returns false if the fabric is stuck. A fabric that the deadlock rule accepts must drain.
 */
static bool saturated_fabric_drains(enum hd_topology_kind kind, enum hd_routing_kind routing,
                                    uint32_t vcs, bool cut_through, uint32_t flits,
                                    uint64_t *random)
{
  CLEANUP(net_close) struct net n = {.params = params_of(vcs, 16, 4, 1, 1, 0, 1)};
  const struct hd_topology_shape shape = {.dims = {8, 4}, .n_dims = 2};
  struct hd_fabric_counters c;
  n.params.sw.cut_flits = cut_through ? 4 : 0;
  n.params.sw.adaptive =
      hd_routings[routing]->decides ? HD_ADAPTIVE_UGAL : hd_routings[routing]->adaptive;
  must(hd_topology_build(&n.topology, kind, &shape, NULL, &why));
  net_open(&n, routing, false);
  bool taken = !hd_routing_check(&n.tables, &n.topology, vcs, cut_through, &why);
  for (unsigned i = 0; i < 100; i++)
    for (uint32_t node = 0; node < 32; node++)
      net_send(&n, node, (uint32_t)(next_random(random) % 32), flits);
  do {
    net_step(&n);
    hd_fabric_counters(n.fabric, &c);
  } while (!hd_fabric_idle(n.fabric) && c.last_progress + 1000 > hd_fabric_cycle(n.fabric));
  bool drained = hd_fabric_idle(n.fabric);
  assert_true(drained || !taken);
  return drained;
}

TEST(a_saturated_torus_needs_its_dateline)
{
  uint64_t random = seed_of_run();
  assert_false(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_MINIMAL, 1, false, 8, &random));
  for (uint32_t vcs = 2; vcs <= 5; vcs++)
    assert_true(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_MINIMAL, vcs, false, 8, &random));
}

TEST(saturated_routes_through_intermediate_nodes_drain)
{
  uint64_t random = seed_of_run();
  assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_VALIANT, 2, false, 8, &random));
  assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_ROMM, 2, false, 8, &random));
  assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_O1TURN, 2, false, 8, &random));
  assert_true(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_VALIANT, 4, false, 8, &random));
  assert_false(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_VALIANT, 1, false, 8, &random));
  assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_UGAL, 2, false, 8, &random));
  assert_true(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_UGAL, 4, false, 8, &random));
  assert_false(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_UGAL, 1, false, 8, &random));
}

enum { COUNTED_CYCLES = 600 };

/* A count that a switch shows is at its neighbours' pins LINK - 1 cycles later, and they know it in the cycle after;
 * nodes show none. */
TEST(packet_counts_reach_neighbours_after_the_link_latency)
{
  uint64_t random = seed_of_run(), counts = 0;
  for (uint32_t link = 1; link <= 4; link++) {
    struct net n = {.params = params_of(3, 16, 4, 1, 1, 0, 1)};
    const struct hd_topology_shape shape = {.dims = {4, 3}, .n_dims = 2};
    struct hd_record record;
    struct hd_switch_view view;
    n.params.sw.cut_flits = 4;
    n.params.link_cycles = link;
    n.params.sw.adaptive = HD_ADAPTIVE_COUNT;
    must(hd_topology_build(&n.topology, HD_TOPO_MESH, &shape, NULL, &why));
    net_open(&n, HD_ROUTE_ADAPTIVE, false);
    uint32_t ports = n.topology.ports;
    assert_int_equal(hd_record_init(&record, n.topology.n_switches), 0);
    hd_fabric_record_begin(n.fabric, &record);
    for (uint32_t c = 0; c < COUNTED_CYCLES; c++) {
      for (uint32_t node = 0; node < 12; node++)
        if (next_random(&random) % 12 == 0)
          net_send(&n, node, (uint32_t)(next_random(&random) % 12),
                   1 + (uint32_t)(random >> 60) % 4);
      net_step(&n);
    }
    must(hd_fabric_record_end(n.fabric, &why));
    for (uint32_t sw = 0; sw < n.topology.n_switches; sw++) {
      const struct hd_switch_record *to = &record.switches[sw];
      unsigned known[HD_MAX_PORTS] = {0};
      uint32_t at[HD_MAX_PORTS] = {0}; /* the neighbours' events that have come */
      for (uint32_t i = 0; i < to->n_credits_in; i++) {
        const struct hd_credit_event *e = &to->credits_in[i];
        const struct hd_peer *far = &n.topology.peers[sw * ports + e->port];
        if (!e->count)
          continue;
        assert_int_equal(far->kind, HD_PEER_SWITCH);
        const struct hd_switch_record *from = &record.switches[far->index];
        uint32_t *next = &at[e->port];
        while (*next < from->n_credits_out &&
               (from->credits_out[*next].port != far->port || !from->credits_out[*next].count))
          ++*next;
        assert_true(*next < from->n_credits_out);
        assert_int_equal(from->credits_out[*next].cycle + link - 1, e->cycle);
        assert_int_equal(from->credits_out[(*next)++].count, e->count);
        known[e->port] = e->count & HD_COUNT_MOST;
        counts++;
      }
      for (uint32_t port = 0; port < ports; port++) { /* the others are under way */
        const struct hd_peer *far = &n.topology.peers[sw * ports + port];
        if (far->kind != HD_PEER_SWITCH)
          continue;
        const struct hd_switch_record *from = &record.switches[far->index];
        for (uint32_t i = at[port]; i < from->n_credits_out; i++)
          if (from->credits_out[i].port == far->port && from->credits_out[i].count)
            assert_true(from->credits_out[i].cycle + link - 1 >= COUNTED_CYCLES);
      }
      hd_switch_look(hd_fabric_switch(n.fabric, sw), &view);
      for (uint32_t port = 0; port < ports; port++)
        assert_int_equal(view.count[port], known[port]);
    }
    hd_record_fini(&record);
    net_close(&n);
  }
  print_message("%llu counts came\n", (unsigned long long)counts);
  assert_true(counts > 10000);
}

TEST(saturated_turn_models_drain_with_one_channel)
{
  uint64_t random = seed_of_run();
  for (uint32_t vcs = 1; vcs <= 2; vcs++) {
    assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_WEST_FIRST, vcs, false, 8, &random));
    assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_ODD_EVEN, vcs, false, 8, &random));
  }
}

/* With wormhole switching, a head behind another packet's tail in a chosen channel cannot use the escape channel. A
 * deadlock is rare: about one in seven attempts. */
TEST(saturated_adaptive_routing_needs_cut_through)
{
  uint64_t random = seed_of_run();
  uint32_t tries = 1;
  for (uint32_t flits = 1; flits <= 4; flits++) {
    assert_true(saturated_fabric_drains(HD_TOPO_MESH, HD_ROUTE_ADAPTIVE, 2, true, flits, &random));
    assert_true(saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_ADAPTIVE, 3, true, flits, &random));
  }
  while (saturated_fabric_drains(HD_TOPO_TORUS, HD_ROUTE_ADAPTIVE, 3, false, 3, &random))
    assert_true(++tries < 100);
  print_message("stuck by wormhole switching in try %u\n", tries);
}

TEST(a_deadlock_report_names_the_cycle_of_channels)
{
  static const char ring[] = "s0,s1\ns1,s2\ns2,s3\ns3,s4\ns4,s0\n"
                             "n0,s0\nn1,s1\nn2,s2\nn3,s3\nn4,s4\n";
  CLEANUP(net_close) struct net n = {.params = params_of(1, 16, 2, 1, 1, 0, 1)};
  struct hd_fabric_counters c;
  char text[4096];
  must(hd_topology_graph(&n.topology, ring, sizeof ring - 1, "ring.csv", &why));
  net_open(&n, HD_ROUTE_SHORTEST, false);
  for (unsigned i = 0; i < 20; i++)
    for (uint32_t node = 0; node < 5; node++) {
      net_send(&n, node, (node + 2) % 5, 30);
      net_send(&n, node, (node + 3) % 5, 30);
    }
  for (unsigned i = 0; i < 5000; i++)
    net_step(&n);
  hd_fabric_counters(n.fabric, &c);
  assert_true(c.last_progress + 1000 < hd_fabric_cycle(n.fabric));
  hd_fabric_explain_wait(n.fabric, text, sizeof text);
  assert_non_null(strstr(text, "wait for each other in a circle"));
  unsigned lines = 0;
  for (const char *p = text; (p = strstr(p, "waits for output")); p++)
    lines++;
  assert_int_equal(lines, 5);
}

/* The test itself gives the outputs of the external switches. */
TEST(waits_in_external_switches_are_explained_from_port_events)
{
  const uint32_t dims[] = {4};
  CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 2, 1, 1, 0, 1)};
  CLEANUP(hd_record_fini) struct hd_record record;
  struct hd_sending sending;
  char text[4096];
  n.params.external_switches = true;
  must(hd_topology_mesh(&n.topology, dims, 1, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  assert_int_equal(hd_record_init(&record, n.topology.n_switches), 0);
  net_send(&n, 0, 3, 5);
  net_send(&n, 0, 2, 1);
  net_send(&n, 0, 1, 1);
  net_send(&n, 1, 3, 1);
  const uint32_t port = n.topology.node_peers[0].port;
  for (unsigned cycle = 0; cycle < 12; cycle++) {
    const struct hd_credit_event credit = {.cycle = 1, .port = (uint8_t)port, .vcs = 1};
    hd_fabric_record_begin(n.fabric, &record);
    must(hd_fabric_step_inputs(n.fabric, &why));
    hd_fabric_put_outputs(n.fabric, 0, NULL, 0, &credit, cycle == 5);
    hd_fabric_step_done(n.fabric);
    must(hd_fabric_record_end(n.fabric, &why));
  }
  hd_fabric_explain_wait(n.fabric, text, sizeof text);
  char expected[1024];
  snprintf(expected, sizeof expected,
           "the DUT's switches cannot be looked into; by what went through their ports, they "
           "hold:\n"
           "  switch 0: 2 flits in input %u channel 0 (2)\n"
           "  switch 1: 1 flit in input %u channel 0 (1)\n"
           "packets under way, the oldest first:\n"
           "  packet 0, node 0 to node 3, handed over in cycle 0: 3 of 5 flits sent\n"
           "  packet 1, node 0 to node 2, handed over in cycle 0: 0 of 1 flit sent\n"
           "  packet 2, node 0 to node 1, handed over in cycle 0: 0 of 1 flit sent\n"
           "  packet 3, node 1 to node 3, handed over in cycle 0: 1 of 1 flit sent\n",
           port, n.topology.node_peers[1].port);
  assert_string_equal(text, expected);
  assert_true(hd_fabric_sending(n.fabric, 0, &sending));
  assert_true(sending.number == 0 && sending.destination == 3 && sending.packets == 3);
  assert_true(sending.starved);
  assert_false(hd_fabric_sending(n.fabric, 1, &sending));
}

TEST(a_switch_takes_less_than_4_kib)
{
  const uint32_t dims[] = {8, 8};
  CLEANUP(net_close) struct net n = {.params = params_of(2, 16, 4, 1, 1, 0, 1)};
  must(hd_topology_mesh(&n.topology, dims, 2, &why));
  net_open(&n, HD_ROUTE_DIMENSION_ORDER, false);
  print_message("%zu bytes a switch\n", hd_fabric_bytes_per_switch(n.fabric));
  assert_true(hd_fabric_bytes_per_switch(n.fabric) < 4096);
}
