/* The two steps of a Verilator build: RTL to C++, C++ to a shared object.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Verilator's runtime library is the same for all parameters and takes most of the time
 * to compile, so it has a cache entry of its own. Its headers are in it, too, as the compiler has read
 * them: a third of the processor time of a switch is spent on them otherwise. A compiler that cannot use
 * them reads them as text.
 */
#include "verilator_steps.h"

#include "../systemc/manifest.h"
#include "manifest.h"

#include "../rtl/host_build.h"
#include "../rtl/switch_ports.h"
#include "../../host/file.h"
#include "../../host/tool_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* verilator_bin is what the `verilator` script runs; it needs no Perl and dies by the signal
 * that it gets. Registers start with garbage (unique) that does not depend on anything but the
 * seed that the shim gives; measured cost of that: none.
 *
 * Verilator's optimisation of trees of AND, OR and XOR is off: 5.006 makes `v[0] & !v[1] & !w[1]` of
 * `v[0] & ~(v[1] & w[1])`, and releases before and after it get others wrong (its issues 3445, 3824, 4059, 4832,
 * 4857, 5186). Without it the 8x8 mesh takes 0.4 % more instructions. */
static const char *const k_verilator[] = {
    "verilator_bin", "--exe", "--top-module", "hd_switch", "--prefix", "Vhd_switch", "--Mdir",
    "obj", "-O3", "-fno-const-bit-op-tree", "--x-assign", "fast", "--x-initial", "unique",
    "--assert",
    /* A changed copy of the RTL may well have lint warnings; lint is another target's task. */
    "-Wno-lint", "-Wno-style", "-Wno-fatal", "-CFLAGS",
    "-std=gnu++17 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL"};
/* Snapshots are Verilator's (measured cost: none), which it cannot do where it counts: there the shim keeps
 * images of its own, of RTL that hd_images below lets through. */
static const char *const k_plain[] = {"--savable", "--trace-fst"};
static const char *const k_coverage[] = {"--coverage-line", "--coverage-toggle", "--flatten",
                                         "--trace-fst"};
/* As seen from obj/, where make runs. */
#define FROM_OBJ "../src/bridge/backends/verilator/"
#define INCLUDE_PRINT " -include " FROM_OBJ "verilator_print.h"
/* What it becomes: a shared object, or a program with a module of SystemC. */
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
/* For make. OPT_FAST has a default (-Os), which would come behind any -O of CFLAGS and win. With -O3
 * a switch takes a third longer to build and runs no faster. What is compiled: k_mk. */
#define HD_FAST_H "hd_fast.h"
#define HD_SLOW_H "hd_slow.h"
#define OPTIMISED                                                                       \
  "OPT_FAST=-O1 -march=native -include " HD_FAST_H, "OPT_SLOW=-O0 -include " HD_SLOW_H, \
      "OPT_GLOBAL=-O2" INCLUDE_PRINT
static const char *const k_make[] = {OPTIMISED, "VM_USER_CLASSES=hd_fast", "VK_OBJS=hd_slow.o",
                                     NULL};
static const char *const k_quick_make[] = {"OPT_FAST=-Og -include " HD_FAST_H,
                                           "OPT_GLOBAL=-Og" INCLUDE_PRINT, "VM_USER_CLASSES=hd_all",
                                           "VK_OBJS=", NULL};
/* Gates are megabytes of statements without a branch: as many files as Verilator wants. */
static const char *const k_gates_make[] = {OPTIMISED, "VM_PARALLEL_BUILDS=1", NULL};
enum {
  N_VERILATOR = sizeof k_verilator / sizeof *k_verilator,
  N_COVERAGE = sizeof k_coverage / sizeof *k_coverage,
  N_SHARED = sizeof k_shared / sizeof *k_shared,
  N_PROGRAM = sizeof k_program / sizeof *k_program,
};

#define SERVER "server.o"
static const char *const k_shim[] = {HD_VERILATOR_SHIM(HD_OWN_COPY_ABOVE) NULL};
static const char *const k_systemc_shim[] = {HD_SYSTEMC_SHIM(HD_OWN_COPY_ABOVE) "../" SERVER, NULL};

enum { N_SHIM = (sizeof k_shim + sizeof k_systemc_shim) / sizeof *k_shim };

