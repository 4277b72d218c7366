/* Functions that the files of this room share: coordinates, boxes, multicast, hops on a line.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CODING_INTERNAL_H
#define HD_CODING_INTERNAL_H

#include "coding.h"

/** Positions 0 … side − 1 in each dimension. */
struct coding_grid {
  uint32_t n_dims, side[HD_CODING_DIMS];
  uint32_t step[HD_CODING_DIMS]; /* hops from one position to the next, roughly */
  bool ring[HD_CODING_DIMS];     /* the last position of the dimension is next to the first */
};

/** A box of nodes: its grid, and where it begins. */
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
    uint32_t side[HD_CODING_DIMS]; /* of a group; the last one of a dimension may have less */
    struct coding_grid siblings;   /* groups in the group above, or in the network */
    uint32_t n_siblings, n_groups;
    uint32_t *place
        [HD_CODING_DIMS]; /* [siblings.side]: the intermediate node's position in its group, owned */
    uint32_t *sources;    /* [n_sources] by group, owned */
    uint32_t *first;      /* [n_groups + 1]: in `sources`, owned */
  } level[HD_CODING_LEVELS];
  struct coding_level
      everything; /* of FLAT, and of what is above level 0: one group, `sources` and `first` alone */
};

/* ── coordinates ───────────────────────────────────────────────────────────── */

uint32_t hd_coding_size(const struct coding_grid *grid);
/** Position `index` of a grid, the lowest dimension counting first; and back. */
void hd_coding_position(const struct coding_grid *grid, uint32_t index, uint32_t *at);
uint32_t hd_coding_index(const struct coding_grid *grid, const uint32_t *at);
/** The box of a group, and its place among its siblings (may be NULL). */
struct coding_box hd_coding_box(const struct hd_coding *coding, uint32_t level, uint32_t group,
                                uint32_t *sibling);
uint32_t hd_coding_box_node(const struct hd_coding *coding, const struct coding_box *box,
                            const uint32_t *at);
/** Computes the position of the intermediate node in its group. */
void hd_coding_place(const struct hd_coding *coding, uint32_t level, const uint32_t *sibling,
                     uint32_t *at);
/** The box and sources of step B of the innermost level. */
struct coding_box hd_coding_inner(const struct hd_coding *coding, uint32_t node,
                                  const uint32_t **sources, uint32_t *n);
/** Items that a group sends to its siblings, and their packets. */
uint32_t hd_coding_items(const struct hd_coding *coding, uint32_t level, uint32_t group);
uint32_t hd_coding_item_packets(const struct hd_coding *coding, uint32_t level, uint32_t group);

/* ── multicast ─────────────────────────────────────────────────────────────── */

/** Dimensions in the order in which a multicast takes them: the widest steps first, of equals the longest side.
 *  Fewer sends then go far. */
void hd_coding_order(const struct coding_grid *grid, uint32_t *order);
typedef void (*coding_child)(void *context, const uint32_t *at);
/** Finds the positions to which `at` forwards what `root` multicasts. */
void hd_coding_children(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                        const uint32_t *root, const uint32_t *at, coding_child child,
                        void *context);

/* ── hops without sends ────────────────────────────────────────────────────── */

/** A line of n positions at coordinates x; `around`: of the ring that the coordinates are on, 0: they are on none. */
struct coding_line {
  const uint32_t *x;
  uint32_t n, around;
  bool ring; /* the last position is next to the first */
};

/** Hops of a multicast on a line from position `root`. */
uint64_t hd_coding_line_hops(enum hd_coding_multicast multicast, const struct coding_line *line,
                             uint32_t root);
uint32_t hd_coding_gap(uint32_t a, uint32_t b, uint32_t around);
/** The number of times that one multicast on a grid carries out the multicast on a line of
 *  dimension `d`. */
uint64_t hd_coding_lines(enum hd_coding_multicast multicast, const struct coding_grid *grid,
                         uint32_t d);

/** Zeroed memory that the plan owns. NULL: there is none. */
void *hd_coding_memory(const struct hd_coding *coding, size_t bytes);

/** Chooses the intermediate nodes of a level, so that steps D and E need few hops. False: no memory. */
bool hd_coding_choose(struct hd_coding *coding, uint32_t level);

#endif
