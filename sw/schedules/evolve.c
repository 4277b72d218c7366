/* The paper's evolution of schedules: a univariate marginal distribution algorithm (UMDA).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The parameters are the paper's (Section 4.5): 60 individuals. Binary tournaments choose 30
 * parents. 30 children are sampled from the distribution of the parents. Each is mutated with a
 * probability of 90 %, and they replace the worse half. It ends with the first child without
 * conflicts. chromosome.h has the encoding, the fitness and the heuristics.
 *
 * The paper leaves some points open. Our choices:
 *   - A variable of the distribution is a whole gene, because a way has no meaning without its sender.
 *    Drawing a gene by the parents' marginal frequencies is the same as copying it from a parent that is
 *    drawn for this gene alone, so no table of frequencies is needed.
 *   - Nothing is added to the frequencies: a gene that all parents share is changed only by heuristics
 *    and mutation.
 *   - Of equally good individuals, the younger ones stay.
 *   - "Reasonable time" is a number of evaluations of the fitness, not seconds, so that a seed always has
 *    the same result.
 *   - If the steps are not enough, there are more: the bound plus 1, 2, 4, … until a schedule is found;
 *    then the interval is halved. Each number of steps has the same seed and as many evaluations.
 *   - If transfers in conflict are left, each step is split until none are. So there is always a schedule.
 */
#include "chromosome.h"

#include "../../bridge/host/clock.h"
#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { POPULATION = 60, HALF = POPULATION / 2, MUTATION_PERCENT = 90, SAY_SECONDS = 2 };

struct individual {
  struct gene *genes; /* [n] part of `genes` below */
  uint64_t conflicts, born;
};

struct population {
  struct encoding e;
  struct individual all[POPULATION + HALF]; /* the better half, the worse half, the children */
  struct gene *genes;
  const struct hd_evolution *how;
  uint64_t evaluations; /* evaluations for the current number of steps */
  uint64_t born, generation;
  double said;
};

/* ── one number of steps ───────────────────────────────────────────────────── */

static int compare_individuals(const void *left, const void *right)
{
  const struct individual *a = left, *b = right;
  if (a->conflicts != b->conflicts)
    return a->conflicts < b->conflicts ? -1 : 1;
  return (a->born < b->born) - (a->born > b->born);
}

static const struct gene *tournament(struct population *p)
{
  const struct individual *a = &p->all[encoding_draw(&p->e, POPULATION)];
  const struct individual *b = &p->all[encoding_draw(&p->e, POPULATION)];
  return compare_individuals(a, b) <= 0 ? a->genes : b->genes;
}

static void sample(struct population *p, const struct gene *const parents[HALF],
                   struct individual *child)
{
  for (uint32_t i = 0; i < p->e.n; i++)
    child->genes[i] = parents[encoding_draw(&p->e, HALF)][i];
}

/* Returns true if the evolution must end, because it was stopped, is out of time, has failed, or
 * has used all its evaluations. */
static bool must_end(const struct population *p)
{
  return p->e.status || p->evaluations >= p->how->evaluations || hd_problem_over(p->e.p);
}

static void evaluate(struct population *p, struct individual *i, bool first, bool mutate)
{
  i->conflicts = hd_chromosome_repair(&p->e, i->genes, first);
  if (mutate && !p->e.status)
    i->conflicts = hd_chromosome_mutate(&p->e, i->genes);
  i->born = p->born++;
  p->evaluations++;
}

static void report_progress(struct population *p)
{
  double now = hd_seconds_now();
  if (now - p->said < SAY_SECONDS)
    return;
  p->said = now;
  hd_problem_say(p->e.p,
                 "%" PRIu32 " steps: generation %" PRIu64 ", %" PRIu64 " evaluations, %" PRIu64
                 " conflicts",
                 p->e.steps, p->generation, p->evaluations, p->all[0].conflicts);
}

