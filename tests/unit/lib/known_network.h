/* A fake network that answers what software asks about its links: nodes on a line, dimension-order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The answers are those of a run (bridge/run). What it does with packets is that of fake_network.h.
 */
#ifndef HD_TEST_KNOWN_NETWORK_H
#define HD_TEST_KNOWN_NETWORK_H

#include "../../../sw/runtime/world.h"

/** Makes the line for p->nodes, at least 2, and puts its answers into *p. The program frees it when it ends. */
void known_network(struct hd_world_params *p);
/** The answer without a world: of a line of `nodes`. *transfers is the caller's. */
void known_schedule(uint32_t nodes, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule, struct hd_ep_transfer **transfers);

#endif
