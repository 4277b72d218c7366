/* Faults from scenario to report (specification §5.9–5.11).
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run, HD_DUT=verilator runs the RTL.
 */
#include "../lib/random_graph.h"
#include "../lib/runs.h"
#include "../lib/test.h"

#include "../../../bridge/host/file.h"

static int run_with(const char *text, const char *dut, enum hd_mode mode, uint32_t window,
                    struct hd_run_report *report)
{
  const char *chosen = getenv("HD_DUT");
  int status = run_options((struct hd_run_options){.scenario_path = "fault.yaml",
                                                   .scenario_text = text,
                                                   .dut = chosen ? chosen : dut,
                                                   .has_mode = true,
                                                   .mode = mode,
                                                   .window_cycles = window,
                                                   .threads = window % 2 + 1,
                                                   .quick = true},
                           report);
  if (strstr(hd_text_chars(&report->notes), "not complete"))
    fail_msg("%s", hd_text_chars(&report->notes));
  return status;
}

static int run(const char *text, struct hd_run_report *report)
{
  return run_with(text, "model", HD_MODE_DECOUPLED, 256, report);
}

static uint64_t rounds_of(const struct hd_run_report *r)
{
  uint64_t n = 0;
  for (uint32_t i = 0; i < r->n_statistics; i++)
    n += strstr(r->statistics[i].name, "barriers") ? r->statistics[i].n : 0;
  return n;
}

/* ── one run in every mode ────────────────────────────────────────────────── */

static void must_agree_in_every_mode(const char *text, const char *dut, struct hd_run_report *first)
{
  static const struct {
    enum hd_mode mode;
    uint32_t window;
  } ways[] = {{HD_MODE_DECOUPLED, 256}, {HD_MODE_DECOUPLED, 31}, {HD_MODE_CLOSED, 1}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    struct hd_run_report r;
    int status = run_with(text, dut, ways[i].mode, ways[i].window, i ? &r : first);
    if (status && status != HD_E_FAULT)
      fail_msg("%s\n%s", text, hd_text_chars(i ? &r.message : &first->message));
    if (!i)
      continue;
    assert_int_equal(status, first->status);
    assert_true(r.result.digest == first->result.digest);
    assert_int_equal(r.result.cycles_compared, first->result.cycles_compared);
    assert_int_equal(r.packets_lost, first->packets_lost);
    assert_int_equal(r.barriers_lost, first->barriers_lost);
    assert_int_equal(r.n_unreachable, first->n_unreachable);
    hd_run_report_fini(&r);
  }
}

TEST(faults_have_the_same_effects_around_model_and_dut)
{
  struct dice dice =
      dice_begin("faults_have_the_same_effects_around_model_and_dut", "test_fault_run");
  const uint32_t runs = n_cases(12);
  uint64_t lost = 0, switch_cycles = 0;
  for (unsigned i = 0; i < runs; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[2048];
    bool barrier = i % 6 != 0;
    int n = snprintf(text, sizeof text,
                     "name: same\nfabric: {topology: mesh, dims: [4, 4], link_cycles: %u}\n"
                     "switch: {vcs: 2, barrier: %s, depth_flits: %u}\n"
                     "routing: {algorithm: %s}\nseed: %u\nrun: {cycles: 30000}\n"
                     "software: {program: %s, parameters: {load: 0.2, flits: 6%s}}\nfaults:\n",
                     1 + roll(&dice, 3), hd_barrier_name(i % HD_BARRIER_KINDS), 4 + roll(&dice, 3),
                     roll(&dice, 2) ? "up-down" : "dimension-order", roll(&dice, 1000),
                     barrier ? "barrier" : "uniform",
                     barrier ? ", groups: 2, members: 6, rounds: 25, compute: 40, timeout: 2000"
                             : ", cycles: 3000");
    for (uint32_t k = 0; k < 4; k++)
      n += snprintf(text + n, sizeof text - (size_t)n, "  - {cycle: %u, %s%u%s}\n",
                    roll(&dice, 2500), k ? "link: \"s" : "switch: ", 5 + roll(&dice, 2),
                    !k               ? ""
                    : roll(&dice, 3) ? (roll(&dice, 2) ? ":1\"" : ":3\"")
                                     : ":0\"");
    must_agree_in_every_mode(text, "model", &r);
    lost += r.packets_lost;
    switch_cycles += r.result.switch_cycles;
  }
  printf("%llu packets lost, %llu switch-cycles\n", (unsigned long long)lost,
         (unsigned long long)switch_cycles);
  assert_true(lost > 8 * runs && switch_cycles > 8000 * runs);
}

