/* Lockstep: one digest in every mode, window and thread count; a planted difference is
 * found at the same cycle and switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_lockstep replays a seed. HD_DUT=verilator runs the RTL.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

#include <pthread.h>
#include <stdatomic.h>

struct bench {
  struct mesh mesh;
  struct hd_backend backend;
  uint64_t random, inject_cycles, delivered, agreed;
  uint64_t stop_cycle; /* software has ended */
  bool ended;
  bool full; /* the callback cannot store what agreed */
  unsigned per_1000;
  uint32_t flits;
};

static int begin_cycle_at_random(void *context, struct hd_fabric *fabric, uint64_t cycle,
                                 struct hd_error *err)
{
  struct bench *b = context;
  b->ended = cycle >= b->stop_cycle;
  for (uint32_t node = 0; cycle < b->inject_cycles && node < b->mesh.topology.n_nodes; node++)
    if (next_random(&b->random) % 1000 < b->per_1000) {
      struct hd_packet p = {.source = node,
                            .destination =
                                (uint32_t)(next_random(&b->random) % b->mesh.topology.n_nodes),
                            .flits = b->flits};
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
  struct bench *b = context;
  (void)cycle;
  (void)err;
  hd_fabric_deliveries(fabric, &n);
  b->delivered += n;
  return 0;
}

static bool finished(void *context)
{
  struct bench *b = context;
  return b->ended;
}

static int note_agreement(void *context, const struct hd_record *record, uint32_t cycles,
                          struct hd_error *err)
{
  struct bench *b = context;
  assert_int_equal(record->start, b->agreed);
  b->agreed += cycles;
  return b->full && cycles < record->cycles ? hd_fail(err, HD_E_IO, "no room") : 0;
}

static void bench_open(struct bench *b, const struct hd_dut_ops *ops)
{
  const char *dut = getenv("HD_DUT");
  *b = (struct bench){.inject_cycles = 1500, .stop_cycle = UINT64_MAX, .per_1000 = 60, .flits = 4};
  mesh_open(&b->mesh);
  if (ops)
    b->backend.ops = ops;
  else
    must(hd_backend_open(&b->backend, dut ? dut : "model", &b->mesh.params.sw, NULL, &why));
}

static void bench_close(struct bench *b)
{
  if (b->backend.handle)
    hd_backend_close(&b->backend);
  mesh_close(&b->mesh);
}

/* The cycle_begin callback of the next lockstep. */
static int (*begin_cycle)(void *context, struct hd_fabric *fabric, uint64_t cycle,
                          struct hd_error *err) = begin_cycle_at_random;

static struct hd_lockstep *create_lockstep(struct bench *b, enum hd_mode mode,
                                           enum hd_compare compare, uint32_t window,
                                           uint32_t threads)
{
  struct hd_lockstep *ls;
  struct hd_lockstep_params p = {.fabric = &b->mesh.params,
                                 .topology = &b->mesh.topology,
                                 .tables = &b->mesh.tables,
                                 .dut = b->backend.ops,
                                 .mode = mode,
                                 .compare = compare,
                                 .window_cycles = window,
                                 .threads = threads,
                                 .watchdog_cycles = 1000,
                                 .hooks = {.context = b,
                                           .cycle_begin = begin_cycle,
                                           .cycle_end = end,
                                           .finished = finished,
                                           .window_agreed = note_agreement}};
  b->random = seed;
  b->agreed = b->delivered = 0;
  b->ended = false;
  must(hd_lockstep_create(&ls, &p, &why));
  return ls;
}

TEST(the_digest_is_the_same_in_every_mode)
{
  static const uint32_t windows[] = {1, 7, 256, 4096};
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r, first = {0};
  unsigned runs = 0;
  bench_open(&b, NULL);
  for (unsigned closed = 0; closed < 2; closed++)
    for (uint32_t threads = 1; threads <= 2; threads++)
      for (unsigned w = 0; w < (closed ? 1 : 4); w++) {
        CLEANUP(hd_lockstep_destroy_at)
        struct hd_lockstep *ls = create_lockstep(&b, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED,
                                                 HD_COMPARE_EXACT, windows[w], threads);
        int status = hd_lockstep_run(ls, 2000, &r, &why);
        if (status)
          fail_msg("closed %u threads %u window %u: %s (kind %d port %u vc %u)", closed, threads,
                   windows[w], why.text, (int)r.divergence.difference, r.divergence.port,
                   r.divergence.vc);
        assert_int_equal(r.cycles, 2000);
        assert_int_equal(r.cycles_compared, 2000);
        assert_int_equal(b.agreed, 2000);
        assert_true(r.events_compared > 10000);
        assert_true(b.delivered > 500);
        if (!runs++)
          first = r;
        assert_int_equal(r.digest, first.digest);
        assert_int_equal(r.events_compared, first.events_compared);
      }
  b.backend.ops = b.backend.handle ? b.backend.ops : NULL;
  print_message("digest %016llx in %u runs of 2000 cycles\n", (unsigned long long)first.digest,
                runs);
}

/* A DUT with a fault: the model behind the contract, but in one switch one flit of a chosen
 * cycle on gets another virtual channel. */
enum { FAULTY_SWITCH = 6, FAULT_CYCLE = 700 };
static struct hd_dut_ops faulty_ops;
static _Atomic size_t most_jobs; /* most jobs of one call */

static void bench_open_faulty(struct bench *b,
                              int (*run)(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                                         struct hd_error *err))
{
  faulty_ops = *hd_dut_model_backend();
  faulty_ops.run = run;
  bench_open(b, &faulty_ops);
}

static int faulty_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  if (n > most_jobs)
    most_jobs = n;
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    for (uint32_t i = 0; jobs[j].sw == FAULTY_SWITCH && i < jobs[j].n_flits_out; i++)
      if (jobs[j].start + jobs[j].flits_out[i].cycle >= FAULT_CYCLE)
        jobs[j].flits_out[i].vc ^= 1;
  return status;
}

