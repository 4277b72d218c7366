/* Builds the GHDL backend of a parameter set when it is needed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cache entry has the VHDL, GHDL's library of it, the VPI module that GHDL loads, and the shared
 * object that heddle loads and that starts GHDL. GHDL (mcode) writes no machine code: it translates
 * the VHDL at each start.
 */
#include "../backends.h"
#include "../rtl/dut_options.h"
#include "../rtl/dut_outside.h"
#include "../rtl/host_build.h"
#include "../rtl/build.h"
#include "../rtl/switch_ports.h"
#include "../vpi/vpi_module.h"
#include "../../host/file.h"
#include "../../host/text.h"
#include "../../host/tool_run.h"
#include "ghdl_options.h"
#include "manifest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const k_own[] = {HD_GHDL_MANIFEST(HD_OWN) NULL};

struct build {
  struct hd_build base;
  const struct hd_switch_params *params;
  size_t n_generics;
  char parameters[HD_SWITCH_PARAMS][32], generics[HD_SWITCH_PARAMS][40];
  char about[160], include_ghdl[PATH_MAX], include_fst[PATH_MAX + 32];
  char fst[3][PATH_MAX + 64]; /* paths of FST's sources */
  const char *compile[40];    /* command that compiles the VPI module */
};

/* ── VPI module ─────────────────────────────────────────────────────────────── */

/* Finds the directory of GHDL's VPI header, and FST's sources, which come with Verilator. */
static int find_includes(struct build *b, struct hd_error *err)
{
  static const char *const ask_ghdl[] = {"ghdl", "--vpi-include-dir", NULL};
  static const char *const ask_fst[] = {"verilator", "--getenv", "VERILATOR_ROOT", NULL};
  static const char *const fst[] = {"fstapi.c", "lz4.c", "fastlz.c"};
  char ghdl[PATH_MAX - 2], verilator[PATH_MAX];
  int status = hd_tool_answer(ask_ghdl, "ghdl", ghdl, sizeof ghdl, err);
  if (!status)
    status = hd_tool_answer(ask_fst, "verilator", verilator, sizeof verilator, err);
  if (status)
    return status;
  snprintf(b->include_ghdl, sizeof b->include_ghdl, "-I%s", ghdl);
  snprintf(b->include_fst, sizeof b->include_fst, "-I%s/include/gtkwave", verilator);
  for (size_t i = 0; i < sizeof fst / sizeof *fst; i++)
    snprintf(b->fst[i], sizeof b->fst[i], "%s/include/gtkwave/%s", verilator, fst[i]);
  return HD_OK;
}

static struct hd_vpi_module module_of(struct build *b)
{
  const char *const compile[] = {"ghdl",
                                 "--vpi-link",
                                 "gcc",
                                 "-std=gnu11",
                                 "-D_GNU_SOURCE",
                                 "-O2",
                                 "-w",
                                 "-fPIC",
                                 "-DFST_CONFIG_INCLUDE=<fst_config.h>",
                                 b->include_ghdl,
                                 b->include_fst,
                                 "-o",
                                 HD_GHDL_MODULE_NAME,
                                 HD_GHDL_MODULE(HD_OWN_COPY) b->fst[0],
                                 b->fst[1],
                                 b->fst[2],
                                 "-lz",
                                 "-Wl,-Bsymbolic,--no-undefined",
                                 NULL};
  _Static_assert(sizeof compile <= sizeof b->compile, "room for the command");
  memcpy(b->compile, compile, sizeof compile);
  return (struct hd_vpi_module){.options = b->base.options,
                                .simulator = "ghdl",
                                .about = b->about,
                                .own = k_own,
                                .n_own = sizeof k_own / sizeof *k_own - 1,
                                .argv = b->compile,
                                .package = "ghdl",
                                .product = HD_GHDL_MODULE_NAME};
}

/* ── cache key ──────────────────────────────────────────────────────────────── */

static int make_key(struct build *b, struct hd_error *err)
{
  struct hd_dut_sources *s = &b->base.sources;
  const struct hd_vpi_module module = module_of(b);
  int status = hd_vpi_module_key(&module, s, err);
  if (!status)
    status = hd_host_key(s, err);
  for (size_t i = 0; !status && i < b->n_generics; i++)
    status = hd_key_add(s, "generic", b->parameters[i], err);
  return status ? status : hd_key_add_sources(s, err);
}

