/* heddle run SCENARIO.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include "../ranks/rank_client.h"

static const char doc[] =
    "Runs a scenario. The model of the fabric and the endpoint software run ahead. The device "
    "under "
    "test (DUT) then replays every switch and is compared with the model cycle by cycle.\v"
    "Writes run.db, report.html, report.json, report.csv, latency.csv and results.xml (JUnit) into "
    "the run's directory; at a divergence also waves. Under mpirun the switches are spread over "
    "the "
    "processes; the first one has the model and the results. Ctrl-C ends the run in order; a "
    "second "
    "Ctrl-C ends it "
    "at once.\n"
    "\n"
    "Examples:\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml --seed 7 --threads 2\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml --rtl my/rtl\n"
    "  heddle run tests/fpga/line-4.yaml --dut lanes --seeds 8\n"
    "  mpirun -n 4 heddle run tests/scenarios/mesh-1024.yaml";

enum { KEY_SEEDS = 2000 };

static const struct argp_option options[] = {
    {"seeds", KEY_SEEDS, "N", 0,
     "N runs, 1 to 64, each with the next seed; on lanes those of a small fabric side by side", 0},
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

/* In ranks other than 0. They end when rank 0 says so, which heeds signals. */
static int hold_switches(struct hd_ranks *ranks)
{
  struct hd_error err = {""};
  hd_cli_serve("that rank 0 chose");
  int status = hd_ranks_hold_switches(ranks, &err);
  int code = status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
  hd_ranks_close(ranks, code);
  return code;
}

static void print_shares(struct hd_ranks *ranks)
{
  double seconds, busy = 0, least = 0, most = 0;
  const struct hd_ranks_share *shares = hd_ranks_shares(ranks, &seconds);
  const int n = hd_ranks_number(ranks);
  if (!(seconds > 0))
    return;
  for (int r = 0; r < n; r++) {
    double share = 100 * shares[r].busy_seconds / seconds;
    busy += share;
    if (r && (r == 1 || share < least))
      least = share;
    if (r && share > most)
      most = share;
  }
  printf("  %-20s%d, %.0f %% of their time in replay: rank 0 with the model and %s %.0f %%, ",
         "ranks", n, busy / n, hd_count(shares[0].switches, "switch").text,
         100 * shares[0].busy_seconds / seconds);
  if (n == 2)
    printf("rank 1 %.0f %%\n", most);
  else
    printf("the others %.0f to %.0f %%\n", least, most);
}

/* The run of rank 0. */
static int spread(struct hd_cli_run *run, struct hd_run_report *report)
{
  struct hd_ranks *ranks = run->options.ranks;
  struct hd_error err = {""};
  int status = hd_ranks_stay_alive(ranks, &err), code;
  if (!status && run->seeds)
    status = hd_fail(&err, HD_E_INPUT,
                     "--seeds: processes of mpirun carry out one run together; for several runs "
                     "take heddle sweep");
  if (status)
    code = hd_cli_fail(status, &err);
  else {
    code = hd_cli_run(run, report);
    if (!run->quiet && report->has_result)
      print_shares(ranks);
  }
  hd_ranks_dismiss(ranks);
  code = hd_cli_close_output(code);
  hd_ranks_close(ranks, code);
  return code;
}

int hd_cmd_run(int argc, char **argv)
{
  static const struct argp_child children[] = {{&hd_cli_run_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "SCENARIO",
                                   .doc = doc,
                                   .children = children};
  struct hd_cli_run run = {0};
  struct hd_run_report report = {0};
  struct hd_error err = {""};
  argp_parse(&argp, argc, argv, 0, NULL, &run);
  int status = hd_cli_ranks(&run.options.ranks, &err);
  if (status)
    return hd_cli_fail(status, &err);
  if (run.options.ranks && hd_ranks_self(run.options.ranks))
    return hold_switches(run.options.ranks);
  if (run.seeds && !run.options.ranks)
    return hd_cli_run_seeds(&run);
  int code = run.options.ranks ? spread(&run, &report) : hd_cli_run(&run, &report);
  hd_run_report_fini(&report);
  return code;
}
