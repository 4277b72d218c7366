/* plans.csv, runs.csv, and the figures: hops over sizes, group sizes, cycles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include "../../host/file.h"
#include "../figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS_K = 16 };

/* ── all data ──────────────────────────────────────────────────────────────── */

static void add_config(const struct coding_config *c, struct hd_text *csv)
{
  hd_text_add(csv, "%" PRIu32 ",%s,%s,%s,%" PRIu32 "x%" PRIu32 ",%" PRIu32 "x%" PRIu32, c->k,
              c->torus ? "torus" : "mesh", hd_coding_scheme_name(c->scheme),
              hd_coding_multicast_name(c->multicast), c->group[0], c->group[1], c->inner[0],
              c->inner[1]);
}

static void add_sources(const struct coding_config *c, struct hd_text *csv)
{
  hd_text_add(csv, ",%" PRIu32 ",%s", c->sources ? c->sources : c->k * c->k,
              !c->sources                  ? "all"
              : c->placed == CODING_SPREAD ? "spread"
                                           : "together");
}

static void add_plans(const struct coding_results *r, struct hd_text *csv)
{
  hd_text_add(csv, "k,topology,scheme,multicast,group,inner,sources,placed,step,level,formula_hops,"
                   "formula_sends,counted_hops,counted_sends\n");
  for (size_t i = 0; i < r->n_plans; i++) {
    const struct coding_plan *plan = &r->plans[i];
    for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
      for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
        if (!plan->done || !plan->formula.sends[level][step])
          continue;
        add_config(&plan->config, csv);
        add_sources(&plan->config, csv);
        hd_text_add(csv, ",%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64, hd_coding_step_name(step), level,
                    plan->formula.hops[level][step], plan->formula.sends[level][step]);
        if (plan->counted)
          hd_text_add(csv, ",%" PRIu64 ",%" PRIu64 "\n", plan->count.hops[level][step],
                      plan->count.sends[level][step]);
        else
          hd_text_add(csv, ",,\n");
      }
  }
}

static void add_runs(const struct coding_results *r, struct hd_text *csv)
{
  hd_text_add(
      csv, "k,topology,scheme,multicast,group,inner,flits,order,encode,xor_cycles,cycles,"
           "flit_hops,packets,sources,placed,decode,channels,cut_flits,combined_flits,dut,run\n");
  for (size_t i = 0; i < r->n_runs; i++) {
    const struct coding_run *run = &r->runs[i];
    const struct coding_run_config *c = &run->config;
    if (!run->done)
      continue;
    add_config(&c->plan, csv);
    const bool coded = c->plan.scheme == HD_CODING_CODED;
    hd_text_add(csv, ",%" PRIu32 ",%s,%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, c->flits,
                c->sequential ? "sequential" : "overlapping",
                !coded        ? ""
                : c->software ? "software"
                              : "hardware",
                c->xor_cycles, run->cycles, run->flit_hops, run->packets);
    add_sources(&c->plan, csv);
    hd_text_add(csv, ",%s,%s,%" PRIu32 ",%" PRIu32 ",verilator,%s\n",
                !coded        ? ""
                : c->restores ? "software"
                              : "hardware",
                c->own_channels ? "own" : "shared", c->cut_flits, c->combined_flits, run->key);
  }
}

/* ── curves ────────────────────────────────────────────────────────────────── */

struct curve {
  const char *title;
  bool (*value)(const struct coding_results *r, uint32_t x, uint32_t variant, double *y);
  uint32_t variant;
};

