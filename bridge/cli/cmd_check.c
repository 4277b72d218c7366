/* heddle check: tests whether changed RTL is still the switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign_show.h"
#include "cli.h"
#include "router.h"

#include "../bisect/check_bisect.h"
#include "../check/check.h"
#include "../wrap/wrap.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
  KEY_SEED = 1000,
  KEY_RUNS,
  KEY_SHRINK,
  KEY_STREAM,
  KEY_STRESS,
  KEY_PROOF,
  KEY_SET,
  KEY_BUDGET
};

struct arguments {
  struct hd_cli_campaign campaign;
  struct hd_check_params params;
  struct hd_setting settings[HD_CHECK_SETTINGS];
  struct hd_wrap_network network; /* settings of a description */
  bool bisect;
};

static const struct argp_option options[] = {
    {"seed", KEY_SEED, "N", 0, "set the seed of the random scenarios (1)", 1},
    {"runs", KEY_RUNS, "N", 0, "end after N runs; without --minutes, time is then not limited", 1},
    {"stream", KEY_STREAM, "N|FILE", 0,
     "play only random stream N, or the stream in FILE, into one switch", 1},
    {"stress", KEY_STRESS, "N", 0,
     "do only stress run N beside the original; from 1000 on: 512 benches at once, in bit lanes",
     1},
    {"against", HD_CLI_TEXT(struct arguments, params.against), "DIR", 0,
     "take the original RTL from DIR (the installed RTL); it runs beside RTL_DIR in one bench. "
     "With --foreign, scenarios are compared with it in every cycle, too",
     1},
    {"proof", KEY_PROOF, "NAME", 0, "do only the proof NAME of tb/formal.txt", 1},
    {"proof-of", HD_CLI_TEXT(struct arguments, params.proof_of), "MODULE", 0,
     "only prove that the changed MODULE equals the original's; \"MODULE N=1 M=2\": with these "
     "parameters",
     1},
    {"shrink-seconds", KEY_SHRINK, "S", 0,
     "spend at most S seconds to make the scenario of each kind of difference small (40)", 1},
    {"scenario", HD_CLI_TEXT(struct arguments, params.scenario), "FILE", 0,
     "begin with this scenario and its switch", 1},
    {"switch", HD_CLI_TEXT(struct arguments, params.switch_keys), "KEYS", 0,
     "begin with this switch, such as \"depth_flits: 16, vcs: 4\"; with --scenario, these keys "
     "replace the scenario's",
     1},
    {"require", HD_CLI_TEXT(struct arguments, params.require), "STAGES", 0,
     "exit with 11 if one of these stages was not completed: proofs,stock,four-state,...", 1},
    {"foreign", HD_CLI_FLAG(struct arguments, params.foreign), NULL, 0,
     "judge any router in RTL_DIR by the rules at its ports, not by Heddle's model; --switch then "
     "gives the router's parameters for every run",
     1},
    {"classes", HD_CLI_FLAG(struct arguments, params.takes.classes), NULL, 0,
     "with --foreign: run tori and virtual networks, too. The router's channels must not wait for "
     "each other, and packets must use the channels that the tables say",
     1},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "with --foreign: set a key of every scenario, such as run.order=none, which says what the "
     "router promises; may be repeated",
     1},
    {"budget", KEY_BUDGET, "LIMITS", 0,
     "with --foreign: set limits for the first switch, latency=CYCLES,accepted=LOAD: the highest "
     "mean latency without load, and the fewest flits per node and cycle at saturation",
     1},
    {"bisect", HD_CLI_FLAG(struct arguments, bisect), NULL, 0,
     "exit with 125 if there is no verdict, so that git bisect run skips the commit", 1},
    {"cache", HD_CLI_TEXT(struct arguments, params.cache_dir), "DIR", 0,
     "keep built backends in DIR", 2},
    {0},
};

static const char doc[] =
    "Says whether this RTL still is the switch. Elaborates RTL_DIR (the installed RTL) in three "
    "tools. Compares it with the model: random streams into single switches, random scenarios, the "
    "scenarios that come with Heddle, four-state simulation, a large fabric and a long run. Proves "
    "properties of modules. Takes five minutes, unless options say otherwise, and does first what "
    "finds most. Prints one verdict. Differences with the same first wrong state inside count as "
    "one; each has one small scenario, its waves and one command that repeats it. With --foreign, "
    "RTL_DIR is a router without a model. Mixes of traffic and random scenarios then run in closed "
    "loop, and the rules at ports say what is wrong. With --against, they are compared with RTL "
    "that was right."
    "\vExit codes: 0 the same switch, or no rule broken; 3 not the switch; 7 the RTL does not "
    "build; 11 nothing was compared, or less than --require asks for; 130 interrupted. With "
    "--bisect all codes but 0 and 3 become 125.\n"
    "\n"
    "Examples:\n"
    "  heddle check my-rtl\n"
    "  heddle check my-rtl --minutes 1 --failures 1\n"
    "  heddle check --foreign my-router --switch \"vcs: 1, depth_flits: 8\"\n"
    "  heddle check my-router.yaml --against yesterday.yaml --stress 0\n"
    "  git bisect run heddle check rtl --minutes 1 --failures 1 --bisect";

