// Lanes of a Verilated port vector, whatever type Verilator chose for its width.
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

// Lane `index` of LANE_W bits (at most 64) of a port vector.
template <unsigned LANE_W, typename Vector>
inline void lane_write(Vector &vector, unsigned index, uint64_t value)
{
  static_assert(LANE_W >= 1 && LANE_W <= 64, "lane width");
  unsigned char *const bytes = reinterpret_cast<unsigned char *>(&vector);
  if constexpr (LANE_W % 8 == 0) {
    std::memcpy(bytes + index * (LANE_W / 8), &value, LANE_W / 8);
  } else {
    static_assert(sizeof(Vector) <= 8, "narrow lanes are in vectors of at most 64 bits");
    const uint64_t mask = (UINT64_C(1) << LANE_W) - 1;
    const unsigned shift = index * LANE_W;
    uint64_t all = vector;
    all = (all & ~(mask << shift)) | ((value & mask) << shift);
    vector = static_cast<Vector>(all);
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
  } else {
    return (static_cast<uint64_t>(vector) >> (index * LANE_W)) & ((UINT64_C(1) << LANE_W) - 1);
  }
}

// A whole vector of at most BITS bits as one number and back.
template <unsigned BITS> using bits_t = std::conditional_t<(BITS > 64), u128, uint64_t>;

template <unsigned BITS, typename Vector> inline bits_t<BITS> vector_read(const Vector &vector)
{
  bits_t<BITS> all = 0;
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

} // namespace hd

#endif