/* Adds one panel: a data block for each curve, for x = first, 2 first, … up to `last`. */
static void add_panel(const struct coding_results *r, const char *title, const char *x_label,
                      const struct curve *curves, uint32_t n, uint32_t first, uint32_t last,
                      struct hd_text *gp)
{
  bool any = false;
  for (uint32_t i = 0; i < n; i++) {
    hd_text_add(gp, "$c%" PRIu32 " << EOD\n", i);
    for (uint32_t x = first; x <= last; x *= 2) {
      double y;
      if (curves[i].value(r, x, curves[i].variant, &y)) {
        hd_text_add(gp, "%" PRIu32 " %.0f\n", x, y);
        any = true;
      } else
        hd_text_add(gp, "%" PRIu32 " NaN\n", x);
    }
    hd_text_add(gp, "EOD\n");
  }
  hd_text_add(gp, "set title '%s'\nset xlabel '%s'\nset xrange [%g:%g]\nplot ", title, x_label,
              first / 1.3, last * 1.3);
  if (!any) {
    hd_text_add(gp, "[0.5:1][1:2] NaN title 'not measured'\n");
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    hd_text_add(gp, "%s$c%" PRIu32 " with linespoints lc %" PRIu32 " pt %" PRIu32 " title '%s'",
                i ? ", " : "", i, i < 4 ? i + 1 : i + 2 /* no yellow */, i + 4, curves[i].title);
  hd_text_add(gp, "\n");
}

static bool hops_flat(const struct coding_results *r, uint32_t k, uint32_t multicast, double *y)
{
  const struct coding_config config = coding_flat(k, (enum hd_coding_multicast)multicast);
  return coding_hops(r, &config, HD_CODING_COUNT_ALL, y);
}

static bool hops_best(const struct coding_results *r, uint32_t k, uint32_t multicast, double *y)
{
  return coding_best(r, k, HD_CODING_CODED, (enum hd_coding_multicast)multicast, false, y, NULL);
}

static bool hops_plain(const struct coding_results *r, uint32_t k, uint32_t multicast, double *y)
{
  return coding_best(r, k, HD_CODING_PLAIN, (enum hd_coding_multicast)multicast, false, y, NULL);
}

static bool hops_f(const struct coding_results *r, uint32_t k, uint32_t multicast, double *y)
{
  const struct coding_config config = coding_grouped(
      k, HD_CODING_CODED, (enum hd_coding_multicast)multicast, coding_paper_members(k));
  return coding_hops(r, &config, HD_CODING_COUNT_F_ALONE, y);
}

static bool hops_floor(const struct coding_results *r, uint32_t k, uint32_t variant, double *y)
{
  (void)r;
  (void)variant;
  *y = (double)k * k * ((double)k * k - 1);
  return true;
}

static bool hops_groups(const struct coding_results *r, uint32_t members, uint32_t scheme,
                        double *y)
{
  const struct coding_config config =
      coding_grouped(GROUPS_K, (enum hd_coding_scheme)scheme, HD_CODING_TREE, members);
  return coding_hops(r, &config, HD_CODING_COUNT_ALL, y);
}

static bool cycles_groups(const struct coding_results *r, uint32_t members, uint32_t sequential,
                          double *y)
{
  const struct coding_run_config run =
      coding_run_of(coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE, members), sequential);
  return coding_cycles(r, &run, y);
}

static bool cycles_flat(const struct coding_results *r, uint32_t k, uint32_t multicast, double *y)
{
  const struct coding_run_config run =
      coding_run_of(coding_flat(k, (enum hd_coding_multicast)multicast), false);
  return coding_cycles(r, &run, y);
}

/* variant: enum hd_coding_multicast, plus 8 for one step after the other, plus 16 for no coding. */
static bool cycles_grouped(const struct coding_results *r, uint32_t k, uint32_t variant, double *y)
{
  const struct coding_run_config run = coding_run_of(
      coding_grouped(k, variant & 16 ? HD_CODING_PLAIN : HD_CODING_CODED,
                     (enum hd_coding_multicast)(variant & 7), coding_paper_members(k)),
      variant & 8);
  return coding_cycles(r, &run, y);
}

/* variant: 0 no groups, 1 coded, 2 coded with one step after the other, 3 from neighbour to
 * neighbour. */
static bool cycles_length(const struct coding_results *r, uint32_t flits, uint32_t variant,
                          double *y)
{
  struct coding_run_config run =
      coding_run_of(variant == 0   ? coding_flat(GROUPS_K, HD_CODING_TREE)
                    : variant == 3 ? coding_flat(GROUPS_K, HD_CODING_NEIGHBOUR)
                                   : coding_grouped(GROUPS_K, HD_CODING_CODED, HD_CODING_TREE,
                                                    coding_paper_members(GROUPS_K)),
                    variant == 2);
  run.flits = flits;
  return coding_cycles(r, &run, y);
}

