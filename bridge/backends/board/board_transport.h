/* Transports of a board's bytes other than a serial line: TCP, and a program's input and output.
 * SPDX-License-Identifier: Apache-2.0
 *
 * They reach a board behind an Ethernet bridge, openocd or a simulator. Frames, resending and
 * epochs are those of a serial line (specification §9.1, §9.2), so a transport may lose bytes, but
 * must not exchange them.
 */
#ifndef HD_BOARD_TRANSPORT_H
#define HD_BOARD_TRANSPORT_H

#include "board_line.h"

struct hd_board_transport {
  const char *prefix; /* "tcp:" */
  const char *help;   /* text that follows the prefix */
  int (*open)(struct hd_board_line *line, const char *rest, struct hd_error *err);
};

/** Finds the transport whose prefix the device's name has. NULL: a serial device. */
const struct hd_board_transport *hd_board_transport_of(const char *device);

/** Ends the command of a pipe, if there is one, and waits for its end. */
void hd_board_transport_end(struct hd_board_line *line);

/** Tests whether the command of a pipe has ended by itself, within 200 ms. err says how it
 *  ended. */
bool hd_board_transport_ended(const struct hd_board_line *line, const char *device,
                              struct hd_error *err);

/** Sets the latency timer of the FTDI chip of serial device `device` to 1 ms. The timer is a file
 *  below `sys` ("/sys"), which may be write-protected. Returns the timer's value afterwards, in ms;
 *  0: there is none. The chip's driver hands over a short answer only after this time, usually 16
 *  ms. */
unsigned hd_board_latency(const char *sys, const char *device);

#endif
