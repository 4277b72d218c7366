/* Finding backends by name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backend.h"

#include "board/board_open.h"
#include "board/board_virtual.h"
#include "rtl/dut_sources.h"
#include "netlist/gates_build.h"
#include "icarus/icarus_build.h"
#include "../host/install_root.h"
#include "rtl/dut_options.h"
#include "../host/text.h"
#include "verilator/verilator_build.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every backend must fill, and what its capabilities promise. */
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
  if ((ops->capabilities & HD_DUT_WAVES) && (!ops->trace_open || !ops->trace_close))
    return hd_fail(err, HD_E_INPUT, "%s promises waves, but has no functions for them", name);
  if ((ops->capabilities & HD_DUT_FOUR_STATE) && (!ops->config_unknown || !ops->make_two_state))
    return hd_fail(err, HD_E_INPUT, "%s promises four states, but has no functions for them", name);
  return 0;
}

static int open_shared_object(struct hd_backend *backend, const char *path, struct hd_error *err)
{
  backend->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!backend->handle)
    return hd_fail(err, HD_E_INPUT, "cannot load the backend: %s", dlerror());
  void *symbol = dlsym(backend->handle, "hd_dut_backend");
  hd_dut_backend_fn *entry;
  _Static_assert(sizeof entry == sizeof symbol, "POSIX: a function pointer fits a void pointer");
  memcpy(&entry, &symbol, sizeof entry);
  if (!symbol)
    return hd_fail(err, HD_E_INPUT, "%s is no backend: it exports no hd_dut_backend", path);
  backend->ops = entry();
  return check_ops(backend->ops, path, err);
}

/* Takes the first of the options ("a,b") off and puts it into `first`. */
static void take_option(const char **options, char *first, size_t size)
{
  size_t n = strcspn(*options, ",");
  snprintf(first, size, "%.*s", (int)n, *options);
  *options += n + ((*options)[n] == ',');
}

/* Gates instead of RTL: builds them, then Verilates what was built. */
static int build_netlist(const char **rest, const struct hd_switch_params *params,
                         const struct hd_backend_options *given, char *path, size_t size,
                         struct hd_error *err)
{
  struct hd_backend_options options = *given;
  char directory[PATH_MAX], flow[PATH_MAX] = "generic";
  if (**rest && !(hd_option_kind(*rest, strcspn(*rest, ",")) & HD_OPTIONS_VERILATOR))
    take_option(rest, flow, sizeof flow);
  options.no_dfg = true;
  int status = hd_options_check("netlist", HD_OPTIONS_VERILATOR, *rest, err);
  if (!status)
    status = hd_netlist_build(params, &options, flow, directory, sizeof directory, err);
  options.rtl_dir = directory;
  return status ? status
                : hd_verilator_build(params, HD_VERILATOR_NETLIST, &options, path, size, err);
}

/* Tells virtual boards where built backends are kept. */
static int add_cache(struct hd_backend *backend, const char *cache_dir, struct hd_error *err)
{
  struct hd_text text = {0};
  if (strchr(cache_dir, ','))
    return hd_fail(err, HD_E_INPUT, "--cache %.200s: for boards, its name must have no comma",
                   cache_dir);
  hd_text_add(&text, "%s,cache=%s", backend->options, cache_dir);
  if (text.failed) {
    hd_text_fini(&text);
    return hd_fail(err, HD_E_NOMEM, "out of memory for the board's options");
  }
  backend->options = backend->made = text.chars;
  return 0;
}

/* Boards, behind devices or virtual. */
static int open_board(struct hd_backend *backend, bool bitstream,
                      const struct hd_switch_params *params,
                      const struct hd_backend_options *options, struct hd_error *err)
{
  struct hd_text all = {0};
  if (options->rtl_dir)
    return hd_fail(err, HD_E_INPUT,
                   "--rtl says what to build, a board is built already; for a virtual one say "
                   "--dut board:virtual,rtl=%s",
                   options->rtl_dir);
  backend->ops = bitstream ? hd_dut_bitstream_backend() : hd_dut_board_backend();
  hd_text_add(&all, "%s%s", bitstream ? "virtual:" : "", backend->options);
  int status = all.failed ? hd_fail(err, HD_E_NOMEM, "out of memory for the board's options")
                          : hd_board_prepare(params, options->switches, all.chars, options, err);
  if (!status && options->cache_dir)
    status = add_cache(backend, options->cache_dir, err);
  hd_text_fini(&all);
  if (status)
    hd_backend_close(backend);
  return status;
}

