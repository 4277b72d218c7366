/* Builds the Icarus backend of a parameter set when it is needed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cache entry has the design in vvp's format, the VPI module that vvp loads, and the shared
 * object that heddle loads and that starts vvp with both.
 */
#include "../backends.h"
#include "../rtl/dut_outside.h"
#include "../rtl/host_build.h"
#include "../rtl/build.h"
#include "../../host/file.h"
#include "../rtl/dut_options.h"
#include "../rtl/switch_ports.h"
#include "../../host/tool_run.h"
#include "../vpi/vpi_module.h"
#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_own[] = {HD_ICARUS_MANIFEST(HD_OWN) NULL};
static const char k_wrapper[] = "hd_icarus.v";
#define HD_ICARUS_HALF "hd_half_cycle" /* same as in icarus.h */
#define DEPENDENCIES "hd_switch.files" /* list of the files that iverilog has read */

struct build {
  struct hd_build base;
  const struct hd_switch_params *params;
  size_t n_parameters;
  char parameters[HD_SWITCH_PARAMS][32];
  const char *files[HD_MAX_SOURCES]; /* [n_files], copies of the files that options name */
  size_t n_files;
  char about[160];
  char named[2048]; /* source files that options name, separated by commas */
};

/* ── sources ────────────────────────────────────────────────────────────────── */

/* Adds a file that options name. The copy's name has a number, so that files of equal names differ.
 * Quotes and backslashes are replaced, because the tools write the name into string constants. */
static int add_file(struct build *build, const char *path, struct hd_error *err)
{
  char name[300];
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "files/%zu-%.200s", build->n_files, slash ? slash + 1 : path);
  for (char *bad = name; (bad = strpbrk(bad, "\"\\\n"));)
    *bad = '_';
  int status = hd_sources_add(&build->base.sources, path, name, err);
  if (!status)
    build->files[build->n_files++] = build->base.sources.list[build->base.sources.n - 1].name;
  return status;
}

static int add_own(const struct build *build, struct hd_dut_sources *sources, struct hd_error *err)
{
  return hd_sources_add_own(sources, build->base.root, k_own, sizeof k_own / sizeof *k_own - 1,
                            err);
}

/* Adds the Verilog files among the comma-separated options. */
static int add_named(struct build *build, struct hd_error *err)
{
  const char *options = build->base.options->dut_options ? build->base.options->dut_options : "";
  size_t used = 0;
  int status = 0;
  for (const char *p = options; *p && !status;) {
    size_t n = strcspn(p, ",");
    if (hd_option_kind(p, n) == HD_OPTION_SOURCE) {
      char path[PATH_MAX];
      if (n >= sizeof path || used + n + 2 > sizeof build->named)
        return hd_fail(err, HD_E_INPUT, "--dut icarus: too many sources, or too long: %.200s", p);
      snprintf(path, sizeof path, "%.*s", (int)n, p);
      used += (size_t)snprintf(build->named + used, sizeof build->named - used, "%s%s",
                               used ? "," : "", path);
      status = add_file(build, path, err);
    }
    p += n + (p[n] == ',');
  }
  return status;
}

static int add_wrapper(struct build *build, struct hd_error *err)
{
  const struct hd_switch_params *p = build->params;
  struct hd_switch_port pins[HD_SWITCH_PORTS];
  hd_switch_ports(p, pins);
  char *bytes = NULL, where[320];
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  if (!out)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the switch's wrapper");
  fputs("// The switch and what drives its pins by VPI.\nmodule hd_icarus;\n", out);
  for (size_t i = 0; i < HD_SWITCH_PORTS; i++)
    if (!pins[i].optional)
      fprintf(out, "  %s [%u:0] %s;\n", pins[i].in ? "reg" : "wire", pins[i].bits - 1,
              pins[i].name);
  fputs("  reg waves_open = 1'b0;\n  reg [8*4096-1:0] waves_path;\n"
        "  always @(posedge waves_open) begin\n"
        "    $dumpfile(waves_path);\n",
        out);
  if (hd_sources_delay(&build->base.sources, where, sizeof where))
    fputs("    $dumpvars(0, " HD_ICARUS_HALF ", hd_switch);\n  end\n"
          "  reg [63:0] " HD_ICARUS_HALF " = 64'd1000;\n  hd_switch #(",
          out);
  else
    fputs("    $dumpvars(0, hd_switch);\n  end\n  hd_switch #(", out);
  for (size_t i = 0; i < build->n_parameters; i++) {
    const char *value = strchr(build->parameters[i], '=') + 1;
    fprintf(out, "%s.%.*s(%s)", i ? ", " : "", (int)(value - build->parameters[i] - 1),
            build->parameters[i], value);
  }
  fputs(") hd_switch (", out);
  for (size_t i = 0; i < HD_SWITCH_PORTS; i++)
    if (!pins[i].optional)
      fprintf(out, "%s.%s(%s)", i ? ", " : "", pins[i].name, pins[i].name);
  fputs(");\nendmodule\n", out);
  bool ok = !ferror(out);
  if (fclose(out) || !ok) {
    free(bytes);
    bytes = NULL;
  }
  return hd_sources_add_text(&build->base.sources, k_wrapper, bytes, length, err);
}

