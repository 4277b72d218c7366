/* Parameters that a program cannot use are refused, with file, line and key, before anything runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/scenario/scenario_inside.h"
#include "../lib/test.h"

#define HEAD "name: a\nfabric: {topology: mesh, dims: [4, 4]}\n"

static int check_scenario(const char *text, const char *path, struct hd_error *err)
{
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  int status = hd_scenario_parse(&s, text, strlen(text), path, err);
  if (!status)
    status = hd_scenario_build(&s, &t, &tables, err);
  if (status)
    fail_msg("%s", err->text); /* so that only this check can refuse it */
  status = hd_scenario_check(&s, t.n_nodes, err);
  return status;
}

TEST(values_are_refused_by_file_line_and_key)
{
  static const char *const bad[][2] = {
      {HEAD "software:\n  program: uniform\n  parameters:\n    flits: 4\n    load: 1.5\n",
       "s.yaml:7: software.parameters.load: 1.5; legal: a number, 0 … 1"},
      {HEAD "software:\n  program: uniform\n  parameters: {load: fast}\n",
       "s.yaml:5: software.parameters.load: 'fast'; it must be a number"},
      {HEAD "software:\n  program: uniform\n  parameters: {flits: 0}\n",
       "s.yaml:5: software.parameters.flits: 0; legal: a whole number, 1 … 65535"},
      {HEAD "software:\n  program: hotspot\n  parameters: {node: 16}\n",
       "s.yaml:5: software.parameters.node: 16; legal: a whole number, 0 … 15"},
      {HEAD "software:\n  program: pingpong\n  parameters:\n    second: 99\n",
       "s.yaml:6: software.parameters.second: 99; legal: a whole number, 0 … 15"},
      {HEAD "software:\n  program: pingpong\n  parameters: {first: 3,\n    second: 3}\n",
       "s.yaml:6: software.parameters.second: 3; it must differ from first"},
      {HEAD "software:\n  program: transpose\n  parameters: {columns: 8}\n",
       "s.yaml:5: software.parameters.columns: 8; a transposition needs as many columns as rows"},
      {HEAD "software:\n  program: tornado\n  parameters: {columns: 5}\n",
       "s.yaml:5: software.parameters.columns: 5; 16 nodes do not fill rows of so many"},
      {"name: a\nfabric: {topology: mesh, dims: [4, 3]}\nsoftware:\n  program: transpose\n",
       "s.yaml:4: software.parameters.columns: (default) none; 12 nodes are no square"},
      {HEAD "software:\n  program: replay\n",
       "s.yaml:4: software.parameters.file: (default) none; program replay needs a trace"},
      {HEAD "software: {program: replay,\n  parameters: {file: no/such.csv}}\n",
       "s.yaml:4: software.parameters.file: cannot open trace no/such.csv: No such file or "
       "directory"},
      {"name: a\nfabric: {topology: mesh, dims: [4, 3]}\nsoftware:\n  program: bit-complement\n",
       "s.yaml:4: software.program: 12 nodes; bit-complement needs a power of two, at "
       "least 2"},
      {"name: a\nfabric: {topology: mesh, dims: [3]}\nsoftware:\n  program: shuffle\n",
       "s.yaml:4: software.parameters.sources: (default) 6; legal: a whole number, 1 … 3"},
      {HEAD "software:\n  program: shuffle\n  packet_bytes: 131061\n",
       "s.yaml:5: software.packet_bytes: 131061 bytes of a message in a packet; at most 131060 fit "
       "into 65535 flits of 16 bits"},
      {HEAD "switch: {depth_flits: 8,\n  cut_flits: 5}\nsoftware: {program: shuffle}\n",
       "s.yaml:4: switch.cut_flits: packets of at most 5 flits hold no message; it takes 6 "
       "(header, envelope, 1 of payload)"},
      {HEAD "switch: {depth_flits: 8, cut_flits: 5}\n"
            "software: {program: uniform, parameters: {load: 0.1,\n  flits: 6}}\n",
       "s.yaml:5: software.parameters.flits: 6; virtual cut-through takes packets of 1 … 5 flits "
       "here"},
      {HEAD "switch: {depth_flits: 8, cut_flits: 3}\nsoftware:\n  program: uniform\n",
       "s.yaml:5: software.parameters.flits: (default) 4; virtual cut-through takes packets of 1 … "
       "3 flits here"},
  };
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_error err = {""};
    int status = check_scenario(bad[i][0], "s.yaml", &err);
    if (status == HD_E_INPUT && !strcmp(err.text, bad[i][1]))
      continue;
    print_error("status %d\ngot:  %s\nwant: %s\n", status, err.text, bad[i][1]);
    wrong++;
  }
  printf("%zu messages\n", sizeof bad / sizeof *bad);
  assert_int_equal(wrong, 0);
}

