/* Writes all look-up tables of three inputs as C macros.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_TABLES_H
#define HD_LANES_TABLES_H

#include "../../host/text.h"

#include <stdint.h>

/** Appends macros L00(a, b, c) … Lff(a, b, c) for words of type W, which have HD_LANES bits. In
 *  each lane, macro Lnn gives bit a + 2·b + 4·c of its number nn. It is one instruction with
 *  AVX-512, otherwise an expression with the fewest operators. */
void hd_lanes_tables(struct hd_text *code);

#endif
