/* What a board's switch was played since reset: the way back to any cycle (specification §9.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A board cannot tell its state. But it comes to the same by the same stimulus, so a snapshot is all
 * that was played.
 */
#ifndef HD_BOARD_PAST_H
#define HD_BOARD_PAST_H

#include "../../dut.h"

enum {
  HD_BOARD_KEPT_WRITES = 4 * 62
}; /* words of writes that wait: with end they fit one request */

/** A piece: its words, and what its signatures came to; without words: a reset. */
struct hd_board_piece {
  size_t words, n, signatures;
};

/** Zeroed is a switch as it was reset, which nothing was played. */
struct hd_board_past {
  uint16_t *words;
  uint32_t *signatures;
  struct hd_board_piece *pieces;
  size_t n_words, room_words, n_signatures, room_signatures, n_pieces, room_pieces;
  uint16_t writes[HD_BOARD_KEPT_WRITES + 1]; /* accesses that are due, without end */
  size_t n_writes;
  bool
      rewritten; /* tables hold more than the past has written: a reset does not undo that (§2.9) */
  bool configured; /* an idle cycle is due before the next window */
  bool elsewhere;  /* the switch is not where its past leads to */
};

void hd_board_past_fini(struct hd_board_past *past);

/** Keeps a piece that was played and came to these signatures. HD_E_NOMEM. */
int hd_board_past_keep(struct hd_board_past *past, const uint16_t *words, size_t n,
                       const uint32_t *signatures, uint32_t n_signatures, struct hd_error *err);

/** Appends the past, without what is due, to the caller's buffer. HD_E_NOMEM. */
int hd_board_past_save(const struct hd_board_past *past, struct hd_dut_buffer *buffer,
                       struct hd_error *err);

/** Makes it the past of a switch, which is then `elsewhere`. HD_E_NOMEM; HD_E_INPUT: the buffer is no
 *  such past. */
int hd_board_past_restore(struct hd_board_past *past, const struct hd_dut_buffer *buffer,
                          struct hd_error *err);

#endif
