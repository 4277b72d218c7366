/* heddle mutate: measures how good scenarios are as tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/clock.h"
#include "../run/directory.h"
#include "../mutation/mutation.h"
#include "../wrap/wrap.h"
#include "router.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  KEY_MUTANTS = 1000,
  KEY_SEED,
  KEY_SWITCH,
  KEY_SWITCHES,
  KEY_STREAMS,
  KEY_PROVE,
  KEY_CYCLES,
  KEY_THREADS,
  KEY_SET
};

enum { MIXES = 6, ROUTER_MUTANTS = 1000 };

struct arguments {
  struct hd_mutation_options options;
  struct hd_setting settings[HD_CLI_SETTINGS];
  const char *scenarios[HD_MUTATION_SOURCES];
  struct hd_check_params router; /* router for which scenarios are made, if none is given */
  struct hd_setting router_settings[HD_CHECK_SETTINGS];
  struct hd_wrap_network network; /* its network */
  char mixes[MIXES][PATH_MAX];
  const char *out;
  bool has_switches, quiet, show_progress, shown;
  double told, building_told;
};

static const struct argp_option options[] = {
    {"mutants", KEY_MUTANTS, "N", 0,
     "draw N mutants at random (all; 1000 of a router without a model)", 1},
    {"files", HD_CLI_TEXT(struct arguments, options.files), "NAME,...", 0,
     "draw only mutants of files whose names begin with NAME", 1},
    {"seed", KEY_SEED, "N", 0, "set the seed of the draw (1)", 1},
    {"switch", KEY_SWITCH, "S", 0, "play only what enters switch S", 1},
    {"switches", KEY_SWITCHES, "N", 0, "play at most the N busiest switches (all); 0: none", 1},
    {"streams", KEY_STREAMS, "N", 0,
     "play N random streams of each style (heddle check) on one switch, too (0)", 1},
    {"each", HD_CLI_FLAG(struct arguments, options.each), NULL, 0,
     "play every mutant on every scenario, to see which mutants only one of them finds", 1},
    {"prove", KEY_PROVE, "MINUTES", 0,
     "try for at most MINUTES to prove that no input shows a survivor (0)", 1},
    {"prove-found", HD_CLI_FLAG(struct arguments, options.prove_found), NULL, 0,
     "try to prove mutants that are found, too; a proof of one is an internal error", 1},
    {"foreign", HD_CLI_FLAG(struct arguments, options.foreign), NULL, 0,
     "take the first argument, or --rtl, as a router without a model: count the mutants that the "
     "rules at ports find, and those that differ from the router without a mutant",
     1},
    {"cycles", KEY_CYCLES, "N", 0, "end a scenario after N cycles at the latest", 1},
    {"threads", KEY_THREADS, "N", 0, "play with N threads, 1 to 64 (one for each core)", 1},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "set a key of each scenario, such as software.parameters.load=0.2; may be repeated", 2},
    {"program", HD_CLI_TEXT(struct arguments, options.program), "FILE.so", 0,
     "load the endpoint software from FILE.so, if software.program is a shared object", 2},
    {"rtl", HD_CLI_TEXT(struct arguments, options.rtl_dir), "DIR", 0,
     "use the Verilog in DIR instead of Heddle's own rtl/. DIR may also be the description of a "
     "router (heddle wrap)",
     2},
    {"cache", HD_CLI_TEXT(struct arguments, options.cache_dir), "DIR", 0,
     "keep built backends in DIR", 2},
    {"out", HD_CLI_TEXT(struct arguments, out), "DIR", 0,
     "write the results into DIR (runs/NAME-mutants-N)", 2},
    {"progress", HD_CLI_FLAG(struct arguments, show_progress), NULL, 0,
     "show progress even if stderr is not a terminal", 2},
    {"quiet", 'q', NULL, 0, "print errors only", 2},
    {0},
};

