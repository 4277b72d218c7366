/* Finds the members of a barrier group that faults have made unreachable, and the reasons (specification §5.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "manager_internal.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define NOBODY UINT32_MAX

/* The group's tree as it is in the switches, from the center down. */
struct tree {
  /* [n_switches]: the first unreachable switch on the way down, or NOBODY */
  uint32_t *blame;
  uint32_t *queue; /* [n_switches], in the same allocation */
  bool *met;       /* [n_switches]: the switch is in the tree */
};

static bool connected(const struct hd_barrier_ways *ways, const struct hd_dead *dead, uint32_t a,
                      uint32_t b)
{
  return hd_switch_lives(dead, a) && hd_switch_lives(dead, b) &&
         (a == b || (hd_barrier_way(ways, a, b) && hd_barrier_way(ways, b, a)));
}

static void tree_init(struct tree *tree, uint32_t n)
{
  tree->blame = hd_xmalloc(2 * (size_t)n * sizeof *tree->blame);
  tree->met = hd_xcalloc(n, sizeof *tree->met);
  tree->queue = tree->blame + n;
}

static void tree_fini(struct tree *tree)
{
  free(tree->blame);
  free(tree->met);
}

static void tree_walk(struct tree *tree, const struct hd_manager *m, uint32_t number,
                      uint32_t center)
{
  const struct hd_barrier_ways *ways = hd_manager_ways(m);
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  uint32_t head = 0, tail = 0, n = ways->n_switches;
  tree->met[center] = true;
  tree->blame[center] = hd_switch_lives(dead, center) ? NOBODY : center;
  tree->queue[tail++] = center;
  while (head < tail) {
    uint32_t sw = tree->queue[head++];
    struct hd_group_view view;
    if (!hd_switch_look_group(hd_fabric_switch(m->fabric, sw), number, &view))
      continue;
    for (unsigned left = view.child; left; left &= left - 1) {
      uint32_t child = view.child_address[__builtin_ctz(left)];
      if (child >= n || tree->met[child])
        continue;
      bool broken = !connected(ways, dead, sw, child);
      tree->met[child] = true;
      tree->blame[child] = tree->blame[sw] != NOBODY ? tree->blame[sw] : broken ? child : NOBODY;
      tree->queue[tail++] = child;
    }
  }
}

/* Adds the member. False: it was known before. */
static bool add(struct hd_manager *m, const struct hd_unreachable *member)
{
  for (uint32_t i = 0; i < m->n_unreachable; i++) {
    const struct hd_unreachable *known = &m->unreachable[i];
    if (known->node == member->node && known->group == member->group &&
        known->center == member->center)
      return false;
  }
  HD_XROOM(m->unreachable, m->cap_unreachable, m->n_unreachable, 1);
  m->unreachable[m->n_unreachable++] = *member;
  return true;
}

/* Finds why the member is unreachable. False: it can be reached. */
static bool find_why(const struct hd_manager *m, const struct tree *tree,
                     struct hd_unreachable *member)
{
  const struct hd_topology *t = m->params.topology;
  const struct hd_dead *dead = hd_fabric_dead(m->fabric);
  struct hd_peer at = t->node_peers[member->node];
  if (!hd_switch_lives(dead, at.index))
    snprintf(member->why, sizeof member->why, "its switch has failed");
  else if (!hd_link_lives(t, dead, at.index, at.port))
    snprintf(member->why, sizeof member->why, "its link to its switch has failed");
  else if (!hd_switch_lives(dead, member->center_sw))
    snprintf(member->why, sizeof member->why, "the center's switch has failed");
  else if (!connected(hd_manager_ways(m), dead, at.index, member->center_sw))
    snprintf(member->why, sizeof member->why, "no way between their switches is left");
  else if (tree->met[at.index] && tree->blame[at.index] != NOBODY)
    snprintf(member->why, sizeof member->why,
             "its branch of the tree joins others in switch %" PRIu32 ", which is cut off",
             tree->blame[at.index]);
  else
    return false;
  return true;
}

uint32_t hd_manager_find_unreachable(struct hd_manager *m, uint32_t number,
                                     const struct group *group)
{
  const struct hd_topology *t = m->params.topology;
  uint32_t center_sw = t->node_peers[group->center].index;
  struct tree tree = {NULL, NULL, NULL};
  if (!hd_fabric_dead(m->fabric))
    return 0; /* every fabric is connected (§5.5) */
  uint32_t found = 0;
  tree_init(&tree, t->n_switches);
  if (!group->renew)
    tree_walk(&tree, m, number, center_sw);
  for (uint32_t i = 0; i < group->n; i++) {
    struct hd_unreachable member = {.node = group->members[i],
                                    .sw = t->node_peers[group->members[i]].index,
                                    .group = number,
                                    .center = group->center,
                                    .center_sw = center_sw,
                                    .cycle = hd_fabric_cycle(m->fabric)};
    found += find_why(m, &tree, &member) && add(m, &member);
  }
  tree_fini(&tree);
  return found;
}
