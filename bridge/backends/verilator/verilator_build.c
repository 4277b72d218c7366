/* Builds the Verilator backend of a parameter set when it is needed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cache key is a text that names everything on which the shared object depends: tool versions,
 * processor (-march=native), flags, parameters, and the contents of every source (dut_sources.h).
 */
#include "verilator_build.h"

#include "../backends.h"
#include "../rtl/build.h"
#include "../rtl/dut_options.h"
#include "../rtl/host_build.h"
#include "../../host/file.h"
#include "../../host/tool_run.h"
#include "../systemc/manifest.h"
#include "manifest.h"
#include "verilator_steps.h"
#include "verilator_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_own[] = {HD_VERILATOR_MANIFEST(HD_OWN) NULL};
static const char *const k_own_systemc[] = {HD_SYSTEMC_MANIFEST(HD_OWN)};
static const char *const k_own_stress[] = {HD_STRESS_MANIFEST(HD_OWN)};
static const char *const k_own_all[] = {HD_VERILATOR_MANIFEST(HD_OWN) HD_STRESS_MANIFEST(HD_OWN)
                                            NULL};
static const char *const k_names[] = {"Verilator", "netlist", "SystemC", "stress bench's",
                                      "routers' stress bench's"}; /* by form */

struct build {
  struct hd_build base;
  struct hd_verilator_job job;
  char *tools;
};

static void report_delays(const struct build *build)
{
  char where[320], line[400];
  if (!hd_sources_delay(&build->base.sources, where, sizeof where))
    return;
  snprintf(line, sizeof line, "the RTL has delays (%s): Verilator leaves them out", where);
  hd_building_say(build->job.options, line);
}

/* Adds the Verilog of the RTL directory, or the one file of a netlist. The stress bench has Verilog
 * of its own. */
static int add_rtl(struct build *build, struct hd_error *err)
{
  char path[PATH_MAX + 16];
  if (hd_verilator_is_stress(build->job.form)) {
    strcpy(build->base.sources.include[build->base.sources.n_include++], "-I" HD_STRESS_DIRECTORY);
    return 0;
  }
  if (build->job.form != HD_VERILATOR_NETLIST)
    return hd_sources_add_rtl(&build->base.sources, build->job.rtl_dir, err);
  snprintf(path, sizeof path, "%s/hd_switch.v", build->job.rtl_dir);
  strcpy(build->base.sources.include[build->base.sources.n_include++], "-Irtl");
  return hd_sources_add(&build->base.sources, path, "rtl/hd_switch.v", err);
}

static int add_own(struct build *build, const char *root, struct hd_error *err)
{
  if (hd_verilator_is_stress(build->job.form))
    return hd_sources_add_own(&build->base.sources, root, k_own_stress,
                              sizeof k_own_stress / sizeof *k_own_stress, err);
  int status =
      hd_sources_add_own(&build->base.sources, root, k_own, sizeof k_own / sizeof *k_own - 1, err);
  return status || build->job.form != HD_VERILATOR_SYSTEMC
             ? status
             : hd_sources_add_own(&build->base.sources, root, k_own_systemc,
                                  sizeof k_own_systemc / sizeof *k_own_systemc, err);
}

/* Lists the parameters of the stress bench. None of them is about timing, so a bench serves many
 * switches. */
static size_t stress_parameters(const struct hd_switch_params *params, bool foreign,
                                char texts[HD_SWITCH_PARAMS][32])
{
  static const char names[] =
      " PORTS VCS DATA_W DEPTH NODES SOURCE_TABLE ADAPTIVE BARRIER CODE_PLACES ";
  char all[HD_SWITCH_PARAMS][32], name[40];
  size_t n = 0, n_all = hd_switch_parameters(params, all);
  for (size_t i = 0; i < n_all; i++) {
    snprintf(name, sizeof name, " %.*s ", (int)strcspn(all[i], "="), all[i]);
    if (strstr(names, name))
      memcpy(texts[n++], all[i], sizeof *all);
  }
  if (foreign)
    strcpy(texts[n++], "FOREIGN=1");
  return n;
}

/* Adds HD_VERILATOR_TRACE_LIST to the sources: the lines of the RTL whose signals are not traced.
 * With the option all-signals the list is empty, which also changes the key. */
static int add_trace_list(struct build *build, struct hd_error *err)
{
  static const char top[] = "rtl/hd_switch.v";
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  if (!out)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the list of traced signals");
  fputs("`verilator_config\n", out);
  bool all = hd_options_have(build->job.options->dut_options, HD_OPTION_ALL_SIGNALS);
  for (size_t i = 0; !all && i < build->base.sources.n; i++) {
    const struct hd_dut_source *s = &build->base.sources.list[i];
    if (strncmp(s->name, "rtl/", 4) != 0)
      continue;
    unsigned number = 1, first = 0; /* line; first of the lines that are not traced, or 0 */
    for (const char *line = s->bytes, *end = s->bytes + s->length; line <= end; number++) {
      const char *newline = memchr(line, '\n', (size_t)(end - line));
      size_t n = (size_t)((newline ? newline : end) - line);
      bool off = hd_trace_line_is_off(line, n, !strcmp(s->name, top));
      if (!off && first)
        fprintf(out, "tracing_off -file \"%s\" -lines %u-%u\n", s->name, first, number - 1);
      first = !off ? 0 : first ? first : number;
      line += n + 1;
    }
  }
  bool ok = !ferror(out);
  if (fclose(out) || !ok) {
    free(bytes);
    bytes = NULL;
  }
  return hd_sources_add_text(&build->base.sources, HD_VERILATOR_TRACE_LIST, bytes, length, err);
}