static int gather(struct build *b, struct hd_error *err)
{
  static const char *const ask[] = {"ghdl", "--version", NULL};
  if (!b->base.options->rtl_dir)
    return hd_fail(
        err, HD_E_INPUT,
        "--dut ghdl simulates VHDL, and Heddle's own switch is Verilog: give --rtl DIR, a "
        "directory with hd_switch.vhd (docs/your-own-switch.md)");
  int status = hd_sources_add_vhdl(&b->base.sources, b->base.options->rtl_dir, err);
  if (!status)
    status = hd_tool_first_line(ask, "ghdl", b->about, sizeof b->about, err);
  if (!status)
    status = find_includes(b, err);
  if (!status)
    status = hd_sources_add_own(&b->base.sources, b->base.root, k_own,
                                sizeof k_own / sizeof *k_own - 1, err);
  b->n_generics = hd_switch_parameters(b->params, b->parameters);
  for (size_t i = 0; i < b->n_generics; i++)
    snprintf(b->generics[i], sizeof b->generics[i], "-g%s", b->parameters[i]);
  return status ? status : make_key(b, err);
}

/* ── libraries ──────────────────────────────────────────────────────────────── */

/* Names of libraries in the user's `library` clauses, in lower case. */
struct libraries {
  char names[16][64];
  size_t n;
};

static bool is_vhdl(const struct hd_dut_source *source)
{
  return !strncmp(source->name, "rtl/", 4);
}

static void add_library(struct libraries *l, const char *name)
{
  static const char *const known[] = {"std", "ieee", "work"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(name, known[i]))
      return;
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(name, l->names[i]))
      return;
  if (l->n < sizeof l->names / sizeof *l->names)
    snprintf(l->names[l->n++], sizeof *l->names, "%s", name);
}

/* Finds the `library` clauses of a file: the word at the beginning of a line or statement, then
 * names separated by commas. */
static void find_libraries(struct libraries *l, const char *text)
{
  static const char word[] = "library";
  for (const char *line = text; *line; line += strcspn(line, ";\n"), line += *line != '\0') {
    const char *at = line += strspn(line, " \t\n\r");
    if (strncasecmp(at, word, sizeof word - 1) != 0 || !isspace((unsigned char)at[sizeof word - 1]))
      continue;
    at += sizeof word - 1;
    for (char name[64]; sscanf(at, " %63[A-Za-z0-9_]", name) == 1;) {
      for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
      add_library(l, name);
      at += strcspn(at, ",;\n");
      at += *at == ',';
    }
  }
}

/* ── build ──────────────────────────────────────────────────────────────────── */

static int run_ghdl(const struct build *b, const char *const *argv, struct hd_error *err)
{
  return hd_build_run(&b->base.entry, b->base.options, "ghdl", argv, b->base.options->rtl_dir, err);
}

/* Makes GHDL index the units of all files as members of a library. */
static int import(const struct build *b, const char *library, struct hd_error *err)
{
  char work[80];
  const char *argv[HD_MAX_SOURCES + 8] = {"ghdl", "-i", HD_GHDL_OPTIONS, work};
  size_t n = 0;
  snprintf(work, sizeof work, "--work=%s", library);
  while (argv[n])
    n++;
  for (size_t i = 0; i < b->base.sources.n; i++)
    if (is_vhdl(&b->base.sources.list[i]))
      argv[n++] = b->base.sources.list[i].name;
  return run_ghdl(b, argv, err);
}

/* Analyses the design. A VHDL file does not say to which library it belongs, so every file is a
 * member of each library that any file names. GHDL analyses only the units that hd_switch needs, in
 * their order. */
static int analyse(const struct build *b, struct hd_error *err)
{
  static const char *const make[] = {"ghdl", "-m", HD_GHDL_OPTIONS, "hd_switch", NULL};
  struct libraries named = {.n = 0};
  int status = import(b, "work", err);
  for (size_t i = 0; i < b->base.sources.n; i++)
    if (is_vhdl(&b->base.sources.list[i]))
      find_libraries(&named, b->base.sources.list[i].bytes);
  for (size_t i = 0; !status && i < named.n; i++)
    status = import(b, named.names[i], err);
  return status ? status : run_ghdl(b, make, err);
}

