/* Computes the hops of a multicast on a line, without listing its sends.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_internal.h"

uint32_t hd_coding_gap(uint32_t a, uint32_t b, uint32_t around)
{
  const uint32_t gap = a > b ? a - b : b - a;
  return around && around - gap < gap ? around - gap : gap;
}

/* Returns the hops of recursive halving on `n` positions: those of the send to the other half, and
 * those within both halves. */
static uint64_t halving(const struct coding_line *line, uint32_t low, uint32_t n, uint32_t root)
{
  if (n <= 1)
    return 0;
  const uint32_t lower = n - n / 2, upper = n / 2;
  const bool is_upper = root >= lower;
  const uint32_t in_lower = is_upper ? root - lower : root;
  const uint32_t in_upper = in_lower < upper ? in_lower : upper - 1;
  return hd_coding_gap(line->x[low + in_lower], line->x[low + lower + in_upper], line->around) +
         halving(line, low, lower, in_lower) + halving(line, low + lower, upper, in_upper);
}

uint64_t hd_coding_line_hops(enum hd_coding_multicast multicast, const struct coding_line *line,
                             uint32_t root)
{
  const uint32_t n = line->n;
  uint64_t hops = 0;
  switch (multicast) {
  case HD_CODING_ALL_AT_ONCE:
    for (uint32_t i = 0; i < n; i++)
      hops += hd_coding_gap(line->x[i], line->x[root], line->around);
    return hops;
  case HD_CODING_TREE:
    return halving(line, 0, n, root);
  default:
    /* The sum of the gaps between neighbours; on a ring without the gap opposite the root. */
    for (uint32_t i = 0; i + 1 < n; i++)
      hops += hd_coding_gap(line->x[i], line->x[i + 1], line->around);
    if (line->ring && n > 2) {
      const uint32_t last = (root + n / 2) % n;
      hops += hd_coding_gap(line->x[n - 1], line->x[0], line->around);
      hops -= hd_coding_gap(line->x[last], line->x[(last + 1) % n], line->around);
    }
    return hops;
  }
}

uint64_t hd_coding_lines(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                         uint32_t d)
{
  uint64_t lines = 1;
  uint32_t order[HD_CODING_DIMS];
  hd_coding_order(grid, order);
  bool before = true;
  for (uint32_t i = 0; i < grid->n_dims; i++) {
    if (order[i] == d)
      before = false;
    else if (before || multicast == HD_CODING_ALL_AT_ONCE)
      lines *= grid->side[order[i]];
  }
  return lines;
}
