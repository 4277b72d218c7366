// Packets of a Heddle fabric in SystemC: how a transaction looks on the wires.
// SPDX-License-Identifier: Apache-2.0
#ifndef HEDDLE_PACKET_H
#define HEDDLE_PACKET_H

#include "../backends/rtl/switch_pins.h"

#include <cstring>
#include <tlm>
#include <vector>

namespace heddle
{

/** History of a packet. A delivered transaction carries it. Add one to your own transaction, and
 *  the fabric fills it in. */
struct packet_info : tlm::tlm_extension<packet_info> {
  uint32_t source = 0, destination = 0, flits = 0;
  uint64_t injected = 0; // cycle in which the packet was given to the interface (§4.4)
  uint64_t received = 0; // cycle in which its tail was at the interface's pins
  tlm::tlm_extension_base *clone() const override
  {
    return new packet_info(*this);
  }
  void copy_from(const tlm::tlm_extension_base &from) override
  {
    const packet_info &other = static_cast<const packet_info &>(from);
    source = other.source;
    destination = other.destination;
    flits = other.flits;
    injected = other.injected;
    received = other.received;
  }
};

/** The address at an `inject` socket: the destination node in the upper bits, the target's own
 *  address in the lower ones. */
inline uint64_t address(uint32_t node, uint32_t offset)
{
  return uint64_t{node} << 32 | offset;
}

/** Header in front of the data of a packet, by which the fabric finds the transaction again. */
struct envelope {
  uint32_t sequence = 0, offset = 0;
  uint16_t source = 0, bytes = 0;
};
static_assert(sizeof(envelope) == 12, "an envelope has no padding");

constexpr unsigned WORD_BYTES = DATA_W / 8;

/** Flits of a packet with `bytes` bytes of data, header included. */
inline uint32_t packet_flits(size_t bytes)
{
  return static_cast<uint32_t>(1 + (sizeof(envelope) + bytes + WORD_BYTES - 1) / WORD_BYTES);
}

/** The packet's words: `header`, then envelope and data, lowest byte first, padded with zeros. */
inline std::vector<uint64_t> packet_words(uint64_t header, const envelope &e,
                                          const unsigned char *data)
{
  std::vector<unsigned char> bytes((packet_flits(e.bytes) - 1) * size_t{WORD_BYTES});
  std::memcpy(bytes.data(), &e, sizeof e);
  std::memcpy(bytes.data() + sizeof e, data, e.bytes);
  std::vector<uint64_t> words = {header};
  for (size_t at = 0; at < bytes.size(); at += WORD_BYTES) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, WORD_BYTES);
    words.push_back(word);
  }
  return words;
}

/** Reads envelope and data back. False: packet_words did not make this packet. */
inline bool packet_read(const std::vector<uint64_t> &words, envelope &e,
                        std::vector<unsigned char> &data)
{
  std::vector<unsigned char> bytes((words.size() - 1) * WORD_BYTES);
  for (size_t i = 1; i < words.size(); i++)
    std::memcpy(bytes.data() + (i - 1) * WORD_BYTES, &words[i], WORD_BYTES);
  if (bytes.size() < sizeof e)
    return false;
  std::memcpy(&e, bytes.data(), sizeof e);
  if (packet_flits(e.bytes) != words.size())
    return false;
  data.assign(bytes.begin() + sizeof e, bytes.begin() + sizeof e + e.bytes);
  return true;
}

} // namespace heddle

#endif
