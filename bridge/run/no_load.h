/* The latency that a packet would have alone in the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_NO_LOAD_H
#define HD_NO_LOAD_H

#include "../../cmodel/fabric/fabric.h"
#include "../scenario/scenario.h"

/** The latency of a packet without load (§4.5), from the switches on its way; 0: its way is not
 *  known. */
uint64_t hd_no_load(const struct hd_scenario *scenario, const struct hd_topology *topology,
                    const struct hd_tables *tables, const struct hd_packet *packet,
                    uint32_t number);

#endif
