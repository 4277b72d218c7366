/* Seeds of random tests: HD_SEED=n replays one, HD_STREAMS=n sets how many are tried.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SEED_H
#define HD_SEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static inline bool one_seed(void)
{
  return getenv("HD_SEED") != NULL;
}

static inline uint64_t first_seed(void)
{
  return one_seed() ? strtoull(getenv("HD_SEED"), NULL, 0) : 1;
}

static inline uint32_t n_streams(uint32_t usual)
{
  const char *text = getenv("HD_STREAMS");
  return one_seed() ? 1 : text ? (uint32_t)strtoul(text, NULL, 0) : usual;
}

#endif
