/* Reads a barrier group's tree from the switches of the model, for its bound (specification §8.11).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BARRIER_TREE_H
#define HD_BARRIER_TREE_H

#include "../../cmodel/fabric/fabric.h"
#include "../../sw/analysis/barrier_bound.h"

/** A barrier group's tree. Zeroed means empty; hd_barrier_tree_fini frees it. */
struct hd_barrier_tree {
  struct hd_barrier_branch *branches; /* [n], parents first */
  uint32_t n;                         /* 0: the tree is not known */
  const char *unbounded;              /* why the tree has no bound; NULL: it has one */
};

/** Reads the tree of `group` after its first barrier. If the switches' tables are not a complete
 *  tree, *tree has no branches. */
void hd_barrier_tree_read(struct hd_barrier_tree *tree, const struct hd_fabric *fabric,
                          const struct hd_topology *topology,
                          const struct hd_barrier_hardware *hardware, unsigned group,
                          uint32_t center);
void hd_barrier_tree_fini(struct hd_barrier_tree *tree);

#endif
