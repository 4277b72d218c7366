/* Steps of a Verilator build: RTL to C++, then C++ to a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "verilator_steps.h"

#include "../systemc/manifest.h"
#include "manifest.h"

#include "../rtl/host_build.h"
#include "../rtl/build.h"
#include "../rtl/switch_ports.h"
#include "../rtl/verilated_make.h"
#include "../../host/file.h"
#include "../../host/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The `verilator` script runs verilator_bin. Heddle runs it directly: it needs no Perl, and a
 * signal ends it at once. Registers start with garbage (unique) that depends only on the seed that
 * the shim gives. This has no measured cost.
 *
 * The optimisation of trees of AND, OR and XOR is off: Verilator 5.006 turns `v[0] & ~(v[1] &
 * w[1])` into `v[0] & !v[1] & !w[1]`, and releases before and after it miscompile other expressions
 * (its issues 3445, 3824, 4059, 4832, 4857, 5186). Without the optimisation the 8x8 mesh takes 0.4
 * % more instructions. */
static const char *const k_verilator[] = {
    "verilator_bin", "--exe", "--Mdir", "obj", "-O3", "-fno-const-bit-op-tree", "--x-assign",
    "fast", "--x-initial", "unique", "--assert",
    /* Delays, as in q <= #1 d, are ignored, because a cycle is the only unit of time. */
    "--no-timing",
    /* A changed copy of the RTL may have lint warnings. `make lint` finds those of Heddle's own
     * RTL. */
    "-Wno-lint", "-Wno-style", "-Wno-fatal", "-CFLAGS",
    "-std=gnu++17 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL"};
/* Flags without and with coverage. Without it Verilator itself saves and restores a switch
 * (--savable), at no measured cost. It cannot with coverage, so the shim then copies the switch's
 * bytes, if hd_images (verilated_make.c) finds that the RTL allows this. */
static const char *const k_plain[] = {"--savable", "--trace-fst"};
static const char *const k_coverage[] = {"--coverage-line", "--coverage-toggle", "--flatten",
                                         "--trace-fst"};
/* Paths relative to obj/, where make runs. */
#define FROM_OBJ "../src/bridge/backends/verilator/"
#define INCLUDE_PRINT " -include " FROM_OBJ "verilator_print.h"
/* Flags for the result: a shared object, or a program with a SystemC module. */
static const char *const k_shared[] = {
    "--cc",
    "-o",
    HD_VERILATOR_PRODUCT,
    "-CFLAGS",
    "-fPIC -fvisibility=hidden -fno-gnu-unique -fno-semantic-interposition",
    "-LDFLAGS",
    "-shared -Wl,-Bsymbolic -Wl,--no-undefined"};
static const char *const k_program[] = {"--sc", "-o", HD_SYSTEMC_PROGRAM};
static const char k_no_dfg[] = "-fno-dfg";
/* Flags for make. With -O3 a switch takes a third longer to build and runs no faster. */
#define OPTIMISED \
  HD_VERILATED_FAST("-O1 -march=native"), HD_VERILATED_SLOW("-O0"), "OPT_GLOBAL=-O1" INCLUDE_PRINT
static const char *const k_make[] = {OPTIMISED, HD_VERILATED_TWO_FILES, NULL};
static const char *const k_quick_make[] = {HD_VERILATED_FAST("-Og"), "OPT_GLOBAL=-Og" INCLUDE_PRINT,
                                           HD_VERILATED_ONE_FILE, NULL};
/* A netlist is megabytes of statements without a branch, so it is compiled in many files. */
static const char *const k_gates_make[] = {OPTIMISED, HD_VERILATED_MANY_FILES, NULL};
static const char *const k_unoptimised_make[] = {
    HD_VERILATED_FAST("-O0"), "OPT_GLOBAL=-O0" INCLUDE_PRINT, HD_VERILATED_ONE_FILE, NULL};
static const char *const k_unoptimised_gates_make[] = {
    HD_VERILATED_FAST("-O0"), HD_VERILATED_SLOW("-O0"), "OPT_GLOBAL=-O0" INCLUDE_PRINT,
    HD_VERILATED_MANY_FILES, NULL};
/* A network of many endpoints is megabytes of C++, too. It is split into files and functions that
 * the compiler can handle. */