static const struct hd_cli_store stores[] = {
    HD_CLI_NUMBER(KEY_SEED, struct arguments, params.seed, "--seed", 0, UINT32_MAX),
    HD_CLI_NUMBER(KEY_RUNS, struct arguments, params.runs, "--runs", 1, UINT32_MAX),
    {0}};

/* Reads budgets, such as "latency=25,accepted=0.3". */
static void read_budget(struct arguments *a, const char *arg, struct argp_state *state)
{
  const char *at = arg;
  do {
    char name[16] = "", *end = NULL;
    double value = 0;
    if (sscanf(at, "%15[a-z]", name) == 1 && at[strlen(name)] == '=')
      value = strtod(at + strlen(name) + 1, &end);
    double *to = strcmp(name, "latency")
                     ? strcmp(name, "accepted") ? NULL : &a->params.budget.accepted
                     : &a->params.budget.latency_cycles;
    if (!to || !(value > 0) || !isfinite(value) || (*end && *end != ','))
      argp_error(state, "--budget %s: give latency=CYCLES, accepted=FLITS, or both with a comma",
                 arg);
    *to = value;
    at = end + (*end == ',');
  } while (*at);
}

static void add_setting(struct arguments *a, char *arg, struct argp_state *state)
{
  struct hd_error err;
  if (a->params.n_settings == sizeof a->settings / sizeof *a->settings)
    argp_error(state, "--set %s: there are too many", arg);
  if (hd_setting_parse(arg, &a->settings[a->params.n_settings], &err))
    argp_error(state, "--set: %s", err.text);
  a->params.settings = a->settings;
  a->params.n_settings++;
}

/* Decides whether the RTL is Heddle's switch or another router. A description always describes
 * another one. A directory is another one only if the user says so (--foreign): rules alone must
 * never judge a broken switch of Heddle. */
static void judge_of(struct arguments *a, struct argp_state *state)
{
  const struct hd_check_params *p = &a->params;
  if (p->rtl_dir && hd_wrap_is_description(p->rtl_dir))
    a->params.foreign = true;
  if (p->foreign && !p->rtl_dir)
    argp_error(state, "--foreign: give the directory of the router");
  if (p->foreign && (p->stream_file || p->has_stream || p->proof || p->proof_of))
    argp_error(state,
               "--foreign: streams and proofs work with Heddle's own switch only; leave one out");
  if (p->foreign && p->has_stress && !p->against)
    argp_error(state, "--stress: the bench has two routers; give the other one with --against");
  if (!p->foreign && (p->n_settings || p->budget.latency_cycles > 0 || p->budget.accepted > 0))
    argp_error(state, "--set and --budget need --foreign");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->campaign;
    return 0;
  case KEY_STREAM:
    a->params.stream_file = arg[strspn(arg, "0123456789")] ? arg : NULL;
    a->params.has_stream = !a->params.stream_file;
    if (a->params.has_stream)
      a->params.stream = (uint32_t)hd_cli_number(state, "--stream", arg, 0, UINT32_MAX);
    a->params.runs = 1;
    return 0;
  case KEY_STRESS:
    a->params.has_stress = true;
    a->params.stress = (uint32_t)hd_cli_number(state, "--stress", arg, 0, UINT32_MAX);
    a->params.runs = 1;
    return 0;
  case KEY_PROOF:
    a->params.proof = arg;
    a->params.runs = 1;
    return 0;
  case KEY_SHRINK:
    a->params.shrink_seconds = (double)hd_cli_number(state, "--shrink-seconds", arg, 0, 100000);
    return 0;
  case KEY_SET:
    add_setting(a, arg, state);
    return 0;
  case KEY_BUDGET:
    read_budget(a, arg, state);
    return 0;
  case ARGP_KEY_END:
    judge_of(a, state);
    return 0;
  case ARGP_KEY_ARG:
    if (a->params.rtl_dir)
      argp_error(state, "unexpected argument '%s'; give one directory at a time", arg);
    a->params.rtl_dir = arg;
    return 0;
  default:
    return hd_cli_store(stores, a, key, arg, state);
  }
}

/* Names the directory by a hash of the campaign, so that a check of the same RTL finds the
 * results of the one before. */
