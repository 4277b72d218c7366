/* Up-and-down routing and the deadlock rule on random fabrics, against naive readings (§5.5, §5.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/routing_fabric.h"
#include "../lib/routing_naive.h"
#include "../lib/dice.h"
#include "../lib/test.h"

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
  return (uint32_t)(next_random(&random_state) % n);
}

static uint64_t seed_begin(const char *test)
{
  random_state = first_seed();
  printf("%s: seed %llu; replay: HD_SEED=%llu build/opt/unit/test_routing_random\n", test,
         (unsigned long long)random_state, (unsigned long long)random_state);
  return random_state;
}

/* A connected graph: a random tree, some links more, nodes anywhere; by the parser. */
static void random_graph(struct hd_topology *t, uint32_t n_switches, uint32_t extra,
                         uint32_t n_nodes)
{
  size_t room = 32 * (size_t)(n_switches + extra + n_nodes), used = 0;
  CLEANUP(free_at) char *text = malloc(room);
  uint32_t links[256] = {0};
  assert_non_null(text);
  assert_true(n_switches <= 256);
  for (uint32_t i = 1; i < n_switches + extra; i++) {
    uint32_t a = i < n_switches ? i : random_below(n_switches), b;
    do
      b = random_below(i < n_switches ? i : n_switches);
    while (i < n_switches && links[b] >= 12);
    if (a == b || links[a] >= 12 || links[b] >= 12)
      continue;
    links[a]++;
    links[b]++;
    used += (size_t)snprintf(text + used, room - used, "s%u,s%u\n", a, b);
  }
  for (uint32_t i = 0; i < n_nodes; i++) {
    uint32_t sw;
    do
      sw = random_below(n_switches);
    while (links[sw] >= 16);
    links[sw]++;
    used += (size_t)snprintf(text + used, room - used, "n%u,s%u\n", i, sw);
  }
  int status = hd_topology_graph(t, text, used, "random", &why);
  if (status)
    print_error("%s\n", why.text);
  assert_int_equal(status, 0);
}

TEST(up_down_never_deadlocks_on_random_graphs)
{
  seed_begin("up_down_never_deadlocks_on_random_graphs");
  uint32_t pairs = 0;
  for (int i = 0; i < 200; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint32_t n = 1 + random_below(24);
    random_graph(&f.t, n, random_below(2 * n), 2 + random_below(2 * n));
    route(&f, HD_ROUTE_UP_DOWN, false, 1 + random_below(2));
    if (f.t.n_switches * f.t.ports <= 150)
      assert_int_equal(naive_check(&f.tables, &f.t, 1), NAIVE_FINE);
    for (uint32_t s = 0; s < f.t.n_nodes; s++)
      for (uint32_t d = 0; d < f.t.n_nodes; d++, pairs++)
        assert_true(hops(&f, s, d) <= f.t.n_switches);
  }
  printf("%u pairs\n", pairs);
}

/* Links from `from` to each switch, by a relaxation. */
static void distances(const struct hd_topology *t, uint32_t from, uint32_t *distance)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    distance[sw] = sw == from ? 0 : 1u << 30;
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < t->n_switches * t->ports; i++) {
      const struct hd_peer *far = &t->peers[i];
      if (far->kind != HD_PEER_SWITCH || distance[i / t->ports] + 1 >= distance[far->index])
        continue;
      distance[far->index] = distance[i / t->ports] + 1;
      moved = true;
    }
  }
}

/* Most pairs of nodes whose way has one link; every way is one of the shortest. */
static uint32_t most_ways(const struct fabric *f)
{
  const struct hd_topology *t = &f->t;
  uint32_t *ways = calloc((size_t)t->n_switches * t->ports, sizeof *ways), most = 0;
  CLEANUP(free_at) uint32_t *distance = malloc(t->n_switches * sizeof *distance);
  for (uint32_t s = 0; s < t->n_nodes; s++) {
    distances(t, t->node_peers[s].index, distance);
    for (uint32_t d = 0; d < t->n_nodes; d++) {
      struct hd_peer at = t->node_peers[s];
      uint32_t links = 0;
      while (at.kind == HD_PEER_SWITCH) {
        const uint32_t port = hd_routing_to(&f->tables, at.index, at.port, d) & 15;
        const size_t link = (size_t)at.index * t->ports + port;
        at = t->peers[link];
        if (at.kind != HD_PEER_SWITCH)
          break;
        if (++ways[link] > most)
          most = ways[link];
        links++;
      }
      assert_int_equal(at.index, d);
      assert_int_equal(links, distance[t->node_exits[d].index]);
    }
  }
  free(ways);
  return most;
}

