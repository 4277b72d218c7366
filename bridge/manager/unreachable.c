/* Whom faults have cut off, and what they are to blame for (specification §5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../report/report.h"
#include "../run/run_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NOBODY UINT32_MAX
enum { NAMED = 3 }; /* members in a message; the report has all */

/* The group's tree as the switches hold it, from the center down. */
struct tree {
  uint32_t *blame; /* [n_switches]: the first switch on the way down that is cut off, or NOBODY */
  uint32_t *queue; /* [n_switches], in the same allocation */
  bool *met;       /* [n_switches]: it is in the tree */
};

static bool connected(const struct hd_barrier_ways *ways, const struct hd_dead *dead, uint32_t a,
                      uint32_t b)
{
  return hd_switch_lives(dead, a) && hd_switch_lives(dead, b) &&
         (a == b || (hd_barrier_way(ways, a, b) && hd_barrier_way(ways, b, a)));
}

static int tree_init(struct tree *tree, uint32_t n)
{
  tree->blame = malloc(2 * (size_t)n * sizeof *tree->blame);
  tree->met = calloc(n, sizeof *tree->met);
  if (!tree->blame || !tree->met)
    return HD_E_NOMEM;
  tree->queue = tree->blame + n;
  return HD_OK;
}

static void tree_walk(struct tree *tree, const struct hd_fabric *fabric,
                      const struct hd_barrier_ways *ways, const struct hd_dead *dead,
                      uint32_t number, uint32_t center)
{
  uint32_t head = 0, tail = 0, n = ways->n_switches;
  tree->met[center] = true;
  tree->blame[center] = hd_switch_lives(dead, center) ? NOBODY : center;
  tree->queue[tail++] = center;
  while (head < tail) {
    uint32_t sw = tree->queue[head++];
    struct hd_group_view view;
    if (!hd_switch_look_group(hd_fabric_switch(fabric, sw), number, &view))
      continue;
    for (unsigned left = view.child; left; left &= left - 1) {
      uint32_t child = view.child_address[__builtin_ctz(left)];
      if (child >= n || tree->met[child])
        continue;
      bool broken = !connected(ways, dead, sw, child);
      tree->met[child] = true;
      tree->blame[child] = tree->blame[sw] != NOBODY ? tree->blame[sw] : broken ? child : NOBODY;
      tree->queue[tail++] = child;
    }
  }
}

/* 1: it is new; 0: it is known from an earlier fault. */
static int add_cut(struct hd_run_report *r, const struct hd_run_cut *cut, struct hd_error *err)
{
  for (uint32_t i = 0; i < r->n_cuts; i++)
    if (r->cuts[i].node == cut->node && r->cuts[i].group == cut->group &&
        r->cuts[i].center == cut->center)
      return 0;
  struct hd_run_cut *more = realloc(r->cuts, (r->n_cuts + 1) * sizeof *more);
  if (!more)
    return hd_fail(err, HD_E_NOMEM, "members cut off: out of memory");
  r->cuts = more;
  r->cuts[r->n_cuts++] = *cut;
  return 1;
}

/* False: the member is not cut off. */
static bool find_why(const struct hd_topology *t, const struct hd_barrier_ways *ways,
                     const struct hd_dead *dead, const struct tree *tree, struct hd_run_cut *cut)
{
  struct hd_peer at = t->node_peers[cut->node];
  if (!hd_switch_lives(dead, at.index))
    snprintf(cut->why, sizeof cut->why, "its switch has failed");
  else if (!hd_link_lives(t, dead, at.index, at.port))
    snprintf(cut->why, sizeof cut->why, "its link to its switch has failed");
  else if (!hd_switch_lives(dead, cut->center_sw))
    snprintf(cut->why, sizeof cut->why, "the center's switch has failed");
  else if (!connected(ways, dead, at.index, cut->center_sw))
    snprintf(cut->why, sizeof cut->why, "no way between their switches is left");
  else if (tree->met[at.index] && tree->blame[at.index] != NOBODY)
    snprintf(cut->why, sizeof cut->why,
             "its branch of the tree joins others in switch %" PRIu32 ", which is cut off",
             tree->blame[at.index]);
  else
    return false;
  return true;
}

