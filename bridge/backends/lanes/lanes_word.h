/* Words with one bit of many switches: types of the lane code of a switch, and its memories.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled together with the code that lanes_write.c has written for a parameter set. A word has
 * HD_LANES lanes: 64, 128, 256 or 512. Lane l of a word is bit l % 64 of its part l / 64.
 */
#ifndef HD_LANES_WORD_H
#define HD_LANES_WORD_H

#include "lanes_transpose.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { HD_LANE_PARTS = HD_LANES / 64 };
#if HD_LANES == 64
typedef uint64_t hd_word;
#else
typedef uint64_t hd_word __attribute__((vector_size(HD_LANES / 8), may_alias));
#endif

/** Returns part k of a word. */
static inline uint64_t hd_word_part(const hd_word *word, unsigned k)
{
  return ((const uint64_t *)word)[k];
}
static inline void hd_word_put(hd_word *word, unsigned k, uint64_t bits)
{
  ((uint64_t *)word)[k] = bits;
}
static inline hd_word hd_word_all(void)
{
  return ~(hd_word){0};
}
static inline bool hd_word_some(const hd_word *word)
{
  uint64_t some = 0;
  for (unsigned k = 0; k < HD_LANE_PARTS; k++)
    some |= hd_word_part(word, k);
  return some != 0;
}

/** A memory in all lanes. That of lane l begins at bytes + l·lane_bytes, row by row. */
struct hd_lane_memory {
  unsigned char *bytes;
  size_t lane_bytes;
};
/** Sizes and initial content of a memory. They are equal in all lanes. */
struct hd_lane_shape {
  uint32_t rows, first_row, width, row_bytes;
  bool known;                /* the content at power-up is defined */
  const unsigned char *init; /* [rows·row_bytes], content at power-up; NULL: 0 */
};

/** The lane code of a switch. The words of the state are registers, then outputs that are not
 *  registers. Vectors that are not full leave unused words among the registers. */
struct hd_lane_code {
  uint32_t registers, state, temporaries, memories;
  const char *init;        /* [registers] of '0', '1', 'x': values at power-up */
  const uint32_t *outputs; /* by pin (lanes_pins.h): index of its word in the state */
  const struct hd_lane_shape *shapes;
  /** Computes the rising edge of the clock: `next` from the registers of `now` and the inputs.
   *  Memories are written only in the lanes of `writes`. now and next do not overlap. If no lane
   *  writes, reads or is reset, the caller sets the other inputs of the configuration port to 0. */
  void (*step)(const hd_word *now, hd_word *next, const hd_word *inputs, hd_word *temporaries,
               const struct hd_lane_memory *memories, const hd_word *writes);
  /** Computes the outputs that are not registers, from the registers and the inputs, and writes
   *  them into the state. NULL: there are none. */
  void (*show)(hd_word *state, const hd_word *inputs);
  /** Finds the lanes in which an output differs from `expected`, which is indexed by pin. Kind, vc
   *  and data of a port without a flit do not count, nor do data read from the configuration
   *  port. */
  void (*differ)(const hd_word *state, const hd_word *expected, hd_word *lanes);
};
extern const struct hd_lane_code hd_lane_code;

/* ── functions that the lane code calls ────────────────────────────────────── */

/* Returns the number that lane `lane` of part k has in `n` words. */
static inline uint64_t hd_lane_number(const hd_word *words, uint32_t n, unsigned k, unsigned lane)
{
  uint64_t number = 0;
#pragma GCC unroll 16 /* most memories have fewer columns and address bits */
  for (uint32_t i = 0; i < n; i++)
    number |= (hd_word_part(&words[i], k) >> lane & 1) << i;
  return number;
}

static inline unsigned char *hd_lane_row(const struct hd_lane_memory *memory,
                                         const struct hd_lane_shape *shape, unsigned lane,
                                         uint64_t address)
{
  const uint64_t row = address - shape->first_row;
  if (row >= shape->rows)
    return NULL;
  return memory->bytes + lane * memory->lane_bytes + row * shape->row_bytes;
}

#ifdef HD_BY_BYTES
/** Returns the mask of the words that are there: n, at most 8. */
static inline __mmask8 hd_lane_there(uint32_t n)
{
  return (__mmask8)(n < 8 ? (1u << n) - 1 : 255);
}

/* Load, and store, part k of up to eight words: of those that are `there`. */
static inline __m512i hd_lane_parts(const hd_word *words, __mmask8 there, unsigned k)
{
#if HD_LANES == 64
  return _mm512_maskz_loadu_epi64(there, words + k);
#else
  enum { P = HD_LANE_PARTS };
  const __m512i at = _mm512_setr_epi64(0, P, 2 * P, 3 * P, 4 * P, 5 * P, 6 * P, 7 * P);
  return _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, at, (const uint64_t *)words + k,
                                     sizeof(uint64_t));
#endif
}
static inline void hd_lane_put_parts(hd_word *words, __mmask8 there, unsigned k, __m512i parts)
{
#if HD_LANES == 64
  _mm512_mask_storeu_epi64(words + k, there, parts);
#else
  uint64_t bits[8];
  _mm512_storeu_si512(bits, parts);
  for (unsigned i = 0; i < 8; i++)
    if (there >> i & 1)
      hd_word_put(&words[i], k, bits[i]);
#endif
}