TEST(a_trace_is_refused_by_its_line_and_the_key)
{
  char path[64], text[256], want[256];
  write_temporary(path, "0,1,2,8\n5,1,16,8\n");
  snprintf(text, sizeof text, HEAD "software:\n  program: replay\n  parameters: {file: %s}\n",
           path);
  assert_int_equal(check_scenario(text, "s.yaml", &why), HD_E_INPUT);
  snprintf(want, sizeof want,
           "s.yaml:5: software.parameters.file: %s:2: destination is 16; it must be at most 15",
           path);
  assert_string_equal(why.text, want);
  unlink(path);
}

/* The check neither sends nor waits, even for a program that sends at once. */
TEST(scenarios_with_usable_parameters_pass_the_check)
{
  static const char *const good[] = {
      "uniform, parameters: {load: 1, flits: 1}",
      "hotspot",
      "transpose",
      "bit-complement",
      "tornado",
      "neighbour",
      "broadcast, parameters: {rounds: 1000000000, bytes: 1048576}",
      "pingpong, parameters: {rounds: 1000000000, bytes: 0}",
      "shuffle, parameters: {rounds: 4294967295}",
      "shuffle, startup_cycles: 1000000000",
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct hd_error err = {""};
    char text[256];
    snprintf(text, sizeof text, HEAD "software: {program: %s}\n", good[i]);
    if (check_scenario(text, "s.yaml", &err))
      fail_msg("%s: %s", good[i], err.text);
  }
}

#define NETWORK(inside, run)                                                                       \
  "name: n\nfabric: {topology: flattened-butterfly, k: 9, n: 1, inside: " inside "}\nrun: {mode: " \
  "closed, compare: packets" run "}\nsoftware: {program: uniform}\n"

