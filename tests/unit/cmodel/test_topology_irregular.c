/* Irregular networks: degree, connectedness, determinism, the links that the specification says (§5.8).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/random_graph.h"
#include "../lib/test.h"

#include "../../../cmodel/routing/routing.h"
#include "../../../cmodel/switch/switch.h"

static void make_irregular(struct hd_topology *t, uint32_t n, uint32_t degree, uint64_t seed)
{
  int status = hd_topology_irregular(t, n, degree, seed, &why);
  if (status)
    print_error("%s\n", why.text);
  assert_int_equal(status, 0);
}

static const struct hd_peer *port_of(const struct hd_topology *t, uint32_t sw, uint32_t port)
{
  return &t->peers[(size_t)sw * t->ports + port];
}

/* Every switch: its node on port 0, then links to different others and nothing between them. */
static void assert_regular(const struct hd_topology *t, uint32_t n, uint32_t degree)
{
  struct hd_error err = {""};
  uint32_t missing = 0;
  assert_int_equal(t->kind, HD_TOPO_IRREGULAR);
  assert_int_equal(t->n_switches, n);
  assert_int_equal(t->n_nodes, n);
  assert_int_equal(t->ports, degree + 1);
  for (uint32_t sw = 0; sw < n; sw++) {
    assert_int_equal(port_of(t, sw, 0)->kind, HD_PEER_NODE);
    assert_int_equal(port_of(t, sw, 0)->index, sw);
    for (uint32_t p = 1; p <= degree; p++) {
      const struct hd_peer *peer = port_of(t, sw, p);
      if (peer->kind == HD_PEER_NONE) {
        missing++;
        assert_int_equal(p, degree); /* the last one, as ports are given lowest first */
        continue;
      }
      assert_int_equal(peer->kind, HD_PEER_SWITCH);
      assert_int_not_equal(peer->index, sw);
      for (uint32_t q = 1; q < p; q++)
        assert_int_not_equal(peer->index, port_of(t, sw, q)->index);
    }
  }
  assert_int_equal(missing, (uint64_t)n * degree % 2);
  int status = hd_topology_check(t, &err); /* connected, too */
  assert_string_equal(err.text, "");
  assert_int_equal(status, 0);
}

TEST(irregular_networks_have_their_degree)
{
  struct dice dice = dice_begin(__func__, "test_topology_irregular");
  struct hd_topology t;
  uint32_t built = 0;
  for (uint32_t n = 2; n <= 18; n++)
    for (uint32_t d = n == 2 ? 1 : 2; d < n && d < HD_MAX_PORTS; d++, built++) {
      make_irregular(&t, n, d, roll(&dice, UINT32_MAX));
      assert_regular(&t, n, d);
      hd_topology_fini(&t);
    }
  for (uint32_t i = 0; i < 60; i++, built++) {
    uint32_t n = 19 + roll(&dice, 300), d = 2 + roll(&dice, 14);
    make_irregular(&t, n, d, roll(&dice, UINT32_MAX));
    assert_regular(&t, n, d);
    hd_topology_fini(&t);
  }
  make_irregular(&t, 2048, 15, 1);
  assert_regular(&t, 2048, 15);
  hd_topology_fini(&t);
  printf("%u networks\n", built);
}

TEST(the_same_seed_gives_the_same_irregular_network)
{
  CLEANUP(hd_topology_fini) struct hd_topology t, same, other;
  make_irregular(&t, 1200, 3, 7);
  make_irregular(&same, 1200, 3, 7);
  make_irregular(&other, 1200, 3, 8);
  assert_regular(&t, 1200, 3);
  size_t bytes = (size_t)1200 * 4 * sizeof *t.peers;
  assert_memory_equal(t.peers, same.peers, bytes);
  uint32_t shared = 0;
  for (uint32_t sw = 0; sw < 1200; sw++)
    for (uint32_t p = 1; p < 4; p++)
      for (uint32_t q = 1; q < 4; q++)
        shared += port_of(&t, sw, p)->index == port_of(&other, sw, q)->index;
  printf("1,200 switches: %u of 3,600 link ends are the same with another seed\n", shared);
  assert_true(shared < 60); /* 9 are expected of two random graphs */
}

/* ── §5.8 word for word, with a matrix ─────────────────────────────────────── */

enum { MOST = 40 };

struct sketch {
  uint32_t n, links, a[MOST * MOST], b[MOST * MOST], drawn;
  uint64_t seed;
  bool is_linked[MOST][MOST];
};

