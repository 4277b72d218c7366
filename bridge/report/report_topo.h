/* Describes a fabric as text, CSV, DOT and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_TOPO_H
#define HD_REPORT_TOPO_H

#include "../scenario/scenario.h"
#include "../host/text.h"

/** Adds counts, distances, and lengths of the ways that the tables give. */
int hd_topo_summary(const struct hd_scenario *scenario, const struct hd_topology *topology,
                    const struct hd_tables *tables, struct hd_text *text, struct hd_error *err);

/** Adds the way of one pair, hop by hop with ports, and with channels if not all `vcs` are
 *  allowed. `by`: the node that the packet goes by, or the source if the routing does not draw
 *  one. HD_E_INPUT: a node is out of range. */
int hd_topo_path(const struct hd_topology *topology, const struct hd_tables *tables, uint32_t vcs,
                 uint32_t source, uint32_t by, uint32_t destination, struct hd_text *text,
                 struct hd_error *err);

/** Adds the links and all table entries: a graph file with tables (§5.27). */
void hd_topo_routes(const struct hd_topology *topology, const struct hd_tables *tables,
                    uint32_t vcs, struct hd_text *text);
/** Adds the links in the language of Graphviz. */
void hd_topo_dot(const struct hd_topology *topology, const char *name, struct hd_text *text);
/** Adds the links as JSON, with counts. */
int hd_topo_json(const struct hd_topology *topology, const char *name, struct hd_text *text,
                 struct hd_error *err);

#endif
