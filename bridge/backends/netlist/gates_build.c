/* A switch as gates: Yosys' netlist of the RTL, as Verilog.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is kept in the cache of built backends. The key names Yosys, its script
 * (with the parameters in it) and every source. Nets of it are split into bits before they are written: gates drive single bits, and
 * whole vectors of them would look like loops to a simulator.
 */
#include "../backends.h"
#include "../rtl/dut_options.h"
#include "../rtl/dut_outside.h"
#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../../host/text.h"
#include "../../host/tool_run.h"
#include "../verilator/verilator_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCT "hd_switch.v"
#define FILES "hd_switch.files" /* what Yosys has read */

struct flow {
  const char *name, *synthesis;
};
/* A device's cells are replaced by Yosys' simulation models of them here, and LUTs by tables: with
 * thousands of instances of modules Verilator makes four times as much C++. The ECP5's commands are
 * those of fpga/build.sh but for block RAM, of which Yosys has no model. */
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

/* read.ys, made of the sources there are so far, and synth.ys, which begins with it; sources like the
 * others. Modules in sub-directories are read only where they are needed. */
static int add_scripts(struct hd_dut_sources *sources, const struct hd_switch_params *params,
                       const struct flow *flow, struct hd_error *err)
{
  char parameters[HD_SWITCH_PARAMS][32];
  size_t n = hd_switch_parameters(params, parameters);
  struct hd_text read = {0}, synthesis = {0};
  hd_text_add(&read, "verilog_defaults -add");
  for (size_t i = 0; i < sources->n_include; i++)
    hd_text_add(&read, " %s", sources->include[i]);
  hd_text_add(&read, " -I" HD_OUTSIDE "\n");
  for (size_t i = 0; i < sources->n; i++) {
    const char *name = sources->list[i].name;
    if (!strstr(name, ".vh") && !strstr(name, ".svh") && !strchr(name + strlen("rtl/"), '/'))
      hd_text_add(&read, "read_verilog \"%s\"\n", name);
  }
  hd_text_add(&read, "chparam");
  for (size_t i = 0; i < n; i++) {
    char *equals = strchr(parameters[i], '=');
    hd_text_add(&read, " -set %.*s %s", (int)(equals - parameters[i]), parameters[i], equals + 1);
  }
  hd_text_add(&read, " hd_switch\nhierarchy -top hd_switch");
  for (size_t i = 0; i < sources->n_include; i++)
    hd_text_add(&read, " -libdir %s", sources->include[i] + 2);
  hd_text_add(&read, "\n");
  hd_text_add(&synthesis,
              "script read.ys\n%ssplitnets\nopt_clean -purge\ncheck -assert\n"
              "write_verilog -noattr " PRODUCT "\n",
              flow->synthesis);
  int status =
      hd_sources_take(sources, "read.ys", read.failed ? NULL : read.chars, read.length, err);
  if (status) {
    hd_text_fini(&synthesis);
    return status;
  }
  return hd_sources_take(sources, "synth.ys", synthesis.failed ? NULL : synthesis.chars,
                         synthesis.length, err);
}

/* ── a cache entry made by one tool ────────────────────────────────────────── */

struct derived {
  const struct hd_backend_options *options;
  const char *what; /* for the one who waits */
  const char *from; /* for messages: the RTL */
  const char *const *argv;
  const char *package;
  char root[PATH_MAX];
  struct hd_dut_sources sources;
  struct hd_outside outside;
  struct hd_cache_entry entry;
};

/* Yosys ends with 0 on a full disk, too: does what it has written come to an end? */
static int check_product(const struct derived *d, struct hd_error *err)
{
  static const char last[] = "endmodule\n";
  const size_t n = strlen(last);
  char path[PATH_MAX + sizeof PRODUCT + 1], *bytes = NULL;
  size_t length = 0;
  snprintf(path, sizeof path, "%s/" PRODUCT, d->entry.temporary);
  int status = hd_file_read(path, &bytes, &length, err);
  if (!status && (length < n || memcmp(bytes + length - n, last, n)))
    status = hd_fail(err, HD_E_TOOL,
                     "what %s has written of %.200s is cut off; is the disk full, or the size of "
                     "files limited? log: %.300s",
                     d->argv[0], d->from, d->entry.log);
  free(bytes);
  return status;
}

static int run_tool(const struct derived *d, const char *const *argv, struct hd_error *err)
{
  const struct hd_tool tool = {.argv = argv,
                               .package = d->package,
                               .directory = d->entry.temporary,
                               .log_path = d->entry.log,
                               .stop = d->options->stop,
                               .context = d->options->context};
  return hd_tool_must(&tool, d->from, err);
}

