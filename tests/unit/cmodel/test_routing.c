/* Routing tables against closed forms, and the deadlock rule (§2.7, chapter 5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/routing_fabric.h"
#include "../lib/test.h"

#include <time.h>

static uint32_t distance(uint32_t a, uint32_t b)
{
  return a > b ? a - b : b - a;
}

TEST(mesh_routes_have_manhattan_length)
{
  static const uint32_t shapes[][3] = {{8, 8, 1}, {2, 1, 1}, {5, 3, 2}, {1, 9, 1}, {4, 4, 4}};
  uint32_t pairs = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    const uint32_t *k = shapes[i];
    must(hd_topology_mesh(&f.t, k, 3, &why));
    route(&f, HD_ROUTE_DIMENSION_ORDER, false, 2);
    for (uint32_t s = 0; s < f.t.n_nodes; s++)
      for (uint32_t d = 0; d < f.t.n_nodes; d++, pairs++)
        assert_int_equal(hops(&f, s, d), 1 + distance(s % k[0], d % k[0]) +
                                             distance(s / k[0] % k[1], d / k[0] % k[1]) +
                                             distance(s / k[0] / k[1], d / k[0] / k[1]));
  }
  printf("%u pairs\n", pairs);
}

TEST(dimension_order_corrects_the_lowest_dimension_first)
{
  CLEANUP(fabric_fini) struct fabric f;
  const uint32_t dims[2] = {4, 4};
  const uint16_t want[6] = {13, 14, 15, 11, 7, 3};
  uint16_t path[8];
  must(hd_topology_mesh(&f.t, dims, 2, &why));
  route(&f, HD_ROUTE_DIMENSION_ORDER, false, 1);
  assert_int_equal(hd_routing_path(&f.tables, &f.t, 13, 3, path, 8, &why), 6);
  assert_memory_equal(path, want, sizeof want);
  must_say(hd_routing_path(&f.tables, &f.t, 13, 3, path, 5, &why), HD_E_INPUT,
           "the way from n13 to n3 has more than 5 switches");
}

static void must_build(struct hd_topology *t, enum hd_topology_kind kind,
                       const struct hd_topology_shape *shape)
{
  must(hd_topology_build(t, kind, shape, NULL, &why));
}

/* Stage at which s and d of one half have their nearest common ancestor. */
static uint32_t stage_of_common_ancestor(uint32_t s, uint32_t d, uint32_t k)
{
  uint32_t l = 0;
  for (s /= k, d /= k; s != d; s /= k, d /= k)
    l++;
  return l;
}

TEST(tree_routes_have_the_length_of_the_closed_form)
{
  static const uint32_t shapes[][2] = {{2, 1}, {2, 2}, {2, 3}, {2, 5},
                                       {3, 3}, {4, 2}, {4, 3}, {8, 2}};
  uint32_t pairs = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (unsigned variant = 0; variant < 8; variant++) {
      uint32_t k = shapes[i][0], n = shapes[i][1];
      bool extended = variant & 1, top = variant & 2, by_source = variant & 4;
      CLEANUP(fabric_fini) struct fabric f;
      must((extended ? hd_topology_extended_tree : hd_topology_tree)(&f.t, k, n, &why));
      route(&f, by_source ? HD_ROUTE_S_MOD_K : HD_ROUTE_D_MOD_K, top, 2);
      assert_int_equal(f.tables.header_mode, by_source);
      uint32_t half = f.t.n_nodes / (extended ? 2 : 1);
      for (uint32_t s = 0; s < f.t.n_nodes; s++)
        for (uint32_t d = 0; d < f.t.n_nodes; d++, pairs++) {
          bool whole_way = top || s / half != d / half;
          uint32_t l = whole_way ? n - 1 : stage_of_common_ancestor(s % half, d % half, k);
          assert_int_equal(hops(&f, s, d), 2 * l + 1);
        }
    }
  printf("%u pairs\n", pairs);
}

