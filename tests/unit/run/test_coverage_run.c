/* Coverage of the specification by runs: which points scenarios reach, the same counts in every mode.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/runs.h"
#include "../lib/test.h"
#include "../../../bridge/coverage/coverage_set.h"

/* Each with the model as DUT, so that registers are read, too. */
static const char *const scenarios[] = {
    "name: singles\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: {vcs: 4}\n"
    "software: {program: uniform, parameters: {load: 0.6, flits: 1, cycles: 2000}}\n"
    "run: {dut: model, cycles: 20000}\n",
    "name: pairs\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: {vcs: 4}\n"
    "software: {program: uniform, parameters: {load: 0.6, flits: 2, cycles: 2000}}\n"
    "run: {dut: model, cycles: 20000}\n",
    "name: hot\nfabric: {topology: mesh, dims: [5, 5]}\nswitch: {vcs: 3}\n"
    "software: {program: hotspot, parameters: {load: 0.8, flits: 5, cycles: 2000, fraction: 0.5}}\n"
    "run: {dut: model, cycles: 40000}\n",
    "name: tree\nfabric: {topology: tree, k: 4, n: 2}\nswitch: {vcs: 2, cut_flits: 4}\n"
    "software: {program: uniform, parameters: {load: 0.7, flits: 4, cycles: 2000}}\n"
    "run: {dut: model, cycles: 20000}\n",
    "name: irregular\nfabric: {topology: irregular, switches: 12, degree: 4}\nswitch: {vcs: 2}\n"
    "software: {program: uniform, parameters: {load: 0.7, flits: 4, cycles: 2000}}\n"
    "run: {dut: model, cycles: 20000}\n",
#define BARRIER(kind, bits, depth, more)                                                          \
  "name: " kind "\nfabric: {topology: mesh, dims: [4, 4]}\n"                                      \
  "switch: {barrier: " kind ", vcs: 3, groups: 3, data_bits: " bits ", depth_flits: " depth "}\n" \
  "software: {program: barrier, parameters: {groups: 3, members: 9, rounds: 60, center: middle,"  \
  " load: 0.5" more "}}\nrun: {dut: model, cycles: 200000}\n"
    BARRIER("any", "16", "4", ""),
    BARRIER("any", "32", "4", ", flits: 20"),
    BARRIER("fixed", "16", "4", ", flits: 20"),
    BARRIER("moving", "16", "6", ", flits: 20"),
    BARRIER("moving", "32", "3", ", flits: 40"),
    BARRIER("queued", "16", "4", ""),
    BARRIER("reserved", "16", "4", ""),
#undef BARRIER
    "name: crowd\nfabric: {topology: mesh, dims: [4, 4]}\n"
    "switch: {barrier: any, vcs: 1, groups: 8, data_bits: 16}\nbarrier: {idle_cycles: 60}\n"
    "software: {program: barrier, parameters: {groups: 8, members: 16, rounds: 40, load: 0.9,"
    " flits: 40}}\nrun: {dut: model, cycles: 400000}\n",
    "name: faults\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any, groups: 4}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 100, parameters: {rounds: 30, center: middle,"
    " compute: 100, load: 0.4, flits: 6}}\n"
    "faults:\n  - {after_barrier: 3, link: \"s5:1\"}\n  - {after_barrier: 9, link: \"s10:2\"}\n"
    "run: {dut: model, cycles: 100000}\n",
    "name: cut off\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any, groups: 4}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 100, parameters: {rounds: 30, center: middle,"
    " load: 0.4, flits: 6}}\n"
    "faults:\n  - {after_barrier: 4, switch: 6}\nrun: {dut: model, cycles: 100000}\n",
    "name: early fault\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: {barrier: any, groups: 4}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 50, parameters: {rounds: 30, center: middle,"
    " load: 0.4, flits: 6, groups: 2, members: 12}}\n"
    "faults:\n  - {cycle: 60, link: \"s5:1\"}\n  - {cycle: 70, switch: 9}\n"
    "run: {dut: model, cycles: 100000}\n",
    /* Scenarios that were found by drawing until one reached points that the others had not reached. */
    "name: found 1\n"
    "seed: 48\n"
    "fabric: {topology: mesh, dims: [8, 4]}\n"
    "switch: {barrier: moving, vcs: 2, groups: 4, data_bits: 16, depth_flits: 6}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 10, parameters: {groups: 4, members:"
    " 7, rounds: 30, center: lowest, compute: 200, load: 0.2, flits: 1}}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 2\n"
    "seed: 68\n"
    "fabric: {topology: mesh, dims: [5, 5]}\n"
    "switch: {barrier: fixed, vcs: 4, groups: 1, data_bits: 16, depth_flits: 6}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 20, parameters: {groups: 1, members:"
    " 6, rounds: 19, center: middle, compute: 50, load: 0.2, flits: 1, congested: 2,"
    " congestion: 200}}\n"
    "faults:\n"
    "  - {cycle: 414, switch: 14}\n"
    "  - {cycle: 567, switch: 0}\n"
    "  - {after_barrier: 2, link: \"s4:0\"}\n"
    "  - {cycle: 79, link: \"s8:1\"}\n"
    "  - {cycle: 422, switch: 12}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 3\n"
    "seed: 89\n"
    "fabric: {topology: mesh, dims: [4, 4]}\n"
    "switch: {barrier: fixed, vcs: 2, groups: 4, data_bits: 16, depth_flits: 4}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 10, parameters: {groups: 1, members:"
    " 8, rounds: 5, center: lowest, compute: 50, load: 0.2, flits: 2}}\n"
    "faults:\n"
    "  - {after_barrier: 2, link: \"s15:0\"}\n"
    "  - {cycle: 106, link: \"s0:0\"}\n"
    "  - {cycle: 507, switch: 15}\n"
    "  - {cycle: 581, link: \"s1:0\"}\n"
    "  - {after_barrier: 2, switch: 12}\n"
    "  - {cycle: 585, link: \"s10:0\"}\n"
    "  - {cycle: 488, switch: 12}\n"
    "  - {after_barrier: 3, link: \"s4:0\"}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 4\n"
    "seed: 37\n"
    "fabric: {topology: mesh, dims: [8, 4]}\n"
    "switch: {barrier: any, vcs: 3, groups: 3, data_bits: 32, depth_flits: 6}\n"
    "routing: {algorithm: shortest}\n"
    "software: {program: barrier, startup_cycles: 5, parameters: {groups: 4, members: 4,"
    " rounds: 9, center: middle, compute: 200, load: 0.9, flits: 6}}\n"
    "faults:\n"
    "  - {after_barrier: 2, link: \"s6:0\"}\n"
    "  - {cycle: 115, switch: 5}\n"
    "  - {after_barrier: 1, link: \"s4:0\"}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 5\n"
    "seed: 16\n"
    "fabric: {topology: mesh, dims: [5, 5]}\n"
    "switch: {barrier: reserved, vcs: 2, groups: 3, data_bits: 16, depth_flits: 6}\n"
    "routing: {algorithm: shortest}\n"
    "software: {program: barrier, startup_cycles: 5, parameters: {groups: 1, members: 6,"
    " rounds: 18, center: lowest, compute: 0, load: 0.0, flits: 30, congested: 2,"
    " congestion: 200}}\n"
    "faults:\n"
    "  - {cycle: 504, link: \"s13:1\"}\n"
    "  - {after_barrier: 3, link: \"s2:1\"}\n"
    "  - {after_barrier: 1, link: \"s2:0\"}\n"
    "  - {cycle: 286, switch: 8}\n"
    "  - {after_barrier: 3, switch: 12}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 6\n"
    "seed: 56\n"
    "fabric: {topology: tree, k: 2, n: 3}\n"
    "switch: {barrier: any, vcs: 3, groups: 4, data_bits: 32, depth_flits: 4}\n"
    "routing: {algorithm: shortest}\n"
    "software: {program: barrier, startup_cycles: 10, parameters: {groups: 3, members:"
    " 8, rounds: 18, center: middle, compute: 200, load: 0.9, flits: 1}}\n"
    "faults:\n"
    "  - {cycle: 406, switch: 0}\n"
    "  - {after_barrier: 3, link: \"s8:0\"}\n"
    "  - {cycle: 351, switch: 7}\n"
    "  - {cycle: 493, switch: 10}\n"
    "  - {cycle: 195, switch: 8}\n"
    "  - {cycle: 243, link: \"s8:0\"}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: met 1\n"
    "seed: 8919\n"
    "fabric: {topology: irregular, switches: 10, degree: 3, graph_seed: 608}\n"
    "switch: {barrier: queued, vcs: 2, groups: 2, data_bits: 32, depth_flits: 3}\n"
    "software: {program: barrier, parameters: {groups: 3, members: 4, rounds: 3, center:"
    " middle, compute: 50, load: 0.9, flits: 60, timeout: 3000}}\n"
    "faults:\n"
    "  - {cycle: 135, link: \"s2:1\"}\n"
    "  - {cycle: 193, link: \"s1:2\"}\n"
    "  - {cycle: 51, link: \"s5:1\"}\n"
    "  - {cycle: 144, link: \"s7:1\"}\n"
    "  - {cycle: 160, link: \"s5:2\"}\n"
    "run: {dut: model, cycles: 20000}\n",
    "name: met 2\n"
    "seed: 8450\n"
    "fabric: {topology: irregular, switches: 17, degree: 3, graph_seed: 333}\n"
    "switch: {barrier: moving, vcs: 1, groups: 2, data_bits: 32, depth_flits: 3}\n"
    "software: {program: barrier, parameters: {groups: 3, members: 2, rounds: 3, center:"
    " middle, compute: 50, load: 0.9, flits: 60, timeout: 3000}}\n"
    "faults:\n"
    "  - {cycle: 127, link: \"s7:2\"}\n"
    "  - {cycle: 162, link: \"s3:2\"}\n"
    "  - {cycle: 60, link: \"s14:1\"}\n"
    "  - {cycle: 41, link: \"s13:1\"}\n"
    "  - {cycle: 57, link: \"s5:2\"}\n"
    "run: {dut: model, cycles: 20000}\n",
    "name: found 7\n"
    "seed: 37\n"
    "fabric: {topology: mesh, dims: [8, 4]}\n"
    "switch: {barrier: reserved, vcs: 3, groups: 2, data_bits: 32, depth_flits: 7}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 5, parameters: {groups: 2, members: 4,"
    " rounds: 29, center: middle, compute: 50, load: 0.5, flits: 2}}\n"
    "faults:\n"
    "  - {cycle: 129, switch: 5}\n"
    "  - {after_barrier: 3, switch: 4}\n"
    "  - {after_barrier: 3, switch: 9}\n"
    "  - {cycle: 427, link: \"s2:2\"}\n"
    "  - {cycle: 60, link: \"s3:1\"}\n"
    "run: {dut: model, cycles: 30000}\n",
    "name: found 8\n"
    "seed: 45\n"
    "fabric: {topology: mesh, dims: [8, 4]}\n"
    "switch: {barrier: moving, vcs: 2, groups: 4, data_bits: 16, depth_flits: 7}\n"
    "routing: {algorithm: up-down}\n"
    "software: {program: barrier, startup_cycles: 20, parameters: {groups: 2, members:"
    " 3, rounds: 6, center: middle, compute: 200, load: 0.9, flits: 6}}\n"
    "faults:\n"
    "  - {cycle: 170, switch: 10}\n"
    "  - {cycle: 234, switch: 5}\n"
    "  - {cycle: 555, link: \"s14:2\"}\n"
    "  - {after_barrier: 2, link: \"s5:0\"}\n"
    "  - {after_barrier: 3, link: \"s11:2\"}\n"
    "  - {cycle: 535, link: \"s11:0\"}\n"
    "  - {after_barrier: 3, link: \"s13:2\"}\n"
    "run: {dut: model, cycles: 30000}\n",
};

