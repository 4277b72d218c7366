/* Where Heddle's own sources are: backends are built from them on demand.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_INSTALL_ROOT_H
#define HD_INSTALL_ROOT_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** Absolute path of the directory that holds rtl/, bridge/ and cmodel/: the environment's
 *  HD_ROOT, or the nearest directory above the executable that does. HD_E_INPUT. */
int hd_install_root(char *path, size_t size, struct hd_error *err);

#endif
