/* heddle sweep: runs a scenario over axes of its keys and over seeds.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_show.h"
#include "cli.h"
#include "router.h"

#include "../sweep/sweep.h"
#include "../wrap/wrap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  KEY_SET = 1000,
  KEY_SEEDS,
  KEY_SEED,
  KEY_PRECISION,
  KEY_SATURATION,
  KEY_PHASES,
  KEY_CYCLES,
  KEY_BESIDE
};

enum { BESIDE_MOST = 16 };

struct arguments {
  struct hd_cli_campaign campaign;
  struct hd_sweep_params params;
  struct hd_axis axes[HD_SWEEP_AXES];
  bool plot;
  const char *beside[BESIDE_MOST]; /* [n_beside] directories of sweeps */
  size_t n_beside;
};

static const struct argp_option options[] = {
    {"set", KEY_SET, "KEY=VALUES", 0,
     "set a key of the scenario to several values, one point each: a,b,c or low:high:step or "
     "low:high:*factor; may be repeated",
     1},
    {"seeds", KEY_SEEDS, "N", 0, "run each point with N seeds (1)", 1},
    {"seed", KEY_SEED, "N", 0, "set the first seed (the scenario's)", 1},
    {"precision", KEY_PRECISION, "P", 0,
     "stop adding seeds to a point when its mean latency is known to P percent (95 % confidence); "
     "at least three seeds run",
     1},
    {"phases", KEY_PHASES, "W:M:D", 0,
     "set the cycles of warm-up, measuring and drain: run.warmup_cycles, run.measure_cycles, and "
     "run.cycles as their sum. Also set the program's parameter cycles, so that there is load to "
     "the end",
     1},
    {"saturation", KEY_SATURATION, "KEY=RANGE", 0,
     "find where each point of the axes saturates, by bisection of the steps of KEY=low:high:step",
     1},
    {"dut", HD_CLI_TEXT(struct arguments, params.dut), "NAME[:OPTIONS]", 0,
     "choose the device under test, as for run; auto: lanes where they end sooner, with the time "
     "of their build, else verilator",
     2},
    {"rtl", HD_CLI_TEXT(struct arguments, params.rtl_dir), "DIR", 0,
     "use the switch in DIR instead of Heddle's own rtl/: Verilog, or VHDL for --dut ghdl. DIR may "
     "also be the description of a router (heddle wrap)",
     2},
    {"against", HD_CLI_TEXT(struct arguments, params.against), "DIR", 0,
     "run the RTL in DIR in closed loop instead of the model, and compare the DUT with it in every "
     "cycle",
     2},
    {"cache", HD_CLI_TEXT(struct arguments, params.cache_dir), "DIR", 0,
     "keep built backends in DIR", 2},
    {"cycles", KEY_CYCLES, "N", 0, "end each run after N cycles at the latest", 2},
    {"plot", HD_CLI_FLAG(struct arguments, plot), NULL, 0,
     "draw sweep.svg, sweep.pdf and sweep.png by sweep.gp, too (needs gnuplot)", 3},
    {"beside", KEY_BESIDE, "DIR", 0,
     "draw the curves of another sweep in the same figure; may be repeated", 3},
    {0},
};

