/* Networks, drawn messages and the check, for tests of schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_SCHEDULE_FIXTURE_H
#define HD_TEST_SCHEDULE_FIXTURE_H

#include "../../../sw/schedules/schedules.h"
#include "dice.h"

/** A topology of switches with k = 2; the caller frees it. */
void schedule_network(struct hd_topology *t, enum hd_topology_kind kind, uint32_t n);

/** A network, the messages of a collective on it, and their schedule, which is empty. */
struct schedule_rig {
  struct hd_topology t;
  struct hd_messages m;
  struct hd_schedule s;
  struct hd_schedule_network network;
};
void schedule_rig_open(struct schedule_rig *r, enum hd_topology_kind kind, uint32_t n,
                       enum hd_exchange collective, uint32_t root, bool all_port);
void schedule_rig_close(struct schedule_rig *r);

/** Draws a few messages to one or two nodes each, as CSV, so that the parser is tested, too. */
void schedule_draw_messages(struct dice *dice, uint32_t nodes, struct hd_text *csv);
/** The schedule passes the check, and the check counts the same; fails the test otherwise. */
void schedule_must_pass(const struct hd_schedule *s, const struct hd_schedule_network *network,
                        const struct hd_messages *m);

#endif
