/* How long the barriers of a run take, as the network sees them, beside their bound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All functions take NULL for a watch: nobody watches.
 */
#ifndef HD_BARRIER_WATCH_H
#define HD_BARRIER_WATCH_H

#include "../manager/manager.h"
#include "../report/outcome.h"

struct hd_barrier_watch;

/** NULL where the switches take no barrier messages. Borrows scenario and topology. */
struct hd_barrier_watch *hd_barrier_watch_create(const struct hd_scenario *scenario,
                                                 const struct hd_topology *topology);
void hd_barrier_watch_destroy(struct hd_barrier_watch *watch);

/** A group was opened or closed. */
void hd_barrier_watch_open(struct hd_barrier_watch *watch, uint32_t number,
                           const struct hd_manager_group *group);
void hd_barrier_watch_close(struct hd_barrier_watch *watch, uint32_t number);

/** A member arrived in the current cycle; a member was released in `cycle`, or its round failed. */
void hd_barrier_watch_arrive(struct hd_barrier_watch *watch, const struct hd_fabric *fabric,
                             uint32_t number);
void hd_barrier_watch_release(struct hd_barrier_watch *watch, const struct hd_fabric *fabric,
                              uint32_t number, bool failed, uint64_t cycle);

/** Barriers over up to and in cycle `limit` into the report, whose faults are known. */
void hd_barrier_watch_report(const struct hd_barrier_watch *watch, uint64_t limit,
                             struct hd_run_report *report);

#endif