static int count_look(void *context, const struct hd_replay_cycle *cycle)
{
  uint64_t *seen = context;
  seen[0]++;
  if (cycle->n_model_flits != cycle->n_dut_flits ||
      (cycle->n_dut_flits &&
       memcmp(cycle->model_flits, cycle->dut_flits, cycle->n_dut_flits * sizeof *cycle->dut_flits)))
    seen[1] = seen[1] ? seen[1] : cycle->cycle;
  return 0;
}

TEST(a_fault_is_found_at_the_same_place_in_every_mode)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r, first = {0};
  bench_open_faulty(&b, faulty_run);
  for (unsigned i = 0; i < 10; i++) {
    static const uint32_t windows[] = {256, 1, 7, 4096, 1};
    bool batch = i >= 5;
    faulty_ops.capabilities |= batch ? HD_DUT_BATCH : 0;
    most_jobs = 0;
    CLEANUP(hd_lockstep_destroy_at)
    struct hd_lockstep *ls = create_lockstep(&b, i % 5 == 4 ? HD_MODE_CLOSED : HD_MODE_DECOUPLED,
                                             HD_COMPARE_EXACT, windows[i % 5], 1 + i % 2);
    assert_int_equal(hd_lockstep_run(ls, 2000, &r, &why), HD_E_DIVERGENCE);
    assert_int_equal(r.divergence.difference, HD_DIFF_FLIT);
    assert_int_equal(r.divergence.sw, FAULTY_SWITCH);
    assert_true(r.divergence.cycle >= FAULT_CYCLE && r.divergence.cycle < FAULT_CYCLE + 100);
    if (i == 0)
      first = r;
    assert_int_equal(r.divergence.cycle, first.divergence.cycle);
    assert_int_equal(r.divergence.port, first.divergence.port);
    assert_int_equal(r.divergence.packet, first.divergence.packet);
    assert_int_not_equal(r.divergence.packet, HD_PACKET_NONE);
    assert_int_equal(r.cycles_compared, r.divergence.cycle - 1);
    assert_int_equal(most_jobs, batch ? b.mesh.topology.n_switches : 1);
    uint64_t seen[2] = {0, 0};
    must(hd_lockstep_replay(ls, 64, 32, NULL, count_look, seen, &why));
    assert_int_equal(seen[1], r.divergence.cycle);
    assert_true(seen[0] >= 60);
  }
}

/* With one thread, the DUT replays a window before the model continues. With two threads, both run at the same time.
 */
