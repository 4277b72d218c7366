/* The deadlock rule where packets choose among ports, against a naive reading of it (§5.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/dice.h"
#include "../lib/routing_fabric.h"
#include "../lib/routing_naive.h"
#include "../lib/test.h"

static void build(struct fabric *f, enum hd_topology_kind kind, struct hd_topology_shape shape,
                  enum hd_routing_kind routing, uint32_t vcs)
{
  must(hd_topology_build(&f->t, kind, &shape, NULL, &why));
  must(hd_routing_build(&f->tables, &f->t, routing, false, vcs, 0, &why));
}

static size_t entries_of(const struct fabric *f)
{
  return (size_t)f->t.n_switches * f->t.ports * f->t.n_nodes;
}

/* Links to a node's switch, from each switch. */
static void distances(const struct hd_topology *t, uint32_t node, uint32_t *distance)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    distance[sw] = sw == t->node_exits[node].index ? 0 : UINT32_MAX / 2;
  for (uint32_t round = 0; round < t->n_switches; round++)
    for (uint32_t i = 0; i < t->n_switches * t->ports; i++)
      if (t->peers[i].kind == HD_PEER_SWITCH &&
          distance[t->peers[i].index] + 1 < distance[i / t->ports])
        distance[i / t->ports] = distance[t->peers[i].index] + 1;
}

/* Port sets of all shortest ways, on these channels. */
static void choose_shortest(struct fabric *f, unsigned channels)
{
  const struct hd_topology *t = &f->t;
  CLEANUP(free_at) uint32_t *distance = malloc(t->n_switches * sizeof *distance);
  f->tables.sets = calloc(entries_of(f), sizeof *f->tables.sets);
  f->tables.adapt = (uint8_t)channels;
  for (uint32_t node = 0; node < t->n_nodes; node++) {
    distances(t, node, distance);
    for (size_t state = 0; state < (size_t)t->n_switches * t->ports; state++)
      for (uint32_t p = 0; p < t->ports; p++) {
        const struct hd_peer *far = &t->peers[state / t->ports * t->ports + p];
        if (far->kind == HD_PEER_NODE ? far->index == node
                                      : far->kind == HD_PEER_SWITCH &&
                                            distance[far->index] + 1 == distance[state / t->ports])
          f->tables.sets[state * t->n_nodes + node] |= (uint16_t)(1u << p);
      }
  }
}

/* Returns the rule's verdict, which must equal the naive reading's. *stuck is set by the naive reading. */
static int verdict_of_rule(const struct fabric *f, uint32_t vcs, bool cut_through, uint32_t *stuck)
{
  int status = hd_routing_check(&f->tables, &f->t, vcs, cut_through, &why);
  int naive = naive_choice(&f->tables, &f->t, vcs, cut_through, stuck);
  if (naive == NAIVE_FINE)
    must(status);
  else
    assert_int_equal(status, HD_E_INPUT);
  assert_int_equal(naive == NAIVE_CYCLE, !strncmp(status ? why.text : "", "can deadlock", 12));
  return naive;
}

