/* A fake network that answers what software asks about its links: nodes on a line, dimension-order.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test.h"

#include "known_network.h"

#include "../../../bridge/run/software_network.h"

static struct hd_topology topology;
static struct hd_tables tables;

static void free_network(void)
{
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
}

static void make_network(uint32_t nodes)
{
  static bool is_freed_at_exit;
  const struct hd_topology_shape shape = {.dims = {nodes}, .n_dims = 1};
  if (topology.n_nodes == nodes)
    return;
  free_network();
  if (!is_freed_at_exit)
    atexit(free_network);
  is_freed_at_exit = true;
  assert_int_equal(hd_topology_build(&topology, HD_TOPO_MESH, &shape, NULL, NULL), 0);
  assert_int_equal(
      hd_routing_build(&tables, &topology, HD_ROUTE_DIMENSION_ORDER, false, 1, 0, NULL), 0);
}

static bool grid(void *context, struct hd_ep_grid *grid)
{
  (void)context;
  return hd_run_grid(&topology, grid);
}

static int schedule(void *context, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule, struct hd_ep_transfer **transfers)
{
  (void)context;
  return hd_run_schedule(&topology, &tables, request, schedule, transfers, &why);
}

void known_network(struct hd_world_params *p)
{
  make_network(p->nodes);
  p->grid = grid;
  p->schedule = schedule;
}

void known_schedule(uint32_t nodes, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *found, struct hd_ep_transfer **transfers)
{
  make_network(nodes);
  assert_int_equal(schedule(NULL, request, found, transfers), 0);
}
