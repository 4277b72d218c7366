/* The endpoint API: what each node's software is written against.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Feels like MPI: ranks, tags, send and receive, non-blocking forms, wait, time. A
 * program is an ordinary C function; it runs on a stack of its own on every node, and
 * time passes only inside these calls. Everything is deterministic: same scenario and
 * seed, same run.
 *
 * Semantics: messages between one pair of ranks with one tag arrive in the order in
 * which they were sent. A send is complete when its buffer may be reused (at once: the
 * bytes are copied). A receive is complete when the whole message is there. Every call
 * that hands a message to the network or takes one from it costs the scenario's
 * `software.startup_cycles` of this node's time first: send, isend, receive, ireceive; not
 * wait and test. A test that finds nothing takes one cycle, so a loop of tests ends.
 * A call with impossible arguments ends the run like hd_ep_abort.
 *
 * A program sees this header and libc, never a backend, the model or another node.
 */
#ifndef HD_ENDPOINT_H
#define HD_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep; /* this node */

enum { HD_EP_ANY = -1 };

/** An operation under way; 0 is none. */
typedef uint32_t hd_ep_request;

/** What a receive got. */
struct hd_ep_status {
  int source, tag;
  size_t bytes;            /* of the message; larger than the buffer means it was cut short */
  uint64_t sent, received; /* cycles */
};

int hd_ep_rank(const struct hd_ep *ep);
int hd_ep_size(const struct hd_ep *ep);
/** The cycle now. */
uint64_t hd_ep_time(const struct hd_ep *ep);
/** Lets `cycles` pass (computation). */
void hd_ep_delay(struct hd_ep *ep, uint64_t cycles);
/** Lets time pass until `cycle`; returns at once when it is past. */
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

/** Sends one packet of `flits` flits with the synthetic pattern (specification §4.3) and
 *  no message around it; nobody receives it but the statistics. No start-up cost. */
void hd_ep_inject(struct hd_ep *ep, int destination, uint32_t flits);

/** For the next `cycles` cycles, this one among them, this node's network interface takes data flits
 *  without giving credits for them (specification §4.6): its buffers' worth comes, the rest
 *  stands still in the network. Barrier messages pass. Returns at once; a longer hold stays. No start-up
 *  cost. */
void hd_ep_hold(struct hd_ep *ep, uint64_t cycles);

/* ── barriers in the network ───────────────────────────────────────────────────
 *
 * Where the switches take barrier messages (key switch.barrier), they combine the arrivals of a
 * group's members and release them all: nobody is released before the last has arrived. The first
 * round builds the tree that the later ones use (specification chapter 8). A node may be in
 * many groups, and arrive at each once a round. */

/** What a call came to; all but the first two end the group for this member. */
enum hd_ep_barrier_status {
  HD_EP_BARRIER_PASSED,      /* everybody has arrived; or the call did what it should */
  HD_EP_BARRIER_PENDING,     /* not yet */
  HD_EP_BARRIER_FAILED,      /* the switches refused: not a member, or a fault left it no room */
  HD_EP_BARRIER_TIMEOUT,     /* no answer for the group's timeout_cycles since this arrival */
  HD_EP_BARRIER_UNREACHABLE, /* creation: no way between a member and the center */
  HD_EP_BARRIER_FULL,        /* creation: all group numbers are taken, or a switch has no room */
  HD_EP_BARRIER_UNSUPPORTED, /* creation: switches without barrier messages */
  HD_EP_BARRIER_CUT_OFF,     /* a fault has cut off a member: no round can be completed any more */
};
/** The same as words: "passed", "no way between a member and the center" … */
const char *hd_ep_barrier_text(enum hd_ep_barrier_status status);

enum hd_ep_center {
  HD_EP_CENTER_LOWEST, /* the member of lowest rank */
  HD_EP_CENTER_MIDDLE, /* the one that is fewest links from the member farthest from it, the lowest
                           rank among equals */
  HD_EP_CENTER_RANK,   /* the one that is named */
};

/** How a group is made; all members say the same. */
struct hd_ep_barrier_options {
  enum hd_ep_center center_rule;
  int center;              /* HD_EP_CENTER_RANK: rank of a member */
  uint64_t timeout_cycles; /* 0: a million */
};

struct hd_ep_barrier; /* this node's part of a group; lives until hd_ep_barrier_destroy */

/** Makes a group of `n` different ranks, this one among them; called by each of them with the same
 *  ranks, in any order. Returns when every switch knows of it, so any member may arrive. options
 *  may be NULL: zeros. *barrier is set where the status is HD_EP_BARRIER_PASSED; other members
 *  get the same status. No start-up cost. */
