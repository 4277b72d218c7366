/* Envelope: the first 64 bits of the payload of every packet of a message.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They follow the header flit, low bits first, in words of data_bits (specification §4.3): 4, 2 or
 * 1 words of 16, 32 or 64 bits.
 *
 *   [10:0]   source rank
 *   [22:11]  tag
 *   [23]     last packet of the message
 *   [26:24]  bytes of padding at the end of the packet's last word
 *   [43:27]  sequence: number of the message among those of its source and destination
 *   [63:44]  packet: number of the packet in its message
 *
 * The packet's part of the message follows, little-endian, padded with zero bytes to a whole word.
 * All packets but the last carry the world's packet_bytes, so the length of the message follows
 * from the last one. A message of 0 bytes is one packet that has only the envelope.
 */
#ifndef HD_ENVELOPE_H
#define HD_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HD_MESSAGE_MAX_BYTES = 1 << 20,
  HD_MESSAGE_TAGS = 1 << 12,
  /** the source rank of an envelope has 11 bits; more nodes can send only packets without an
   *  envelope */
  HD_MESSAGE_NODES = 1 << 11,
  HD_MESSAGE_SEQUENCES = 1 << 17,
  /** Limits of the messages of one rank that are on their way, so that software that sends without
   *  end takes no more memory: their number, and their bytes (a single message may have more). The
   *  number is far below half of the sequence numbers, so that an old packet is never taken for a
   *  new one. */
  HD_MESSAGE_WINDOW = 1 << 12,
  HD_MESSAGE_WINDOW_BYTES = 1 << 24,
};

struct hd_envelope {
  uint32_t source, tag, padding, sequence, packet;
  bool last;
};

uint64_t hd_envelope_pack(const struct hd_envelope *envelope);
void hd_envelope_unpack(struct hd_envelope *envelope, uint64_t bits);

/** Returns the payload words of a packet with `n` bytes of a message, envelope included. */
uint32_t hd_packet_words(uint32_t data_bits, uint32_t n);

/** Writes a packet's payload, padding included, to words[hd_packet_words(data_bits, n)]. Sets the
 *  envelope's padding field. */
void hd_packet_write(uint64_t *words, uint32_t data_bits, struct hd_envelope envelope,
                     const unsigned char *bytes, uint32_t n);

enum hd_packet_fault {
  HD_PACKET_FINE,
  HD_PACKET_SHORT,   /* too short for its envelope, or for the padding that it names */
  HD_PACKET_WIDE,    /* a word has bits above data_bits */
  HD_PACKET_PADDING, /* a byte of padding is not 0 */
};

/** Reads a packet's envelope, and the number of message bytes that follow it. */
enum hd_packet_fault hd_packet_read(const uint64_t *words, uint32_t n_words, uint32_t data_bits,
                                    struct hd_envelope *envelope, uint32_t *n);

/** Copies the `n` message bytes of a packet for which hd_packet_read returned HD_PACKET_FINE. */
void hd_packet_bytes(const uint64_t *words, uint32_t data_bits, unsigned char *bytes, uint32_t n);

#endif
