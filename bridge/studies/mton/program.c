/* heddle study m-to-n: its options, its plan, and its parts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include "../studies.h"

static const char doc[] =
    "Judges what the M-to-N paper says: contention of its schedules by RTL in lockstep and by the "
    "checker for all M, N up to 16, and its Experiments 1 and 2.\v"
    "Writes report.md, report.json, runs.csv, and the figures packets and destinations. What runs "
    "came to is kept under DIR/runs: what was carried out before by this program on this RTL is "
    "not carried out again. heddle run "
    "DIR/runs/KEY.yaml repeats the run that runs.csv names KEY.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  heddle study m-to-n --quick\n"
    "  heddle study m-to-n --jobs 4 --out build/reproduce/again";

static int run(void *context, struct hd_study_arguments *a, struct hd_error *err)
{
  struct mton_results *results = context;
  mton_plan(results, a->quick);
  return mton_run_all(results, a, err);
}

int hd_study_mton(int argc, char **argv)
{
  struct mton_results results = {0};
  static const struct hd_study_judge *const judge[] = {mton_judges_of_contention,
                                                       mton_judges_of_experiments, NULL};
  const struct hd_study_program program = {
      .study = {.name = "m-to-n",
                .command = "make reproduce-m-to-n",
                .definition = "scenarios of the M-to-N paper"},
      .name = "heddle study m-to-n",
      .doc = doc,
      .quick = "every 15th case of contention, the experiments by the model alone",
      .out = "build/reproduce/m-to-n",
      .room = "mton",
      .judge = judge,
      .context = &results,
      .results = &results,
      .run = run,
      .report = &mton_report,
  };
  int status = hd_study_main(&program, argc, argv);
  mton_fini(&results);
  return status;
}
