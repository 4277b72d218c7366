/* The heddle command: finds the subcommand.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"
#include "guard.h"

#include "../host/processes.h"
#include "../host/suggest.h"
#include "../version.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command {
  const char *name;
  int (*main)(int argc, char **argv);
  char invocation[24];  /* argv[0] of the subcommand, for its messages */
  bool runs_users_code; /* in its own process, not in workers alone */
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
    "  check [RTL_DIR]   is this RTL still the switch? one verdict in five minutes\n"
    "  bisect SCENARIO   find the commit that broke a scenario\n"
    "  sweep SCENARIO    curves: a scenario over axes of its keys and over seeds\n"
    "  replay RUN        repeat a recorded run\n"
    "  wave RUN          show RTL and model in GTKWave, at a divergence or anywhere\n"
    "  report DIR        write the page of a run or a campaign again, report.html\n"
    "  diff RUN_A RUN_B  compare two runs packet by packet and hop by hop\n"
    "  coverage RUN      what runs exercised of specification and RTL\n"
    "  mutate SCENARIO   how good a test a scenario is: which wrong gates it finds\n"
    "  record COMMAND    record an MPI program as a trace\n"
    "  topo SCENARIO     show a fabric: counts, links, paths\n"
    "  schedule SCENARIO which messages contend; the fewest steps of a collective\n"
    "  scenario [KEY]    list the keys of scenarios\n"
    "  results           list what a run measures\n"
    "  programs          list the endpoint software\n"
    "  collectives       list collectives and algorithms, with their costs\n"
    "  backends          list what can answer for the switches, with options\n"
    "  wrap DESCRIPTION  make hd_switch around your own router\n"
    "  export SCENARIO   write the fabric as synthesizable RTL with one top\n"
    "  study [STUDY]     measure and judge what a paper says\n"
    "  bench             measure speed\n"
    "  board             boards on serial lines: list, flash, check, virtual\n"
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

/* A text behind its number, in lines of a terminal. */
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

static void on_argp_exit(int code, void *unused);

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
    /* The rest is the command's. */
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
  /* A file that must not grow is an error of the write, not the end of the process. */
  signal(SIGXFSZ, SIG_IGN);
  on_exit(on_argp_exit, NULL);
  argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);
  hd_text_fini(&help);
  argp_program_version_hook = NULL;
  choice.argv[0] = choice.command->invocation;
  if (choice.command->runs_users_code)
    return hd_cli_forbid_exit(choice.command->main, choice.argc, choice.argv);
  struct hd_spared spared = {0};
  hd_processes_adopt(&spared); /* users' code in a worker may leave copies of it */
  const int code = hd_cli_close_output(choice.command->main(choice.argc, choice.argv));
  hd_processes_end_adopted(&spared);
  return code;
}

int hd_cli_exit(int status)
{
  switch (status) {
  case HD_OK:
    return HD_EXIT_OK;
  case HD_E_INPUT:
  case HD_E_UNSUPPORTED:
    return HD_EXIT_INPUT;
  case HD_E_DIVERGENCE:
    return HD_EXIT_DIVERGENCE;
  case HD_E_BUDGET:
    return HD_EXIT_BUDGET;
  case HD_E_DEADLOCK:
    return HD_EXIT_DEADLOCK;
  case HD_E_IO:
    return HD_EXIT_IO;
  case HD_E_TOOL:
    return HD_EXIT_TOOL;
  case HD_E_SOFTWARE:
    return HD_EXIT_SOFTWARE;
  case HD_E_FAULT:
    return HD_EXIT_FAULT;
  case HD_E_NOTHING:
    return HD_EXIT_NOTHING;
  case HD_E_INVARIANT:
    return HD_EXIT_INVARIANT;
  case HD_E_INTERRUPTED:
    return HD_EXIT_INTERRUPTED;
  default:
    return HD_EXIT_INTERNAL;
  }
}