/* Escape channels of the lowest numbers, the others to choose from. */
TEST(an_escape_channel_makes_adaptive_routing_deadlock_free)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
    enum hd_routing_kind routing;
    uint32_t vcs;                       /* of which the routing's entries have the first `escape` */
    unsigned escape, adaptive_channels; /* channels */
    bool cut_through, deadlock_free, stuck;
  } cases[] = {
      /* dimension order on channel 0 */
      {HD_TOPO_MESH,
       {.dims = {3, 3}, .n_dims = 2},
       HD_ROUTE_DIMENSION_ORDER,
       2,
       1,
       2,
       true,
       true,
       false},
      {HD_TOPO_MESH,
       {.dims = {4, 2, 2}, .n_dims = 3},
       HD_ROUTE_DIMENSION_ORDER,
       2,
       1,
       2,
       true,
       true,
       false},
      /* a head can wait behind another packet where it chose */
      {HD_TOPO_MESH,
       {.dims = {3, 3}, .n_dims = 2},
       HD_ROUTE_DIMENSION_ORDER,
       2,
       1,
       2,
       false,
       false,
       false},
      /* no channel of its own for the way out */
      {HD_TOPO_MESH,
       {.dims = {3, 3}, .n_dims = 2},
       HD_ROUTE_DIMENSION_ORDER,
       1,
       1,
       1,
       true,
       false,
       true},
      {HD_TOPO_MESH,
       {.dims = {3, 3}, .n_dims = 2},
       HD_ROUTE_DIMENSION_ORDER,
       2,
       3,
       3,
       true,
       false,
       true},
      /* a row alone has nothing to choose */
      {HD_TOPO_MESH,
       {.dims = {6}, .n_dims = 1},
       HD_ROUTE_DIMENSION_ORDER,
       1,
       1,
       1,
       true,
       true,
       false},
      {HD_TOPO_HYPERCUBE, {.n = 3}, HD_ROUTE_MINIMAL, 2, 1, 2, true, true, false},
      {HD_TOPO_HYPERCUBE, {.n = 3}, HD_ROUTE_MINIMAL, 2, 3, 3, true, false, true},
      {HD_TOPO_FLATTENED_BUTTERFLY, {.k = 2, .n = 3}, HD_ROUTE_MINIMAL, 2, 1, 2, true, true, false},
      /* two classes and a channel to choose */
      {HD_TOPO_TORUS, {.dims = {6, 3}, .n_dims = 2}, HD_ROUTE_MINIMAL, 3, 3, 4, true, true, false},
      {HD_TOPO_TORUS, {.dims = {5}, .n_dims = 1}, HD_ROUTE_MINIMAL, 3, 3, 4, true, true, false},
      /* a dateline is missing */
      {HD_TOPO_TORUS, {.dims = {6, 3}, .n_dims = 2}, HD_ROUTE_MINIMAL, 2, 1, 2, true, false, true},
      {HD_TOPO_TORUS, {.dims = {5}, .n_dims = 1}, HD_ROUTE_MINIMAL, 2, 1, 2, true, false, true},
      {HD_TOPO_DRAGONFLY, {.p = 1, .a = 2, .h = 1}, HD_ROUTE_MINIMAL, 3, 3, 4, true, true, false},
      /* a ring of four needs none */
      {HD_TOPO_TORUS, {.dims = {4, 3}, .n_dims = 2}, HD_ROUTE_MINIMAL, 2, 1, 2, true, true, false},
      /* trees choose freely */
      {HD_TOPO_TREE, {.k = 2, .n = 3}, HD_ROUTE_D_MOD_K, 1, 1, 1, true, true, false},
      {HD_TOPO_TREE, {.k = 2, .n = 3}, HD_ROUTE_D_MOD_K, 1, 1, 1, false, true, false},
      {HD_TOPO_FAT_TREE, {.pods = 4, .nodes = 8}, HD_ROUTE_MINIMAL, 1, 1, 1, false, true, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint32_t stuck, escapes = (uint32_t)__builtin_popcount(cases[i].escape);
    build(&f, cases[i].kind, cases[i].shape, cases[i].routing, escapes);
    choose_shortest(&f, cases[i].adaptive_channels);
    int naive = verdict_of_rule(&f, cases[i].vcs, cases[i].cut_through, &stuck);
    if ((naive == NAIVE_FINE) != cases[i].deadlock_free ||
        (cases[i].cut_through && (stuck > 0) != cases[i].stuck))
      fail_msg("case %zu: verdict %d, %u channels stuck: %s", i, naive, stuck, why.text);
    if (!cases[i].cut_through && !cases[i].deadlock_free)
      assert_non_null(strstr(why.text, "can deadlock with packets that choose but without virtual "
                                       "cut-through (switch.cut_flits)"));
  }
}

static void random_fabric(struct fabric *f, struct dice *dice, uint32_t vcs)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
    enum hd_routing_kind routing;
  } fabrics[] = {
      {HD_TOPO_MESH, {.dims = {2, 2}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER},
      {HD_TOPO_MESH, {.dims = {3, 2}, .n_dims = 2}, HD_ROUTE_DIMENSION_ORDER},
      {HD_TOPO_TORUS, {.dims = {4}, .n_dims = 1}, HD_ROUTE_MINIMAL},
      {HD_TOPO_TORUS, {.dims = {5}, .n_dims = 1}, HD_ROUTE_MINIMAL},
      {HD_TOPO_TORUS, {.dims = {3, 2}, .n_dims = 2}, HD_ROUTE_SHORTEST},
      {HD_TOPO_HYPERCUBE, {.n = 2}, HD_ROUTE_MINIMAL},
      {HD_TOPO_TREE, {.k = 2, .n = 2}, HD_ROUTE_D_MOD_K},
      {HD_TOPO_FULL_BINARY_TREE, {.n = 2}, HD_ROUTE_UP_DOWN},
      {HD_TOPO_OMEGA, {.k = 2, .n = 2}, HD_ROUTE_MINIMAL},
      {HD_TOPO_CLOS, {.n = 2, .m = 2, .r = 2}, HD_ROUTE_MINIMAL},
      {HD_TOPO_DRAGONFLY, {.p = 1, .a = 1, .h = 3}, HD_ROUTE_MINIMAL},
  };
  size_t i = roll(dice, sizeof fabrics / sizeof *fabrics);
  build(f, fabrics[i].kind, fabrics[i].shape, fabrics[i].routing, vcs);
}

