/* Program barrier: groups of nodes meet again and again at barriers in the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every member checks that nobody leaves a round before the last has arrived. A round's duration goes
 * from the last arrival, start-up included, to the last departure; the first round of a group, in
 * which the switches build their tree, is told apart from the later ones.
 */
#include "common.h"
#include "programs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS_MAX = 32 };

/* A round as all members see it. Nobody can be two rounds ahead, so two are enough. */
struct round {
  uint32_t arrived, left;
  uint64_t last_arrival;
};

/* A group, known to all nodes; whoever comes first makes it. */
struct plan {
  bool made;
  int n;
  struct round rounds[2];
  int members[];
};

/* Of the whole run. */
struct course {
  bool made;
  uint64_t parts; /* memberships whose rounds are not all over */
};

/* This node's packets to random nodes. */
struct traffic {
  double scale; /* of the gaps' logarithms */
  uint32_t flits;
  uint64_t next; /* cycle of the next one; the end of time without load */
};

struct setting {
  uint64_t rounds, compute, timeout, start;
  int groups, members; /* members of each group */
  struct hd_ep_barrier_options options;
};

/* ── parameters ───────────────────────────────────────────────────────────── */

static struct setting read_setting(struct hd_ep *ep)
{
  uint64_t size = (uint64_t)hd_ep_size(ep);
  struct setting s = {.members = (int)size};
  if (hd_ep_is_number(ep, "members"))
    s.members = (int)hd_program_integer(ep, "members", 0, 1, size);
  else if (strcmp(hd_ep_text(ep, "members", "all"), "all"))
    hd_ep_reject(ep, "members", "'%s'; legal: all, or a whole number, 1 … %" PRIu64,
                 hd_ep_text(ep, "members", "all"), size);
  s.rounds = hd_program_integer(ep, "rounds", 100, 1, HD_INTEGER_MAX);
  s.compute = hd_program_integer(ep, "compute", 0, 0, HD_INTEGER_MAX);
  s.groups = (int)hd_program_integer(ep, "groups", 1, 1, GROUPS_MAX);
  s.start = hd_program_integer(ep, "start", 0, 0, HD_INTEGER_MAX);
  s.options.timeout_cycles = hd_program_integer(ep, "timeout", 1000000, 1, HD_INTEGER_MAX);
  if (hd_ep_is_number(ep, "center")) {
    s.options.center_rule = HD_EP_CENTER_RANK;
    s.options.center = (int)hd_program_integer(ep, "center", 0, 0, size - 1);
    return s;
  }
  const char *center = hd_ep_text(ep, "center", "lowest");
  if (!strcmp(center, "middle"))
    s.options.center_rule = HD_EP_CENTER_MIDDLE;
  else if (strcmp(center, "lowest"))
    hd_ep_reject(ep, "center", "'%s'; legal: lowest, middle, or a node, 0 … %" PRIu64, center,
                 size - 1);
  return s;
}

/* ── who takes part ───────────────────────────────────────────────────────── */

/* Members by chance, a named center among them. */
static struct plan *plan_of(struct hd_ep *ep, const struct setting *s, int group)
{
  char key[32];
  int size = hd_ep_size(ep);
  snprintf(key, sizeof key, "barrier %d", group);
  struct plan *plan = hd_ep_shared(ep, key, sizeof *plan + (size_t)size * sizeof *plan->members);
  if (plan->made)
    return plan;
  plan->made = true;
  plan->n = s->members;
  for (int i = 0; i < size; i++)
    plan->members[i] = i;
  bool named = s->options.center_rule == HD_EP_CENTER_RANK;
  if (named) {
    plan->members[0] = s->options.center;
    plan->members[s->options.center] = 0;
  }
  for (int i = named; i < plan->n && plan->n < size; i++) {
    int with = i + (int)(hd_ep_random(ep) % (uint64_t)(size - i)), moved = plan->members[i];
    plan->members[i] = plan->members[with];
    plan->members[with] = moved;
  }
  return plan;
}

static bool takes_part(const struct plan *plan, int rank)
{
  for (int i = 0; i < plan->n; i++)
    if (plan->members[i] == rank)
      return true;
  return false;
}

static struct course *course_of(struct hd_ep *ep, const struct setting *s)
{
  struct course *course = hd_ep_shared(ep, "barriers", sizeof *course);
  if (!course->made)
    course->parts = (uint64_t)s->groups * (uint64_t)s->members;
  course->made = true;
  return course;
}

/* ── data between ─────────────────────────────────────────────────────────── */

static uint64_t gap(struct hd_ep *ep, const struct traffic *t)
{
  double cycles = floor(log(1 - hd_ep_random_unit(ep)) * t->scale);
  return cycles < (double)HD_INTEGER_MAX ? 1 + (uint64_t)cycles : HD_INTEGER_MAX;
}

static struct traffic traffic_of(struct hd_ep *ep)
{
  double load = hd_program_number(ep, "load", 0, 0, 1);
  struct traffic t = {.next = UINT64_MAX};
  t.flits = (uint32_t)hd_program_integer(ep, "flits", 4, 1, hd_ep_packet_flits(ep));
  if (load <= 0 || hd_ep_size(ep) < 2)
    return t;
  t.scale = 1 / log1p(-load / t.flits);
  t.next = hd_ep_time(ep) + gap(ep, &t) - 1;
  return t;
}

