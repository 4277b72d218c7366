/* Scenarios: defaults, every message for bad input word for word, the example files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/report/report_keys.h"
#include "../../../bridge/scenario/scenario.h"
#include "../../../bridge/scenario/scenario_keys.h"
#include "../../../bridge/scenario/scenario_set.h"
#include "../../../sw/programs/programs.h"
#include "../scenario_cases.h"
#include "../lib/test.h"

#include <sys/stat.h>

static int parse(struct hd_scenario *s, const char *text, struct hd_error *err)
{
  /* A copy without a NUL after it, so that the sanitizer sees a read past the end. */
  size_t n = strlen(text);
  CLEANUP(free_at) char *copy = malloc(n ? n : 1);
  assert_non_null(copy);
  memcpy(copy, text, n);
  int status = hd_scenario_parse(s, copy, n, "s.yaml", err);
  return status;
}

/* Every key with a value that is not its default. */
static const char every_key[] =
    "name: all\n"
    "fabric: {topology: extended-tree, k: 2, n: 2, link_cycles: 3}\n"
    "switch: {ports: 6, nodes: 9, vcs: 3, data_bits: 32, depth_flits: 9, route_cycles: 2,\n"
    "  arb_cycles: 2, buffer_cycles: 1, cut_flits: 8}\n"
    "routing: {algorithm: d-mod-k, always_top: true, deadlock_check: false}\n"
    "software:\n"
    "  program: shuffle\n"
    "  startup_cycles: 7\n"
    "  packet_bytes: 64\n"
    "  parameters:\n"
    "    sources: 2\n"
    "    bytes: '3'\n"
    "    destinations: 1.5e1\n"
    "seed: 18446744073709551615\n"
    "run: {cycles: 500, window_cycles: 7, threads: 2, mode: closed, compare: order,\n"
    "  watchdog_cycles: 0, warmup_cycles: 499, routes: minimal, dut: 'icarus:x=1'}\n"
    "trace: {packets: false, hops: true, waves: false, wave_cycles: 5}\n"
    "budgets: {latency_cycles: 40, blocked_flit_cycles: 0, barrier_cycles: 200}\n";

/* Members that are numbers: their values where nothing is given, and with `every_key`. */
#define NUMBER(member, ...)                                                                 \
  {                                                                                         \
#member, offsetof(struct hd_scenario, member), sizeof((struct hd_scenario *)0)->member, \
    {                                                                                       \
      __VA_ARGS__                                                                           \
    }                                                                                       \
  }
static const struct {
  const char *name;
  size_t at, size;
  uint64_t values[2];
} numbers[] = {
    NUMBER(fabric.topology, HD_TOPO_MESH, HD_TOPO_EXTENDED_TREE),
    NUMBER(fabric.link_cycles, 1, 3),
    NUMBER(sw.vcs, 2, 3),
    NUMBER(sw.data_bits, 16, 32),
    NUMBER(sw.depth_flits, 4, 9),
    NUMBER(sw.route_cycles, 1, 2),
    NUMBER(sw.arb_cycles, 1, 2),
    NUMBER(sw.buffer_cycles, 0, 1),
    NUMBER(sw.cut_flits, 0, 8),
    NUMBER(routing.algorithm, HD_ROUTE_DIMENSION_ORDER, HD_ROUTE_D_MOD_K),
    NUMBER(routing.always_top, false, true),
    NUMBER(routing.deadlock_check, true, false),
    NUMBER(software.startup_cycles, 0, 7),
    NUMBER(software.packet_bytes, 256, 64),
    NUMBER(software.n_parameters, 0, 3),
    NUMBER(seed, 1, UINT64_MAX),
    NUMBER(run.cycles, 100000, 500),
    NUMBER(run.window_cycles, 256, 7),
    NUMBER(run.threads, 1, 2),
    NUMBER(run.mode, HD_MODE_DECOUPLED, HD_MODE_CLOSED),
    NUMBER(run.compare, HD_COMPARE_EXACT, HD_COMPARE_ORDER),
    NUMBER(run.watchdog_cycles, 10000, 0),
    NUMBER(run.warmup_cycles, 0, 499),
    NUMBER(run.dut_is_free, true, false),
    NUMBER(trace.packets, true, false),
    NUMBER(trace.hops, false, true),
    NUMBER(trace.waves, true, false),
    NUMBER(trace.wave_cycles, 64, 5),
    NUMBER(budgets.has_latency, false, true),
    NUMBER(budgets.has_blocked, false, true),
    NUMBER(budgets.has_barrier, false, true),
};
#undef NUMBER