/* Reads bits `from` to from + 7 of each lane's row: a byte for each lane of `lanes` in part k.
 * addresses[i][lane] is byte i of the lane's address. */
static inline __m512i hd_lane_read_byte(const struct hd_lane_memory *memory,
                                        const struct hd_lane_shape *shape, uint8_t addresses[][64],
                                        uint32_t address_bits, uint64_t lanes, unsigned k,
                                        uint32_t from)
{
  uint8_t bytes[64] = {0};
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = (unsigned)__builtin_ctzll(lanes);
    uint64_t address = addresses[0][lane];
    for (uint32_t i = 8; i < address_bits; i += 8)
      address |= (uint64_t)addresses[i / 8][lane] << i;
    const unsigned char *row = hd_lane_row(memory, shape, k * 64 + lane, address);
    bytes[lane] = row ? row[from / 8] : 0;
  }
  return _mm512_loadu_si512(bytes);
}
#endif

/** Reads a row in the lanes of `enable`. A row that does not exist reads as 0. */
static inline void hd_lane_read(const struct hd_lane_memory *memory,
                                const struct hd_lane_shape *shape, const hd_word *address,
                                uint32_t address_bits, hd_word enable, hd_word *data)
{
#ifdef HD_BY_BYTES
  for (unsigned k = 0; k < HD_LANE_PARTS; k++) {
    const uint64_t lanes = hd_word_part(&enable, k);
    const __m512i mask = _mm512_set1_epi64((long long)lanes);
    uint8_t addresses[8][64];
    for (uint32_t i = 0; lanes && i < address_bits; i += 8)
      _mm512_storeu_si512(addresses[i / 8],
                          hd_transpose_blocks(hd_blocks(
                              hd_lane_parts(address + i, hd_lane_there(address_bits - i), k), 56)));
    for (uint32_t from = 0; lanes && from < shape->width; from += 8) {
      const __mmask8 there = hd_lane_there(shape->width - from);
      const __m512i bytes =
          hd_lane_read_byte(memory, shape, addresses, address_bits, lanes, k, from);
      const __m512i bits = hd_blocks(hd_transpose_blocks(hd_flip(bytes)), 0);
      const __m512i old = hd_lane_parts(data + from, there, k);
      hd_lane_put_parts(data + from, there, k, _mm512_ternarylogic_epi64(mask, bits, old, 0xca));
    }
  }
  return;
#endif
  for (unsigned k = 0; k < HD_LANE_PARTS; k++) {
    const uint64_t lanes = hd_word_part(&enable, k);
    if (!lanes)
      continue;
#pragma GCC unroll 16
    for (uint32_t i = 0; i < shape->width; i++)
      hd_word_put(&data[i], k, hd_word_part(&data[i], k) & ~lanes);
    for (uint64_t left = lanes; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      const unsigned char *row =
          hd_lane_row(memory, shape, k * 64 + lane, hd_lane_number(address, address_bits, k, lane));
      for (uint32_t from = 0; row && from < shape->width; from += 64) {
        const uint32_t n = shape->width - from < 64 ? shape->width - from : 64;
        uint64_t value = 0;
        memcpy(&value, row + from / 8, shape->row_bytes < 8 ? shape->row_bytes : 8);
#pragma GCC unroll 16
        for (uint32_t i = 0; i < n; i++)
          hd_word_put(&data[from + i], k,
                      hd_word_part(&data[from + i], k) | (value >> i & 1) << lane);
      }
    }
  }
}

/** Changes read data by a write of the same cycle to the same address, in the lanes of `enable`. */
static inline void hd_lane_forward(const hd_word *address, const hd_word *write_address,
                                   uint32_t address_bits, hd_word enable, const hd_word *write,
                                   const hd_word *write_enable, uint32_t width, hd_word *data)
{
  for (uint32_t i = 0; i < address_bits; i++)
    enable &= ~(address[i] ^ write_address[i]);
  for (uint32_t i = 0; i < width; i++)
    data[i] ^= (data[i] ^ write[i]) & enable & write_enable[i];
}

/** Writes bit i of a row in the lanes that are in write_enable[i] and in `lanes`. */
static inline void hd_lane_write(const struct hd_lane_memory *memory,
                                 const struct hd_lane_shape *shape, const hd_word *address,
                                 uint32_t address_bits, const hd_word *write,
                                 const hd_word *write_enable, hd_word lanes)
{
  hd_word some = {0};
  for (uint32_t i = 0; i < shape->width; i++)
    some |= write_enable[i];
  some &= lanes;
  for (unsigned k = 0; k < HD_LANE_PARTS; k++)
    for (uint64_t left = hd_word_part(&some, k); left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctzll(left);
      unsigned char *row =
          hd_lane_row(memory, shape, k * 64 + lane, hd_lane_number(address, address_bits, k, lane));
      for (uint32_t from = 0; row && from < shape->width; from += 64) {
        const uint32_t n = shape->width - from < 64 ? shape->width - from : 64;
        const size_t bytes = shape->row_bytes < 8 ? shape->row_bytes : 8;
        const uint64_t mask = hd_lane_number(write_enable + from, n, k, lane);
        uint64_t value = 0;
        memcpy(&value, row + from / 8, bytes);
        value = (value & ~mask) | (hd_lane_number(write + from, n, k, lane) & mask);
        memcpy(row + from / 8, &value, bytes);
      }
    }
}

#endif