static const char doc[] =
    "Runs a scenario at every combination of the values of some of its keys, with several seeds, "
    "on "
    "all cores or under mpirun, and writes means with confidence intervals: points.csv, runs.csv, "
    "sweep.json. The same command continues a sweep that was interrupted.\v"
    "A run is saturated when its mean latency is clearly over 3 times that without load, or when "
    "queues "
    "grow "
    "in both halves of the measuring phase by over 5 % of what comes. Where latency drifts, or the "
    "phase "
    "is too short, a run is undecided. A point is what more than half of its runs are; one with a "
    "failed run "
    "is not accepted; one that missed a budget only has failed, but its load counts. Exit codes "
    "are "
    "those of run; 3 if RTL and model differed in any run.\n\n"
    "Examples:\n"
    "  heddle sweep tests/scenarios/mesh-8x8-uniform.yaml \\\n"
    "    --set software.parameters.load=0.05:0.4:0.05 \\\n"
    "    --set routing.algorithm=dimension-order,up-down \\\n"
    "    --phases 2000:3000:15000 --seeds 3 --plot\n"
    "  heddle sweep tests/scenarios/mesh-8x8-uniform.yaml --dut none \\\n"
    "    --phases 2000:3000:15000 \\\n"
    "    --saturation software.parameters.load=0.1:0.9:0.01\n"
    "  heddle sweep torus.yaml --set software.parameters.load=0.05:0.4:0.05 \\\n"
    "    --phases 2000:3000:15000 --beside runs/mesh\n"
    "  mpirun -n 4 heddle sweep tests/scenarios/mesh-8x8-uniform.yaml \\\n"
    "    --set software.parameters.load=0.1,0.2 --seeds 10 --precision 2";

static void add_axis(struct argp_state *state, struct arguments *a, const char *path,
                     const char *value)
{
  struct hd_error err = {""};
  const struct hd_setting setting = {path, value};
  if (a->params.n_axes == HD_SWEEP_AXES)
    argp_error(state, "--set %s: a sweep has at most %d axes", path, HD_SWEEP_AXES);
  for (uint32_t i = 0; i < a->params.n_axes; i++)
    if (!strcmp(a->axes[i].path, path))
      argp_error(state, "--set %s: is given twice; give all its values at once", path);
  if (hd_axis_parse(&a->axes[a->params.n_axes++], &setting, &err))
    argp_error(state, "--set %s", err.text);
}

static void parse_set(struct argp_state *state, struct arguments *a, char *arg)
{
  struct hd_error err = {""};
  struct hd_setting setting;
  if (hd_setting_parse(arg, &setting, &err))
    argp_error(state, "--set %s", err.text);
  add_axis(state, a, setting.path, setting.value);
}

static void parse_phases(struct argp_state *state, struct arguments *a, const char *arg)
{
  uint64_t warmup, measure, drain;
  char number[24];
  int end = 0;
  if (sscanf(arg, "%" SCNu64 ":%" SCNu64 ":%" SCNu64 "%n", &warmup, &measure, &drain, &end) != 3 ||
      arg[end] || !measure || warmup > 1000000000 || measure > 1000000000 || drain > 1000000000)
    argp_error(state,
               "--phases %s: must be WARMUP:MEASURE:DRAIN, numbers of cycles, as 2000:3000:15000",
               arg);
  snprintf(number, sizeof number, "%" PRIu64, warmup);
  add_axis(state, a, "run.warmup_cycles", number);
  snprintf(number, sizeof number, "%" PRIu64, measure);
  add_axis(state, a, "run.measure_cycles", number);
  snprintf(number, sizeof number, "%" PRIu64, warmup + measure + drain);
  add_axis(state, a, "run.cycles", number);
  add_axis(state, a, "software.parameters.cycles", number);
}

static void parse_saturation(struct argp_state *state, struct arguments *a, char *arg)
{
  struct hd_setting setting;
  struct hd_error err = {""};
  int end = 0;
  if (hd_setting_parse(arg, &setting, &err))
    argp_error(state, "--saturation %s", err.text);
  struct hd_sweep_params *p = &a->params;
  if (p->saturation)
    argp_error(state, "--saturation %s: is given twice; a sweep searches along one key",
               setting.path);
  p->saturation = setting.path;
  if (sscanf(setting.value, "%lf:%lf:%lf%n", &p->low, &p->high, &p->step, &end) != 3 ||
      setting.value[end] || !(p->low < p->high && p->step > 0))
    argp_error(state, "--saturation %s=%s: must be KEY=LOW:HIGH:STEP with LOW below HIGH",
               setting.path, setting.value);
}