/* Sets of some ports or all, channels at random, entries spoilt; packets that go by another node, too. */
TEST(the_deadlock_check_agrees_with_a_naive_check)
{
  struct dice dice =
      dice_begin("the_deadlock_check_agrees_with_a_naive_check", "test_routing_choice");
  uint32_t verdicts[3] = {0}, stuck_refused = 0, by_nodes = 0;
  for (uint32_t i = 0; i < n_cases(3000); i++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint32_t vcs = 1 + roll(&dice, 3), all = (1u << vcs) - 1, stuck;
    bool cut_through = roll(&dice, 3), via = !roll(&dice, 5);
    random_fabric(&f, &dice, vcs > 1 && roll(&dice, 2) ? vcs - 1 : vcs);
    const size_t entries = entries_of(&f);
    if (roll(&dice, 5)) {
      choose_shortest(&f, roll(&dice, 3) ? 1u << (vcs - 1) : 1 + roll(&dice, all));
      uint32_t least = roll(&dice, 3);
      for (size_t j = 0; j < entries; j++)
        if (roll(&dice, 4) < least)
          f.tables.sets[j] &= (uint16_t)roll(&dice, 1u << f.t.ports);
    }
    if (via) { /* by the first half of the entries, which end at the node's switch */
      bool clean = roll(&dice, 3) > 0;
      f.tables.header_mode = 3;
      f.tables.source = malloc(entries * sizeof *f.tables.source);
      memcpy(f.tables.source, f.tables.destination, entries * sizeof *f.tables.source);
      for (size_t j = 0; j < entries; j++) {
        size_t sw = j / f.t.n_nodes / f.t.ports, node = j % f.t.n_nodes;
        if (f.t.node_exits[node].index == sw || (!clean && !roll(&dice, 8)))
          f.tables.source[j] = 0;
        else if ((clean || roll(&dice, 2)) && f.tables.source[j])
          f.tables.source[j] = hd_table_entry(f.tables.source[j] & 15, 1);
        if (f.tables.destination[j] && (clean || roll(&dice, 2)))
          f.tables.destination[j] = hd_table_entry(f.tables.destination[j] & 15, 1u << (vcs - 1));
      }
    }
    for (uint32_t spoil = roll(&dice, 3); spoil > 0; spoil--) {
      uint16_t *table = via && roll(&dice, 2) ? f.tables.source : f.tables.destination;
      uint16_t entry = hd_table_entry(roll(&dice, f.t.ports), 1 + roll(&dice, all));
      table[roll(&dice, (uint32_t)entries)] = roll(&dice, 4) ? entry : 0;
    }
    int naive = verdict_of_rule(&f, vcs, cut_through, &stuck);
    verdicts[naive]++;
    by_nodes += via && naive == NAIVE_FINE;
    if (cut_through && !via) {
      if (naive == NAIVE_FINE)
        assert_int_equal(stuck, 0); /* a routing that the rule accepts cannot get stuck */
      stuck_refused += stuck > 0;
    }
  }
  printf("%u fine (%u by other nodes), %u without a way, %u with a cycle; %u of these can be full "
         "and stuck\n",
         verdicts[0], by_nodes, verdicts[1], verdicts[2], stuck_refused);
  assert_true(verdicts[0] > 100 && by_nodes > 10 && verdicts[1] > 100 && verdicts[2] > 50 &&
              stuck_refused > 10);
}

