/* A board in software (soft_core.h) behind a pseudo-terminal, for tests of the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its switches are models, its line can damage bytes, and it can lose its memory, its line, or lie. A thread plays
 * it. A test sets fields before the thread begins, and reads them after it has ended; only atomic fields may be read
 * while it runs.
 */
#ifndef HD_SOFT_BOARD_H
#define HD_SOFT_BOARD_H

#include "../../../bridge/backends/board/board_frame.h"
#include "soft_core.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

struct soft_board {
  struct hd_switch_params params;
  uint32_t switches;
  uint64_t build;
  /* per million bytes on the line, either way */
  uint32_t dropped, flipped, doubled;
  uint32_t
      forget_at; /* forgets its state after so many requests, then after three times as many, and so on; 0: never */
  uint32_t unplug_every; /* the cable is unplugged after every so many requests; 0: never */
  bool unplug_for_good;
  uint32_t lie_switch,
      lie_cycle; /* one output credit bit is wrong in this cycle since reset; 0: never */
  bool lie_once;
  bool wrong; /* a register of all switches reads as wrong_value */
  uint32_t wrong_register;
  uint16_t wrong_value;
  bool missigns, misrecords; /* its signature unit, its output records are broken (soft_core.h) */
  uint32_t missigns_above;
  bool wrong_epoch; /* its answers have another epoch than it has */
  bool garbled;     /* what it sends is no frame */
  bool stale;       /* before each answer comes what another host would have got: another epoch */
  speed_t speed;    /* of its line: at another one all bytes are garbage; 0: any */
  uint64_t rnd;
  atomic_bool stop;
  atomic_uint carried_out, unplugged, forgot;

  char path[64]; /* of the link to the terminal, which may change */
  int master, slave;
  pthread_t thread;
  struct soft_core core;
};

/** Plays the board until it is told to stop. This is the thread of soft_begin. */
void *soft_play(void *context);

void soft_begin(struct soft_board *b);

void soft_end(struct soft_board *b);

#endif
