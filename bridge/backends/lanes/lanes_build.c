/* Builds the lanes backend of a parameter set: Yosys turns RTL into a netlist, which becomes C,
 * then a shared object.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The netlist has a cache entry of its own, which builds with other word widths and compiler flags
 * share.
 */
#include "lanes_build.h"

#include "../backends.h"
#include "../rtl/build.h"
#include "../rtl/dut_options.h"
#include "../rtl/host_build.h"
#include "../rtl/yosys_build.h"
#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../host/text.h"
#include "lanes_netlist.h"
#include "lanes_write.h"
#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HD_LANES_WRITER /* mk/c.mk */
#define HD_LANES_WRITER ""
#endif

#define NETLIST HD_LANES_NETLIST
#define CODE HD_LANES_CODE

static const char k_synthesis[] = "proc\n" HD_LANES_GATES "dffunmap\n"
                                  "simplemap\n"
                                  "opt_expr\n"
                                  "opt_clean\n"
                                  "abc -lut 3\n"
                                  "flatten\n"
                                  "opt_merge\n"
                                  "opt_clean\n" HD_YOSYS_CHECK "setattr -unset src\n"
                                  "write_json " NETLIST "\n";

static const char *const k_own[] = {HD_LANES_MANIFEST(HD_OWN) NULL};
static const char *const k_own_all[] = {HD_LANES_MANIFEST(HD_OWN) HD_LANES_STRESS(HD_OWN) NULL};
static const char *const k_compiled[] = {HD_LANES_HOST(HD_OWN_COPY) CODE, NULL};
static const struct hd_lanes_flavour k_switches = {
    .what = "synthesising the netlist: lanes",
    .synthesis = k_synthesis,
    .building = "building the lanes backend",
    .own = k_own,
    .n_own = sizeof k_own / sizeof *k_own - 1,
    .compiled = k_compiled,
};

struct build {
  const struct hd_lanes_flavour *flavour;
  struct hd_build base; /* of the shared object, from Heddle\'s own files */
  const struct hd_switch_params *params;
  struct hd_yosys yosys;
  char parameters[HD_SWITCH_PARAMS][32];
  size_t n_parameters;
  unsigned lanes; /* lanes of a word */
  unsigned pack;  /* words of a vector; 1: no vectors */
  char word[24];  /* -DHD_LANES=… */
};

/* Lists the compiler's arguments that hd_host_compile does not know. `about` is the last one.
 * Mutants are optimised even in builds that are not, because they run for longer than the compiler
 * takes. */
static void compiler_arguments(const struct build *build, const char *about,
                               const char *arguments[8])
{
  size_t n = 0;
  const bool soon = build->base.options->quick ||
                    (build->base.options->unoptimised && !build->flavour->with_faults);
  arguments[n++] = soon ? "-O0" : "-O2";
  arguments[n++] = "-march=native";
  arguments[n++] = build->word;
  arguments[n++] = about;
  arguments[n] = NULL;
}

/* Returns the width of this processor's vectors in bits. */
static unsigned vector_bits(void)
{
#if defined __x86_64__ || defined __i386__
  return __builtin_cpu_supports("avx512vl") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
#else
  return 128;
#endif
}

/* Chooses the narrowest word that has a lane for each switch, at most the processor's vector. A
 * narrow word is faster than a wide one with unused lanes. */
static unsigned choose_lanes(uint32_t switches)
{
  unsigned lanes = 64;
  while (lanes < switches && lanes < vector_bits())
    lanes *= 2;
  return lanes;
}

static int make_key(struct build *build, struct hd_error *err)
{
  struct hd_dut_sources *s = &build->base.sources;
  const char *arguments[8];
  char text[64];
  snprintf(text, sizeof text, "%016llx",
           (unsigned long long)hd_hash_bytes(build->yosys.base.sources.key,
                                             build->yosys.base.sources.key_length, 2));
  int status = hd_key_add(s, "lanes of the netlist", text, err);
  if (!status)
    status = hd_key_add(s, "written by", HD_LANES_WRITER, err);
  if (!status)
    status = hd_key_add_processor(s, err);
  if (!status)
    status = hd_host_key(s, err);
  compiler_arguments(build, "", arguments);
  for (size_t i = 0; !status && arguments[i]; i++)
    status = hd_key_add(s, "flag", arguments[i], err);
  for (size_t i = 0; !status && i < build->n_parameters; i++)
    status = hd_key_add(s, "parameter", build->parameters[i], err);
  return status ? status : hd_key_add_sources(s, err);
}

