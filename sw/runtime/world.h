/* The world of endpoint software: the program, stack and messages of every node.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The world does not know the fabric. Packets leave by the function `send` and come back by
 * hd_world_deliver. The loop of a run in bridge/ connects the two.
 */
#ifndef HD_WORLD_H
#define HD_WORLD_H

#include "../../cmodel/error.h"
#include "../endpoint.h"

struct hd_world;
struct hd_user_code; /* sw/user_code.h; not included here, because C++ cannot read it */

/** A program parameter of the scenario; it is a number if `text` is NULL. */
struct hd_parameter {
  char *key, *text;
  double number;
};

/** The packets that a node's network interface still has to send: the destination of the first one,
 *  their number, and whether the first one waits for credits. */
struct hd_world_sending {
  uint32_t destination, packets;
  bool starved;
};

/** A packet that software hands to the network. */
struct hd_world_packet {
  uint32_t source, destination;
  uint32_t network;        /* virtual network */
  uint8_t traffic_class;   /* class of a synthetic packet */
  uint8_t priority;        /* priority of a synthetic packet */
  uint32_t flits;          /* header included */
  const uint64_t *payload; /* [flits − 1] words of data_bits bits; NULL: the synthetic pattern */
  /** true: a packet without an envelope, neither message nor synthetic. `header` has the bits of
   *  its head, except the lowest `header_bits` ones (struct hd_ep_layout), which the network
   *  adds. */
  bool bare;
  uint64_t header;
  const struct hd_ep_way *way; /* NULL: the routing tables choose the path */
  /** not NULL: a multicast flit, `header` is its whole header, and `to` has a bit for each node
   *  that receives it */
  const uint64_t *to;
};