/* Switches with the parameters of test_barrier_backend, which are built already. */
TEST(rtl_and_model_agree_under_faults)
{
  static const char *const texts[] = {
      "name: any\nfabric: {topology: mesh, dims: [4, 3]}\n"
      "switch: {nodes: 16, vcs: 2, depth_flits: 4, barrier: any, groups: 3}\n"
      "routing: {algorithm: up-down}\n"
      "software: {program: barrier, parameters: {groups: 3, members: 6, rounds: 60, load: 0.3,"
      " flits: 6, compute: 20}}\n"
      "faults: [{cycle: 700, link: \"s5:1\"}, {after_barrier: 60, link: \"s5:3\"},"
      " {after_barrier: 100, link: \"s2:3\"}, {after_barrier: 100, link: \"s9:0\"}]\n"
      "run: {cycles: 60000}\n",
      "name: fixed\nfabric: {topology: irregular, switches: 6, degree: 3}\n"
      "switch: {nodes: 9, vcs: 3, data_bits: 32, depth_flits: 3, barrier: fixed, groups: 2,"
      " route_cycles: 2, arb_cycles: 2, buffer_cycles: 1, cut_flits: 2}\n"
      "software: {program: barrier, parameters: {groups: 2, members: 4, rounds: 60, load: 0.3,"
      " flits: 2, compute: 20}}\n"
      "faults: [{cycle: 560, link: \"s3:1\"}, {after_barrier: 60, link: \"s5:2\"},"
      " {cycle: 3500, switch: 4}]\n"
      "run: {cycles: 60000}\n"};
  for (size_t i = 0; i < 2; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    must_agree_in_every_mode(texts[i], "verilator", &r);
    assert_true(r.packets_lost > 5 && r.result.events_compared > 10000);
    printf("%s: %llu packets lost, %llu rounds, %s compared\n", r.name,
           (unsigned long long)r.packets_lost, (unsigned long long)rounds_of(&r),
           hd_count(r.result.switch_cycles, "switch-cycle").text);
  }
}

/* ── around, or who is cut off ────────────────────────────────────────────── */

/* Links and switches that have failed by a cycle, read naively. */
struct truth {
  const struct hd_topology *t;
  const struct hd_run_report *r;
  uint64_t cycle;
};

static bool dead_switch(const struct truth *x, uint32_t sw)
{
  for (uint32_t i = 0; i < x->r->n_faults; i++) {
    const struct hd_fault_state *f = &x->r->faults[i];
    if (f->struck && f->cycle <= x->cycle && f->fault.whole_switch && f->fault.sw == sw)
      return true;
  }
  return false;
}

static bool dead_link(const struct truth *x, uint32_t sw, uint32_t port)
{
  struct hd_peer far = x->t->peers[sw * x->t->ports + port];
  if (dead_switch(x, sw) || (far.kind == HD_PEER_SWITCH && dead_switch(x, far.index)))
    return true;
  for (uint32_t i = 0; i < x->r->n_faults; i++) {
    const struct hd_fault_state *f = &x->r->faults[i];
    if (!f->struck || f->cycle > x->cycle || f->fault.whole_switch)
      continue;
    if ((f->fault.sw == sw && f->fault.port == port) ||
        (far.kind == HD_PEER_SWITCH && f->fault.sw == far.index && f->fault.port == far.port))
      return true;
  }
  return false;
}