static const char *const k_blocks[] = {"--output-split", "20000", "--output-split-cfuncs", "2000"};
static const char *const k_quick_blocks_make[] = {
    HD_VERILATED_FAST("-Og"), HD_VERILATED_SLOW("-O0"), "OPT_GLOBAL=-Og" INCLUDE_PRINT,
    HD_VERILATED_MANY_FILES, NULL};
enum {
  N_BLOCKS = sizeof k_blocks / sizeof *k_blocks,
  N_VERILATOR = sizeof k_verilator / sizeof *k_verilator,
  N_COVERAGE = sizeof k_coverage / sizeof *k_coverage,
  N_SHARED = sizeof k_shared / sizeof *k_shared,
  N_PROGRAM = sizeof k_program / sizeof *k_program,
};

#define SERVER "server.o"
static const char *const k_shim[] = {HD_VERILATOR_SHIM(HD_OWN_COPY_ABOVE) NULL};
static const char *const k_stress_shim[] = {HD_STRESS_SHIM(HD_OWN_COPY_ABOVE) NULL};
static const char *const k_systemc_shim[] = {HD_SYSTEMC_SHIM(HD_OWN_COPY_ABOVE) "../" SERVER, NULL};

enum { N_SHIM = (sizeof k_shim + sizeof k_systemc_shim) / sizeof *k_shim };

static bool is_systemc(const struct hd_verilator_job *job)
{
  return job->form == HD_VERILATOR_SYSTEMC;
}

static bool is_stress(const struct hd_verilator_job *job)
{
  return hd_verilator_is_stress(job->form);
}

/* Returns the name of the top module, from which Verilator makes the names of its files. */
static const char *top_of(const struct hd_verilator_job *job)
{
  return is_stress(job) ? "hd_stress" : "hd_switch";
}

static const char *prefix_of(const struct hd_verilator_job *job)
{
  return is_stress(job) ? "Vhd_stress" : "Vhd_switch";
}

/* Returns the flags that depend on the options. A quick build leaves out the last one,
 * --trace-fst. */
static const char *const *variant_flags(const struct hd_verilator_job *job, size_t *n)
{
  bool coverage = job->options->coverage;
  *n = (coverage ? sizeof k_coverage : sizeof k_plain) / sizeof *k_plain - job->options->quick;
  return coverage ? k_coverage : k_plain;
}

static bool is_in_blocks(const struct hd_verilator_job *job)
{
  return job->form == HD_VERILATOR_RTL && job->params->ports > HD_MAX_PORTS;
}

static const char *const *make_flags(const struct hd_verilator_job *job)
{
  const bool rtl = job->form != HD_VERILATOR_NETLIST && !is_in_blocks(job);
  if (job->options->quick)
    return is_in_blocks(job) ? k_quick_blocks_make : k_quick_make;
  if (job->options->unoptimised)
    return rtl ? k_unoptimised_make : k_unoptimised_gates_make;
  return rtl ? k_make : k_gates_make;
}

/* Returns k_shared or k_program, and its length. */
static const char *const *target_flags(const struct hd_verilator_job *job, size_t *n)
{
  *n = is_systemc(job) ? (size_t)N_PROGRAM : (size_t)N_SHARED;
  return is_systemc(job) ? k_program : k_shared;
}

static const char k_headers[] = "#include \"" FROM_OBJ "verilator_headers.h\"\n";
static const char *const k_own_headers[] = {HD_VERILATOR_HEADERS(HD_OWN_COPY)};
#define SHIM HD_VERILATOR_SHIM(HD_OWN_WORD_ABOVE)

/* Calls `tell` with each flag of Verilator. */
static int write_flags(const struct hd_verilator_job *job,
                       int (*tell)(void *context, const char *flag), void *context)
{
  int status = 0;
  size_t n, n_variant;
  const char *const *target = target_flags(job, &n), *const * variant;
  variant = variant_flags(job, &n_variant);
  for (size_t i = 0; !status && i < N_VERILATOR; i++)
    status = tell(context, k_verilator[i]);
  for (size_t i = 0; !status && i < n_variant; i++)
    status = tell(context, variant[i]);
  for (size_t i = 0; !status && i < n; i++)
    status = tell(context, target[i]);
  for (size_t i = 0; !status && is_in_blocks(job) && i < N_BLOCKS; i++)
    status = tell(context, k_blocks[i]);
  return status;
}

int hd_verilator_flags(const struct hd_verilator_job *job,
                       int (*tell)(void *context, const char *flag), void *context)
{
  int status = write_flags(job, tell, context);
  if (!status && job->options->no_dfg)
    status = tell(context, k_no_dfg);
  for (const char *const *flag = make_flags(job); !status && *flag; flag++)
    status = tell(context, *flag);
  return status ? status : tell(context, hd_verilated_rules);
}

