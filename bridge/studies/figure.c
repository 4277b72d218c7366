/* Figures by gnuplot.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "figure.h"
#include "study.h"

#include "../host/file.h"
#include "../host/tool_run.h"

#include <inttypes.h>
#include <stdio.h>

void hd_study_figure_begin(struct hd_text *gp, const char *command, const char *figure,
                           uint32_t panels)
{
  uint32_t rows = (panels + 1) / 2;
  hd_text_add(gp,
              "# Made by %s; drawn by gnuplot -e \"kind='svg'\" %s.gp\n"
              "if (kind eq 'svg') set terminal " HD_GNUPLOT_SVG " noenhanced size 1000,%" PRIu32
              " font 'sans,11'\n"
              "if (kind eq 'png') set terminal pngcairo noenhanced size 1000,%" PRIu32
              " font 'sans,10'\n"
              "set output '%s.'.kind\n"
              "set key below maxcols 3\nset bmargin 6\nset grid\n"
              "set multiplot layout %" PRIu32 ",2\n",
              command, figure, 400 * rows, 400 * rows, figure, rows);
}

static int draw(const char *directory, const char *figure, const char *kind, struct hd_error *err)
{
  char set[32], script[32];
  int code = 0;
  snprintf(set, sizeof set, "kind='%s'", kind);
  snprintf(script, sizeof script, "%s.gp", figure);
  const char *const argv[] = {"gnuplot", "-e", set, script, NULL};
  const struct hd_tool tool = {.argv = argv, .package = "gnuplot-nox", .directory = directory};
  int status = hd_tool_run(&tool, &code, err);
  if (!status && code)
    status = hd_fail(err, HD_E_TOOL, "gnuplot ended with exit code %d on %s/%s", code, directory,
                     script);
  return status;
}

int hd_study_figure_end(const char *directory, const char *figure, struct hd_text *csv,
                        struct hd_text *gp, struct hd_error *err)
{
  char name[32];
  hd_text_add(gp, "unset multiplot\n");
  snprintf(name, sizeof name, "%s.csv", figure);
  int status = hd_text_write(directory, name, csv, err);
  snprintf(name, sizeof name, "%s.gp", figure);
  int plotted = hd_text_write(directory, name, gp, status ? NULL : err);
  status = status ? status : plotted;
  if (!status)
    status = draw(directory, figure, "svg", err);
  return status ? status : draw(directory, figure, "png", err);
}
