/* Collective communication, on top of the endpoint API.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The collectives are those of MPI, on communicators over groups of ranks: broadcast, scatter,
 * gather, allgather, reduce, allreduce, reduce-scatter, alltoall, alltoallv and barrier. Each has a
 * blocking and a non-blocking form. There are several algorithms for each. A call names one, or
 * leaves the choice to the α–β model: a message of n bytes takes α + βn cycles, and at any time a
 * member sends at most one message and receives at most one. The lists below have the cost of each
 * method in this model, and a lower bound for all methods. docs/collectives.md shows both.
 *
 * When an operation starts, its algorithm writes a plan for this member: rounds of sends, receives,
 * copies and reductions. The rest is the same for all algorithms. To add an algorithm, add a line
 * to HD_ALGORITHM_LIST, lines to HD_METHOD_LIST, and the functions hd_build_… (plan.h) that write
 * its plans.
 *
 * All members of a communicator must start the same collectives in the same order, with arguments
 * that match. An operation owns its buffers until it has ended. Send and receive buffers must not
 * overlap. Memory comes from hd_ep_alloc. A call with impossible arguments ends the run, as
 * hd_ep_abort does.
 *
 * With `in-network`, the switches do the work: their barrier units reduce the members' values, and
 * multicast sends a message of one member to all others.
 *
 * Two algorithms need a plan for the network. `schedule` uses a schedule with the fewest steps in
 * which no two messages share a link. `network-coded` uses a plan of network coding on meshes and
 * tori. If there is no plan for these members, the call is refused with the reason.
 *
 * Reading order: methods.c (lists, costs, choice), plan.h, rounds.c (parts that algorithms share),
 * rooted.c, for_all.c, to_all.c (algorithms), steps.c, coded.c, from_network.c (algorithms with a
 * plan for the network), in_network.c, communicator.c (carries out plans), calls.c.
 */
#ifndef HD_COLLECTIVES_H
#define HD_COLLECTIVES_H

#include "../endpoint.h"

/* ── collectives, algorithms, methods ────────────────────────────────────── */

/** X(COLLECTIVE, name, rooted, reduces, least steps, least bytes, meaning). The least steps and
 *  bytes bound every method in the α–β model: messages in succession, and bytes through one
 *  member's port. p: members; l: ⌈log₂ p⌉; n: bytes of a block; t: the largest number of bytes that
 *  a member sends to others or receives from them. */
#define HD_COLLECTIVE_LIST(X)                                                                    \
  X(BROADCAST, "broadcast", true, false, l, n, "the root's block to every member")               \
  X(SCATTER, "scatter", true, false, l, (p - 1) * n, "one of the root's blocks to each member")  \
  X(GATHER, "gather", true, false, l, (p - 1) * n, "each member's block to the root")            \
  X(ALLGATHER, "allgather", false, false, l, (p - 1) * n, "each member's block to every member") \
  X(REDUCE, "reduce", true, true, l, n, "the members' blocks, combined, to the root")            \
  X(ALLREDUCE, "allreduce", false, true, l, 2 * (p - 1) / p * n,                                 \
    "the members' blocks, combined, to every member")                                            \
  X(REDUCE_SCATTER, "reduce-scatter", false, true, l, (p - 1) * n,                               \
    "p blocks of each member, combined; one result to each member")                              \
  X(ALLTOALL, "alltoall", false, false, l, (p - 1) * n,                                          \
    "a different block from each member to each")                                                \
  X(ALLTOALLV, "alltoallv", false, false, 0, t, "alltoall with blocks of different lengths")     \
  X(BARRIER, "barrier", false, false, l, 0, "no member leaves before the last one has arrived")

#define HD_COLLECTIVE_MEMBER(COLLECTIVE, ...) HD_COLLECTIVE_##COLLECTIVE,
enum hd_collective { HD_COLLECTIVE_LIST(HD_COLLECTIVE_MEMBER) HD_COLLECTIVES };
#undef HD_COLLECTIVE_MEMBER

