/* Barriers of whole fabrics under heavy traffic stay within the bound of specification §8.11.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/random_graph.h"
#include "../lib/runs.h"
#include "../lib/test.h"

#include "../../../bridge/report/report.h"

enum { RUNS = 60 };

static void random_fabric(struct dice *dice, char *text, size_t size, uint32_t *nodes)
{
  static const char *const meshes[] = {"[4, 4]", "[6, 3]", "[9]", "[2, 2, 2]"};
  static const uint32_t mesh_nodes[] = {16, 18, 9, 8};
  uint32_t which;
  switch (roll(dice, 3)) {
  case 0:
    which = roll(dice, 4);
    *nodes = mesh_nodes[which];
    snprintf(text, size, "topology: mesh, dims: %s", meshes[which]);
    break;
  case 1:
    which = 2 + roll(dice, 3); /* switches with several members */
    *nodes = which * which;
    snprintf(text, size, "topology: tree, k: %u, n: 2", which);
    break;
  default:
    *nodes = 8 + 2 * roll(dice, 16);
    snprintf(text, size, "topology: irregular, switches: %u, degree: 3, graph_seed: %u", *nodes,
             roll(dice, 1000));
  }
}

/* Draws everything on which the bound depends. */
static void random_scenario(struct dice *dice, char *text, size_t size)
{
  static const char *const kinds[] = {"any", "fixed", "reserved"};
  static const uint32_t idle[] = {1, 4, 16, 16, 16, 40, 200};
  char fabric[128];
  uint32_t nodes;
  random_fabric(dice, fabric, sizeof fabric, &nodes);
  uint32_t members = roll(dice, 2) ? nodes : 1 + roll(dice, nodes);
  snprintf(text, size,
           "name: bound\nfabric: {%s, link_cycles: %u}\n"
           "switch: {barrier: %s, vcs: %u, data_bits: %u, depth_flits: %u, route_cycles: %u, "
           "arb_cycles: %u, buffer_cycles: %u}\n"
           "barrier: {idle_cycles: %u}\nrouting: {algorithm: up-down}\n"
           "software:\n  program: barrier\n  startup_cycles: %u\n"
           "  parameters: {members: %u, rounds: 60, load: %g, flits: %u, compute: %u, center: %s}\n"
           "seed: %u\nrun: {dut: none, cycles: 10000000}\ntrace: {packets: false}\n",
           fabric, 1 + roll(dice, 3), kinds[roll(dice, 3)], 2 + roll(dice, 2),
           roll(dice, 2) ? 16 : 32, 2 + roll(dice, 7), 1 + roll(dice, 2), 1 + roll(dice, 2),
           roll(dice, 2), idle[roll(dice, 7)], roll(dice, 3) * 5, members,
           roll(dice, 8) ? 0.1 * (2 + roll(dice, 7)) : 0.0, 2 + roll(dice, 20), roll(dice, 3) * 40,
           roll(dice, 2) ? "middle" : "lowest", roll(dice, 100000));
}

TEST(no_barrier_takes_longer_than_its_bound)
{
  struct dice dice = dice_begin("no_barrier_takes_longer_than_its_bound", "test_barrier_bound_run");
  uint32_t n = n_cases(RUNS), bounded = 0, met = 0;
  size_t barriers = 0;
  double closest = 0, sum = 0;
  for (uint32_t i = 0; i < n; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[1024];
    random_scenario(&dice, text, sizeof text);
    int status = run_text(text, &r);
    if (status)
      print_error("%s\n%s\n", text, hd_text_chars(&r.message));
    assert_int_equal(status, 0);
    assert_int_equal(r.n_barriers, 1);
    const struct hd_run_barrier *b = &r.barriers[0];
    assert_int_equal(b->later.n, 59);
    assert_true(b->bsr_nodes > 0);
    if (b->above_bound)
      print_error("%s\nlongest %llu, bound %llu\n", text, (unsigned long long)b->later.maximum,
                  (unsigned long long)b->bound_cycles);
    assert_int_equal(b->above_bound, 0);
    assert_int_equal(b->bound_cycles == 0, b->no_bound != NULL);
    if (b->bound_cycles) {
      double share = (double)b->later.maximum / (double)b->bound_cycles;
      bounded++;
      barriers += b->later.n;
      met += b->later.maximum == b->bound_cycles;
      sum += share;
      closest = share > closest ? share : closest;
    }
  }
  printf("%u runs, %zu barriers in %u with a bound; it is met in %u, on average the longest takes "
         "%.0f %% of it\n",
         n, barriers, bounded, met, bounded ? 100 * sum / bounded : 0);
  assert_true(bounded > n / 2);
  assert_true(closest > 0.9); /* it is not much larger than it must be */
}