/* Elaborates the design with its generics. The VPI module then prints the ports to the log. */
static int list_ports(const struct build *b, struct hd_error *err)
{
  const char *argv[HD_SWITCH_PARAMS + 16] = {"ghdl", "-r", HD_GHDL_OPTIONS, "hd_switch",
                                             HD_GHDL_RUN};
  size_t n = 0;
  while (argv[n])
    n++;
  for (size_t i = 0; i < b->n_generics; i++)
    argv[n++] = b->generics[i];
  return run_ghdl(b, argv, err);
}

static int check_ports(const struct build *b, struct hd_error *err)
{
  enum { IN = 1, INOUT = 3 }; /* vpiInput, vpiInout */
  struct hd_ports_seen seen;
  char *log = NULL, name[128];
  size_t length = 0;
  int status = hd_file_read(b->base.entry.log, &log, &length, err);
  hd_ports_begin(&seen, b->params, b->base.options->rtl_dir);
  for (const char *at = log; !status && at && (at = strstr(at, HD_GHDL_PORT)); at++) {
    int direction;
    uint32_t bits;
    if (sscanf(at, HD_GHDL_PORT " %127s %d %" SCNu32, name, &direction, &bits) == 3)
      status = hd_ports_check(&seen, name, direction == IN, direction == INOUT, bits, err);
  }
  free(log);
  return status ? status : hd_ports_end(&seen, err);
}

static int compile_host(const struct build *b, struct hd_error *err)
{
  static const char *const sources[] = {HD_GHDL_HOST(HD_OWN_COPY) NULL};
  char about[200];
  struct hd_text generics = {0};
  snprintf(about, sizeof about, "-DHD_ABOUT=\"%s\"", b->about);
  for (size_t i = 0; i < b->n_generics; i++)
    hd_text_add(&generics, "%s\"%s\"", i ? ", " : "-DHD_GENERICS=", b->generics[i]);
  const char *const defines[] = {about, hd_text_chars(&generics), NULL};
  int status = hd_host_compile(&b->base.entry, b->base.options, b->base.options->rtl_dir,
                               b->parameters, b->n_generics, defines, sources, err);
  hd_text_fini(&generics);
  return status;
}

static int make(void *context, bool *again, struct hd_error *err)
{
  struct build *b = context;
  (void)again;
  const struct hd_vpi_module module = module_of(b);
  hd_building_begin(b->base.options, b->base.entry.repaired, "building the GHDL backend",
                    b->parameters, b->n_generics);
  int status = analyse(b, err);
  if (!status)
    status = hd_vpi_module_add(&module, b->base.entry.temporary, err);
  if (!status)
    status = list_ports(b, err);
  if (!status)
    status = check_ports(b, err);
  return status ? status : compile_host(b, err);
}

static int build_ghdl(struct build *b, const struct hd_backend_options *options, char *path,
                      size_t size, struct hd_error *err)
{
  int status = hd_build_begin(&b->base, options, err);
  if (!status)
    status = gather(b, err);
  if (!status)
    status = hd_build_find(&b->base, HD_HOST_PRODUCT, make, b, path, size, err);
  if (!status)
    hd_build_list_rtl(&b->base);
  hd_build_end(&b->base);
  return status;
}

static int open_ghdl(struct hd_backend *backend, const struct hd_switch_params *params,
                     const struct hd_backend_options *options, struct hd_error *err)
{
  char path[PATH_MAX];
  struct build *b = calloc(1, sizeof *b);
  if (!b)
    return hd_fail(err, HD_E_NOMEM, "out of memory before building");
  b->params = params;
  int status = hd_options_check("GHDL", HD_OPTIONS_GHDL, options->dut_options, err);
  if (!status)
    status = build_ghdl(b, options, path, sizeof path, err);
  free(b);
  return status ? status : hd_backend_load(backend, path, err);
}

const struct hd_backend_kind hd_backend_kind_ghdl = {
    .name = "ghdl",
    .help = "a VHDL switch in GHDL, four-state; --rtl DIR has hd_switch.vhd",
    .examples = "",
    .simulator_options = HD_OPTIONS_GHDL,
    .own = k_own,
    .builds_rtl = true,
    .any_ports = true,
    .open = open_ghdl,
};
