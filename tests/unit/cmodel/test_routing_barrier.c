/* Ways of barrier messages against a naive reading of specification §5.7, whole and damaged.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The naive reading knows no breadth-first search: everything is a relaxation that is done over
 * and over until nothing changes.
 */
#include "../lib/random_graph.h"
#include "../lib/test.h"

#include "../../../cmodel/routing/routing_barrier.h"

enum { MOST = 26, FAR = 1 << 20 };

struct naive {
  const struct hd_topology *t;
  const struct hd_dead *dead;
  uint32_t distance[MOST][MOST], depth[MOST];
  uint32_t length[MOST];
  bool down[MOST];
};

static bool bit(const uint64_t *set, uint32_t i)
{
  return set && (set[i / 64] >> i % 64 & 1);
}

/* The living switch behind a living link, or FAR. */
static uint32_t live_neighbour(const struct naive *nv, uint32_t sw, uint32_t port)
{
  const struct hd_peer *peer = &nv->t->peers[sw * nv->t->ports + port];
  if (peer->kind != HD_PEER_SWITCH)
    return FAR;
  const struct hd_dead *d = nv->dead;
  if (d && (bit(d->switches, sw) || bit(d->switches, peer->index) ||
            bit(d->links, sw * nv->t->ports + port) ||
            bit(d->links, peer->index * nv->t->ports + peer->port)))
    return FAR;
  return peer->index;
}

static bool switch_is_alive(const struct naive *nv, uint32_t sw)
{
  return !nv->dead || !bit(nv->dead->switches, sw);
}

static void naive_distances(struct naive *nv)
{
  uint32_t n = nv->t->n_switches;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      nv->distance[a][b] = a == b && switch_is_alive(nv, a) ? 0 : FAR;
  for (uint32_t round = 0; round < n; round++)
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t p = 0; p < nv->t->ports; p++)
        for (uint32_t b = 0; b < n && live_neighbour(nv, a, p) != FAR; b++)
          if (nv->distance[live_neighbour(nv, a, p)][b] + 1 < nv->distance[a][b])
            nv->distance[a][b] = nv->distance[live_neighbour(nv, a, p)][b] + 1;
}

static uint32_t naive_eccentricity(const struct naive *nv, uint32_t sw)
{
  uint32_t most = 0;
  for (uint32_t b = 0; b < nv->t->n_switches; b++)
    if (nv->distance[sw][b] < FAR && nv->distance[sw][b] > most)
      most = nv->distance[sw][b];
  return most;
}

static void naive_depths(struct naive *nv)
{
  uint32_t n = nv->t->n_switches;
  for (uint32_t sw = 0; sw < n; sw++) {
    uint32_t root = FAR;
    for (uint32_t r = n; r-- > 0;)
      if (nv->distance[sw][r] < FAR &&
          (root == FAR || naive_eccentricity(nv, r) <= naive_eccentricity(nv, root)))
        root = r;
    nv->depth[sw] = root == FAR ? FAR : nv->distance[root][sw];
  }
}

static bool is_up_link(const struct naive *nv, uint32_t a, uint32_t b)
{
  return nv->depth[b] < nv->depth[a] || (nv->depth[b] == nv->depth[a] && b < a);
}

static void naive_lengths(struct naive *nv, uint32_t to)
{
  uint32_t n = nv->t->n_switches;
  for (uint32_t sw = 0; sw < n; sw++) {
    nv->down[sw] = sw == to;
    nv->length[sw] = sw == to ? 0 : FAR;
  }
  for (int up = 0; up < 2; up++)
    for (bool moved = true; moved;) {
      moved = false;
      for (uint32_t a = 0; a < n; a++)
        for (uint32_t p = 0; p < nv->t->ports; p++) {
          uint32_t b = live_neighbour(nv, a, p);
          if (b == FAR || is_up_link(nv, a, b) != up || (up ? nv->down[a] : !nv->down[b]) ||
              nv->length[b] + 1 >= nv->length[a])
            continue;
          nv->length[a] = nv->length[b] + 1;
          nv->down[a] |= !up;
          moved = true;
        }
    }
}