/* Points that the paper's text gives: as numbers, or as ratios to a curve that is measured here. */
enum { PAPER_TREE, PAPER_CODED, PAPER_32_TIMES, PAPER_3_TIMES, PAPER_1276, PAPER_53_PERCENT = 8 };
static bool paper(const struct coding_results *r, uint32_t x, uint32_t variant, double *y)
{
  switch (variant) {
  case PAPER_TREE:
  case PAPER_CODED:
    *y = variant == PAPER_TREE ? 2.7e6 : 0.67e6;
    return x == 32;
  case PAPER_32_TIMES:
    if (x != CODING_LARGEST || !hops_flat(r, x, HD_CODING_ALL_AT_ONCE, y))
      return false;
    *y /= 32;
    return true;
  case PAPER_1276:
    *y = 1276;
    return x == 32;
  case PAPER_53_PERCENT:
    if (x != 16 || !cycles_length(r, x, 0, y))
      return false;
    *y *= 1 - 0.53;
    return true;
  default: /* PAPER_3_TIMES + 16 * enum hd_coding_multicast */
    if (x != 32 || !cycles_flat(r, x, variant >> 4, y))
      return false;
    *y /= 3;
    return true;
  }
}

#define COUNT(a) (uint32_t)(sizeof(a) / sizeof *(a))

#define LOGARITHMIC \
  "set logscale y 10\nset format y '%%.0e'\nset key inside left top Left reverse maxcols 1\n"

static void add_sizes(const struct coding_results *r, struct hd_text *gp)
{
  hd_text_add(gp, LOGARITHMIC);
  for (uint32_t multicast = 2; multicast--;) {
    const bool tree = multicast == HD_CODING_TREE;
    const struct curve hops[] = {{"no groups", hops_flat, multicast},
                                 {"coding, best group", hops_best, multicast},
                                 {"step F alone, groups of 32", hops_f, multicast},
                                 {"same groups, no coding", hops_plain, multicast},
                                 {"N(N - 1)", hops_floor, 0},
                                 {tree ? "the paper: coding" : "the paper: a 32nd", paper,
                                  tree ? PAPER_CODED : PAPER_32_TIMES},
                                 {"the paper: no groups", paper, PAPER_TREE}};
    add_panel(r, tree ? "tree (Figs. 2, 5)" : "all-at-once (Fig. 8)", "k of a k-ary 2-mesh", hops,
              COUNT(hops) - !tree, CODING_SMALLEST, tree ? CODING_LARGEST_TREE : CODING_LARGEST,
              gp);
  }
}

static void add_groups(const struct coding_results *r, struct hd_text *gp)
{
  static const struct curve hops[] = {{"coding", hops_groups, HD_CODING_CODED},
                                      {"no coding", hops_groups, HD_CODING_PLAIN}};
  static const struct curve cycles[] = {{"coding, steps overlapping", cycles_groups, 0},
                                        {"coding, one step after the other", cycles_groups, 1},
                                        {"the paper (Section 6.5)", paper, PAPER_1276}};
  hd_text_add(gp, "set yrange [0:*]\nset key inside right bottom maxcols 1\n");
  add_panel(r, "hops, 16-ary, tree (Fig. 6)", "nodes of a group", hops, COUNT(hops), 2, 128, gp);
  add_panel(r, "cycles, 16-ary, tree (Fig. 11)", "nodes of a group", cycles, COUNT(cycles), 2, 128,
            gp);
}

static void add_times(const struct coding_results *r, struct hd_text *gp)
{
  hd_text_add(gp, LOGARITHMIC);
  for (uint32_t multicast = 2; multicast--;) {
    const struct curve cycles[] = {
        {"no groups", cycles_flat, multicast},
        {"coding, steps overlapping", cycles_grouped, multicast},
        {"coding, sequential", cycles_grouped, multicast | 8},
        {"same groups, no coding", cycles_grouped, multicast | 16},
        {"neighbours", cycles_flat, HD_CODING_NEIGHBOUR},
        {"the paper: a third of no groups", paper, PAPER_3_TIMES | multicast << 4}};
    add_panel(r, multicast == HD_CODING_TREE ? "tree (Fig. 10)" : "all-at-once (Fig. 12)",
              "k of a k-ary 2-mesh", cycles, COUNT(cycles), CODING_SMALLEST, CODING_LARGEST_RUN,
              gp);
  }
  static const struct curve lengths[] = {{"no groups", cycles_length, 0},
                                         {"coding, steps overlapping", cycles_length, 1},
                                         {"coding, sequential", cycles_length, 2},
                                         {"neighbours", cycles_length, 3},
                                         {"the paper: 53 % less", paper, PAPER_53_PERCENT}};
  add_panel(r, "16-ary, tree (Fig. 13)", "flits of a packet", lengths, COUNT(lengths), 1, 16, gp);
}

