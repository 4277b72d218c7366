/* The figures' numbers as CSV, and their plots by gnuplot.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const measure_names[] = {"first", "later", "longest", "renewed", "data"};
static const char *const formula_names[] = {"", "BS_I", "BS_II", "BS_III", "Tree"};

static void begin(struct hd_text *gp, const char *figure, uint32_t panels)
{
  hd_study_figure_begin(gp, "make reproduce-barrier", figure, panels);
  hd_text_add(gp, "set logscale y\nset ylabel 'cycles'\nset bmargin 7\n");
}

/* ── Fig. 11 ───────────────────────────────────────────────────────────────── */

enum { LEAST_PREEMPT = 6, MOST_PREEMPT = 10 };

static void analytic_plot(struct hd_text *gp, const struct barrier_analytic_panel *panel)
{
  hd_text_add(gp, "$a << EOD\n");
  for (uint32_t i = 0; i < BARRIER_DELTAS; i++) {
    hd_text_add(gp, "%g", barrier_analytic_delta(i));
    for (int column = 0; column < 2 * BARRIER_ANALYTIC_CASES; column++)
      hd_text_add(gp, " %.3f",
                  barrier_analytic(panel->levels, MOST_PREEMPT, barrier_analytic_delta(i),
                                   1 + column / 2, column % 2));
    hd_text_add(gp, "\n");
  }
  hd_text_add(gp, "EOD\nset title '(%s) L = %g, T_p = %d'\nset xlabel 'Delta, cycles'\nplot",
              panel->name, panel->levels, MOST_PREEMPT);
  for (int f = 1; f <= BARRIER_ANALYTIC_CASES; f++)
    hd_text_add(gp,
                " $a using 1:%d with lines lc %d title '%s, as printed',"
                " $a using 1:%d with lines lc %d dt 2 title '%s, counted once'%s",
                2 * f, f, formula_names[f], 2 * f + 1, f, formula_names[f],
                f < BARRIER_ANALYTIC_CASES ? "," : "\n");
}

static int write_analytic(const char *directory, struct hd_error *err)
{
  struct hd_text csv = {0}, gp = {0};
  hd_text_add(&csv, "panel,levels,preempt_cycles,delta_cycles,scheme,printed_cycles,once_cycles\n");
  begin(&gp, "fig11", 2);
  for (uint32_t p = 0; p < 2; p++) {
    const struct barrier_analytic_panel *panel = &barrier_analytic_panels[p];
    analytic_plot(&gp, panel);
    for (int preempt = LEAST_PREEMPT; preempt <= MOST_PREEMPT; preempt++)
      for (uint32_t i = 0; i < BARRIER_DELTAS; i++)
        for (int f = 1; f <= BARRIER_ANALYTIC_CASES; f++) {
          double delta = barrier_analytic_delta(i);
          hd_text_add(&csv, "%s,%g,%d,%g,%s,%.3f,%.3f\n", panel->name, panel->levels, preempt,
                      delta, formula_names[f],
                      barrier_analytic(panel->levels, preempt, delta, f, false),
                      barrier_analytic(panel->levels, preempt, delta, f, true));
        }
  }
  return hd_study_figure_end(directory, "fig11", &csv, &gp, err);
}

/* ── simulated figures ─────────────────────────────────────────────────────── */

static void seed_1_csv(const struct barrier_cell *cell, enum barrier_measure measure,
                       struct hd_text *csv)
{
  const bool there = cell && cell->outcomes[0].done && cell->outcomes[0].finished;
  hd_text_add(csv, ",");
  if (there)
    hd_text_add(csv, "%.3f", barrier_outcome_value(&cell->outcomes[0], measure));
}

static void panel_csv(const struct barrier_results *r, const struct barrier_panel *p,
                      struct hd_text *csv)
{
  for (uint32_t c = 0; c < p->n_curves; c++)
    for (uint32_t i = 0; i < p->n_xs; i++) {
      struct barrier_config k = barrier_panel_config(p, p->curves[c].scheme, p->xs[i]);
      struct barrier_value v = barrier_book_value(r->book, &k, p->curves[c].measure);
      const struct barrier_cell *cell = barrier_book_find(r->book, &k);
      k.rtl = 1;
      const struct barrier_cell *rtl = barrier_book_find(r->book, &k);
      hd_text_add(csv,
                  "%s,%s,%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
                  ",%.3f,%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32,
                  p->name, barrier_scheme_name(k.scheme), measure_names[p->curves[c].measure],
                  k.switches, k.startup, k.members, k.congested, k.congestion,
                  k.load_permille / 1000.0, k.rounds, cell ? cell->outcomes[0].key : "", v.n,
                  v.endless);
      if (v.n)
        hd_text_add(csv, ",%.3f,%.3f,%.3f", v.mean, v.least, v.most);
      else
        hd_text_add(csv, ",,,");
      seed_1_csv(cell, p->curves[c].measure, csv);
      seed_1_csv(rtl, p->curves[c].measure, csv);
      hd_text_add(csv, "\n");
    }
}

