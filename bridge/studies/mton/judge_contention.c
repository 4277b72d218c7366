/* Statements about contention: Sections IV and V.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include <string.h>

static const char *const routings[] = {"S-mod-k", "D-mod-k"};

/* Chooses the cases that a statement is about. */
struct cases {
  bool by_destination;
  enum hd_mton_kind schedule;
  bool at_most_n; /* cases with M <= N; otherwise those with M > N */
  bool all;       /* cases with any M and N */
};

/* Counts the chosen cases for which `is` returns true; *of is the number of all chosen cases. */
static uint32_t count(const struct mton_results *r, const struct cases *which,
                      bool (*is)(const struct mton_run *run), uint32_t *of)
{
  uint32_t n = 0;
  *of = 0;
  for (size_t i = 0; i < r->n; i++) {
    const struct mton_run *run = &r->runs[i];
    const struct mton_config *c = &run->config;
    if (!mton_is_case(c) || !run->done || c->by_destination != which->by_destination ||
        c->schedule != which->schedule ||
        (!which->all && (c->sources <= c->destinations) != which->at_most_n))
      continue;
    ++*of;
    n += is(run);
  }
  return n;
}

static bool blocks(const struct mton_run *run)
{
  return run->blocked > 0;
}

static void judge_table_1(const void *results, statement *s)
{
  (void)results;
  uint32_t nowhere = 0;
  for (uint32_t slot = 0; slot < 10; slot++)
    for (uint32_t source = 0; source < 6; source++)
      nowhere += 6 + source + slot >= SIDE;
  hd_study_check(s, true, nowhere, STUDY_AT_MOST, 0,
                 "pairs of 60 whose destination is no node of 0 to 15");
}

static void check_6_to_10(const struct mton_results *r, statement *s, uint32_t by_destination)
{
  const struct mton_config config = mton_case(6, 10, by_destination, HD_MTON_PAPER);
  for (size_t i = 0; i < r->n; i++)
    if (!memcmp(&r->runs[i].config, &config, sizeof config))
      hd_study_check(s, r->runs[i].done, (double)r->runs[i].blocked, STUDY_AT_MOST, 0,
                     "%s: blocked flit-cycles on RTL", routings[by_destination]);
}

static void judge_6_to_10(const void *results, statement *s)
{
  check_6_to_10(results, s, 0);
}

static void judge_6_to_10_by_destination(const void *results, statement *s)
{
  check_6_to_10(results, s, 1);
}

/* Tests whether some place of the destinations, after the sources, has no contention. */
static bool can_be_free(uint32_t m, uint32_t n, uint32_t by_destination, bool *known)
{
  struct mton_run run = {.config = mton_case(m, n, by_destination, HD_MTON_PAPER)};
  uint32_t *first = &run.config.first_destination;
  for (*first = m; *first <= SIDE - n; ++*first) {
    *known = *known && !mton_check(&run, NULL);
    if (!run.contention)
      return true;
  }
  return false;
}

/* Judges contention on RTL, with the destinations of the plan, and by the checker, for every
 * place of the destinations after the sources. */
static void contention_free(const struct mton_results *r, statement *s, bool at_most_n)
{
  for (uint32_t d = 0; d < 2; d++) {
    uint32_t of, n = count(r, &(struct cases){d, HD_MTON_PAPER, at_most_n, false}, blocks, &of);
    uint32_t all = 0, never = 0;
    bool known = true;
    hd_study_check(s, of, n, STUDY_AT_MOST, 0, "%s: cases of %u that block flits on RTL",
                   routings[d], of);
    for (uint32_t sources = 1; sources < SIDE; sources++)
      for (uint32_t to = 1; sources + to <= SIDE; to++)
        if ((sources <= to) == at_most_n) {
          all++;
          never += !can_be_free(sources, to, d, &known);
        }
    hd_study_check(
        s, known, never, STUDY_AT_MOST, 0,
        "%s: of %u with nodes of their own, those that contend wherever the destinations "
        "begin",
        routings[d], all);
  }
}

static void judge_no_contention(const void *results, statement *s)
{
  contention_free(results, s, true);
}

static void judge_groups(const void *results, statement *s)
{
  contention_free(results, s, false);
}

static bool outside_closed_form(const struct mton_run *run)
{
  return !mton_closed_form_applies(&run->config);
}

static bool contradicts_closed_form(const struct mton_run *run)
{
  const struct mton_config *c = &run->config;
  const struct hd_mton_tree tree = {c->k, c->n, c->by_destination};
  return mton_closed_form_applies(c) &&
         hd_mton_contends(&tree, c->sources, c->destinations) != blocks(run);
}

static void judge_closed_form(const void *results, statement *s)
{
  for (int d = 0; d < 2; d++) {
    const struct cases which = {d, HD_MTON_PAPER, true, false};
    uint32_t of, outside = count(results, &which, outside_closed_form, &of);
    uint32_t n = count(results, &which, contradicts_closed_form, &of);
    hd_study_check(s, of > outside, n, STUDY_AT_MOST, 0,
                   "%s: cases of %u in which RTL blocks flits and it says no, or the reverse",
                   routings[d], of - outside);
  }
}

static bool contradicts_checker(const struct mton_run *run)
{
  return (run->contention > 0) != blocks(run);
}

static void judge_checker(const void *results, statement *s)
{
  static const enum hd_mton_kind kinds[] = {HD_MTON_PAPER, HD_MTON_PADDED};
  for (int i = 0; i < 4; i++) {
    uint32_t of, n = count(results, &(struct cases){i / 2, kinds[i % 2], false, true},
                           contradicts_checker, &of);
    hd_study_check(
        s, of, n, STUDY_AT_MOST, 0,
        "%s, %s tables: cases of %u in which RTL blocks flits and it says no, or the reverse",
        routings[i / 2], hd_mton_kind_name(kinds[i % 2]), of);
  }
}

static void judge_padded(const void *results, statement *s)
{
  for (int d = 0; d < 2; d++) {
    uint32_t of, n = count(results, &(struct cases){d, HD_MTON_PADDED, false, true}, blocks, &of);
    hd_study_check(s, of, n, STUDY_AT_MOST, 0, "%s: cases of %u that block flits on RTL",
                   routings[d], of);
  }
}

const struct hd_study_judge mton_judges_of_contention[] = {
    {"table-1", judge_table_1},
    {"6-to-10", judge_6_to_10},
    {"6-to-10-d-mod-k", judge_6_to_10_by_destination},
    {"no-contention-up-to-N", judge_no_contention},
    {"groups", judge_groups},
    {"closed-form", judge_closed_form},
    {"checker", judge_checker},
    {"padded", judge_padded},
    {0}};
