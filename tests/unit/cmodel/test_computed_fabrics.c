/* Routes that switches compute from registers (specification §12): those of the fabric's rule, for all pairs of nodes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/routing/routing.h"
#include "../../../cmodel/switch/switch.h"
#include "../../../cmodel/switch/switch_computed.h"
#include "../../../cmodel/switch/switch_input.h"
#include "../lib/test.h"

struct net {
  struct hd_topology t;
  struct hd_tables tables;
  struct hd_switch_params sw;
  unsigned char *blocks; /* of all switches, after the writes of their registers */
};

static struct hd_switch *switch_of(const struct net *n, uint32_t sw)
{
  return (struct hd_switch *)(void *)(n->blocks + hd_switch_size(&n->sw) * sw);
}

static void open_net(struct net *n, enum hd_topology_kind kind,
                     const struct hd_topology_shape *shape, enum hd_routing_kind routing,
                     uint32_t vcs)
{
  must(hd_topology_build(&n->t, kind, shape, NULL, &why));
  n->sw = (struct hd_switch_params){.ports = n->t.ports,
                                    .vcs = vcs,
                                    .data_bits = 64,
                                    .depth_flits = 2,
                                    .nodes = n->t.n_nodes,
                                    .arb_cycles = 1,
                                    .source_table = routing == HD_ROUTE_S_MOD_K};
  must(hd_routing_compute(&n->t, routing, false, &n->sw, &why));
  must(hd_switch_params_check(&n->sw, &why));
  must(hd_routing_by_rule(&n->tables, &n->t, routing, false, vcs, 0, &why));
  n->tables.computes = true;
  n->blocks = aligned_alloc(64, hd_switch_size(&n->sw) * n->t.n_switches);
  for (uint32_t sw = 0; sw < n->t.n_switches; sw++) {
    struct hd_switch *s = hd_switch_init(switch_of(n, sw), &n->sw);
    struct hd_table_writes walk = {.tables = &n->tables, .sw = sw};
    for (struct hd_config_event write; hd_table_writes_next(&walk, &write);)
      hd_switch_config_write(s, 0, write.addr, write.data);
    hd_switch_reset(s); /* which leaves registers alone */
  }
}

static void close_net(struct net *n)
{
  free(n->blocks);
  hd_tables_fini(&n->tables);
  hd_topology_fini(&n->t);
}

/* Follows a packet by what the switches compute; every route is that of the rule. Returns the number of switches. */
static uint32_t follow_packet(const struct net *n, uint32_t source, uint32_t destination)
{
  const uint64_t header = hd_routing_header(n->tables.header_mode, n->tables.draws, &n->t,
                                            hd_log2_ceil(n->sw.nodes), source, destination, 0);
  struct hd_peer at = n->t.node_peers[source];
  for (uint32_t hops = 1; hops <= n->t.n_switches; hops++) {
    const uint16_t wanted = hd_routing_entry(&n->tables, &at, source, destination);
    const uint16_t got = hd_switch_compute_route(switch_of(n, at.index), header);
    if (got != wanted)
      fail_msg("%s, packet from %u to %u at switch %u: 0x%x, not 0x%x",
               hd_topology_kind_name(n->t.kind), source, destination, at.index, got, wanted);
    at = n->t.peers[(size_t)at.index * n->t.ports + (got & 15)];
    if (at.kind != HD_PEER_SWITCH) {
      assert_int_equal(at.kind, HD_PEER_NODE);
      assert_int_equal(at.index, destination);
      return hops;
    }
  }
  fail_msg("the packet from %u to %u never arrives", source, destination);
  return 0;
}

