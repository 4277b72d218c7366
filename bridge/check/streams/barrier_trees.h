/* Draws barrier trees around one switch that are built and used round after round (§8.3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages that are drawn one by one seldom make a whole round, because all members and children must arrive first. Here
 * the neighbours know the trees of the switch, and send the messages that a round needs, in any order. At times they also
 * send a message that differs from these in one bit.
 */
#ifndef HD_BARRIER_TREES_H
#define HD_BARRIER_TREES_H

#include "barrier_stream.h"

enum {
  BARRIER_TREES = 4,
  BARRIER_SCRIPT =
      1 + BARRIER_TREES * (6 + HD_MAX_PORTS) /* SELF; registers and ways of each tree */
};

/* A group as this switch knows it. */
struct barrier_tree {
  uint32_t group, center, parent, members, children; /* members, children: masks of ports */
  uint32_t addresses[HD_MAX_PORTS];                  /* switches that are children */
  uint32_t extra; /* initial reduces that come from switches further away */
  uint32_t parent_port;
  bool opened;          /* a member switch; otherwise branches only pass it or meet in it */
  uint32_t round, next; /* next: the first cycle in which neighbours may go on */
  bool answer;          /* the parent sends next; otherwise members and children */
  unsigned operator_;   /* operator of the round, where switches have values */
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

/** Gives neighbours the next messages of each tree whose due messages have all been sent. */
void hd_barrier_trees_step(struct barrier_trees *trees, const struct hd_switch_params *p,
                           uint64_t *rnd, uint32_t cycle,
                           struct barrier_neighbour *const neighbours[]);

/** Gives the write of this cycle; false: there is none. */
bool hd_barrier_trees_config(const struct barrier_trees *trees, const struct hd_switch_params *p,
                             uint64_t *rnd, uint32_t cycle, struct hd_config_event *e);

#endif
