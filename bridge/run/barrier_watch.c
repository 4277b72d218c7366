/* Measures how long the barriers of a run take in the network, and compares that with their bound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A member arrives only after its release from the round before. So when a round's last member
 * arrives, the round before is over, and a group needs no more than one last_arrival.
 */
#include "barrier_watch.h"
#include "barrier_tree.h"
#include "statistics.h"

#include "../../sw/analysis/barrier_analysis.h"
#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* A group, open or closed. */
struct group {
  struct hd_run_barrier figures; /* without the figures that are computed at the end */
  struct hd_world_value *rounds; /* end and duration of each round */
  size_t n_rounds, cap_rounds;
  uint64_t arrived, released, last_arrival;
  bool open, shared, failed; /* shared: another group was open at the same time */
  uint64_t channels, busy, blocked;
};

struct hd_barrier_watch {
  const struct hd_scenario *scenario;
  const struct hd_topology *topology;
  struct hd_barrier_hardware hardware;
  struct group *groups;
  uint32_t n_groups, n_open;
  size_t cap_groups;
  uint32_t by_number[HD_MANAGER_GROUPS]; /* the open group of each number */
};

struct hd_barrier_watch *hd_barrier_watch_create(const struct hd_scenario *s,
                                                 const struct hd_topology *topology)
{
  if (!s->sw.barrier)
    return NULL;
  struct hd_barrier_watch *w = hd_xcalloc(1, sizeof *w);
  w->scenario = s;
  w->topology = topology;
  w->hardware = (struct hd_barrier_hardware){
      .message_flits = hd_barrier_flits(&s->sw),
      .grant_stages = hd_switch_grant_stages(&s->sw),
      .link_cycles = s->fabric.link_cycles,
      .buffer_cycles = hd_barrier_beside(&s->sw) ? 0 : s->sw.route_cycles + 1,
      .idle_cycles = s->barrier.idle_cycles,
      .preempts = s->sw.barrier <= HD_BARRIER_MOVING,
  };
  return w;
}

void hd_barrier_watch_destroy(struct hd_barrier_watch *w)
{
  if (!w)
    return;
  for (uint32_t i = 0; i < w->n_groups; i++)
    free(w->groups[i].rounds);
  free(w->groups);
  free(w);
}

/* ── during the run ─────────────────────────────────────────────────────────── */

void hd_barrier_watch_open(struct hd_barrier_watch *w, uint32_t number,
                           const struct hd_manager_group *group)
{
  if (!w)
    return;
  HD_XROOM(w->groups, w->cap_groups, w->n_groups, 1);
  w->by_number[number] = w->n_groups;
  w->groups[w->n_groups++] = (struct group){.figures = {.group = number,
                                                        .members = group->n,
                                                        .center = group->center_sw,
                                                        .formula_cycles = -1},
                                            .open = true};
  w->n_open++;
  for (uint32_t i = 0; w->n_open > 1 && i < w->n_groups; i++)
    w->groups[i].shared |= w->groups[i].open;
}

void hd_barrier_watch_close(struct hd_barrier_watch *w, uint32_t number)
{
  if (!w)
    return;
  w->groups[w->by_number[number]].open = false;
  w->n_open--;
}

/* Samples which channels of the links between switches serve a packet, and which of these have no
 * credit. */
static void sample_channels(const struct hd_barrier_watch *w, const struct hd_fabric *fabric,
                            struct group *g)
{
  const struct hd_topology *t = w->topology;
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    struct hd_switch_view view;
    hd_switch_look(hd_fabric_switch(fabric, sw), &view);
    for (uint32_t port = 0; port < t->ports; port++) {
      if (t->peers[(size_t)sw * t->ports + port].kind != HD_PEER_SWITCH)
        continue;
      for (uint32_t vc = 0; vc < w->scenario->sw.vcs; vc++) {
        g->channels++;
        g->busy += view.out[port][vc].owned;
        g->blocked += view.out[port][vc].owned && !view.out[port][vc].credit;
      }
    }
  }
}

void hd_barrier_watch_arrive(struct hd_barrier_watch *w, const struct hd_fabric *fabric,
                             uint32_t number)
{
  if (!w)
    return;
  struct group *g = &w->groups[w->by_number[number]];
  if (++g->arrived % g->figures.members)
    return;
  g->last_arrival = hd_fabric_cycle(fabric);
  if (g->n_rounds && hd_fabric_switch(fabric, 0))
    sample_channels(w, fabric, g);
}

/* Computes the figures that depend on the tree, which is complete when the first barrier is
 * over. */
