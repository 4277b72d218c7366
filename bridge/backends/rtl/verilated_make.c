/* Compiles C++ that Verilator has written, with Verilator's runtime library from the cache.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The runtime library is the same for all parameters, and its compilation takes most of the time.
 * So it has a cache entry of its own. The entry also has precompiled headers: to read them as text
 * takes a third of the processor time of a switch's build. A compiler that cannot use them reads
 * the text.
 */
#include "verilated_make.h"

#include "build.h"

#include "../../host/file.h"
#include "../../host/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FAST_H "hd_fast.h"
#define SLOW_H "hd_slow.h"

/* Rules for make. hd_runtime.a has the objects that this version of Verilator needs. Verilator
 * writes up to ten other files. Compiled one by one, they would take most of the time for their
 * common headers. So the rules join them: hd_fast.cpp has the shim and the code that runs in each
 * cycle, hd_slow.cpp the rest. Builds that are not optimised have only one file. Verilator calls
 * the files that save and restore registers (SAVE) slow. They go to hd_fast.cpp, because lockstep
 * saves every few hundred cycles. */
const char hd_verilated_rules[] =
    "hd_runtime.a: $(VK_GLOBAL_OBJS)\n"
    "\tar rcs $@ $^\n" FAST_H ".gch: HEADERS_FOR = $(OPT_FAST)\n" SLOW_H
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
    "\t@! grep -lE 'std::string|VlQueue|VlAssoc|VlClassRef' $(VM_PREFIX)_*.h"
    " && [ \"$$(sed -n '/MODULE INSTANCE/,/^$$/p' $(VM_PREFIX)__Syms.h | wc -l)\" ="
    " 3 ] || { echo 'strings, queues, classes of the RTL: it cannot be built with"
    " --coverage'; false; }\n"
    "endif\n"
    "hd_fast.cpp hd_slow.cpp:\n"
    "\t$(VERILATOR_INCLUDER) -DVL_INCLUDE_OPT=include $^ > $@\n"
    "hd_all.cpp: hd_fast.cpp hd_slow.cpp\n"
    "\t{ cat hd_fast.cpp; echo '#pragma GCC optimize(\"O0\")'; cat hd_slow.cpp; } > $@\n"
    "hd_slow.o: override OPT_FAST = $(OPT_SLOW)\n";
static const char k_makefile[] = "hd_verilated.mk";
/* Files of the runtime's cache entry: the library, and the headers, precompiled with each set of
 * flags. */
static const char *const k_runtime[] = {"hd_runtime.a", FAST_H ".gch", SLOW_H ".gch"};

enum { N_RUNTIME = sizeof k_runtime / sizeof *k_runtime, N_FLAGS = 16 };

static bool starts_with(const char *text, const char *start)
{
  return !strncmp(text, start, strlen(start));
}

/* Tests whether the runtime library depends on a flag of make. It does not depend on the files of
 * the RTL. */
static bool is_of_runtime(const char *flag)
{
  static const char *const others[] = {"VM_USER_CLASSES=", "VK_OBJS=", "VM_PARALLEL_BUILDS="};
  bool is = true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    is = is && !starts_with(flag, others[i]);
  return is;
}

/* ── progress of a build in many files ─────────────────────────────────────────── */

struct compiling {
  const struct hd_backend_options *options;
  const char *directory, *prefix;
  unsigned files, done; /* number of files; number of compiled ones at the last report */
  time_t reported;
};

/* Counts the files that Verilator has written (.cpp), or those that are compiled (.o). */
static unsigned count_files(const struct compiling *c, const char *ending)
{
  unsigned n = 0;
  DIR *d = opendir(c->directory);
  for (struct dirent *e; d && (e = readdir(d));) {
    const char *dot = strrchr(e->d_name, '.');
    n += dot && !strcmp(dot, ending) && starts_with(e->d_name, c->prefix);
  }
  if (d)
    closedir(d);
  return n;
}

/* Called many times a second. Reports every ten seconds how many files are compiled, if their
 * number has changed. */
static bool report_compiled(void *context)
{
  enum { REPORT_SECONDS = 10 };
  struct compiling *c = context;
  const time_t now = time(NULL);
  if (now >= c->reported + REPORT_SECONDS) {
    const unsigned done = count_files(c, ".o");
    char line[64];
    snprintf(line, sizeof line, "compiled %u of %u files", done, c->files);
    if (done != c->done)
      c->options->say(c->options->context, line);
    c->done = done;
    c->reported = now;
  }
  return c->options->stop && c->options->stop(c->options->context);
}

static bool has_many_files(const struct hd_verilated *v)
{
  for (const char *const *flag = v->flags; *flag; flag++)
    if (!strcmp(*flag, HD_VERILATED_MANY_FILES))
      return v->options->say != NULL;
  return false;
}

