/* The line to a board: a terminal device, real or pseudo (specification §9.1), or another transport.
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
  unsigned latency_ms; /* latency timer of an FTDI chip, if it could not be set; 0: none */
};

enum { HD_BOARD_BAUD = 115200 };

/** Opens a line. HD_E_INPUT: it cannot have this baud rate (board_speeds.h). */
int hd_board_line_check(unsigned baud, struct hd_error *err);

/** Opens a transport of board_transport.h, if `device` has its prefix; otherwise opens and locks a serial device. That is raw,
 *  8N1, without flow control; bytes that nobody has read are dropped. HD_E_IO: it is not there, is no terminal, or is used
 *  by somebody else. HD_E_INPUT: the system does not have this baud rate. */
int hd_board_line_open(struct hd_board_line *line, const char *device, unsigned baud,
                       struct hd_error *err);
void hd_board_line_close(struct hd_board_line *line);

/** Writes all, or fails: HD_E_IO when the device is gone or takes nothing for 5 s. */
int hd_board_line_write(struct hd_board_line *line, const void *bytes, size_t n, int milliseconds,
                        struct hd_error *err);

/** Reads what is there, waiting `milliseconds` at most for the first byte; *n may be 0 then. HD_E_IO
 *  when the device is gone. */
int hd_board_line_read(struct hd_board_line *line, void *bytes, size_t size, int milliseconds,
                       size_t *n, struct hd_error *err);

#endif
