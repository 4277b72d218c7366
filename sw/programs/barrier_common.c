/* Shared by all barrier programs: groups, rounds, background traffic, checks, statistics.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_common.h"
#include "barrier_congestion.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALIGN_WITH_CONGESTION = 64 };

/* The state of a round, for all members. No member can be two rounds ahead of another, so two of
 * these are enough. */
struct round {
  uint32_t arrived, left;
  uint64_t last_arrival;
};

/* A group, which all nodes share. The first node that needs it makes it. */
struct plan {
  bool initialised;
  int n;
  struct round rounds[2];
  int members[];
};

/* Progress of the run, which all nodes share. A membership finishes a step when it has joined its
 * group, and then after each round. */
struct progress {
  bool initialised;
  uint64_t n_memberships, left; /* all memberships; those that have rounds left */
  struct {
    /** memberships that have finished the step, and the cycle in which the last one did */
    uint64_t n, last;
  } finished_steps[2]; /* [0] joining and every second round, [1] the other rounds */
  uint64_t next_round;
};

/* The state of this node. */
struct self {
  struct hd_barrier_task m;
  const struct hd_barrier_algorithm *algorithm;
  struct progress *progress;
  struct plan *plans[HD_BARRIER_GROUPS];
  void *parts[HD_BARRIER_GROUPS];   /* NULL: this node is not a member */
  struct hd_congestion *congestion; /* NULL: no congestion */
};

/* ── parameters ───────────────────────────────────────────────────────────── */

static void read_center(struct hd_ep *ep, struct hd_barrier_task *m)
{
  uint64_t size = (uint64_t)hd_ep_size(ep);
  if (hd_ep_is_number(ep, "center")) {
    m->center_rule = HD_EP_CENTER_RANK;
    m->center = (int)hd_program_integer(ep, "center", 0, 0, size - 1);
    return;
  }
  const char *center = hd_ep_text(ep, "center", "lowest");
  if (!strcmp(center, "middle"))
    m->center_rule = HD_EP_CENTER_MIDDLE;
  else if (strcmp(center, "lowest"))
    hd_ep_reject(ep, "center", "'%s'; legal: lowest, middle, or a node, 0 … %" PRIu64, center,
                 size - 1);
}

static uint64_t draw_gap(struct hd_ep *ep, const struct hd_background_traffic *t)
{
  double cycles = floor(log(1 - hd_ep_random_unit(ep)) * t->scale);
  return cycles < (double)HD_INTEGER_MAX ? 1 + (uint64_t)cycles : HD_INTEGER_MAX;
}

static struct hd_background_traffic read_traffic(struct hd_ep *ep)
{
  double load = hd_program_number(ep, "load", 0, 0, 1);
  struct hd_background_traffic t = {.next = UINT64_MAX};
  t.flits = (uint32_t)hd_program_integer(ep, "flits", 4, 1, hd_ep_packet_flits(ep));
  if (load <= 0 || hd_ep_size(ep) < 2)
    return t;
  t.scale = 1 / log1p(-load / t.flits);
  t.next = hd_ep_time(ep) + draw_gap(ep, &t) - 1;
  return t;
}

static struct hd_barrier_task read_task(struct hd_ep *ep)
{
  struct hd_barrier_task m = {.members = hd_program_members(ep)};
  m.rounds = hd_program_integer(ep, "rounds", 100, 1, HD_INTEGER_MAX);
  m.compute = hd_program_integer(ep, "compute", 0, 0, HD_INTEGER_MAX);
  m.groups = (int)hd_program_integer(ep, "groups", 1, 1, HD_BARRIER_GROUPS);
  m.start = hd_program_integer(ep, "start", 0, 0, HD_INTEGER_MAX);
  m.congested = (int)hd_program_integer(ep, "congested", 0, 0, (uint64_t)m.members - 1);
  m.congestion = hd_program_integer(ep, "congestion", 100, 0, HD_INTEGER_MAX);
  m.align = hd_program_integer(ep, "align", m.congested ? ALIGN_WITH_CONGESTION : 0,
                               m.congested > 0, HD_INTEGER_MAX);
  if (m.congested && m.groups > 1)
    hd_ep_reject(ep, "congested", "%d; legal with several groups: 0", m.congested);
  read_center(ep, &m);
  return m;
}

/* ── groups ──────────────────────────────────────────────────────────────── */