/* ── cache key ──────────────────────────────────────────────────────────────── */

static struct hd_vpi_module module_of(const struct build *build)
{
  static const char *const compile[] = {"iverilog-vpi", "--name=heddle", "-D_GNU_SOURCE",
                                        HD_ICARUS_MODULE(HD_OWN_COPY) NULL};
  return (struct hd_vpi_module){.options = build->base.options,
                                .simulator = "icarus",
                                .about = build->about,
                                .own = k_own,
                                .n_own = sizeof k_own / sizeof *k_own - 1,
                                .argv = compile,
                                .package = "iverilog",
                                .product = "heddle.vpi"};
}

static int make_key(struct build *build, struct hd_error *err)
{
  static const char *const ask_icarus[] = {"iverilog", "-V", NULL};
  struct hd_dut_sources *s = &build->base.sources;
  int status = hd_tool_first_line(ask_icarus, "iverilog", build->about, sizeof build->about, err);
  size_t n = strlen(build->about);
  if (n >= 3 && !strcmp(build->about + n - 3, " ()")) /* "... version 11.0 (stable) ()" */
    build->about[n - 3] = '\0';
  const struct hd_vpi_module module = module_of(build);
  if (!status)
    status = hd_vpi_module_key(&module, s, err);
  if (!status)
    status = hd_key_add(s, "ports", "checked", err);
  if (!status)
    status = hd_host_key(s, err);
  for (size_t i = 0; !status && i < build->n_parameters; i++)
    status = hd_key_add(s, "parameter", build->parameters[i], err);
  if (!status)
    status = hd_key_add(s, "named", build->named, err);
  return status ? status : hd_key_add_sources(s, err);
}

/* ── build ──────────────────────────────────────────────────────────────────── */

static int compile_design(const struct build *build, struct hd_error *err)
{
  const char *argv[HD_MAX_SOURCES + 3 * HD_MAX_DIRECTORIES + 16] = {"iverilog"};
  size_t n = 1;
  bool system_verilog = false;
  for (size_t i = 0; i < build->n_files; i++)
    system_verilog |= strstr(build->files[i], ".sv") != NULL;
  for (size_t i = 0; i < build->base.sources.n; i++) /* a wrapper may include SystemVerilog files */
    system_verilog |= strstr(build->base.sources.list[i].name, ".sv") != NULL;
  argv[n++] = system_verilog ? "-g2012" : "-g2005";
  argv[n++] = "-Wportbind"; /* check_ports reads these warnings */
  argv[n++] = "-s";
  argv[n++] = "hd_icarus";
  argv[n++] = "-o";
  argv[n++] = "hd_switch.vvp";
  argv[n++] = "-Mall=" DEPENDENCIES;
  argv[n++] = k_wrapper;
  for (size_t i = 0; i < build->n_files; i++)
    argv[n++] = build->files[i];
  for (size_t i = 0; i < build->base.sources.n_include; i++) {
    argv[n++] = "-y";
    argv[n++] = build->base.sources.include[i] + 2;
    argv[n++] = build->base.sources.include[i];
  }
  argv[n++] = "-I" HD_OUTSIDE;
  if (!build->n_files)
    argv[n++] = "rtl/hd_switch.v";
  return hd_build_run(&build->base.entry, build->base.options, "iverilog", argv,
                      build->base.rtl_dir, err);
}

static int check_ports(const struct build *build, struct hd_error *err)
{
  char *log = NULL;
  size_t length = 0;
  int status = hd_file_read(build->base.entry.log, &log, &length, err);
  if (!status)
    status = hd_switch_ports_warned(build->params, log, k_wrapper, build->base.rtl_dir, err);
  free(log);
  return status;
}

/* Lets vvp load the design and stop before it runs. This finds an incomplete file: iverilog returns
 * 0 even if the disk is full. */
