/* Functions that the steps of the search for a smaller tape share. For bridge/check/streams/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TAPE_SEARCH_H
#define HD_TAPE_SEARCH_H

#include "stream_tape.h"

struct tape_search {
  struct hd_tape *tape; /* the smallest tape so far */
  const struct hd_dut_ops *ops;
  struct tape_outcome last; /* result of playing `tape` */
  double until;             /* end of the search, as hd_seconds_now() */
  uint32_t *group;          /* [tape->n]: number of each item's group */
};

/** Is the time of the search over? */
bool hd_tape_search_over(const struct tape_search *search);

/** Takes a tape in place of the present one, if it shows the same difference. Takes over the items of `smaller` in any
 *  case. */
bool hd_tape_search_try(struct tape_search *search, struct hd_tape *smaller);

/** Keeps only the shortest end that shows the difference, and the configuration before it. */
void hd_tape_keep_end(struct tape_search *search);

/** Counts the writes to rows of routing tables. */
size_t hd_tape_count_rows(const struct hd_tape *tape);
/** Leaves out writes to rows of routing tables that no head looks up. */
void hd_tape_keep_rows(struct tape_search *search);

/** Makes written numbers and data of flits smaller. True: it helped. */
bool hd_tape_smaller_values(struct tape_search *search);

/** Makes runs of cycles shorter. True: it helped. */
bool hd_tape_fewer_cycles(struct tape_search *search);

#endif
