/* Packs and unpacks the envelope and the payload of a packet.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "envelope.h"

uint64_t hd_envelope_pack(const struct hd_envelope *e)
{
  return (uint64_t)e->source | (uint64_t)e->tag << 11 | (uint64_t)e->last << 23 |
         (uint64_t)e->padding << 24 | (uint64_t)e->sequence << 27 | (uint64_t)e->packet << 44;
}

void hd_envelope_unpack(struct hd_envelope *e, uint64_t bits)
{
  *e = (struct hd_envelope){
      .source = (uint32_t)(bits & 0x7ff),
      .tag = (uint32_t)(bits >> 11 & 0xfff),
      .last = bits >> 23 & 1,
      .padding = (uint32_t)(bits >> 24 & 7),
      .sequence = (uint32_t)(bits >> 27 & (HD_MESSAGE_SEQUENCES - 1)),
      .packet = (uint32_t)(bits >> 44),
  };
}

uint32_t hd_packet_words(uint32_t data_bits, uint32_t n)
{
  uint32_t word_bytes = data_bits / 8;
  return 64 / data_bits + (n + word_bytes - 1) / word_bytes;
}

static uint32_t padding_bits(uint32_t data_bits, uint32_t n)
{
  uint32_t word_bytes = data_bits / 8;
  return (word_bytes - n % word_bytes) % word_bytes;
}

void hd_packet_write(uint64_t *words, uint32_t data_bits, struct hd_envelope envelope,
                     const unsigned char *bytes, uint32_t n)
{
  uint32_t word_bytes = data_bits / 8;
  envelope.padding = padding_bits(data_bits, n);
  uint64_t bits = hd_envelope_pack(&envelope);
  for (uint32_t shift = 0; shift < 64; shift += data_bits)
    *words++ = data_bits == 64 ? bits : bits >> shift & ((UINT64_C(1) << data_bits) - 1);
  for (uint32_t i = 0; i < n; i += word_bytes) {
    uint64_t word = 0;
    for (uint32_t j = 0; j < word_bytes && i + j < n; j++)
      word |= (uint64_t)bytes[i + j] << (8 * j);
    *words++ = word;
  }
}

enum hd_packet_fault hd_packet_read(const uint64_t *words, uint32_t n_words, uint32_t data_bits,
                                    struct hd_envelope *envelope, uint32_t *n)
{
  uint32_t word_bytes = data_bits / 8, envelope_words = 64 / data_bits;
  if (n_words < envelope_words)
    return HD_PACKET_SHORT;
  if (data_bits < 64)
    for (uint32_t i = 0; i < n_words; i++)
      if (words[i] >> data_bits)
        return HD_PACKET_WIDE;
  uint64_t bits = 0;
  for (uint32_t i = 0; i < envelope_words; i++)
    bits |= words[i] << (i * data_bits);
  hd_envelope_unpack(envelope, bits);
  uint32_t share = n_words - envelope_words;
  if (envelope->padding >= word_bytes || (envelope->padding && !share))
    return HD_PACKET_SHORT;
  *n = share * word_bytes - envelope->padding;
  if (envelope->padding && words[n_words - 1] >> (8 * (word_bytes - envelope->padding)))
    return HD_PACKET_PADDING;
  return HD_PACKET_FINE;
}

void hd_packet_bytes(const uint64_t *words, uint32_t data_bits, unsigned char *bytes, uint32_t n)
{
  uint32_t word_bytes = data_bits / 8;
  words += 64 / data_bits;
  for (uint32_t i = 0; i < n; i++)
    bytes[i] = (unsigned char)(words[i / word_bytes] >> (8 * (i % word_bytes)));
}
