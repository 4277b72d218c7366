/* Replays a trace of a program on this node (ops.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROGRAMS_REPLAY_OPS_H
#define HD_PROGRAMS_REPLAY_OPS_H

#include "../endpoint.h"

/** Parameters of such traces, for the list. */
#define HD_REPLAY_OPS_PARAMETERS                                                               \
  "cycle_ns: nanoseconds of a cycle, for computing times in a trace of a program (1)",         \
      "scale: factor for the sizes of its messages (1)",                                       \
      "algorithm: of its collectives, see heddle collectives; where it is not possible, auto " \
      "(auto)"

/** Carries out this rank's operations and reports its time. text: all of the trace, or NULL: it is read from the file
 *  in parts; the same for all nodes. */
void hd_replay_ops(struct hd_ep *ep, const char *path, const char *text, size_t length);

#endif
