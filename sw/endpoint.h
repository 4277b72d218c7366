/* The endpoint API, in C: the functions that the software of a node calls.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The API resembles MPI. It has ranks, tags, blocking and non-blocking messages, and time. A
 * program is an ordinary C function. Every node runs it on a stack of its own. Simulated time
 * passes only inside these calls. The same scenario and seed always give the same run.
 *
 * Order: messages with one tag between one pair of ranks arrive in the order in which they were
 * sent.
 *
 * Completion: a send is complete when the program may use its buffer again. That is at once,
 * because the bytes are copied. A receive is complete when the whole message has arrived.
 *
 * Cost: send, isend, receive and ireceive first take the scenario's `software.startup_cycles` on
 * this node. Wait and test do not. A test that finds nothing takes one cycle, so that a loop of
 * tests cannot stop the simulated time.
 *
 * Errors: a call with an impossible argument ends the run, as hd_ep_abort does. No function returns
 * an error code, except those that return a status.
 *
 * This header has messages, time, memory and parameters. It includes the headers for barriers
 * (endpoint_barrier.h) and multicast (endpoint_multicast.h) in the network, for links and schedules
 * (endpoint_network.h), and for packets without an envelope and the XOR coders (endpoint_packet.h).
 * A program needs these headers and libc. It sees neither the backend nor the model nor another
 * node.
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

/** The version of this API. A program that is a shared object reports the version that it was
 *  compiled with. */
enum { HD_ENDPOINT_ABI = 1 };

/** The handle of a non-blocking operation that has not ended. 0 stands for no operation: a wait or
 *  a test of it returns at once. */
typedef uint32_t hd_ep_request;

/** The message that a receive returned. After a send, `source` is this node, and both cycles are
 *  the cycle of the send. */
struct hd_ep_status {
  int source, tag;
  /** length of the message; if the buffer is shorter, the rest of the message is lost */
  size_t bytes;
  uint64_t sent, received; /* cycles */
};

int hd_ep_rank(const struct hd_ep *ep);
int hd_ep_size(const struct hd_ep *ep);
/** Returns the current cycle. */
uint64_t hd_ep_time(const struct hd_ep *ep);
/** Waits for `cycles` cycles, as if the node computed for so long. */
void hd_ep_delay(struct hd_ep *ep, uint64_t cycles);
/** Waits until `cycle`; returns at once if it is past. */
void hd_ep_wait_until(struct hd_ep *ep, uint64_t cycle);

/** Sends or receives a message of 0 to 1,048,576 bytes with a tag of 0 to 4095.
 *
 *  A send copies the message and returns. It waits only while 4,096 messages or 16 MiB of this node
 *  are on their way. A message to the node itself does not enter the network. A receive waits for
 *  the first message that fits. Its source and tag may be HD_EP_ANY. It writes at most `n` bytes to
 *  `bytes`. isend and ireceive return a request, which must be ended by hd_ep_wait, hd_ep_wait_any,
 *  or an hd_ep_test that returns true. `bytes` of ireceive must stay valid until then, and is
 *  written only then. `status` may be NULL.
 */
void hd_ep_send(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n);
void hd_ep_receive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n,
                   struct hd_ep_status *status);
hd_ep_request hd_ep_isend(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n);
hd_ep_request hd_ep_ireceive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n);
void hd_ep_wait(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status);
bool hd_ep_test(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status);
/** Ends one request: the first of the `n` requests in the list that is complete. Returns its index.
 *  If none is complete, the call waits until one is, or, if `wait` is false, returns `n` without
 *  using a cycle. No request may be 0. */
size_t hd_ep_wait_any(struct hd_ep *ep, const hd_ep_request *requests, size_t n, bool wait,
                      struct hd_ep_status *status);

/** A path: the output port of each switch on it, in order. The last port leads to the
 *  destination. */
struct hd_ep_way {
  const uint8_t *ports;
  uint32_t n;
};

/** Like hd_ep_send, but the sender chooses the path: the packets' headers carry its ports
 *  (source-routed packets, specification §1.3), and the routing tables are not used. Heddle does
 *  not check whether such paths can deadlock, and does not change them after a fault. Ends the run
 *  if the path does not lead to the destination, or if the header is too short for it. */
void hd_ep_send_by(struct hd_ep *ep, int destination, const struct hd_ep_way *way, int tag,
                   const void *bytes, size_t n);

/** Sends one packet of `flits` flits, 1 to 65535, whose data is the synthetic pattern
 *  (specification §4.3). The packet counts in the statistics, but it is not a message: no program
 *  receives it. The call does not wait and has no start-up cost. */
void hd_ep_inject(struct hd_ep *ep, int destination, uint32_t flits);

/** Sets the class, 0 to 7, of the packets that this node injects by hd_ep_inject from now on. It is
 *  0 at first. Reports show latencies for each class. The network does not know the class. */
enum { HD_EP_CLASSES = 8 };
void hd_ep_use_class(struct hd_ep *ep, uint32_t traffic_class);

