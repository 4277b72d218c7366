/* Log of the RTL's output: $display, $write, failed assertions, messages of the simulator.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The environment variable HD_RTL_LOG has the path of a run's log as soon as the run has a
 * directory. This header is C and C++.
 */
#ifndef HD_RTL_LOG_H
#define HD_RTL_LOG_H

#include <stdio.h>

#define HD_RTL_LOG "HEDDLE_RTL_LOG"

enum { HD_RTL_LOG_BYTES = 16 << 20 }; /* bytes of a run's log, at most */

/** Writes `n` bytes with control characters escaped, and flushes the file. */
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