static const struct hd_cli_store stores[] = {
    HD_CLI_NUMBER(KEY_SEEDS, struct arguments, params.seeds, "--seeds", 1, HD_SWEEP_SEEDS),
    HD_CLI_NUMBER(KEY_CYCLES, struct arguments, params.cycles, "--cycles", 1, INT64_MAX),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  char *end;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->campaign;
    return 0;
  case KEY_SET:
    parse_set(state, a, arg);
    return 0;
  case KEY_BESIDE:
    if (a->n_beside == BESIDE_MOST)
      argp_error(state, "--beside %s: at most %d sweeps stand beside one", arg, BESIDE_MOST);
    a->beside[a->n_beside++] = arg;
    a->plot = true;
    return 0;
  case KEY_SEED:
    a->params.seed = hd_cli_number(state, "--seed", arg, 0, UINT64_MAX - HD_SWEEP_SEEDS);
    a->params.has_seed = true;
    return 0;
  case KEY_PRECISION:
    a->params.precision = strtod(arg, &end) / 100;
    if (end == arg || *end || !(a->params.precision > 0 && a->params.precision < 1))
      argp_error(state, "--precision %s: must be a percentage between 0 and 100", arg);
    return 0;
  case KEY_PHASES:
    parse_phases(state, a, arg);
    return 0;
  case KEY_SATURATION:
    parse_saturation(state, a, arg);
    return 0;
  case ARGP_KEY_ARG:
  case ARGP_KEY_NO_ARGS:
    hd_cli_single_argument(state, "scenario", "its file", &a->params.scenario_path, arg);
    return 0;
  default:
    return hd_cli_store(stores, a, key, arg, state);
  }
}

/* Failed runs, grouped by common cause, and the worst status of all. */
struct failures {
  uint64_t n;
  int status;
  struct hd_text text;
};

static int add_failure(void *context, const struct hd_task *task, const struct hd_task_outcome *o,
                       struct hd_error *err)
{
  struct failures *f = context;
  (void)err;
  (void)task;
  if (!o->failed && o->status != HD_E_BUDGET)
    return HD_OK;
  if (!f->n || o->status == HD_E_DIVERGENCE)
    f->status = o->status;
  if (f->n++ < 5)
    hd_text_add(&f->text, "  %s\n", o->message ? o->message : hd_status_text(o->status));
  return HD_OK;
}

static int write_result(const struct arguments *a, struct hd_sweep *sweep,
                        const struct hd_campaign_result *result, struct hd_error *err)
{
  const char *directory = a->campaign.out;
  struct hd_text text = {0}, backends = {0};
  struct failures failures = {0};
  int status = hd_sweep_text(sweep, directory, &text, err);
  if (!status)
    status = hd_campaign_each(directory, add_failure, &failures, err);
  if (!status && !a->campaign.quiet) {
    hd_sweep_backends(sweep, &backends);
    hd_cli_print_escaped(stdout, hd_text_chars(&text));
    printf("\n%" PRIu64 " runs, %" PRIu64 " of them done before, in %.1f s", result->ended,
           result->known, result->seconds);
    if (result->busy_seconds > 0)
      printf("; %s, busy for %.0f %% of the time", hd_count(result->workers, "worker").text,
             100 * hd_campaign_efficiency(result));
    if (result->end == HD_CAMPAIGN_TIME)
      printf("; the time is up before all points were run; the same command continues the sweep");
    printf("\n");
    hd_cli_print_escaped(stdout, hd_text_chars(&backends));
    printf("  tables              %s/points.csv, runs.csv, sweep.json\n", directory);
  }
  if (!status && failures.n) {
    fflush(stdout);
    fprintf(stderr, "heddle: %" PRIu64 " of %" PRIu64 " runs failed; the first messages are:\n",
            failures.n, result->ended);
    hd_cli_print_escaped(stderr, hd_text_chars(&failures.text));
    status = hd_fail(err, failures.status, "the sweep has failed runs; runs.csv says which");
  }
  hd_text_fini(&text);
  hd_text_fini(&backends);
  hd_text_fini(&failures.text);
  return status;
}

