/* Lockstep by order and packets with a DUT whose timing is not the model's: it agrees in whichever cycle the run
 * ends, and a lost packet is found. The watchdog allows for slow links.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_lockstep_foreign replays a seed.
 */
#include "../../../bridge/lockstep/lockstep_internal.h"
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

enum { NODES = 16, INJECT_CYCLES = 300 };

/* The DUT: the model with longer pipelines, which from a cycle on loses what leaves switch 5
 * for its node. */
static struct hd_dut_ops slow_ops;
static uint32_t link_cycles = 1, watchdog_cycles = 500;
static uint64_t lose_from;
static unsigned n_lost;
static bool dead;    /* it shows nothing at all */
static bool replays; /* differences after the run */
static bool only_one_node_sends;
static enum hd_routing_kind routing = HD_ROUTE_DIMENSION_ORDER;

static int slow_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; dead && j < n; j++)
    jobs[j].n_flits_out = jobs[j].n_credits_out = 0;
  for (size_t j = 0; j < n; j++)
    for (uint32_t i = 0; jobs[j].sw == 5 && jobs[j].start >= lose_from && i < jobs[j].n_flits_out;)
      if (jobs[j].flits_out[i].port == 0) {
        memmove(jobs[j].flits_out + i, jobs[j].flits_out + i + 1,
                (--jobs[j].n_flits_out - i) * sizeof *jobs[j].flits_out);
        n_lost++;
      } else {
        i++;
      }
  return status;
}

/* Software sends random single flits until INJECT_CYCLES. For comparisons by order only one node sends, because
 * timing decides the order of flits that meet. With `waits` it never ends. */
struct software {
  uint64_t random, cycle, delivered;
  uint32_t senders;
  bool waits;
};

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct software *s = context;
  s->cycle = cycle;
  for (uint32_t node = 0; cycle < INJECT_CYCLES && node < s->senders; node++) {
    uint64_t random = next_random(&s->random);
    if (random % 1000 >= 48 / s->senders)
      continue;
    struct hd_packet p = {
        .source = node, .destination = (uint32_t)(random >> 32) % NODES, .flits = 1};
    uint32_t number;
    int status = hd_fabric_send(fabric, &p, &number, err);
    if (status)
      return status;
  }
  return 0;
}

static int end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  uint32_t n;
  struct software *s = context;
  (void)cycle;
  (void)err;
  hd_fabric_deliveries(fabric, &n);
  s->delivered += n;
  return 0;
}

static uint64_t next_cycle(void *context)
{
  const struct software *s = context;
  return s->cycle < INJECT_CYCLES ? s->cycle + 1 : UINT64_MAX;
}

static bool finished(void *context)
{
  const struct software *s = context;
  return !s->waits && s->cycle >= INJECT_CYCLES;
}

struct outcome {
  struct hd_lockstep_result result;
  uint64_t sent, delivered;
  int status;
};

static void route(struct mesh *mesh)
{
  const struct hd_routing_descriptor *d = hd_routings[routing];
  if (!d->adaptive && !d->by_node)
    return;
  mesh->params.sw.cut_flits = d->adaptive;
  mesh->params.sw.adaptive = d->adaptive;
  mesh->params.sw.source_table = d->by_source;
  hd_tables_fini(&mesh->tables);
  must(hd_routing_build(&mesh->tables, &mesh->topology, routing, false, mesh->params.sw.vcs, 0,
                        &why));
}

/* Flits that the switches sent in a run, and those that a replay of the divergent switch gives for the model. */
enum { MOST_CYCLES = 4000 };
static struct sent {
  uint64_t run[NODES][MOST_CYCLES], replay[MOST_CYCLES];
  uint64_t shown, errors; /* cycles of the replay; of them those where the model has error bits */
} sent;

static uint64_t digest(const struct hd_flit_event *flit)
{
  return hd_mix64(flit->data ^ (uint64_t)flit->port << 48 ^ (uint64_t)flit->vc << 56);
}

static int note_sent(void *context, const struct hd_record *record, uint32_t cycles,
                     struct hd_error *err)
{
  (void)context;
  (void)err;
  for (uint32_t sw = 0; sw < NODES; sw++)
    for (uint32_t i = 0; i < record->switches[sw].n_flits_out; i++) {
      const struct hd_flit_event *flit = &record->switches[sw].flits_out[i];
      const uint64_t cycle = record->start + flit->cycle;
      if (flit->cycle <= cycles && cycle < MOST_CYCLES)
        sent.run[sw][cycle] += digest(flit);
    }
  return 0;
}

