/* Schedules of collectives as endpoint software reads them: CSV of step,message,source,destination,links.
 * SPDX-License-Identifier: Apache-2.0
 *
 * `heddle schedule --format csv` writes such files. Steps begin with 1. Links are "n3 s0:1 s4:0": the node's link,
 * then the output port of each switch on the way. A file is refused if a node sends a message that it does not have
 * in that step, or gets one twice. Whether a way is one of the network is for the network to say.
 */
#ifndef HD_PROGRAMS_SCHEDULE_FILE_H
#define HD_PROGRAMS_SCHEDULE_FILE_H

#include "csv.h"

enum { HD_SCHEDULE_NODES_MAX = 4096 };

struct hd_schedule_row {
  uint32_t step, message, source, destination; /* step from 0 */
  uint32_t
      origin; /* node that has the message before any step, the interface that sends it first */
  uint32_t
      before; /* row by which the source's node got the message; UINT32_MAX: it is the origin */
  size_t first_port; /* of ports[] */
  uint32_t n_ports;
  uint32_t line;
};

/** Reads a text, which need not end with NUL, into rows[hd_csv_lines_max()] and ports[length]; `nodes` up to
 *  HD_SCHEDULE_NODES_MAX. `interfaces` nodes that follow each other are one node with so many interfaces: one has what the
 *  others have. 0, or -1 with the first error. The rows are in the order of messages, then steps. */
int hd_schedule_rows(const char *text, size_t length, uint32_t nodes, uint32_t interfaces,
                     struct hd_schedule_row *rows, size_t *n_rows, uint8_t *ports,
                     struct hd_csv_error *error);

#endif
