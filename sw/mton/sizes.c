/* Reads sizes of messages from CSV.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton.h"

#include <inttypes.h>
#include <string.h>

static bool blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

/* Reads the numbers of the line [at, end). */
static int read_row(const char *at, const char *end, uint32_t line, uint32_t destinations,
                    uint32_t unit_bytes, uint16_t *units, struct hd_error *err)
{
  const uint64_t most = (uint64_t)HD_MTON_MAX_UNITS * unit_bytes;
  for (uint32_t j = 0; j < destinations; j++) {
    uint64_t bytes = 0;
    while (at < end && blank(*at))
      at++;
    const char *digits = at;
    for (; at < end && *at >= '0' && *at <= '9' && bytes <= most; at++)
      bytes = bytes * 10 + (uint64_t)(*at - '0');
    if (at == digits)
      return hd_fail(err, HD_E_INPUT,
                     "line %" PRIu32 ": no whole number of bytes for destination %" PRIu32
                     "; a line has %" PRIu32 ", with commas between them",
                     line, j, destinations);
    if (bytes > most)
      return hd_fail(err, HD_E_INPUT,
                     "line %" PRIu32 ": more than %" PRIu64 " bytes for destination %" PRIu32
                     ", which are %d messages of %" PRIu32 " bytes",
                     line, most, j, HD_MTON_MAX_UNITS, unit_bytes);
    units[j] = (uint16_t)((bytes + unit_bytes - 1) / unit_bytes);
    while (at < end && blank(*at))
      at++;
    const bool last = j + 1 == destinations;
    if (last ? at < end : at == end || *at != ',')
      return hd_fail(err, HD_E_INPUT,
                     "line %" PRIu32 ": it must have %" PRIu32
                     " whole numbers, one for each destination, with commas between them",
                     line, destinations);
    at += !last;
  }
  return HD_OK;
}

int hd_mton_sizes(const char *text, size_t length, uint32_t sources, uint32_t destinations,
                  uint32_t unit_bytes, uint16_t *units, struct hd_error *err)
{
  const char *end = text + length;
  uint32_t line = 0, rows = 0;
  for (const char *at = text; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
    const char *first = at;
    line++;
    at = newline ? newline + 1 : end;
    while (first < stop && blank(*first))
      first++;
    if (first == stop || *first == '#')
      continue;
    if (rows == sources)
      return hd_fail(err, HD_E_INPUT, "line %" PRIu32 ": more than %" PRIu32 " sources", line,
                     sources);
    int status = read_row(first, stop, line, destinations, unit_bytes,
                          units + (size_t)rows++ * destinations, err);
    if (status)
      return status;
  }
  if (rows < sources)
    return hd_fail(err, HD_E_INPUT, "sizes for %" PRIu32 " of %" PRIu32 " sources", rows, sources);
  return HD_OK;
}
