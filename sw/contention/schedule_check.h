/* Checks that a CSV file is a schedule: against the network, and against the messages that it must send.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shares no code with sw/schedules, which writes such files: it reads the text, follows each transfer link by
 * link, and counts.
 */
#ifndef HD_SCHEDULE_CHECK_H
#define HD_SCHEDULE_CHECK_H

#include "../../cmodel/routing/routing.h"

/** Node `destination` is to have message `message`, which starts at `source`. */
struct hd_schedule_need {
  uint32_t message, source, destination;
};

struct hd_schedule_rules {
  const struct hd_topology *topology;
  const struct hd_tables
      *tables; /* ways must be theirs; NULL: any way that takes as few links as possible */
  const bool
      *failed;   /* [switch · ports + port, then nodes]: links that may not be used; NULL: none */
  bool all_port; /* a node's link in and its link out carry any number of transfers in a step */
};

struct hd_schedule_found {
  uint32_t steps;
  uint64_t transfers;
};

/** The text is CSV of step,message,source,destination,links: steps from 1; links as "n3 s0:1 s4:0". HD_OK
 *  only when each need is met exactly once, each transfer goes by links that follow each other from its source
 *  to its destination, the sender had the message before that step, and no link carries two transfers in a
 *  step. HD_E_INPUT: it is not so, the message says where. `name` is the file's in messages. */
int hd_schedule_check(const struct hd_schedule_rules *rules, const struct hd_schedule_need *needs,
                      size_t n_needs, const char *text, size_t length, const char *name,
                      struct hd_schedule_found *found, struct hd_error *err);

#endif