struct hd_world_params {
  uint32_t nodes;
  uint32_t networks;          /* virtual networks (specification §5.28); 0 means 1 */
  uint32_t data_bits;         /* payload bits of a flit */
  struct hd_ep_layout layout; /* layout of packets without an envelope */
  uint32_t packet_bytes;      /* largest payload of a packet, message envelope excluded */
  uint32_t packet_flits;      /* longest packet, header included; 0: packet_bytes decides */
  uint64_t startup_cycles;
  uint64_t seed;
  const struct hd_program *program;
  const struct hd_parameter *parameters; /* borrowed */
  uint32_t n_parameters;
  /** Sends a packet in the current cycle. Returns 0 or an error code. */
  int (*send)(void *context, const struct hd_world_packet *packet);
  /** Blocks the network interface of `node` for `cycles` cycles, beginning with the current one
   *  (hd_ep_hold). NULL: not possible. */
  int (*hold)(void *context, uint32_t node, uint64_t cycles);
  /** Answers to hd_ep_link, hd_ep_barrier_link and hd_ep_order. NULL: not known. */
  int (*link)(void *context, uint32_t source, uint32_t destination, struct hd_ep_link *link);
  int (*barrier_link)(void *context, const uint32_t *members, uint32_t n, uint32_t center,
                      uint32_t member, struct hd_ep_link *link);
  int (*order)(void *context, int *nodes);
  /** Answer to hd_ep_grid; false or NULL: nodes have no coordinates. */
  bool (*grid)(void *context, struct hd_ep_grid *grid);
  /** Answer to hd_ep_schedule. Runs on the stack of hd_world_step's caller. *transfers comes from
   *  malloc, and the caller frees it. If no schedule is possible, it has 0 steps and the reason in
   *  `why`; that is not an error. NULL: there are no schedules. */
  int (*schedule)(void *context, const struct hd_ep_schedule_request *request,
                  struct hd_ep_schedule *schedule, struct hd_ep_transfer **transfers);
  /** Says what `node`'s interface still has to send, for hd_ep_unsent and explanations. Returns
   *  false if there is nothing. NULL: there is never anything. */
  bool (*sending)(void *context, uint32_t node, struct hd_world_sending *sending);
  /** The switches take barrier messages, and the following functions are set. `members` are nodes
   *  in ascending order. Group numbers are 0 … 31. */
  bool barrier;
  bool values; /* they reduce values (specification §8.14) */
  /** Writes the index of the member in the middle (HD_EP_CENTER_MIDDLE) to *place. */
  int (*barrier_middle)(void *context, const uint32_t *members, uint32_t n, uint32_t *place);
  /** Opens the group in the members' switches. *ready is the first cycle in which all of them have
   *  it. *status is HD_EP_BARRIER_PASSED, or, if nothing was opened, HD_EP_BARRIER_UNREACHABLE
   *  (there is no path between a member and the center) or HD_EP_BARRIER_FULL (a switch has no room
   *  for the group). */
  int (*barrier_open)(void *context, uint32_t number, const uint32_t *members, uint32_t n,
                      uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *status);
  /** Closes the group in all switches. *done is the first cycle in which none has it. */
  int (*barrier_close)(void *context, uint32_t number, uint64_t *done);
  /** Sends the arrival of `node`, with `value` if there is a reduction. */
  int (*barrier_arrive)(void *context, uint32_t node, uint32_t number,
                        enum hd_ep_reduction reduction, uint32_t value);
  /** Returns the first cycle in which members may arrive; before it, the switches are being
   *  configured. NULL: they may always arrive. */
  uint64_t (*barrier_ready)(void *context);
  /** Opens a chain of the coder at `node`'s switch. *ready is the first cycle in which the switch
   *  has it. *status says whether it was opened. NULL: there are no coders. */
  int (*chain_open)(void *context, uint32_t node, uint32_t places, uint32_t *first, uint64_t *ready,
                    enum hd_ep_chain_status *status);
  /** Closes a chain. *done is the first cycle in which this has happened. *open says whether there
   *  was such a chain. */
  int (*chain_close)(void *context, uint32_t node, uint32_t first, uint32_t places, uint64_t *done,
                     bool *open);
  /** The trees of each switch, one for each multicast group: 0 … trees − 1. If there are any, the
   *  following functions are set. `members` are nodes in ascending order. */
  uint32_t trees;
  /** Writes the group's tree to the switches. *ready is the first cycle in which all of them have
   *  it. */
  int (*multicast_open)(void *context, uint32_t tree, const uint32_t *members, uint32_t n,
                        uint64_t *ready);
  /** Frees the tree. */
  int (*multicast_close)(void *context, uint32_t tree);
  void *context;
  struct hd_user_code *user_code; /* where to note the software that runs; may be NULL */
};

int hd_world_create(struct hd_world **world, const struct hd_world_params *params,
                    struct hd_error *err);
void hd_world_destroy(struct hd_world *world);

/** Runs every node's software up to its first send or wait, so that it can reject its parameters
 *  before the run starts. `send` is not called. Returns HD_E_INPUT with a message if the software
 *  rejects them; *culprit is then the key to change: "parameters.KEY", "packet_bytes",
 *  "packet_flits" or "program" (most often because the program cannot run on this number of
 *  nodes). */
struct hd_world_culprit {
  char name[64];
};
int hd_world_check(const struct hd_world_params *params, struct hd_world_culprit *culprit,
                   struct hd_error *err);

/** Runs, in the order of ranks, all software that is due in `cycle`. Returns 0; HD_E_SOFTWARE after
 *  hd_ep_abort or HD_E_INPUT after hd_ep_reject, with the message; or the error that `send`
 *  returned. */
int hd_world_step(struct hd_world *world, uint64_t cycle, struct hd_error *err);

/** Delivers a packet that `node` received in `cycle`; its software sees it from cycle + 1 on.
 *  `payload` has the data of its flits after the header, `n_words` of them. Synthetic packets must
 *  not be delivered. Returns HD_E_INPUT if the packet belongs to no message. */
int hd_world_deliver(struct hd_world *world, uint32_t node, const uint64_t *payload,
                     uint32_t n_words, uint64_t cycle, struct hd_error *err);

/** Delivers a packet without an envelope: one of software, or one that a coder made. `words` has
 *  the data of all its flits, head first. */
