/* A matrix of 64×64 bits, transposed: bit c of row r becomes bit r of row c.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of 32×32 bits change places first, then those of 16×16 in each, down to single bits. Rows are in
 * vectors of eight, so the last three of the six rounds are within vectors.
 */
#ifndef HD_LANES_TRANSPOSE_H
#define HD_LANES_TRANSPOSE_H

#include <stdint.h>
#include <string.h>

typedef uint64_t hd_rows __attribute__((vector_size(64)));

/* Blocks of which one is in vector a and the other in b. */
static inline void hd_exchange_blocks(hd_rows *a, hd_rows *b, unsigned bits, uint64_t low)
{
  const hd_rows different = ((*a >> bits) ^ *b) & low;
  *a ^= different << bits;
  *b ^= different;
}

/* Blocks within a vector, whose rows come in the order `from`. `left` says by how much a row is turned, `keep` what
 * of it stays. */
static inline void hd_exchange_within(hd_rows *a, const hd_rows *from, const hd_rows *left,
                                      const hd_rows *keep)
{
  const hd_rows other = __builtin_shuffle(*a, *from);
  const hd_rows turned = other << *left | other >> (64 - *left);
  *a = (*a & *keep) | (turned & ~*keep);
}

static inline void hd_transpose(hd_rows rows[8])
{
  const uint64_t low4 = 0x0f0f0f0f0f0f0f0f, low2 = 0x3333333333333333, low1 = 0x5555555555555555;
  const hd_rows from4 = {4, 5, 6, 7, 0, 1, 2, 3}, left4 = {4, 4, 4, 4, 60, 60, 60, 60},
                keep4 = {low4, low4, low4, low4, ~low4, ~low4, ~low4, ~low4},
                from2 = {2, 3, 0, 1, 6, 7, 4, 5}, left2 = {2, 2, 62, 62, 2, 2, 62, 62},
                keep2 = {low2, low2, ~low2, ~low2, low2, low2, ~low2, ~low2},
                from1 = {1, 0, 3, 2, 5, 4, 7, 6}, left1 = {1, 63, 1, 63, 1, 63, 1, 63},
                keep1 = {low1, ~low1, low1, ~low1, low1, ~low1, low1, ~low1};
  for (unsigned i = 0; i < 4; i++)
    hd_exchange_blocks(&rows[i], &rows[i + 4], 32, 0xffffffff);
  for (unsigned i = 0; i < 8; i += i & 1 ? 3 : 1)
    hd_exchange_blocks(&rows[i], &rows[i + 2], 16, 0x0000ffff0000ffff);
  for (unsigned i = 0; i < 8; i += 2)
    hd_exchange_blocks(&rows[i], &rows[i + 1], 8, 0x00ff00ff00ff00ff);
  for (unsigned i = 0; i < 8; i++) {
    hd_exchange_within(&rows[i], &from4, &left4, &keep4);
    hd_exchange_within(&rows[i], &from2, &left2, &keep2);
    hd_exchange_within(&rows[i], &from1, &left1, &keep1);
  }
}

#endif
