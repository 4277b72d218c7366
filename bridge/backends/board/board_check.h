/* The lower rungs of bring-up: the line, what the board says of itself, its memories.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The steps above them run scenarios, as any other backend does.
 */
#ifndef HD_BOARD_CHECK_H
#define HD_BOARD_CHECK_H

#include "board_play.h"

/** A board that is looked at; zero but for link.line.fd = -1, and link.stop where wanted. */
struct hd_board_check {
  const char *device;
  unsigned baud;
  uint64_t seed;   /* of the bytes that go there and back */
  uint32_t echoes; /* frames of them */
  struct hd_board_link link;
  struct hd_board_play play;
  struct hd_board_log log; /* open while `playing` */
  bool playing;
  struct hd_board_about about;
  struct hd_switch_params params; /* known from the rung "registers" on */
  char found[256];                /* by the last rung, a sentence */
};

/* The rungs, each on top of those before it. 0, HD_E_IO, HD_E_INPUT, HD_E_INTERRUPTED. */

/** Rung: a board answers. */
int hd_board_check_link(struct hd_board_check *check, struct hd_error *err);
/** Rung: bytes of all kinds go to the board and come back. */
int hd_board_check_echo(struct hd_board_check *check, struct hd_error *err);
/** The registers of all switches can be read and name one and the same switch. */
int hd_board_check_registers(struct hd_board_check *check, struct hd_error *err);
/** Rung: the stimulus memory and the answer memory hold every word that was written. */
int hd_board_check_memory(struct hd_board_check *check, struct hd_error *err);
/** Checks that the signature of each switch's outputs fits the outputs that were recorded. Otherwise one of the two
 *  units is broken. It does not check the outputs themselves. HD_E_NOMEM, too. */
int hd_board_check_signatures(struct hd_board_check *check, struct hd_error *err);

/** Closes the line. */
void hd_board_check_fini(struct hd_board_check *check);

#endif
