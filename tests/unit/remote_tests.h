/* Tests of backends whose switches are processes of a simulator (bridge/backends/remote/remote.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Included by the test of each; all is static. It defines, before:
 *   REMOTE_NAME     what hd_backend_open calls it
 *   REMOTE_PROBE    a shell command that fails where the simulator is not there
 *   REMOTE_PACKAGE  the Debian package to install then
 *   REMOTE_OPTIONS  three initialisers of char *, options under which streams are compared
 * HD_SEED=n replays a random stream.
 */
#ifndef HD_REMOTE_TESTS_H
#define HD_REMOTE_TESTS_H

#include "lib/stream_tests.h"
#include "lib/switch_set.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static const struct hd_switch_params small = SWITCH_SET(5, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0);
static const struct hd_switch_params slow = /* with all that the first has not */
    SWITCH_SET(3, 3, 32, 5, 20, 2, 2, 1, 2, 1, 0, HD_BARRIER_ANY, 3, 6);

static const struct hd_switch_params *const k_params[] = {&small, &slow};
enum { N_PARAMS = sizeof k_params / sizeof *k_params };
static struct hd_backend backends[N_PARAMS];

/* SKIP where the simulator is not there. */
static void need_simulator(void)
{
  if (system(REMOTE_PROBE)) {
    print_message("SKIP " REMOTE_NAME ": install the package " REMOTE_PACKAGE "\n");
    skip();
  }
}

/* ── the contract ───────────────────────────────────────────────────────────── */

TEST(remote_simulators_answer_streams_as_the_model_does)
{
  need_simulator();
  static const uint32_t windows[] = {1, 100, 1500}; /* the last is more than one piece */
  static const char *const options[] = {REMOTE_OPTIONS};
  uint64_t compared = 0, seed = first_seed();
  for (unsigned p = 0; p < N_PARAMS; p++)
    for (unsigned k = 0; k < 3; k++, seed += !one_seed()) {
      CLEANUP(hd_stream_fini) struct stream s;
      make_stream(&s, k_params[p], 1500, k ? 60 : 0, seed);
      struct hd_dut *dut = make_dut(backends[p].ops, &s, 1, options[k]);
      uint16_t errors = 0, unknown = 0;
      compared += run_and_compare(&s, backends[p].ops, dut, 0, 0, s.cycles, windows[k], seed);
      assert_int_equal(backends[p].ops->config_read(dut, 0, HD_CFG_ERRORS, &errors, NULL), 0);
      if (backends[p].ops->capabilities & HD_DUT_FOUR_STATE)
        assert_int_equal(backends[p].ops->extension->config_unknown(dut, 0, &unknown, NULL), 0);
      assert_int_equal(errors, s.errors);
      assert_int_equal(unknown, 0);
      backends[p].ops->destroy(dut);
    }
  print_message("seeds from %" PRIu64 ", %" PRIu64 " events compared\n", first_seed(), compared);
  assert_true(compared > 0);
}

TEST(a_restored_snapshot_continues_like_the_saved_run)
{
  need_simulator();
  uint64_t compared = 0, seed = first_seed();
  for (unsigned p = 0; p < N_PARAMS; p++) {
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, k_params[p], 800, 60, seed);
    compared += snapshot_and_compare(&s, backends[p].ops, 301, seed);
  }
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

/* A write leaves nothing on the way that a read or a snapshot right after it could bring back. */
TEST(a_read_or_snapshot_after_a_write_does_not_repeat_the_write)
{
  need_simulator();
  const struct hd_dut_ops *ops = backends[1].ops;            /* opening a group twice is an error */
  const struct hd_config_event open = {.addr = HD_CFG_OPEN}; /* group 0 */
  for (unsigned saved = 0; saved < 2; saved++) {
    struct hd_dut_buffer buffer = {0};
    struct hd_dut *dut = NULL;
    uint16_t value;
    must(ops->create(&dut, &slow, 1, "", &why));
    for (uint32_t cycle = 0; cycle < 3; cycle++) {
      uint32_t toggles[2];
      struct hd_dut_job job = {.start = cycle,
                               .cycles = 1,
                               .configs_in = &open,
                               .n_configs_in = !cycle,
                               .toggles = toggles,
                               .cap_toggles = 2};
      must(ops->run(dut, &job, 1, &why));
      if (saved) {
        buffer.length = 0;
        must(ops->snapshot_save(dut, 0, &buffer, &why));
        must(ops->snapshot_restore(dut, 0, &buffer, &why));
      } else
        must(ops->config_read(dut, 0, HD_CFG_OPEN, &value, &why));
    }
    must(ops->config_read(dut, 0, HD_CFG_ERRORS, &value, &why));
    assert_int_equal(value, 0);
    free(buffer.bytes);
    ops->destroy(dut);
  }
}

