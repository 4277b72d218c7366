/* Schedules of messages on a scenario's fabric: read or made, and checked.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_SCHEDULE_H
#define HD_CLI_SCHEDULE_H

#include "../../scenario/scenario.h"
#include "../../../sw/contention/contention.h"
#include "../../../sw/mton/mton.h"

struct schedule {
  struct hd_slot_message *messages; /* owned */
  size_t n_messages;
  uint32_t slots, least_slots;      /* least_slots 0: not known */
  struct hd_contention *contention; /* owned, slot by slot */
  size_t n_contention, capacity;
  uint32_t contended_slots;
  char about[128]; /* "6-to-10, paper", "slots.csv" */
};

/** Lists the messages that program shuffle of the scenario sends on `nodes` nodes. HD_E_INPUT (another program, or a parameter
 *  that is wrong), HD_E_IO. */
int schedule_make(struct schedule *schedule, const struct hd_scenario *scenario, uint32_t nodes,
                  struct hd_error *err);
/** Messages of a file, CSV of slot,source,destination. HD_E_INPUT, HD_E_IO. */
int schedule_read(struct schedule *schedule, const char *path, struct hd_error *err);
/** Finds what contends. */
int schedule_check(struct schedule *schedule, const struct hd_topology *topology,
                   const struct hd_tables *tables, struct hd_error *err);
/** After failures, too. */
void schedule_fini(struct schedule *schedule);

#endif