/* What fell due during a start-up is sent behind it. */
static void inject_due(struct hd_ep *ep, struct traffic *t)
{
  for (; t->next <= hd_ep_time(ep); t->next += gap(ep, t))
    hd_ep_inject(ep, hd_program_other_node(ep), t->flits);
}

static void compute_until(struct hd_ep *ep, struct traffic *t, uint64_t cycle)
{
  while (t->next < cycle) {
    hd_ep_wait_until(ep, t->next);
    inject_due(ep, t);
  }
  hd_ep_wait_until(ep, cycle);
}

/* ── rounds ───────────────────────────────────────────────────────────────── */

static void check(struct hd_ep *ep, enum hd_ep_barrier_status status, int group, uint64_t number)
{
  if (status > HD_EP_BARRIER_PENDING)
    hd_ep_abort(ep, "barrier group %d, round %" PRIu64 ": %s", group, number,
                hd_ep_barrier_text(status));
}

static void arrive(struct hd_ep *ep, struct hd_ep_barrier *barrier, struct plan *plan, int group,
                   uint64_t number)
{
  struct round *round = &plan->rounds[number % 2];
  uint64_t now = hd_ep_time(ep);
  check(ep, hd_ep_barrier_arrive(ep, barrier), group, number);
  round->arrived++;
  if (now > round->last_arrival)
    round->last_arrival = now;
}

static void leave(struct hd_ep *ep, struct plan *plan, int group, uint64_t number)
{
  struct round *round = &plan->rounds[number % 2];
  if (round->arrived != (uint32_t)plan->n)
    hd_ep_abort(ep,
                "barrier group %d, round %" PRIu64 " is left when %" PRIu32 " of %d have arrived",
                group, number, round->arrived, plan->n);
  if (++round->left < (uint32_t)plan->n)
    return;
  hd_ep_statistic(ep, number ? "later barriers" : "first barriers",
                  hd_ep_time(ep) - round->last_arrival);
  *round = (struct round){0};
}

static void wait_for(struct hd_ep *ep, struct hd_ep_barrier *barrier, struct traffic *t, int group,
                     uint64_t number)
{
  enum hd_ep_barrier_status status;
  while ((status = hd_ep_barrier_wait_until(ep, barrier, t->next)) == HD_EP_BARRIER_PENDING)
    inject_due(ep, t);
  check(ep, status, group, number);
}

/* Arrives at all its groups, then waits for all: the split phases overlap. */
static void take_part(struct hd_ep *ep, const struct setting *s, struct plan **plans,
                      struct hd_ep_barrier **barriers, struct traffic *t)
{
  for (uint64_t number = 0; number < s->rounds; number++) {
    uint64_t compute = s->compute ? hd_ep_random(ep) % (s->compute + 1) : 0;
    compute_until(ep, t, hd_ep_time(ep) + compute);
    for (int g = 0; g < s->groups; g++)
      if (barriers[g])
        arrive(ep, barriers[g], plans[g], g, number);
    for (int g = 0; g < s->groups; g++)
      if (barriers[g]) {
        wait_for(ep, barriers[g], t, g, number);
        leave(ep, plans[g], g, number);
      }
  }
}

static void run(struct hd_ep *ep)
{
  struct setting s = read_setting(ep);
  struct course *course = course_of(ep, &s);
  struct plan *plans[GROUPS_MAX];
  struct hd_ep_barrier *barriers[GROUPS_MAX] = {NULL};
  struct traffic traffic = traffic_of(ep);
  uint64_t parts = 0;
  for (int g = 0; g < s.groups; g++)
    plans[g] = plan_of(ep, &s, g);
  for (int g = 0; g < s.groups; g++) {
    if (!takes_part(plans[g], hd_ep_rank(ep)))
      continue;
    enum hd_ep_barrier_status status =
        hd_ep_barrier_create(ep, plans[g]->members, plans[g]->n, &s.options, &barriers[g]);
    if (status == HD_EP_BARRIER_UNSUPPORTED)
      hd_ep_reject(ep, NULL, "needs switches that take barrier messages (key switch.barrier)");
    if (status)
      hd_ep_abort(ep, "barrier group %d: %s", g, hd_ep_barrier_text(status));
    parts++;
  }
  compute_until(ep, &traffic, s.start);
  if (parts)
    take_part(ep, &s, plans, barriers, &traffic);
  course->parts -= parts;
  for (int g = 0; g < s.groups; g++)
    if (barriers[g])
      hd_ep_barrier_destroy(ep, barriers[g]);
  while (course->parts && traffic.next < UINT64_MAX) {
    hd_ep_wait_until(ep, traffic.next);
    inject_due(ep, &traffic);
  }
}

static const char *const parameters[] = {
    "members: nodes of a group, chosen by the seed: how many, or all (all)",
    "groups: how many groups there are, each with members of its own (1)",
    "rounds: how often each group meets (100)",
    "center: of a group: lowest, middle, or a node, which is then a member (lowest)",
    "compute: a member computes up to so many cycles before a round, by chance (0)",
    "start: cycle before which no round begins (0)",
    "timeout: cycles without an answer behind which a member gives up (1000000)",
    "load: data flits a node injects in a cycle on average until the last round is over, 0 to 1 "
    "(0)",
    "flits: flits of such a packet, header included (4)",
    NULL,
};

const struct hd_program hd_program_barrier = {
    .name = "barrier",
    .about = "groups of nodes meet again and again at barriers in the network, data between; "
             "parameters members, groups, rounds, center, compute, start, timeout, load, flits",
    .main = run,
    .parameters = parameters,
};
