/* A fabric model with barrier groups, driven without endpoint software; for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_BARRIER_FABRIC_H
#define HD_TEST_BARRIER_FABRIC_H

#include "random_graph.h"
#include "../../../cmodel/fabric/fabric.h"

struct barrier_fabric {
  struct hd_topology t;
  struct hd_tables tables;
  struct hd_fabric *fabric;
  struct hd_fabric_params params;
  /* Set before barrier_fabric_open: */
  bool faults;       /* of params */
  uint32_t networks; /* virtual ones (§5.28), which divide the channels; 0: 1 */
};

/** A group: its members and how far a round has come. */
struct group {
  unsigned id;
  uint32_t center; /* switch */
  uint32_t n_members;
  uint32_t members[64]; /* nodes */
  uint64_t arrive[64];  /* cycle of the round under way */
  /* In its rounds after the first, where switches have values (§8.14); 0: none. */
  unsigned operator_;
  uint32_t values[64], result;
  bool mixed; /* the first member names another operator */
  uint32_t arrived, released, failed;
};

/** Parameters drawn at random, of one kind of switch. */
struct hd_switch_params random_switch(struct dice *dice, unsigned barrier);

uint16_t group_local(const struct group *g, const struct hd_topology *t, uint32_t sw);

bool group_done(const struct group *g);

/** Opens a fabric on the topology f->t, which the caller has made. */
void barrier_fabric_open(struct barrier_fabric *f, const struct hd_switch_params *sw,
                         uint32_t link_cycles, uint32_t idle);

void barrier_fabric_close(struct barrier_fabric *f);

/** Draws the members: each node with a chance of 1 in `rarity`, at least one node. The center is the switch of a
 *  random member. */
void group_random(struct group *g, struct dice *dice, const struct hd_topology *t, unsigned id,
                  uint32_t rarity);

/** Opens the group in all its member switches. */
void group_open(const struct group *g, struct barrier_fabric *f);

/** Draws when each member arrives: within `skew` cycles from the cycle after now. */
void group_begin(struct group *g, struct dice *dice, uint64_t now, uint32_t skew);

/** Draws an operator and values for the round that has begun; releases are then checked for the result. */
void group_values(struct group *g, struct dice *dice);

/** Plays one cycle. */
void groups_step(struct group *groups, uint32_t n, struct barrier_fabric *f);

/** Sends the arrivals of this cycle. */
void groups_arrive(struct group *groups, uint32_t n, struct hd_fabric *fabric);

/** Takes the messages that were received in the last cycle. Checks that nobody is released before the last member has
 *  arrived. */
void groups_receive(struct group *groups, uint32_t n, const struct hd_fabric *fabric);

#endif
