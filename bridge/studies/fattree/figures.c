/* The figures: panels of curves over the load.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include "../../host/file.h"
#include "../figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct line {
  const char *network, *routing;
};

static const struct line topologies[] = {
    {"mesh-4x4", "dimension-order"}, {"mesh-8x4", "dimension-order"},
    {"mesh-8x8", "dimension-order"}, {"fat-tree-4", "adaptive"},
    {"fat-tree-6", "adaptive"},      {"fat-tree-8", "adaptive"},
    {"fat-tree-8", "position"},      {0}};
static const struct line tree_4[] = {
    {"fat-tree-4", "position"}, {"fat-tree-4", "minimal"}, {"fat-tree-4", "adaptive"}, {0}};
static const struct line tree_6[] = {
    {"fat-tree-6", "position"}, {"fat-tree-6", "minimal"}, {"fat-tree-6", "adaptive"}, {0}};
static const struct line tree_8[] = {
    {"fat-tree-8", "position"}, {"fat-tree-8", "minimal"}, {"fat-tree-8", "adaptive"}, {0}};
static const struct line edge_8[] = {
    {"edge-8", "position"}, {"edge-8", "minimal"}, {"edge-8", "adaptive"}, {0}};
static const struct line small[] = {{"mesh-4x4", "dimension-order"}, {"mesh-4x4", "adaptive"},
                                    {"fat-tree-4", "position"},      {"fat-tree-4", "minimal"},
                                    {"fat-tree-4", "adaptive"},      {0}};
static const struct line large[] = {{"mesh-8x8", "dimension-order"}, {"mesh-8x8", "adaptive"},
                                    {"fat-tree-8", "position"},      {"fat-tree-8", "minimal"},
                                    {"fat-tree-8", "adaptive"},      {0}};
static const struct line square[] = {{"mesh-8x8", "dimension-order"}, {"mesh-8x8", "adaptive"},
                                     {"fat-tree-4", "position"},      {"fat-tree-4", "minimal"},
                                     {"fat-tree-4", "adaptive"},      {0}};

/* Panels of the figures. Each pair shows latency and accepted traffic. */
static const struct pair {
  const char *figure, *title;
  enum fattree_traffic traffic;
  const struct line *lines; /* the last one has no network */
} pairs[] = {
    {"topologies", "uniform traffic", FATTREE_UNIFORM, topologies},
    {"routings", "FatTree of 4 pods", FATTREE_UNIFORM, tree_4},
    {"routings", "FatTree of 6 pods", FATTREE_UNIFORM, tree_6},
    {"routings", "FatTree of 8 pods", FATTREE_UNIFORM, tree_8},
    {"routings", "8 pods, one node an edge switch", FATTREE_UNIFORM, edge_8},
    {"traffic", "permutations, 16 nodes", FATTREE_PERMUTATION, small},
    {"traffic", "permutations, 64 and 128 nodes", FATTREE_PERMUTATION, large},
    {"traffic", "hot spot, 64 and 128 nodes", FATTREE_HOT_SPOT, large},
    {"traffic", "transposition, 64 and 16 nodes", FATTREE_TRANSPOSE, square},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static double number(double value)
{
  return isfinite(value) ? value : 0;
}

/* ── CSV ───────────────────────────────────────────────────────────────────── */

static void csv_head(struct hd_text *csv)
{
  hd_text_add(csv, "network,routing,traffic,load,run_of_seed_1,runs,saturated,offered,accepted,"
                   "accepted_ci95,latency_cycles,latency_ci95,blocked_flit_cycles_a_packet\n");
}

static void csv_curve(const struct fattree_results *r, const struct fattree_curve *curve,
                      struct hd_text *csv)
{
  for (uint32_t i = 0; i < r->n_loads; i++) {
    const struct fattree_point *p = &curve->points[i];
    struct hd_mean latency = fattree_latency(r, p), accepted = fattree_accepted(r, p);
    hd_text_add(csv, "%s,%s,%s,%g,%s,%zu,", fattree_networks[curve->network].name,
                fattree_routings[curve->routing].name, fattree_traffic_name(curve->traffic),
                p->load_permille / 1000.0, p->key, latency.n);
    if (latency.n)
      hd_text_add(csv, "%d,%.5f,%.5f,%.5f,%.3f,%.3f,%.3f\n", fattree_saturated(r, p),
                  fattree_offered(r, p).mean, accepted.mean, number(accepted.half_width),
                  latency.mean, number(latency.half_width), fattree_blocked(r, p).mean);
    else
      hd_text_add(csv, ",,,,,,\n");
  }
}

/* ── gnuplot ───────────────────────────────────────────────────────────────── */

/* Adds load, mean and half width of the confidence interval. A curve of latencies ends at the
 * first load that saturates: beyond it, a latency says only how long the run was. */
static void plot_line(const struct fattree_results *r, const struct fattree_curve *curve,
                      bool latency, const char *block, struct hd_text *gp)
{
  hd_text_add(gp, "%s << EOD\n", block);
  for (uint32_t i = 0; i < r->n_loads; i++) {
    const struct fattree_point *point = &curve->points[i];
    struct hd_mean mean = latency ? fattree_latency(r, point) : fattree_accepted(r, point);
    if (mean.n)
      hd_text_add(gp, "%g %.5f %.5f\n", point->load_permille / 1000.0, mean.mean,
                  number(mean.half_width));
    if (latency && fattree_saturated(r, point))
      break;
  }
  hd_text_add(gp, "EOD\n");
}

static void plot_panel(const struct fattree_results *r, const struct pair *p, bool latency,
                       struct hd_text *gp)
{
  struct hd_text plot = {0};
  int lines = 0;
  for (int c = 0; p->lines[c].network; c++) {
    const struct line *line = &p->lines[c];
    const struct fattree_curve *curve = fattree_find(r, line->network, line->routing, p->traffic);
    char block[32];
    if (!curve || !fattree_latency(r, &curve->points[0]).n)
      continue;
    snprintf(block, sizeof block, "$%s%d_%d", latency ? "l" : "a", (int)(p - pairs), c);
    plot_line(r, curve, latency, block, gp);
    lines++;
    hd_text_add(&plot,
                "%s %s using 1:2:3 with yerrorlines lc %d pt %d ps 0.6 lw 1.5 title '%s, %s'",
                plot.length ? "," : "", block, c < 4 ? c + 1 : c + 2 /* no yellow */, c + 4,
                line->network, line->routing);
  }
  hd_text_add(gp, "set title '%s: %s'\nset xlabel 'load, flits/node/cycle'\nset ylabel '%s'\n",
              p->title, latency ? "latency" : "reception",
              latency ? "cycles, up to saturation" : "accepted, flits/node/cycle");
  hd_text_add(gp, "set bmargin %d\n%s\nplot [0:0.95]%s\n", lines + 5,
              latency ? "set logscale y\nset yrange [10:4000]\nset ytics autofreq"
                      : "unset logscale y\nset yrange [0:1]\nset ytics 0.2",
              plot.length ? hd_text_chars(&plot) : " NaN title 'not measured'");
  hd_text_fini(&plot);
}

/* Tests whether this run has a curve of the pair. A quick run does not have all. */
static bool planned(const struct fattree_results *r, const struct pair *p)
{
  bool any = false;
  for (const struct line *line = p->lines; line->network; line++)
    any = any || fattree_find(r, line->network, line->routing, p->traffic);
  return any;
}

/* Writes the figure that consists of the pairs from `first` to `end`, without `end`. */
static int write_figure(const struct fattree_results *r, int first, int end, const char *directory,
                        struct hd_error *err)
{
  struct hd_text csv = {0}, gp = {0};
  uint32_t panels = 0;
  for (const struct pair *p = &pairs[first]; p < &pairs[end]; p++)
    panels += planned(r, p) ? 2 : 0;
  hd_study_figure_begin(&gp, "make reproduce-fat-tree", pairs[first].figure, panels);
  hd_text_add(&gp, "set key below maxcols 1 font ',9' samplen 2\nset errorbars 0\nset xtics 0.2\n");
  csv_head(&csv);
  for (const struct pair *p = &pairs[first]; p < &pairs[end]; p++) {
    if (!planned(r, p))
      continue;
    plot_panel(r, p, true, &gp);
    plot_panel(r, p, false, &gp);
    for (const struct line *line = p->lines; line->network; line++) {
      const struct fattree_curve *curve = fattree_find(r, line->network, line->routing, p->traffic);
      if (curve)
        csv_curve(r, curve, &csv);
    }
  }
  return hd_study_figure_end(directory, pairs[first].figure, &csv, &gp, err);
}

int fattree_write_figures(const void *results, const char *directory, struct hd_error *err)
{
  const struct fattree_results *r = results;
  struct hd_text all = {0};
  csv_head(&all);
  for (uint32_t i = 0; i < r->n; i++)
    csv_curve(r, &r->curves[i], &all);
  int status = hd_text_write(directory, "points.csv", &all, err);
  for (int i = 0, end; i < PAIRS; i = end) {
    for (end = i; end < PAIRS && !strcmp(pairs[end].figure, pairs[i].figure); end++)
      ;
    int written = write_figure(r, i, end, directory, status ? NULL : err);
    status = status ? status : written;
  }
  return status;
}
