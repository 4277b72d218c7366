/* Statements about group size and start-up: Figs. 12 and 14.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "judge.h"

static const double negligible = 1.1; /* largest ratio of the first round to a later one */
static const double much_less = 0.75;
static const double quarter = 0.25;
/* Ratio of the cycles that a member adds: beyond the threshold over before it. */
static const double bend = 2;

/* ── Figs. 12 and 14: size and start-up ────────────────────────────────────── */

static void judge_small_groups_start_cheaply(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "fig12")
  {
    struct barrier_value first = at(r, p, BARRIER_ANY, BARRIER_FIRST, p->xs[0]);
    struct barrier_value later = at(r, p, BARRIER_ANY, BARRIER_LATER, p->xs[0]);
    hd_study_check(s, first.n, ratio_over(first, later), STUDY_AT_MOST, negligible,
                   "%s, %u members: first over later", p->title, p->xs[0]);
  }
}

/* Computes the initialization overhead: cycles of the first round less those of a later one. */
static bool overhead(const struct barrier_results *r, const struct barrier_panel *p, uint32_t x,
                     double *cycles)
{
  struct barrier_value first = at(r, p, BARRIER_ANY, BARRIER_FIRST, x);
  struct barrier_value later = at(r, p, BARRIER_ANY, BARRIER_LATER, x);
  *cycles = first.mean - later.mean;
  return first.n && later.n;
}

static void large_groups_start_dearly(const struct barrier_results *r, statement *s,
                                      const char *figure)
{
  EACH_PANEL(r, p, figure)
  {
    double least = 0, most = 0;
    const bool known = overhead(r, p, p->xs[0], &least) && overhead(r, p, largest_x(p), &most);
    hd_study_check(s, known, most / (least > 1 ? least : 1), STUDY_AT_LEAST, dramatic,
                   "%s: first less later (%.0f cycles, %.0f), %u over %u members", p->title, most,
                   least, largest_x(p), p->xs[0]);
  }
}

static void judge_large_groups_of_fig12(const void *results, statement *s)
{
  large_groups_start_dearly(results, s, "fig12");
}

static void judge_large_groups_of_fig14(const void *results, statement *s)
{
  large_groups_start_dearly(results, s, "fig14");
}

static void judge_first_is_twice_at_most(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  double worst = 0;
  bool known = true;
  EACH_PANEL(r, p, "fig12")
  for (uint32_t i = 0; i < p->n_xs; i++) {
    struct barrier_value first = at(r, p, BARRIER_ANY, BARRIER_FIRST, p->xs[i]);
    struct barrier_value later = at(r, p, BARRIER_ANY, BARRIER_LATER, p->xs[i]);
    known = known && first.n && later.n;
    worst = ratio_over(first, later) > worst ? ratio_over(first, later) : worst;
  }
  hd_study_check_near(s, known && worst > 0, worst, 2, quarter,
                      "all networks, groups and start-ups: largest first over later");
}

static void judge_first_is_less_than_tree(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  static const enum barrier_scheme trees[] = {BARRIER_QUEUED, BARRIER_SO_TREE};
  EACH_PANEL(r, p, "fig12")
  for (int i = 0; i < 2; i++) {
    struct barrier_value first = at(r, p, BARRIER_ANY, BARRIER_FIRST, largest_x(p));
    struct barrier_value tree = at(r, p, trees[i], BARRIER_LATER, largest_x(p));
    hd_study_check(s, first.n && tree.n, ratio_over(first, tree), STUDY_AT_MOST, much_less,
                   "%s, all: first of ours over %s", p->title,
                   i ? "the software tree" : "later ones of queued");
  }
}

static void judge_star_is_worse(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "fig12")
  {
    bool known = true;
    double least = 0;
    for (uint32_t i = 0; i < p->n_xs; i++) {
      struct barrier_value star = at(r, p, BARRIER_STAR, BARRIER_LATER, p->xs[i]);
      struct barrier_value ours = at(r, p, BARRIER_ANY, BARRIER_LATER, p->xs[i]);
      known = known && star.n && ours.n;
      least = i && least < ratio_over(star, ours) ? least : ratio_over(star, ours);
    }
    hd_study_check(s, known, least, STUDY_AT_LEAST, 1, "%s: smallest star over ours", p->title);
  }
}

/* Returns the cycles that each further member adds between two sizes. */
static double slope(const struct barrier_results *r, const struct barrier_panel *p,
                    enum barrier_scheme scheme, uint32_t from, uint32_t to)
{
  return (at(r, p, scheme, BARRIER_LATER, to).mean - at(r, p, scheme, BARRIER_LATER, from).mean) /
         (to - from);
}

static void bends_beyond_720(const struct barrier_results *r, statement *s,
                             enum barrier_scheme scheme, enum hd_study_sense sense,
                             const char *name)
{
  enum { LEAST = 240, THRESHOLD = 720 };
  EACH_PANEL(r, p, "fig12")
  {
    if (largest_x(p) <= THRESHOLD)
      continue;
    double before = slope(r, p, scheme, LEAST, THRESHOLD);
    double beyond = slope(r, p, scheme, THRESHOLD, largest_x(p));
    bool known = at(r, p, scheme, BARRIER_LATER, LEAST).n &&
                 at(r, p, scheme, BARRIER_LATER, THRESHOLD).n &&
                 at(r, p, scheme, BARRIER_LATER, largest_x(p)).n;
    /* A curve that hardly rises before the threshold, or falls, would seem to bend at any rise
     * after it. So slopes below this one count as this one. */
    double floor = 0.05;
    hd_study_check(s, known, (beyond > floor ? beyond : floor) / (before > floor ? before : floor),
                   sense, bend, "%s, %s: cycles a member beyond 720 over those from 240 to 720",
                   p->title, name);
  }
}