/** X(ALGORITHM, name, meaning) */
#define HD_ALGORITHM_LIST(X)                                                                       \
  X(AUTO, "auto", "the α–β model chooses")                                                         \
  X(LINEAR, "linear", "each message directly from its source to its destination")                  \
  X(BINOMIAL, "binomial", "along a binomial tree")                                                 \
  X(RING, "ring",                                                                                  \
    "parts around a ring of the members; a broadcast scatters them first, a reduce "               \
    "gathers them last")                                                                           \
  X(RECURSIVE_DOUBLING, "recursive-doubling",                                                      \
    "exchanges over distances 1, 2, 4, …; a broadcast scatters parts first")                       \
  X(RECURSIVE_HALVING, "recursive-halving",                                                        \
    "halves over distances p/2, p/4, …, and back (Rabenseifner)")                                  \
  X(BRUCK, "bruck", "blocks over distances 1, 2, 4, …, for any number of members (Bruck et al.)")  \
  X(PAIRWISE, "pairwise",                                                                          \
    "in step k, to the member k places further, from the one k places before")                     \
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

/** X(COLLECTIVE, ALGORITHM, function, members, steps, bytes). `function` writes the plan. `members`
 *  says when the method is possible: for ANY number of members; for a POWER of two; for ROUTED
 *  members (all packets between two of them take the same path); for a BOX (all nodes of a box of a
 *  mesh or torus); or if the network has BARRIERS, or TREES of multicast. The method costs steps·α
 *  + bytes·β.
 *
 *  The methods of a collective are in order of preference among those of about the same cost: first
 *  those whose messages travel short distances, or not all at once, because the model does not know
 *  that messages share links.
 *
 *  p, l, n, t as above; d: ⌊log₂ p⌋; q: 2ᵈ; f: 0 if p is a power of two, otherwise 1; b: number of
 *  bits that are set in the numbers 0 … p − 1; s: steps of the schedule; c: steps of the coded
 *  plan, at least p − 1 (with s and c, the cost is an upper bound); v: rounds in the network, each
 *  of as many values as there are barriers; g: time of a round, divided by α; k: time of a byte by
 *  multicast, divided by β.
 */
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

/** The lists as data. If there is no such number, `name` is NULL. The formulas are the text of the
 *  lists. */
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
  HD_NEEDS_BARRIERS, /* from here on switches do the work, so it is not in the plan */
  HD_NEEDS_TREES
};
struct hd_method_info {
  enum hd_collective collective;
  enum hd_algorithm algorithm;
  enum hd_method_needs needs; /* condition under which the method is possible */
  const char *steps, *bytes;
};
struct hd_collective_info hd_collective_info(unsigned collective);
struct hd_algorithm_info hd_algorithm_info(unsigned algorithm);
/** Returns what a method of the list needs. */
enum hd_method_needs hd_method_needs(enum hd_collective collective, enum hd_algorithm algorithm);
/** Returns it as text: "any", "power of two", … */
const char *hd_method_needs_text(enum hd_method_needs needs);
/** Writes method number `i` of HD_METHOD_LIST to *info. Returns false if there are not so many. */
bool hd_method_info(unsigned i, struct hd_method_info *info);

/* ── costs ───────────────────────────────────────────────────────────────── */

/** The parameters of a cost. */
struct hd_collective_shape {
  int members;  /* ≥ 1 */
  size_t bytes; /* of a block; alltoallv: of the largest one */
  /** alltoallv: largest number of bytes that a member sends to others or receives from them */
  size_t most;
  double alpha; /* cycles of an empty message, from its send to the end of its receive */
  double beta;  /* cycles that each byte adds */
  /* Steps of the schedule and of the coded plan for these members. 0: unknown. */
  uint32_t schedule_steps, coded_steps;
  uint32_t values;     /* values that a round in the network reduces; 0: unknown */
  double round_cycles; /* cycles of such a round */
  uint32_t cast_bytes; /* bytes of a message in a multicast flit; 0: unknown */
};

