/* Describes a fabric as text, CSV, DOT and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_TOPO_H
#define HD_REPORT_TOPO_H

#include "../scenario/scenario.h"
#include "../host/text.h"

/** Counts, distances, and the ways that the tables give. */
int hd_topo_summary(const struct hd_scenario *scenario, const struct hd_topology *topology,
                    const struct hd_tables *tables, struct hd_text *text, struct hd_error *err);

/** The way of one pair, hop by hop with ports, and with channels where not all `vcs` are allowed. `by`: the node that the
 *  packet goes by, the source where packets do not. HD_E_INPUT for nodes out of range. */
int hd_topo_path(const struct hd_topology *topology, const struct hd_tables *tables, uint32_t vcs,
                 uint32_t source, uint32_t by, uint32_t destination, struct hd_text *text,
                 struct hd_error *err);

/** Every link once: a node before a switch, the lower switch first. */
void hd_topo_csv(const struct hd_topology *topology, struct hd_text *text);
/** The links and all table entries: a graph file with tables (§5.27). */
void hd_topo_routes(const struct hd_topology *topology, const struct hd_tables *tables,
                    uint32_t vcs, struct hd_text *text);
/** The links for Graphviz. */
void hd_topo_dot(const struct hd_topology *topology, const char *name, struct hd_text *text);
/** The links as JSON, with counts. */
int hd_topo_json(const struct hd_topology *topology, const char *name, struct hd_text *text,
                 struct hd_error *err);

#endif
