/* report.md: the paper's statements beside what was measured, and the figures' tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../../bridge/host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_value(struct rep_value v, uint32_t seeds, struct hd_text *text)
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

static void write_panel(const struct rep_results *r, const struct rep_panel *p,
                        struct hd_text *text)
{
  hd_text_add(text, "(%s) %s; cycles, mean (least–most) over %" PRIu32 " seeds:\n\n| %s |", p->name,
              p->title, r->book->seeds, rep_axis_text(p->axis));
  for (uint32_t c = 0; c < p->n_curves; c++)
    hd_text_add(text, " %s |", p->curves[c].label);
  hd_text_add(text, "\n|---|");
  for (uint32_t c = 0; c < p->n_curves; c++)
    hd_text_add(text, "---|");
  for (uint32_t i = 0; i < p->n_xs; i++) {
    hd_text_add(text, "\n| %g |", rep_axis_value(p, p->xs[i]));
    for (uint32_t c = 0; c < p->n_curves; c++) {
      struct rep_config k = rep_panel_config(p, p->curves[c].scheme, p->xs[i]);
      write_value(rep_book_value(r->book, &k, p->curves[c].measure), r->book->seeds, text);
      hd_text_add(text, " |");
    }
  }
  hd_text_add(text, "\n\n");
}

static void write_analytic(struct hd_text *text)
{
  static const uint32_t places[] = {0, 2, REP_DELTAS / 2, REP_DELTAS - 1};
  hd_text_add(text, "Cycles by the formulas, T_p = 8: as printed / with the distribution counted "
                    "once.\n\n");
  for (uint32_t p = 0; p < 2; p++) {
    const struct rep_analytic_panel *panel = &rep_analytic_panels[p];
    hd_text_add(text,
                "(%s) L = %g:\n\n| Delta | BS_I (1) | BS_II (2) | BS_III (3) | Tree (4) |\n"
                "|---|---|---|---|---|\n",
                panel->name, panel->levels);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
      double delta = rep_analytic_delta(places[i]);
      hd_text_add(text, "| %g |", delta);
      for (int f = 1; f <= REP_ANALYTIC_CASES; f++)
        hd_text_add(text, " %.1f / %.1f |", rep_analytic(panel->levels, 8, delta, f, false),
                    rep_analytic(panel->levels, 8, delta, f, true));
      hd_text_add(text, "\n");
    }
    hd_text_add(text, "\n");
  }
}

static void write_figure(const struct rep_results *r, const char *figure, struct hd_text *text)
{
  for (uint32_t i = 0; i < r->n_panels; i++)
    if (!strcmp(figure, r->panels[i].figure))
      write_panel(r, &r->panels[i], text);
}

void rep_markdown_section(const struct rep_results *r, const struct study_statement *statements,
                          uint32_t n, const char *section, struct hd_text *text)
{
  if (!strcmp(section, "overview"))
    study_overview(statements, n, text);
  else if (!strcmp(section, "statements"))
    study_statements(statements, n, text);
  else if (!strcmp(section, "fig11"))
    write_analytic(text);
  else
    write_figure(r, section, text);
}

int rep_write_markdown(const struct rep_results *r, const struct study_statement *statements,
                       uint32_t n, const char *directory, struct hd_error *err)
{
  static const char *const figures[] = {"fig11", "fig12", "fig13", "fig14", "fig15", "data"};
  struct hd_text text = {0};
  char path[REP_PATH];
  hd_text_add(
      &text,
      "# The barrier paper, reproduced\n\nMade by make reproduce-barrier%s. The tables are in "
      "FIGURE.csv as well, each point with the KEY of its first seed's run: heddle run "
      "runs/KEY.yaml repeats it.\n\n",
      r->quick ? " QUICK=1, a part of the points, networks and seeds" : "");
  rep_markdown_section(r, statements, n, "overview", &text);
  hd_text_add(&text, "\n## Statements\n\n");
  rep_markdown_section(r, statements, n, "statements", &text);
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    hd_text_add(&text, "## %s\n\n![%s](%s.svg)\n\n", figures[i], figures[i], figures[i]);
    rep_markdown_section(r, statements, n, figures[i], &text);
  }
  snprintf(path, sizeof path, "%s/report.md", directory);
  int status = text.failed ? hd_fail(err, HD_E_NOMEM, "no memory for %s", path)
                           : hd_file_write(path, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  return status;
}
