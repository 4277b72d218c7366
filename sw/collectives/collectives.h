/* Collective communication on the endpoint API: what a node's software calls.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The collectives are those of MPI: communicators over groups of ranks, broadcast, scatter, gather, allgather, reduce,
 * allreduce, reduce-scatter, alltoall, alltoallv, barrier, each blocking or not. A collective can be done by
 * several algorithms. A call names one, or leaves the choice to the α–β model: a message of n bytes takes
 * α + βn cycles, and a member sends one message and receives one at a time. What a method costs in this model,
 * and what no method can do without, stands in the lists below, and docs/collectives.md shows it.
 *
 * When an operation starts, its algorithm writes a plan for this member: rounds of sends, receives, copies and
 * reductions. Everything after that is the same for all algorithms. A new algorithm is a line in
 * HD_ALGORITHM_LIST, lines in HD_METHOD_LIST and the functions hd_build_… (plan.h) that write its plans.
 *
 * Semantics: all members of a communicator start the same collectives in the same order, with arguments that
 * fit. Buffers belong to the operation until it has ended. Send and receive buffers must not overlap. Memory is
 * the run's (hd_ep_alloc). Misuse ends the run like hd_ep_abort.
 *
 * `in-network` leaves the work to the switches: their barrier units combine the members' values, and multicast sends a
 * message of one member to all others.
 *
 * Two algorithms take their messages from the network: `schedule` from a schedule of the fewest steps in which no two
 * messages share a link, `network-coded` from a plan of network coding on meshes and tori. Where the network has none
 * for these members, the call is refused with the reason.
 *
 * Reading order: methods.c (lists, costs, choice), plan.h, rounds.c (what algorithms share), rooted.c,
 * for_all.c, to_all.c (the algorithms), steps.c, coded.c, from_network.c (those that the network gives), in_network.c,
 * communicator.c (carries plans out), calls.c.
 */
#ifndef HD_COLLECTIVES_H
#define HD_COLLECTIVES_H

#include "../endpoint.h"

/* ── what there is ─────────────────────────────────────────────────────────── */

/** X(COLLECTIVE, name, rooted, reduces, least steps, least bytes, meaning). The least that any method needs
 *  in the α–β model: messages one after the other, and bytes through one member's port. p: members;
 *  l: ⌈log₂ p⌉; n: bytes of a block; t: the most bytes that a member sends to others or receives from them. */
#define HD_COLLECTIVE_LIST(X)                                                                 \
  X(BROADCAST, "broadcast", true, false, l, n, "the root's block to every member")            \
  X(SCATTER, "scatter", true, false, l, (p - 1) * n, "of the root's blocks, one to each")     \
  X(GATHER, "gather", true, false, l, (p - 1) * n, "each member's block to the root")         \
  X(ALLGATHER, "allgather", false, false, l, (p - 1) * n, "each member's block to every one") \
  X(REDUCE, "reduce", true, true, l, n, "the members' blocks, combined, to the root")         \
  X(ALLREDUCE, "allreduce", false, true, l, 2 * (p - 1) / p * n, "the same, to every member") \
  X(REDUCE_SCATTER, "reduce-scatter", false, true, l, (p - 1) * n,                            \
    "p blocks of each member, combined, one to each")                                         \
  X(ALLTOALL, "alltoall", false, false, l, (p - 1) * n, "from each to each another block")    \
  X(ALLTOALLV, "alltoallv", false, false, 0, t, "the same, with blocks of different lengths") \
  X(BARRIER, "barrier", false, false, l, 0, "no member leaves before the last has come")

#define HD_COLLECTIVE_MEMBER(COLLECTIVE, ...) HD_COLLECTIVE_##COLLECTIVE,
enum hd_collective { HD_COLLECTIVE_LIST(HD_COLLECTIVE_MEMBER) HD_COLLECTIVES };
#undef HD_COLLECTIVE_MEMBER

