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

/** Returns HD_SEED, or 1. Ends the program if HD_SEED is no number. */
uint64_t first_seed(void);

/** Returns HD_STREAMS, or `usual`. With HD_SEED it is 1. */
uint32_t n_streams(uint32_t usual);

/** Returns how many cases a test tries: `usual`, or a quarter of them under sanitizers, which are ten times slower
 *  and look for other errors than wrong results. */
uint32_t n_cases(uint32_t usual);

/** Numbers of one test, which says its seed when it begins. */
struct dice {
  uint64_t state;
};

/** Prints the seed of test `test` and how `binary` replays it. */
struct dice dice_begin(const char *test, const char *binary);

/** Returns a random number from 0 to n - 1. */
uint32_t roll(struct dice *dice, uint32_t n);

#endif
