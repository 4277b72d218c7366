/* Opens the stress bench of a parameter set, and gets the pins of switches for it.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stress.h"

#include "verilator_build.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

const char *hd_stress_difference_name(enum hd_stress_difference difference)
{
#define NAME(NAME_, name) name,
  static const char *const names[] = {HD_STRESS_DIFFERENCE_LIST(NAME)};
#undef NAME
  return names[difference];
}

/* Gets a function of a shared object. Copies the pointer, because C does not allow a cast from void
 * * to a function. */
static bool load_symbol(void *handle, const char *name, void *function, size_t size)
{
  void *found = handle ? dlsym(handle, name) : NULL;
  memcpy(function, &found, size);
  return found != NULL;
}

int hd_stress_open(struct hd_stress *stress, const struct hd_switch_params *params, bool foreign,
                   const struct hd_backend_options *options, struct hd_error *err)
{
  char path[PATH_MAX];
  struct hd_backend_options quick = *options;
  quick.quick = true; /* like its switches, so that they share Verilator's runtime library */
  quick.rtl_dir = NULL;
  quick.coverage = quick.no_dfg = false;
  *stress = (struct hd_stress){NULL, NULL};
  int status =
      hd_verilator_build(params, foreign ? HD_VERILATOR_STRESS_FOREIGN : HD_VERILATOR_STRESS,
                         &quick, path, sizeof path, err);
  if (status)
    return status;
  stress->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!stress->handle ||
      !load_symbol(stress->handle, "hd_stress_run", &stress->run, sizeof stress->run)) {
    const char *why = dlerror();
    status = hd_fail(err, HD_E_TOOL, "the stress bench does not load: %.400s", why ? why : path);
    hd_stress_close(stress);
  }
  return status;
}

void hd_stress_close(struct hd_stress *stress)
{
  if (stress->handle)
    dlclose(stress->handle);
  *stress = (struct hd_stress){NULL, NULL};
}

const struct hd_pinned_ops *hd_stress_pinned(const struct hd_backend *backend)
{
  hd_pinned_fn *pinned = NULL;
  if (!load_symbol(backend->handle, "hd_dut_pinned", &pinned, sizeof pinned))
    return NULL;
  const struct hd_pinned_ops *ops = pinned();
  return ops->abi == HD_PINNED_ABI ? ops : NULL;
}
