/* Program coding: on fabrics every node gets every datum by each scheme, in the hops that formulas say; a wrong datum ends
 * the run; bad parameters are named.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/runs.h"
#include "../lib/fake_network.h"
#include "../lib/seed.h"
#include "../lib/test.h"

#include "../../../sw/coding/coding.h"

/* ── on the model of fabrics ───────────────────────────────────────────────── */

static int run(const char *fabric, const char *sw, const char *parameters,
               struct hd_run_report *report)
{
  char text[1000];
  snprintf(
      text, sizeof text,
      "name: c\nfabric: %s\nswitch: {vcs: 4, data_bits: 64, depth_flits: 16, cut_flits: 16%s}\n"
      "software: {program: coding, parameters: {%s}}\nseed: %" PRIu64
      "\nrun: {cycles: 1000000, dut: none}\n",
      fabric, sw, parameters, seed);
  const struct hd_run_options options = {
      .scenario_path = "c.yaml", .scenario_text = text, .results_only = true};
  int status = hd_run(&options, report, &why);
  if (status && !hd_text_chars(&report->message)[0])
    fail_msg("%s: %s", parameters, why.text);
  return status;
}

static uint64_t total_over_steps(const struct hd_run_report *r, const char *what)
{
  static const char *const steps[] = {"inner step B", "inner step D", "inner step E",
                                      "inner step F", "step B",       "step D",
                                      "step E",       "step F"};
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (uint32_t s = 0; s < r->n_statistics; s++) {
      char name[64];
      snprintf(name, sizeof name, "%s of %s", what, steps[i]);
      if (!strcmp(r->statistics[s].name, name))
        sum += r->statistics[s].maximum;
    }
  return sum;
}

/* Data has one flit. So the flits that leave switches are the hops, plus one for each packet that reaches its node.
 */
static uint64_t hops_of_checked_run(const char *fabric, const char *sw, const char *parameters,
                                    unsigned nodes)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  if (run(fabric, sw, parameters, &r) || !r.software_finished)
    fail_msg("%s on %s: %s", parameters, fabric, hd_text_chars(&r.message));
  uint64_t hops = total_over_steps(&r, "hops");
  assert_int_equal(statistic(&r, "done")->n, nodes);
  assert_true(hops > 0);
  assert_int_equal(r.flits.data, hops + r.counters.flits_received);
  assert_true(r.counters.packets_sent >= total_over_steps(&r, "packets"));
  if (!strstr(parameters, "combined"))
    assert_int_equal(r.counters.flits_received, r.counters.packets_sent + r.counters.packets_made);
  assert_int_equal(r.counters.packets_foreign, 0);
  return hops;
}

static const char *const multicasts[] = {"all-at-once", "tree", "neighbour"};

TEST(every_scheme_takes_the_hops_of_its_formula)
{
  static const char *const schemes[] = {"flat", "coded", "plain", "combined"};
  for (unsigned scheme = 0; scheme < 4; scheme++)
    for (unsigned multicast = 0; multicast < 3; multicast++)
      for (int torus = 0; torus < 2; torus++) {
        struct hd_coding_request request = {.n_dims = 2,
                                            .dims = {6, 4},
                                            .torus = torus,
                                            .scheme = (enum hd_coding_scheme)scheme,
                                            .multicast = (enum hd_coding_multicast)multicast,
                                            .n_levels = scheme > 0,
                                            .group = {{3, 2}}};
        struct hd_coding *coding;
        struct hd_coding_hops hops;
        char parameters[200];
        must(hd_coding_create(&coding, &request, &why));
        hd_coding_formula(coding, &hops);
        hd_coding_destroy(coding);
        for (int hardware = 0; hardware < 1 + (scheme == 1); hardware++) {
          snprintf(parameters, sizeof parameters,
                   "scheme: %s, multicast: %s, dims: 6x4, torus: %d%s%s", schemes[scheme],
                   multicasts[multicast], torus, scheme ? ", group: 3x2" : "",
                   hardware ? "" : ", encode: software, decode: software, xor: 3, restore: 2");
          assert_int_equal(hops_of_checked_run(torus ? "{topology: torus, dims: [6, 4]}"
                                                     : "{topology: mesh, dims: [6, 4]}",
                                               hardware ? ", code_places: 24, code_cycles: 5" : "",
                                               parameters, 24),
                           hd_coding_total(&hops, HD_CODING_COUNT_ALL));
        }
      }
}

