/* Runs a scenario as the task of a study.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "study.h"

#include "../run/run.h"

bool hd_study_scenario(const char *path, struct hd_text *scenario, const char *rtl_dir,
                       bool (*is_result)(int status), struct hd_run_report *report,
                       struct hd_task_outcome *outcome)
{
  struct hd_error err = {""};
  const struct hd_run_options options = {.scenario_path = path,
                                         .scenario_text = hd_text_chars(scenario),
                                         .rtl_dir = rtl_dir,
                                         .results_only = true};
  outcome->status = hd_run(&options, report, &err);
  if (outcome->status && !(is_result && is_result(outcome->status)))
    hd_task_outcome_fail(outcome, outcome->status, err.text, hd_run_status_name(outcome->status));
  hd_text_fini(scenario);
  return !outcome->status;
}
