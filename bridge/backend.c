/* Finding backends by name.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "backend.h"

#include "icarus_build.h"
#include "verilator_build.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
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

int hd_backend_open(struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err)
{
  static const struct hd_backend_options none = {0};
  char path[PATH_MAX];
  memset(backend, 0, sizeof *backend);
  int status = hd_switch_params_check(params, err);
  if (status)
    return status;
  if (!strcmp(name, "model")) {
    backend->ops = hd_dut_model_backend();
    return 0;
  }
  if (!strcmp(name, "board")) {
    if (options && options->rtl_dir)
      return hd_fail(err, HD_E_INPUT,
                     "--rtl says what to build, a board is built already; for a virtual one say "
                     "--dut board:virtual,rtl=%s",
                     options->rtl_dir);
    backend->ops = hd_dut_board_backend();
    return 0;
  }
  if (!strcmp(name, "verilator")) {
    status = hd_verilator_build(params, options ? options : &none, path, sizeof path, err);
  } else if (!strcmp(name, "icarus")) {
    status = hd_icarus_build(params, options ? options : &none, NULL, path, sizeof path, err);
  } else if (strchr(name, '/')) {
    snprintf(path, sizeof path, "%s", name);
  } else {
    return hd_fail(
        err, HD_E_INPUT,
        "no backend is called %s; there are model, verilator, icarus and board, or give the "
        "path of a shared object with a slash in it",
        name);
  }
  if (!status)
    status = open_shared_object(backend, path, err);
  if (status)
    hd_backend_close(backend);
  return status;
}

void hd_backend_close(struct hd_backend *backend)
{
  if (backend->handle)
    dlclose(backend->handle);
  memset(backend, 0, sizeof *backend);
}
