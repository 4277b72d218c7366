/* Reads schedules of collectives: CSV with step, message, source, destination and links.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `heddle schedule --format csv` writes such files. The first step is 1. The links are "n3 s0:1
 * s4:0": the node's link, then the output port of each switch on the path. A file is refused if a
 * node sends a message that it does not have in that step, or receives one twice. The network
 * checks later whether the path leads to the destination.
 */
#ifndef HD_PROGRAMS_SCHEDULE_FILE_H
#define HD_PROGRAMS_SCHEDULE_FILE_H

#include "csv.h"

enum { HD_SCHEDULE_NODES_MAX = 4096 };

struct hd_schedule_row {
  uint32_t step, message, source, destination; /* the first step is 0 */
  /** the node that has the message before the first step: the interface that sends it first */
  uint32_t origin;
  /** index of the row by which the source got the message; UINT32_MAX: the source is the origin */
  uint32_t before;
  size_t first_port; /* index in ports[] */
  uint32_t n_ports;
  uint32_t line;
};

/** Reads text[length], which need not end with NUL, into rows[hd_csv_lines_max()] and
 *  ports[length]. `nodes` is at most HD_SCHEDULE_NODES_MAX. Each `interfaces` consecutive nodes are
 *  the interfaces of one node, which share its messages. Returns 0, or -1 with the first error. The
 *  rows are sorted by message, then step. */
int hd_schedule_rows(const char *text, size_t length, uint32_t nodes, uint32_t interfaces,
                     struct hd_schedule_row *rows, size_t *n_rows, uint8_t *ports,
                     struct hd_csv_error *error);

#endif
