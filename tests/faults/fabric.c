/* Stimulus: the whole fabric in lockstep, decoupled and in closed loop.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Traffic changes every PHASE cycles between silence, trickle and more than the fabric can carry,
 * and between uniform, one hot node, neighbours and reversed numbers. Switches with XOR coders also get chains of
 * packets again and again, in any order: native ones, or coded ones with a native one among them.
 */
#include "../unit/lib/dice.h"
#include "groups.h"
#include "rig.h"

#include <string.h>

enum { CYCLES = 2400, INJECT_CYCLES = 1900, GROUPS_CYCLES = 2250, PHASE = 96, WINDOW = 256 };
enum { ROUND = 240, NATIVE = 1, CODED = 2, MOST_PLACES = 8 };

struct traffic {
  uint64_t random;
  uint32_t nodes, longest_flits, per_1000, pattern, hot;
  struct groups *groups; /* NULL: the switches take no barrier messages */
  const struct hd_switch_params *sw;
  uint32_t ends; /* places at which the coders' chains end */
};

static uint32_t destination(struct traffic *t, uint32_t node)
{
  switch (t->pattern) {
  case 0:
    return below(&t->random, t->nodes);
  case 1:
    return below(&t->random, 3) ? t->hot : below(&t->random, t->nodes);
  case 2:
    return (node + 1) % t->nodes;
  default:
    return t->nodes - 1 - node;
  }
}

static int open_places(struct traffic *t, struct hd_fabric *fabric, struct hd_error *err)
{
  int status = 0;
  t->ends = below(&t->random, 1u << t->sw->code_places); /* about every fourth */
  t->ends &= below(&t->random, 1u << t->sw->code_places);
  for (uint32_t node = 0; node < t->nodes; node++)
    for (uint32_t k = 0; k < t->sw->code_places && !status; k++)
      status = hd_fabric_config(fabric, node, HD_CFG_PLACE(k),
                                HD_PLACE_OPEN | (t->ends >> k & 1 ? HD_PLACE_LAST : 0), NULL, err);
  return status;
}

/* A packet for a place of the node's coder (§11.2). */
static int send_to_place(struct traffic *t, struct hd_fabric *fabric, uint32_t source,
                         uint32_t node, uint32_t place, uint32_t code, uint32_t most_flits,
                         struct hd_error *err)
{
  uint32_t code_bits = hd_code_bits(t->sw), bits = t->sw->data_bits, number;
  uint32_t flits = 1 + below(&t->random, most_flits);
  uint64_t length = code == NATIVE ? flits - 1 : below(&t->random, most_flits);
  uint64_t field = (uint64_t)code << (code_bits - 2) | (uint64_t)place << 4 | length;
  struct hd_packet packet = {.source = source,
                             .destination = node,
                             .flits = flits,
                             .header = field << (bits - code_bits) | (uint64_t)node << 2,
                             .raw_header = true};
  return hd_fabric_send(fabric, &packet, &number, err);
}

/* A packet for each place, in any order; of a chain all are native, or one is. All come from one node, so that
 * pairs pile up: while a long packet is made, or where every second one completes two pairs. */
static int send_chains(struct traffic *t, struct hd_fabric *fabric, uint32_t node, bool short_ones,
                       struct hd_error *err)
{
  uint32_t source = below(&t->random, t->nodes);
  uint32_t n = t->sw->code_places, order[MOST_PLACES], codes[MOST_PLACES];
  int status = 0;
  for (uint32_t k = 0, first = 0; k < n; k++) {
    codes[k] = CODED;
    order[k] = k;
    if (k + 1 < n && !(t->ends >> k & 1))
      continue;
    bool encode = below(&t->random, 2);
    uint32_t native = first + below(&t->random, k + 1 - first);
    for (uint32_t i = first; i <= k; i++)
      codes[i] = encode || i == native ? NATIVE : CODED;
    first = k + 1;
  }
  for (uint32_t k = n; k > 0 && !status; k--) {
    uint32_t other = below(&t->random, k), place = order[other];
    order[other] = order[k - 1];
    status = send_to_place(t, fabric, source, node, place, codes[place],
                           short_ones || below(&t->random, 3) ? 1 : 16, err);
  }
  return status;
}

