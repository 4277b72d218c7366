/* A backend that breaks the contract of dut.h ends the run with an error that names it, and does no other harm.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The backends are the model, with one thing wrong at switch 6 from cycle 200 on.
 */
#include "../lib/lockstep_mesh.h"
#include "../lib/test.h"

enum { BAD_SWITCH = 6, BAD_CYCLE = 200, CYCLES = 400, NODES = 16 };

struct misdeed {
  const char *name, *said; /* in the error */
  void (*spoil)(struct hd_dut_job *job);
};

/* Replaces all flits by one. */
static struct hd_flit_event *one_flit(struct hd_dut_job *job)
{
  job->n_flits_out = 1;
  job->flits_out[0] = (struct hd_flit_event){.cycle = 1, .kind = HD_KIND_SINGLE};
  return job->flits_out;
}

/* Replaces all credits by one. */
static struct hd_credit_event *one_credit(struct hd_dut_job *job)
{
  job->n_credits_out = 1;
  job->credits_out[0] = (struct hd_credit_event){.cycle = 1, .vcs = 1};
  return job->credits_out;
}

/* Adds a copy of the first flit, and returns the copy. */
static struct hd_flit_event *second_flit(struct hd_dut_job *job)
{
  job->flits_out[1] = job->flits_out[0];
  job->n_flits_out = 2;
  return &job->flits_out[1];
}

static struct hd_credit_event *second_credit(struct hd_dut_job *job)
{
  job->credits_out[1] = job->credits_out[0];
  job->n_credits_out = 2;
  return &job->credits_out[1];
}

/* Each misdeed: its name, what the error says, and what is done to the job. */
#define MISDEEDS(X)                                                                      \
  X(more_flits_than_room, "room", job->n_flits_out = job->cap_flits_out + 1)             \
  X(more_credits_than_room, "room", job->n_credits_out = UINT32_MAX)                     \
  X(more_toggles_than_room, "room", job->n_toggles = UINT32_MAX / 2)                     \
  X(another_switch, "sw is 70000", job->sw = 70000)                                      \
  X(its_own_array, "caller's fields", job->flits_out = NULL)                             \
  X(another_start, "caller's fields", job->start += 1000)                                \
  X(more_cycles_evaluated, "evaluated", job->evaluated_cycles = UINT32_MAX)              \
  X(dropped_events, "3 events found no room", job->lost = 3)                             \
  X(flit_at_port_200, "port 200", one_flit(job)->port = 200)                             \
  X(flit_of_vc_255, "vc 255", one_flit(job)->vc = 255)                                   \
  X(flit_of_kind_9, "kind 9", one_flit(job)->kind = 9)                                   \
  X(flit_with_a_byte, "zero 1", one_flit(job)->zero = 1)                                 \
  X(flit_too_wide, "data 0x10000", one_flit(job)->data = 0x10000)                        \
  X(flit_before_the_window, "cycle 0 of", one_flit(job)->cycle = 0)                      \
  X(flit_after_the_window, "cycle 4294967295 of", one_flit(job)->cycle = UINT32_MAX)     \
  X(flit_twice, "sorted", one_flit(job); second_flit(job))                               \
  X(flits_by_port_first, "sorted", one_flit(job)->port = 1; second_flit(job)->port = 0)  \
  X(credit_at_port_255, "port 255", one_credit(job)->port = 255)                         \
  X(credit_of_vc_7, "vcs 0x80", one_credit(job)->vcs = 128)                              \
  X(barrier_credit_without_barrier, "barrier 128", one_credit(job)->barrier = 0x80)      \
  X(count_without_counts, "count 0x40", one_credit(job)->count = HD_COUNT_SHOWN)         \
  X(credits_unsorted, "sorted", one_credit(job)->port = 3; second_credit(job)->port = 2) \
  X(toggle_twice, "toggle 1", job->n_toggles = 2; job->toggles[0] = job->toggles[1] = 1) \
  X(toggle_after_the_window, "toggle 0", job->n_toggles = 1; job->toggles[0] = job->cycles + 1)

#define MISDEED_FUNCTION(name, said, ...)  \
  static void name(struct hd_dut_job *job) \
  {                                        \
    __VA_ARGS__;                           \
  }
MISDEEDS(MISDEED_FUNCTION)

#define MISDEED_ROW(name, said, ...) {#name, said, name},
static const struct misdeed misdeeds[] = {MISDEEDS(MISDEED_ROW)};

static const struct misdeed *misdeed;

