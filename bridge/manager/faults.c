/* Lets faults happen, writes their consequences to the switches, and creates groups anew (specification §5.9, §5.10).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "manager_internal.h"

#include "../host/memory.h"

void hd_manager_faults_init(struct hd_manager *m, const struct hd_fault *faults, uint32_t n)
{
  const struct hd_topology *t = m->params.topology;
  if (!n)
    return;
  m->faults = hd_xcalloc(n, sizeof *m->faults);
  m->live = hd_xmalloc(t->n_switches * sizeof *m->live);
  for (uint32_t sw = 0; sw < t->n_switches; sw++)
    m->live[sw] = (uint16_t)((1u << m->params.sw.ports) - 1);
  for (uint32_t i = 0; i < n; i++)
    m->faults[m->n_faults++] = (struct hd_fault_state){
        .fault = faults[i],
        .peer = faults[i].whole_switch ? (struct hd_peer){HD_PEER_NONE, 0, 0}
                                       : t->peers[faults[i].sw * t->ports + faults[i].port]};
}

/* ── writes to the switches after a fault, §5.10 ───────────────────────────── */

static int write_live(struct hd_manager *m, uint32_t sw, struct hd_error *err)
{
  const struct hd_topology *t = m->params.topology;
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  uint16_t *live = &m->live[sw], now = *live;
  for (uint32_t port = 0; port < t->ports; port++)
    if (t->peers[(size_t)sw * t->ports + port].kind != HD_PEER_NONE &&
        !hd_link_lives(t, dead, sw, port))
      now &= (uint16_t) ~(1u << port);
  if (now == *live)
    return HD_OK;
  *live = now;
  return hd_manager_write(m, sw, HD_CFG_LIVE, now, &m->ready, err);
}

static int write_ways(struct hd_manager *m, struct hd_error *err)
{
  const struct hd_barrier_ways *old = hd_manager_ways(m);
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  struct hd_barrier_ways ways;
  uint32_t n = m->params.topology->n_switches;
  int status = hd_barrier_ways_build(&ways, m->params.topology, dead, err);
  if (status)
    return status;
  for (uint32_t sw = 0; sw < n && !status; sw++) {
    if (!hd_switch_lives(dead, sw))
      continue;
    status = write_live(m, sw, err);
    for (uint32_t to = 0; to < n && !status; to++)
      if (hd_barrier_way(&ways, sw, to) != hd_barrier_way(old, sw, to))
        status = hd_manager_write(m, sw, HD_CFG_BARRIER_WAY(to), hd_barrier_way(&ways, sw, to),
                                  &m->ready, err);
  }
  hd_barrier_ways_fini(&m->ways);
  m->ways = ways;
  return status;
}

static int write_tables(struct hd_manager *m, struct hd_error *err)
{
  const struct hd_tables *old = hd_manager_tables(m);
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  const uint32_t reserved = hd_switch_reserved_vcs(&m->params.sw);
  struct hd_tables tables;
  int status =
      hd_routing_around(&tables, m->params.topology, dead, old->packet_vcs + reserved, err);
  if (status)
    return status;
  tables.packet_vcs = old->packet_vcs;
  tables.networks = old->networks;
  for (uint32_t sw = 0; sw < old->n_switches; sw++) {
    struct hd_table_writes walk = {.tables = &tables, .old = old, .sw = sw};
    struct hd_config_event write;
    while (!status && hd_switch_lives(dead, sw) && hd_table_writes_next(&walk, &write))
      status = hd_manager_write(m, sw, write.addr, write.data, &m->ready, err);
  }
  hd_tables_fini(&m->tables);
  m->tables = tables;
  return status;
}

static int tell_switches(struct hd_manager *m, struct hd_error *err)
{
  int status = HD_OK;
  if (m->params.sw.barrier)
    status = write_ways(m, err);
  if (!status && m->params.goes_around)
    status = write_tables(m, err);
  return status;
}

/* ── the times of faults ──────────────────────────────────────────────────── */

static uint64_t barriers_over(const struct hd_manager *m)
{
  return m->params.barriers_over ? m->params.barriers_over(m->params.context) : 0;
}

/* True if a fault waits only until no barrier message is under way. */
static bool awaits_quiet(const struct hd_manager *m)
{
  for (uint32_t i = 0; i < m->n_faults; i++) {
    const struct hd_fault_state *f = &m->faults[i];
    if (!f->struck && f->fault.after_barrier && f->fault.when <= barriers_over(m))
      return true;
  }
  return false;
}

/* True if some open group is in state `renew` of its re-creation. */
static bool some_group(const struct hd_manager *m, int renew)
{
  for (uint32_t g = 0; g < HD_MANAGER_GROUPS; g++)
    if (m->groups[g].members && (int)m->groups[g].renew == renew)
      return true;
  return false;
}

bool hd_manager_renews(const struct hd_manager *m, uint32_t number)
{
  return m->groups[number].renew != RENEW_NOT;
}

uint32_t hd_manager_renewals(const struct hd_manager *m, uint32_t *no_room)
{
  *no_room = m->no_room;
  return m->renewals;
}

uint64_t hd_manager_ready(const struct hd_manager *m)
{
  return awaits_quiet(m) || some_group(m, RENEW_WHEN_QUIET) ? hd_fabric_cycle(m->fabric) + 1
                                                            : m->ready;
}