static bool are_connected(const struct truth *x, uint32_t a, uint32_t b)
{
  bool met[64] = {false};
  met[a] = !dead_switch(x, a);
  for (uint32_t round = 0; round < x->t->n_switches; round++)
    for (uint32_t sw = 0; sw < x->t->n_switches; sw++)
      for (uint32_t p = 0; met[sw] && p < x->t->ports; p++) {
        struct hd_peer far = x->t->peers[sw * x->t->ports + p];
        if (far.kind == HD_PEER_SWITCH && !dead_link(x, sw, p))
          met[far.index] = true;
      }
  return met[b];
}

/* Asserts that the report on this member is right. */
static void assert_cut(const struct hd_topology *t, const struct hd_run_report *r,
                       const struct hd_unreachable *c)
{
  const struct truth x = {t, r, c->cycle};
  const char *branch = strstr(c->why, "in switch ");
  struct hd_peer at = t->node_peers[c->node];
  assert_int_equal(at.index, c->sw);
  assert_int_equal(t->node_peers[c->center].index, c->center_sw);
  if (dead_switch(&x, c->sw))
    assert_string_equal(c->why, "its switch has failed");
  else if (dead_link(&x, at.index, at.port))
    assert_string_equal(c->why, "its link to its switch has failed");
  else if (dead_switch(&x, c->center_sw))
    assert_string_equal(c->why, "the center's switch has failed");
  else if (!are_connected(&x, c->sw, c->center_sw))
    assert_string_equal(c->why, "no way between their switches is left");
  else {
    assert_non_null(branch);
    assert_false(are_connected(&x, (uint32_t)atoi(branch + strlen("in switch ")), c->center_sw));
  }
}

static bool is_partitioned(const struct hd_topology *t, const struct hd_run_report *r)
{
  const struct truth x = {t, r, UINT64_MAX};
  for (uint32_t node = 0; node < t->n_nodes; node++)
    if (!are_connected(&x, t->node_peers[0].index, t->node_peers[node].index) ||
        dead_link(&x, t->node_peers[node].index, t->node_peers[node].port))
      return true;
  return false;
}

TEST(barriers_go_around_random_faults)
{
  struct dice dice = dice_begin("barriers_go_around_random_faults", "test_fault_run");
  const uint32_t runs = n_cases(60);
  uint32_t around = 0, cut = 0, struck = 0;
  for (unsigned i = 0; i < runs; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    CLEANUP(hd_topology_fini) struct hd_topology t;
    char text[2048];
    uint32_t switches = 6 + roll(&dice, 24), degree = 3 + roll(&dice, 2), seed = roll(&dice, 1000);
    uint32_t groups = 1 + roll(&dice, 3), faults = 1 + roll(&dice, 4);
    bool all = !roll(&dice, 2);
    must(hd_topology_irregular(&t, switches, degree, seed, &why));
    int n = snprintf(
        text, sizeof text,
        "name: around\nseed: %u\nfabric: {topology: irregular, switches: %u, degree: %u,"
        " graph_seed: %u}\nswitch: {vcs: %u, barrier: %s, depth_flits: 5}\n"
        "software:\n  program: barrier\n  startup_cycles: %u\n  parameters: {rounds: 12, groups: "
        "%u, members: %u, center: %s, compute: %u, load: %s, timeout: 20000}\n"
        "run: {cycles: 200000, dut: model}\nfaults:\n",
        roll(&dice, 1000), switches, degree, seed, 2 + roll(&dice, 2),
        hd_barrier_name(1 + i % (HD_BARRIER_KINDS - 1)), 20 * roll(&dice, 2), groups,
        all ? switches : 2 + roll(&dice, switches - 2), roll(&dice, 2) ? "middle" : "lowest",
        50 * roll(&dice, 2), roll(&dice, 2) ? "0" : "0.1");
    for (uint32_t k = 0; k < faults; k++) {
      uint32_t sw = roll(&dice, switches), port = roll(&dice, 20) ? 1 + roll(&dice, degree) : 0;
      if (t.peers[sw * t.ports + port].kind == HD_PEER_NONE)
        port--; /* the one switch with a link less */
      n += snprintf(text + n, sizeof text - (size_t)n,
                    roll(&dice, 8) ? "  - {after_barrier: %u, link: \"s%u:%u\"}\n"
                                   : "  - {after_barrier: %u, switch: %u}\n",
                    1 + roll(&dice, 8 * groups), sw, port);
    }
    int status = run(text, &r);
    bool right = !r.barriers_lost && (!status ? rounds_of(&r) == 12 * (uint64_t)groups
                                              : status == HD_E_FAULT && r.n_unreachable);
    if (!right || (all && (status != HD_OK) != is_partitioned(&t, &r) &&
                   !strstr(hd_text_chars(&r.message), "joins others")))
      fail_msg("%s\n%s", text, hd_text_chars(&r.message));
    for (uint32_t k = 0; k < r.n_unreachable; k++)
      assert_cut(&t, &r, &r.unreachable[k]);
    for (uint32_t k = 0; k < r.n_faults; k++)
      struck += r.faults[k].struck;
    around += !status;
    cut += r.n_unreachable;
  }
  printf("%u faults struck; %u runs went around them, %u members were cut off\n", struck, around,
         cut);
  assert_true(struck > runs && around > runs / 3 && cut > runs / 20);
}

