/* Writes a copy of the RTL with one change.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PLANTED_RTL_H
#define HD_PLANTED_RTL_H

#include "test.h"

/** Makes `directory` the RTL with `to` for `from`, which stands once in `file`. */
void plant_rtl(const char *directory, const char *file, const char *from, const char *to);

#endif
