/* A reader of graph files gives vertices and edges to a sink. Readers that use a library are shared objects of their
 * own.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Heddle itself is not linked with these libraries: it starts without them, and runs where there are none.
 */
#ifndef HD_GRAPH_SINK_H
#define HD_GRAPH_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_graph_vertex {
  const char *name;
  const char *type; /* "node", "host" …: an end of the network; otherwise, and NULL: a switch */
  int32_t nodes;    /* of a switch: nodes on it that have no vertex; −1: not said */
};

struct hd_graph_edge {
  uint32_t a, b;          /* vertices, in the order in which they came */
  int32_t a_port, b_port; /* −1: not said */
  bool one_way;           /* from a to b */
  bool once;              /* where a link joins them already, it is that one */
  uint32_t cycles;        /* LINK of its own, of a link between switches; 0: not said */
};

struct hd_graph_sink {
  void *context;
  void (*vertex)(void *context, const struct hd_graph_vertex *vertex);
  void (*edge)(void *context, const struct hd_graph_edge *edge);
};

/** The function that such a shared object exports under HD_GRAPH_SYMBOL. Returns 0, or 1 with a message, which has a line where the
 *  library says one. `format` is the name of the list in graphs.c. */
typedef int hd_graph_library_fn(const char *format, const char *text, size_t length,
                                const struct hd_graph_sink *sink, char *message, size_t size);
#define HD_GRAPH_SYMBOL "hd_graph_library"

#endif
