/* Whole fabrics on Icarus Verilog: one digest with the model and Verilator, and names for X.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Needs iverilog and vvp (Debian package iverilog), and Verilator.
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/run/run.h"
#include "../../../bridge/record/rundb.h"

#include <sys/stat.h>

#include "../lib/planted_rtl.h"
#include "../lib/test.h"

/* Names with this process's number: tests may run side by side. */
static char directory[64], run_directory[80], rtl_directory[80];

/* A switch of test_backend and test_icarus, which is built already. */
#define SMALL "switch: {ports: 5, nodes: 64}\n"
#define UNIFORM "software: {program: uniform, packet_bytes: 8, parameters: {load: 0.2}}\n"
#define BARRIER(kind)                                                                \
  "fabric: {topology: mesh, dims: [2, 2]}\nswitch: {barrier: " kind ", groups: 2}\n" \
  "software: {program: barrier, parameters: {rounds: 2, compute: 20, load: 0.6}}\n"

static const struct {
  const char *name, *text;
  uint32_t cycles, window, threads;
  bool closed;
  bool verilator; /* also on Verilator; for the others a switch would have to be built */
} k_scenarios[] = {
    {"mesh", "fabric: {topology: mesh, dims: [2, 2]}\n" SMALL UNIFORM, 300, 256, 1, false, true},
    {"mesh, closed", "fabric: {topology: mesh, dims: [3, 2]}\n" SMALL UNIFORM, 150, 256, 1, true,
     true},
    {"mesh, short windows", "fabric: {topology: mesh, dims: [4, 2]}\n" SMALL UNIFORM, 150, 7, 2,
     false, true},
    {"long links", "fabric: {topology: mesh, dims: [5], link_cycles: 4}\n" SMALL UNIFORM, 250, 100,
     1, false, true},
    {"tree, s-mod-k", "fabric: {topology: tree, k: 2, n: 2}\n" SMALL UNIFORM, 200, 256, 1, false,
     false},
    {"tree, d-mod-k, closed",
     "fabric: {topology: tree, k: 2, n: 3}\nrouting: {algorithm: d-mod-k}\n" SMALL UNIFORM, 60, 256,
     1, true, true},
    {"graph", "fabric: {topology: graph, file: tests/scenarios/ring-8.csv}\n" SMALL UNIFORM, 120,
     64, 2, false, true},
    {"slow, cut-through, closed",
     "fabric: {topology: mesh, dims: [2, 2]}\nswitch: {vcs: 3, data_bits: 32, depth_flits: 5, "
     "route_cycles: 2, arb_cycles: 2, buffer_cycles: 1, cut_flits: 4}\n" UNIFORM,
     150, 256, 1, true, false},
    {"barrier any", BARRIER("any"), 250, 256, 1, false, false},
    {"barrier fixed", BARRIER("fixed"), 250, 256, 1, false, false},
    {"barrier moving, closed", BARRIER("moving"), 250, 256, 1, true, false},
    {"barrier queued", BARRIER("queued"), 250, 100, 1, false, false},
    {"barrier reserved, closed", BARRIER("reserved"), 250, 256, 1, true, false},
};
enum { N_SCENARIOS = sizeof k_scenarios / sizeof *k_scenarios };

/* Skips the test if the simulator is not installed. */
static void need_icarus(void)
{
  if (system("command -v vvp >/dev/null")) {
    print_message("SKIP vvp is missing, install the package iverilog\n");
    skip();
  }
}

/* Returns the digest of a run, in which model and DUT must agree. */
static uint64_t digest_of(unsigned i, const char *dut, uint64_t *cycles, double *seconds)
{
  char text[2048];
  snprintf(text, sizeof text,
           "name: icarus\n%srun: {cycles: %" PRIu32 ", window_cycles: %" PRIu32
           ", threads: %" PRIu32 ", mode: %s}\n",
           k_scenarios[i].text, k_scenarios[i].cycles, k_scenarios[i].window,
           k_scenarios[i].threads, k_scenarios[i].closed ? "closed" : "decoupled");
  const struct hd_run_options options = {.scenario_path = "scenario.yaml",
                                         .scenario_text = text,
                                         .dut = dut,
                                         .out_dir = run_directory};
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  assert_int_equal(hd_tree_remove(run_directory, NULL), 0);
  int status = hd_run(&options, &report, &why);
  /* A barrier program that the limit of cycles cuts off is no failure here. */
  if (status && status != HD_E_BUDGET)
    fail_msg("%s on %s: %s", k_scenarios[i].name, dut, why.text);
  uint64_t digest = report.result.digest;
  *cycles = report.result.cycles_compared;
  *seconds = report.seconds;
  assert_true(*cycles > 50 && report.result.events_compared > 100);
  return digest;
}

