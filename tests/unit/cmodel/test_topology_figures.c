/* Closed forms of topologies against what is counted; their rules of routing against shortest ways
 * (specification §5.14, §5.13).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/dice.h"
#include "../lib/routing_fabric.h"
#include "../lib/routing_naive.h"
#include "../lib/test.h"

struct shapes {
  enum hd_topology_kind kind;
  uint32_t built, forms, searched; /* figures that were compared; bisections among them */
  uint32_t refused;                /* by the deadlock rule */
  uint32_t naive;                  /* verdicts that were also compared with the naive reading */
};

enum { MOST_VERTICES = 200 }; /* up to this size, the naive reading is compared, too */

static void compare(struct shapes *s, const char *what, const char *shape, uint64_t closed,
                    uint64_t counted)
{
  if (closed == HD_NO_FIGURE || counted == HD_NO_FIGURE)
    return;
  if (closed != counted)
    fail_msg("%s of the %s: %llu in closed form, %llu counted", what, shape,
             (unsigned long long)closed, (unsigned long long)counted);
  s->forms++;
}

/* A dragonfly's rule goes by one link between groups, though ways over two may be shorter. */
static uint64_t ways_of_dragonfly(const struct hd_topology_shape *s)
{
  uint64_t a = s->a, groups = a * s->h + 1, inside = a * (a - 1), across = a * a + 2 * a * (a - 1);
  return (groups * inside + groups * (groups - 1) * across) * s->p * s->p;
}

/* The rule gives a shortest route for every pair. All routes together have as many links as were counted. */
static void follow_rule(const struct hd_topology *t, const char *shape,
                        const struct hd_topology_figures *counted)
{
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  uint64_t links = 0;
  must(hd_routing_build(&tables, t, HD_ROUTE_MINIMAL, false, 1, 0, &why));
  for (uint32_t a = 0; a < t->n_nodes; a++)
    for (uint32_t b = 0; b < t->n_nodes; b++) {
      uint16_t path[64];
      int n = hd_routing_path(&tables, t, a, b, path, 64, &why);
      if (n < 1)
        fail_msg("%s: %s", shape, why.text);
      links += a != b ? (uint32_t)n - 1 : 0;
    }
  uint64_t expected =
      t->kind == HD_TOPO_DRAGONFLY ? ways_of_dragonfly(&t->shape) : counted->distance;
  assert_true(expected >= counted->distance);
  if (links != expected)
    fail_msg("%s: its rule takes %llu links for all pairs, shortest ways %llu", shape,
             (unsigned long long)links, (unsigned long long)expected);
}

/* With as many channels as classes the routing is free of deadlock. With one channel fewer it is not, so every class
 * is needed. */
static void check_channel_classes(struct shapes *s, const struct hd_topology *t, const char *shape)
{
  uint32_t classes = hd_topology_channel_classes(t);
  for (uint32_t reserved = 0; reserved < 2; reserved++)
    for (uint32_t vcs = 1; vcs <= (t->n_nodes <= 64 ? 3 : 1 + reserved); vcs++) {
      CLEANUP(hd_tables_fini) struct hd_tables tables;
      char needed[64];
      must(hd_routing_build(&tables, t, HD_ROUTE_MINIMAL, false, vcs + reserved, reserved, &why));
      int status = hd_routing_check(&tables, t, vcs + reserved, false, &why);
      if ((vcs < classes) != (status != 0))
        fail_msg("%s, %u channels: %s", shape, vcs, status ? why.text : "taken");
      snprintf(needed, sizeof needed, "can deadlock with %u virtual channel%s, where %u are needed",
               vcs + reserved, vcs + reserved == 1 ? "" : "s", classes + reserved);
      if (status && strncmp(why.text, needed, strlen(needed)) != 0)
        fail_msg("%s, %u channels: %s", shape, vcs, why.text);
      if ((uint64_t)t->n_switches * t->ports * vcs <= MOST_VERTICES) {
        assert_int_equal(naive_check(&tables, t, vcs), status ? NAIVE_CYCLE : NAIVE_FINE);
        s->naive++;
      }
      s->refused += status != 0;
    }
}