/** Returns true if the method is possible for so many members. hd_comm_shape says whether the
 *  network has what it needs. */
bool hd_method_possible(enum hd_collective collective, enum hd_algorithm algorithm, int members);
/** Returns true if the method is possible and *shape has what its cost depends on. */
bool hd_method_known(enum hd_collective collective, enum hd_algorithm algorithm,
                     const struct hd_collective_shape *shape);
/** Returns the cost in the α–β model, in cycles; 0 if there is no byte to send. The method must be
 *  known (hd_method_known). */
double hd_method_cycles(enum hd_collective collective, enum hd_algorithm algorithm,
                        const struct hd_collective_shape *shape);
/** Returns a lower bound of the cost of all methods in this model: max(least steps·α, α + least
 *  bytes·β). */
double hd_collective_least_cycles(enum hd_collective collective,
                                  const struct hd_collective_shape *shape);
/** An algorithm that takes at most this percentage of the fewest cycles counts as equally fast. */
enum { HD_CHOICE_PERCENT = 120 };
/** Returns the first known method in the list that costs at most 1.2 times as much as the
 *  fastest. */
enum hd_algorithm hd_method_choose(enum hd_collective collective,
                                   const struct hd_collective_shape *shape);

/* ── reductions ────────────────────────────────────────────────────────────── */

/** A reduction: combine() does into[i] = into[i] ∘ from[i] for `elements` elements. It is
 *  associative and commutative. The pointers need not be aligned. */
struct hd_operator {
  const char *name;
  size_t element_bytes;
  void (*combine)(void *into, const void *from, size_t elements);
};

/** X(name, text, type, result of a and b). Sums wrap around. */
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

/** Returns operator number `i` of the list; NULL if there are not so many. */
const struct hd_operator *hd_operator_at(unsigned i);

/* ── communicators ─────────────────────────────────────────────────────────── */

struct hd_collectives; /* this node's operations, of all its communicators */
struct hd_comm;        /* this node's part of a communicator */
struct hd_operation;   /* an operation; ended once, by a wait or by a test that returns true */

enum {
  HD_COMM_TAGS = 64, /* tags of a communicator: at most so many of its operations at once */
  HD_COMM_LANES = 8, /* most values that a round in the network reduces */
  HD_COMM_AUTO = 64, /* AUTO asks for a schedule up to so many members */
};

struct hd_collectives *hd_collectives_create(struct hd_ep *ep);

/** Creates a communicator of `n` different ranks, which include this one. Every member calls it
 *  with the same ranks in the same order; member i is ranks[i]. Its messages use the tags first_tag
 *  … first_tag + HD_COMM_TAGS − 1. Nothing else may use these tags between these ranks:
 *  communicators that share two or more ranks need different tags. The call takes no time. α is 100
 *  cycles and β 0.5 cycles a byte until they are set or measured. */
struct hd_comm *hd_comm_create(struct hd_collectives *collectives, const int *ranks, int n,
                               int first_tag);
int hd_comm_size(const struct hd_comm *comm);
/** Returns the index of this node among the members. */
int hd_comm_index(const struct hd_comm *comm);

/** Sets α and β, ≥ 0. All members must set the same. */
void hd_comm_set_cost(struct hd_comm *comm, double alpha, double beta);
/** Measures α and β: members 0 and p − 1 exchange messages of 0 and of `bytes` > 0 bytes; then
 *  member 0 broadcasts the result. All members call it, and no other operation of the communicator
 *  may have begun and not ended. A communicator of one member measures nothing. */
void hd_comm_measure(struct hd_comm *comm, size_t bytes);
/** Sets the real time, in seconds, for which algorithm `schedule` may search for a schedule with
 *  the fewest steps; at first it is 60. With 0, it uses only known constructions, or else a
 *  schedule that may have more steps. All members must set the same. */
