/* The search for a smaller tape: what its steps share. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TAPE_SEARCH_H
#define HD_TAPE_SEARCH_H

#include "stream_tape.h"

struct tape_search {
  struct hd_tape *tape; /* the smallest so far */
  const struct hd_dut_ops *ops;
  struct tape_outcome last; /* of playing it */
  double until;             /* hd_campaign_now() */
  uint32_t *group;          /* room for a number for each item */
};

/** Is the time up, or the memory? */
bool hd_tape_search_over(const struct tape_search *search);

/** Takes a tape in place of the one there is, if it differs alike; its items are taken over in any case. */
bool hd_tape_search_try(struct tape_search *search, struct hd_tape *smaller);

/** Leaves out all but the shortest end that differs, and the configuration before it. */
void hd_tape_keep_end(struct tape_search *search);

/** Rows of tables that are written. */
size_t hd_tape_count_rows(const struct hd_tape *tape);
/** Leaves out rows of tables that no head asks for. */
void hd_tape_keep_rows(struct tape_search *search);

/** Makes numbers that are written, and data of flits, small. True: one of them was. */
bool hd_tape_smaller_values(struct tape_search *search);

/** Lets fewer cycles pass. True: it helped. */
bool hd_tape_fewer_cycles(struct tape_search *search);

#endif
