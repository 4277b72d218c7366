/* Builds the Verilator backend of a parameter set, on demand.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cache key is a text that names everything the shared object depends on: tool
 * versions, processor (-march=native), flags, parameters, and the contents of every
 * source. What is compiled are copies of exactly the bytes that were hashed, in the
 * build's own directory, so neither an editor at work nor a space in a path matters.
 */
#include "verilator_build.h"

#include "install_root.h"
#include "tool_run.h"
#include "verilator_steps.h"
#include "verilator_trace.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SOURCES = 256 };

/* Our own sources that go into the shared object, relative to the install root. */
static const char *const k_shim[] = {
    "bridge/shim/verilator.cpp",
    "bridge/dut.h",
    "cmodel/error.h",
    "cmodel/port_event.h",
    "cmodel/switch.h",
    "bridge/shim/pins.h",
    "bridge/shim/verilator_switch.h",
    "bridge/shim/verilator_window.h",
};

struct source {
  char name[300]; /* in the build directory */
  char *bytes;
  size_t length;
};

struct build {
  struct hd_verilator_job job;
  struct source *sources; /* [MAX_SOURCES] */
  size_t n_sources;
  char *key, *tools;
  size_t key_length, key_capacity;
  struct hd_cache_entry entry;
};

static void say(const struct build *build, const char *line)
{
  if (build->job.options->say)
    build->job.options->say(build->job.options->context, line);
}

static int add_source(struct build *build, const char *path, const char *name, struct hd_error *err)
{
  if (build->n_sources == MAX_SOURCES)
    return hd_fail(err, HD_E_INPUT, "%s: more than %d source files", build->job.rtl_dir,
                   MAX_SOURCES);
  struct source *s = &build->sources[build->n_sources];
  int status = hd_file_read(path, &s->bytes, &s->length, err);
  if (status)
    return status;
  snprintf(s->name, sizeof s->name, "%s", name);
  build->n_sources++;
  return 0;
}

