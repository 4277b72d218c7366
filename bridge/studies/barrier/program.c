/* heddle study barrier: its options, its plan, and its parts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../studies.h"

#include <argp.h>

enum { SEEDS = 3 };

struct barrier_study {
  const char *only;
  uint32_t seeds;
  struct barrier_book book;
  struct barrier_panel panels[BARRIER_MAX_PANELS];
  struct barrier_results results;
};

static const struct argp_option options[] = {
    {"seeds", 's', "N", 0, "runs of each point, 1 to 8 (3; quick: 2)", 0},
    {"only", 'o', "FIGURE", 0, "fig12, fig13, fig14, fig15 or data alone", 0},
    {0}};

static const char doc[] =
    "Reproduces Figs. 11 to 15 of the barrier paper and judges what it says of them.\v"
    "Writes report.md, report.json, and FIGURE.csv, .svg, .png and .gp for each figure. What runs "
    "came to is kept under DIR/runs: what was carried out before by this program on this RTL is "
    "not "
    "carried out again, so after Ctrl-C or a change of the plan the same command goes on. "
    "DIR/runs/KEY.yaml, where the CSV names KEY, is the scenario of a point's first seed: heddle "
    "run "
    "repeats it.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then "
    "the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  heddle study barrier --quick\n"
    "  heddle study barrier --seeds 8 --jobs 4 --out build/reproduce/wide";

static error_t parse(int key, char *value, struct argp_state *state)
{
  struct barrier_study *study = state->input;
  switch (key) {
  case 's':
    study->seeds = hd_study_number(state, value, BARRIER_MAX_SEEDS);
    return 0;
  case 'o':
    study->only = value;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int run(void *context, struct hd_study_arguments *a, struct hd_error *err)
{
  struct barrier_study *study = context;
  struct barrier_book *book = &study->book;
  book->seeds = study->seeds ? study->seeds : a->quick ? 2 : SEEDS;
  a->part = study->only || book->seeds < SEEDS;
  study->results =
      (struct barrier_results){.book = book,
                               .panels = study->panels,
                               .n_panels = barrier_panels(study->panels, a->quick, study->only),
                               .quick = a->quick};
  if (!study->results.n_panels)
    return hd_fail(err, HD_E_INPUT,
                   "--only %s: there are fig12, fig13, fig14, fig15, data and faults", study->only);
  for (uint32_t i = 0; i < study->results.n_panels; i++)
    barrier_panel_want(&study->panels[i], book);
  for (uint32_t i = 0; i < study->results.n_panels && !a->quick; i++)
    barrier_panel_want_rtl(&study->panels[i], book);
  return barrier_run_scenarios(book, a, err);
}

int hd_study_barrier(int argc, char **argv)
{
  static const struct argp own = {.options = options, .parser = parse};
  static const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
  struct barrier_study study = {.seeds = 0};
  static const struct hd_study_judge *const judge[] = {
      barrier_judges_of_congestion, barrier_judges_of_formulas, barrier_judges_of_size, NULL};
  const struct hd_study_program program = {
      .study = {.name = "barrier",
                .command = "make reproduce-barrier",
                .definition = "scenarios of the barrier paper"},
      .name = "heddle study barrier",
      .doc = doc,
      .quick = "three points a curve, small networks",
      .out = "build/reproduce/barrier",
      .children = children,
      .room = "barrier",
      .judge = judge,
      .context = &study,
      .results = &study.results,
      .run = run,
      .report = &barrier_report,
  };
  int status = hd_study_main(&program, argc, argv);
  barrier_book_fini(&study.book);
  return status;
}
