/* heddle wave RUN: GTKWave at the cycle that matters.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../../bridge/rundb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char doc[] =
    "Opens the waves of a run's divergence in GTKWave: RTL and model side by side, at the cycle "
    "in which they first differ.\v"
    "Waves are written when a run with trace.waves diverges.\n"
    "\n"
    "Examples:\n"
    "  heddle wave runs/mesh-8x8-uniform-1\n"
    "  heddle wave --print-command runs/mesh-8x8-uniform-1";

struct choice {
  const char *run;
  bool print;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case 'p':
    choice->print = true;
    return 0;
  case ARGP_KEY_ARG:
    if (choice->run)
      argp_error(state, "one run at a time; what is %s?", arg);
    choice->run = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which run?");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Paths of both files beside the database; HD_E_IO when one is missing. */
static int find_waves(const struct hd_rundb_info *info, struct hd_text *waves, struct hd_text *save,
                      struct hd_error *err)
{
  const char *slash = strrchr(info->path, '/');
  int n = slash ? (int)(slash - info->path) + 1 : 0;
  hd_text_add(waves, "%.*swaves.fst", n, info->path);
  hd_text_add(save, "%.*swaves.gtkw", n, info->path);
  if (waves->failed || save->failed)
    return hd_fail(err, HD_E_NOMEM, "waves: out of memory");
  const char *const paths[] = {waves->chars, save->chars};
  for (int i = 0; i < 2; i++)
    if (access(paths[i], R_OK))
      return hd_fail(err, HD_E_IO, "%s: %s%s", paths[i], strerror(errno),
                     info->has_divergence
                         ? "; the scenario has trace.waves: false, or the backend "
                           "cannot replay"
                         : "; waves are written at a divergence, and this run has none");
  return HD_OK;
}

static void print_quoted(const char *text)
{
  putchar('\'');
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  putchar('\'');
}

int hd_cmd_wave(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"print-command", 'p', NULL, 0, "print the command instead of starting it", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "RUN", .doc = doc};
  struct choice choice = {0};
  struct hd_rundb_info info;
  struct hd_text waves = {0}, save = {0};
  struct hd_error err = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = hd_rundb_read(&info, choice.run, &err);
  if (!status)
    status = find_waves(&info, &waves, &save, &err);
  if (!status && choice.print) {
    fputs("gtkwave ", stdout);
    print_quoted(waves.chars);
    putchar(' ');
    print_quoted(save.chars);
    putchar('\n');
  } else if (!status) {
    fflush(stdout);
    execlp("gtkwave", "gtkwave", waves.chars, save.chars, (char *)NULL);
    status = hd_fail(&err, HD_E_TOOL, "cannot start gtkwave: %s; install the package gtkwave",
                     strerror(errno));
  }
  hd_text_fini(&waves);
  hd_text_fini(&save);
  hd_rundb_info_fini(&info);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
