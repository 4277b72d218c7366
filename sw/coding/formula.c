/* Computes the hops of a plan by formula: by sums over the sides of boxes instead of sends.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The hops of a path are the sum of its hops in each dimension. A multicast on a grid consists of
 * multicasts on lines of each dimension, and their number is known. So only multicasts on lines of
 * `side` positions must be added up.
 */
#include "coding_internal.h"

#include <stddef.h>

/** The coordinates of a grid's nodes, for each dimension and position. */
struct places {
  uint32_t x[HD_CODING_DIMS][HD_CODING_MAX_SIDE];
};

static uint64_t multicast_hops(const struct hd_coding *c, const struct coding_grid *grid,
                               const struct places *places, const uint32_t *root)
{
  uint64_t hops = 0;
  for (uint32_t d = 0; d < grid->n_dims; d++) {
    const struct coding_line line = {places->x[d], grid->side[d],
                                     c->network.ring[d] ? c->network.side[d] : 0, grid->ring[d]};
    hops +=
        hd_coding_lines(c->multicast, grid, d) * hd_coding_line_hops(c->multicast, &line, root[d]);
  }
  return hops;
}

static void places_of_box(const struct coding_box *box, struct places *places)
{
  for (uint32_t d = 0; d < box->grid.n_dims; d++)
    for (uint32_t i = 0; i < box->grid.side[d]; i++)
      places->x[d][i] = box->origin[d] + i;
}

/* Sets the coordinates of the intermediate nodes of `sibling`'s row and column of groups. */
static void places_of_intermediates(const struct hd_coding *c, uint32_t level,
                                    const struct coding_box *box, const uint32_t *sibling,
                                    struct places *places)
{
  const struct coding_level *l = &c->level[level];
  for (uint32_t d = 0; d < c->network.n_dims; d++) {
    const uint32_t begin = box->origin[d] - sibling[d] * l->side[d];
    for (uint32_t i = 0; i < l->siblings.side[d]; i++)
      places->x[d][i] = begin + i * l->side[d] + l->place[d][i];
  }
}

static void count_b(const struct hd_coding *c, struct hd_coding_hops *hops)
{
  const uint32_t innermost = c->n_levels ? c->n_levels - 1 : 0;
  struct places places;
  struct coding_box box = {.grid = {0}};
  const uint32_t *sources = NULL;
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->n_sources; i++) {
    /* The sources are sorted by innermost group. */
    const struct coding_level *l = c->n_levels ? &c->level[innermost] : &c->everything;
    const uint32_t node = l->sources[i];
    const uint32_t *before = sources;
    box = hd_coding_inner(c, node, &sources, &n);
    if (sources != before)
      places_of_box(&box, &places);
    uint32_t root[HD_CODING_DIMS];
    hd_coding_position(&c->network, node, root);
    for (uint32_t d = 0; d < c->network.n_dims; d++)
      root[d] -= box.origin[d];
    hops->sends[innermost][HD_CODING_B] += hd_coding_size(&box.grid) - 1;
    hops->hops[innermost][HD_CODING_B] += multicast_hops(c, &box.grid, &places, root);
  }
}

static void count_d_and_e(const struct hd_coding *c, uint32_t level, struct hd_coding_hops *hops)
{
  const struct coding_level *l = &c->level[level];
  struct places places;
  uint64_t items = 0, packets = 0; /* of all siblings */
  for (uint32_t group = 0; group < l->n_groups; group++) {
    uint32_t sibling[HD_CODING_DIMS], root[HD_CODING_DIMS];
    const struct coding_box box = hd_coding_box(c, level, group, sibling);
    if (group % l->n_siblings == 0) {
      items = packets = 0;
      for (uint32_t g = group; g < group + l->n_siblings; g++) {
        items += hd_coding_items(c, level, g);
        packets += hd_coding_item_packets(c, level, g);
      }
    }
    const uint32_t own_items = hd_coding_items(c, level, group);
    const uint32_t own_packets = hd_coding_item_packets(c, level, group);
    places_of_intermediates(c, level, &box, sibling, &places);
    hops->sends[level][HD_CODING_D] += (uint64_t)own_items * (l->n_siblings - 1);
    hops->hops[level][HD_CODING_D] +=
        own_packets * multicast_hops(c, &l->siblings, &places, sibling);
    places_of_box(&box, &places);
    hd_coding_place(c, level, sibling, root);
    hops->sends[level][HD_CODING_E] += (items - own_items) * (hd_coding_size(&box.grid) - 1);
    hops->hops[level][HD_CODING_E] +=
        (packets - own_packets) * multicast_hops(c, &box.grid, &places, root);
  }
}

/* For the case that all nodes are sources and all groups have the same shape: a node and its
 * counterpart then differ only in their group. */
static void count_f_alike(const struct hd_coding *c, uint32_t level, struct hd_coding_hops *hops)
{
  const struct coding_level *l = &c->level[level];
  const uint64_t parents = l->n_groups / l->n_siblings, members = c->n_nodes / l->n_groups;
  hops->sends[level][HD_CODING_F] += (uint64_t)c->n_nodes * (l->n_siblings - 1);
  for (uint32_t d = 0; d < c->network.n_dims; d++) {
    const uint32_t n = l->siblings.side[d], around = c->network.ring[d] ? c->network.side[d] : 0;
    const uint64_t others = l->n_siblings / n;
    uint64_t gaps = 0;
    for (uint32_t i = 1; i < n; i++)
      gaps += (uint64_t)2 * (n - i) * hd_coding_gap(0, i * l->side[d], around);
    hops->hops[level][HD_CODING_F] += parents * members * others * others * gaps;
  }
}

static void count_f(const struct hd_coding *c, uint32_t level, struct hd_coding_hops *hops)
{
  for (uint32_t node = 0; node < c->n_nodes; node++) {
    uint32_t siblings, n;
    const uint32_t first = hd_coding_siblings(c, level, node, &siblings);
    const uint32_t own = hd_coding_group(c, level, node);
    for (uint32_t g = first; g < first + siblings; g++) {
      const uint32_t *sources = hd_coding_sources(c, level, g, &n);
      if (g == own || !n)
        continue;
      hops->sends[level][HD_CODING_F]++;
      hops->hops[level][HD_CODING_F] +=
          hd_coding_distance(c, sources[hd_coding_native(c, level, g, node)], node);
    }
  }
}

void hd_coding_formula(const struct hd_coding *coding, struct hd_coding_hops *hops)
{
  *hops = (struct hd_coding_hops){0};
  count_b(coding, hops);
  for (uint32_t level = 0; level < coding->n_levels; level++) {
    bool alike = coding->n_sources == coding->n_nodes;
    for (uint32_t d = 0; d < coding->network.n_dims; d++)
      if (coding->network.side[d] % coding->level[level].side[d])
        alike = false;
    count_d_and_e(coding, level, hops);
    if (coding->scheme == HD_CODING_CODED)
      (alike ? count_f_alike : count_f)(coding, level, hops);
  }
}