/* A simulator's shared object for these switches. */
static int build_simulator(const char *kind, const struct hd_switch_params *params,
                           const struct hd_backend_options *options, char *path, size_t size,
                           struct hd_error *err)
{
  if (!strcmp(kind, "icarus")) {
    int status = hd_options_check("Icarus", HD_OPTIONS_ICARUS, options->dut_options, err);
    return status ? status : hd_icarus_build(params, options, NULL, path, size, err);
  }
  bool systemc = !strcmp(kind, "systemc");
  int status = hd_options_check(systemc ? "SystemC" : "Verilator",
                                systemc ? HD_OPTIONS_SYSTEMC : HD_OPTIONS_VERILATOR,
                                options->dut_options, err);
  return status ? status
                : hd_verilator_build(params, systemc ? HD_VERILATOR_SYSTEMC : HD_VERILATOR_RTL,
                                     options, path, size, err);
}

bool hd_backend_builds_rtl(const char *name)
{
  static const char *const kinds[] = {"verilator", "icarus", "systemc", "netlist"};
  size_t n = strcspn(name, ":");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (n == strlen(kinds[i]) && !strncmp(name, kinds[i], n))
      return true;
  return false;
}

bool hd_backend_is_shared_object(const char *name)
{
  return memchr(name, '/', strcspn(name, ":"));
}

/* What is known of the quiescent_o of a backend that is open. The proof is of the RTL, not of what Yosys
 * makes of it. */
static int judge_quiescence(struct hd_backend *backend, const char *kind,
                            const struct hd_backend_options *options, struct hd_error *err)
{
  char root[PATH_MAX], rtl[PATH_MAX + 8];
  bool same = true, named = false;
  if (!(backend->ops->capabilities & HD_DUT_QUIESCENT))
    return 0;
  backend->quiescence = HD_QUIESCENCE_SAMPLED;
  if (strcmp(kind, "verilator") && strcmp(kind, "systemc") && strcmp(kind, "icarus"))
    return 0;
  for (const char *p = options->dut_options; *p; p += strcspn(p, ","), p += *p == ',')
    named |= hd_option_kind(p, strcspn(p, ",")) == HD_OPTION_SOURCE;
  int status = hd_install_root(root, sizeof root, err);
  snprintf(rtl, sizeof rtl, "%s/rtl", root);
  if (!status && options->rtl_dir)
    status = hd_sources_same_rtl(options->rtl_dir, rtl, &same, err);
  if (!status && same && !named)
    backend->quiescence = HD_QUIESCENCE_PROVED;
  return status;
}

int hd_backend_open(struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err)
{
  struct hd_backend_options all = options ? *options : (struct hd_backend_options){0};
  char path[PATH_MAX], kind[PATH_MAX];
  size_t n = strcspn(name, ":");
  memset(backend, 0, sizeof *backend);
  if (name[n] || !all.dut_options)
    all.dut_options = name + n + (name[n] == ':');
  backend->options = all.dut_options;
  int status = hd_switch_params_check(params, err);
  if (status)
    return status;
  snprintf(kind, sizeof kind, "%.*s", (int)n, name);
  if (all.rtl_dir && (!strcmp(kind, "model") || strchr(kind, '/')))
    return hd_fail(err, HD_E_INPUT,
                   "--rtl %s: the backend %s reads no Verilog; choose --dut verilator, icarus, "
                   "systemc or netlist, or leave --rtl out",
                   all.rtl_dir, kind);
  if (!strcmp(kind, "model")) {
    backend->ops = hd_dut_model_backend();
    return 0;
  }
  bool bitstream = !strcmp(kind, "bitstream");
  if (bitstream || !strcmp(kind, "board"))
    return open_board(backend, bitstream, params, &all, err);
  if (!strcmp(kind, "verilator") || !strcmp(kind, "systemc") || !strcmp(kind, "icarus")) {
    status = build_simulator(kind, params, &all, path, sizeof path, err);
  } else if (!strcmp(kind, "netlist")) {
    status = build_netlist(&backend->options, params, &all, path, sizeof path, err);
  } else if (hd_backend_is_shared_object(name)) {
    snprintf(path, sizeof path, "%s", kind);
  } else {
    return hd_fail(err, HD_E_INPUT,
                   "no backend is called %s; there are model, verilator, icarus, systemc, netlist, "
                   "bitstream and board, or give the path of a shared object with a slash in it",
                   kind);
  }
  if (!status)
    status = open_shared_object(backend, path, err);
  if (!status)
    status = judge_quiescence(backend, kind, &all, err);
  if (status)
    hd_backend_close(backend);
  return status;
}

void hd_backend_close(struct hd_backend *backend)
{
  if (backend->handle)
    dlclose(backend->handle);
  free(backend->made);
  memset(backend, 0, sizeof *backend);
}
