/* Random numbers for tests, and the seed that they come from.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays a random test, HD_STREAMS=n sets how many streams are tried.
 */
#ifndef HD_TEST_DICE_H
#define HD_TEST_DICE_H

#include "../../../bridge/check/streams/stream_random.h"

#include <stdbool.h>
#include <stdint.h>

/** Returns true if HD_SEED names one seed. */
bool one_seed(void);

/** HD_SEED, or 1. Ends the test where HD_SEED is no number. */
uint64_t first_seed(void);

/** HD_STREAMS, or `usual`; with HD_SEED one. */
uint32_t n_streams(uint32_t usual);

/** `usual` cases of a cheap kind; under sanitizers, which look for other errors than wrong results and
 *  make them ten times dearer, a quarter. */
uint32_t n_cases(uint32_t usual);

/** Numbers of one test, which says its seed when it begins. */
struct dice {
  uint64_t state;
};

/** Prints the seed of test `test` and how `binary` replays it. */
struct dice dice_begin(const char *test, const char *binary);

/** 0 … n - 1. */
uint32_t roll(struct dice *dice, uint32_t n);

#endif
