/* Reads graph files of other tools as links of a fabric, and writes them as CSV. This is the list of formats.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The start of a text decides its format, not the file's name. A reader gives vertices and edges to
 * a sink (graph_sink.h). All formats become links by the same rules (graph_links.c).
 * docs/scenario.md lists these rules.
 */
#ifndef HD_GRAPHS_H
#define HD_GRAPHS_H

#include "../../cmodel/topology/topology.h"
#include "../host/text.h"

#include <stdbool.h>

struct hd_graph_sink;

struct hd_graph_format {
  const char *name, *help;
  /** Tests whether a text begins like this format. `word` is its first word, cut to 15 characters,
   *  or its first character if that is no letter or digit. `next` is the first character after it
   *  that is no blank and in no comment; 0: none. */
  bool (*begins)(const char *word, char next);
  /** Gives the graph to the sink. HD_E_INPUT, with file and line; HD_E_TOOL: a library is
   *  missing. NULL: the text is already CSV (§5.5). */
  int (*read)(const struct hd_topology_text *text, struct hd_graph_sink *sink,
              struct hd_error *err);
};

/** The formats in the order in which they are tried. The last one is CSV; NULL ends the list. */
extern const struct hd_graph_format *const hd_graph_formats[];

/** The first format of the list that the text begins like. */
const struct hd_graph_format *hd_graph_format_of(const char *chars, size_t length);

/** Writes the text as CSV of §5.5 to *csv, with a line for each link. *csv stays empty if the
 *  text is already CSV. Errors name the file. HD_E_INPUT, HD_E_TOOL. */
int hd_graph_as_csv(const struct hd_topology_text *text, struct hd_text *csv, struct hd_error *err);

/** A link of a topology: in both directions, or from `a` to `b` only. */
struct hd_graph_link {
  struct hd_peer a, b;
  bool one_way;
  uint32_t cycles; /* cycles of this link; 0: those of the fabric */
};

/** Calls `each` for every link once: a node before a switch, the lower switch first. */
void hd_graph_for_links(const struct hd_topology *topology,
                        void (*each)(void *context, const struct hd_graph_link *link),
                        void *context);

/** Adds every link as a line of CSV (§5.5), so that users can write a fabric out, change it and
 *  use it. */
void hd_graph_add_csv(const struct hd_topology *topology, struct hd_text *csv);

#endif
