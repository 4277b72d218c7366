/* Writes the files of a report.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include "../backends/backend.h"
#include "../host/file.h"
#include "../host/tool_run.h"

void hd_report_add_dut(const struct hd_run_report *r, struct hd_text *command)
{
  if (hd_backend_is_shared_object(r->dut))
    hd_text_add_option(command, " --dut ", r->dut);
}

int hd_report_write(const struct hd_run_report *report, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  /* A failed file does not stop the others, since a small one may still find room on the disk.
   * Files that other programs wait for come first. */
  hd_report_junit(report, &text);
  int status = hd_text_write(directory, "results.xml", &text, err);
  int next =
      hd_json_write(directory, "report.json", hd_report_json(report), 0, status ? NULL : err);
  status = status ? status : next;
  for (const struct hd_result_table *t = hd_result_tables; t < hd_result_tables + HD_RESULT_TABLES;
       t++) {
    if (!t->file || (t->applies && !t->applies(report)))
      continue;
    hd_report_csv(report, t, &text);
    next = hd_text_write(directory, t->file, &text, status ? NULL : err);
    status = status ? status : next;
  }
  return status;
}

int hd_report_plot(const char *directory, struct hd_error *err)
{
  static const char script[] = "set terminal " HD_GNUPLOT_SVG " size 800,500;"
                               "set output 'latency.svg';"
                               "set datafile separator ','; set key off; set style fill solid;"
                               "set xlabel 'latency, cycles'; set ylabel 'packets';"
                               "plot 'latency.csv' every ::1 using 1:2 with boxes";
  const char *const argv[] = {"gnuplot", "-e", script, NULL};
  const struct hd_tool tool = {.argv = argv, .package = "gnuplot-nox", .directory = directory};
  struct hd_text svg = {0};
  int code = 0;
  hd_text_add(&svg, "%s/latency.svg", directory);
  int status = hd_file_replaceable(svg.chars, err);
  hd_text_fini(&svg);
  if (!status)
    status = hd_tool_run(&tool, &code, err);
  if (!status && code)
    status = hd_fail(err, HD_E_TOOL, "gnuplot ended with exit code %d on %s/latency.csv", code,
                     directory);
  return status;
}
