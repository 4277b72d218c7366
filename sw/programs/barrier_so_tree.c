/* Program barrier-so-tree: barriers by messages along a binomial tree of members in network order.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The barrier paper compares itself with this in Section 4.2: "the scheme in [4] using the SO
 * algorithm in [11]". [4] combines and multicasts tiny packets in the switches; the paper takes the
 * tree of [11] (Kesavan, Bondalapati and Panda, HPCA 1997) for it and says no more of it than that.
 * [11] orders the nodes by their switches ("switch-based ordering") and multicasts by unicast
 * messages along a variation of a binomial tree over that order, to have fewer messages meet on
 * links.
 *
 * The paper leaves this open; chosen here: endpoint software does it, so each step costs start-ups. Which order the
 * switches themselves have: that of a walk, depth first along the breadth-first tree that up/down
 * routing goes by (hd_ep_order), so that nodes close to each other in it share a part of the
 * network. Which tree: the list begins with the center and goes on around; who has a range of it
 * gives the second half to the first member there, and goes on with its own half. So every
 * subtree is a range of the order, and ⌈log2 members⌉ steps tell all. Reductions go the same tree
 * upwards. [4]'s acknowledgements are left out: nothing is lost here.
 */
#include "barrier_by_messages.h"
#include "programs.h"

/* list[0] has all of list[n]. */
static void share_out(struct hd_member_tree *tree, const int *list, int n)
{
  while (n > 1) {
    int own = (n + 1) / 2;
    hd_member_tree_add(tree, list[own], list[0]);
    share_out(tree, list + own, n - own); /* as deep as the tree */
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
  share_out(tree, list, n);
}

static void run(struct hd_ep *ep)
{
  hd_by_messages_run(ep, build);
}

static const char *const parameters[] = {HD_BARRIER_PARAMETERS, NULL};

const struct hd_program hd_program_barrier_so_tree = {
    .name = "barrier-so-tree",
    .about = "barriers by messages along a binomial tree of the members in the order of their "
             "switches; parameters " HD_BARRIER_PARAMETER_NAMES,
    .main = run,
    .parameters = parameters,
};
