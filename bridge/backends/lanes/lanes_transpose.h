/* Transposes a matrix of 64×64 bits: bit c of row r becomes bit r of row c.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blocks of 32×32 bits are exchanged first, then blocks of 16×16 bits within each, down to single
 * bits. If the processor has instructions that transpose blocks of 8×8 bits, these come first, and
 * the whole takes fewer than half as many instructions.
 */
#ifndef HD_LANES_TRANSPOSE_H
#define HD_LANES_TRANSPOSE_H

#include <stdint.h>
#include <string.h>
#if defined __GFNI__ && defined __AVX512VBMI__ && !defined HD_ROWS_AT_ONCE
#define HD_BY_BYTES /* instructions for blocks of 8×8 bits */
#include <immintrin.h>
#endif

typedef uint64_t hd_rows __attribute__((vector_size(64)));

#ifdef HD_BY_BYTES
/* Turns eight rows of 64 bits into eight blocks of 8×8 bits, or blocks into rows. A block is a word
 * whose bytes are its rows. `flip` 56 reverses the order of a block's rows, 0 keeps it. */
static inline __m512i hd_blocks(__m512i a, uint8_t flip)
{
  uint8_t from[64];
  for (unsigned i = 0; i < 64; i++)
    from[i] = (uint8_t)((i % 8 * 8 + i / 8) ^ flip);
  return _mm512_permutexvar_epi8(_mm512_loadu_si512(from), a);
}

/* Transposes blocks whose rows are in the opposite order: multiplies the unit matrix with each of
 * them. */
static inline __m512i hd_transpose_blocks(__m512i a)
{
  return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201), a, 0);
}

/* Reverses the bytes of each word. */
static inline __m512i hd_flip(__m512i a)
{
  uint8_t from[64];
  for (unsigned i = 0; i < 64; i++)
    from[i] = (uint8_t)(i ^ 7);
  return _mm512_permutexvar_epi8(_mm512_loadu_si512(from), a);
}

/* Chooses new words for a and b among the sixteen words of both: `low` selects those of a, `high`
 * those of b. */
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
  __m512i a[8]; /* stays in registers, because all loops are unrolled */
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
/* Rows that one vector of the processor holds. A test may set another number. */
#ifndef HD_ROWS_AT_ONCE
#ifdef __AVX2__
#define HD_ROWS_AT_ONCE 4
#else
#define HD_ROWS_AT_ONCE 2
#endif
#endif
typedef uint64_t hd_few_rows __attribute__((vector_size(HD_ROWS_AT_ONCE * 8)));

/* Exchanges the upper blocks of a, `bits` wide, with the lower blocks of b. `low` is the mask of
 * the lower blocks. */
static inline void hd_exchange_blocks(hd_few_rows *a, hd_few_rows *b, unsigned bits, uint64_t low)
{
  const hd_few_rows different = ((*a >> bits) ^ *b) & low;
  *a ^= different << bits;
  *b ^= different;
}

/* Exchanges blocks of single bits, and before them, if a vector has four rows, blocks of 2×2
 * bits. */
static inline void hd_exchange_small(hd_few_rows *a, hd_few_rows *b)
{
#if HD_ROWS_AT_ONCE == 4
  const hd_few_rows first = {0, 1, 4, 5}, last = {2, 3, 6, 7}, even = {0, 4, 2, 6},
                    odd = {1, 5, 3, 7};
  hd_few_rows c = __builtin_shuffle(*a, *b, first), d = __builtin_shuffle(*a, *b, last);
  hd_exchange_blocks(&c, &d, 2, 0x3333333333333333);
#else
  const hd_few_rows even = {0, 2}, odd = {1, 3};
  hd_few_rows c = *a, d = *b;
#endif
  hd_few_rows e = __builtin_shuffle(c, d, even), f = __builtin_shuffle(c, d, odd);
  hd_exchange_blocks(&e, &f, 1, 0x5555555555555555);
  c = __builtin_shuffle(e, f, even);
  d = __builtin_shuffle(e, f, odd);
#if HD_ROWS_AT_ONCE == 4
  *a = __builtin_shuffle(c, d, first);
  *b = __builtin_shuffle(c, d, last);
#else
  *a = c;
  *b = d;
#endif
}

/* The first loop exchanges blocks of 32×32 and 16×16 bits. The second one does all further rounds
 * for a quarter of the vectors, then for the next, so that the eight or four vectors of a quarter
 * stay in registers. */
static inline void hd_transpose(hd_rows rows[8])
{
  enum { N = 64 / HD_ROWS_AT_ONCE, QUARTER = N / 4 };
  hd_few_rows v[N];
  memcpy(v, rows, sizeof v);
  for (unsigned i = 0; i < QUARTER; i++) {
    hd_exchange_blocks(&v[i], &v[i + 2 * QUARTER], 32, 0xffffffff);
    hd_exchange_blocks(&v[i + QUARTER], &v[i + 3 * QUARTER], 32, 0xffffffff);
    hd_exchange_blocks(&v[i], &v[i + QUARTER], 16, 0x0000ffff0000ffff);
    hd_exchange_blocks(&v[i + 2 * QUARTER], &v[i + 3 * QUARTER], 16, 0x0000ffff0000ffff);
  }
  for (unsigned from = 0; from < N; from += QUARTER) {
    hd_few_rows *const w = &v[from];
    for (unsigned i = 0; i < QUARTER / 2; i++)
      hd_exchange_blocks(&w[i], &w[i + QUARTER / 2], 8, 0x00ff00ff00ff00ff);
    for (unsigned k = 0; k < QUARTER; k += QUARTER / 2)
      for (unsigned i = k; i < k + QUARTER / 4; i++)
        hd_exchange_blocks(&w[i], &w[i + QUARTER / 4], 4, 0x0f0f0f0f0f0f0f0f);
#if HD_ROWS_AT_ONCE == 2
    for (unsigned k = 0; k < QUARTER; k += 2)
      hd_exchange_blocks(&w[k], &w[k + 1], 2, 0x3333333333333333);
#endif
    for (unsigned k = 0; k < QUARTER; k += 2)
      hd_exchange_small(&w[k], &w[k + 1]);
  }
  memcpy(rows, v, sizeof v);
}
#endif

#endif
