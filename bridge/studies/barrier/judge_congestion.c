/* Statements about congestion: Figs. 13 and 15.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "judge.h"

/* Returns the largest mean over the smallest one along the axis, up to most_x; 0 if a point was
 * not measured. */
static double spread(const struct barrier_results *r, const struct barrier_panel *p,
                     enum barrier_scheme scheme, uint32_t most_x)
{
  double least = 0, most = 0;
  for (uint32_t i = 0; i < p->n_xs && p->xs[i] <= most_x; i++) {
    struct barrier_value v = at(r, p, scheme, BARRIER_LATER, p->xs[i]);
    if (!v.n || v.endless)
      return 0;
    least = i && least < v.mean ? least : v.mean;
    most = v.mean > most ? v.mean : most;
  }
  return most / least;
}

/* Adds a check for one panel and curve: how much the curve changes along the axis. */
static void check_spread(const struct barrier_results *r, statement *s,
                         const struct barrier_panel *p, enum barrier_scheme scheme, uint32_t most_x,
                         enum hd_study_sense sense, double bound)
{
  double measured = spread(r, p, scheme, most_x);
  hd_study_check(s, measured > 0, measured, sense, bound, "%s: %s", p->title,
                 barrier_scheme_name(scheme));
}

static void flat_by_duration(const struct barrier_results *r, statement *s, const char *figure,
                             enum barrier_scheme scheme)
{
  EACH_PANEL(r, p, figure)
  if (p->axis == BARRIER_BY_CONGESTION)
    check_spread(r, s, p, scheme, largest_x(p), STUDY_AT_MOST, almost_constant);
}

/* The trees of [4] and [5] are in the switches, and their barrier messages queue (scheme
 * queued). Trees in software are left out: start-up times hide their congestion. */
static void trees_by_duration(const struct barrier_results *r, statement *s, const char *figure)
{
  EACH_PANEL(r, p, figure)
  if (p->axis == BARRIER_BY_CONGESTION)
    check_spread(r, s, p, BARRIER_QUEUED, largest_x(p), STUDY_AT_LEAST, dramatic);
}

/* The paper says that congestion of 0, 1 and 10 cycles gives nearly the same time. */
static void short_congestion(const struct barrier_results *r, statement *s, const char *figure)
{
  EACH_PANEL(r, p, figure)
  if (p->axis == BARRIER_BY_CONGESTION) {
    check_spread(r, s, p, BARRIER_ANY, 10, STUDY_AT_MOST, almost_constant);
    check_spread(r, s, p, BARRIER_QUEUED, 10, STUDY_AT_MOST, almost_constant);
  }
}

static void judge_short_congestion_of_fig13(const void *results, statement *s)
{
  short_congestion(results, s, "fig13");
}

static void judge_short_congestion_of_fig15(const void *results, statement *s)
{
  short_congestion(results, s, "fig15");
}

static void judge_ours_is_flat_in_fig13(const void *results, statement *s)
{
  flat_by_duration(results, s, "fig13", BARRIER_ANY);
}

static void judge_ours_is_flat_in_fig15(const void *results, statement *s)
{
  flat_by_duration(results, s, "fig15", BARRIER_ANY);
}

static void judge_trees_change_in_fig13(const void *results, statement *s)
{
  trees_by_duration(results, s, "fig13");
}

static void judge_trees_change_in_fig15(const void *results, statement *s)
{
  trees_by_duration(results, s, "fig15");
}

static void judge_number_of_congested(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "fig13")
  if (p->axis == BARRIER_BY_CONGESTED) {
    check_spread(r, s, p, BARRIER_ANY, largest_x(p), STUDY_AT_MOST, almost_constant);
    check_spread(r, s, p, BARRIER_QUEUED, largest_x(p), STUDY_AT_MOST, almost_constant);
  }
}

/* A curve is not flat if its last point has runs that did not end in time. */
static void flat_by_load(const struct barrier_results *r, statement *s,
                         const struct barrier_panel *p, enum barrier_scheme scheme)
{
  struct barrier_value last = at(r, p, scheme, BARRIER_LATER, largest_x(p));
  double measured = spread(r, p, scheme, largest_x(p));
  if (last.endless)
    hd_study_check(s, true, last.endless, STUDY_AT_MOST, 0,
                   "%s, load %.3f: %s: runs without an end in time", p->title,
                   barrier_axis_value(p, largest_x(p)), barrier_scheme_name(scheme));
  else
    hd_study_check(s, measured > 0, measured, STUDY_AT_MOST, almost_constant, "%s: %s", p->title,
                   barrier_scheme_name(scheme));
}

