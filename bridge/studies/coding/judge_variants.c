/* Judges the statements on tori, many sources and the recursive form, from counted hops and runs.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include <inttypes.h>

enum { GROUPS_K = 16 };

/* Computes hops, as switches counted them, and cycles of run `after` in percent of those of run
 * `before`. */
static bool ratios(const struct coding_results *r, const struct coding_run_config *before,
                   const struct coding_run_config *after, double *hops, double *cycles)
{
  const struct coding_run *first = coding_find_run(r, before), *second = coding_find_run(r, after);
  const bool known =
      first && second && first->done && second->done && first->flit_hops && first->cycles;
  *hops = known ? 100 * (double)second->flit_hops / (double)first->flit_hops : 0;
  *cycles = known ? 100 * (double)second->cycles / (double)first->cycles : 0;
  return known;
}

/* ── tori ──────────────────────────────────────────────────────────────────── */

bool coding_torus_ratio(const struct coding_results *r, uint32_t k, bool torus, double *hops,
                        double *cycles)
{
  const struct coding_run_config flat = coding_torus_run(k, torus, HD_CODING_FLAT);
  const struct coding_run_config coded = coding_torus_run(k, torus, HD_CODING_CODED);
  return ratios(r, &flat, &coded, hops, cycles);
}

static void judge_torus(const void *results, statement *s)
{
  const double alike = 10;
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_TREE; k *= 2) {
    double mesh = 0, torus = 0;
    const bool known = coding_saved(results, k, HD_CODING_ALL_AT_ONCE, false, &mesh) &&
                       coding_saved(results, k, HD_CODING_ALL_AT_ONCE, true, &torus);
    hd_study_check_within(
        s, known, torus, mesh - alike, mesh + alike,
        "%" PRIu32 "-ary: percent of the hops saved on the torus; asked: on the mesh", k);
  }
}

/* ── many sources ──────────────────────────────────────────────────────────── */

bool coding_sources_ratio(const struct coding_results *r, uint32_t sources,
                          enum coding_sources placed, double *hops, double *cycles)
{
  const struct coding_run_config flat = coding_sources_run(sources, placed, HD_CODING_FLAT);
  const struct coding_run_config coded = coding_sources_run(sources, placed, HD_CODING_CODED);
  return ratios(r, &flat, &coded, hops, cycles);
}

static void judge_sources(const void *results, statement *s)
{
  for (uint32_t placed = CODING_SPREAD; placed <= CODING_TOGETHER; placed++)
    for (uint32_t sources = 4; sources <= GROUPS_K * GROUPS_K; sources *= 2) {
      double hops = 0, fewer_hops = 0, cycles;
      const bool known =
          coding_sources_ratio(results, sources, (enum coding_sources)placed, &hops, &cycles) &&
          coding_sources_ratio(results, sources / 2, (enum coding_sources)placed, &fewer_hops,
                               &cycles);
      hd_study_check(s, known, hops, STUDY_AT_MOST, fewer_hops,
                     "%" PRIu32
                     " sources %s, by the switches: hops relative to no coding, and with "
                     "half as many",
                     sources, placed == CODING_SPREAD ? "spread" : "together");
    }
}

/* ── the recursive form ────────────────────────────────────────────────────── */

/* Gives the run of the best plan, recursive or with one level. */
static bool run_of_form(const struct coding_results *r, uint32_t k, bool recursive, bool sequential,
                        struct coding_run_config *run)
{
  struct coding_config twice;
  uint32_t members = 0;
  double least;
  const bool known = recursive ? coding_best_recursive(r, k, &least, &twice)
                               : coding_best(r, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, false,
                                             &least, &members);
  if (known)
    *run = coding_recursive_run(
        recursive ? twice : coding_grouped(k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, members),
        sequential);
  return known;
}

bool coding_form_ratio(const struct coding_results *r, uint32_t k, bool recursive, double *hops,
                       double *cycles)
{
  const struct coding_run_config flat = coding_run_of(coding_flat(k, HD_CODING_ALL_AT_ONCE), false);
  struct coding_run_config run;
  return run_of_form(r, k, recursive, false, &run) && ratios(r, &flat, &run, hops, cycles);
}

/* Computes the percentages of hops and cycles that the recursive form saves against the form
 * with one level. */
static bool saved(const struct coding_results *r, uint32_t k, bool sequential, double *hops,
                  double *cycles)
{
  struct coding_run_config once, twice;
  const bool known = run_of_form(r, k, false, sequential, &once) &&
                     run_of_form(r, k, true, sequential, &twice) &&
                     ratios(r, &once, &twice, hops, cycles);
  *hops = known ? 100 - *hops : 0;
  *cycles = known ? 100 - *cycles : 0;
  return known;
}

static void judge_recursive(const void *results, statement *s)
{
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_RUN; k *= 2) {
    double once = 0, twice = 0, hops = 0, cycles = 0;
    bool known =
        coding_best_recursive(results, k, &twice, NULL) &&
        coding_best(results, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, false, &once, NULL);
    hd_study_check(s, known, twice, STUDY_AT_MOST, once,
                   "%" PRIu32 "-ary: hops of the recursive form, and of the form with one level",
                   k);
    known = saved(results, k, false, &hops, &cycles);
    hd_study_check(s, known, hops, STUDY_AT_LEAST, 0,
                   "%" PRIu32 "-ary, by the switches: percent of the hops with one level that "
                   "recursion saves",
                   k);
  }
}

static void judge_marginal(const void *results, statement *s)
{
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_RUN; k *= 2) {
    const struct coding_config flat = coding_flat(k, HD_CODING_ALL_AT_ONCE);
    double once = 0, twice = 0, before = 0;
    const bool known =
        coding_best_recursive(results, k, &twice, NULL) &&
        coding_best(results, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, false, &once, NULL) &&
        coding_hops(results, &flat, HD_CODING_COUNT_ALL, &before);
    hd_study_check_within(
        s, known, known ? 100 * (once - twice) / before : 0, 0, 10,
        "%" PRIu32 "-ary: percent of the hops without coding that recursion saves", k);
  }
}

const struct hd_study_judge coding_judges_of_variants[] = {
    {"torus-alike", judge_torus},
    {"more-sources-more-benefit", judge_sources},
    {"recursive-saves-more", judge_recursive},
    {"recursion-is-marginal", judge_marginal},
    {0}};
