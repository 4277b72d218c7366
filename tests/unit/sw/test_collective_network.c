/* Algorithm in-network: barrier units combine values, and multicast brings blocks to all, on the model of fabrics; every
 * result is right; refusals are named.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/runs.h"
#include "../lib/test.h"

static const char mesh[] = "{topology: mesh, dims: [4, 3]}";
static const char tree[] = "{topology: tree, k: 2, n: 3}\nrouting: {algorithm: d-mod-k}";
static const char values[] = "data_bits: 64, barrier: any, values: 1, groups: 16";
static const char copies[] = "data_bits: 32, trees: 4";

static int try_run(const char *fabric, const char *keys, const char *parameters,
                   struct hd_run_report *report, struct hd_error *err)
{
  char text[1000];
  snprintf(text, sizeof text,
           "name: c\nfabric: %s\nswitch: {vcs: 3, %s}\n"
           "software: {program: collective, startup_cycles: 10, parameters: "
           "{%s%s}}\nseed: 7\nrun: {cycles: 1000000, dut: none}\n",
           fabric, keys, strstr(parameters, "algorithm") ? "" : "algorithm: in-network, ",
           parameters);
  const struct hd_run_options options = {
      .scenario_path = "c.yaml", .scenario_text = text, .results_only = true};
  return hd_run(&options, report, err);
}

/* The program compares every byte of every result with what follows from the members' numbers. */
TEST(every_value_is_combined_and_every_block_copied)
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
      "collective: broadcast, bytes: 1000, root: rotate",
      "collective: broadcast, bytes: 1, members: 5, groups: 4, under_way: 3, gap: 0, root: rotate",
      "collective: broadcast, bytes: 100, members: 1",
      "collective: allgather, bytes: 33",
      "collective: allgather, bytes: 70, members: 7, groups: 3, under_way: 2, gap: 0",
      "collective: allgather, bytes: 0",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int on_tree = 0; on_tree < 2; on_tree++) {
      CLEANUP(hd_run_report_fini) struct hd_run_report report;
      struct hd_error err = {""};
      const char *groups = strstr(cases[i], "groups: ");
      const bool casts = strstr(cases[i], "broadcast") || strstr(cases[i], "allgather");
      if (try_run(on_tree ? tree : mesh, casts ? copies : values, cases[i], &report, &err) ||
          !report.software_finished)
        fail_msg("%s: %s %s", cases[i], err.text, hd_text_chars(&report.message));
      assert_int_equal(statistic(&report, "in-network")->n,
                       10 * (groups ? strtoull(groups + 8, NULL, 10) : 1));
    }
}

/* All rounds of a block take as long as was measured of one. */
TEST(rounds_of_a_block_take_the_time_measured_for_one_round)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  must(try_run(mesh, values, "collective: allreduce, operator: sum-u32, bytes: 64, at_once: 4",
               &report, &why));
  const uint64_t round = statistic(&report, "round in the network")->maximum;
  assert_true(round > 0);
  assert_int_equal(statistic(&report, "alpha-beta model")->maximum, 4 * round);
  assert_int_equal(statistic(&report, "bound of messages")->n, 10);
  assert_in_range(statistic(&report, "in-network")->maximum, 4 * round * 8 / 10,
                  4 * round * 12 / 10);
}

/* A start-up at the root and one at each member, whatever there is to send; messages go one after the other. */
TEST(a_multicast_broadcast_pays_one_start_up_at_the_root)
{
  uint64_t cycles[2];
  for (int by_messages = 0; by_messages < 2; by_messages++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    must(try_run(mesh, copies,
                 by_messages ? "collective: broadcast, algorithm: binomial, bytes: 8"
                             : "collective: broadcast, bytes: 8",
                 &report, &why));
    cycles[by_messages] = statistic(&report, by_messages ? "binomial" : "in-network")->maximum;
  }
  printf("%llu cycles by switches, %llu by messages\n", (unsigned long long)cycles[0],
         (unsigned long long)cycles[1]);
  assert_true(2 * cycles[0] < cycles[1]);
}

TEST(operations_that_switches_cannot_combine_are_refused)
{
  static const struct {
    const char *keys, *parameters, *expected_message;
  } cases[] = {
      {"barrier: none", "collective: barrier", "needs switches that take barrier messages"},
      {"data_bits: 64, barrier: any", "collective: allreduce, operator: sum-u32, bytes: 4",
       "the switches combine no values; set switch.values: 1"},
      {values, "collective: allreduce, operator: sum-u8, bytes: 4", "sum-u32, min-u32 and max-u32"},
      {values, "collective: allreduce, operator: sum-u32, bytes: 4, under_way: 2",
       "under_way: 2; with algorithm in-network it is 1"},
      {values, "collective: allreduce, operator: sum-u32, bytes: 4, at_once: 9",
       "at_once: 9; legal"},
      {values, "collective: alltoall", "algorithm: in-network; legal for alltoall"},
      {values, "collective: allgather",
       "multicast: the switches have no multicast (key switch.trees)"},
      {copies, "collective: broadcast, at_once: 2",
       "at_once: only where algorithm in-network combines"},
      {copies, "collective: broadcast, members: 5, groups: 5",
       "all trees of the switches are taken"},
      {"data_bits: 16, nodes: 64, trees: 4", "collective: broadcast",
       "a flit has no room for a byte"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    struct hd_error err = {""};
    if (!try_run(mesh, cases[i].keys, cases[i].parameters, &report, &err))
      fail_msg("case %zu runs", i);
    if (!strstr(err.text, cases[i].expected_message) &&
        !strstr(hd_text_chars(&report.message), cases[i].expected_message))
      fail_msg("case %zu: '%s' is not in '%s%s'", i, cases[i].expected_message, err.text,
               hd_text_chars(&report.message));
  }
}