static bool is_systemc(const struct hd_verilator_job *job)
{
  return job->form == HD_VERILATOR_SYSTEMC;
}

/* What differs with the options; a quick build has all but the last. */
static const char *const *variant_flags(const struct hd_verilator_job *job, size_t *n)
{
  bool coverage = job->options->coverage;
  *n = (coverage ? sizeof k_coverage : sizeof k_plain) / sizeof *k_plain - job->options->quick;
  return coverage ? k_coverage : k_plain;
}

static const char *const *make_flags(const struct hd_verilator_job *job)
{
  bool rtl = job->form == HD_VERILATOR_RTL || is_systemc(job);
  return job->options->quick ? k_quick_make : rtl ? k_make : k_gates_make;
}

/* Which of k_shared and k_program, and how long it is. */
static const char *const *target_flags(const struct hd_verilator_job *job, size_t *n)
{
  *n = is_systemc(job) ? (size_t)N_PROGRAM : (size_t)N_SHARED;
  return is_systemc(job) ? k_program : k_shared;
}

/* hd_runtime.a: whatever objects this version of Verilator says it needs. The rest, by itself, is
 * up to ten files with the same headers, which would take most of the time. Here it is two, what
 * runs in each cycle and what does not, or, where nothing is optimised, one. The shim is in it.
 * Modules save and restore their registers in files that Verilator calls slow, beside their
 * constructors; lockstep saves every few hundred cycles, so these are with what runs. */
#define SHIM HD_VERILATOR_SHIM(HD_OWN_WORD_ABOVE)
#define SYSTEMC_SHIM HD_SYSTEMC_SHIM(HD_OWN_WORD_ABOVE)
static const char k_mk[] =
    "include Vhd_switch.mk\n"
    "SHIM =" SHIM "\n"
    "ifeq ($(VM_SC),1)\n"
    "SHIM +=" SYSTEMC_SHIM "\n"
    "endif\n"
    "hd_runtime.a: $(VK_GLOBAL_OBJS)\n"
    "\tar rcs $@ $^\n" HD_FAST_H ".gch: HEADERS_FOR = $(OPT_FAST)\n" HD_SLOW_H
    ".gch: HEADERS_FOR = $(OPT_SLOW)\n"
    "%.h.gch: %.h\n"
    "\t$(CXX) $(CXXFLAGS) $(filter-out -DHD_%,$(CPPFLAGS)) $(HEADERS_FOR) -x c++-header -o $@ $<\n"
    "SAVE = $(foreach f,$(VM_SLOW),$(if $(filter %__Slow,$f),"
    "$(if $(findstring __DepSet_,$f)$(findstring __Trace__,$f),,$f)))\n"
    "hd_fast.cpp: $(SHIM) $(addsuffix .cpp,$(VM_FAST) $(SAVE))\n"
    "hd_slow.cpp: $(addsuffix .cpp,$(filter-out $(SAVE),$(VM_SLOW)))\n"
    "ifeq ($(VM_COVERAGE),1)\n"
    "hd_fast.cpp: | hd_images\n"
    "hd_images:\n"
    "\t@! grep -lE 'std::string|VlQueue|VlAssoc|VlClassRef' Vhd_switch_*.h"
    " && [ \"$$(sed -n '/MODULE INSTANCE/,/^$$/p' Vhd_switch__Syms.h | wc -l)\" ="
    " 3 ] || { echo 'strings, queues, classes of the RTL: it cannot be built with"
    " --coverage'; false; }\n"
    "endif\n"
    "hd_fast.cpp hd_slow.cpp:\n"
    "\t$(VERILATOR_INCLUDER) -DVL_INCLUDE_OPT=include $^ > $@\n"
    "hd_all.cpp: hd_fast.cpp hd_slow.cpp\n"
    "\t{ cat hd_fast.cpp; echo '#pragma GCC optimize(\"O0\")'; cat hd_slow.cpp; } > $@\n"
    "hd_slow.o: override OPT_FAST = $(OPT_SLOW)\n";
static const char k_mk_name[] = "hd_switch.mk";
static const char k_headers[] = "#include \"" FROM_OBJ "verilator_headers.h\"\n";
/* Of the runtime's entry: the library, and what a compiler makes of k_headers with either's flags; a quick
 * build has not the last. */
