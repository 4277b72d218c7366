/* Program collective: on fabrics it does what it says and reports it; it finds a wrong byte, and names bad parameters.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/runs.h"
#include "../lib/fake_network.h"
#include "../lib/known_network.h"
#include "../lib/seed.h"
#include "../lib/test.h"

#include "../../../sw/collectives/collectives.h"

/* ── on the model of fabrics ───────────────────────────────────────────────── */

static const char mesh[] = "{topology: mesh, dims: [4, 3]}";
static const char tree[] = "{topology: tree, k: 2, n: 3}";

/* Carries out a run, and returns its status. */
static int try_run(const char *fabric, const char *parameters, struct hd_run_report *report,
                   struct hd_error *err)
{
  char text[1000];
  snprintf(text, sizeof text,
           "name: c\nfabric: %s\nswitch: {vcs: 2, depth_flits: 8, barrier: fixed}\n"
           "software: {program: collective, startup_cycles: 10, packet_bytes: 64, parameters: "
           "{%s}}\nseed: %" PRIu64 "\nrun: {cycles: 10000000, dut: none}\n",
           fabric, parameters, seed);
  const struct hd_run_options options = {
      .scenario_path = "c.yaml", .scenario_text = text, .results_only = true};
  return hd_run(&options, report, err);
}

static void run(const char *fabric, const char *parameters, struct hd_run_report *report)
{
  if (try_run(fabric, parameters, report, &why) || !report->software_finished)
    fail_msg("%s on %s: %s %s", parameters, fabric, why.text, hd_text_chars(&report->message));
}

TEST(every_method_is_correct_on_a_mesh_and_on_a_tree)
{
  struct hd_method_info m;
  unsigned runs = 0;
  for (unsigned i = 0; hd_method_info(i, &m); i++)
    for (int on_tree = 0; on_tree < 2; on_tree++) {
      struct hd_collective_info info = hd_collective_info(m.collective);
      const char *algorithm = hd_algorithm_info(m.algorithm).name;
      struct hd_run_report report;
      char text[300];
      if (!hd_method_possible(m.collective, m.algorithm, on_tree ? 8 : 12) ||
          (on_tree && m.needs == HD_NEEDS_BOX) || m.needs >= HD_NEEDS_BARRIERS)
        continue;
      snprintf(text, sizeof text, "collective: %s, algorithm: %s, repeat: 3%s%s%s", info.name,
               algorithm, m.collective == HD_COLLECTIVE_BARRIER ? "" : ", bytes: 90",
               info.rooted ? ", root: rotate" : "",
               m.needs == HD_NEEDS_ROUTES ? ", search: 0" : "");
      run(on_tree ? tree : mesh, text, &report);
      assert_int_equal(statistic(&report, algorithm)->n, 3);
      assert_int_equal(statistic(&report, "alpha-beta model")->n, 3);
      assert_int_equal(statistic(&report, "alpha")->n, 1);
      assert_true(statistic(&report, "alpha")->minimum > 10);
      assert_true(statistic(&report, "lower bound")->minimum > 0);
      assert_int_equal(m.needs >= HD_NEEDS_ROUTES ? statistic(&report, "steps")->n : 3, 3);
      assert_true(statistic(&report, "lower bound")->maximum <=
                  statistic(&report, "alpha-beta model")->minimum);
      hd_run_report_fini(&report);
      runs++;
    }
  assert_in_range(runs, 75, 95);
}

/* Random groups with common members, each with several operations under way. No operation waits for ever, and the
 * recorded times of repetitions are right. */