static int run_make(const struct hd_verilated *v, const char *directory,
                    const struct hd_cache_entry *entry, const char *const *arguments,
                    struct hd_error *err)
{
  const char *argv[N_FLAGS + 16] = {"make"};
  char jobs[16];
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t n = 1;
  snprintf(jobs, sizeof jobs, "-j%ld", processors < 1 ? 1 : processors > 4 ? 4 : processors);
  argv[n++] = jobs;
  argv[n++] = HD_MAKE_ANYWHERE;
  argv[n++] = "-f";
  argv[n++] = k_makefile;
  for (const char *const *flag = v->flags; *flag; flag++)
    argv[n++] = *flag;
  while (*arguments)
    argv[n++] = *arguments++;
  argv[n] = NULL;
  struct hd_tool tool = hd_build_tool(entry, v->options, "make", argv);
  tool.directory = directory;
  struct compiling compiling = {
      .options = v->options, .directory = directory, .prefix = v->prefix, .reported = time(NULL)};
  if (has_many_files(v)) {
    compiling.files = count_files(&compiling, ".cpp");
    tool.stop = report_compiled;
    tool.context = &compiling;
  }
  return hd_tool_must(&tool, v->rtl_dir, err);
}

static int move_file(const char *from_dir, const char *to_dir, const char *name,
                     struct hd_error *err)
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

static int write_makefile(const struct hd_verilated *v, const char *directory, struct hd_error *err)
{
  struct hd_text text = {0};
  hd_text_add(&text, "include %s.mk\nSHIM = %s\n%s", v->prefix, v->shim, hd_verilated_rules);
  int status = write_text(directory, k_makefile, hd_text_chars(&text), err);
  hd_text_fini(&text);
  return status;
}

/* ── runtime library ───────────────────────────────────────────────────────────── */

/* Writes the library's cache key: tools, flags, rules, headers. Heddle's own headers count by their
 * text. */
static void add_key_lines(const struct hd_verilated *v, struct hd_text *key)
{
  hd_text_add(key, "Verilator's runtime library\n%s", v->tools);
  for (const char *const *flag = v->flags; *flag; flag++)
    if (is_of_runtime(*flag))
      hd_text_add(key, "flag %s\n", *flag);
  hd_text_add(key, "flag %sheaders %s", hd_verilated_rules, v->headers);
  for (size_t i = 0; i < v->sources->n; i++) {
    const struct hd_dut_source *source = &v->sources->list[i];
    for (size_t j = 0; j < v->n_own_headers; j++)
      if (!strcmp(source->name, v->own_headers[j]))
        hd_text_add(key, "header %016llx %s\n",
                    (unsigned long long)hd_hash_bytes(source->bytes, source->length, 1),
                    source->name);
  }
}

static int build_runtime(const struct hd_verilated *v, const char *directory,
                         struct hd_cache_entry *entry, struct hd_error *err)
{
  const char *goals[N_RUNTIME + 1] = {k_runtime[0], k_runtime[1]};
  for (const char *const *flag = v->flags; *flag; flag++)
    if (starts_with(*flag, "OPT_SLOW="))
      goals[2] = k_runtime[2];
  int status = run_make(v, directory, entry, goals, err);
  for (size_t i = 0; !status && goals[i]; i++)
    status = move_file(directory, entry->temporary, goals[i], err);
  return status ? hd_cache_abandon(entry, status, err) : hd_cache_publish(entry, err);
}

/* Copies the runtime library to obj/, and links its precompiled headers there. If they cannot be
 * linked, the compiler reads the headers' text. */
static int add_runtime(const struct hd_verilated *v, const char *directory, struct hd_error *err)
{
  struct hd_cache_entry entry;
  char path[2 * PATH_MAX], from[2 * PATH_MAX], *bytes = NULL;
  size_t length = 0;
  struct hd_text key = {0};
  add_key_lines(v, &key);
  int status = hd_cache_open(&entry, v->cache_dir, hd_text_chars(&key), k_runtime[0],
                             v->options->stop, v->options->context, err);
  if (!status && !entry.hit)
    status = build_runtime(v, directory, &entry, err);
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", entry.directory, k_runtime[0]);
    status = hd_file_read(path, &bytes, &length, err);
  }
  if (!status) {
    snprintf(path, sizeof path, "%s/%s", directory, k_runtime[0]);
    status = hd_file_write(path, bytes, length, err);
  }
  for (size_t i = 1; !status && i < N_RUNTIME; i++) {
    snprintf(from, sizeof from, "%s/%s", entry.directory, k_runtime[i]);
    snprintf(path, sizeof path, "%s/%s", directory, k_runtime[i]);
    (void)!link(from, path);
  }
  free(bytes);
  hd_text_fini(&key);
  return status;
}

int hd_verilated_make(const struct hd_verilated *v, struct hd_error *err)
{
  char directory[PATH_MAX + 8], libraries[64];
  /* The library replaces the objects of Verilator's runtime. */
  const char *const goals[] = {"VM_GLOBAL_FAST=", "VM_GLOBAL_SLOW=", libraries, v->product, NULL};
  snprintf(libraries, sizeof libraries, "LIBS=hd_runtime.a %s", v->libraries);
  snprintf(directory, sizeof directory, "%s/obj", v->entry->temporary);
  int status = write_makefile(v, directory, err);
  status = status ? status : write_text(directory, FAST_H, v->headers, err);
  status = status ? status : write_text(directory, SLOW_H, v->headers, err);
  if (!status)
    status = add_runtime(v, directory, err);
  if (!status)
    status = run_make(v, directory, v->entry, goals, err);
  if (!status)
    status = move_file(directory, v->entry->temporary, v->product, err);
  return status ? status : hd_tree_remove(directory, err);
}
