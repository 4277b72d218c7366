/* Judges the statements on hops, from the counted plans.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUPS_K = 16, PAPER_K = 32, LARGE_K = 64, PAPER_MEMBERS = 32 };

/* ── numbers of the paper's text ───────────────────────────────────────────── */

static void judge_tree_hops(const void *results, statement *s)
{
  const struct coding_config flat = coding_flat(PAPER_K, HD_CODING_TREE);
  double hops = 0;
  const bool known = coding_hops(results, &flat, HD_CODING_COUNT_ALL, &hops);
  hd_study_check_near(s, known, hops, 2.7e6, 0.05 / 2.7, "32-ary, tree: hops");
}

static void judge_coded_hops(const void *results, statement *s)
{
  const struct coding_config coded =
      coding_grouped(PAPER_K, HD_CODING_CODED, HD_CODING_TREE, PAPER_MEMBERS);
  double hops = 0;
  bool known = coding_hops(results, &coded, HD_CODING_COUNT_ALL, &hops);
  hd_study_check_near(s, known, hops, 0.67e6, CODING_TENTH,
                      "32-ary, groups of 32: hops of all steps");
  known = coding_best(results, PAPER_K, HD_CODING_CODED, HD_CODING_TREE, false, &hops, NULL);
  hd_study_check_near(s, known, hops, 0.67e6, CODING_TENTH,
                      "32-ary, best group: hops of all steps");
}

static void judge_75(const void *results, statement *s)
{
  double percent = 0;
  const bool known = coding_saved(results, PAPER_K, HD_CODING_TREE, false, &percent);
  hd_study_check_near(s, known, percent, 75, CODING_TENTH, "32-ary, best group: percent saved");
}

static void judge_94(const void *results, statement *s)
{
  double percent = 0;
  const bool known = coding_saved(results, LARGE_K, HD_CODING_TREE, false, &percent);
  hd_study_check_near(s, known, percent, 94, CODING_TENTH, "64-ary, best group: percent saved");
}

static void judge_32_times(const void *results, statement *s)
{
  const struct coding_config flat = coding_flat(CODING_LARGEST, HD_CODING_ALL_AT_ONCE);
  double before = 0, after = 0;
  const bool known = coding_hops(results, &flat, HD_CODING_COUNT_ALL, &before) &&
                     coding_best(results, CODING_LARGEST, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE,
                                 false, &after, NULL);
  hd_study_check_near(s, known, known ? before / after : 0, 32, CODING_TENTH,
                      "256-ary, best group: times fewer hops");
}

/* ── tendencies ────────────────────────────────────────────────────────────── */

static void judge_grows(const void *results, statement *s)
{
  for (uint32_t multicast = HD_CODING_ALL_AT_ONCE; multicast <= HD_CODING_TREE; multicast++) {
    const enum hd_coding_multicast by = (enum hd_coding_multicast)multicast;
    const uint32_t last = by == HD_CODING_TREE ? CODING_LARGEST_TREE : CODING_LARGEST;
    for (uint32_t k = 2 * CODING_SMALLEST; k <= last; k *= 2) {
      double smaller = 0, larger = 0;
      const bool known = coding_saved(results, k / 2, by, false, &smaller) &&
                         coding_saved(results, k, by, false, &larger);
      hd_study_check(s, known, larger, STUDY_AT_LEAST, smaller,
                     "%s, %" PRIu32 "-ary: percent saved, and on the network before",
                     hd_coding_multicast_name(multicast), k);
    }
  }
}

static bool hops_of_group(const void *results, uint32_t members, double *hops)
{
  const struct coding_config config =
      coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, members);
  return coding_hops(results, &config, HD_CODING_COUNT_ALL, hops);
}

/* Compares the hops with groups of size `one` with the fewest, or the most, hops of all other
 * sizes. */
static void one_of_groups(const void *results, statement *s, uint32_t one,
                          enum hd_study_sense sense, const char *which)
{
  double of_one = 0, of_others = 0;
  bool known = hops_of_group(results, one, &of_one);
  for (uint32_t members = 2; members <= 128; members *= 2) {
    double hops = 0;
    known = hops_of_group(results, members, &hops) && known;
    if (members != one &&
        (!(of_others > 0) || (sense == STUDY_AT_MOST ? hops < of_others : hops > of_others)))
      of_others = hops;
  }
  hd_study_check(s, known, known ? of_one / of_others : 0, sense, 1,
                 "hops with groups of %" PRIu32 " over the %s of all other sizes", one, which);
}

static void judge_group_hops(const void *results, statement *s)
{
  one_of_groups(results, s, PAPER_MEMBERS, STUDY_AT_MOST, "fewest");
}

static void judge_largest(const void *results, statement *s)
{
  one_of_groups(results, s, 2, STUDY_AT_LEAST, "most");
}

/* Longest paths of Section 6.1: within a group from corner to corner; between groups from
 * intermediate node to intermediate node, each as near to the middle of the network as its group
 * allows. */
static void judge_balance(const void *results, statement *s)
{
  static const struct {
    uint32_t k, members, inside, between;
  } rows[] = {{16, 2, 1, 28},   {16, 4, 2, 26},  {16, 8, 4, 22},   {16, 16, 6, 18},
              {16, 32, 10, 10}, {16, 64, 14, 2}, {16, 128, 22, 1}, {4, 4, 2, 2}};
  uint32_t wrong = 0;
  (void)results;
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const uint32_t k = rows[i].k;
    const struct coding_config c =
        coding_grouped(k, HD_CODING_CODED, HD_CODING_TREE, rows[i].members);
    uint32_t inside = 0, between = 0;
    for (uint32_t d = 0; d < 2; d++) {
      inside += c.group[d] - 1;
      between += c.group[d] < k ? (k - c.group[d]) - (c.group[d] - 1) : 0;
    }
    wrong += inside != rows[i].inside || between != rows[i].between;
    if (rows[i].members != PAPER_MEMBERS && k == GROUPS_K)
      hd_study_check(s, true, abs((int)inside - (int)between), STUDY_AT_LEAST, 1,
                     "groups of %" PRIu32 ": M-hops and G-hops differ (with 32 they are equal)",
                     rows[i].members);
  }
  hd_study_check(s, true, wrong, STUDY_AT_MOST, 0, "rows of the printed table that differ");
}

