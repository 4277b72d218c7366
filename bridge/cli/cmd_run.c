/* heddle run SCENARIO: carries out a scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"
#include "router.h"

#include "../ranks/ranks.h"

static const char doc[] =
    "Runs a scenario. The model of the fabric and the endpoint software run ahead. The device "
    "under "
    "test (DUT) then replays every switch and is compared with the model cycle by cycle.\v"
    "Writes run.db, report.html, report.json, report.csv, latency.csv and results.xml (JUnit) into "
    "the run's directory. If RTL and model differ, it writes waves, too. After Ctrl-C the run ends "
    "and writes its results. After a second Ctrl-C it ends at once.\n"
    "\n"
    "Examples:\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml --seed 7 --threads 2\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml --rtl my/rtl\n"
    "  heddle run tests/scenarios/foreign-switch.yaml --rtl my-router.yaml\n"
    "  heddle run tests/scenarios/foreign-switch.yaml --rtl my-network.yaml\n"
    "  heddle run tests/fpga/line-4.yaml --dut lanes --seeds 8";

enum { KEY_SEEDS = 2000 };

static const struct argp_option options[] = {
    {"seeds", KEY_SEEDS, "N", 0,
     "run N times, 1 to 64, each time with the next seed; --dut lanes runs the seeds of a small "
     "fabric side by side",
     0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct hd_cli_run *run = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = run;
    return 0;
  case KEY_SEEDS:
    run->seeds = (uint32_t)hd_cli_number(state, "--seeds", arg, 1, HD_RUN_TOGETHER);
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "scenario", "its file", &run->options.scenario_path, arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int hd_cmd_run(int argc, char **argv)
{
  static const struct argp_child children[] = {
      {&hd_cli_run_argp, 0, NULL, 0}, {&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "SCENARIO",
                                   .doc = doc,
                                   .children = children};
  struct hd_cli_run run = {0};
  struct hd_run_report report = {0};
  struct hd_wrap_network network;
  struct hd_error err = {""};
  char rtl[PATH_MAX], original[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &run);
  if (hd_ranks_are_several())
    return hd_cli_fail(
        hd_fail(&err, HD_E_INPUT,
                "mpirun has started several processes, and a run is one; leave "
                "mpirun out, or take heddle sweep, which divides its runs among them"),
        &err);
  int status = hd_wrap_network(&network, run.options.rtl_dir, &err);
  if (!status)
    status = hd_cli_add_network(&network, run.settings, &run.options.n_settings, &err);
  run.options.settings = run.settings;
  if (!status)
    status = hd_wrap_resolve(&run.options.rtl_dir, run.options.cache_dir, rtl, &err);
  if (!status)
    status = hd_wrap_resolve(&run.options.against, run.options.cache_dir, original, &err);
  const int code = status      ? hd_cli_fail(status, &err)
                   : run.seeds ? hd_cli_run_seeds(&run)
                               : hd_cli_run(&run, &report);
  hd_run_report_fini(&report);
  hd_wrap_network_fini(&network);
  return code;
}