static void check_shape(struct shapes *s, const struct hd_topology_shape *shape)
{
  const struct hd_topology_descriptor *d = hd_topologies[s->kind];
  CLEANUP(hd_topology_fini) struct hd_topology t;
  struct hd_topology_figures closed, counted;
  char text[128];
  d->describe(shape, text, sizeof text);
  must(hd_topology_build(&t, s->kind, shape, NULL, &why));
  must(hd_topology_check(&t, &why));
  assert_int_equal(t.kind, s->kind);
  assert_int_equal(hd_topology_one_way(&t), d->one_way);
  hd_topology_closed_forms(&t, &closed);
  must(hd_topology_measure(&t, &counted, &why));
  compare(s, "switches", text, closed.switches, counted.switches);
  compare(s, "nodes", text, closed.nodes, counted.nodes);
  compare(s, "links", text, closed.links, counted.links);
  compare(s, "diameter", text, closed.diameter, counted.diameter);
  compare(s, "sum of distances", text, closed.distance, counted.distance);
  s->searched += closed.bisection != HD_NO_FIGURE && counted.bisection != HD_NO_FIGURE;
  compare(s, "bisection", text, closed.bisection, counted.bisection);
  if (d->next_hop) {
    follow_rule(&t, text, &counted);
    check_channel_classes(s, &t, text);
  }
  if (d->place) {
    CLEANUP(free_at) struct hd_topology_place *at = calloc(t.n_switches, sizeof *at);
    if (d->place(&t, at)) /* no two switches in one place */
      for (uint32_t a = 0; a < t.n_switches && t.n_switches <= 128; a++)
        for (uint32_t b = 0; b < a; b++)
          assert_false(at[a].x == at[b].x && at[a].y == at[b].y);
  }
  s->built++;
}

static void print_shapes(const struct shapes *s)
{
  printf("%s: %u shapes, %u figures, %u bisections searched, %u refused by the deadlock rule, %u "
         "verdicts "
         "compared\n",
         hd_topologies[s->kind]->name, s->built, s->forms, s->searched, s->refused, s->naive);
  assert_true(s->built > 0 && s->forms >= 3 * s->built);
}

static void grids(enum hd_topology_kind kind, uint32_t nodes)
{
  struct shapes s = {.kind = kind};
  static const uint32_t dims[][4] = {
      {1, 2},       {1, 3},       {1, 4},       {1, 5},       {1, 8},       {1, 13},
      {1, 16},      {2, 2, 2},    {2, 2, 3},    {2, 3, 2},    {2, 3, 3},    {2, 4, 2},
      {2, 4, 3},    {2, 3, 5},    {2, 4, 4},    {2, 1, 6},    {2, 5, 1},    {2, 8, 8},
      {2, 7, 5},    {3, 2, 2, 2}, {3, 2, 2, 3}, {3, 2, 2, 4}, {3, 3, 2, 2}, {3, 1, 3, 3},
      {3, 4, 4, 4}, {3, 5, 3, 4}, {3, 3, 3, 3}};
  for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
    struct hd_topology_shape shape = {.n_dims = dims[i][0], .p = nodes};
    memcpy(shape.dims, dims[i] + 1, 3 * sizeof **dims);
    check_shape(&s, &shape);
  }
  print_shapes(&s);
  assert_true(nodes || s.searched > 10);
  assert_int_equal(s.refused > 0, hd_topologies[kind]->channel_classes != NULL);
}

TEST(meshes_have_their_closed_forms)
{
  grids(HD_TOPO_MESH, 0);
}

TEST(tori_have_their_closed_forms)
{
  grids(HD_TOPO_TORUS, 0);
}

TEST(concentrated_grids_have_their_closed_forms)
{
  for (uint32_t nodes = 1; nodes <= 4; nodes += nodes) {
    grids(HD_TOPO_CONCENTRATED_MESH, nodes);
    grids(HD_TOPO_CONCENTRATED_TORUS, nodes);
  }
}

