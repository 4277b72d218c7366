/* The world of endpoint software: every node's program, its stack and its messages.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The world does not depend on the fabric: packets leave through `send` and come back through
 * hd_world_deliver. The run loop of the bridge connects the two.
 */
#ifndef HD_WORLD_H
#define HD_WORLD_H

#include "../../cmodel/error.h"
#include "../endpoint.h"

struct hd_world;
struct hd_user_code; /* sw/user_code.h, which is C11 alone */

/** A program parameter of the scenario; a number where `text` is NULL. */
struct hd_parameter {
  char *key, *text;
  double number;
};

/** Packets that a node's network interface still has to send: destination of the first one, number of packets,
 *  and whether it waits for credits. */
struct hd_world_sending {
  uint32_t destination, packets;
  bool starved;
};

/** A packet that software hands to the network. */
struct hd_world_packet {
  uint32_t source, destination;
  uint32_t network;        /* virtual one */
  uint8_t traffic_class;   /* class of a synthetic packet */
  uint8_t priority;        /* priority of a synthetic packet */
  uint32_t flits;          /* header included */
  const uint64_t *payload; /* [flits−1] words of data_bits each; NULL: the synthetic pattern */
  bool bare; /* no message, and not synthetic: the head has the bits of `header`, but for */
  uint64_t
      header; /* the lowest `header_bits` ones (struct hd_ep_layout), which the network makes */
  const struct hd_ep_way *way; /* NULL: as the routing tables say */
  const uint64_t
      *to; /* a multicast flit with this whole header: bits of who receives it; NULL: it is none */
};

struct hd_world_params {
  uint32_t nodes;
  uint32_t networks;          /* virtual ones (specification §5.28); 0: 1 */
  uint32_t data_bits;         /* payload bits of a flit */
  struct hd_ep_layout layout; /* layout of packets */
  uint32_t packet_bytes;      /* largest payload of a packet, message envelope excluded */
  uint32_t packet_flits;      /* largest packet, header included; 0: as packet_bytes says */
  uint64_t startup_cycles;
  uint64_t seed;
  const struct hd_program *program;
  const struct hd_parameter *parameters; /* borrowed */
  uint32_t n_parameters;
  /** Takes a packet in the current cycle. 0 or a status. */
  int (*send)(void *context, const struct hd_world_packet *packet);
  /** Holds the network interface of `node` for `cycles` cycles, this one the first. NULL: it cannot. */
  int (*hold)(void *context, uint32_t node, uint64_t cycles);
  /** Results of hd_ep_link, hd_ep_barrier_link and hd_ep_order. NULL: not known. */
  int (*link)(void *context, uint32_t source, uint32_t destination, struct hd_ep_link *link);
  int (*barrier_link)(void *context, const uint32_t *members, uint32_t n, uint32_t center,
                      uint32_t member, struct hd_ep_link *link);
  int (*order)(void *context, int *nodes);
  /** Result of hd_ep_grid; false: no coordinates. NULL: likewise. */
  bool (*grid)(void *context, struct hd_ep_grid *grid);
  /** Result of hd_ep_schedule, called on the stack of hd_world_step; *transfers is the caller's, from malloc. A schedule
   *  that cannot be is steps 0 and `why`, and no error. NULL: there is none. */
  int (*schedule)(void *context, const struct hd_ep_schedule_request *request,
                  struct hd_ep_schedule *schedule, struct hd_ep_transfer **transfers);
  /** Answers hd_ep_unsent and explanations: false if `node` has nothing to send. NULL: never has. */
  bool (*sending)(void *context, uint32_t node, struct hd_world_sending *sending);
  /** The switches take barrier messages, and the following functions are there. `members` are
   *  nodes, ascending; group numbers are 0 … 31. */
  bool barrier;
  bool values; /* they combine values (§8.14) */
  /** Finds the member in the middle (HD_EP_CENTER_MIDDLE), as its place in the list. */
  int (*barrier_middle)(void *context, const uint32_t *members, uint32_t n, uint32_t *place);
  /** Opens the group in the members' switches; *ready: first cycle in which all of them have it. *status is
   *  HD_EP_BARRIER_PASSED. If nothing is opened, it is HD_EP_BARRIER_UNREACHABLE (a member has no way to the
   *  center) or HD_EP_BARRIER_FULL (a switch has no room for the group). */
  int (*barrier_open)(void *context, uint32_t number, const uint32_t *members, uint32_t n,
                      uint32_t center, uint64_t *ready, enum hd_ep_barrier_status *status);
  /** Closes the group in all switches; *done: first cycle in which this is done. */
  int (*barrier_close)(void *context, uint32_t number, uint64_t *done);
  /** `node` has arrived, with a value if there is a reduction. */
  int (*barrier_arrive)(void *context, uint32_t node, uint32_t number,
                        enum hd_ep_reduction reduction, uint32_t value);
  /** First cycle in which members may arrive; until then the switches are being configured. NULL: they may
   *  arrive at any time. */
  uint64_t (*barrier_ready)(void *context);
  /** Opens a chain of the coder beside `node`; *ready: first cycle in which the switch has it. *status says if it did.
   *  NULL: there are no coders. */
  int (*chain_open)(void *context, uint32_t node, uint32_t places, uint32_t *first, uint64_t *ready,
                    enum hd_ep_chain_status *status);
  /** Closes it; *done: first cycle in which this is done. *open: there was such a chain. */
  int (*chain_close)(void *context, uint32_t node, uint32_t first, uint32_t places, uint64_t *done,
                     bool *open);
  /** Multicast groups that switches can have; not 0: the following functions are there. `members` are nodes, ascending;
   *  trees are 0 … trees − 1. */
  uint32_t trees;
  /** Puts the group's tree into the switches; *ready: first cycle in which all of them have it. */
  int (*multicast_open)(void *context, uint32_t tree, const uint32_t *members, uint32_t n,
                        uint64_t *ready);
  /** The tree is not used any more. */
  int (*multicast_close)(void *context, uint32_t tree);
  void *context;
  struct hd_user_code *user_code; /* where to note which software runs; may be NULL */
};

