/* The heddle command: finds the subcommand and runs it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include "../host/processes.h"
#include "../host/suggest.h"
#include "../version.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
  const char *name;
  int (*main)(int argc, char **argv);
  char invocation[24];  /* argv[0] of the subcommand, for its messages */
  bool runs_users_code; /* true: also in the command's own process, not only in workers */
};

static struct command commands[] = {
    {"run", hd_cmd_run, "heddle run", true},
    {"check", hd_cmd_check, "heddle check", true},
    {"bisect", hd_cmd_bisect, "heddle bisect", false},
    {"sweep", hd_cmd_sweep, "heddle sweep", false},
    {"replay", hd_cmd_replay, "heddle replay", true},
    {"wave", hd_cmd_wave, "heddle wave", true},
    {"report", hd_cmd_report, "heddle report", false},
    {"diff", hd_cmd_diff, "heddle diff", false},
    {"coverage", hd_cmd_coverage, "heddle coverage", false},
    {"mutate", hd_cmd_mutate, "heddle mutate", true},
    {"record", hd_cmd_record, "heddle record", false},
    {"topo", hd_cmd_topo, "heddle topo", false},
    {"schedule", hd_cmd_schedule, "heddle schedule", true},
    {"scenario", hd_cmd_scenario, "heddle scenario", false},
    {"results", hd_cmd_results, "heddle results", false},
    {"programs", hd_cmd_programs, "heddle programs", false},
    {"collectives", hd_cmd_collectives, "heddle collectives", false},
    {"study", hd_cmd_study, "heddle study", false},
    {"backends", hd_cmd_backends, "heddle backends", false},
    {"bench", hd_cmd_bench, "heddle bench", true},
    {"wrap", hd_cmd_wrap, "heddle wrap", false},
    {"export", hd_cmd_export, "heddle export", true},
    {"board", hd_cmd_board, "heddle board", false},
};

static const char doc[] =
    "Co-simulates RTL switches in whole fabrics against a cycle-exact model of them.\v"
    "Commands:\n"
    "  run SCENARIO      run a scenario and compare RTL with the model\n"
    "  check [RTL_DIR]   say in five minutes whether this RTL still is the switch\n"
    "  bisect SCENARIO   find the commit that broke a scenario\n"
    "  sweep SCENARIO    run a scenario for several values of its keys: curves\n"
    "  replay RUN        repeat a recorded run\n"
    "  wave RUN          show RTL and model in GTKWave, at a divergence or anywhere\n"
    "  report DIR        write the page (report.html) of a run or a campaign again\n"
    "  diff RUN_A RUN_B  compare two runs packet by packet and hop by hop\n"
    "  coverage RUN      show what runs exercised of specification and RTL\n"
    "  mutate SCENARIO   measure how many wrong gates a scenario finds\n"
    "  record COMMAND    record an MPI program as a trace\n"
    "  topo SCENARIO     show a fabric: counts, links, paths\n"
    "  schedule SCENARIO show messages that contend; find a collective's fewest steps\n"
    "  scenario [KEY]    list the keys of scenarios\n"
    "  results           list what a run measures\n"
    "  programs          list the endpoint software\n"
    "  collectives       list collectives and algorithms, with their costs\n"
    "  backends          list the backends of --dut, with their options\n"
    "  wrap DESCRIPTION  write the module hd_switch around your own router\n"
    "  export SCENARIO   write the fabric as synthesizable RTL with one top\n"
    "  study [STUDY]     measure and judge what a paper says\n"
    "  bench             measure the speed of Heddle\n"
    "  board             list, flash and check boards on serial lines\n"
    "`heddle COMMAND --help` says more, with examples.\n";

static const char examples[] =
    "Examples:\n"
    "  heddle run tests/scenarios/mesh-8x8-uniform.yaml --dut verilator --seed 7\n"
    "  heddle topo tests/scenarios/mesh-8x8-uniform.yaml --path 0:13";

static void print_version(FILE *stream, struct argp_state *state)
{
  (void)state;
  fprintf(stream, "heddle %s\n", HD_VERSION);
}

/* Adds an exit code and its text, in lines that fit a terminal. */
static void add_exit_code(struct hd_text *text, int code, const char *about)
{
  enum { INDENT = 7, WIDTH = 76 };
  size_t at = INDENT;
  hd_text_add(text, "  %-*d", INDENT - 2, code);
  for (const char *word = about; *word; word += strspn(word, " ")) {
    const int n = (int)strcspn(word, " ");
    const bool wraps = at > INDENT && at + 1 + (size_t)n > WIDTH;
    hd_text_add(text, "%s%.*s", wraps ? "\n       " : at > INDENT ? " " : "", n, word);
    at = (wraps || at == INDENT ? INDENT : at + 1) + (size_t)n;
    word += n;
  }
  hd_text_add(text, "\n");
}

static void add_help(struct hd_text *text)
{
  static const struct {
    int code;
    const char *about;
  } exits[] = {
#define EXIT_LINE(name, code, about) {code, about},
      HD_EXIT_LIST(EXIT_LINE)
#undef EXIT_LINE
  };
  hd_text_add(text, "%s\nExit codes:\n", doc);
  for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
    add_exit_code(text, exits[i].code, exits[i].about);
  hd_text_add(text, "\n%s", examples);
}

/* Checks the output when argp ends the process itself, for --help, --version and --usage. */
static void on_argp_exit(int code, void *unused)
{
  (void)unused;
  const int checked = hd_cli_close_output(code);
  if (checked != code)
    _exit(checked);
}

struct choice {
  int argc;
  char **argv;
  struct command *command;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  if (key == ARGP_KEY_ARG) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
      if (!strcmp(arg, commands[i].name))
        choice->command = &commands[i];
    struct hd_suggestion suggestion = {.given = arg, .length = strlen(arg)};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
      hd_suggest(&suggestion, commands[i].name);
    if (!choice->command)
      argp_error(state, "there is no command '%s'%s", arg, suggestion.text);
    /* all further arguments belong to the command */
    choice->argv = state->argv + state->next - 1;
    choice->argc = state->argc - state->next + 1;
    state->next = state->argc;
    return 0;
  }
  if (key == ARGP_KEY_NO_ARGS)
    argp_usage(state);
  return ARGP_ERR_UNKNOWN;
}

int main(int argc, char **argv)
{
  struct hd_text help = {0};
  struct choice choice = {0};
  add_help(&help);
  const struct argp argp = {
      .parser = parse, .args_doc = "COMMAND [ARGUMENT...]", .doc = hd_text_chars(&help)};
  argp_err_exit_status = HD_EXIT_INPUT;
  argp_program_version_hook = print_version;
  /* Makes a limit on the size of files an error of the write, not the end of the process. */
  signal(SIGXFSZ, SIG_IGN);
  on_exit(on_argp_exit, NULL);
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
  hd_text_fini(&help);
  argp_program_version_hook = NULL;
  choice.argv[0] = choice.command->invocation;
  if (choice.command->runs_users_code)
    return hd_cli_forbid_exit(choice.command->main, choice.argc, choice.argv);
  struct hd_spared spared = {0};
  hd_processes_adopt(&spared); /* users' code in a worker may fork copies of the worker */
  const int code = hd_cli_close_output(choice.command->main(choice.argc, choice.argv));
  hd_processes_end_adopted(&spared);
  return code;
}
