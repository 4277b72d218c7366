/* Plans: what one member does for an operation, in rounds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In a round, the messages are sent, then the receives are posted. When all of them have ended, the
 * copies and reductions are done in order, and the next round begins. A send copies its bytes at
 * the beginning of the round, so a round may receive into memory from which it sends. Messages
 * between two members are matched in the order of their plans.
 */
#ifndef HD_COLLECTIVES_PLAN_H
#define HD_COLLECTIVES_PLAN_H

#include "collectives.h"

#include "../../cmodel/error.h"

enum { HD_PLAN_MESSAGE_BYTES = 1 << 20 }; /* the longest message of the endpoint API */

enum hd_action_kind {
  HD_ACTION_SEND,
  HD_ACTION_MULTICAST, /* to all other members, by the communicator's multicast group */
  HD_ACTION_RECEIVE,
  HD_ACTION_COPY,
  HD_ACTION_COMBINE,
  HD_ACTION_BARRIER, /* at the communicator's barrier; the only action of its round */
  /** at barrier `peer` of hd_comm_set_lanes, with the value at `from`; 0 bytes: without a value */
  HD_ACTION_ARRIVE,
  HD_ACTION_END_ROUND, /* end of the round */
};

struct hd_steps;

struct hd_action {
  uint8_t kind;
  int peer; /* index of a member */
  unsigned char *to;
  const unsigned char *from;
  size_t bytes;
  hd_ep_request request; /* request of a posted receive */
};

struct hd_plan {
  struct hd_ep *ep; /* the node whose memory it uses */
  struct hd_action *actions;
  size_t n, capacity;
  const struct hd_operator *op; /* reductions */
  bool empty_messages;          /* for barriers: a message of 0 bytes is sent, too */
  unsigned char *scratch;
  size_t scratch_bytes, scratch_used;
};

/** Empties the plan; its memory is kept. */
void hd_plan_clear(struct hd_plan *plan);
/** Returns memory that is valid until the plan is emptied. */
unsigned char *hd_plan_scratch(struct hd_plan *plan, size_t bytes);

/* The following functions add an action to the plan. A send or receive of 0 bytes adds nothing,
 * unless the plan has empty messages; nor does a copy or reduction of 0 bytes. Data that is longer
 * than a message is split. */
void hd_plan_send(struct hd_plan *plan, int peer, const void *from, size_t bytes);
/** Sends to all other members at once (hd_comm_set_multicast). They receive it from this member. */
void hd_plan_multicast(struct hd_plan *plan, const void *from, size_t bytes);
void hd_plan_receive(struct hd_plan *plan, int peer, void *to, size_t bytes);
void hd_plan_copy(struct hd_plan *plan, void *to, const void *from, size_t bytes);
void hd_plan_combine(struct hd_plan *plan, void *to, const void *from, size_t bytes);
/** Adds a round that ends when all members have come to the communicator's barrier. */
void hd_plan_barrier(struct hd_plan *plan);
/** Arrives at a barrier of hd_comm_set_lanes with a value; the result goes to `to`. */
void hd_plan_arrive(struct hd_plan *plan, int lane, void *to, const void *from, size_t bytes);
/** Ends the round; does nothing if the round is empty. */
void hd_plan_end_round(struct hd_plan *plan);

/** The members that take part in a part of an algorithm, with their own numbers 0 … n − 1. */
struct hd_team {
  int n, me;
  int p, shift; /* number v is member (v + shift) mod p */
  /** in a folded team of 2^d out of p = 2^d + extra members: number v < extra is member 2v + 1,
   *  others are member v + extra */
  int extra;
  /** for methods with a plan for the network: the steps of all members */
  const struct hd_steps *steps;
  bool step_barrier; /* members meet at a barrier before each step but the first */
  int lanes;         /* for `in-network`: number of values that are reduced at once */
};
int hd_team_peer(const struct hd_team *team, int v);
/** Returns the team of all members in which the root is number 0. */
struct hd_team hd_team_of_root(const struct hd_team *team, int root);

/** A buffer that is cut into n parts of whole units. Part i begins at hd_parts_at(parts, i). */
struct hd_parts {
  size_t units, unit_bytes; /* number of units of all parts, and bytes of a unit */
  int n;                    /* number of parts, whose lengths differ by at most one unit */
  size_t base;              /* the buffer begins at this byte of the parts */
};
static inline size_t hd_parts_at(const struct hd_parts *parts, int i)
{
  return parts->units * (size_t)i / (size_t)parts->n * parts->unit_bytes - parts->base;
}
/** Returns p parts, each a block of `bytes`; and n parts of whole elements of one block. */
struct hd_parts hd_parts_of_blocks(int p, size_t bytes);
struct hd_parts hd_parts_of_block(int n, size_t bytes, size_t element_bytes);

/* ── parts of algorithms ─────────────────────────────────────────────────── *
 *
 * Each ends at the end of a round. Number v of the team has part v of the buffer, unless the comment
 * says otherwise. */