static const char doc[] =
    "Measures how good a scenario is as a test. A mutant is a switch in which one gate or one "
    "flip-flop is wrong. The scenario runs on the model. Heddle then plays the inputs of its "
    "switches on mutants, a few hundred at a time. A mutant is found when its outputs or registers "
    "differ from the model's. The mutation score is the share of mutants that is found. The others "
    "survive; they are listed by line of the RTL. Each survivor is a fault that this scenario "
    "would not find. Several scenarios of one switch get one score together. The directory of a "
    "sweep stands for all its runs that have not failed. For a router without a model, given by "
    "its description or with --foreign, the command measures the rules at ports: how many mutants "
    "they find in closed loop, and how many differ from the router without a mutant. The scenarios "
    "are yours, or the first mixes of traffic of heddle check.\v"
    "Writes mutation.json, mutants.csv (for each mutant its fault, and the cycle and wire that "
    "showed it) and lines.csv. For a router without a model it writes rules.csv, too. "
    "docs/mutation.md says what is counted.\n"
    "\n"
    "Exit codes: 0 the mutants were played; 3 the RTL without a mutant differs from its model, or "
    "breaks a rule; 130 interrupted, the results so far are written.\n"
    "\n"
    "Examples:\n"
    "  heddle mutate tests/scenarios/shuffle-6-to-10.yaml --mutants 2000\n"
    "  heddle mutate my.yaml --switch 27 --cycles 10000\n"
    "  heddle mutate my.yaml other.yaml --switches 4 --streams 1 --each\n"
    "  heddle mutate my.yaml --switches 4 --streams 1 --prove 10\n"
    "  heddle mutate my.yaml --files hd_route_,hd_rr_arbiter --streams 1\n"
    "  heddle mutate my.yaml --rtl my-rtl --out score\n"
    "  heddle mutate my-router.yaml\n"
    "  heddle mutate my-router.yaml my-traffic.yaml --mutants 300\n"
    "  heddle mutate --foreign my-router-dir my-traffic.yaml\n"
    "  heddle mutate runs/my-sweep-acf55233 --switches 1 --mutants 2000";

static const struct hd_cli_store stores[] = {
    HD_CLI_LETTER('q', HD_CLI_FLAG(struct arguments, quiet)),
    HD_CLI_NUMBER(KEY_MUTANTS, struct arguments, options.mutants, "--mutants", 1, UINT32_MAX),
    HD_CLI_NUMBER(KEY_SEED, struct arguments, options.seed, "--seed", 0, UINT64_MAX),
    HD_CLI_NUMBER(KEY_STREAMS, struct arguments, options.streams, "--streams", 0, 1000),
    HD_CLI_NUMBER(KEY_CYCLES, struct arguments, options.cycles, "--cycles", 1, INT64_MAX),
    HD_CLI_NUMBER(KEY_THREADS, struct arguments, options.threads, "--threads", 1, 64),
    {0}};

/* Decides whether the mutants are those of another router, which may be the first argument. Its
 * mutants are many, and each takes a run, so fewer are the default. */
static void judge_of(struct arguments *a, struct argp_state *state)
{
  struct hd_mutation_options *o = &a->options;
  const bool first =
      !o->rtl_dir && o->n_scenarios && (o->foreign || hd_cli_is_router(o->scenarios[0]));
  if (first) {
    o->rtl_dir = o->scenarios[0];
    memmove(a->scenarios, a->scenarios + 1, --o->n_scenarios * sizeof *a->scenarios);
  }
  o->foreign |= o->rtl_dir && hd_wrap_is_description(o->rtl_dir);
  if (!o->foreign && !o->n_scenarios)
    argp_error(state, "no scenario is given; give its file, or the directory of a sweep");
  if (!o->foreign)
    return;
  if (!o->rtl_dir)
    argp_error(state, "--foreign: give the description or the directory of the router");
  if (o->streams || o->each || o->prove > 0 || o->has_switch || a->has_switches)
    argp_error(state,
               "--streams, --each, --prove, --switch and --switches are for Heddle's switch; "
               "%s is another router",
               o->rtl_dir);
  if (!o->mutants)
    o->mutants = ROUTER_MUTANTS;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct arguments *a = state->input;
  struct hd_mutation_options *o = &a->options;
  switch (key) {
  case KEY_SWITCH:
    o->sw = (uint32_t)hd_cli_number(state, "--switch", arg, 0, UINT32_MAX);
    o->has_switch = true;
    return 0;
  case KEY_SWITCHES:
    o->switches = (uint32_t)hd_cli_number(state, "--switches", arg, 0, UINT32_MAX);
    a->has_switches = true;
    return 0;
  case KEY_PROVE:
    o->prove = (double)hd_cli_number(state, "--prove", arg, 0, 100000);
    return 0;
  case KEY_SET:
    hd_cli_setting(state, arg, a->settings, &o->n_settings);
    return 0;
  case ARGP_KEY_ARG:
    if (o->n_scenarios == HD_MUTATION_SOURCES)
      argp_error(state, "at most %d scenarios", HD_MUTATION_SOURCES);
    a->scenarios[o->n_scenarios++] = arg;
    return 0;
  case ARGP_KEY_END:
    judge_of(a, state);
    if (o->prove_found && !(o->prove > 0))
      argp_error(state, "--prove-found needs --prove");
    if (o->has_switch && a->has_switches)
      argp_error(state, "--switch plays one switch, --switches several; choose one");
    return 0;
  default:
    return hd_cli_store(stores, a, key, arg, state);
  }
}