static uint16_t naive_mask(const struct naive *nv, uint32_t sw)
{
  unsigned mask = 0;
  for (uint32_t p = 0; p < nv->t->ports; p++) {
    uint32_t b = live_neighbour(nv, sw, p);
    if (b == FAR || nv->length[sw] >= FAR || nv->length[b] + 1 != nv->length[sw])
      continue;
    if (nv->down[sw] ? !is_up_link(nv, sw, b) && nv->down[b] : is_up_link(nv, sw, b))
      mask |= 1u << p;
  }
  return (uint16_t)mask;
}

/* No circle of links of which each waits for the next one, whatever the destinations. */
static void assert_acyclic(const struct hd_barrier_ways *ways, const struct hd_topology *t)
{
  uint32_t n = t->n_switches, ports = t->ports, links = n * ports;
  bool *waits = calloc((size_t)links * links, 1);
  assert_non_null(waits);
  for (uint32_t d = 0; d < n; d++)
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t p = 0; p < ports; p++) {
        if (!(hd_barrier_way(ways, u, d) >> p & 1))
          continue;
        uint32_t v = t->peers[u * ports + p].index;
        for (uint32_t q = 0; q < ports; q++)
          if (hd_barrier_way(ways, v, d) >> q & 1)
            waits[(size_t)(u * ports + p) * links + v * ports + q] = true;
      }
  assert_no_circle(waits, links);
  free(waits);
}

/* Follows ways from every switch. `pick` chooses one of the ports at each switch. Every way must arrive. */
static uint32_t assert_arrives(const struct hd_barrier_ways *ways, const struct hd_topology *t,
                               struct dice *dice)
{
  uint32_t n = t->n_switches, walks = 0;
  for (uint32_t d = 0; d < n; d++)
    for (uint32_t s = 0; s < n; s++) {
      if (s == d || !hd_barrier_way(ways, s, d))
        continue;
      uint32_t at = s, hops = 0;
      while (at != d) {
        unsigned mask = hd_barrier_way(ways, at, d);
        assert_int_not_equal(mask, 0);
        for (uint32_t skip = dice ? roll(dice, 16) : 0; skip && (mask & (mask - 1)); skip--)
          mask &= mask - 1;
        const struct hd_peer *peer = &t->peers[at * t->ports + (uint32_t)__builtin_ctz(mask)];
        assert_int_equal(peer->kind, HD_PEER_SWITCH);
        at = peer->index;
        assert_true(++hops < n);
      }
      walks++;
    }
  return walks;
}

static uint32_t assert_as_specified(const struct hd_topology *t, const struct hd_dead *dead,
                                    struct dice *dice)
{
  CLEANUP(free_at) struct naive *nv = malloc(sizeof *nv);
  CLEANUP(hd_barrier_ways_fini) struct hd_barrier_ways ways;
  uint32_t n = t->n_switches, eccentricity[MOST];
  assert_non_null(nv);
  *nv = (struct naive){.t = t, .dead = dead};
  must(hd_barrier_ways_build(&ways, t, dead, &why));
  must(hd_barrier_eccentricities(t, dead, eccentricity, &why));
  naive_distances(nv);
  naive_depths(nv);
  for (uint32_t d = 0; d < n; d++) {
    assert_int_equal(eccentricity[d],
                     switch_is_alive(nv, d) ? naive_eccentricity(nv, d) : UINT32_MAX);
    naive_lengths(nv, d);
    for (uint32_t s = 0; s < n; s++) {
      assert_int_equal(hd_barrier_way(&ways, s, d), naive_mask(nv, s));
      /* There is a way wherever there is one at all. */
      assert_int_equal(!hd_barrier_way(&ways, s, d), s == d || nv->distance[s][d] >= FAR);
    }
  }
  /* The middle of some switches: none is nearer to the farthest of them. */
  uint32_t some[MOST], n_some = 0, place, least = UINT32_MAX, greatest[MOST];
  for (uint32_t sw = 0; sw < n; sw++)
    if (switch_is_alive(nv, sw) && !roll(dice, 3))
      some[n_some++] = sw;
  must(hd_barrier_middle(t, dead, some, n_some, &place, &why));
  for (uint32_t i = n_some; i-- > 0;) {
    greatest[i] = 0;
    for (uint32_t j = 0; j < n_some; j++)
      if (nv->distance[some[i]][some[j]] > greatest[i])
        greatest[i] = nv->distance[some[i]][some[j]];
    least = greatest[i] < least ? greatest[i] : least;
  }
  for (uint32_t i = 0; n_some && i <= place; i++)
    assert_int_equal(greatest[i] == least, i == place);
  uint32_t walks = assert_arrives(&ways, t, NULL) + assert_arrives(&ways, t, dice);
  if (n * t->ports <= 130)
    assert_acyclic(&ways, t);
  return walks;
}

