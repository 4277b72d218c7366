/* Faults of a run: they strike, and the fabric's management tells the switches (specification §5.9,
 * §5.10).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../run/run_internal.h"

#include <stdlib.h>

int hd_run_faults_init(struct hd_run *run, struct hd_error *err)
{
  const struct hd_scenario *s = &run->scenario;
  struct hd_run_report *r = run->report;
  if (!s->n_faults)
    return HD_OK;
  r->faults = calloc(s->n_faults, sizeof *r->faults);
  run->management.live = malloc(run->topology.n_switches * sizeof *run->management.live);
  if (!r->faults || !run->management.live)
    return hd_fail(err, HD_E_NOMEM, "faults: out of memory");
  for (uint32_t sw = 0; sw < run->topology.n_switches; sw++)
    run->management.live[sw] = (uint16_t)((1u << s->sw.ports) - 1);
  for (uint32_t i = 0; i < s->n_faults; i++) {
    const struct hd_scenario_fault *f = &s->faults[i];
    r->faults[r->n_faults++] = (struct hd_run_fault){
        .fault = *f,
        .peer = f->whole_switch ? (struct hd_peer){HD_PEER_NONE, 0, 0}
                                : run->topology.peers[f->sw * run->topology.ports + f->port]};
  }
  return HD_OK;
}

void hd_run_faults_fini(struct hd_run *run)
{
  struct hd_run_management *m = &run->management;
  for (uint32_t i = 0; i < HD_RUN_GROUPS; i++) {
    free(m->groups[i].members);
    free(m->groups[i].entries);
  }
  free(m->entries);
  hd_barrier_ways_fini(&m->ways);
  hd_tables_fini(&m->tables);
  free(m->live);
  free(m->lost);
}

const struct hd_barrier_ways *hd_run_ways(const struct hd_run *run, const struct hd_fabric *fabric)
{
  return run->management.ways.masks ? &run->management.ways : hd_fabric_barrier_ways(fabric);
}

/* ── management, §5.10 ─────────────────────────────────────────────────────── */

struct manager {
  struct hd_run *run;
  struct hd_fabric *fabric;
  const struct hd_dead *dead;
  struct hd_error *err;
};

static int write_switch(const struct manager *m, uint32_t sw, uint32_t addr, uint16_t data)
{
  uint64_t cycle;
  int status = hd_fabric_config(m->fabric, sw, addr, data, &cycle, m->err);
  if (!status && cycle + 1 > m->run->management.ready)
    m->run->management.ready = cycle + 1;
  return status;
}

static int write_live(const struct manager *m, uint32_t sw)
{
  const struct hd_topology *t = &m->run->topology;
  uint16_t *live = &m->run->management.live[sw], now = *live;
  for (uint32_t port = 0; port < t->ports; port++)
    if (t->peers[(size_t)sw * t->ports + port].kind != HD_PEER_NONE &&
        !hd_link_lives(t, m->dead, sw, port))
      now &= (uint16_t) ~(1u << port);
  if (now == *live)
    return HD_OK;
  *live = now;
  return write_switch(m, sw, HD_CFG_LIVE, now);
}

static int write_ways(const struct manager *m)
{
  struct hd_run *run = m->run;
  const struct hd_barrier_ways *old = hd_run_ways(run, m->fabric);
  struct hd_barrier_ways ways;
  uint32_t n = run->topology.n_switches;
  int status = hd_barrier_ways_build(&ways, &run->topology, m->dead, m->err);
  if (status)
    return status;
  for (uint32_t sw = 0; sw < n && !status; sw++) {
    if (!hd_switch_lives(m->dead, sw))
      continue;
    status = write_live(m, sw);
    for (uint32_t to = 0; to < n && !status; to++)
      if (hd_barrier_way(&ways, sw, to) != hd_barrier_way(old, sw, to))
        status = write_switch(m, sw, HD_CFG_BARRIER_WAY(to), hd_barrier_way(&ways, sw, to));
  }
  hd_barrier_ways_fini(&run->management.ways);
  run->management.ways = ways;
  return status;
}

static int write_tables(const struct manager *m)
{
  struct hd_run *run = m->run;
  struct hd_tables *now = &run->management.tables, tables;
  const struct hd_tables *old = now->destination ? now : &run->tables;
  uint32_t ports = old->ports, nodes = old->n_nodes;
  int status = hd_routing_around(&tables, &run->topology, m->dead, run->scenario.sw.vcs, m->err);
  if (status)
    return status;
  for (uint32_t sw = 0; sw < old->n_switches && !status; sw++)
    for (uint32_t i = 0; i < ports * nodes && hd_switch_lives(m->dead, sw) && !status; i++) {
      size_t at = (size_t)sw * ports * nodes + i;
      if (tables.destination[at] != old->destination[at])
        status =
            write_switch(m, sw, HD_CFG_DESTINATION(i / nodes, i % nodes), tables.destination[at]);
    }
  hd_tables_fini(now);
  *now = tables;
  return status;
}

