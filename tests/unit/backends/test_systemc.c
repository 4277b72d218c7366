/* SystemC behind the DUT contract: answers as the model does, and ends well.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays a random stream. Needs SystemC (Debian package libsystemc-dev) and Verilator.
 */
#define REMOTE_NAME "systemc"
#define REMOTE_PROBE "pkg-config --exists systemc"
#define REMOTE_PACKAGE "libsystemc-dev"
#define REMOTE_OPTIONS "", "every-cycle", "+none"
#include "../remote_tests.h"

#include "../lib/planted_rtl.h"

#include "../../../bridge/host/file.h"

/* RTL that ends, aborts, leaves or hangs at its fiftieth clock, as a plusarg says. */
#define AT_FIFTY                                                                         \
  "reg [7:0] fifty = 8'd0;\n  always @(posedge clk) begin\n    fifty <= fifty + 8'd1;\n" \
  "    if (fifty == 8'd50) begin\n"                                                      \
  "      if ($test$plusargs(\"stop\")) $stop;\n"                                         \
  "      if ($test$plusargs(\"finish\")) $finish;\n"                                     \
  "      if ($test$plusargs(\"abort\")) $c(\"abort();\");\n"                             \
  "      if ($test$plusargs(\"leave\")) $c(\"puts(\\\"enough\\\"); exit(3);\");\n"       \
  "      if ($test$plusargs(\"hang\")) $c(\"for (;;) asm volatile(\\\"\\\");\");\n"      \
  "    end\n  end\nendmodule"

/* The least to build. */
static const struct hd_switch_params least = SWITCH_SET(2, 1, 16, 1, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);

static int open_planted(struct hd_backend *backend, const char *to, struct hd_error *err)
{
  char directory[64];
  snprintf(directory, sizeof directory, "build/test_systemc_%d", (int)getpid());
  plant_rtl(directory, "hd_switch.v", "endmodule", to);
  const struct hd_backend_options build = {.rtl_dir = directory};
  int status = hd_backend_open(backend, REMOTE_NAME, &least, &build, err);
  hd_tree_remove(directory, NULL);
  return status;
}

/* Creates a DUT and runs 200 cycles. */
static int run_planted(const struct hd_backend *backend, const char *options, struct hd_error *err)
{
  struct hd_dut *dut = NULL;
  struct hd_dut_job jobs[] = {{.cycles = 200}, {.sw = 1, .cycles = 200}};
  int status = backend->ops->create(&dut, &least, 2, options, err);
  if (!status)
    status = backend->ops->run(dut, jobs, 2, err);
  if (!status && jobs[0].assertion.failed)
    status = hd_fail(err, HD_E_DIVERGENCE, "$stop at %s", jobs[0].assertion.where);
  backend->ops->destroy(dut);
  return status;
}

TEST(a_simulation_that_ends_early_is_reported)
{
  need_simulator();
  static const struct {
    const char *options, *text;
  } ends[] = {{"every-cycle,+finish", "the RTL called $finish"},
              {"every-cycle,+abort", "died by signal 6"},
              {"every-cycle,+leave", "exit code 3"},
              {"every-cycle,+leave", "enough"},
              {"every-cycle,+hang,patience=1", "has not finished a cycle"}};
  struct hd_backend backend;
  if (open_planted(&backend, AT_FIFTY, &why) || run_planted(&backend, "every-cycle", &why))
    fail_msg("%s", why.text);
  must_fail(run_planted(&backend, "every-cycle,+stop", &why), HD_E_DIVERGENCE, "hd_switch.v:");
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    must_fail(run_planted(&backend, ends[i].options, &why), HD_E_TOOL, ends[i].text);
  }
  hd_backend_close(&backend);
  must_fail(open_planted(&backend, "endmodul", &why), HD_E_TOOL, "syntax error");
}

TEST(a_missing_systemc_is_reported_with_its_package)
{
  need_simulator();
  const struct hd_backend_options build = {.cache_dir = "build/test_systemc_dut"};
  struct hd_backend backend;
  setenv("PKG_CONFIG_LIBDIR", "/nonexistent", 1);
  assert_int_equal(hd_backend_open(&backend, REMOTE_NAME, &small, &build, &why), HD_E_TOOL);
  unsetenv("PKG_CONFIG_LIBDIR");
  assert_non_null(strstr(why.text, "apt-get install libsystemc-dev"));
}

int main(void)
{
  return tests_run(setup, teardown);
}