int hd_run_cut_find(struct hd_run *run, const struct hd_fabric *fabric, uint32_t number,
                    const struct hd_run_group *group, struct hd_error *err)
{
  const struct hd_topology *t = &run->topology;
  const struct hd_barrier_ways *ways = hd_run_ways(run, fabric);
  const struct hd_dead *dead = hd_fabric_dead(fabric);
  uint32_t center_sw = t->node_peers[group->center].index;
  struct tree tree = {NULL, NULL, NULL};
  if (!dead)
    return 0; /* every fabric is connected (§5.5) */
  int found = 0, status = tree_init(&tree, t->n_switches);
  if (status)
    hd_fail(err, status, "members cut off: out of memory");
  else
    tree_walk(&tree, fabric, ways, dead, number, center_sw);
  for (uint32_t i = 0; i < group->n && !status; i++) {
    struct hd_run_cut cut = {.node = group->members[i],
                             .sw = t->node_peers[group->members[i]].index,
                             .group = number,
                             .center = group->center,
                             .center_sw = center_sw,
                             .cycle = hd_fabric_cycle(fabric)};
    int added = find_why(t, ways, dead, &tree, &cut) ? add_cut(run->report, &cut, err) : 0;
    status = added < 0 ? added : HD_OK;
    found += added;
  }
  free(tree.blame);
  free(tree.met);
  return status ? status : found;
}

int hd_run_cut_settle(struct hd_run *run, uint64_t limit, struct hd_error *err)
{
  const struct hd_fabric *fabric = hd_lockstep_fabric(run->lockstep);
  struct hd_run_report *r = run->report;
  int status = HD_OK;
  for (uint32_t i = 0; i < r->n_faults; i++)
    r->faults[i].struck &= r->faults[i].cycle <= limit;
  while (r->n_cuts && r->cuts[r->n_cuts - 1].cycle > limit)
    r->n_cuts--;
  r->barriers_lost = r->counters.barriers_lost;
  for (uint32_t sw = 0; r->n_faults && sw < run->topology.n_switches; sw++)
    r->n_droppers += (hd_switch_config_read(hd_fabric_switch(fabric, sw), HD_CFG_ERRORS) &
                      (HD_ERR_UNREACHABLE | HD_ERR_GROUP | HD_ERR_DUPLICATE)) != 0;
  for (size_t i = 0; i < run->management.lost_n && !status; i++) {
    struct hd_rundb_packet row = run->management.lost[i];
    if (row.received > limit)
      continue;
    r->packets_lost++;
    row.received = UINT64_MAX;
    if (run->scenario.trace.packets)
      status = hd_rundb_packet(run->db, &row, err);
  }
  return status;
}

static void say_cuts(const struct hd_run_report *r, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_cuts && i < NAMED; i++) {
    hd_report_cut(&r->cuts[i], text);
    hd_text_add(text, "; ");
  }
  if (r->n_cuts > NAMED)
    hd_text_add(text, "%s more; ", hd_count(r->n_cuts - NAMED, "member").text);
}

int hd_run_cut_judge(struct hd_run *run, int status)
{
  struct hd_run_report *r = run->report;
  bool stuck = status == HD_E_SOFTWARE ||
               (status == HD_E_DEADLOCK && hd_fabric_idle(hd_lockstep_fabric(run->lockstep))) ||
               (status == HD_E_BUDGET && !r->open_loop && !r->software_finished);
  if (!stuck || !(r->n_cuts || r->packets_lost || r->barriers_lost || r->n_droppers))
    return status;
  struct hd_text text = {0};
  say_cuts(r, &text);
  if (!r->n_cuts) {
    hd_text_add(&text, "faults have lost ");
    hd_report_lost(r, &text);
    hd_text_add(&text, "; ");
  }
  hd_text_add(&text, "%s", hd_text_chars(&r->message));
  hd_text_fini(&r->message);
  r->message = text;
  return HD_E_FAULT;
}
