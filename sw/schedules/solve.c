/* Finds a schedule: lower bound, known constructions, list schedules, solver.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_internal.h"

#include "../../bridge/host/clock.h"
#include "../../bridge/host/memory.h"
#include "../../bridge/sat/sat.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
  TRIES = 200,
  TRIED = 1 << 17, /* most transfers in all tries, if the result must be repeatable */
  /** most conflicts of the solver for symmetric schedules, if the result must be repeatable */
  ALIKE_CONFLICTS = 20000
};

bool hd_problem_is_of_all(const struct problem *p)
{
  const struct hd_messages *m = p->messages;
  bool all = m->n_members == p->network->topology->n_nodes;
  for (uint32_t i = 0; all && i < m->n_members; i++)
    all = m->members[i] == i;
  return all;
}

bool hd_problem_stopped(const struct problem *p)
{
  return p->options->stop && p->options->stop(p->options->context);
}

bool hd_problem_over(const struct problem *p)
{
  return hd_problem_stopped(p) || hd_seconds_now() >= p->deadline;
}

void hd_problem_say(const struct problem *p, const char *format, ...)
{
  char text[256];
  va_list args;
  if (!p->options->say)
    return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p->options->say(p->options->context, text);
}

/* Checks that each source has a way to each of its destinations. */
static int check_ways(struct problem *p, struct hd_error *err)
{
  for (size_t i = 0; i < p->messages->n; i++)
    for (uint32_t d = 0; d < p->messages->all[i].n; d++) {
      uint32_t from = p->messages->all[i].source, to = problem_to(p, i)[d];
      size_t first;
      int n = hd_ways_of(&p->ways, from, to, &first, err);
      if (n < 0)
        return n;
      if (!n)
        return hd_fail(err, HD_E_INPUT, "no way leads from n%" PRIu32 " to n%" PRIu32, from, to);
    }
  return HD_OK;
}

int hd_problem_open(struct problem *p, struct hd_schedule *s,
                    const struct hd_schedule_network *network, const struct hd_messages *messages,
                    const struct hd_schedule_options *options, struct hd_error *err)
{
  *p = (struct problem){.network = network,
                        .messages = messages,
                        .options = options,
                        .deadline = hd_seconds_now() + options->seconds};
  *s = (struct hd_schedule){0};
  if (network->topology->n_nodes > HD_SCHEDULE_NODES)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " nodes; schedules are for at most %d",
                   network->topology->n_nodes, HD_SCHEDULE_NODES);
  p->taken = hd_xcalloc(hd_schedule_links(network->topology), sizeof *p->taken);
  hd_ways_open(&p->ways, network);
  int status = check_ways(p, err);
  if (!status)
    status = hd_bound_count(p, s, err);
  if (!status)
    hd_problem_say(p, "at least %" PRIu32 " steps: %s", s->bound, s->reason);
  return status;
}

void hd_problem_close(struct problem *p)
{
  if (p->ways.network)
    hd_ways_close(&p->ways);
  free(p->taken);
  p->taken = NULL;
}

/* ── the solver ────────────────────────────────────────────────────────────── */

static void raise_by_solver(struct hd_schedule *s, uint32_t steps, uint64_t lemmas)
{
  s->bound = steps + 1;
  s->by_solver = true;
  s->lemmas = lemmas;
  const char *few = steps == 1 ? "is" : "are";
  if (lemmas)
    snprintf(s->reason, sizeof s->reason, "%s finds that %s %s too few; its proof was checked, %s",
             HD_SAT_NAME, hd_count(steps, "step").text, few, hd_count(lemmas, "lemma").text);
  else
    snprintf(s->reason, sizeof s->reason,
             "%s finds that %s %s too few; its proof was too long to be checked", HD_SAT_NAME,
             hd_count(steps, "step").text, few);
}

/* A symmetry of the nodes: number 0 adds `turn`; if that is 0, numbers are combined with `bits` by
 * exclusive or. */
struct symmetry {
  uint32_t turn, bits[2];
};

static uint32_t map_node(const struct symmetry *y, uint32_t node, uint32_t nodes, unsigned power)
{
  for (unsigned i = 0; y->turn && i < power; i++)
    node = (node + y->turn) % nodes;
  for (unsigned i = 0; !y->turn && i < 2; i++)
    node ^= power >> i & 1 ? y->bits[i] : 0;
  return node;
}

/* Gives all messages that the symmetry maps to each other the same number, the least of them.
 * Returns false if it maps a node to none. */
static bool make_alike(const struct problem *p, const struct symmetry *y, uint32_t *alike)
{
  uint32_t nodes = p->network->topology->n_nodes, n = nodes - 1;
  unsigned powers = y->turn ? nodes / y->turn : 4;
  for (uint32_t i = 0; i < p->messages->n; i++) {
    uint32_t from = p->messages->all[i].source, to = *problem_to(p, i);
    alike[i] = i;
    for (unsigned power = 1; power < powers; power++) {
      uint32_t a = map_node(y, from, nodes, power), b = map_node(y, to, nodes, power);
      if (a >= nodes || b >= nodes)
        return false;
      uint32_t other = a * n + (b < a ? b : b - 1); /* in the order of hd_messages_make */
      alike[i] = other < alike[i] ? other : alike[i];
    }
  }
  return true;
}

/* Asks for an all-to-all scatter in as few steps as the bound, by symmetric schedules. Each
 * symmetry gets a tenth of the time. */
