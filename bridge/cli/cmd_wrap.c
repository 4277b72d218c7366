/* heddle wrap DESCRIPTION: writes a module hd_switch around a user's router.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../wrap/wrap.h"

#include <string.h>

static const char doc[] =
    "Writes the module or entity hd_switch around your router, from a description in YAML. Reports "
    "what does not fit: pins that are missing or have another width, and what Verilator, Icarus "
    "and Yosys refuse.\v"
    "Other commands take the description itself as --rtl. docs/wrap.md has examples of "
    "descriptions.\n"
    "\n"
    "Examples:\n"
    "  heddle wrap my-router.yaml\n"
    "  heddle wrap my-router.yaml --out wrapped\n"
    "  heddle wrap --keys\n"
    "  heddle run tests/scenarios/foreign-switch.yaml --rtl my-router.yaml";

struct choice {
  const char *description, *out, *cache_dir;
  bool keys, markdown;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  switch (key) {
  case ARGP_KEY_NO_ARGS:
    if (choice->keys || choice->markdown)
      return 0;
    __attribute__((fallthrough));
  case ARGP_KEY_ARG:
    hd_cli_single_argument(state, "description", "its file", &choice->description, arg);
    return 0;
  default:
    return hd_cli_store(NULL, choice, key, arg, state);
  }
}

static int wrap_description(const struct choice *choice, struct hd_text *text, bool *readable,
                            struct hd_error *err)
{
  struct hd_wrap *wrap = NULL;
  char directory[PATH_MAX];
  const char *written = choice->out ? choice->out : choice->description;
  int status = hd_wrap_read(&wrap, choice->description, err);
  if (!status && choice->out)
    status = hd_wrap_write(wrap, choice->out, err);
  else if (!status)
    status = hd_wrap_resolve(&written, choice->cache_dir, directory, err);
  if (!status) {
    hd_text_add(text, "%s/%s\n", written, hd_wrap_product(wrap));
    hd_wrap_notes(wrap, text);
    status = hd_wrap_fit(written, text, readable, err);
  }
  hd_wrap_destroy(wrap);
  return status;
}

int hd_cmd_wrap(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"out", HD_CLI_TEXT(struct choice, out), "DIR", 0,
       "write hd_switch.v (.vhd around VHDL) and the files that it needs into DIR (into the cache)",
       0},
      {"cache", HD_CLI_TEXT(struct choice, cache_dir), "DIR", 0, "keep built files in DIR", 0},
      {"keys", HD_CLI_FLAG(struct choice, keys), NULL, 0, "list the keys of descriptions", 0},
      {"markdown", HD_CLI_FLAG(struct choice, markdown), NULL, 0,
       "print the tables of docs/wrap.md", 0},
      {0}};
  static const struct argp_child children[] = {{&hd_cli_verilator_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {.options = options,
                                   .parser = parse,
                                   .args_doc = "[DESCRIPTION]",
                                   .doc = doc,
                                   .children = children};
  struct choice choice = {0};
  struct hd_text text = {0};
  struct hd_error err = {0};
  bool readable = false;
  int status = HD_OK;
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  if (choice.keys || choice.markdown)
    hd_wrap_tables(&text, choice.markdown);
  else
    status = wrap_description(&choice, &text, &readable, &err);
  const int printed = hd_cli_print(status, &text);
  if (printed)
    return hd_cli_fail(printed, &err);
  return readable || !choice.description ? HD_EXIT_OK : HD_EXIT_INPUT;
}
