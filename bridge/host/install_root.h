/* Finds Heddle's own sources, and the directory of backends that are built from them on demand.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_INSTALL_ROOT_H
#define HD_INSTALL_ROOT_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** Finds the absolute path of the directory that has rtl/, bridge/ and cmodel/ in it: the
 *  environment's HD_ROOT; or the nearest directory above the executable that has them, or has
 *  share/heddle with them (`make install`). HD_E_INPUT. */
int hd_install_root(char *path, size_t size, struct hd_error *err);

/** Finds the path of a shared object of Heddle: beside the executable, or installed in
 *  ../lib/heddle. Does not test whether the file exists. HD_E_INPUT. */
int hd_install_plugin(const char *name, char *path, size_t size, struct hd_error *err);

/** Finds the directory of built backends: `given`, if not NULL; build/dut of a source tree;
 *  $XDG_CACHE_HOME/heddle or ~/.cache/heddle of an installed Heddle. HD_E_INPUT, HD_E_IO. */
int hd_install_cache(const char *given, char *path, size_t size, struct hd_error *err);

#endif
