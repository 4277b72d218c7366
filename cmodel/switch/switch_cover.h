/* Counts points of coverage that take more than one line. For cmodel/switch/ alone; called only with coverage.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_COVER_H
#define HD_SWITCH_COVER_H

#include "adaptive_state.h"
#include "barrier_state.h"

/** Counts how a head looked up the tables, and the entry that it found. */
void hd_switch_cover_route(const struct hd_switch *sw, unsigned mode, bool by_source,
                           uint16_t entry);

/** Counts the look-up of a head with mode 3. `turns`: the entry is its destination's. */
void hd_switch_cover_by_node(const struct hd_switch *sw, bool turns, uint16_t entry);

/** Counts, for §10.5, the channels that a front at input `port` could have: at the chosen port, and at the port of its
 *  table entry. */
void hd_switch_cover_chosen(const struct hd_switch *sw, unsigned port, const struct request *asked,
                            unsigned at_chosen, unsigned at_entry);

/** Counts why the front of a channel is not eligible (§2.5, §7.7). `barrier` NULL: a plain switch. */
void hd_switch_cover_blocked(const struct hd_switch *sw, const struct request *asked, unsigned port,
                             unsigned vc, const struct barrier_cycle *barrier);

/** Counts that an input picks `vc` among several fronts. */
void hd_switch_cover_input_tie(const struct hd_switch *sw, unsigned port, unsigned vc,
                               unsigned eligible);

/** Counts that a packet's first flit is granted channel `ovc`, one of `channels`. */
void hd_switch_cover_head(const struct hd_switch *sw, unsigned port, unsigned output,
                          const struct slot *front, unsigned channels, unsigned ovc);

/** Counts that an output picks `port` among several inputs. */
void hd_switch_cover_output_tie(const struct hd_switch *sw, unsigned output, unsigned port,
                                unsigned inputs);

#endif
