/* Windows played on a board's switches, and played again (specification chapter 9).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_PLAY_H
#define HD_BOARD_PLAY_H

#include "board_link.h"
#include "board_history.h"
#include "board_stimulus.h"

struct hd_board_play {
  struct hd_board_link *link; /* borrowed */
  struct hd_board_log *log;   /* borrowed: of what the switches were played */
  struct hd_board_about about;
  struct hd_switch_params params;
  struct hd_board_shape shape;
  uint32_t count;
  bool unsigned_answers; /* set by the caller after init: signatures are not looked at */
  struct hd_board_history *histories; /* [count] */
  uint16_t *words, *kept; /* [about.stimulus_words], scratch: to be played, to be played again */
  uint16_t *records;      /* [about.answer_words], scratch */
  uint64_t recovered;     /* how often a board that had forgotten was brought back */
};

/** Prepares the board. HD_E_INPUT: it has too few switches, or its memories are too small for them.
 *  HD_E_NOMEM. */
int hd_board_play_init(struct hd_board_play *play, struct hd_board_link *link,
                       const struct hd_board_about *about, const struct hd_switch_params *params,
                       uint32_t count, struct hd_board_log *log, struct hd_error *err);
/** Parameters with which registers of any switch can be read, when `ports` is set (board_run.h). */
static inline struct hd_switch_params hd_board_play_unknown(const struct hd_board_about *about)
{
  return (struct hd_switch_params){.ports = 2,
                                   .vcs = 1,
                                   .data_bits = 16 * about->lanes,
                                   .depth_flits = 1,
                                   .nodes = 2,
                                   .route_cycles = 1,
                                   .arb_cycles = 1};
}
void hd_board_play_fini(struct hd_board_play *play);

/* The functions below can end with HD_E_IO (the line is dead, the disk is full, or the board does not repeat itself),
 * HD_E_INTERRUPTED, HD_E_INPUT; saving with HD_E_NOMEM, too. */

/** Clears tables as at power-up and resets the switches. Called after init, before anything else. */
int hd_board_play_begin(struct hd_board_play *play, struct hd_error *err);
/** Resets all switches; their tables stay (§2.9). */
int hd_board_play_reset(struct hd_board_play *play, struct hd_error *err);
/** Writes to a switch in a cycle of its own; sent together with what follows. */
int hd_board_play_write(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err);
/** Reads from a switch, which is restored afterwards. */
int hd_board_play_read(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err);
/** Plays one window and fills the job's answer. With `expected`, compares by signatures: if they
 *  differ, the answer has the expected events up to the first piece that differs, the board's
 *  events in that piece, and nothing after it. */
int hd_board_play_window(struct hd_board_play *play, struct hd_dut_job *job,
                         const struct hd_dut_expected *expected, struct hd_error *err);

/** Gives the outputs that a job has got since it was as `before`, as a window's expected events; `quiescent` in its
 *  first cycle. They borrow from the job. */
struct hd_dut_expected hd_board_shown(const struct hd_dut_job *before, const struct hd_dut_job *job,
                                      bool quiescent);

/** A snapshot: all that the switch was played (board_history.h). To go there it is played again from reset. */
int hd_board_play_save(struct hd_board_play *play, uint32_t sw, struct hd_dut_buffer *buffer,
                       struct hd_error *err);
int hd_board_play_restore(struct hd_board_play *play, uint32_t sw,
                          const struct hd_dut_buffer *buffer, struct hd_error *err);

#endif
