/* Cuts the panes of names and waves out of a picture of GTKWave's window.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The panes' places depend on fonts and themes. They are found by their look: waves on black, names
 * to the left, a grey head above the names.
 */
#include "picture_crop.h"

#include "../host/memory.h"

#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 3, MOST_PIXELS = 1 << 26 };

struct picture {
  uint32_t width, height;
  unsigned char *rgb; /* [height][width][CHANNELS] */
};

struct box {
  uint32_t left, top, right, bottom; /* right and bottom are outside */
};

static bool read_png(struct picture *p, const char *png, size_t length)
{
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&image, png, length))
    return false;
  image.format = PNG_FORMAT_RGB;
  p->width = image.width;
  p->height = image.height;
  if (image.width <= MOST_PIXELS / image.height)
    p->rgb = hd_xmalloc((size_t)image.width * image.height * CHANNELS);
  const bool good = p->rgb && png_image_finish_read(&image, NULL, p->rgb, 0, NULL);
  png_image_free(&image);
  return good;
}

/* ── looking ───────────────────────────────────────────────────────────────── */

static uint32_t colour(const struct picture *p, uint32_t x, uint32_t y)
{
  const unsigned char *at = p->rgb + ((size_t)y * p->width + x) * CHANNELS;
  return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

/* True if more than half of a line of the box is black. `row`: row `at`; otherwise column `at`. */
static bool is_black(const struct picture *p, const struct box *b, bool row, uint32_t at)
{
  const uint32_t from = row ? b->left : b->top, to = row ? b->right : b->bottom;
  uint32_t black = 0;
  for (uint32_t i = from; i < to; i++)
    black += (row ? colour(p, i, at) : colour(p, at, i)) == 0;
  return 2 * black > to - from;
}

/* Finds the pane of waves. The picture's right half contains nothing else. */
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
  b->left = 0; /* markers are lines within the pane, so the search begins at the left */
  while (b->left < b->right && !is_black(p, b, false, b->left))
    b->left++;
  return b->left > 64;
}

/* True if the row of the pane of names has a pixel that is not background. */
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

/* Finds names and waves, from below the head to the last name. */
static bool find_rows(const struct picture *p, struct box *b)
{
  /* To the left of the waves is a frame, then names. Labels of markers reach into the first row. */
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

static int write_png(const struct picture *p, const struct box *b, char **out, size_t *length,
                     struct hd_error *err)
{
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = b->right - b->left,
                     .height = b->bottom - b->top,
                     .format = PNG_FORMAT_RGB};
  const unsigned char *first = p->rgb + ((size_t)b->top * p->width + b->left) * CHANNELS;
  const png_int_32 stride = (png_int_32)(p->width * CHANNELS);
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  *out = hd_xmalloc(bytes);
  if (!png_image_write_to_memory(&image, *out, &bytes, 0, first, stride, NULL)) {
    free(*out);
    return hd_fail(err, HD_E_TOOL, "no picture: %s", image.message);
  }
  *length = bytes;
  return HD_OK;
}

int hd_picture_crop(const char *png, size_t length, char **out, size_t *out_length,
                    struct hd_error *err)
{
  struct picture p = {.rgb = NULL};
  struct box rows;
  int status = HD_OK;
  if (!read_png(&p, png, length))
    status = hd_fail(err, HD_E_TOOL, "no picture: what GTKWave wrote is no PNG");
  else if (!find_rows(&p, &rows))
    status = hd_fail(err, HD_E_TOOL, "no picture: GTKWave's window shows no waves");
  else
    status = write_png(&p, &rows, out, out_length, err);
  free(p.rgb);
  return status;
}
