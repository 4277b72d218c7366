/* Lockstep by order and by packets with barrier switches whose timing is not the model's: they
 * agree, and a barrier message that one of them loses or doubles is found.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_barrier_foreign replays a seed.
 */
#include "../lib/barrier_fabric.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/test.h"

enum { NODES = 16, GROUPS = 2, ROUNDS = 12, SPOILED = 5 };

static struct dice first_dice;

/* ── the DUT: longer pipelines, and a fault at the node of one switch ──────── */

enum fault { NO_FAULT, LOSE, DOUBLE };
static struct hd_dut_ops slow_ops;
static enum fault fault;
static unsigned spoil_at, n_local;         /* which message to the node, counted from 0 */
static struct hd_flit_event repeated_flit; /* is shown a second time */
static bool has_repeated_flit, spoiled;

static void spoil_job(struct hd_dut_job *job)
{
  bool busy = false;
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    struct hd_flit_event *flit = &job->flits_out[i];
    busy |= flit->port == 0;
    if (flit->port != 0 || flit->kind != 5 || n_local++ != spoil_at)
      continue;
    spoiled = true;
    if (fault == DOUBLE) {
      repeated_flit = *flit;
      has_repeated_flit = true;
    } else {
      memmove(flit, flit + 1, (--job->n_flits_out - i) * sizeof *flit);
      i--;
    }
  }
  if (!has_repeated_flit || busy)
    return;
  /* Windows have one cycle, so events of port 0 come first. */
  memmove(job->flits_out + 1, job->flits_out, job->n_flits_out++ * sizeof repeated_flit);
  job->flits_out[0] = repeated_flit;
  has_repeated_flit = false;
}

static int slow_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; fault != NO_FAULT && j < n; j++)
    if (jobs[j].sw == SPOILED)
      spoil_job(&jobs[j]);
  return status;
}

/* ── software: each node arrives again when it is released ─────────────────── */

struct software {
  struct barrier_fabric f;
  struct dice dice;
  struct group groups[GROUPS];
  uint32_t n_groups, senders;
  uint64_t arrive[GROUPS][NODES]; /* cycle of the next arrival, or none */
  uint32_t releases[GROUPS][NODES];
  bool awaits[GROUPS][NODES], strict;
  uint64_t now, released;
};

static bool is_member(const struct group *g, uint32_t node)
{
  for (uint32_t i = 0; i < g->n_members; i++)
    if (g->members[i] == node)
      return true;
  return false;
}

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct software *s = context;
  (void)err;
  s->now = cycle;
  s->f.fabric = fabric;
  for (uint32_t k = 0; cycle == 0 && k < s->n_groups; k++)
    group_open(&s->groups[k], &s->f);
  for (uint32_t k = 0; k < s->n_groups; k++)
    for (uint32_t node = 0; node < NODES; node++)
      if (s->arrive[k][node] == cycle) {
        s->awaits[k][node] = true;
        must(hd_fabric_barrier_send(fabric, node, hd_barrier_local(HD_REDUCE, s->groups[k].id),
                                    &why));
      }
  for (uint32_t node = 0; cycle < 300 && node < s->senders; node++) {
    struct hd_packet p = {.source = node, .destination = roll(&s->dice, NODES), .flits = 1};
    uint32_t number;
    if (!roll(&s->dice, 20))
      must(hd_fabric_send(fabric, &p, &number, &why));
  }
  return 0;
}

static int end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct software *s = context;
  uint32_t n;
  const struct hd_barrier_delivery *d = hd_fabric_barrier_deliveries(fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = (d[i].message >> 4 & 31) - s->groups[0].id, node = d[i].node;
    assert_true(k < s->n_groups);
    if (!s->awaits[k][node] && s->strict)
      return hd_fail(err, HD_E_INPUT, "node %u awaits nothing", node);
    if (!s->awaits[k][node])
      continue;
    s->awaits[k][node] = false;
    s->released++;
    if (++s->releases[k][node] < ROUNDS)
      s->arrive[k][node] = cycle + 1 + roll(&s->dice, 20);
  }
  return 0;
}

static uint64_t next_cycle(void *context)
{
  const struct software *s = context;
  uint64_t next = s->now < 300 ? s->now + 1 : UINT64_MAX;
  for (uint32_t k = 0; k < s->n_groups; k++)
    for (uint32_t node = 0; node < NODES; node++)
      if (s->arrive[k][node] > s->now && s->arrive[k][node] < next)
        next = s->arrive[k][node];
  return next;
}

static bool finished(void *context)
{
  const struct software *s = context;
  for (uint32_t k = 0; k < s->n_groups; k++)
    for (uint32_t node = 0; node < NODES; node++)
      if (is_member(&s->groups[k], node) && s->releases[k][node] < ROUNDS)
        return false;
  return true;
}

struct outcome {
  struct hd_lockstep_result result;
  int status;
  uint64_t released;
  uint32_t members; /* memberships */
};