static const char *const k_runtime[] = {"hd_runtime.a", HD_FAST_H ".gch", HD_SLOW_H ".gch"};

int hd_verilator_flags(const struct hd_verilator_job *job,
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
  if (!status && job->options->no_dfg)
    status = tell(context, k_no_dfg);
  for (const char *const *flag = make_flags(job); !status && *flag; flag++)
    status = tell(context, *flag);
  return status ? status : tell(context, k_mk);
}

static struct hd_tool tool_in(const struct hd_verilator_job *job, const char *directory,
                              const char *log)
{
  return (struct hd_tool){.directory = directory,
                          .log_path = log,
                          .stop = job->options->stop,
                          .context = job->options->context};
}

static int run_step(const struct hd_verilator_job *job, const char *const *argv,
                    const char *directory, const char *package, const char *log,
                    struct hd_error *err)
{
  struct hd_tool tool = tool_in(job, directory, log);
  tool.argv = argv;
  tool.package = package;
  return hd_tool_must(&tool, job->rtl_dir, err);
}

static int verilate(const struct hd_verilator_job *job, struct hd_error *err)
{
  const char *argv[N_VERILATOR + (int)N_COVERAGE + (int)N_SHARED + 3 * HD_SWITCH_PARAMS +
                   HD_MAX_DIRECTORIES + 16 + (int)N_SHIM];
  char rtl[HD_SWITCH_PARAMS][40], shim[HD_SWITCH_PARAMS][40], form[24];
  size_t n = N_VERILATOR, n_target, n_variant;
  const char *const *target = target_flags(job, &n_target), *const * variant;
  variant = variant_flags(job, &n_variant);
  memcpy(argv, k_verilator, n * sizeof *argv);
  memcpy(argv + n, variant, n_variant * sizeof *argv);
  n += n_variant;
  memcpy(argv + n, target, n_target * sizeof *argv);
  n += n_target;
  snprintf(form, sizeof form, "-DHD_FORM=%d", (int)job->form);
  if (job->options->no_dfg)
    argv[n++] = k_no_dfg;
  argv[n++] = "-CFLAGS";
  argv[n++] = form;
  for (size_t i = 0; i < job->n_parameters; i++) {
    snprintf(rtl[i], sizeof rtl[i], "-G%s", job->parameters[i]);
    snprintf(shim[i], sizeof shim[i], "-DHD_%s", job->parameters[i]);
    if (job->form == HD_VERILATOR_RTL || is_systemc(job))
      argv[n++] = rtl[i];
    argv[n++] = "-CFLAGS";
    argv[n++] = shim[i];
  }
  for (size_t i = 0; i < job->sources->n_include; i++)
    argv[n++] = job->sources->include[i]; /* where it looks for modules, too */
  argv[n++] = "-I" HD_OUTSIDE;
  argv[n++] = HD_VERILATOR_TRACE_LIST; /* counts for files that are read behind it */
  argv[n++] = "hd_switch.v";           /* in rtl/, the first of the directories above */
  /* As seen from obj/, where make runs. */
  for (const char *const *own = k_shim; *own; own++)
    argv[n++] = *own;
  for (const char *const *own = k_systemc_shim; is_systemc(job) && *own; own++)
    argv[n++] = *own;
  argv[n] = NULL;
  return run_step(job, argv, job->entry->temporary, "verilator", job->entry->log, err);
}

