/* Registry of backends: finds a backend by name, opens it and checks its operations.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backends.h"

#include "../host/install_root.h"
#include "../host/own_symbols.h"
#include "../host/suggest.h"
#include "rtl/dut_options.h"
#include "rtl/dut_sources.h"

#include <inttypes.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define KIND(name) &hd_backend_kind_##name,
const struct hd_backend_kind *const hd_backend_kinds[] = {HD_BACKEND_LIST(KIND) NULL};

const struct hd_backend_kind *hd_backend_kind(const char *dut)
{
  size_t n = strcspn(dut, ":");
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
    if (strlen((*k)->name) == n && !memcmp((*k)->name, dut, n))
      return *k;
  return NULL;
}

bool hd_backend_option(const struct hd_backend_kind *kind, size_t i,
                       struct hd_backend_option *option)
{
  for (const struct hd_backend_option *own = kind->options; own && own->name; own++, i--)
    if (!i) {
      *option = *own;
      return true;
    }
  for (unsigned at = 0; at < HD_DUT_OPTIONS; at++)
    if (kind->simulator_options & 1u << at && !i--) {
      *option = (struct hd_backend_option){hd_option_name(at), hd_option_help(at)};
      return true;
    }
  return false;
}

void hd_backend_names(char *text, size_t size, bool of_rtl, const char *word)
{
  const char *last = NULL;
  size_t used = 0;
  *text = '\0';
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++) {
    if (of_rtl && !(*k)->builds_rtl)
      continue;
    if (last && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", last);
    last = (*k)->name;
  }
  if (last && used < size)
    snprintf(text + used, size - used, "%s%s%s%s", used ? " " : "", used ? word : "",
             used ? " " : "", last);
}

/* Checks that a backend has the operations that every backend needs, and those that its
 * capabilities promise. */
static int check_ops(const struct hd_dut_ops *ops, const char *name, struct hd_error *err)
{
  if (!ops)
    return hd_fail(err, HD_E_INPUT, "%s: hd_dut_backend() returned nothing", name);
  if (ops->abi != HD_DUT_ABI)
    return hd_fail(err, HD_E_INPUT, "%s speaks version %u of the DUT contract, this is version %d",
                   name, ops->abi, HD_DUT_ABI);
  if (!ops->name || !ops->about || !ops->create || !ops->destroy || !ops->reset ||
      !ops->config_write || !ops->config_read || !ops->run)
    return hd_fail(err, HD_E_INPUT,
                   "%s leaves an operation out that every backend needs (bridge/dut.h)", name);
  if ((ops->capabilities & HD_DUT_SNAPSHOT) && (!ops->snapshot_save || !ops->snapshot_restore))
    return hd_fail(err, HD_E_INPUT, "%s promises snapshots, but has no functions for them", name);
  const struct hd_dut_extension none = {0}, *e = ops->extension ? ops->extension : &none;
  if ((ops->capabilities & HD_DUT_WAVES) && (!e->trace_open || !e->trace_close))
    return hd_fail(err, HD_E_INPUT, "%s promises waves, but has no functions for them", name);
  if ((ops->capabilities & HD_DUT_COVERAGE) && !e->coverage_write)
    return hd_fail(err, HD_E_INPUT, "%s promises coverage, but has no function for it", name);
  if ((ops->capabilities & HD_DUT_NEWS) && !e->news)
    return hd_fail(err, HD_E_INPUT, "%s promises news, but has no function for it", name);
  if ((ops->capabilities & HD_DUT_READS) && !e->config_reads)
    return hd_fail(err, HD_E_INPUT, "%s promises many reads at once, but has no function for them",
                   name);
  if ((ops->capabilities & HD_DUT_FOUR_STATE) && !e->config_unknown)
    return hd_fail(err, HD_E_INPUT, "%s promises four states, but has no function for them", name);
  return 0;
}

int hd_backend_load(struct hd_backend *backend, const char *path, struct hd_error *err)
{
  struct stat info;
  /* On a named pipe dlopen would wait until somebody writes to it. */
  if (!stat(path, &info) && !S_ISREG(info.st_mode))
    return hd_fail(err, HD_E_INPUT, "cannot load the backend: %s: is no regular file", path);
  backend->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!backend->handle)
    return hd_fail(err, HD_E_INPUT, "cannot load the backend: %s", dlerror());
  hd_own_symbols_bind(backend->handle);
  void *symbol = dlsym(backend->handle, "hd_dut_backend");
  hd_dut_backend_fn *entry;
  _Static_assert(sizeof entry == sizeof symbol, "POSIX: a function pointer fits a void pointer");
  memcpy(&entry, &symbol, sizeof entry);
  if (!symbol)
    return hd_fail(err, HD_E_INPUT, "%s is no backend: it exports no hd_dut_backend", path);
  backend->ops = entry();
  return check_ops(backend->ops, path, err);
}