static int check_design(const struct build *build, struct hd_error *err)
{
  static const char *const argv[] = {"vvp", "-n", "-s", "hd_switch.vvp", NULL};
  const struct hd_tool tool =
      hd_build_tool(&build->base.entry, build->base.options, "iverilog", argv);
  int exit_code = 0;
  int status = hd_tool_run(&tool, &exit_code, err);
  if (!status && exit_code)
    status = hd_fail(err, HD_E_TOOL,
                     "vvp cannot read what iverilog has written; is the disk full, or the size of "
                     "files limited? log: %.500s",
                     build->base.entry.log);
  return status;
}

/* Writes a text for the inside of a C string constant. File names may have characters that would
 * end it. */
static void put_string(char *to, const char *from)
{
  for (; *from; from++)
    if (strchr("\"\\?\n", *from)) /* "??/" is a backslash in C11 */
      to += sprintf(to, "\\%03o", (unsigned char)*from);
    else
      *to++ = *from;
  *to = '\0';
}

static int compile_host(const struct build *build, struct hd_error *err)
{
  static const char *const sources[] = {HD_ICARUS_HOST(HD_OWN_COPY) NULL};
  char about[200], quoted[4 * sizeof build->named], named[sizeof quoted + 32];
  const char *const defines[] = {about, named, NULL};
  snprintf(about, sizeof about, "-DHD_ABOUT=\"%s\"", build->about);
  put_string(quoted, build->named);
  snprintf(named, sizeof named, "-DHD_SOURCES=\"%s\"", quoted);
  return hd_host_compile(&build->base.entry, build->base.options, build->base.rtl_dir,
                         build->parameters, build->n_parameters, defines, sources, err);
}

static int make(void *context, bool *again, struct hd_error *err)
{
  struct build *build = context;
  const struct hd_vpi_module module = module_of(build);
  hd_building_begin(build->base.options, build->base.entry.repaired, "building the Icarus backend",
                    build->parameters, build->n_parameters);
  int status = hd_outside_link(&build->base.outside, build->base.entry.temporary, err);
  if (!status)
    status = compile_design(build, err);
  if (!status)
    status = hd_outside_check(&build->base.outside, build->base.entry.temporary, DEPENDENCIES,
                              HD_OUTSIDE_ICARUS, again, err);
  if (!status && !*again)
    status = check_ports(build, err);
  if (!status && !*again)
    status = check_design(build, err);
  if (!status && !*again)
    status = hd_vpi_module_add(&module, build->base.entry.temporary, err);
  return status || *again ? status : compile_host(build, err);
}

static int gather(struct build *build, struct hd_error *err)
{
  int status = add_named(build, err);
  if (!status && !build->n_files)
    status = hd_sources_add_rtl(&build->base.sources, build->base.rtl_dir, err);
  if (!status)
    status = add_own(build, &build->base.sources, err);
  return status ? status : add_wrapper(build, err);
}

/* Builds the shared object for `params`, unless the cache has it, and gets its path. */
static int build_icarus(const struct hd_switch_params *params,
                        const struct hd_backend_options *options, char *path, size_t size,
                        struct hd_error *err)
{
  struct build *build = calloc(1, sizeof *build);
  if (!build)
    return hd_fail(err, HD_E_NOMEM, "out of memory before building");
  build->params = params;
  build->n_parameters = hd_switch_parameters(params, build->parameters);
  int status = hd_build_begin(&build->base, options, err);
  if (!status)
    status = gather(build, err);
  if (!status)
    status = make_key(build, err);
  if (!status)
    status = hd_build_find(&build->base, HD_HOST_PRODUCT, make, build, path, size, err);
  if (!status)
    hd_build_list_rtl(&build->base);
  hd_build_end(&build->base);
  free(build);
  return status;
}

static int open_icarus(struct hd_backend *backend, const struct hd_switch_params *params,
                       const struct hd_backend_options *options, struct hd_error *err)
{
  char path[PATH_MAX];
  int status = hd_options_check("Icarus", HD_OPTIONS_ICARUS, options->dut_options, err);
  if (!status)
    status = build_icarus(params, options, path, sizeof path, err);
  return status ? status : hd_backend_load(backend, path, err);
}

const struct hd_backend_kind hd_backend_kind_icarus = {
    .name = "icarus",
    .help = "the RTL in Icarus Verilog, four-state: finds X and registers that reset forgets",
    .examples = "icarus",
    .simulator_options = HD_OPTIONS_ICARUS,
    .own = k_own,
    .builds_rtl = true,
    .as_written = true,
    .any_ports = true,
    .open = open_icarus,
};
