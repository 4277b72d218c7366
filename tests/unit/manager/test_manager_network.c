/* The manager's answers to software about the fabric are compared with the fabric.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

#include "../../../bridge/manager/manager.h"

/* A random connected fabric with nodes anywhere, and its manager. */
static struct hd_manager *open_random(struct barrier_fabric *f, struct dice *dice, unsigned barrier)
{
  struct hd_switch_params sw = random_switch(dice, barrier);
  uint32_t n = 4 + roll(dice, 16);
  if (roll(dice, 2))
    random_graph(&f->t, dice, n, roll(dice, n), 2 + roll(dice, n), 6, false);
  else
    must(hd_topology_irregular(&f->t, n, 3, roll(dice, UINT32_MAX), &why));
  barrier_fabric_open(f, &sw, 1 + roll(dice, 3), 5);
  const struct hd_manager_params params = {.topology = &f->t,
                                           .tables = &f->tables,
                                           .sw = f->params.sw,
                                           .link_cycles = f->params.link_cycles};
  struct hd_manager *manager = hd_manager_create(&params);
  must(hd_manager_begin(manager, f->fabric, hd_fabric_cycle(f->fabric), &why));
  return manager;
}

static void close_random(struct barrier_fabric *f, struct hd_manager *manager)
{
  hd_manager_destroy(manager);
  barrier_fabric_close(f);
}

static uint32_t switch_of(const struct barrier_fabric *f, uint32_t node)
{
  return f->t.node_peers[node].index;
}

/* A link leads to the switch to which packets go next, and names a node there if there is one. */
TEST(links_reported_to_software_are_those_that_packets_take)
{
  struct dice dice = dice_begin(__func__, "test_manager_network");
  uint32_t leaving = 0, staying = 0, nobody = 0;
  for (int i = 0; i < 30 || leaving <= 500 || staying <= 20; i++) { /* few share a switch */
    struct barrier_fabric f = {.faults = false};
    assert_true(i < 300);
    struct hd_manager *manager = open_random(&f, &dice, 1);
    for (uint32_t from = 0; from < f.t.n_nodes; from++)
      for (uint32_t to = 0; to < f.t.n_nodes; to++) {
        struct hd_ep_link link;
        uint16_t path[64], near[64];
        if (from == to)
          continue;
        hd_manager_link(manager, from, to, &link);
        int hops = hd_routing_path(&f.tables, &f.t, from, to, path, 64, &why);
        assert_true(hops > 0);
        assert_int_equal(link.links, hops > 1);
        assert_int_equal(link.channels, f.params.sw.vcs);
        assert_int_equal(link.depth_flits, f.params.sw.depth_flits);
        staying += hops == 1;
        if (hops == 1 || link.node < 0) {
          nobody += hops > 1;
          assert_int_equal(link.node, -1);
          continue;
        }
        leaving++;
        assert_int_equal(
            hd_routing_path(&f.tables, &f.t, from, (uint32_t)link.node, near, 64, &why), 2);
        assert_int_equal(near[1], path[1]);
      }
    close_random(&f, manager);
  }
  printf("%u pairs over a link with a node behind it, %u without, %u on one switch\n", leaving,
         nobody, staying);
}

/* After its first round a group's tree is in the switches: the links are the ways to the parent. */
TEST(reductions_leave_towards_the_parent)
{
  struct dice dice = dice_begin(__func__, "test_manager_network");
  uint32_t compared = 0, several = 0, far = 0;
  for (int i = 0; i < 200; i++) {
    struct barrier_fabric f = {.faults = false};
    struct group g;
    struct hd_manager *manager = open_random(&f, &dice, HD_BARRIER_ANY);
    group_random(&g, &dice, &f.t, 1, 1 + roll(&dice, 5));
    uint32_t center = 0;
    while (switch_of(&f, g.members[center]) != g.center)
      center++;
    group_open(&g, &f);
    group_begin(&g, &dice, 8, 50);
    while (!group_done(&g))
      groups_step(&g, 1, &f);
    for (uint32_t m = 0; m < g.n_members; m++) {
      struct hd_ep_link link;
      struct hd_group_view view;
      uint32_t sw = switch_of(&f, g.members[m]);
      hd_manager_barrier_link(manager, g.members, g.n_members, g.members[center], g.members[m],
                              &link);
      assert_true(hd_switch_look_group(hd_fabric_switch(f.fabric, sw), 1, &view));
      unsigned ways = sw == g.center ? 0
                                     : hd_barrier_way(hd_fabric_barrier_ways(f.fabric), sw,
                                                      (uint32_t)view.parent);
      assert_int_equal(link.links, __builtin_popcount(ways));
      compared += sw != g.center;
      several += link.links > 1;
      if (link.node < 0)
        continue;
      bool among = false;
      for (; ways; ways &= ways - 1)
        among |= f.t.peers[sw * f.t.ports + (uint32_t)__builtin_ctz(ways)].index ==
                 switch_of(&f, (uint32_t)link.node);
      assert_true(among);
      far += switch_of(&f, (uint32_t)link.node) != (uint32_t)view.parent;
    }
    close_random(&f, manager);
  }
  printf("%u members away from the center, %u with several links, %u whose parent is farther\n",
         compared, several, far);
  assert_true(compared > 100 && several > 5 && far > 5);
}

