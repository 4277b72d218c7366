/* Builds the VPI module of a backend.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The module is the same for every switch, and its compilation takes most of the time. So it has a
 * cache entry of its own, from which it is copied.
 */
#ifndef HD_VPI_MODULE_H
#define HD_VPI_MODULE_H

#include "../rtl/dut_cache.h"
#include "../rtl/dut_sources.h"
#include "../backend.h"

struct hd_vpi_module {
  const struct hd_backend_options *options;
  const char *simulator, *about; /* for the key: "icarus", and its version */
  const char *const *own;        /* [n_own], Heddle's own files */
  size_t n_own;
  const char *const *argv; /* command that compiles the copies of `own`; part of the key */
  const char *package;     /* Debian package of argv[0] */
  const char *product;     /* name of the module: "heddle.vpi" */
};

/** Adds the versions of simulator and compiler, and the command, to a key. HD_E_TOOL. */
int hd_vpi_module_key(const struct hd_vpi_module *module, struct hd_dut_sources *sources,
                      struct hd_error *err);

/** Builds the module, unless the cache has it, and copies it to `directory`. HD_E_TOOL, HD_E_IO,
 *  HD_E_INTERRUPTED. */
int hd_vpi_module_add(const struct hd_vpi_module *module, const char *directory,
                      struct hd_error *err);

#endif