/* Step by step, in groups of groups, some sources, coders for one direction alone. */
TEST(every_scheme_ends_with_overlapping_and_with_sequential_steps)
{
  static const char *const cases[] = {
      "dims: 4x4, group: 2x2",
      "dims: 4x4, group: 2x2, encode: software",
      "dims: 4x4, group: 2x2, decode: software",
      "dims: 4x4, group: 4x2, inner: 2x1",
      "dims: 4x4, group: 4x4, inner: 2x2, decode: software, xor: 1",
      "dims: 4x4, group: 2x4, sources: 5",
      "dims: 4x4, group: 3x3, sources: 15",
      "dims: 4x4, group: 1x1",
      "scheme: plain, group: 4x2, inner: 2x1",
      "scheme: combined, group: 4x2, inner: 2x1",
      "scheme: flat, sources: 1",
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int sequential = 0; sequential < 2; sequential++) {
      CLEANUP(hd_run_report_fini) struct hd_run_report r;
      char parameters[200];
      snprintf(parameters, sizeof parameters, "%s, multicast: %s%s", cases[i], multicasts[i % 3],
               sequential ? ", order: sequential" : "");
      if (run("{topology: mesh, dims: [4, 4]}", ", code_places: 32, barrier: any", parameters, &r))
        fail_msg("%s: %s", parameters, hd_text_chars(&r.message));
      assert_int_equal(statistic(&r, "done")->n, 16);
    }
}

/* Numbers after `fabric` divide the channels. */
TEST(steps_can_use_separate_channels)
{
  static const char *const cases[] = {
      "dims: 4x4, group: 2x2", "dims: 4x4, group: 4x2, inner: 2x1, decode: software",
      "scheme: plain, dims: 4x4, group: 4x2", "scheme: flat, dims: 4x4"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char parameters[200];
    snprintf(parameters, sizeof parameters, "%s, channels: own", cases[i]);
    assert_int_equal(
        hops_of_checked_run("{topology: mesh, dims: [4, 4]}", ", code_places: 16", cases[i], 16),
        hops_of_checked_run("{topology: mesh, dims: [4, 4]}\nrouting: {virtual_networks: 4}",
                            ", code_places: 16", parameters, 16));
  }
}

/* Packets of each step, and how many were sent in the virtual network of its number. */
TEST(packets_of_each_step_use_the_virtual_network_of_its_number)
{
  static const char *const steps[] = {"packets of step B", "packets of step D", "packets of step E",
                                      "packets of step F"};
  for (int own = 0; own < 2; own++) {
    struct fake_network net = {.max_delay = 100};
    struct hd_parameter parameters[] = {{.key = "encode", .text = "software"},
                                        {.key = "decode", .text = "software"},
                                        {.key = "channels", .text = own ? "own" : "shared"},
                                        {.key = "group", .text = "2x2"}};
    struct hd_world_params p = fake_params(&net, 16, hd_program_find("coding"));
    uint64_t ended, all = 0;
    p.layout = (struct hd_ep_layout){.data_bits = 64, .header_bits = 6, .head_bits = 58};
    p.data_bits = 64;
    p.networks = 4;
    p.parameters = parameters;
    p.n_parameters = 4;
    must(hd_world_create(&net.world, &p, &why));
    must(fake_run(&net, 1000000, &ended, &why));
    for (uint32_t s = 0; s < hd_world_statistics(net.world); s++) {
      const struct hd_world_statistic of = hd_world_statistic(net.world, s);
      for (unsigned step = 0; step < 4; step++) {
        if (strcmp(of.name, steps[step]) != 0)
          continue;
        all += of.values[0].value;
        if (own)
          assert_int_equal(net.sent_in[step], of.values[0].value);
      }
    }
    assert_int_equal(all, net.n_sent);
    if (!own)
      assert_int_equal(net.sent_in[0], net.n_sent);
    fake_fini(&net);
  }
}

