/* Keeps received packets until the DUT has agreed, then counts them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model runs ahead of the DUT by a window. So a delivery is pending at first, and counts
 * when the DUT has agreed with the window in which the packet arrived.
 */
#ifndef HD_DELIVERIES_H
#define HD_DELIVERIES_H

#include "../record/rundb.h"
#include "../report/outcome.h"
#include "hops.h"

struct hd_deliveries;

/** Creates it. Latencies, received flits and hops go into the report, whose warm-up and
 *  measuring phase must be set. Borrows both. */
struct hd_deliveries *hd_deliveries_create(struct hd_run_report *report, struct hd_hops *hops);
/** Also keeps latencies by the number of links inside the DUT between source and destination:
 *  between[n_nodes][n_nodes], whose ownership it takes. Called before the first delivery. */
void hd_deliveries_by_links(struct hd_deliveries *deliveries, uint16_t *between, uint32_t n_nodes);
void hd_deliveries_destroy(struct hd_deliveries *deliveries); /* NULL is fine */

/** Records a packet that was sent in `cycle`; it also shows that the network was under load
 *  until then. no_load: the latency that the packet would have without load; 0: not known. */
void hd_deliveries_sent(struct hd_deliveries *deliveries, const struct hd_packet *packet,
                        uint64_t cycle, uint64_t no_load);

/** Records that a packet, created in cycle `created`, was still under way at the end of the run. */
void hd_deliveries_missing(struct hd_deliveries *deliveries, uint64_t created);

/** Records that a fault destroyed a packet. */
void hd_deliveries_lost(struct hd_deliveries *deliveries, const struct hd_loss *packet);

/** Tests whether the measuring phase was over before `cycle` and all packets created in it have
 *  arrived or were lost. For runs with run.measure_cycles only. */
bool hd_deliveries_over(const struct hd_deliveries *deliveries, uint64_t cycle);

/** Adds all packets that the fabric's last step delivered. */
void hd_deliveries_add(struct hd_deliveries *deliveries, const struct hd_fabric *fabric);

/** Counts packets that were received up to and including cycle `limit`, where all windows have
 *  agreed, and writes them into the database, which may be NULL. */
int hd_deliveries_count(struct hd_deliveries *deliveries, uint64_t limit, struct hd_rundb *db,
                        struct hd_error *err);

/** Returns the number of deliveries counted so far. */
uint64_t hd_deliveries_counted(const struct hd_deliveries *deliveries);

/** Returns the packets that are still pending; borrowed until the next call that is not const. */
const struct hd_rundb_packet *hd_deliveries_pending(const struct hd_deliveries *deliveries,
                                                    size_t *n);

#endif
