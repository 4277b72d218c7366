/* Statements about the formulas: Fig. 11, Theorem 2.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "judge.h"

#include "../../../sw/analysis/barrier_analysis.h"

/* ── Fig. 11 ───────────────────────────────────────────────────────────────── */

static const double some_preempt = 8, last_delta = 50.0 * (BARRIER_DELTAS - 1);

static void judge_printed_is_theorem_2(const void *results, statement *s)
{
  (void)results;
  for (int i = 0; i < 2; i++) {
    double l = barrier_analytic_panels[i].levels, bound = 2 * 16 * (l - 1);
    hd_study_check(s, true, (barrier_analytic(l, 0, 0, 1, false) - 100) / bound, STUDY_AT_MOST, 1,
                   "L = %g: (1) with T_p = 0, less T_s, over 2 T_b (L-1), which is Theorem 2's", l);
  }
}

static void judge_two_do_not_depend_on_delta(const void *results, statement *s)
{
  (void)results;
  for (int i = 0; i < 2; i++)
    for (int f = 1; f <= 2; f++) {
      double l = barrier_analytic_panels[i].levels;
      hd_study_check(s, true,
                     barrier_analytic(l, some_preempt, last_delta, f, false) /
                         barrier_analytic(l, some_preempt, 0, f, false),
                     STUDY_AT_MOST, almost_constant, "L = %g: BS_%s at Delta %g over Delta 0", l,
                     f == 1 ? "I" : "II", last_delta);
    }
}

static void judge_tree_grows_faster(const void *results, statement *s)
{
  double growth[2];
  (void)results;
  for (int f = 3; f <= 4; f++)
    growth[f - 3] = barrier_analytic(10, some_preempt, last_delta, f, false) -
                    barrier_analytic(10, some_preempt, 0, f, false);
  hd_study_check(s, true, growth[1] / growth[0], STUDY_AT_LEAST, 10,
                 "growth of (4) over that of (3)");
}

static void judge_formulas_outperform(const void *results, statement *s)
{
  (void)results;
  for (int i = 0; i < 2; i++)
    for (int f = 1; f <= 3; f++) {
      double l = barrier_analytic_panels[i].levels;
      hd_study_check(s, true,
                     barrier_analytic(l, some_preempt, barrier_analytic_delta(1), 4, false) /
                         barrier_analytic(l, some_preempt, barrier_analytic_delta(1), f, false),
                     STUDY_AT_LEAST, 1, "L = %g, Delta %g: Tree over BS_%.*s", l,
                     barrier_analytic_delta(1), f, "III");
    }
}

/* ── Theorem 2 against measurement ─────────────────────────────────────────── */

/* Cycles of a hop by specification §8.5 with Table 1's timing (M = 2, D = 1, LINK = 2), plus two
 * cycles of the barrier unit. In a group of all nodes each switch is a BSR node, at which one
 * message ends and another one begins. */
static const double hop_cycles = 8 + 2;

/* Returns the mean of Theorem 2's bound over the seeds, for a group of all nodes; 0 if it is not
 * known. The link of the farthest member counts as one hop more. */
static double mean_bound(const struct barrier_results *r, const struct barrier_panel *p)
{
  struct barrier_config config = barrier_panel_config(p, BARRIER_ANY, p->base.switches);
  double sum = 0;
  for (uint32_t seed = 1; seed <= r->book->seeds; seed++) {
    uint32_t distance;
    if (barrier_distance(&config, seed, &distance, NULL))
      return 0;
    sum += hd_barrier_bound(hop_cycles, distance + 1);
  }
  return sum / r->book->seeds;
}

/* Calls `judge` for each network on which a group of all nodes was measured. */
static void each_network(const struct barrier_results *r, statement *s,
                         void (*judge)(statement *s, const struct barrier_panel *p, bool known,
                                       double measured, double bound))
{
  static const char *const figures[] = {"fig12", "fig14"};
  for (int i = 0; i < 2; i++)
    EACH_PANEL(r, p, figures[i])
    {
      if (p->base.startup != 100)
        continue;
      struct barrier_value ours = at(r, p, BARRIER_ANY, BARRIER_LATER, p->base.switches);
      double bound = ours.n ? mean_bound(r, p) : 0;
      judge(s, p, bound > 0, ours.mean, bound);
    }
}

static void by_theorem_2(statement *s, const struct barrier_panel *p, bool known, double measured,
                         double bound)
{
  const double ratio = (measured - p->base.startup) / bound;
  hd_study_check(s, known, ratio, STUDY_AT_MOST, 1,
                 "%s, all members: measured %.0f less T_s, over the bound %.0f", p->title, measured,
                 bound);
  hd_study_check_within(s, known, ratio, 1 - tenth, 1 + tenth, "%s: the same, as a number",
                        p->title);
}

static void judge_measured_by_theorem_2(const void *results, statement *s)
{
  each_network(results, s, by_theorem_2);
}

/* Returns the ratio of measured and predicted value, the larger one over the smaller one. */
static double off(double measured, double predicted)
{
  return measured > predicted ? measured / predicted : predicted / measured;
}

static void by_formula_printed(statement *s, const struct barrier_panel *p, bool known,
                               double measured, double bound)
{
  double predicted = p->base.startup + 2 * bound;
  hd_study_check(s, known, off(measured, predicted), STUDY_AT_MOST, 1 + tenth,
                 "%s, all members: measured %.0f, (1) as printed %.0f", p->title, measured,
                 predicted);
}

static void by_formula_once(statement *s, const struct barrier_panel *p, bool known,
                            double measured, double bound)
{
  double predicted = p->base.startup + bound;
  hd_study_check(s, known, off(measured, predicted), STUDY_AT_MOST, 1 + tenth,
                 "%s, all members: measured %.0f, (1) counted once %.0f", p->title, measured,
                 predicted);
}

static void judge_formula_printed(const void *results, statement *s)
{
  each_network(results, s, by_formula_printed);
}

static void judge_formula_once(const void *results, statement *s)
{
  each_network(results, s, by_formula_once);
}

/* Formula (4) predicts a rise of 2 (L-1) p times Delta. With half of the channels blocked and
 * three levels, that is twice Delta. */
static void judge_congestion_adds_up(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  static const char *const figures[] = {"fig13", "fig15"};
  for (int i = 0; i < 2; i++)
    EACH_PANEL(r, p, figures[i])
    {
      if (p->axis != BARRIER_BY_CONGESTION)
        continue;
      uint32_t from = p->xs[p->n_xs - 2], to = largest_x(p);
      struct barrier_value little = at(r, p, BARRIER_QUEUED, BARRIER_LATER, from);
      struct barrier_value much = at(r, p, BARRIER_QUEUED, BARRIER_LATER, to);
      hd_study_check(s, little.n && much.n, (much.mean - little.mean) / (to - from), STUDY_AT_LEAST,
                     2, "%s, queued: rise over that of Delta from %u to %u", p->title, from, to);
    }
}

const struct hd_study_judge barrier_judges_of_formulas[] = {
    {"formulas-as-printed", judge_printed_is_theorem_2},
    {"I-and-II-independent", judge_two_do_not_depend_on_delta},
    {"tree-grows-faster", judge_tree_grows_faster},
    {"formulas-outperform", judge_formulas_outperform},
    {"theorem-2-measured", judge_measured_by_theorem_2},
    {"formula-1-as-printed", judge_formula_printed},
    {"formula-1-counted-once", judge_formula_once},
    {"congestion-adds-up", judge_congestion_adds_up},
    {0}};