/** X(ALGORITHM, name, meaning) */
#define HD_ALGORITHM_LIST(X)                                                                       \
  X(AUTO, "auto", "the choice is left to the α–β model")                                           \
  X(LINEAR, "linear", "each message straight from its source to its destination")                  \
  X(BINOMIAL, "binomial", "along a binomial tree")                                                 \
  X(RING, "ring",                                                                                  \
    "parts around a ring of the members; a broadcast scatters them first, a reduce "               \
    "gathers them last")                                                                           \
  X(RECURSIVE_DOUBLING, "recursive-doubling",                                                      \
    "exchanges over distances 1, 2, 4, …; a broadcast scatters parts first")                       \
  X(RECURSIVE_HALVING, "recursive-halving",                                                        \
    "halves over distances p/2, p/4, …, and back (Rabenseifner)")                                  \
  X(BRUCK, "bruck", "blocks over distances 1, 2, 4, …, for any number of members (Bruck et al.)")  \
  X(PAIRWISE, "pairwise", "step k: to the member k places on, from the one k places back")         \
  X(DISSEMINATION, "dissemination", "signals over distances 1, 2, 4, … (Hensgen, Finkel, Manber)") \
  X(SCHEDULE, "schedule",                                                                          \
    "the steps of a schedule for this network: no two messages of a step share a link")            \
  X(NETWORK_CODED, "network-coded",                                                                \
    "groups of a mesh exchange d₁⊕d₂, d₂⊕d₃, … and one datum each (Shalaby et al.)")               \
  X(IN_NETWORK, "in-network",                                                                      \
    "the switches combine values of 32 bits, or send copies of one message to all")

#define HD_ALGORITHM_MEMBER(ALGORITHM, ...) HD_ALGORITHM_##ALGORITHM,
enum hd_algorithm { HD_ALGORITHM_LIST(HD_ALGORITHM_MEMBER) HD_ALGORITHMS };
#undef HD_ALGORITHM_MEMBER

/** X(COLLECTIVE, ALGORITHM, function, members, steps, bytes): who writes the plan, for ANY number of members, for
 *  a POWER of two only, for ROUTED members (between two of which all packets go the same way), for those of a BOX
 *  (all nodes of a box of a mesh or torus) or where there are BARRIERS or TREES of multicast in the network, and what the method costs: steps·α + bytes·β. A collective's methods stand in the order in
 *  which they are preferred if they cost about the same: those first whose messages do not go far, or not all at
 *  once, since the model knows nothing of links that messages share. p, l, n, t as above; d: ⌊log₂ p⌋;
 *  q: 2ᵈ; f: 0 if p is a power of two, otherwise 1; b: bits that are set in the numbers 0 … p − 1; s: steps of the
 *  schedule; c: steps of the coded plan, at least p − 1. With s and c the time is at most that. v: rounds in the network,
 *  each of as many values as there are barriers; g: time of a round, divided by α; k: time of a byte by
 *  multicast, divided by β. */
