/* heddle diff RUN_A RUN_B.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../../bridge/record/diff.h"

#include <stdio.h>

static const char doc[] =
    "Compares two runs of one scenario packet by packet and hop by hop: the first difference, and "
    "how the rest is distributed.\v"
    "Exit code 0: equal; 1: different; 2: the runs cannot be compared.\n"
    "\n"
    "Examples:\n"
    "  heddle diff runs/mesh-8x8-uniform-1 runs/mesh-8x8-uniform-2\n"
    "  heddle diff --force runs/shallow-1 runs/deep-1";

struct choice {
  const char *runs[2];
  unsigned n;
  bool force;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case 'f':
    choice->force = true;
    return 0;
  case ARGP_KEY_ARG:
    if (choice->n == 2)
      argp_error(state, "unexpected argument '%s'; give two runs to compare", arg);
    choice->runs[choice->n++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->n < 2)
      argp_error(state, "two runs to compare are needed; give their directories");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int hd_cmd_diff(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"force", 'f', NULL, 0, "compare runs of different scenarios, too", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN_A RUN_B", .doc = doc};
  struct choice choice = {0};
  struct hd_diff diff;
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int code;
  int status = hd_diff_runs(&diff, choice.runs[0], choice.runs[1], choice.force, &err);
  if (status) {
    hd_cli_fail(status, &err);
    code = HD_EXIT_INPUT;
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