static const struct {
  enum hd_topology_kind kind;
  struct hd_topology_shape shape;
  bool needs_channels; /* some packets have a choice, or there is a ring, so cycles are possible */
} shapes[] = {
    {HD_TOPO_MESH, {.dims = {5}, .n_dims = 1}, false},
    {HD_TOPO_MESH, {.dims = {3, 4}, .n_dims = 2}, true},
    {HD_TOPO_MESH, {.dims = {2, 3, 2}, .n_dims = 3}, true},
    {HD_TOPO_TORUS, {.dims = {3, 2}, .n_dims = 2}, true},
    {HD_TOPO_TORUS, {.dims = {3, 3}, .n_dims = 2}, true},
    {HD_TOPO_TORUS, {.dims = {6}, .n_dims = 1}, true},
    {HD_TOPO_TORUS, {.dims = {5, 4}, .n_dims = 2}, true},
    {HD_TOPO_TORUS, {.dims = {4, 4, 3}, .n_dims = 3}, true},
    {HD_TOPO_HYPERCUBE, {.n = 4}, true},
    {HD_TOPO_FLATTENED_BUTTERFLY, {.k = 3, .n = 3}, true},
    {HD_TOPO_DRAGONFLY, {.p = 1, .a = 3, .h = 1}, true},
    {HD_TOPO_DRAGONFLY, {.p = 2, .a = 4, .h = 2}, true},
    {HD_TOPO_CONCENTRATED_MESH, {.dims = {3, 3}, .n_dims = 2, .p = 2}, true},
    {HD_TOPO_CONCENTRATED_TORUS, {.dims = {5, 3}, .n_dims = 2, .p = 2}, true},
    {HD_TOPO_TREE, {.k = 2, .n = 4}, false},
    {HD_TOPO_EXTENDED_TREE, {.k = 2, .n = 3}, false},
    {HD_TOPO_OMEGA, {.k = 2, .n = 3}, false},
    {HD_TOPO_BUTTERFLY, {.k = 3, .n = 2}, false},
    {HD_TOPO_CLOS, {.n = 2, .m = 3, .r = 3}, false},
    {HD_TOPO_BINARY_TREE, {.n = 4}, false},
    {HD_TOPO_FULL_BINARY_TREE, {.n = 4}, false},
    {HD_TOPO_FAT_TREE, {.pods = 4}, false},
    {HD_TOPO_FOLDED_BUTTERFLY, {.k = 2, .n = 4}, false},
};

TEST(adaptive_tables_hold_all_shortest_paths)
{
  uint64_t compared = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    build(&f, shapes[i].kind, shapes[i].shape, HD_ROUTE_ADAPTIVE, 4);
    CLEANUP(free_at) uint16_t *sets = f.tables.sets;
    choose_shortest(&f, f.tables.adapt);
    assert_memory_equal(sets, f.tables.sets, entries_of(&f) * sizeof *sets);
    for (size_t j = 0; j < entries_of(&f); j++, compared++) {
      uint16_t entry = f.tables.destination[j];
      const struct hd_peer *far =
          &f.t.peers[j / f.t.n_nodes / f.t.ports * f.t.ports + (entry & 15)];
      if (entry && far->kind == HD_PEER_NODE)
        assert_int_equal(entry >> 4 & 0xff, 15);
      else if (entry &&
               !hd_topologies[f.t.kind]->layered) /* a channel of its own, for each class */
        assert_true((entry >> 4 & 0xff & f.tables.adapt) == 0 &&
                    __builtin_popcount(entry >> 4 & 0xff) == 1);
    }
  }
  printf("%llu entries\n", (unsigned long long)compared);
  assert_true(compared > 10000);
}

TEST(adaptive_routing_is_deadlock_free_with_one_channel_more_than_its_escape)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    for (uint32_t vcs = 1; vcs <= 4; vcs++)
      for (int cut_through = 0; cut_through < 2; cut_through++) {
        CLEANUP(fabric_fini) struct fabric f;
        build(&f, shapes[i].kind, shapes[i].shape, HD_ROUTE_ADAPTIVE, vcs);
        uint32_t least = hd_topology_channel_classes(&f.t) + 1;
        int status = hd_routing_check(&f.tables, &f.t, vcs, cut_through, &why);
        bool fine = !shapes[i].needs_channels || (cut_through && vcs >= least);
        if (fine != !status || (status && strncmp(why.text, "can deadlock with", 17) != 0))
          fail_msg("shape %zu, %u channels, cut-through %d: %s", i, vcs, cut_through,
                   status ? why.text : "taken");
        if (status && vcs < least) {
          char needed[64];
          snprintf(needed, sizeof needed, "where %u are needed", least);
          assert_non_null(strstr(why.text, needed));
        }
      }
}

