/* Growing arrays, in one way for all rooms.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A header alone, so that backends which are compiled at run time have it, too (C++ as well).
 */
#ifndef HD_GROW_H
#define HD_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** See HD_ROOM. `array` is the address of the pointer to the items. Capacities double from one first
 *  size: lists of like length get like capacities, however they grew. */
static inline bool hd_grow(void *array, size_t *capacity, size_t n, size_t more, size_t item_bytes)
{
  enum { FEWEST_BYTES = 256 };
  const size_t most = PTRDIFF_MAX / item_bytes; /* no object is larger */
  if (n > most || more > most - n)
    return false;
  size_t wanted = *capacity ? *capacity : item_bytes < FEWEST_BYTES ? FEWEST_BYTES / item_bytes : 1;
  while (wanted < n + more)
    wanted = wanted > most / 2 ? most : 2 * wanted;
  void *items;
  memcpy(&items, array, sizeof items); /* whatever type it points to */
  items = realloc(items, wanted * item_bytes);
  if (!items)
    return false;
  memcpy(array, &items, sizeof items);
  *capacity = wanted;
  return true;
}

static inline bool hd_room(void *array, size_t *capacity, size_t n, size_t more, size_t item_bytes)
{
  return (n <= *capacity && more <= *capacity - n) || hd_grow(array, capacity, n, more, item_bytes);
}

/** Makes room in `items` for `more` items after n of them; `capacity`, a size_t, says for how many
 *  there is room. NULL and 0 is an empty array; its owner frees it. False: out of memory, or more
 *  than an object can hold; items and capacity are as before. */
#define HD_ROOM(items, capacity, n, more) hd_room(&(items), &(capacity), n, more, sizeof *(items))

#endif
