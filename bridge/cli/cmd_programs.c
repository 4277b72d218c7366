/* heddle programs: lists the endpoint software of Heddle.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/suggest.h"
#include "../../sw/programs/programs.h"

#include <stdio.h>
#include <string.h>

static const char doc[] = "Lists the endpoint software and its parameters (keys of "
                          "software.parameters in a scenario).\v"
                          "Examples:\n"
                          "  heddle programs\n"
                          "  heddle programs shuffle\n"
                          "  heddle programs --patterns";

struct choice {
  const char *name;
  bool markdown, patterns;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    if (choice->name)
      argp_error(state, "unexpected argument '%s'; give one program, or none for all", arg);
    if (!hd_program_find(arg)) {
      struct hd_suggestion suggestion = {.given = arg, .length = strlen(arg)};
      for (const struct hd_program *const *p = hd_programs; *p; p++)
        hd_suggest(&suggestion, (*p)->name);
      argp_error(state, "there is no program '%s'%s; `heddle programs` lists all", arg,
                 suggestion.text);
    }
    choice->name = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->markdown && choice->name)
      argp_error(state, "--markdown makes the tables of docs/endpoint.md; give it alone");
    if (choice->patterns && (choice->name || choice->markdown))
      argp_error(state, "--patterns lists the patterns of all programs; give it alone");
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

/* Prints a cell's text with its bars escaped, as a bar would begin the next cell. */
static void print_cell(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    printf("%s%c", text[i] == '|' ? "\\" : "", text[i]);
}

static void print_keys(const char *const *keys)
{
  for (const char *const *key = keys; key && *key; key++) {
    const int name = (int)strcspn(*key, ":");
    printf("%s`%.*s`", key == keys ? "" : "<br>", name, *key);
    print_cell(*key + name, strlen(*key + name));
  }
  printf(" |\n");
}

/* Prints the cells of a row. The parameters have their own cell, with what is known about
 * each. */
static void print_row(const struct hd_program *program)
{
  const char *parameters = strstr(program->about, "; parameter");
  const size_t length = parameters ? (size_t)(parameters - program->about) : strlen(program->about);
  printf("| `%s` | ", program->name);
  print_cell(program->about, length);
  printf(" | ");
  print_keys(program->parameters);
}

static void print_lines(const char *const *keys)
{
  for (const char *const *key = keys; key && *key; key++)
    printf("    %s\n", *key);
}

static void print_programs(const char *name)
{
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    if (!name || !strcmp(name, (*p)->name)) {
      printf("%-16s %s\n", (*p)->name, (*p)->about);
      print_lines((*p)->parameters);
    }
}

static void print_patterns(void)
{
  for (const struct hd_pattern *const *p = hd_patterns; *p; p++) {
    printf("%-16s %s\n    %s; nodes: %s\n", (*p)->name, (*p)->about, (*p)->formula, (*p)->counts);
    print_lines((*p)->parameters);
  }
}

static void print_tables(void)
{
  printf("<!-- keys: programs -->\n| program | what it does | parameters (default) "
         "|\n|---|---|---|\n");
  for (const struct hd_program *const *p = hd_programs; *p; p++)
    print_row(*p);
  printf("<!-- end of keys -->\n<!-- keys: patterns -->\n| pattern | to whom node *s* of *n* sends "
         "| formula | legal *n* | parameters (default) |\n|---|---|---|---|---|\n");
  for (const struct hd_pattern *const *p = hd_patterns; *p; p++) {
    printf("| `%s` | %s | %s | %s | ", (*p)->name, (*p)->about, (*p)->formula, (*p)->counts);
    print_keys((*p)->parameters);
  }
  printf("<!-- end of keys -->\n");
}

int hd_cmd_programs(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"markdown", HD_CLI_FLAG(struct choice, markdown), NULL, 0,
       "print the tables of docs/endpoint.md", 0},
      {"patterns", HD_CLI_FLAG(struct choice, patterns), NULL, 0,
       "list the traffic patterns instead: formula, legal numbers of nodes, parameters", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "[PROGRAM]", .doc = doc};
  struct choice choice = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.markdown)
    print_tables();
  else if (choice.patterns)
    print_patterns();
  else
    print_programs(choice.name);
  return HD_EXIT_OK;
}