TEST(reset_clears_everything_except_the_tables)
{
  need_simulator();
  for (unsigned p = 0; p < N_PARAMS; p++) {
    const struct hd_dut_ops *ops = backends[p].ops;
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, k_params[p], 500, 0, first_seed());
    struct hd_dut *dut = make_dut(ops, &s, 1, "");
    assert_true(run_and_compare(&s, ops, dut, 0, 0, 333, 256, first_seed()) > 0);
    assert_int_equal(ops->reset(dut, NULL), 0);
    if (k_params[p]->barrier) /* its unit's registers are no tables */
      assert_int_equal(hd_stream_configure(&s, ops, dut, 0, NULL), 0);
    assert_true(run_and_compare(&s, ops, dut, 0, 0, s.cycles, 256, first_seed()) > 0);
    ops->destroy(dut);
  }
}

TEST(writing_waves_does_not_change_the_run)
{
  need_simulator();
  const struct hd_dut_ops *ops = backends[0].ops;
  CLEANUP(hd_stream_fini) struct stream s;
  char path[] = "/tmp/hd_remote_XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  make_stream(&s, &small, 600, 60, 3);
  struct hd_dut *dut = make_dut(ops, &s, 1, "");
  assert_true(run_and_compare(&s, ops, dut, 0, 0, 200, 64, 3) > 0);
  for (unsigned again = 0; again < 2; again++) {
    struct stat st;
    assert_int_equal(ops->extension->trace_open(dut, 0, "/nonexistent/waves.fst", NULL), HD_E_IO);
    assert_int_equal(ops->extension->trace_open(dut, 0, path, NULL), 0);
    assert_int_equal(ops->extension->trace_open(dut, 0, path, NULL), HD_E_INPUT);
    assert_true(run_and_compare(&s, ops, dut, 0, 200 + 200 * again, 400 + 200 * again, 64, 3) > 0);
    assert_int_equal(ops->extension->trace_close(dut, NULL), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 2000);
  }
  ops->destroy(dut);
  unlink(path);
}

TEST(bad_jobs_are_refused)
{
  need_simulator();
  const struct hd_dut_ops *ops = backends[0].ops;
  const struct hd_flit_event bad[] = {
      {.port = 5}, {.vc = 2}, {.kind = 8}, {.cycle = 10}, {.port = 255, .vc = 255, .kind = 255}};
  const struct hd_flit_event order[] = {{.cycle = 3}, {.cycle = 2}};
  struct hd_dut *dut = NULL;
  must_fail(ops->create(&dut, &small, 1, "no-such-option", &why), HD_E_INPUT, "every-cycle");
  assert_int_equal(ops->create(&dut, &small, 1, "other.v", &why), HD_E_INPUT);
  assert_int_equal(ops->create(&dut, &slow, 1, "", &why), HD_E_INPUT);
  assert_null(dut);
  must(ops->create(&dut, &small, 1, "", &why));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_dut_job job = {.cycles = 10, .flits_in = &bad[i], .n_flits_in = 1};
    assert_int_equal(ops->run(dut, &job, 1, &why), HD_E_INPUT);
  }
  struct hd_dut_job job = {.cycles = 10, .flits_in = order, .n_flits_in = 2};
  assert_int_equal(ops->run(dut, &job, 1, &why), HD_E_INPUT);
  ops->destroy(dut);
}

/* Processes that were started for process `parent`. */
static unsigned count_simulators(pid_t parent)
{
  char line[160];
  snprintf(line, sizeof line,
           "grep -lsa '^HEDDLE_REMOTE_PARENT=%d$' -z /proc/[0-9]*/environ | wc -l", (int)parent);
  FILE *pipe = popen(line, "r");
  assert_non_null(pipe);
  char *got = fgets(line, sizeof line, pipe);
  pclose(pipe);
  return got ? (unsigned)atoi(line) : 0;
}

/* No process is left when the one that asked is killed in the middle of a window. */
TEST(simulators_end_when_their_parent_is_killed)
{
  need_simulator();
  int ends[2];
  char ready;
  assert_int_equal(pipe(ends), 0);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    struct hd_dut *dut = NULL;
    struct hd_dut_job job = {.cycles = 1000000};
    close(ends[0]);
    if (backends[0].ops->create(&dut, &small, 3, "every-cycle", NULL))
      _exit(1);
    ssize_t told = write(ends[1], "r", 1);
    _exit(told == 1 ? backends[0].ops->run(dut, &job, 1, NULL) : 1);
  }
  close(ends[1]);
  assert_int_equal(read(ends[0], &ready, 1), 1);
  close(ends[0]);
  assert_int_equal(count_simulators(pid), 4);
  kill(pid, SIGKILL);
  assert_int_equal(waitpid(pid, NULL, 0), pid);
  while (count_simulators(pid)) /* or the time of all tests is up */
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static int setup(void **state)
{
  (void)state;
  for (unsigned p = 0; p < N_PARAMS && !system(REMOTE_PROBE); p++) {
    struct hd_error err = {.text = ""};
    if (hd_backend_open(&backends[p], REMOTE_NAME, k_params[p], NULL, &err)) {
      print_error("%s\n", err.text);
      return 1;
    }
  }
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  for (unsigned p = 0; p < N_PARAMS; p++)
    hd_backend_close(&backends[p]);
  return 0;
}

#endif
