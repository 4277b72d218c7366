/* Encodes windows as words for a board, decodes its words, computes signatures (specification
 * §9.4–9.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A window goes to the board in pieces of whole cycles, each as long as its memories allow.
 */
#ifndef HD_BOARD_STIMULUS_H
#define HD_BOARD_STIMULUS_H

#include "../../dut.h"

enum {
  HD_BOARD_SIGNATURES = 16 * 4 + 1, /* signatures of a switch, at most: all ports' lanes, and one */
  HD_BOARD_STEP = 4096,             /* cycles of a step record, at most */
};

/** The parameters of a switch on which the words and signatures depend. */
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

/** Encodes the job's inputs in cycles [from, to), as many cycles as fit into words[room] with
 *  *end*. *n: number of words. Returns the cycle after the last one that fits; `from`: not even one
 *  does. Returns HD_E_INPUT, which is negative, if events are out of order or the switch has no
 *  pins for one. */
int64_t hd_board_encode(const struct hd_board_shape *shape, const struct hd_dut_job *job,
                        uint32_t from, uint32_t to, uint16_t *words, size_t room, size_t *n,
                        struct hd_error *err);

/** Returns the number of words that the outputs of one cycle take at most. */
uint32_t hd_board_words_a_cycle(const struct hd_board_shape *shape);

/** Adds the events in the output records of cycles (from, to] to the job's outputs. False: a word
 *  is no record of §9.5; the job then has the events before it. */
bool hd_board_decode(const struct hd_board_shape *shape, const uint16_t *words, size_t n,
                     uint32_t from, uint32_t to, struct hd_dut_job *job);

/** Computes signatures[hd_board_signatures()] of the model's outputs in cycles (from, to]. Returns
 *  quiescent_o in cycle `from`. */
bool hd_board_sign(const struct hd_board_shape *shape, const struct hd_dut_expected *expected,
                   uint32_t from, uint32_t to, uint32_t *signatures);
/** As hd_board_sign, but continues the given signatures. hd_board_sign begins at 0. */
bool hd_board_sign_continue(const struct hd_board_shape *shape,
                            const struct hd_dut_expected *expected, uint32_t from, uint32_t to,
                            uint32_t *signatures);

/** Encodes one access in a cycle of its own, with `after` idle cycles after it, and *end*. Writes
 *  at most words[5] and returns their number. */
size_t hd_board_access(uint16_t *words, bool write, uint32_t addr, uint16_t data, uint32_t after);

#endif