static int cycle_begin(void *context, struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  static const uint32_t loads[] = {400, 100, 10, 0, 150, 30};
  struct traffic *t = context;
  int status = t->groups ? groups_begin(t->groups, fabric, cycle, GROUPS_CYCLES, err) : 0;
  if (status || cycle >= INJECT_CYCLES)
    return status;
  if (t->sw->code_places && cycle == 0)
    status = open_places(t, fabric, err);
  for (uint32_t node = 0; t->sw->code_places && cycle % ROUND == 40 && node < t->nodes && !status;
       node++)
    status = send_chains(t, fabric, node, cycle / ROUND % 2, err);
  if (status)
    return status;
  if (cycle % PHASE == 0) {
    t->per_1000 = loads[cycle / PHASE % (sizeof loads / sizeof *loads)];
    t->pattern = below(&t->random, 4);
    t->hot = below(&t->random, t->nodes);
  }
  for (uint32_t node = 0; node < t->nodes; node++) {
    if (below(&t->random, 1000) >= t->per_1000)
      continue;
    struct hd_packet packet = {.source = node,
                               .destination = destination(t, node),
                               .flits = 1 + below(&t->random, t->longest_flits)};
    uint32_t number;
    status = hd_fabric_send(fabric, &packet, &number, err);
    if (status)
      return status;
  }
  return 0;
}

static int cycle_end(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct traffic *t = context;
  return t->groups ? groups_end(t->groups, fabric, cycle, err) : 0;
}

/* One run; a divergence goes to *place and is no error. */
static int run(struct hd_lockstep_params *params, struct traffic traffic, struct place *place,
               uint64_t *compared, struct hd_error *err)
{
  struct hd_lockstep *lockstep;
  struct hd_lockstep_result result;
  struct groups groups;
  if (params->fabric->sw.barrier) {
    groups_open(&groups, &params->fabric->sw, params->topology, traffic.random);
    traffic.groups = &groups;
  }
  params->hooks = (struct hd_lockstep_hooks){
      .context = &traffic, .cycle_begin = cycle_begin, .cycle_end = cycle_end};
  int status = hd_lockstep_create(&lockstep, params, err);
  if (status)
    return status;
  status = hd_lockstep_run(lockstep, CYCLES, &result, err);
  if (traffic.groups)
    groups_close(traffic.groups);
  *place = (struct place){.difference = result.divergence.difference,
                          .name = hd_divergence_name(&result.divergence),
                          .cycle = result.divergence.cycle,
                          .sw = result.divergence.sw};
  if (compared)
    *compared = result.events_compared;
  hd_lockstep_destroy(lockstep);
  if (status == HD_E_DIVERGENCE)
    return place->difference ? 0 : hd_fail(err, HD_E_INTERNAL, "a divergence without a place");
  return status;
}

int fabric_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
               uint64_t seed, struct finding *finding, struct hd_error *err)
{
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct hd_fabric_params fabric = {.sw = rig->sw,
                                    .link_cycles = rig->link_cycles,
                                    .barrier_idle_cycles = rig->barrier_idle_cycles};
  int status = rig->mesh[0] ? hd_topology_mesh(&topology, rig->mesh, rig->mesh[1] ? 2 : 1, err)
                            : rig->topology(&topology, err);
  if (!status && topology.ports < rig->sw.ports)
    status = hd_topology_widen(&topology, rig->sw.ports, err);
  if (!status)
    status = hd_routing_build(&tables, &topology, rig->routing, rig->routing == HD_ROUTE_S_MOD_K,
                              rig->sw.vcs, 0, err);
  if (!status && (topology.ports != rig->sw.ports || topology.n_nodes != rig->sw.nodes))
    status = hd_fail(err, HD_E_INTERNAL, "rig %s: its fabric has %u ports, %u nodes", rig->name,
                     topology.ports, topology.n_nodes);
  struct hd_lockstep_params params = {.fabric = &fabric,
                                      .topology = &topology,
                                      .tables = &tables,
                                      .dut = dut,
                                      .dut_options = options,
                                      .mode = HD_MODE_DECOUPLED,
                                      .compare = HD_COMPARE_EXACT,
                                      .window_cycles = WINDOW,
                                      .threads = 1};
  struct traffic traffic = {
      .random = seed, .nodes = rig->sw.nodes, .longest_flits = rig->longest_flits, .sw = &rig->sw};
  if (!status)
    status = run(&params, traffic, &finding->decoupled, &finding->compared, err);
  params.mode = HD_MODE_CLOSED;
  if (!status)
    status = run(&params, traffic, &finding->closed, NULL, err);
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  return status;
}
