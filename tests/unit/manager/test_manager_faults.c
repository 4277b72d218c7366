/* The fabric's manager under faults, without a run: its writes to switches, and the members that it reports as
 * unreachable.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

#include "../../../bridge/manager/manager.h"

enum { MOST_FAULTS = 4, RUNS = 60 };

/* Broken links and switches, and which switches reach each other, computed naively. */
struct truth {
  bool link[64][16], sw[64]; /* broken */
  bool reached[64];          /* from one switch */
};

static void note_fault(struct truth *x, const struct hd_topology *t, const struct hd_fault *f)
{
  if (f->whole_switch) {
    x->sw[f->sw] = true;
    return;
  }
  struct hd_peer far = t->peers[f->sw * t->ports + f->port];
  x->link[f->sw][f->port] = true;
  if (far.kind == HD_PEER_SWITCH)
    x->link[far.index][far.port] = true;
}

/* Adds switches round by round, until a round adds none. */
static void find_reachable(struct truth *x, const struct hd_topology *t, uint32_t from)
{
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    x->reached[sw] = sw == from && !x->sw[sw];
  for (bool more = true; more;) {
    more = false;
    for (uint32_t sw = 0; sw < t->n_switches; sw++)
      for (uint32_t p = 0; p < t->ports; p++) {
        struct hd_peer far = t->peers[sw * t->ports + p];
        if (!x->reached[sw] || far.kind != HD_PEER_SWITCH || x->link[sw][p] || x->sw[far.index] ||
            x->reached[far.index])
          continue;
        x->reached[far.index] = more = true;
      }
  }
}

/* Called after find_reachable() from the center's switch. */
static bool node_reached(const struct truth *x, const struct hd_topology *t, uint32_t node)
{
  struct hd_peer at = t->node_peers[node];
  return x->reached[at.index] && !x->link[at.index][at.port];
}

static struct hd_fault random_fault(struct dice *dice, const struct hd_topology *t)
{
  struct hd_fault f = {.when = 20 + roll(dice, 40), .sw = roll(dice, t->n_switches)};
  f.whole_switch = !roll(dice, 4);
  while (!f.whole_switch && t->peers[f.sw * t->ports + f.port].kind == HD_PEER_NONE)
    f.port++;
  for (uint32_t tries = roll(dice, 8); !f.whole_switch && tries; tries--) {
    uint32_t port = roll(dice, t->ports);
    if (t->peers[f.sw * t->ports + port].kind != HD_PEER_NONE)
      f.port = port;
  }
  return f;
}

struct told {
  uint32_t groups; /* bits */
  uint64_t cycle;  /* the last time */
};

static void note_group(void *context, uint32_t group, enum hd_ep_barrier_status status,
                       uint64_t cycle)
{
  struct told *told = context;
  assert_int_equal(status, HD_EP_BARRIER_CUT_OFF);
  told->groups |= 1u << group;
  told->cycle = cycle;
}

/* Cycles until all faults have struck and all writes are in force. */
static void run_faults(struct hd_manager *m, struct hd_fabric *fabric, uint64_t last)
{
  while (hd_fabric_cycle(fabric) <= last || hd_fabric_cycle(fabric) < hd_manager_ready(m)) {
    uint64_t cycle = hd_fabric_cycle(fabric);
    must(hd_manager_begin(m, fabric, cycle, &why));
    must(hd_fabric_step(fabric, &why));
    hd_manager_end(m, fabric, cycle);
  }
  assert_true(hd_manager_next(m) == UINT64_MAX);
}

/* Value of a register that cannot be read: the one that was written last, or `start`. */
static uint16_t last_written(const struct hd_switch_record *r, uint32_t addr, uint16_t start)
{
  for (uint32_t i = 0; i < r->n_configs_in; i++)
    if (r->configs_in[i].addr == addr)
      start = r->configs_in[i].data;
  return start;
}

/* An entry of network 0 as it is for another one (§5.28). */
static uint16_t entry_for(const struct hd_tables *tables, uint16_t entry, uint32_t network)
{
  const unsigned mask = entry >> 4 & ((1u << tables->packet_vcs) - 1);
  return (uint16_t)((entry & 0xf00f) | mask << network * tables->packet_vcs << 4);
}

