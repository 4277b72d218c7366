/* Random numbers from which streams are drawn.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_RANDOM_H
#define HD_STREAM_RANDOM_H

#include "../../../cmodel/port_event.h"

#include <stdbool.h>
#include <stdint.h>

/** Returns the next number of a sequence, and steps its state. */
static inline uint64_t next_random(uint64_t *state)
{
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return hd_mix64(*state);
}

/** Draws a number from 0 … n - 1. */
static inline uint32_t below(uint64_t *state, uint32_t n)
{
  return (uint32_t)(next_random(state) >> 33) % n;
}

/** True with a probability of per_mille / 1000. */
static inline bool chance(uint64_t *state, uint32_t per_mille)
{
  return below(state, 1000) < per_mille;
}

#endif