static int bad_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  for (size_t i = 0; i < n; i++)
    if (jobs[i].sw == BAD_SWITCH && jobs[i].start >= BAD_CYCLE)
      misdeed->spoil(&jobs[i]);
  return status;
}

static int begin_cycle(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  struct hd_packet p = {.source = (uint32_t)cycle % NODES,
                        .destination = (uint32_t)(5 * cycle + 3) % NODES,
                        .flits = 3};
  uint32_t number;
  (void)context;
  return cycle % 3 ? HD_OK : hd_fabric_send(fabric, &p, &number, err);
}

/* A run of a 4×4 mesh; `err` says why it ended. */
static int run_lockstep(const struct hd_dut_ops *ops, enum hd_mode mode, enum hd_compare compare,
                        uint32_t threads, struct hd_lockstep_result *result, struct hd_error *err)
{
  CLEANUP(mesh_close) struct mesh mesh;
  struct hd_lockstep_params params = {.dut = ops,
                                      .mode = mode,
                                      .compare = compare,
                                      .window_cycles = 64,
                                      .threads = threads,
                                      .hooks = {.cycle_begin = begin_cycle}};
  mesh_open(&mesh);
  return mesh_run(&mesh, params, CYCLES, result, err);
}

TEST(every_broken_rule_of_the_dut_contract_is_named)
{
  static const enum hd_compare compares[] = {HD_COMPARE_EXACT, HD_COMPARE_EXACT, HD_COMPARE_ORDER,
                                             HD_COMPARE_PACKETS};
  struct hd_dut_ops ops = *hd_dut_model_backend();
  ops.name = "careless";
  ops.run = bad_run;
  for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; i++)
    for (unsigned k = 0; k < 4; k++) {
      struct hd_lockstep_result result;
      struct hd_error err = {""};
      char window[64];
      misdeed = &misdeeds[i];
      int status = run_lockstep(&ops, k ? HD_MODE_CLOSED : HD_MODE_DECOUPLED, compares[k],
                                1 + k % 2, &result, &err);
      /* The first window that begins at BAD_CYCLE or later. */
      snprintf(window, sizeof window, "switch %d, window of %u cycles from cycle %u", BAD_SWITCH,
               k ? 1 : 64, k ? BAD_CYCLE : 256);
      if (status != HD_E_TOOL || !strstr(err.text, misdeed->said) ||
          !strstr(err.text, "backend careless") || !strstr(err.text, window) ||
          !strstr(err.text, "rule: "))
        fail_msg("%s, way %u: status %d, \"%s\"", misdeed->name, k, status, err.text);
    }
}

/* A flit that is wrong, but that pins can show. */
static void wrong_channel(struct hd_dut_job *job)
{
  one_flit(job)->vc = 1;
}

TEST(a_wrong_answer_that_pins_can_show_is_a_divergence)
{
  static const struct misdeed legal = {"a wrong flit", "", wrong_channel};
  struct hd_dut_ops ops = *hd_dut_model_backend();
  struct hd_lockstep_result result;
  ops.run = bad_run;
  misdeed = &legal;
  assert_int_equal(run_lockstep(&ops, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 2, &result, &why),
                   HD_E_DIVERGENCE);
  assert_int_equal(result.divergence.sw, BAD_SWITCH);
}

static void report_agreement(struct hd_dut_job *job)
{
  job->agrees = true;
}

TEST(a_backend_cannot_report_agreement_when_nothing_was_expected)
{
  static const struct misdeed legal = {"it agrees", "", report_agreement};
  struct hd_dut_ops ops = *hd_dut_model_backend();
  struct hd_lockstep_result result;
  ops.run = bad_run;
  misdeed = &legal;
  must_fail(run_lockstep(&ops, HD_MODE_CLOSED, HD_COMPARE_ORDER, 1, &result, &why), HD_E_TOOL,
            "nothing was expected");
}

static uint64_t agreements;

static bool equal_events(const void *a, uint32_t n, const void *b, uint32_t m, size_t size)
{
  return n == m && (!n || !memcmp(a, b, n * size));
}