static uint32_t draw_below(struct sketch *s, uint32_t m)
{
  uint64_t upper = hd_mix64(s->seed + ++s->drawn * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
  return (uint32_t)(upper * m / (UINT64_C(1) << 32));
}

static void put_link(struct sketch *s, uint32_t a, uint32_t b)
{
  s->a[s->links] = a % s->n;
  s->b[s->links++] = b % s->n;
  s->is_linked[a % s->n][b % s->n] = s->is_linked[b % s->n][a % s->n] = true;
}

static bool is_connected(const struct sketch *s)
{
  bool reached[MOST] = {true};
  for (uint32_t again = 0; again < s->n; again++)
    for (uint32_t i = 0; i < s->links; i++)
      reached[s->a[i]] = reached[s->b[i]] = reached[s->a[i]] || reached[s->b[i]];
  for (uint32_t i = 0; i < s->n; i++)
    if (!reached[i])
      return false;
  return true;
}

/* Returns the number of rounds. */
static uint32_t sketch_network(struct sketch *s, uint32_t n, uint32_t d, uint64_t seed)
{
  *s = (struct sketch){.n = n, .seed = seed};
  for (uint32_t step = 1; step <= d / 2; step++)
    for (uint32_t i = 0; i < n; i++)
      put_link(s, i, i + step);
  for (uint32_t i = 0, h = n / 2; d % 2 && i < h; i++)
    n % 2 ? put_link(s, 2 * i * h, (2 * i + 1) * h) : put_link(s, i, i + h);
  for (uint32_t round = 1;; round++) {
    for (uint32_t t = 0; t < s->links; t++) {
      uint32_t one = draw_below(s, s->links), two = draw_below(s, s->links);
      bool turned = draw_below(s, 2);
      uint32_t a = s->a[one], b = s->b[one];
      uint32_t x = turned ? s->b[two] : s->a[two], y = turned ? s->a[two] : s->b[two];
      if (one == two || a == x || b == y || s->is_linked[a][x] || s->is_linked[b][y])
        continue;
      s->is_linked[a][b] = s->is_linked[b][a] = s->is_linked[x][y] = s->is_linked[y][x] = false;
      s->is_linked[a][x] = s->is_linked[x][a] = s->is_linked[b][y] = s->is_linked[y][b] = true;
      s->a[one] = a;
      s->b[one] = x;
      s->a[two] = b;
      s->b[two] = y;
    }
    if (round >= 10 && is_connected(s))
      return round;
  }
}

TEST(links_of_an_irregular_network_are_as_specified)
{
  struct dice dice = dice_begin(__func__, "test_topology_irregular");
  static struct sketch s;
  uint32_t links = 0, longer = 0;
  for (uint32_t i = 0; i < 200; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    uint32_t n = 3 + roll(&dice, MOST - 2), most = n - 1 < 15 ? n - 1 : 15;
    uint32_t d = 2 + roll(&dice, i % 2 ? most - 1 : 2 < most ? 2 : 1);
    uint64_t seed = hd_mix64(roll(&dice, UINT32_MAX));
    longer += sketch_network(&s, n, d, seed) > 10;
    make_irregular(&t, n, d, seed);
    uint32_t next[MOST];
    for (uint32_t sw = 0; sw < n; sw++)
      next[sw] = 1;
    for (uint32_t l = 0; l < s.links; l++, links++) {
      const struct hd_peer *peer = port_of(&t, s.a[l], next[s.a[l]]);
      assert_int_equal(peer->kind, HD_PEER_SWITCH);
      assert_int_equal(peer->index, s.b[l]);
      assert_int_equal(peer->port, next[s.b[l]]);
      next[s.a[l]]++;
      next[s.b[l]]++;
    }
  }
  printf("%u links; %u networks took more than ten rounds\n", links, longer);
  assert_true(links > 1000);
}

TEST(impossible_sizes_and_degrees_are_refused)
{
  static const struct {
    uint32_t n, degree;
    const char *message;
  } cases[] = {
      {1, 3, "the fabric has 1 node; legal: 2 … 65536"},
      {65537, 3, "the fabric has 65537 nodes; legal: 2 … 65536"},
      {30, 16, "the fabric needs switches of 17 ports; legal: 2 … 16"},
      {30, 1, "30 switches cannot be linked to 1 others each and all be connected; legal: 2 … 15"},
      {4, 4, "4 switches cannot be linked to 4 others each and all be connected; legal: 2 … 3"},
      {2, 2, "2 switches cannot be linked to 2 others each and all be connected; legal: 1 … 1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_topology t;
    struct hd_error err = {""};
    assert_int_equal(hd_topology_irregular(&t, cases[i].n, cases[i].degree, 1, &err), HD_E_INPUT);
    assert_string_equal(err.text, cases[i].message);
    assert_null(t.peers);
  }
}

TEST(large_irregular_networks_are_routed)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  struct hd_error err = {""};
  make_irregular(&t, 1200, 3, 1);
  int status = hd_routing_build(&tables, &t, HD_ROUTE_UP_DOWN, false, 2, 0, &err);
  if (!status)
    status = hd_routing_check(&tables, &t, 2, false, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(status, 0);
}
