/* The seed of a program of random tests: HD_SEED, or 1. It is printed when the program begins.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_SEED_H
#define HD_TEST_SEED_H

#include <stdint.h>

extern uint64_t seed;

#endif
