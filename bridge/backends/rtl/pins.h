// Reads and writes lanes of a Verilated port vector, whatever type Verilator has given it.
// SPDX-License-Identifier: Apache-2.0
//
// Verilator keeps a port of up to 8, 16, 32, 64 bits in an unsigned integer and a wider
// one in an array of 32-bit words, lowest first. On a little-endian host bit i of any of
// them is bit i%8 of byte i/8, and that is all this file uses.
#ifndef HD_PINS_H
#define HD_PINS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pins are addressed as bytes");

namespace hd
{

__extension__ typedef unsigned __int128 u128;

// Write, and read, lane `index` of a port vector. A lane has LANE_W bits, at most 64.
template <unsigned LANE_W, typename Vector>
inline void lane_write(Vector &vector, unsigned index, uint64_t value)
{
  static_assert(LANE_W >= 1 && LANE_W <= 64, "lane width");
  unsigned char *const bytes = reinterpret_cast<unsigned char *>(&vector);
  if constexpr (LANE_W % 8 == 0) {
    std::memcpy(bytes + index * (LANE_W / 8), &value, LANE_W / 8);
  } else if constexpr (sizeof(Vector) <= 8) {
    const uint64_t mask = (UINT64_C(1) << LANE_W) - 1;
    const unsigned shift = index * LANE_W;
    uint64_t all = vector;
    all = (all & ~(mask << shift)) | ((value & mask) << shift);
    vector = static_cast<Vector>(all);
  } else {
    static_assert(LANE_W < 8, "wider lanes are whole bytes");
    constexpr unsigned mask = (1u << LANE_W) - 1;
    const unsigned first = index * LANE_W / 8, shift = index * LANE_W % 8;
    const bool two = shift + LANE_W > 8; // the lane is in two bytes
    uint16_t all = 0;
    std::memcpy(&all, bytes + first, two ? 2 : 1);
    all = static_cast<uint16_t>((all & ~(mask << shift)) | (value & mask) << shift);
    std::memcpy(bytes + first, &all, two ? 2 : 1);
  }
}

template <unsigned LANE_W, typename Vector>
inline uint64_t lane_read(const Vector &vector, unsigned index)
{
  if constexpr (LANE_W % 8 == 0) {
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const unsigned char *>(&vector) + index * (LANE_W / 8),
                LANE_W / 8);
    return value;
  } else if constexpr (sizeof(Vector) <= 8) {
    return (static_cast<uint64_t>(vector) >> (index * LANE_W)) & ((UINT64_C(1) << LANE_W) - 1);
  } else {
    const unsigned char *const bytes = reinterpret_cast<const unsigned char *>(&vector);
    const unsigned first = index * LANE_W / 8, shift = index * LANE_W % 8;
    unsigned all = bytes[first];
    if (shift + LANE_W > 8)
      all |= static_cast<unsigned>(bytes[first + 1]) << 8;
    return all >> shift & ((1u << LANE_W) - 1);
  }
}

// A number with more bits than an integer type has.
template <unsigned BITS> struct wide {
  uint64_t words[(BITS + 63) / 64];
};

// Type of a number that has all bits of a vector of up to BITS bits.
template <unsigned BITS>
using bits_t =
    std::conditional_t<(BITS > 128), wide<BITS>, std::conditional_t<(BITS > 64), u128, uint64_t>>;

template <unsigned BITS, typename Vector> inline bits_t<BITS> vector_read(const Vector &vector)
{
  bits_t<BITS> all{};
  std::memcpy(&all, &vector, sizeof vector < sizeof all ? sizeof vector : sizeof all);
  return all;
}

template <unsigned BITS, typename Vector> inline void vector_write(Vector &vector, bits_t<BITS> all)
{
  static_assert(sizeof vector <= sizeof all, "vector is wider than its bits");
  std::memcpy(&vector, &all, sizeof vector);
}

inline unsigned lowest_bit(uint64_t bits)
{
  return static_cast<unsigned>(__builtin_ctzll(bits));
}
inline unsigned lowest_bit(u128 bits)
{
  const uint64_t low = static_cast<uint64_t>(bits);
  return low ? lowest_bit(low) : 64 + lowest_bit(static_cast<uint64_t>(bits >> 64));
}
template <unsigned BITS> inline unsigned lowest_bit(const wide<BITS> &bits)
{
  unsigned word = 0;
  while (!bits.words[word])
    word++;
  return 64 * word + lowest_bit(bits.words[word]);
}

template <typename Bits> inline bool some(const Bits &bits)
{
  return bits != 0;
}
template <unsigned BITS> inline bool some(const wide<BITS> &bits)
{
  uint64_t any = 0;
  for (const uint64_t word : bits.words)
    any |= word;
  return any != 0;
}

// put_bits sets the bits of `value`, at most 8, from bit `at` on. take_bits returns WIDTH bits and
// clears them.
template <typename Bits> inline void put_bits(Bits &bits, unsigned at, unsigned value)
{
  bits |= static_cast<Bits>(value) << at;
}
template <unsigned BITS> inline void put_bits(wide<BITS> &bits, unsigned at, unsigned value)
{
  bits.words[at / 64] |= static_cast<uint64_t>(value) << at % 64;
  if (at % 64 > 56 && at / 64 + 1 < (BITS + 63) / 64)
    bits.words[at / 64 + 1] |= static_cast<uint64_t>(value) >> (64 - at % 64);
}
template <unsigned WIDTH, typename Bits> inline unsigned take_bits(Bits &bits, unsigned at)
{
  const unsigned value = static_cast<unsigned>(bits >> at) & ((1u << WIDTH) - 1);
  bits &= ~(static_cast<Bits>((1u << WIDTH) - 1) << at);
  return value;
}
template <unsigned WIDTH, unsigned BITS> inline unsigned take_bits(wide<BITS> &bits, unsigned at)
{
  unsigned value = 0;
  for (unsigned i = 0; i < WIDTH; i++) {
    uint64_t &word = bits.words[(at + i) / 64];
    value |= static_cast<unsigned>(word >> (at + i) % 64 & 1) << i;
    word &= ~(UINT64_C(1) << (at + i) % 64);
  }
  return value;
}

} // namespace hd

#endif