/* Runs a generation: chooses parents, makes children, and keeps the best. */
static void run_generation(struct population *p)
{
  const struct gene *parents[HALF];
  uint32_t children = 0;
  bool done = false;
  for (int i = 0; i < HALF; i++)
    parents[i] = tournament(p);
  for (; children < HALF && !done; children++) {
    struct individual *child = &p->all[POPULATION + children];
    sample(p, parents, child);
    evaluate(p, child, false, encoding_draw(&p->e, 100) < MUTATION_PERCENT);
    done = !child->conflicts || must_end(p);
  }
  for (uint32_t i = 0; i < children; i++) {
    struct individual old = p->all[HALF + i];
    p->all[HALF + i] = p->all[POPULATION + i];
    p->all[POPULATION + i] = old;
  }
  qsort(p->all, POPULATION, sizeof *p->all, compare_individuals);
  p->generation++;
}

/* Runs the evolution for a number of steps. all[0] has the fewest conflicts at the end. */
static int run_evolution(struct population *p, uint32_t steps)
{
  int status = hd_encoding_steps(&p->e, steps);
  if (status)
    return status;
  hd_random_seed(&p->e.random, p->how->seed, 0);
  p->evaluations = p->born = p->generation = 0;
  for (uint32_t i = 0; i < POPULATION; i++) {
    p->all[i].conflicts = UINT64_MAX;
    p->all[i].born = 0;
  }
  for (uint32_t i = 0; i < POPULATION && !p->e.status; i++) {
    hd_chromosome_draw(&p->e, p->all[i].genes);
    evaluate(p, &p->all[i], true, false);
    if (!p->all[i].conflicts || hd_problem_over(p->e.p))
      break;
  }
  qsort(p->all, POPULATION, sizeof *p->all, compare_individuals);
  while (p->all[0].conflicts && !must_end(p)) {
    run_generation(p);
    report_progress(p);
  }
  return p->e.status;
}

/* ── schedules ─────────────────────────────────────────────────────────────── */

static int by_step(const void *left, const void *right)
{
  const struct move *a = left, *b = right;
  if (a->step != b->step)
    return a->step < b->step ? -1 : 1;
  return a->message != b->message ? (a->message < b->message ? -1 : 1)
                                  : (a->to > b->to) - (a->to < b->to);
}

/* Splits a step, which consists of moves[n], until no two moves of a step share a link. Each move
 * gets the first step in which its links are free. Returns the number of steps. */
static uint32_t split_step(struct problem *p, struct move *moves, size_t n, uint32_t step)
{
  size_t left = n;
  uint32_t steps = 0;
  for (size_t i = 0; i < n; i++)
    moves[i].step = UINT32_MAX;
  for (; left; steps++) {
    for (size_t i = 0; i < n; i++)
      if (moves[i].step == UINT32_MAX && hd_way_is_free(p, moves[i].way)) {
        hd_way_mark(p, moves[i].way, true);
        moves[i].step = step + steps;
        left--;
      }
    for (size_t i = 0; i < n; i++)
      if (moves[i].step == step + steps)
        hd_way_mark(p, moves[i].way, false);
  }
  return steps;
}

static void copy_best(struct population *p, struct hd_schedule *s)
{
  struct problem *problem = p->e.p;
  const struct individual *best = &p->all[0];
  struct plan plan = {0};
  uint32_t steps = 0;
  for (uint32_t i = 0; i < p->e.n; i++) {
    const struct gene *g = &best->genes[i];
    hd_plan_add(&plan, g->step, p->e.message[i], g->from, problem->messages->destinations[i]);
    plan.moves[i].way = g->way;
  }
  if (plan.n)
    qsort(plan.moves, plan.n, sizeof *plan.moves, by_step);
  for (size_t i = 0, end; i < plan.n; i = end) {
    uint32_t step = plan.moves[i].step;
    for (end = i; end < plan.n && plan.moves[end].step == step;)
      end++;
    steps += split_step(problem, plan.moves + i, end - i, steps);
  }
  plan.steps = steps;
  if (best->conflicts)
    snprintf(plan.how, sizeof plan.how,
             "by evolution, seed %" PRIu64 ": %" PRIu32 " steps after %" PRIu64
             " evaluations, %" PRIu64 " conflicts split",
             p->how->seed, p->e.steps, p->evaluations, best->conflicts);
  else
    snprintf(plan.how, sizeof plan.how, "by evolution, seed %" PRIu64 ": %" PRIu64 " evaluations",
             p->how->seed, p->evaluations);
  hd_schedule_take_ways(problem, s, &plan);
  free(plan.moves);
}

