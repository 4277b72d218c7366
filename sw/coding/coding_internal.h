/* Shared by the files of this room: coordinates, boxes, multicast, hops on a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CODING_INTERNAL_H
#define HD_CODING_INTERNAL_H

#include "coding.h"

/** A grid with positions 0 … side − 1 in each dimension. */
struct coding_grid {
  uint32_t n_dims, side[HD_CODING_DIMS];
  uint32_t step[HD_CODING_DIMS]; /* approximate hops from one position to the next */
  bool ring[HD_CODING_DIMS];     /* the last position is a neighbour of the first */
};

/** A box of nodes: its grid, and the position of its first node. */
struct coding_box {
  struct coding_grid grid;
  uint32_t origin[HD_CODING_DIMS];
};

struct hd_coding {
  struct coding_grid network;
  uint32_t n_nodes, n_sources, n_levels;
  enum hd_coding_scheme scheme;
  enum hd_coding_multicast multicast;
  void *(*alloc)(void *context, size_t bytes);
  void *alloc_context;
  bool *is_source; /* [n_nodes], owned */
  struct coding_level {
    /** sides of a group; the last group of a dimension may be smaller */
    uint32_t side[HD_CODING_DIMS];
    /** grid of the groups within the group above, or within the network */
    struct coding_grid siblings;
    uint32_t n_siblings, n_groups;
    /** [siblings.side] position of the intermediate node in its group; owned */
    uint32_t *place[HD_CODING_DIMS];
    uint32_t *sources; /* [n_sources] sorted by group; owned */
    uint32_t *first;   /* [n_groups + 1] index of each group's first source; owned */
  } level[HD_CODING_LEVELS];
  /** for FLAT, and for everything above level 0: one group, which has only `sources` and `first` */
  struct coding_level everything;
};

/* ── coordinates ───────────────────────────────────────────────────────────── */

uint32_t hd_coding_size(const struct coding_grid *grid);
/** Converts an index to a position in a grid, and back. Dimension 0 changes fastest. */
void hd_coding_position(const struct coding_grid *grid, uint32_t index, uint32_t *at);
uint32_t hd_coding_index(const struct coding_grid *grid, const uint32_t *at);
/** Returns the box of a group, and its position among its siblings (`sibling` may be NULL). */
struct coding_box hd_coding_box(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                uint32_t *sibling);
uint32_t hd_coding_box_node(const struct hd_coding *coding, const struct coding_box *box,
                            const uint32_t *at);
/** Computes the position of the intermediate node in its group. */
void hd_coding_place(const struct hd_coding *coding, uint32_t level, const uint32_t *sibling,
                     uint32_t *at);
/** Returns the box and the sources of step B of the innermost level. */
struct coding_box hd_coding_inner(const struct hd_coding *coding, uint32_t node,
                                  const uint32_t **sources, uint32_t *n);
/** Returns the number of items that a group sends to its siblings, and of their packets. */
uint32_t hd_coding_items(const struct hd_coding *coding, uint32_t level, uint32_t group);
uint32_t hd_coding_item_packets(const struct hd_coding *coding, uint32_t level, uint32_t group);

/* ── multicast ─────────────────────────────────────────────────────────────── */

/** Sets the order in which a multicast uses the dimensions: first those with the widest steps, and
 *  of these the longest side. Then fewer sends go far. */
void hd_coding_order(const struct coding_grid *grid, uint32_t *order);
typedef void (*coding_child)(void *context, const uint32_t *at);
/** Calls `child` for each position to which `at` forwards a multicast of `root`. */
void hd_coding_children(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                        const uint32_t *root, const uint32_t *at, coding_child child,
                        void *context);

/* ── hops without sends ────────────────────────────────────────────────────── */

/** A line of `n` positions with coordinates x. `around` is the length of the ring on which the
 *  coordinates are; 0: no ring. */
struct coding_line {
  const uint32_t *x;
  uint32_t n, around;
  bool ring; /* the last position is a neighbour of the first */
};

/** Returns the hops of a multicast on a line from position `root`. */
uint64_t hd_coding_line_hops(enum hd_coding_multicast multicast, const struct coding_line *line,
                             uint32_t root);
uint32_t hd_coding_gap(uint32_t a, uint32_t b, uint32_t around);
/** Returns how often a multicast on a grid contains the multicast on a line of dimension `d`. */
uint64_t hd_coding_lines(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                         uint32_t d);

/** Returns zeroed memory that the plan owns. NULL: no memory. */
void *hd_coding_memory(const struct hd_coding *coding, size_t bytes);

/** Chooses the intermediate nodes of a level, so that steps D and E need few hops. Returns false if
 *  there is no memory. */
bool hd_coding_choose(struct hd_coding *coding, uint32_t level);

#endif
