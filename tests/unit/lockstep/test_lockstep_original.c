/* An original replaces the model: a DUT is compared with the original's events.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=7 build/opt/unit/test_lockstep_original replays a seed.
 */
#include "../lib/dice.h"
#include "../lib/lockstep_mesh.h"
#include "../lib/seed.h"
#include "../lib/test.h"

enum { NODES = 16, CYCLES = 1500, BAD_SWITCH = 9 };

struct traffic {
  uint64_t random;
  uint64_t until, now; /* cycles */
  uint64_t tagged, heads;
};

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct traffic *t = context;
  int status = 0;
  t->now = cycle;
  for (uint32_t node = 0; node < NODES && !status && cycle < t->until; node++)
    if (next_random(&t->random) % 1000 < 60) {
      const struct hd_packet p = {.source = node,
                                  .destination = (uint32_t)(next_random(&t->random) % NODES),
                                  .flits = 1 + (uint32_t)(next_random(&t->random) % 6)};
      uint32_t number;
      status = hd_fabric_send(fabric, &p, &number, err);
    }
  return status;
}

static bool finished(void *context)
{
  const struct traffic *t = context;
  return t->now + 1 >= t->until;
}

static uint64_t next_cycle(void *context)
{
  const struct traffic *t = context;
  return finished(context) ? UINT64_MAX : t->now + 1;
}

/* How many heads have the number of a packet. */
static int note_agreement(void *context, const struct hd_record *record, uint32_t cycles,
                          struct hd_error *err)
{
  struct traffic *t = context;
  (void)err;
  for (uint32_t sw = 0; sw < record->n_switches; sw++)
    for (uint32_t i = 0; i < record->switches[sw].n_flits_out; i++)
      if (record->switches[sw].flits_out[i].cycle <= cycles) {
        t->heads++;
        t->tagged += record->switches[sw].tags_out[i] != HD_PACKET_NONE;
      }
  return 0;
}

/* The model, in which one bit of a flit in a random cycle is flipped. */
static uint64_t bad_cycle;
static int run_bad(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t j = 0; j < n && !status; j++)
    for (uint32_t i = 0; jobs[j].sw == BAD_SWITCH && i < jobs[j].n_flits_out; i++)
      if (jobs[j].start + jobs[j].flits_out[i].cycle >= bad_cycle) {
        jobs[j].flits_out[i].data ^= 0x8000;
        jobs[j].agrees = false;
        return 0;
      }
  return status;
}

struct outcome {
  struct hd_lockstep_result result;
  struct traffic traffic;
  int status, replayed;
  bool differs;
};

static int compare_cycle(void *context, const struct hd_replay_cycle *c)
{
  struct outcome *o = context;
  if (c->cycle == o->result.divergence.cycle)
    o->differs = c->n_model_flits != c->n_dut_flits ||
                 memcmp(c->model_flits, c->dut_flits, c->n_dut_flits * sizeof *c->dut_flits) != 0;
  return HD_OK;
}

static void play(const struct hd_dut_ops *dut, const struct hd_dut_ops *original, uint64_t until,
                 uint32_t threads, struct outcome *o)
{
  struct mesh mesh;
  struct hd_lockstep *lockstep;
  mesh_open(&mesh);
  *o = (struct outcome){.traffic = {.random = seed | 1, .until = until}};
  const struct hd_lockstep_params params = {
      .fabric = &mesh.params,
      .topology = &mesh.topology,
      .tables = &mesh.tables,
      .dut = dut,
      .original = original,
      .window_cycles = 64,
      .threads = threads,
      .rules = true,
      .watchdog_cycles = 1000,
      .hooks = {.context = &o->traffic,
                .cycle_begin = begin_cycle,
                .window_agreed = note_agreement,
                .next_cycle = until < CYCLES ? next_cycle : NULL,
                .finished = until < CYCLES ? finished : NULL}};
  must(hd_lockstep_create(&lockstep, &params, &why));
  o->status = hd_lockstep_run(lockstep, CYCLES, &o->result, &why);
  if (o->status && o->status != HD_E_DIVERGENCE)
    fail_msg("%s", why.text);
  o->replayed = o->status ? hd_lockstep_replay(lockstep, 64, 8, NULL, compare_cycle, o, &why) : 0;
  hd_lockstep_destroy(lockstep);
  mesh_close(&mesh);
}

