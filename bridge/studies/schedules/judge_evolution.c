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

/* The least rate of a collective. */
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
  study_check(s, known && n, least, STUDY_AT_LEAST, 100,
              "%s: per cent of seeds, least of %" PRIu32 " rows", hd_exchange_name(kind), n);
}

static void judge_rates(const void *results, statement *s)
{
  check_rate(results, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, s);
  check_rate(results, HD_EXCHANGE_ONE_TO_ALL_SCATTER, s);
}

static void judge_all_to_all_rates(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known[2] = {true, true};
  uint32_t below[2] = {0}, n[2] = {0};
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    int large = large_tree(row);
    if (!all_to_all(row))
      continue;
    const struct schedules_successes successes = schedules_successes(r, row);
    known[large] = known[large] && successes.known;
    below[large] += rate(&successes) < 50;
    n[large]++;
  }
  study_check(s, known[0] && n[0], below[0], STUDY_AT_MOST, 0,
              "rows below 50%%, of %" PRIu32 " without trees of more than 16 nodes", n[0]);
  if (!r->quick)
    study_check(s, known[1] && n[1], below[1], STUDY_AT_LEAST, 1,
                "rows below 50%%, of %" PRIu32 " of trees of more than 16 nodes", n[1]);
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
  study_check(s, known && any, most, STUDY_AT_MOST, 1,
              "one-to-all-scatter: s, the mean of seeds that reach it, most");
}

static void judge_as_few(const void *results, statement *s)
{
  const struct schedules_results *r = results;
  bool known = true;
  uint32_t n = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct schedules_row *row = &r->rows[i];
    const struct schedules_successes successes = schedules_successes(r, row);
    const struct schedules_evolution *upwards = schedules_upwards(row);
    known = known && successes.known && upwards->done;
    n += successes.reached || (upwards->done && upwards->steps <= schedules_prescribed(row));
  }
  study_check(s, known, n, STUDY_AT_LEAST, (double)r->n, "rows, of %zu", r->n);
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
  study_check(s, known, n, STUDY_AT_LEAST, (double)r->n, "rows, of %zu", r->n);
}

const struct study_judge schedules_judges_of_evolution[] = {
    {"success-rates", judge_rates},
    {"all-to-all-rates", judge_all_to_all_rates},
    {"scatter-under-a-second", judge_scatter_second},
    {"evolution-as-few", judge_as_few},
    {"evolution-optimal", judge_evolved_optimal},
    {0}};