static int plot(const struct arguments *a, struct hd_error *err)
{
  struct hd_error why = {""};
  int status = hd_sweep_plot(a->campaign.out, a->beside, a->n_beside, &why);
  if (status == HD_E_TOOL || (status == HD_E_INPUT && !a->n_beside)) {
    fprintf(stderr, "SKIP sweep.svg: %s\n", why.text);
    return HD_OK;
  }
  if (!status && !a->campaign.quiet)
    printf("  plot                %s/sweep.svg, sweep.pdf, sweep.png, by sweep.gp\n",
           a->campaign.out);
  return status ? hd_fail(err, status, "%s", why.text) : HD_OK;
}

/* Names the directory by a hash of the sweep, so that the same command continues it. */
static void directory_of(const struct hd_campaign *c, char directory[256])
{
  uint64_t hash = hd_campaign_hash(c);
  snprintf(directory, 256, "runs/%.64s-sweep-%08" PRIx32, c->name, (uint32_t)(hash ^ hash >> 32));
}

static int run_campaign(struct arguments *a, struct hd_sweep *sweep, struct hd_error *err)
{
  struct hd_campaign_result result;
  char directory[256];
  hd_sweep_campaign(sweep, &a->campaign.campaign);
  directory_of(&a->campaign.campaign, directory);
  if (!a->campaign.out)
    mkdir("runs", 0777);
  int status = hd_cli_campaign(&a->campaign, directory, &result, err);
  if (status && status != HD_E_INTERRUPTED)
    return status;
  struct hd_error later = {""};
  int written = hd_sweep_write(sweep, a->campaign.out, &later);
  if (!written && status)
    written = hd_cli_campaign_page(&a->campaign, &later);
  if (!written && status)
    return hd_fail(err, status,
                   "interrupted after %" PRIu64 " runs, which are in %s; the same "
                   "command continues the sweep",
                   result.ended, a->campaign.out);
  if (written)
    return hd_fail(err, written, "%s", later.text);
  status = write_result(a, sweep, &result, err);
  int paged = hd_cli_campaign_page(&a->campaign, status ? &later : err);
  status = status ? status : paged;
  int drawn = a->plot ? plot(a, status ? &later : err) : HD_OK;
  return status ? status : drawn;
}

int hd_cmd_sweep(int argc, char **argv)
{
  static const struct argp_child children[] = {
      {&hd_cli_campaign_argp, 0, NULL, 0}, {&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "SCENARIO",
                                   .doc = doc,
                                   .children = children};
  struct arguments a = {.params = {.seeds = 1}};
  struct hd_sweep *sweep = NULL;
  struct hd_wrap_network network;
  struct hd_error err = {""};
  struct hd_text command = {0};
  hd_text_add(&command, "%s", argv[0]); /* "heddle NAME" */
  for (int i = 1; i < argc; i++)
    hd_text_add_option(&command, " ", argv[i]);
  a.params.axes = a.axes;
  char rtl[PATH_MAX], original[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  a.campaign.campaign.command = hd_text_chars(&command);
  int status = hd_wrap_network(&network, a.params.rtl_dir, &err);
  a.params.settings = network.settings;
  a.params.n_settings = network.n;
  for (uint32_t i = 0; i < a.params.n_axes && !status; i++)
    status = hd_cli_network_allows(&network, a.axes[i].path, &err);
  if (!status)
    status = hd_wrap_resolve(&a.params.rtl_dir, a.params.cache_dir, rtl, &err);
  if (!status)
    status = hd_wrap_resolve(&a.params.against, a.params.cache_dir, original, &err);
  if (!status)
    status = hd_sweep_create(&sweep, &a.params, &err);
  if (!status)
    status = run_campaign(&a, sweep, &err);
  hd_sweep_destroy(sweep);
  hd_wrap_network_fini(&network);
  for (uint32_t i = 0; i < a.params.n_axes; i++)
    hd_axis_fini(&a.axes[i]);
  hd_text_fini(&command);
  int code = status ? hd_cli_fail(status, &err) : hd_cli_close_output(HD_EXIT_OK);
  return hd_cli_campaign_close(&a.campaign, code);
}