#define HD_METHOD_LIST(X)                                                                   \
  X(BROADCAST, RING, broadcast_ring, ANY, l + p - 1, 2 * (p - 1) / p * n)                   \
  X(BROADCAST, RECURSIVE_DOUBLING, broadcast_doubling, POWER, 2 * l, 2 * (p - 1) / p * n)   \
  X(BROADCAST, SCHEDULE, broadcast_schedule, ROUTED, s, (s * n))                            \
  X(BROADCAST, BINOMIAL, broadcast_binomial, ANY, l, (l * n))                               \
  X(BROADCAST, LINEAR, broadcast_linear, ANY, p - 1, (p - 1) * n)                           \
  X(BROADCAST, IN_NETWORK, broadcast_network, TREES, 1, (k * n))                            \
  X(SCATTER, SCHEDULE, scatter_schedule, ROUTED, s, (s * n))                                \
  X(SCATTER, BINOMIAL, scatter_binomial, ANY, l, (p - 1) * n)                               \
  X(SCATTER, LINEAR, scatter_linear, ANY, p - 1, (p - 1) * n)                               \
  X(GATHER, BINOMIAL, gather_binomial, ANY, l, (p - 1) * n)                                 \
  X(GATHER, SCHEDULE, gather_schedule, ROUTED, s, (s * n))                                  \
  X(GATHER, LINEAR, gather_linear, ANY, p - 1, (p - 1) * n)                                 \
  X(ALLGATHER, SCHEDULE, allgather_schedule, ROUTED, s, (s * n))                            \
  X(ALLGATHER, RING, allgather_ring, ANY, p - 1, (p - 1) * n)                               \
  X(ALLGATHER, RECURSIVE_DOUBLING, allgather_doubling, POWER, l, (p - 1) * n)               \
  X(ALLGATHER, BRUCK, allgather_bruck, ANY, l, (p - 1) * n)                                 \
  X(ALLGATHER, NETWORK_CODED, allgather_coded, BOX, c, (c * n))                             \
  X(ALLGATHER, BINOMIAL, allgather_binomial, ANY, 2 * l, (p - 1) * n + l * p * n)           \
  X(ALLGATHER, LINEAR, allgather_linear, ANY, p - 1, (p - 1) * n)                           \
  X(ALLGATHER, IN_NETWORK, allgather_network, TREES, p - 1, (p - 1) * k * n)                \
  X(REDUCE, RING, reduce_ring, ANY, l + p - 1, 2 * (p - 1) / p * n)                         \
  X(REDUCE, RECURSIVE_HALVING, reduce_halving, POWER, 2 * l, 2 * (p - 1) / p * n)           \
  X(REDUCE, BINOMIAL, reduce_binomial, ANY, l, (l * n))                                     \
  X(REDUCE, LINEAR, reduce_linear, ANY, p - 1, (p - 1) * n)                                 \
  X(REDUCE, IN_NETWORK, reduce_network, BARRIERS, (v * g), 0)                               \
  X(ALLREDUCE, RING, allreduce_ring, ANY, 2 * (p - 1), 2 * (p - 1) / p * n)                 \
  X(ALLREDUCE, RECURSIVE_HALVING, allreduce_halving, ANY, 2 * d + 2 * f,                    \
    2 * (q - 1) / q * n + 2 * f * n)                                                        \
  X(ALLREDUCE, RECURSIVE_DOUBLING, allreduce_doubling, ANY, d + 2 * f, (d + 2 * f) * n)     \
  X(ALLREDUCE, BINOMIAL, allreduce_binomial, ANY, 2 * l, 2 * l * n)                         \
  X(ALLREDUCE, LINEAR, allreduce_linear, ANY, 2 * (p - 1), 2 * (p - 1) * n)                 \
  X(ALLREDUCE, IN_NETWORK, allreduce_network, BARRIERS, (v * g), 0)                         \
  X(REDUCE_SCATTER, RING, reduce_scatter_ring, ANY, p - 1, (p - 1) * n)                     \
  X(REDUCE_SCATTER, PAIRWISE, reduce_scatter_pairwise, ANY, p - 1, (p - 1) * n)             \
  X(REDUCE_SCATTER, RECURSIVE_HALVING, reduce_scatter_halving, POWER, l, (p - 1) * n)       \
  X(REDUCE_SCATTER, BINOMIAL, reduce_scatter_binomial, ANY, 2 * l, l * p * n + (p - 1) * n) \
  X(REDUCE_SCATTER, LINEAR, reduce_scatter_linear, ANY, p - 1, (p - 1) * n)                 \
  X(ALLTOALL, SCHEDULE, alltoall_schedule, ROUTED, s, (s * n))                              \
  X(ALLTOALL, PAIRWISE, alltoall_pairwise, ANY, p - 1, (p - 1) * n)                         \
  X(ALLTOALL, BRUCK, alltoall_bruck, ANY, l, (b * n))                                       \
  X(ALLTOALL, LINEAR, alltoall_linear, ANY, p - 1, (p - 1) * n)                             \
  X(ALLTOALLV, SCHEDULE, alltoall_schedule, ROUTED, s, (s * n))                             \
  X(ALLTOALLV, LINEAR, alltoall_linear, ANY, p - 1, (p - 1) * n)                            \
  X(ALLTOALLV, PAIRWISE, alltoall_pairwise, ANY, p - 1, (p - 1) * n)                        \
  X(BARRIER, DISSEMINATION, barrier_dissemination, ANY, l, 0)                               \
  X(BARRIER, RECURSIVE_DOUBLING, barrier_doubling, ANY, d + 2 * f, 0)                       \
  X(BARRIER, BINOMIAL, barrier_binomial, ANY, 2 * l, 0)                                     \
  X(BARRIER, LINEAR, barrier_linear, ANY, 2 * (p - 1), 0)                                   \
  X(BARRIER, IN_NETWORK, barrier_network, BARRIERS, g, 0)

