/* The log of what the RTL prints: $display, $write, failed assertions, the simulator's own remarks.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The environment has the path of a run's log as soon as the run has a directory. C and C++.
 */
#ifndef HD_RTL_LOG_H
#define HD_RTL_LOG_H

#include <stdio.h>

#define HD_RTL_LOG "HEDDLE_RTL_LOG"

enum { HD_RTL_LOG_BYTES = 16 << 20 }; /* of a run, at most */

/** Writes `n` bytes with control characters escaped, and hands them over to the system. */
static inline void hd_rtl_log_write(FILE *file, const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)text[i];
    if (c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f))
      putc(c, file);
    else
      fprintf(file, "\\x%02x", c);
  }
  fflush(file);
}

#endif
