/* Cuts the panes of names and waves out of a picture of GTKWave's window.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the panes are is a matter of fonts and themes. They are found by what GTKWave draws: waves on black, names to the
 * left of it, a grey head above the names.
 */
#include "picture_crop.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { CHANNELS = 3, HEAD_BYTES = 8, CHUNK_BYTES = 12, MOST_PIXELS = 1 << 26 };
enum { RGB = 2, RGBA = 6 }; /* colour types */
static const unsigned char head[HEAD_BYTES] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

struct picture {
  uint32_t width, height;
  unsigned char *rgb; /* [height][width][CHANNELS] */
};

struct box {
  uint32_t left, top, right, bottom; /* the last two are outside */
};

static uint32_t number(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_number(unsigned char *at, uint32_t value)
{
  for (unsigned i = 0; i < 4; i++)
    at[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* ── reading ───────────────────────────────────────────────────────────────── */

static unsigned char paeth(unsigned char left, unsigned char up, unsigned char corner)
{
  const int p = left + up - corner, a = abs(p - left), b = abs(p - up), c = abs(p - corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* Undoes the filter of a line; `above` is the line before it. False: no such filter. */
static bool unfilter(unsigned char *line, const unsigned char *above, size_t bytes, size_t step,
                     unsigned filter)
{
  for (size_t i = 0; i < bytes; i++) {
    const unsigned char left = i < step ? 0 : line[i - step], up = above[i],
                        corner = i < step ? 0 : above[i - step];
    const unsigned add = filter == 0   ? 0
                         : filter == 1 ? left
                         : filter == 2 ? up
                         : filter == 3 ? (left + up) / 2u
                                       : paeth(left, up, corner);
    line[i] = (unsigned char)(line[i] + add);
  }
  return filter <= 4;
}

/* Makes colours of the lines with their filters. */
static bool decode(struct picture *p, unsigned char *lines, size_t step)
{
  const size_t bytes = p->width * step;
  unsigned char *none = calloc(1, bytes);
  bool good = none != NULL;
  for (uint32_t y = 0; good && y < p->height; y++) {
    unsigned char *line = lines + y * (bytes + 1);
    good = unfilter(line + 1, y == 0 ? none : line - bytes, bytes, step, line[0]);
    for (uint32_t x = 0; good && x < p->width; x++)
      memcpy(p->rgb + ((size_t)y * p->width + x) * CHANNELS, line + 1 + x * step, CHANNELS);
  }
  free(none);
  return good;
}

/* Puts the compressed bytes of all chunks together, in `packed`; returns how many. */
static size_t gather(const unsigned char *png, size_t length, unsigned char *packed)
{
  size_t n = 0;
  for (size_t at = HEAD_BYTES; at + CHUNK_BYTES <= length;) {
    const size_t bytes = number(png + at);
    if (bytes > length - at - CHUNK_BYTES)
      break;
    if (memcmp(png + at + 4, "IDAT", 4) == 0) {
      memcpy(packed + n, png + at + 8, bytes);
      n += bytes;
    }
    at += bytes + CHUNK_BYTES;
  }
  return n;
}

static bool read_png(struct picture *p, const unsigned char *png, size_t length)
{
  enum { HEADER = HEAD_BYTES + 8 }; /* its bytes */
  if (length < HEADER + 13 + 4 || memcmp(png, head, sizeof head) != 0)
    return false;
  p->width = number(png + HEADER);
  p->height = number(png + HEADER + 4);
  const unsigned depth = png[HEADER + 8], colours = png[HEADER + 9], interlaced = png[HEADER + 12];
  const size_t step = colours == RGBA ? 4 : CHANNELS;
  if (p->width == 0 || p->height == 0 || p->width > MOST_PIXELS / p->height || depth != 8 ||
      (colours != RGB && colours != RGBA) || interlaced)
    return false;
  uLongf bytes = (uLongf)(p->width * step + 1) * p->height;
  unsigned char *packed = malloc(length), *lines = malloc(bytes);
  p->rgb = malloc((size_t)p->width * p->height * CHANNELS);
  const bool good = packed != NULL && lines != NULL && p->rgb != NULL &&
                    uncompress(lines, &bytes, packed, gather(png, length, packed)) == Z_OK &&
                    bytes == (p->width * step + 1) * p->height && decode(p, lines, step);
  free(packed);
  free(lines);
  return good;
}

/* ── looking ───────────────────────────────────────────────────────────────── */

static uint32_t colour(const struct picture *p, uint32_t x, uint32_t y)
{
  const unsigned char *at = p->rgb + ((size_t)y * p->width + x) * CHANNELS;
  return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

/* Is more than half of a line of the box black? `row`: of row `at`, otherwise of column `at`. */
static bool is_black(const struct picture *p, const struct box *b, bool row, uint32_t at)
{
  const uint32_t from = row ? b->left : b->top, to = row ? b->right : b->bottom;
  uint32_t black = 0;
  for (uint32_t i = from; i < to; i++)
    black += (row ? colour(p, i, at) : colour(p, at, i)) == 0;
  return 2 * black > to - from;
}

/* The pane of waves: in the right half there is nothing else. */
static bool find_waves(const struct picture *p, struct box *b)
{
  *b = (struct box){p->width / 2, 0, p->width, p->height};
  while (b->top < b->bottom && !is_black(p, b, true, b->top))
    b->top++;
  while (b->bottom > b->top && !is_black(p, b, true, b->bottom - 1))
    b->bottom--;
  if (b->bottom - b->top < 16)
    return false;
  while (b->right > b->left && !is_black(p, b, false, b->right - 1))
    b->right--;
  b->left = 0; /* markers are lines within the pane */
  while (b->left < b->right && !is_black(p, b, false, b->left))
    b->left++;
  return b->left > 64;
}

/* Does the row have anything but the background in the pane of names? */
static bool has_name(const struct picture *p, uint32_t left, uint32_t right, uint32_t y)
{
  enum { DARK = 0xc0 };
  for (uint32_t x = left; x < right; x++) {
    const uint32_t c = colour(p, x, y);
    if ((c >> 16) < DARK || (c >> 8 & 0xff) < DARK || (c & 0xff) < DARK)
      return true;
  }
  return false;
}

/* Names and waves, from below the head to the last name. */
static bool find_rows(const struct picture *p, struct box *b)
{
  /* Left of the waves there is a frame, then names. Labels of markers reach into the first row. */
  enum { INSIDE = 20, MARGIN = 6, FRAME = 10, LABEL = 4 };
  if (!find_waves(p, b))
    return false;
  const uint32_t top = b->top, inside = b->left - INSIDE, grey = colour(p, inside, top + 2);
  uint32_t left = 0, last = b->bottom;
  while (left < inside && colour(p, left, top + 2) != grey)
    left++;
  while (b->top < b->bottom && colour(p, inside, b->top) == grey)
    b->top++;
  while (last > b->top && !has_name(p, left, b->left - FRAME, last - 1))
    last--;
  b->left = left;
  b->top += LABEL;
  b->bottom = last + MARGIN < b->bottom ? last + MARGIN : b->bottom;
  return b->top > top && last > b->top;
}

/* ── writing ───────────────────────────────────────────────────────────────── */

static size_t put_chunk(unsigned char *at, const char *kind, const void *bytes, size_t length)
{
  put_number(at, (uint32_t)length);
  memcpy(at + 4, kind, 4);
  if (length != 0)
    memcpy(at + 8, bytes, length);
  put_number(at + 8 + length, (uint32_t)crc32(0, at + 4, (uInt)length + 4));
  return length + CHUNK_BYTES;
}

static bool write_png(const struct picture *p, const struct box *b, char **out, size_t *length)
{
  const size_t width = b->right - b->left, height = b->bottom - b->top, line = width * CHANNELS + 1;
  uLongf packed_bytes = compressBound((uLong)(line * height));
  unsigned char *lines = malloc(line * height), *packed = malloc(packed_bytes);
  unsigned char *png = malloc(packed_bytes + HEAD_BYTES + 3 * CHUNK_BYTES + 13);
  bool good = lines != NULL && packed != NULL && png != NULL;
  for (size_t y = 0; good && y < height; y++) {
    lines[y * line] = 0; /* no filter */
    memcpy(lines + y * line + 1, p->rgb + ((b->top + y) * p->width + b->left) * CHANNELS, line - 1);
  }
  good = good && compress2(packed, &packed_bytes, lines, (uLong)(line * height), 9) == Z_OK;
  if (good) {
    unsigned char header[13] = {[8] = 8, [9] = RGB};
    put_number(header, (uint32_t)width);
    put_number(header + 4, (uint32_t)height);
    memcpy(png, head, sizeof head);
    size_t n = HEAD_BYTES;
    n += put_chunk(png + n, "IHDR", header, sizeof header);
    n += put_chunk(png + n, "IDAT", packed, packed_bytes);
    n += put_chunk(png + n, "IEND", NULL, 0);
    *out = (char *)png;
    *length = n;
  } else {
    free(png);
  }
  free(lines);
  free(packed);
  return good;
}

int hd_picture_crop(const char *png, size_t length, char **out, size_t *out_length,
                    struct hd_error *err)
{
  struct picture p = {.rgb = NULL};
  struct box rows;
  int status = HD_OK;
  if (!read_png(&p, (const unsigned char *)png, length))
    status = hd_fail(err, HD_E_TOOL, "no picture: what GTKWave wrote is no PNG of 8-bit colours");
  else if (!find_rows(&p, &rows))
    status = hd_fail(err, HD_E_TOOL, "no picture: GTKWave's window shows no waves");
  else if (!write_png(&p, &rows, out, out_length))
    status = hd_fail(err, HD_E_NOMEM, "no picture: out of memory");
  free(p.rgb);
  return status;
}
