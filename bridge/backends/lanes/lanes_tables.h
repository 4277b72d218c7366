/* The look-up tables of three inputs as C.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_TABLES_H
#define HD_LANES_TABLES_H

#include "../../host/text.h"

#include <stdint.h>

/** Appends macros L00 … Lff(a, b, c), which give bit a + 2·b + 4·c of the number in their name: of words
 *  (W, of HD_LANES bits): in vectors of AVX-512 an instruction, elsewhere an expression with the fewest operators. */
void hd_lanes_tables(struct hd_text *code);

#endif
