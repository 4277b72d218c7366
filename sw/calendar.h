/* Calendar: which node's software goes on in which cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A time wheel with one bit a node in each slot: adding is setting a bit, and the
 * nodes of a cycle come out in rank order without sorting. What lies beyond the wheel waits
 * in a binary heap. A node is in the calendar at most once.
 */
#ifndef HD_CALENDAR_H
#define HD_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_CALENDAR_SLOTS = 512 }; /* cycles; a power of two */

struct hd_calendar_entry {
  uint64_t cycle;
  uint32_t node;
};

struct hd_calendar {
  uint64_t base;     /* no entry is earlier */
  uint64_t *slots;   /* [HD_CALENDAR_SLOTS][words] */
  uint32_t words;    /* of 64 nodes */
  uint32_t n_far;
  struct hd_calendar_entry *far; /* heap, [nodes] */
  uint64_t occupied[HD_CALENDAR_SLOTS / 64];
};

/** 0 or -1: out of memory. */
int hd_calendar_init(struct hd_calendar *calendar, uint32_t nodes);
void hd_calendar_fini(struct hd_calendar *calendar);

/** `node` goes on in `cycle`; a cycle before the base means the base. */
void hd_calendar_add(struct hd_calendar *calendar, uint64_t cycle, uint32_t node);

/** Cycle of the earliest entry; UINT64_MAX: none. */
uint64_t hd_calendar_next(const struct hd_calendar *calendar);

/** Moves the base on to `cycle`; there must be no earlier entry. */
void hd_calendar_advance(struct hd_calendar *calendar, uint64_t cycle);

/** The nodes of the base cycle, 64·word … 64·word+63, as bits; takes them out. */
uint64_t hd_calendar_take(struct hd_calendar *calendar, uint32_t word);

#endif