/* The digits of a packet's choices going up, read from the labels of the switches passed. */
TEST(up_ports_follow_source_or_destination)
{
  const uint32_t k = 3, n = 3, per_stage = 9, half = 27;
  uint32_t choices = 0;
  for (int by_source = 0; by_source < 2; by_source++) {
    CLEANUP(fabric_fini) struct fabric f;
    must(hd_topology_extended_tree(&f.t, k, n, &why));
    route(&f, by_source ? HD_ROUTE_S_MOD_K : HD_ROUTE_D_MOD_K, true, 1);
    for (uint32_t s = 0; s < 2 * half; s++)
      for (uint32_t d = 0; d < 2 * half; d++) {
        uint16_t path[8];
        assert_int_equal(hd_routing_path(&f.tables, &f.t, s, d, path, 8, &why), 2 * n - 1);
        uint32_t chooser = (by_source ? s : d) % half, weight = 1;
        for (uint32_t l = 0; l + 1 < n; l++, weight *= k, choices++)
          assert_int_equal(path[l + 1] % per_stage / weight % k, chooser / weight % k);
      }
  }
  assert_int_equal(choices, 2 * 54 * 54 * 2);
}

/* Directed links used twice in slot `slot` of an M-to-N destination shuffle. */
static uint32_t shared_links(const struct fabric *f, uint32_t m, uint32_t n, uint32_t first,
                             uint32_t slot, uint32_t *used_once)
{
  enum { LINKS = 1024 };
  uint32_t uses[LINKS] = {0}, shared = 0;
  assert_true(f->t.n_switches * f->t.ports <= LINKS);
  for (uint32_t s = 0; s < m; s++) {
    uint32_t d = first + (s + slot) % n;
    uint16_t path[16];
    int len = hd_routing_path(&f->tables, &f->t, s, d, path, 16, &why);
    assert_int_equal(len, 2 * f->t.n - 1);
    for (int i = 0; i + 1 < len; i++)
      for (uint32_t p = 0; p < f->t.ports; p++) {
        const struct hd_peer *peer = &f->t.peers[path[i] * f->t.ports + p];
        if (peer->kind == HD_PEER_SWITCH && peer->index == path[i + 1])
          uses[path[i] * f->t.ports + p]++;
      }
  }
  for (uint32_t i = 0; i < LINKS; i++) {
    shared += uses[i] > 1;
    *used_once += uses[i] == 1;
  }
  return shared;
}

TEST(routing_position_goes_up_by_the_position_of_the_source)
{
  uint32_t pairs = 0;
  for (uint32_t i = 0; i < 10; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint16_t path[8];
    static const uint32_t halves[10] = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4},
                          nodes[10] = {1, 1, 2, 1, 2, 3, 1, 2, 3, 4};
    uint32_t h = halves[i], e = nodes[i], pods = 2 * h, pod = h * e, edges = pods * h,
             core = 2 * edges;
    must_build(&f.t, HD_TOPO_FAT_TREE,
               &(struct hd_topology_shape){.pods = pods, .edge_nodes = e < h ? e : 0});
    route(&f, HD_ROUTE_POSITION, false, 1);
    for (uint32_t s = 0; s < f.t.n_nodes; s++)
      for (uint32_t d = 0; d < f.t.n_nodes; d++, pairs++) {
        uint32_t place = s / e % h;
        int n = hd_routing_path(&f.tables, &f.t, s, d, path, 8, &why);
        assert_int_equal(n, s / e == d / e ? 1 : s / pod == d / pod ? 3 : 5);
        assert_int_equal(path[0], s / e);
        assert_int_equal(path[n - 1], d / e);
        if (n > 1) {
          assert_int_equal(path[1], edges + s / pod * h + place);
          assert_int_equal(path[n - 2], edges + d / pod * h + place);
        }
        if (n == 5)
          assert_int_equal(path[2], core + place * h + place);
      }
  }
  printf("%u pairs\n", pairs);
}

TEST(a_shuffle_from_6_to_10_contends_by_destination_but_not_by_source)
{
  const uint32_t clashing_slots[2] = {3, 0}; /* D-mod-k, S-mod-k */
  for (int by_source = 0; by_source < 2; by_source++) {
    CLEANUP(fabric_fini) struct fabric f;
    must(hd_topology_extended_tree(&f.t, 2, 3, &why));
    route(&f, by_source ? HD_ROUTE_S_MOD_K : HD_ROUTE_D_MOD_K, true, 2);
    uint32_t clashing = 0, used_once = 0;
    for (uint32_t slot = 0; slot < 10; slot++)
      clashing += shared_links(&f, 6, 10, 6, slot, &used_once) > 0;
    printf("%s-mod-k: %u of 10 slots clash, %u links used once\n", by_source ? "S" : "D", clashing,
           used_once);
    assert_int_equal(clashing, clashing_slots[by_source]);
    assert_true(used_once > 200);
  }
}

