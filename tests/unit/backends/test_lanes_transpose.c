/* Bit lanes: rows become columns by vectors of four rows, on processors that would do it in another way, too.
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_lanes has the way of the processor that it runs on and, with sanitizers, vectors of two rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HD_ROWS_AT_ONCE 4
#include "../../../bridge/backends/lanes/lanes_transpose.h"
#include "../lib/dice.h"

static void rows_become_columns_by_fours(void **state)
{
  (void)state;
  uint64_t rows[64], columns[64];
  hd_rows matrix[8];
  struct dice dice = dice_begin("rows_become_columns_by_fours", "test_lanes_transpose");
  for (unsigned i = 0; i < 64; i++)
    rows[i] = (uint64_t)roll(&dice, 1u << 31) << 33 ^ (uint64_t)roll(&dice, 1u << 31) << 11 ^
              roll(&dice, 1u << 11);
  memcpy(matrix, rows, sizeof rows);
  hd_transpose(matrix);
  memcpy(columns, matrix, sizeof columns);
  for (unsigned i = 0; i < 64; i++)
    for (unsigned k = 0; k < 64; k++)
      assert_int_equal(columns[i] >> k & 1, rows[k] >> i & 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_become_columns_by_fours)};
  return cmocka_run_group_tests_name("lanes_transpose", tests, NULL, NULL);
}
