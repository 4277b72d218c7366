/* Finds equal cells in equal instances of a module, by the names that synthesis leaves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A switch has a unit for each port, and all units have the same cells. Lane code computes such
 * cells together, as a vector. Only speed depends on the result: it promises no more than that
 * cells of a group have the same table.
 */
#ifndef HD_LANES_INSTANCES_H
#define HD_LANES_INSTANCES_H

#include "lanes_netlist.h"

struct json_t; /* jansson.h */

/** Sets `alike` of registers and look-up tables, and sorts the inputs of tables that are alike in
 *  the same way. The netlist must have them in the order in which `module` has their cells. */
void hd_lanes_find_alike(struct hd_netlist *netlist, const struct json_t *module);

#endif