/* A module of SystemC does not show how wide its ports are: as C++ it does. */
static int list_ports(const struct hd_verilator_job *job, struct hd_error *err)
{
  const char *argv[HD_SWITCH_PARAMS + 24] = {
      "verilator_bin", "--cc",  "--top-module", "hd_switch",  "--prefix",  "Vhd_switch",
      "--Mdir",        "ports", "-Wno-lint",    "-Wno-style", "-Wno-fatal"};
  char rtl[HD_SWITCH_PARAMS][40];
  size_t n = 11;
  for (size_t i = 0; i < job->n_parameters; i++) {
    snprintf(rtl[i], sizeof rtl[i], "-G%s", job->parameters[i]);
    argv[n++] = rtl[i];
  }
  argv[n++] = "-y";
  argv[n++] = "rtl";
  argv[n++] = "-Irtl";
  argv[n++] = "rtl/hd_switch.v";
  argv[n] = NULL;
  return run_step(job, argv, job->entry->temporary, "verilator", job->entry->log, err);
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

static int make(const struct hd_verilator_job *job, const char *directory, const char *log,
                const char *const *arguments, struct hd_error *err)
{
  const char *argv[24] = {"make"};
  char jobs[16];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t n = 1;
  snprintf(jobs, sizeof jobs, "-j%ld", processors < 1 ? 1 : processors > 4 ? 4 : processors);
  argv[n++] = jobs;
  argv[n++] = HD_MAKE_ANYWHERE;
  for (const char *const *flag = make_flags(job); *flag; flag++)
    argv[n++] = *flag;
  while (*arguments)
    argv[n++] = *arguments++;
  argv[n] = NULL;
  return run_step(job, argv, directory, "make", log, err);
}

static int move(const char *from_dir, const char *to_dir, const char *name, struct hd_error *err)
{
  char from[2 * PATH_MAX], to[2 * PATH_MAX];
  snprintf(from, sizeof from, "%s/%s", from_dir, name);
  snprintf(to, sizeof to, "%s/%s", to_dir, name);
  if (rename(from, to))
    return hd_fail(err, HD_E_IO, "cannot rename %.500s: %s", from, strerror(errno));
  return 0;
}

static int write_text(const char *directory, const char *name, const char *text,
                      struct hd_error *err)
{
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return hd_file_write(path, text, strlen(text), err);
}

/* What Verilator makes of the RTL, and how that is compiled, is nothing to its runtime. */
static bool is_of_runtime(const char *flag)
{
  static const char *const others[] = {"VM_USER_CLASSES=", "VK_OBJS=", "VM_PARALLEL_BUILDS="};
  bool is = strcmp(flag, k_no_dfg) != 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    is = is && strncmp(flag, others[i], strlen(others[i])) != 0;
  return is;
}

static int tell_key(void *context, const char *flag)
{
  char **end = context;
  if (is_of_runtime(flag))
    *end += sprintf(*end, "flag %s\n", flag);
  return 0;
}

/* Our own headers in it, by what they say. */
static char *tell_headers(const struct hd_verilator_job *job, char *end)
{
  static const char *const names[] = {HD_VERILATOR_HEADERS(HD_OWN_COPY)};
  for (size_t i = 0; i < job->sources->n; i++) {
    const struct hd_dut_source *source = &job->sources->list[i];
    for (size_t j = 0; j < sizeof names / sizeof *names; j++)
      if (!strcmp(source->name, names[j]))
        end +=
            sprintf(end, "header %016llx %s\n",
                    (unsigned long long)hd_hash_bytes(source->bytes, source->length, 1), names[j]);
  }
  return end;
}

static int build_runtime(const struct hd_verilator_job *job, const char *directory,
                         struct hd_cache_entry *entry, struct hd_error *err)
{
  const char *arguments[] = {
      "-f", k_mk_name, k_runtime[0], k_runtime[1], job->options->quick ? NULL : k_runtime[2], NULL};
  int status = make(job, directory, entry->log, arguments, err);
  for (size_t i = 2; !status && arguments[i]; i++)
    status = move(directory, entry->temporary, arguments[i], err);
  return status ? hd_cache_abandon(entry, status, err) : hd_cache_publish(entry, err);
}

/* Puts the runtime library into obj/, and what is compiled of its headers: by links, and where there can be
 * none the compiler reads them as text. */
static int runtime(const struct hd_verilator_job *job, const char *directory, struct hd_error *err)
{
  struct hd_cache_entry entry;
  char path[2 * PATH_MAX], from[2 * PATH_MAX], *bytes = NULL;
  size_t length = 0;
  char *key = malloc(strlen(job->tools) + 4096); /* the flags of this file take under 3 KiB */
  if (!key)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the cache key");
  char *end = key + sprintf(key, "Verilator's runtime library\n%s", job->tools);
  hd_verilator_flags(job, tell_key, &end);
  tell_headers(job, end);
  int status = hd_cache_open(&entry, job->cache_dir, key, k_runtime[0], job->options->stop,
                             job->options->context, err);
  if (!status && !entry.hit)
    status = build_runtime(job, directory, &entry, err);
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", entry.directory, k_runtime[0]);
    status = hd_file_read(path, &bytes, &length, err);
  }
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", directory, k_runtime[0]);
    status = hd_file_write(path, bytes, length, err);
  }
  for (size_t i = 1; !status && i < sizeof k_runtime / sizeof *k_runtime; i++) {
    snprintf(from, sizeof from, "%s/%s", entry.directory, k_runtime[i]);
    snprintf(path, sizeof path, "%s/%s", directory, k_runtime[i]);
    (void)!link(from, path);
  }
  free(bytes);
  free(key);
  return status;
}