/** Sends number 0's block to all. */
void hd_round_broadcast(struct hd_plan *plan, const struct hd_team *team, void *block,
                        size_t bytes);
/** Reduces all blocks to number 0's block. The others' blocks are overwritten. */
void hd_round_reduce(struct hd_plan *plan, const struct hd_team *team, void *block, size_t bytes);
/** Scatters number 0's parts, and gathers them. Other members need room for the parts that pass
 *  through them: parts v … v + (lowest bit of v) − 1. */
void hd_round_scatter(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                      const struct hd_parts *parts);
void hd_round_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                     const struct hd_parts *parts);
/** Allgather: each member has its part, and gets all parts. */
void hd_round_ring_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts);
void hd_round_doubling_gather(struct hd_plan *plan, const struct hd_team *team,
                              unsigned char *buffer, const struct hd_parts *parts);
/** Reduce-scatter: each member has a whole buffer, and gets its part of the reduction. The rest is
 *  overwritten. */
void hd_round_ring_reduce(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts);
void hd_round_halving_reduce(struct hd_plan *plan, const struct hd_team *team,
                             unsigned char *buffer, const struct hd_parts *parts);
/** Makes a team of a power of two. The other members give their block to a member of the team, and
 *  take no part: false for them. Unfolding gives them the result. */
bool hd_round_fold(struct hd_plan *plan, const struct hd_team *team, struct hd_team *folded,
                   unsigned char *block, size_t bytes);
void hd_round_unfold(struct hd_plan *plan, const struct hd_team *team, unsigned char *block,
                     size_t bytes);

/* ── the algorithms ────────────────────────────────────────────────────────── */

/** Writes the plan of member number team->me. The call has at least one byte to send, or is a
 *  barrier. */
typedef void hd_method_build(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call);

#define HD_METHOD_BUILD(COLLECTIVE, ALGORITHM, function, ...) hd_method_build hd_build_##function;
HD_METHOD_LIST(HD_METHOD_BUILD)
#undef HD_METHOD_BUILD

/* ── plans for the network ───────────────────────────────────────────────── */

/** A message between members, by their indices. `item` is the member whose block it is, or p + q
 *  for pair q of a coded plan. */
struct hd_step_message {
  uint32_t step, from, to, item;
};

/** The messages of a group, in steps. In a step, a member sends at most one message and receives at
 *  most one. The group's members share this, and nobody changes it. */
struct hd_steps {
  bool initialised;
  uint32_t n_steps; /* 0: there is no plan, for the reason `why` */
  char why[600];
  uint32_t least; /* lower bound of the steps of a schedule */
  const struct hd_step_message *messages;
  /** member i has messages[of[first[i]]] … messages[of[first[i + 1] − 1]], by step */
  const uint32_t *first, *of;
  const struct hd_coded *coded; /* the pairs; NULL: there are none */
};

/** Allocates zeroed memory. It may end the run instead of returning NULL. */
struct hd_memory {
  void *(*alloc)(void *context, size_t bytes);
  void *context;
};

/** Fills *steps with `n` messages among `p` members, which are sorted by step. Returns false if
 *  there is no memory. */
bool hd_steps_fill(struct hd_steps *steps, const struct hd_step_message *messages, uint32_t n,
                   uint32_t p, const struct hd_memory *memory);

/** A request for the steps of `schedule` or `network-coded` among ranks[n], n ≥ 2. The root is 0 if
 *  the collective has none. */
struct hd_steps_request {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  const int *ranks;
  int n, root;
  double seconds; /* real time for the search of a schedule */
};
/** Returns the steps, which all members share. The first member that asks finds them. */
const struct hd_steps *hd_steps_find(struct hd_ep *ep, const struct hd_steps_request *request);

/** A box of nodes, for network coding. */
struct hd_coded_box {
  uint32_t n_dims, dims[8];
  bool torus;
  const uint32_t *member; /* [nodes of the box, dimension 0 fastest] the member at each node */
};

/** Makes the coded plan for a box, with the groups and the multicast that need the fewest steps.
 *  Returns HD_E_INPUT, with the reason, or HD_E_NOMEM. */
int hd_coded_plan_make(struct hd_steps *steps, const struct hd_coded_box *box,
                       const struct hd_memory *memory, struct hd_error *err);

/** A pair: member `maker` makes it from the blocks of two members. */
struct hd_coded_pair {
  uint32_t maker, blocks[2];
};
struct hd_coded {
  uint32_t n_pairs;
  const struct hd_coded_pair *pairs;
  /* The blocks that a member restores when it has received everything, in this order: `to`, from block
   * `from` and pair `pair`. */
  const struct hd_restored {
    uint32_t pair, from, to;
  } * restored;
  const uint32_t *first; /* member i restores restored[first[i]] … restored[first[i + 1] − 1] */
};

/** Returns the function that writes the plan of a method that is possible. */
hd_method_build *hd_method_builder(enum hd_collective collective, enum hd_algorithm algorithm);

#endif
