/* Vertices and edges of any graph, as links of a fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GRAPH_LINKS_H
#define HD_GRAPH_LINKS_H

#include "graph_sink.h"
#include "graphs.h"

struct hd_graph_links;

/** Creates an empty list of links. `name` is the file's, for errors, and must live as long. */
struct hd_graph_links *hd_graph_links_create(const char *name);
void hd_graph_links_destroy(struct hd_graph_links *links);

/** Takes vertices and edges; `context` of a sink. What it cannot take is an error of hd_graph_links_write. */
void hd_graph_links_vertex(void *links, const struct hd_graph_vertex *vertex);
void hd_graph_links_edge(void *links, const struct hd_graph_edge *edge);

/** The fabric's CSV (§5.5). HD_E_INPUT: it is no fabric. */
int hd_graph_links_write(struct hd_graph_links *links, struct hd_text *csv, struct hd_error *err);

#endif