/* variant, as bits: 1 torus, 2 sources placed together, 4 recursive form, 8 cycles instead of
 * hops. */
static bool percent_torus(const struct coding_results *r, uint32_t k, uint32_t variant, double *y)
{
  double hops, cycles;
  const bool known = coding_torus_ratio(r, k, variant & 1, &hops, &cycles);
  *y = variant & 8 ? cycles : hops;
  return known;
}

static bool percent_sources(const struct coding_results *r, uint32_t sources, uint32_t variant,
                            double *y)
{
  double hops, cycles;
  const bool known = coding_sources_ratio(r, sources, variant & 2 ? CODING_TOGETHER : CODING_SPREAD,
                                          &hops, &cycles);
  *y = variant & 8 ? cycles : hops;
  return known;
}

static bool percent_form(const struct coding_results *r, uint32_t k, uint32_t variant, double *y)
{
  double hops, cycles;
  const bool known = coding_form_ratio(r, k, variant & 4, &hops, &cycles);
  *y = variant & 8 ? cycles : hops;
  return known;
}

static void add_variants(const struct coding_results *r, struct hd_text *gp)
{
  static const struct curve tori[] = {{"hops, torus", percent_torus, 1},
                                      {"hops, mesh", percent_torus, 0},
                                      {"cycles, torus", percent_torus, 9},
                                      {"cycles, mesh", percent_torus, 8}};
  static const struct curve sources[] = {{"hops, spread", percent_sources, 0},
                                         {"hops, together", percent_sources, 2},
                                         {"cycles, spread", percent_sources, 8},
                                         {"cycles, together", percent_sources, 10}};
  static const struct curve forms[] = {{"hops, one level", percent_form, 0},
                                       {"hops, recursive", percent_form, 4},
                                       {"cycles, one level", percent_form, 8},
                                       {"cycles, recursive", percent_form, 12}};
  hd_text_add(gp, "set logscale y 10\nset yrange [10:3000]\n"
                  "set key inside left top Left reverse maxcols 1\n");
  add_panel(r, "groups of 32 (Fig. 9)", "k of a k-ary 2-torus or 2-mesh", tori, COUNT(tori),
            CODING_SMALLEST, CODING_LARGEST_RUN, gp);
  add_panel(r, "16-ary 2-mesh, groups of 32 (Fig. 18)", "sources", sources, COUNT(sources), 2,
            GROUPS_K * GROUPS_K, gp);
  add_panel(r, "best groups (Fig. 19)", "k of a k-ary 2-mesh", forms, COUNT(forms), CODING_SMALLEST,
            CODING_LARGEST_RUN, gp);
}

static int write_figure(const struct coding_results *r, const char *name, const char *y_label,
                        uint32_t panels,
                        void (*add)(const struct coding_results *r, struct hd_text *gp),
                        void (*data)(const struct coding_results *r, struct hd_text *csv),
                        const char *directory, struct hd_error *err)
{
  struct hd_text csv = {0}, gp = {0};
  hd_study_figure_begin(&gp, "make reproduce-coding", name, panels);
  hd_text_add(&gp, "set logscale x 2\nset ylabel '%s'\nset bmargin 4\n", y_label);
  add(r, &gp);
  data(r, &csv);
  return hd_study_figure_end(directory, name, &csv, &gp, err);
}

int coding_write_figures(const void *results, const char *directory, struct hd_error *err)
{
  const struct coding_results *r = results;
  struct hd_text plans = {0}, runs = {0};
  add_plans(r, &plans);
  add_runs(r, &runs);
  int status = hd_text_write(directory, "plans.csv", &plans, err);
  int also = hd_text_write(directory, "runs.csv", &runs, status ? NULL : err);
  status = status ? status : also;
  also = write_figure(r, "hops", "hops", 2, add_sizes, add_plans, directory, status ? NULL : err);
  status = status ? status : also;
  also = write_figure(r, "groups", "", 2, add_groups, add_plans, directory, status ? NULL : err);
  status = status ? status : also;
  also = write_figure(r, "variants", "percent of all-at-once without groups", 3, add_variants,
                      add_runs, directory, status ? NULL : err);
  status = status ? status : also;
  also = write_figure(r, "times", "cycles", 3, add_times, add_runs, directory, status ? NULL : err);
  return status ? status : also;
}