/* Points that runs could reach, but that none of 1,700 random runs with faults in their first cycles has reached. */
static const struct {
  enum hd_spec_point point;
  const char *why;
} points_not_reached[] = {
    {HD_POINT_NULL_SINK,
     "an unroutable packet whose rest is preempted upstream: needs a fault in those cycles"},
    {HD_POINT_PADDING_IDLE,
     "a preempted packet whose tail has passed: needs a fault in those cycles"},
    {HD_POINT_PADDING_SINK,
     "an unroutable packet that is preempted behind its head: needs a fault in those cycles"},
    {HD_POINT_LOCAL_FAILED,
     "a member that arrives after its group has failed: needs a fault in the first round"},
    {HD_POINT_LOCAL_WAITS, "the same where its slot is full"},
    {HD_POINT_FAIL_NONE,
     "a group that fails before a member of the center arrives: needs a fault in the first round"},
    {HD_POINT_NO_PORT, "the management takes groups out before their messages lose the last way"},
    {HD_POINT_NO_PORT_SEND, "the same"},
    {HD_POINT_LIVE_MASKS,
     "the management takes a dead port out of the table in the same row of writes"},
};

static bool is_not_yet(enum hd_spec_point point)
{
  for (size_t i = 0; i < sizeof points_not_reached / sizeof *points_not_reached; i++)
    if (points_not_reached[i].point == point)
      return true;
  return false;
}

