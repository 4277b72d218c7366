/* The paper's evolution for each row: ten seeds for the paper's steps, and one from the bound up.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../../host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Genes that a processor evaluates in a second, roughly: of collectives between all nodes, and
 * of those from one node. */
static const double genes_a_second[] = {48e6, 20e6};

struct carrier {
  struct schedules_results *results;
  const struct hd_study_arguments *how;
};

static const struct schedules_row *row_at(const struct carrier *c, size_t index)
{
  return &c->results->rows[index / SCHEDULES_EVOLUTIONS];
}

static uint64_t evaluations(const struct schedules_row *row, double seconds)
{
  return (uint64_t)(genes_a_second[row->rooted] * seconds) / (row->transfers ? row->transfers : 1);
}

bool schedules_affordable(const struct schedules_row *row)
{
  return row->paper_seconds <= SCHEDULES_MOST_SECONDS;
}

/* For collectives between all nodes, less time than the paper's shows nothing, so a second is
 * enough where the paper's time is too long. Collectives from one node come to an end in the
 * longer time. */
uint64_t schedules_evaluations(const struct schedules_row *row)
{
  const double seconds = schedules_affordable(row) ? row->paper_seconds
                         : row->rooted             ? SCHEDULES_MOST_SECONDS
                                                   : 1;
  return evaluations(row, seconds > 1 ? seconds : 1);
}

/* The paper's steps, but not fewer than the lower bound, which no schedule can reach. The paper
 * has fewer for another Butterfly than ours. */
uint32_t schedules_prescribed(const struct schedules_row *row)
{
  return row->evolution > row->bound ? row->evolution : row->bound;
}

const struct schedules_evolution *schedules_upwards(const struct schedules_row *row)
{
  return &row->evolved[schedules_prescribed(row) > row->bound ? SCHEDULES_SEEDS : 0];
}

/* Skips the evolution from the bound up if the paper reached the bound: then it is the evolution
 * of seed 1. */
static bool wanted(void *context, size_t index)
{
  const struct carrier *c = context;
  const struct schedules_row *row = row_at(c, index);
  size_t number = index % SCHEDULES_EVOLUTIONS;
  if (!row->found)
    return false;
  return number == SCHEDULES_SEEDS ? schedules_prescribed(row) > row->bound
                                   : number < c->results->seeds;
}

static struct hd_evolution evolution_at(const struct schedules_row *row, size_t number)
{
  return (struct hd_evolution){
      .seed = number == SCHEDULES_SEEDS ? 1 : number + 1,
      .evaluations = number == SCHEDULES_SEEDS ? evaluations(row, 1) : schedules_evaluations(row),
      .steps = number == SCHEDULES_SEEDS ? 0 : schedules_prescribed(row)};
}

static void describe(void *context, size_t index, struct hd_text *text)
{
  const struct schedules_row *row = row_at(context, index);
  const struct hd_evolution how = evolution_at(row, index % SCHEDULES_EVOLUTIONS);
  char name[2 * SCHEDULES_NAME];
  schedules_row_name(row, name, sizeof name);
  hd_text_add(text,
              "evolution: %s\nseed %" PRIu64 ", %" PRIu64 " evaluations, %" PRIu32
              " steps, at least %" PRIu32 "\n",
              name, how.seed, how.evaluations, how.steps, row->bound);
  if (row->graph)
    hd_text_add(text, "graph: %016" PRIx64 "\n", row->graph);
}

static double work(void *context, size_t index)
{
  const struct schedules_row *row = row_at(context, index);
  double genes = (double)row->transfers * (double)schedules_evaluations(row);
  return row->rooted                                       ? genes / 20
         : index % SCHEDULES_EVOLUTIONS == SCHEDULES_SEEDS ? genes * 4
                                                           : genes;
}

/* ── one evolution ─────────────────────────────────────────────────────────── */

