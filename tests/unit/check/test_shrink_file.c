/* A failing scenario file of any fabric and program is shrunk. The smaller file fails in the same way.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/planted_rtl.h"
#include "../lib/test.h"

#include "../../../bridge/check/soak/soak.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/scenario/scenario_outline.h"

enum { SECONDS = 600, SWITCHES = 4, CYCLES = 200 };
static char rtl[64], path[96];
static struct soak_opened *backends_opened;

static struct soak_common common_of(const char *rtl_dir)
{
  return (struct soak_common){.rtl_dir = rtl_dir,
                              .cache_dir = "build/shrink-cache",
                              .directory = "build",
                              .opened = &backends_opened};
}

/* The search ends when all but the switch's parameters is small, so that no other switches are built. */
static bool is_small_scenario(void *context)
{
  struct soak_size_of size;
  (void)context;
  return !hd_soak_measure(path, &size, NULL) && size.switches <= SWITCHES &&
         size.nodes <= SWITCHES && size.cycles < CYCLES;
}

static void write_scenario(const char *text)
{
  must(hd_file_write(path, text, strlen(text), &why));
}

static void run(const struct soak_common *common, struct soak_result *result)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario scenario;
  CLEANUP(hd_topology_fini) struct hd_topology topology;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  if (hd_scenario_read(&scenario, path, &why) ||
      hd_scenario_build(&scenario, &topology, &tables, &why))
    fail_msg("%s", why.text);
  hd_soak_try_file(path, &scenario.sw, common, result);
}

/* Tests a mesh of these sides, with packets of this many flits, in a router of four columns that takes no packets of one
 * flit. */
static bool keeps(const char *dims, const char *flits)
{
  static const struct soak_limits limits = {.columns = 4, .shortest = 2};
  CLEANUP(hd_scenario_fini) struct hd_scenario scenario;
  CLEANUP(hd_outline_fini) struct hd_outline outline = {.n = 0};
  char text[300];
  const int n = snprintf(text, sizeof text,
                         "name: small\nfabric: {topology: mesh, dims: [%s]}\n"
                         "software: {program: uniform, parameters: {load: 0.3%s}}\n",
                         dims, flits);
  must(hd_scenario_parse(&scenario, text, (size_t)n, "small.yaml", &why));
  must(hd_outline_read(&outline, text, (size_t)n, "small.yaml", &why));
  return hd_soak_keeps(&limits, &scenario, &outline);
}

/* A router that finds rows and columns by a fixed number fails in other meshes, whatever its bug. */
TEST(a_small_scenario_keeps_the_limits_of_the_router)
{
  assert_true(keeps("4, 4", ", flits: 4"));
  assert_true(keeps("4, 2", ""));
  assert_true(keeps("3", ", flits: 2"));
  assert_false(keeps("2, 2", ", flits: 4"));
  assert_false(keeps("3, 3", ""));
  assert_false(keeps("5", ""));
  assert_false(keeps("4, 4", ", flits: 1"));
}

/* A tree with barrier groups and faults: nothing in it is as in a mesh, and many values are large. */
TEST(a_failing_scenario_file_is_shrunk)
{
  static const char text[] =
      "name: large\nfabric: {topology: tree, k: 3, n: 3, link_cycles: 2}\n"
      "switch: {vcs: 2, barrier: any, groups: 6, depth_flits: 6}\n"
      "software: {program: barrier, startup_cycles: 20, parameters: {rounds: 9, compute: 30, load: "
      "0.3}}\n"
      "faults: [{cycle: 4000, switch: 20}, {cycle: 4100, link: \"s9:3\"}]\n"
      "run: {cycles: 5000, window_cycles: 128, threads: 2}\ntrace: {hops: true}\n";
  struct soak_common common = common_of(rtl);
  common.stop = is_small_scenario;
  struct soak_size_of before, after;
  struct soak_result result;
  bool unfinished;
  /* Fault: an output's channel stays owned after its packet has left. */
  plant_rtl(rtl, "hd_output_port.v", "owned_q <= owned_q ^ turned;",
            "owned_q <= {1'b0, owned_q | turned};");
  write_scenario(text);
  must(hd_soak_measure(path, &before, &why));
  must(hd_soak_shrink_file(path, SECONDS, &common, &unfinished, &why));
  must(hd_soak_measure(path, &after, &why));
  print_message("%u switches to %u, %u nodes to %u, %u cycles to %u\n", before.switches,
                after.switches, before.nodes, after.nodes, (unsigned)before.cycles,
                (unsigned)after.cycles);
  assert_int_equal(before.switches, 27);
  assert_true(is_small_scenario(NULL));
  common.stop = NULL;
  run(&common, &result);
  assert_int_equal(result.outcome, SOAK_DIVERGED);
  hd_soak_backends_close(&common);
  common = common_of("rtl");
  run(&common, &result); /* the failure is in the RTL only, and not in the model */
  assert_int_equal(result.outcome, SOAK_AGREED);
  hd_soak_backends_close(&common);
}

/* Only Icarus finds an x after reset. The small scenario must still show it. */
TEST(a_failure_in_four_state_simulation_is_shrunk)
{
  static const char text[] =
      "name: reset\nfabric: {topology: mesh, dims: [3, 3]}\n"
      "software: {program: uniform, parameters: {load: 0.3, flits: 4, cycles: 400}}\n"
      "run: {cycles: 1000, dut: icarus}\n";
  CLEANUP(hd_soak_backends_close) struct soak_common common = common_of(rtl);
  common.stop = is_small_scenario;
  common.dut = "icarus";
  struct soak_result result;
  bool unfinished;
  /* Fault: reset does not reset the arbiters' pointers. */
  plant_rtl(rtl, "hd_rr_arbiter.v", "if (rst) from_q <= NONE;\n    else", "");
  write_scenario(text);
  must(hd_soak_shrink_file(path, SECONDS, &common, &unfinished, &why));
  assert_true(is_small_scenario(NULL));
  common.stop = NULL;
  run(&common, &result);
  assert_int_equal(result.outcome, SOAK_DIVERGED);
}

/* A scenario that agrees is no failure. A scenario that cannot be read is none, either. */
TEST(a_scenario_that_agrees_or_cannot_be_read_is_not_shrunk)
{
  static const char text[] = "name: sound\nfabric: {topology: mesh, dims: [2]}\n"
                             "software: {program: uniform, parameters: {load: 0.2, cycles: 100}}\n"
                             "run: {cycles: 400, dut: verilator}\n";
  CLEANUP(hd_soak_backends_close) struct soak_common common = common_of("rtl");
  bool unfinished;
  write_scenario(text);
  assert_int_equal(hd_soak_shrink_file(path, SECONDS, &common, &unfinished, &why), HD_E_NOTHING);
  write_scenario("name: none\n");
  assert_int_equal(hd_soak_shrink_file(path, SECONDS, &common, &unfinished, &why), HD_E_NOTHING);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(hd_soak_shrink_file(path, SECONDS, &common, &unfinished, &why), HD_E_IO);
}

static int setup(void **state)
{
  (void)state;
  snprintf(rtl, sizeof rtl, "build/shrink-rtl-%d", (int)getpid());
  snprintf(path, sizeof path, "build/shrink-%d.yaml", (int)getpid());
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  unlink(path);
  return hd_tree_remove(rtl, NULL);
}

int main(void)
{
  return tests_run(setup, teardown);
}