/* The rule that the M-to-N paper lacks: contiguous sources from node 0, destinations from a
 * multiple of kⁿ⁻¹ on, M <= N. By source, slots clash exactly when M > k^l · ⌊N / k^l⌋ >= 1 for some
 * l < n; by destination, exactly when 0 < N mod k^l < M for some l < n. */
static bool contention_predicted(bool by_source, uint32_t k, uint32_t n, uint32_t sources,
                                 uint32_t destinations)
{
  bool clash = false;
  uint32_t weight = k;
  for (uint32_t l = 1; l < n; l++, weight *= k) {
    uint32_t rest = destinations % weight;
    clash |= by_source ? destinations >= weight && sources > destinations - rest
                       : rest > 0 && rest < sources;
  }
  return clash;
}

TEST(shuffles_contend_exactly_where_the_closed_form_says)
{
  static const uint32_t shapes[][2] = {{2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}};
  uint32_t clean = 0, clashing = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (int by_source = 0; by_source < 2; by_source++) {
      CLEANUP(fabric_fini) struct fabric f;
      uint32_t k = shapes[i][0], n = shapes[i][1];
      must(hd_topology_extended_tree(&f.t, k, n, &why));
      route(&f, by_source ? HD_ROUTE_S_MOD_K : HD_ROUTE_D_MOD_K, true, 1);
      uint32_t half = f.t.n_nodes / 2, ignored = 0;
      for (uint32_t destinations = 1; destinations <= half; destinations++)
        for (uint32_t sources = 1; sources <= destinations; sources++) {
          bool clash = false;
          for (uint32_t slot = 0; slot < destinations && !clash; slot++)
            clash = shared_links(&f, sources, destinations, half, slot, &ignored) > 0;
          assert_int_equal(clash, contention_predicted(by_source, k, n, sources, destinations));
          clashing += clash;
          clean += !clash;
        }
    }
  printf("%u shuffles clean, %u clash\n", clean, clashing);
  assert_true(clean > 300 && clashing > 300);
}

TEST(table_entries_are_valid_only_at_inputs_that_packets_reach)
{
  CLEANUP(fabric_fini) struct fabric f;
  must(hd_topology_tree(&f.t, 2, 3, &why));
  route(&f, HD_ROUTE_S_MOD_K, false, 2);
  const uint16_t *d0 = f.tables.destination; /* switch 0, port 0: from below */
  const uint16_t *s0 = f.tables.source;
  assert_int_equal(d0[0], hd_table_entry(0, 3)); /* nearest ancestor: here */
  assert_int_equal(d0[1], hd_table_entry(1, 3));
  assert_int_equal(d0[2], 0); /* going up: the source decides */
  assert_int_equal(s0[0], hd_table_entry(2, 3));
  assert_int_equal(s0[1], hd_table_entry(3, 3));
  assert_int_equal(d0[2 * 8 + 2], 0); /* port 2, from above: node 2 is not below */
  hd_tables_fini(&f.tables);
  route(&f, HD_ROUTE_S_MOD_K, true, 2);
  assert_int_equal(f.tables.destination[0], 0); /* always to the top */
  assert_int_equal(f.tables.destination[2 * 8], hd_table_entry(0, 3));
  hd_tables_fini(&f.tables);
  route(&f, HD_ROUTE_D_MOD_K, true, 2);
  assert_null(f.tables.source);
  assert_int_equal(f.tables.destination[0], hd_table_entry(2, 3)); /* points up */
}

TEST(shortest_routes_on_a_ring_are_refused_with_their_cycle)
{
  CLEANUP(fabric_fini) struct fabric f;
  ring(&f.t, 5);
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_SHORTEST, false, 2, 0, &why));
  must_say(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
           "can deadlock: 5 channels wait for each other (output port and "
           "virtual channel of each): s1 port 2 vc 0 → s0 port 2 vc 0 → s4 "
           "port 2 vc 0 → s3 port 2 vc 0 → s2 port 2 vc 0 → s1 port 2 vc 0");
  hd_tables_fini(&f.tables);
  route(&f, HD_ROUTE_UP_DOWN, false, 2);
}

