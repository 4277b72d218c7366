/* Program barrier-star: each member sends a message to the center, which answers all.
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is the "well-known star-based barrier scheme" with which the barrier paper compares itself in
 * Section 4.2, done by software. It works with any switch.
 */
#include "barrier_by_messages.h"
#include "programs.h"

static void build(struct hd_ep *ep, struct hd_member_tree *tree, const int *members, int n,
                  int center)
{
  (void)ep;
  for (int i = 0; i < n; i++)
    if (members[i] != center)
      hd_member_tree_add(tree, members[i], center);
}

static void run(struct hd_ep *ep)
{
  hd_barrier_by_messages_run(ep, build);
}

static const char *const parameters[] = {HD_BARRIER_PARAMETERS, NULL};

const struct hd_program hd_program_barrier_star = {
    .name = "barrier-star",
    .about = "barriers by messages of all members to the center and back; "
             "parameters " HD_BARRIER_PARAMETER_NAMES,
    .main = run,
    .parameters = parameters,
};
