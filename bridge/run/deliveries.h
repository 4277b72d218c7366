/* Packets that nodes received, until they are known to be right.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model runs ahead of the DUT by a window. So a delivery is first pending, and counts only when
 * the window in which it fell has agreed.
 */
#ifndef HD_DELIVERIES_H
#define HD_DELIVERIES_H

#include "../record/rundb.h"
#include "../report/outcome.h"
#include "hops.h"

struct hd_deliveries;

/** Latencies, flits received and hops go into the report, whose warm-up is known. */
struct hd_deliveries *hd_deliveries_create(struct hd_run_report *report, struct hd_hops *hops);
/** From now on latencies are kept by the links between source and destination inside of the DUT: between[n_nodes][n_nodes],
 *  which is taken; before the first delivery. */
void hd_deliveries_by_links(struct hd_deliveries *deliveries, uint16_t *between, uint32_t n_nodes);
void hd_deliveries_destroy(struct hd_deliveries *deliveries); /* NULL is fine */

/** A packet was sent in `cycle`: the network is still offered something. no_load: the latency that it would have
 *  without load; 0: not known. */
void hd_deliveries_sent(struct hd_deliveries *deliveries, const struct hd_packet *packet,
                        uint64_t cycle, uint64_t no_load);

/** A measured packet, created in `created`, was still under way at the end of the run. */
void hd_deliveries_missing(struct hd_deliveries *deliveries, uint64_t created);

/** The measuring phase has an end, it was before `cycle`, and all measured packets have arrived. */
bool hd_deliveries_over(const struct hd_deliveries *deliveries, uint64_t cycle);

/** Adds all packets that the fabric's last step delivered. */
void hd_deliveries_add(struct hd_deliveries *deliveries, const struct hd_fabric *fabric);

/** Counts what was received up to and in cycle `limit`, since all windows up to there have agreed,
 *  and adds it to the database, which may be NULL. */
int hd_deliveries_take(struct hd_deliveries *deliveries, uint64_t limit, struct hd_rundb *db,
                       struct hd_error *err);

/** Number of deliveries that count. */
uint64_t hd_deliveries_taken(const struct hd_deliveries *deliveries);

/** Packets that are still pending; borrowed until the next call that is not const. */
const struct hd_rundb_packet *hd_deliveries_pending(const struct hd_deliveries *deliveries,
                                                    size_t *n);

#endif