/* Group by group 8 data; the inner groups' 2. */
TEST(a_combined_message_is_as_few_packets_as_its_length_allows)
{
  static const struct {
    const char *parameters;
    uint32_t of_message;
  } cases[] = {
      {"combined_flits: 1", 8}, {"combined_flits: 3", 3},  {"combined_flits: 7", 2},
      {"combined_flits: 8", 1}, {"combined_flits: 16", 1}, {"multicast: all-at-once", 1},
      {"flits: 2", 1},          {"flits: 3", 2},           {"flits: 5, combined_flits: 2", 8},
      {"flits: 16", 8}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    char parameters[200];
    snprintf(parameters, sizeof parameters, "scheme: combined, group: 4x2, %s",
             cases[i].parameters);
    if (run("{topology: mesh, dims: [4, 4]}", "", parameters, &r))
      fail_msg("%s: %s", parameters, hd_text_chars(&r.message));
    assert_int_equal(statistic(&r, "done")->n, 16);
    assert_int_equal(statistic(&r, "packets of step B")->maximum, 2 * 8 * 7);
    assert_int_equal(statistic(&r, "packets of step D")->maximum, 2 * cases[i].of_message);
    assert_int_equal(statistic(&r, "packets of step E")->maximum, 2 * 7 * cases[i].of_message);
    const uint64_t flits =
        strstr(parameters, " flits: ") ? (uint64_t)atoi(strstr(parameters, " flits: ") + 8) : 1;
    assert_int_equal(r.flits.data - r.counters.flits_received,
                     flits * total_over_steps(&r, "hops"));
  }
  struct hd_run_report r;
  if (run("{topology: mesh, dims: [4, 4]}", "",
          "scheme: combined, group: 4x2, inner: 2x1, most_flits: 9", &r))
    fail_msg("%s", hd_text_chars(&r.message));
  assert_int_equal(statistic(&r, "done")->n, 16);
  hd_run_report_fini(&r);
}

/* Sources as in the plan: spread evenly over the nodes; or together, the first nodes. */
TEST(sources_can_be_spread_evenly_or_be_the_first_nodes)
{
  for (uint32_t sources = 1; sources <= 16; sources = sources * 2 + (sources == 4))
    for (int together = 0; together < 2; together++) {
      bool of[16] = {false};
      struct hd_coding_request request = {.n_dims = 2,
                                          .dims = {4, 4},
                                          .scheme = HD_CODING_CODED,
                                          .n_levels = 1,
                                          .group = {{2, 2}},
                                          .sources = of};
      struct hd_coding *coding;
      struct hd_coding_hops hops;
      char parameters[200];
      for (uint32_t i = 0; i < sources; i++)
        of[together ? i : i * (16 / sources)] = true;
      must(hd_coding_create(&coding, &request, &why));
      hd_coding_formula(coding, &hops);
      hd_coding_destroy(coding);
      snprintf(parameters, sizeof parameters,
               "dims: 4x4, group: 2x2, sources: %" PRIu32 ", placed: %s", sources,
               together ? "together" : "spread");
      assert_int_equal(hops_of_checked_run("{topology: mesh, dims: [4, 4]}", ", code_places: 16",
                                           parameters, 16),
                       hd_coding_total(&hops, HD_CODING_COUNT_ALL));
    }
}

/* Lengths 1 to 16, in the same hops: the coder pads the shorter packet and undoes it. */
TEST(packets_of_unequal_length_are_coded_and_restored)
{
  for (int hardware = 0; hardware < 2; hardware++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    if (run("{topology: mesh, dims: [4, 4]}", hardware ? ", code_places: 16" : "",
            hardware ? "group: 4x2, most_flits: 16"
                     : "group: 4x2, most_flits: 16, encode: software, decode: software",
            &r))
      fail_msg("%s", hd_text_chars(&r.message));
    assert_int_equal(statistic(&r, "done")->n, 16);
    assert_true(r.flits.data > 3 * r.counters.packets_received);
  }
}

/* ── what must fail ────────────────────────────────────────────────────────── */

static const struct hd_ep_layout layout = {.data_bits = 64, .header_bits = 6, .head_bits = 58};

static struct hd_parameter text_of(char *key, char *value)
{
  return (struct hd_parameter){.key = key, .text = value};
}

/* Returns the status of a run on a network that flips bits in each packet's head, or in its last flit. */
static int run_with_flipped_bits(char *scheme, uint64_t flip, uint64_t flip_word,
                                 struct hd_error *err)
{
  CLEANUP(fake_fini)
  struct fake_network net = {.max_delay = 100, .flip = flip, .flip_word = flip_word};
  struct hd_parameter parameters[] = {text_of("scheme", scheme),
                                      text_of("encode", "software"),
                                      text_of("decode", "software"),
                                      {.key = "flits", .number = 3},
                                      text_of("group", "2x2")};
  struct hd_world_params p = fake_params(&net, 16, hd_program_find("coding"));
  uint64_t ended;
  p.layout = layout;
  p.data_bits = 64;
  p.parameters = parameters;
  p.n_parameters = strcmp(scheme, "flat") ? 5 : 4;
  assert_int_equal(hd_world_create(&net.world, &p, err), 0);
  int status = fake_run(&net, 1000000, &ended, err);
  if (!status && !hd_world_finished(net.world))
    status = HD_E_DEADLOCK;
  return status;
}