/* Returns a group of random members. If the scenario names a center, it is one of them. */
static struct plan *plan_of(struct hd_ep *ep, const struct hd_barrier_task *m, int group)
{
  char key[32];
  int size = hd_ep_size(ep);
  snprintf(key, sizeof key, "barrier %d", group);
  struct plan *plan = hd_ep_shared(ep, key, sizeof *plan + (size_t)size * sizeof *plan->members);
  if (plan->initialised)
    return plan;
  plan->initialised = true;
  plan->n = m->members;
  for (int i = 0; i < size; i++)
    plan->members[i] = i;
  bool named = m->center_rule == HD_EP_CENTER_RANK;
  if (named) {
    plan->members[0] = m->center;
    plan->members[m->center] = 0;
  }
  hd_program_draw(ep, plan->members, named, plan->n);
  return plan;
}

static bool is_member(const struct plan *plan, int rank)
{
  for (int i = 0; i < plan->n; i++)
    if (plan->members[i] == rank)
      return true;
  return false;
}

static struct progress *progress_of(struct hd_ep *ep, const struct hd_barrier_task *m)
{
  struct progress *progress = hd_ep_shared(ep, "barriers", sizeof *progress);
  if (!progress->initialised)
    *progress = (struct progress){.initialised = true, .next_round = m->start};
  progress->n_memberships = progress->left = (uint64_t)m->groups * (uint64_t)m->members;
  return progress;
}

int hd_barrier_center(struct hd_ep *ep, const struct hd_barrier_task *m, const int *members)
{
  int lowest = members[0];
  if (m->center_rule == HD_EP_CENTER_RANK)
    return m->center;
  if (m->center_rule == HD_EP_CENTER_MIDDLE)
    return hd_ep_middle(ep, members, m->members);
  for (int i = 1; i < m->members; i++)
    if (members[i] < lowest)
      lowest = members[i];
  return lowest;
}

/* ── background traffic ───────────────────────────────────────────────────── */

/* A loop, because several packets can become due during a start-up. */
void hd_background_inject_due(struct hd_ep *ep, struct hd_background_traffic *t)
{
  for (; t->next <= hd_ep_time(ep); t->next += draw_gap(ep, t))
    hd_ep_inject(ep, hd_program_other_node(ep), t->flits);
}

static void inject_until(struct hd_ep *ep, struct hd_background_traffic *t, uint64_t cycle)
{
  while (t->next < cycle) {
    hd_ep_wait_until(ep, t->next);
    hd_background_inject_due(ep, t);
  }
  hd_ep_wait_until(ep, cycle);
}

void hd_background_wait_request(struct hd_ep *ep, struct hd_background_traffic *t,
                                hd_ep_request request)
{
  if (t->next == UINT64_MAX)
    hd_ep_wait(ep, request, NULL);
  else
    while (!hd_ep_test(ep, request, NULL))
      hd_background_inject_due(ep, t);
}

/* ── rounds ───────────────────────────────────────────────────────────────── */

/* Notes that a membership has finished a step: 0 is joining, and n + 1 is round n. */
static void finish_step(struct hd_ep *ep, struct progress *progress, uint64_t step)
{
  if (++progress->finished_steps[step % 2].n == progress->n_memberships)
    progress->finished_steps[(step + 1) % 2].n = 0;
  progress->finished_steps[step % 2].last = hd_ep_time(ep);
}

/* With `align`, waits for the cycle in which all members begin the round, and causes congestion
 * before it. The cycle is after the end of the step before, so that the order of ranks does not
 * matter. */
static void begin_round(struct hd_ep *ep, struct self *s, uint64_t number)
{
  struct progress *progress = s->progress;
  uint64_t cycle = hd_ep_time(ep);
  for (;; cycle++) {
    cycle += (s->m.align - cycle % s->m.align) % s->m.align;
    inject_until(ep, &s->m.traffic, cycle);
    if (progress->finished_steps[number % 2].n == progress->n_memberships &&
        progress->finished_steps[number % 2].last < cycle && progress->next_round <= cycle)
      break;
  }
  if (!s->congestion || !number)
    return;
  uint64_t pass = hd_congestion_pass_cycles(s->congestion), ready = cycle + 2 * pass;
  hd_congestion_fill(ep, s->congestion, 2 * pass + s->m.congestion);
  inject_until(ep, &s->m.traffic, cycle + pass);
  hd_congestion_block(ep, s->congestion);
  inject_until(ep, &s->m.traffic, ready);
  progress->next_round = ready + s->m.congestion + hd_congestion_drain_cycles(s->congestion);
}

