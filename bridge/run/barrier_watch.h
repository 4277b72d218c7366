/* Measures how long the barriers of a run take in the network, and compares that with their bound.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A NULL watch is allowed everywhere: nothing is measured then.
 */
#ifndef HD_BARRIER_WATCH_H
#define HD_BARRIER_WATCH_H

#include "../manager/manager.h"
#include "../report/outcome.h"

struct hd_barrier_watch;

/** Creates a watch; returns NULL if the switches handle no barrier messages. Borrows scenario
 *  and topology. */
struct hd_barrier_watch *hd_barrier_watch_create(const struct hd_scenario *scenario,
                                                 const struct hd_topology *topology);
void hd_barrier_watch_destroy(struct hd_barrier_watch *watch);

/** Record that a group was opened or closed. */
void hd_barrier_watch_open(struct hd_barrier_watch *watch, uint32_t number,
                           const struct hd_manager_group *group);
void hd_barrier_watch_close(struct hd_barrier_watch *watch, uint32_t number);

/** Record that a member arrived in the current cycle, and that a member was released in `cycle`
 *  or its round failed. */
void hd_barrier_watch_arrive(struct hd_barrier_watch *watch, const struct hd_fabric *fabric,
                             uint32_t number);
void hd_barrier_watch_release(struct hd_barrier_watch *watch, const struct hd_fabric *fabric,
                              uint32_t number, bool failed, uint64_t cycle);

/** Writes the barriers that were over up to and including cycle `limit` into the report. The
 *  report's faults must be filled in. */
void hd_barrier_watch_report(const struct hd_barrier_watch *watch, uint64_t limit,
                             struct hd_run_report *report);

#endif
