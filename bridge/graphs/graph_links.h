/* Turns vertices and edges of any graph into links of a fabric.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GRAPH_LINKS_H
#define HD_GRAPH_LINKS_H

#include "graph_sink.h"
#include "graphs.h"

struct hd_graph_links;

/** Creates an empty list of links. `name` is the file's name, for errors, and must live as long
 *  as the list. */
struct hd_graph_links *hd_graph_links_create(const char *name);
void hd_graph_links_destroy(struct hd_graph_links *links);

/** Adds a vertex or an edge; both are functions of a sink, whose `context` is `links`. If one is
 *  not possible, hd_graph_links_write returns the error. */
void hd_graph_links_vertex(void *links, const struct hd_graph_vertex *vertex);
void hd_graph_links_edge(void *links, const struct hd_graph_edge *edge);

/** Writes the fabric as CSV (§5.5). HD_E_INPUT: the graph is no fabric. */
int hd_graph_links_write(struct hd_graph_links *links, struct hd_text *csv, struct hd_error *err);

#endif
