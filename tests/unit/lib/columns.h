/* Tests that a matrix of 64×64 bits is transposed, with the vectors that the including file has chosen.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_COLUMNS_H
#define HD_TEST_COLUMNS_H

#include "test.h"

#include "../../../bridge/backends/lanes/lanes_transpose.h"
#include "dice.h"

/** Transposes random rows, and checks each bit. */
static inline void check_columns(struct dice *dice)
{
  uint64_t rows[64], columns[64];
  hd_rows matrix[8];
  for (unsigned i = 0; i < 64; i++)
    rows[i] = (uint64_t)roll(dice, 1u << 31) << 33 ^ (uint64_t)roll(dice, 1u << 31) << 11 ^
              roll(dice, 1u << 11);
  memcpy(matrix, rows, sizeof rows);
  hd_transpose(matrix);
  memcpy(columns, matrix, sizeof columns);
  for (unsigned i = 0; i < 64; i++)
    for (unsigned k = 0; k < 64; k++)
      assert_int_equal(columns[i] >> k & 1, rows[k] >> i & 1);
}

#endif
