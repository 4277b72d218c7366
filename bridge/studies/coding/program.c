/* heddle study coding: its options, its plan, and its parts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include "../studies.h"

#include <argp.h>

static const struct argp_option options[] = {
    {"hops-only", 'n', NULL, 0, "count hops, carry nothing out on RTL", 0}, {0}};

static const char doc[] =
    "Judges what the paper on hierarchical network coding says: counts the hops of its broadcasts "
    "and of their rivals by formula and send by send, and carries them out on RTL in lockstep.\v"
    "Writes report.md, report.json, plans.csv, runs.csv, and hops, groups, variants and times as "
    "csv, svg, png and gp. What plans and runs came to is kept under DIR/runs: what was carried "
    "out before "
    "by this program on this RTL is not carried out again. heddle run DIR/runs/KEY.yaml repeats a "
    "run of runs.csv.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  heddle study coding --quick\n"
    "  heddle study coding --jobs 4 --out build/reproduce/mine";

static error_t parse(int key, char *value, struct argp_state *state)
{
  struct coding_results *results = state->input;
  (void)value;
  if (key != 'n')
    return ARGP_ERR_UNKNOWN;
  results->no_runs = true;
  return 0;
}

static int run(void *context, struct hd_study_arguments *a, struct hd_error *err)
{
  struct coding_results *results = context;
  results->quick = a->quick;
  a->part = results->no_runs;
  int status = coding_count_plans(results, a, err);
  return status || results->no_runs ? status : coding_carry_out(results, a, err);
}

int hd_study_coding(int argc, char **argv)
{
  static const struct argp own = {.options = options, .parser = parse};
  static const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
  struct coding_results results = {.plans = NULL};
  static const struct hd_study_judge *const judge[] = {coding_judges_of_hops, coding_judges_of_time,
                                                       coding_judges_of_variants, NULL};
  const struct hd_study_program program = {
      .study = {.name = "reproduce-coding",
                .command = "make reproduce-coding",
                .definition = "coding 1"},
      .name = "heddle study coding",
      .doc = doc,
      .quick = "4-ary and 8-ary networks",
      .out = "build/reproduce/coding",
      .children = children,
      .room = "coding",
      .judge = judge,
      .context = &results,
      .results = &results,
      .run = run,
      .report = &coding_report,
  };
  int status = hd_study_main(&program, argc, argv);
  coding_fini(&results);
  return status;
}