/* The classic cure: packets that cross from switch n−1 to 0 change to channel 1. */
TEST(dateline_masks_break_the_ring)
{
  enum { N = 6 };
  CLEANUP(fabric_fini) struct fabric f;
  ring(&f.t, N);
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_SHORTEST, false, 2, 0, &why));
  uint32_t ports = f.t.ports;
  for (uint32_t sw = 0; sw < N; sw++)
    for (uint32_t p = 0; p < ports; p++)
      for (uint32_t d = 0; d < N; d++) {
        /* Clockwise all the way (port 1): channel 1 for those that have yet to pass 0. */
        unsigned vc = d < sw ? 1 : 0;
        f.tables.destination[(sw * ports + p) * N + d] =
            d == sw ? hd_table_entry(0, 3) : hd_table_entry(1, 1u << vc);
      }
  must(hd_routing_check(&f.tables, &f.t, 2, false, &why));
  /* One entry that allows both channels closes the cycle again. */
  for (uint32_t i = 0; i < N * ports * N; i++)
    if ((f.tables.destination[i] & 15) == 1)
      f.tables.destination[i] |= 3 << 4;
  must_fail(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
            "can deadlock: 6 channels");
}

/* Channels 0 … n−1 in order, as many to each class as to another, or one more. Where both ways round are as long, even
 * switches send up. */
TEST(channels_are_split_evenly_among_classes)
{
  const struct hd_topology_shape torus = {.dims = {6}, .n_dims = 1};
  struct fabric f;
  must(hd_topology_build(&f.t, HD_TOPO_TORUS, &torus, NULL, &why));
  for (uint32_t reserved = 0; reserved < 2; reserved++)
    for (uint32_t n = 1; n + reserved <= HD_MAX_VCS; n++) {
      must(
          hd_routing_build(&f.tables, &f.t, HD_ROUTE_MINIMAL, false, n + reserved, reserved, &why));
      unsigned all = (1u << (n + reserved)) - 1, low = (1u << n / 2) - 1;
      unsigned high = (1u << n) - 1 - low;
      for (uint32_t sw = 0; sw < 6; sw++)
        for (uint32_t node = 0; node < 6; node++) {
          uint32_t up = (node + 6 - sw) % 6;
          bool goes_up = up < 3 || (up == 3 && sw % 2 == 0);
          bool dateline = goes_up ? node < sw : node > sw; /* ahead */
          unsigned mask = up == 0 || n == 1 ? all : dateline ? low : high;
          assert_int_equal(f.tables.destination[sw * f.t.ports * 6 + node],
                           hd_table_entry(up == 0   ? 0
                                          : goes_up ? 1
                                                    : 2,
                                          mask));
        }
      hd_tables_fini(&f.tables);
    }
  hd_topology_fini(&f.t);
}

TEST(long_cycles_are_abbreviated_in_the_message)
{
  CLEANUP(fabric_fini) struct fabric f;
  ring(&f.t, 41);
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_SHORTEST, false, 8, 0, &why));
  must_fail(hd_routing_check(&f.tables, &f.t, 8, false, &why), HD_E_INPUT,
            "can deadlock: 41 channels");
  assert_non_null(strstr(why.text, "→ … 17 more → s"));
  assert_true(strlen(why.text) < sizeof why.text - 1);
}

TEST(missing_and_endless_routes_are_named)
{
  CLEANUP(fabric_fini) struct fabric f;
  const uint32_t dims[2] = {3, 3};
  must(hd_topology_mesh(&f.t, dims, 2, &why));
  route(&f, HD_ROUTE_DIMENSION_ORDER, false, 2);
  uint32_t ports = f.t.ports, n = f.t.n_nodes;
  uint16_t *entry = &f.tables.destination[(1 * ports + 2) * n + 7], good = *entry;
  *entry = 0;
  must_say(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
           "no way from n0 to n7: s1 has no entry for it at input port 2");
  *entry = hd_table_entry(4, 3);
  must_say(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
           "no way from n0 to n7: s1 sends it to port 4, which leads elsewhere");
  *entry = hd_table_entry(3, 4);
  must_say(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
           "no way from n0 to n7: an entry allows no virtual channel");
  *entry = good;
  for (uint32_t p = 0; p < ports; p++)
    f.tables.destination[(4 * ports + p) * n + 7] = hd_table_entry(4, 3); /* back to s1 */
  must_say(hd_routing_check(&f.tables, &f.t, 2, false, &why), HD_E_INPUT,
           "the way from n0 to n7 never ends: it comes to s4 port 4 again and again");
  uint16_t path[8];
  must_say(hd_routing_path(&f.tables, &f.t, 0, 9, path, 8, &why), HD_E_INPUT,
           "no way from n0 to n9: nodes are 0 … 8");
}

