/* Barrier trees around one switch that are built and used round after round (§8.3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages drawn one by one seldom make a whole round: all members and children must arrive before anything goes on.
 * Here the neighbours of the switch know which trees it is in, and send what a round needs, in any order. Now and then
 * they also send what resembles that in all bits but one.
 */
#ifndef HD_BARRIER_TREES_H
#define HD_BARRIER_TREES_H

#include "barrier_stream.h"

enum {
  BARRIER_TREES = 4,
  BARRIER_SCRIPT =
      1 + BARRIER_TREES * (6 + HD_MAX_PORTS) /* SELF; of each tree registers and ways */
};

/* A group as this switch sees it. */
struct barrier_tree {
  uint32_t group, center, parent, members, children; /* the last two are masks of ports */
  uint32_t addresses[HD_MAX_PORTS];                  /* of children */
  uint32_t extra;                                    /* initial reduces from further away */
  uint32_t parent_port;
  bool opened;          /* a member switch; otherwise branches only pass it or meet in it */
  uint32_t round, next; /* cycle in which neighbours go on at the earliest */
  bool answer;          /* the parent is next */
  unsigned operator_;   /* of the round, where switches have values */
};

struct barrier_trees {
  uint32_t self, n, n_script;
  struct barrier_tree trees[BARRIER_TREES];
  struct hd_config_event
      script[BARRIER_SCRIPT]; /* writes of management at the start, one in a cycle */
};

/** Draws trees, and the writes that set them up. */
void hd_barrier_trees_begin(struct barrier_trees *trees, const struct hd_switch_params *p,
                            uint64_t *rnd);

/** Gives neighbours what they send next: once all that is due of a tree has been sent. */
void hd_barrier_trees_step(struct barrier_trees *trees, const struct hd_switch_params *p,
                           uint64_t *rnd, uint32_t cycle,
                           struct barrier_neighbour *const neighbours[]);

/** A write while trees are used, if one comes in this cycle. */
bool hd_barrier_trees_config(const struct barrier_trees *trees, const struct hd_switch_params *p,
                             uint64_t *rnd, uint32_t cycle, struct hd_config_event *e);

#endif
