/* Calendar of nodes by cycle: time wheel and heap.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "calendar.h"

#include <stdlib.h>
#include <string.h>

enum { OCCUPIED_WORDS = HD_CALENDAR_SLOTS / 64 };

int hd_calendar_init(struct hd_calendar *calendar, uint32_t nodes)
{
  memset(calendar, 0, sizeof *calendar);
  calendar->words = (nodes + 63) / 64;
  calendar->slots = calloc((size_t)HD_CALENDAR_SLOTS * calendar->words, sizeof *calendar->slots);
  calendar->far = calloc(nodes, sizeof *calendar->far);
  if (calendar->slots && calendar->far)
    return 0;
  hd_calendar_fini(calendar);
  return -1;
}

void hd_calendar_fini(struct hd_calendar *calendar)
{
  free(calendar->slots);
  free(calendar->far);
  calendar->slots = NULL;
  calendar->far = NULL;
}

static void far_sift_up(struct hd_calendar *calendar, uint32_t i, struct hd_calendar_entry entry)
{
  while (i > 0 && calendar->far[(i - 1) / 2].cycle > entry.cycle) {
    calendar->far[i] = calendar->far[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  calendar->far[i] = entry;
}

void hd_calendar_push_far(struct hd_calendar *calendar, struct hd_calendar_entry entry)
{
  far_sift_up(calendar, calendar->n_far++, entry);
}

/* Moves `entry` down the heap from place `i`, which is empty. */
static void far_sift_down(struct hd_calendar *calendar, uint32_t i, struct hd_calendar_entry entry)
{
  uint32_t n = calendar->n_far;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= n)
      break;
    if (child + 1 < n && calendar->far[child + 1].cycle < calendar->far[child].cycle)
      child++;
    if (calendar->far[child].cycle >= entry.cycle)
      break;
    calendar->far[i] = calendar->far[child];
    i = child;
  }
  calendar->far[i] = entry;
}

static struct hd_calendar_entry far_pop(struct hd_calendar *calendar)
{
  struct hd_calendar_entry first = calendar->far[0], last = calendar->far[--calendar->n_far];
  far_sift_down(calendar, 0, last);
  return first;
}

static void far_remove(struct hd_calendar *calendar, uint32_t node)
{
  uint32_t i = 0;
  while (calendar->far[i].node != node)
    i++;
  struct hd_calendar_entry last = calendar->far[--calendar->n_far];
  if (i == calendar->n_far)
    return;
  if (i && calendar->far[(i - 1) / 2].cycle > last.cycle)
    far_sift_up(calendar, i, last);
  else
    far_sift_down(calendar, i, last);
}

void hd_calendar_remove(struct hd_calendar *calendar, uint64_t cycle, uint32_t node)
{
  if (cycle < calendar->base)
    cycle = calendar->base;
  if (cycle - calendar->base >= HD_CALENDAR_SLOTS) {
    far_remove(calendar, node);
    return;
  }
  uint32_t slot = (uint32_t)cycle % HD_CALENDAR_SLOTS;
  uint64_t *words = &calendar->slots[(size_t)slot * calendar->words], rest = 0;
  words[node / 64] &= ~(UINT64_C(1) << (node % 64));
  for (uint32_t i = 0; i < calendar->words; i++)
    rest |= words[i];
  if (!rest)
    calendar->occupied[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

void hd_calendar_pull_far(struct hd_calendar *calendar)
{
  while (calendar->n_far && calendar->far[0].cycle - calendar->base < HD_CALENDAR_SLOTS) {
    struct hd_calendar_entry entry = far_pop(calendar);
    hd_calendar_add_near(calendar, entry.cycle, entry.node);
  }
}

uint64_t hd_calendar_next(const struct hd_calendar *calendar)
{
  uint32_t start = (uint32_t)calendar->base % HD_CALENDAR_SLOTS;
  uint64_t bits = calendar->occupied[start / 64] >> (start % 64);
  if (bits)
    return calendar->base + (uint64_t)__builtin_ctzll(bits);
  for (uint32_t i = 1; i <= OCCUPIED_WORDS; i++) {
    uint32_t word = (start / 64 + i) % OCCUPIED_WORDS;
    bits = calendar->occupied[word];
    if (bits) {
      uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
      return calendar->base + ((slot - start) % HD_CALENDAR_SLOTS);
    }
  }
  return calendar->n_far ? calendar->far[0].cycle : UINT64_MAX;
}
