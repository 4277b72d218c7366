/* Up-and-down tables around what has failed, and mixtures of them (specification §5.10).
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/random_graph.h"
#include "../lib/test.h"

#include "../../../cmodel/routing/routing.h"

enum { MOST = 24, STAGES = 4, FAR = 1 << 20 };

struct stage {
  uint64_t switches[1], links[(MOST * HD_MAX_PORTS + 63) / 64];
  struct hd_dead dead;
  struct hd_tables tables;
};

static bool bit(const uint64_t *set, uint32_t i)
{
  return set[i / 64] >> i % 64 & 1;
}

/* Returns true if the link at this port works. Reads the sets itself, without the model's functions. */
static bool link_is_alive(const struct hd_topology *t, const struct stage *s, uint32_t sw,
                          uint32_t port)
{
  struct hd_peer far = t->peers[sw * t->ports + port];
  if (far.kind == HD_PEER_NONE || bit(s->switches, sw) || bit(s->links, sw * t->ports + port))
    return false;
  return far.kind == HD_PEER_NODE ||
         !(bit(s->switches, far.index) || bit(s->links, far.index * t->ports + far.port));
}

static void depths(const struct hd_topology *t, uint32_t *depth)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    depth[sw] = sw ? FAR : 0;
  for (uint32_t round = 0; round < t->n_switches; round++)
    for (uint32_t i = 0; i < t->n_switches * t->ports; i++) {
      uint32_t sw = i / t->ports;
      if (t->peers[i].kind == HD_PEER_SWITCH && depth[t->peers[i].index] + 1 < depth[sw])
        depth[sw] = depth[t->peers[i].index] + 1;
    }
}

static bool is_up_link(const uint32_t *depth, uint32_t a, uint32_t b)
{
  return depth[b] < depth[a] || (depth[b] == depth[a] && b < a);
}

/* Lengths of the shortest ways up, then down, over living links; FAR: there is none. left[switch]: from there, where
 * only down is allowed [1] or both are [0]. */
static void legal_lengths(const struct hd_topology *t, const struct stage *s, const uint32_t *depth,
                          uint32_t to, uint32_t left[2][MOST])
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    left[0][sw] = left[1][sw] = sw == to && !bit(s->switches, sw) ? 0 : FAR;
  for (uint32_t round = 0; round < 2 * t->n_switches; round++)
    for (uint32_t i = 0; i < t->n_switches * t->ports; i++) {
      uint32_t sw = i / t->ports, far = t->peers[i].index;
      if (t->peers[i].kind != HD_PEER_SWITCH || !link_is_alive(t, s, sw, i % t->ports))
        continue;
      bool up = is_up_link(depth, sw, far);
      if (left[!up][far] + 1 < left[0][sw])
        left[0][sw] = left[!up][far] + 1;
      if (!up && left[1][far] + 1 < left[1][sw])
        left[1][sw] = left[1][far] + 1;
    }
}

/* If there is a legal way, the tables have one of the shortest. Otherwise they have no entry. */
static uint32_t assert_shortest(const struct hd_topology *t, const struct stage *s,
                                const uint32_t *depth)
{
  uint32_t left[2][MOST], found = 0;
  for (uint32_t d = 0; d < t->n_nodes; d++) {
    struct hd_peer end = t->node_peers[d];
    legal_lengths(t, s, depth, end.index, left);
    for (uint32_t from = 0; from < t->n_nodes; from++) {
      uint16_t path[MOST + 1];
      struct hd_peer start = t->node_peers[from];
      int n = hd_routing_path(&s->tables, t, from, d, path, MOST + 1, &why);
      bool reached = left[0][start.index] < FAR && link_is_alive(t, s, end.index, end.port) &&
                     !bit(s->switches, start.index);
      if (!link_is_alive(t, s, start.index, start.port))
        continue; /* nobody asks */
      assert_int_equal(n > 0, reached);
      if (reached)
        assert_int_equal(n, left[0][start.index] + 1);
      found += reached;
    }
  }
  return found;
}

/* Every turn that some table allows for some destination: no circle of links in all of them
 * together, so none in any mixture. */