static const struct {
  enum hd_topology_kind kind;
  struct hd_topology_shape shape;
  enum hd_routing_kind routing;
} fabrics[] = {
    {HD_TOPO_MESH, {.dims = {5}, .n_dims = 1}, HD_ROUTE_DIMENSION_ORDER},
    {HD_TOPO_MESH, {.dims = {4, 3}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER},
    {HD_TOPO_MESH, {.dims = {16, 16}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER},
    {HD_TOPO_MESH, {.dims = {2, 4, 2, 5}, .n_dims = 4}, HD_ROUTE_DIMENSION_ORDER},
    {HD_TOPO_TORUS, {.dims = {7}, .n_dims = 1}, HD_ROUTE_MINIMAL},
    {HD_TOPO_TORUS, {.dims = {8, 8}, .n_dims = 2}, HD_ROUTE_MINIMAL},
    {HD_TOPO_TORUS, {.dims = {2, 16}, .n_dims = 2}, HD_ROUTE_MINIMAL},
    {HD_TOPO_TORUS, {.dims = {16, 3}, .n_dims = 2}, HD_ROUTE_MINIMAL},
    {HD_TOPO_TORUS, {.dims = {4, 2, 10}, .n_dims = 3}, HD_ROUTE_MINIMAL},
    {HD_TOPO_HYPERCUBE, {.n = 1}, HD_ROUTE_MINIMAL},
    {HD_TOPO_HYPERCUBE, {.n = 7}, HD_ROUTE_MINIMAL},
    {HD_TOPO_TREE, {.k = 2, .n = 1}, HD_ROUTE_S_MOD_K},
    {HD_TOPO_TREE, {.k = 4, .n = 3}, HD_ROUTE_S_MOD_K},
    {HD_TOPO_TREE, {.k = 2, .n = 6}, HD_ROUTE_D_MOD_K},
    {HD_TOPO_TREE, {.k = 8, .n = 2}, HD_ROUTE_D_MOD_K},
    {HD_TOPO_EXTENDED_TREE, {.k = 2, .n = 1}, HD_ROUTE_S_MOD_K},
    {HD_TOPO_EXTENDED_TREE, {.k = 4, .n = 3}, HD_ROUTE_S_MOD_K},
    {HD_TOPO_EXTENDED_TREE, {.k = 2, .n = 5}, HD_ROUTE_D_MOD_K},
    {HD_TOPO_FAT_TREE, {.pods = 2}, HD_ROUTE_MINIMAL},
    {HD_TOPO_FAT_TREE, {.pods = 8}, HD_ROUTE_MINIMAL},
    {HD_TOPO_FAT_TREE, {.pods = 8, .edge_nodes = 2}, HD_ROUTE_MINIMAL},
    {HD_TOPO_FAT_TREE, {.pods = 8, .nodes = 77}, HD_ROUTE_MINIMAL},
    {HD_TOPO_FOLDED_BUTTERFLY, {.k = 2, .n = 5}, HD_ROUTE_MINIMAL},
    {HD_TOPO_FOLDED_BUTTERFLY, {.k = 4, .n = 3}, HD_ROUTE_MINIMAL},
    {HD_TOPO_OMEGA, {.k = 2, .n = 5}, HD_ROUTE_MINIMAL},
    {HD_TOPO_BUTTERFLY, {.k = 4, .n = 3}, HD_ROUTE_MINIMAL},
    {HD_TOPO_CLOS, {.n = 4, .m = 8, .r = 5}, HD_ROUTE_MINIMAL},
    {HD_TOPO_CLOS, {.n = 2, .m = 2, .r = 1}, HD_ROUTE_MINIMAL},
};

TEST(computed_routes_are_those_of_the_rule)
{
  uint32_t pairs = 0;
  for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++)
    for (uint32_t vcs = 1; vcs <= 3; vcs++) {
      struct net n;
      open_net(&n, fabrics[i].kind, &fabrics[i].shape, fabrics[i].routing, vcs);
      for (uint32_t s = 0; s < n.t.n_nodes; s++)
        for (uint32_t d = 0; d < n.t.n_nodes; d++, pairs++)
          follow_packet(&n, s, d);
      close_net(&n);
    }
  print_message("%u pairs\n", pairs);
  assert_true(pairs > 100000);
}

/* 65,536 nodes: pairs at random, and a deadlock check that looks at each ring. */
TEST(large_fabrics_are_routed_and_checked)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
    enum hd_routing_kind routing;
  } large[] = {
      {HD_TOPO_MESH, {.dims = {256, 256}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER},
      {HD_TOPO_TORUS, {.dims = {256, 256}, .n_dims = 2}, HD_ROUTE_MINIMAL},
      {HD_TOPO_TORUS, {.dims = {4, 64, 63}, .n_dims = 3}, HD_ROUTE_MINIMAL},
      {HD_TOPO_HYPERCUBE, {.n = 13}, HD_ROUTE_MINIMAL},
      {HD_TOPO_TREE, {.k = 8, .n = 5}, HD_ROUTE_S_MOD_K},
  };
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    struct net n;
    open_net(&n, large[i].kind, &large[i].shape, large[i].routing, 2);
    for (uint32_t k = 0; k < 2000; k++) {
      const uint64_t random = hd_mix64(1000 * i + k);
      follow_packet(&n, (uint32_t)(random & 0xffffffff) % n.t.n_nodes,
                    (uint32_t)(random >> 32) % n.t.n_nodes);
    }
    must(hd_routing_check(&n.tables, &n.t, 2, false, &why));
    close_net(&n);
    if (large[i].kind != HD_TOPO_TORUS)
      continue;
    open_net(&n, large[i].kind, &large[i].shape, large[i].routing, 1);
    must_fail(hd_routing_check(&n.tables, &n.t, 1, false, &why), HD_E_INPUT,
              "can deadlock with 1 virtual channel, where 2 are needed");
    close_net(&n);
  }
}

