/* Messages: numbers with their nouns, texts that are too long.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/error.h"
#include "../lib/test.h"

TEST(counts_of_one_are_written_in_the_singular)
{
  assert_string_equal(hd_count(0, "cycle").text, "0 cycles");
  assert_string_equal(hd_count(1, "cycle").text, "1 cycle");
  assert_string_equal(hd_count(2, "cycle").text, "2 cycles");
  assert_string_equal(hd_count(1, "switch").text, "1 switch");
  assert_string_equal(hd_count(20, "switch").text, "20 switches");
  assert_string_equal(hd_count(UINT64_MAX, "flit").text, "18446744073709551615 flits");
  assert_int_equal(strlen(hd_count(2, "a noun that is longer than there is room for, by far").text),
                   sizeof(struct hd_count) - 1);
}

TEST(a_message_longer_than_its_buffer_is_truncated)
{
  memset(&why, 'x', sizeof why);
  assert_int_equal(hd_fail(&why, HD_E_IO, "%2000d", 7), HD_E_IO);
  assert_int_equal(strlen(why.text), sizeof why.text - 1);
  assert_int_equal(hd_fail(NULL, HD_E_SOFTWARE, "%d", 7), HD_E_SOFTWARE);
  assert_string_equal(hd_status_text(HD_E_SOFTWARE), "endpoint software gave up");
  assert_string_equal(hd_status_text(1), "unknown status");
}
