/* Computes the latency that a packet would have if it were alone in the fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_NO_LOAD_H
#define HD_NO_LOAD_H

#include "../../cmodel/fabric/fabric.h"
#include "../scenario/scenario.h"

/** Returns the latency in cycles of packet `number` without load (§4.5), computed from the
 *  switches on its way; 0: the way is not known. */
uint64_t hd_no_load(const struct hd_scenario *scenario, const struct hd_topology *topology,
                    const struct hd_tables *tables, const struct hd_packet *packet,
                    uint32_t number);

#endif