/* k and n as far as there are fewer than `most` nodes. */
static void powers(enum hd_topology_kind kind, uint32_t most_k, uint32_t most)
{
  struct shapes s = {.kind = kind};
  for (uint32_t k = 2; k <= most_k; k++)
    for (uint32_t n = 1, nodes = k; nodes <= most; n++, nodes *= k)
      check_shape(&s, &(struct hd_topology_shape){.k = k, .n = n});
  print_shapes(&s);
  assert_true(!s.refused && (s.searched > 2 || hd_topologies[kind]->one_way));
}

TEST(trees_have_their_closed_forms)
{
  powers(HD_TOPO_TREE, 5, 128);
  powers(HD_TOPO_EXTENDED_TREE, 4, 64);
}

TEST(hypercubes_have_their_closed_forms)
{
  powers(HD_TOPO_HYPERCUBE, 2, 256);
}

TEST(multistage_networks_have_their_closed_forms)
{
  powers(HD_TOPO_OMEGA, 4, n_cases(256));
  powers(HD_TOPO_BUTTERFLY, 4, n_cases(256));
}

TEST(clos_networks_have_their_closed_forms)
{
  struct shapes s = {.kind = HD_TOPO_CLOS};
  for (uint32_t n = 1; n <= 4; n++)
    for (uint32_t m = 1; m <= 5; m++)
      for (uint32_t r = 1; r <= 6; r++)
        if (n * r >= 2)
          check_shape(&s, &(struct hd_topology_shape){.n = n, .m = m, .r = r});
  print_shapes(&s);
  assert_true(s.searched == s.built && !s.refused);
}

TEST(binary_trees_have_their_closed_forms)
{
  powers(HD_TOPO_BINARY_TREE, 2, 128);
  struct shapes s = {.kind = HD_TOPO_FULL_BINARY_TREE};
  for (uint32_t n = 2; n <= 7; n++)
    check_shape(&s, &(struct hd_topology_shape){.n = n});
  print_shapes(&s);
  assert_true(s.searched >= 3 && !s.refused);
}

TEST(fat_trees_have_their_closed_forms)
{
  struct shapes s = {.kind = HD_TOPO_FAT_TREE};
  for (uint32_t pods = 2; pods <= 8; pods += 2)
    for (uint32_t nodes = 0; nodes < pods * pods * pods / 4; nodes += pods / 2 + 1)
      if (nodes != 1)
        check_shape(&s, &(struct hd_topology_shape){.pods = pods, .nodes = nodes});
  for (uint32_t pods = 4; pods <= 8; pods += 2)
    for (uint32_t edge_nodes = 1; edge_nodes <= pods / 2; edge_nodes++) {
      check_shape(&s, &(struct hd_topology_shape){.pods = pods, .edge_nodes = edge_nodes});
      check_shape(&s,
                  &(struct hd_topology_shape){.pods = pods, .nodes = 7, .edge_nodes = edge_nodes});
    }
  print_shapes(&s);
  assert_true(s.searched >= 2 && !s.refused);
}

TEST(butterflies_have_their_closed_forms)
{
  powers(HD_TOPO_FOLDED_BUTTERFLY, 4, 256);
  struct shapes s = {.kind = HD_TOPO_FLATTENED_BUTTERFLY};
  for (uint32_t k = 2; k <= 6; k++)
    for (uint32_t n = 1, nodes = k; nodes <= 256 && k + (n - 1) * (k - 1) <= HD_MAX_PORTS;
         n++, nodes *= k)
      check_shape(&s, &(struct hd_topology_shape){.k = k, .n = n});
  print_shapes(&s);
  assert_true(s.searched > 8 && !s.refused);
}

TEST(dragonflies_have_their_closed_forms)
{
  struct shapes s = {.kind = HD_TOPO_DRAGONFLY};
  for (uint32_t p = 1; p <= 2; p++)
    for (uint32_t a = 1; a <= 4; a++)
      for (uint32_t h = 1; h <= 3; h++)
        check_shape(&s, &(struct hd_topology_shape){.p = p, .a = a, .h = h});
  print_shapes(&s);
  assert_true(s.refused > 10);
}

