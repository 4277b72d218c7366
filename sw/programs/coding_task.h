/* Reads and checks the parameters of program coding, and makes the data of its sources.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CODING_TASK_H
#define HD_CODING_TASK_H

#include "../coding/coding.h"
#include "../endpoint.h"

enum {
  HD_CODING_FLITS = 16, /* flits of a packet that a coder keeps, at most */
  HD_CODING_NODES = 65536,
};

/* Payload of a packet without its head: a datum, or the exclusive or of two. */
struct hd_coding_payload {
  uint64_t value; /* the part of the payload that is in the head */
  uint32_t flits;
  uint64_t words[HD_CODING_FLITS - 1];
};

/* Shared by all nodes; the first one makes it. */
struct hd_coding_task {
  bool made;
  struct hd_coding *plan;
  enum hd_coding_scheme scheme;
  uint32_t nodes, sources, levels;
  bool is_source[HD_CODING_NODES];
  uint32_t flits, most_flits;
  bool encode, decode; /* coders do it */
  bool sequential;
  bool own_channels;       /* each step has a virtual network with the step's number */
  uint32_t combined_flits; /* of the longest packet of a message of all data */
  uint64_t xor_cycles, restore_cycles;
  struct hd_ep_layout layout;
  uint32_t id_bits, value_bits;
  uint32_t *number[HD_CODING_LEVELS]; /* [nodes] of a source among those of its group */
  uint32_t *base[HD_CODING_LEVELS];   /* [groups] first place of its chain */
  uint32_t places;                    /* places that a node needs */
  /* for the report */
  uint64_t start, packets[HD_CODING_LEVELS][HD_CODING_STEPS],
      hops[HD_CODING_LEVELS][HD_CODING_STEPS];
  uint32_t over;
};

/** Help texts of the parameters; NULL ends the list. */
extern const char *const hd_coding_parameters[];

/** Returns the task. The first node that asks makes it, or rejects a parameter. */
struct hd_coding_task *hd_coding_task(struct hd_ep *ep);

/** Flits of a source's datum, and the datum: bits that depend on the source's number alone. */
uint32_t hd_coding_flits(const struct hd_coding_task *task, uint32_t source);
void hd_coding_datum(const struct hd_coding_task *task, uint32_t source,
                     struct hd_coding_payload *payload);

/** Levels with steps: FLAT has those of level 0. */
uint32_t hd_coding_step_levels(const struct hd_coding_task *task);
/** Returns true if some node sends in this step. */
bool hd_coding_is_taken(const struct hd_coding_task *task, uint32_t level, unsigned step);
/** True for the intermediate node of its group. */
bool hd_coding_is_intermediate(const struct hd_coding_task *task, uint32_t level, uint32_t node);
/** Sources in a group. */
uint32_t hd_coding_n_sources(const struct hd_coding_task *task, uint32_t level, uint32_t group);

#endif
