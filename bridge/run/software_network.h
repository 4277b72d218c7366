/* Answers questions of endpoint software that the manager cannot answer: coordinates, and schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SOFTWARE_NETWORK_H
#define HD_SOFTWARE_NETWORK_H

#include "../../sw/runtime/world.h"
#include "../../sw/schedules/schedules.h"

/** Answers hd_ep_grid. Returns false if the topology is no mesh, torus or hypercube, or has too
 *  many dimensions. */
bool hd_run_grid(const struct hd_topology *topology, struct hd_ep_grid *grid);

/** Answers hd_ep_schedule on a network without faults. The caller frees *transfers. HD_OK with
 *  schedule->steps 0: there is no schedule, and schedule->why says why. HD_E_INPUT: no way between
 *  two members; HD_E_TOOL, HD_E_IO. */
int hd_run_schedule(const struct hd_topology *topology, const struct hd_tables *tables,
                    const struct hd_ep_schedule_request *request, struct hd_ep_schedule *schedule,
                    struct hd_ep_transfer **transfers, struct hd_error *err);

#endif