static int note_replayed(void *context, const struct hd_replay_cycle *c)
{
  (void)context;
  for (uint32_t i = 0; i < c->n_model_flits && c->cycle < MOST_CYCLES; i++)
    sent.replay[c->cycle] += digest(&c->model_flits[i]);
  sent.shown++;
  sent.errors += c->model->errors != 0;
  return 0;
}

/* HD_COMPARE_EXACT: the model alone. */
static struct outcome run_lockstep(enum hd_compare compare, uint64_t limit, bool waits)
{
  CLEANUP(mesh_close) struct mesh mesh;
  struct software software = {.random = seed + limit, /* other traffic for each cut */
                              .senders =
                                  compare == HD_COMPARE_ORDER || only_one_node_sends ? 1 : NODES,
                              .waits = waits};
  slow_ops = *hd_dut_model_backend();
  slow_ops.create = slow_create;
  slow_ops.run = slow_run;
  n_lost = 0;
  mesh_open(&mesh);
  mesh.params.link_cycles = link_cycles;
  route(&mesh);
  struct hd_lockstep_params p = {.fabric = &mesh.params,
                                 .topology = &mesh.topology,
                                 .tables = &mesh.tables,
                                 .dut = compare == HD_COMPARE_EXACT ? NULL : &slow_ops,
                                 .mode = compare == HD_COMPARE_EXACT ? HD_MODE_DECOUPLED
                                                                     : HD_MODE_CLOSED,
                                 .compare = compare,
                                 .window_cycles = compare == HD_COMPARE_EXACT ? 3 : 1,
                                 .threads = 1,
                                 .watchdog_cycles = watchdog_cycles,
                                 .hooks = {.context = &software,
                                           .cycle_begin = begin_cycle,
                                           .cycle_end = end,
                                           .next_cycle = next_cycle,
                                           .window_agreed = replays ? note_sent : NULL,
                                           .finished = finished}};
  CLEANUP(hd_lockstep_destroy_at) struct hd_lockstep *ls;
  struct hd_fabric_counters counters;
  struct outcome o;
  if (replays)
    memset(&sent, 0, sizeof sent);
  must(hd_lockstep_create(&ls, &p, &why));
  o.status = hd_lockstep_run(ls, limit, &o.result, &why);
  hd_fabric_counters(hd_lockstep_fabric(ls), &counters);
  o.sent = counters.packets_sent;
  o.delivered = software.delivered;
  if (replays && o.status == HD_E_DIVERGENCE &&
      hd_lockstep_replay(ls, MOST_CYCLES, 0, NULL, note_replayed, NULL, &why))
    fail_msg("%s", why.text);
  return o;
}

TEST(a_slow_dut_agrees_in_whichever_cycle_the_run_ends)
{
  unsigned drained = 0;
  lose_from = UINT64_MAX;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (uint64_t limit = 20; limit < 320; limit++) {
      struct outcome o = run_lockstep((enum hd_compare)compare, limit, false);
      if (o.status)
        fail_msg("compare %d, cut off at %llu: %s in cycle %llu, switch %u", compare,
                 (unsigned long long)limit, hd_status_text(o.status),
                 (unsigned long long)o.result.divergence.cycle, o.result.divergence.sw);
      assert_int_equal(o.delivered, o.sent);
      drained += o.result.drain_cycles > 0;
    }
  assert_true(drained > 20);
  printf("600 cuts, %u of them with packets under way, all of which came\n", drained);
}

TEST(a_packet_lost_by_a_slow_dut_is_found_in_whichever_cycle_the_run_ends)
{
  unsigned found = 0;
  lose_from = 20;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (uint64_t limit = 20; limit < 320; limit++) {
      struct outcome o = run_lockstep((enum hd_compare)compare, limit, limit % 2);
      assert_int_equal(o.status, n_lost ? HD_E_DIVERGENCE : 0);
      if (!n_lost)
        continue;
      found++;
      assert_int_equal(o.result.divergence.sw, 5);
      assert_int_equal(o.result.divergence.port, 0);
      assert_int_equal(o.result.divergence.difference,
                       compare == HD_COMPARE_ORDER ? HD_DIFF_FLIT : HD_DIFF_LOST);
      if (compare == HD_COMPARE_PACKETS)
        assert_true(o.result.divergence.lost.inside > 0 &&
                    o.result.divergence.lost.destination == 5);
    }
  assert_true(found > 100);
  printf("600 cuts, %u of them with packets lost\n", found);
}