TEST(a_divergence_is_the_same_with_one_and_with_two_threads)
{
  static const uint32_t windows[] = {7, 256, 4096};
  CLEANUP(bench_close) struct bench b;
  bench_open_faulty(&b, faulty_run);
  for (unsigned w = 0; w < 3; w++) {
    struct hd_lockstep_result r[2];
    uint64_t delivered[2], seen[2][2] = {{0}};
    for (uint32_t i = 0; i < 2; i++) {
      CLEANUP(hd_lockstep_destroy_at)
      struct hd_lockstep *ls =
          create_lockstep(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, windows[w], 1 + i);
      assert_int_equal(hd_lockstep_run(ls, 2000, &r[i], &why), HD_E_DIVERGENCE);
      delivered[i] = b.delivered;
      must(hd_lockstep_replay(ls, 4096, 32, NULL, count_look, seen[i], &why));
    }
    assert_int_equal(r[0].digest, r[1].digest);
    assert_int_equal(r[0].cycles, r[1].cycles);
    assert_int_equal(r[0].events_compared, r[1].events_compared);
    assert_int_equal(r[0].cycles_compared, r[1].cycles_compared);
    assert_int_equal(r[0].divergence.cycle, r[1].divergence.cycle);
    assert_int_equal(delivered[0], delivered[1]);
    assert_int_equal(seen[0][0], seen[1][0]);
    assert_int_equal(seen[0][1], r[0].divergence.cycle);
    assert_int_equal(seen[1][1], r[0].divergence.cycle);
  }
}

TEST(comparisons_by_order_and_by_packets_agree_in_closed_loop)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bench_open(&b, NULL);
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++) {
    CLEANUP(hd_lockstep_destroy_at)
    struct hd_lockstep *ls = create_lockstep(&b, HD_MODE_CLOSED, (enum hd_compare)compare, 1, 1);
    if (hd_lockstep_run(ls, 2000, &r, &why))
      fail_msg("compare %d: %s", compare, why.text);
    assert_int_equal(r.cycles - r.drain_cycles, 2000);
    assert_true(b.delivered > 500);
  }
}

/* A DUT that loses a packet of one flit, so that no port shows an error afterwards. */
static int losing_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  static bool lost;
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++) {
    struct hd_dut_job *job = &jobs[j];
    lost = lost && job->start > 0;
    if (job->sw != FAULTY_SWITCH || job->start < FAULT_CYCLE || lost)
      continue;
    for (uint32_t i = 0; i < job->n_flits_out && !lost; i++)
      if (job->flits_out[i].port == 0) {
        memmove(job->flits_out + i, job->flits_out + i + 1,
                (--job->n_flits_out - i) * sizeof *job->flits_out);
        lost = true;
      }
  }
  return status;
}

/* The first flit of switch 1 is lost. */
static int losing_first_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                            struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    if (jobs[j].sw == 1 && jobs[j].start < 100)
      jobs[j].n_flits_out = 0;
  return status;
}

TEST(a_lost_packet_is_found_by_order_and_by_packets)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bench_open_faulty(&b, losing_run);
  b.flits = 1;
  b.stop_cycle = b.inject_cycles;
  for (int compare = HD_COMPARE_ORDER; compare <= HD_COMPARE_PACKETS; compare++) {
    CLEANUP(hd_lockstep_destroy_at)
    struct hd_lockstep *ls = create_lockstep(&b, HD_MODE_CLOSED, (enum hd_compare)compare, 1, 1);
    assert_int_equal(hd_lockstep_run(ls, 9000, &r, &why), HD_E_DIVERGENCE);
    assert_int_equal(r.divergence.sw, FAULTY_SWITCH);
    assert_int_equal(r.divergence.difference,
                     compare == HD_COMPARE_ORDER ? HD_DIFF_FLIT : HD_DIFF_LOST);
  }
}

/* Sends one packet early through switches 0 to 3, and later packets through switches 12 to 15. */
static int begin_two_rows(void *context, struct hd_fabric *fabric, uint64_t cycle,
                          struct hd_error *err)
{
  struct bench *b = context;
  struct hd_packet p = {.source = 0, .destination = 3, .flits = 1};
  uint32_t number;
  b->ended = cycle >= b->stop_cycle;
  if (cycle % 8 || cycle > 6000)
    return 0;
  if (cycle)
    p.source = 12, p.destination = 15;
  return hd_fabric_send(fabric, &p, &number, err);
}

/* Comparison by order finds the difference at the end of the run. The history may then have dropped the cycles around
 * it. */
