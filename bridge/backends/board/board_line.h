/* Line to a board: a terminal, real or pseudo (specification §9.1), or another transport.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_LINE_H
#define HD_BOARD_LINE_H

#include "../../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct hd_board_line {
  int fd;              /* -1: closed */
  pid_t pid;           /* process of a pipe's command; 0: none */
  unsigned latency_ms; /* latency timer of an FTDI chip that could not be set to 1 ms; 0: none */
};

enum { HD_BOARD_BAUD = 115200 };

/** Checks that a serial line can have this baud rate (board_speeds.h). HD_E_INPUT: it cannot. */
int hd_board_line_check(unsigned baud, struct hd_error *err);

/** Opens a transport, if `device` has a prefix of board_transport.h. Otherwise opens and locks a
 *  serial device, sets it to raw, 8N1 and no flow control, and drops bytes that were received
 *  before. HD_E_IO: the device is not there, is no terminal, or another heddle uses it. HD_E_INPUT:
 *  the system does not have this baud rate. */
int hd_board_line_open(struct hd_board_line *line, const char *device, unsigned baud,
                       struct hd_error *err);
void hd_board_line_close(struct hd_board_line *line);

/** Writes all n bytes. HD_E_IO when the device is gone, or takes nothing for `milliseconds`. */
int hd_board_line_write(struct hd_board_line *line, const void *bytes, size_t n, int milliseconds,
                        struct hd_error *err);

/** Reads the bytes that have come, at most `size`. Waits at most `milliseconds` for the first one;
 *  if none comes, *n is 0. HD_E_IO when the device is gone. */
int hd_board_line_read(struct hd_board_line *line, void *bytes, size_t size, int milliseconds,
                       size_t *n, struct hd_error *err);

#endif
