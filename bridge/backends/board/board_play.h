/* Plays windows on a board's switches, and replays them when a state is lost (specification chapter
 * 9).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_PLAY_H
#define HD_BOARD_PLAY_H

#include "board_link.h"
#include "board_history.h"
#include "board_stimulus.h"

struct hd_board_play {
  struct hd_board_link *link; /* borrowed */
  struct hd_board_log *log;   /* borrowed; the file with all histories */
  struct hd_board_about about;
  struct hd_switch_params params;
  struct hd_board_shape shape;
  uint32_t count;
  bool unsigned_answers;              /* ignore signatures; the caller sets it after init */
  struct hd_board_history *histories; /* [count] */
  uint16_t *words, *kept; /* [about.stimulus_words], scratch for new stimulus and for replay */
  uint16_t *records;      /* [about.answer_words], scratch */
  uint64_t recovered;     /* times that a board was set up again after a reset */
};

/** Allocates the state of play. HD_E_INPUT: the board has too few switches, other flits, or
 *  memories that do not hold one cycle. HD_E_NOMEM. */
int hd_board_play_init(struct hd_board_play *play, struct hd_board_link *link,
                       const struct hd_board_about *about, const struct hd_switch_params *params,
                       uint32_t count, struct hd_board_log *log, struct hd_error *err);
/** Returns parameters with which the registers of an unknown switch can be read, after the caller
 *  has set `ports` (hd_board_count_ports). */
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

/* The functions below return HD_E_IO if the line is dead, the disk is full, or a replay gives other
 * signatures; HD_E_INTERRUPTED; HD_E_INPUT. Saving also returns HD_E_NOMEM. */

/** Clears tables as at power-up and resets the switches. Called after init, before anything
 *  else. */
int hd_board_play_begin(struct hd_board_play *play, struct hd_error *err);
/** Resets all switches; their tables stay (§2.9). */
int hd_board_play_reset(struct hd_board_play *play, struct hd_error *err);
/** Collects a write to a switch, in a cycle of its own. Collected writes are sent before the next
 *  window, read, reset or snapshot. */
int hd_board_play_write(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err);
/** Reads a register. The switch is brought back to its state before the next window. */
int hd_board_play_read(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err);
/** Plays one window and fills the job's answer. With `expected`, compares by signatures: if they
 *  differ, the answer has the expected events up to the first piece that differs, the board's
 *  events in that piece, and nothing after it. */
int hd_board_play_window(struct hd_board_play *play, struct hd_dut_job *job,
                         const struct hd_dut_expected *expected, struct hd_error *err);

/** Returns the outputs that were added to a job since its copy `before` was made, in the form of
 *  expected events with `quiescent` in the first cycle. Borrowed from the job. */
struct hd_dut_expected hd_board_shown(const struct hd_dut_job *before, const struct hd_dut_job *job,
                                      bool quiescent);

/** Save and restore a snapshot, which is a position in the log (board_history.h). After a restore,
 *  the next access to the switch replays its history from reset. */
int hd_board_play_save(struct hd_board_play *play, uint32_t sw, struct hd_dut_buffer *buffer,
                       struct hd_error *err);
int hd_board_play_restore(struct hd_board_play *play, uint32_t sw,
                          const struct hd_dut_buffer *buffer, struct hd_error *err);

#endif
