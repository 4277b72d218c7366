/* Runs from a scenario's text to the report, in a directory that is removed afterwards; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runs.h"

#include "../../../bridge/host/file.h"

int run_options(struct hd_run_options options, struct hd_run_report *report)
{
  char directory[64];
  must(hd_directory_temporary("heddle-run", directory, sizeof directory, &why));
  options.out_dir = directory;
  int status = hd_run(&options, report, &why);
  struct hd_error ignored;
  assert_int_equal(hd_tree_remove(directory, &ignored), 0);
  return status;
}

int run_text(const char *text, struct hd_run_report *report)
{
  return run_options((struct hd_run_options){.scenario_path = "run.yaml", .scenario_text = text},
                     report);
}

const struct hd_run_statistic *statistic(const struct hd_run_report *r, const char *name)
{
  for (uint32_t i = 0; i < r->n_statistics; i++)
    if (!strcmp(r->statistics[i].name, name))
      return &r->statistics[i];
  fail_msg("no statistic '%s'", name);
  return NULL;
}

void run_text_well(const char *text, struct hd_run_report *report)
{
  int status = run_text(text, report);
  if (status)
    print_error("%s\n%s\n%s\n", text, hd_text_chars(&report->message),
                hd_text_chars(&report->wait));
  assert_int_equal(status, 0);
  assert_true(report->software_finished);
  assert_int_equal(report->not_intact, 0);
}
