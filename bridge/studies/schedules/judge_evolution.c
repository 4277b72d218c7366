/* Statements about the evolution.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include <inttypes.h>

static bool all_to_all(const struct schedules_row *row)
{
  return row->kind == HD_EXCHANGE_ALL_TO_ALL_BROADCAST ||
         row->kind == HD_EXCHANGE_ALL_TO_ALL_SCATTER;
}

static bool large_tree(const struct schedules_row *row)
{
  return row->nodes > 16 &&
         (schedules_is(row, "binary-tree:") || schedules_is(row, "folded-butterfly:") ||
          schedules_is(row, "full-binary-tree:"));
}

static double rate(const struct schedules_successes *s)
{
  return s->runs ? 100.0 * s->reached / s->runs : 0;
}

/* Checks the smallest success rate of all rows of a collective. */
static void check_rate(const struct schedules_results *r, enum hd_exchange kind, statement *s)
{
  bool known = true;
  double least = 100;
  uint32_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (r->rows[i].kind != kind)
      continue;
    const struct schedules_successes successes = schedules_successes(r, &r->rows[i]);
    known = known && successes.known;
    least = rate(&successes) < least ? rate(&successes) : least;
    n++;
  }
  hd_study_check(s, known && n, least, STUDY_AT_LEAST, 100,
                 "%s: per cent of seeds, least of %" PRIu32 " rows", hd_exchange_name(kind), n);
}

static void judge_rates(const void *results, statement *s)
{
  check_rate(results, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, s);
  check_rate(results, HD_EXCHANGE_ONE_TO_ALL_SCATTER, s);
}

/* Compares the statement with the paper's own Table 5. */
static void judge_all_to_all_rates(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  uint32_t below[2] = {0}, n[2] = {0};
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    int large = large_tree(row);
    if (!all_to_all(row))
      continue;
    below[large] += row->paper_rate < 50;
    n[large]++;
  }
  hd_study_check(s, n[0], below[0], STUDY_AT_MOST, 0,
                 "Table 5: rows below 50%%, of %" PRIu32 " without trees of more than 16 nodes",
                 n[0]);
  hd_study_check(s, n[1], below[1], STUDY_AT_LEAST, 1,
                 "Table 5: rows below 50%%, of %" PRIu32 " of trees of more than 16 nodes", n[1]);
}

static void judge_scatter_second(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true, any = false;
  double most = 0;
  for (size_t i = 0; i < r->n; i++) {
    if (r->rows[i].kind != HD_EXCHANGE_ONE_TO_ALL_SCATTER)
      continue;
    const struct schedules_successes successes = schedules_successes(r, &r->rows[i]);
    known = known && successes.known && successes.reached;
    any = true;
    most = successes.seconds > most ? successes.seconds : most;
  }
  hd_study_check(s, known && any, most, STUDY_AT_MOST, 1,
                 "one-to-all-scatter: s, the mean of seeds that reach it, most");
}

/* Counts rows that some seed reaches: first those that took the paper no longer than an attempt
 * takes here, then the others. */
static void judge_as_few(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  for (int longer = 0; longer < 2; longer++) {
    bool known = true;
    uint32_t n = 0, of = 0;
    for (size_t i = 0; i < r->n; i++) {
      const struct schedules_row *row = &r->rows[i];
      const struct schedules_successes successes = schedules_successes(r, row);
      const struct schedules_evolution *upwards = schedules_upwards(row);
      if (schedules_affordable(row) == longer)
        continue;
      known = known && successes.known && upwards->done;
      of++;
      n += successes.reached || (upwards->done && upwards->steps <= schedules_prescribed(row));
    }
    hd_study_check(s, known && of, n, STUDY_AT_LEAST, of,
                   "rows that took the paper %s %d s, of %" PRIu32,
                   longer ? "more than" : "at most", SCHEDULES_MOST_SECONDS, of);
  }
}

static void judge_evolved_optimal(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_evolution *upwards = schedules_upwards(&r->rows[i]);
    known = known && upwards->done;
    n += upwards->done && upwards->steps == r->rows[i].bound;
  }
  hd_study_check(s, known, n, STUDY_AT_LEAST, (double)r->n, "rows, of %zu", r->n);
}

const struct hd_study_judge schedules_judges_of_evolution[] = {
    {"success-rates", judge_rates},
    {"all-to-all-rates", judge_all_to_all_rates},
    {"scatter-under-a-second", judge_scatter_second},
    {"evolution-as-few", judge_as_few},
    {"evolution-optimal", judge_evolved_optimal},
    {0}};