/* The DUT's switch got other flits in each cycle than the model's. */
TEST(a_replay_shows_the_flits_that_the_model_sent)
{
  static uint64_t model[NODES][MOST_CYCLES];
  uint64_t flits = 0;
  lose_from = 100;
  replays = true;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (unsigned i = 0; i < 20; i++, seed++) {
      only_one_node_sends = compare == HD_COMPARE_ORDER;
      run_lockstep(HD_COMPARE_EXACT, 1000, false);
      memcpy(model, sent.run, sizeof model);
      struct outcome o = run_lockstep((enum hd_compare)compare, 1000, false);
      const struct hd_divergence *d = &o.result.divergence;
      if (!n_lost)
        continue;
      assert_int_equal(o.status, HD_E_DIVERGENCE);
      assert_true(sent.shown > 50);
      assert_int_equal(sent.errors, 0);
      for (uint64_t cycle = d->cycle + 1 - sent.shown; cycle < d->cycle; cycle++) {
        assert_int_equal(sent.replay[cycle], model[d->sw][cycle]);
        flits += sent.replay[cycle] != 0;
      }
    }
  seed -= 40;
  replays = only_one_node_sends = false;
  assert_true(flits > 20);
  printf("%llu cycles with flits\n", (unsigned long long)flits);
}

/* The packet's switches follow from its header, or are unknown. */
TEST(a_packet_lost_on_adaptive_or_random_routes_is_found)
{
  unsigned found = 0;
  lose_from = 20;
  for (unsigned i = 0; i < 2; i++)
    for (uint64_t limit = 20; limit < 320; limit += 7) {
      routing = i ? HD_ROUTE_VALIANT : HD_ROUTE_ADAPTIVE;
      struct outcome o = run_lockstep(HD_COMPARE_PACKETS, limit, limit % 2);
      routing = HD_ROUTE_DIMENSION_ORDER;
      assert_int_equal(o.status, n_lost ? HD_E_DIVERGENCE : 0);
      if (!n_lost)
        continue;
      found++;
      assert_int_equal(o.result.divergence.difference, HD_DIFF_LOST);
      assert_int_equal(o.result.divergence.sw, 5);
      assert_int_equal(o.result.divergence.port, 0);
      assert_true(o.result.divergence.lost.inside > 0);
    }
  assert_true(found > 10);
  printf("%u runs with packets lost\n", found);
}

/* Interfaces wait for credits that never come. */
TEST(a_dead_dut_is_found_in_whichever_cycle_the_run_ends)
{
  unsigned found = 0;
  lose_from = UINT64_MAX;
  dead = true;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (watchdog_cycles = 0; watchdog_cycles <= 500; watchdog_cycles += 500)
      for (uint64_t limit = 40; limit < 2000; limit += 97) {
        struct outcome o = run_lockstep((enum hd_compare)compare, limit, limit % 2);
        assert_int_equal(o.status, o.sent ? HD_E_DIVERGENCE : 0);
        found += o.sent != 0;
        if (o.sent)
          assert_int_equal(o.result.divergence.difference,
                           compare == HD_COMPARE_ORDER ? HD_DIFF_FLIT : HD_DIFF_LOST);
      }
  watchdog_cycles = 500;
  dead = false;
  assert_true(found > 40);
}

TEST(a_run_ends_when_the_slow_dut_has_delivered_all)
{
  lose_from = UINT64_MAX;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (unsigned i = 0; i < 20; i++, seed++) {
      struct outcome o = run_lockstep((enum hd_compare)compare, 100000, false);
      assert_int_equal(o.status, 0);
      assert_true(o.sent > 0);
      assert_int_equal(o.delivered, o.sent);
      assert_in_range(o.result.cycles - o.result.rest_cycles, INJECT_CYCLES, INJECT_CYCLES + 200);
      assert_in_range(o.result.rest_cycles, 1, 4 * HD_HELD_CYCLES + 1); /* for copies */
    }
  seed -= 40;
}

TEST(a_packet_lost_by_a_slow_dut_is_found_while_software_waits_for_it)
{
  unsigned found = 0;
  lose_from = 100;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (unsigned i = 0; i < 20; i++, seed++) {
      bool waits = i % 2;
      struct outcome o = run_lockstep((enum hd_compare)compare, 100000, waits);
      if (n_lost)
        assert_int_equal(o.status, HD_E_DIVERGENCE);
      else
        assert_int_equal(o.status, waits ? HD_E_DEADLOCK : 0);
      if (n_lost)
        assert_int_equal(o.result.divergence.sw, 5);
      /* comparison by order also names the packet whose flit only the model shows */
      if (n_lost)
        assert_in_range(o.result.divergence.packet, 0, o.sent - 1);
      assert_true(o.result.cycles < 3000);
      found += n_lost != 0;
    }
  seed -= 40;
  assert_true(found > 5);
}