static int run_step(const struct hd_verilator_job *job, const char *package,
                    const char *const *argv, struct hd_error *err)
{
  return hd_build_run(job->entry, job->options, package, argv, job->rtl_dir, err);
}

static int verilate(const struct hd_verilator_job *job, struct hd_error *err)
{
  const char *argv[N_VERILATOR + (int)N_COVERAGE + (int)N_SHARED + 3 * HD_SWITCH_PARAMS +
                   HD_MAX_DIRECTORIES + 20 + (int)N_SHIM + (int)N_BLOCKS];
  char rtl[HD_SWITCH_PARAMS][40], shim[HD_SWITCH_PARAMS][40], form[24], top[24];
  size_t n = N_VERILATOR, n_target, n_variant;
  const char *const *target = target_flags(job, &n_target), *const * variant;
  variant = variant_flags(job, &n_variant);
  memcpy(argv, k_verilator, n * sizeof *argv);
  memcpy(argv + n, variant, n_variant * sizeof *argv);
  n += n_variant;
  memcpy(argv + n, target, n_target * sizeof *argv);
  n += n_target;
  for (size_t i = 0; is_in_blocks(job) && i < N_BLOCKS; i++)
    argv[n++] = k_blocks[i];
  argv[n++] = "--top-module";
  argv[n++] = top_of(job);
  argv[n++] = "--prefix";
  argv[n++] = prefix_of(job);
  snprintf(form, sizeof form, "-DHD_FORM=%d", (int)job->form);
  if (job->options->no_dfg)
    argv[n++] = k_no_dfg;
  argv[n++] = "-CFLAGS";
  argv[n++] = form;
  for (size_t i = 0; i < job->n_parameters; i++) {
    snprintf(rtl[i], sizeof rtl[i], "-G%s", job->parameters[i]);
    snprintf(shim[i], sizeof shim[i], "-DHD_%s", job->parameters[i]);
    if (job->form != HD_VERILATOR_NETLIST)
      argv[n++] = rtl[i];
    argv[n++] = "-CFLAGS";
    argv[n++] = shim[i];
  }
  for (size_t i = 0; i < job->sources->n_include; i++)
    argv[n++] = job->sources->include[i]; /* modules are also searched there */
  argv[n++] = "-I" HD_OUTSIDE;
  argv[n++] = HD_VERILATOR_TRACE_LIST; /* applies to the files that follow it */
  snprintf(top, sizeof top, "%s.v", top_of(job));
  argv[n++] = top; /* in rtl/, the first of the directories above */
  /* Paths relative to obj/, where make runs. */
  for (const char *const *own = is_stress(job) ? k_stress_shim : k_shim; *own; own++)
    argv[n++] = *own;
  for (const char *const *own = k_systemc_shim; is_systemc(job) && *own; own++)
    argv[n++] = *own;
  argv[n] = NULL;
  return run_step(job, "verilator", argv, err);
}

/* Runs Verilator for plain C++, to get the widths of the ports, which the SystemC module does not
 * show. */
static int list_ports(const struct hd_verilator_job *job, struct hd_error *err)
{
  const char *argv[HD_SWITCH_PARAMS + 24] = {
      "verilator_bin", "--cc",  "--top-module", "hd_switch",  "--prefix",   "Vhd_switch",
      "--Mdir",        "ports", "-Wno-lint",    "-Wno-style", "-Wno-fatal", "--no-timing"};
  char rtl[HD_SWITCH_PARAMS][40];
  size_t n = 12;
  for (size_t i = 0; i < job->n_parameters; i++) {
    snprintf(rtl[i], sizeof rtl[i], "-G%s", job->parameters[i]);
    argv[n++] = rtl[i];
  }
  argv[n++] = "-y";
  argv[n++] = "rtl";
  argv[n++] = "-Irtl";
  argv[n++] = "rtl/hd_switch.v";
  argv[n] = NULL;
  return run_step(job, "verilator", argv, err);
}