/* Pairs of switches are as far apart when the digits of labels are read in the other order. */
TEST(a_folded_butterfly_is_a_tree_with_its_digits_reversed)
{
  uint32_t compared = 0;
  for (uint32_t k = 2; k <= 3; k++)
    for (uint32_t n = 2; n <= 4; n++) {
      const struct hd_topology_shape shape = {.k = k, .n = n};
      CLEANUP(hd_topology_fini) struct hd_topology tree, folded;
      must(hd_topology_build(&tree, HD_TOPO_TREE, &shape, NULL, &why));
      must(hd_topology_build(&folded, HD_TOPO_FOLDED_BUTTERFLY, &shape, NULL, &why));
      uint32_t per_stage = tree.n_switches / n, of_tree[512];
      for (uint32_t sw = 0; sw < folded.n_switches; sw++) {
        of_tree[sw] = 0;
        for (uint32_t i = 0, w = sw % per_stage; i + 1 < n; i++, w /= k)
          of_tree[sw] = of_tree[sw] * k + w % k;
        of_tree[sw] += sw / per_stage * per_stage;
      }
      for (uint32_t sw = 0; sw < folded.n_switches; sw++)
        for (uint32_t up = k; up < 2 * k; up++) {
          const struct hd_peer *to = &folded.peers[sw * 2 * k + up];
          uint32_t found = 0;
          for (uint32_t port = k; port < 2 * k; port++) {
            const struct hd_peer *far = &tree.peers[of_tree[sw] * 2 * k + port];
            found += far->kind == to->kind &&
                     (to->kind == HD_PEER_NONE || far->index == of_tree[to->index]);
          }
          assert_int_equal(found, to->kind == HD_PEER_NONE ? k : 1);
          compared++;
        }
    }
  printf("%u up ports\n", compared);
  assert_true(compared > 500);
}

TEST(impossible_shapes_are_refused)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
    const char *message;
  } cases[] = {
      {HD_TOPO_TORUS, {.n_dims = 8}, "dimensions; legal: 1 … 7"},
      {HD_TOPO_HYPERCUBE, {.n = 17}, "n of the hypercube is 17; with k = 2"},
      {HD_TOPO_OMEGA, {.k = 17, .n = 1}, "k of the Omega network is 17; legal: 2 … 16"},
      {HD_TOPO_BUTTERFLY, {.k = 16, .n = 5}, "with k = 16 and at most 65536 nodes it is 1 … 4"},
      {HD_TOPO_CLOS, {.n = 2, .m = 0, .r = 2}, "m of the Clos network is 0; legal: 1 … 16"},
      {HD_TOPO_BINARY_TREE, {.n = 0}, "n of the binary tree is 0"},
      {HD_TOPO_FULL_BINARY_TREE, {.n = 1}, "the fabric has 1 node; legal: 2 … 65536"},
      {HD_TOPO_FAT_TREE, {.pods = 5}, "5 pods; a FatTree has an even number"},
      {HD_TOPO_FAT_TREE,
       {.pods = 6, .edge_nodes = 4},
       "4 nodes of an edge switch; one of a FatTree of 6 pods"},
      {HD_TOPO_FAT_TREE, {.pods = 6, .nodes = 37, .edge_nodes = 2}, "has room for 36"},
      {HD_TOPO_FAT_TREE, {.pods = 4, .nodes = 17}, "17 nodes; a FatTree of 4 pods has room for 16"},
      {HD_TOPO_FOLDED_BUTTERFLY, {.k = 9, .n = 1}, "k of the folded butterfly is 9; legal: 2 … 8"},
      {HD_TOPO_FLATTENED_BUTTERFLY, {.k = 8, .n = 3}, "needs switches of 22 ports; legal: 2 … 16"},
      {HD_TOPO_MESH, {.dims = {512, 256}, .n_dims = 2}, "the product of dims must be 2 … 65536"},
      {HD_TOPO_DRAGONFLY, {.p = 1, .a = 0, .h = 4}, "a of the dragonfly is 0; legal: 1 … 16"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_topology t;
    must_fail(hd_topology_build(&t, cases[i].kind, &cases[i].shape, NULL, &why), HD_E_INPUT,
              cases[i].message);
    assert_null(t.peers);
  }
}
