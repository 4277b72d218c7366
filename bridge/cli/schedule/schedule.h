/* Reads or makes schedules of messages on a scenario's fabric, and checks them.
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
  struct hd_contention *contention; /* owned, in order of slots */
  size_t n_contention, capacity;
  uint32_t contended_slots;
  char about[128]; /* "6-to-10, paper", "slots.csv" */
};

/** Lists the messages that the scenario's program shuffle sends on `nodes` nodes. HD_E_INPUT: it
 *  is another program, or a parameter is wrong; HD_E_IO. */
int schedule_make(struct schedule *schedule, const struct hd_scenario *scenario, uint32_t nodes,
                  struct hd_error *err);
/** Reads messages from a CSV file of slot,source,destination. HD_E_INPUT, HD_E_IO. */
int schedule_read(struct schedule *schedule, const char *path, struct hd_error *err);
/** Finds messages of one slot that need the same link. */
int schedule_check(struct schedule *schedule, const struct hd_topology *topology,
                   const struct hd_tables *tables, struct hd_error *err);
/** Frees a schedule; called after failures, too. */
void schedule_fini(struct schedule *schedule);

#endif
