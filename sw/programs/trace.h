/* Traces of messages: CSV of cycle, source, destination, bytes, and of which virtual network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One message a line, as csv.h has it, with the header `cycle,source,destination,bytes,network`. Lines and header may
 * leave out the network; then it is 0. The order of lines does not matter but for messages of one source in one cycle.
 */
#ifndef HD_PROGRAMS_TRACE_H
#define HD_PROGRAMS_TRACE_H

#include "csv.h"

struct hd_trace_row {
  uint64_t cycle;
  uint32_t source, destination, bytes, network;
  uint32_t line;
};

/** Upper bound of the rows in a text. */
size_t hd_trace_rows_max(const char *text, size_t length);

/** Reads a trace for `nodes` nodes and `networks` virtual networks from text of `length` bytes, not NUL-terminated, into
 *  rows[hd_trace_rows_max()]. 0, or -1 with the first error. The rows are in the order of the
 *  lines. */
int hd_trace_parse(const char *text, size_t length, uint32_t nodes, uint32_t networks,
                   struct hd_trace_row *rows, size_t *n_rows, struct hd_csv_error *error);

/** Sorts by source, then cycle, then line. */
void hd_trace_sort(struct hd_trace_row *rows, size_t n_rows);

#endif
