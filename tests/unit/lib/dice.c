/* Random numbers for tests, and the seed that they come from.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dice.h"

#include "../../../cmodel/port_event.h"

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

uint64_t next_random(uint64_t *state)
{
  *state += UINT64_C(0x9e3779b97f4a7c15);
  return hd_mix64(*state);
}

uint32_t below(uint64_t *state, uint32_t n)
{
  return (uint32_t)(next_random(state) >> 33) % n;
}

bool chance(uint64_t *state, uint32_t per_mille)
{
  return below(state, 1000) < per_mille;
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