static void add_run(struct hd_coverage_set *set, const char *text)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  int status = run_text(text, &report);
  if (status && status != HD_E_FAULT)
    fail_msg("%s\n%s", text, hd_text_chars(&report.message));
  assert_int_equal(report.coverage.runs, 1);
  for (unsigned i = 0; i < HD_POINTS; i++)
    if (report.coverage.count[i] && !report.coverage.reachable[i])
      fail_msg("%s\ncame by §%s %s, which is out of reach", text, hd_coverage_list[i].section,
               hd_coverage_list[i].name);
  hd_coverage_merge(set, &report.coverage);
}

TEST(runs_reach_every_coverage_point_that_they_can)
{
  struct hd_coverage_set set = {0};
  uint32_t n = sizeof scenarios / sizeof *scenarios, wrong = 0;
  for (uint32_t i = 0; i < n; i++)
    add_run(&set, scenarios[i]);
  assert_int_equal(set.runs, n);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    if (hd_coverage_list[i].by == HD_COVERAGE_TEST || !set.count[i] == is_not_yet(i))
      continue;
    wrong++;
    printf("§%s %s: %s\n", hd_coverage_list[i].section, hd_coverage_list[i].name,
           set.count[i] ? "is reached, take it off the list" : "no run reaches it");
  }
  printf("%u of %u points reached by %u runs\n",
         hd_coverage_reachable_points(&set) - hd_coverage_holes(&set),
         hd_coverage_reachable_points(&set), n);
  assert_int_equal(wrong, 0);
}