/* Chiu's ROUTE (IEEE TPDS 11(7), 2000), which knows the source's column, as a set of ports; likewise west-first. */
static unsigned chiu(const uint32_t *dims, uint32_t source, uint32_t at, uint32_t to)
{
  const int k = (int)dims[0], c0 = (int)at % k, c1 = (int)at / k, s0 = (int)source % k;
  const int d0 = (int)to % k, e0 = d0 - c0, e1 = (int)to / k - c1;
  const unsigned vertical = e1 ? e1 > 0 ? 1u << 3 : 1u << 4 : 0;
  if (e0 == 0)
    return e1 ? vertical : 1;
  if (e0 < 0)
    return 1u << 2 | (c0 % 2 ? 0 : vertical);
  if (e1 == 0)
    return 1u << 1;
  return (c0 % 2 || c0 == s0 ? vertical : 0) | (d0 % 2 || e0 != 1 ? 1u << 1 : 0);
}
static unsigned glass_ni(const uint32_t *dims, uint32_t source, uint32_t at, uint32_t to)
{
  const int k = (int)dims[0], e0 = (int)to % k - (int)at % k, e1 = (int)to / k - (int)at / k;
  (void)source;
  if (e0 < 0)
    return 1u << 2;
  if (e0 == 0 && e1 == 0)
    return 1;
  return (e0 ? 1u << 1 : 0) | (e1 ? e1 > 0 ? 1u << 3 : 1u << 4 : 0);
}

static const struct {
  enum hd_routing_kind routing;
  unsigned (*set)(const uint32_t *dims, uint32_t source, uint32_t at, uint32_t to);
} turn_models[] = {{HD_ROUTE_WEST_FIRST, glass_ni}, {HD_ROUTE_ODD_EVEN, chiu}};

/* In each state that packets of a pair can come to, the set is that of the paper's function. */
static uint64_t compare_sets(const struct fabric *f, size_t model, uint32_t source, uint32_t to)
{
  const uint32_t ports = f->t.ports;
  uint32_t stack[4096], n = 0;
  bool *seen = calloc((size_t)f->t.n_switches * ports, sizeof *seen);
  uint64_t compared = 0;
  stack[n++] = source * ports;
  while (n) {
    const uint32_t state = stack[--n];
    unsigned set = turn_models[model].set(f->t.dims, source, state / ports, to);
    if (seen[state])
      continue;
    seen[state] = true;
    compared++;
    assert_int_equal(f->tables.sets[(size_t)state * f->t.n_nodes + to], set);
    const uint16_t entry = f->tables.destination[(size_t)state * f->t.n_nodes + to];
    assert_true(entry >> 12 & 1 && set >> (entry & 15) & 1);
    for (; set > 1; set &= set - 1) {
      const struct hd_peer *far = &f->t.peers[state / ports * ports + (uint32_t)__builtin_ctz(set)];
      assert_int_equal(far->kind, HD_PEER_SWITCH);
      stack[n++] = far->index * ports + far->port;
    }
  }
  free(seen);
  return compared;
}

TEST(turn_models_are_those_of_their_papers)
{
  uint64_t compared = 0;
  for (size_t model = 0; model < 2; model++)
    for (uint32_t x = 1; x <= 8; x++)
      for (uint32_t y = 1; y <= 5; y++) {
        struct fabric f;
        if (x * y == 1)
          continue;
        build(&f, HD_TOPO_MESH, (struct hd_topology_shape){.dims = {x, y}, .n_dims = 2},
              turn_models[model].routing, 1);
        for (uint32_t pair = 0; pair < f.t.n_nodes * f.t.n_nodes; pair++)
          compared += compare_sets(&f, model, pair / f.t.n_nodes, pair % f.t.n_nodes);
        fabric_fini(&f);
      }
  printf("%llu states\n", (unsigned long long)compared);
  assert_true(compared > 100000);
}

/* Allows vertical turns in every column, as if the input port did not matter. */
static void forget_input_ports(struct fabric *f)
{
  for (size_t i = 0; i < entries_of(f); i++) {
    const size_t sw = i / f->t.n_nodes / f->t.ports, node = i % f->t.n_nodes;
    f->tables.sets[i] =
        f->tables.sets[(sw * f->t.ports * f->t.n_nodes) + node]; /* of packets from the node */
  }
}

