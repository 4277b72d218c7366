/* heddle study schedules: its options, its plan, and its parts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules_study.h"

#include "../studies.h"

#include <argp.h>

static const char all_rows[] = "docs/schedules.csv";

struct schedules_study {
  const char *rows;
  struct schedules_results results;
};

static const struct argp_option options[] = {
    {"rows", 'r', "FILE", 0, "rows to take, CSV as docs/schedules.csv, which is the default", 0},
    {0}};

static const char doc[] =
    "Judges what the paper on schedules for multistage networks says: finds and proves the "
    "shortest "
    "schedule of each row of its tables, carries it out on RTL in lockstep, steps at times, after "
    "barriers, and not separated, and lets the paper's evolution look for it with ten seeds.\v"
    "Writes report.md, report.json, rows.csv, and search and cycles as csv, svg, png and gp. What "
    "schedules and runs came to is kept under DIR/runs: what was carried out before by this "
    "program on "
    "this RTL is not carried out again. heddle run DIR/runs/KEY.yaml repeats a run of rows.csv.\n"
    "\n"
    "Files of networks, graph:file=..., are looked for from here.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  heddle study schedules --quick\n"
    "  heddle study schedules --jobs 4 --rows my.csv --out build/reproduce/mine";

static error_t parse(int key, char *value, struct argp_state *state)
{
  struct schedules_study *study = state->input;
  if (key != 'r')
    return ARGP_ERR_UNKNOWN;
  study->rows = value;
  return 0;
}

static int run(void *context, struct hd_study_arguments *a, struct hd_error *err)
{
  struct schedules_study *study = context;
  a->part = study->rows != all_rows;
  int status = schedules_read(&study->results, study->rows, a->quick, err);
  if (!status)
    status = schedules_print(&study->results, err);
  if (!status)
    status = schedules_find_all(&study->results, a, err);
  if (!status)
    status = schedules_evolve_all(&study->results, a, err);
  if (!status)
    status = schedules_print_evolved(&study->results, a->study.directory, err);
  return status ? status : schedules_run_all(&study->results, a, err);
}

int hd_study_schedules(int argc, char **argv)
{
  static const struct argp own = {.options = options, .parser = parse};
  static const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
  struct schedules_study study = {.rows = all_rows};
  static const struct hd_study_judge *const judge[] = {
      schedules_judges_of_evolution, schedules_judges_of_runs, schedules_judges_of_steps, NULL};
  const struct hd_study_program program = {
      .study = {.name = "schedules",
                .command = "make reproduce-schedules",
                .definition = "rows of the paper on schedules"},
      .name = "heddle study schedules",
      .doc = doc,
      .quick = "networks of 8 nodes and fewer",
      .out = "build/reproduce/schedules",
      .children = children,
      .room = "schedules",
      .judge = judge,
      .context = &study,
      .results = &study.results,
      .run = run,
      .report = &schedules_report,
  };
  int status = hd_study_main(&program, argc, argv);
  schedules_fini(&study.results);
  return status;
}
