/* Barrier groups on the fabric (specification §8.6), and their places in status tables (§8.12).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Software knows nodes; here they become switches, ports and configuration writes.
 */
#include "../host/memory.h"
#include "manager_internal.h"
#include <string.h>

int hd_manager_middle(struct hd_manager *m, const uint32_t *members, uint32_t n, uint32_t *place,
                      struct hd_error *err)
{
  uint32_t *switches = hd_xmalloc(n * sizeof *switches);
  for (uint32_t i = 0; i < n; i++)
    switches[i] = m->params.topology->node_peers[members[i]].index;
  int status =
      hd_barrier_middle(m->params.topology, hd_fabric_dead(m->fabric), switches, n, place, err);
  free(switches);
  return status;
}

static int open_switch(struct hd_manager *m, uint32_t sw, uint32_t number, uint32_t center,
                       uint32_t count, uint16_t local, uint64_t *ready, struct hd_error *err)
{
  int status = hd_manager_write(m, sw, HD_CFG_CENTER, (uint16_t)center, ready, err);
  if (!status && sw == center)
    status = hd_manager_write(m, sw, HD_CFG_COUNT, (uint16_t)count, ready, err);
  if (!status)
    status = hd_manager_write(m, sw, HD_CFG_LOCAL, local, ready, err);
  return status ? status : hd_manager_write(m, sw, HD_CFG_OPEN, (uint16_t)number, ready, err);
}

static int open_switches(struct hd_manager *m, uint32_t number, const struct group *group,
                         uint64_t *ready, struct hd_error *err)
{
  const struct hd_topology *t = m->params.topology;
  uint32_t center = t->node_peers[group->center].index, count = 0;
  uint16_t *local = hd_xcalloc(t->n_switches, sizeof *local);
  for (uint32_t i = 0; i < group->n; i++) {
    struct hd_peer at = t->node_peers[group->members[i]];
    local[at.index] |= (uint16_t)(1u << at.port);
  }
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    count += local[sw] && sw != center;
  int status = HD_OK;
  for (uint32_t sw = 0; !status && sw < t->n_switches; sw++)
    if (local[sw])
      status = open_switch(m, sw, number, center, count, local[sw], ready, err);
  free(local);
  return status;
}

/* ── room in status tables, §8.12 ─────────────────────────────────────────── */

/* Lists the switches that need an entry for the group: those on the first ways from its members'
 * switches to the center. All first ways together are a tree. */
static void list_entries(const struct hd_manager *m, struct group *group, bool *met)
{
  const struct hd_topology *t = m->params.topology;
  const struct hd_barrier_ways *ways = hd_manager_ways(m);
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

static void tell_full(struct hd_manager *m, const struct group *group, uint32_t sw)
{
  const struct hd_full_table table = {hd_fabric_cycle(m->fabric), group->n, group->center, sw,
                                      m->params.sw.groups};
  if (!m->told_full && m->params.full)
    m->params.full(m->params.context, &table);
  m->told_full = true;
}

/* Reserves a place in each of the group's switches. False: one of them is full, and none is
 * reserved. */
static bool take_places(struct hd_manager *m, const struct group *group)
{
  for (uint32_t i = 0; i < group->n_entries; i++)
    if (m->entries[group->entries[i]] >= m->params.sw.groups) {
      tell_full(m, group, group->entries[i]);
      return false;
    }
  for (uint32_t i = 0; i < group->n_entries; i++)
    m->entries[group->entries[i]]++;
  return true;
}

/* Finds the group's switches and reserves places in them. False: no room. */
static bool find_room(struct hd_manager *m, struct group *group)
{
  uint32_t n = m->params.topology->n_switches;
  bool *met = hd_xcalloc(n, sizeof *met);
  if (!m->entries)
    m->entries = hd_xcalloc(n, sizeof *m->entries);
  group->entries = hd_xmalloc(n * sizeof *group->entries);
  list_entries(m, group, met);
  free(met);
  return take_places(m, group);
}

/* ── open, close ──────────────────────────────────────────────────────────── */

static void forget(struct group *group)
{
  free(group->members);
  free(group->entries);
  *group = (struct group){.members = NULL};
}

void hd_manager_forget_groups(struct hd_manager *m)
{
  for (uint32_t i = 0; i < HD_MANAGER_GROUPS; i++)
    forget(&m->groups[i]);
}

int hd_manager_open(struct hd_manager *m, uint32_t number, const uint32_t *members, uint32_t n,
                    uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *opened,
                    struct hd_error *err)
{
  struct group group = {
      .members = hd_xmalloc(n * sizeof *members), .n = n, .center = center, .renew = RENEW_NOT};
  *ready = hd_fabric_cycle(m->fabric);
  memcpy(group.members, members, n * sizeof *members);
  *opened = hd_manager_find_unreachable(m, number, &group) ? HD_EP_BARRIER_UNREACHABLE
            : find_room(m, &group)                         ? HD_EP_BARRIER_PASSED
                                                           : HD_EP_BARRIER_FULL;
  if (*opened != HD_EP_BARRIER_PASSED) {
    forget(&group);
    return HD_OK;
  }
  m->groups[number] = group;
  return open_switches(m, number, &group, ready, err);
}

/* Closes the group in all switches that have not failed, since its messages may have passed any of
 * them. Releases its places in status tables. */
static int close_switches(struct hd_manager *m, uint32_t number, uint64_t *done,
                          struct hd_error *err)
{
  struct group *group = &m->groups[number];
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  int status = HD_OK;
  for (uint32_t sw = 0; sw < m->params.topology->n_switches && !status; sw++)
    if (hd_switch_lives(dead, sw))
      status = hd_manager_write(m, sw, HD_CFG_CLOSE, (uint16_t)number, done, err);
  for (uint32_t i = 0; i < group->n_entries; i++)
    m->entries[group->entries[i]]--;
  free(group->entries);
  group->entries = NULL;
  group->n_entries = 0;
  return status;
}

int hd_manager_close(struct hd_manager *m, uint32_t number, uint64_t *done, struct hd_error *err)
{
  *done = hd_fabric_cycle(m->fabric);
  int status = close_switches(m, number, done, err);
  forget(&m->groups[number]);
  return status;
}

int hd_manager_reopen(struct hd_manager *m, uint32_t number, bool *room, struct hd_error *err)
{
  struct group *group = &m->groups[number];
  int status = close_switches(m, number, &m->ready, err);
  *room = !status && find_room(m, group);
  if (status)
    return status;
  if (*room)
    return open_switches(m, number, group, &m->ready, err);
  group->n_entries = 0; /* none of these places is reserved */
  return HD_OK;
}

struct hd_manager_group hd_manager_group(const struct hd_manager *m, uint32_t number)
{
  const struct group *g = &m->groups[number];
  if (!g->members)
    return (struct hd_manager_group){.members = NULL};
  return (struct hd_manager_group){g->members, g->n, g->center,
                                   m->params.topology->node_peers[g->center].index};
}