/* ── cache key ──────────────────────────────────────────────────────────────── */

static int add_flag(void *build, const char *flag)
{
  return hd_key_add(&((struct build *)build)->base.sources, "flag", flag, NULL);
}

/* Adds the version of SystemC to the key. */
static int add_systemc(struct build *build, struct hd_error *err)
{
  static const char *const ask[] = {"pkg-config", "--exists", "systemc", NULL};
  static const char *const ask_version[] = {"pkg-config", "--modversion", "systemc", NULL};
  const struct hd_tool tool = {.argv = ask, .package = "pkg-config"};
  int exit_code = 0, status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL,
                     "SystemC is not installed, or pkg-config does not find it; on Debian: apt-get "
                     "install libsystemc-dev");
  if (status)
    return status;
  return hd_key_add_tool(&build->base.sources, "SystemC", ask_version, "pkg-config", err);
}

static int make_key(struct build *build, struct hd_error *err)
{
  static const char *const ask_verilator[] = {"verilator_bin", "--version", NULL};
  static const char *const ask_compiler[] = {"g++", "--version", NULL};
  struct hd_dut_sources *sources = &build->base.sources;
  int status = hd_key_add_tool(sources, "verilator", ask_verilator, "verilator", err);
  if (!status)
    status = hd_key_add_tool(sources, "compiler", ask_compiler, "g++", err);
  if (!status && build->job.form == HD_VERILATOR_SYSTEMC)
    status = add_systemc(build, err);
  if (!status)
    status = hd_key_add_processor(sources, err);
  build->tools = status ? NULL : strdup(sources->key);
  build->job.tools = build->tools;
  if (!status && (!build->tools || hd_verilator_flags(&build->job, add_flag, build)))
    status = hd_fail(err, HD_E_NOMEM, "out of memory for the cache key");
  if (!status)
    status = hd_key_add(sources, "form", k_names[build->job.form], err);
  if (!status)
    status = hd_key_add(sources, "ports", "checked", err);
  if (!status && build->job.form == HD_VERILATOR_SYSTEMC)
    status = hd_host_key(sources, err);
  for (size_t i = 0; !status && i < build->job.n_parameters; i++)
    status = hd_key_add(sources, "parameter", build->job.parameters[i], err);
  return status ? status : hd_key_add_sources(sources, err);
}

/* ── build ──────────────────────────────────────────────────────────────────── */

static int make(void *context, bool *again, struct hd_error *err)
{
  struct build *build = context;
  char what[64];
  snprintf(what, sizeof what, "building the %s backend", k_names[build->job.form]);
  hd_building_begin(build->job.options, build->base.entry.repaired, what, build->job.parameters,
                    build->job.n_parameters);
  return hd_verilator_steps(&build->job, again, err);
}

int hd_verilator_build(const struct hd_switch_params *params, enum hd_verilator_form form,
                       const struct hd_backend_options *options, char *path, size_t size,
                       struct hd_error *err)
{
  struct build build = {.job = {.options = options, .params = params, .form = form}};
  int status = hd_build_begin(&build.base, options, err);
  build.job.entry = &build.base.entry;
  build.job.sources = &build.base.sources;
  build.job.outside = &build.base.outside;
  build.job.cache_dir = build.base.cache_dir;
  build.job.rtl_dir = build.base.rtl_dir;
  build.job.n_parameters =
      hd_verilator_is_stress(form)
          ? stress_parameters(params, form == HD_VERILATOR_STRESS_FOREIGN, build.job.parameters)
          : hd_switch_parameters(params, build.job.parameters);
  if (!status)
    status = add_rtl(&build, err);
  if (!status)
    status = add_own(&build, build.base.root, err);
  if (!status)
    status = add_trace_list(&build, err);
  if (!status && form != HD_VERILATOR_NETLIST)
    report_delays(&build);
  if (!status)
    status = make_key(&build, err);
  if (!status)
    status = hd_build_find(&build.base, HD_VERILATOR_PRODUCT, make, &build, path, size, err);
  if (!status && form != HD_VERILATOR_NETLIST &&
      !hd_verilator_is_stress(form)) /* netlists and stress benches are not the user's RTL */
    hd_build_list_rtl(&build.base);
  hd_build_end(&build.base);
  free(build.tools);
  return status;
}

static int open_verilator(struct hd_backend *backend, const struct hd_switch_params *params,
                          const struct hd_backend_options *options, struct hd_error *err)
{
  char path[PATH_MAX];
  int status = hd_options_check("Verilator", HD_OPTIONS_VERILATED, options->dut_options, err);
  if (!status)
    status = hd_verilator_build(params, HD_VERILATOR_RTL, options, path, sizeof path, err);
  return status ? status : hd_backend_load(backend, path, err);
}

const struct hd_backend_kind hd_backend_kind_verilator = {
    .name = "verilator",
    .help = "the RTL in Verilator",
    .examples = "verilator",
    .simulator_options = HD_OPTIONS_VERILATED,
    .own = k_own_all,
    .builds_rtl = true,
    .counts_rtl = true,
    .as_written = true,
    .any_ports = true,
    .open = open_verilator,
};