static void compute_figures(const struct hd_barrier_watch *w, const struct hd_fabric *fabric,
                            struct group *g)
{
  const struct hd_barrier_hardware *hardware = &w->hardware;
  struct hd_run_barrier *f = &g->figures;
  struct hd_barrier_tree tree;
  hd_barrier_tree_read(&tree, fabric, w->topology, hardware, f->group, f->center);
  f->bsr_nodes = tree.n;
  f->hop_cycles = hd_barrier_hop_cycles(hardware);
  f->preempt_cycles = hd_barrier_preempt_cycles(hardware);
  f->no_bound = tree.unbounded;
  if (tree.n) {
    f->distance_hops = hd_barrier_farthest_hops(tree.branches, tree.n);
    f->theorem_2_cycles = hd_barrier_bound(f->hop_cycles, f->distance_hops);
    f->bound_cycles =
        tree.unbounded ? 0 : hd_barrier_worst_latency(hardware, tree.branches, tree.n);
  }
  hd_barrier_tree_fini(&tree);
}

void hd_barrier_watch_release(struct hd_barrier_watch *w, const struct hd_fabric *fabric,
                              uint32_t number, bool failed, uint64_t cycle)
{
  if (!w)
    return;
  struct group *g = &w->groups[w->by_number[number]];
  g->failed |= failed;
  if (g->failed || ++g->released % g->figures.members)
    return;
  HD_XROOM(g->rounds, g->cap_rounds, g->n_rounds, 1);
  g->rounds[g->n_rounds++] = (struct hd_world_value){cycle, cycle + 1 - g->last_arrival};
  if (g->n_rounds == 1)
    compute_figures(w, fabric, g);
}

/* ── after the run ──────────────────────────────────────────────────────────── */

static const char *why_no_bound(const struct hd_barrier_watch *w, const struct group *g,
                                const struct hd_run_report *report)
{
  for (uint32_t i = 0; i < report->n_faults; i++)
    if (report->faults[i].struck)
      return "faults have changed the ways";
  switch ((enum hd_barrier)w->scenario->sw.barrier) {
  case HD_BARRIER_MOVING:
  case HD_BARRIER_QUEUED:
    return "messages wait for data";
  default:
    break;
  }
  if (!g->figures.bsr_nodes)
    return w->scenario->run.mode == HD_MODE_CLOSED ? "the tree is not known in closed loop"
                                                   : "the tree is not known";
  return g->shared ? "other groups were there" : g->figures.no_bound;
}

/* Returns the cycles that the paper's formula (1) or (2) gives for this group; -1: neither is
 * for this barrier unit, or the run has not measured what they need. */
static double formula_cycles(const struct hd_barrier_watch *w, const struct hd_run_barrier *f)
{
  const struct hd_barrier_analysis a = {.hop = f->hop_cycles,
                                        .preempt = f->preempt_cycles,
                                        .busy = f->busy,
                                        .blocked = f->blocked,
                                        .ports = w->scenario->sw.vcs,
                                        .levels = f->distance_hops + 1};
  if (!f->has_busy || !f->bsr_nodes)
    return -1;
  switch ((enum hd_barrier)w->scenario->sw.barrier) {
  case HD_BARRIER_ANY:
    return hd_barrier_formula_printed(&a, HD_CASE_ANY);
  case HD_BARRIER_FIXED:
    return hd_barrier_formula_printed(&a, HD_CASE_FIXED);
  default:
    return -1;
  }
}

static void report_group(const struct hd_barrier_watch *w, const struct group *g, uint64_t limit,
                         const struct hd_run_report *report, struct hd_run_barrier *to)
{
  size_t known = g->n_rounds;
  *to = g->figures;
  while (known && g->rounds[known - 1].cycle > limit)
    known--;
  to->has_first = known > 0;
  if (known)
    to->first_cycles = g->rounds[0].value;
  to->no_bound = why_no_bound(w, g, report);
  if (to->no_bound)
    to->bound_cycles = 0;
  to->has_busy = g->busy > 0;
  if (to->has_busy) {
    to->busy = (double)g->busy / (double)g->channels;
    to->blocked = (double)g->blocked / (double)g->busy;
  }
  to->formula_cycles = formula_cycles(w, to);
  for (size_t i = 1; to->bound_cycles && i < known; i++)
    to->above_bound += g->rounds[i].value > to->bound_cycles;
  if (known > 1)
    hd_statistic_summarise(&to->later, "later", g->rounds + 1, known - 1);
}

void hd_barrier_watch_report(const struct hd_barrier_watch *w, uint64_t limit,
                             struct hd_run_report *report)
{
  if (!w || !w->n_groups)
    return;
  report->barriers = hd_xcalloc(w->n_groups, sizeof *report->barriers);
  for (uint32_t i = 0; i < w->n_groups; i++) {
    struct hd_run_barrier *to = &report->barriers[report->n_barriers++];
    report_group(w, &w->groups[i], limit, report, to);
    if (to->above_bound)
      hd_text_add(&report->notes,
                  "%llu of %zu barriers of group %u took longer than their bound of %llu cycles "
                  "(specification 8.11); the longest %llu\n",
                  (unsigned long long)to->above_bound, to->later.n, to->group,
                  (unsigned long long)to->bound_cycles, (unsigned long long)to->later.maximum);
  }
}