static int is_verilog(const struct dirent *entry)
{
  static const char *const endings[] = {".v", ".vh", ".sv", ".svh"};
  const char *dot = strrchr(entry->d_name, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (!strcmp(dot, endings[i]))
      return 1;
  return 0;
}

static int read_sources(struct build *build, const char *root, struct hd_error *err)
{
  char path[2 * PATH_MAX], name[300];
  struct dirent **found = NULL;
  int status = 0, n = scandir(build->job.rtl_dir, &found, is_verilog, alphasort);
  if (n < 0)
    return hd_fail(err, HD_E_INPUT, "cannot read the RTL directory %s: %s", build->job.rtl_dir,
                   strerror(errno));
  bool has_top = false;
  for (int i = 0; i < n; i++) {
    has_top |= !strcmp(found[i]->d_name, "hd_switch.v");
    snprintf(path, sizeof path, "%s/%s", build->job.rtl_dir, found[i]->d_name);
    snprintf(name, sizeof name, "rtl/%s", found[i]->d_name);
    if (!status)
      status = add_source(build, path, name, err);
    free(found[i]);
  }
  free(found);
  if (!status && !has_top)
    status = hd_fail(err, HD_E_INPUT, "%s holds no hd_switch.v", build->job.rtl_dir);
  for (size_t i = 0; !status && i < sizeof k_shim / sizeof *k_shim; i++) {
    snprintf(path, sizeof path, "%s/%s", root, k_shim[i]);
    snprintf(name, sizeof name, "src/%s", k_shim[i]);
    status = add_source(build, path, name, err);
  }
  return status;
}

/* trace.vlt, made from the RTL; a source like the others. */
static int add_trace_list(struct build *build, struct hd_error *err)
{
  static const char top[] = "rtl/hd_switch.v";
  struct source *list = &build->sources[build->n_sources];
  FILE *out = build->n_sources < MAX_SOURCES ? open_memstream(&list->bytes, &list->length) : NULL;
  if (!out)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the list of traced signals");
  fputs("`verilator_config\n", out);
  for (size_t i = 0; i < build->n_sources; i++) {
    const struct source *s = &build->sources[i];
    if (strncmp(s->name, "rtl/", 4) != 0)
      continue;
    unsigned number = 1;
    for (const char *line = s->bytes, *end = s->bytes + s->length; line < end; number++) {
      const char *newline = memchr(line, '\n', (size_t)(end - line));
      size_t length = (size_t)((newline ? newline : end) - line);
      if (hd_trace_line_is_off(line, length, !strcmp(s->name, top)))
        fprintf(out, "tracing_off -file \"%s\" -lines %u-%u\n", s->name, number, number);
      line += length + 1;
    }
  }
  bool ok = !ferror(out);
  ok &= fclose(out) == 0;
  snprintf(list->name, sizeof list->name, "trace.vlt");
  build->n_sources++; /* owned from here on, complete or not */
  return ok ? 0 : hd_fail(err, HD_E_NOMEM, "out of memory for the list of traced signals");
}

static void put_parameters(struct build *build, const struct hd_switch_params *p)
{
  const struct {
    const char *name;
    uint32_t value;
  } list[HD_VERILATOR_PARAMETERS] = {
      {"PORTS", p->ports},           {"VCS", p->vcs},
      {"DATA_W", p->data_bits},      {"DEPTH", p->depth_flits},
      {"NODES", p->nodes},           {"ROUTE_CYCLES", p->route_cycles},
      {"ARB_CYCLES", p->arb_cycles}, {"BUFFER_CYCLES", p->buffer_cycles},
      {"CUT_FLITS", p->cut_flits},   {"SOURCE_TABLE", p->source_table},
      {"BARRIER", p->barrier},       {"GROUPS", p->groups},
      {"SWITCHES", p->switches},
  };
  /* RTL without barrier messages needs no such parameters. */
  build->job.n_parameters = p->barrier ? HD_VERILATOR_PARAMETERS : HD_VERILATOR_PARAMETERS - 3;
  for (size_t i = 0; i < build->job.n_parameters; i++)
    snprintf(build->job.parameters[i], sizeof build->job.parameters[i], "%s=%u", list[i].name,
             list[i].value);
}

/* ── the key ────────────────────────────────────────────────────────────────── */

static int add_line(struct build *build, const char *label, const char *text, struct hd_error *err)
{
  size_t need = build->key_length + strlen(label) + strlen(text) + 3;
  if (need > build->key_capacity) {
    char *grown = realloc(build->key, need * 2);
    if (!grown)
      return hd_fail(err, HD_E_NOMEM, "out of memory for the cache key");
    build->key = grown;
    build->key_capacity = need * 2;
  }
  build->key_length += (size_t)sprintf(build->key + build->key_length, "%s %s\n", label, text);
  return 0;
}

/* Processor model and features: -march=native code must not be found by another machine that
 * shares the cache directory. */
static void processor(char *text, size_t size)
{
  FILE *file = fopen("/proc/cpuinfo", "r");
  char *line = NULL;
  size_t room = 0;
  uint64_t features = 0;
  snprintf(text, size, "unknown");
  for (ssize_t n; file && (n = getline(&line, &room, file)) > 1;) { /* the first processor's */
    char *colon = strchr(line, ':');
    line[n - 1] = '\0';
    if (colon && colon[1] && !strncmp(line, "model name", 10))
      snprintf(text, size, "%.100s", colon + 2);
    if (!strncmp(line, "flags", 5) || !strncmp(line, "Features", 8))
      features = hd_hash_bytes(line, strlen(line), 4);
  }
  free(line);
  if (file)
    fclose(file);
  size_t used = strlen(text);
  snprintf(text + used, size - used, " %016llx", (unsigned long long)features);
}

static int add_flag(void *build, const char *flag)
{
  return add_line(build, "flag", flag, NULL);
}

static int make_key(struct build *build, struct hd_error *err)
{
  static const char *const ask_verilator[] = {"verilator_bin", "--version", NULL};
  static const char *const ask_compiler[] = {"g++", "--version", NULL};
  char text[512];
  int status = hd_tool_first_line(ask_verilator, "verilator", text, sizeof text, err);
  if (!status)
    status = add_line(build, "verilator", text, err);
  if (!status && !(status = hd_tool_first_line(ask_compiler, "g++", text, sizeof text, err)))
    status = add_line(build, "compiler", text, err);
  processor(text, sizeof text);
  if (!status)
    status = add_line(build, "processor", text, err);
  build->tools = status ? NULL : strdup(build->key);
  build->job.tools = build->tools;
  if (!status && (!build->tools || hd_verilator_flags(build->job.options->quick, add_flag, build)))
    status = hd_fail(err, HD_E_NOMEM, "out of memory for the cache key");
  for (size_t i = 0; !status && i < build->job.n_parameters; i++)
    status = add_line(build, "parameter", build->job.parameters[i], err);
  for (size_t i = 0; !status && i < build->n_sources; i++) {
    const struct source *s = &build->sources[i];
    snprintf(text, sizeof text, "%016llx %zu %s",
             (unsigned long long)hd_hash_bytes(s->bytes, s->length, 0), s->length, s->name);
    status = add_line(build, "source", text, err);
  }
  return status;
}

/* ── the build ──────────────────────────────────────────────────────────────── */

static int write_sources(const struct build *build, struct hd_error *err)
{
  static const char *const directories[] = {"rtl", "src", "src/bridge", "src/bridge/shim",
                                            "src/cmodel"};
  char path[2 * PATH_MAX];
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
    snprintf(path, sizeof path, "%s/%s", build->entry.temporary, directories[i]);
    if (mkdir(path, 0777))
      return hd_fail(err, HD_E_IO, "cannot make directory %.500s: %s", path, strerror(errno));
  }
  for (size_t i = 0; i < build->n_sources; i++) {
    const struct source *s = &build->sources[i];
    snprintf(path, sizeof path, "%s/%s", build->entry.temporary, s->name);
    int status = hd_file_write(path, s->bytes, s->length, err);
    if (status)
      return status;
  }
  return 0;
}

