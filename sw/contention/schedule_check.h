/* Checks that a CSV file is a schedule, against the network and the messages that it must send.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It shares no code with sw/schedules, which writes such files: it reads the text, follows each
 * transfer link by link, and counts.
 */
#ifndef HD_SCHEDULE_CHECK_H
#define HD_SCHEDULE_CHECK_H

#include "../../cmodel/routing/routing.h"

/** A requirement: node `destination` must get message `message`, which starts at `source`. */
struct hd_schedule_need {
  uint32_t message, source, destination;
};

struct hd_schedule_rules {
  const struct hd_topology *topology;
  /** paths must be those of the tables; NULL: any shortest path */
  const struct hd_tables *tables;
  /** [switch · ports + port, then nodes] links that must not be used; NULL: none */
  const bool *failed;
  bool all_port; /* a node's links in and out carry any number of transfers in a step */
};

struct hd_schedule_found {
  uint32_t steps;
  uint64_t transfers;
};

/** Checks a schedule. The text is CSV of step,message,source,destination,links; the first step is
 *  1, and links are "n3 s0:1 s4:0". Returns HD_OK only if each requirement is met exactly once, the
 *  links of each transfer lead from its source to its destination, the sender has the message
 *  before that step, and no link carries two transfers in a step. Otherwise returns HD_E_INPUT,
 *  with the place. `name` is the file's name in messages. */
int hd_schedule_check(const struct hd_schedule_rules *rules, const struct hd_schedule_need *needs,
                      size_t n_needs, const char *text, size_t length, const char *name,
                      struct hd_schedule_found *found, struct hd_error *err);

#endif