static uint32_t check_registers(const struct hd_manager *m, const struct barrier_fabric *f,
                                const struct hd_record *record, struct truth *x)
{
  const struct hd_barrier_ways *ways = hd_manager_ways(m);
  const struct hd_barrier_ways *started = hd_fabric_barrier_ways(f->fabric);
  const struct hd_tables *tables = hd_manager_tables(m);
  uint32_t compared = 0;
  for (uint32_t sw = 0; sw < f->t.n_switches; sw++) {
    const struct hd_switch *model = hd_fabric_switch(f->fabric, sw);
    const struct hd_switch_record *r = &record->switches[sw];
    find_reachable(x, &f->t, sw);
    if (x->sw[sw])
      continue;
    for (uint32_t to = 0; to < f->t.n_switches; to++) {
      assert_int_equal(last_written(r, HD_CFG_BARRIER_WAY(to), hd_barrier_way(started, sw, to)),
                       hd_barrier_way(ways, sw, to));
      assert_int_equal(hd_barrier_way(ways, sw, to) != 0, to != sw && x->reached[to]);
      compared++;
    }
    for (uint32_t port = 0; port < f->t.ports; port++) {
      for (uint32_t i = 0; i < f->networks * f->t.n_nodes; i++, compared++) {
        const uint32_t network = i / f->t.n_nodes, node = i % f->t.n_nodes;
        size_t at = ((size_t)sw * f->t.ports + port) * f->t.n_nodes + node;
        assert_int_equal(last_written(r, HD_CFG_DESTINATION(port, i),
                                      entry_for(&f->tables, f->tables.destination[at], network)),
                         entry_for(&f->tables, tables->destination[at], network));
      }
      struct hd_peer far = f->t.peers[sw * f->t.ports + port];
      bool broken = x->link[sw][port] || (far.kind == HD_PEER_SWITCH && x->sw[far.index]);
      assert_int_equal(hd_switch_config_read(model, HD_CFG_LIVE) >> port & 1, !broken);
    }
  }
  return compared;
}

/* Packets use only working links. (Up-and-down routing may have no route between connected switches.) */
static uint32_t check_routes(const struct hd_manager *m, const struct hd_topology *t,
                             struct truth *x)
{
  uint32_t hops = 0;
  for (uint32_t from = 0; from < t->n_nodes; from++) {
    find_reachable(x, t, t->node_peers[from].index);
    for (uint32_t to = 0; node_reached(x, t, from) && to < t->n_nodes; to++) {
      struct hd_peer at = t->node_peers[from];
      for (uint32_t n = 0; node_reached(x, t, to) && at.index != t->node_peers[to].index; n++) {
        uint16_t entry = hd_routing_entry(hd_manager_tables(m), &at, from, to);
        uint32_t port = entry & 15;
        if (!(entry >> 12 & 1))
          break;
        assert_false(x->link[at.index][port]);
        at = t->peers[at.index * t->ports + port];
        assert_true(at.kind == HD_PEER_SWITCH && !x->sw[at.index] && n < t->n_switches);
        hops++;
      }
    }
  }
  return hops;
}

/* Returns how many members are unreachable. */
static uint32_t check_members(const struct hd_manager *m, const struct barrier_fabric *f,
                              struct truth *x, const struct group *g, const struct told *told)
{
  uint32_t n, want = 0;
  const struct hd_unreachable *found = hd_manager_unreachable(m, &n);
  find_reachable(x, &f->t, g->center);
  for (uint32_t i = 0; i < g->n_members; i++) {
    bool listed = false;
    for (uint32_t k = 0; k < n; k++)
      listed |= found[k].node == g->members[i];
    assert_int_equal(listed, !node_reached(x, &f->t, g->members[i]));
    want += listed;
  }
  assert_int_equal(n, want);
  assert_int_equal(told->groups, n ? 1u << g->id : 0);
  for (uint32_t k = 0; k < n; k++)
    assert_true(found[k].cycle <= told->cycle && found[k].center_sw == g->center);
  return n;
}