/* Writes the cached netlist as C code. */
static int write_code(const struct build *build, struct hd_error *err)
{
  char path[PATH_MAX + sizeof CODE + 1], *json = NULL;
  size_t length = 0;
  struct hd_netlist netlist = {0};
  struct hd_text code = {0};
  snprintf(path, sizeof path, "%s/" NETLIST, build->yosys.base.entry.directory);
  int status = hd_file_read(path, &json, &length, err);
  if (!status)
    status = hd_netlist_read(&netlist, build->params, json, length, build->yosys.base.rtl_dir, err);
  free(json);
  if (!status)
    status = hd_lanes_write(&netlist, build->params, build->pack, build->flavour->with_faults,
                            build->yosys.base.rtl_dir, &code, err);
  snprintf(path, sizeof path, "%s/" CODE, build->base.entry.temporary);
  if (!status)
    status = hd_file_write(path, hd_text_chars(&code), code.length, err);
  hd_netlist_fini(&netlist);
  hd_text_fini(&code);
  return status;
}

static int compile(const struct build *build, struct hd_error *err)
{
  const char *arguments[8], *yosys = strstr(build->yosys.base.sources.key, "\nyosys ");
  char about[160];
  snprintf(about, sizeof about, "-DHD_ABOUT=\"%.*s, gcc \" __VERSION__ \", %u lanes a word\"",
           yosys ? (int)strcspn(yosys + 7, "(\n") - 1 : 5, yosys ? yosys + 7 : "Yosys",
           build->lanes);
  compiler_arguments(build, about, arguments);
  return hd_host_compile(&build->base.entry, build->base.options, build->yosys.base.rtl_dir,
                         build->parameters, build->n_parameters, arguments,
                         build->flavour->compiled, err);
}

static int make(void *context, bool *again, struct hd_error *err)
{
  struct build *build = context;
  (void)again;
  hd_building_begin(build->base.options, build->base.entry.repaired, build->flavour->building,
                    build->parameters, build->n_parameters);
  const int status = write_code(build, err);
  return status ? status : compile(build, err);
}

/* Builds the shared object, unless the cache has it. `path` gets its path. */
static int build_lanes(struct build *build, const struct hd_backend_options *options, char *path,
                       size_t size, struct hd_error *err)
{
  static const char *const ask_compiler[] = {"gcc", "--version", NULL};
  struct hd_build *base = &build->base;
  int status = hd_build_begin(base, options, err);
  if (!status) /* comes first, because Yosys may take minutes and gcc may be missing */
    status = hd_key_add_tool(&base->sources, "compiler", ask_compiler, "gcc", err);
  if (!status)
    status = hd_yosys_build(&build->yosys, err);
  if (!status)
    status = hd_sources_add_own(&base->sources, base->root, build->flavour->own,
                                build->flavour->n_own, err);
  if (!status)
    status = make_key(build, err);
  return status ? status : hd_build_find(base, HD_HOST_PRODUCT, make, build, path, size, err);
}

int hd_lanes_build(const struct hd_lanes_flavour *flavour, const struct hd_switch_params *params,
                   const struct hd_backend_options *options, struct hd_lanes_built *built,
                   struct hd_error *err)
{
  struct build *build = hd_xcalloc(1, sizeof *build);
  build->flavour = flavour;
  build->params = params;
  build->yosys = (struct hd_yosys){.options = options,
                                   .params = params,
                                   .what = flavour->what,
                                   .synthesis = flavour->synthesis,
                                   .product = NETLIST,
                                   .product_end = "}\n}\n"};
  build->n_parameters = hd_switch_parameters(params, build->parameters);
  build->lanes = choose_lanes(options->switches);
  build->pack = build->lanes == 64 && !flavour->with_faults ? vector_bits() / 64 : 1;
  snprintf(build->word, sizeof build->word, "-DHD_LANES=%u", build->lanes);
  int status = build_lanes(build, options, built->object, sizeof built->object, err);
  if (!status && ((size_t)snprintf(built->netlist, sizeof built->netlist, "%s/" NETLIST,
                                   build->yosys.base.entry.directory) >= sizeof built->netlist ||
                  (size_t)snprintf(built->rtl_dir, sizeof built->rtl_dir, "%s",
                                   build->yosys.base.rtl_dir) >= sizeof built->rtl_dir))
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", build->yosys.base.entry.directory);
  hd_yosys_fini(&build->yosys);
  hd_build_end(&build->base);
  free(build);
  return status;
}

static int open_lanes(struct hd_backend *backend, const struct hd_switch_params *params,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  struct hd_lanes_built built;
  int status = hd_options_check("lanes", HD_OPTIONS_LANES, options->dut_options, err);
  if (!status)
    status = hd_lanes_build(&k_switches, params, options, &built, err);
  return status ? status : hd_backend_load(backend, built.object, err);
}

const struct hd_backend_kind hd_backend_kind_lanes = {
    .name = "lanes",
    .help = "Yosys' synthesis of the RTL as C, a switch in each bit of a machine word",
    .examples = "lanes",
    .simulator_options = HD_OPTIONS_LANES,
    .own = k_own_all,
    .builds_rtl = true,
    /* Lanes of a word. Wider words are no faster per switch (docs/performance.md). */
    .max_switches = 64,
    .open = open_lanes,
};
