/* The BSR tree that the switches build against independent constructions (barrier paper, Section 2).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both constructions know nothing of time. The first sends the messages of a group one after the other, each to its
 * end, by the algorithm of Fig. 4. The second applies Definition 2 to the set of all paths.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

enum { MOST = 18, GRAPHS = 12000, NOBODY = 0xffff };

/* A switch's part in a group. */
struct place {
  bool bsr, seen;
  uint16_t child[HD_MAX_PORTS]; /* by port, NOBODY: none */
  uint16_t parent;
};

struct tree {
  struct place places[MOST];
};

static void tree_init(struct tree *tree, const struct group *g, const struct hd_topology *t)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    struct place *p = &tree->places[sw];
    *p = (struct place){.bsr = group_local(g, t, sw) != 0, .parent = NOBODY};
    p->seen = p->bsr;
    for (uint32_t q = 0; q < HD_MAX_PORTS; q++)
      p->child[q] = NOBODY;
  }
}

/* Returns the next switch on the only way to the center, and the port by which a message enters it. */
static struct hd_peer next_on_way(const struct barrier_fabric *f, uint32_t sw, uint32_t to)
{
  unsigned mask = hd_barrier_way(hd_fabric_barrier_ways(f->fabric), sw, to);
  assert_int_not_equal(mask, 0);
  return f->t.peers[sw * f->t.ports + (uint32_t)__builtin_ctz(mask)];
}

/* Fig. 4, step 2, at switch `sw`: returns the message's tag, changes its address. */
static int step_2_of_figure_4(struct place *p, uint32_t sw, uint32_t port, int tag,
                              uint16_t *address)
{
  if (tag == 2)
    return 2;
  bool branches = false;
  for (uint32_t q = 0; q < HD_MAX_PORTS; q++)
    branches |= p->child[q] != NOBODY;
  p->child[port] = *address;
  p->seen = true;
  if (p->bsr)
    return 2;
  if (tag == 0 && branches) {
    p->bsr = true;
    *address = (uint16_t)sw;
    return 1;
  }
  return tag;
}

/* Builds the tree from the members' switches in the order of `order`. Each message ends before the next one starts.
 */
static void build_sequentially(struct tree *tree, const struct group *g,
                               const struct barrier_fabric *f, const uint32_t *order, uint32_t n)
{
  tree_init(tree, g, &f->t);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t sw = order[i];
    uint16_t address = (uint16_t)sw;
    int tag = 0;
    while (sw != g->center) {
      struct hd_peer far = next_on_way(f, sw, g->center);
      sw = far.index;
      tag = step_2_of_figure_4(&tree->places[sw], sw, far.port, tag, &address);
    }
  }
}

/* The BS tree is the union of the ways; a branch node has two or more children in it; a BSR node's
 * child by a port is the first BSR node found by going down there. */
static void build_by_definition(struct tree *tree, const struct group *g,
                                const struct barrier_fabric *f)
{
  uint32_t n = f->t.n_switches;
  unsigned ports[MOST] = {0};
  tree_init(tree, g, &f->t);
  for (uint32_t sw = 0; sw < n; sw++)
    for (uint32_t at = sw; group_local(g, &f->t, sw) && at != g->center;) {
      struct hd_peer far = next_on_way(f, at, g->center);
      ports[far.index] |= 1u << far.port;
      tree->places[far.index].seen = true;
      at = far.index;
    }
  for (uint32_t sw = 0; sw < n; sw++)
    tree->places[sw].bsr |= (ports[sw] & (ports[sw] - 1)) != 0;
  for (uint32_t sw = 0; sw < n; sw++)
    for (uint32_t q = 0; q < f->t.ports; q++) {
      if (!(ports[sw] >> q & 1))
        continue;
      uint32_t below = f->t.peers[sw * f->t.ports + q].index;
      while (!tree->places[below].bsr)
        below = f->t.peers[below * f->t.ports + (uint32_t)__builtin_ctz(ports[below])].index;
      tree->places[sw].child[q] = (uint16_t)below;
    }
}