/* Few members in many switches: messages take any of many ways, and may meet on them. Seeds are fixed, so
 * that both kinds of groups are among them. */
TEST(a_bound_is_given_where_queues_hold_a_round)
{
  uint32_t bounded = 0, unbounded = 0;
  for (unsigned seed = 13; seed <= 17; seed++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[512];
    snprintf(text, sizeof text,
             "name: bound\nfabric: {topology: mesh, dims: [4, 4, 4]}\nswitch: {barrier: any}\n"
             "software: {program: barrier, parameters: {members: %u, rounds: 30, "
             "center: lowest}}\nseed: %u\nrun: {dut: none}\ntrace: {packets: false}\n",
             seed == 13 ? 20u : 12u, seed);
    assert_int_equal(run_text(text, &r), 0);
    const struct hd_run_barrier *b = &r.barriers[0];
    assert_int_equal(b->above_bound, 0);
    bounded += b->bound_cycles != 0;
    unbounded += b->no_bound && strstr(b->no_bound, "more messages of a round") != NULL;
  }
  assert_true(bounded > 0 && unbounded > 0);
  assert_int_equal(bounded + unbounded, 5);
}

TEST(a_budget_of_barriers_can_be_missed)
{
  static const char scenario[] = "name: bound\nfabric: {topology: mesh, dims: [4]}\n"
                                 "switch: {barrier: any}\nsoftware: {program: barrier, parameters: "
                                 "{rounds: 5}}\nrun: {dut: none}\nbudgets: {barrier_cycles: %u}\n";
  char text[512];
  struct hd_run_report r;
  snprintf(text, sizeof text, scenario, 1000);
  assert_int_equal(run_text(text, &r), 0);
  uint64_t longest = r.barriers[0].later.maximum;
  assert_true(longest > 0 && longest <= r.barriers[0].bound_cycles);
  hd_run_report_fini(&r);
  snprintf(text, sizeof text, scenario, (unsigned)longest - 1);
  assert_int_equal(run_text(text, &r), HD_E_BUDGET);
  assert_non_null(strstr(hd_text_chars(&r.message),
                         "budgets.barrier_cycles: the longest barrier of "
                         "group 0 is "));
  hd_run_report_fini(&r);
}

/* Prints the table from figures made by hand. */
TEST(barriers_above_the_bound_are_reported)
{
  struct hd_run_barrier b = {.members = 2,
                             .bsr_nodes = 2,
                             .distance_hops = 1,
                             .hop_cycles = 6,
                             .theorem_2_cycles = 12,
                             .bound_cycles = 30,
                             .above_bound = 3,
                             .formula_cycles = -1,
                             .has_first = true,
                             .later = {.n = 10, .maximum = 31}};
  struct hd_run_report r = {.has_result = true, .barriers = &b, .n_barriers = 1};
  char name[] = "x";
  struct hd_text text = {0};
  r.name = r.scenario_path = r.fabric = r.dut = name;
  hd_report_table(&r, &text);
  assert_non_null(strstr(hd_text_chars(&text), "Theorem 2: 2 x 6 x 1 = 12 cycles; "
                                               "bound 30 cycles: PASSED BY 3 OF 10\n"));
  hd_text_fini(&text);
  b.above_bound = 0;
  hd_report_table(&r, &text);
  assert_non_null(strstr(hd_text_chars(&text), "bound 30 cycles: kept\n"));
  hd_text_fini(&text);
  b.bound_cycles = 0;
  b.no_bound = "messages wait for data";
  hd_report_table(&r, &text);
  assert_non_null(strstr(hd_text_chars(&text), "no bound: messages wait for data\n"));
  hd_text_fini(&text);
}