TEST(a_wrong_datum_ends_the_run)
{
  static char *const schemes[] = {"flat", "coded", "plain", "combined"};
  for (size_t i = 0; i < 4; i++) {
    struct hd_error err = {""};
    assert_int_equal(run_with_flipped_bits(schemes[i], 0, 0, &err), 0);
    for (unsigned bit = 6; bit < 64; bit++) {
      int status = run_with_flipped_bits(schemes[i], UINT64_C(1) << bit, 0, &err);
      if (status != HD_E_SOFTWARE)
        fail_msg("%s, bit %u: %d %s", schemes[i], bit, status, err.text);
      if (bit < 6 + 49 && !strstr(err.text, "the datum of node"))
        fail_msg("%s, bit %u: %s", schemes[i], bit, err.text);
    }
    for (unsigned bit = 0; bit < 64; bit += 21) {
      assert_int_equal(run_with_flipped_bits(schemes[i], 0, UINT64_C(1) << bit, &err),
                       HD_E_SOFTWARE);
      assert_non_null(strstr(err.text, "the datum of node"));
    }
  }
}

TEST(bad_parameters_are_named)
{
  static const char *const cases[][3] = {
      {"", "scheme: codes", "scheme: codes; legal: flat, coded, plain, combined"},
      {"", "multicast: all", "multicast: all; legal: all-at-once, tree, neighbour"},
      {"", "encode: soft", "encode: soft; legal: hardware, software"},
      {"", "order: any", "order: any; legal: overlapping, sequential"},
      {"", "dims: 4x5", "dims: they are 20 nodes; there are 16"},
      {"", "dims: 4y4", "dims: 4y4; legal: sides, as 8x4, each 1"},
      {"", "scheme: flat, dims: 8x2", "dims: 8x2; the network's are 4x4"},
      {"", "scheme: flat, dims: 16", "dims: 16; the network's are 4x4"},
      {"", "scheme: flat, torus: 1", "torus: 1; the network is no torus"},
      {"", "group: 4x2x2", "group: 4x2x2; legal: sides, as 8x4, each 1 … 65536, at most 2"},
      {"", "group: 4x2, inner: 2", "inner: the number 2; legal: sides, as 2x2. A number alone"},
      {"", "group: 5x1", "group: "},
      {"", "group: 7", "group: "},
      {"", "group: 2x2, inner: 3x1", "inner: "},
      {"", "flits: 17", "flits: 17; legal: a whole number, 1"},
      {"", "flits: 4, most_flits: 3", "most_flits: 3; legal: a whole number, 4"},
      {"", "group: 2x2", "decode: (default) hardware takes 16 places of a coder; there are 0"},
      {", code_places: 8", "group: 2x2, encode: software",
       "there are 8 (switch.code_places, at most 256); legal: hardware with as many places, "
       "software"},
      {"", "placed: apart", "placed: apart; legal: drawn, spread, together"},
      {"", "channels: two", "channels: two; legal: shared, own"},
      {"", "channels: own",
       "channels: own takes 4 virtual networks; there are 1 (routing.virtual_networks)"},
      {"", "scheme: combined, combined_flits: 0", "combined_flits: 0; legal: a whole number, 1"},
      {"", "scheme: combined, combined_flits: 17", "combined_flits: 17; legal: a whole number, 1"},
      {", code_places: 8", "group: 2x2",
       "decode: (default) hardware takes 16 places of a coder; there are 8"},
      {", code_places: 4", "group: 4x2, decode: software",
       "encode: (default) hardware takes 8 places of a coder; there are 4"},
      {", code_places: 16", "group: 2x2, order: sequential", "switch.barrier"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report r;
    assert_int_equal(run("{topology: mesh, dims: [4, 4]}", cases[i][0], cases[i][1], &r),
                     HD_E_INPUT);
    if (!strstr(hd_text_chars(&r.message), cases[i][2]))
      fail_msg("'%s' is not in '%s'", cases[i][2], hd_text_chars(&r.message));
  }
}

/* A coder has at most 256 places. */
TEST(larger_networks_decode_in_software)
{
  CLEANUP(hd_run_report_fini) struct hd_run_report r;
  assert_int_equal(
      run("{topology: mesh, dims: [17, 16]}", ", code_places: 256", "dims: 17x16, group: 1x16", &r),
      HD_E_INPUT);
  if (!strstr(hd_text_chars(&r.message),
              "decode: (default) hardware takes 272 places of a coder; there are 256 "
              "(switch.code_places, at most 256); legal: software"))
    fail_msg("%s", hd_text_chars(&r.message));
  hops_of_checked_run("{topology: mesh, dims: [17, 16]}", ", code_places: 256",
                      "multicast: tree, dims: 17x16, group: 1x16, decode: software", 272);
}
