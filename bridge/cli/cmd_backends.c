/* heddle backends: lists the backends, which carry out the DUT.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../backends/backends.h"
#include "../host/suggest.h"
#include "../report/report_backends.h"

#include <string.h>

static const char doc[] =
    "Lists the backends that --dut can name, with the options that may follow after a colon.\v"
    "docs/backends.md says how each works, docs/add-a-backend.md how to write one.\n"
    "\n"
    "Examples:\n"
    "  heddle backends\n"
    "  heddle backends icarus\n"
    "  heddle backends --json";

struct choice {
  const char *name;
  bool json, examples;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  const struct hd_backend_kind *kind;
  switch (key) {
  case ARGP_KEY_ARG:
    if (choice->name)
      argp_error(state, "unexpected argument '%s'; give one backend, or none for all", arg);
    kind = hd_backend_kind(arg);
    if (!kind || strcmp(kind->name, arg)) {
      struct hd_suggestion suggestion = {.given = arg, .length = strlen(arg)};
      for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
        hd_suggest(&suggestion, (*k)->name);
      argp_error(state, "there is no backend '%s'%s; `heddle backends` lists all", arg,
                 suggestion.text);
    }
    choice->name = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->json && choice->examples)
      argp_error(state, "--json and --examples exclude each other; give one");
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

int hd_cmd_backends(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"json", HD_CLI_FLAG(struct choice, json), NULL, 0, "print JSON, for other programs", 0},
      {"examples", HD_CLI_FLAG(struct choice, examples), NULL, 0,
       "print an example of --dut for each backend, one on each line", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "[BACKEND]", .doc = doc};
  struct choice choice = {0};
  struct hd_text text = {0};
  struct hd_error err = {0};
  int status = HD_OK;
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.json)
    status = hd_backends_json(choice.name, &text, &err);
  else if (choice.examples)
    hd_backends_examples(choice.name, &text);
  else
    hd_backends_text(choice.name, &text);
  status = hd_cli_print(status, &text);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