int hd_world_deliver_packet(struct hd_world *world, uint32_t node, const uint64_t *words,
                            uint32_t n_words, uint64_t cycle, struct hd_error *err);

/** Delivers a multicast flit. Returns HD_E_INPUT if it belongs to no message. */
int hd_world_deliver_multicast(struct hd_world *world, uint32_t node, uint64_t header,
                               uint64_t cycle, struct hd_error *err);

/** The answer of the network to an arrival at a barrier. */
struct hd_world_answer {
  bool failed;
  /** the reduction of the values; HD_EP_REDUCE_NOTHING: there is no result */
  enum hd_ep_reduction reduction;
  uint32_t result;
};
/** Tells the world that the network released `node` from a barrier in `cycle`, or that the barrier
 *  failed for it. The node's software sees this from cycle + 1 on. Returns HD_E_INPUT if the node
 *  does not wait at that barrier. */
int hd_world_barrier(struct hd_world *world, uint32_t node, uint32_t number,
                     const struct hd_world_answer *answer, uint64_t cycle, struct hd_error *err);

/** Tells the world that a fault ended the group in `cycle`. Members that have arrived get the
 *  status `why` (HD_EP_BARRIER_CUT_OFF, …) from cycle + 1 on, and the others when they arrive. */
void hd_world_barrier_end(struct hd_world *world, uint32_t number, enum hd_ep_barrier_status why,
                          uint64_t cycle);

/** Returns true if every member has passed the first round since the group was created in the
 *  switches, for the first time or again; or if a member has given up. */
bool hd_world_first_round_over(const struct hd_world *world, uint32_t number);

/** The message that a member still needs after its group was created again in the switches
 *  (specification §5.10). */
enum hd_world_owed {
  HD_WORLD_OWED_NOTHING,
  HD_WORLD_OWED_RELEASE, /* its release: all members had arrived, because others were released */
  HD_WORLD_OWED_ARRIVAL, /* its arrival, which must be sent to the switches again */
};
enum hd_world_owed hd_world_owed(const struct hd_world *world, uint32_t number, uint32_t node);
/** Starts the counting of first rounds again, after every member got what it needed
 *  (hd_world_owed). */
void hd_world_first_round_restart(struct hd_world *world, uint32_t number);

/** Returns the next cycle after the current one in which software may run without a delivery;
 *  UINT64_MAX: none. */
uint64_t hd_world_next_cycle(const struct hd_world *world);

/** Returns true if all programs have returned. */
bool hd_world_finished(const struct hd_world *world);

/** Writes to `buf` what each node waits for, a line for each. Returns the length that the whole
 *  text needs. */
size_t hd_world_explain_wait(const struct hd_world *world, char *buf, size_t size);

/** Writes the line of the node that has waited longest in a call, without its end, of at most `size` bytes. "": no
 * node waits. */
void hd_world_longest_wait(const struct hd_world *world, char *buf, size_t size);

/** Counts since the creation of the world. */
struct hd_world_counters {
  uint64_t messages_sent, messages_received;
  uint64_t barriers;       /* rounds that have released every member, of all groups */
  uint64_t barrier_groups; /* groups that were opened */
};
void hd_world_counters(const struct hd_world *world, struct hd_world_counters *counters);
/** Counts the operations that the programs of nodes have left open when they returned: messages
 *  that no receive took, and receives that no wait or test ended. */
void hd_world_open_operations(const struct hd_world *world, uint64_t *messages, uint64_t *receives);

/** The statistics that software recorded by hd_ep_statistic, in the order in which their names were
 *  first used. Names and values are valid until the next step. */
struct hd_world_value {
  uint64_t cycle, value;
};
struct hd_world_statistic {
  const char *name;
  const struct hd_world_value *values; /* [n], sorted by cycle */
  size_t n;
};
uint32_t hd_world_statistics(const struct hd_world *world);
struct hd_world_statistic hd_world_statistic(const struct hd_world *world, uint32_t index);

#endif
