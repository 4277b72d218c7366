/* Random numbers for tests, and the seed that they come from.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dice.h"

#include <stdio.h>
#include <stdlib.h>

bool one_seed(void)
{
  return getenv("HD_SEED") != NULL;
}

uint64_t first_seed(void)
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

uint32_t n_streams(uint32_t usual)
{
  const char *text = getenv("HD_STREAMS");
  return one_seed() ? 1 : text ? (uint32_t)strtoul(text, NULL, 0) : usual;
}

uint32_t n_cases(uint32_t usual)
{
#ifdef __SANITIZE_ADDRESS__
  return usual / 4;
#else
  return usual;
#endif
}

struct dice dice_begin(const char *test, const char *binary)
{
  struct dice dice = {first_seed()};
  printf("%s: seed %llu; replay: HD_SEED=%llu build/opt/unit/%s\n", test,
         (unsigned long long)dice.state, (unsigned long long)dice.state, binary);
  return dice;
}

uint32_t roll(struct dice *dice, uint32_t n)
{
  return (uint32_t)(next_random(&dice->state) % n);
}
