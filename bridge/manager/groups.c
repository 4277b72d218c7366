/* Barrier groups of a run's software on its fabric (specification §8.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Software knows nodes; here they become switches, ports and configuration writes.
 */
#include "../run/run_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Errors go to where those of sending go. */
static int middle(void *context, const uint32_t *members, uint32_t n, uint32_t *place)
{
  struct hd_run *run = context;
  uint32_t *switches = malloc(n * sizeof *switches);
  if (!switches)
    return hd_fail(&run->send_error, HD_E_NOMEM, "a barrier group: out of memory");
  for (uint32_t i = 0; i < n; i++)
    switches[i] = run->topology.node_peers[members[i]].index;
  int status = hd_barrier_middle(&run->topology, hd_fabric_dead(run->fabric), switches, n, place,
                                 &run->send_error);
  free(switches);
  return status;
}

static int write_register(struct hd_run *run, uint32_t sw, uint32_t addr, uint16_t data,
                          uint64_t *ready)
{
  uint64_t cycle;
  int status = hd_fabric_config(run->fabric, sw, addr, data, &cycle, &run->send_error);
  if (!status && cycle + 1 > *ready)
    *ready = cycle + 1;
  return status;
}

static int open_switch(struct hd_run *run, uint32_t sw, uint32_t number, uint32_t center,
                       uint32_t count, uint16_t local, uint64_t *ready)
{
  int status = write_register(run, sw, HD_CFG_CENTER, (uint16_t)center, ready);
  if (!status && sw == center)
    status = write_register(run, sw, HD_CFG_COUNT, (uint16_t)count, ready);
  if (!status)
    status = write_register(run, sw, HD_CFG_LOCAL, local, ready);
  return status ? status : write_register(run, sw, HD_CFG_OPEN, (uint16_t)number, ready);
}

static int open_switches(struct hd_run *run, uint32_t number, const struct hd_run_group *group,
                         uint64_t *ready)
{
  uint32_t n_switches = run->topology.n_switches, count = 0;
  uint32_t center = run->topology.node_peers[group->center].index;
  uint16_t *local = calloc(n_switches, sizeof *local);
  if (!local)
    return hd_fail(&run->send_error, HD_E_NOMEM, "a barrier group: out of memory");
  for (uint32_t i = 0; i < group->n; i++) {
    struct hd_peer at = run->topology.node_peers[group->members[i]];
    local[at.index] |= (uint16_t)(1u << at.port);
  }
  for (uint32_t sw = 0; sw < n_switches; sw++)
    count += local[sw] && sw != center;
  int status = HD_OK;
  for (uint32_t sw = 0; !status && sw < n_switches; sw++)
    if (local[sw])
      status = open_switch(run, sw, number, center, count, local[sw], ready);
  free(local);
  return status;
}

/* ── room in status tables, §8.12 ─────────────────────────────────────────── */

/* A group needs an entry in every switch on the first ways of its members' switches to the center:
 * all first ways together are a tree. */
static void list_entries(const struct hd_run *run, struct hd_run_group *group, bool *met)
{
  const struct hd_topology *t = &run->topology;
  const struct hd_barrier_ways *ways = hd_run_ways(run, run->fabric);
  uint32_t center = t->node_peers[group->center].index;
  for (uint32_t i = 0; i < group->n; i++)
    for (uint32_t sw = t->node_peers[group->members[i]].index; !met[sw];) {
      met[sw] = true;
      group->entries[group->n_entries++] = sw;
      if (sw != center)
        sw = t->peers[sw * t->ports + (uint32_t)__builtin_ctz(hd_barrier_way(ways, sw, center))]
                 .index;
    }
}

/* Takes the places; false, and none is taken: somewhere there is none. */
static bool take_places(struct hd_run *run, const struct hd_run_group *group)
{
  struct hd_run_management *m = &run->management;
  uint32_t groups = run->scenario.sw.groups;
  for (uint32_t i = 0; i < group->n_entries; i++) {
    uint32_t sw = group->entries[i];
    if (m->entries[sw] < groups)
      continue;
    if (!m->told_full)
      hd_text_add(&run->report->notes,
                  "cycle %" PRIu64 ": no room for a barrier group of %" PRIu32
                  " members with center node %" PRIu32 ": the status table of switch %" PRIu32
                  " is full (switch.groups: %" PRIu32 ")\n",
                  hd_fabric_cycle(run->fabric), group->n, group->center, sw, groups);
    m->told_full = true;
    return false;
  }
  for (uint32_t i = 0; i < group->n_entries; i++)
    m->entries[group->entries[i]]++;
  return true;
}

