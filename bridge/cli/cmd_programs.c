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

enum { KEY_MARKDOWN = 256 };

struct choice {
  const char *name;
  bool markdown;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case KEY_MARKDOWN:
    choice->markdown = true;
    return 0;
  case ARGP_KEY_ARG:
    if (choice->name)
      argp_error(state, "unexpected argument '%s'; give one program, or none for all", arg);
    if (!hd_program_find(arg))
      argp_error(state, "there is no program '%s'", arg);
    choice->name = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->markdown && choice->name)
      argp_error(state, "--markdown makes the table of docs/endpoint.md; give it alone");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* The cells of a row. What `about` says of parameters has a cell of its own, with all that is known of each. */
static void print_row(const struct hd_program *program)
{
  const char *parameters = strstr(program->about, "; parameter");
  const size_t length = parameters ? (size_t)(parameters - program->about) : strlen(program->about);
  printf("| `%s` | %.*s | ", program->name, (int)length, program->about);
  for (const char *const *key = program->parameters; key && *key; key++) {
    const int name = (int)strcspn(*key, ":");
    printf("%s`%.*s`%s", key == program->parameters ? "" : "<br>", name, *key, *key + name);
  }
  printf(" |\n");
}

int hd_cmd_programs(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"markdown", KEY_MARKDOWN, NULL, 0, "the table of docs/endpoint.md", 0}, {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "[PROGRAM]", .doc = doc};
  struct choice choice = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.markdown)
    printf("<!-- keys: programs -->\n| program | what it does | parameters (default) "
           "|\n|---|---|---|\n");
  for (const struct hd_program *const *p = hd_programs; *p; p++) {
    if (choice.name && strcmp(choice.name, (*p)->name))
      continue;
    if (choice.markdown) {
      print_row(*p);
      continue;
    }
    printf("%-16s %s\n", (*p)->name, (*p)->about);
    for (const char *const *key = (*p)->parameters; key && *key; key++)
      printf("    %s\n", *key);
  }
  if (choice.markdown)
    printf("<!-- end of keys -->\n");
  return HD_EXIT_OK;
}