/* pass_cycles is enough for every neighbour on an empty network, and not much too large. */
TEST(packets_pass_within_the_pass_cycles_given_to_software)
{
  struct dice dice = dice_begin(__func__, "test_manager_network");
  uint32_t compared = 0, closest = UINT32_MAX;
  for (int i = 0; i < 60; i++) {
    struct barrier_fabric f = {.faults = false};
    struct hd_ep_link link = {.node = -1};
    struct hd_manager *manager = open_random(&f, &dice, (unsigned)i % 6);
    for (uint32_t from = 0, to = 0; link.node < 0 && from < f.t.n_nodes; from++)
      for (to = 0; link.node < 0 && to < f.t.n_nodes; to++) {
        if (from == to)
          continue;
        hd_manager_link(manager, from, to, &link);
        for (uint32_t k = 0; link.node >= 0 && k < link.channels; k++) {
          struct hd_packet p = {
              .source = from, .destination = (uint32_t)link.node, .flits = 2 * link.depth_flits};
          uint32_t number;
          must(hd_fabric_send(f.fabric, &p, &number, &why));
        }
      }
    if (link.node >= 0) {
      struct hd_fabric_counters c;
      while (!hd_fabric_idle(f.fabric))
        groups_step(NULL, 0, &f);
      hd_fabric_counters(f.fabric, &c);
      assert_int_equal(c.packets_received, link.channels);
      assert_true(c.last_received <= link.pass_cycles);
      assert_true(link.pass_cycles <= 4 * c.last_received);
      uint32_t rest = (uint32_t)(link.pass_cycles - c.last_received);
      closest = rest < closest ? rest : closest;
      compared++;
    }
    close_random(&f, manager);
  }
  printf("%u links; at least %u cycles to spare\n", compared, closest);
  assert_true(compared > 40);
}

/* ── the order ────────────────────────────────────────────────────────────── */

static uint32_t depth_in_tree(const uint32_t *parent, uint32_t sw)
{
  uint32_t depth = 0;
  for (; sw; sw = parent[sw])
    depth++;
  return depth;
}

static void list_nodes_of_subtree(const struct hd_topology *t, const uint32_t *parent, uint32_t sw,
                                  int *nodes, uint32_t *n)
{
  for (uint32_t p = 0; p < t->ports; p++)
    if (t->peers[sw * t->ports + p].kind == HD_PEER_NODE)
      nodes[(*n)++] = t->peers[sw * t->ports + p].index;
  for (uint32_t child = 1; child < t->n_switches; child++)
    if (parent[child] == sw)
      list_nodes_of_subtree(t, parent, child, nodes, n);
}

/* Builds the breadth-first tree round by round, without a queue. A switch's parent is the neighbour that was reached
 * first. */
TEST(the_order_of_nodes_is_a_walk_through_the_breadth_first_tree)
{
  struct dice dice = dice_begin(__func__, "test_manager_network");
  uint32_t ordered = 0;
  for (int i = 0; i < 60; i++) {
    struct barrier_fabric f = {.faults = false};
    uint32_t parent[64] = {0}, reached[64] = {1}, last = 1, n = 0;
    int want[64], got[64];
    struct hd_manager *manager = open_random(&f, &dice, 1);
    const struct hd_topology *t = &f.t;
    while (last < t->n_switches) { /* reached[sw]: when, counted from 1 */
      uint32_t next = UINT32_MAX, from = UINT32_MAX;
      for (uint32_t a = 0; a < t->n_switches; a++)
        for (uint32_t p = 0; p < t->ports; p++) {
          struct hd_peer far = t->peers[a * t->ports + p];
          if (!reached[a] || far.kind != HD_PEER_SWITCH || reached[far.index])
            continue;
          bool earlier = from == UINT32_MAX || reached[a] < reached[from];
          if (earlier || (a == from && far.index < next)) {
            from = a;
            next = far.index;
          }
        }
      parent[next] = from;
      reached[next] = ++last;
    }
    list_nodes_of_subtree(t, parent, 0, want, &n);
    assert_int_equal(n, t->n_nodes);
    hd_manager_order(manager, got);
    assert_memory_equal(got, want, n * sizeof *got);
    for (uint32_t sw = 0; sw < t->n_switches; sw++)
      assert_true(depth_in_tree(parent, sw) < t->n_switches);
    ordered += n;
    close_random(&f, manager);
  }
  printf("%u nodes in order\n", ordered);
  assert_true(ordered > 400);
}
