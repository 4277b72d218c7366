/* A barrier by messages along a tree of the members, for switches without barrier messages.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reduction: when a member has arrived and has a message from each of its children, it sends one to
 * its parent. The center has no parent. Distribution: when a member gets the message from its
 * parent, it sends one to each child, in the order in which children were added. The messages are
 * empty. Each costs a start-up at its sender and one at its receiver. Receives are posted as early
 * as possible.
 */
#ifndef HD_BARRIER_BY_MESSAGES_H
#define HD_BARRIER_BY_MESSAGES_H

#include "barrier_common.h"

/** Adds a member below its parent. The tree contains the center from the beginning. */
void hd_member_tree_add(struct hd_member_tree *tree, int member, int parent);

/** Runs the whole program of a node. `build` adds all members except the center to the tree. */
void hd_barrier_by_messages_run(struct hd_ep *ep,
                                void (*build)(struct hd_ep *ep, struct hd_member_tree *tree,
                                              const int *members, int n, int center));

#endif
