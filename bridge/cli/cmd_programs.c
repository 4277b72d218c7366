/* heddle programs: the endpoint software that there is.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../../sw/programs/programs.h"

#include <stdio.h>
#include <string.h>

static const char doc[] = "Lists the endpoint software and its parameters (keys of "
                          "software.parameters in a scenario).\v"
                          "Examples:\n"
                          "  heddle programs\n"
                          "  heddle programs shuffle";

static error_t parse(int key, char *arg, struct argp_state *state)
{
  const char **name = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  if (*name)
    argp_error(state, "unexpected argument '%s'; give one program, or none for all", arg);
  if (!hd_program_find(arg))
    argp_error(state, "there is no program '%s'", arg);
  *name = arg;
  return 0;
}

int hd_cmd_programs(int argc, char **argv)
{
  static const struct argp argp = {.parser = parse, .args_doc = "[PROGRAM]", .doc = doc};
  const char *name = NULL;
  argp_parse(&argp, argc, argv, 0, NULL, &name);
  for (const struct hd_program *const *p = hd_programs; *p; p++) {
    if (name && strcmp(name, (*p)->name))
      continue;
    printf("%-16s %s\n", (*p)->name, (*p)->about);
    for (const char *const *key = (*p)->parameters; key && *key; key++)
      printf("    %s\n", *key);
  }
  return HD_EXIT_OK;
}