TEST(model_icarus_and_verilator_give_the_same_digest)
{
  need_icarus();
  static const char *const duts[] = {"model", "icarus", "verilator"};
  for (unsigned i = 0; i < N_SCENARIOS; i++) {
    uint64_t digests[3], cycles[3];
    double seconds[3] = {0};
    const unsigned n = k_scenarios[i].verilator ? 3 : 2;
    for (unsigned k = 0; k < n; k++)
      digests[k] = digest_of(i, duts[k], &cycles[k], &seconds[k]);
    print_message("%-26s %5" PRIu64 " cycles, digest %016" PRIx64
                  "; seconds: model %.2f, Icarus %.2f, Verilator %.2f\n",
                  k_scenarios[i].name, cycles[0], digests[0], seconds[0], seconds[1], seconds[2]);
    for (unsigned k = 1; k < n; k++) {
      assert_int_equal(digests[k], digests[0]);
      assert_int_equal(cycles[k], cycles[0]);
    }
  }
}

/* ── X and Z (§6.6) ─────────────────────────────────────────────────────────── */

static void expect_in(const char *text, const char *what)
{
  if (!text || !strstr(text, what))
    fail_msg("no '%s' in: %s", what, text ? text : "nothing");
}

/* Expects the planted fault in the report, in its JSON and in its explanation. */
static void expect_named(const char *name, const char *message, const char *line, bool closed)
{
  char *json = NULL;
  size_t length = 0;
  const struct hd_run_options options = {
      .scenario_path = "scenario.yaml",
      .scenario_text = "name: x\nfabric: {topology: mesh, dims: [2, 2]}\n" SMALL UNIFORM
                       "run: {cycles: 300}\ntrace: {waves: true}\n",
      .dut = "icarus",
      .rtl_dir = rtl_directory,
      .has_mode = true,
      .mode = closed ? HD_MODE_CLOSED : HD_MODE_DECOUPLED,
      .out_dir = run_directory};
  struct hd_run_report report;
  struct hd_text text = {0};
  assert_int_equal(hd_tree_remove(run_directory, NULL), 0);
  assert_int_equal(hd_run(&options, &report, &why), HD_E_DIVERGENCE);
  expect_in(report.message.chars, message);
  assert_string_equal(hd_divergence_name(&report.result.divergence), name);
  hd_explain_divergence(&report.explanation, &text);
  expect_in(text.chars, line);
  assert_true(report.has_waves);
  char path[96];
  snprintf(path, sizeof path, "%s/report.json", run_directory);
  assert_int_equal(hd_file_read(path, &json, &length, NULL), 0);
  char field[96];
  snprintf(field, sizeof field, "\"difference\": \"%s\"", name);
  expect_in(json, field);
  free(json);
  struct hd_rundb_info info;
  assert_int_equal(hd_rundb_read(&info, run_directory, NULL), 0);
  assert_string_equal(hd_divergence_name(&info.divergence), name);
  hd_rundb_info_fini(&info);
  hd_text_fini(&text);
  hd_run_report_fini(&report);
}

TEST(an_x_is_reported_with_pin_switch_port_and_cycle)
{
  need_icarus();
  for (int closed = 0; closed < 2; closed++) {
    plant_rtl(rtl_directory, "hd_output_port.v", "        data_o <= data;",
              "        data_o <= {data[DATA_W-1:1], 1'bx};");
    expect_named("unknown", "x in out_data_o of switch", "vc 0: an output is unknown", closed);
    plant_rtl(rtl_directory, "hd_output_port.v",
              "if (rst) count_q <= SLOTS[COUNT_W-1:0];\n        else", "");
    expect_named("not reset",
                 "x in out[0].vc[0].credit after reset, switch 0, port 0, vc 0, cycle 0",
                 "unknown registers in it: out[0].u_port.", closed);
    plant_rtl(rtl_directory, "hd_output_port.v", "assign first_next = NONE;",
              "assign first_next = {VCS{1'bx}};");
    expect_named("four-state credit", "(four-state credit)", "four-state only: with 0 for every X",
                 closed);
    plant_rtl(rtl_directory, "hd_config.v", "if (rst) rdata_o <= 16'd0;\n    else if", "if");
    expect_named("unknown", "x in cfg_rdata_o of switch 0, cycle 0", "an output is unknown",
                 closed);
    /* a bug that makes no X is still reported as a difference */
    plant_rtl(rtl_directory, "hd_output_port.v", "data_o <= data;", "data_o <= ~data;");
    expect_named("flit", "(flit)", "output flits differ", closed);
  }
}

static int setup(void **state)
{
  (void)state;
  mkdir("build", 0777);
  snprintf(directory, sizeof directory, "build/test_icarus_fabric.%d", (int)getpid());
  snprintf(run_directory, sizeof run_directory, "%s/run", directory);
  snprintf(rtl_directory, sizeof rtl_directory, "%s/rtl", directory);
  return mkdir(directory, 0777);
}

static int teardown(void **state)
{
  (void)state;
  return hd_tree_remove(directory, NULL);
}

int main(void)
{
  return tests_run(setup, teardown);
}