static int ask_alike(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  const struct hd_topology *t = p->network->topology;
  uint32_t nodes = t->n_nodes, low = 1, together = 0;
  double end = p->deadline;
  uint32_t *alike = hd_xcalloc(p->messages->n, sizeof *alike);
  int status = HD_OK;
  while (low * low < nodes)
    low *= 2;
  for (uint32_t i = 0; i < nodes; i++)
    together += t->node_peers[i].index == t->node_peers[0].index;
  const struct symmetry symmetries[] = {{together, {0, 0}},
                                        {low, {0, 0}},
                                        {0, {low - 1, nodes - low}},
                                        {nodes / 2, {0, 0}},
                                        {0, {nodes - 1, 0}}};
  for (size_t i = 0; !status && i < sizeof symmetries / sizeof *symmetries; i++) {
    const struct symmetry *y = &symmetries[i];
    enum answer answer;
    uint64_t lemmas;
    if (s->steps == s->bound || hd_problem_over(p) || (y->turn && nodes % y->turn) ||
        !make_alike(p, y, alike))
      continue;
    p->deadline = hd_seconds_now() + p->options->seconds / (p->options->repeatable ? 1 : 10);
    p->deadline = p->deadline < end ? p->deadline : end;
    p->conflicts = p->options->repeatable ? ALIKE_CONFLICTS : 0;
    status = hd_solver_ask(p, s, s->bound, alike, &answer, &lemmas, err);
    p->deadline = end;
    p->conflicts = 0;
  }
  free(alike);
  return status;
}

/* Asks the solver from the bound upwards until it says yes; then nothing is open. If an answer does
 * not come in half of the time, asks from the best schedule downwards. */
static int ask_solver(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  double end = p->deadline, now = hd_seconds_now();
  enum answer answer = ANSWER_NO;
  uint64_t lemmas;
  uint32_t steps = s->bound;
  int status = HD_OK;
  if (p->messages->kind == HD_EXCHANGE_ALL_TO_ALL_SCATTER && hd_problem_is_of_all(p))
    status = ask_alike(p, s, err);
  if (status || s->steps == s->bound)
    return status;
  now = hd_seconds_now();
  if (s->steps - s->bound > 1 && !p->options->repeatable)
    p->deadline = now + (end - now) / 2;
  for (; !status && steps < s->steps && answer == ANSWER_NO; steps++) {
    status = hd_solver_ask(p, s, steps, NULL, &answer, &lemmas, err);
    if (!status && answer == ANSWER_NO)
      raise_by_solver(s, steps, lemmas);
  }
  p->deadline = end;
  if (answer == ANSWER_TOO_LARGE)
    snprintf(s->open, sizeof s->open,
             "whether fewer steps are enough was not proved: the formula would be too large");
  if (answer != ANSWER_OPEN)
    return status;
  while (!status && !p->options->repeatable && s->steps > s->bound && !hd_problem_over(p)) {
    status = hd_solver_ask(p, s, s->steps - 1, NULL, &answer, &lemmas, err);
    if (answer != ANSWER_YES)
      break;
  }
  if (!status && answer == ANSWER_NO)
    raise_by_solver(s, s->steps - 1, lemmas);
  if (!status && s->steps > s->bound)
    snprintf(s->open, sizeof s->open, "whether fewer steps are enough was not proved: %s",
             hd_problem_stopped(p) ? "it was stopped" : "time was over");
  return status;
}

static uint32_t tries_of(const struct problem *p)
{
  const size_t all = p->messages->n_destinations + 1;
  if (!(p->options->seconds > 0))
    return 1;
  if (!p->options->repeatable)
    return TRIES;
  return all * TRIES < TRIED ? TRIES : (uint32_t)(1 + TRIED / all);
}

static int find_schedule(struct problem *p, struct hd_schedule *s, struct hd_error *err)
{
  int status = hd_plan_construct(p, s, err);
  if (!status && (!s->steps || s->steps > s->bound)) {
    const double end = p->deadline;
    if (!p->options->repeatable)
      p->deadline -= p->options->seconds * 3 / 4;
    status = hd_plan_greedy(p, s, tries_of(p), err);
    p->deadline = end;
  }
  if (status || s->steps <= s->bound)
    return status;
  if (!(p->options->seconds > 0))
    snprintf(s->open, sizeof s->open,
             "whether fewer steps are enough was not tried: there was to be no search");
  else if (!p->options->solver)
    snprintf(s->open, sizeof s->open,
             "whether fewer steps are enough was not proved: no solver was to be asked");
  else
    status = ask_solver(p, s, err);
  return status;
}

int hd_schedule_find(struct hd_schedule *s, const struct hd_schedule_network *network,
                     const struct hd_messages *messages, const struct hd_schedule_options *options,
                     struct hd_error *err)
{
  struct problem p;
  int status = hd_problem_open(&p, s, network, messages, options, err);
  if (!status)
    status = find_schedule(&p, s, err);
  hd_problem_close(&p);
  if (!status && hd_problem_stopped(&p) && s->steps > s->bound)
    status = hd_fail(err, HD_E_INTERRUPTED, "stopped; what is shown is the best so far");
  return status;
}

void hd_schedule_fini(struct hd_schedule *s)
{
  free(s->transfers);
  free(s->links);
  *s = (struct hd_schedule){0};
}
