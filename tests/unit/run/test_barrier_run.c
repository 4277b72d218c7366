/* Program barrier from scenario to report, on every kind of switch that takes barrier messages.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/runs.h"
#include "../lib/test.h"

#define SCENARIO(fabric, sw, parameters, rest)                                         \
  "name: barrier\nfabric: " fabric "\nswitch: " sw "\nsoftware:\n  program: barrier\n" \
  "  startup_cycles: 10\n  parameters: " parameters "\n" rest

TEST(the_barrier_program_runs_on_every_kind_of_switch)
{
  /* On several channels messages can overtake each other where switch.barrier is moving or queued:
   * then one channel. */
  static const struct {
    const char *sw, *mode;
  } kinds[] = {{"{barrier: any}", "decoupled"},
               {"{barrier: fixed, data_bits: 32}", "decoupled"},
               {"{barrier: moving, vcs: 1}", "decoupled"},
               {"{barrier: queued, vcs: 1, arb_cycles: 2}", "decoupled"},
               {"{barrier: reserved, buffer_cycles: 1}", "decoupled"},
               {"{barrier: any, vcs: 3}", "closed"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[1024];
    snprintf(text, sizeof text,
             "name: barrier\nfabric: {topology: mesh, dims: [4, 4]}\nswitch: %s\n"
             "routing: {algorithm: up-down}\nbarrier: {idle_cycles: 8}\n"
             "software:\n  program: barrier\n  startup_cycles: 10\n"
             "  parameters: {groups: 3, members: 7, rounds: 20, compute: 50, load: 0.1,"
             " center: middle}\n"
             "run: {dut: model, mode: %s}\n",
             kinds[i].sw, kinds[i].mode);
    run_text_well(text, &r);
    assert_true(r.result.cycles_compared > 500);
    assert_true(r.counters.packets_received > 100);
    const struct hd_run_statistic *first = statistic(&r, "first barriers");
    const struct hd_run_statistic *later = statistic(&r, "later barriers");
    assert_int_equal(first->n, 3);
    assert_int_equal(later->n, 3 * 19);
    assert_true(later->minimum > 20 && later->minimum <= later->median &&
                later->median <= later->p99 && later->p99 <= later->maximum);
    printf("%s %s: first %.1f, later %.1f cycles\n", kinds[i].sw, kinds[i].mode, first->mean,
           later->mean);
  }
}

/* Nothing else is under way: a barrier of two nodes on one switch takes the start-up, then one way
 * to the switch, its steps, and the way back. */
TEST(the_shortest_barrier_takes_the_sum_of_its_steps)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  assert_int_equal(
      run_text(SCENARIO("{topology: tree, k: 2, n: 1}", "{barrier: any, data_bits: 32}",
                        "{rounds: 10}", "run: {dut: model}\n"),
               &r),
      0);
  /* Handed over in s = 10; at the switch in s+1; in its queue in s+2; look and act for both members,
   * one after the other; for both releases likewise; sent in the next cycle, visible two later,
   * seen by software one later. Later on one member is released, and so arrives, two cycles
   * before the other. */
  const struct hd_run_statistic *first = statistic(&r, "first barriers");
  const struct hd_run_statistic *later = statistic(&r, "later barriers");
  assert_int_equal(first->minimum, 10 + 2 + 2 * 2 + 2 * 2 + 2 + 1);
  assert_int_equal(later->minimum, 10 + 2 + 2 + 2 * 2 + 2 + 1);
  assert_int_equal(later->maximum, later->minimum);
  /* The network's time, without the start-up; its bound has the preemption of data that is
   * not there. */
  assert_int_equal(r.n_barriers, 1);
  assert_int_equal(r.barriers[0].first_cycles, first->minimum - 10);
  assert_int_equal(r.barriers[0].later.n, later->n);
  assert_int_equal(r.barriers[0].later.maximum, later->maximum - 10);
  assert_int_equal(r.barriers[0].bound_cycles, first->minimum - 10 + 18);
}

TEST(barrier_groups_that_switches_refuse_are_reported)
{
  struct hd_run_report r;
  /* Four groups in switches with room for one. */
  assert_int_equal(
      run_text(SCENARIO("{topology: mesh, dims: [4, 4]}", "{barrier: any, groups: 1}",
                        "{groups: 4, rounds: 3, timeout: 5000}", "run: {dut: model}\n"),
               &r),
      HD_E_SOFTWARE);
  assert_non_null(strstr(hd_text_chars(&r.message), "barrier group 1: no room"));
  assert_non_null(strstr(hd_text_chars(&r.notes), "is full (switch.groups: 1)"));
  hd_run_report_fini(&r);
  assert_int_equal(run_text(SCENARIO("{topology: mesh, dims: [4]}", "{vcs: 2}", "{rounds: 3}",
                                     "run: {dut: model}\n"),
                            &r),
                   HD_E_INPUT);
  assert_non_null(strstr(hd_text_chars(&r.message), "software.program: needs switches that take "
                                                    "barrier messages (key switch.barrier)"));
  hd_run_report_fini(&r);
}

/* Two pairs of nodes on a line whose switches have room for one group, with many seeds. The pairs complete their
 * barriers, or the run ends at once and names the switch without room. No member waits for ever. */
TEST(groups_meet_or_the_switch_without_room_is_named)
{
  uint32_t met = 0, full = 0;
  for (int seed = 1; seed <= 60; seed++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[512];
    snprintf(text, sizeof text,
             SCENARIO("{topology: mesh, dims: [9]}", "{barrier: any, groups: 1}",
                      "{groups: 2, members: 2, rounds: 3, timeout: 500}",
                      "run: {dut: model}\nseed: %d\n"),
             seed);
    int status = run_text(text, &r);
    const char *note = strstr(hd_text_chars(&r.notes), "the status table of switch ");
    if (status) {
      assert_int_equal(status, HD_E_SOFTWARE);
      assert_non_null(strstr(hd_text_chars(&r.message), "no room"));
      assert_non_null(note);
      assert_true(r.result.cycles < 50);
      full++;
    } else {
      assert_null(note);
      assert_int_equal(r.n_barriers, 2);
      met++;
    }
  }
  printf("%u met, %u had no room\n", met, full);
  assert_true(met > 5 && full > 5);
}
