/* Builds the VPI module of a backend.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The module is the same for every switch and takes most of the time to compile, so it has a cache entry of its own,
 * from which it is copied.
 */
#ifndef HD_VPI_MODULE_H
#define HD_VPI_MODULE_H

#include "../rtl/dut_cache.h"
#include "../rtl/dut_sources.h"
#include "../backend.h"

struct hd_vpi_module {
  const struct hd_backend_options *options;
  const char *root, *cache_dir;
  const char *simulator, *about; /* of the key: "icarus", its version */
  const char *const *own;        /* our files, [n_own] */
  size_t n_own;
  const char *const *argv; /* compiles it from the copies of `own`; is a part of the key */
  const char *package;     /* that has argv[0] */
  const char *product;     /* "heddle.vpi" */
};

/** Adds the versions of simulator and compiler to a key. HD_E_TOOL. */
int hd_vpi_module_key(const struct hd_vpi_module *module, struct hd_dut_sources *sources,
                      struct hd_error *err);

/** Puts a copy of the module, built if necessary, into `directory`. HD_E_TOOL, HD_E_IO, HD_E_INTERRUPTED. */
int hd_vpi_module_add(const struct hd_vpi_module *module, const char *directory,
                      struct hd_error *err);

#endif
