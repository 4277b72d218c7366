/* Plans: what one member of a communicator does for an operation, in rounds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A round's messages are sent, then its receives are posted; when all of them have come, its copies and
 * reductions are done in order, and the next round begins. A send takes its bytes when the round begins, so a round
 * may receive to where it sends from. Messages between two members are matched in the order of their plans.
 */
#ifndef HD_COLLECTIVES_PLAN_H
#define HD_COLLECTIVES_PLAN_H

#include "collectives.h"

#include "../../cmodel/error.h"

enum { HD_PLAN_MESSAGE_BYTES = 1 << 20 }; /* the longest message of the endpoint API */

enum hd_action_kind {
  HD_ACTION_SEND,
  HD_ACTION_CAST, /* to all others, by the communicator's multicast group */
  HD_ACTION_RECEIVE,
  HD_ACTION_COPY,
  HD_ACTION_COMBINE,
  HD_ACTION_MEET,   /* at the communicator's barrier; alone in its round */
  HD_ACTION_ARRIVE, /* at lane `peer`, with the value at `from`; 0 bytes: as at a barrier */
  HD_ACTION_NEXT,   /* the round ends here */
};

struct hd_steps;

struct hd_action {
  uint8_t kind;
  int peer; /* number of a member */
  unsigned char *to;
  const unsigned char *from;
  size_t bytes;
  hd_ep_request request; /* of a receive that is posted */
};

struct hd_plan {
  struct hd_ep *ep; /* whose memory it is */
  struct hd_action *actions;
  size_t n, capacity;
  const struct hd_operator *op; /* reductions */
  bool empty_messages;          /* barriers: 0 bytes are a message, too */
  unsigned char *scratch;
  size_t scratch_bytes, scratch_used;
};

/** An empty plan; it keeps its memory. */
void hd_plan_clear(struct hd_plan *plan);
/** Memory until the plan is cleared. */
unsigned char *hd_plan_scratch(struct hd_plan *plan, size_t bytes);

/* Transfers of 0 bytes send and receive nothing, unless the plan has empty messages; they copy and combine nothing.
 * Longer data than fits a message goes in several messages. */
void hd_plan_send(struct hd_plan *plan, int peer, const void *from, size_t bytes);
/** Sends to all other members at once (hd_comm_set_multicast); they receive it from this member. */
void hd_plan_cast(struct hd_plan *plan, const void *from, size_t bytes);
void hd_plan_receive(struct hd_plan *plan, int peer, void *to, size_t bytes);
void hd_plan_copy(struct hd_plan *plan, void *to, const void *from, size_t bytes);
void hd_plan_combine(struct hd_plan *plan, void *to, const void *from, size_t bytes);
/** A round that ends when all members have come to it, at the communicator's barrier. */
void hd_plan_meet(struct hd_plan *plan);
/** Arrives at a lane (hd_comm_set_lanes) with a value, whose result goes to `to`. */
void hd_plan_arrive(struct hd_plan *plan, int lane, void *to, const void *from, size_t bytes);
/** The next round begins; nothing if this one is empty. */
void hd_plan_next(struct hd_plan *plan);

/** Members that take part in a piece of an algorithm, with their own numbers 0 … n − 1. */
struct hd_team {
  int n, me;
  int p, shift; /* number v is member (v + shift) mod p; */
  int extra; /* in a folded team of 2^d of p = 2^d + extra: v < extra is member 2v + 1, others v + extra */
  const struct hd_steps
      *steps; /* all members, of methods that take their messages from the network */
  bool meets; /* before each step but the first */
  int lanes;  /* values at once, of methods in the network */
};
int hd_team_peer(const struct hd_team *team, int v);
/** All members; the root is number 0. */
struct hd_team hd_team_of_root(const struct hd_team *team, int root);

/** A buffer that is cut into parts of whole units: part i begins at hd_parts_at(parts, i). */
struct hd_parts {
  size_t units, unit_bytes; /* of all parts together; */
  int n;                    /* cut into so many parts, which differ by one unit at most */
  size_t base;              /* the buffer begins with this byte of them */
};
static inline size_t hd_parts_at(const struct hd_parts *parts, int i)
{
  return parts->units * (size_t)i / (size_t)parts->n * parts->unit_bytes - parts->base;
}
/** p blocks of `bytes`; and one block of `bytes` cut into n parts of elements. */
struct hd_parts hd_parts_of_blocks(int p, size_t bytes);
struct hd_parts hd_parts_of_block(int n, size_t bytes, size_t element_bytes);

/* ── pieces that algorithms are made of ────────────────────────────────────── *
 *
 * Each ends with the end of a round. Number v of the team has part v of the buffer, unless it says otherwise. */

/** Number 0's block to all. */
void hd_round_broadcast(struct hd_plan *plan, const struct hd_team *team, void *block,
                        size_t bytes);