/* A header's ports, followed as switches follow them (§1.3), lead to the destination. Other routes are refused. */
TEST(route_headers_hold_the_ports_of_the_route)
{
  CLEANUP(fabric_fini) struct fabric f;
  const uint32_t dims[2] = {3, 3};
  uint64_t header;
  must(hd_topology_mesh(&f.t, dims, 2, &why));
  route(&f, HD_ROUTE_DIMENSION_ORDER, false, 2);
  assert_int_equal(f.t.ports, 5); /* so 3 bits a switch */
  for (uint32_t from = 0; from < 9; from++)
    for (uint32_t to = 0; to < 9; to++) {
      struct hd_peer at = f.t.node_peers[from];
      uint8_t ports[8];
      uint32_t n = 0;
      while (at.kind == HD_PEER_SWITCH) {
        ports[n] = hd_routing_entry(&f.tables, &at, from, to) & 15;
        at = f.t.peers[at.index * f.t.ports + ports[n++]];
      }
      must(hd_routing_way_header(&f.t, 32, from, to, ports, n, &header, &why));
      at = f.t.node_peers[from];
      for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(at.kind, HD_PEER_SWITCH);
        at = f.t.peers[at.index * f.t.ports + (header >> 2 & 7)];
        header = header >> 5 << 2 | (header & 3);
      }
      assert_true(at.kind == HD_PEER_NODE && at.index == to);
      assert_int_equal(header, 2);
      uint32_t width = 2 + 3 * n;
      assert_int_equal(hd_routing_way_header(&f.t, width, from, to, ports, n, &header, NULL), 0);
      must_fail(hd_routing_way_header(&f.t, width - 1, from, to, ports, n, &header, &why),
                HD_E_INPUT, "switch.data_bits");
      must_fail(hd_routing_way_header(&f.t, 32, from, to, ports, n - 1, &header, &why), HD_E_INPUT,
                " ends at s");
      ports[n] = 0;
      must_fail(hd_routing_way_header(&f.t, 32, from, to, ports, n + 1, &header, &why), HD_E_INPUT,
                " of its ");
    }
  static const uint8_t none[] = {2}, beyond[] = {5};
  assert_int_equal(f.t.peers[2].kind, HD_PEER_NONE);
  must_say(hd_routing_way_header(&f.t, 32, 0, 1, none, 1, &header, &why), HD_E_INPUT,
           "the way from n0 to n1 has port 2 of s0, which has no link");
  must_say(hd_routing_way_header(&f.t, 32, 0, 1, beyond, 1, &header, &why), HD_E_INPUT,
           "the way from n0 to n1 has port 5 of s0, which has no link");
}

TEST(algorithms_are_refused_where_they_do_not_fit)
{
  CLEANUP(hd_topology_fini) struct hd_topology mesh, tree;
  struct hd_tables tables;
  const uint32_t dims[1] = {4};
  must(hd_topology_mesh(&mesh, dims, 1, &why));
  must(hd_topology_tree(&tree, 2, 2, &why));
  must_say(hd_routing_build(&tables, &tree, HD_ROUTE_DIMENSION_ORDER, false, 1, 0, &why),
           HD_E_INPUT, "dimension-order routing is for meshes alone");
  must_say(hd_routing_build(&tables, &mesh, HD_ROUTE_S_MOD_K, false, 1, 0, &why), HD_E_INPUT,
           "s-mod-k routing is for trees alone");
  assert_int_equal(hd_routing_build(&tables, &mesh, HD_ROUTE_SHORTEST, true, 1, 0, &why),
                   HD_E_INPUT);
  assert_int_equal(hd_routing_build(&tables, &mesh, HD_ROUTE_SHORTEST, false, 9, 0, &why),
                   HD_E_INPUT);
  assert_null(tables.destination);
}

/* Applies the writes for all switches to copies of `old`'s tables, or of invalid entries if `old` is NULL. The result
 * must equal `tables`. Returns the number of writes. */
