/* The endpoint API: what each node's software is written against.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The API resembles MPI: ranks, tags, send and receive, non-blocking forms, wait, time. A program is an
 * ordinary C function. It runs on a stack of its own on every node. Simulated time passes only inside these
 * calls. Everything is deterministic: the same scenario and seed give the same run.
 *
 * Semantics: messages between one pair of ranks with one tag arrive in the order in
 * which they were sent. A send is complete when its buffer may be reused (at once: the
 * bytes are copied). A receive is complete when the whole message is there. Every call
 * that hands a message to the network or takes one from it costs the scenario's
 * `software.startup_cycles` of this node's time first: send, isend, receive, ireceive; not
 * wait and test. A test that finds nothing takes one cycle, so a loop of tests ends.
 * A call with impossible arguments ends the run like hd_ep_abort.
 *
 * A program uses this header and libc. It does not see a backend, the model or another node.
 */
#ifndef HD_ENDPOINT_H
#define HD_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node */

enum { HD_EP_ANY = -1 };

/** Version of this API; a program as a shared object says which one it was built against. */
enum { HD_ENDPOINT_ABI = 1 };

/** An operation under way; 0 is none. */
typedef uint32_t hd_ep_request;

/** The message that a receive took. */
struct hd_ep_status {
  int source, tag;
  size_t bytes;            /* of the message; larger than the buffer means it was cut short */
  uint64_t sent, received; /* cycles */
};

int hd_ep_rank(const struct hd_ep *ep);
int hd_ep_size(const struct hd_ep *ep);
/** The cycle now. */
uint64_t hd_ep_time(const struct hd_ep *ep);
/** Waits for `cycles` cycles. Stands for computation. */
void hd_ep_delay(struct hd_ep *ep, uint64_t cycles);
/** Waits until `cycle`; returns at once if it is past. */
void hd_ep_wait_until(struct hd_ep *ep, uint64_t cycle);

/** Blocking send and receive. tag 0 … 4095. Messages of 0 … 1 MiB. receive: source and tag
 *  may be HD_EP_ANY; status may be NULL. */
void hd_ep_send(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n);
void hd_ep_receive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n,
                   struct hd_ep_status *status);
hd_ep_request hd_ep_isend(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n);
hd_ep_request hd_ep_ireceive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n);
void hd_ep_wait(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status);
bool hd_ep_test(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status);

/** The output ports of the switches on a way, in this order; the last one leads to the destination. */
struct hd_ep_way {
  const uint8_t *ports;
  uint32_t n;
};

/** hd_ep_send by a way of the sender's choice instead of by the routing tables: the ports are in the packets'
 *  headers (source-routed, specification §1.3). Nobody checks that such ways cannot deadlock, and they do not
 *  change after a fault. Ends the run if the way does not lead to the destination, or a header has no room for
 *  it. */
void hd_ep_send_by(struct hd_ep *ep, int destination, const struct hd_ep_way *way, int tag,
                   const void *bytes, size_t n);

/** Sends one packet of `flits` flits with the synthetic pattern (specification §4.3). It is no message: it
 *  counts in the statistics, and no program receives it. No start-up cost. */
void hd_ep_inject(struct hd_ep *ep, int destination, uint32_t flits);

/** Virtual networks of the fabric (key routing.virtual_networks, specification §5.28), at least 1; and the one, 0 at
 *  first, whose channels packets take that this node sends from now on: of messages and of others. A packet by
 *  hd_ep_send_by takes them at this node's interface alone. */
uint32_t hd_ep_networks(const struct hd_ep *ep);
void hd_ep_use_network(struct hd_ep *ep, uint32_t network);

/** For `cycles` cycles, beginning with this one, this node's network interface returns no credits for the
 *  data flits that it receives (specification §4.6). It receives as many flits as its buffers have slots;
 *  others are blocked in the network. Barrier messages pass. Returns at once. If the node is held already, the
 *  later end counts. No start-up cost. */
void hd_ep_hold(struct hd_ep *ep, uint64_t cycles);

/* ── packets, and the XOR coder beside the node ────────────────────────────────
 *
 * For software that has use for a packet's head, or for the XOR coder of its switch (specification chapter 11). A
 * packet of this kind is no message: it has no envelope, no order and no matching, and nobody tells its source. The
 * one that came first is received first. Sending and receiving cost the start-up, testing does not. */

/** Bits of a packet that are free for software: `head_bits` bits of its head, and all `data_bits` bits of each flit behind
 *  it. In the head the lowest `header_bits` bits are the switches'. Data is above them. With a coder, length, place
 *  and code are above the data (specification §11.2): 4 bits, `place_bits` bits from bit `place_shift` on, 2 bits. */