enum hd_ep_barrier_status hd_ep_barrier_create(struct hd_ep *ep, const int *ranks, int n,
                                               const struct hd_ep_barrier_options *options,
                                               struct hd_ep_barrier **barrier);
/** Rank of the center. */
int hd_ep_barrier_center(const struct hd_ep_barrier *barrier);

/** This node has arrived; costs the start-up. Returns at once: HD_EP_BARRIER_PENDING. */
enum hd_ep_barrier_status hd_ep_barrier_arrive(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Has everybody? HD_EP_BARRIER_PENDING takes one cycle. */
enum hd_ep_barrier_status hd_ep_barrier_test(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** Waits until everybody has; never for ever. */
enum hd_ep_barrier_status hd_ep_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier);
/** The same, until `cycle` at most: then it is HD_EP_BARRIER_PENDING. */
enum hd_ep_barrier_status hd_ep_barrier_wait_until(struct hd_ep *ep, struct hd_ep_barrier *barrier,
                                                   uint64_t cycle);

/** This node leaves the group, with no round of its own under way. When the last member has left,
 *  the switches forget it; not where a round failed: messages of it may still be on their way, so its
 *  number stays taken. */
void hd_ep_barrier_destroy(struct hd_ep *ep, struct hd_ep_barrier *barrier);

/* ── what the network is like ──────────────────────────────────────────────────
 *
 * For software that suits its messages to the network, or makes congestion in it. Needs a network
 * to ask, so it counts as a send: hd_ep_reject comes before. */

/** A link over which messages of a node leave its switch, and what it takes to fill it. */
struct hd_ep_link {
  int links;         /* by how many links they may go; 0: they do not leave the switch */
  int node;          /* on the switch behind one of these, to which packets of that node go by this
                            link and no other; −1: there is none */
  uint32_t channels; /* virtual channels of a link that packets may take */
  uint32_t depth_flits; /* of each one's buffer */
  uint64_t pass_cycles; /* `channels` packets of 2·depth_flits flits, handed over at once, have come
                            to `node`, or as far as they come, where nothing else is under way */
};

/** The link for packets from rank to rank. */
struct hd_ep_link hd_ep_link(struct hd_ep *ep, int source, int destination);
/** The link for reductions of a member of a group, from its second round on (specification §8.4). */
struct hd_ep_link hd_ep_barrier_link(struct hd_ep *ep, const struct hd_ep_barrier *barrier,
                                     int member);
/** The one of n different ranks that is fewest links from the farthest of them, the lowest rank among
 *  equals. */
int hd_ep_middle(struct hd_ep *ep, const int *ranks, int n);
/** All ranks in the order in which a walk through the network meets them: depth first along the
 *  breadth-first tree from switch 0, lower numbers first. order[hd_ep_size(ep)]. */
void hd_ep_order(struct hd_ep *ep, int *order);

/* ── statistics ───────────────────────────────────────────────────────────── */

/** Adds a value to what the report tells under `name` (how many, least, mean, greatest, …), such as
 *  the duration of a round in cycles. value < 2^63. */
void hd_ep_statistic(struct hd_ep *ep, const char *name, uint64_t value);

/** Random numbers of this node alone, from the scenario's seed. */
uint64_t hd_ep_random(struct hd_ep *ep);
/** Uniform in [0, 1). */
double hd_ep_random_unit(struct hd_ep *ep);

/** The scenario's parameters of the program (key `software.parameters`): a number or text,
 *  or the fallback where the scenario gives none. Text lives as long as the run. */
double hd_ep_number(const struct hd_ep *ep, const char *key, double fallback);
const char *hd_ep_text(const struct hd_ep *ep, const char *key, const char *fallback);
/** The scenario gives a number for it. */
bool hd_ep_is_number(const struct hd_ep *ep, const char *key);

/** Memory, zeroed, that lives as long as the run. A run may end with software in the middle of
 *  anything; what it got by malloc would be lost then. Running out of memory ends the run. */
void *hd_ep_alloc(struct hd_ep *ep, size_t bytes);

/** The same, one for all nodes: whoever asks first under `key` gets it zeroed. For what every
 *  node would compute alike, such as a trace or a schedule; it is no way to talk, as a
 *  real machine has none like it. */
void *hd_ep_shared(struct hd_ep *ep, const char *key, size_t bytes);

/** Ends the run as failed with a message (what this software found wrong). Does not return. */
void hd_ep_abort(struct hd_ep *ep, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** The same where a parameter of the scenario has an impossible value; the text is the value and what
 *  would be legal, as "1.5; legal: 0 … 1". Key NULL: the program does not suit so many nodes. Called before the first send, receive or delay, it
 *  refuses the scenario before anything runs. */
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

#endif