TEST(coverage_counts_are_the_same_in_every_mode)
{
  static const char *const modes[] = {"decoupled", "decoupled, threads: 2", "closed",
                                      "closed, threads: 2"};
  for (uint32_t barrier = 0; barrier < 2; barrier++) {
    struct hd_coverage_set first = {0};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
      char text[800];
      struct hd_coverage_set set = {0};
      snprintf(text, sizeof text,
               "name: modes\nfabric: {topology: mesh, dims: [3, 3]}\nswitch: {barrier: %s}\n"
               "software: {program: %s}\nrun: {dut: model, cycles: 20000, mode: %s}\n",
               barrier ? "any" : "none",
               barrier ? "barrier, parameters: {rounds: 20, load: 0.4}"
                       : "uniform, parameters: {load: 0.3, cycles: 400}",
               modes[i]);
      add_run(&set, text);
      assert_true(hd_coverage_holes(&set) < hd_coverage_reachable_points(&set));
      if (!i)
        first = set;
      assert_memory_equal(&set, &first, sizeof set);
    }
  }
}

TEST(coverage_of_several_runs_is_added_up)
{
  struct hd_switch_params plain = {
      .ports = 5, .vcs = 2, .data_bits = 16, .depth_flits = 4, .nodes = 16};
  struct hd_switch_params barrier = plain;
  struct hd_coverage counts = {{0}};
  struct hd_coverage_set a = {0}, b = {0};
  struct hd_text text = {0};
  barrier.barrier = HD_BARRIER_ANY;
  barrier.groups = 2;
  barrier.switches = 4;
  hd_coverage_summary(&a, &text);
  assert_string_equal(hd_text_chars(&text), "");
  counts.count[HD_POINT_IDLE_SINGLE] = 7;
  hd_coverage_add(&a, &counts, &plain);
  assert_false(hd_coverage_is_hole(&a, HD_POINT_IDLE_SINGLE));
  assert_true(hd_coverage_is_hole(&a, HD_POINT_IDLE_HEAD));
  assert_false(hd_coverage_is_hole(&a, HD_POINT_RULE_2_NODE));
  assert_false(hd_coverage_is_hole(&a, HD_POINT_OVERFLOW));
  assert_int_equal(hd_coverage_next_hole(&a, HD_POINT_IDLE_SINGLE), HD_POINT_OPEN_BODY);
  assert_int_equal(hd_coverage_holes(&a), hd_coverage_reachable_points(&a) - 1);
  hd_coverage_add(&b, &counts, &barrier);
  hd_coverage_merge(&a, &b);
  assert_int_equal(a.runs, 2);
  assert_int_equal(a.count[HD_POINT_IDLE_SINGLE], 14);
  assert_true(hd_coverage_is_hole(&a, HD_POINT_RULE_2_NODE));
  hd_coverage_summary(&a, &text);
  assert_non_null(strstr(hd_text_chars(&text), "§2.3 \"empty buffer\" and §2.4 \"idle, head\""));
  hd_text_fini(&text);
}

TEST(names_of_coverage_points_need_no_escaping)
{
  for (unsigned i = 0; i < HD_POINTS; i++) {
    assert_null(strpbrk(hd_coverage_list[i].name, "\"\\|\n"));
    assert_null(strpbrk(hd_coverage_list[i].about, "\"\\|\n"));
  }
}