uint64_t hd_manager_next(const struct hd_manager *m)
{
  uint64_t next = UINT64_MAX;
  if (awaits_quiet(m) || some_group(m, RENEW_WHEN_QUIET))
    return 0;
  if (some_group(m, RENEW_WHEN_READY))
    next = m->ready;
  for (uint32_t i = 0; i < m->n_faults; i++) {
    const struct hd_fault_state *f = &m->faults[i];
    if (!f->struck && !f->fault.after_barrier && f->fault.when < next)
      next = f->fault.when;
  }
  return next;
}

static int strike(struct hd_manager *m, struct hd_fault_state *f, uint64_t cycle,
                  struct hd_error *err)
{
  f->struck = true;
  f->cycle = cycle;
  return f->fault.whole_switch ? hd_fabric_fail_switch(m->fabric, f->fault.sw, err)
                               : hd_fabric_fail_link(m->fabric, f->fault.sw, f->fault.port, err);
}

/* Lets all faults happen that are due. *some: at least one was. */
static int strike_due(struct hd_manager *m, uint64_t cycle, bool *some, struct hd_error *err)
{
  bool quiet = awaits_quiet(m) && hd_fabric_barrier_quiet(m->fabric);
  uint64_t over = barriers_over(m);
  int status = HD_OK;
  for (uint32_t i = 0; i < m->n_faults && !status; i++) {
    struct hd_fault_state *f = &m->faults[i];
    bool due = f->fault.after_barrier ? quiet && f->fault.when <= over : f->fault.when <= cycle;
    if (f->struck || !due)
      continue;
    status = strike(m, f, cycle, err);
    *some = true;
  }
  return status;
}

static void end_group(struct hd_manager *m, uint32_t g, enum hd_ep_barrier_status why,
                      uint64_t cycle)
{
  m->groups[g].renew = RENEW_NOT;
  if (m->params.ended)
    m->params.ended(m->params.context, g, why, cycle);
}

static void check_groups(struct hd_manager *m, uint64_t cycle)
{
  for (uint32_t g = 0; g < HD_MANAGER_GROUPS; g++)
    if (m->groups[g].members && hd_manager_find_unreachable(m, g, &m->groups[g]))
      end_group(m, g, HD_EP_BARRIER_CUT_OFF, cycle);
}

/* ── groups whose first round a fault interrupted ─────────────────────────── */

static void mark_groups(struct hd_manager *m)
{
  const struct hd_manager_params *p = &m->params;
  for (uint32_t g = 0; g < HD_MANAGER_GROUPS; g++)
    if (m->groups[g].members && p->first_round_over &&
        (m->groups[g].renew || !p->first_round_over(p->context, g)))
      m->groups[g].renew = RENEW_WHEN_QUIET;
}

static int reopen_group(struct hd_manager *m, uint32_t g, uint64_t cycle, struct hd_error *err)
{
  bool room;
  int status = hd_manager_reopen(m, g, &room, err);
  if (status)
    return status;
  m->groups[g].renew = RENEW_WHEN_READY;
  m->renewals++;
  m->no_room += !room;
  if (!room)
    end_group(m, g, HD_EP_BARRIER_FULL, cycle);
  return HD_OK;
}

/* Closes and opens groups anew when no message is under way. Calls `renewed` when these writes are
 * in force. */
static int renew_groups(struct hd_manager *m, uint64_t cycle, struct hd_error *err)
{
  bool quiet = some_group(m, RENEW_WHEN_QUIET) && hd_fabric_barrier_quiet(m->fabric);
  int status = HD_OK;
  for (uint32_t g = 0; g < HD_MANAGER_GROUPS && quiet && !status; g++)
    if (m->groups[g].renew == RENEW_WHEN_QUIET)
      status = reopen_group(m, g, cycle, err);
  for (uint32_t g = 0; g < HD_MANAGER_GROUPS && m->ready <= cycle && !status; g++)
    if (m->groups[g].renew == RENEW_WHEN_READY) {
      m->groups[g].renew = RENEW_NOT;
      status = m->params.renewed(m->params.context, g, cycle, err);
    }
  return status;
}

int hd_manager_begin(struct hd_manager *m, struct hd_fabric *fabric, uint64_t cycle,
                     struct hd_error *err)
{
  bool some = false;
  m->fabric = fabric;
  if (hd_manager_next(m) > cycle)
    return HD_OK;
  int status = strike_due(m, cycle, &some, err);
  if (some && !status)
    status = tell_switches(m, err);
  if (some)
    mark_groups(m);
  if (some && !status)
    check_groups(m, cycle);
  return status ? status : renew_groups(m, cycle, err);
}

void hd_manager_end(struct hd_manager *m, const struct hd_fabric *fabric, uint64_t cycle)
{
  uint32_t n = 0;
  const struct hd_loss *losses = m->n_faults ? hd_fabric_losses(fabric, &n) : NULL;
  for (uint32_t i = 0; i < n; i++) {
    HD_XROOM(m->lost, m->lost_cap, m->lost_n, 1);
    m->lost[m->lost_n++] = (struct hd_lost_packet){losses[i], cycle};
  }
}
