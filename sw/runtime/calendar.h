/* Calendar: the cycle in which each node's software runs next.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A time wheel with one slot for each cycle and one bit for each node in a slot. Adding a node sets
 * a bit, and the nodes of a cycle come out in the order of ranks without sorting. Entries beyond
 * the end of the wheel wait in a binary heap. A node is in the calendar at most once.
 *
 * Functions that run in every cycle or for every packet are inline. They and the switching of
 * stacks are most of the cost of open-loop traffic.
 */
#ifndef HD_CALENDAR_H
#define HD_CALENDAR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_CALENDAR_SLOTS = 512 }; /* cycles of the wheel; a power of two */

struct hd_calendar_entry {
  uint64_t cycle;
  uint32_t node;
};

struct hd_calendar {
  uint64_t base;   /* the current cycle; no entry is earlier */
  uint64_t *slots; /* [HD_CALENDAR_SLOTS][words] */
  uint32_t words;  /* words of a slot, one for 64 nodes */
  uint32_t n_far;
  struct hd_calendar_entry *far; /* [nodes] heap of the n_far entries beyond the wheel */
  uint64_t occupied[HD_CALENDAR_SLOTS / 64];
};

/** Makes an empty calendar. Returns 0, or -1 if there is no memory. */
int hd_calendar_init(struct hd_calendar *calendar, uint32_t nodes);
void hd_calendar_fini(struct hd_calendar *calendar);

/** push_far adds an entry beyond the wheel to the heap. pull_far moves entries from the heap to the
 *  wheel that have come within its reach. */
void hd_calendar_push_far(struct hd_calendar *calendar, struct hd_calendar_entry entry);
void hd_calendar_pull_far(struct hd_calendar *calendar);

/** Adds `node` for `cycle`, which is less than HD_CALENDAR_SLOTS after the base. */
static inline void hd_calendar_add_near(struct hd_calendar *calendar, uint64_t cycle, uint32_t node)
{
  uint32_t slot = (uint32_t)cycle % HD_CALENDAR_SLOTS;
  calendar->slots[(size_t)slot * calendar->words + node / 64] |= UINT64_C(1) << (node % 64);
  calendar->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
}

/** Adds `node` for `cycle`, or for the base if `cycle` is before it. */
static inline void hd_calendar_add(struct hd_calendar *calendar, uint64_t cycle, uint32_t node)
{
  if (cycle < calendar->base)
    cycle = calendar->base;
  if (cycle - calendar->base < HD_CALENDAR_SLOTS)
    hd_calendar_add_near(calendar, cycle, node);
  else
    hd_calendar_push_far(calendar, (struct hd_calendar_entry){cycle, node});
}

/** Removes `node`, which is in the calendar for `cycle`. */
void hd_calendar_remove(struct hd_calendar *calendar, uint64_t cycle, uint32_t node);

/** Returns true if a node is due in the base cycle. */
static inline bool hd_calendar_is_due(const struct hd_calendar *calendar)
{
  uint32_t slot = (uint32_t)calendar->base % HD_CALENDAR_SLOTS;
  return calendar->occupied[slot / 64] >> (slot % 64) & 1;
}

/** Returns the cycle of the earliest entry; UINT64_MAX: there is none. */
uint64_t hd_calendar_next(const struct hd_calendar *calendar);

/** Moves the base to `cycle`. No entry may be earlier. */
static inline void hd_calendar_advance(struct hd_calendar *calendar, uint64_t cycle)
{
  assert(cycle >= calendar->base);
  calendar->base = cycle;
  if (calendar->n_far && calendar->far[0].cycle - cycle < HD_CALENDAR_SLOTS)
    hd_calendar_pull_far(calendar);
}

/** Removes the nodes 64·word … 64·word+63 of the base cycle, and returns them as bits. Must be
 *  called for every word, from 0 to the last one, because the last call marks the slot as empty. */
static inline uint64_t hd_calendar_pop_word(struct hd_calendar *calendar, uint32_t word)
{
  uint32_t slot = (uint32_t)calendar->base % HD_CALENDAR_SLOTS;
  uint64_t *bits = &calendar->slots[(size_t)slot * calendar->words + word], taken = *bits;
  *bits = 0;
  if (word + 1 == calendar->words)
    calendar->occupied[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
  return taken;
}

#endif
