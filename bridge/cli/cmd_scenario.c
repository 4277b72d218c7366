/* heddle scenario: lists the keys that a scenario can have.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../host/suggest.h"
#include "../report/report_keys.h"
#include "../scenario/scenario_keys.h"

#include <string.h>

static const char doc[] = "Lists the keys of scenarios: legal values, default, and meaning. With "
                          "KEY, lists only this key, or this section.\v"
                          "`heddle programs` lists the keys of software.parameters.\n"
                          "\n"
                          "Examples:\n"
                          "  heddle scenario\n"
                          "  heddle scenario fabric\n"
                          "  heddle scenario run.window_cycles\n"
                          "  heddle scenario --json routing";

struct choice {
  const char *selected;
  bool json, markdown;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    if (choice->selected)
      argp_error(state, "unexpected argument '%s'; give one key, or none for all", arg);
    if (!hd_keys_selected(arg)) {
      struct hd_suggestion suggestion = {.given = arg, .length = strlen(arg)};
      size_t n;
      const struct hd_key *keys = hd_scenario_keys(&n);
      for (size_t i = 0; i < n; i++)
        hd_suggest(&suggestion, keys[i].path);
      argp_error(state, "there is no key '%s'%s; `heddle scenario` lists all", arg,
                 suggestion.text);
    }
    choice->selected = arg;
    return 0;
  case ARGP_KEY_END:
    if (choice->markdown && (choice->json || choice->selected))
      argp_error(state, "--markdown makes all tables of docs/scenario.md; give it alone");
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

int hd_cmd_scenario(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"json", HD_CLI_FLAG(struct choice, json), NULL, 0,
       "print JSON, with topologies and routings, for other programs", 0},
      {"markdown", HD_CLI_FLAG(struct choice, markdown), NULL, 0,
       "print the tables of docs/scenario.md", 0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "[KEY]", .doc = doc};
  struct choice choice = {0};
  struct hd_text text = {0};
  struct hd_error err = {0};
  int status = HD_OK;
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.json)
    status = hd_keys_json(choice.selected, &text, &err);
  else if (choice.markdown)
    hd_keys_markdown(&text);
  else
    hd_keys_text(choice.selected, &text);
  status = hd_cli_print(status, &text);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
