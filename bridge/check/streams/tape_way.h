/* The packet of a stream that a difference is about: where it came in, and when its head was granted an output.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A replay shows cycle after cycle what enters each channel and which credits the model gives back. A credit is visible
 * a cycle after its flit was popped (§2.2), so between them they say which flit is at which place. For
 * bridge/check/streams/ alone.
 */
#ifndef HD_TAPE_WAY_H
#define HD_TAPE_WAY_H

#include "../../explain/explain.h"

struct tape_way;

/** Follows the packet of the difference in `explanation`, whose state_cycle is set, and writes its `way`. Borrows the
 *  explanation until hd_tape_way_destroy. NULL: out of memory. */
struct tape_way *hd_tape_way_create(struct hd_explanation *explanation);
void hd_tape_way_destroy(struct tape_way *way); /* NULL is fine */

/** The next cycle since the reset, with the model's state and outputs at its start. */
void hd_tape_way_look(struct tape_way *way, const struct hd_replay_cycle *cycle);

/** The state is another one than what entered: nothing is known of the flits that are inside. */
void hd_tape_way_forget(struct tape_way *way);

#endif
