/* Held network interfaces: credits against §4.6 worked out from port events alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/test.h"

enum { CYCLES = 2500, NODES = 9 };

static struct dice begin_dice(const char *test)
{
  return dice_begin(test, "test_fabric_hold");
}

static void open_mesh(struct barrier_fabric *f, const struct hd_switch_params *sw, uint32_t link)
{
  const uint32_t dims[] = {3, 3};
  must(hd_topology_mesh(&f->t, dims, 2, &why));
  barrier_fabric_open(f, sw, link, 5);
  if (!sw->barrier)
    f->params.sw.switches = f->params.sw.groups = 0;
}

static void send(struct barrier_fabric *f, uint32_t from, uint32_t to, uint32_t flits)
{
  struct hd_packet p = {.source = from, .destination = to, .flits = flits};
  uint32_t number;
  must(hd_fabric_send(f->fabric, &p, &number, &why));
}

static void hold_interface(struct barrier_fabric *f, uint32_t node, uint64_t cycles)
{
  must(hd_fabric_hold(f->fabric, node, cycles, &why));
}

/* ── §4.6 word for word ────────────────────────────────────────────────────── */

/* held[node][cycle] */
static bool held[NODES][CYCLES];

/* The credits that the interface of `node` gives, from the flits at its pins. Returns their number. */
static uint32_t check_credits(const struct barrier_fabric *f, const struct hd_record *record,
                              uint32_t node)
{
  const struct hd_switch_params *p = &f->params.sw;
  const struct hd_switch_record *r = &record->switches[f->t.node_peers[node].index];
  uint32_t port = f->t.node_peers[node].port, owed[HD_MAX_VCS] = {0}, given = 0;
  uint32_t link = f->params.link_cycles, flit = 0, credit = 0;
  bool beside = p->barrier == HD_BARRIER_ANY || p->barrier == HD_BARRIER_FIXED;
  for (uint32_t c = 0; c + link < CYCLES; c++) {
    const struct hd_flit_event *e = NULL;
    for (; flit < r->n_flits_out && r->flits_out[flit].cycle + link - 1 <= c; flit++)
      if (r->flits_out[flit].port == port && r->flits_out[flit].cycle + link - 1 == c)
        e = &r->flits_out[flit];
    bool control = e && p->barrier && e->kind >= 4 && e->kind <= 6;
    unsigned want = 0, barrier = control && e->kind == HD_KIND_BARRIER_LAST;
    if (e && !(beside && control))
      owed[e->vc]++;
    for (uint32_t v = 0; v < p->vcs; v++)
      if (owed[v] && (!held[node][c] || (control && !beside && e->vc == v))) {
        owed[v]--;
        want |= 1u << v;
      }
    if (!want && !barrier)
      continue;
    while (credit < r->n_credits_in && r->credits_in[credit].port != port)
      credit++;
    assert_true(credit < r->n_credits_in);
    assert_int_equal(r->credits_in[credit].cycle, c + link);
    assert_int_equal(r->credits_in[credit].vcs, want);
    assert_int_equal(r->credits_in[credit].barrier, barrier);
    credit++;
    given++;
  }
  return given;
}

TEST(a_held_interface_returns_its_credits_after_the_hold)
{
  struct dice dice = begin_dice(__func__);
  for (unsigned barrier = 0; barrier <= 5; barrier++) {
    struct barrier_fabric f = {.faults = false};
    struct hd_switch_params sw = random_switch(&dice, barrier);
    struct hd_record record;
    struct group g;
    uint32_t holds = 0, given = 0;
    open_mesh(&f, &sw, 1 + roll(&dice, 3));
    assert_int_equal(hd_record_init(&record, f.t.n_switches), 0);
    hd_fabric_record_begin(f.fabric, &record);
    memset(held, 0, sizeof held);
    group_random(&g, &dice, &f.t, 3, 2);
    if (barrier) {
      group_open(&g, &f);
      group_begin(&g, &dice, 8, 60);
    }
    for (uint32_t c = 0; c < CYCLES; c++) {
      for (uint32_t node = 0; node < NODES; node++) {
        if (!roll(&dice, 25))
          send(&f, node, roll(&dice, NODES), 1 + roll(&dice, 12));
        if (roll(&dice, 200))
          continue;
        uint32_t n = roll(&dice, 2) ? roll(&dice, 200) : roll(&dice, 4);
        hold_interface(&f, node, n);
        holds++;
        for (uint32_t i = 0; i < n && c + i < CYCLES; i++)
          held[node][c + i] = true;
      }
      groups_step(&g, barrier ? 1 : 0, &f);
      if (group_done(&g))
        group_begin(&g, &dice, c, 60);
    }
    must(hd_fabric_record_end(f.fabric, &why));
    for (uint32_t node = 0; node < NODES; node++)
      given += check_credits(&f, &record, node);
    struct hd_fabric_counters counters;
    hd_fabric_counters(f.fabric, &counters);
    printf("barrier %u: %u holds, %u sets of credits, %llu barrier messages\n", barrier, holds,
           given, (unsigned long long)counters.barriers_received);
    assert_true(holds > 50 && given > 500);
    assert_true(!barrier || counters.barriers_received > 20);
    hd_record_fini(&record);
    barrier_fabric_close(&f);
  }
}

