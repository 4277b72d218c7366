/* Runs of barrier programs from a scenario's text to the report; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_runs.h"

int barrier_run(const char *text, struct hd_run_report *report)
{
  static const char *const files[] = {"run.db",         "report.json", "report.html",
                                      "report.csv",     "latency.csv", "results.xml",
                                      "statistics.csv", "barriers.csv"};
  char directory[] = "/tmp/heddle-barrier-XXXXXX", path[128];
  struct hd_error err = {""};
  assert_non_null(mkdtemp(directory));
  struct hd_run_options options = {
      .scenario_path = "barrier.yaml", .scenario_text = text, .out_dir = directory};
  int status = hd_run(&options, report, &err);
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, files[i]);
    unlink(path);
  }
  rmdir(directory);
  return status;
}

const struct hd_run_statistic *statistic(const struct hd_run_report *r, const char *name)
{
  for (uint32_t i = 0; i < r->n_statistics; i++)
    if (!strcmp(r->statistics[i].name, name))
      return &r->statistics[i];
  fail_msg("no statistic '%s'", name);
  return NULL;
}

void barrier_run_well(const char *text, struct hd_run_report *report)
{
  int status = barrier_run(text, report);
  if (status)
    print_error("%s\n%s\n%s\n", text, hd_text_chars(&report->message),
                hd_text_chars(&report->wait));
  assert_int_equal(status, 0);
  assert_true(report->software_finished);
  assert_int_equal(report->not_intact, 0);
}
