/* The files of a report.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report.h"

#include "../backends/backend.h"
#include "../host/file.h"
#include "../host/tool_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hd_report_add_dut(const struct hd_run_report *r, struct hd_text *command)
{
  if (!hd_backend_is_shared_object(r->dut))
    return;
  hd_text_add(command, " --dut ");
  hd_text_add_word(command, r->dut);
}

static int write_file(const char *directory, const char *name, const char *chars, size_t length,
                      struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/%s", directory, name);
  int status = hd_file_write(path.chars, chars, length, err);
  hd_text_fini(&path);
  return status;
}

/* Frees the text. */
static int write_text(struct hd_text *text, const char *directory, const char *name,
                      struct hd_error *err)
{
  int status = write_file(directory, name, hd_text_chars(text), text->length, err);
  hd_text_fini(text);
  return status;
}

static int write_json(const struct hd_run_report *report, const char *directory,
                      struct hd_error *err)
{
  json_t *json = hd_report_json(report);
  char *chars = json ? json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER) : NULL;
  json_decref(json);
  int status =
      chars ? write_file(directory, "report.json", chars, strlen(chars), err)
            : hd_fail(err, HD_E_NOMEM, "report.json: out of memory, or text that is no UTF-8");
  free(chars);
  return status;
}

int hd_report_write(const struct hd_run_report *report, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  /* Each for itself, those that others wait for first: where one has no room another may have. */
  hd_report_junit(report, &text);
  int status = write_text(&text, directory, "results.xml", err);
  int next = write_json(report, directory, status ? NULL : err);
  status = status ? status : next;
  for (const struct hd_result_table *t = hd_result_tables; t < hd_result_tables + HD_RESULT_TABLES;
       t++) {
    if (!t->file || (t->applies && !t->applies(report)))
      continue;
    hd_report_csv(report, t, &text);
    next = write_text(&text, directory, t->file, status ? NULL : err);
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
