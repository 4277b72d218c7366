/* Calendar: which node's software goes on in which cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A time wheel with one bit a node in each slot: adding is setting a bit, and the
 * nodes of a cycle come out in rank order without sorting. What lies beyond the wheel waits
 * in a binary heap. A node is in the calendar at most once.
 *
 * Functions that run for every cycle or packet are inline: apart from the switching of stacks, they are most of the
 * cost of open-loop traffic.
 */
#ifndef HD_CALENDAR_H
#define HD_CALENDAR_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HD_CALENDAR_SLOTS = 512 }; /* cycles; a power of two */

struct hd_calendar_entry {
  uint64_t cycle;
  uint32_t node;
};

struct hd_calendar {
  uint64_t base;   /* no entry is earlier */
  uint64_t *slots; /* [HD_CALENDAR_SLOTS][words] */
  uint32_t words;  /* words, one for 64 nodes */
  uint32_t n_far;
  struct hd_calendar_entry *far; /* heap, [nodes] */
  uint64_t occupied[HD_CALENDAR_SLOTS / 64];
};

/** 0 or -1: out of memory. */
int hd_calendar_init(struct hd_calendar *calendar, uint32_t nodes);
void hd_calendar_fini(struct hd_calendar *calendar);

/** The heap: an entry beyond the wheel; and those that the wheel has come to. */
void hd_calendar_push_far(struct hd_calendar *calendar, struct hd_calendar_entry entry);
void hd_calendar_pull_far(struct hd_calendar *calendar);

/** `node` goes on in `cycle`, which is less than HD_CALENDAR_SLOTS from the base. */
static inline void hd_calendar_add_near(struct hd_calendar *calendar, uint64_t cycle, uint32_t node)
{
  uint32_t slot = (uint32_t)cycle % HD_CALENDAR_SLOTS;
  calendar->slots[(size_t)slot * calendar->words + node / 64] |= UINT64_C(1) << (node % 64);
  calendar->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
}

/** `node` goes on in `cycle`; a cycle before the base means the base. */
static inline void hd_calendar_add(struct hd_calendar *calendar, uint64_t cycle, uint32_t node)
{
  if (cycle < calendar->base)
    cycle = calendar->base;
  if (cycle - calendar->base < HD_CALENDAR_SLOTS)
    hd_calendar_add_near(calendar, cycle, node);
  else
    hd_calendar_push_far(calendar, (struct hd_calendar_entry){cycle, node});
}

/** Takes out `node`, which is in the calendar for `cycle`. */
void hd_calendar_remove(struct hd_calendar *calendar, uint64_t cycle, uint32_t node);

/** A node goes on in the base cycle. */
static inline bool hd_calendar_is_due(const struct hd_calendar *calendar)
{
  uint32_t slot = (uint32_t)calendar->base % HD_CALENDAR_SLOTS;
  return calendar->occupied[slot / 64] >> (slot % 64) & 1;
}

/** Cycle of the earliest entry; UINT64_MAX: none. */
uint64_t hd_calendar_next(const struct hd_calendar *calendar);

/** Moves the base on to `cycle`; there must be no earlier entry. */
static inline void hd_calendar_advance(struct hd_calendar *calendar, uint64_t cycle)
{
  assert(cycle >= calendar->base);
  calendar->base = cycle;
  if (calendar->n_far && calendar->far[0].cycle - cycle < HD_CALENDAR_SLOTS)
    hd_calendar_pull_far(calendar);
}

/** The nodes of the base cycle, 64·word … 64·word+63, as bits; takes them out. Word by word
 *  from 0 to the last one. */
static inline uint64_t hd_calendar_take(struct hd_calendar *calendar, uint32_t word)
{
  uint32_t slot = (uint32_t)calendar->base % HD_CALENDAR_SLOTS;
  uint64_t *bits = &calendar->slots[(size_t)slot * calendar->words + word], taken = *bits;
  *bits = 0;
  if (word + 1 == calendar->words)
    calendar->occupied[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
  return taken;
}

#endif