/* On every graph, and with as many channels as the message asks for. */
TEST(layered_routes_are_shortest_and_deadlock_free)
{
  seed_begin("layered_routes_are_shortest_and_deadlock_free");
  uint32_t needed[HD_MAX_VCS + 1] = {0};
  uint64_t layered = 0, shortest = 0;
  for (int i = 0; i < 200; i++) {
    struct fabric f, g;
    struct hd_error err = {""};
    uint32_t n = 1 + random_below(i % 10 ? 24 : 64), vcs = 0;
    random_graph(&f.t, n, random_below(2 * n), 2 + random_below(2 * n));
    do { /* one more, until it is taken */
      hd_tables_fini(vcs ? &f.tables : &(struct hd_tables){0});
      assert_true(vcs++ < HD_MAX_VCS);
      assert_int_equal(hd_routing_build(&f.tables, &f.t, HD_ROUTE_LAYERED, false, vcs, 0, &err), 0);
    } while (hd_routing_check(&f.tables, &f.t, vcs, false, &err));
    if (vcs > 1) {
      char text[64];
      snprintf(text, sizeof text, "where %u are needed", vcs);
      assert_non_null(strstr(err.text, text));
    }
    needed[vcs]++;
    if (f.t.n_switches * f.t.ports <= 150)
      assert_int_equal(naive_check(&f.tables, &f.t, vcs), NAIVE_FINE);
    g.t = f.t;
    assert_int_equal(hd_routing_build(&g.tables, &g.t, HD_ROUTE_SHORTEST, false, 1, 0, &err), 0);
    layered += most_ways(&f);
    shortest += most_ways(&g);
    hd_tables_fini(&g.tables);
    fabric_fini(&f);
  }
  printf(
      "%u graphs with 1 layer, %u with 2, %u with 3, %u with 4; %llu ways on links with most, %llu "
      "of shortest routing\n",
      needed[1], needed[2], needed[3], needed[4], (unsigned long long)layered,
      (unsigned long long)shortest);
  assert_true(needed[1] > 10 && needed[2] > 50);
  assert_true(layered * 10 < shortest * 9);
}

/* Three links between two switches with six nodes each: 36 ways in each direction, 12 on each link. */
TEST(layered_routes_use_all_parallel_links)
{
  CLEANUP(fabric_fini) struct fabric f;
  char text[512] = "s0,s1\ns0,s1\ns0,s1\n";
  for (unsigned node = 0; node < 12; node++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "n%u,s%u\n", node, node / 6);
  must(hd_topology_graph(&f.t, text, strlen(text), "three", &why));
  route(&f, HD_ROUTE_LAYERED, false, 1);
  assert_int_equal(most_ways(&f), 12);
}

/* Distances by a relaxation over (switch, has gone down) that knows no breadth-first search. */
static void legal_lengths(const struct hd_topology *t, const uint32_t *depth, uint32_t from,
                          uint32_t *length)
{
  uint32_t n = t->n_switches;
  for (uint32_t i = 0; i < 2 * n; i++)
    length[i] = 1u << 30;
  length[from] = 1;
  for (bool moved = true; moved;) {
    moved = false;
    for (uint32_t i = 0; i < 2 * n; i++)
      for (uint32_t p = 0; p < t->ports; p++) {
        uint32_t a = i % n;
        const struct hd_peer *peer = &t->peers[a * t->ports + p];
        if (peer->kind != HD_PEER_SWITCH)
          continue;
        bool up =
            depth[peer->index] < depth[a] || (depth[peer->index] == depth[a] && peer->index < a);
        if (up && i >= n)
          continue;
        uint32_t to = peer->index + (up ? 0 : n);
        if (length[i] + 1 < length[to]) {
          length[to] = length[i] + 1;
          moved = true;
        }
      }
  }
}

