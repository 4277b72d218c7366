/* Netlist backend: Yosys synthesises the RTL, and Verilator simulates its netlist.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The netlist's vectors are split into bits before it is written. Gates drive single bits, so a
 * whole vector would look like a loop to a simulator.
 */
#include "../backends.h"
#include "../../host/suggest.h"
#include "../rtl/dut_options.h"
#include "../rtl/yosys_build.h"
#include "../verilator/verilator_build.h"

#include <stdio.h>
#include <string.h>

struct flow {
  const char *name, *synthesis;
};
/* The commands replace a device's cells by Yosys' simulation models of them, and LUTs by tables.
 * With thousands of instances of modules Verilator would write four times as much C++. The commands
 * for the ECP5 are those of fpga/build.sh, except that there is no block RAM: Yosys has no model of
 * it. */
static const struct flow k_flows[] = {
    {"generic", "synth -flatten -top hd_switch\n"},
    {"ice40", "synth_ice40 -top hd_switch\n"
              "techmap -map lut4.v\n"
              "delete =A:blackbox\n"
              "read_verilog -defer -D NO_ICE40_DEFAULT_ASSIGNMENTS +/ice40/cells_sim.v\n"
              "hierarchy -top hd_switch\n"
              "proc\n"
              "flatten\n"},
    {"ecp5", "synth_ecp5 -nowidelut -nobram -top hd_switch\n"
             "techmap -map lut4.v\n"
             "delete =A:blackbox\n"
             "read_verilog -defer +/ecp5/cells_sim.v\n"
             "hierarchy -top hd_switch\n"
             "proc\n"
             "flatten\n"},
};
static const char k_lut4[] =
    "module SB_LUT4 (output O, input I0, input I1, input I2, input I3);\n"
    "  parameter [15:0] LUT_INIT = 0;\n"
    "  \\$lut #(.WIDTH(4), .LUT(LUT_INIT)) _TECHMAP_REPLACE_ (.A({I3, I2, I1, I0}), .Y(O));\n"
    "endmodule\n"
    "module LUT4 (input A, input B, input C, input D, output Z);\n"
    "  parameter [15:0] INIT = 0;\n"
    "  \\$lut #(.WIDTH(4), .LUT(INIT)) _TECHMAP_REPLACE_ (.A({D, C, B, A}), .Y(Z));\n"
    "endmodule\n";

static const struct flow *find_flow(const char *name)
{
  for (size_t i = 0; i < sizeof k_flows / sizeof *k_flows; i++)
    if (!strcmp(k_flows[i].name, name))
      return &k_flows[i];
  return NULL;
}

/* Makes a netlist of the RTL in options->rtl_dir with `params`, unless the cache has it. `directory` gets
 * the path of a directory whose hd_switch.v is the netlist. */
static int build_netlist(const struct hd_switch_params *params,
                         const struct hd_backend_options *options, const char *flow_name,
                         char *directory, size_t size, struct hd_error *err)
{
  char what[64], synthesis[1024];
  const struct flow *flow = find_flow(flow_name);
  if (!flow) {
    struct hd_suggestion suggestion = {.given = flow_name, .length = strlen(flow_name)};
    for (size_t i = 0; i < sizeof k_flows / sizeof *k_flows; i++)
      hd_suggest(&suggestion, k_flows[i].name);
    return hd_fail(err, HD_E_INPUT,
                   "there is no netlist '%.40s'%s; there are generic, ice40 and ecp5", flow_name,
                   suggestion.text);
  }
  snprintf(what, sizeof what, "synthesising the netlist: %s", flow->name);
  snprintf(synthesis, sizeof synthesis,
           "%ssplitnets\nopt_clean -purge\n" HD_YOSYS_CHECK "write_verilog -noattr hd_switch.v\n",
           flow->synthesis);
  struct hd_yosys yosys = {.options = options,
                           .params = params,
                           .what = what,
                           .synthesis = synthesis,
                           .product = "hd_switch.v",
                           .product_end = "endmodule\n"};
  int status =
      hd_sources_add_text(&yosys.base.sources, "lut4.v", strdup(k_lut4), strlen(k_lut4), err);
  if (!status)
    status = hd_yosys_build(&yosys, err);
  if (!status && (size_t)snprintf(directory, size, "%s", yosys.base.entry.directory) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", yosys.base.entry.directory);
  hd_yosys_fini(&yosys);
  return status;
}

/* ── backend ───────────────────────────────────────────────────────────────── */

/* Removes the flow's name from the beginning of the options and copies it to `flow`. Without one,
 * it is "generic". */
static void parse_flow(const char **options, char *flow, size_t size)
{
  size_t n = strcspn(*options, ",");
  snprintf(flow, size, "generic");
  if (!n || hd_option_kind(*options, n) & HD_OPTIONS_VERILATOR)
    return;
  snprintf(flow, size, "%.*s", (int)n, *options);
  *options += n + ((*options)[n] == ',');
}

/* Builds the netlist, then Verilates it. */
static int open_netlist(struct hd_backend *backend, const struct hd_switch_params *params,
                        const struct hd_backend_options *given, struct hd_error *err)
{
  struct hd_backend_options options = *given;
  char directory[PATH_MAX], flow[PATH_MAX], path[PATH_MAX];
  parse_flow(&backend->options, flow, sizeof flow);
  options.no_dfg = true;
  int status = hd_options_check("netlist", HD_OPTIONS_VERILATOR, backend->options, err);
  if (!status)
    status = build_netlist(params, &options, flow, directory, sizeof directory, err);
  options.rtl_dir = directory;
  if (!status)
    status = hd_verilator_build(params, HD_VERILATOR_NETLIST, &options, path, sizeof path, err);
  return status ? status : hd_backend_load(backend, path, err);
}

/* Names of the flows, in the order of k_flows. */
static const struct hd_backend_option k_options[] = {
    {"generic", "must come first: Yosys' own gates; the default"},
    {"ice40", "must come first: LUTs, carries, flip-flops and RAMs of an iCE40"},
    {"ecp5", "must come first: LUTs, carries and flip-flops of an ECP5"},
    {0},
};

const struct hd_backend_kind hd_backend_kind_netlist = {
    .name = "netlist",
    .help = "Yosys' synthesis of the RTL, in Verilator",
    .examples = "netlist netlist:ice40",
    .options = k_options,
    .simulator_options = HD_OPTIONS_VERILATOR,
    .builds_rtl = true,
    .open = open_netlist,
};
