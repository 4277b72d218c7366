/* Icarus Verilog behind the DUT contract: answers as the model does, and ends well.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays a random stream. Needs iverilog and vvp (Debian package iverilog).
 */
#include "switch_stream.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static const struct hd_switch_params small = {5, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0};
static const struct hd_switch_params slow = {3, 3, 32, 5, 20, 2, 2, 1, 2, 1, 0, 0, 0};
static const struct hd_switch_params barrier = {3, 2, 16, 4, 8, 1, 1, 0, 0, 0, 1, 3, 6};

static const struct hd_switch_params *const k_params[] = {&small, &slow, &barrier};
enum { N_PARAMS = sizeof k_params / sizeof *k_params };
static struct hd_backend backends[N_PARAMS];

static uint64_t first_seed(void)
{
  const char *text = getenv("HD_SEED");
  return text ? strtoull(text, NULL, 0) : 1;
}

static struct hd_dut *make_dut(const struct hd_dut_ops *ops, const struct stream *s, uint32_t count,
                               const char *options)
{
  struct hd_dut *dut = NULL;
  struct hd_error err = {.text = ""};
  if (ops->create(&dut, &s->params, count, options, &err))
    fail_msg("%s", err.text);
  for (uint32_t sw = 0; sw < count; sw++)
    if (stream_configure(s, ops, dut, sw, &err))
      fail_msg("%s", err.text);
  return dut;
}

static void make_stream(struct stream *s, const struct hd_switch_params *params, uint32_t cycles,
                        uint32_t illegal, uint64_t seed)
{
  struct hd_error err = {.text = ""};
  struct stream_style style = {.load = 300, .illegal = illegal};
  if (stream_make(s, params, cycles, &style, seed, &err))
    fail_msg("%s", err.text);
}

static uint32_t run_and_compare(const struct stream *s, const struct hd_dut_ops *ops,
                                struct hd_dut *dut, uint32_t sw, uint32_t from, uint32_t to,
                                uint32_t window, uint64_t seed)
{
  struct answer answer;
  struct hd_error err = {.text = ""};
  char text[600];
  answer_init(&answer, s);
  if (stream_run(s, ops, dut, sw, from, to, window, &answer, &err))
    fail_msg("%s", err.text);
  uint32_t n = stream_compare(s, &answer, from, to, text, sizeof text);
  answer_fini(&answer);
  if (*text)
    fail_msg("window %u, seed %" PRIu64 ": %s\nagain: HD_SEED=%" PRIu64
             " build/opt/unit/test_icarus",
             window, seed, text, seed);
  return n;
}

/* SKIP where the simulator is not there. */
static void need_icarus(void)
{
  if (system("command -v vvp >/dev/null")) {
    print_message("SKIP vvp is missing, install the package iverilog\n");
    skip();
  }
}

/* ── the contract ───────────────────────────────────────────────────────────── */

static void streams_are_answered_alike(void **state)
{
  (void)state;
  need_icarus();
  static const uint32_t windows[] = {1, 100, 1500}; /* the last is more than one piece */
  static const char *const options[] = {"", "every-cycle", "two-state"};
  uint64_t compared = 0, seed = first_seed();
  for (unsigned p = 0; p < N_PARAMS; p++)
    for (unsigned k = 0; k < 3; k++, seed += !getenv("HD_SEED")) {
      struct stream s;
      make_stream(&s, k_params[p], 1500, k ? 60 : 0, seed);
      struct hd_dut *dut = make_dut(backends[p].ops, &s, 1, options[k]);
      uint16_t errors = 0, unknown = 0xffff;
      compared += run_and_compare(&s, backends[p].ops, dut, 0, 0, s.cycles, windows[k], seed);
      assert_int_equal(backends[p].ops->config_read(dut, 0, HD_CFG_ERRORS, &errors, NULL), 0);
      assert_int_equal(backends[p].ops->config_unknown(dut, 0, &unknown, NULL), 0);
      assert_int_equal(errors, s.errors);
      assert_int_equal(unknown, 0);
      backends[p].ops->destroy(dut);
      stream_fini(&s);
    }
  print_message("seeds from %" PRIu64 ", %" PRIu64 " events compared\n", first_seed(), compared);
  assert_true(compared > 0);
}