bool hd_backend_builds_rtl(const char *name)
{
  const struct hd_backend_kind *kind = hd_backend_kind(name);
  return kind && kind->builds_rtl;
}

uint32_t hd_backend_max_switches(const char *name)
{
  const struct hd_backend_kind *kind = hd_backend_kind(name);
  return kind ? kind->max_switches : 0;
}

bool hd_backend_is_shared_object(const char *name)
{
  return memchr(name, '/', strcspn(name, ":"));
}

/* Sets backend->quiescence. The installed RTL is compared with the proved RTL, too: it may have
 * been edited. */
static int judge_quiescence(struct hd_backend *backend, bool as_written,
                            const struct hd_switch_params *params,
                            const struct hd_backend_options *options, struct hd_error *err)
{
  char root[PATH_MAX], rtl[PATH_MAX + 8];
  bool proved = false, named = false;
  if (!(backend->ops->capabilities & HD_DUT_QUIESCENT))
    return 0;
  backend->quiescence = HD_QUIESCENCE_SAMPLED;
  if (!as_written)
    return 0;
  for (const char *p = options->dut_options; *p; p += strcspn(p, ","), p += *p == ',')
    named |= hd_option_kind(p, strcspn(p, ",")) == HD_OPTION_SOURCE;
  int status = hd_install_root(root, sizeof root, err);
  snprintf(rtl, sizeof rtl, "%s/rtl", root);
  if (!status)
    status = hd_sources_proved(options->rtl_dir ? options->rtl_dir : rtl, params, &proved, err);
  if (proved && !named)
    backend->quiescence = HD_QUIESCENCE_PROVED;
  return status;
}

/* Tests whether a backend has an option rtl=DIR of its own, as boards do. Such a backend refuses
 * --rtl itself, with a message that names this option. */
static bool has_rtl_option(const struct hd_backend_kind *kind)
{
  struct hd_backend_option option;
  for (size_t i = 0; kind && hd_backend_option(kind, i, &option); i++)
    if (!strncmp(option.name, "rtl=", 4))
      return true;
  return false;
}

int hd_backend_open(struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err)
{
  static const struct hd_backend_options none = {0};
  struct hd_building building;
  struct hd_backend_options all = hd_building_options(&building, options ? options : &none);
  const struct hd_backend_kind *kind = hd_backend_kind(name);
  char first[PATH_MAX], names[256];
  size_t n = strcspn(name, ":");
  memset(backend, 0, sizeof *backend);
  if (name[n] || !all.dut_options)
    all.dut_options = name + n + (name[n] == ':');
  backend->options = all.dut_options;
  snprintf(first, sizeof first, "%.*s", (int)n, name);
  int status = hd_dut_params_check(params, err);
  if (!status && params->ports > HD_MAX_PORTS && kind && !kind->any_ports)
    status = hd_fail(err, HD_E_INPUT,
                     "the backend %s takes switches of at most %d ports; a network of %" PRIu32
                     " endpoints needs --dut verilator, icarus or ghdl",
                     first, HD_MAX_PORTS, params->ports);
  if (status)
    return status;
  if (!kind && !hd_backend_is_shared_object(name)) {
    struct hd_suggestion suggestion = {.given = first, .length = strlen(first)};
    for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
      hd_suggest(&suggestion, (*k)->name);
    hd_backend_names(names, sizeof names, false, "and");
    return hd_fail(err, HD_E_INPUT,
                   "no backend is called %s%s; there are %s, or give the path of a shared object "
                   "with a slash in it",
                   first, suggestion.text, names);
  }
  if (all.coverage && kind && !kind->counts_rtl)
    return hd_fail(err, HD_E_INPUT,
                   "--coverage: the backend %s counts no lines of RTL; choose --dut verilator, or "
                   "leave --coverage out",
                   first);
  if (all.rtl_dir && !(kind && kind->builds_rtl) && !has_rtl_option(kind)) {
    hd_backend_names(names, sizeof names, true, "or");
    return hd_fail(err, HD_E_INPUT,
                   "--rtl %s: the backend %s reads no Verilog; choose --dut %s, or leave --rtl out",
                   all.rtl_dir, first, names);
  }
  status = kind ? kind->open(backend, params, &all, err) : hd_backend_load(backend, first, err);
  if (!status && all.coverage && !(backend->ops->capabilities & HD_DUT_COVERAGE))
    status =
        hd_fail(err, HD_E_INPUT, "--coverage: %.300s counts no lines of RTL; leave it out", first);
  const bool every_cycle = kind && hd_options_have(all.dut_options, HD_OPTION_EVERY_CYCLE);
  if (!status && backend->handle && !every_cycle)
    status = judge_quiescence(backend, kind && kind->as_written, params, &all, err);
  if (status)
    hd_backend_close(backend);
  return status;
}

void hd_backend_close(struct hd_backend *backend)
{
  if (backend->handle)
    dlclose(backend->handle);
  free(backend->own_options);
  memset(backend, 0, sizeof *backend);
}
