/* Barrier groups on a rig's fabric.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Program barrier runs as in `heddle run`, with as many groups as the switches' tables hold and data
 * of its own. When its rounds are over the groups are closed, and it begins anew with other members:
 * so entries are made and given up, and trees built and used, all the time.
 */
#include "groups.h"
#include "../../sw/programs/programs.h"

#include <string.h>

enum { PAUSE_CYCLES = 40 };

void groups_open(struct groups *g, const struct hd_switch_params *sw,
                 const struct hd_topology *topology, uint64_t seed)
{
  *g = (struct groups){.sw = sw, .seed = seed, .next_cycle = PAUSE_CYCLES};
  g->run.scenario.sw = *sw;
  g->run.topology = *topology;
  g->run.report = &g->report;
}

void groups_close(struct groups *g)
{
  if (g->run.world)
    hd_world_destroy(g->run.world);
  g->run.world = NULL;
  hd_run_faults_fini(&g->run);
  g->run.management = (struct hd_run_management){0};
}

static int start(struct groups *g, struct hd_error *err)
{
  static char compute[] = "compute", groups[] = "groups", members[] = "members",
              rounds[] = "rounds", center[] = "center", middle[] = "middle", load[] = "load",
              flits[] = "flits";
  uint64_t chosen = hd_mix64(g->seed + ++g->worlds);
  uint32_t nodes = g->run.topology.n_nodes;
  const struct hd_parameter parameters[sizeof g->parameters / sizeof *g->parameters] = {
      {groups, NULL, 1 + (double)(g->worlds % g->sw->groups)},
      {members, NULL, 2 + (double)(chosen % (nodes - 1))},
      {rounds, NULL, 2 + (double)(chosen >> 16 & 7)},
      {compute, NULL, (double)(chosen >> 24 & 63)},
      {load, NULL, g->worlds % 2 ? 0 : 0.01 * (double)(chosen >> 32 & 31)},
      {flits, NULL, g->sw->cut_flits ? g->sw->cut_flits : 4},
      {center, g->worlds % 2 ? middle : NULL, (double)((chosen >> 40) % nodes)},
  };
  struct hd_world_params params = {.nodes = nodes,
                                   .data_bits = g->sw->data_bits,
                                   .packet_bytes = 64,
                                   .packet_flits = g->sw->cut_flits,
                                   .seed = chosen,
                                   .program = hd_program_find("barrier"),
                                   .parameters = g->parameters,
                                   .n_parameters = sizeof parameters / sizeof *parameters,
                                   .send = hd_run_send,
                                   .barrier = true,
                                   .context = &g->run};
  memcpy(g->parameters, parameters, sizeof parameters);
  hd_run_barrier_hooks(&params);
  return hd_world_create(&g->run.world, &params, err);
}

int groups_begin(struct groups *g, struct hd_fabric *fabric, uint64_t cycle, uint64_t end,
                 struct hd_error *err)
{
  g->run.fabric = fabric;
  g->run.send_error.text[0] = '\0';
  int status = 0;
  if (g->run.world && hd_world_finished(g->run.world)) {
    groups_close(g);
    g->next_cycle = cycle + PAUSE_CYCLES;
  }
  if (!g->run.world && cycle >= g->next_cycle && cycle < end)
    status = start(g, err);
  if (!status && g->run.world)
    status = hd_world_step(g->run.world, cycle, err);
  if (status && g->run.send_error.text[0])
    *err = g->run.send_error;
  return status;
}

int groups_end(struct groups *g, const struct hd_fabric *fabric, uint64_t cycle,
               struct hd_error *err)
{
  return g->run.world ? hd_run_barrier_deliver(&g->run, fabric, cycle, err) : 0;
}
