/* A matrix of 64×64 bits, transposed: bit c of row r becomes bit r of row c.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rows are in vectors of eight. Blocks of 32×32 bits change places first, then those of 16×16 in each, down to single
 * bits, so the last three of the six rounds are within vectors. A processor with instructions for it transposes all
 * blocks of 8×8 bits first, which takes fewer than half as many.
 */
#ifndef HD_LANES_TRANSPOSE_H
#define HD_LANES_TRANSPOSE_H

#include <stdint.h>
#include <string.h>
#if defined __GFNI__ && defined __AVX512VBMI__
#include <immintrin.h>
#endif

typedef uint64_t hd_rows __attribute__((vector_size(64)));

#if defined __GFNI__ && defined __AVX512VBMI__
/* A vector's eight blocks of 8×8 bits, each a word whose bytes are rows, become eight rows, or the other way round.
 * `flip` is 0, or 56 where rows come in the opposite order. */
static inline __m512i hd_blocks(__m512i a, uint8_t flip)
{
  uint8_t from[64];
  for (unsigned i = 0; i < 64; i++)
    from[i] = (uint8_t)((i % 8 * 8 + i / 8) ^ flip);
  return _mm512_permutexvar_epi8(_mm512_loadu_si512(from), a);
}

/* Transposes blocks, whose rows come in the opposite order, by multiplying a matrix of units with each. */
static inline __m512i hd_transpose_blocks(__m512i a)
{
  return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201), a, 0);
}

/* The bytes of each word the other way round. */
static inline __m512i hd_flip(__m512i a)
{
  uint8_t from[64];
  for (unsigned i = 0; i < 64; i++)
    from[i] = (uint8_t)(i ^ 7);
  return _mm512_permutexvar_epi8(_mm512_loadu_si512(from), a);
}

/* Words from which `low` and `high` choose those of a and b. */
static inline void hd_exchange_words(__m512i *a, __m512i *b, __m512i low, __m512i high)
{
  const __m512i first = _mm512_permutex2var_epi64(*a, low, *b);
  *b = _mm512_permutex2var_epi64(*a, high, *b);
  *a = first;
}

static inline void hd_transpose(hd_rows rows[8])
{
  const __m512i low4 = _mm512_setr_epi64(0, 1, 2, 3, 8, 9, 10, 11),
                high4 = _mm512_setr_epi64(4, 5, 6, 7, 12, 13, 14, 15),
                low2 = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                high2 = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15),
                low1 = _mm512_setr_epi64(0, 8, 2, 10, 4, 12, 6, 14),
                high1 = _mm512_setr_epi64(1, 9, 3, 11, 5, 13, 7, 15);
  __m512i a[8]; /* in registers, as nothing here is a loop after unrolling */
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8; i++)
    a[i] = hd_transpose_blocks(hd_blocks((__m512i)rows[i], 56));
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; i++)
    hd_exchange_words(&a[i], &a[i + 4], low4, high4);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; i++)
    hd_exchange_words(&a[i + i / 2 * 2], &a[i + i / 2 * 2 + 2], low2, high2);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; i++)
    hd_exchange_words(&a[2 * i], &a[2 * i + 1], low1, high1);
#pragma GCC unroll 8
  for (unsigned i = 0; i < 8; i++)
    rows[i] = (hd_rows)hd_blocks(a[i], 0);
}
#else
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

#endif