static void expect_numbers(const struct hd_scenario *s, bool given)
{
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    uint64_t got = 0;
    memcpy(&got, (const char *)s + numbers[i].at, numbers[i].size); /* its lowest bytes */
    if (got != numbers[i].values[given])
      fail_msg("%s is %" PRIu64 ", not %" PRIu64, numbers[i].name, got, numbers[i].values[given]);
  }
}

static void parse_well(struct hd_scenario *s, const char *text)
{
  why.text[0] = 0;
  must(parse(s, text, &why));
  assert_string_equal(why.text, "");
}

TEST(keys_that_are_not_given_have_their_defaults)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  parse_well(&s, HEAD SOFT);
  expect_numbers(&s, false);
  assert_string_equal(s.name, "a");
  assert_string_equal(s.path, "s.yaml");
  assert_string_equal(s.text, HEAD SOFT);
  assert_int_equal(s.fabric.shape.n_dims, 2);
  assert_int_equal(s.fabric.shape.dims[0], 4);
  assert_string_equal(s.software.program->name, "uniform");
  assert_string_equal(s.run.dut, "verilator");
}

TEST(every_key_is_read)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  parse_well(&s, every_key);
  expect_numbers(&s, true);
  assert_int_equal(s.fabric.shape.k, 2);
  assert_int_equal(s.fabric.shape.n, 2);
  assert_int_equal(s.sw.ports, 6);
  assert_int_equal(s.sw.nodes, 9);
  assert_string_equal(s.software.program->name, "shuffle");
  assert_string_equal(s.software.parameters[0].key, "sources");
  assert_null(s.software.parameters[0].text);
  assert_true(s.software.parameters[0].number > 1.9 && s.software.parameters[0].number < 2.1);
  assert_string_equal(s.software.parameters[1].text, "3"); /* quotes make it a text */
  assert_true(s.software.parameters[2].number > 14.9 && s.software.parameters[2].number < 15.1);
  assert_int_equal(s.run.routes, HD_ROUTES_MINIMAL);
  assert_string_equal(s.run.dut, "icarus:x=1");
  assert_int_equal(s.budgets.latency_cycles, 40);
  assert_int_equal(s.budgets.blocked_flit_cycles, 0);
  assert_int_equal(s.budgets.barrier_cycles, 200);
}

/* Returns true if the text matches the pattern. A * stands for any further text. */
static bool matches(const char *text, const char *pattern)
{
  size_t n = strcspn(pattern, "*");
  if (strncmp(text, pattern, n) != 0)
    return false;
  if (!pattern[n])
    return !text[n];
  for (text += n; *text && !matches(text, pattern + n + 1); text++)
    ;
  return *text || !pattern[n + 1];
}

TEST(bad_input_is_named_by_file_line_and_key)
{
  size_t wrong = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    struct hd_error err = {""};
    assert_int_equal(parse(&s, cases[i][0], &err), HD_E_INPUT);
    if (!matches(err.text, cases[i][1])) {
      print_error("got:  %s\nwant: %s\n", err.text, cases[i][1]);
      wrong++;
    }
  }
  printf("%zu messages\n", sizeof cases / sizeof *cases);
  assert_int_equal(wrong, 0);
}

TEST(an_unknown_program_is_refused_with_the_list_of_programs)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  assert_int_equal(parse(&s, HEAD "software:\n  program: shufle\n", &why), HD_E_INPUT);
  const char *start =
      "s.yaml:4: software.program: no program is called shufle; did you mean shuffle?; legal: ";
  assert_memory_equal(why.text, start, strlen(start));
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    assert_non_null(strstr(why.text + strlen(start), (*p)->name));
}

