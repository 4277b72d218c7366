/* Answers questions of endpoint software that the manager cannot answer: coordinates, and schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "software_network.h"

#include "../host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most transfers for which a schedule is searched: 256 members, all to all. */
enum { TRANSFERS_MAX = 256 * 255 };

bool hd_run_grid(const struct hd_topology *t, struct hd_ep_grid *grid)
{
  const uint32_t most = sizeof grid->dims / sizeof *grid->dims;
  const bool cube = t->kind == HD_TOPO_HYPERCUBE;
  const uint32_t n = cube ? t->shape.n : t->shape.n_dims;
  if ((!cube && t->kind != HD_TOPO_MESH && t->kind != HD_TOPO_TORUS) || n > most)
    return false;
  *grid = (struct hd_ep_grid){.n_dims = (int)n, .torus = t->kind == HD_TOPO_TORUS};
  for (uint32_t d = 0; d < n; d++)
    grid->dims[d] = cube ? 2 : (int)t->shape.dims[d];
  return true;
}

/* ── schedules ─────────────────────────────────────────────────────────────── */

static enum hd_exchange kind_of(enum hd_ep_exchange exchange)
{
  static const enum hd_exchange kinds[] = {
      [HD_EP_BROADCAST] = HD_EXCHANGE_ONE_TO_ALL_BROADCAST,
      [HD_EP_SCATTER] = HD_EXCHANGE_ONE_TO_ALL_SCATTER,
      [HD_EP_GATHER] = HD_EXCHANGE_ALL_TO_ONE_GATHER,
      [HD_EP_ALLGATHER] = HD_EXCHANGE_ALL_TO_ALL_BROADCAST,
      [HD_EP_ALLTOALL] = HD_EXCHANGE_ALL_TO_ALL_SCATTER,
  };
  return kinds[exchange];
}

/* Constructs a schedule first. The solver searches for a shorter one only if the constructed one
 * has more steps than the lower bound, and the caller gives it time. */
static int find_schedule(struct hd_schedule *found, const struct hd_schedule_network *network,
                         const struct hd_messages *messages, double seconds, struct hd_error *err)
{
  const struct hd_schedule_options known = {.seconds = 0}, search = {.seconds = seconds,
                                                                     .solver = true,
                                                                     .repeatable = true};
  int status = hd_schedule_find(found, network, messages, &known, err);
  if (status || !(seconds > 0) || found->steps == found->bound)
    return status;
  hd_schedule_fini(found);
  return hd_schedule_find(found, network, messages, &search, err);
}

static void copy_schedule(const struct hd_schedule *found, const struct hd_messages *messages,
                          const uint32_t *number, struct hd_ep_schedule *schedule,
                          struct hd_ep_transfer **transfers)
{
  *transfers = hd_xcalloc(found->n + 1, sizeof **transfers);
  for (size_t i = 0; i < found->n; i++) {
    const struct hd_transfer *t = &found->transfers[i];
    (*transfers)[i] = (struct hd_ep_transfer){.step = t->step,
                                              .from = number[t->from],
                                              .to = number[t->to],
                                              .origin = number[messages->all[t->message].source]};
  }
  schedule->n = (uint32_t)found->n;
  schedule->steps = found->steps;
  schedule->least = found->bound;
  snprintf(schedule->why, sizeof schedule->why, "%.250s",
           found->open[0] ? found->open : found->how);
}

int hd_run_schedule(const struct hd_topology *topology, const struct hd_tables *tables,
                    const struct hd_ep_schedule_request *request, struct hd_ep_schedule *schedule,
                    struct hd_ep_transfer **transfers, struct hd_error *err)
{
  const struct hd_schedule_network network = {.topology = topology, .tables = tables};
  const uint32_t n = (uint32_t)request->n;
  const bool all = request->exchange >= HD_EP_ALLGATHER;
  *transfers = NULL;
  if (!hd_routing_is_fixed(tables)) {
    snprintf(schedule->why, sizeof schedule->why,
             "packets of one pair of nodes take different ways; a schedule needs a routing by "
             "which they do not choose");
    return HD_OK;
  }
  if ((all ? n * (n - 1) : n - 1) > TRANSFERS_MAX || topology->n_nodes > HD_SCHEDULE_NODES) {
    snprintf(schedule->why, sizeof schedule->why,
             "it would be too large; at most %d transfers, on %d nodes, are looked at",
             TRANSFERS_MAX, HD_SCHEDULE_NODES);
    return HD_OK;
  }
  struct hd_schedule found = {0};
  struct hd_messages messages = {0};
  uint32_t *members = hd_xcalloc(n, sizeof *members);
  uint32_t *number = hd_xcalloc(topology->n_nodes, sizeof *number);
  for (uint32_t i = 0; i < n; i++) {
    members[i] = (uint32_t)request->ranks[i];
    number[members[i]] = i;
  }
  int status = hd_messages_make_among(&messages, kind_of(request->exchange), members, n,
                                      (uint32_t)request->root, err);
  if (!status)
    status = find_schedule(&found, &network, &messages, request->seconds, err);
  if (!status)
    copy_schedule(&found, &messages, number, schedule, transfers);
  hd_schedule_fini(&found);
  hd_messages_fini(&messages);
  free(members);
  free(number);
  return status;
}
