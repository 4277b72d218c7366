/* Frames of the board link: escapes contents to bytes on the line, and back (specification §9.1).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_frame.h"

#include <zlib.h>

enum { FLAG = 0x7e, ESCAPE = 0x7d, TURN = 0x20 };

static size_t put_escaped(uint8_t *wire, size_t at, uint8_t byte)
{
  if (byte == FLAG || byte == ESCAPE) {
    wire[at++] = ESCAPE;
    byte ^= TURN;
  }
  wire[at++] = byte;
  return at;
}

size_t hd_frame_put(uint8_t *wire, const uint8_t *content, size_t n)
{
  uint32_t crc = (uint32_t)crc32(0, content, (uInt)n);
  size_t at = 0;
  wire[at++] = FLAG;
  for (size_t i = 0; i < n; i++)
    at = put_escaped(wire, at, content[i]);
  for (unsigned i = 0; i < 4; i++)
    at = put_escaped(wire, at, (uint8_t)(crc >> 8 * i));
  wire[at++] = FLAG;
  return at;
}

static bool is_good(const struct hd_frame_reader *r, size_t *n)
{
  if (r->wrong || r->escape || r->length < HD_FRAME_HEADER + 4 || r->length > sizeof r->content)
    return false;
  *n = r->length - 4;
  return hd_frame_number(r->content + *n, 4) == (uint32_t)crc32(0, r->content, (uInt)*n);
}

bool hd_frame_take(struct hd_frame_reader *r, uint8_t byte, size_t *n)
{
  if (byte == FLAG) {
    bool some = r->length || r->escape || r->wrong;
    bool good = some && is_good(r, n);
    r->bad += some && !good;
    r->length = 0;
    r->escape = r->wrong = false;
    return good;
  }
  if (r->escape && byte != (FLAG ^ TURN) && byte != (ESCAPE ^ TURN))
    r->wrong = true;
  if (byte == ESCAPE) {
    r->escape = true;
    return false;
  }
  if (r->escape)
    byte ^= TURN;
  r->escape = false;
  if (r->length < sizeof r->content)
    r->content[r->length] = byte;
  if (r->length <= sizeof r->content)
    r->length++;
  return false;
}
