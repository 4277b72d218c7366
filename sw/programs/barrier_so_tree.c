/* Program barrier-so-tree: barriers by messages along a binomial tree of members in network order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In Section 4.2, the barrier paper compares itself with "the scheme in [4] using the SO algorithm
 * in [11]". [4] combines and multicasts tiny packets in the switches. The paper takes the tree of
 * [11] (Kesavan, Bondalapati and Panda, HPCA 1997) for it, and gives no details. [11] orders the
 * nodes by their switches ("switch-based ordering"), and multicasts by unicast messages along a
 * variation of a binomial tree over that order, so that fewer messages meet on a link.
 *
 * Our choices where the paper is silent: Software carries it out, so each step costs start-ups. The
 * order of the switches is that of a depth-first walk of the breadth-first tree that up/down
 * routing uses (hd_ep_order). So nodes that are close in the order share a part of the network. The
 * list begins with the center and wraps around. A member that is responsible for a range of the
 * list gives the second half to the first member of that half, and repeats this with the first
 * half. So every subtree is a range of the order, and ⌈log2 members⌉ steps reach all. Reductions
 * take the same tree upwards. The acknowledgements of [4] are left out, because no message is lost
 * here.
 */
#include "barrier_by_messages.h"
#include "programs.h"

/* Builds the tree below list[0], which is responsible for list[0 … n − 1]. */
static void build_subtree(struct hd_member_tree *tree, const int *list, int n)
{
  while (n > 1) {
    int own = (n + 1) / 2;
    hd_member_tree_add(tree, list[own], list[0]);
    build_subtree(tree, list + own, n - own); /* the recursion is as deep as the tree */
    n = own;
  }
}

static void build(struct hd_ep *ep, struct hd_member_tree *tree, const int *members, int n,
                  int center)
{
  int size = hd_ep_size(ep), used = 0, start = 0;
  int *order = hd_ep_alloc(ep, (size_t)size * sizeof *order);
  int *list = hd_ep_alloc(ep, (size_t)n * sizeof *list);
  bool *is_member = hd_ep_alloc(ep, (size_t)size * sizeof *is_member);
  for (int i = 0; i < n; i++)
    is_member[members[i]] = true;
  hd_ep_order(ep, order);
  while (order[start] != center)
    start++;
  for (int i = 0; i < size; i++)
    if (is_member[order[(start + i) % size]])
      list[used++] = order[(start + i) % size];
  build_subtree(tree, list, n);
}

static void run(struct hd_ep *ep)
{
  hd_barrier_by_messages_run(ep, build);
}

static const char *const parameters[] = {HD_BARRIER_PARAMETERS, NULL};

const struct hd_program hd_program_barrier_so_tree = {
    .name = "barrier-so-tree",
    .about = "barriers by messages along a binomial tree of the members in the order of their "
             "switches; parameters " HD_BARRIER_PARAMETER_NAMES,
    .main = run,
    .parameters = parameters,
};