TEST(overlapping_groups_with_several_operations_under_way_end_correctly)
{
  static const char *const cases[] = {
      "collective: allreduce, bytes: 300, members: 7, groups: 3, under_way: 4",
      "collective: broadcast, bytes: 300, members: 5, groups: 4, under_way: 3, root: rotate",
      "collective: alltoallv, bytes: 70, members: 9, groups: 2, under_way: 2, gap: 0",
      "collective: barrier, members: 6, groups: 5, under_way: 2, gap: 0",
      "collective: reduce-scatter, bytes: 48, members: 8, groups: 2, operator: sum-u64",
      "collective: reduce, bytes: 200, groups: 2, operator: min-u32, root: 11, gap: 7",
      "collective: gather, bytes: 33, members: 7, groups: 3, gap: 0, root: rotate",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    uint64_t groups = strtoull(strstr(cases[i], "groups: ") + 8, NULL, 10);
    run(mesh, cases[i], &report);
    assert_int_equal(statistic(&report, "alpha-beta model")->n, 10 * groups);
  }
}

/* Rings on a mesh, each member next to the one before: close to the model. What it says of a longer block is
 * longer, and the choice goes with the length. */
TEST(measured_times_are_near_the_alpha_beta_model)
{
  struct hd_run_report report;
  uint64_t last = 0;
  for (int bytes = 256; bytes <= 4096; bytes *= 4) {
    char text[200];
    snprintf(text, sizeof text, "collective: allgather, algorithm: ring, repeat: 2, bytes: %d",
             bytes);
    run("{topology: mesh, dims: [8]}", text, &report);
    uint64_t took = statistic(&report, "ring")->maximum;
    uint64_t model = statistic(&report, "alpha-beta model")->maximum;
    assert_in_range(took, model * 8 / 10, model * 12 / 10);
    assert_true(took > last);
    last = took;
    hd_run_report_fini(&report);
  }
  run(tree, "collective: allreduce, bytes: 8", &report);
  assert_int_equal(statistic(&report, "recursive-doubling")->n, 10);
  hd_run_report_fini(&report);
  run(tree, "collective: allreduce, bytes: 8, alpha: 0, beta: 1", &report);
  assert_int_equal(statistic(&report, "alpha")->maximum, 0);
  assert_int_equal(statistic(&report, "beta of 1024 bytes")->maximum, 1024);
  assert_int_equal(statistic(&report, "ring")->n, 10);
  assert_int_equal(statistic(&report, "alpha-beta model")->maximum, 14); /* 2·7/8·8 bytes */
  assert_int_equal(statistic(&report, "lower bound")->maximum, 14);
  hd_run_report_fini(&report);
}

/* The last member begins a gap after the last one has ended. So all members begin together. */
TEST(repetitions_begin_together_a_gap_after_the_last_end)
{
  for (uint64_t gap = 1; gap < 500; gap = 3 * gap + 2) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    char text[200];
    snprintf(text, sizeof text,
             "collective: gather, algorithm: linear, repeat: 5, root: rotate, gap: %" PRIu64, gap);
    run(mesh, text, &report);
    const struct hd_run_statistic *s = statistic(&report, "linear");
    assert_int_equal(s->n, 5);
    for (size_t i = 1; i < s->n; i++)
      assert_int_equal(s->values[i].cycle - s->values[i].value, s->values[i - 1].cycle + gap);
  }
}

static uint64_t blocked_cycles(const char *parameters)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report report;
  run(mesh, parameters, &report);
  assert_int_equal(statistic(&report, "schedule")->n, 10);
  assert_true(report.blocked_known);
  uint64_t flits = report.counters.blocked_flit_cycles;
  return flits;
}

/* If data that members need keep the steps apart, no flit waits. If barriers keep them apart, only barrier messages
 * wait, and data for them. */
