/* heddle diff RUN_A RUN_B, and heddle diff --waves FILE_A FILE_B: compare runs or waves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../record/diff.h"
#include "../waves/report_waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_MAP = 1000, MAX_MAPS = 64 };

static const char doc[] =
    "Compares two runs of one scenario packet by packet and hop by hop. Shows the first "
    "difference, and how the others are distributed. With --waves, compares two wave files (FST or "
    "VCD) signal by signal, and shows when each signal differs first.\v"
    "--map A_SCOPE=B_SCOPE compares what is below A_SCOPE in the first file with what has the same "
    "names below B_SCOPE in the second; give it as often as needed. An empty scope is the root. "
    "Without it all signals are compared by their own names. Files differ, too, if one begins or "
    "ends earlier, or has signals that the other lacks; with --common they do not.\n"
    "\n"
    "Exit code 0: equal; 1: different; 2: the runs or files cannot be compared, or a wave file is "
    "damaged; 6: a run or a file cannot be read.\n"
    "\n"
    "Examples:\n"
    "  heddle diff runs/mesh-8x8-uniform-1 runs/mesh-8x8-uniform-2\n"
    "  heddle diff --force runs/shallow-1 runs/deep-1\n"
    "  heddle diff --waves --map tb.dut=TOP.hd_switch icarus.vcd verilator.fst";

struct choice {
  const char *runs[2];
  unsigned n;
  bool force, waves, csv, json, common;
  struct hd_wave_map maps[MAX_MAPS];
  size_t n_maps;
};

/* Stores A_SCOPE=B_SCOPE of --map. Cuts the argument in two. */
static void add_map(struct choice *choice, char *arg, struct argp_state *state)
{
  char *equals = strchr(arg, '=');
  if (!equals)
    argp_error(state, "--map %s: must be A_SCOPE=B_SCOPE", arg);
  if (choice->n_maps == MAX_MAPS)
    argp_error(state, "--map: at most %d", MAX_MAPS);
  *equals = '\0';
  choice->maps[choice->n_maps++] = (struct hd_wave_map){.a = arg, .b = equals + 1};
}

static const struct hd_cli_store stores[] = {HD_CLI_LETTER('f', HD_CLI_FLAG(struct choice, force)),
                                             {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case KEY_MAP:
    add_map(choice, arg, state);
    return 0;
  case ARGP_KEY_ARG:
    if (choice->n == 2)
      argp_error(state, "unexpected argument '%s'; give two runs to compare", arg);
    choice->runs[choice->n++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->n < 2)
      argp_error(state, choice->waves ? "give two wave files to compare"
                                      : "give two runs to compare, each by its directory");
    if (!choice->waves && (choice->n_maps || choice->csv || choice->json || choice->common))
      argp_error(state, "--map, --common, --csv and --json need --waves");
    if (choice->csv && choice->json)
      argp_error(state, "--csv and --json exclude each other; give one");
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

static int diff_runs(const struct choice *choice)
{
  struct hd_diff diff;
  struct hd_error err = {0};
  int code;
  int status = hd_diff_runs(&diff, choice->runs[0], choice->runs[1], choice->force, &err);
  if (status) {
    code = hd_cli_fail(status, &err);
  } else {
    struct hd_text text = {0};
    hd_diff_text(&diff, &text);
    fputs(hd_text_chars(&text), stdout);
    hd_text_fini(&text);
    code = hd_diff_equal(&diff) ? HD_EXIT_OK : HD_EXIT_DIFFERENT;
  }
  hd_diff_fini(&diff);
  return code;
}

static int diff_waves(const struct choice *choice)
{
  const char *a = choice->runs[0], *b = choice->runs[1];
  struct hd_wave_diff diff;
  struct hd_text text = {0};
  struct hd_error err = {0};
  int status = hd_wave_diff(&diff, a, b, choice->maps, choice->n_maps, &err);
  const int code = hd_report_waves_equal(&diff, choice->common) ? HD_EXIT_OK : HD_EXIT_DIFFERENT;
  if (!status && choice->json)
    status = hd_report_waves_json(&diff, a, b, choice->common, &text, &err);
  else if (!status && choice->csv)
    hd_report_waves_csv(&diff, &text);
  else if (!status)
    hd_report_waves_text(&diff, a, b, choice->common, &text);
  if (!status) /* names in the files may have control characters */
    hd_cli_print_escaped(stdout, hd_text_chars(&text));
  hd_text_fini(&text);
  hd_wave_diff_fini(&diff);
  return status ? hd_cli_fail(status, &err) : code;
}

int hd_cmd_diff(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"force", 'f', NULL, 0, "compare runs of different scenarios, too", 0},
      {"waves", HD_CLI_FLAG(struct choice, waves), NULL, 0, "compare two wave files, FST or VCD",
       0},
      {"map", KEY_MAP, "A_SCOPE=B_SCOPE", 0,
       "compare signals below A_SCOPE with those below B_SCOPE; may be repeated", 0},
      {"common", HD_CLI_FLAG(struct choice, common), NULL, 0,
       "compare only times and signals that both files have", 0},
      {"csv", HD_CLI_FLAG(struct choice, csv), NULL, 0,
       "print the signals of --waves that differ, as CSV", 0},
      {"json", HD_CLI_FLAG(struct choice, json), NULL, 0, "print the comparison of --waves as JSON",
       0},
      {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "RUN_A RUN_B\n--waves FILE_A FILE_B",
                                   .doc = doc};
  struct choice choice = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  return choice.waves ? diff_waves(&choice) : diff_runs(&choice);
}
