/* heddle results: lists all results that a run measures.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../report/results.h"

static const char doc[] = "Lists the results of a run: for each its name, its unit, the files that "
                          "have it besides the run database, and its meaning.\v"
                          "Examples:\n"
                          "  heddle results\n"
                          "  sqlite3 runs/mesh-8x8-uniform-1/run.db 'SELECT * FROM results'";

enum { KEY_MARKDOWN = 256 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
  bool *markdown = state->input;
  switch (key) {
  case KEY_MARKDOWN:
    *markdown = true;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "unexpected argument '%s'; the command lists all results", arg);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int hd_cmd_results(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"markdown", KEY_MARKDOWN, NULL, 0, "print the tables of docs/run-database.md", 0}, {0}};
  static const struct argp argp = {.options = options, .parser = parse, .doc = doc};
  struct hd_text text = {0};
  bool markdown = false;
  argp_parse(&argp, argc, argv, 0, NULL, &markdown);
  if (markdown)
    hd_results_markdown(&text);
  else
    hd_results_text(&text);
  hd_cli_print(HD_OK, &text);
  return HD_EXIT_OK;
}
