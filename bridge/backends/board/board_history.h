/* History of a board's switch: its stimulus since reset, to be replayed (specification §9.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A board's switch has no snapshot: nothing can read its state. But after a reset the same stimulus
 * leads to the same state. So the history keeps all stimulus in a file, because it grows with the
 * run, and a snapshot is a position in that file.
 */
#ifndef HD_BOARD_HISTORY_H
#define HD_BOARD_HISTORY_H

#include "../../dut_extension.h"

#include <pthread.h>
#include <stdatomic.h>

/** Words of collected writes, at most. With the word *end* they fit into one request. */
enum { HD_BOARD_KEPT_WRITES = 4 * 62 };

/** Stimuli of all switches of a DUT, in an unlinked file in $TMPDIR, or /tmp. Pieces are appended.
 *  Each piece has the position of the one before it, so histories may share their first pieces. */
struct hd_board_log {
  int fd;
  uint64_t id;       /* unique to this log */
  atomic_ullong end; /* length of the file, in bytes */
  /** Held while a history is read from its first piece on, which needs the pieces' `next`. */
  pthread_mutex_t walk;
};

/** Creates the file. HD_E_IO: with the reason. HD_E_INPUT: TMPDIR is too long. */
int hd_board_log_open(struct hd_board_log *log, struct hd_error *err);
void hd_board_log_close(struct hd_board_log *log);

/** Header of a piece of stimulus. Its words follow it in the file. A piece without words is a
 *  reset. */
struct hd_board_piece {
  uint64_t before, next; /* positions in the log; 0: none; hd_board_history_first sets `next` */
  uint64_t signatures;   /* hash of the signatures that the words gave */
  uint64_t n;            /* number of words */
};

/** The history of a switch. Zeroed means that nothing was played since the reset. */
struct hd_board_history {
  uint64_t last;                             /* position of the last piece; 0: none */
  uint16_t writes[HD_BOARD_KEPT_WRITES + 1]; /* writes that were not sent yet, without *end* */
  size_t n_writes;                           /* words of them */
  /** Tables may hold writes that are not in the history. A reset does not undo them (§2.9). */
  bool rewritten;
  bool configured;   /* something was written; the next window needs an idle cycle before it */
  bool needs_replay; /* the switch is not in the state to which its history leads */
};

/* The functions below return HD_E_IO if the file cannot be written or read. */

/** Appends a piece that was played, and a hash of the signatures that it gave. */
int hd_board_history_append(struct hd_board_history *history, struct hd_board_log *log,
                            const uint16_t *words, size_t n, const uint32_t *signatures,
                            uint32_t n_signatures, struct hd_error *err);
/** Tests whether signatures are those that the piece gave when it was appended. */
bool hd_board_history_matches(const struct hd_board_piece *piece, const uint32_t *signatures,
                              uint32_t n_signatures);

/** Finds the position of the history's first piece (0: none) and sets `next` of all its pieces.
 *  They stay valid until this is called for another history, so the caller holds log->walk. */
int hd_board_history_first(const struct hd_board_history *history, struct hd_board_log *log,
                           uint64_t *first, struct hd_error *err);
/** Reads the piece at a position, and its words into words[room]. HD_E_INPUT: too many words. */
int hd_board_history_read(const struct hd_board_log *log, uint64_t position,
                          struct hd_board_piece *piece, uint16_t *words, size_t room,
                          struct hd_error *err);

/** Appends a snapshot to the caller's buffer: the position of the last piece. Writes that were not
 *  sent yet are not part of it. HD_E_NOMEM. */
int hd_board_history_save(const struct hd_board_history *history, const struct hd_board_log *log,
                          struct hd_dut_buffer *buffer, struct hd_error *err);

/** Makes the snapshot's history that of the switch, and sets `needs_replay` until the caller
 *  replays the history. HD_E_INPUT: the buffer is no snapshot of this log. */
int hd_board_history_restore(struct hd_board_history *history, const struct hd_board_log *log,
                             const struct hd_dut_buffer *buffer, struct hd_error *err);

#endif
