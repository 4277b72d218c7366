/* The random numbers that streams are drawn from.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_RANDOM_H
#define HD_STREAM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/** The next of a sequence that `*state` stands for. */
uint64_t next_random(uint64_t *state);

/** 0 … n - 1. */
uint32_t below(uint64_t *state, uint32_t n);

bool chance(uint64_t *state, uint32_t per_mille);

#endif
