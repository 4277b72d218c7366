/* Algorithm in-network: barrier units combine values on the model of fabrics; every result is right; refusals are named.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_runs.h"
#include "../lib/test.h"

static const char mesh[] = "{topology: mesh, dims: [4, 3]}";
static const char tree[] = "{topology: tree, k: 2, n: 3}";
static const char values[] = "data_bits: 64, barrier: any, values: 1, groups: 16";

static int try_run(const char *fabric, const char *keys, const char *parameters,
                   struct hd_run_report *report, struct hd_error *err)
{
  char text[1000];
  snprintf(text, sizeof text,
           "name: c\nfabric: %s\nswitch: {vcs: 2, %s}\n"
           "software: {program: collective, startup_cycles: 10, parameters: "
           "{algorithm: in-network, %s}}\nseed: 7\nrun: {cycles: 1000000, dut: none}\n",
           fabric, keys, parameters);
  const struct hd_run_options options = {
      .scenario_path = "c.yaml", .scenario_text = text, .results_only = true};
  return hd_run(&options, report, err);
}

/* The program compares every byte of every result with what follows from the members' numbers. */
TEST(every_value_is_combined)
{
  static const char *const cases[] = {
      "collective: allreduce, operator: sum-u32, bytes: 4",
      "collective: allreduce, operator: min-u32, bytes: 36, at_once: 4",
      "collective: allreduce, operator: max-u32, bytes: 32, at_once: 8, members: 5",
      "collective: allreduce, operator: sum-u32, bytes: 40, groups: 3, members: 5, at_once: 3",
      "collective: allreduce, operator: sum-u32, bytes: 0",
      "collective: allreduce, operator: sum-u32, bytes: 8, members: 1",
      "collective: reduce, operator: sum-u32, bytes: 28, at_once: 2, root: rotate",
      "collective: reduce, operator: max-u32, bytes: 4, gap: 0, root: 3",
      "collective: barrier",
      "collective: barrier, members: 6, groups: 4, gap: 0",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int on_tree = 0; on_tree < 2; on_tree++) {
      struct hd_run_report report;
      struct hd_error err = {""};
      const char *groups = strstr(cases[i], "groups: ");
      if (try_run(on_tree ? tree : mesh, values, cases[i], &report, &err) ||
          !report.software_finished)
        fail_msg("%s: %s %s", cases[i], err.text, hd_text_chars(&report.message));
      assert_int_equal(statistic(&report, "in-network")->n,
                       10 * (groups ? strtoull(groups + 8, NULL, 10) : 1));
      hd_run_report_fini(&report);
    }
}

/* All rounds of a block take as long as was measured of one. */
TEST(rounds_take_what_was_measured)
{
  struct hd_run_report report;
  struct hd_error err = {""};
  assert_int_equal(try_run(mesh, values,
                           "collective: allreduce, operator: sum-u32, bytes: 64, at_once: 4",
                           &report, &err),
                   0);
  const uint64_t round = statistic(&report, "round in the network")->maximum;
  assert_true(round > 0);
  assert_int_equal(statistic(&report, "alpha-beta model")->maximum, 4 * round);
  assert_in_range(statistic(&report, "in-network")->maximum, 4 * round * 8 / 10,
                  4 * round * 12 / 10);
  hd_run_report_fini(&report);
}

TEST(what_the_network_cannot_combine_is_refused)
{
  static const struct {
    const char *keys, *parameters, *says;
  } cases[] = {
      {"barrier: none", "collective: barrier", "needs switches that take barrier messages"},
      {"data_bits: 64, barrier: any", "collective: allreduce, operator: sum-u32, bytes: 4",
       "the switches combine no values; set switch.values: 1"},
      {values, "collective: allreduce, operator: sum-u8, bytes: 4", "sum-u32, min-u32 and max-u32"},
      {values, "collective: allreduce, operator: sum-u32, bytes: 4, under_way: 2",
       "under_way: 2; with algorithm in-network it is 1"},
      {values, "collective: allreduce, operator: sum-u32, bytes: 4, at_once: 9",
       "at_once: 9; legal"},
      {values, "collective: allgather", "algorithm: in-network; legal for allgather"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_run_report report;
    struct hd_error err = {""};
    if (!try_run(mesh, cases[i].keys, cases[i].parameters, &report, &err))
      fail_msg("case %zu runs", i);
    if (!strstr(err.text, cases[i].says) && !strstr(hd_text_chars(&report.message), cases[i].says))
      fail_msg("case %zu: '%s' is not in '%s%s'", i, cases[i].says, err.text,
               hd_text_chars(&report.message));
    hd_run_report_fini(&report);
  }
}