/* Turn models are free of deadlock with one channel and without virtual cut-through, and not when a turn is added. */
TEST(turn_models_need_one_channel)
{
  for (size_t model = 0; model < 2; model++)
    for (uint32_t x = 1; x <= 9; x += 2)
      for (uint32_t vcs = 1; vcs <= 2; vcs++) {
        CLEANUP(fabric_fini) struct fabric f;
        build(&f, HD_TOPO_MESH, (struct hd_topology_shape){.dims = {x, 6}, .n_dims = 2},
              turn_models[model].routing, vcs);
        must(hd_routing_check(&f.tables, &f.t, vcs, false, &why));
        if (x > 3 && turn_models[model].routing == HD_ROUTE_ODD_EVEN) {
          forget_input_ports(&f);
          must_fail(hd_routing_check(&f.tables, &f.t, vcs, false, &why), HD_E_INPUT,
                    "can deadlock");
        }
      }
}

/* Routes are free of deadlock with twice the classes of the rule, and not with one channel fewer. The naive reading
 * agrees. */
TEST(routes_through_an_intermediate_node_need_twice_the_classes)
{
  static const struct {
    enum hd_topology_kind kind;
    struct hd_topology_shape shape;
    uint32_t least;
    enum hd_routing_kind routing;
  } fabrics[] = {{HD_TOPO_MESH, {.dims = {3, 3}, .n_dims = 2}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_MESH, {.dims = {5}, .n_dims = 1}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_TORUS, {.dims = {5}, .n_dims = 1}, 4, HD_ROUTE_VALIANT},
                 {HD_TOPO_TORUS, {.dims = {3, 3}, .n_dims = 2}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_TORUS, {.dims = {4, 2}, .n_dims = 2}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_HYPERCUBE, {.n = 3}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_FLATTENED_BUTTERFLY, {.k = 2, .n = 3}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_DRAGONFLY, {.p = 1, .a = 2, .h = 1}, 4, HD_ROUTE_VALIANT},
                 {HD_TOPO_FAT_TREE, {.pods = 4, .nodes = 6}, 2, HD_ROUTE_VALIANT},
                 {HD_TOPO_TORUS, {.dims = {5, 2}, .n_dims = 2}, 4, HD_ROUTE_UGAL},
                 {HD_TOPO_DRAGONFLY, {.p = 1, .a = 2, .h = 1}, 4, HD_ROUTE_UGAL},
                 {HD_TOPO_MESH, {.dims = {3, 4}, .n_dims = 2}, 2, HD_ROUTE_ROMM},
                 {HD_TOPO_MESH, {.dims = {2, 3, 2}, .n_dims = 3}, 2, HD_ROUTE_ROMM},
                 {HD_TOPO_MESH, {.dims = {4, 3}, .n_dims = 2}, 2, HD_ROUTE_O1TURN}};
  for (size_t i = 0; i < sizeof fabrics / sizeof *fabrics; i++)
    for (uint32_t vcs = 1; vcs <= 4; vcs++) {
      CLEANUP(fabric_fini) struct fabric f;
      uint32_t stuck;
      char needed[64];
      build(&f, fabrics[i].kind, fabrics[i].shape, fabrics[i].routing, vcs);
      assert_int_equal(f.tables.header_mode, 3);
      int naive = verdict_of_rule(&f, vcs, false, &stuck);
      bool fine = vcs >= fabrics[i].least;
      if (fine != (naive == NAIVE_FINE))
        fail_msg("fabric %zu, %u channels: %s", i, vcs, fine ? why.text : "taken");
      snprintf(needed, sizeof needed, "where %u are needed", fabrics[i].least);
      if (!fine && !strstr(why.text, needed))
        fail_msg("fabric %zu, %u channels: %s", i, vcs, why.text);
    }
}