/* A backend that compares by itself. If all events are as expected, it returns garbage instead of them. */
static int run_and_compare(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                           struct hd_error *err)
{
  int status = bad_run(dut, jobs, n, err);
  for (size_t i = 0; i < n && !status; i++) {
    struct hd_dut_job *job = &jobs[i];
    const struct hd_dut_expected *x = job->expected;
    if (job->quiescent != x->quiescent ||
        !equal_events(job->flits_out, job->n_flits_out, x->flits, x->n_flits, sizeof *x->flits) ||
        !equal_events(job->credits_out, job->n_credits_out, x->credits, x->n_credits,
                      sizeof *x->credits) ||
        !equal_events(job->toggles, job->n_toggles, x->toggles, x->n_toggles, sizeof *x->toggles))
      continue;
    job->agrees = true;
    job->quiescent = !job->quiescent;
    job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = UINT32_MAX;
    agreements++;
  }
  return status;
}

static void change_nothing(struct hd_dut_job *job)
{
  (void)job;
}

TEST(a_backend_that_compares_by_itself_gives_the_same_results)
{
  static const struct misdeed of[] = {{"none", "", change_nothing}, {"a flit", "", wrong_channel}};
  struct hd_dut_ops plain = *hd_dut_model_backend(), agreeing = plain;
  plain.run = bad_run;
  agreeing.run = run_and_compare;
  for (unsigned i = 0; i < 4; i++) {
    const enum hd_mode mode = i / 2 ? HD_MODE_CLOSED : HD_MODE_DECOUPLED;
    struct hd_lockstep_result a, b;
    misdeed = &of[i % 2];
    agreements = 0;
    int status = run_lockstep(&plain, mode, HD_COMPARE_EXACT, 1, &a, &why);
    assert_int_equal(run_lockstep(&agreeing, mode, HD_COMPARE_EXACT, 1, &b, &why), status);
    assert_int_equal(status, i % 2 ? HD_E_DIVERGENCE : HD_OK);
    assert_int_equal(a.digest, b.digest);
    assert_int_equal(a.events_compared, b.events_compared);
    assert_int_equal(a.traffic_compared, b.traffic_compared);
    assert_true(a.traffic_compared > 100);
    assert_int_equal(a.divergence.cycle, b.divergence.cycle);
    assert_int_equal(a.divergence.sw, b.divergence.sw);
    assert_true(agreements > 16);
  }
}

/* ── the other operations ──────────────────────────────────────────────────── */

static int create_nothing(struct hd_dut **dut, const struct hd_switch_params *params,
                          uint32_t count, const char *options, struct hd_error *err)
{
  (void)params, (void)count, (void)options, (void)err;
  *dut = NULL;
  return 0;
}

static int claim_a_divergence(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                              struct hd_error *err)
{
  (void)dut, (void)jobs, (void)n;
  return hd_fail(err, HD_E_DIVERGENCE, "I know better");
}

static uint32_t too_many_counters(struct hd_dut *dut,
                                  struct hd_dut_counter counters[HD_DUT_COUNTERS])
{
  (void)dut;
  memset(counters, 'x', HD_DUT_COUNTERS * sizeof *counters);
  return HD_DUT_COUNTERS + 1;
}

static uint32_t a_name_without_end(struct hd_dut *dut,
                                   struct hd_dut_counter counters[HD_DUT_COUNTERS])
{
  (void)dut;
  memset(counters, 'x', sizeof *counters);
  return 1;
}

static int too_long_a_snapshot(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                               struct hd_error *err)
{
  int status = hd_dut_model_backend()->snapshot_save(dut, sw, buffer, err);
  buffer->length = buffer->capacity + 1;
  return status;
}

TEST(results_of_the_other_operations_of_a_backend_are_checked)
{
  struct hd_lockstep_result result;
  for (unsigned i = 0; i < 5; i++) {
    static const char *const said[] = {"create returned 0 and no DUT", "run returned -3",
                                       "counters returned 17", "counters returned 1;",
                                       "switch 0: a snapshot of"};
    struct hd_dut_ops ops = *hd_dut_model_backend();
    struct hd_error err = {""};
    ops.name = "careless";
    if (i == 0)
      ops.create = create_nothing;
    if (i == 1)
      ops.run = claim_a_divergence;
    const struct hd_dut_extension counting = {.counters =
                                                  i == 2 ? too_many_counters : a_name_without_end};
    if (i == 2 || i == 3)
      ops.extension = &counting;
    if (i == 4)
      ops.snapshot_save = too_long_a_snapshot;
    int status = run_lockstep(&ops, HD_MODE_DECOUPLED, HD_COMPARE_EXACT, 1, &result, &err);
    if (status != HD_E_TOOL || !strstr(err.text, said[i]) || !strstr(err.text, "backend careless"))
      fail_msg("%s: status %d, \"%s\"", said[i], status, err.text);
  }
}
