/* A bad line between a host and a board: bytes are lost, flipped, doubled, delayed, and the device vanishes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A thread plays it.
 */
#ifndef HD_FAKE_BOARD_LINE_H
#define HD_FAKE_BOARD_LINE_H

#include "../../../cmodel/port_event.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct board_line {
  uint64_t seed;
  uint32_t dropped, flipped, doubled, delayed; /* per million bytes, either way */
  uint32_t gone_after;                         /* bytes, both ways together; 0: never */
  char path[64]; /* of the host's end: a link, so that nobody else's terminal takes its place */
  uint64_t damaged, bytes; /* read it when the line has ended */

  uint64_t rnd;
  int master, slave, board;
  atomic_bool stop;
  pthread_t thread;
};

/** Begins the line between a new device, whose name is in `path`, and the board's device. */
void board_line_begin(struct board_line *l, const char *board);

void board_line_end(struct board_line *l);

#endif