static int evolve(const struct schedules_row *row, const struct hd_evolution *how, const char *path,
                  struct hd_task_outcome *outcome, struct hd_error *err)
{
  struct hd_topology topology;
  struct hd_messages messages = {0};
  struct hd_schedule schedule = {0};
  struct hd_schedule_found found = {0};
  struct hd_evolved evolved = {0};
  struct hd_text csv = {0};
  clock_t begin = clock();
  int status = schedules_topology(row->network, &topology, err);
  const struct hd_schedule_network network = {.topology = &topology, .all_port = row->all_port};
  const struct hd_schedule_options options = {0};
  if (!status)
    status = hd_messages_make(&messages, row->kind, row->nodes, row->root, err);
  if (!status)
    status = hd_schedule_evolve(&schedule, &network, &messages, &options, how, &evolved, err);
  double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  if (!status) {
    hd_schedule_csv(&schedule, &topology, &csv);
    status = schedules_check(row, &topology, &messages, &csv, &found, err);
  }
  if (!status && path)
    status = hd_file_write(path, hd_text_chars(&csv), csv.length, err);
  if (!status) {
    hd_study_put(outcome, "steps", "steps", found.steps);
    hd_study_put(outcome, "evaluations", "evaluations", (double)evolved.evaluations);
    hd_study_put(outcome, "conflicts", "conflicts", (double)evolved.conflicts);
    hd_study_put(outcome, "failed steps", "steps", evolved.failed_steps);
    hd_study_put(outcome, "processor time", "s", seconds);
  }
  hd_text_fini(&csv);
  hd_schedule_fini(&schedule);
  hd_messages_fini(&messages);
  hd_topology_fini(&topology);
  return status;
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct carrier *c = context;
  const struct schedules_row *row = row_at(c, index);
  const struct schedules_evolution *evolution = &row->evolved[index % SCHEDULES_EVOLUTIONS];
  const struct hd_evolution how = evolution_at(row, index % SCHEDULES_EVOLUTIONS);
  char path[STUDY_PATH];
  struct hd_error err = {""};
  snprintf(path, sizeof path, "%s/%s.csv", c->how->study.directory, evolution->key);
  outcome->status =
      evolve(row, &how, evolution == schedules_upwards(row) ? path : NULL, outcome, &err);
  if (outcome->status)
    hd_task_outcome_fail(outcome, outcome->status, err.text, NULL);
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  const struct carrier *c = context;
  struct schedules_row *row = &c->results->rows[index / SCHEDULES_EVOLUTIONS];
  struct schedules_evolution *evolution = &row->evolved[index % SCHEDULES_EVOLUTIONS];
  char name[2 * SCHEDULES_NAME];
  schedules_row_name(row, name, sizeof name);
  if (outcome->failed)
    return hd_fail(err, HD_E_INPUT, "%s, evolution: %.800s", name,
                   outcome->message ? outcome->message : hd_status_text(outcome->status));
  evolution->done = true;
  evolution->steps = (uint32_t)hd_study_value(outcome, "steps");
  evolution->evaluations = (uint64_t)hd_study_value(outcome, "evaluations");
  evolution->conflicts = (uint64_t)hd_study_value(outcome, "conflicts");
  evolution->failed_steps = (uint32_t)hd_study_value(outcome, "failed steps");
  evolution->seconds = hd_study_value(outcome, "processor time");
  evolution->reached = evolution->steps <= schedules_prescribed(row);
  return HD_OK;
}

int schedules_evolve_all(struct schedules_results *r, const struct hd_study_arguments *how,
                         struct hd_error *err)
{
  struct carrier c = {r, how};
  const struct hd_study_tasks tasks = {.kind = "evolutions",
                                       .n = r->n * SCHEDULES_EVOLUTIONS,
                                       .context = &c,
                                       .wanted = wanted,
                                       .describe = describe,
                                       .work = work,
                                       .run_task = run_task,
                                       .ended = ended};
  for (size_t i = 0; i < tasks.n; i++)
    hd_study_key(&tasks, i,
                 r->rows[i / SCHEDULES_EVOLUTIONS].evolved[i % SCHEDULES_EVOLUTIONS].key);
  return hd_study_run(&how->study, &tasks, err);
}

/* ── sums over seeds ───────────────────────────────────────────────────────── */

struct schedules_successes schedules_successes(const struct schedules_results *r,
                                               const struct schedules_row *row)
{
  struct schedules_successes s = {.known = true};
  for (uint32_t i = 0; i < r->seeds; i++) {
    const struct schedules_evolution *e = &row->evolved[i];
    s.known = s.known && e->done;
    s.runs += e->done;
    if (!e->done || !e->reached)
      continue;
    s.reached++;
    s.seconds += e->seconds;
    s.evaluations += (double)e->evaluations;
  }
  s.seconds /= s.reached ? s.reached : 1;
  s.evaluations /= s.reached ? s.reached : 1;
  return s;
}
