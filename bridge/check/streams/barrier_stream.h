/* Barrier traffic around one switch: what neighbours of chapters 7 and 8 send.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Legal neighbours keep credits, end what they begin and preempt only channels of their own; what
 * their messages say is drawn from a small world of groups and switches, so that groups are
 * opened, built, combined and released, tables overflow and reports come twice.
 */
#ifndef HD_BARRIER_STREAM_H
#define HD_BARRIER_STREAM_H

#include "switch_stream.h"

enum { BARRIER_DUE = 32 };

/* A message that a neighbour must send for a tree (barrier_trees.h). */
struct barrier_due {
  uint64_t message;
  uint32_t tree;
};

struct barrier_neighbour {
  int credits;        /* sender's: places in the barrier queue */
  int owed;           /* receiver's barrier credits not yet returned */
  uint64_t message;   /* under way */
  bool half;          /* its last flit is due */
  uint8_t vc;         /* on this channel */
  uint32_t preempted; /* channels that the sender has preempted */
  uint32_t n_due;
  struct barrier_due due[BARRIER_DUE]; /* sent in any order */
};

enum {
  BARRIER_WORLD = 6,    /* switches 0 … 5, of which SELF is one */
  BARRIER_REGISTERS = 5 /* written with the tables */
};

/** Makes a legal barrier, padding or null flit of a sender, if it can send one now. `credits` and
 * `left` are those of its data channels. */
bool hd_barrier_stream_send(const struct hd_switch_params *p, struct barrier_neighbour *b,
                            int *credits, const uint32_t *left, uint64_t *rnd,
                            const struct stream_style *style, struct hd_flit_event *e);

/** A message with an operator and a value, where switches have values (§8.14): this operator most often. */
uint64_t hd_barrier_stream_value(const struct hd_switch_params *p, uint64_t *rnd, uint32_t message,
                                 unsigned operator_);

/** A write that opens, closes or turns something of chapter 8. */
void hd_barrier_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                              const struct stream_style *style, struct hd_config_event *e);

/** Ways to the small world's switches, SELF, and what groups are opened with. */
void hd_barrier_stream_tables(const struct hd_switch_params *p, uint64_t *rnd, uint32_t names,
                              struct hd_config_event *tables, uint32_t *n);

#endif
