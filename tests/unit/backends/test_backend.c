/* All backends behind the DUT contract give the same answers to every stream of events.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_DUT=netlist tests another backend instead of Verilator. Streams are random; HD_SEED=n replays one, HD_STREAMS=n
 * sets how many are tried for each parameter set. HD_WIDE=1 adds a switch with more than 64 virtual channels, which
 * takes half a minute to build.
 */
#include "../../../bridge/coverage/rtl_coverage.h"
#include "../../../bridge/host/file.h"
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

#include <pthread.h>

static const struct hd_switch_params small = SWITCH_SET(5, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0);
static const struct hd_switch_params slow = SWITCH_SET(3, 3, 32, 5, 20, 2, 2, 1, 2, 1, 2, 0, 0, 0);
static const struct hd_switch_params wide = SWITCH_SET(13, 5, 16, 2, 5, 1, 2, 0, 0, 1, 0, 0, 0, 0);
static const struct hd_switch_params least = SWITCH_SET(2, 1, 16, 2, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0);

static void print_line(void *context, const char *line)
{
  (void)context;
  print_message("%s\n", line);
}

/* Opened once for each parameter set, because a build takes a while. */
struct under_test {
  const struct hd_switch_params *params;
  struct hd_backend model, verilator;
};

static int open_backends(struct under_test *t, const struct hd_switch_params *params)
{
  /* One backend is built as users build it, with waves. */
  struct hd_backend_options options = {.say = print_line, .quick = params != &small};
  struct hd_error err = {.text = ""};
  const char *dut = getenv("HD_DUT");
  t->params = params;
  int status = hd_backend_open(&t->model, "model", params, NULL, &err);
  if (!status)
    status = hd_backend_open(&t->verilator, dut ? dut : "verilator", params, &options, &err);
  if (status)
    print_error("%s\n", err.text);
  return status;
}

static struct under_test tests[3];

/* ── every backend, window length and way of skipping ──────────────────────── */

static void check_streams(struct under_test *t, uint32_t illegal)
{
  static const uint32_t windows[] = {1, 7, 256, 4096};
  uint64_t compared = 0, seed = first_seed();
  uint16_t errors = 0;
  for (uint32_t i = 0; i < n_streams(12); i++, seed++) {
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, t->params, 2000, illegal, seed);
    errors |= s.errors;
    assert_true(illegal || !s.errors);
    for (unsigned k = 0; k < 3; k++) {
      const struct hd_dut_ops *ops = k ? t->verilator.ops : t->model.ops;
      struct hd_dut *dut = make_dut(ops, &s, 1, k == 1 ? "every-cycle" : "");
      uint16_t got = 0;
      compared += run_and_compare(&s, ops, dut, 0, 0, s.cycles, windows[(seed + k) % 4], seed);
      assert_int_equal(ops->config_read(dut, 0, HD_CFG_ERRORS, &got, NULL), 0);
      assert_int_equal(got, s.errors);
      ops->destroy(dut);
    }
  }
  print_message("seeds from %" PRIu64 ", %" PRIu64 " events compared, errors seen 0x%02x\n",
                first_seed(), compared, errors);
  assert_true(compared > 0);
  /* Every error that these parameters can have must have been made. */
  if (illegal && !one_seed())
    assert_int_equal(errors, hd_log2_ceil(t->params->vcs) > 0 &&
                                     1u << hd_log2_ceil(t->params->vcs) > t->params->vcs
                                 ? 0x7f
                                 : 0x3f);
}

TEST(legal_streams_get_the_same_answers_from_all_backends)
{
  check_streams(&tests[0], 0);
  check_streams(&tests[1], 0);
}

TEST(streams_with_every_error_get_the_same_answers)
{
  check_streams(&tests[0], 60);
  check_streams(&tests[1], 60);
}

TEST(switches_of_more_than_64_channels_give_the_same_answers)
{
  if (!getenv("HD_WIDE")) {
    print_message("SKIP: set HD_WIDE=1; the build takes half a minute\n");
    skip();
  }
  assert_int_equal(open_backends(&tests[2], &wide), 0);
  check_streams(&tests[2], 0);
  check_streams(&tests[2], 60);
}

/* ── skipping ──────────────────────────────────────────────────────────────── */

