/* The readers of single formats, and functions that they share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GRAPH_READER_H
#define HD_GRAPH_READER_H

#include "graph_sink.h"
#include "graphs.h"

/** Readers that are files of this room. */
int hd_graph_read_json(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                       struct hd_error *err);
int hd_graph_read_anynet(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                         struct hd_error *err);
int hd_graph_read_ns3(const struct hd_topology_text *text, struct hd_graph_sink *sink,
                      struct hd_error *err);

/** Iterates over the words of a text, line by line. */
struct hd_graph_words {
  const struct hd_topology_text *text;
  size_t at;     /* position after the current word */
  uint32_t line; /* line of the current word, from 1 */
  bool begins;   /* the word is the first of its line */
  char word[64]; /* the current word, cut to this size */
};

/** Goes to the next word. False at the end of the text. */
bool hd_graph_word(struct hd_graph_words *words);
/** Reads the current word as a whole number up to `most`. False: it is no such number. */
bool hd_graph_number(const struct hd_graph_words *words, uint32_t most, uint32_t *number);
/** Fails with "FILE:LINE: …". */
int hd_graph_fail(const struct hd_graph_words *words, struct hd_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
