/* The destination shuffle on the extended tree of the M-to-N paper leaves nothing blocked.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/run/run.h"
#include "../../../cmodel/fabric/fabric.h"
#include "../../../sw/programs/programs.h"
#include "../../../sw/runtime/world.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

struct setup {
  uint32_t sources, destinations, bytes, rounds, depth, vcs;
  uint64_t startup;
  bool d_mod_k;
};

static int send(void *context, const struct hd_world_packet *sent)
{
  struct hd_packet packet = {.source = sent->source,
                             .destination = sent->destination,
                             .flits = sent->flits,
                             .payload = sent->payload};
  uint32_t number;
  return hd_fabric_send(context, &packet, &number, NULL);
}

static void step_world_and_fabric(struct hd_world *world, struct hd_fabric *fabric, uint64_t cycle)
{
  int status = hd_world_step(world, cycle, &why);
  if (!status)
    status = hd_fabric_step(fabric, &why);
  uint32_t n = 0;
  const struct hd_delivery *d = hd_fabric_deliveries(fabric, &n);
  for (uint32_t i = 0; !status && i < n; i++)
    status =
        hd_world_deliver(world, d[i].node, d[i].words + 1, d[i].flits - 1, d[i].received, &why);
  if (status)
    fail_msg("cycle %" PRIu64 ": %s", cycle, why.text);
}

/* Blocked flit-cycles of a whole shuffle on the extended 2-ary 3-tree. */
static uint64_t blocked_cycles(const struct setup *s)
{
  CLEANUP(hd_topology_fini) struct hd_topology topology = {0};
  CLEANUP(hd_tables_fini) struct hd_tables tables = {0};
  struct hd_fabric *fabric;
  struct hd_world *world;
  assert_int_equal(hd_topology_extended_tree(&topology, 2, 3, NULL), 0);
  enum hd_routing_kind routing = s->d_mod_k ? HD_ROUTE_D_MOD_K : HD_ROUTE_S_MOD_K;
  assert_int_equal(hd_routing_build(&tables, &topology, routing, true, s->vcs, 0, NULL), 0);
  struct hd_fabric_params fabric_params = {
      .sw = {SIMPLE_SWITCH(topology.ports, s->vcs, 16, s->depth, topology.n_nodes),
             .source_table = !s->d_mod_k},
      .link_cycles = 1};
  assert_int_equal(hd_fabric_create(&fabric, &fabric_params, &topology, &tables, NULL), 0);
  struct hd_parameter parameters[] = {{"sources", NULL, s->sources},
                                      {"destinations", NULL, s->destinations},
                                      {"bytes", NULL, s->bytes},
                                      {"rounds", NULL, s->rounds}};
  struct hd_world_params world_params = {.nodes = topology.n_nodes,
                                         .data_bits = 16,
                                         .packet_bytes = 256,
                                         .startup_cycles = s->startup,
                                         .program = hd_program_find("shuffle"),
                                         .parameters = parameters,
                                         .n_parameters = 4,
                                         .send = send,
                                         .context = fabric};
  assert_int_equal(hd_world_create(&world, &world_params, NULL), 0);
  for (uint64_t cycle = 0; !hd_world_finished(world) || !hd_fabric_idle(fabric); cycle++) {
    assert_true(cycle < 1000000);
    step_world_and_fabric(world, fabric, cycle);
  }
  struct hd_fabric_counters network;
  struct hd_world_counters software;
  hd_fabric_counters(fabric, &network);
  hd_world_counters(world, &software);
  assert_int_equal(software.messages_received, s->sources * s->destinations * s->rounds);
  assert_int_equal(software.messages_sent, software.messages_received);
  assert_int_equal(network.packets_received, network.packets_sent);
  hd_world_destroy(world);
  hd_fabric_destroy(fabric);
  return network.blocked_flit_cycles;
}

