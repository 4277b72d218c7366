/* Icarus Verilog behind the DUT contract: answers as the model does, and ends well.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays a random stream. Needs iverilog and vvp (Debian package iverilog).
 */
#define REMOTE_NAME "icarus"
#define REMOTE_PROBE "command -v vvp >/dev/null"
#define REMOTE_PACKAGE "iverilog"
#define REMOTE_OPTIONS "", "every-cycle", "two-state"
#include "../remote_tests.h"

/* ── bad ends ───────────────────────────────────────────────────────────────── */

/* A switch of one's own, in one file. */
#define PINS                                                                                 \
  "module hd_switch(input clk, rst, input [4:0] in_valid_i, input [14:0] in_kind_i,\n"       \
  "  input [4:0] in_vc_i, input [79:0] in_data_i, output [9:0] in_credit_o,\n"               \
  "  output [4:0] out_valid_o, output [14:0] out_kind_o, output [4:0] out_vc_o,\n"           \
  "  output [79:0] out_data_o, input [9:0] out_credit_i, input cfg_write_i, cfg_read_i,\n"   \
  "  input [19:0] cfg_addr_i, input [15:0] cfg_wdata_i, output [15:0] cfg_rdata_o,\n"        \
  "  output quiescent_o, debug_o);\n"                                                        \
  "assign in_credit_o = 0, out_valid_o = 0, out_kind_o = 0, out_vc_o = 0, out_data_o = 0,\n" \
  "  cfg_rdata_o = 0, quiescent_o = 0;\n"

/* Writes a table entry and runs 100 cycles of it; the status of the first that fails, HD_E_DIVERGENCE
 * for X or Z. */
static int run_own_switch(const char *body, const char *options, struct hd_error *err)
{
  char text[4096], own[64], all[256];
  snprintf(own, sizeof own, "build/test_icarus_%d.v", (int)getpid());
  snprintf(text, sizeof text, PINS "%s\nendmodule\n", body);
  snprintf(all, sizeof all, "%s%s%s", own, *options ? "," : "", options);
  write_text(own, text);
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
    status = backend.ops->config_write(dut, 1, HD_CFG_DESTINATION(1, 2), hd_table_entry(3, 1), err);
  if (!status)
    status = backend.ops->run(dut, jobs, 2, err);
  if (!status && unknown.seen)
    status = hd_fail(err, HD_E_DIVERGENCE, "%c in %s", unknown.seen, unknown.name);
  backend.ops->destroy(dut);
  hd_backend_close(&backend);
  return status;
}

/* §6.6: without hierarchy a net of a specified name need not mean anything. */
TEST(names_of_observed_states_are_not_read_from_a_netlist)
{
  need_simulator();
  must(run_own_switch("wire [6:0] errors;", "", &why));
  must_say(run_own_switch("assign quiescent_o = 1;", "", &why), HD_E_DIVERGENCE,
           "x in quiescent_o");
}

/* 0 for ever is legal (docs/your-own-switch.md). */
TEST(a_switch_that_is_never_quiescent_can_be_configured)
{
  need_simulator();
  must(run_own_switch("", "", &why));
}

TEST(a_simulator_that_ends_early_is_reported)
{
  need_simulator();
  must(run_own_switch("", "", &why));
  must_fail(run_own_switch("reg [7:0] n = 0; always @(posedge clk) begin n <= n + 1;\n"
                           "if (n == 50) begin $display(\"fifty is enough\"); $finish; end end",
                           "", &why),
            HD_E_TOOL, "$finish");
  assert_non_null(strstr(why.text, "fifty is enough"));
  must_fail(run_own_switch("this is no Verilog", "", &why), HD_E_TOOL, "syntax error");
  assert_int_equal(run_own_switch("initial $finish;", "", &why), HD_E_TOOL);
}

TEST(a_simulator_that_hangs_is_stopped)
{
  need_simulator();
  must_fail(
      run_own_switch("reg a = 0; always @(posedge clk) while (!rst) a = !a;", "patience=1", &why),
      HD_E_TOOL, "combinational loop");
}

TEST(a_missing_simulator_is_reported_with_its_package)
{
  need_simulator();
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

int main(void)
{
  return tests_run(setup, teardown);
}