/** The lists as data; name NULL: there is no such number. The formulas are the text of the lists. */
struct hd_collective_info {
  const char *name, *about, *least_steps, *least_bytes;
  bool rooted, reduces;
};
struct hd_algorithm_info {
  const char *name, *about;
};
enum hd_method_needs {
  HD_NEEDS_NOTHING,
  HD_NEEDS_POWER,
  HD_NEEDS_ROUTES,
  HD_NEEDS_BOX,
  HD_NEEDS_BARRIERS, /* this and what follows: switches do it, and plans alone do not show it */
  HD_NEEDS_TREES
};
struct hd_method_info {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  enum hd_method_needs needs; /* of its members */
  const char *steps, *bytes;
};
struct hd_collective_info hd_collective_info(unsigned collective);
struct hd_algorithm_info hd_algorithm_info(unsigned algorithm);
/** The number of members that a method needs. The method must be one of the list. */
enum hd_method_needs hd_method_needs(enum hd_collective collective, enum hd_algorithm algorithm);
/** "any", "power of two" … */
const char *hd_method_needs_text(enum hd_method_needs needs);
/** Method number i of HD_METHOD_LIST; false beyond the last. */
bool hd_method_info(unsigned i, struct hd_method_info *info);

/* ── what it costs ─────────────────────────────────────────────────────────── */

/** Parameters of a cost. */
struct hd_collective_shape {
  int members;  /* ≥ 1 */
  size_t bytes; /* of a block; of the largest one of alltoallv */
  size_t most;  /* alltoallv: the most bytes that a member sends to others or receives from them */
  double alpha; /* cycles of an empty message, from its send to the end of its receive */
  double beta;  /* cycles that each byte adds */
  /* Steps of the schedule, and of the coded plan, that the network has for these members. 0: not known. */
  uint32_t schedule_steps, coded_steps;
  uint32_t values;     /* values that a round in the network combines; 0: not known */
  double round_cycles; /* of such a round */
  uint32_t cast_bytes; /* bytes of a message in a multicast flit; 0: not known */
};

/** Returns true if the method exists for so many members. hd_comm_shape says whether the network can carry it out.
 *  */
bool hd_method_possible(enum hd_collective collective, enum hd_algorithm algorithm, int members);
/** Returns true if the method exists and the steps that it needs are known. */
bool hd_method_known(enum hd_collective collective, enum hd_algorithm algorithm,
                     const struct hd_collective_shape *shape);
/** Cost by the α–β model, in cycles; 0 if no byte is to be sent. The method must be known. */
double hd_method_cycles(enum hd_collective collective, enum hd_algorithm algorithm,
                        const struct hd_collective_shape *shape);
/** Lower bound of all methods in this model: max(least steps·α, α + least bytes·β). */
double hd_collective_least_cycles(enum hd_collective collective,
                                  const struct hd_collective_shape *shape);
/** The first known method of the list that is at most 20 % slower in this model than the fastest. */
enum hd_algorithm hd_method_choose(enum hd_collective collective,
                                   const struct hd_collective_shape *shape);

/* ── reductions ────────────────────────────────────────────────────────────── */

/** Combines `elements` elements: into[i] = into[i] ∘ from[i]. Associative and commutative. Neither pointer need
 *  be aligned. */
struct hd_operator {
  const char *name;
  size_t element_bytes;
  void (*combine)(void *into, const void *from, size_t elements);
};

/** X(name, text, type, result of a and b); sums are modulo 2 to the number of bits. */
#define HD_OPERATOR_LIST(X)                      \
  X(sum_u8, "sum-u8", uint8_t, a + b)            \
  X(sum_u32, "sum-u32", uint32_t, a + b)         \
  X(sum_u64, "sum-u64", uint64_t, a + b)         \
  X(min_u32, "min-u32", uint32_t, a < b ? a : b) \
  X(max_u32, "max-u32", uint32_t, a > b ? a : b) \
  X(xor_u8, "xor-u8", uint8_t, a ^ b)

