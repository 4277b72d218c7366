/* A barrier by messages along a tree of the members, for switches that know nothing of barriers.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reduction: a member that has arrived and has heard of all its children tells its parent; the center
 * has none. Distribution: whoever hears from its parent tells its children, in the order in
 * which they were added. Empty messages; each costs a start-up where it is sent and one
 * where it is received, and receives are posted as early as they can be.
 */
#ifndef HD_BARRIER_BY_MESSAGES_H
#define HD_BARRIER_BY_MESSAGES_H

#include "barrier_common.h"

/** Adds a member below its parent. The tree has the center from the start. */
void hd_member_tree_add(struct hd_member_tree *tree, int member, int parent);

/** Runs the whole program. `build` adds all members but the center to the tree. */
void hd_by_messages_run(struct hd_ep *ep,
                        void (*build)(struct hd_ep *ep, struct hd_member_tree *tree,
                                      const int *members, int n, int center));

#endif