/* HD_E_NOMEM; *room: the group's places are taken. */
static int find_room(struct hd_run *run, struct hd_run_group *group, bool *room)
{
  struct hd_run_management *m = &run->management;
  uint32_t n = run->topology.n_switches;
  bool *met = calloc(n, sizeof *met);
  if (!m->entries)
    m->entries = calloc(n, sizeof *m->entries);
  group->entries = malloc(n * sizeof *group->entries);
  bool fits = met && m->entries && group->entries;
  if (fits) {
    list_entries(run, group, met);
    *room = take_places(run, group);
  }
  free(met);
  return fits ? HD_OK : hd_fail(&run->send_error, HD_E_NOMEM, "a barrier group: out of memory");
}

static void forget_group(struct hd_run_group *group)
{
  free(group->members);
  free(group->entries);
  *group = (struct hd_run_group){.members = NULL};
}

static int open_group(void *context, uint32_t number, const uint32_t *members, uint32_t n,
                      uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *opened)
{
  struct hd_run *run = context;
  struct hd_run_group group = {malloc(n * sizeof *members), n, center, NULL, 0};
  bool room = false;
  *ready = hd_fabric_cycle(run->fabric);
  if (!group.members)
    return hd_fail(&run->send_error, HD_E_NOMEM, "a barrier group: out of memory");
  memcpy(group.members, members, n * sizeof *members);
  int cut = hd_run_cut_find(run, run->fabric, number, &group, &run->send_error);
  int status = cut < 0 ? cut : cut ? HD_OK : find_room(run, &group, &room);
  *opened = cut ? HD_EP_BARRIER_UNREACHABLE : room ? HD_EP_BARRIER_PASSED : HD_EP_BARRIER_FULL;
  if (status || !room) {
    forget_group(&group);
    return status;
  }
  run->management.groups[number] = group;
  status = open_switches(run, number, &group, ready);
  uint32_t center_sw = run->topology.node_peers[center].index;
  return status ? status : hd_run_watch_open(run, number, n, center_sw, &run->send_error);
}

/* Any switch may have been on a way of the group's messages. */
static int close_group(void *context, uint32_t number, uint64_t *done)
{
  struct hd_run *run = context;
  struct hd_run_group *group = &run->management.groups[number];
  const struct hd_dead *dead = hd_fabric_dead(run->fabric);
  int status = HD_OK;
  *done = hd_fabric_cycle(run->fabric);
  hd_run_watch_close(run, number);
  for (uint32_t sw = 0; sw < run->topology.n_switches && !status; sw++)
    if (hd_switch_lives(dead, sw))
      status = write_register(run, sw, HD_CFG_CLOSE, (uint16_t)number, done);
  for (uint32_t i = 0; i < group->n_entries; i++)
    run->management.entries[group->entries[i]]--;
  forget_group(group);
  return status;
}

static int arrive(void *context, uint32_t node, uint32_t number)
{
  struct hd_run *run = context;
  int status = hd_fabric_barrier_send(run->fabric, node, hd_barrier_local(HD_REDUCE, number),
                                      &run->send_error);
  if (!status)
    hd_run_watch_arrive(run, number);
  return status;
}

void hd_run_barrier_hooks(struct hd_world_params *params)
{
  params->barrier_middle = middle;
  params->barrier_open = open_group;
  params->barrier_close = close_group;
  params->barrier_arrive = arrive;
  params->barrier_ready = hd_run_faults_ready;
}

int hd_run_barrier_deliver(struct hd_run *run, const struct hd_fabric *fabric, uint64_t cycle,
                           struct hd_error *err)
{
  uint32_t n;
  const struct hd_barrier_delivery *d = hd_fabric_barrier_deliveries(fabric, &n);
  int status = HD_OK;
  for (uint32_t i = 0; i < n && !status; i++) {
    uint32_t group = d[i].message >> 4 & 31;
    bool failed = (d[i].message & 3) == HD_FAIL;
    status = hd_world_barrier(run->world, d[i].node, group, failed, cycle, err);
    if (!status)
      status = hd_run_watch_release(run, group, failed, cycle, err);
  }
  return status;
}
