/* The paper's figures of latency: by packet in Experiment 1, by destination in Experiment 2.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../figure.h"

#include <inttypes.h>
#include <stdio.h>

/* A panel with one or two runs, and the latency that the paper's text gives for it, in us. */
static const struct panel {
  const char *title;
  enum mton_experiment runs[2];
  int n;
  double paper; /* 0: none */
} packets[] = {{"Fig. 7: one pair", {MTON_SINGLE_PACED}, 1, 0},
               {"Fig. 9: one hot spot, 2.4967 Gb/s each", {MTON_HOT_SPOT_SLOW}, 1, 0},
               {"Figs. 8 (receiver), 10: packets at once", {MTON_HOT_SPOT}, 1, 0},
               {"Fig. 11: 2-to-2", {MTON_2_TO_2, MTON_2_TO_2_SHUFFLED}, 2, 0}},
  destinations[] = {{"Fig. 12: unscheduled", {MTON_UNSCHEDULED}, 1, 34.784},
                    {"Fig. 13: virtual destinations in one table", {MTON_VIRTUAL}, 1, 0},
                    {"Fig. 14: four transactions", {MTON_PAPER}, 1, 1.484},
                    {"here: one merged table", {MTON_MERGED}, 1, 1.484}};
enum { PANELS = sizeof packets / sizeof *packets };

static void add_run(const struct mton_results *r, enum mton_experiment experiment, const char *name,
                    struct hd_text *csv, struct hd_text *gp)
{
  const struct mton_run *run = mton_find(r, experiment);
  uint32_t n = run && run->done ? mton_series(&run->config) : 0;
  hd_text_add(gp, "%s << EOD\n", name);
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t x = run->config.doubled ? run->config.first_destination + i : i;
    const double first = mton_latency_ns(r, run, run->series[0][i]) / 1000;
    hd_text_add(csv, "%s,%" PRIu32 ",%.3f,", mton_experiment_name(experiment), x, first);
    hd_text_add(gp, "%" PRIu32 " %.3f ", x, first);
    if (run->config.sources > 1) {
      const double second = mton_latency_ns(r, run, run->series[1][i]) / 1000;
      hd_text_add(csv, "%.3f", second);
      hd_text_add(gp, "%.3f", second);
    } else
      hd_text_add(gp, "NaN");
    hd_text_add(csv, "\n");
    hd_text_add(gp, "\n");
  }
  if (!n)
    hd_text_add(gp, "0 NaN NaN\n");
  hd_text_add(gp, "EOD\n");
}

static void add_panel(const struct mton_results *r, const struct panel *p, bool all, int number,
                      struct hd_text *csv, struct hd_text *gp)
{
  const char *const of[] = {all ? "least" : "source 0", all ? "largest" : "source 1"};
  char name[32];
  for (int i = 0; i < p->n; i++) {
    snprintf(name, sizeof name, "$p%d_%d", number, i);
    add_run(r, p->runs[i], name, csv, gp);
  }
  hd_text_add(gp, "set title '%s'\nplot ", p->title);
  for (int i = 0; i < p->n; i++) {
    const bool both = r->runs && mton_experiment(p->runs[i], r->quick).sources > 1;
    for (int k = 0; k < 1 + both; k++)
      hd_text_add(gp, "%s$p%d_%d using 1:%d with points lc %d pt %d ps 0.6 title '%s%s'",
                  i || k ? ", " : "", number, i, 2 + k, 1 + k + 2 * i, 4 + k + 2 * i,
                  p->n > 1 ? i ? "scheduled, " : "together, " : "", of[k]);
  }
  if (p->paper > 0) {
    hd_text_add(csv, "the paper: %s,,%g,\n", p->title, p->paper);
    hd_text_add(gp, ", %g with lines dt 2 lc 'black' title 'the paper: %g us'", p->paper, p->paper);
  }
  hd_text_add(gp, "\n");
}

static int write_figure(const struct mton_results *r, const char *name, const struct panel *panels,
                        bool all, const char *directory, struct hd_error *err)
{
  struct hd_text csv = {0}, gp = {0};
  hd_study_figure_begin(&gp, "make reproduce-m-to-n", name, PANELS);
  hd_text_add(&gp,
              "set xlabel '%s'\nset ylabel 'latency, us'\nset key below maxcols 2 width -4\n"
              "set bmargin 7\nset offsets graph 0, graph 0, graph 0.1, graph 0\n%s",
              all ? "destination" : "packet of the source",
              all ? "set logscale y\nset yrange [1:400]\n" : "set yrange [0:*]\n");
  hd_text_add(&csv, "run,%s\n",
              all ? "destination,least_latency_us,largest_latency_us"
                  : "packet,latency_us_of_source_0,latency_us_of_source_1");
  for (int i = 0; i < PANELS; i++)
    add_panel(r, &panels[i], all, i, &csv, &gp);
  return hd_study_figure_end(directory, name, &csv, &gp, err);
}

int mton_write_figures(const void *results, const char *directory, struct hd_error *err)
{
  const struct mton_results *r = results;
  int status = mton_write_csv(r, directory, err);
  if (!status)
    status = write_figure(r, "packets", packets, false, directory, err);
  return status ? status : write_figure(r, "destinations", destinations, true, directory, err);
}
