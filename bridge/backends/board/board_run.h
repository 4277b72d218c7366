/* One run on a board's switch as it stands, and what a switch needs before (specification §9.3–9.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * All of these: *forgotten where the board refuses because it was reset; then, and for every other
 * failure, the switch is in an unknown state.
 */
#ifndef HD_BOARD_RUN_H
#define HD_BOARD_RUN_H

#include "board_play.h"

/** Result of a run (§9.5). */
struct hd_board_answer {
  uint32_t flags, cycles;
  size_t n_records; /* in play->records */
  uint32_t signatures[HD_BOARD_SIGNATURES];
};

/** Plays words[n], *end* the last of them. HD_E_IO where the board understood them otherwise. */
int hd_board_run(struct hd_board_play *play, uint32_t sw, const uint16_t *words, size_t n,
                 bool events, struct hd_board_answer *a, bool *forgotten, struct hd_error *err);

/** Finds the number of ports of the board's switches from the length of an answer: it holds a
 *  signature for each lane of each port, and one more (§9.6). Plays nothing. Returns HD_E_IO when
 *  the length fits no number of ports. */
int hd_board_count_ports(struct hd_board_link *link, const struct hd_board_about *about,
                         uint32_t *ports, struct hd_error *err);

int hd_board_reset_switch(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err);

/** Writes 0 to all tables: as they are at power-up. */
int hd_board_clear_tables(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err);

#endif
