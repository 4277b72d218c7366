/* Lockstep with barrier groups that are opened while flits are under way: one digest in every mode,
 * and a wrong configuration write is found and replayed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run, HD_DUT=verilator runs the RTL.
 */
#include "../lib/switch_set.h"
#include "../lib/barrier_fabric.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/test.h"

#include "../../../bridge/backends/backend.h"
#include "../../../bridge/explain/explain.h"
#include "../../../bridge/lockstep/lockstep.h"

enum { CYCLES = 3000, GROUPS = 2, FAULTY_SWITCH = 5 };

struct bench {
  struct barrier_fabric f;
  struct hd_backend backend;
  struct group groups[GROUPS];
  struct dice dice, first;
  uint32_t holds; /* one in so many cycles; 0: none */
  uint64_t received, rounds;
};

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct bench *b = context;
  (void)err;
  b->f.fabric = fabric;
  for (uint32_t node = 0; node < 16 && cycle < CYCLES / 2; node++) {
    uint32_t number;
    if (roll(&b->dice, 100) >= 2)
      continue;
    struct hd_packet p = {
        .source = node, .destination = roll(&b->dice, 16), .flits = 1 + roll(&b->dice, 12)};
    must(hd_fabric_send(fabric, &p, &number, &why));
  }
  if (b->holds && !roll(&b->dice, b->holds))
    must(hd_fabric_hold(fabric, roll(&b->dice, 16), 1 + roll(&b->dice, 60), &why));
  for (uint32_t k = 0; k < GROUPS; k++)
    if (cycle == 100 + 200 * k) {
      group_open(&b->groups[k], &b->f);
      group_begin(&b->groups[k], &b->dice, cycle + 8, 60);
    }
  groups_arrive(b->groups, GROUPS, fabric);
  return 0;
}

static int end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct bench *b = context;
  uint32_t n;
  (void)err;
  hd_fabric_deliveries(fabric, &n);
  b->received += n;
  groups_receive(b->groups, GROUPS, fabric);
  for (uint32_t k = 0; k < GROUPS; k++) {
    struct group *g = &b->groups[k];
    if (!g->arrived || !group_done(g))
      continue;
    b->rounds++;
    g->arrived = 0;
    if (cycle < CYCLES / 2)
      group_begin(g, &b->dice, cycle, 40);
  }
  return 0;
}

static struct hd_lockstep *create_lockstep(struct bench *b, enum hd_mode mode,
                                           enum hd_compare compare, uint32_t window,
                                           uint32_t threads)
{
  struct hd_lockstep *ls;
  struct hd_lockstep_params p = {
      .fabric = &b->f.params,
      .topology = &b->f.t,
      .tables = &b->f.tables,
      .dut = b->backend.ops,
      .mode = mode,
      .compare = compare,
      .window_cycles = window,
      .threads = threads,
      .watchdog_cycles = 1000,
      .hooks = {.context = b, .cycle_begin = begin_cycle, .cycle_end = end}};
  b->dice = b->first;
  b->received = b->rounds = 0;
  for (uint32_t k = 0; k < GROUPS; k++) {
    group_random(&b->groups[k], &b->dice, &b->f.t, 4 + k, 2);
    for (uint32_t i = 0; i < b->groups[k].n_members; i++)
      b->groups[k].arrive[i] = UINT64_MAX;
  }
  must(hd_lockstep_create(&ls, &p, &why));
  return ls;
}

static void bench_open(struct bench *b, unsigned barrier, const struct hd_dut_ops *ops,
                       struct dice dice)
{
  const uint32_t dims[] = {4, 4};
  const char *dut = getenv("HD_DUT");
  *b = (struct bench){.first = dice};
  b->f.params = (struct hd_fabric_params){
      .sw = {SIMPLE_SWITCH(5, 2, 16, 4, 16), .barrier = barrier, .groups = 2, .switches = 16},
      .link_cycles = 1,
      .barrier_idle_cycles = 5};
  must(hd_topology_mesh(&b->f.t, dims, 2, &why));
  must(hd_routing_build(&b->f.tables, &b->f.t, HD_ROUTE_UP_DOWN, false, b->f.params.sw.vcs, 0,
                        &why));
  if (ops)
    b->backend.ops = ops;
  else
    must(hd_backend_open(&b->backend, dut ? dut : "model", &b->f.params.sw, NULL, &why));
}

static void bench_close(struct bench *b)
{
  if (b->backend.handle)
    hd_backend_close(&b->backend);
  hd_tables_fini(&b->f.tables);
  hd_topology_fini(&b->f.t);
}

static uint64_t run(struct bench *b, enum hd_mode mode, enum hd_compare compare, uint32_t window,
                    uint32_t threads)
{
  struct hd_lockstep_result result;
  CLEANUP(hd_lockstep_destroy_at)
  struct hd_lockstep *ls = create_lockstep(b, mode, compare, window, threads);
  must(hd_lockstep_run(ls, CYCLES, &result, &why));
  assert_int_equal(result.cycles, CYCLES);
  assert_int_equal(result.cycles_compared, CYCLES);
  assert_true(result.events_compared > 5000);
  assert_true(b->rounds > 3 && b->received > 300);
  return result.digest;
}

