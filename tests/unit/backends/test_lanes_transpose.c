/* Bit lanes: rows are transposed by vectors of four rows, also on processors that would use other vectors.
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_lanes tests the vectors of the processor that it runs on and, with sanitizers, vectors of two rows.
 */

#define HD_ROWS_AT_ONCE 4
#include "../lib/columns.h"
#include "../lib/test.h"

TEST(vectors_of_four_rows_are_transposed_into_columns)
{
  struct dice dice =
      dice_begin("vectors_of_four_rows_are_transposed_into_columns", "test_lanes_transpose");
  check_columns(&dice);
}