/** All blocks, combined, to number 0's block; the others' blocks are overwritten. */
void hd_round_reduce(struct hd_plan *plan, const struct hd_team *team, void *block, size_t bytes);
/** The parts of number 0, each to its own; and back. Numbers between have room for what goes through them:
 *  parts v … v + (lowest bit of v) − 1. */
void hd_round_scatter(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                      const struct hd_parts *parts);
void hd_round_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                     const struct hd_parts *parts);
/** Each has its part; then each has all. */
void hd_round_ring_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts);
void hd_round_doubling_gather(struct hd_plan *plan, const struct hd_team *team,
                              unsigned char *buffer, const struct hd_parts *parts);
/** Each has a whole buffer; then each has its part of their combination, and the rest is overwritten. */
void hd_round_ring_reduce(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts);
void hd_round_halving_reduce(struct hd_plan *plan, const struct hd_team *team,
                             unsigned char *buffer, const struct hd_parts *parts);
/** Makes a team of a power of two: some members give their block to another one, and take no part (false).
 *  Unfolding gives them the result. */
bool hd_round_fold(struct hd_plan *plan, const struct hd_team *team, struct hd_team *folded,
                   unsigned char *block, size_t bytes);
void hd_round_unfold(struct hd_plan *plan, const struct hd_team *team, unsigned char *block,
                     size_t bytes);

/* ── the algorithms ────────────────────────────────────────────────────────── */

/** Writes the plan of number team->me for the call, in which there is a byte to be sent, or which is a barrier. */
typedef void hd_method_build(struct hd_plan *plan, const struct hd_team *team,
                             const struct hd_collective_call *call);

#define HD_METHOD_BUILD(COLLECTIVE, ALGORITHM, function, ...) hd_method_build hd_build_##function;
HD_METHOD_LIST(HD_METHOD_BUILD)
#undef HD_METHOD_BUILD

/* ── messages that the network gives ───────────────────────────────────────── */

/** A message by the numbers of members. `item`: whose block it is; p + q is pair q of a coded plan. */
struct hd_step_message {
  uint32_t step, from, to, item;
};

/** Messages of a whole group in steps. A member sends one and receives one in a step at most. The group's members share
 *  it, and nobody changes it. */
struct hd_steps {
  bool made;
  uint32_t n_steps; /* 0: there are none, for this reason: */
  char why[600];
  uint32_t least; /* of a schedule: no other one has fewer */
  const struct hd_step_message *messages;
  const uint32_t *first,
      *of; /* of member i: messages[of[first[i]]] … messages[of[first[i + 1] − 1]], by step */
  const struct hd_coded *coded; /* what the pairs are; NULL: there are none */
};

/** Memory for what follows; zeroed. It may end the run instead of returning NULL. */
struct hd_memory {
  void *(*alloc)(void *context, size_t bytes);
  void *context;
};

/** Puts p members' n messages, in order of step, into *steps. False: no memory. */
bool hd_steps_take(struct hd_steps *steps, const struct hd_step_message *messages, uint32_t n,
                   uint32_t p, const struct hd_memory *memory);

/** Request for the steps of `schedule` or `network-coded`, among ranks[n], n ≥ 2. Root 0 if the collective has none. */
struct hd_steps_request {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  const int *ranks;
  int n, root;
  double seconds; /* of search for a schedule */
};
/** Gives the steps of the run, which all members share. */
const struct hd_steps *hd_steps_of(struct hd_ep *ep, const struct hd_steps_request *request);

/** A box of nodes whose members are to be coded. */
struct hd_coded_box {
  uint32_t n_dims, dims[8];
  bool torus;
  const uint32_t *member; /* [nodes of the box, dimension 0 first]: who is there */
};

/** The coded plan for a box; groups and multicast are those with the fewest steps. HD_E_INPUT, with the reason;
 *  HD_E_NOMEM. */
int hd_coded_make(struct hd_steps *steps, const struct hd_coded_box *box,
                  const struct hd_memory *memory, struct hd_error *err);

/** A pair of hd_coded_make: member `maker` makes it of the blocks of two members. */
struct hd_coded_pair {
  uint32_t maker, blocks[2];
};
struct hd_coded {
  uint32_t n_pairs;
  const struct hd_coded_pair *pairs;
  /* Restorations by member i when it has everything, in this order: block `to` from block `from` and pair `pair`. */
  const struct hd_restored {
    uint32_t pair, from, to;
  } * restored;
  const uint32_t *first; /* of member i: restored[first[i]] … restored[first[i + 1] − 1] */
};

/** The function that writes the plan of a possible method. */
hd_method_build *hd_method_builder(enum hd_collective collective, enum hd_algorithm algorithm);

#endif
