/* Traces of messages: CSV with cycle, source, destination, bytes and virtual network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each line is a message, in the form that csv.h describes, under the header
 * `cycle,source,destination,bytes,network`. Header and lines may leave out the network; it is then
 * 0. The order of lines matters only among messages of one source in one cycle.
 */
#ifndef HD_PROGRAMS_TRACE_H
#define HD_PROGRAMS_TRACE_H

#include "csv.h"

struct hd_trace_row {
  uint64_t cycle;
  uint32_t source, destination, bytes, network;
  uint32_t line;
};

/** Reads a trace for `nodes` nodes and `networks` virtual networks from text[length], which need
 *  not end with NUL, into rows[hd_csv_lines_max()], in the order of the lines. Returns 0, or -1
 *  with the first error. */
int hd_trace_parse(const char *text, size_t length, uint32_t nodes, uint32_t networks,
                   struct hd_trace_row *rows, size_t *n_rows, struct hd_csv_error *error);

/** Sorts messages by source, then cycle, then line. */
void hd_trace_sort(struct hd_trace_row *rows, size_t n_rows);

#endif
