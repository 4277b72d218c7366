/* Growing arrays: items stay, room is enough, and what cannot be had changes nothing.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/grow.h"
#include "../lib/test.h"

TEST(items_keep_their_values_when_an_array_grows)
{
  CLEANUP(free_at) uint32_t *items = NULL;
  size_t capacity = 0, moves = 0;
  for (uint32_t n = 0; n < 100000; n++) {
    size_t before = capacity;
    assert_true(HD_ROOM(items, capacity, n, 1));
    assert_true(capacity > n);
    assert_true(capacity == before || capacity >= 2 * before);
    moves += capacity != before;
    items[n] = 3 * n;
  }
  for (uint32_t n = 0; n < 100000; n++)
    assert_int_equal(items[n], 3 * n);
  assert_in_range(moves, 5, 17);
}

TEST(room_for_many_items_is_made_at_once)
{
  CLEANUP(free_at) char *items = NULL;
  size_t capacity = 0;
  assert_true(HD_ROOM(items, capacity, 0, 0));
  assert_null(items);
  assert_true(HD_ROOM(items, capacity, 0, 5000));
  assert_in_range(capacity, 5000, 9999);
  char *before = items;
  size_t room = capacity;
  assert_true(HD_ROOM(items, capacity, 4000, 1000));
  assert_ptr_equal(items, before);
  assert_true(HD_ROOM(items, capacity, room, 1));
  assert_int_equal(capacity, 2 * room);
  items[2 * room - 1] = 1;
}

TEST(room_is_made_for_a_large_item)
{
  struct {
    char bytes[1000];
  } *items = NULL;
  size_t capacity = 0;
  assert_true(HD_ROOM(items, capacity, 0, 1));
  assert_int_equal(capacity, 1);
  items[0].bytes[999] = 1;
  free(items);
}

TEST(a_request_for_too_many_items_fails_and_changes_nothing)
{
  CLEANUP(free_at) uint64_t *items = NULL;
  size_t capacity = 0;
  assert_true(HD_ROOM(items, capacity, 0, 1));
  uint64_t *before = items;
  size_t room = capacity;
  assert_false(HD_ROOM(items, capacity, 1, SIZE_MAX));     /* the sum wraps to 0 */
  assert_false(HD_ROOM(items, capacity, SIZE_MAX, 1));     /* likewise */
  assert_false(HD_ROOM(items, capacity, SIZE_MAX / 8, 2)); /* the bytes wrap to 8 */
  assert_false(HD_ROOM(items, capacity, 0, SIZE_MAX / 8)); /* larger than an object can be */
  assert_ptr_equal(items, before);
  assert_int_equal(capacity, room);
}
