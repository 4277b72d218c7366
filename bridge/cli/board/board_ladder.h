/* heddle board check: the bring-up ladder.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_LADDER_H
#define HD_BOARD_LADDER_H

#include "../cli.h"

struct hd_ladder {
  const char *device;
  unsigned baud;
  int patience_ms; /* for an answer; 0: as usual */
  uint64_t seed;
  uint32_t soak; /* scenarios of the last rung */
  bool quick;    /* an eighth of all lengths: for what is slow */
};

/** Climbs rung by rung, a line on stdout for each, and stops at the first that breaks. What they ran is
 *  below $TMPDIR (/tmp) and stays where one broke. Returns the exit code. */
int hd_ladder_climb(const struct hd_ladder *ladder);

#endif