/* Everybody arrives again at once, so there is always a message under way. */
TEST(faults_between_barriers_lose_no_message)
{
  for (unsigned i = 1; i <= n_cases(HD_BARRIER_KINDS - 1); i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[1024];
    snprintf(text, sizeof text,
             "name: between\nfabric: {topology: mesh, dims: [5, 5]}\n"
             "switch: {vcs: 2, barrier: %s}\nrouting: {algorithm: up-down}\n"
             "software: {program: barrier, parameters: {rounds: 30, load: 0.3, groups: 2}}\n"
             "run: {dut: model}\nfaults:\n  - {after_barrier: 9, link: \"s12:1\"}\n"
             "  - {after_barrier: 17, link: \"s12:2\"}\n  - {after_barrier: 25, link: \"s12:3\"}\n"
             "  - {after_barrier: 33, link: \"s6:1\"}\n  - {after_barrier: 40, link: \"s18:2\"}\n",
             hd_barrier_name(i));
    assert_int_equal(run(text, &r), 0);
    assert_int_equal(rounds_of(&r), 60);
    assert_int_equal(r.barriers_lost, 0);
    assert_true(r.packets_lost > 0);
    for (uint32_t k = 0; k < 5; k++)
      assert_true(r.faults[k].struck && (!k || r.faults[k].cycle > r.faults[k - 1].cycle));
  }
}

TEST(faults_in_the_middle_of_barriers_never_hang_a_run)
{
  struct dice dice =
      dice_begin("faults_in_the_middle_of_barriers_never_hang_a_run", "test_fault_run");
  uint32_t lost = 0, passed = 0;
  for (unsigned i = 0; i < n_cases(40); i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[1024];
    snprintf(text, sizeof text,
             "name: middle\nseed: %u\nfabric: {topology: mesh, dims: [4, 4]}\n"
             "switch: {vcs: 2, barrier: %s}\nrouting: {algorithm: up-down}\n"
             "software: {program: barrier, parameters: {rounds: 20, load: 0.2, groups: 3,"
             " members: 9, timeout: 3000}}\nrun: {dut: model, cycles: 100000}\nfaults:\n"
             "  - {cycle: %u, link: \"s5:1\"}\n  - {cycle: %u, link: \"s9:3\"}\n"
             "  - {cycle: %u, link: \"s6:3\"}\n",
             i, hd_barrier_name(1 + i % (HD_BARRIER_KINDS - 1)), 30 + roll(&dice, 400),
             100 + roll(&dice, 900), 300 + roll(&dice, 1500));
    int status = run(text, &r);
    if (status && (status != HD_E_FAULT || !(r.barriers_lost || r.n_droppers) || r.n_unreachable))
      fail_msg("%s\n%s", text, hd_text_chars(&r.message));
    if (status) {
      assert_non_null(strstr(hd_text_chars(&r.message), "faults have lost"));
      assert_non_null(strstr(hd_text_chars(&r.message), "no answer in time"));
    }
    lost += status != HD_OK;
    passed += !status;
  }
  printf("%u runs lost a message, %u passed\n", lost, passed);
  assert_true(lost > 0 && passed > 0);
}