#define HD_OPERATOR_EXTERN(name, ...) extern const struct hd_operator hd_operator_##name;
HD_OPERATOR_LIST(HD_OPERATOR_EXTERN)
#undef HD_OPERATOR_EXTERN

/** Operator number i of the list; NULL beyond the last. */
const struct hd_operator *hd_operator_at(unsigned i);

/* ── communicators ─────────────────────────────────────────────────────────── */

struct hd_collectives; /* this node's operations, of all its communicators */
struct hd_comm;        /* this node's part of a communicator */
struct hd_operation;   /* under way; ended once, by a wait or by a test that returns true */

enum {
  HD_COMM_TAGS = 64, /* that a communicator takes: so many operations of it at once */
  HD_COMM_LANES = 8, /* values that a round in the network can combine */
  HD_COMM_AUTO = 64, /* members up to which AUTO asks the network for a schedule */
};

struct hd_collectives *hd_collectives_create(struct hd_ep *ep);

/** Makes a communicator of n different ranks, which include this one; each member calls it with the same ranks
 *  in the same order. Member i is ranks[i]. Its messages take tags first_tag … first_tag + HD_COMM_TAGS − 1, which
 *  nobody else may use between these ranks: communicators with two or more common ranks need different ones. No
 *  time passes. α and β are 100 cycles and 0.5 cycles a byte until they are set or measured. */
struct hd_comm *hd_comm_create(struct hd_collectives *collectives, const int *ranks, int n,
                               int first_tag);
int hd_comm_size(const struct hd_comm *comm);
/** The index of this node among the members. */
int hd_comm_index(const struct hd_comm *comm);

/** Sets α and β, ≥ 0; all members give the same. */
void hd_comm_set_cost(struct hd_comm *comm, double alpha, double beta);
/** Measures α and β: members 0 and p − 1 exchange messages of 0 and of `bytes` > 0 bytes, then member 0 tells
 *  all. Called by all members; nothing else of this communicator may be under way. One member alone measures
 *  nothing. */
void hd_comm_measure(struct hd_comm *comm, size_t bytes);
/** Sets how long the machine may look for a schedule with the fewest steps, for algorithm
 *  `schedule`; 60 seconds by default. 0: only known constructions, or else a schedule that may have
 *  more steps. All members give the same value. */
void hd_comm_set_search(struct hd_comm *comm, double seconds);
/** Members meet at this barrier in the network before each step of a schedule but the first, so that no message of a step
 *  meets one of another step. Without it (NULL, as it is at first), a member goes on when it has what a step brings it.
 *  The barrier is of the communicator's members. All set theirs before they start an operation by `schedule`; one such
 *  operation can be under way at a time. Whoever made the barrier destroys it. */
void hd_comm_set_barrier(struct hd_comm *comm, struct hd_ep_barrier *barrier);
/** Barriers in the network by which `in-network` combines n values at once, 1 … HD_COMM_LANES; all of the communicator's
 *  members, which set theirs before they start such an operation. One such operation can be under way at a time, with
 *  `schedule` and a barrier. Whoever made the barriers destroys them. */
void hd_comm_set_lanes(struct hd_comm *comm, struct hd_ep_barrier *const *barriers, int n);
/** Measures the time of a round by these barriers; until then it is 100 cycles. Called by all members. It builds the
 *  barriers' trees, too. */
void hd_comm_measure_round(struct hd_comm *comm);
/** The multicast group by which `in-network` sends to all; of the communicator's members, which set theirs before they start
 *  such an operation. Whoever made the group destroys it. */
void hd_comm_set_multicast(struct hd_comm *comm, struct hd_ep_multicast *group);
double hd_comm_alpha(const struct hd_comm *comm);
double hd_comm_beta(const struct hd_comm *comm);
double hd_comm_round_cycles(const struct hd_comm *comm);

/* ── operations ────────────────────────────────────────────────────────────── */