TEST(a_lockstep_with_an_original_records_the_same_as_with_the_model)
{
  const struct hd_dut_ops *model = hd_dut_model_backend();
  struct outcome with_model, with_original;
  for (uint32_t threads = 1; threads <= 2; threads++) {
    play(model, NULL, CYCLES, threads, &with_model);
    play(model, model, CYCLES, threads, &with_original);
    assert_int_equal(with_original.status, 0);
    assert_true(with_original.result.digest == with_model.result.digest);
    assert_int_equal(with_original.result.events_compared, with_model.result.events_compared);
    assert_int_equal(with_original.result.cycles_compared, CYCLES);
    assert_true(with_original.result.events_compared > 10000);
  }
  /* Events at the ports identify the packets of nearly all heads and their flits. */
  assert_true(with_original.traffic.heads > 1000);
  assert_true(with_original.traffic.tagged * 100 > with_original.traffic.heads * 90);
}

TEST(a_difference_from_an_original_is_found_where_the_model_finds_it)
{
  struct hd_dut_ops bad = *hd_dut_model_backend();
  uint64_t random = hd_mix64(seed);
  bad.run = run_bad;
  for (int i = 0; i < 8; i++) {
    struct outcome with_model, with_original;
    bad_cycle = 50 + next_random(&random) % (CYCLES - 200);
    play(&bad, NULL, CYCLES, 1, &with_model);
    play(&bad, hd_dut_model_backend(), CYCLES, 1, &with_original);
    struct hd_divergence *m = &with_model.result.divergence, *o = &with_original.result.divergence;
    assert_int_equal(with_original.status, HD_E_DIVERGENCE);
    assert_int_equal(m->difference, HD_DIFF_FLIT);
    assert_int_equal(o->reference, HD_REFERENCE_ORIGINAL);
    assert_int_equal(o->sw, BAD_SWITCH);
    assert_int_equal(o->cycle, m->cycle);
    assert_int_equal(o->port, m->port);
    assert_int_equal(o->vc, m->vc);
    assert_true(o->packet == m->packet || o->packet == HD_PACKET_NONE);
    assert_int_equal(o->expected.data, m->expected.data);
    assert_int_equal(o->got.data, m->got.data);
    assert_int_equal(with_original.replayed, 0);
    assert_true(with_original.differs == with_model.differs);
  }
}

/* With another timing, the original alone decides what is right. */
TEST(an_original_may_have_any_timing)
{
  struct hd_dut_ops slow = *hd_dut_model_backend();
  struct outcome o;
  slow.create = slow_create;
  play(&slow, &slow, CYCLES, 1, &o);
  assert_int_equal(o.status, 0);
  assert_int_equal(o.result.cycles_compared, CYCLES);
  play(hd_dut_model_backend(), &slow, CYCLES, 1, &o);
  assert_int_equal(o.status, HD_E_DIVERGENCE);
}

/* The run ends when software has finished and switches are empty, too. */
TEST(a_run_with_an_original_ends_with_the_last_packet)
{
  struct outcome o, with_model;
  play(hd_dut_model_backend(), NULL, 300, 1, &with_model);
  play(hd_dut_model_backend(), hd_dut_model_backend(), 300, 1, &o);
  assert_int_equal(o.status, 0);
  assert_true(o.result.cycles >= with_model.result.cycles);
  assert_true(o.result.cycles < CYCLES);
  assert_true(o.result.digest == with_model.result.digest);
}

TEST(requests_that_an_original_cannot_fulfil_are_refused)
{
  struct hd_dut_ops no_snapshots = *hd_dut_model_backend(), bad = no_snapshots;
  struct outcome o;
  struct mesh mesh;
  struct hd_lockstep_result result;
  no_snapshots.capabilities &= ~(uint32_t)HD_DUT_SNAPSHOT;
  bad.run = run_bad;
  bad_cycle = 200;
  play(&bad, &no_snapshots, CYCLES, 1, &o);
  assert_int_equal(o.status, HD_E_DIVERGENCE);
  assert_int_equal(o.replayed, HD_E_UNSUPPORTED);
  mesh_open(&mesh);
  const struct hd_lockstep_params closed = {
      .dut = &bad, .original = &bad, .mode = HD_MODE_CLOSED, .window_cycles = 64, .threads = 1};
  assert_int_equal(mesh_run(&mesh, closed, CYCLES, &result, &why), HD_E_INPUT);
  mesh_close(&mesh);
}
