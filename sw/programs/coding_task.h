/* Reads and checks the parameters of program coding, and makes the data of its sources.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CODING_TASK_H
#define HD_CODING_TASK_H

#include "../coding/coding.h"
#include "../endpoint.h"

enum {
  HD_CODING_FLITS = 16, /* longest packet that a coder keeps */
  HD_CODING_NODES = 65536,
};

/* The payload of a packet: a datum of a source, or the exclusive or of two. */
struct hd_coding_payload {
  uint64_t value; /* the part of the payload that is in the head */
  uint32_t flits;
  uint64_t words[HD_CODING_FLITS - 1];
};

/* The task, which all nodes share. The first one makes it. */
struct hd_coding_task {
  bool initialised;
  struct hd_coding *plan;
  enum hd_coding_scheme scheme;
  uint32_t nodes, sources, levels;
  bool is_source[HD_CODING_NODES];
  uint32_t flits, most_flits;
  bool encode, decode; /* coders encode; coders decode */
  bool sequential;
  bool own_channels;       /* each step has a virtual network with the step's number */
  uint32_t combined_flits; /* flits of the longest packet of a message that combines data */
  uint64_t xor_cycles, restore_cycles;
  struct hd_ep_layout layout;
  uint32_t id_bits, value_bits;
  uint32_t *number[HD_CODING_LEVELS]; /* [nodes] index of a source among the sources of its group */
  uint32_t *base[HD_CODING_LEVELS];   /* [groups] first place of the group's chain */
  uint32_t places;                    /* places of the coder that a node needs */
  /* counters for the report */
  uint64_t start, packets[HD_CODING_LEVELS][HD_CODING_STEPS],
      hops[HD_CODING_LEVELS][HD_CODING_STEPS];
  uint32_t n_ended;
};

/** Help texts of the parameters; NULL ends the list. */
extern const char *const hd_coding_parameters[];

/** Returns the task. The first node that calls this makes it, or rejects a parameter. */
struct hd_coding_task *hd_coding_task(struct hd_ep *ep);

/** hd_coding_flits returns the length of a source's datum. hd_coding_datum makes it: bits that
 *  depend only on the source's number. */
uint32_t hd_coding_flits(const struct hd_coding_task *task, uint32_t source);
void hd_coding_datum(const struct hd_coding_task *task, uint32_t source,
                     struct hd_coding_payload *payload);

/** Returns the number of levels that have steps. The scheme FLAT has the steps of level 0. */
uint32_t hd_coding_step_levels(const struct hd_coding_task *task);
/** Returns true if some node sends in this step. */
bool hd_coding_step_has_sends(const struct hd_coding_task *task, uint32_t level, unsigned step);
/** Returns true if the node is the intermediate node of its group. */
bool hd_coding_is_intermediate(const struct hd_coding_task *task, uint32_t level, uint32_t node);
/** Returns the number of sources in a group. */
uint32_t hd_coding_n_sources(const struct hd_coding_task *task, uint32_t level, uint32_t group);

#endif