int hd_world_create(struct hd_world **world, const struct hd_world_params *params,
                    struct hd_error *err);
void hd_world_destroy(struct hd_world *world);

/** Runs every node's software up to its first send or wait, so that it can reject its parameters before anything
 *  else is done. HD_E_INPUT with the message; *culprit then names what has to be changed: "parameters.KEY",
 *  "packet_bytes", "packet_flits" or "program" (usually because the program cannot run on this number of nodes).
 *  `send` is not called. */
struct hd_world_culprit {
  char name[64];
};
int hd_world_check(const struct hd_world_params *params, struct hd_world_culprit *culprit,
                   struct hd_error *err);

/** Runs, in rank order, all software that can go on in `cycle`. 0, HD_E_SOFTWARE after
 *  hd_ep_abort and HD_E_INPUT after hd_ep_reject (message in err), or what `send` returned. */
int hd_world_step(struct hd_world *world, uint64_t cycle, struct hd_error *err);

/** A packet was received by `node` in `cycle`; its software sees it from cycle+1 on.
 *  `payload`: its flits' data behind the header, `n_words` of them. Synthetic packets are not
 *  delivered here. HD_E_INPUT for a packet that is no part of any message. */
int hd_world_deliver(struct hd_world *world, uint32_t node, const uint64_t *payload,
                     uint32_t n_words, uint64_t cycle, struct hd_error *err);

/** Delivers a packet that is no message: a bare one, or one that the node's coder made. `words`: data of all
 *  its flits, the head first. */
int hd_world_deliver_packet(struct hd_world *world, uint32_t node, const uint64_t *words,
                            uint32_t n_words, uint64_t cycle, struct hd_error *err);

/** Delivers a multicast flit. HD_E_INPUT if it is no part of any message. */
int hd_world_deliver_multicast(struct hd_world *world, uint32_t node, uint64_t header,
                               uint64_t cycle, struct hd_error *err);

/** The network's answer to an arrival. */
struct hd_world_answer {
  bool failed;
  enum hd_ep_reduction reduction; /* how values are reduced; HD_EP_REDUCE_NOTHING: not at all */
  uint32_t result;
};
/** Reports that in `cycle` the network released `node` from a barrier, or that the barrier failed
 *  for it. The node's software sees this from cycle+1 on. HD_E_INPUT if the node does not wait at
 *  that barrier. */
int hd_world_barrier(struct hd_world *world, uint32_t node, uint32_t number,
                     const struct hd_world_answer *answer, uint64_t cycle, struct hd_error *err);

/** Reports that in `cycle` a fault ended the group. Members that have arrived are told why
 *  (HD_EP_BARRIER_CUT_OFF, …) from cycle+1 on, the others when they arrive. */
void hd_world_barrier_end(struct hd_world *world, uint32_t number, enum hd_ep_barrier_status why,
                          uint64_t cycle);

/** Every member has left the first round since the group was created, or created anew; or one has given up. */
bool hd_world_first_round_over(const struct hd_world *world, uint32_t number);

/** Answer that a member still has to get after its group was created anew in the switches (specification §5.10). */
enum hd_world_owed {
  HD_WORLD_OWED_NOTHING,
  HD_WORLD_OWED_RELEASE, /* all had arrived, for others have been released */
  HD_WORLD_OWED_ARRIVAL, /* the switches are to be told again that it has arrived */
};
enum hd_world_owed hd_world_owed(const struct hd_world *world, uint32_t number, uint32_t node);
/** Notes that every member has its answer; the next round counts as the first one again. */
void hd_world_barrier_renewed(struct hd_world *world, uint32_t number);

/** The next cycle > now in which software may act by itself; UINT64_MAX: only a delivery wakes it. */
uint64_t hd_world_next_cycle(const struct hd_world *world);

/** All programs have returned. */
bool hd_world_finished(const struct hd_world *world);

/** Writes who waits for what, as text lines, into buf; returns the length that it needs. */
size_t hd_world_explain_wait(const struct hd_world *world, char *buf, size_t size);

/** Messages since creation. */
struct hd_world_counters {
  uint64_t messages_sent, messages_received;
  uint64_t barriers; /* rounds of all groups, from which every member has been released */
};
void hd_world_counters(const struct hd_world *world, struct hd_world_counters *counters);

/** Values that software recorded by hd_ep_statistic, by name in the order of first use. Borrowed until the
 *  next step. */
struct hd_world_value {
  uint64_t cycle, value;
};
struct hd_world_statistic {
  const char *name;
  const struct hd_world_value *values; /* [n], in order of time */
  size_t n;
};
uint32_t hd_world_statistics(const struct hd_world *world);
struct hd_world_statistic hd_world_statistic(const struct hd_world *world, uint32_t index);

#endif