static int check_ports(const struct hd_verilator_job *job, struct hd_error *err)
{
  char path[PATH_MAX + 32], *header = NULL;
  size_t length = 0;
  int status = is_systemc(job) ? list_ports(job, err) : HD_OK;
  snprintf(path, sizeof path, "%s/%s/Vhd_switch.h", job->entry->temporary,
           is_systemc(job) ? "ports" : "obj");
  if (!status)
    status = hd_file_read(path, &header, &length, err);
  if (!status)
    status = hd_switch_ports_verilated(job->params, header, job->rtl_dir, err);
  free(header);
  snprintf(path, sizeof path, "%s/ports", job->entry->temporary);
  return status || !is_systemc(job) ? status : hd_tree_remove(path, err);
}

static int write_line(void *context, const char *flag)
{
  hd_text_add(context, "flag %s\n", flag);
  return 0;
}

static int compile(const struct hd_verilator_job *job, struct hd_error *err)
{
  struct hd_text tools = {0};
  hd_text_add(&tools, "%s", job->tools);
  write_flags(job, write_line, &tools);
  const struct hd_verilated verilated = {
      .options = job->options,
      .entry = job->entry,
      .cache_dir = job->cache_dir,
      .tools = hd_text_chars(&tools),
      .rtl_dir = job->rtl_dir,
      .prefix = prefix_of(job),
      .shim = is_systemc(job)  ? SHIM HD_SYSTEMC_SHIM(HD_OWN_WORD_ABOVE)
              : is_stress(job) ? HD_STRESS_SHIM(HD_OWN_WORD_ABOVE)
                               : SHIM,
      .headers = k_headers,
      .own_headers = k_own_headers,
      .n_own_headers = sizeof k_own_headers / sizeof *k_own_headers,
      .sources = job->sources,
      .flags = make_flags(job),
      .libraries = "-lz $(filter -llz4,$(LDLIBS))", /* newer versions compress waves by lz4 */
      .product = is_systemc(job) ? HD_SYSTEMC_PROGRAM : HD_VERILATOR_PRODUCT};
  int status = hd_verilated_make(&verilated, err);
  hd_text_fini(&tools);
  return status;
}

/* ── SystemC alone: C files of the program, and of the shared object that starts it ── */

static int compile_server(const struct hd_verilator_job *job, struct hd_error *err)
{
  static const char *const argv[] = {
      "gcc", "-std=c11", "-D_GNU_SOURCE", "-O2",
      "-r",  "-o",       SERVER,          HD_SYSTEMC_SERVER(HD_OWN_COPY) NULL};
  return run_step(job, "gcc", argv, err);
}

/* Finds the version of the tool `label` in the lines of job->tools. */
static const char *version(const struct hd_verilator_job *job, const char *label, int *length)
{
  const char *line = job->tools;
  size_t n = strlen(label);
  while (strncmp(line, label, n) != 0 || line[n] != ' ')
    line = strchr(line, '\n') + 1; /* make_key has added it, so there is one */
  *length = (int)strcspn(line + n + 1, "\n");
  return line + n + 1;
}

static int compile_host(const struct hd_verilator_job *job, struct hd_error *err)
{
  static const char *const sources[] = {HD_SYSTEMC_HOST(HD_OWN_COPY) NULL};
  char about[200], waves[24];
  const char *const defines[] = {about, waves, NULL};
  int n_systemc, n_verilator;
  const char *systemc = version(job, "SystemC", &n_systemc);
  const char *verilator = version(job, "verilator", &n_verilator);
  snprintf(about, sizeof about, "-DHD_ABOUT=\"SystemC %.*s, %.*s\"", n_systemc, systemc,
           n_verilator, verilator);
  snprintf(waves, sizeof waves, "-DHD_WAVES=%d", !job->options->quick);
  return hd_host_compile(job->entry, job->options, job->rtl_dir, job->parameters, job->n_parameters,
                         defines, sources, err);
}

int hd_verilator_steps(const struct hd_verilator_job *job, bool *again, struct hd_error *err)
{
  char files[48];
  int status = is_systemc(job) ? compile_server(job, err) : 0;
  snprintf(files, sizeof files, "obj/%s__verFiles.dat", prefix_of(job));
  if (!status)
    status = hd_outside_link(job->outside, job->entry->temporary, err);
  if (!status)
    status = verilate(job, err);
  if (!status)
    status = hd_outside_check(job->outside, job->entry->temporary, files, HD_OUTSIDE_VERILATOR,
                              again, err);
  if (status || *again)
    return status;
  status = is_stress(job) ? HD_OK : check_ports(job, err);
  if (!status)
    status = compile(job, err);
  if (!status && is_systemc(job))
    status = compile_host(job, err);
  return status;
}