/** Sets the priority, 0 to 7, of the packets that this node injects by hd_ep_inject from now on. It
 *  is 0 at first. Among the packets that wait at the node's interface, one with a higher priority
 *  leaves first. Switches do not know priorities (specification §4.1). */
enum { HD_EP_PRIORITIES = 8 };
void hd_ep_use_priority(struct hd_ep *ep, uint32_t priority);

/** hd_ep_networks returns the number of virtual networks of the fabric, at least 1 (key
 *  routing.virtual_networks, specification §5.28). hd_ep_use_network chooses the one, 0 at first,
 *  that everything uses that this node sends from now on: messages and packets travel on its
 *  virtual channels. A packet sent by hd_ep_send_by keeps to these channels only at this node's
 *  interface. */
uint32_t hd_ep_networks(const struct hd_ep *ep);
void hd_ep_use_network(struct hd_ep *ep, uint32_t network);

/** Blocks this node's network interface for `cycles` cycles, beginning with the current one. During
 *  this time the interface returns no credits for data flits (specification §4.6). So it receives
 *  as many flits as its buffers have slots, and further flits wait in the network. Barrier messages
 *  pass. The call returns at once and has no start-up cost. If the interface is blocked already,
 *  the later end counts. */
void hd_ep_hold(struct hd_ep *ep, uint64_t cycles);

/* ── statistics, random numbers, parameters, memory ──────────────────────── */

enum {
  HD_EP_STATISTICS = 65536,    /**< largest number of different names in a run */
  HD_EP_STATISTIC_BYTES = 255, /**< longest name, in bytes */
};

/** Adds `value`, such as the number of cycles of a round, to the statistic `name`. The report shows
 *  the number of values, their minimum, mean and maximum, and more. `value` must be below 2^63.
 *  Ends the run if there are more than HD_EP_STATISTICS names. */
void hd_ep_statistic(struct hd_ep *ep, const char *name, uint64_t value);

/** Returns a random number of 64 bits. Each node has a generator of its own, whose seed comes from
 *  the scenario's seed and the rank. */
uint64_t hd_ep_random(struct hd_ep *ep);
/** Returns a random number, uniform in [0, 1). */
double hd_ep_random_unit(struct hd_ep *ep);

/** Returns the value of a program parameter (key `software.parameters` of the scenario), or
 *  `fallback` if the scenario does not set it. hd_ep_number is for numbers and hd_ep_text for text.
 *  Ends the run if the value is of the other type. The text stays valid for the whole run. */
double hd_ep_number(const struct hd_ep *ep, const char *key, double fallback);
const char *hd_ep_text(const struct hd_ep *ep, const char *key, const char *fallback);
/** Returns true if the scenario sets `key` to a number. */
bool hd_ep_is_number(const struct hd_ep *ep, const char *key);

/** Allocates zeroed memory, which the run frees at its end. Programs should use it instead of
 *  malloc: a run may end before the program does, and memory from malloc would then leak. Ends the
 *  run if there is not enough memory. */
void *hd_ep_alloc(struct hd_ep *ep, size_t bytes);

/** Returns zeroed memory that all nodes share that pass the same `key`. The first call allocates
 *  it. All calls must pass the same number of bytes. It is meant for data that every node would
 *  compute alike, such as a trace or a schedule. Nodes must not communicate through it, because a
 *  real machine has no such memory. */
void *hd_ep_shared(struct hd_ep *ep, const char *key, size_t bytes);

/** Ends the run as failed. The message, in the style of printf, says what is wrong. Does not
 *  return. */
void hd_ep_abort(struct hd_ep *ep, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/** Ends the run because the scenario gives a parameter an impossible value. The text, in the style
 *  of printf, says the value and the legal ones, as in "1.5; legal: 0 … 1". If `key` is NULL, the
 *  program cannot run on this number of nodes. If the program calls this before its first send,
 *  receive or delay, Heddle refuses the scenario before the run starts. Does not return. */
void hd_ep_reject(struct hd_ep *ep, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Returns the length in flits of the longest packet that the network takes, header included. */
uint32_t hd_ep_packet_flits(const struct hd_ep *ep);

/** A program. */
struct hd_program {
  const char *name;
  const char *about; /* one line: what it does, and its parameters */
  void (*main)(struct hd_ep *ep);
  /** The parameters, as a list of "key: meaning (default)" that ends with NULL; or NULL for none. A
   *  scenario that sets another key is refused. */
  const char *const *parameters;
};

/** Exports a program from a shared object. Write it once, at the end of the file that defines the
 *  program. A scenario then names the program as `software.program: ./NAME.so`. */
#define HD_ENDPOINT_PROGRAM(program)                           \
  const struct hd_program *hd_endpoint_program(uint32_t *abi); \
  const struct hd_program *hd_endpoint_program(uint32_t *abi)  \
  {                                                            \
    *abi = HD_ENDPOINT_ABI;                                    \
    return &(program);                                         \
  }

#endif