static int build_entry(struct derived *d, bool *again, struct hd_error *err)
{
  static const char *const read[] = {"yosys", "-q", "-E", FILES, "-s", "read.ys", NULL};
  if (d->options->say)
    d->options->say(d->options->context, d->what);
  int status = hd_sources_write(&d->sources, d->entry.temporary, err);
  if (!status)
    status = hd_outside_link(&d->outside, d->entry.temporary, err);
  if (!status)
    status = run_tool(d, read, err);
  if (!status)
    status = hd_outside_check(&d->outside, d->entry.temporary, FILES, HD_OUTSIDE_YOSYS, again, err);
  if (!status && !*again)
    status = hd_outside_link(&d->outside, d->entry.temporary, err);
  if (!status && !*again)
    status = run_tool(d, d->argv, err);
  if (!status && !*again)
    status = check_product(d, err);
  if (!status && !*again)
    status = hd_outside_check(&d->outside, d->entry.temporary, FILES, HD_OUTSIDE_YOSYS, again, err);
  if (status || *again) {
    return hd_cache_abandon(&d->entry, status, err);
  }
  return hd_cache_publish(&d->entry, err);
}

static int find_entry(struct derived *d, const char *cache_dir, bool *again, struct hd_error *err)
{
  *again = false;
  int status = hd_outside_add(&d->outside, &d->sources, cache_dir, d->from, err);
  if (!status)
    status = hd_cache_open(&d->entry, cache_dir, d->sources.key, PRODUCT, d->options->stop,
                           d->options->context, err);
  return status || d->entry.hit ? status : build_entry(d, again, err);
}

/* Finds or makes the entry of these sources. `argv` runs in the entry's directory. */
static int derive(struct derived *d, char *directory, size_t size, struct hd_error *err)
{
  static const char *const ask_yosys[] = {"yosys", "-V", NULL};
  char cache[PATH_MAX];
  int status = hd_install_cache(d->options->cache_dir, cache, sizeof cache, err);
  if (!status)
    status = hd_key_add(&d->sources, "gates", d->what, err);
  if (!status)
    status = hd_key_add_tool(&d->sources, "yosys", ask_yosys, "yosys", err);
  if (!status)
    status = hd_key_add_sources(&d->sources, err);
  for (bool again = true; !status && again;)
    status = find_entry(d, cache, &again, err);
  if (!status && (size_t)snprintf(directory, size, "%s", d->entry.directory) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", d->entry.directory);
  return status;
}

/* Puts the path of a directory into `directory` whose hd_switch.v is the netlist of the RTL
 * (options->rtl_dir) with `params`, synthesising it if the cache has none. */
static int build_netlist(const struct hd_switch_params *params,
                         const struct hd_backend_options *options, const char *flow_name,
                         char *directory, size_t size, struct hd_error *err)
{
  static const char *const yosys[] = {"yosys", "-q", "-s", "synth.ys", NULL};
  char rtl[PATH_MAX + 8], what[64];
  const struct flow *flow = find_flow(flow_name);
  if (!flow)
    return hd_fail(err, HD_E_INPUT,
                   "there is no netlist '%.40s'; there are generic, ice40 and ecp5", flow_name);
  snprintf(what, sizeof what, "synthesising the netlist: %s", flow->name);
  struct derived d = {.options = options, .what = what, .argv = yosys, .package = "yosys"};
  int status = hd_install_root(d.root, sizeof d.root, err);
  if (status)
    return status;
  snprintf(rtl, sizeof rtl, "%s/rtl", d.root);
  d.from = options->rtl_dir ? options->rtl_dir : rtl;
  status = hd_sources_add_rtl(&d.sources, d.from, err);
  if (!status)
    status = add_scripts(&d.sources, params, flow, err);
  if (!status)
    status = hd_sources_take(&d.sources, "lut4.v", strdup(k_lut4), strlen(k_lut4), err);
  if (!status)
    status = derive(&d, directory, size, err);
  if (!status)
    status = hd_outside_tell(&d.outside, &d.sources, options->rtl_files, err);
  hd_outside_fini(&d.outside);
  hd_sources_fini(&d.sources);
  return status;
}

/* ── the backend ───────────────────────────────────────────────────────────── */

/* The flow that stands first among the options, taken off them. */
static void take_flow(const char **options, char *flow, size_t size)
{
  size_t n = strcspn(*options, ",");
  snprintf(flow, size, "generic");
  if (!n || hd_option_kind(*options, n) & HD_OPTIONS_VERILATOR)
    return;
  snprintf(flow, size, "%.*s", (int)n, *options);
  *options += n + ((*options)[n] == ',');
}

/* Gates instead of RTL: builds them, then Verilates what was built. */
static int open_netlist(struct hd_backend *backend, const struct hd_switch_params *params,
                        const struct hd_backend_options *given, struct hd_error *err)
{
  struct hd_backend_options options = *given;
  char directory[PATH_MAX], flow[PATH_MAX], path[PATH_MAX];
  take_flow(&backend->options, flow, sizeof flow);
  options.no_dfg = true;
  int status = hd_options_check("netlist", HD_OPTIONS_VERILATOR, backend->options, err);
  if (!status)
    status = build_netlist(params, &options, flow, directory, sizeof directory, err);
  options.rtl_dir = directory;
  if (!status)
    status = hd_verilator_build(params, HD_VERILATOR_NETLIST, &options, path, sizeof path, err);
  return status ? status : hd_backend_load(backend, path, err);
}

/* By k_flows. */
static const struct hd_backend_option k_options[] = {
    {"generic", "first: Yosys' own gates; so without a word"},
    {"ice40", "first: LUTs, carries, flip-flops and RAMs of an iCE40"},
    {"ecp5", "first: LUTs, carries and flip-flops of an ECP5"},
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
