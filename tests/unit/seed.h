/* Seeds of random tests: HD_SEED=n replays one, HD_STREAMS=n sets how many are tried.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SEED_H
#define HD_SEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline bool one_seed(void)
{
  return getenv("HD_SEED") != NULL;
}

static inline uint64_t first_seed(void)
{
  const char *text = getenv("HD_SEED");
  char *end = NULL;
  uint64_t seed = text ? strtoull(text, &end, 0) : 1;
  if (text && (end == text || *end)) {
    fprintf(stderr, "HD_SEED=%s is no number; HD_SEED=7 would be one\n", text);
    exit(2);
  }
  return seed;
}

static inline uint32_t n_streams(uint32_t usual)
{
  const char *text = getenv("HD_STREAMS");
  return one_seed() ? 1 : text ? (uint32_t)strtoul(text, NULL, 0) : usual;
}

#endif
