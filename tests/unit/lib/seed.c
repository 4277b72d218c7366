/* The seed of a program of random tests: HD_SEED, or 1. It is printed when the program begins.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "seed.h"

#include "dice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

uint64_t seed;

__attribute__((constructor)) static void seed_begin(void)
{
  seed = first_seed();
  printf("seed %" PRIu64 "; HD_SEED=%" PRIu64 " %s replays it\n", seed, seed,
         program_invocation_name);
}
