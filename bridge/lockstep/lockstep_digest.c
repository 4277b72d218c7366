/* The digest of a window's outputs (specification §6.4).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sum is the same on every processor. A processor that multiplies eight numbers at once (AVX-512DQ) adds
 * eight events at a time. A sum does not depend on the order of events.
 */
#include "lockstep_internal.h"

#include <string.h>

#if defined __x86_64__ && defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define WIDE __attribute__((target("avx512f,avx512dq")))
#endif
#endif

#ifdef WIDE
enum { AT_ONCE = 8 };
typedef uint64_t numbers __attribute__((vector_size(AT_ONCE * sizeof(uint64_t))));

static bool is_wide(void)
{
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
}

/* Applies hd_mix64 to each number. */
WIDE static inline numbers mix(numbers z)
{
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

WIDE static inline uint64_t sum_of(numbers z)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < AT_ONCE; i++)
    sum += z[i];
  return sum;
}

/* A flit event is two words: `data`, and from the lowest bit on cycle, port, vc, kind, zero. */
WIDE static uint64_t sum_flits(const struct hd_flit_event *flits, uint32_t n, uint64_t start)
{
  numbers sum = {0};
  for (uint32_t i = 0; i < n; i += AT_ONCE) {
    numbers low, high;
    memcpy(&low, flits + i, sizeof low);
    memcpy(&high, flits + i + AT_ONCE / 2, sizeof high);
    const numbers data = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14);
    const numbers e = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
    sum += mix(mix((((e & UINT32_MAX) + start) << 24 | (e >> 16 & 0xff0000) | (e >> 32 & 0xff00) |
                    (e >> 48 & 0xff))) +
               data);
  }
  return sum_of(sum);
}

/* A credit event is one word: from the lowest bit on cycle, port, vcs, barrier, count. */
WIDE static uint64_t sum_credits(const struct hd_credit_event *credits, uint32_t n, uint64_t start)
{
  numbers sum = {0};
  for (uint32_t i = 0; i < n; i += AT_ONCE) {
    numbers e;
    memcpy(&e, credits + i, sizeof e);
    sum += mix(
        mix(((e & UINT32_MAX) + start) << 24 | (e >> 16 & 0xff0000) | 0x8000 | (e >> 40 & 0xffff)) +
        (e >> 56));
  }
  return sum_of(sum);
}
#else
enum { AT_ONCE = 1 };

static bool is_wide(void)
{
  return false;
}

static uint64_t sum_flits(const struct hd_flit_event *flits, uint32_t n, uint64_t start)
{
  return (void)flits, (void)n, start;
}

static uint64_t sum_credits(const struct hd_credit_event *credits, uint32_t n, uint64_t start)
{
  return (void)credits, (void)n, start;
}
#endif

uint64_t hd_events_digest(const struct hd_flit_event *flits, uint32_t n_flits,
                          const struct hd_credit_event *credits, uint32_t n_credits, uint64_t start)
{
  uint64_t sum = 0;
  uint32_t flit = 0, credit = 0;
  if (is_wide()) {
    flit = n_flits - n_flits % AT_ONCE;
    credit = n_credits - n_credits % AT_ONCE;
    sum = sum_flits(flits, flit, start) + sum_credits(credits, credit, start);
  }
  for (; flit < n_flits; flit++)
    sum += hd_flit_digest(&flits[flit], start);
  for (; credit < n_credits; credit++)
    sum += hd_credit_digest(&credits[credit], start);
  return sum;
}