/* The check takes seconds. Following each packet would take hours. */
/* ROMM draws each node of the box between source and destination equally often. Routes are shortest. */
TEST(romm_draws_every_node_between_source_and_destination_equally_often)
{
  static const struct hd_topology_shape meshes[] = {
      {.dims = {6}, .n_dims = 1}, {.dims = {4, 5}, .n_dims = 2}, {.dims = {3, 2, 3}, .n_dims = 3}};
  uint64_t drawn = 0;
  for (size_t m = 0; m < sizeof meshes / sizeof *meshes; m++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint16_t path[MOST_HOPS];
    build(&f, HD_TOPO_MESH, meshes[m], HD_ROUTE_ROMM, 2);
    const uint32_t n = f.t.n_nodes;
    for (uint32_t pair = 0; pair < n * n; pair++) {
      enum { DRAWS = 1 << 10 };
      const uint32_t s = pair / n, d = pair % n;
      uint32_t times[64] = {0}, box = 1, links = 0, places = 0;
      for (uint32_t i = 0, a = s, b = d; i < f.t.n_dims; a /= f.t.dims[i], b /= f.t.dims[i], i++) {
        const int x = (int)(a % f.t.dims[i]), y = (int)(b % f.t.dims[i]);
        links += (uint32_t)abs(x - y);
        box *= (uint32_t)abs(x - y) + 1;
      }
      for (uint32_t i = 0; i < DRAWS; i++)
        times[f.tables.draws(&f.t, s, d, i << 22)]++;
      for (uint32_t by = 0; by < n; by++) {
        const int hops = hd_routing_path_by(&f.tables, &f.t, s, by, d, path, MOST_HOPS, NULL);
        assert_int_equal(times[by] > 0, hops == (int)links + 1);
        assert_true(!times[by] || abs((int)times[by] - DRAWS / (int)box) <= 1);
        places += times[by] > 0;
      }
      assert_int_equal(places, box);
      drawn += places;
      for (uint32_t i = 0; i < n; i++) /* what management and `topo` look through */
        times[hd_routing_drawn(&f.tables, &f.t, s, d, i)] = 0;
      for (uint32_t by = 0; by < n; by++)
        assert_int_equal(times[by], 0);
    }
  }
  printf("%llu nodes drawn\n", (unsigned long long)drawn);
  assert_true(drawn > 1000);
}

/* Half of the packets of each pair go by columns first, half by rows; on no link do both take the same channel. */
TEST(o1turn_uses_both_dimension_orders_on_separate_channels)
{
  CLEANUP(fabric_fini) struct fabric f;
  build(&f, HD_TOPO_MESH, (struct hd_topology_shape){.dims = {5, 4}, .n_dims = 2}, HD_ROUTE_O1TURN,
        2);
  const uint32_t n = f.t.n_nodes, k = f.t.dims[0];
  unsigned channels[2][2] = {{0}}; /* [rows first][dimension]: those taken */
  for (uint32_t pair = 0; pair < n * n; pair++)
    for (unsigned rows_first = 0; rows_first < 2; rows_first++) {
      const uint32_t s = pair / n, d = pair % n;
      const bool turns = s % k != d % k && s / k != d / k;
      const uint32_t by = f.tables.draws(&f.t, s, d, rows_first << 31 | 0x12345678);
      assert_int_equal(by, f.tables.draws(&f.t, s, d, rows_first << 31 | 0x7fffffff));
      struct hd_peer at = f.t.node_peers[s];
      bool turned = false;
      unsigned last = 2; /* dimension of the link before */
      while (at.kind == HD_PEER_SWITCH) {
        const uint16_t entry = hd_routing_entry_by(&f.tables, &at, by, d, &turned);
        const unsigned port = entry & 15, dimension = port > 2;
        if (port && last == 2 && turns)
          assert_int_equal(dimension, rows_first);
        if (port && last == !rows_first)
          assert_int_equal(dimension, last); /* turns once */
        if (port && turns)
          channels[rows_first][dimension] |= entry >> 4 & 3;
        last = port ? dimension : last;
        at = f.t.peers[at.index * f.t.ports + port];
      }
      assert_int_equal(at.index, d);
    }
  for (unsigned dimension = 0; dimension < 2; dimension++)
    assert_int_equal(channels[0][dimension] ^ channels[1][dimension], 3);
}

TEST(large_adaptive_fabrics_are_checked)
{
  CLEANUP(fabric_fini) struct fabric f;
  build(&f, HD_TOPO_MESH, (struct hd_topology_shape){.dims = {32, 32}, .n_dims = 2},
        HD_ROUTE_ADAPTIVE, 2);
  must(hd_routing_check(&f.tables, &f.t, 2, true, &why));
}
