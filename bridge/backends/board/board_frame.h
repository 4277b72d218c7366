/* Frames of the board link: escapes contents to bytes on the line, and back (specification §9.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_FRAME_H
#define HD_BOARD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HD_FRAME_HEADER = 4,                                   /* seq, op, epoch */
  HD_FRAME_PAYLOAD = 500,                                /* bytes at most */
  HD_FRAME_CONTENT = HD_FRAME_HEADER + HD_FRAME_PAYLOAD, /* without CRC */
  HD_FRAME_WIRE = 2 + 2 * (HD_FRAME_CONTENT + 4),        /* bytes on the line at most */
};

/** Writes the frame of content[n], 4 <= n <= HD_FRAME_CONTENT, to wire[HD_FRAME_WIRE]. Adds the
 *  CRC. Returns the frame's length in bytes. */
size_t hd_frame_put(uint8_t *wire, const uint8_t *content, size_t n);

/** Reads the number in bytes[n], n <= 4, lowest byte first. */
static inline uint32_t hd_frame_number(const uint8_t *bytes, unsigned n)
{
  uint32_t value = 0;
  for (unsigned i = 0; i < n; i++)
    value |= (uint32_t)bytes[i] << 8 * i;
  return value;
}

/** The part of a frame that has been received. Begins zeroed. */
struct hd_frame_reader {
  uint8_t content[HD_FRAME_CONTENT + 4];
  uint32_t length;    /* bytes of content and CRC; above sizeof content: the frame is too long */
  bool escape, wrong; /* the last byte was 0x7D; a byte was badly escaped */
  uint64_t bad;       /* number of bad frames so far */
};

/** Takes the line's next byte. True: a good frame is complete, with *n bytes of content without
 *  CRC. They stay valid until the next call. */
bool hd_frame_take(struct hd_frame_reader *reader, uint8_t byte, size_t *n);

#endif