static void flat_under_data(const struct barrier_results *r, statement *s,
                            enum barrier_scheme scheme)
{
  EACH_PANEL(r, p, "data")
  flat_by_load(r, s, p, scheme);
}

static void judge_independent_of_data(const void *results, statement *s)
{
  flat_under_data(results, s, BARRIER_ANY);
}

/* Compares loads below saturation only. Beyond saturation, a latency says only how long the run
 * was. Scheme queued counts as saturated when its latency is three times that at the lowest
 * load, or when its barriers do not end. */
static void judge_data_hardly_notice(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  EACH_PANEL(r, p, "data")
  for (uint32_t i = 1; i < p->n_xs; i++) {
    const struct barrier_value idle = at(r, p, BARRIER_QUEUED, BARRIER_DATA, p->xs[1]);
    const struct barrier_value queued = at(r, p, BARRIER_QUEUED, BARRIER_DATA, p->xs[i]);
    const struct barrier_value ours = at(r, p, BARRIER_ANY, BARRIER_DATA, p->xs[i]);
    if (queued.endless || (idle.n && queued.n && queued.mean >= 3 * idle.mean))
      break;
    hd_study_check(s, idle.n && queued.n && ours.n, ratio_over(ours, queued), STUDY_AT_MOST,
                   almost_constant, "%s, load %.3f: latency of data, ours over queued", p->title,
                   barrier_axis_value(p, p->xs[i]));
  }
}

static void judge_second_switch(const void *results, statement *s)
{
  flat_by_duration(results, s, "fig13", BARRIER_FIXED);
  flat_by_duration(results, s, "fig15", BARRIER_FIXED);
  flat_under_data(results, s, BARRIER_FIXED);
}

/* Figs. 13 and 15 say nothing about this switch: all channels of their congested links are
 * blocked, so p_f is 1 there. */
static void judge_third_switch(const void *results, statement *s)
{
  flat_under_data(results, s, BARRIER_MOVING);
}

/* Tests whether RTL and model differ in any number. Neither has numbers if the barriers do not
 * end in time. */
static bool is_off(const struct barrier_outcome *rtl, const struct barrier_outcome *model)
{
  return rtl->finished != model->finished || rtl->first != model->first ||
         rtl->later != model->later || rtl->most != model->most || rtl->renewed != model->renewed;
}

/* Compares the runs of the first seed. A run with RTL in lockstep ends only if no cycle differs. */
static void panel_on_rtl(const struct barrier_results *r, statement *s,
                         const struct barrier_panel *p, enum barrier_scheme scheme)
{
  uint32_t off = 0;
  bool known = true;
  for (uint32_t i = 0; i < p->n_xs; i++) {
    struct barrier_config config = barrier_panel_config(p, scheme, p->xs[i]);
    const struct barrier_cell *model = barrier_book_find(r->book, &config);
    config.rtl = 1;
    const struct barrier_cell *rtl = barrier_book_find(r->book, &config);
    known = known && rtl && model && rtl->outcomes[0].done && model->outcomes[0].done;
    off += known && is_off(&rtl->outcomes[0], &model->outcomes[0]);
  }
  hd_study_check_within(s, known, off, 0, 0,
                        "%s (%s), %s: of %u points on RTL, those that are not the model's",
                        p->figure, p->name, barrier_scheme_name(scheme), p->n_xs);
}

static void judge_rtl_is_the_model(const void *results, statement *s)
{
  const struct barrier_results *r = results;
  for (const struct barrier_panel *p = r->panels; p < r->panels + r->n_panels; p++)
    for (uint32_t scheme = 0; scheme < BARRIER_SCHEMES; scheme++)
      if (barrier_panel_on_rtl(p, scheme))
        panel_on_rtl(r, s, p, (enum barrier_scheme)scheme);
}

const struct hd_study_judge barrier_judges_of_congestion[] = {
    {"short-congestion-irregular", judge_short_congestion_of_fig13},
    {"flat-under-congestion-irregular", judge_ours_is_flat_in_fig13},
    {"tree-changes-irregular", judge_trees_change_in_fig13},
    {"number-of-congested", judge_number_of_congested},
    {"short-congestion-mesh", judge_short_congestion_of_fig15},
    {"flat-under-congestion-mesh", judge_ours_is_flat_in_fig15},
    {"tree-changes-mesh", judge_trees_change_in_fig15},
    {"second-switch-is-stable", judge_second_switch},
    {"third-switch-is-stable", judge_third_switch},
    {"independent-of-data", judge_independent_of_data},
    {"data-hardly-notice", judge_data_hardly_notice},
    {"rtl-is-the-model", judge_rtl_is_the_model},
    {0}};