TEST(up_down_routes_are_the_shortest_legal_ones)
{
  seed_begin("up_down_routes_are_the_shortest_legal_ones");
  uint32_t pairs = 0;
  for (int i = 0; i < 50; i++) {
    CLEANUP(fabric_fini) struct fabric f;
    uint32_t n = 2 + random_below(14), length[2 * 16], depth[16];
    random_graph(&f.t, n, random_below(n), 2 + random_below(n));
    route(&f, HD_ROUTE_UP_DOWN, false, 1);
    for (uint32_t sw = 0; sw < n; sw++)
      depth[sw] = sw ? 1u << 30 : 0;
    for (uint32_t round = 0; round < n; round++)
      for (uint32_t j = 0; j < n * f.t.ports; j++) {
        const struct hd_peer *peer = &f.t.peers[j];
        if (peer->kind == HD_PEER_SWITCH && depth[j / f.t.ports] + 1 < depth[peer->index])
          depth[peer->index] = depth[j / f.t.ports] + 1;
      }
    for (uint32_t s = 0; s < f.t.n_nodes; s++) {
      legal_lengths(&f.t, depth, f.t.node_peers[s].index, length);
      for (uint32_t d = 0; d < f.t.n_nodes; d++, pairs++) {
        uint32_t at = f.t.node_peers[d].index;
        uint32_t best = length[at] < length[n + at] ? length[at] : length[n + at];
        assert_int_equal(hops(&f, s, d), best);
      }
    }
  }
  printf("%u pairs\n", pairs);
}

/* Tables spoilt at random: the check and the naive reading of the rule must agree. */
TEST(the_deadlock_check_agrees_with_a_naive_check)
{
  seed_begin("the_deadlock_check_agrees_with_a_naive_check");
  uint32_t verdicts[3] = {0};
  for (int i = 0; i < 3000; i++) {
    struct fabric f;
    struct hd_error err;
    uint32_t vcs = 1 + random_below(3), n = 2 + random_below(5);
    enum hd_routing_kind kind = HD_ROUTE_SHORTEST;
    switch (random_below(4)) {
    case 0:
      assert_int_equal(hd_topology_tree(&f.t, 2, 2, &err), 0);
      kind = random_below(2) ? HD_ROUTE_S_MOD_K : HD_ROUTE_SHORTEST;
      break;
    case 1:
      assert_int_equal(hd_topology_extended_tree(&f.t, 2, 2, &err), 0);
      kind = random_below(2) ? HD_ROUTE_S_MOD_K : HD_ROUTE_SHORTEST;
      break;
    case 2:
      random_graph(&f.t, n, 1 + random_below(n), 2 + random_below(4));
      break;
    default:
      ring(&f.t, 4 + random_below(3)); /* rings of five and six deadlock by shortest ways */
    }
    assert_int_equal(hd_routing_build(&f.tables, &f.t, kind,
                                      kind == HD_ROUTE_S_MOD_K && random_below(2), vcs, 0, &err),
                     0);
    uint32_t entries = f.t.n_switches * f.t.ports * f.t.n_nodes;
    if (random_below(2)) /* channels of their own for each entry */
      for (uint32_t j = 0; j < entries; j++)
        if (f.tables.destination[j])
          f.tables.destination[j] =
              hd_table_entry(f.tables.destination[j] & 15, 1 + random_below((1u << vcs) - 1));
    for (uint32_t spoil = random_below(4); spoil > 0; spoil--) {
      uint16_t *table = f.tables.source && random_below(2) ? f.tables.source : f.tables.destination;
      uint16_t entry = hd_table_entry(random_below(f.t.ports), 1 + random_below((1u << vcs) - 1));
      table[random_below(entries)] = random_below(4) ? entry : 0;
    }
    int naive = naive_check(&f.tables, &f.t, vcs);
    int status = hd_routing_check(&f.tables, &f.t, vcs, false, &err);
    assert_in_range(naive, NAIVE_FINE, NAIVE_CYCLE);
    verdicts[naive]++;
    if (naive == NAIVE_FINE)
      assert_int_equal(status, 0);
    else
      assert_int_equal(status, HD_E_INPUT);
    if (naive != NAIVE_FINE)
      assert_int_equal(naive == NAIVE_CYCLE, strncmp(err.text, "can deadlock", 12) == 0);
    fabric_fini(&f);
  }
  printf("%u fine, %u without a way, %u with a cycle\n", verdicts[0], verdicts[1], verdicts[2]);
  assert_true(verdicts[0] > 100 && verdicts[1] > 100 && verdicts[2] > 100);
}