/** A collective as data. What a collective does not need is not looked at. */
struct hd_collective_call {
  enum hd_collective collective;
  enum hd_algorithm algorithm; /* HD_ALGORITHM_AUTO: chosen by the members' common α and β */
  int root;                    /* number of a member */
  const void *send; /* alltoall, scatter at the root, reduce-scatter: p blocks, by member */
  void *
      receive; /* the same for gather at the root, allgather, alltoall; broadcast: the block, at all members */
  size_t bytes; /* of a block; reductions: a multiple of element_bytes */
  const size_t *send_bytes, *receive_bytes; /* [p], alltoallv; blocks lie one after the other */
  const struct hd_operator *op;
};

/** Gives the parameters of the cost of a call, for hd_method_cycles: members, bytes, α and β, and what the network has. For
 *  AUTO that is a schedule which a known construction makes, if there are at most HD_COMM_AUTO members; it is not
 *  searched for. For `schedule` and `network-coded` it is what they need. False: the network does not have that, and
 *  *why (may be NULL) says why. Takes no simulated time. Not before the first send or delay of a program that still has
 *  parameters to reject. */
bool hd_comm_shape(struct hd_comm *comm, const struct hd_collective_call *call,
                   struct hd_collective_shape *shape, const char **why);

/** Starts an operation and goes on with it as far as it can without waiting. */
struct hd_operation *hd_comm_start(struct hd_comm *comm, const struct hd_collective_call *call);
/** Goes on with all operations of this node, without waiting for messages; takes a cycle for each operation that
 *  could not go on. */
void hd_collectives_progress(struct hd_collectives *collectives);
/** Goes on with all operations, and says whether this one has ended. */
bool hd_operation_test(struct hd_operation *operation);
/** Waits for the operation, and goes on with all others meanwhile. */
void hd_operation_wait(struct hd_operation *operation);

/** The collectives as calls; algorithm AUTO. Those with i return at once. */
void hd_comm_broadcast(struct hd_comm *comm, void *block, size_t bytes, int root);
void hd_comm_scatter(struct hd_comm *comm, const void *send, void *receive, size_t bytes, int root);
void hd_comm_gather(struct hd_comm *comm, const void *send, void *receive, size_t bytes, int root);
void hd_comm_allgather(struct hd_comm *comm, const void *send, void *receive, size_t bytes);
void hd_comm_reduce(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                    const struct hd_operator *op, int root);
void hd_comm_allreduce(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                       const struct hd_operator *op);
void hd_comm_reduce_scatter(struct hd_comm *comm, const void *send, void *receive, size_t bytes,
                            const struct hd_operator *op);
void hd_comm_alltoall(struct hd_comm *comm, const void *send, void *receive, size_t bytes);
void hd_comm_alltoallv(struct hd_comm *comm, const void *send, const size_t *send_bytes,
                       void *receive, const size_t *receive_bytes);
void hd_comm_barrier(struct hd_comm *comm);

struct hd_operation *hd_comm_ibroadcast(struct hd_comm *comm, void *block, size_t bytes, int root);
struct hd_operation *hd_comm_iscatter(struct hd_comm *comm, const void *send, void *receive,
                                      size_t bytes, int root);
struct hd_operation *hd_comm_igather(struct hd_comm *comm, const void *send, void *receive,
                                     size_t bytes, int root);
struct hd_operation *hd_comm_iallgather(struct hd_comm *comm, const void *send, void *receive,
                                        size_t bytes);
struct hd_operation *hd_comm_ireduce(struct hd_comm *comm, const void *send, void *receive,
                                     size_t bytes, const struct hd_operator *op, int root);
struct hd_operation *hd_comm_iallreduce(struct hd_comm *comm, const void *send, void *receive,
                                        size_t bytes, const struct hd_operator *op);
struct hd_operation *hd_comm_ireduce_scatter(struct hd_comm *comm, const void *send, void *receive,
                                             size_t bytes, const struct hd_operator *op);
struct hd_operation *hd_comm_ialltoall(struct hd_comm *comm, const void *send, void *receive,
                                       size_t bytes);
struct hd_operation *hd_comm_ialltoallv(struct hd_comm *comm, const void *send,
                                        const size_t *send_bytes, void *receive,
                                        const size_t *receive_bytes);
struct hd_operation *hd_comm_ibarrier(struct hd_comm *comm);

#endif