static int manage(struct hd_run *run, struct hd_fabric *fabric, struct hd_error *err)
{
  const struct manager m = {run, fabric, hd_fabric_dead(fabric), err};
  int status = HD_OK;
  if (run->scenario.sw.barrier)
    status = write_ways(&m);
  if (!status && hd_routings[run->scenario.routing.algorithm]->goes_around)
    status = write_tables(&m);
  return status;
}

/* ── when ─────────────────────────────────────────────────────────────────── */

static uint64_t barriers_over(const struct hd_run *run)
{
  struct hd_world_counters counters;
  hd_world_counters(run->world, &counters);
  return counters.barriers;
}

/* A fault waits for the barrier messages that are still under way. */
static bool awaits_quiet(const struct hd_run *run)
{
  const struct hd_run_report *r = run->report;
  for (uint32_t i = 0; i < r->n_faults; i++)
    if (!r->faults[i].struck && r->faults[i].fault.after_barrier &&
        r->faults[i].fault.when <= barriers_over(run))
      return true;
  return false;
}

uint64_t hd_run_faults_ready(void *context)
{
  const struct hd_run *run = context;
  return awaits_quiet(run) ? hd_fabric_cycle(run->fabric) + 1 : run->management.ready;
}

uint64_t hd_run_faults_next(const struct hd_run *run)
{
  const struct hd_run_report *r = run->report;
  uint64_t next = UINT64_MAX;
  if (awaits_quiet(run))
    return 0;
  for (uint32_t i = 0; i < r->n_faults; i++)
    if (!r->faults[i].struck && !r->faults[i].fault.after_barrier && r->faults[i].fault.when < next)
      next = r->faults[i].fault.when;
  return next;
}

static int strike(struct hd_fabric *fabric, struct hd_run_fault *f, uint64_t cycle,
                  struct hd_error *err)
{
  f->struck = true;
  f->cycle = cycle;
  return f->fault.whole_switch ? hd_fabric_fail_switch(fabric, f->fault.sw, err)
                               : hd_fabric_fail_link(fabric, f->fault.sw, f->fault.port, err);
}

static int tell_groups(struct hd_run *run, const struct hd_fabric *fabric, uint64_t cycle,
                       struct hd_error *err)
{
  for (uint32_t g = 0; g < HD_RUN_GROUPS; g++) {
    if (!run->management.groups[g].members)
      continue;
    int cut = hd_run_cut_find(run, fabric, g, &run->management.groups[g], err);
    if (cut < 0)
      return cut;
    if (cut)
      hd_world_barrier_cut(run->world, g, cycle);
  }
  return HD_OK;
}

int hd_run_faults_begin(struct hd_run *run, struct hd_fabric *fabric, uint64_t cycle,
                        struct hd_error *err)
{
  struct hd_run_report *r = run->report;
  bool some = false;
  int status = HD_OK;
  if (hd_run_faults_next(run) > cycle)
    return HD_OK;
  bool quiet = awaits_quiet(run) && hd_fabric_barrier_quiet(fabric);
  uint64_t over = barriers_over(run);
  for (uint32_t i = 0; i < r->n_faults && !status; i++) {
    struct hd_run_fault *f = &r->faults[i];
    bool due = f->fault.after_barrier ? quiet && f->fault.when <= over : f->fault.when <= cycle;
    if (f->struck || !due)
      continue;
    status = strike(fabric, f, cycle, err);
    some = true;
  }
  if (some && !status)
    status = manage(run, fabric, err);
  return some && !status ? tell_groups(run, fabric, cycle, err) : status;
}

int hd_run_faults_end(struct hd_run *run, const struct hd_fabric *fabric, uint64_t cycle,
                      struct hd_error *err)
{
  struct hd_run_management *m = &run->management;
  uint32_t n;
  const struct hd_loss *losses = hd_fabric_losses(fabric, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (m->lost_n == m->lost_cap) {
      size_t cap = m->lost_cap ? 2 * m->lost_cap : 256;
      struct hd_rundb_packet *more = realloc(m->lost, cap * sizeof *more);
      if (!more)
        return hd_fail(err, HD_E_NOMEM, "packets lost: out of memory");
      m->lost = more;
      m->lost_cap = cap;
    }
    m->lost[m->lost_n++] = (struct hd_rundb_packet){.number = losses[i].number,
                                                    .source = losses[i].source,
                                                    .destination = losses[i].destination,
                                                    .flits = losses[i].flits,
                                                    .created = losses[i].created,
                                                    .received = cycle,
                                                    .synthetic = losses[i].synthetic};
  }
  return HD_OK;
}