TEST(a_divergence_older_than_the_history_is_not_replayed)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  uint64_t seen[2] = {0, 0};
  bench_open_faulty(&b, losing_first_run);
  b.stop_cycle = 6000;
  begin_cycle = begin_two_rows;
  CLEANUP(hd_lockstep_destroy_at)
  struct hd_lockstep *ls = create_lockstep(&b, HD_MODE_CLOSED, HD_COMPARE_ORDER, 1, 1);
  begin_cycle = begin_cycle_at_random;
  assert_int_equal(hd_lockstep_run(ls, 9000, &r, &why), HD_E_DIVERGENCE);
  assert_int_equal(r.divergence.sw, 1);
  assert_true(r.divergence.cycle < 100 && hd_lockstep_last(ls) > 6000);
  must_fail(hd_lockstep_replay(ls, 64, 32, NULL, count_look, seen, &why), HD_E_INPUT,
            "are not kept any more");
  assert_int_equal(seen[0], 0);
  assert_int_equal(hd_lockstep_replay_from(ls, 3, 10, 20, NULL, count_look, seen, &why),
                   HD_E_INPUT);
  assert_int_equal(seen[0], 0);
}

/* A DUT that watches how it is called: dut.h lets only `run` be called from several threads. */
static struct hd_dut_ops strict_ops;
static atomic_uint runs_under_way, snapshots, breaches;
static pthread_t caller;

static int strict_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  atomic_fetch_add(&runs_under_way, 1);
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  atomic_fetch_sub(&runs_under_way, 1);
  return status;
}

static int strict_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                       struct hd_error *err)
{
  snapshots++;
  breaches += runs_under_way != 0 || !pthread_equal(pthread_self(), caller);
  return hd_dut_model_backend()->snapshot_save(dut, sw, buffer, err);
}

TEST(snapshots_are_taken_by_one_thread_while_no_switch_runs)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  strict_ops = *hd_dut_model_backend();
  strict_ops.run = strict_run;
  strict_ops.snapshot_save = strict_save;
  caller = pthread_self();
  bench_open(&b, &strict_ops);
  for (unsigned closed = 0; closed < 2; closed++) {
    struct hd_lockstep *ls =
        create_lockstep(&b, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 7, 3);
    snapshots = 0;
    must(hd_lockstep_run(ls, 2000, &r, &why));
    assert_true(snapshots >= 3 * b.mesh.topology.n_switches);
    assert_int_equal(breaches, 0);
    hd_lockstep_destroy(ls);
  }
}

/* A DUT whose quiescent_o falls in cycle 1, in which no port shows an event. */
static int early_toggle_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                            struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    if (jobs[j].sw == FAULTY_SWITCH && jobs[j].start == 0) {
      memmove(jobs[j].toggles + 1, jobs[j].toggles, jobs[j].n_toggles * sizeof *jobs[j].toggles);
      jobs[j].toggles[0] = 1;
      jobs[j].n_toggles++;
    } else if (jobs[j].sw == FAULTY_SWITCH) {
      jobs[j].quiescent = !jobs[j].quiescent;
    }
  return status;
}

static int note_difference_in_cycle_1(void *context, const struct hd_replay_cycle *cycle)
{
  bool *saw = context;
  *saw |= cycle->cycle == 1 && cycle->model_quiescent && !cycle->dut_quiescent;
  return 0;
}

TEST(a_divergence_in_the_first_cycle_is_replayed)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bool saw = false;
  bench_open_faulty(&b, early_toggle_run);
  CLEANUP(hd_lockstep_destroy_at)
  struct hd_lockstep *ls = create_lockstep(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 64, 1);
  assert_int_equal(hd_lockstep_run(ls, 500, &r, &why), HD_E_DIVERGENCE);
  assert_int_equal(r.divergence.difference, HD_DIFF_QUIESCENT);
  assert_int_equal(r.divergence.cycle, 1);
  assert_int_equal(r.divergence.port, 0xff);
  assert_int_equal(r.divergence.vc, 0xff);
  must(hd_lockstep_replay(ls, 64, 8, NULL, note_difference_in_cycle_1, &saw, &why));
  assert_true(saw);
}

/* A DUT whose quiescent_o is inverted, so it changes whenever the model's does. */
static int inverted_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    jobs[j].quiescent ^= jobs[j].sw == FAULTY_SWITCH;
  return status;
}

static int saw_inverted(void *context, const struct hd_replay_cycle *cycle)
{
  unsigned *saw = context;
  *saw += cycle->model_quiescent != cycle->dut_quiescent;
  return 0;
}