TEST(quiescent_switches_are_not_evaluated)
{
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_dut_ops *ops = k ? tests[0].verilator.ops : tests[0].model.ops;
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, &small, 1, 0, 1);
    struct hd_flit_event in = {.port = 1, .kind = HD_KIND_SINGLE, .cycle = 500, .data = 2};
    struct hd_flit_event out[4];
    struct hd_credit_event credits[4];
    uint32_t toggles[4];
    uint32_t evaluated[2];
    for (unsigned every = 0; every < 2; every++) {
      struct hd_dut *dut = make_dut(ops, &s, 1, every ? "every-cycle" : "");
      struct hd_dut_job job = {.cycles = 1000, .flits_in = &in, .n_flits_in = 1};
      job.flits_out = out;
      job.credits_out = credits;
      job.toggles = toggles;
      job.cap_flits_out = job.cap_credits_out = job.cap_toggles = 4;
      assert_int_equal(ops->run(dut, &job, 1, NULL), 0);
      /* §2.2: in at 500, granted 502, credit 503, out 504; §2.10: all empty from 505 on. */
      assert_int_equal(job.n_flits_out, 1);
      assert_int_equal(out[0].cycle, 504);
      assert_int_equal(job.n_credits_out, 1);
      assert_int_equal(credits[0].cycle, 503);
      assert_int_equal(job.n_toggles, 2);
      assert_int_equal(toggles[0], 501);
      assert_int_equal(toggles[1], 506);
      evaluated[every] = job.evaluated_cycles;
      ops->destroy(dut);
    }
    assert_int_equal(evaluated[0], 6);
    assert_int_equal(evaluated[1], 1000);
  }
}

/* ── snapshots, reset, configuration ───────────────────────────────────────── */

TEST(a_restored_snapshot_continues_like_the_saved_run)
{
  uint64_t seed = first_seed(), compared = 0;
  for (uint32_t i = 0; i < n_streams(6); i++, seed++)
    for (unsigned k = 0; k < 4; k++) {
      const struct under_test *t = &tests[k & 1];
      const struct hd_dut_ops *ops = k & 2 ? t->verilator.ops : t->model.ops;
      CLEANUP(hd_stream_fini) struct stream s;
      make_stream(&s, t->params, 1500, k & 1 ? 60 : 0, seed);
      compared += snapshot_and_compare(&s, ops, 301 + (uint32_t)seed % 400, seed);
    }
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

TEST(reset_clears_everything_except_the_tables)
{
  uint64_t seed = first_seed();
  for (unsigned k = 0; k < 4; k++) {
    const struct under_test *t = &tests[k & 1];
    const struct hd_dut_ops *ops = k & 2 ? t->verilator.ops : t->model.ops;
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, t->params, 800, 0, seed);
    struct hd_dut *dut = make_dut(ops, &s, 1, "");
    assert_true(run_and_compare(&s, ops, dut, 0, 0, 333, 256, seed) > 0);
    assert_int_equal(ops->reset(dut, NULL), 0);
    if (t->params
            ->adaptive) /* the reset clears ADAPT and generators, and the stream has written port sets */
      assert_int_equal(hd_stream_configure(&s, ops, dut, 0, NULL), 0);
    assert_true(run_and_compare(&s, ops, dut, 0, 0, s.cycles, 256, seed) > 0);
    ops->destroy(dut);
  }
}

TEST(registers_read_as_specified)
{
  for (unsigned k = 0; k < 4; k++) {
    const struct under_test *t = &tests[k & 1];
    const struct hd_switch_params *p = t->params;
    const struct hd_dut_ops *ops = k & 2 ? t->verilator.ops : t->model.ops;
    const uint16_t want[][2] = {
        {0, 0x4844},
        {1, 0x0001},
        {2, (uint16_t)(p->ports | p->vcs << 5 | p->depth_flits << 9)},
        {3, (uint16_t)(p->route_cycles | p->arb_cycles << 2 | p->buffer_cycles << 4 |
                       p->source_table << 5 | p->cut_flits << 6 | p->adaptive << 13)},
        {4, (uint16_t)p->data_bits},
        {5, (uint16_t)p->nodes},
        {6, 0},
        {8, 0},
        {17, 0},
    };
    struct hd_dut *dut = NULL;
    assert_int_equal(ops->create(&dut, p, 1, "", NULL), 0);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
      uint16_t got = 0xffff;
      assert_int_equal(ops->config_read(dut, 0, want[i][0], &got, NULL), 0);
      assert_int_equal(got, want[i][1]);
    }
    ops->destroy(dut);
  }
}

/* ── what callers may get wrong ────────────────────────────────────────────── */

