/* Lower rungs of bring-up: line, echo, registers, memories, signatures.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rungs above them run scenarios through the DUT contract.
 */
#ifndef HD_BOARD_CHECK_H
#define HD_BOARD_CHECK_H

#include "board_play.h"

/** A board under test. The caller sets device, baud, seed, echoes and link.line.fd = -1, and may
 *  set link.stop; all other members begin at zero. */
struct hd_board_check {
  const char *device;
  unsigned baud;
  uint64_t seed;   /* of the bytes in echo frames, and of the signatures' inputs */
  uint32_t echoes; /* number of echo frames */
  struct hd_board_link link;
  struct hd_board_play play;
  struct hd_board_log log; /* open while `playing` */
  bool playing;
  struct hd_board_about about;
  struct hd_switch_params params; /* known from the rung "registers" on */
  char found[256];                /* result of the last rung, for the report */
};

/* Rungs. Each needs the ones before it. They return 0, HD_E_IO, HD_E_INPUT or HD_E_INTERRUPTED. */

/** Rung: a board answers. */
int hd_board_check_link(struct hd_board_check *check, struct hd_error *err);
/** Rung: bytes of all kinds go to the board and come back. */
int hd_board_check_echo(struct hd_board_check *check, struct hd_error *err);
/** Rung: the registers of all switches can be read, and all name the same parameters. */
int hd_board_check_registers(struct hd_board_check *check, struct hd_error *err);
/** Rung: a run that fills the stimulus memory gives the right words in the answer memory. */
int hd_board_check_memory(struct hd_board_check *check, struct hd_error *err);
/** Rung: the signatures of each switch's outputs match the recorded outputs. Otherwise one of the
 *  two units is broken. The outputs themselves are not checked. Also HD_E_NOMEM. */
int hd_board_check_signatures(struct hd_board_check *check, struct hd_error *err);

/** Closes the line. */
void hd_board_check_fini(struct hd_board_check *check);

#endif