/* Sets parents: the center has none; the parent of each other BSR node is the one whose child it is. */
static void set_parents(struct tree *tree, uint32_t n)
{
  for (uint32_t sw = 0; sw < n; sw++)
    for (uint32_t q = 0; tree->places[sw].bsr && q < HD_MAX_PORTS; q++)
      if (tree->places[sw].child[q] != NOBODY) {
        assert_int_equal(tree->places[tree->places[sw].child[q]].parent, NOBODY);
        tree->places[tree->places[sw].child[q]].parent = (uint16_t)sw;
      }
}

static void assert_same(const struct tree *a, const struct tree *b, uint32_t n)
{
  for (uint32_t sw = 0; sw < n; sw++) {
    assert_int_equal(a->places[sw].bsr, b->places[sw].bsr);
    assert_int_equal(a->places[sw].seen, b->places[sw].seen);
    for (uint32_t q = 0; q < HD_MAX_PORTS; q++)
      assert_int_equal(a->places[sw].child[q], b->places[sw].child[q]);
  }
}

/* Asserts that the status tables of the switches hold the tree. Returns its BSR nodes. */
static uint32_t assert_built(const struct tree *tree, const struct group *g,
                             const struct barrier_fabric *f)
{
  uint32_t nodes = 0;
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++) {
    const struct place *p = &tree->places[sw];
    struct hd_group_view v;
    bool found = hd_switch_look_group(hd_fabric_switch(f->fabric, sw), g->id, &v);
    assert_int_equal(found, p->seen);
    if (!found)
      continue;
    assert_int_equal(v.bsr, p->bsr);
    assert_int_equal(v.built, p->bsr);
    assert_false(v.failed || v.pending);
    assert_int_equal(v.local, group_local(g, &f->t, sw));
    assert_int_equal(v.local_in | v.child_in, 0);
    if (p->bsr && sw != g->center)
      assert_int_equal(v.parent, p->parent);
    for (uint32_t q = 0; q < HD_MAX_PORTS; q++) {
      assert_int_equal(v.child >> q & 1, p->child[q] != NOBODY);
      if (p->child[q] != NOBODY)
        assert_int_equal(v.child_address[q], p->child[q]);
    }
    nodes += p->bsr;
  }
  return nodes;
}

/* Every way from a BSR node to the center meets its parent first among BSR nodes (Definition 2). */
static void assert_definition_2(const struct tree *tree, const struct group *g,
                                const struct barrier_fabric *f)
{
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++) {
    if (!tree->places[sw].bsr || sw == g->center)
      continue;
    uint32_t at = sw;
    do
      at = next_on_way(f, at, g->center).index;
    while (!tree->places[at].bsr);
    assert_int_equal(at, tree->places[sw].parent);
  }
}

static void assert_tree(const struct group *g, const struct barrier_fabric *f, struct dice *dice,
                        uint64_t *nodes, uint64_t *branches)
{
  struct tree by_definition, in_order;
  uint32_t order[MOST], n = 0;
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++)
    if (group_local(g, &f->t, sw))
      order[n++] = sw;
  build_by_definition(&by_definition, g, f);
  for (int i = 0; i < 2; i++) {
    for (uint32_t j = n; j > 1; j--) {
      uint32_t with = roll(dice, j), moved = order[j - 1];
      order[j - 1] = order[with];
      order[with] = moved;
    }
    build_sequentially(&in_order, g, f, order, n);
    assert_same(&in_order, &by_definition, f->t.n_switches);
  }
  set_parents(&in_order, f->t.n_switches);
  assert_definition_2(&in_order, g, f);
  uint32_t built = assert_built(&in_order, g, f);
  *nodes += built;
  *branches += built - n;
}

