/* Cells of equal instances of a module, found by the names that synthesis leaves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch has a unit for each port, of which each has the same cells. Lane code works on such cells at once.
 * Nothing depends on what is found here but speed: all that is said is that cells of a group have the same table.
 */
#ifndef HD_LANES_INSTANCES_H
#define HD_LANES_INSTANCES_H

#include "lanes_netlist.h"

struct json_t; /* jansson.h */

/** Sets group and member of registers and look-up tables, in the order in which cells of these kinds are in
 *  `module`, and brings the inputs of tables that are alike into the same order. */
void hd_lanes_find_alike(struct hd_netlist *netlist, const struct json_t *module);

#endif