TEST(a_shuffle_with_s_mod_k_routing_blocks_no_flit)
{
  static const struct setup setups[] = {
      {6, 10, 256, 1, 6, 2, 0, false},  {6, 10, 256, 3, 8, 2, 0, false},
      {6, 10, 256, 2, 16, 1, 0, false}, {6, 10, 1000, 2, 8, 4, 152, false},
      {6, 10, 0, 5, 8, 2, 0, false},    {6, 10, 255, 2, 8, 3, 10, false},
      {8, 8, 256, 2, 8, 2, 0, false},   {1, 15, 256, 2, 8, 2, 0, false},
  };
  for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
    if (blocked_cycles(&setups[i]))
      fail_msg("setup %zu: %" PRIu64 " blocked flit-cycles", i, blocked_cycles(&setups[i]));
}

/* docs/endpoint.md, "M-to-N communication": packets of 6-to-10 block one another with D-mod-k. */
TEST(a_shuffle_with_d_mod_k_routing_blocks_flits)
{
  const struct setup setup = {6, 10, 256, 1, 8, 2, 0, true};
  assert_true(blocked_cycles(&setup) > 0);
}

/* A credit's round trip is 6 cycles here (specification §4.5, T between switches). */
TEST(buffers_smaller_than_a_credit_round_trip_block_flits)
{
  const struct setup setup = {6, 10, 256, 1, 5, 2, 0, false};
  assert_true(blocked_cycles(&setup) > 0);
}

/* Runs the shuffle by a scenario, on switches with barrier messages; `parameters` are added to those of the software. */
static void run(const char *routing, const char *parameters, struct hd_run_report *report)
{
  char text[1000];
  snprintf(text, sizeof text,
           "name: s\nfabric: {topology: extended-tree, k: 2, n: 3}\n"
           "switch: {vcs: 2, data_bits: 64, depth_flits: 16, barrier: any}\n"
           "routing: {algorithm: %s, always_top: true}\n"
           "software: {program: shuffle, parameters: {routing: %s, pairs: 1, rounds: 3, %s}}\n"
           "run: {cycles: 100000, dut: none}\n",
           routing, routing, parameters);
  const struct hd_run_options options = {
      .scenario_path = "s.yaml", .scenario_text = text, .results_only = true};
  if (hd_run(&options, report, &why))
    fail_msg("%s: %s", parameters, why.text);
  assert_int_equal(report->messages_received, 180);
}

static uint64_t longest_jitter(const struct hd_run_report *report)
{
  for (uint32_t i = 0; i < report->n_statistics; i++)
    if (!strcmp(report->statistics[i].name, "jitter of pairs")) {
      assert_int_equal(report->statistics[i].n, 60);
      return report->statistics[i].maximum;
    }
  fail_msg("no jitter");
  return 0;
}

/* A message has 34 flits. */
TEST(padded_schedules_by_slot_block_no_flit)
{
  static const char *const routings[] = {"s-mod-k", "d-mod-k"};
  for (int i = 0; i < 2; i++) {
    struct hd_run_report report;
    run(routings[i], "schedule: padded, start: by-slot, slot_cycles: 34", &report);
    assert_int_equal(report.counters.blocked_flit_cycles, 0);
    assert_int_equal(longest_jitter(&report), 0);
    hd_run_report_fini(&report);
    run(routings[i], "schedule: paper, start: by-slot, slot_cycles: 34", &report);
    assert_int_equal(report.counters.blocked_flit_cycles == 0, i == 0);
    assert_int_equal(longest_jitter(&report) == 0, i == 0);
    hd_run_report_fini(&report);
  }
}

/* One group of all sources; a barrier before each of 3 transactions, or of 30 slots. */
TEST(sources_synchronise_by_barriers_of_the_network)
{
  static const struct {
    const char *parameters;
    uint32_t barriers;
  } cases[] = {{"synchronise: barrier", 3}, {"synchronise: barrier, start: by-slot", 30}};
  for (int i = 0; i < 2; i++) {
    CLEANUP(hd_run_report_fini) struct hd_run_report report;
    run("s-mod-k", cases[i].parameters, &report);
    assert_int_equal(report.n_barriers, 1);
    assert_int_equal(report.barriers[0].members, 6);
    assert_int_equal(report.barriers[0].later.n, cases[i].barriers - 1); /* all but the first */
  }
}