/* Switch 11 sends its first reduction to switch 3 by switch 0, where it waits for data. Then link s0-s6 fails,
 * and switch 0 sends it back, through switch 11, which took itself for its own child: round 2 was over
 * before node 11 had arrived at it. */
TEST(a_fault_in_a_first_round_loses_no_member)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  const char *text =
      "name: lost member\nseed: 3133930251\nfabric: {topology: irregular, switches: 14, degree: 5,"
      " graph_seed: 3883189513}\nswitch: {ports: 7, data_bits: 32, depth_flits: 3, nodes: 16,"
      " barrier: moving, groups: 2}\nbarrier: {idle_cycles: 37}\n"
      "software: {program: barrier, startup_cycles: 14, packet_bytes: 2, parameters: {groups: 2,"
      " members: 3, rounds: 10, compute: 6, load: 0.94, flits: 103, timeout: 2000,"
      " center: middle}}\nfaults: [{cycle: 108, link: \"s6:2\"}]\n";
  if (run(text, &r))
    fail_msg("%s", hd_text_chars(&r.message));
  assert_int_equal(rounds_of(&r), 20);
  assert_int_equal(r.n_renewals, 2);
  assert_true(r.rules_hold);
  assert_in_range(r.ruled_rounds, 18, 20); /* management may release members of a first round */
}

/* Long packets in small buffers: messages wait for data, and first rounds take so long that most faults strike in
 * one. A member may miss a message of its first round only if a member is cut off. */
TEST(first_rounds_survive_random_faults)
{
  struct dice dice = dice_begin("first_rounds_survive_random_faults", "test_fault_run");
  const uint32_t runs = n_cases(150);
  uint32_t renewed = 0, whole = 0, twice = 0;
  for (unsigned i = 0; i < runs; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[1024];
    uint32_t switches = 8 + roll(&dice, 12), degree = 3 + roll(&dice, 3);
    uint32_t groups = 1 + roll(&dice, 3), faults = 1 + roll(&dice, 3);
    int n = snprintf(text, sizeof text,
                     "name: first\nseed: %u\nfabric: {topology: irregular, switches: %u,"
                     " degree: %u, graph_seed: %u}\nswitch: {barrier: %s, depth_flits: 3,"
                     " data_bits: 32}\nsoftware: {program: barrier, parameters: {rounds: 1, groups:"
                     " %u, members: %u, center: middle, compute: %u, load: 0.9, flits: 60,"
                     " timeout: 100000}}\nrun: {cycles: 200000}\nfaults:\n",
                     roll(&dice, 1000), switches, degree, roll(&dice, 1000),
                     hd_barrier_name(1 + i % (HD_BARRIER_KINDS - 1)), groups,
                     3 + roll(&dice, switches - 3), 100 * roll(&dice, 2));
    for (uint32_t k = 0; k < faults; k++)
      n += snprintf(text + n, sizeof text - (size_t)n, "  - {cycle: %u, link: \"s%u:%u\"}\n",
                    20 + roll(&dice, 150), roll(&dice, switches), 1 + roll(&dice, 2));
    int status = run(text, &r);
    bool told = r.n_unreachable || r.n_no_room;
    if (status ? status != HD_E_FAULT || !told : rounds_of(&r) != groups)
      fail_msg("%s\n%s", text, hd_text_chars(&r.message));
    renewed += r.n_renewals;
    twice += r.n_renewals > groups;
    whole += !status && r.n_renewals;
  }
  printf(
      "%u groups were created anew, in %u runs one of them twice; %u such runs came to their end\n",
      renewed, twice, whole);
  assert_true(renewed > runs && twice && whole > runs / 2);
}

/* Ways change before the first round has passed, and one leads through a switch whose status table has no
 * place left: the group cannot be created anew, and the faults are to blame. */
