/* report.md: the paper's statements beside what was measured, and the figures' tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include <inttypes.h>
#include <string.h>

static void write_value(struct barrier_value v, uint32_t seeds, struct hd_text *text)
{
  if (v.n && v.least == v.most)
    hd_text_add(text, " %.0f", v.mean);
  else if (v.n)
    hd_text_add(text, " %.0f (%.0f–%.0f)", v.mean, v.least, v.most);
  if (v.endless)
    hd_text_add(text, " no end in %" PRIu32 " of %" PRIu32, v.endless, seeds);
  else if (!v.n)
    hd_text_add(text, " –");
}

static void write_panel(const struct barrier_results *r, const struct barrier_panel *p,
                        struct hd_text *text)
{
  hd_text_add(text, "(%s) %s; cycles, mean (least–most) over %" PRIu32 " seeds:\n\n| %s |", p->name,
              p->title, r->book->seeds, barrier_axis_text(p->axis));
  for (uint32_t c = 0; c < p->n_curves; c++)
    hd_text_add(text, " %s |", p->curves[c].label);
  hd_text_add(text, "\n|---|");
  for (uint32_t c = 0; c < p->n_curves; c++)
    hd_text_add(text, "---|");
  for (uint32_t i = 0; i < p->n_xs; i++) {
    hd_text_add(text, "\n| %g |", barrier_axis_value(p, p->xs[i]));
    for (uint32_t c = 0; c < p->n_curves; c++) {
      struct barrier_config k = barrier_panel_config(p, p->curves[c].scheme, p->xs[i]);
      write_value(barrier_book_value(r->book, &k, p->curves[c].measure), r->book->seeds, text);
      hd_text_add(text, " |");
    }
  }
  hd_text_add(text, "\n\n");
}

static void add_analytic(const void *context, struct hd_text *text)
{
  static const uint32_t places[] = {0, 2, BARRIER_DELTAS / 2, BARRIER_DELTAS - 1};
  (void)context;
  hd_text_add(text, "Cycles by the formulas, T_p = 8: as printed / with the distribution counted "
                    "once.\n\n");
  for (uint32_t p = 0; p < 2; p++) {
    const struct barrier_analytic_panel *panel = &barrier_analytic_panels[p];
    hd_text_add(text,
                "(%s) L = %g:\n\n| Delta | BS_I (1) | BS_II (2) | BS_III (3) | Tree (4) |\n"
                "|---|---|---|---|---|\n",
                panel->name, panel->levels);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
      double delta = barrier_analytic_delta(places[i]);
      hd_text_add(text, "| %g |", delta);
      for (int f = 1; f <= BARRIER_ANALYTIC_CASES; f++)
        hd_text_add(text, " %.1f / %.1f |", barrier_analytic(panel->levels, 8, delta, f, false),
                    barrier_analytic(panel->levels, 8, delta, f, true));
      hd_text_add(text, "\n");
    }
    hd_text_add(text, "\n");
  }
}

static void write_figure(const struct barrier_results *r, const char *figure, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_panels; i++)
    if (!strcmp(figure, r->panels[i].figure))
      write_panel(r, &r->panels[i], text);
}

#define ADD(FIGURE)                                                   \
  static void add_##FIGURE(const void *context, struct hd_text *text) \
  {                                                                   \
    write_figure(context, #FIGURE, text);                             \
  }
ADD(fig12)
ADD(fig13)
ADD(fig14)
ADD(fig15)
ADD(data)
ADD(faults)
#undef ADD

static const struct hd_study_part parts[] = {
    {"fig11", "fig11", "fig11", add_analytic}, {"fig12", "fig12", "fig12", add_fig12},
    {"fig13", "fig13", "fig13", add_fig13},    {"fig14", "fig14", "fig14", add_fig14},
    {"fig15", "fig15", "fig15", add_fig15},    {"data", "data", "data", add_data},
    {"faults", "faults", "faults", add_faults}};

const struct hd_study_report barrier_report = {
    .title = "The barrier paper",
    .left = "a part of the points, networks and seeds",
    .about = "The tables are in FIGURE.csv as well, each point with the KEY of its first seed's "
             "run: heddle run runs/KEY.yaml repeats it.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
    .more = barrier_json,
    .files = barrier_write_figures,
    .written = "report.md, report.json, fig11 to fig15 as csv, svg, png",
};