/* ── on stderr ─────────────────────────────────────────────────────────────── */

static bool is_on_terminal(void)
{
  return isatty(STDERR_FILENO);
}

static void clear_progress(struct arguments *a)
{
  if (a->shown && is_on_terminal())
    fputs("\r\033[K", stderr);
  a->shown = false;
}

static void say(void *context, const char *line)
{
  struct arguments *a = context;
  clear_progress(a);
  if (!a->quiet) {
    hd_cli_print_escaped(stderr, line);
    fputc('\n', stderr);
  }
}

static void building(void *context, const char *what, double seconds)
{
  struct arguments *a = context;
  if (a->quiet)
    return;
  hd_cli_show_building(what, seconds, a->show_progress, &a->building_told);
  a->shown = true;
}

static void progress(void *context, const struct hd_mutation_progress *p)
{
  struct arguments *a = context;
  const double now = hd_seconds_now();
  if (a->quiet || (!is_on_terminal() && !a->show_progress) || now - a->told < 0.5)
    return;
  a->told = now;
  fprintf(stderr, "%s%s: %" PRIu64 " of %" PRIu64 " mutants %s", is_on_terminal() ? "\r\033[K" : "",
          p->phase, p->found, p->mutants,
          p->proved  ? "proved equivalent"
          : p->ruled ? "found by rules or deliveries"
                     : "found");
  if (!p->proved && !p->ruled)
    fprintf(stderr, ", %.0f M mutant-cycles/s", p->played_per_second / 1e6);
  if (p->seconds_left >= 0)
    fprintf(stderr, ", at most %.0f s left", p->seconds_left);
  fputs(is_on_terminal() ? "" : "\n", stderr);
  fflush(stderr);
  a->shown = true;
}

static bool stop(void *context)
{
  (void)context;
  return hd_cli_stopped();
}

/* ── the command ───────────────────────────────────────────────────────────── */

/* Creates the directory of --out, before hours of mutants whose results could not be written;
 * NULL: no --out. */
static int given_directory(const char *out, char **directory, struct hd_error *err)
{
  struct hd_text path = {0};
  *directory = NULL;
  int status = out ? hd_run_directory(out, "", directory, err) : HD_OK;
  hd_text_add(&path, "%s/mutation.json", *directory ? *directory : "");
  if (*directory && !access(hd_text_chars(&path), F_OK))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: there are results in this directory already; choose another by --out",
                     *directory);
  hd_text_fini(&path);
  return status;
}

