/* Replays a trace of a program on this node (ops.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_REPLAY_OPS_H
#define HD_PROGRAMS_REPLAY_OPS_H

#include "../endpoint.h"

/** The parameters for traces of programs. */
#define HD_REPLAY_OPS_PARAMETERS                                                         \
  "cycle_ns: nanoseconds of a cycle, for computing times in a trace of a program (1)",   \
      "scale: factor for the sizes of its messages (1)",                                 \
      "algorithm: algorithm of its collectives, see heddle collectives; auto for those " \
      "for which it is not possible (auto)"

/** Carries out this rank's operations, and reports its times. `text` is the whole trace, or NULL:
 *  the file is then read in parts. It is the same for all nodes. */
void hd_replay_ops(struct hd_ep *ep, const char *path, const char *text, size_t length);

#endif
