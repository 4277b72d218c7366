/* Lane code whose cells can have faults: each lane can be another mutant.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each look-up table has eight words, one for each of its rows: in the lanes that word r has, the
 * table gives the opposite in row r. So a lane can have any other table. Flags say which cells have
 * a fault in some lane, and which functions have such a cell. All other functions run the code
 * without faults, which is faster.
 */
#ifndef HD_LANES_MUTATED_H
#define HD_LANES_MUTATED_H

#include "lanes_word.h"

struct hd_lane_wrongs {
  const hd_word *rows;                    /* [8·luts] */
  const unsigned char *cells, *functions; /* [luts], [functions]; 1: some lane has a fault in it */
};

struct hd_lane_fault_code {
  uint32_t luts, functions;
  const uint32_t *function; /* [luts]: index of the function that computes the cell */
  /** As hd_lane_code.step, but with faults. */
  void (*step)(const hd_word *now, hd_word *next, const hd_word *inputs, hd_word *temporaries,
               const struct hd_lane_memory *memories, const hd_word *writes,
               const struct hd_lane_wrongs *wrongs);
  /** As hd_lane_code.show, but with faults. NULL if that is NULL. */
  void (*show)(hd_word *state, const hd_word *inputs, const struct hd_lane_wrongs *wrongs);
};
extern const struct hd_lane_fault_code hd_lane_fault_code;

/** Returns `zero` in the lanes in which `select` is 0, `one` in the others. */
static inline hd_word hd_lane_choose(hd_word select, hd_word zero, hd_word one)
{
  return zero ^ ((zero ^ one) & select);
}

/** Returns the lanes in which a table with `inputs` inputs, of values a, b and c, gives the
 *  opposite. */
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