static void arrive(struct hd_ep *ep, struct self *s, int group, uint64_t number)
{
  struct round *round = &s->plans[group]->rounds[number % 2];
  uint64_t now = hd_ep_time(ep);
  s->algorithm->arrive(ep, s->parts[group], number);
  round->arrived++;
  if (now > round->last_arrival)
    round->last_arrival = now;
}

static void leave(struct hd_ep *ep, struct self *s, int group, uint64_t number)
{
  struct plan *plan = s->plans[group];
  struct round *round = &plan->rounds[number % 2];
  if (round->arrived != (uint32_t)plan->n)
    hd_ep_abort(ep,
                "barrier group %d, round %" PRIu64 " released a member when only %" PRIu32
                " of %d had arrived",
                group, number, round->arrived, plan->n);
  finish_step(ep, s->progress, number + 1);
  if (++round->left < (uint32_t)plan->n)
    return;
  hd_ep_statistic(ep, number ? "later barriers" : "first barriers",
                  hd_ep_time(ep) - round->last_arrival);
  *round = (struct round){0};
}

/* Runs the rounds of a member. It arrives at all its groups before it waits for any, so that their
 * barriers overlap. */
static void run_member(struct hd_ep *ep, struct self *s)
{
  const struct hd_barrier_task *m = &s->m;
  for (uint64_t number = 0; number < m->rounds; number++) {
    if (m->align)
      begin_round(ep, s, number);
    uint64_t compute = m->compute ? hd_ep_random(ep) % (m->compute + 1) : 0;
    inject_until(ep, &s->m.traffic, hd_ep_time(ep) + compute);
    for (int g = 0; g < m->groups; g++)
      if (s->parts[g])
        arrive(ep, s, g, number);
    for (int g = 0; g < m->groups; g++)
      if (s->parts[g]) {
        s->algorithm->wait(ep, s->parts[g], &s->m.traffic, number);
        leave(ep, s, g, number);
      }
  }
}

/* Runs the rounds of a node that is not a member, but at whose interface packets of members may be
 * blocked. */
static void run_non_member(struct hd_ep *ep, struct self *s)
{
  for (uint64_t number = 0; number < s->m.rounds; number++) {
    begin_round(ep, s, number);
    if (!hd_congestion_blocks_node(ep, s->congestion))
      return;
  }
}

static uint64_t join(struct hd_ep *ep, struct self *s)
{
  uint64_t parts = 0;
  for (int g = 0; g < s->m.groups; g++)
    s->plans[g] = plan_of(ep, &s->m, g);
  for (int g = 0; g < s->m.groups; g++) {
    if (!is_member(s->plans[g], hd_ep_rank(ep)))
      continue;
    s->parts[g] = s->algorithm->join(ep, s->algorithm, &s->m, s->plans[g]->members, g);
    parts++;
    if (s->congestion)
      hd_congestion_choose(ep, s->congestion, s->algorithm, s->parts[g], s->plans[g]->members,
                           s->m.members, s->m.congested);
    finish_step(ep, s->progress, 0);
  }
  return parts;
}

void hd_barrier_program_run(struct hd_ep *ep, const struct hd_barrier_algorithm *algorithm)
{
  struct self s = {.m = read_task(ep), .algorithm = algorithm};
  s.progress = progress_of(ep, &s.m);
  s.m.traffic = read_traffic(ep);
  s.congestion = s.m.congested ? hd_congestion_shared_state(ep) : NULL;
  uint64_t parts = join(ep, &s);
  inject_until(ep, &s.m.traffic, s.m.start);
  if (parts)
    run_member(ep, &s);
  else if (s.congestion)
    run_non_member(ep, &s);
  s.progress->left -= parts;
  for (int g = 0; g < s.m.groups; g++)
    if (s.parts[g] && algorithm->leave)
      algorithm->leave(ep, s.parts[g]);
  while (s.progress->left && s.m.traffic.next < UINT64_MAX) {
    hd_ep_wait_until(ep, s.m.traffic.next);
    hd_background_inject_due(ep, &s.m.traffic);
  }
}
