/* Single requests to a board's switch: run, reset, clear tables, count ports (specification
 * §9.3–9.5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * After an error the state of the switch is unknown. *forgotten says that the board refused because
 * it was reset or serves another host.
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

/** Plays words[n], which end with *end*, from the switch's present state. `events`: the board also
 *  records outputs, which go to play->records. HD_E_IO: the board played other cycles than the
 *  words ask for. */
int hd_board_run(struct hd_board_play *play, uint32_t sw, const uint16_t *words, size_t n,
                 bool events, struct hd_board_answer *a, bool *forgotten, struct hd_error *err);

/** Finds the number of ports of the board's switches from the length of an answer: it holds a
 *  signature for each lane of each port, and one more (§9.6). Plays nothing. Returns HD_E_IO when
 *  the length fits no number of ports. */
int hd_board_count_ports(struct hd_board_link *link, const struct hd_board_about *about,
                         uint32_t *ports, struct hd_error *err);

/** Resets switch `sw` (§2.9). Its tables stay. */
int hd_board_reset_switch(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err);

/** Writes 0 to all tables, which is their content at power-up. */
int hd_board_clear_tables(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err);

#endif