TEST(a_traffic_pattern_given_as_program_is_refused_with_the_right_keys)
{
  struct hd_scenario s;
  unsigned n = 0;
  for (const struct hd_pattern *const *p = hd_patterns; *p; p++) {
    char text[300], expected[300];
    if (hd_program_find((*p)->name))
      continue;
    snprintf(text, sizeof text, HEAD "software:\n  program: %s\n", (*p)->name);
    snprintf(expected, sizeof expected,
             "s.yaml:4: software.program: %s is a traffic pattern; write program: traffic, "
             "parameters: {pattern: %s}",
             (*p)->name, (*p)->name);
    must_say(parse(&s, text, &why), HD_E_INPUT, expected);
    hd_scenario_fini(&s);
    n++;
  }
  assert_true(n > 5);
}

/* Removes a key, a whole section, and a key that is not there. */
TEST(setting_a_key_to_nothing_removes_it)
{
  static const struct hd_setting settings[] = {
      {"switch.vcs", NULL}, {"routing", NULL}, {"switch.depth_flits", NULL}, {"seed", "7"}};
  static const char text[] =
      HEAD SOFT "switch: {vcs: 3, data_bits: 32}\n"
                "routing: {algorithm: adaptive, always_top: true}\nseed: 5\n";
  struct hd_scenario s;
  char *result;
  must(hd_scenario_set(text, strlen(text), "s.yaml", settings, sizeof settings / sizeof *settings,
                       &result, &why));
  must(parse(&s, result, &why));
  assert_int_equal(s.sw.vcs, 2);
  assert_int_equal(s.sw.data_bits, 32);
  assert_int_equal(s.routing.algorithm, HD_ROUTE_DIMENSION_ORDER);
  assert_false(s.routing.always_top);
  assert_int_equal(s.seed, 7);
  hd_scenario_fini(&s);
  free(result);
}

TEST(oversized_text_is_refused)
{
  struct hd_scenario s;
  size_t n = HD_SCENARIO_BYTES + 1;
  char *text = malloc(n);
  assert_non_null(text);
  memset(text, ' ', n);
  must_say(hd_scenario_parse(&s, text, n, "s.yaml", &why), HD_E_INPUT,
           "s.yaml: 262145 bytes are too many; a file has at most 262144");
  memcpy(text, "name: a\0b", 9);
  must_say(hd_scenario_parse(&s, text, 9, "s.yaml", &why), HD_E_INPUT,
           "s.yaml: a byte of code 0; it is UTF-8 text");
  free(text);
  char many[16 * 1200], *at = many + sprintf(many, "name: a\n");
  for (int i = 0; i < 1100; i++)
    at += sprintf(at, "k%d: 1\n", i);
  must_say(parse(&s, many, &why), HD_E_INPUT,
           "s.yaml:1024: too many keys; a file has at most 1024");
}

/* ── building ──────────────────────────────────────────────────────────────── */

static int build(const char *text, const char *path, struct hd_scenario *s, struct hd_error *err)
{
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  int status = hd_scenario_parse(s, text, strlen(text), path, err);
  if (status)
    print_error("%s\n", err->text);
  assert_int_equal(status, 0);
  status = hd_scenario_build(s, &t, &tables, err);
  if (status == 0) {
    const struct hd_fabric_params params = hd_scenario_fabric(s);
    struct hd_fabric *fabric;
    assert_int_equal(hd_fabric_create(&fabric, &params, &t, &tables, err), 0);
    hd_fabric_destroy(fabric);
    assert_int_equal(hd_topology_check(&t, err), 0);
    assert_int_equal(s->sw.ports, t.ports);
    assert_int_equal(s->sw.source_table, tables.header_mode != 0);
  } else {
    assert_null(t.peers);
    assert_null(tables.destination);
  }
  return status;
}