TEST(steps_of_a_schedule_do_not_block_each_other)
{
  static const char *const cases[] = {
      "collective: broadcast, algorithm: schedule, bytes: 600",
      "collective: scatter, algorithm: schedule, bytes: 600, root: rotate, members: 5",
      "collective: allgather, algorithm: schedule, bytes: 600",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(blocked_cycles(cases[i]), 0);
  static const char *const apart[][2] = {
      {"collective: alltoall, algorithm: schedule, search: 0, bytes: 600",
       "collective: alltoall, algorithm: schedule, search: 0, bytes: 600, synchronise: barrier"},
      {"collective: gather, algorithm: schedule, bytes: 600, root: rotate",
       "collective: gather, algorithm: schedule, bytes: 600, root: rotate, synchronise: barrier"},
  };
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    assert_true(blocked_cycles(apart[i][1]) * 10 < blocked_cycles(apart[i][0]));
}

/* Two groups meet at barriers of their own, and those with one member at none. */
TEST(groups_keep_their_steps_apart)
{
  for (int members = 1; members <= 9; members += 4) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    char text[200];
    snprintf(
        text, sizeof text,
        "collective: allgather, algorithm: schedule, search: 0, bytes: 100, groups: 2, gap: 0, "
        "synchronise: barrier, members: %d",
        members);
    run(mesh, text, &report);
    assert_int_equal(statistic(&report, "schedule")->n, 20);
  }
}

/* On this tree, messages of other methods meet at a node or on a link. `auto` chooses a schedule because messages of
 * a construction never meet. Without a construction it does not search for a schedule. */
TEST(auto_chooses_a_schedule_where_a_construction_is_known)
{
  struct hd_run_report report;
  run(tree, "collective: alltoall, bytes: 2000", &report);
  assert_int_equal(statistic(&report, "schedule")->n, 10);
  assert_int_equal(statistic(&report, "steps")->maximum, 7);
  hd_run_report_fini(&report);
  run("{topology: mesh, dims: [4, 4]}", "collective: alltoall, bytes: 2000, repeat: 1", &report);
  assert_int_equal(statistic(&report, "pairwise")->n, 1);
  hd_run_report_fini(&report);
}

