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
 * This header has messages, time, memory and parameters. It includes those of barriers in the network
 * (endpoint_barrier.h), of multicast (endpoint_multicast.h), of links and schedules (endpoint_network.h), and of bare packets and coders
 * (endpoint_packet.h). A program uses these and libc. It does not see a backend, the model or another node.
 */
#ifndef HD_ENDPOINT_H
#define HD_ENDPOINT_H

#include "endpoint_barrier.h"
#include "endpoint_multicast.h"
#include "endpoint_network.h"
#include "endpoint_packet.h"

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
  size_t bytes;            /* bytes of the message; more than the buffer has: it was cut short */
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
/** Ends the first of n requests that is complete, and returns its place among them. If none is, it waits for one; with
 *  `wait` false it returns n at once, without a cycle. */
size_t hd_ep_wait_any(struct hd_ep *ep, const hd_ep_request *requests, size_t n, bool wait,
                      struct hd_ep_status *status);

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

/** The class, 0 at first, of the packets that this node injects by hd_ep_inject from now on. Reports have their latency
 *  by class; the network does not know it. */
enum { HD_EP_CLASSES = 8 };
void hd_ep_use_class(struct hd_ep *ep, uint32_t traffic_class);

/** The priority, 0 at first, of these packets. At the node's interface packets of higher priority go before those of
 *  lower that wait there; switches know no priorities (specification §4.1). */
enum { HD_EP_PRIORITIES = 8 };
void hd_ep_use_priority(struct hd_ep *ep, uint32_t priority);

/** Virtual networks of the fabric (key routing.virtual_networks, specification §5.28), at least 1; and the one, 0 at
 *  first, whose channels packets take that this node sends from now on: of messages and of others. A packet by
 *  hd_ep_send_by takes them at this node's interface alone. */
uint32_t hd_ep_networks(const struct hd_ep *ep);
void hd_ep_use_network(struct hd_ep *ep, uint32_t network);

/** Holds this node's network interface: for `cycles` cycles, beginning with this one, it returns no
 *  credits for the data flits that it receives (specification §4.6). It receives as many flits as
 *  its buffers have slots; others are blocked in the network. Barrier messages pass. Returns at
 *  once. If the node is held already, the later end counts. No start-up cost. */
void hd_ep_hold(struct hd_ep *ep, uint64_t cycles);

/* ── statistics ───────────────────────────────────────────────────────────── */

enum {
  HD_EP_STATISTICS = 65536,    /**< different names of statistics in a run, at most */
  HD_EP_STATISTIC_BYTES = 255, /**< of a name, at most */
};

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