TEST(parameters_of_the_switch_follow_from_the_fabric)
{
  struct hd_scenario s;
  must(build(every_key, "s.yaml", &s, &why));
  assert_int_equal(s.sw.ports, 6); /* the given number of ports, though four are needed */
  assert_int_equal(s.sw.nodes, 9); /* likewise; there are eight */
  assert_int_equal(s.sw.source_table, 0);
  hd_scenario_fini(&s);
  const char *tree = "name: a\nfabric: {topology: extended-tree, k: 2, n: 3}\n" SOFT;
  must(build(tree, "s.yaml", &s, &why));
  assert_int_equal(s.sw.ports, 4);
  assert_int_equal(s.sw.nodes, 16);
  assert_int_equal(s.sw.source_table, 1);
  assert_int_equal(s.routing.algorithm, HD_ROUTE_S_MOD_K);
  hd_scenario_fini(&s);
  const char *irregular = "name: a\nfabric: {topology: irregular, switches: 30}\n" SOFT;
  must(build(irregular, "s.yaml", &s, &why));
  assert_int_equal(s.sw.ports, 4);
  assert_int_equal(s.sw.nodes, 30);
  assert_int_equal(s.fabric.shape.graph_seed, 1);
  assert_int_equal(s.routing.algorithm, HD_ROUTE_UP_DOWN);
  hd_scenario_fini(&s);
  irregular = "name: a\nfabric:\n  topology: irregular\n  switches: 31\n  degree: 5\n"
              "  graph_seed: 18446744073709551615\n" SOFT;
  must(build(irregular, "s.yaml", &s, &why));
  assert_int_equal(s.fabric.shape.switches, 31);
  assert_int_equal(s.sw.ports, 6);
  assert_true(s.fabric.shape.graph_seed == UINT64_MAX);
  hd_scenario_fini(&s);
  static const char *const congestion[] = {"", ", congestion: credits", ", congestion: count"};
  for (unsigned i = 0; i < 3; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "name: a\nfabric: {topology: fat-tree, pods: 4}\n" SOFT
             "routing: {algorithm: adaptive%s}\n",
             congestion[i]);
    must(build(text, "s.yaml", &s, &why));
    assert_int_equal(s.sw.adaptive, i == 2 ? HD_ADAPTIVE_COUNT : HD_ADAPTIVE_CREDITS);
    hd_scenario_fini(&s);
  }
}

TEST(faults_are_read_from_scenarios)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  must(parse(&s,
             HEAD SOFT "switch: {barrier: any}\nfaults:\n"
                       "  - {cycle: 0, link: s15:4}\n"
                       "  - after_barrier: 7\n    switch: 3\n",
             &why));
  assert_int_equal(s.n_faults, 2);
  assert_false(s.faults[0].after_barrier || s.faults[0].whole_switch);
  assert_true(s.faults[0].when == 0 && s.faults[0].sw == 15 && s.faults[0].port == 4);
  assert_true(s.faults[1].after_barrier && s.faults[1].whole_switch);
  assert_true(s.faults[1].when == 7 && s.faults[1].sw == 3 && s.faults[1].line == 8);
}