static uint32_t apply_writes(const struct hd_tables *tables, const struct hd_tables *old)
{
  size_t n = (size_t)tables->ports * tables->n_nodes;
  CLEANUP(free_at) uint16_t *entries = calloc(3 * n, sizeof *entries);
  uint32_t writes = 0;
  assert_non_null(entries);
  for (uint32_t sw = 0; sw < tables->n_switches; sw++) {
    struct hd_table_writes walk = {.tables = tables, .old = old, .sw = sw};
    struct hd_config_event write;
    memset(entries, 0, 3 * n * sizeof *entries);
    if (old)
      memcpy(entries, old->destination + sw * n, n * sizeof *entries);
    if (old && old->source)
      memcpy(entries + n, old->source + sw * n, n * sizeof *entries);
    for (; hd_table_writes_next(&walk, &write); writes++) {
      uint16_t *at = entries + (write.addr >> 12 & 15) * tables->n_nodes + (write.addr & 0xfff);
      assert_in_range(write.addr >> 16, 1, 4);
      assert_int_not_equal(write.addr >> 16, 3);
      at += write.addr >> 16 == 1 ? 0 : write.addr >> 16 == 2 ? n : 2 * n;
      assert_int_not_equal(*at, write.data);
      assert_int_equal(write.cycle, 0);
      *at = write.data;
    }
    assert_memory_equal(entries, tables->destination + sw * n, n * sizeof *entries);
    if (tables->source)
      assert_memory_equal(entries + n, tables->source + sw * n, n * sizeof *entries);
    if (tables->sets)
      assert_memory_equal(entries + 2 * n, tables->sets + sw * n, n * sizeof *entries);
  }
  return writes;
}

TEST(configuration_writes_give_switches_their_tables)
{
  CLEANUP(fabric_fini) struct fabric f;
  CLEANUP(hd_tables_fini) struct hd_tables up_down;
  must(hd_topology_extended_tree(&f.t, 2, 3, &why));
  route(&f, HD_ROUTE_S_MOD_K, true, 2);
  assert_non_null(f.tables.source);
  must(hd_routing_build(&up_down, &f.t, HD_ROUTE_UP_DOWN, false, 2, 0, &why));
  assert_true(apply_writes(&f.tables, NULL) > 0);
  assert_true(apply_writes(&up_down, &f.tables) > 0);
  assert_true(apply_writes(&f.tables, &up_down) > 0);
  assert_int_equal(apply_writes(&f.tables, &f.tables), 0);
}

TEST(fabrics_of_2048_nodes_are_checked)
{
  CLEANUP(fabric_fini) struct fabric f;
  must(hd_topology_extended_tree(&f.t, 2, 10, &why));
  route(&f, HD_ROUTE_S_MOD_K, true, 4);
  assert_int_equal(hops(&f, 0, 2047), 19);
}

/* §10.7: after a reset the channels, then the generators of all ports. */
TEST(adaptive_switches_get_channels_and_generators_by_writes)
{
  const uint32_t dims[] = {3, 3};
  CLEANUP(fabric_fini) struct fabric f;
  struct hd_config_event write;
  must(hd_topology_mesh(&f.t, dims, 2, &why));
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_ADAPTIVE, false, 4, 1, &why));
  apply_writes(&f.tables, NULL);
  f.tables.cap = 9;
  for (uint32_t sw = 0; sw < 9; sw++) {
    struct hd_table_writes walk = {.tables = &f.tables, .sw = sw};
    assert_true(hd_adapt_writes_next(&walk, &write));
    assert_int_equal(write.addr, 17);
    assert_int_equal(write.data, 0x906); /* channel 0 is the way out, channel 3 not for packets */
    for (uint32_t port = 0; port < f.t.ports; port++) {
      assert_true(hd_adapt_writes_next(&walk, &write));
      assert_int_equal(write.addr, 0x50000 + port * 0x1000);
      assert_int_equal(write.data, hd_mix64(16 * sw + port) & 0xffff);
    }
    assert_false(hd_adapt_writes_next(&walk, &write));
    assert_false(hd_adapt_writes_next(&walk, &write));
  }
  hd_tables_fini(&f.tables);
  must(hd_routing_build(&f.tables, &f.t, HD_ROUTE_UGAL, false, 2, 0, &why));
  f.tables.bias = 700;
  for (uint32_t sw = 0; sw < 9; sw++) { /* where packets decide: ports of nodes, and by how much */
    struct hd_table_writes walk = {.tables = &f.tables, .sw = sw};
    assert_true(hd_adapt_writes_next(&walk, &write));
    assert_int_equal(write.addr, 25);
    assert_int_equal(write.data, 1u << f.t.node_peers[sw].port);
    assert_true(hd_adapt_writes_next(&walk, &write));
    assert_int_equal(write.addr, 26);
    assert_int_equal(write.data, 700);
    assert_false(hd_adapt_writes_next(&walk, &write));
  }
  hd_tables_fini(&f.tables);
  route(&f, HD_ROUTE_DIMENSION_ORDER, false, 2);
  struct hd_table_writes walk = {.tables = &f.tables};
  assert_false(hd_adapt_writes_next(&walk, &write));
}