static void directory_of(const struct hd_campaign *c, char directory[256])
{
  uint64_t hash = hd_campaign_hash(c);
  snprintf(directory, 256, "runs/check-%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
}

static int write_result(const struct arguments *a, struct hd_check *check, bool interrupted,
                        const struct hd_campaign_result *result, struct hd_error *err)
{
  struct hd_text text = {0};
  int status = hd_check_write(check, interrupted, err);
  hd_check_text(check, &text);
  if (!a->campaign.quiet && hd_check_verdict(check) != HD_E_TOOL) {
    hd_cli_print_escaped(stdout, hd_text_chars(&text));
    printf("\n%.1f s; %s/check.json, check.xml\n", result->seconds, a->campaign.out);
  }
  hd_text_fini(&text);
  return status ? status : hd_cli_campaign_page(&a->campaign, err);
}

static int run_campaign(struct arguments *a, struct hd_check *check, struct hd_error *err)
{
  struct hd_campaign_result result;
  char directory[256];
  hd_check_campaign(check, &a->campaign.campaign);
  directory_of(&a->campaign.campaign, directory);
  if (!a->campaign.out) {
    mkdir("runs", 0777);
    a->campaign.out = directory;
  }
  hd_check_directory(check, a->campaign.out);
  int status = hd_cli_campaign(&a->campaign, directory, &result, err);
  int verdict = hd_check_verdict(check);
  bool unbuilt = status == HD_E_TOOL && (verdict == HD_E_TOOL || verdict == HD_E_DIVERGENCE);
  if (status && status != HD_E_INTERRUPTED && !unbuilt)
    return status;
  struct hd_error later = {""};
  int told = write_result(a, check, status == HD_E_INTERRUPTED, &result, &later);
  if (status && !(unbuilt && verdict == HD_E_DIVERGENCE)) /* if some RTL was built and differs,
                                                             the check has a verdict */
    return status;
  if (told)
    return hd_fail(err, told, "%s", later.text);
  return HD_OK;
}

/* Turns an exit code that is no verdict on the RTL into the one by which `git bisect run` skips
 * a commit. */
static int for_bisect(const struct arguments *a, int code)
{
  if (code == HD_EXIT_OK && a->params.rtl_dir && hd_bisect_is_bad_commit(a->params.rtl_dir)) {
    fputs("heddle: no verdict: this RTL passes, but the bad commit of git bisect has the same RTL, "
          "except for comments; run heddle check on the bad commit\n",
          stderr);
    return HD_EXIT_SKIP;
  }
  return code == HD_EXIT_OK || code == HD_EXIT_DIVERGENCE ? code : HD_EXIT_SKIP;
}

static int exit_code(const struct arguments *a, const struct hd_check *check, int status,
                     const struct hd_error *err)
{
  int code =
      status ? hd_cli_fail(status, err) : hd_cli_close_output(hd_cli_exit(hd_check_verdict(check)));
  return a->bisect ? for_bisect(a, code) : code;
}

static bool is_for_bisect(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--bisect"))
      return true;
  return false;
}

int hd_cmd_check(int argc, char **argv)
{
  static const struct argp_child children[] = {
      {&hd_cli_campaign_argp, 0, NULL, 0}, {&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "[RTL_DIR]",
                                   .doc = doc,
                                   .children = children};
  struct arguments a = {.params = {.seed = 1, .shrink_seconds = 40}};
  struct hd_check *check = NULL;
  struct hd_error err = {""};
  struct hd_text command = {0};
  hd_text_add(&command, "%s", argv[0]); /* "heddle NAME" */
  for (int i = 1; i < argc; i++)
    hd_text_add_option(&command, " ", argv[i]);
  if (is_for_bisect(argc, argv)) /* a wrong option is no verdict on the RTL, either */
    argp_err_exit_status = HD_EXIT_SKIP;
  char rtl[PATH_MAX], original[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  if (!(a.campaign.campaign.seconds > 0) && !a.params.runs) {
    a.campaign.campaign.seconds = 300;
    /* The user gave neither a time nor stages. */
    a.params.settles = !a.params.require;
  }
  /* The check itself shrinks examples of failures, before its end. */
  a.params.failures = a.campaign.campaign.most_failures;
  a.campaign.campaign.most_failures = 0;
  a.params.seconds = a.campaign.campaign.seconds;
  a.campaign.campaign.command = hd_text_chars(&command);
  a.params.rtl_named = a.params.rtl_dir;
  a.params.against_named = a.params.against;
  int status = hd_cli_router_read(&a.params, a.settings, &a.network, &err);
  if (!status)
    status = hd_wrap_resolve(&a.params.rtl_dir, a.params.cache_dir, rtl, &err);
  if (!status)
    status = hd_wrap_resolve(&a.params.against, a.params.cache_dir, original, &err);
  if (!status)
    status = hd_check_create(&check, &a.params, &err);
  if (!status)
    status = run_campaign(&a, check, &err);
  int code = exit_code(&a, check, status, &err);
  hd_check_destroy(check);
  hd_wrap_network_fini(&a.network);
  hd_text_fini(&command);
  return hd_cli_campaign_close(&a.campaign, code);
}