/* Packets hold channels, so that messages of one link would go by different ones. */
static void send_random_packets(struct barrier_fabric *f, struct dice *dice, uint32_t per_mille)
{
  uint32_t number;
  for (uint32_t node = 0; node < f->t.n_nodes; node++) {
    struct hd_packet p = {
        .source = node, .destination = roll(dice, f->t.n_nodes), .flits = 1 + roll(dice, 20)};
    if (roll(dice, 1000) < per_mille)
      must(hd_fabric_send(f->fabric, &p, &number, &why));
  }
}

static void round_of(struct group *groups, uint32_t n, struct barrier_fabric *f, struct dice *dice,
                     uint32_t per_mille)
{
  uint32_t skew = 1 + roll(dice, 60), left;
  struct hd_fabric_counters c;
  for (uint32_t k = 0; k < n; k++)
    group_begin(&groups[k], dice, hd_fabric_cycle(f->fabric) + 4 * n, skew);
  uint64_t limit = hd_fabric_cycle(f->fabric) + 20000;
  left = n;
  do {
    if (left)
      send_random_packets(f, dice, per_mille);
    groups_step(groups, n, f);
    /* Packets may wait at their sources for long. Packets in the network must move. */
    hd_fabric_counters(f->fabric, &c);
    assert_true(left ? hd_fabric_cycle(f->fabric) < limit
                     : hd_fabric_cycle(f->fabric) < c.last_progress + 1000);
    left = 0;
    for (uint32_t k = 0; k < n; k++) {
      left += !group_done(&groups[k]);
      assert_int_equal(groups[k].failed, 0);
    }
  } while (left || !hd_fabric_idle(f->fabric));
}

static void assert_no_errors(const struct barrier_fabric *f)
{
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++)
    assert_int_equal(hd_switch_config_read(hd_fabric_switch(f->fabric, sw), HD_CFG_ERRORS), 0);
}

TEST(switches_build_the_tree_of_definition_2)
{
  struct dice dice = dice_begin("switches_build_the_tree_of_definition_2", "test_barrier_tree");
  uint64_t trees = 0, nodes = 0, branches = 0, rounds = 0;
  for (uint32_t i = 0; i < n_cases(GRAPHS); i++) {
    CLEANUP(barrier_fabric_close) struct barrier_fabric f = {.faults = false};
    struct group groups[3];
    uint32_t n = 1 + roll(&dice, MOST), n_groups = 1 + roll(&dice, 3);
    bool one_each = n > 1 && roll(&dice, 2);
    random_graph(&f.t, &dice, n, roll(&dice, n), one_each ? n : 2 + roll(&dice, n),
                 4 + roll(&dice, 5), one_each);
    struct hd_switch_params sw = random_switch(&dice, 1 + i % 5);
    barrier_fabric_open(&f, &sw, 1 + roll(&dice, 3), roll(&dice, 3) ? 0 : 1 + roll(&dice, 40));
    for (uint32_t k = 0; k < n_groups; k++) {
      group_random(&groups[k], &dice, &f.t, 7 * k + roll(&dice, 7), 1 + roll(&dice, 4));
      group_open(&groups[k], &f);
    }
    /* With one channel, or with a channel reserved for messages, messages cannot overtake each other. */
    bool several = sw.barrier == HD_BARRIER_MOVING || sw.barrier == HD_BARRIER_QUEUED;
    uint32_t per_mille = several || i % 40 == 0 ? 10 + roll(&dice, 90) : 0;
    for (uint32_t round = 0; round < 2; round++, rounds += n_groups) {
      round_of(groups, n_groups, &f, &dice, per_mille);
      for (uint32_t k = 0; k < n_groups; k++, trees++)
        assert_tree(&groups[k], &f, &dice, &nodes, &branches);
    }
    assert_no_errors(&f);
  }
  printf("%u graphs, %llu trees of %llu BSR nodes, %llu of them without members; %llu rounds\n",
         n_cases(GRAPHS), (unsigned long long)trees, (unsigned long long)nodes,
         (unsigned long long)branches, (unsigned long long)rounds);
  assert_true(branches > 1000);
}