TEST(an_inverted_quiescent_o_is_found_by_its_level)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bench_open_faulty(&b, inverted_run);
  for (unsigned closed = 0; closed < 2; closed++) {
    unsigned saw = 0;
    struct hd_lockstep *ls =
        create_lockstep(&b, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 64, 2);
    assert_int_equal(hd_lockstep_run(ls, 500, &r, &why), HD_E_DIVERGENCE);
    assert_int_equal(r.divergence.difference, HD_DIFF_QUIESCENT);
    assert_int_equal(r.divergence.cycle, 0);
    assert_int_equal(r.divergence.port, 0xff);
    assert_int_equal(r.divergence.vc, 0xff);
    assert_int_equal(r.divergence.sw, FAULTY_SWITCH);
    assert_true(r.divergence.expected_quiescent && !r.divergence.got_quiescent);
    must(hd_lockstep_replay(ls, 64, 0, NULL, saw_inverted, &saw, &why));
    assert_int_equal(saw, 1);
    hd_lockstep_destroy(ls);
  }
}

/* A DUT of which one switch gives no credits from a cycle on. */
static uint64_t no_credits_from;

static int no_credits_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                          struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    while (jobs[j].sw == FAULTY_SWITCH && jobs[j].n_credits_out &&
           jobs[j].start + jobs[j].credits_out[jobs[j].n_credits_out - 1].cycle >= no_credits_from)
      jobs[j].n_credits_out--;
  return status;
}

/* The packets at the front of the divergent channel, from the divergence on backwards. */
enum { FRONTS = 64 };
struct fronts {
  uint64_t divergence;
  uint32_t packets[FRONTS];
};

static int note_front(void *context, const struct hd_replay_cycle *cycle)
{
  struct fronts *f = context;
  if (cycle->cycle <= f->divergence && f->divergence - cycle->cycle < FRONTS)
    f->packets[f->divergence - cycle->cycle] = cycle->front;
  return 0;
}

/* In closed loop the DUT's fabric passes the flits of a cycle to a switch in another order than the model does. With
 * several threads the order is arbitrary. */
TEST(a_replay_names_the_same_packets_in_every_mode)
{
  static const enum hd_mode modes[] = {HD_MODE_DECOUPLED, HD_MODE_CLOSED, HD_MODE_CLOSED};
  CLEANUP(bench_close) struct bench b;
  unsigned known = 0;
  bench_open_faulty(&b, no_credits_run);
  b.per_1000 = 100;
  for (no_credits_from = 200; no_credits_from < 1200; no_credits_from += 100) {
    struct fronts f[3];
    for (unsigned i = 0; i < 3; i++) {
      struct hd_lockstep_result r;
      CLEANUP(hd_lockstep_destroy_at)
      struct hd_lockstep *ls = create_lockstep(&b, modes[i], HD_COMPARE_EXACT, 64, 1 + i % 2);
      assert_int_equal(hd_lockstep_run(ls, 2000, &r, &why), HD_E_DIVERGENCE);
      assert_int_equal(r.divergence.difference, HD_DIFF_CREDIT);
      f[i].divergence = r.divergence.cycle;
      memset(f[i].packets, 0xff, sizeof f[i].packets);
      must(hd_lockstep_replay(ls, FRONTS, 0, NULL, note_front, &f[i], &why));
    }
    for (unsigned k = 0; k < FRONTS; k++) {
      known += f[0].packets[k] != HD_PACKET_NONE;
      assert_int_equal(f[1].packets[k], f[0].packets[k]);
      assert_int_equal(f[2].packets[k], f[0].packets[k]);
    }
  }
  assert_true(known > 50);
  print_message("%u cycles with a packet\n", known);
}

/* A divergence is reported even if the cycles before it cannot be stored. */
TEST(a_divergence_is_reported_when_its_window_cannot_be_stored)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bench_open_faulty(&b, faulty_run);
  b.full = true;
  CLEANUP(hd_lockstep_destroy_at)
  struct hd_lockstep *ls = create_lockstep(&b, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 256, 1);
  assert_int_equal(hd_lockstep_run(ls, 2000, &r, &why), HD_E_DIVERGENCE);
  assert_true(b.agreed % 256 != 0);
  assert_non_null(strstr(why.text, "RTL and model differ"));
}

static int overflowing_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                           struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n; j++)
    jobs[j].lost += jobs[j].sw == FAULTY_SWITCH && jobs[j].start >= FAULT_CYCLE;
  return status;
}

TEST(events_that_a_backend_dropped_end_the_run)
{
  CLEANUP(bench_close) struct bench b;
  struct hd_lockstep_result r;
  bench_open_faulty(&b, overflowing_run);
  for (unsigned closed = 0; closed < 2; closed++) {
    struct hd_lockstep *ls =
        create_lockstep(&b, closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 7, 2);
    must_fail(hd_lockstep_run(ls, 2000, &r, &why), HD_E_TOOL, "more than its ports can");
    hd_lockstep_destroy(ls);
  }
}
