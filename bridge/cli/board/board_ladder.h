/* heddle board check: the bring-up ladder.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_LADDER_H
#define HD_BOARD_LADDER_H

#include "../cli.h"

struct hd_ladder {
  const char *device;
  unsigned baud;
  int patience_ms; /* milliseconds to wait for an answer; 0: the default */
  uint64_t seed;
  uint32_t soak; /* number of scenarios of the last rung */
  bool quick;    /* divides all lengths by eight, for slow boards */
};

/** Climbs rung by rung, prints a line for each, and stops at the first that breaks. Files of the
 * runs are in $TMPDIR (/tmp), and are kept if a rung broke. Returns the exit code. */
int hd_ladder_climb(const struct hd_ladder *ladder);

#endif