static void judge_trees_saturate(const void *results, statement *s)
{
  bends_beyond_720(results, s, BARRIER_QUEUED, STUDY_AT_LEAST, "queued");
  bends_beyond_720(results, s, BARRIER_SO_TREE, STUDY_AT_LEAST, "software tree");
}

static void judge_ours_does_not_saturate(const void *results, statement *s)
{
  bends_beyond_720(results, s, BARRIER_ANY, STUDY_AT_MOST, "ours");
}

/* Compares a start-up time of 1000 with one of 100. The panel with 1000 follows the one with
 * 100. */
static void startup_is_paid_once(const struct barrier_results *r, statement *s, const char *figure)
{
  static const enum barrier_scheme schemes[] = {BARRIER_ANY, BARRIER_QUEUED};
  EACH_PANEL(r, p, figure)
  {
    if (p->base.startup != 100)
      continue;
    for (int i = 0; i < 2; i++) {
      struct barrier_value little = at(r, p, schemes[i], BARRIER_LATER, largest_x(p));
      struct barrier_value much = at(r, p + 1, schemes[i], BARRIER_LATER, largest_x(p));
      hd_study_check_within(s, little.n && much.n, (much.mean - little.mean) / 900, 1 - tenth,
                            1 + tenth,
                            "%s to 1000, all members, %s: rise over that of the start-up", p->title,
                            barrier_scheme_name(schemes[i]));
    }
  }
}

static void judge_startup_of_fig12(const void *results, statement *s)
{
  startup_is_paid_once(results, s, "fig12");
}

static void judge_startup_of_fig14(const void *results, statement *s)
{
  startup_is_paid_once(results, s, "fig14");
}

/* Scheme queued stands for [5], which is in the switches, too. The program barrier-cs-tree does
 * not: it pays a start-up at each level of its tree. */
static void judge_ours_approaches_cs(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "fig14")
  {
    struct barrier_value ours = at(r, p, BARRIER_ANY, BARRIER_LATER, largest_x(p));
    struct barrier_value theirs = at(r, p, BARRIER_QUEUED, BARRIER_LATER, largest_x(p));
    hd_study_check_within(s, ours.n && theirs.n, ratio_over(ours, theirs), 1 - quarter, 1 + quarter,
                          "%s, all: ours over queued", p->title);
  }
}

/* ── the tree ──────────────────────────────────────────────────────────────── */

static void judge_tree_is_built(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  uint32_t groups = 0, without = 0;
  bool known = true;
  for (uint32_t i = 0; i < r->book->n; i++) {
    const struct barrier_cell *cell = &r->book->cells[i];
    if (!barrier_scheme_in_network(cell->config.scheme) || cell->config.flits || cell->config.rtl)
      continue;
    for (uint32_t seed = 0; seed < r->book->seeds; seed++, groups++) {
      known = known && cell->outcomes[seed].done;
      without += cell->outcomes[seed].done && !cell->outcomes[seed].finished;
    }
  }
  hd_study_check(s, known && groups, without, STUDY_AT_MOST, 0,
                 "of %u groups on random networks and meshes, those without a tree that serves ten "
                 "later rounds",
                 groups);
}

static void judge_adaptive_delivery(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "faults")
  for (uint32_t c = 0; c < p->n_curves; c++)
    for (uint32_t i = 0; i < p->n_xs; i++) {
      struct barrier_value v = at(r, p, p->curves[c].scheme, BARRIER_LATER, p->xs[i]);
      struct barrier_value again = at(r, p, p->curves[c].scheme, BARRIER_RENEWED, p->xs[i]);
      hd_study_check(s, v.n || v.endless, again.mean * again.n + v.endless, STUDY_AT_MOST, 0,
                     "%s, %u members, %s: groups created anew, and runs without an end", p->title,
                     p->xs[i], barrier_scheme_name(p->curves[c].scheme));
    }
}

const struct hd_study_judge barrier_judges_of_size[] = {
    {"small-groups-start-cheaply", judge_small_groups_start_cheaply},
    {"large-groups-start-dearly", judge_large_groups_of_fig12},
    {"first-round-at-most-twice", judge_first_is_twice_at_most},
    {"first-round-less-than-tree", judge_first_is_less_than_tree},
    {"star-is-worse", judge_star_is_worse},
    {"tree-saturates-beyond-720", judge_trees_saturate},
    {"ours-does-not-saturate", judge_ours_does_not_saturate},
    {"start-up-irregular", judge_startup_of_fig12},
    {"start-up-mesh", judge_startup_of_fig14},
    {"mesh-center-is-bottleneck", judge_large_groups_of_fig14},
    {"approaches-cs-tree", judge_ours_approaches_cs},
    {"theorem-1", judge_tree_is_built},
    {"adaptive-delivery", judge_adaptive_delivery},
    {0}};