TEST(barrier_ways_are_as_specified_and_acyclic)
{
  struct dice dice =
      dice_begin("barrier_ways_are_as_specified_and_acyclic", "test_routing_barrier");
  uint32_t walks = 0;
  for (int i = 0; i < 300; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    uint32_t n = 1 + roll(&dice, MOST);
    random_graph(&t, &dice, n, roll(&dice, 2 * n), 2 + roll(&dice, n), 4 + roll(&dice, 6), false);
    walks += assert_as_specified(&t, NULL, &dice);
  }
  printf("%u ways followed\n", walks);
  assert_true(walks > 10000);
}

TEST(barrier_ways_avoid_failed_links_and_switches)
{
  struct dice dice =
      dice_begin("barrier_ways_avoid_failed_links_and_switches", "test_routing_barrier");
  uint32_t walks = 0, cut_off = 0;
  for (int i = 0; i < 300; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    uint32_t n = 2 + roll(&dice, MOST - 1);
    random_graph(&t, &dice, n, roll(&dice, 2 * n), 2 + roll(&dice, n), 4 + roll(&dice, 6), false);
    uint64_t switches[1] = {0}, links[(MOST * HD_MAX_PORTS + 63) / 64] = {0};
    for (uint32_t deaths = roll(&dice, 1 + n / 3); deaths; deaths--)
      switches[0] |= UINT64_C(1) << roll(&dice, n);
    for (uint32_t deaths = roll(&dice, 1 + n); deaths; deaths--) {
      uint32_t link = roll(&dice, n * t.ports);
      links[link / 64] |= UINT64_C(1) << link % 64;
    }
    uint32_t found = assert_as_specified(
        &t, &(struct hd_dead){roll(&dice, 4) ? switches : NULL, roll(&dice, 4) ? links : NULL},
        &dice);
    walks += found;
    cut_off += found < 2 * n * (n - 1);
  }
  printf("%u ways followed, %u networks fell apart\n", walks, cut_off);
  assert_true(walks > 10000 && cut_off > 50 && cut_off < 295);
}

/* In a 5×5 mesh the root is the middle, and all shortest ways between its four quarters that
 * first lead nearer to it are there. */
TEST(barrier_ways_of_a_mesh_are_all_shortest_ones_over_its_middle)
{
  const uint32_t dims[2] = {5, 5};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_barrier_ways_fini) struct hd_barrier_ways ways;
  must(hd_topology_mesh(&t, dims, 2, &why));
  must(hd_barrier_ways_build(&ways, &t, NULL, &why));
  enum { EAST = 1 << 1, WEST = 1 << 2, SOUTH = 1 << 3, NORTH = 1 << 4 };
  assert_int_equal(hd_barrier_way(&ways, 0, 24), EAST | SOUTH);
  assert_int_equal(hd_barrier_way(&ways, 12, 24), EAST | SOUTH);
  assert_int_equal(hd_barrier_way(&ways, 12, 10), WEST);
  assert_int_equal(hd_barrier_way(&ways, 24, 12), WEST | NORTH);
  /* 6 (1,1) and 8 (3,1) are level: up to the middle's column, 7, then down. */
  assert_int_equal(hd_barrier_way(&ways, 6, 8), EAST);
  assert_int_equal(hd_barrier_way(&ways, 7, 8), EAST);
  assert_int_equal(hd_barrier_way(&ways, 7, 7), 0);
}