/* Writes the curve's points as a data block of gnuplot. Returns false when the curve has no
 * points. */
static bool curve_plot(const struct barrier_results *r, const struct barrier_panel *p, uint32_t c,
                       struct hd_text *gp)
{
  bool any = false;
  hd_text_add(gp, "$%s%" PRIu32 " << EOD\n", p->name, c);
  for (uint32_t i = 0; i < p->n_xs; i++) {
    struct barrier_config k = barrier_panel_config(p, p->curves[c].scheme, p->xs[i]);
    struct barrier_value v = barrier_book_value(r->book, &k, p->curves[c].measure);
    if (v.n)
      hd_text_add(gp, "%g %.3f %.3f %.3f\n", barrier_axis_value(p, p->xs[i]), v.mean, v.least,
                  v.most);
    any = any || v.n;
  }
  hd_text_add(gp, "EOD\n");
  return any;
}

/* Writes the points on RTL of all curves as a data block. Returns false if there are none. */
static bool rtl_plot(const struct barrier_results *r, const struct barrier_panel *p,
                     struct hd_text *gp)
{
  bool any = false;
  hd_text_add(gp, "$%srtl << EOD\n", p->name);
  for (uint32_t c = 0; c < p->n_curves; c++)
    for (uint32_t i = 0; i < p->n_xs; i++) {
      struct barrier_config k = barrier_panel_config(p, p->curves[c].scheme, p->xs[i]);
      k.rtl = 1;
      const struct barrier_cell *cell = barrier_book_find(r->book, &k);
      if (!cell || !cell->outcomes[0].done || !cell->outcomes[0].finished)
        continue;
      hd_text_add(gp, "%g %.3f\n", barrier_axis_value(p, p->xs[i]),
                  barrier_outcome_value(&cell->outcomes[0], p->curves[c].measure));
      any = true;
    }
  hd_text_add(gp, "EOD\n");
  return any;
}

/* Every second curve is dashed, so that both are seen where one lies on the other. */
static void panel_plot(const struct barrier_results *r, const struct barrier_panel *p,
                       struct hd_text *gp)
{
  struct hd_text plot = {0};
  for (uint32_t c = 0; c < p->n_curves; c++)
    if (curve_plot(r, p, c, gp))
      hd_text_add(&plot,
                  "%s $%s%" PRIu32 " using 1:2:3:4 with yerrorlines lc %" PRIu32 " pt %" PRIu32
                  " ps 0.6 lw 2 dt %d title '%s'",
                  plot.length ? "," : "", p->name, c, c + 1, c + 4, c % 2 ? 2 : 1,
                  p->curves[c].label);
  if (plot.length && p->paper_first > 0) /* curve 0 has the later rounds */
    hd_text_add(&plot, ", $%s0 using 1:(%g*$2) with lines dt 3 lc 'black' title 'paper: twice'",
                p->name, p->paper_first);
  if (rtl_plot(r, p, gp))
    hd_text_add(&plot, "%s $%srtl using 1:2 with points lc 'black' pt 2 ps 0.5 title 'RTL, seed 1'",
                plot.length ? "," : "", p->name);
  if (p->paper)
    hd_text_add(gp,
                "set arrow 1 from %" PRIu32 ", graph 0 to %" PRIu32 ", graph 1 nohead dt 2\n"
                "set label 1 'the paper: %s' at %" PRIu32 ", graph 0.68 left offset 0.5,0\n",
                p->paper, p->paper, p->paper_says, p->paper);
  else
    hd_text_add(gp, "unset arrow\nunset label\n");
  hd_text_add(gp, "set title '(%s) %s'\nset xlabel '%s'\n%s logscale x\nplot%s\n", p->name,
              p->title, barrier_axis_text(p->axis), p->logarithmic_x ? "set" : "unset",
              plot.length ? hd_text_chars(&plot) : " [1:2] [1:2] NaN title 'not measured'");
  hd_text_fini(&plot);
}

int barrier_write_figures(const void *results, const char *directory, struct hd_error *err)
{
  const struct barrier_results *r = results;
  int status = write_analytic(directory, err);
  for (uint32_t i = 0; i < r->n_panels;) { /* CSV files are written even without gnuplot */
    const char *figure = r->panels[i].figure;
    struct hd_text csv = {0}, gp = {0};
    uint32_t end = i;
    while (end < r->n_panels && !strcmp(r->panels[end].figure, figure))
      end++;
    begin(&gp, figure, end - i);
    hd_text_add(&csv, "panel,scheme,rounds_measured,switches,startup_cycles,members,congested,"
                      "congestion_cycles,load,rounds,run_of_seed_1,runs,endless,mean_cycles,"
                      "least_cycles,most_cycles,model_of_seed_1_cycles,rtl_of_seed_1_cycles\n");
    for (; i < end; i++) {
      panel_csv(r, &r->panels[i], &csv);
      panel_plot(r, &r->panels[i], &gp);
    }
    int finished = hd_study_figure_end(directory, figure, &csv, &gp, status ? NULL : err);
    status = status ? status : finished;
  }
  return status;
}
