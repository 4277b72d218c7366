/* Lane code whose cells can be wrong: another switch in each lane.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each look-up table has eight words, one for each row of it: in the lanes of word r the table gives the opposite
 * in row r. So a lane's table can be any other one. Cells that are right in all lanes have flags that say so, and so
 * have functions in which all cells are right: there is the code without any of this, too.
 */
#ifndef HD_LANES_MUTATED_H
#define HD_LANES_MUTATED_H

#include "lanes_word.h"

struct hd_lane_wrongs {
  const hd_word *rows;                    /* [8·luts] */
  const unsigned char *cells, *functions; /* [luts], [functions]: look at its rows; at its cells */
};

struct hd_lane_mutable {
  uint32_t luts, functions;
  const uint32_t *function; /* [luts]: where the cell is */
  /** hd_lane_code.step with cells that are wrong. */
  void (*step)(const hd_word *now, hd_word *next, const hd_word *inputs, hd_word *temporaries,
               const struct hd_lane_memory *memories, const hd_word *writes,
               const struct hd_lane_wrongs *wrongs);
  /** hd_lane_code.show with cells that are wrong; NULL as there. */
  void (*show)(hd_word *state, const hd_word *inputs, const struct hd_lane_wrongs *wrongs);
};
extern const struct hd_lane_mutable hd_lane_mutable;

/** Word `zero` where the selecting bit is 0, `one` where it is 1. */
static inline hd_word hd_lane_choose(hd_word select, hd_word zero, hd_word one)
{
  return zero ^ ((zero ^ one) & select);
}

/** Lanes in which a table of so many inputs gives the opposite. */
static inline hd_word hd_lane_wrong(const hd_word *rows, unsigned inputs, hd_word a, hd_word b,
                                    hd_word c)
{
  const hd_word low = hd_lane_choose(a, rows[0], rows[1]);
  if (inputs < 2)
    return low;
  const hd_word half = hd_lane_choose(b, low, hd_lane_choose(a, rows[2], rows[3]));
  if (inputs < 3)
    return half;
  const hd_word high =
      hd_lane_choose(b, hd_lane_choose(a, rows[4], rows[5]), hd_lane_choose(a, rows[6], rows[7]));
  return hd_lane_choose(c, half, high);
}

#endif