struct hd_ep_layout {
  uint32_t data_bits, header_bits, head_bits;
  uint32_t places; /* of each coder; 0: the switches have none, and a packet has no code field */
  uint32_t place_bits, place_shift;
};
struct hd_ep_layout hd_ep_packet_layout(const struct hd_ep *ep);

enum hd_ep_code {
  HD_EP_CODE_NONE,   /* the coder leaves it alone */
  HD_EP_CODE_NATIVE, /* one of the packets that are to be encoded, or one to decode by */
  HD_EP_CODE_CODED,  /* the exclusive or of two native ones */
};

/** With a code, the coder of the switch at the destination keeps the packet in `place`.
 *  `length` of a coded packet is the exclusive or of flits − 1 of both native packets; a native one has flits − 1
 *  there, which a send sets itself.
 *  `words` is NULL if flits is 1. Those of a packet that is sent are copied. Those of one that was received are the
 *  runtime's, until this node's next receive or test of a packet. */
struct hd_ep_packet {
  enum hd_ep_code code;
  uint32_t place, length;
  uint32_t flits;        /* 1 … 65535, the head included; with a code up to 16 */
  uint64_t head;         /* data in the head */
  const uint64_t *words; /* [flits − 1] of data */
  uint64_t received;     /* cycle; a send does not look at it */
};

/** Sends a packet. The destination may be this node: the packet then goes through its switch and comes back, so the
 *  coder sees it. Ends the run if there is no such coder or place, if data is wider than the bits for it, or if this
 *  routing brings no packet back to its own node. */
void hd_ep_packet_send(struct hd_ep *ep, int destination, const struct hd_ep_packet *packet);
/** Waits for the next packet. What the coder makes comes like others. */
void hd_ep_packet_receive(struct hd_ep *ep, struct hd_ep_packet *packet);
/** Receives a packet without waiting: false if none is there, and the call takes one cycle. It costs no start-up. */
bool hd_ep_packet_test(struct hd_ep *ep, struct hd_ep_packet *packet);

/** UNSUPPORTED: there is no coder (key switch.code_places), or the node is not on port 0 of its switch. */
enum hd_ep_chain_status {
  HD_EP_CHAIN_OPEN,
  HD_EP_CHAIN_FULL, /* the coder has not so many free places in a row */
  HD_EP_CHAIN_UNSUPPORTED,
};
/** The status as words. */
const char *hd_ep_chain_text(enum hd_ep_chain_status status);

/** A run of places of this node's coder: of the packets in neighbouring places it makes their exclusive or, or of
 *  one and the exclusive or the other one. */
struct hd_ep_chain {
  uint32_t first, places;
};

/** Opens a chain for `places` packets, at least 1, at the lowest places that are free. So nodes that open the same
 *  chains in the same order get the same places. Returns when the switch has the chain. No start-up cost. */
enum hd_ep_chain_status hd_ep_chain_open(struct hd_ep *ep, uint32_t places,
                                         struct hd_ep_chain *chain);
/** Closes an open chain of this node. Packets for it must not be under way. What it still keeps is lost, and the
 *  switch records the error *incomplete*. Returns when the switch has closed it. */
void hd_ep_chain_close(struct hd_ep *ep, const struct hd_ep_chain *chain);

/* ── barriers in the network ───────────────────────────────────────────────────
 *
 * If the switches process barrier messages (key switch.barrier), they combine the arrivals of a
 * group's members and release all members after the last has arrived. The first round builds the tree
 * that later rounds use (specification chapter 8). A node may be in many groups, and arrive at each
 * once in a round. */

/** The result of a call. All but the first two end the group for this member. */
enum hd_ep_barrier_status {
  HD_EP_BARRIER_PASSED,      /* this member is released; or the call succeeded */
  HD_EP_BARRIER_PENDING,     /* not yet released */
  HD_EP_BARRIER_FAILED,      /* the switches refused: not a member, or a fault left it no room */
  HD_EP_BARRIER_TIMEOUT,     /* no answer for the group's timeout_cycles since this arrival */
  HD_EP_BARRIER_UNREACHABLE, /* creation: no way between a member and the center */
  HD_EP_BARRIER_FULL,        /* creation (anew, too): no number is free, or no room in a switch */
  HD_EP_BARRIER_UNSUPPORTED, /* creation: switches without barrier messages */
  HD_EP_BARRIER_CUT_OFF,     /* a fault has cut off a member: no round can be completed any more */
};
/** The status as words: "passed", "no way between a member and the center" … */
const char *hd_ep_barrier_text(enum hd_ep_barrier_status status);

