/* Routing tables in a graph file (§5.27); for cmodel/topology/topology_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPOLOGY_ROUTES_H
#define HD_TOPOLOGY_ROUTES_H

#include "topology.h"
#include "topology_text.h"

/** Reads a line of tables. *is_route: false if its first word shows that it is another kind of line. HD_E_INPUT with
 *  `name` and `line`, HD_E_NOMEM. */
int hd_topology_routes_line(struct hd_topology_routes *routes, const char *name, uint32_t line,
                            struct hd_token text, bool *is_route, struct hd_error *err);

/** Checks that t->routes name existing switches, nodes and ports, and fit together. HD_E_INPUT. */
int hd_topology_routes_check(const struct hd_topology *t, const char *name, struct hd_error *err);

#endif