TEST(fabrics_that_cannot_be_built_are_refused_by_line_and_key)
{
  static const char *const bad[][2] = {
      {"name: a\nfabric:\n  topology: mesh\n  dims: [64, 64]\n" SOFT,
       "s.yaml:4: fabric.dims: the fabric has 4096 nodes; routing tables have at most 2048 "
       "entries; "
       "more need switches that compute routes (routing.computed: true)"},
      {"name: a\nfabric:\n  topology: mesh\n  dims: [1024, 65]\n" SOFT,
       "s.yaml:4: fabric.dims: the mesh has more than 65536 nodes; the product of dims must be 2 … "
       "65536"},
      {"name: a\nfabric:\n  topology: mesh\n  dims: [1]\n" SOFT,
       "s.yaml:4: fabric.dims: the fabric has 1 node; legal: 2 … 65536"},
      {"name: a\nfabric:\n  topology: tree\n  k: 8\n  n: 9\n" SOFT,
       "s.yaml:4: fabric.k: the k-ary n-tree with k = 8 and n = 9 has more than 65536 nodes; with "
       "this k, n is 1 … 5"},
      {HEAD SOFT "switch:\n  route_cycles: 0\n",
       "s.yaml:5: switch.route_cycles: 0; legal: 1, 2; 0 needs switches that compute routes "
       "(routing.computed: true)"},
      {HEAD SOFT "switch:\n  nodes: 17\nrouting: {computed: true}\n",
       "s.yaml:5: switch.nodes: 17; with routing.computed it is the number of nodes, 16"},
      {HEAD SOFT "switch: {vcs: 4}\nrouting:\n  virtual_networks: 2\n  computed: true\n",
       "s.yaml:6: routing.virtual_networks: 2; legal with routing.computed: 1"},
      {HEAD SOFT "routing:\n  algorithm: valiant\n  computed: true\n",
       "s.yaml:6: routing.computed: switches cannot compute valiant routes; legal: "
       "dimension-order, "
       "minimal, and s-mod-k and d-mod-k at the nearest common ancestor (§12.7)"},
      {"name: a\nfabric: {topology: tree, k: 2, n: 3}\n" SOFT
       "routing:\n  always_top: true\n  computed: true\n",
       "s.yaml:6: routing.computed: switches cannot compute s-mod-k routes that go always to the "
       "top; legal: dimension-order, minimal, and s-mod-k and d-mod-k at the nearest common "
       "ancestor (§12.7)"},
      {"name: a\nfabric: {topology: mesh, dims: [3, 4]}\n" SOFT "routing:\n  computed: true\n",
       "s.yaml:5: routing.computed: dims[0] is 3, and switches that compute routes need a power of "
       "two (§12)"},
      {"name: a\nfabric: {topology: torus, dims: [4, 4]}\n" SOFT "routing:\n  computed: true\n",
       "s.yaml:5: routing.computed: the torus has no size of more than 4; switches that compute "
       "its "
       "routes need one (§12.3)"},
      {"name: a\nfabric: {topology: fat-tree, pods: 6}\n" SOFT "routing:\n  computed: true\n",
       "s.yaml:5: routing.computed: pods is 6, and switches that compute routes need a power of "
       "two "
       "(§12)"},
      {"name: a\nfabric: {topology: dragonfly, p: 1, a: 2, h: 1}\n" SOFT
       "routing:\n  computed: true\n",
       "s.yaml:5: routing.computed: switches cannot compute the routes of a dragonfly (§12.7)"},
      {"name: a\nfabric:\n  topology: irregular\n  switches: 4\n  degree: 4\n" SOFT,
       "s.yaml:5: fabric.degree: 4 switches cannot be linked to 4 others each and all be "
       "connected; legal: 2 … 3"},
      {HEAD SOFT "faults:\n  - {cycle: 1, switch: 16}\n",
       "s.yaml:5: faults[0].switch: there is no switch 16; legal: 0 … 15"},
      {HEAD SOFT "faults:\n  - {cycle: 1, switch: 1}\n  - {cycle: 1, link: \"s0:2\"}\n",
       "s.yaml:6: faults[1].link: switch 0 has no link at port 2; legal: 0, 1, 3"},
      {HEAD SOFT "switch:\n  ports: 4\n",
       "s.yaml:5: switch.ports: 4; the fabric needs 5; legal: 5 … 16"},
      {HEAD SOFT "switch:\n  ports: 6\n  nodes: 15\n",
       "s.yaml:6: switch.nodes: 15; the fabric has 16; legal: 16 … 2048"},
      {"name: a\nfabric:\n  topology: tree\n  k: 2\n  n: 8\n" SOFT "switch:\n  data_bits: 16\n",
       "s.yaml:8: switch.data_bits: a header for 256 nodes with source routing tables takes 18 "
       "bits, but data_bits is 16: use 32"},
      {"name: a\nfabric: {topology: omega, k: 2, n: 2}\n" SOFT "switch:\n  barrier: any\n",
       "s.yaml:5: switch.barrier: the fabric has links that go one way; barrier messages need both "
       "directions; legal: none"},
      {"name: a\nfabric: {topology: omega, k: 2, n: 2}\n" SOFT
       "faults:\n  - {cycle: 1, switch: 1}\n",
       "s.yaml:5: faults: the fabric has links that go one way; faults are of links in both "
       "directions; legal: no faults"},
      {"name: a\nfabric: {topology: mesh, dims: [3, 3]}\n" SOFT
       "switch: {cut_flits: 1}\nrouting:\n  algorithm: adaptive\nfaults:\n  - {cycle: 1, switch: "
       "1}\n",
       "s.yaml:8: faults: packets would choose a failed link, which takes everything (§5.9); legal "
       "with "
       "routing.algorithm: adaptive: no faults"},
      {"name: a\nfabric: {topology: mesh, dims: [3, 3]}\n" SOFT
       "routing:\n  algorithm: valiant\nfaults:\n  - {cycle: 1, switch: 1}\n",
       "s.yaml:7: faults: each packet goes by a node drawn at random, so packets of all sources "
       "and "
       "destinations would be lost again and again (§5.26); legal with routing.algorithm: valiant: "
       "no faults"},
      {HEAD SOFT "switch: {vcs: 4}\nrouting:\n  virtual_networks: 3\n",
       "s.yaml:6: routing.virtual_networks: 3; packets may take 4 virtual channels of a port; "
       "legal: "
       "a divisor of that"},
      {HEAD SOFT "switch: {vcs: 4}\nrouting:\n  algorithm: adaptive\n  virtual_networks: 2\n",
       "s.yaml:7: routing.virtual_networks: 2; packets choose among ports, and packets of all "
       "networks would meet in the channels of a chosen port (§5.28); legal with "
       "routing.algorithm: adaptive: 1"},
      {HEAD SOFT "switch: {vcs: 4,\n  nodes: 63}\nrouting: {virtual_networks: 4}\n",
       "s.yaml:5: switch.nodes: 63; the fabric has 64 in its virtual networks; legal: 64 … 2048"},
      {"name: a\nfabric: {topology: mesh, dims: [32, 32]}\n" SOFT
       "switch: {vcs: 4}\nrouting: {virtual_networks: 4}\n",
       "s.yaml:5: routing.virtual_networks: 4; with 1024 nodes they take 4096 table entries of at "
       "most 2048 (switch.nodes)"},
      {"name: a\nfabric: {topology: torus, dims: [5, 3]}\n" SOFT
       "switch: {vcs: 2}\nrouting:\n  virtual_networks: 2\n",
       "s.yaml:6: routing.virtual_networks: can deadlock with 1 virtual channel, where 2 are "
       "needed: "
       "5 channels wait for each other (output port and virtual channel of each): s1 port 2 vc 0 → "
       "s0 port 2 vc 0 → s4 port 2 vc 0 → s3 port 2 vc 0 → s2 port 2 vc 0 → s1 port 2 vc 0"},
      {"name: a\nfabric: {topology: torus, dims: [5, 3]}\n" SOFT
       "switch: {vcs: 1}\nrouting:\n  algorithm: minimal\n",
       "s.yaml:6: routing.algorithm: can deadlock with 1 virtual channel, where 2 are needed: 5 "
       "channels wait for each other (output port and "
       "virtual channel of each): s1 port 2 vc 0 → s0 port 2 vc 0 → s4 port 2 vc 0 → s3 port 2 vc "
       "0 "
       "→ s2 port 2 vc 0 → s1 port 2 vc 0"},
      {"name: a\nfabric: {topology: torus, dims: [5]}\n" SOFT
       "switch: {vcs: 1}\nrouting:\n  algorithm: minimal\nrun: {routes: minimal, mode: closed, "
       "compare: packets}\n",
       "s.yaml:6: routing.algorithm: can deadlock with 1 virtual channel, where 2 are needed: 5 "
       "channels wait for each other (output port and virtual channel of each): s1 port 2 vc 0 → "
       "s0 port 2 vc 0 → s4 port 2 vc 0 → s3 port 2 vc 0 → s2 port 2 vc 0 → s1 port 2 vc 0; a "
       "switch that routes by itself "
       "(run.routes: minimal) may go other ways: say routing.deadlock_check: false"},
      {"name: a\nfabric:\n  topology: graph\n  file: missing.csv\n" SOFT,
       "s.yaml:4: fabric.file: missing.csv: cannot be opened: No such file or directory"},
      {"name: a\nfabric:\n  topology: graph\n  file: /\n" SOFT,
       "s.yaml:4: fabric.file: /: is no regular file"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    struct hd_error err = {""};
    assert_true(build(bad[i][0], "s.yaml", &s, &err) < 0);
    assert_string_equal(err.text, bad[i][1]);
  }
}

/* Files of a scenario in another directory, as seen from here. */
TEST(contents_of_named_files_are_part_of_the_identity)
{
  static const char *const files[] = {"sub/ring.csv", "sub/trace.csv", "sub/mine.so", "bits.asc"};
  enum { FILES = sizeof files / sizeof *files };
  static const char *const texts[] = {
      "name: f\nfabric: {topology: graph, file: ring.csv}\n"
      "software: {program: replay, parameters: {file: trace.csv}}\n",
      "name: f\nfabric: {topology: mesh, dims: [2]}\nsoftware: {program: ./mine.so}\n"};
  char directory[] = "/tmp/heddle-test-XXXXXX", before[4096];
  assert_non_null(getcwd(before, sizeof before));
  assert_non_null(mkdtemp(directory));
  assert_int_equal(chdir(directory) | mkdir("sub", 0777), 0);
  for (size_t i = 0; i < FILES; i++)
    write_text(files[i], "one");
  for (size_t t = 0; t < 2; t++) {
    CLEANUP(hd_text_fini) struct hd_text first = {0};
    uint32_t changed = 0;
    for (size_t i = 0; i <= FILES; i++) { /* the first time as they are */
      struct hd_scenario s;
      CLEANUP(hd_text_fini) struct hd_text now = {0};
      if (i)
        write_text(files[i - 1], "other");
      must(hd_scenario_parse(&s, texts[t], strlen(texts[t]), "sub/f.yaml", &why));
      hd_scenario_identify(&s, "bitstream:bits.asc,any-build", &now);
      hd_scenario_fini(&s);
      if (i)
        changed += strcmp(hd_text_chars(&first), hd_text_chars(&now)) != 0;
      else
        hd_text_add(&first, "%s", hd_text_chars(&now));
      if (i)
        write_text(files[i - 1], "one");
    }
    assert_int_equal(changed, t ? 2 : 3); /* of each text that names it, and the bits */
  }
  for (size_t i = 0; i < FILES; i++)
    unlink(files[i]);
  assert_int_equal(rmdir("sub") | chdir(before) | rmdir(directory), 0);
}

TEST(graph_files_are_found_relative_to_the_scenario)
{
  struct hd_scenario s;
  char directory[] = "/tmp/heddle-test-XXXXXX", path[64], csv[64];
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/s.yaml", directory);
  snprintf(csv, sizeof csv, "%s/ring.csv", directory);
  write_text(csv, "s0,s1\ns1,s2\ns2,s3\ns3,s4\ns4,s0\nn0,s0\nn1,s1\nn2,s2\nn3,s3\nn4,s4\n");
  const char *text = "name: ring\nfabric: {topology: graph, file: ring.csv}\n" SOFT;
  must(build(text, path, &s, &why));
  assert_int_equal(s.routing.algorithm, HD_ROUTE_UP_DOWN);
  hd_scenario_fini(&s);
  char shortest[256], want[128];
  snprintf(shortest, sizeof shortest, "%srouting:\n  algorithm: shortest\n", text);
  assert_int_equal(build(shortest, path, &s, &why), HD_E_INPUT);
  snprintf(want, sizeof want, "%s:5: routing.algorithm: can deadlock: 5 channels wait for each",
           path);
  assert_memory_equal(why.text, want, strlen(want));
  hd_scenario_fini(&s);
  strcat(shortest, "  deadlock_check: false\n");
  must(build(shortest, path, &s, &why));
  hd_scenario_fini(&s);
  write_text(csv, "s0,s1\nn0,s0\nn1,s9:16\n");
  assert_int_equal(build(text, path, &s, &why), HD_E_INPUT);
  snprintf(want, sizeof want, "%s:3: \"s9:16\": ports of a switch are 0 … 15", csv);
  assert_string_equal(why.text, want);
  hd_scenario_fini(&s);
  /* A program's file is looked for there, too. */
  const char *replay = HEAD "software: {program: replay, parameters: {file: t.csv}}";
  must(hd_scenario_parse(&s, replay, strlen(replay), path, &why));
  snprintf(want, sizeof want, "%s/t.csv", directory);
  assert_string_equal(s.software.parameters[0].text, want);
  hd_scenario_fini(&s);
  unlink(csv);
  rmdir(directory);
}

TEST(example_scenarios_can_be_built)
{
  static const struct {
    const char *path;
    uint32_t switches, nodes;
  } files[] = {{"tests/scenarios/shuffle-6-to-10.yaml", 20, 16},
               {"tests/scenarios/mesh-8x8-uniform.yaml", 64, 64},
               {"tests/scenarios/ring-up-down.yaml", 8, 8},
               {"tests/scenarios/ring-tables.yaml", 8, 8},
               {"docs/examples/m-to-n.yaml", 80, 128}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    CLEANUP(hd_topology_fini) struct hd_topology t;
    CLEANUP(hd_tables_fini) struct hd_tables tables;
    struct hd_error err = {""};
    int status = hd_scenario_read(&s, files[i].path, &err);
    if (status == 0)
      status = hd_scenario_build(&s, &t, &tables, &err);
    if (status)
      print_error("%s\n", err.text);
    assert_int_equal(status, 0);
    assert_int_equal(t.n_switches, files[i].switches);
    assert_int_equal(t.n_nodes, files[i].nodes);
  }
}

TEST(missing_and_odd_files_are_refused)
{
  struct hd_scenario s;
  must_say(hd_scenario_read(&s, "no/such.yaml", &why), HD_E_IO,
           "no/such.yaml: cannot be opened: No such file or directory");
  hd_scenario_fini(&s);
  must_say(hd_scenario_read(&s, "/dev/null", &why), HD_E_IO, "/dev/null: is no regular file");
  hd_scenario_fini(&s);
}

/* ── documentation ─────────────────────────────────────────────────────────── */

static char *read_doc(void)
{
  FILE *f = fopen("docs/scenario.md", "r");
  assert_non_null(f);
  char *text = calloc(1, 1 << 16);
  assert_non_null(text);
  assert_true(fread(text, 1, (1 << 16) - 1, f) > 1000);
  fclose(f);
  return text;
}

/* The default is in the key's range or choice, and the section exists in the specification. */
TEST(every_key_has_a_meaning_a_legal_default_and_a_section)
{
  static const char *const chapters[] = {"1-flits",         "2-switch",
                                         "3-configuration", "4-network-interface",
                                         "5-fabrics",       "6-observation",
                                         "7-preemption",    "8-barrier",
                                         "9-board-link",    "10-adaptive-routing",
                                         "11-xor-encoder",  "12-computed-routing",
                                         "13-multicast"};
  static char spec[1 << 16];
  size_t n, numeric = 0, sections = 0;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (const struct hd_key *key = keys; key < keys + n; key++) {
    char fallback[256], heading[32], path[64];
    if (key->path[strlen(key->path) - 1] == ']')
      continue;
    assert_non_null(key->help);
    if (key->type != HD_KEY_SECTION && key->type != HD_KEY_ROWS)
      hd_key_default(key, fallback, sizeof fallback);
    if (key->type == HD_KEY_NUMBER && strspn(fallback, "0123456789") == strlen(fallback) &&
        *fallback) {
      assert_true(key->fallback >= key->low && key->fallback <= key->high);
      numeric++;
    }
    if (!key->section)
      continue;
    snprintf(path, sizeof path, "docs/spec/%s.md", chapters[strtoul(key->section, NULL, 10) - 1]);
    snprintf(heading, sizeof heading, "%s %s ", key->section[1] ? "\n##" : "#", key->section);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    spec[fread(spec, 1, sizeof spec - 1, f)] = '\0';
    fclose(f);
    if (!strstr(spec, heading))
      print_error("%s: there is no section %s\n", key->path, key->section);
    assert_non_null(strstr(spec, heading));
    sections++;
  }
  printf("%zu numbers, %zu sections\n", numeric, sections);
  assert_true(numeric > 10 && sections > 20);
}

TEST(the_documented_example_can_be_built)
{
  char *doc = read_doc(), *start = strstr(doc, "```yaml\n");
  assert_non_null(start);
  start += strlen("```yaml\n");
  char *end = strstr(start, "```");
  assert_non_null(end);
  *end = '\0';
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  must(build(start, "docs/scenario.md", &s, &why));
  free(doc);
}
