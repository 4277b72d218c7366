/* heddle study fat-tree: its options, its plan, and its parts.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include "../studies.h"

#include <argp.h>

enum { SEEDS = 3 };

struct fat_tree_study {
  uint32_t seeds;
  struct fattree_results results;
};

static const struct argp_option options[] = {
    {"seeds", 's', "N", 0, "runs of each point, 1 to 8 (3; quick: 2)", 0}, {0}};

static const char doc[] =
    "Judges what the adaptive fat tree paper says: latency and reception over the load on meshes "
    "and FatTrees, the first seed of each point by RTL in lockstep.\v"
    "Writes report.md, report.json, points.csv, and topologies, routings and traffic as csv, svg, "
    "png and gp. What runs came to is kept under DIR/runs: what was carried out before by this "
    "program on this RTL is not carried out again. heddle run DIR/runs/KEY.yaml repeats the run "
    "that points.csv names KEY.\n"
    "\n"
    "Ends with 0 when everything was measured, whatever the verdicts are; 130 when interrupted: "
    "then the report has what is there.\n"
    "\n"
    "Examples:\n"
    "  heddle study fat-tree --quick\n"
    "  heddle study fat-tree --seeds 8 --jobs 4 --out build/reproduce/again";

static error_t parse(int key, char *value, struct argp_state *state)
{
  struct fat_tree_study *study = state->input;
  if (key != 's')
    return ARGP_ERR_UNKNOWN;
  study->seeds = hd_study_number(state, value, FATTREE_MAX_SEEDS);
  return 0;
}

static int run(void *context, struct hd_study_arguments *a, struct hd_error *err)
{
  struct fat_tree_study *study = context;
  uint32_t seeds = study->seeds ? study->seeds : a->quick ? 2 : SEEDS;
  a->part = seeds < SEEDS;
  fattree_plan(&study->results, a->quick, seeds);
  return fattree_run_all(&study->results, a, err);
}

int hd_study_fattree(int argc, char **argv)
{
  static const struct argp own = {.options = options, .parser = parse};
  static const struct argp_child children[] = {{&own, 0, NULL, 0}, {0}};
  struct fat_tree_study study = {.seeds = 0};
  static const struct hd_study_judge *const judge[] = {fattree_judges_of_load,
                                                       fattree_judges_of_shape, NULL};
  const struct hd_study_program program = {
      .study = {.name = "fat-tree",
                .command = "make reproduce-fat-tree",
                .definition = "scenarios of the adaptive fat tree paper"},
      .name = "heddle study fat-tree",
      .doc = doc,
      .quick = "16 nodes and fewer, uniform traffic and permutations, five loads",
      .out = "build/reproduce/fat-tree",
      .children = children,
      .room = "fattree",
      .judge = judge,
      .context = &study,
      .results = &study.results,
      .run = run,
      .report = &fattree_report,
  };
  int status = hd_study_main(&program, argc, argv);
  fattree_fini(&study.results);
  return status;
}