/* ── statements of our own ─────────────────────────────────────────────────── */

static void judge_floor(const void *results, statement *s)
{
  for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_TREE; k *= 2) {
    const struct coding_config neighbour = coding_flat(k, HD_CODING_NEIGHBOUR);
    const double nodes = (double)k * k, least = nodes * (nodes - 1);
    double hops = 0, coded = 0;
    bool known = coding_hops(results, &neighbour, HD_CODING_COUNT_ALL, &hops);
    hd_study_check(s, known, hops, STUDY_AT_MOST, least,
                   "%" PRIu32 "-ary: hops from neighbour to neighbour, and N(N - 1)", k);
    known = coding_best(results, k, HD_CODING_CODED, HD_CODING_TREE, false, &coded, NULL);
    hd_study_check(s, known, coded, STUDY_AT_LEAST, least,
                   "%" PRIu32 "-ary: hops with coding, best group, and N(N - 1)", k);
  }
}

static void judge_left_out(const void *results, statement *s)
{
  const struct coding_config tree =
      coding_grouped(PAPER_K, HD_CODING_CODED, HD_CODING_TREE, PAPER_MEMBERS);
  const struct coding_config all =
      coding_grouped(CODING_LARGEST, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, PAPER_MEMBERS);
  const struct coding_config flat = coding_flat(CODING_LARGEST, HD_CODING_ALL_AT_ONCE);
  double hops = 0, before = 0, after = 0;
  bool known = coding_hops(results, &tree, HD_CODING_COUNT_F_ALONE, &hops);
  hd_study_check_near(s, known, hops, 0.67e6, 0.005 / 0.67, "32-ary, groups of 32: hops of step F");
  known = coding_hops(results, &flat, HD_CODING_COUNT_ALL, &before) &&
          coding_hops(results, &all, HD_CODING_COUNT_F_ALONE, &after);
  hd_study_check_near(s, known, known ? before / after : 0, 32, 0.5 / 32,
                      "256-ary, groups of 32: hops without coding over those of step F");
}

static void judge_plain_hops(const void *results, statement *s)
{
  for (uint32_t multicast = HD_CODING_ALL_AT_ONCE; multicast <= HD_CODING_TREE; multicast++)
    for (uint32_t k = CODING_SMALLEST; k <= CODING_LARGEST_TREE; k *= 2) {
      const enum hd_coding_multicast by = (enum hd_coding_multicast)multicast;
      double plain = 0, coded = 0;
      const bool known = coding_best(results, k, HD_CODING_PLAIN, by, false, &plain, NULL) &&
                         coding_best(results, k, HD_CODING_CODED, by, false, &coded, NULL);
      hd_study_check(s, known, plain, STUDY_AT_MOST, coded,
                     "%s, %" PRIu32 "-ary: hops of the best groups without coding, and with",
                     hd_coding_multicast_name(multicast), k);
    }
}

static void judge_equal(const void *results, statement *s)
{
  const struct coding_results *r = results;
  double wrong = 0, differ = 0;
  uint32_t counted = 0, ran = 0;
  bool plans = r->n_plans > 0, runs = r->n_runs > 0;
  for (size_t i = 0; i < r->n_plans; i++) {
    const struct coding_plan *plan = &r->plans[i];
    plans = plans && plan->done;
    if (!plan->counted)
      continue;
    counted++;
    for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
      for (uint32_t step = 0; step < HD_CODING_STEPS; step++)
        wrong += plan->formula.hops[level][step] != plan->count.hops[level][step] ||
                 plan->formula.sends[level][step] != plan->count.sends[level][step];
  }
  for (size_t i = 0; i < r->n_runs; i++) {
    const struct coding_run *run = &r->runs[i];
    double hops = 0;
    const bool known = run->done && coding_hops(r, &run->config.plan, HD_CODING_COUNT_ALL, &hops);
    runs = runs && known;
    ran += known;
    differ += known && (double)run->flit_hops != hops * run->config.flits;
  }
  hd_study_check(s, plans && counted, wrong, STUDY_AT_MOST, 0,
                 "steps of %" PRIu32 " plans whose sends do not come to the formula", counted);
  hd_study_check(s, runs && ran, differ, STUDY_AT_MOST, 0,
                 "of %" PRIu32 " runs, those in which switches counted other flit-hops", ran);
}

const struct hd_study_judge coding_judges_of_hops[] = {{"tree-2.7-million", judge_tree_hops},
                                                       {"coded-0.67-million", judge_coded_hops},
                                                       {"75-percent", judge_75},
                                                       {"94-percent", judge_94},
                                                       {"32-times-less", judge_32_times},
                                                       {"benefit-grows", judge_grows},
                                                       {"best-group-hops", judge_group_hops},
                                                       {"largest-2x128", judge_largest},
                                                       {"longest-paths", judge_balance},
                                                       {"0.67-is-step-F", judge_left_out},
                                                       {"floor", judge_floor},
                                                       {"hops-without-coding", judge_plain_hops},
                                                       {"formula-sends-switches", judge_equal},
                                                       {0}};
