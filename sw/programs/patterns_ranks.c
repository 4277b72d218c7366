/* Traffic patterns in which the digits of a rank give the destination.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Dally and Towles, Principles and Practices of Interconnection Networks, Table 3.1. With n = 2^b
 * nodes, a rank has b bits. On a grid, a rank has a digit for each dimension; the digit of
 * dimension 0 is the lowest.
 */
#include "patterns.h"

#include <inttypes.h>

/* ── bits ─────────────────────────────────────────────────────────────────── */

#define POWER_OF_TWO "a power of two"

static unsigned rank_bits(struct hd_ep *ep, const char *pattern)
{
  const unsigned size = (unsigned)hd_ep_size(ep);
  if (size & (size - 1))
    hd_ep_reject(ep, NULL, "%u nodes; %s needs a power of two, at least 2", size, pattern);
  return (unsigned)__builtin_ctz(size);
}

static void complement(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  rank_bits(ep, "bit-complement");
  to->fixed = hd_ep_size(ep) - 1 - hd_ep_rank(ep);
}

const struct hd_pattern hd_pattern_bit_complement = {
    .name = "bit-complement",
    .about = "all bits of the rank inverted",
    .formula = "d_i = ¬s_i",
    .counts = POWER_OF_TWO,
    .prepare = complement,
};

static void reverse(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  const unsigned bits = rank_bits(ep, "bit-reverse");
  to->fixed = 0;
  for (unsigned i = 0; i < bits; i++)
    to->fixed |= (hd_ep_rank(ep) >> i & 1) << (bits - 1 - i);
}

const struct hd_pattern hd_pattern_bit_reverse = {
    .name = "bit-reverse",
    .about = "the bits of the rank in reverse order",
    .formula = "d_i = s_(b−1−i)",
    .counts = POWER_OF_TWO,
    .prepare = reverse,
};

static int rotate_rank(struct hd_ep *ep, unsigned bits, unsigned left)
{
  const unsigned rank = (unsigned)hd_ep_rank(ep), mask = (1u << bits) - 1;
  return (int)((rank << left | rank >> (bits - left)) & mask);
}

static void shuffle(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  to->fixed = rotate_rank(ep, rank_bits(ep, "bit-shuffle"), 1);
}

const struct hd_pattern hd_pattern_bit_shuffle = {
    .name = "bit-shuffle",
    .about = "the bits of the rank rotated by one to the left (perfect shuffle)",
    .formula = "d_i = s_(i−1 mod b)",
    .counts = POWER_OF_TWO,
    .prepare = shuffle,
};

static void rotation(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  const unsigned bits = rank_bits(ep, "bit-rotation");
  to->fixed = rotate_rank(ep, bits, bits - 1);
}

const struct hd_pattern hd_pattern_bit_rotation = {
    .name = "bit-rotation",
    .about = "the bits of the rank rotated by one to the right",
    .formula = "d_i = s_(i+1 mod b)",
    .counts = POWER_OF_TWO,
    .prepare = rotation,
};

/* ── digits ───────────────────────────────────────────────────────────────── */

static void transpose(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  const struct hd_grid grid = hd_program_grid(ep);
  if (grid.columns != grid.rows)
    hd_ep_reject(ep, "columns", "%d; a transposition needs as many columns as rows", grid.columns);
  to->fixed = grid.row + grid.columns * grid.column;
}

static const char *const columns_alone[] = {HD_GRID_PARAMETER, NULL};

const struct hd_pattern hd_pattern_transpose = {
    .name = "transpose",
    .about = "column and row are swapped; nodes on the diagonal send nothing",
    .formula = "(x, y) → (y, x)",
    .counts = "a square",
    .parameters = columns_alone,
    .prepare = transpose,
};

enum { MOST_DIMS = 8 };

struct digits {
  uint32_t n, sides[MOST_DIMS];
};

/* Returns the sides of the grid, from parameter `dims` or from `columns`. */
static struct digits digits_of(struct hd_ep *ep)
{
  struct digits d = {0};
  const uint32_t size = (uint32_t)hd_ep_size(ep);
  if (!hd_class_values(ep, "dims")) {
    const struct hd_grid grid = hd_program_grid(ep);
    return (struct digits){2, {(uint32_t)grid.columns, (uint32_t)grid.rows}};
  }
  d.n = hd_program_sides(ep, "dims", d.sides, MOST_DIMS, size);
  uint64_t product = 1;
  for (uint32_t i = 0; i < d.n && product <= size; i++)
    product *= d.sides[i];
  if (product != size)
    hd_ep_reject(ep, "dims", "their product is not %" PRIu32 ", the number of nodes", size);
  return d;
}

/* Adds shift(k) to each digit, modulo its side k. */
static int shift_digits(struct hd_ep *ep, const struct digits *d, uint32_t (*shift)(uint32_t side))
{
  uint32_t rest = (uint32_t)hd_ep_rank(ep), stride = 1, node = 0;
  for (uint32_t i = 0; i < d->n; i++) {
    const uint32_t k = d->sides[i];
    node += stride * ((rest % k + shift(k)) % k);
    rest /= k;
    stride *= k;
  }
  return (int)node;
}

static uint32_t shift_half_way(uint32_t side)
{
  return (side + 1) / 2 - 1;
}

static void tornado(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  const struct digits d = digits_of(ep);
  bool any = false;
  for (uint32_t i = 0; i < d.n; i++)
    any = any || d.sides[i] > 2;
  if (!any)
    hd_ep_reject(ep, d.n == 2 && !hd_class_values(ep, "dims") ? "columns" : "dims",
                 "%" PRIu32 "; a tornado needs at least 3 columns or rows, or every node sends to "
                 "itself",
                 d.sides[0]);
  to->fixed = shift_digits(ep, &d, shift_half_way);
}

static const char *const grid_parameters[] = {HD_GRID_PARAMETER, HD_DIMS_PARAMETER, NULL};

const struct hd_pattern hd_pattern_tornado = {
    .name = "tornado",
    .about = "almost half-way around each dimension of the grid",
    .formula = "d_i = s_i + ⌈k_i/2⌉ − 1 mod k_i",
    .counts = "a square, or a full grid; one side of 3 or more",
    .parameters = grid_parameters,
    .prepare = tornado,
};

static uint32_t shift_by_one(uint32_t side)
{
  (void)side;
  return 1;
}

static void neighbour(struct hd_ep *ep, uint32_t part, struct hd_destinations *to)
{
  (void)part;
  const struct digits d = digits_of(ep);
  to->fixed = shift_digits(ep, &d, shift_by_one);
}

const struct hd_pattern hd_pattern_neighbour = {
    .name = "neighbour",
    .about = "one further in each dimension of the grid, with wraparound",
    .formula = "d_i = s_i + 1 mod k_i",
    .counts = "a square, or a full grid",
    .parameters = grid_parameters,
    .prepare = neighbour,
};