static void a_snapshot_has_the_same_future(void **state)
{
  (void)state;
  need_icarus();
  uint64_t compared = 0, seed = first_seed();
  for (unsigned p = 0; p < N_PARAMS; p++) {
    const struct hd_dut_ops *ops = backends[p].ops;
    struct hd_dut_buffer buffer = {0};
    struct stream s;
    make_stream(&s, k_params[p], 800, 60, seed);
    struct hd_dut *dut = make_dut(ops, &s, 2, "");
    compared += run_and_compare(&s, ops, dut, 0, 0, 301, 64, seed);
    assert_int_equal(ops->snapshot_save(dut, 0, &buffer, NULL), 0);
    compared += run_and_compare(&s, ops, dut, 0, 301, s.cycles, 100, seed);
    for (uint32_t sw = 0; sw < 2; sw++) { /* back in the same switch, and in another one */
      assert_int_equal(ops->snapshot_restore(dut, sw, &buffer, NULL), 0);
      compared += run_and_compare(&s, ops, dut, sw, 301, s.cycles, 256, seed);
    }
    buffer.length--;
    assert_int_equal(ops->snapshot_restore(dut, 0, &buffer, NULL), HD_E_INPUT);
    free(buffer.bytes);
    ops->destroy(dut);
    stream_fini(&s);
  }
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

static void reset_forgets_all_but_the_tables(void **state)
{
  (void)state;
  need_icarus();
  for (unsigned p = 0; p < 2; p++) { /* the barrier unit's registers are no tables */
    const struct hd_dut_ops *ops = backends[p].ops;
    struct stream s;
    make_stream(&s, k_params[p], 500, 0, first_seed());
    struct hd_dut *dut = make_dut(ops, &s, 1, "");
    assert_true(run_and_compare(&s, ops, dut, 0, 0, 333, 256, first_seed()) > 0);
    assert_int_equal(ops->reset(dut, NULL), 0);
    assert_true(run_and_compare(&s, ops, dut, 0, 0, s.cycles, 256, first_seed()) > 0);
    ops->destroy(dut);
    stream_fini(&s);
  }
}

static void waves_do_not_change_the_run(void **state)
{
  (void)state;
  need_icarus();
  const struct hd_dut_ops *ops = backends[0].ops;
  struct stream s;
  char path[] = "/tmp/hd_icarus_XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  make_stream(&s, &small, 600, 60, 3);
  struct hd_dut *dut = make_dut(ops, &s, 1, "");
  assert_true(run_and_compare(&s, ops, dut, 0, 0, 200, 64, 3) > 0);
  for (unsigned again = 0; again < 2; again++) {
    struct stat st;
    assert_int_equal(ops->trace_open(dut, 0, "/nonexistent/waves.fst", NULL), HD_E_IO);
    assert_int_equal(ops->trace_open(dut, 0, path, NULL), 0);
    assert_int_equal(ops->trace_open(dut, 0, path, NULL), HD_E_INPUT);
    assert_true(run_and_compare(&s, ops, dut, 0, 200 + 200 * again, 400 + 200 * again, 64, 3) > 0);
    assert_int_equal(ops->trace_close(dut, NULL), 0);
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 2000);
  }
  ops->destroy(dut);
  unlink(path);
  stream_fini(&s);
}

static void bad_jobs_are_refused(void **state)
{
  (void)state;
  need_icarus();
  const struct hd_dut_ops *ops = backends[0].ops;
  const struct hd_flit_event bad[] = {
      {.port = 5}, {.vc = 2}, {.kind = 8}, {.cycle = 10}, {.port = 255, .vc = 255, .kind = 255}};
  const struct hd_flit_event order[] = {{.cycle = 3}, {.cycle = 2}};
  struct hd_dut *dut = NULL;
  struct hd_error err = {.text = ""};
  assert_int_equal(ops->create(&dut, &small, 1, "no-such-option", &err), HD_E_INPUT);
  assert_non_null(strstr(err.text, "every-cycle"));
  assert_int_equal(ops->create(&dut, &small, 1, "other.v", &err), HD_E_INPUT);
  assert_int_equal(ops->create(&dut, &slow, 1, "", &err), HD_E_INPUT);
  assert_null(dut);
  assert_int_equal(ops->create(&dut, &small, 1, "", &err), 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_dut_job job = {.cycles = 10, .flits_in = &bad[i], .n_flits_in = 1};
    assert_int_equal(ops->run(dut, &job, 1, &err), HD_E_INPUT);
  }
  struct hd_dut_job job = {.cycles = 10, .flits_in = order, .n_flits_in = 2};
  assert_int_equal(ops->run(dut, &job, 1, &err), HD_E_INPUT);
  ops->destroy(dut);
}

/* ── bad ends ───────────────────────────────────────────────────────────────── */

