/* Windows as words for a board, its words as events, and signatures (specification §9.4–9.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A window goes to the board in pieces of whole cycles.
 */
#ifndef HD_BOARD_STIMULUS_H
#define HD_BOARD_STIMULUS_H

#include "../../dut.h"

enum {
  HD_BOARD_SIGNATURES = 16 * 4 + 1, /* at most: lanes of all ports, and quiescent_o */
  HD_BOARD_STEP = 4096,             /* cycles of a step record at most */
};

struct hd_board_shape {
  uint32_t ports, vcs, data_bits;
  bool barrier, counts; /* §10.8 */
};

static inline uint32_t hd_board_lanes(const struct hd_board_shape *shape)
{
  return shape->data_bits / 16;
}

static inline uint32_t hd_board_signatures(const struct hd_board_shape *shape)
{
  return shape->ports * hd_board_lanes(shape) + 1;
}

/** Stimulus of the job's cycles [from, to) as far as words[room] hold it, *end* included. Returns the
 *  cycle after the last one, `from` where not even that fits; *n: words. HD_E_INPUT as a negative
 *  number: events no pins can carry, or out of order. */
int64_t hd_board_encode(const struct hd_board_shape *shape, const struct hd_dut_job *job,
                        uint32_t from, uint32_t to, uint16_t *words, size_t room, size_t *n,
                        struct hd_error *err);

/** Words that one cycle's outputs can take at most. */
uint32_t hd_board_words_a_cycle(const struct hd_board_shape *shape);

/** Output records of a piece that began in the job's cycle `from`: adds their events to the job, as a
 *  backend does. False: no records as §9.5 has them; the job then holds those before. */
bool hd_board_decode(const struct hd_board_shape *shape, const uint16_t *words, size_t n,
                     uint32_t from, uint32_t to, struct hd_dut_job *job);

/** Signatures of cycles [from, to) of what the model says leaves: signatures[hd_board_signatures()].
 *  Returns quiescent_o before the first of them. */
bool hd_board_sign(const struct hd_board_shape *shape, const struct hd_dut_expected *expected,
                   uint32_t from, uint32_t to, uint32_t *signatures);
/** Continues the given signatures with these cycles; hd_board_sign starts them at 0. */
bool hd_board_sign_on(const struct hd_board_shape *shape, const struct hd_dut_expected *expected,
                      uint32_t from, uint32_t to, uint32_t *signatures);

/** The stimulus of one access in a cycle of its own, `after` idle cycles after it; words[6]. */
size_t hd_board_access(uint16_t *words, bool write, uint32_t addr, uint16_t data, uint32_t after);

#endif