/* ── what is held and what is not ──────────────────────────────────────────── */

TEST(a_held_interface_receives_one_buffer_of_flits_and_no_more)
{
  struct barrier_fabric f = {.faults = false};
  struct hd_switch_params sw = {
      .vcs = 2, .data_bits = 16, .depth_flits = 5, .route_cycles = 1, .arb_cycles = 1};
  struct hd_fabric_counters c;
  open_mesh(&f, &sw, 1);
  hold_interface(&f, 4, 300);
  hold_interface(&f, 4, 20); /* the longer one stays */
  assert_true(hd_fabric_idle(f.fabric));
  send(&f, 0, 4, 40);
  for (int i = 0; i < 299; i++)
    groups_step(NULL, 0, &f);
  hd_fabric_counters(f.fabric, &c);
  assert_int_equal(c.flits_received, 5);
  assert_int_equal(c.last_progress, 298); /* no deadlock for the watchdog */
  assert_false(hd_fabric_idle(f.fabric));
  for (int i = 0; i < 300 && !hd_fabric_idle(f.fabric); i++)
    groups_step(NULL, 0, &f);
  hd_fabric_counters(f.fabric, &c);
  assert_int_equal(c.packets_received, 1);
  assert_int_equal(c.packets_foreign, 0);
  assert_true(hd_fabric_idle(f.fabric));
  must_say(hd_fabric_hold(f.fabric, NODES, 1, &why), HD_E_INPUT,
           "hold of node 9, but nodes are 0 to 8");
  barrier_fabric_close(&f);
}

/* An idle fabric is skipped over the end of a hold: then it holds no longer. */
TEST(a_hold_ends_while_an_idle_fabric_is_skipped)
{
  struct barrier_fabric f = {.faults = false};
  struct hd_switch_params sw = {
      .vcs = 1, .data_bits = 16, .depth_flits = 2, .route_cycles = 1, .arb_cycles = 1};
  uint64_t taken[2];
  for (int with = 0; with < 2; with++) {
    open_mesh(&f, &sw, 1);
    if (with)
      hold_interface(&f, 8, 50);
    hd_fabric_skip(f.fabric, 50);
    send(&f, 0, 8, 20);
    while (!hd_fabric_idle(f.fabric))
      groups_step(NULL, 0, &f);
    taken[with] = hd_fabric_cycle(f.fabric);
    barrier_fabric_close(&f);
  }
  assert_int_equal(taken[0], taken[1]);
}

/* All interfaces are held and full; where barrier messages pass data, a barrier takes no longer than
 * without. */
TEST(barrier_messages_pass_a_held_interface)
{
  struct dice dice = begin_dice(__func__);
  static const unsigned kinds[] = {HD_BARRIER_ANY, HD_BARRIER_FIXED, HD_BARRIER_RESERVED};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    CLEANUP(barrier_fabric_close) struct barrier_fabric f = {.faults = false};
    struct hd_switch_params sw = random_switch(&dice, kinds[k]);
    struct group g;
    uint64_t last = 0;
    open_mesh(&f, &sw, 1);
    group_random(&g, &dice, &f.t, 1, 2);
    group_open(&g, &f);
    for (uint32_t node = 0; node < NODES; node++) {
      hold_interface(&f, node, 5000);
      send(&f, (node + 1) % NODES, node, 40);
    }
    for (uint32_t i = 0; i < 400; i++)
      groups_step(&g, 0, &f);
    for (uint32_t round = 0; round < 4; round++) {
      group_begin(&g, &dice, hd_fabric_cycle(f.fabric), 1);
      uint64_t from = hd_fabric_cycle(f.fabric);
      while (!group_done(&g) && hd_fabric_cycle(f.fabric) < 5000)
        groups_step(&g, 1, &f);
      assert_true(group_done(&g));
      last = hd_fabric_cycle(f.fabric) - from;
    }
    printf("barrier %u: %u members, %llu cycles with full interfaces\n", kinds[k], g.n_members,
           (unsigned long long)last);
    assert_true(hd_fabric_cycle(f.fabric) < 2500);
  }
}
