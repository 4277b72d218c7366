/* Multicast on a grid: the nodes to which each node forwards.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_internal.h"

#include <string.h>

static bool goes_before(const struct coding_grid *grid, uint32_t a, uint32_t b)
{
  return grid->step[a] != grid->step[b] ? grid->step[a] > grid->step[b]
                                        : grid->side[a] > grid->side[b];
}

void hd_coding_order(const struct coding_grid *grid, uint32_t *order)
{
  for (uint32_t i = 0; i < grid->n_dims; i++) {
    uint32_t at = i;
    for (; at && goes_before(grid, i, order[at - 1]); at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

struct family {
  const struct coding_grid *grid;
  const uint32_t *at;
  coding_child child;
  void *context;
};

static void child_at(const struct family *f, uint32_t dimension, uint32_t coordinate)
{
  uint32_t to[HD_CODING_DIMS];
  memcpy(to, f->at, sizeof to[0] * f->grid->n_dims);
  to[dimension] = coordinate;
  f->child(f->context, to);
}

/* Recursive halving: the holder of an interval sends to its counterpart in the other half, and both
 * continue with their halves. */
static void tree_on_line(const struct family *f, uint32_t d, uint32_t root, uint32_t at)
{
  uint32_t low = 0, high = f->grid->side[d], holder = root;
  while (high - low > 1) {
    const uint32_t half = (high - low + 1) / 2, middle = low + half;
    const uint32_t counterpart = holder >= middle        ? holder - half
                                 : holder + half >= high ? high - 1
                                                         : holder + half;
    if (holder == at)
      child_at(f, d, counterpart);
    const bool above = at >= middle;
    if (above != (holder >= middle))
      holder = counterpart;
    if (above)
      low = middle;
    else
      high = middle;
  }
}

/* Forwards away from the root, in both directions; on a ring, until the two meet. */
static void neighbours_on_line(const struct family *f, uint32_t d, uint32_t root, uint32_t at)
{
  const uint32_t side = f->grid->side[d];
  const bool ring = f->grid->ring[d];
  const uint32_t above = ring ? side / 2 : side - 1 - root, below = ring ? (side - 1) / 2 : root;
  const uint32_t up = ring ? (at + side - root) % side : at - root;
  const uint32_t down = ring ? (root + side - at) % side : root - at;
  const bool is_above = ring ? up <= above : at >= root;
  if (is_above && up < above)
    child_at(f, d, (at + 1) % side);
  if ((at == root || !is_above) && down < below)
    child_at(f, d, (at + side - 1) % side);
}

void hd_coding_children(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                        const uint32_t *root, const uint32_t *at, coding_child child, void *context)
{
  const bool is_root = !memcmp(root, at, sizeof *at * grid->n_dims);
  if (multicast == HD_CODING_ALL_AT_ONCE) {
    /* Each root begins with its successor, so that not all of them send to node 0 first. */
    const uint32_t n = hd_coding_size(grid), self = hd_coding_index(grid, at);
    for (uint32_t i = 1; is_root && i < n; i++) {
      uint32_t to[HD_CODING_DIMS];
      hd_coding_position(grid, (self + i) % n, to);
      child(context, to);
    }
    return;
  }
  const struct family family = {grid, at, child, context};
  uint32_t order[HD_CODING_DIMS];
  hd_coding_order(grid, order);
  /* The node forwards along the dimension in which it got the item, and along those after it. */
  uint32_t first = 0;
  for (uint32_t i = 0; i < grid->n_dims; i++)
    if (root[order[i]] != at[order[i]])
      first = i;
  for (uint32_t i = first; i < grid->n_dims; i++) {
    const uint32_t d = order[i];
    if (multicast == HD_CODING_TREE)
      tree_on_line(&family, d, root[d], at[d]);
    else
      neighbours_on_line(&family, d, root[d], at[d]);
  }
}