int hd_cli_fail(int status, const struct hd_error *err)
{
  hd_cli_restore_streams();
  fflush(stdout);
  const char *text = err->text[0] ? err->text : hd_status_text(status);
  fputs("heddle: ", stderr);
  hd_cli_print_escaped(stderr, text);
  fputc('\n', stderr);
  hd_cli_note_failure(text, !ferror(stderr));
  return hd_cli_exit(status);
}

/* Bytes of the UTF-8 character at `text`, 0 when it is none or one that a terminal obeys. */
static size_t printable(const char *text)
{
  unsigned c = (unsigned char)text[0];
  if (c < 0x80)
    return c == '\n' || c == '\t' || (c >= ' ' && c != 0x7f);
  size_t n = c >= 0xf0 && c < 0xf5 ? 4 : c >= 0xe0 ? 3 : 2;
  if (c < 0xc2 || c >= 0xf5 || (c == 0xc2 && (unsigned char)text[1] < 0xa0))
    return 0;
  for (size_t i = 1; i < n; i++)
    if (((unsigned char)text[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

void hd_cli_print_escaped(FILE *stream, const char *text)
{
  while (*text) {
    size_t n = printable(text);
    if (n)
      fwrite(text, 1, n, stream);
    else
      fprintf(stream, "\\x%02x", (unsigned char)*text);
    text += n ? n : 1;
  }
}

void hd_cli_single_argument(struct argp_state *state, const char *noun, const char *what,
                            const char **one, const char *arg)
{
  if (!arg)
    argp_error(state, "no %s is given; give %s", noun, what);
  else if (*one)
    argp_error(state, "unexpected argument '%s'; give one %s at a time", arg, noun);
  *one = arg;
}

int hd_cli_print(int status, struct hd_text *text)
{
  if (!status)
    fputs(hd_text_chars(text), stdout);
  hd_text_fini(text);
  return status;
}

int hd_cli_close_output(int code)
{
  static bool is_said;
  int failed = ferror(stdout);
  if (!fflush(stdout) && !failed)
    return code;
  if (!is_said)
    fprintf(stderr, "heddle: standard output: %s\n", strerror(errno));
  is_said = true;
  return code ? code : HD_EXIT_IO;
}

/* --help, --version and --usage end the process inside of argp. */
static void on_argp_exit(int code, void *unused)
{
  (void)unused;
  const int checked = hd_cli_close_output(code);
  if (checked != code)
    _exit(checked);
}

uint64_t hd_cli_number(struct argp_state *state, const char *option, const char *text,
                       uint64_t least, uint64_t most)
{
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 0);
  /* strtoull takes blanks and signs, too. */
  if (*text < '0' || *text > '9' || *end || errno || value < least || value > most)
    argp_error(state, "%s %s: must be a whole number from %llu to %llu", option, text,
               (unsigned long long)least, (unsigned long long)most);
  return value;
}

error_t hd_cli_store(const struct hd_cli_store *stores, void *input, int key, char *arg,
                     struct argp_state *state)
{
  const struct hd_cli_store *s = stores;
  while (s->key && s->key != key)
    s++;
  if (!s->key)
    return ARGP_ERR_UNKNOWN;
  char *const to = (char *)input + s->at;
  switch (s->kind) {
  case HD_CLI_KIND_FLAG:
    memcpy(to, &(const bool){true}, sizeof(bool));
    return 0;
  case HD_CLI_KIND_TEXT:
    memcpy(to, &arg, sizeof arg);
    return 0;
  case HD_CLI_KIND_NUMBER:
    break;
  }
  const uint64_t number = hd_cli_number(state, s->option, arg, s->least, s->most);
  if (s->size == sizeof number)
    memcpy(to, &number, sizeof number);
  else
    memcpy(to, &(const uint32_t){(uint32_t)number}, sizeof(uint32_t));
  return 0;
}

void hd_cli_setting(struct argp_state *state, char *text, struct hd_setting *settings, size_t *n)
{
  struct hd_error err = {""};
  if (*n == HD_CLI_SETTINGS)
    argp_error(state, "--set %s: at most %d keys can be set", text, HD_CLI_SETTINGS);
  if (hd_setting_parse(text, &settings[*n], &err))
    argp_error(state, "--set %s", err.text);
  ++*n;
}