/* Tries a number of steps, and notes the result. Sets *reached if there are no conflicts. */
static int try_steps(struct population *p, struct hd_schedule *s, uint32_t steps,
                     struct hd_evolved *evolved, bool *reached)
{
  int status = run_evolution(p, steps);
  *reached = false;
  if (status || p->all[0].conflicts == UINT64_MAX)
    return status;
  *reached = !p->all[0].conflicts;
  evolved->evaluations += p->evaluations;
  evolved->attempts++;
  if (!*reached) {
    evolved->failed_steps = steps;
    evolved->conflicts = p->all[0].conflicts;
  }
  hd_problem_say(p->e.p, "%" PRIu32 " steps: %" PRIu64 " conflicts after %" PRIu64 " evaluations",
                 steps, p->all[0].conflicts, p->evaluations);
  copy_best(p, s);
  return HD_OK;
}

/* Searches: tries the given number of steps, or goes from the bound upwards and then halves the
 * interval. */
static int search(struct population *p, struct hd_schedule *s, struct hd_evolved *evolved)
{
  uint32_t failed = 0, steps = p->how->steps ? p->how->steps : s->bound, more = 1;
  bool reached;
  int status = try_steps(p, s, steps, evolved, &reached);
  if (p->how->steps)
    return status;
  for (; !status && !reached && !hd_problem_over(p->e.p); more *= 2) {
    failed = steps;
    steps = failed + more < s->steps ? failed + more : s->steps;
    if (steps >= s->steps)
      break;
    status = try_steps(p, s, steps, evolved, &reached);
  }
  while (!status && failed && s->steps - failed > 1 && !hd_problem_over(p->e.p)) {
    steps = failed + (s->steps - failed) / 2;
    status = try_steps(p, s, steps, evolved, &reached);
    failed = reached ? failed : steps;
  }
  return status;
}

static int evolve_all(struct problem *problem, struct hd_schedule *s, struct population *p,
                      struct hd_evolved *evolved, struct hd_error *err)
{
  int status = hd_encoding_open(&p->e, problem, p->how->seed, err);
  size_t n = p->e.n;
  if (status)
    return status;
  p->genes = hd_xcalloc((POPULATION + HALF) * n, sizeof *p->genes);
  for (size_t i = 0; i < POPULATION + HALF; i++)
    p->all[i].genes = p->genes + i * n;
  return search(p, s, evolved);
}

int hd_schedule_evolve(struct hd_schedule *s, const struct hd_schedule_network *network,
                       const struct hd_messages *messages,
                       const struct hd_schedule_options *options, const struct hd_evolution *how,
                       struct hd_evolved *evolved, struct hd_error *err)
{
  struct problem problem;
  struct population p = {.how = how};
  *evolved = (struct hd_evolved){0};
  int status = hd_problem_open(&problem, s, network, messages, options, err);
  if (!(options->seconds > 0))
    problem.deadline = INFINITY;
  if (!status)
    status = evolve_all(&problem, s, &p, evolved, err);
  bool stopped = hd_problem_stopped(&problem);
  if (!status && s->steps > s->bound && evolved->failed_steps)
    snprintf(s->open, sizeof s->open,
             "an evolution proves nothing; %" PRIu32 " steps: %" PRIu64 " conflicts left%s",
             evolved->failed_steps, evolved->conflicts, stopped ? ", stopped" : "");
  else if (!status && s->steps > s->bound)
    snprintf(s->open, sizeof s->open, "whether fewer steps are enough was not tried");
  free(p.genes);
  hd_encoding_close(&p.e);
  hd_problem_close(&problem);
  if (!status && stopped && s->steps > s->bound)
    status = hd_fail(err, HD_E_INTERRUPTED, "stopped; what is shown is the best so far");
  return status;
}