/* ── what only SystemC has: C files on both sides of its process ───────────────── */

static int compile_server(const struct hd_verilator_job *job, struct hd_error *err)
{
  static const char *const argv[] = {
      "gcc", "-std=c11", "-D_GNU_SOURCE", "-O2",
      "-r",  "-o",       SERVER,          HD_SYSTEMC_SERVER(HD_OWN_COPY) NULL};
  return run_step(job, argv, job->entry->temporary, "gcc", job->entry->log, err);
}

/* Text behind the label at the beginning of one of the lines of versions. */
static const char *version(const struct hd_verilator_job *job, const char *label, int *length)
{
  const char *line = job->tools;
  size_t n = strlen(label);
  while (strncmp(line, label, n) != 0 || line[n] != ' ')
    line = strchr(line, '\n') + 1; /* make_key has put it there */
  *length = (int)strcspn(line + n + 1, "\n");
  return line + n + 1;
}

static int compile_host(const struct hd_verilator_job *job, struct hd_error *err)
{
  static const char *const sources[] = {HD_SYSTEMC_HOST(HD_OWN_COPY) NULL};
  char about[200], waves[24];
  const char *const defines[] = {about, waves, NULL};
  const struct hd_tool where = tool_in(job, job->entry->temporary, job->entry->log);
  int n_systemc, n_verilator;
  const char *systemc = version(job, "SystemC", &n_systemc);
  const char *verilator = version(job, "verilator", &n_verilator);
  snprintf(about, sizeof about, "-DHD_ABOUT=\"SystemC %.*s, %.*s\"", n_systemc, systemc,
           n_verilator, verilator);
  snprintf(waves, sizeof waves, "-DHD_WAVES=%d", !job->options->quick);
  return hd_host_compile(&where, job->rtl_dir, job->parameters, job->n_parameters, defines, sources,
                         err);
}

int hd_verilator_steps(const struct hd_verilator_job *job, bool *again, struct hd_error *err)
{
  const char *product = is_systemc(job) ? HD_SYSTEMC_PROGRAM : HD_VERILATOR_PRODUCT;
  /* The runtime's objects are replaced by the library. */
  const char *const arguments[] = {
      "-f",    k_mk_name, "VM_GLOBAL_FAST=", "VM_GLOBAL_SLOW=", "LIBS=hd_runtime.a -lz",
      product, NULL};
  char directory[PATH_MAX + 8];
  snprintf(directory, sizeof directory, "%s/obj", job->entry->temporary);
  int status = is_systemc(job) ? compile_server(job, err) : 0;
  if (!status)
    status = hd_outside_link(job->outside, job->entry->temporary, err);
  if (!status)
    status = verilate(job, err);
  if (!status)
    status = hd_outside_check(job->outside, job->entry->temporary, "obj/Vhd_switch__verFiles.dat",
                              HD_OUTSIDE_VERILATOR, again, err);
  if (status || *again)
    return status;
  status = check_ports(job, err);
  status = status ? status : write_text(directory, k_mk_name, k_mk, err);
  status = status ? status : write_text(directory, HD_FAST_H, k_headers, err);
  status = status ? status : write_text(directory, HD_SLOW_H, k_headers, err);
  if (!status)
    status = runtime(job, directory, err);
  if (!status)
    status = make(job, directory, job->entry->log, arguments, err);
  if (!status)
    status = move(directory, job->entry->temporary, product, err);
  if (!status && is_systemc(job))
    status = compile_host(job, err);
  return status ? status : hd_tree_remove(directory, err);
}
