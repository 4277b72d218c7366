/* The part of check.json on changed modules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_WRITE_EQUAL_H
#define HD_CHECK_WRITE_EQUAL_H

#include "../render/render.h"

struct hd_check;

/** Returns changed modules, and each proof with its wires; NULL: there is no original to compare with. To be freed. */
json_t *hd_check_equal_json(const struct hd_check *check);

#endif