enum hd_ep_center {
  HD_EP_CENTER_LOWEST, /* the member of lowest rank */
  HD_EP_CENTER_MIDDLE, /* the member with the shortest distance to the member farthest from it, the
                           lowest rank among equals */
  HD_EP_CENTER_RANK,   /* the member named in `center` */
};

/** How a group is made; all members must give the same. */
struct hd_ep_barrier_options {
  enum hd_ep_center center_rule;
  int center;              /* HD_EP_CENTER_RANK: rank of a member */
  uint64_t timeout_cycles; /* 0: a million */
};

struct hd_ep_barrier; /* this node's part of a group; lives until hd_ep_barrier_destroy */

/** Makes a group of `n` different ranks, which include this one. Each of them calls it with the same ranks,
 *  in any order. Returns when every switch has the group, so any member may arrive. options may be NULL:
 *  zeros. *barrier is set if the status is HD_EP_BARRIER_PASSED. All members get the same status. No start-up
 *  cost. */
enum hd_ep_barrier_status hd_ep_barrier_create(struct hd_ep *ep, const int *ranks, int n,
                                               const struct hd_ep_barrier_options *options,
                                               struct hd_ep_barrier **barrier);
/** Rank of the center. */
int hd_ep_barrier_center(const struct hd_ep_barrier *barrier);

/** Says that this node has arrived; costs the start-up. Returns HD_EP_BARRIER_PENDING and does not wait for
 *  others. After a fault it first waits until the network is configured again (specification §5.10). */