TEST(bad_jobs_are_refused)
{
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_dut_ops *ops = k ? tests[0].verilator.ops : tests[0].model.ops;
    const struct hd_flit_event bad[] = {
        {.port = 5}, {.vc = 2}, {.kind = 8}, {.cycle = 10}, {.port = 255, .vc = 255, .kind = 255}};
    struct hd_dut *dut = NULL;
    struct hd_error err = {.text = ""};
    assert_int_equal(ops->create(&dut, &small, 1, "no-such-option", &err), HD_E_INPUT);
    assert_non_null(strstr(err.text, "every-cycle"));
    assert_null(dut);
    assert_int_equal(ops->create(&dut, &small, 1, "", &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
      struct hd_dut_job job = {.cycles = 10, .flits_in = &bad[i], .n_flits_in = 1};
      assert_int_equal(ops->run(dut, &job, 1, &err), HD_E_INPUT);
    }
    ops->destroy(dut);
    if (k)
      assert_int_equal(ops->create(&dut, &slow, 1, "", &err), HD_E_INPUT);
  }
}

TEST(events_that_find_no_room_in_the_buffer_are_counted)
{
  for (unsigned k = 0; k < 2; k++) {
    const struct hd_dut_ops *ops = k ? tests[0].verilator.ops : tests[0].model.ops;
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, &small, 1, 0, 1);
    struct hd_dut *dut = make_dut(ops, &s, 1, "");
    struct hd_flit_event in = {.port = 1, .kind = HD_KIND_SINGLE, .data = 2};
    struct hd_dut_job job = {.cycles = 20, .flits_in = &in, .n_flits_in = 1};
    assert_int_equal(ops->run(dut, &job, 1, NULL), 0);
    assert_int_equal(job.lost, 4); /* flit, credit, two toggles */
    ops->destroy(dut);
  }
}

/* ── threads ───────────────────────────────────────────────────────────────── */

struct worker {
  const struct hd_dut_ops *ops;
  struct hd_dut *dut;
  const struct stream *s;
  struct answer answers[4];
  uint32_t first;
  int status;
};

static void *play_streams(void *argument)
{
  struct worker *w = argument;
  for (uint32_t i = 0; i < 4 && !w->status; i++)
    w->status = hd_stream_run(w->s, w->ops, w->dut, w->first + i, 0, w->s->cycles, 64 + i,
                              &w->answers[i], NULL);
  return NULL;
}

TEST(threads_can_play_switches_of_one_dut_at_once)
{
  uint64_t compared = 0, seed = first_seed();
  for (unsigned k = 0; k < 4; k++) {
    const struct under_test *t = &tests[k & 1];
    const struct hd_dut_ops *ops = k & 2 ? t->verilator.ops : t->model.ops;
    CLEANUP(hd_stream_fini) struct stream s;
    struct worker workers[3];
    pthread_t threads[3];
    make_stream(&s, t->params, 3000, 60, seed);
    struct hd_dut *dut = make_dut(ops, &s, 12, "");
    for (uint32_t i = 0; i < 3; i++) {
      workers[i] = (struct worker){.ops = ops, .dut = dut, .s = &s, .first = 4 * i};
      for (uint32_t a = 0; a < 4; a++)
        hd_answer_init(&workers[i].answers[a], &s);
      assert_int_equal(pthread_create(&threads[i], NULL, play_streams, &workers[i]), 0);
    }
    /* A difference ends the test. Before that, all threads must have left the DUT. */
    for (uint32_t i = 0; i < 3; i++)
      assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (uint32_t i = 0; i < 3; i++) {
      char text[600];
      assert_int_equal(workers[i].status, 0);
      for (uint32_t a = 0; a < 4; a++) {
        compared += hd_stream_compare(&s, &workers[i].answers[a], 0, s.cycles, text, sizeof text);
        assert_string_equal(text, "");
        hd_answer_fini(&workers[i].answers[a]);
      }
    }
    ops->destroy(dut);
  }
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

/* ── waves ─────────────────────────────────────────────────────────────────── */

TEST(writing_waves_does_not_change_the_run)
{
  const struct hd_dut_ops *ops = tests[0].verilator.ops;
  CLEANUP(hd_stream_fini) struct stream s;
  char path[] = "/tmp/hd_backend_XXXXXX";
  if (!(ops->capabilities & HD_DUT_WAVES)) {
    print_message("SKIP: %s writes no waves\n", ops->name);
    skip();
  }
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  make_stream(&s, &small, 600, 60, 3);
  struct hd_dut *dut = make_dut(ops, &s, 1, "");
  assert_true(run_and_compare(&s, ops, dut, 0, 0, 200, 64, 3) > 0);
  for (int again = 0; again < 2; again++) {
    assert_int_equal(ops->extension->trace_open(dut, 0, "/nonexistent/waves.fst", NULL), HD_E_IO);
    assert_int_equal(ops->extension->trace_open(dut, 0, path, NULL), 0);
    assert_int_equal(ops->extension->trace_open(dut, 0, path, NULL), HD_E_INPUT);
    assert_true(run_and_compare(&s, ops, dut, 0, 200u + 200u * (unsigned)again,
                                400u + 200u * (unsigned)again, 64, 3) > 0);
    assert_int_equal(ops->extension->trace_close(dut, NULL), 0);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) > 2000);
    fclose(file);
  }
  ops->destroy(dut);
  unlink(path);
}