static int build_entry(struct build *build, struct hd_error *err)
{
  char line[512];
  if (build->entry.repaired)
    say(build, "a damaged cache entry was removed");
  size_t used = (size_t)snprintf(line, sizeof line, "building the Verilator backend:");
  for (size_t i = 0; i < build->job.n_parameters; i++)
    used += (size_t)snprintf(line + used, sizeof line - used, " %s", build->job.parameters[i]);
  say(build, line);
  int status = write_sources(build, err);
  if (!status)
    status = hd_verilator_steps(&build->job, err);
  if (status) {
    hd_cache_abandon(&build->entry);
    return status;
  }
  return hd_cache_publish(&build->entry, err);
}

int hd_verilator_build(const struct hd_switch_params *params,
                       const struct hd_backend_options *options, char *path, size_t size,
                       struct hd_error *err)
{
  char root[PATH_MAX], default_rtl[PATH_MAX + 8], default_cache[PATH_MAX + 16];
  struct build build = {.job = {.options = options}};
  build.job.entry = &build.entry;
  int status = hd_install_root(root, sizeof root, err);
  if (status)
    return status;
  snprintf(default_rtl, sizeof default_rtl, "%s/rtl", root);
  snprintf(default_cache, sizeof default_cache, "%s/build/dut", root);
  build.job.cache_dir = options->cache_dir ? options->cache_dir : default_cache;
  build.job.rtl_dir = options->rtl_dir ? options->rtl_dir : default_rtl;
  build.sources = calloc(MAX_SOURCES, sizeof *build.sources);
  if (!build.sources)
    return hd_fail(err, HD_E_NOMEM, "out of memory before building");
  put_parameters(&build, params);
  status = read_sources(&build, root, err);
  if (!status)
    status = add_trace_list(&build, err);
  if (!status)
    status = make_key(&build, err);
  if (!status)
    status = hd_cache_open(&build.entry, build.job.cache_dir, build.key, HD_VERILATOR_PRODUCT,
                           options->stop, options->context, err);
  if (!status && !build.entry.hit)
    status = build_entry(&build, err);
  if (!status &&
      (size_t)snprintf(path, size, "%s/%s", build.entry.directory, HD_VERILATOR_PRODUCT) >= size)
    status = hd_fail(err, HD_E_IO, "path too long: %.200s", build.entry.directory);
  for (size_t i = 0; i < build.n_sources; i++)
    free(build.sources[i].bytes);
  free(build.sources);
  free(build.key);
  free(build.tools);
  return status;
}