enum hd_ep_barrier_status hd_ep_barrier_arrive(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Says whether this node is released. If it is not (HD_EP_BARRIER_PENDING), the call takes one cycle. */
enum hd_ep_barrier_status hd_ep_barrier_test(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits until this node is released, or until the group's timeout has passed. */
enum hd_ep_barrier_status hd_ep_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits for the barrier, until `cycle` at the latest; it then returns HD_EP_BARRIER_PENDING. */
enum hd_ep_barrier_status hd_ep_barrier_wait_until(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                   uint64_t cycle);

/** This node leaves the group. It must have no round under way. When the last member has left, the switches
 *  close the group. If a round failed, they do not, and its number stays taken, because messages of it may
 *  still be under way. */
void hd_ep_barrier_destroy(struct hd_ep *ep, struct hd_ep_barrier *barrier);

/* ── how the network is linked ─────────────────────────────────────────────────
 *
 * For software that chooses its messages by the network's links, or causes congestion in it. These
 * calls need the network, as a send does; so hd_ep_reject must be called before them. */

/** A link over which messages of a node leave its switch, and what it takes to fill it. */
struct hd_ep_link {
  int links;         /* number of links by which they may go; 0: they do not leave the switch */
  int node;          /* a node on the switch at the end of one of these links, to which packets of
                            the sender go by this link only; −1: there is none */
  uint32_t channels; /* virtual channels of a link that packets may take */
  uint32_t depth_flits; /* of each one's buffer */
  uint64_t pass_cycles; /* after which `channels` packets of 2·depth_flits flits, handed over at
                            once, have arrived at `node` or are blocked, if nothing else is under way */
};

/** The link for packets from rank to rank. */
struct hd_ep_link hd_ep_link(struct hd_ep *ep, int source, int destination);
/** The link for reductions of a member of a group, from its second round on (specification §8.4). */
struct hd_ep_link hd_ep_barrier_link(struct hd_ep *ep, const struct hd_ep_barrier *barrier,
                                     int member);
/** Finds, of n different ranks, the one with the shortest distance in links to the farthest of them; the lowest rank
 *  among equals. */
int hd_ep_middle(struct hd_ep *ep, const int *ranks, int n);
/** All ranks in the order of a depth-first walk along the breadth-first tree from switch 0, lower numbers
 *  first. order[hd_ep_size(ep)]. */
void hd_ep_order(struct hd_ep *ep, int *order);

/** Coordinates of nodes, where the network is a mesh, a torus or a hypercube: the coordinate in dimension 0 counts
 *  first in a rank (specification §5.1). */
struct hd_ep_grid {
  int n_dims, dims[8];
  bool torus; /* the ends of each dimension are linked, too */
};
/** False: the network has no coordinates, or more dimensions. */
bool hd_ep_grid(struct hd_ep *ep, struct hd_ep_grid *grid);

/** Exchanges among the members of a list of ranks for which a schedule can be found. */
enum hd_ep_exchange {
  HD_EP_BROADCAST, /* the root's message to all */
  HD_EP_SCATTER,   /* the root's messages, another one to each */
  HD_EP_GATHER,    /* a message of each to the root */
  HD_EP_ALLGATHER, /* each one's message to all */
  HD_EP_ALLTOALL,  /* from each another message to each */
};

/** A transfer of a schedule; members by their numbers in the request. */
struct hd_ep_transfer {
  uint32_t step, from, to;
  uint32_t
      origin; /* whose message it is; other than `from`: that one has got it in an earlier step */
};

/** Steps in which no two messages share a link, if all go by the routing tables. A member sends one message and
 *  receives one in a step. */
struct hd_ep_schedule {
  uint32_t steps; /* 0: there is none, and `why` says why */
  uint32_t least; /* no schedule has fewer */
  uint32_t n;
  const struct hd_ep_transfer *transfers; /* [n], in order of step; the run's */
  char why[256];                          /* how it was found, or why the fewest are not known */
};

struct hd_ep_schedule_request {
  enum hd_ep_exchange exchange;
  const int *ranks; /* n ≥ 2 different ones */
  int n, root;      /* root: a number in the list */
  /* For how long the machine may look for one with the fewest steps, by a SAT solver. 0: known constructions alone, or
   * else a list schedule, which may have more steps than `least`. Time decides only whether the fewest are proved:
   * if they are, every machine finds the same schedule. */
  double seconds;
};

/** Looks for a schedule. Takes no simulated time, but the machine's: who needs one should share it (hd_ep_shared).
 *  After a fault that changes ways, messages of a step may share links. */
void hd_ep_schedule(struct hd_ep *ep, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule);

/* ── statistics ───────────────────────────────────────────────────────────── */

enum { HD_EP_STATISTICS = 65536 }; /**< different names of statistics in a run, at most */

/** Adds a value, such as the duration of a round in cycles, to the statistic `name`. The report has the
 *  number of values, minimum, mean, maximum and more. value < 2^63. One name too many ends the run. */
void hd_ep_statistic(struct hd_ep *ep, const char *name, uint64_t value);

/** Random numbers of this node alone, from the scenario's seed. */
uint64_t hd_ep_random(struct hd_ep *ep);
/** Uniform in [0, 1). */
double hd_ep_random_unit(struct hd_ep *ep);

/** A parameter of the program from the scenario (key `software.parameters`): a number or text, or the
 *  fallback if the scenario gives none. Text lives as long as the run. */
double hd_ep_number(const struct hd_ep *ep, const char *key, double fallback);
const char *hd_ep_text(const struct hd_ep *ep, const char *key, const char *fallback);
/** Says whether the scenario gives a number for `key`. */
bool hd_ep_is_number(const struct hd_ep *ep, const char *key);

/** Returns zeroed memory that lives as long as the run. A run may end before the program does; memory from
 *  malloc would then leak. Running out of memory ends the run. */
void *hd_ep_alloc(struct hd_ep *ep, size_t bytes);

/** Allocates memory that all nodes share which give the same `key`; the first one gets it zeroed. For data that every
 *  node would compute alike, such as a trace or a schedule. Nodes must not communicate through it: a real
 *  machine has no such memory. */
void *hd_ep_shared(struct hd_ep *ep, const char *key, size_t bytes);

/** Ends the run as failed. The message says what this software found wrong. Does not return. */
void hd_ep_abort(struct hd_ep *ep, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** Ends the run because a parameter of the scenario has an impossible value. The text is the value and what would
 *  be legal, as "1.5; legal: 0 … 1". Key NULL: the program cannot run on this number of nodes. If it is called
 *  before the first send, receive or delay, the scenario is refused before anything runs. */
void hd_ep_reject(struct hd_ep *ep, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Flits of the largest packet that the network takes, header included. */
uint32_t hd_ep_packet_flits(const struct hd_ep *ep);

/** A program, by name. */
struct hd_program {
  const char *name;
  const char *about; /* one line: what it does; and its parameters */
  void (*main)(struct hd_ep *ep);
  /** NULL or a NULL-terminated list "key: meaning (default)" of parameters; any other key in
   *  a scenario is an error. */
  const char *const *parameters;
};

/** Makes a shared object of a file that defines a program: at its end, once. A scenario names it as
 *  `software.program: ./NAME.so`. */
#define HD_ENDPOINT_PROGRAM(program)                           \
  const struct hd_program *hd_endpoint_program(uint32_t *abi); \
  const struct hd_program *hd_endpoint_program(uint32_t *abi)  \
  {                                                            \
    *abi = HD_ENDPOINT_ABI;                                    \
    return &(program);                                         \
  }

#endif