/* ── coverage ──────────────────────────────────────────────────────────────── */

static uint64_t lines_of(const struct hd_dut_ops *ops, struct hd_dut *dut, struct hd_rtl_sums *sums)
{
  char path[] = "/tmp/heddle-coverage-XXXXXX", *text;
  CLEANUP(hd_rtl_coverage_fini) struct hd_rtl_coverage set = {0};
  size_t length;
  uint64_t executed = 0;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  assert_int_equal(ops->extension->coverage_write(dut, path, NULL), 0);
  assert_int_equal(hd_file_read(path, &text, &length, NULL), 0);
  assert_int_equal(hd_rtl_coverage_add(&set, text, length, path, NULL), 0);
  assert_int_equal(hd_rtl_coverage_finish(&set, NULL), 0);
  *sums = hd_rtl_coverage_sums(&set);
  for (size_t i = 0; i < set.n_points; i++)
    executed += set.points[i].kind != HD_RTL_TOGGLE ? set.points[i].count : 0;
  unlink(path);
  return executed;
}

TEST(a_build_with_coverage_counters_gives_the_same_answers)
{
  /* A build with coverage takes three times as long: the smallest switch will do. */
  struct hd_backend_options options = {.say = print_line, .coverage = true, .quick = true};
  CLEANUP(hd_backend_close) struct hd_backend counting;
  struct hd_rtl_sums before, after, two;
  CLEANUP(hd_stream_fini) struct stream s;
  assert_int_equal(hd_backend_open(&counting, "verilator", &least, &options, NULL), 0);
  const struct hd_dut_ops *ops = counting.ops;
  assert_true(ops->capabilities & HD_DUT_COVERAGE);
  assert_false(tests[0].verilator.ops->capabilities & HD_DUT_COVERAGE);
  make_stream(&s, &least, 1500, 60, 1);
  assert_true(snapshot_and_compare(&s, ops, 700, 1) > 0);
  struct hd_dut *dut = make_dut(ops, &s, 1, "");
  uint64_t idle = lines_of(ops, dut, &before);
  assert_true(run_and_compare(&s, ops, dut, 0, 0, s.cycles, 256, 1) > 0);
  uint64_t one = lines_of(ops, dut, &after);
  assert_int_equal(before.lines, after.lines);
  assert_true(idle > 0 && one > idle && before.lines_hit < after.lines_hit);
  assert_true(before.bits_hit < after.bits_hit && after.bits_hit <= after.bits);
  ops->destroy(dut);
  /* A second switch with the same stream adds the same counts, except during reset, where its registers begin with
   * other garbage. */
  dut = make_dut(ops, &s, 2, "");
  assert_true(run_and_compare(&s, ops, dut, 0, 0, s.cycles, 256, 1) > 0);
  assert_true(run_and_compare(&s, ops, dut, 1, 0, s.cycles, 256, 1) > 0);
  uint64_t both = lines_of(ops, dut, &two);
  assert_true(both > one + (one - idle) / 10 * 9 && both < 2 * one + idle);
  assert_int_equal(two.lines_hit, after.lines_hit);
  ops->destroy(dut);
}

static int setup(void **state)
{
  (void)state;
  int status = open_backends(&tests[0], &small);
  return status ? status : open_backends(&tests[1], &slow);
}

static int teardown(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    hd_backend_close(&tests[i].model);
    hd_backend_close(&tests[i].verilator);
  }
  return 0;
}

int main(void)
{
  return tests_run(setup, teardown);
}
