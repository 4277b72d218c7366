/* A schedule as the evolution represents it: one gene for each destination of each message.
 * SPDX-License-Identifier: Apache-2.0
 *
 * **Encoding** (the paper's Section 4.2). A gene of a message to one node is a way and a step: OAS,
 * and AAS as a matrix of these. A gene of a message to several nodes is a sending node, a way from
 * it, and a step: OAB, and AAB as a collection of these. Messages of a file can be a mixture of
 * both.
 *
 * **Fitness** (4.3) is the number of conflicts: pairs of transfers of one step on one link. A pair
 * that shares two links counts twice. The paper does not say whether it does; fitness 0 means the
 * same in both cases.
 *
 * **Heuristics** (4.4), with our choices where the paper leaves something open:
 *   - Acceleration, for messages to one node: if a node sends more than one message in a step over a
 *    link of its own, the extra ones go to other steps, at random. Steps in which the receiver is free,
 *    too, come first.
 *   - Restoration, for messages to several nodes: step by step, a sender that does not have the message
 *    yet is replaced by a random node that has it, with a random way; preferably one that does not
 *    already send this message in the step. In the first population, all transfers come from the source
 *    in step 0. The paper does not say which steps are "correct" for them. Here, a node sends a message
 *    in a step as often as it has links, and a transfer without such a sender goes to a random later
 *    step. In the last step it stays.
 *   - Mutation: swaps the steps of two transfers, as in the paper for messages to one node. The first one
 *    is a random one that is in conflict. The second one is in a random step, and has the same sender;
 *    for messages to several nodes, the same receiver; for a single broadcast, another receiver. If
 *    there is no second one in that step, the first one moves there. Then all ways of both are tested
 *    ("testing and changing possible source-destination paths"), for broadcasts from all nodes that have
 *    the message by then, and one with the fewest conflicts is chosen. Receivers that have lost their
 *    sender get another one in the same way.
 */
#ifndef HD_SCHEDULES_CHROMOSOME_H
#define HD_SCHEDULES_CHROMOSOME_H

#include "schedules_internal.h"

#include "../runtime/random.h"

struct gene {
  uint32_t way;        /* index in ways->all: a way from `from` to the gene's destination */
  uint16_t step, from; /* from: the sending node */
};

/** The meaning of the genes, and the loads of the links. */
struct encoding {
  struct problem *p;
  uint32_t n, steps; /* number of genes; number of steps that the schedule may have */
  /** [n] message of each gene; its destination is messages->destinations[gene] */
  uint32_t *message;
  /** genes of messages to one node, by sender; then the other genes, by receiver */
  uint32_t *list;
  uint32_t *begin;    /* [2 · nodes + 1] index in list */
  uint16_t *load;     /* [steps][links] number of transfers */
  size_t links, room; /* room: number of steps for which `load` has room */
  uint8_t *counts;    /* [links] 1 if the link carries only one transfer in a step */
  /** [nodes] the link to the node, and the number of transfers that it can receive in a step */
  uint32_t *in, *capacity;
  uint32_t *head, *next, *holders, *moved; /* scratch memory: [steps], [n], [nodes], [n] */
  /** scratch memory [nodes]: step in which a node gets the message */
  int32_t *has;
  /** scratch memory [nodes]: number of transfers of a message in step sent_in */
  uint32_t *sent, *sent_in;
  uint64_t conflicts; /* conflicts of the chromosome in `load` */
  struct hd_random random;
  int status; /* first error of hd_ways_of: HD_E_INPUT */
  struct hd_error *err;
};

/** Prepares *e. Returns HD_E_INPUT if there are too many genes. Call hd_encoding_close even if it
 *  fails. */
int hd_encoding_open(struct encoding *e, struct problem *p, uint64_t seed, struct hd_error *err);
void hd_encoding_close(struct encoding *e);
/** Sets the number of steps of the schedules. Returns HD_E_INPUT if there are too many. */
int hd_encoding_steps(struct encoding *e, uint32_t steps);
/** Draws a number from 0 to n − 1. */
static inline uint32_t encoding_draw(struct encoding *e, uint32_t n)
{
  return (uint32_t)((hd_random_next(&e->random) >> 32) * n >> 32);
}

/** Draws a chromosome: random steps and ways; broadcasts from their sources in step 0 (4.4). */
void hd_chromosome_draw(struct encoding *e, struct gene *genes);
/** Applies acceleration and restoration; `first` is true for the first population, after
 *  hd_chromosome_draw. Returns the conflicts; `load` then has the chromosome. */
uint64_t hd_chromosome_repair(struct encoding *e, struct gene *genes, bool first);
/** Mutates the chromosome that is in `load`. Returns the conflicts. */
uint64_t hd_chromosome_mutate(struct encoding *e, struct gene *genes);

#endif
