/* Chooses the positions of intermediate nodes, and the shape of groups that needs the fewest hops.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A coordinate of an intermediate node only matters in its own dimension, and all intermediate
 * nodes of one row or column of groups share it. On a mesh, the hops of step D are linear in each
 * coordinate within its group. So the best coordinates do not depend on each other, and one pass
 * over them finds them. On a ring they may depend on each other, so the search is repeated until
 * nothing improves.
 */
#include "coding_internal.h"

#include <string.h>

/* Returns the hops of steps D and E in dimension `d`, if all groups had the same number of
 * items. */
static uint64_t hops_of_dimension(const struct hd_coding *c, uint32_t level, uint32_t d)
{
  const struct coding_level *l = &c->level[level];
  const uint32_t above = level ? c->level[level - 1].side[d] : c->network.side[d];
  const uint32_t n = l->siblings.side[d], around = c->network.ring[d] ? c->network.side[d] : 0;
  uint32_t x[HD_CODING_MAX_SIDE];
  for (uint32_t i = 0; i < n; i++)
    x[i] = i * l->side[d] + l->place[d][i];
  const struct coding_line between = {x, n, around, l->siblings.ring[d]};
  const uint64_t lines = hd_coding_lines(c->multicast, &l->siblings, d);
  struct coding_grid group = {.n_dims = l->siblings.n_dims};
  for (uint32_t i = 0; i < group.n_dims; i++) {
    group.side[i] = l->side[i];
    group.step[i] = 1;
  }
  const uint64_t inner_lines = hd_coding_lines(c->multicast, &group, d) * (l->n_siblings - 1);
  uint64_t hops = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t inner_x[HD_CODING_MAX_SIDE];
    const uint32_t left = above - i * l->side[d];
    const uint32_t side = left < l->side[d] ? left : l->side[d];
    for (uint32_t j = 0; j < side; j++)
      inner_x[j] = j;
    const struct coding_line inner = {inner_x, side, side == c->network.side[d] ? around : 0,
                                      c->network.ring[d] && side == c->network.side[d]};
    hops += lines * hd_coding_line_hops(c->multicast, &between, i) +
            inner_lines * hd_coding_line_hops(c->multicast, &inner, l->place[d][i]);
  }
  return hops;
}

bool hd_coding_choose(struct hd_coding *c, uint32_t level)
{
  struct coding_level *l = &c->level[level];
  for (uint32_t d = 0; d < c->network.n_dims; d++) {
    const uint32_t above = level ? c->level[level - 1].side[d] : c->network.side[d];
    const uint32_t n = l->siblings.side[d];
    uint32_t *place = l->place[d] = hd_coding_memory(c, sizeof *place * n);
    if (!place)
      return false;
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t left = above - i * l->side[d];
      place[i] = ((left < l->side[d] ? left : l->side[d]) - 1) / 2;
    }
    uint64_t best = hops_of_dimension(c, level, d);
    for (bool better = true; better;) {
      better = false;
      for (uint32_t i = 0; i < n; i++) {
        const uint32_t left = above - i * l->side[d];
        const uint32_t side = left < l->side[d] ? left : l->side[d];
        uint32_t chosen = place[i];
        for (uint32_t at = 0; at < side; at++) {
          place[i] = at;
          const uint64_t now = hops_of_dimension(c, level, d);
          if (now < best) {
            best = now;
            chosen = at;
            better = true;
          }
        }
        place[i] = chosen;
      }
    }
  }
  return true;
}

/* ── shapes ────────────────────────────────────────────────────────────────── */

/** Sets the next sides that divide the network's; dimension 0 changes fastest. Returns false if
 *  there are no more. */
static bool next_shape(const struct hd_coding_request *r, uint32_t *sides)
{
  for (uint32_t d = 0; d < r->n_dims; d++) {
    for (uint32_t side = sides[d] + 1; side <= r->dims[d]; side++)
      if (r->dims[d] % side == 0) {
        sides[d] = side;
        return true;
      }
    sides[d] = 1;
  }
  return false;
}

int hd_coding_best_group(struct hd_coding_request *request, uint32_t members, struct hd_error *err)
{
  struct hd_coding_request tried = *request;
  uint64_t best = UINT64_MAX;
  tried.n_levels = 1;
  tried.alloc = NULL;
  for (uint32_t d = 0; d < HD_CODING_DIMS; d++)
    tried.group[0][d] = 1;
  do {
    uint64_t n = 1, nodes = 1;
    for (uint32_t d = 0; d < request->n_dims; d++) {
      n *= tried.group[0][d];
      nodes *= tried.dims[d];
    }
    if (members ? n != members : n < 2 || n > nodes / 2)
      continue;
    struct hd_coding *coding;
    struct hd_coding_hops hops;
    int status = hd_coding_create(&coding, &tried, err);
    if (status)
      return status;
    hd_coding_formula(coding, &hops);
    hd_coding_destroy(coding);
    const uint64_t total = hd_coding_total(&hops, HD_CODING_COUNT_ALL);
    if (total < best) {
      best = total;
      request->n_levels = 1;
      memcpy(request->group[0], tried.group[0], sizeof tried.group[0]);
    }
  } while (next_shape(&tried, tried.group[0]));
  if (best == UINT64_MAX)
    return hd_fail(err, HD_E_INPUT, "no group of %u nodes has sides that divide the network's",
                   members);
  return 0;
}