/* The members of a group that is open while faults strike, and the same members again afterwards. */
TEST(switches_and_groups_are_informed_of_faults)
{
  struct dice dice = dice_begin(__func__, "test_manager_faults");
  uint32_t compared = 0, hops = 0, unreachable = 0, whole = 0;
  for (int i = 0; i < RUNS; i++) {
    CLEANUP(barrier_fabric_close)
    struct barrier_fabric f = {.faults = true, .networks = 1 + (uint32_t)i % 2};
    struct hd_switch_params sw = random_switch(&dice, HD_BARRIER_ANY);
    sw.vcs *= f.networks;
    struct hd_fault faults[MOST_FAULTS];
    struct truth x = {.reached = {false}};
    struct told told = {0, 0};
    struct hd_manager *m;
    struct group g;
    uint32_t n = 4 + roll(&dice, 12);
    random_graph(&f.t, &dice, n, roll(&dice, n), 2 + roll(&dice, n), 6, false);
    barrier_fabric_open(&f, &sw, 1 + roll(&dice, 3), 5);
    struct hd_manager_params params = {.topology = &f.t,
                                       .tables = &f.tables,
                                       .sw = f.params.sw,
                                       .link_cycles = f.params.link_cycles,
                                       .goes_around = true,
                                       .faults = faults,
                                       .n_faults = 1 + roll(&dice, MOST_FAULTS),
                                       .context = &told,
                                       .ended = note_group};
    for (uint32_t k = 0; k < params.n_faults; k++) {
      faults[k] = random_fault(&dice, &f.t);
      note_fault(&x, &f.t, &faults[k]);
    }
    m = hd_manager_create(&params);
    group_random(&g, &dice, &f.t, 3, 2);
    uint32_t center = g.members[0];
    g.center = f.t.node_peers[center].index;

    uint64_t ready;
    enum hd_ep_barrier_status opened;
    CLEANUP(hd_record_fini) struct hd_record record;
    must(hd_record_init(&record, n));
    hd_fabric_record_begin(f.fabric, &record);
    must(hd_manager_begin(m, f.fabric, 0, &why));
    must(hd_manager_open(m, g.id, g.members, g.n_members, center, &ready, &opened, &why));
    assert_int_equal(opened, HD_EP_BARRIER_PASSED);
    struct hd_manager_group known = hd_manager_group(m, g.id);
    assert_true(known.n == g.n_members && known.center == center && known.center_sw == g.center);
    run_faults(m, f.fabric, 60);
    must(hd_fabric_record_end(f.fabric, &why));
    compared += check_registers(m, &f, &record, &x);
    hops += check_routes(m, &f.t, &x);
    uint32_t gone = check_members(m, &f, &x, &g, &told);

    must(hd_manager_close(m, g.id, &ready, &why));
    assert_null(hd_manager_group(m, g.id).members);
    must(hd_manager_open(m, 5, g.members, g.n_members, center, &ready, &opened, &why));
    assert_int_equal(opened, gone ? HD_EP_BARRIER_UNREACHABLE : HD_EP_BARRIER_PASSED);
    unreachable += gone;
    whole += !gone;
    hd_manager_destroy(m);
  }
  printf("%u registers compared, %u hops; %u members unreachable, %u groups whole\n", compared,
         hops, unreachable, whole);
  assert_true(compared > 1000 && hops > 1000 && unreachable > 20 && whole > 10);
}

static void note_full(void *context, const struct hd_full_table *table)
{
  struct hd_full_table *first = context;
  assert_int_equal(first->groups, 0); /* told once */
  *first = *table;
}

/* Groups of all nodes: as many as a table holds, and again after one was closed. */
TEST(status_tables_are_full_when_all_entries_are_taken)
{
  struct dice dice = dice_begin(__func__, "test_manager_faults");
  CLEANUP(barrier_fabric_close) struct barrier_fabric f = {.faults = false};
  struct hd_switch_params sw = random_switch(&dice, HD_BARRIER_ANY);
  struct hd_full_table first = {.groups = 0};
  struct hd_manager *m;
  uint32_t nodes[64];
  uint64_t ready;
  enum hd_ep_barrier_status opened;
  random_graph(&f.t, &dice, 6, 3, 6, 6, true);
  barrier_fabric_open(&f, &sw, 1, 5);
  for (uint32_t i = 0; i < f.t.n_nodes; i++)
    nodes[i] = i;
  const struct hd_manager_params params = {.topology = &f.t,
                                           .tables = &f.tables,
                                           .sw = f.params.sw,
                                           .context = &first,
                                           .full = note_full};
  m = hd_manager_create(&params);
  must(hd_manager_begin(m, f.fabric, 0, &why));
  for (uint32_t group = 0; group <= sw.groups + 1; group++) {
    must(hd_manager_open(m, group, nodes, f.t.n_nodes, 2, &ready, &opened, &why));
    assert_int_equal(opened, group < sw.groups ? HD_EP_BARRIER_PASSED : HD_EP_BARRIER_FULL);
  }
  assert_true(first.groups == sw.groups && first.members == f.t.n_nodes && first.center == 2);
  must(hd_manager_close(m, 1, &ready, &why));
  must(hd_manager_open(m, 9, nodes, f.t.n_nodes, 0, &ready, &opened, &why));
  assert_int_equal(opened, HD_EP_BARRIER_PASSED);
  hd_manager_destroy(m);
}