/* Writes scenarios for a router if none is given. They are kept beside the results. */
static int write_mixes(struct arguments *a, char **directory, struct hd_error *err)
{
  struct hd_text name = {0};
  const char *slash = strrchr(a->router.rtl_dir, '/');
  const char *router = slash ? slash + 1 : a->router.rtl_dir;
  a->router.rtl_dir = a->options.rtl_dir;
  hd_text_add(&name, "%.*s-mutants", *router ? (int)strcspn(router, ".") : 6,
              *router ? router : "router");
  int status = *directory ? HD_OK : hd_run_directory(NULL, hd_text_chars(&name), directory, err);
  if (!status)
    status = hd_check_write_mixes(&a->router, *directory, MIXES, err);
  for (uint32_t i = 0; i < MIXES && !status; i++) {
    snprintf(a->mixes[i], sizeof a->mixes[i], "%s/mix-%" PRIu32 ".yaml", *directory, i);
    a->scenarios[a->options.n_scenarios++] = a->mixes[i];
  }
  hd_text_fini(&name);
  return status;
}

/* Prepares the directory of the results, the router's files, and the scenarios. */
static int prepare(struct arguments *a, char **directory, char rtl[PATH_MAX], struct hd_error *err)
{
  struct hd_mutation_options *o = &a->options;
  a->router = (struct hd_check_params){
      .rtl_dir = o->rtl_dir, .cache_dir = o->cache_dir, .seed = o->seed, .foreign = true};
  int status = hd_cli_router_read(&a->router, a->router_settings, &a->network, err);
  if (!status && o->n_scenarios)
    status = hd_cli_add_network(&a->network, a->settings, &o->n_settings, err);
  if (!status)
    status = hd_wrap_resolve(&o->rtl_dir, o->cache_dir, rtl, err);
  if (o->rtl_dir != a->router.rtl_dir) /* no mutants of wrapper and adapters, which are not the
                                          user's */
    o->within = HD_WRAP_FILES "/";
  if (!status)
    status = given_directory(a->out, directory, err);
  return status || o->n_scenarios ? status : write_mixes(a, directory, err);
}

static int write_results(const struct arguments *a, const struct hd_mutation *m, char **directory,
                         struct hd_error *err)
{
  struct hd_text name = {0}, text = {0};
  hd_text_add(&name, "%s-mutants", m->sources[0].scenario.name);
  int status = *directory ? HD_OK : hd_run_directory(NULL, hd_text_chars(&name), directory, err);
  if (!status)
    status = hd_mutation_write(m, *directory, err);
  if (!a->quiet) { /* prints the result even if it could not be written */
    hd_mutation_text(m, &text);
    hd_cli_print_escaped(stdout, hd_text_chars(&text));
    printf("\n%.1f s", m->seconds);
    printf(status ? "\n" : "; %s/mutation.json, mutants.csv, lines.csv%s\n", *directory,
           m->foreign ? ", rules.csv" : "");
  }
  hd_text_fini(&name);
  hd_text_fini(&text);
  return status;
}

int hd_cmd_mutate(int argc, char **argv)
{
  static const struct argp_child children[] = {{&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "SCENARIO|SWEEP...\nROUTER [SCENARIO...]",
                                   .doc = doc,
                                   .children = children};
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  struct arguments a = {.options = {.seed = 1,
                                    .switches = UINT32_MAX,
                                    .threads = cores < 1    ? 1
                                               : cores > 64 ? 64
                                                            : (uint32_t)cores,
                                    .say = say,
                                    .building = building,
                                    .progress = progress,
                                    .stop = stop}};
  struct hd_mutation mutation = {.n_records = 0};
  struct hd_error err = {""}, later = {""};
  char *directory = NULL;
  a.options.settings = a.settings;
  a.options.scenarios = a.scenarios;
  char rtl[PATH_MAX];
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  a.options.context = &a;
  hd_cli_catch_signals();
  int status = prepare(&a, &directory, rtl, &err);
  if (status) {
    hd_wrap_network_fini(&a.network);
    free(directory);
    return hd_cli_fail(status, &err);
  }
  status = hd_mutation_run(&mutation, &a.options, &err);
  clear_progress(&a);
  if ((!status || status == HD_E_INTERRUPTED) && mutation.n_records) {
    const int written = write_results(&a, &mutation, &directory, &later);
    if (written) { /* a failed write is reported before an interruption */
      status = written;
      err = later;
    }
  }
  hd_mutation_fini(&mutation);
  hd_wrap_network_fini(&a.network);
  free(directory);
  return status ? hd_cli_fail(status, &err) : hd_cli_close_output(HD_EXIT_OK);
}
