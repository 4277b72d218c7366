/* Draws barrier traffic around one switch: the messages, padding and register writes of chapters 7 and 8.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Legal neighbours keep credits, end the messages that they begin, and preempt only their own channels. Contents are drawn
 * from a small world of groups and switches, so that groups are opened, built, combined and released, tables overflow, and
 * reports come twice.
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
  int credits;        /* as sender: free entries of the barrier queue */
  int owed;           /* as receiver: barrier credits that are not yet returned */
  uint64_t message;   /* the message under way */
  bool half;          /* its second flit comes next */
  uint8_t vc;         /* channel of the message */
  uint32_t preempted; /* channels that the neighbour has preempted */
  uint32_t n_due;
  struct barrier_due due[BARRIER_DUE]; /* [n_due], sent in any order */
};

enum {
  BARRIER_WORLD = 6,    /* switches 0 … 5, of which SELF is one */
  BARRIER_REGISTERS = 5 /* registers that are written with the tables */
};

/** Draws a barrier, padding or null flit that a sender may legally send now; false: it sends none. `credits` and `left`
 *  are those of its data channels. */
bool hd_barrier_stream_send(const struct hd_switch_params *p, struct barrier_neighbour *b,
                            int *credits, const uint32_t *left, uint64_t *rnd,
                            const struct stream_style *style, struct hd_flit_event *e);

/** Returns the message with an operator, most often `operator_`, and a value, where switches have values (§8.14). */
uint64_t hd_barrier_stream_value(const struct hd_switch_params *p, uint64_t *rnd, uint32_t message,
                                 unsigned operator_);

/** Draws a write to a register or table of chapter 8. */
void hd_barrier_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                              const struct stream_style *style, struct hd_config_event *e);

/** Adds the writes before a stream: ways to the switches of the small world, SELF, and the registers of groups. */
void hd_barrier_stream_tables(const struct hd_switch_params *p, uint64_t *rnd, uint32_t names,
                              struct hd_config_event *tables, uint32_t *n);

#endif