static void compare_modes(struct dice dice, uint32_t holds)
{
  for (unsigned barrier = 1; barrier <= 5; barrier++) {
    CLEANUP(bench_close) struct bench b;
    bench_open(&b, barrier, NULL, dice);
    b.holds = holds;
    uint64_t digest = run(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 256, 1);
    uint64_t rounds = b.rounds;
    assert_int_equal(run(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 37, 2), digest);
    assert_int_equal(run(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 1, 1), digest);
    assert_int_equal(run(&b, HD_MODE_CLOSED, HD_COMPARE_EXACT, 1, 2), digest);
    assert_int_equal(run(&b, HD_MODE_CLOSED, HD_COMPARE_ORDER, 1, 1), digest);
    assert_int_equal(run(&b, HD_MODE_CLOSED, HD_COMPARE_PACKETS, 1, 1), digest);
    assert_int_equal(b.rounds, rounds);
    printf("barrier %u: %llu rounds, %llu packets, digest 0x%016llx\n", barrier,
           (unsigned long long)b.rounds, (unsigned long long)b.received,
           (unsigned long long)digest);
  }
}

TEST(runs_with_barriers_have_the_same_digest_in_every_mode)
{
  compare_modes(
      dice_begin("runs_with_barriers_have_the_same_digest_in_every_mode", "test_barrier_lockstep"),
      0);
}

TEST(runs_with_held_interfaces_agree_in_every_mode)
{
  compare_modes(
      dice_begin("runs_with_held_interfaces_agree_in_every_mode", "test_barrier_lockstep"), 20);
}

/* A DUT whose switch forgets one port of every LOCAL. A member at that port is refused. */
static const struct hd_dut_ops *model_ops;

static int forgetful_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                         struct hd_error *err)
{
  for (size_t i = 0; i < n; i++) {
    struct hd_dut_job job = jobs[i];
    struct hd_config_event configs[64];
    for (uint32_t j = 0; j < job.n_configs_in && j < 64; j++) {
      configs[j] = job.configs_in[j];
      if (configs[j].addr == HD_CFG_LOCAL && job.sw == FAULTY_SWITCH)
        configs[j].data = 0;
    }
    job.configs_in = configs;
    int status = model_ops->run(dut, &job, 1, err);
    job.configs_in = jobs[i].configs_in;
    jobs[i] = job;
    if (status)
      return status;
  }
  return 0;
}

struct seen {
  const struct hd_divergence *d;
  uint32_t cycles, found;
};

static int compare_cycle(void *context, const struct hd_replay_cycle *c)
{
  struct seen *seen = context;
  const struct hd_divergence *d = seen->d;
  seen->cycles++;
  bool same = c->n_model_flits == c->n_dut_flits && c->n_model_credits == c->n_dut_credits &&
              c->model_quiescent == c->dut_quiescent;
  for (uint32_t i = 0; same && i < c->n_model_flits; i++)
    same = !memcmp(&c->model_flits[i], &c->dut_flits[i], sizeof c->model_flits[i]);
  if (c->cycle < d->cycle)
    assert_true(same);
  if (c->cycle == d->cycle)
    seen->found += !same;
  return 0;
}

TEST(a_configuration_write_that_a_switch_ignores_is_found_and_replayed)
{
  struct dice dice = dice_begin("a_configuration_write_that_a_switch_ignores_is_found_and_replayed",
                                "test_barrier_lockstep");
  model_ops = hd_dut_model_backend();
  struct hd_dut_ops forgetful = *model_ops;
  forgetful.run = forgetful_run;
  uint64_t cycle = 0;
  for (int i = 0; i < 3; i++) {
    CLEANUP(bench_close) struct bench b;
    struct hd_lockstep_result result;
    bench_open(&b, HD_BARRIER_ANY, &forgetful, dice);
    struct hd_lockstep *ls = create_lockstep(&b, i == 2 ? HD_MODE_CLOSED : HD_MODE_DECOUPLED,
                                             HD_COMPARE_EXACT, i ? 64 : 200, 1);
    /* The faulty switch has a member of group 0 that begins. */
    if (!group_local(&b.groups[0], &b.f.t, FAULTY_SWITCH))
      b.groups[0].members[b.groups[0].n_members] = FAULTY_SWITCH,
      b.groups[0].arrive[b.groups[0].n_members++] = UINT64_MAX;
    assert_int_equal(hd_lockstep_run(ls, CYCLES, &result, &why), HD_E_DIVERGENCE);
    assert_int_equal(result.divergence.sw, FAULTY_SWITCH);
    assert_true(result.divergence.cycle > 100);
    assert_true(!cycle || cycle == result.divergence.cycle);
    cycle = result.divergence.cycle;
    struct seen seen = {.d = &result.divergence};
    must(hd_lockstep_replay(ls, 1000, 4, NULL, compare_cycle, &seen, &why));
    assert_int_equal(seen.found, 1);
    assert_true(seen.cycles > 5);
    /* The report names the writes that may have caused the difference. */
    CLEANUP(hd_explanation_fini)
    struct hd_explanation e = {.divergence = result.divergence, .sw = b.f.params.sw};
    CLEANUP(hd_text_fini) struct hd_text text = {0};
    hd_explain_replay(&e, ls);
    assert_true(e.n_writes > 0 && e.writes[e.n_writes - 1].cycle < result.divergence.cycle);
    hd_explain_divergence(&e, &text);
    assert_non_null(strstr(hd_text_chars(&text), "configuration writes to switch"));
    assert_non_null(strstr(hd_text_chars(&text), "  OPEN\n"));
    json_t *json = hd_explain_json(&e);
    assert_int_equal(json_array_size(json_object_get(json, "writes")), e.n_writes);
    json_decref(json);
    hd_lockstep_destroy(ls);
  }
  printf("found in cycle %llu\n", (unsigned long long)cycle);
}
