/* Finds the packet of a difference in a stream: where it came in, and when its head was granted an output.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A replay shows in each cycle which flits enter each channel and which credits the model returns. A credit is visible one
 * cycle after its flit was popped (§2.2), so both together say which flits a buffer holds. For bridge/check/streams/ alone.
 */
#ifndef HD_TAPE_WAY_H
#define HD_TAPE_WAY_H

#include "../../explain/explain.h"

struct tape_way;

/** Begins to follow the packet of the difference in `explanation`, whose state_cycle is set; its `way` gets the result.
 *  Borrows the explanation until hd_tape_way_destroy. NULL: out of memory. */
struct tape_way *hd_tape_way_create(struct hd_explanation *explanation);
void hd_tape_way_destroy(struct tape_way *way); /* NULL is fine */

/** Takes the next cycle since the reset, with the model's state and outputs at its start. */
void hd_tape_way_look(struct tape_way *way, const struct hd_replay_cycle *cycle);

/** Notes that a state was restored, so that the flits in the buffers are not known. */
void hd_tape_way_forget(struct tape_way *way);

#endif
