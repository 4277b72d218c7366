/* Several locksteps run together on one DUT. Each has the same results as alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_lockstep_together replays a seed.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

enum { NODES = 16, RUNS = 5, CYCLES = 2000, BAD_SWITCH = 6, NOBODY = UINT32_MAX };

static uint32_t bad_switch, bad_register; /* of the DUT's switches; NOBODY: all are right */
static uint64_t bad_cycle;
static size_t most_jobs; /* in a call */

/* The model as a DUT that takes batches. Its bad switch shows other data from a cycle on. */
static int run_batch(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  const int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  most_jobs = n > most_jobs ? n : most_jobs;
  for (size_t i = 0; i < n && !status; i++)
    for (uint32_t k = 0; k < jobs[i].n_flits_out && jobs[i].sw == bad_switch; k++)
      if (jobs[i].start + jobs[i].flits_out[k].cycle >= bad_cycle)
        jobs[i].flits_out[k].data ^= 1;
  return status;
}

/* The bad switch has recorded an error. */
static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  const int status = hd_dut_model_backend()->config_read(dut, sw, addr, data, err);
  if (sw == bad_register)
    *data ^= 1;
  return status;
}

struct traffic {
  uint64_t random;
};

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct traffic *t = context;
  int status = HD_OK;
  (void)cycle;
  for (uint32_t node = 0; node < NODES && !status; node++)
    if (next_random(&t->random) % 1000 < 60) {
      struct hd_packet p = {.source = node,
                            .destination = (uint32_t)(next_random(&t->random) % NODES),
                            .flits = 1 + (uint32_t)(next_random(&t->random) % 6)};
      uint32_t number;
      status = hd_fabric_send(fabric, &p, &number, err);
    }
  return status;
}

/* The divergence as a replay shows it. */
struct replayed {
  uint64_t cycle, cycles, early_differences;
  bool differs;
};

static int compare_cycle(void *context, const struct hd_replay_cycle *c)
{
  struct replayed *r = context;
  const bool differs = c->n_model_flits != c->n_dut_flits ||
                       (c->n_dut_flits && memcmp(c->model_flits, c->dut_flits,
                                                 c->n_dut_flits * sizeof *c->dut_flits));
  r->cycles++;
  if (c->cycle < r->cycle)
    r->early_differences += differs;
  else if (c->cycle == r->cycle)
    r->differs = differs;
  return HD_OK;
}

struct outcome {
  struct hd_lockstep_result result;
  struct replayed replayed;
  int status;
};

static uint64_t cycles_of(uint32_t run)
{
  return CYCLES - 300 * (run % 3); /* they end one after the other, and inside a window */
}

/* Runs `from` … `from + n - 1`, together. */
static void run_together(uint32_t from, uint32_t n, uint32_t threads, struct outcome *outcomes)
{
  struct mesh mesh;
  struct hd_dut_ops ops = *hd_dut_model_backend();
  struct hd_lockstep *locksteps[RUNS];
  struct hd_lockstep_params params[RUNS];
  struct hd_lockstep_turn turns[RUNS];
  struct traffic traffic[RUNS];
  mesh_open(&mesh);
  ops.capabilities |= HD_DUT_BATCH;
  ops.run = run_batch;
  ops.config_read = config_read;
  for (uint32_t i = 0; i < n; i++) {
    traffic[i].random = hd_mix64(seed + from + i) | 1;
    params[i] =
        (struct hd_lockstep_params){.fabric = &mesh.params,
                                    .topology = &mesh.topology,
                                    .tables = &mesh.tables,
                                    .dut = &ops,
                                    .window_cycles = 64,
                                    .threads = threads,
                                    .hooks = {.context = &traffic[i], .cycle_begin = begin_cycle}};
  }
  must(hd_lockstep_create_together(locksteps, params, n, &why));
  for (uint32_t i = 0; i < n; i++)
    turns[i] = (struct hd_lockstep_turn){
        .lockstep = locksteps[i], .cycles = cycles_of(from + i), .result = &outcomes[i].result};
  hd_lockstep_run_together(turns, n);
  for (uint32_t i = 0; i < n; i++) {
    outcomes[i].status = turns[i].status;
    outcomes[i].replayed = (struct replayed){.cycle = outcomes[i].result.divergence.cycle};
    if (turns[i].status == HD_E_DIVERGENCE &&
        hd_lockstep_replay(locksteps[i], 30, 5, NULL, compare_cycle, &outcomes[i].replayed, &why))
      fail_msg("%s", why.text);
  }
  for (uint32_t i = 0; i < n; i++)
    hd_lockstep_destroy(locksteps[i]);
  mesh_close(&mesh);
}

static void assert_same(const struct outcome *together, const struct outcome *alone)
{
  const struct hd_lockstep_result *a = &together->result, *b = &alone->result;
  assert_int_equal(together->status, alone->status);
  assert_true(a->digest == b->digest);
  assert_int_equal(a->cycles, b->cycles);
  assert_int_equal(a->cycles_compared, b->cycles_compared);
  assert_int_equal(a->events_compared, b->events_compared);
  assert_int_equal(a->switch_cycles, b->switch_cycles);
  assert_memory_equal(&a->divergence, &b->divergence, sizeof a->divergence);
  assert_memory_equal(&together->replayed, &alone->replayed, sizeof alone->replayed);
}

enum fault { NONE, FLIT, REGISTER, FAULTS };

/* Once without a fault, and once with a fault in one run, which must not change the others. */
TEST(locksteps_on_one_dut_have_the_same_results_as_alone)
{
  static const char *const names[] = {"no fault", "a wrong flit", "a wrong register"};
  static const uint32_t has[] = {RUNS, 1, 3}; /* the run with the fault */
  struct outcome together[RUNS] = {0}, alone[RUNS] = {0};
  bad_cycle = 700;
  for (uint32_t threads = 1; threads <= 2; threads++)
    for (enum fault fault = NONE; fault < FAULTS; fault++) {
      uint64_t events = 0;
      most_jobs = 0;
      bad_switch = fault == FLIT ? has[fault] * NODES + BAD_SWITCH : NOBODY;
      bad_register = fault == REGISTER ? has[fault] * NODES + BAD_SWITCH : NOBODY;
      run_together(0, RUNS, threads, together);
      assert_int_equal(most_jobs, RUNS * NODES); /* one call has the windows of all locksteps */
      for (uint32_t i = 0; i < RUNS; i++) {
        bad_switch = fault == FLIT && i == has[fault] ? BAD_SWITCH : NOBODY;
        bad_register = fault == REGISTER && i == has[fault] ? BAD_SWITCH : NOBODY;
        run_together(i, 1, threads, &alone[i]);
        assert_same(&together[i], &alone[i]);
        assert_int_equal(together[i].status, i == has[fault] ? HD_E_DIVERGENCE : HD_OK);
        for (uint32_t k = 0; k < i; k++)
          assert_true(together[i].result.digest != together[k].result.digest);
        events += together[i].result.events_compared;
      }
      printf("%u threads, %s: %llu events compared\n", threads, names[fault],
             (unsigned long long)events);
      assert_true(events > 10000);
      if (fault != NONE)
        assert_int_equal(together[has[fault]].result.divergence.sw, BAD_SWITCH);
      if (fault != FLIT)
        continue;
      assert_true(together[1].result.divergence.cycle >= bad_cycle);
      assert_true(together[1].replayed.cycles > 30 && together[1].replayed.differs);
      assert_int_equal(together[1].replayed.early_differences, 0);
    }
}
