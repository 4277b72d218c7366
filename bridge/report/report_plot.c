/* The latency histogram as a picture, by gnuplot.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"
#include "../host/tool_run.h"

int hd_report_plot(const char *directory, struct hd_error *err)
{
  static const char script[] = "set terminal svg size 800,500; set output 'latency.svg';"
                               "set datafile separator ','; set key off; set style fill solid;"
                               "set xlabel 'latency, cycles'; set ylabel 'packets';"
                               "plot 'latency.csv' every ::1 using 1:2 with boxes";
  const char *const argv[] = {"gnuplot", "-e", script, NULL};
  const struct hd_tool tool = {.argv = argv, .package = "gnuplot-nox", .directory = directory};
  int code = 0;
  int status = hd_tool_run(&tool, &code, err);
  if (!status && code)
    status = hd_fail(err, HD_E_TOOL, "gnuplot ended with exit code %d on %s/latency.csv", code,
                     directory);
  return status;
}