/* Comparison by order puts all messages of a node into one sequence. So the test then uses one group and one sender,
 * because timing decides the order of messages that meet. */
static struct outcome run_lockstep(enum hd_compare compare, unsigned barrier, bool strict)
{
  const uint32_t dims[] = {4, 4};
  struct software s = {.dice = first_dice, .strict = strict};
  struct hd_switch_params sw = {.vcs = barrier == 3 || barrier == 4 ? 1 : 2,
                                .data_bits = 32,
                                .depth_flits = 4,
                                .route_cycles = 1,
                                .arb_cycles = 1,
                                .barrier = barrier,
                                .groups = GROUPS};
  struct hd_lockstep *ls;
  struct outcome o = {.status = 0};
  s.n_groups = compare == HD_COMPARE_ORDER ? 1 : GROUPS;
  s.senders = compare == HD_COMPARE_ORDER ? 1 : NODES;
  slow_ops = *hd_dut_model_backend();
  slow_ops.create = slow_create;
  slow_ops.run = slow_run;
  n_local = 0;
  has_repeated_flit = spoiled = false;
  must(hd_topology_mesh(&s.f.t, dims, 2, &why));
  barrier_fabric_open(&s.f, &sw, 1, 5);
  hd_fabric_destroy(s.f.fabric); /* lockstep has its own */
  for (uint32_t k = 0; k < s.n_groups; k++) {
    group_random(&s.groups[k], &s.dice, &s.f.t, 4 + k, 2);
    if (!is_member(&s.groups[k], SPOILED))
      s.groups[k].members[s.groups[k].n_members++] = SPOILED;
    o.members += s.groups[k].n_members;
    for (uint32_t node = 0; node < NODES; node++)
      s.arrive[k][node] = is_member(&s.groups[k], node) ? 20 + roll(&s.dice, 20) : UINT64_MAX;
  }
  struct hd_lockstep_params p = {.fabric = &s.f.params,
                                 .topology = &s.f.t,
                                 .tables = &s.f.tables,
                                 .dut = &slow_ops,
                                 .mode = HD_MODE_CLOSED,
                                 .compare = compare,
                                 .window_cycles = 1,
                                 .threads = 1,
                                 .watchdog_cycles = 5000,
                                 .hooks = {.context = &s,
                                           .cycle_begin = begin_cycle,
                                           .cycle_end = end,
                                           .next_cycle = next_cycle,
                                           .finished = finished}};
  must(hd_lockstep_create(&ls, &p, &why));
  o.status = hd_lockstep_run(ls, 100000, &o.result, &why);
  if (o.status && o.status != HD_E_DIVERGENCE)
    print_error("%s\n", why.text);
  o.released = s.released;
  hd_lockstep_destroy(ls); /* it is destroyed before the topology that it uses */
  hd_tables_fini(&s.f.tables);
  hd_topology_fini(&s.f.t);
  return o;
}

TEST(slow_switches_with_barriers_agree_with_the_model)
{
  fault = NO_FAULT;
  uint64_t released = 0;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (unsigned barrier = 1; barrier <= 5; barrier++) {
      struct outcome o = run_lockstep((enum hd_compare)compare, barrier, true);
      if (o.status)
        fail_msg("compare %d, barrier %u: difference %d in cycle %llu, switch %u, port %u", compare,
                 barrier, o.result.divergence.difference,
                 (unsigned long long)o.result.divergence.cycle, o.result.divergence.sw,
                 o.result.divergence.port);
      assert_int_equal(o.released, (uint64_t)ROUNDS * o.members);
      released += o.released;
    }
  printf("%llu barrier messages compared\n", (unsigned long long)released);
}

static void must_find(enum fault what, bool strict)
{
  fault = what;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++)
    for (unsigned barrier = 1; barrier <= 5; barrier++)
      for (spoil_at = 0; spoil_at < ROUNDS; spoil_at += 5) {
        struct outcome o = run_lockstep((enum hd_compare)compare, barrier, strict);
        assert_true(spoiled);
        assert_int_equal(o.status, HD_E_DIVERGENCE);
        assert_int_equal(o.result.divergence.difference, HD_DIFF_BARRIER);
        assert_int_equal(o.result.divergence.sw, SPOILED);
        assert_int_equal(o.result.divergence.port, 0);
        /* A copy that comes late is taken for the next round's message. Its node then arrives too early, and is
         * refused. */
        assert_true(what == LOSE ? o.result.divergence.has_expected : o.result.divergence.has_got);
        assert_true(o.result.cycles < 10000);
      }
}

TEST(a_lost_barrier_message_is_found_while_software_waits_for_it)
{
  must_find(LOSE, true);
}

TEST(a_doubled_barrier_message_is_found_with_and_without_a_software_error)
{
  must_find(DOUBLE, false);
  must_find(DOUBLE, true);
}

int main(void)
{
  first_dice = dice_begin("barriers, foreign timing", "test_barrier_foreign");
  return tests_run(NULL, NULL);
}
