/* Counts the flits of each link, and records packets' ways, in windows that agreed.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_HOPS_H
#define HD_HOPS_H

#include "../record/rundb.h"
#include "../report/outcome.h"

struct hd_hops;

/** Creates the record of hops. `numbered`: packets have numbers at the switches' ports. `traced`:
 * keeps the ways of all packets for the database. Borrows the topology, and the report, which holds
 * the measuring phase. */
struct hd_hops *hd_hops_create(const struct hd_topology *topology, uint32_t vcs,
                               uint32_t window_cycles, bool numbered, bool traced,
                               const struct hd_run_report *report);
void hd_hops_destroy(struct hd_hops *hops); /* NULL is fine */

/** Records that a packet starts its way at the node `source`. */
void hd_hops_start(struct hd_hops *hops, uint32_t number, uint32_t source);

/** Returns the number of switches that the head of a received packet has left; 0: not known.
 *  Forgets the packet. */
uint32_t hd_hops_remove(struct hd_hops *hops, uint32_t number);

/** Counts the flits of a window's first `cycles` cycles, which have agreed, and writes traced
 *  hops into the database. */
int hd_hops_window(struct hd_hops *hops, const struct hd_record *record, uint32_t cycles,
                   struct hd_run_flits *flits, struct hd_rundb *db, struct hd_error *err);

/** Returns the flits that left on each link and channel: [n_switches × ports × vcs]. Borrowed. */
const uint64_t *hd_hops_links(const struct hd_hops *hops);

/** Reports the use of links between switches in the measuring phase. */
void hd_hops_report(const struct hd_hops *hops, struct hd_run_report *report);

/** Counts the events of the whole run for report->energy. `link_cycles`: cycles of a link that
 *  has no value of its own. */
void hd_hops_energy(const struct hd_hops *hops, uint32_t link_cycles, struct hd_run_report *report);

/** Finds a packet's hops in the last window. They are known if hops are traced, or if a
 *  divergence cut the window short; otherwise *n is 0. The caller frees *found. */
void hd_hops_of_packet(const struct hd_hops *hops, uint32_t packet, struct hd_rundb_hop **found,
                       uint32_t *n);

#endif