void hd_comm_set_search(struct hd_comm *comm, double seconds);
/** Sets a barrier in the network, at which the members meet before each step of a schedule except
 *  the first. So no message of a step meets one of another step. With NULL, the default, a member
 *  goes on when it has received what the step brings it. The barrier's members are those of the
 *  communicator. All set theirs before they start an operation by `schedule`, and then only one
 *  such operation is possible at a time. The caller keeps the barrier, and destroys it. */
void hd_comm_set_barrier(struct hd_comm *comm, struct hd_ep_barrier *barrier);
/** Sets the barriers in the network with which `in-network` reduces `n` values at once, 1 …
 *  HD_COMM_LANES. The members of each are those of the communicator. All set theirs before they
 *  start such an operation. Only one operation that uses these barriers, or `schedule` with a
 *  barrier, is possible at a time. The caller keeps the barriers, and destroys them. */
void hd_comm_set_lanes(struct hd_comm *comm, struct hd_ep_barrier *const *barriers, int n);
/** Measures the time of a round of these barriers; until then it is 100 cycles. All members call
 *  it. It also builds the barriers' trees. */
void hd_comm_measure_round(struct hd_comm *comm);
/** Sets the multicast group with which `in-network` sends to all. Its members are those of the
 *  communicator. All set theirs before they start such an operation. The caller keeps the group,
 *  and destroys it. */
void hd_comm_set_multicast(struct hd_comm *comm, struct hd_ep_multicast *group);
double hd_comm_alpha(const struct hd_comm *comm);
double hd_comm_beta(const struct hd_comm *comm);
double hd_comm_round_cycles(const struct hd_comm *comm);

/* ── operations ────────────────────────────────────────────────────────────── */

/** A call of a collective, as data. Members that the collective does not need are ignored. */
struct hd_collective_call {
  enum hd_collective collective;
  /** HD_ALGORITHM_AUTO: chosen by α and β, which are the same at all members */
  enum hd_algorithm algorithm;
  int root;         /* index of a member */
  const void *send; /* alltoall, reduce-scatter, and scatter at the root: p blocks, by member */
  /** alltoall, allgather, and gather at the root: p blocks; broadcast: the block, at all members */
  void *receive;
  size_t bytes; /* of a block; reductions: a multiple of element_bytes */
  const size_t *send_bytes, *receive_bytes; /* [p] for alltoallv; blocks are adjacent */
  const struct hd_operator *op;
};

/** Fills *shape for a call, for hd_method_cycles: members, bytes, α and β, and the steps of the
 *  network's plan. For AUTO, that is a schedule from a known construction, for at most HD_COMM_AUTO
 *  members; there is no search. For `schedule` and `network-coded`, it is the plan that they need.
 *  Returns false if the network has none, and sets *why (which may be NULL). Takes no simulated
 *  time. A program must call hd_ep_reject before this. */
bool hd_comm_shape(struct hd_comm *comm, const struct hd_collective_call *call,
                   struct hd_collective_shape *shape, const char **why);

/** Starts an operation, and carries it out as far as is possible without waiting. The operation
 *  belongs to the communicator. */
struct hd_operation *hd_comm_start(struct hd_comm *comm, const struct hd_collective_call *call);
/** Carries out all operations of this node as far as is possible without waiting for messages.
 *  Takes a cycle for each operation that cannot go on. */
void hd_collectives_progress(struct hd_collectives *collectives);
/** Carries out all operations as far as is possible, and returns true if this one has ended. */
bool hd_operation_test(struct hd_operation *operation);
/** Waits until the operation has ended, and carries out the others meanwhile. */
void hd_operation_wait(struct hd_operation *operation);

/** The collectives as calls, with algorithm AUTO. The non-blocking ones, which begin with i, return
 *  at once. */
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
