/* Ways for a board's bytes that are no serial line: a socket, a program's input and output.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A board behind an Ethernet bridge, openocd or a simulator has them. Frames, resending and epochs are those of a serial
 * line (specification §9.1, §9.2): nothing else is asked of a transport than that bytes come in order, mostly.
 */
#ifndef HD_BOARD_TRANSPORT_H
#define HD_BOARD_TRANSPORT_H

#include "board_line.h"

struct hd_board_transport {
  const char *prefix; /* "tcp:" */
  const char *help;   /* what comes after it */
  int (*open)(struct hd_board_line *line, const char *rest, struct hd_error *err);
};

/** The transport of a device that begins with its prefix; NULL: a serial device. */
const struct hd_board_transport *hd_board_transport_of(const char *device);

/** Ends the program of a pipe, if there is one. */
void hd_board_transport_end(struct hd_board_line *line);

/** Sets the latency timer of an FTDI chip behind serial device `device` to 1 ms, if it has one below `sys` ("/sys") and
 *  one may. Returns what it is afterwards, in ms; 0: there is none. The chip's driver waits for so long (16 ms if nobody
 *  says otherwise) before it hands over an answer that is no full packet. */
unsigned hd_board_latency(const char *sys, const char *device);

#endif