static void assert_acyclic(const struct hd_topology *t, const struct stage *stages)
{
  uint32_t links = t->n_switches * t->ports;
  bool *waits = calloc((size_t)links * links, 1);
  assert_non_null(waits);
  for (uint32_t k = 0; k < STAGES; k++)
    for (uint32_t at = 0; at < links; at++)
      for (uint32_t d = 0; d < t->n_nodes; d++) {
        uint16_t entry = stages[k].tables.destination[(size_t)at * t->n_nodes + d];
        struct hd_peer far = t->peers[at / t->ports * t->ports + (entry & 15)];
        if ((entry >> 12 & 1) && far.kind == HD_PEER_SWITCH && t->peers[at].kind == HD_PEER_SWITCH)
          waits[(size_t)at * links + far.index * t->ports + far.port] = true;
      }
  assert_no_circle(waits, links);
  free(waits);
}

TEST(tables_of_before_and_after_faults_mixed_never_deadlock)
{
  struct dice dice =
      dice_begin("tables_of_before_and_after_faults_mixed_never_deadlock", "test_routing_around");
  uint32_t ways = 0, lost = 0;
  for (int i = 0; i < 150; i++) {
    CLEANUP(hd_topology_fini) struct hd_topology t;
    struct stage stages[STAGES] = {0};
    uint32_t n = 2 + roll(&dice, MOST - 2), depth[MOST];
    random_graph(&t, &dice, n, roll(&dice, 2 * n), 2 + roll(&dice, n), 4 + roll(&dice, 4), false);
    depths(&t, depth);
    for (uint32_t k = 0; k < STAGES; k++) {
      struct stage *s = &stages[k];
      if (k) {
        uint32_t link = roll(&dice, n * t.ports), sw = roll(&dice, n);
        memcpy(s->switches, s[-1].switches, sizeof s->switches);
        memcpy(s->links, s[-1].links, sizeof s->links);
        if (roll(&dice, 4))
          s->links[link / 64] |= UINT64_C(1) << link % 64;
        else
          s->switches[0] |= UINT64_C(1) << sw;
      }
      s->dead = (struct hd_dead){s->switches, s->links};
      must(hd_routing_around(&s->tables, &t, k ? &s->dead : NULL, 2, &why));
      uint32_t found = assert_shortest(&t, s, depth);
      ways += found;
      lost += found < t.n_nodes * t.n_nodes;
    }
    CLEANUP(hd_tables_fini) struct hd_tables whole;
    must(hd_routing_build(&whole, &t, HD_ROUTE_UP_DOWN, false, 2, 0, &why));
    assert_memory_equal(whole.destination, stages[0].tables.destination,
                        (size_t)n * t.ports * t.n_nodes * sizeof *whole.destination);
    assert_acyclic(&t, stages);
    for (uint32_t k = 0; k < STAGES; k++)
      hd_tables_fini(&stages[k].tables);
  }
  printf("%u ways, %u tables without some\n", ways, lost);
  assert_true(ways > 20000 && lost > 50);
}

TEST(parallel_links_are_used_in_turn)
{
  /* Three links from switch 0 to switch 1, at ports 2, 4 and 5; one by way of switch 2, and nodes 0 to 4 beyond. */
  static const char text[] = "s0:4,s1:1\ns0:2,s1:6\ns0:5,s1:5\ns0:1,s2:1\ns2:2,s1:7\nn0,s1\nn1,s1\n"
                             "n2,s1\nn3,s1\nn4,s0\n";
  static const uint32_t whole[4] = {2, 4, 5, 2}, without[4] = {2, 5, 2, 5};
  struct hd_topology t;
  struct stage s = {0};
  must(hd_topology_graph(&t, text, sizeof text - 1, "side", &why));
  for (int turn = 0; turn < 3;
       turn++) { /* up-down, shortest, and up-down without the link at port 4 */
    s.links[0] = turn == 2 ? UINT64_C(1) << 4 : 0;
    s.dead = (struct hd_dead){s.switches, s.links};
    int status = turn == 1 ? hd_routing_build(&s.tables, &t, HD_ROUTE_SHORTEST, false, 2, 0, &why)
                           : hd_routing_around(&s.tables, &t, &s.dead, 2, &why);
    assert_int_equal(status, 0);
    const uint16_t *row = s.tables.destination + (size_t)t.node_peers[4].port * t.n_nodes;
    for (uint32_t node = 0; node < 4; node++)
      assert_int_equal(row[node] & 15, turn == 2 ? without[node] : whole[node]);
    hd_tables_fini(&s.tables);
  }
  hd_topology_fini(&t);
}