TEST(algorithms_that_the_network_does_not_support_are_refused_with_the_reason)
{
  static const struct {
    const char *fabric, *parameters, *expected_message;
  } cases[] = {
      {tree, "collective: allgather, algorithm: network-coded",
       "algorithm: network-coded: the network has no coordinates"},
      {mesh, "collective: allgather, algorithm: network-coded, members: 5",
       "it needs all nodes of a box"},
      {tree, "collective: allgather, box: 2x2", "box: the network has no coordinates"},
      {mesh, "collective: allgather, box: 2x1x2", "box: sides: 3; dimensions of the network: 2"},
      {mesh, "collective: allgather, box: 2x4", "box: side 1 is 4; the network's is 3"},
      {"{topology: tree, k: 2, n: 3}\nrouting: {algorithm: adaptive}",
       "collective: broadcast, algorithm: schedule",
       "packets of one pair of nodes take different ways"},
      /* in this time no search has found the fewest steps or a proof of them */
      {"{topology: torus, dims: [6, 6]}",
       "collective: alltoall, algorithm: schedule, search: 0.001",
       "search for longer than 0.001 seconds, or for 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    struct hd_error err = {""};
    if (!try_run(cases[i].fabric, cases[i].parameters, &report, &err))
      fail_msg("case %zu runs", i);
    if (!strstr(err.text, cases[i].expected_message) &&
        !strstr(hd_text_chars(&report.message), cases[i].expected_message))
      fail_msg("case %zu: '%s' is not in '%s%s'", i, cases[i].expected_message, err.text,
               hd_text_chars(&report.message));
  }
}

/* Boxes have random positions and orders of members. A plan has at least as many steps as a node gets data. */
TEST(allgather_of_a_box_uses_network_coding)
{
  static const struct {
    const char *fabric, *box;
    uint64_t members;
  } cases[] = {{mesh, "1x1", 1}, {mesh, "2x1", 2},  {mesh, "1x3", 3},
               {mesh, "3x2", 6}, {mesh, "4x3", 12}, {"{topology: mesh, dims: [6]}", "4", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    char text[200];
    snprintf(
        text, sizeof text,
        "collective: allgather, algorithm: network-coded, bytes: 333, groups: 3, under_way: 2, "
        "repeat: 2, box: %s",
        cases[i].box);
    run(cases[i].fabric, text, &report);
    assert_int_equal(statistic(&report, "network-coded")->n, 6);
    if (cases[i].members > 1)
      assert_in_range(statistic(&report, "steps")->minimum, cases[i].members - 1, 30);
  }
}

/* ── what is wrong ─────────────────────────────────────────────────────────── */

static int create(struct fake_network *net, uint32_t nodes, struct hd_parameter *parameters,
                  uint32_t n, struct hd_error *err)
{
  struct hd_world_params p = fake_params(net, nodes, hd_program_find("collective"));
  p.parameters = parameters;
  p.n_parameters = n;
  p.seed = seed;
  hd_random_seed(&net->random, seed, UINT32_MAX);
  return hd_world_create(&net->world, &p, err);
}

/* One bit of the first byte after the envelope of packet `wrong`. */
struct bad_network {
  struct fake_network net; /* first: what takes its packets does not see the rest */
  uint64_t wrong;
};

static int bad_send(void *context, const struct hd_world_packet *sent)
{
  struct bad_network *bad = context;
  uint64_t words[64];
  memcpy(words, sent->payload, (sent->flits - 1) * sizeof *words);
  if (bad->net.n_sent == bad->wrong)
    words[4] ^= 1;
  struct hd_world_packet spoiled = *sent;
  spoiled.payload = words;
  return fake_send(&bad->net, &spoiled);
}

TEST(a_wrong_byte_in_any_collective_ends_the_run)
{
  struct hd_method_info m;
  unsigned found = 0;
  for (unsigned i = 0; hd_method_info(i, &m); i++) {
    if (m.collective == HD_COLLECTIVE_BARRIER || m.needs >= HD_NEEDS_BARRIERS)
      continue;
    struct hd_parameter parameters[] = {
        {"collective", (char *)(uintptr_t)hd_collective_info(m.collective).name, 0},
        {"algorithm", (char *)(uintptr_t)hd_algorithm_info(m.algorithm).name, 0},
        {"repeat", NULL, 2},
        {"bytes", NULL, 100},
        {"alpha", NULL, 10},
        {"beta", NULL, 1},
        {"search", NULL, 0}};
    uint64_t packets = 1;
    /* 0: nothing is wrong, and says how many packets there are */
    for (uint64_t wrong = 0; wrong <= packets; wrong += 1 + packets / 7) {
      struct bad_network bad = {.net = {.max_delay = 20}, .wrong = wrong - 1};
      struct hd_world_params p = fake_params(&bad.net, 8, hd_program_find("collective"));
      struct hd_error err = {""};
      uint64_t ended;
      p.parameters = parameters;
      p.n_parameters = m.needs == HD_NEEDS_ROUTES ? 7 : 6;
      known_network(&p);
      p.send = bad_send;
      hd_random_seed(&bad.net.random, seed, UINT32_MAX);
      assert_int_equal(hd_world_create(&bad.net.world, &p, &err), 0);
      int status = fake_run(&bad.net, 1000000, &ended, &err);
      if (status != (wrong ? HD_E_SOFTWARE : 0))
        fail_msg("%s by %s, packet %" PRIu64 ": %d %s", parameters[0].text, parameters[1].text,
                 wrong, status, err.text);
      if (wrong && !strstr(err.text, "byte "))
        fail_msg("%s", err.text);
      found += wrong > 0;
      packets = wrong ? packets : bad.net.n_sent;
      fake_fini(&bad.net);
    }
  }
  assert_true(found > 150);
}

TEST(bad_parameters_are_named)
{
  static struct {
    struct hd_parameter parameters[3];
    const char *expected_message;
  } cases[] = {
      {{{"collective", "scan", 0}}, "collective: scan; legal: broadcast, scatter, gather"},
      {{{"algorithm", "fast", 0}}, "algorithm: fast; legal for allreduce with 6 members: auto"},
      {{{"algorithm", "bruck", 0}}, "binomial, ring, recursive-doubling, recursive-halving"},
      {{{"collective", "reduce", 0}, {"algorithm", "recursive-halving", 0}},
       "recursive-halving; legal for reduce with 6 members: auto, linear, binomial, ring"},
      {{{"bytes", NULL, 1 << 21}}, "bytes: 2097152; legal"},
      {{{"bytes", NULL, 10}, {"operator", "sum-u32", 0}},
       "bytes: 10; operator sum-u32 has elements of 4 bytes"},
      {{{"operator", "avg", 0}}, "operator: avg; legal: sum-u8, sum-u32"},
      {{{"collective", "gather", 0}, {"operator", "sum-u8", 0}},
       "operator: not with collective gather; it has no operator"},
      {{{"root", NULL, 1}}, "root: not with collective allreduce; it has no root"},
      {{{"collective", "reduce", 0}, {"root", NULL, 6}}, "root: 6; legal: a whole number, 0 … 5"},
      {{{"collective", "reduce", 0}, {"root", "last", 0}},
       "root: 'last'; legal: rotate, or a member, 0 … 5"},
      {{{"collective", "barrier", 0}, {"bytes", NULL, 1}},
       "bytes: not with collective barrier; it has no bytes"},
      {{{"members", NULL, 7}}, "members: 7; legal: a whole number, 1 … 6"},
      {{{"groups", NULL, 65}}, "groups: 65; legal: a whole number, 1 … 64"},
      {{{"under_way", NULL, 65}}, "under_way: 65; legal: a whole number, 1 … 64"},
      {{{"repeat", NULL, 0}}, "repeat: 0; legal"},
      {{{"gap", NULL, -1}}, "gap: -1; legal"},
      {{{"alpha", NULL, 3}}, "beta: none; give both, or neither"},
      {{{"beta", NULL, 3}}, "alpha: none; give both, or neither"},
      {{{"alpha", NULL, -3}, {"beta", NULL, 3}}, "alpha: -3; legal"},
      {{{"search", NULL, 3}}, "search: only with algorithm schedule"},
      {{{"collective", "gather", 0}, {"algorithm", "schedule", 0}, {"search", NULL, -1}},
       "search: -1; legal: a number, 0"},
      {{{"algorithm", "schedule", 0}},
       "schedule; legal for allreduce with 6 members: auto, linear"},
      {{{"synchronise", "barrier", 0}}, "synchronise: only with algorithm schedule"},
      {{{"collective", "gather", 0}, {"algorithm", "schedule", 0}, {"synchronise", "time", 0}},
       "synchronise: time; legal: none, barrier"},
      {{{"box", "2y2", 0}}, "box: 2y2; legal: sides, as 8x4, each 1 … 6"},
      {{{"box", "3x3", 0}}, "box: 3x3; there are 6 nodes"},
      {{{"box", "3x2", 0}, {"members", NULL, 6}}, "members: not with box"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
    uint32_t n = 0;
    while (n < 3 && cases[i].parameters[n].key)
      n++;
    must(create(&net, 6, cases[i].parameters, n, &why));
    must_fail(hd_world_step(net.world, 0, &why), HD_E_INPUT, cases[i].expected_message);
  }
}

/* One node alone, and blocks of nothing, have nothing to send, and end. */
TEST(a_collective_with_nothing_to_send_ends)
{
  for (uint32_t nodes = 1; nodes < 4; nodes += 2) {
    struct hd_parameter parameters[] = {
        {"bytes", NULL, nodes == 1 ? 100 : 0}, {"alpha", NULL, 10}, {"beta", NULL, 1}};
    struct fake_network net = {.fixed_delay = 3};
    uint64_t ended;
    must(create(&net, nodes, parameters, 3, &why));
    must(fake_run(&net, 100000, &ended, &why));
    assert_true(hd_world_finished(net.world));
    assert_int_equal(net.n_sent, 0);
    fake_fini(&net);
  }
}
