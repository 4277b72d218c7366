/* History of a board's switch: its stimulus since reset, the way back to any cycle (specification §9.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A board cannot tell its state. But it comes to the same by the same stimulus, so a snapshot is all
 * that was played. That grows with the run, so it is in a file; what is held is the place of its end.
 */
#ifndef HD_BOARD_HISTORY_H
#define HD_BOARD_HISTORY_H

#include "../../dut_extension.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
  HD_BOARD_KEPT_WRITES = 4 * 62
}; /* words of writes that wait: with end they fit one request */

/** Stimuli of all switches of a DUT, in a file without a name in $TMPDIR, or /tmp. Pieces are appended,
 *  and each knows the one before it, so several histories may share their beginning. */
struct hd_board_log {
  int fd;
  uint64_t id;          /* other logs have another one */
  atomic_ullong end;    /* bytes */
  pthread_mutex_t walk; /* of who goes along one: that writes the ways forward into the file */
};

/** Opens the file. HD_E_IO: it cannot be made, with the reason. */
int hd_board_log_open(struct hd_board_log *log, struct hd_error *err);
void hd_board_log_close(struct hd_board_log *log);

/** A piece: its words are behind it in the file; without words: a reset. */
struct hd_board_piece {
  uint64_t before,
      next; /* places in the log; 0: none. `next` holds after hd_board_history_first alone */
  uint64_t signatures; /* hash of what they came to */
  uint64_t n;
};

/** The history of a switch. Zeroed means that nothing was played since the reset. */
struct hd_board_history {
  uint64_t last;                             /* piece; 0: none */
  uint16_t writes[HD_BOARD_KEPT_WRITES + 1]; /* accesses that are due, without end */
  size_t n_writes;
  bool
      rewritten; /* tables hold more than the history has written: a reset does not undo that (§2.9) */
  bool configured; /* an idle cycle is due before the next window */
  bool elsewhere;  /* the switch is not where its history leads to */
};

/* The functions below can end with HD_E_IO: the file cannot be written or read. */

/** Keeps a piece that was played and came to these signatures. */
int hd_board_history_keep(struct hd_board_history *history, struct hd_board_log *log,
                          const uint16_t *words, size_t n, const uint32_t *signatures,
                          uint32_t n_signatures, struct hd_error *err);
/** Tests whether signatures are those that were kept with a piece. */
bool hd_board_history_repeats(const struct hd_board_piece *piece, const uint32_t *signatures,
                              uint32_t n_signatures);

/** The history's first piece; 0: it is empty. hd_board_piece.next leads to the next piece, until
 *  another history is walked. The caller holds log->walk. */
int hd_board_history_first(const struct hd_board_history *history, struct hd_board_log *log,
                           uint64_t *first, struct hd_error *err);
/** The piece at a place, and its words[room]. */
int hd_board_history_read(const struct hd_board_log *log, uint64_t place,
                          struct hd_board_piece *piece, uint16_t *words, size_t room,
                          struct hd_error *err);

/** Appends the place of the history's end, without what is due, to the caller's buffer. HD_E_NOMEM. */
int hd_board_history_save(const struct hd_board_history *history, const struct hd_board_log *log,
                          struct hd_dut_buffer *buffer, struct hd_error *err);

/** Makes it the history of a switch, which is then `elsewhere`. HD_E_INPUT: the buffer is no snapshot of
 *  this log. */
int hd_board_history_restore(struct hd_board_history *history, const struct hd_board_log *log,
                             const struct hd_dut_buffer *buffer, struct hd_error *err);

#endif