/* §12.2, §12.5: what has no route. */
TEST(unroutable_headers_get_no_computed_route)
{
  const struct hd_topology_shape torus = {.dims = {8, 5}, .n_dims = 2}, tree = {.k = 2, .n = 3};
  struct net n;
  open_net(&n, HD_TOPO_TORUS, &torus, HD_ROUTE_MINIMAL, 2);
  struct hd_switch *s = switch_of(&n, 0);
  assert_int_not_equal(hd_switch_compute_route(s, 39 << 2), 0);
  assert_int_equal(hd_switch_compute_route(s, 40 << 2), 0);     /* no such node */
  assert_int_equal(hd_switch_compute_route(s, 39 << 2 | 1), 0); /* by source */
  assert_int_equal(hd_switch_compute_route(s, 39 << 2 | 3), 0); /* by another node */
  close_net(&n);
  open_net(&n, HD_TOPO_TREE, &tree, HD_ROUTE_S_MOD_K, 2);
  s = switch_of(&n, 0);
  hd_switch_config_write(s, 0, HD_CFG_DIGITS, 0x7010); /* up to port 8 and more, of 4 */
  hd_switch_config_write(s, 0, HD_CFG_OWN, 7);
  hd_switch_config_write(s, 0, HD_CFG_BELOW, 7);
  assert_int_equal(hd_switch_compute_route(s, 0 << 2), 0);
  assert_int_not_equal(hd_switch_compute_route(s, 7 << 2), 0);
  close_net(&n);
}

/* §12.6, §3.3 */
TEST(registers_are_written_and_read_as_listed)
{
  const struct hd_topology_shape large = {.dims = {256, 256}, .n_dims = 2}, cube = {.n = 4};
  struct net n;
  open_net(&n, HD_TOPO_TORUS, &large, HD_ROUTE_MINIMAL, 2);
  struct hd_switch *s = switch_of(&n, 513);
  assert_int_equal(s->computed.own, 513);
  assert_int_equal(s->computed.far, 130 * 256 + 128);          /* x = 1: 127 up; y = 2: 128 */
  assert_int_equal(hd_switch_config_read(s, HD_CFG_NODES), 0); /* 65536 */
  assert_int_equal(hd_switch_config_read(s, HD_CFG_FIELDS), 0x101);
  assert_int_equal(hd_switch_config_read(s, HD_CFG_WIDTH), 64 | HD_ROUTE_BY_TORUS << 7);
  for (uint32_t r = HD_CFG_OWN; r <= HD_CFG_DIGITS; r++)
    assert_int_equal(hd_switch_config_read(s, r), 0);
  hd_switch_config_write(s, 0, HD_CFG_BELOW, 5);
  hd_switch_config_write(s, 0, HD_CFG_DIGITS, 5);
  hd_switch_config_write(s, 0, HD_CFG_DESTINATION(0, 0), 0x1fff);
  assert_int_equal(s->computed.below | s->computed.digits, 0); /* a torus has none of them */
  close_net(&n);
  open_net(&n, HD_TOPO_HYPERCUBE, &cube, HD_ROUTE_MINIMAL, 2);
  s = switch_of(&n, 3);
  hd_switch_config_write(s, 0, HD_CFG_OWN, 0xffff); /* NODE_W bits */
  assert_int_equal(s->computed.own, 15);
  assert_int_equal(hd_switch_config_read(s, HD_CFG_FIELDS), 1);
  close_net(&n);
}
