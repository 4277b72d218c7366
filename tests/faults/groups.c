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
  *g = (struct groups){.sw = sw, .topology = topology, .seed = seed, .next_cycle = PAUSE_CYCLES};
}

void groups_close(struct groups *g)
{
  hd_software_destroy(g->software);
  g->software = NULL;
}

static int start(struct groups *g, struct hd_error *err)
{
  static char compute[] = "compute", groups[] = "groups", members[] = "members",
              rounds[] = "rounds", center[] = "center", middle[] = "middle", load[] = "load",
              flits[] = "flits";
  uint64_t chosen = hd_mix64(g->seed + ++g->worlds);
  uint32_t nodes = g->topology->n_nodes;
  const struct hd_parameter parameters[sizeof g->parameters / sizeof *g->parameters] = {
      {groups, NULL, 1 + (double)(g->worlds % g->sw->groups)},
      {members, NULL, 2 + (double)(chosen % (nodes - 1))},
      {rounds, NULL, 2 + (double)(chosen >> 16 & 7)},
      {compute, NULL, (double)(chosen >> 24 & 63)},
      {load, NULL, g->worlds % 2 ? 0 : 0.01 * (double)(chosen >> 32 & 31)},
      {flits, NULL, g->sw->cut_flits ? g->sw->cut_flits : 4},
      {center, g->worlds % 2 ? middle : NULL, (double)((chosen >> 40) % nodes)},
  };
  struct hd_software_params params = {
      .world = {.nodes = nodes,
                .data_bits = g->sw->data_bits,
                .packet_bytes = 64,
                .packet_flits = g->sw->cut_flits,
                .seed = chosen,
                .program = hd_program_find("barrier"),
                .parameters = g->parameters,
                .n_parameters = sizeof parameters / sizeof *parameters,
                .barrier = true},
      .manager = {.topology = g->topology, .sw = *g->sw},
  };
  memcpy(g->parameters, parameters, sizeof parameters);
  return hd_software_create(&g->software, &params, err);
}

int groups_begin(struct groups *g, struct hd_fabric *fabric, uint64_t cycle, uint64_t end,
                 struct hd_error *err)
{
  if (g->software && hd_world_finished(hd_software_world(g->software))) {
    groups_close(g);
    g->next_cycle = cycle + PAUSE_CYCLES;
  }
  int status = !g->software && cycle >= g->next_cycle && cycle < end ? start(g, err) : 0;
  return status || !g->software ? status : hd_software_begin(g->software, fabric, cycle, err);
}

int groups_end(struct groups *g, const struct hd_fabric *fabric, uint64_t cycle,
               struct hd_error *err)
{
  return g->software ? hd_software_end(g->software, fabric, cycle, err) : 0;
}