static void write_file(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* A switch of one's own, in one file. */
#define PINS                                                                                 \
  "module hd_switch(input clk, rst, input [4:0] in_valid_i, input [14:0] in_kind_i,\n"       \
  "  input [4:0] in_vc_i, input [79:0] in_data_i, output [9:0] in_credit_o,\n"               \
  "  output [4:0] out_valid_o, output [14:0] out_kind_o, output [4:0] out_vc_o,\n"           \
  "  output [79:0] out_data_o, input [9:0] out_credit_i, input cfg_write_i, cfg_read_i,\n"   \
  "  input [19:0] cfg_addr_i, input [15:0] cfg_wdata_i, output [15:0] cfg_rdata_o,\n"        \
  "  output quiescent_o);\n"                                                                 \
  "assign in_credit_o = 0, out_valid_o = 0, out_kind_o = 0, out_vc_o = 0, out_data_o = 0,\n" \
  "  cfg_rdata_o = 0, quiescent_o = 0;\n"

/* Runs 100 cycles of it; the status that creates or runs, HD_E_DIVERGENCE for X or Z. */
static int run_own(const char *body, const char *options, struct hd_error *err)
{
  char text[4096], own[64], all[256];
  snprintf(own, sizeof own, "build/test_icarus_%d.v", (int)getpid());
  snprintf(text, sizeof text, PINS "%s\nendmodule\n", body);
  snprintf(all, sizeof all, "%s%s%s", own, *options ? "," : "", options);
  write_file(own, text);
  struct hd_backend_options build = {.dut_options = all};
  struct hd_backend backend;
  struct hd_dut *dut = NULL;
  int status = hd_backend_open(&backend, "icarus", &small, &build, err);
  unlink(own);
  if (status)
    return status;
  status = backend.ops->create(&dut, &small, 2, all, err);
  struct hd_dut_unknown unknown = {.seen = 0};
  struct hd_dut_job jobs[] = {{.cycles = 100, .unknown = &unknown}, {.sw = 1, .cycles = 100}};
  if (!status)
    status = backend.ops->run(dut, jobs, 2, err);
  if (!status && unknown.seen)
    status = hd_fail(err, HD_E_DIVERGENCE, "%c in %s", unknown.seen, unknown.name);
  backend.ops->destroy(dut);
  hd_backend_close(&backend);
  return status;
}

/* §6.6: without hierarchy a net of a specified name need not mean anything. */
static void a_netlist_is_not_asked_for_names(void **state)
{
  (void)state;
  need_icarus();
  struct hd_error err = {.text = ""};
  if (run_own("wire [6:0] errors;", "", &err))
    fail_msg("%s", err.text);
  assert_int_equal(run_own("assign quiescent_o = 1;", "", &err), HD_E_DIVERGENCE);
  assert_string_equal(err.text, "x in quiescent_o");
}

static void a_simulator_that_ends_is_told(void **state)
{
  (void)state;
  need_icarus();
  struct hd_error err = {.text = ""};
  assert_int_equal(run_own("", "", &err), 0);
  assert_int_equal(run_own("reg [7:0] n = 0; always @(posedge clk) begin n <= n + 1;\n"
                           "if (n == 50) begin $display(\"fifty is enough\"); $finish; end end",
                           "", &err),
                   HD_E_TOOL);
  assert_non_null(strstr(err.text, "$finish"));
  assert_non_null(strstr(err.text, "fifty is enough"));
  assert_int_equal(run_own("this is no Verilog", "", &err), HD_E_TOOL);
  assert_non_null(strstr(err.text, "syntax error"));
  assert_int_equal(run_own("initial $finish;", "", &err), HD_E_TOOL);
}

static void a_simulator_that_hangs_is_ended(void **state)
{
  (void)state;
  need_icarus();
  struct hd_error err = {.text = ""};
  assert_int_equal(
      run_own("reg a = 0; always @(posedge clk) while (!rst) a = !a;", "patience=1", &err),
      HD_E_TOOL);
  assert_non_null(strstr(err.text, "combinational loop"));
}

static void a_missing_simulator_is_named(void **state)
{
  (void)state;
  need_icarus();
  struct hd_backend_options build = {.cache_dir = "build/test_icarus_dut"};
  struct hd_backend backend;
  struct hd_dut *dut = NULL;
  struct hd_error err = {.text = ""};
  char *path = strdup(getenv("PATH"));
  assert_non_null(path);
  setenv("PATH", "/nonexistent", 1);
  assert_int_equal(hd_backend_open(&backend, "icarus", &small, &build, &err), HD_E_TOOL);
  assert_non_null(strstr(err.text, "apt-get install iverilog"));
  err.text[0] = '\0';
  assert_int_equal(backends[0].ops->create(&dut, &small, 1, "", &err), HD_E_TOOL);
  assert_non_null(strstr(err.text, "apt-get install iverilog"));
  setenv("PATH", path, 1);
  free(path);
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
static void simulators_end_with_their_parent(void **state)
{
  (void)state;
  need_icarus();
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
  for (int i = 0; i < 100 && count_simulators(pid); i++)
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  assert_int_equal(count_simulators(pid), 0);
}

static int setup(void **state)
{
  (void)state;
  for (unsigned p = 0; p < N_PARAMS && !system("command -v vvp >/dev/null"); p++) {
    struct hd_error err = {.text = ""};
    if (hd_backend_open(&backends[p], "icarus", k_params[p], NULL, &err)) {
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

int main(void)
{
  const struct CMUnitTest all[] = {
      cmocka_unit_test(streams_are_answered_alike),
      cmocka_unit_test(a_snapshot_has_the_same_future),
      cmocka_unit_test(reset_forgets_all_but_the_tables),
      cmocka_unit_test(waves_do_not_change_the_run),
      cmocka_unit_test(bad_jobs_are_refused),
      cmocka_unit_test(a_netlist_is_not_asked_for_names),
      cmocka_unit_test(a_simulator_that_ends_is_told),
      cmocka_unit_test(a_simulator_that_hangs_is_ended),
      cmocka_unit_test(a_missing_simulator_is_named),
      cmocka_unit_test(simulators_end_with_their_parent),
  };
  return cmocka_run_group_tests(all, setup, teardown);
}