TEST(a_table_that_is_full_because_of_faults_is_a_fault_error)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  assert_int_equal(
      run("name: full table\nseed: 3311230843\nfabric: {topology: mesh, dims: [5, 5], link_cycles: "
          "4}\n"
          "switch: {ports: 6, vcs: 2, data_bits: 64, depth_flits: 64, nodes: 58, barrier: reserved,"
          " groups: 2, switches: 25}\nbarrier: {idle_cycles: 4}\n"
          "software: {program: barrier, packet_bytes: 83, parameters: {groups: 3, members: 2,"
          " rounds: 3, compute: 384, start: 85, flits: 2, timeout: 2000, center: middle}}\n"
          "run: {dut: model, cycles: 1746}\nfaults:\n"
          "  - {cycle: 85, link: \"s5:4\"}\n  - {cycle: 66, link: \"s21:1\"}\n"
          "  - {cycle: 88, link: \"s1:3\"}\n  - {cycle: 106, link: \"s12:1\"}\n"
          "  - {cycle: 26, link: \"s18:2\"}\n  - {cycle: 93, link: \"s14:3\"}\n"
          "  - {cycle: 43, link: \"s9:2\"}\n  - {cycle: 68, link: \"s17:2\"}\n",
          &r),
      HD_E_FAULT);
  assert_int_equal(r.n_unreachable, 0);
  assert_int_equal(r.barriers_lost, 0);
  assert_int_equal(r.n_no_room, 1);
  const char *message = hd_text_chars(&r.message);
  assert_non_null(strstr(message, "1 barrier group had to be created anew after a fault, and a "
                                  "status table has no room"));
  assert_non_null(strstr(hd_text_chars(&r.notes), "the status table of switch 8 is full"));
}

/* Node 0 on switch 0 is the center of a chain of five; or of a mesh. */
TEST(members_that_are_cut_off_are_named)
{
  static const struct {
    const char *dims, *fault, *expected_message[5]; /* in the order of the report */
  } cases[] = {
      {"[5]",
       "link: \"s2:1\"",
       {"node 3 (switch 3) is cut off from group 0's center, node 0 (switch 0): no way between "
        "their "
        "switches is left; node 4 (switch 4)"}},
      {"[5]",
       "link: \"s3:0\"",
       {"node 3 (switch 3) is cut off from group 0's center, node 0 (switch 0): its link to its "
        "switch "
        "has failed; node "}},
      {"[5]",
       "switch: 4",
       {"node 4 (switch 4) is cut off from group 0's center, node 0 (switch 0): its switch has "
        "failed; "
        "node "}},
      {"[5]",
       "switch: 0",
       {"node 0 (switch 0) is cut off from group 0, whose center it is: its switch has failed; ",
        "node 1 (switch 1) is cut off from group 0's center, node 0 (switch 0): the center's "
        "switch has "
        "failed; ",
        "2 members more; "}},
      {"[3, 3]",
       "switch: 1",
       {"node 1 (switch 1) is cut off from group 0's center, node 0 (switch 0): its switch has "
        "failed; ",
        "in switch 1, which is cut off; ", "barrier group 0, round 3: a member is cut off"}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char text[512];
    snprintf(text, sizeof text,
             "name: who\nfabric: {topology: mesh, dims: %s}\nswitch: {barrier: any}\n"
             "software: {program: barrier, parameters: {rounds: 10}}\n"
             "faults: [{after_barrier: 3, %s}]\nrun: {dut: model}\n",
             cases[i].dims, cases[i].fault);
    assert_int_equal(run(text, &r), HD_E_FAULT);
    for (const char *const *s = cases[i].expected_message; s < cases[i].expected_message + 5 && *s;
         s++)
      if (!strstr(hd_text_chars(&r.message), *s))
        fail_msg("'%s' is not in '%s'", *s, hd_text_chars(&r.message));
  }
}

/* If software waits for a message that a fault has destroyed, the run's error says so. */
TEST(a_wait_for_a_message_lost_by_a_fault_is_a_fault_error)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  assert_int_equal(run("name: lost\nfabric: {topology: mesh, dims: [4]}\n"
                       "software: {program: pingpong}\n"
                       "faults: [{cycle: 100, link: \"s0:1\"}]\nrun: {dut: model}\n",
                       &r),
                   HD_E_FAULT);
  assert_non_null(
      strstr(hd_text_chars(&r.message), "faults have lost 1 packet, 0 barrier messages; "));
}