/* A whole network as DUT is one switch, whose links inside say how far its endpoints are apart. */
TEST(links_inside_a_network_must_fit_its_endpoints)
{
  static const struct {
    const char *text, *message; /* NULL: it is right */
    uint32_t held_cycles;
  } cases[] = {
      {NETWORK("mesh 3x3", ""), NULL, 500},
      {NETWORK("torus 9", ", held_cycles: 70"), NULL, 70},
      {NETWORK("unknown", ""), NULL, 500},
      {NETWORK("ring 9", ""),
       "s.yaml:2: fabric.inside: ring 9; legal: mesh 3x3, torus 4x4, a graph file NAME.csv, or "
       "unknown",
       0},
      {NETWORK("mesh 3x", ""), "s.yaml:2: fabric.inside: mesh 3x; legal", 0},
      {NETWORK("mesh 1", ""), "s.yaml:2: fabric.inside: mesh 1; legal", 0},
      {NETWORK("mesh 600x600", ""), "s.yaml:2: fabric.inside: mesh 600x600; legal", 0},
      {NETWORK("mesh 2x2", ""),
       "s.yaml:2: fabric.inside: it has 4 nodes, the network has 9 endpoints", 0},
      {"name: n\nfabric: {topology: flattened-butterfly, k: 255, n: 1, inside: mesh 15x17}\nrun: "
       "{mode: closed, compare: packets}\nsoftware: {program: uniform}\n",
       NULL, 500},
      {"name: n\nfabric: {topology: flattened-butterfly, k: 17, n: 1}\nsoftware: {program: "
       "uniform}\n",
       "s.yaml:2: fabric.k: 17; legal: 2 … 16; a whole network (fabric.inside) may have more "
       "endpoints",
       0},
      {NETWORK("mesh 3x3", "") "switch: {barrier: any}\n",
       "s.yaml:5: switch.barrier: is set; a whole network (fabric.inside) has none of Heddle's "
       "switches",
       0},
      {NETWORK("none.csv", ""), "s.yaml:2: fabric.inside: none.csv", 0},
      {"name: n\nfabric: {topology: mesh, dims: [3, 3], inside: mesh 3x3}\nrun: {mode: closed, "
       "compare: packets}\nsoftware: {program: uniform}\n",
       "s.yaml:2: fabric.inside: the fabric has 9 switches; a whole network is one", 0},
      {"name: n\nfabric: {topology: flattened-butterfly, k: 9, n: 1, inside: mesh 3x3}\n"
       "software: {program: uniform}\n",
       "s.yaml:1: run.compare: exact; a whole network (fabric.inside) is compared by packets", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    CLEANUP(hd_topology_fini) struct hd_topology t = {.n_nodes = 0};
    CLEANUP(hd_tables_fini) struct hd_tables tables = {.n_nodes = 0};
    struct hd_error err = {""};
    int status = hd_scenario_parse(&s, cases[i].text, strlen(cases[i].text), "s.yaml", &err);
    if (!status)
      status = hd_scenario_build(&s, &t, &tables, &err);
    if (cases[i].message &&
        (!status || strncmp(err.text, cases[i].message, strlen(cases[i].message))))
      fail_msg("case %zu: %s", i, err.text);
    if (!cases[i].message)
      assert_int_equal(status, HD_OK);
    if (!cases[i].message)
      assert_int_equal(s.run.held_cycles, cases[i].held_cycles);
  }
}

TEST(distances_inside_a_network_are_shortest_paths)
{
  static const char text[] = NETWORK("torus 3x3", "");
  CLEANUP(hd_scenario_fini) struct hd_scenario s;
  CLEANUP(hd_topology_fini) struct hd_topology inner;
  must(hd_scenario_parse(&s, text, strlen(text), "s.yaml", &why));
  must(hd_scenario_inside(&s, 9, &inner, &why));
  CLEANUP(free_at) uint16_t *far = hd_inside_distances(&inner);
  for (unsigned a = 0; a < 9; a++)
    for (unsigned b = 0; b < 9; b++)
      assert_int_equal(far[a * 9 + b], (a % 3 != b % 3) + (a / 3 != b / 3));
}

/* One build of a switch serves fabrics of fewer switches than its barrier routing tables have
 * entries. */
TEST(barrier_routing_tables_may_be_larger_than_the_fabric)
{
  static const struct {
    const char *keys;
    uint32_t switches; /* UINT32_MAX: refused */
  } cases[] = {{"", 0},
               {"{barrier: any}", 16},
               {"{barrier: any, switches: 16}", 16},
               {"{barrier: any, switches: 20}", 20},
               {"{barrier: any, switches: 15}", UINT32_MAX}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_scenario_fini) struct hd_scenario s;
    CLEANUP(hd_topology_fini) struct hd_topology t;
    CLEANUP(hd_tables_fini) struct hd_tables tables;
    struct hd_error err = {""};
    char text[256];
    snprintf(text, sizeof text, HEAD "software: {program: uniform}\n%s%s\n",
             *cases[i].keys ? "switch: " : "", cases[i].keys);
    assert_int_equal(hd_scenario_parse(&s, text, strlen(text), "s.yaml", &err), 0);
    int status = hd_scenario_build(&s, &t, &tables, &err);
    if (cases[i].switches == UINT32_MAX)
      assert_string_equal(err.text, "s.yaml:4: switch.switches: 15; the fabric has 16; legal: 16 … "
                                    "2048");
    else
      assert_int_equal(s.sw.switches, cases[i].switches);
    assert_int_equal(status, cases[i].switches == UINT32_MAX ? HD_E_INPUT : 0);
  }
}