TEST(a_flit_on_a_long_link_is_no_deadlock)
{
  lose_from = UINT64_MAX;
  link_cycles = 16;
  watchdog_cycles = 1;
  struct outcome o = run_lockstep(HD_COMPARE_EXACT, 100000, false);
  link_cycles = 1;
  watchdog_cycles = 500;
  assert_int_equal(o.status, 0);
  assert_true(o.sent > 0);
  assert_int_equal(o.delivered, o.sent);
}

/* One flit in the whole fabric, from corner to corner. */
struct lone {
  bool sent;
  uint64_t longest; /* cycles in which no port shows the flit */
};

static int send_lone(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct lone *lone = context;
  const struct hd_packet packet = {.source = 0, .destination = NODES - 1, .flits = 1};
  uint32_t number;
  (void)cycle;
  if (lone->sent)
    return 0;
  lone->sent = true;
  return hd_fabric_send(fabric, &packet, &number, err);
}

static int watch_lone_packet(void *context, struct hd_fabric *fabric, uint64_t cycle,
                             struct hd_error *err)
{
  struct lone *lone = context;
  struct hd_fabric_counters c;
  (void)cycle;
  (void)err;
  hd_fabric_counters(fabric, &c);
  const uint64_t silent = hd_fabric_cycle(fabric) - c.last_progress;
  if (c.packets_sent != c.packets_received && silent > lone->longest)
    lone->longest = silent;
  return 0;
}

/* If several rules are broken in one cycle, the one whose wait began first is reported; among equals that of the lowest
 * switch. */
TEST(of_several_broken_rules_the_one_whose_wait_began_first_is_reported)
{
  struct hd_divergence a = {.difference = HD_DIFF_RULE, .cycle = 128, .sw = 7}, b = a;
  a.broken.since = 40;
  b.broken.since = 41;
  b.sw = 2;
  assert_true(hd_divergence_before(&a, &b) && !hd_divergence_before(&b, &a));
  b.broken.since = 40;
  assert_true(hd_divergence_before(&b, &a) && !hd_divergence_before(&a, &b));
  b.cycle = 127; /* it was found before */
  b.broken.since = 60;
  assert_true(hd_divergence_before(&b, &a));
  b = (struct hd_divergence){.difference = HD_DIFF_FLIT, .cycle = 128, .sw = 2};
  assert_true(hd_divergence_before(&a, &b) && !hd_divergence_before(&b, &a));
}

/* A switch of these parameters may pass a flit on without any event for as long as the watchdog waits. The watchdog
 * must not wait longer. */
static void expect_patience(uint32_t route, uint32_t arb, uint32_t buffer, uint32_t link)
{
  struct mesh mesh;
  struct lone lone = {.sent = false};
  struct hd_lockstep *ls;
  struct hd_lockstep_result result;
  mesh_open(&mesh);
  mesh.params.sw.route_cycles = route;
  mesh.params.sw.arb_cycles = arb;
  mesh.params.sw.buffer_cycles = buffer;
  mesh.params.link_cycles = link;
  const struct hd_lockstep_params p = {
      .fabric = &mesh.params,
      .topology = &mesh.topology,
      .tables = &mesh.tables,
      .mode = HD_MODE_DECOUPLED,
      .compare = HD_COMPARE_EXACT,
      .window_cycles = 1,
      .threads = 1,
      .watchdog_cycles = 1,
      .hooks = {.context = &lone, .cycle_begin = send_lone, .cycle_end = watch_lone_packet}};
  must(hd_lockstep_create(&ls, &p, &why));
  must(hd_lockstep_run(ls, 300, &result, &why));
  if (hd_lockstep_stall_limit_cycles(ls, 0) != lone.longest)
    fail_msg("ROUTE_CYCLES %u, ARB_CYCLES %u, BUFFER_CYCLES %u, links of %u: the watchdog waits "
             "%llu cycles, "
             "a flit takes %llu",
             route, arb, buffer, link, (unsigned long long)hd_lockstep_stall_limit_cycles(ls, 0),
             (unsigned long long)lone.longest);
  hd_lockstep_destroy(ls);
  mesh_close(&mesh);
}

TEST(the_watchdog_waits_at_least_as_long_as_a_flit_takes)
{
  for (uint32_t route = 1; route <= 2; route++)
    for (uint32_t arb = 1; arb <= 2; arb++)
      for (uint32_t buffer = 0; buffer <= 1; buffer++)
        for (uint32_t link = 1; link <= 5; link += 2)
          expect_patience(route, arb, buffer, link);
}
