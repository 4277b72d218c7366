/* Distance of the members of a full group from their center, for Theorem 2 and the formulas.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../scenario/scenario.h"
#include "../../../cmodel/routing/routing_barrier.h"

/* Counts the hops from `sw` to `center` on the way of initial reductions (§8.4, first way). */
static uint32_t hops(const struct hd_topology *t, const struct hd_barrier_ways *ways, uint32_t sw,
                     uint32_t center)
{
  uint32_t n = 0;
  for (; sw != center; n++) {
    int port = __builtin_ctz(hd_barrier_way(ways, sw, center));
    sw = t->peers[sw * t->ports + (uint32_t)port].index;
  }
  return n;
}

int barrier_distance(const struct barrier_config *config, uint32_t seed, uint32_t *distance,
                     struct hd_error *err)
{
  struct hd_text text = {0};
  struct hd_scenario scenario;
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct hd_barrier_ways ways = {0};
  barrier_scenario(config, seed, &text);
  int status = hd_scenario_parse(&scenario, hd_text_chars(&text), text.length, "reproduce", err);
  if (!status)
    status = hd_scenario_build(&scenario, &topology, &tables, err);
  if (!status)
    status = hd_barrier_ways_build(&ways, &topology, NULL, err);
  *distance = 0;
  uint32_t center = status ? 0 : topology.node_peers[0].index; /* the lowest rank is the center */
  for (uint32_t sw = 0; !status && sw < topology.n_switches; sw++) {
    uint32_t far = hops(&topology, &ways, sw, center);
    *distance = far > *distance ? far : *distance;
  }
  hd_barrier_ways_fini(&ways);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  hd_text_fini(&text);
  return status;
}
