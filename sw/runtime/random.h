/* Random numbers: xoshiro256**, seeded by splitmix64.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each node has a generator of its own, seeded from the run's seed and the rank. So the numbers of
 * one node never depend on how many another node draws.
 */
#ifndef HD_RANDOM_H
#define HD_RANDOM_H

#include <stdint.h>

struct hd_random {
  uint64_t s[4];
};

static inline uint64_t hd_splitmix(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline void hd_random_seed(struct hd_random *random, uint64_t seed, uint32_t stream)
{
  uint64_t state = seed;
  state = hd_splitmix(&state) ^ ((uint64_t)stream * UINT64_C(0xd1342543de82ef95));
  for (int i = 0; i < 4; i++)
    random->s[i] = hd_splitmix(&state);
}

static inline uint64_t hd_random_next(struct hd_random *random)
{
  uint64_t *s = random->s, x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = (s[3] << 45) | (s[3] >> 19);
  return result;
}

#endif
