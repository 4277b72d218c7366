/* A reader of graph files gives vertices and edges to a sink. Readers that need a library are shared objects of their own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle itself is not linked with these libraries, so it runs on machines without them.
 */
#ifndef HD_GRAPH_SINK_H
#define HD_GRAPH_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_graph_vertex {
  const char *name;
  const char *type; /* "node", "host" …: a node of the network; any other, and NULL: a switch */
  int32_t nodes;    /* nodes on a switch that are not vertices themselves; −1: not given */
};

struct hd_graph_edge {
  uint32_t a, b;          /* numbers of vertices, in the order in which they came */
  int32_t a_port, b_port; /* −1: not given */
  bool one_way;           /* the edge goes only from a to b */
  bool once;              /* if the vertices already have a link, the edge is that link */
  uint32_t cycles;        /* latency of a link between switches; 0: not given */
};

struct hd_graph_sink {
  void *context;
  void (*vertex)(void *context, const struct hd_graph_vertex *vertex);
  void (*edge)(void *context, const struct hd_graph_edge *edge);
};

/** The function that such a shared object exports as HD_GRAPH_SYMBOL. Returns 0, or 1 with a
 *  message, which includes a line if the library knows it. `format` is the format's name in
 *  graphs.c. */
typedef int hd_graph_library_fn(const char *format, const char *text, size_t length,
                                const struct hd_graph_sink *sink, char *message, size_t size);
#define HD_GRAPH_SYMBOL "hd_graph_library"

#endif
