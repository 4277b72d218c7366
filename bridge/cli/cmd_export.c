/* heddle export SCENARIO DIR: writes the fabric as synthesizable RTL.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli.h"

#include "../export/export.h"

static const char doc[] =
    "Writes a scenario's fabric as synthesizable Verilog with one top module: switches, links, "
    "routing tables, and AXI4-Stream at each node. Also writes a list of files, a FuseSoC core, "
    "constraints, and test benches.\v"
    "One bench sends random packets between all nodes. Another one compares the fabric with the "
    "model in each cycle of the scenario's run. docs/export.md describes files and pins.\n"
    "\n"
    "Examples:\n"
    "  heddle export tests/scenarios/mesh-8x8-uniform.yaml noc\n"
    "  heddle export mesh-8x8.yaml noc --set fabric.dims=[4,4] --name noc16\n"
    "  heddle export tests/fpga/speed-2x2.yaml speed --signatures\n"
    "  heddle export tests/scenarios/shuffle-6-to-10.yaml tree --raw --replay 5000";

enum { KEY_CLOCK = 256, KEY_REPLAY, KEY_SET };

struct choice {
  struct hd_export_options options;
  struct hd_setting settings[HD_CLI_SETTINGS];
};

static const struct hd_cli_store stores[] = {
    HD_CLI_NUMBER(KEY_CLOCK, struct choice, options.clock_mhz, "--clock", 1, 2000),
    HD_CLI_NUMBER(KEY_REPLAY, struct choice, options.replay_cycles, "--replay", 0,
                  HD_EXPORT_REPLAY_MOST),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
  struct choice *choice = state->input;
  struct hd_export_options *o = &choice->options;
  switch (key) {
  case KEY_SET:
    hd_cli_setting(state, arg, choice->settings, &o->n_settings);
    return 0;
  case ARGP_KEY_ARG:
    if (o->directory)
      argp_error(state, "unexpected argument '%s'; give a scenario and a directory", arg);
    *(o->scenario ? &o->directory : &o->scenario) = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->directory)
      argp_error(state, "give a scenario, and a directory for the RTL");
    return 0;
  default:
    return hd_cli_store(stores, choice, key, arg, state);
  }
}

int hd_cmd_export(int argc, char **argv)
{
  static const struct argp_option options[] = {
      {"name", HD_CLI_TEXT(struct choice, options.name), "NAME", 0,
       "name the top module NAME (noc_ and the scenario's name)", 0},
      {"raw", HD_CLI_FLAG(struct choice, options.raw), NULL, 0,
       "give the nodes flits and credits, without packetisers", 0},
      {"signatures", HD_CLI_FLAG(struct choice, options.signatures), NULL, 0,
       "write a fabric at speed for a board: it makes its traffic on chip and sends signatures of "
       "its switches over a link (heddle board speed)",
       0},
      {"set", KEY_SET, "KEY=VALUE", 0, "set a key of the scenario; may be repeated", 0},
      {"clock", KEY_CLOCK, "MHZ", 0, "set the clock of the constraints (50)", 0},
      {"replay", KEY_REPLAY, "CYCLES", 0,
       "let the bench replay so many cycles of the scenario's run (1000; 0: write no such bench)",
       0},
      {0}};
  static const struct argp argp = {
      .options = options, .parser = parse, .args_doc = "SCENARIO DIR", .doc = doc};
  struct choice choice = {
      .options = {.clock_mhz = HD_EXPORT_CLOCK_MHZ, .replay_cycles = HD_EXPORT_REPLAY}};
  struct hd_text text = {0};
  struct hd_error err = {0};
  choice.options.settings = choice.settings;
  argp_parse(&argp, argc, argv, 0, NULL, &choice);
  int status = hd_export(&choice.options, &text, &err);
  status = hd_cli_print(status, &text);
  return status ? hd_cli_fail(status, &err) : HD_EXIT_OK;
}
