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
#include "../lib/columns.h"

static void rows_become_columns_by_fours(void **state)
{
  (void)state;
  struct dice dice = dice_begin("rows_become_columns_by_fours", "test_lanes_transpose");
  check_columns(&dice);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_become_columns_by_fours)};
  return cmocka_run_group_tests_name("lanes_transpose", tests, NULL, NULL);
}
