/* Checks the blocks of an FST file before the library reads it, since the library assumes that any file is complete.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block consists of kind, length and bytes. If a simulator was killed, its file ends inside a
 * block, or lacks the blocks that are written last: the signals' widths and names.
 */
#include "waves.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

enum kind {
  HEADER = 0,
  CHANGES = 1,
  BLACKOUT = 2,
  WIDTHS = 3,
  NAMES = 4,
  CHANGES_ALIAS = 5,
  NAMES_LZ4 = 6,
  NAMES_LZ4_TWICE = 7,
  CHANGES_ALIAS_2 = 8,
  COMPRESSED = 254, /* the whole file, compressed */
  UNFINISHED = 255,
};
enum {
  LENGTH_BYTES = 8,
  HEADER_BYTES = 329,
  CHANGES_BYTES = 32,
  WIDTHS_BYTES = 24,
  NAMES_BYTES = 16
};

/* An FST file, and how many blocks of each kind it has. */
struct blocks {
  const char *path;
  uint64_t size;
  unsigned headers, widths, names;
};

static int damaged(const struct blocks *b, const char *what, uint64_t at, struct hd_error *err)
{
  return hd_fail(
      err, HD_E_IO,
      "%.400s: the FST file is damaged or was not written to its end: %s at byte %" PRIu64
      " of %" PRIu64,
      b->path, what, at, b->size);
}

/* Reads kind and length of the block at `at`; false: the file ends before. */
static bool read_head(FILE *f, uint64_t at, int *kind, uint64_t *length)
{
  unsigned char bytes[1 + LENGTH_BYTES];
  if (fseeko(f, (off_t)at, SEEK_SET) != 0 || fread(bytes, sizeof bytes, 1, f) != 1)
    return false;
  *kind = bytes[0];
  *length = 0;
  for (unsigned i = 1; i < sizeof bytes; i++)
    *length = *length << 8 | bytes[i];
  return true;
}

static uint64_t least_length(int kind)
{
  switch (kind) {
  case HEADER:
    return HEADER_BYTES;
  case CHANGES:
  case CHANGES_ALIAS:
  case CHANGES_ALIAS_2:
    return CHANGES_BYTES;
  case WIDTHS:
    return WIDTHS_BYTES;
  case NAMES:
  case NAMES_LZ4:
  case NAMES_LZ4_TWICE:
  case COMPRESSED:
    return NAMES_BYTES;
  default:
    return LENGTH_BYTES;
  }
}

static int check_block(struct blocks *b, int kind, uint64_t length, uint64_t at,
                       struct hd_error *err)
{
  if (kind == UNFINISHED || length == 0)
    return damaged(b, "a block that its writer has not finished", at, err);
  if (kind > CHANGES_ALIAS_2 && kind != COMPRESSED)
    return damaged(b, "a block of no known kind", at, err);
  if (length < least_length(kind))
    return damaged(b, "a block that is too short", at, err);
  if (length > b->size - at - 1)
    return damaged(b, "the file ends inside the block", at, err);
  if ((at == 0) != (kind == HEADER || kind == COMPRESSED))
    return damaged(b, at == 0 ? "no header" : "a second header", at, err);
  b->headers += kind == HEADER;
  b->widths += kind == WIDTHS;
  b->names += kind == NAMES || kind == NAMES_LZ4 || kind == NAMES_LZ4_TWICE;
  return HD_OK;
}

static int check_blocks(struct blocks *b, FILE *f, struct hd_error *err)
{
  int status = HD_OK, kind = UNFINISHED;
  for (uint64_t at = 0, length = 0; at < b->size; at += 1 + length) {
    if (!read_head(f, at, &kind, &length))
      return damaged(b, "the file ends inside the head of a block", at, err);
    status = check_block(b, kind, length, at, err);
    if (status != HD_OK)
      return status;
  }
  if (b->size == 0)
    return damaged(b, "it is empty", 0, err);
  if (b->headers != 0 && (b->widths != 1 || b->names != 1))
    return damaged(b, "the names or widths of its signals are not there", b->size, err);
  return HD_OK;
}

int hd_waves_check(const char *path, struct hd_error *err)
{
  struct blocks b = {.path = path};
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return hd_fail(err, HD_E_IO, "%.400s: %s", path, strerror(errno));
  int status = HD_OK;
  if (fseeko(f, 0, SEEK_END) != 0)
    status = hd_fail(err, HD_E_IO, "%.400s: %s", path, strerror(errno));
  b.size = status == HD_OK ? (uint64_t)ftello(f) : 0;
  if (status == HD_OK)
    status = check_blocks(&b, f, err);
  fclose(f);
  return status;
}
