/* Graph files of other tools, as the links of a fabric: the list of formats.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The beginning of a text says what format it has, not the file's name. A reader gives vertices and edges to a sink
 * (graph_sink.h). All formats become links by the same rules (graph_links.c), which docs/scenario.md has.
 */
#ifndef HD_GRAPHS_H
#define HD_GRAPHS_H

#include "../../cmodel/topology/topology.h"
#include "../host/text.h"

#include <stdbool.h>

struct hd_graph_sink;

struct hd_graph_format {
  const char *name, *help;
  /** Tests whether a text begins as one of this format does. `word` is its first word or sign.
   *  `next` is the sign after that word, or after a name that follows it; 0: none. */
  bool (*begins)(const char *word, char next);
  /** Gives the graph to the sink. HD_E_INPUT, with file and line; HD_E_TOOL: a library is missing. NULL: the text is
   *  the CSV of §5.5, which needs no reader. */
  int (*read)(const struct hd_topology_text *text, struct hd_graph_sink *sink,
              struct hd_error *err);
};

/** The formats in the order in which they are tried. NULL follows the last one, which is CSV. */
extern const struct hd_graph_format *const hd_graph_formats[];

/** The format of a text: that of the first that it begins like. */
const struct hd_graph_format *hd_graph_format_of(const char *chars, size_t length);

/** Gives *csv the text as CSV of §5.5, with a line for each link; empty where it is CSV already. Errors name the
 *  file. HD_E_INPUT, HD_E_TOOL. */
int hd_graph_as_csv(const struct hd_topology_text *text, struct hd_text *csv, struct hd_error *err);

#endif
