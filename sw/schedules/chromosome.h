/* A schedule as the evolution has it: one gene for each destination of each message.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Encoding (the paper's Section 4.2). A gene of a message to one node is a way and a step: OAS, and AAS as a
 * matrix of such. A gene of a message to several nodes is a node that sends, a way from it, and a step: OAB,
 * and AAB as a collection of such. Messages of a file are a mixture of both.
 *
 * Fitness (4.3) is the number of conflicts: pairs of transfers of one step on one link. A pair that shares two
 * links counts twice; the paper leaves that open, and 0 means the same.
 *
 * Heuristics (4.4), and what was chosen where the paper leaves it open:
 *   - Acceleration, messages to one node: who sends more in a step over a link of its own than one message sends
 *     those that are too many in other steps, at random. Steps in which the receiver is free, too, come first.
 *   - Restoration, messages to several nodes: step by step, a sender that has not got the message yet is
 *     replaced by a random node that has it, with a random way; by one that does not send this message in the
 *     step, if there is one. In the first population all transfers come from the source in step 0. Which steps are
 *     "correct" for them the paper does not say: here a node sends a message as often in a step as it has links, and
 *     a transfer without such a sender goes to a random later step. In the last step it stays.
 *   - Mutation: the steps of two transfers are swapped, as the paper has it for messages to one node. The first
 *     one is a random one of those in conflict. The second one is, in a random step, that of the same sender; for
 *     messages to several nodes that of the same receiver; for a single broadcast another receiver's. Without
 *     a second one in that step, the first one moves there. Then all ways of both are tested ("testing and changing
 *     possible source-destination paths"), for broadcasts from all nodes that have the message by then, and one of
 *     those with the fewest conflicts is taken. Receivers that thereby lose their sender get another one in
 *     the same way.
 */
#ifndef HD_SCHEDULES_CHROMOSOME_H
#define HD_SCHEDULES_CHROMOSOME_H

#include "schedules_internal.h"

#include "../runtime/random.h"

struct gene {
  uint32_t way;        /* of ways->all, from `from` to the gene's destination */
  uint16_t step, from; /* from: a node that sends */
};

/** Meaning of genes, and a table of the links that they load. */
struct encoding {
  struct problem *p;
  uint32_t n, steps;       /* genes; the steps that a schedule is to have */
  uint32_t *message;       /* [n]; the destination is messages->destinations[gene] */
  uint32_t *list;          /* genes by sender (messages to one node), then by receiver (others) */
  uint32_t *begin;         /* [2 · nodes + 1]: of list */
  uint16_t *load;          /* [steps][links]: transfers */
  size_t links, room;      /* room: steps that load has room for */
  uint8_t *counts;         /* [links]: does it carry one transfer a step alone? */
  uint32_t *in, *capacity; /* [nodes]: the link to it, and how many transfers it has in a step */
  uint32_t *head, *next, *holders, *moved; /* scratch: [steps], [n], [nodes], [n] */
  int32_t *has;                            /* scratch [nodes]: step in which it gets the message */
  uint32_t *sent, *sent_in; /* scratch [nodes]: transfers of a message in the step sent_in */
  uint64_t conflicts;       /* of what is in load */
  struct hd_random random;
  int status; /* of ways: HD_E_INPUT; sticks */
  struct hd_error *err;
};

/** HD_E_INPUT: too many genes. hd_encoding_close after both. */
int hd_encoding_open(struct encoding *e, struct problem *p, uint64_t seed, struct hd_error *err);
void hd_encoding_close(struct encoding *e);
/** From now on schedules have this many steps. HD_E_INPUT: too many. */
int hd_encoding_steps(struct encoding *e, uint32_t steps);
/** Draws a number of 0 … n − 1. */
static inline uint32_t encoding_draw(struct encoding *e, uint32_t n)
{
  return (uint32_t)((hd_random_next(&e->random) >> 32) * n >> 32);
}

/** A random chromosome: steps and ways at random; broadcasts from their sources in step 0 (4.4). */
void hd_chromosome_draw(struct encoding *e, struct gene *genes);
/** Applies acceleration and restoration; `first`: as of the first population, after chromosome_draw. Returns the
 *  conflicts; `load` has the chromosome. */
uint64_t hd_chromosome_repair(struct encoding *e, struct gene *genes, bool first);
/** Mutates the chromosome that is in `load`. Returns the conflicts. */
uint64_t hd_chromosome_mutate(struct encoding *e, struct gene *genes);

#endif
