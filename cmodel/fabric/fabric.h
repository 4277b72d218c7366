/* The fabric model: switches, links, network interfaces (specification 2, 4, 5).
 * SPDX-License-Identifier: Apache-2.0
 *
 * The caller sends packets, steps cycles and reads the packets that were received. While a record is
 * attached, the fabric records the inputs and expected outputs of each switch (§6.1). No I/O, no globals, no
 * threads.
 *
 * With `external_switches` the fabric has no switches of its own. In each cycle the caller
 * reads the input events, runs other switches (a DUT in closed loop) and returns the output
 * events. Links and network interfaces are the same code.
 */
#ifndef HD_FABRIC_H
#define HD_FABRIC_H

#include "../routing/routing.h"
#include "../routing/routing_barrier.h"
#include "../switch/switch.h"
#include "../topology/topology.h"

struct hd_fabric;

enum { HD_IDLE_AT_RESET = 16 }; /* cycles, §8.6 */

struct hd_fabric_params {
  struct hd_switch_params sw;
  uint32_t
      link_cycles; /* LINK, 1–16 (§1.5), of all links that have no LINK of their own in the topology
                    * */
  uint32_t barrier_idle_cycles; /* IDLE (§8.6), 1–65535; 0: HD_IDLE_AT_RESET */
  bool external_switches;
  bool faults;   /* links and switches may fail (§5.9) */
  bool coverage; /* count how often the model passes each point of the specification */
};

/** Makes a fabric after reset and configures it with copies of the tables. With barrier it also gets
 *  the barrier routing tables of §5.7 and SELF (§8.6). The topology is borrowed for the fabric's life.
 *  */
int hd_fabric_create(struct hd_fabric **fabric, const struct hd_fabric_params *params,
                     const struct hd_topology *topology, const struct hd_tables *tables,
                     struct hd_error *err);
void hd_fabric_destroy(struct hd_fabric *fabric);

/** The cycle that the next hd_fabric_step() simulates. */
uint64_t hd_fabric_cycle(const struct hd_fabric *fabric);

/** These stand for the number of a packet that a coder made (§11.12), and of a packet that has no known number.
 *  */
enum { HD_PACKET_MADE = UINT32_MAX - 1, HD_PACKET_NONE = UINT32_MAX };
_Static_assert((uint32_t)HD_PACKET_MADE == (uint32_t)HD_TAG_MADE, "as the switch model has it");

enum { HD_PRIORITIES = 8 };

/** A packet to send. Packets of a run are numbered from 0 in the order of the calls. */
struct hd_packet {
  uint32_t source, destination;
  uint32_t network;        /* virtual network (§5.28) */
  uint8_t traffic_class;   /* for statistics; the fabric copies it into the delivery */
  uint8_t priority;        /* at its interface (§4.1), below HD_PRIORITIES */
  uint32_t flits;          /* 1 … 65535, header included */
  const uint64_t *payload; /* flits−1 words, copied; NULL: the synthetic pattern (§4.3) */
  uint64_t header;         /* sent unchanged if `raw_header` */
  bool raw_header;         /* false: the header is made from the tables' mode */
  /** Multicast (§13.2): the nodes that receive the flit, a bit each, n_nodes / 64 + 1 words, copied. The packet is one
   *  flit with a raw header, and `destination` is ignored. NULL: unicast. */
  const uint64_t *to;
  bool bare; /* only the lowest HEADER_W bits of the header are fixed, the others come from `header`
              * (§4.3) */
};

/** Hands a packet to its source's network interface in the current cycle (before
 *  hd_fabric_step). Returns the packet number in *number. HD_E_INPUT for nodes or sizes out
 *  of range, HD_E_NOMEM. */
int hd_fabric_send(struct hd_fabric *fabric, const struct hd_packet *packet, uint32_t *number,
                   struct hd_error *err);

/** A packet received in the last step. */
struct hd_delivery {
  uint32_t number; /* HD_PACKET_NONE: this run sent no packet that looks like it */
  uint32_t node;   /* where it was received */
  uint32_t flits;
  const uint64_t *words; /* all its flits' data as they arrived, until the next step */
  bool intact;           /* right node, length, order and every word as sent */
  bool synthetic;        /* sent without payload (§4.3), and not bare */
  bool bare;             /* sent as a bare packet (§4.3) */
  bool made; /* the coder of the node's switch made it (§11.12): intact, but nobody sent it */
  bool cast; /* a multicast flit (§13) */
  uint32_t source, destination;
  uint64_t created, entered, received; /* cycles (§4.4) */
  uint8_t traffic_class;
};

/** Simulates one cycle. HD_E_NOMEM. */
int hd_fabric_step(struct hd_fabric *fabric, struct hd_error *err);

/** Returns the deliveries of the last step. Borrowed until the next step. */
const struct hd_delivery *hd_fabric_deliveries(const struct hd_fabric *fabric, uint32_t *n);

/** Holds the network interface of `node` (§4.6) for `cycles` cycles, beginning with the current one (before
 *  hd_fabric_step). HD_E_INPUT for a node out of range, HD_E_NOMEM. */
int hd_fabric_hold(struct hd_fabric *fabric, uint32_t node, uint64_t cycles, struct hd_error *err);

/** Returns true if nothing is under way anywhere and no held interface owes a credit. Then steps change nothing until
 *  the next send. */
bool hd_fabric_idle(const struct hd_fabric *fabric);

/** Advances an idle fabric by `cycles` cycles at once. */
void hd_fabric_skip(struct hd_fabric *fabric, uint64_t cycles);

/** Counts since creation. */
struct hd_fabric_counters {
  uint64_t packets_sent, packets_received, flits_received; /* a multicast flit counts once for each
                                                            * receiver */
  uint64_t barriers_sent, barriers_received; /* barrier messages, at network interfaces */
  uint64_t blocked_flit_cycles;              /* §6.3; 0 with external switches */
  uint64_t last_progress;     /* last cycle in which a flit moved, or in which a held interface
                             * stopped one */
  uint64_t last_received;     /* last cycle in which a packet was received */
  uint64_t oldest_created;    /* creation cycle of the oldest packet under way, UINT64_MAX: none */
  uint64_t packets_foreign;   /* received, but never sent or not intact */
  uint64_t packets_of_others; /* packets sent in virtual networks other than 0 (§5.28) */
  uint64_t packets_made; /* received from a coder (§11.12); not counted as received or foreign */
  uint64_t packets_lost, barriers_lost; /* lost because of faults (§5.9); not complete with external
                                         * switches */
};
void hd_fabric_counters(const struct hd_fabric *fabric, struct hd_fabric_counters *counters);

/** Returns how often the model passed each point since creation; NULL without params.coverage or with external
 *  switches. Borrowed. */
const struct hd_coverage *hd_fabric_coverage(const struct hd_fabric *fabric);

/** Returns the blocked flit-cycles (§6.3) of each input channel since creation, at index (switch·ports + port)·vcs +
 *  vc. Their sum is the counter blocked_flit_cycles. NULL with external switches. Borrowed. */
const uint64_t *hd_fabric_blocked(const struct hd_fabric *fabric);

/* ── barrier messages, configuration while running ─────────────────────────── */

/** Hands a barrier message (§8.1) to the network interface of `node` in the current cycle. Bits 32 and above are 0 if
 *  switches have no values. HD_E_INPUT without barrier, HD_E_NOMEM. */
int hd_fabric_barrier_send(struct hd_fabric *fabric, uint32_t node, uint64_t message,
                           struct hd_error *err);

/** A barrier message received in the last step. */
struct hd_barrier_delivery {
  uint32_t node;
  uint64_t received; /* cycle */
  uint64_t message;
};
const struct hd_barrier_delivery *hd_fabric_barrier_deliveries(const struct hd_fabric *fabric,
                                                               uint32_t *n);

/** Writes to the configuration port (§3) of switch `sw`: in this cycle or, if other writes already wait there, after
 *  them, at one write a cycle. *cycle (may be NULL) gets the cycle of the write. The write takes effect in the next
 *  cycle. */
int hd_fabric_config(struct hd_fabric *fabric, uint32_t sw, uint32_t addr, uint16_t data,
                     uint64_t *cycle, struct hd_error *err);

/** Hands the barrier messages, writes, holds and faults that `from` got since its last step to `to` as well. */
int hd_fabric_mirror(const struct hd_fabric *from, struct hd_fabric *to, struct hd_error *err);

/** Returns the barrier routing tables that the switches started with; NULL without barrier. */
const struct hd_barrier_ways *hd_fabric_barrier_ways(const struct hd_fabric *fabric);

/* ── faults, §5.9 ──────────────────────────────────────────────────────────── */

/** Makes the link at a switch's port, or all links of a switch, fail in the current cycle (before hd_fabric_step). A
 *  link that has failed already does not change. Needs params.faults. HD_E_INPUT if there is no such link or switch,
 *  HD_E_NOMEM. */
int hd_fabric_fail_link(struct hd_fabric *fabric, uint32_t sw, uint32_t port, struct hd_error *err);
int hd_fabric_fail_switch(struct hd_fabric *fabric, uint32_t sw, struct hd_error *err);

/** Returns the failed links and switches. A node's link is listed by its switch's port. NULL: nothing has failed. */
const struct hd_dead *hd_fabric_dead(const struct hd_fabric *fabric);

/** A packet found lost in the last step: a part of it vanished on a failed link, or a switch has no way for it. Not
 *  complete with external switches. */
struct hd_loss {
  uint32_t number, source, destination, flits;
  uint64_t created;
  bool synthetic;
};
const struct hd_loss *hd_fabric_losses(const struct hd_fabric *fabric, uint32_t *n);

/** Returns true if no barrier message is under way in any interface, link or switch. Without barrier always true;
 *  otherwise always false with external switches. */
bool hd_fabric_barrier_quiet(const struct hd_fabric *fabric);

/* ── recording ─────────────────────────────────────────────────────────────── */

/** Growing lists of one switch's events in a window. The events of its inputs are in one place, and so are those of its
 *  outputs. */
struct hd_switch_record {
  struct hd_flit_event *flits_in;
  struct hd_credit_event *credits_in;
  uint32_t *tags_in; /* packet number of each flits_in; HD_PACKET_NONE after external switches */
  size_t cap_flits_in, cap_credits_in;
  uint32_t n_flits_in, n_credits_in;

  uint32_t n_flits_out, n_credits_out;
  struct hd_flit_event *flits_out;
  struct hd_credit_event *credits_out;
  uint32_t *tags_out; /* packet number of each flits_out */
  size_t cap_flits_out, cap_credits_out;

  struct hd_config_event *configs_in;
  uint32_t *toggles; /* cycles at whose start quiescent_o changes, 1 … n */
  size_t cap_configs_in, cap_toggles;
  uint32_t n_configs_in, n_toggles;
  bool quiescent_at_start; /* quiescent_o in the window's first cycle */
};

/** The events of all switches in a window [start, start + cycles). The fabric keeps later output events for the next
 *  window. */
struct hd_record {
  uint64_t start;
  uint32_t cycles;
  uint32_t n_switches;
  struct hd_switch_record *switches; /* [n_switches] */
};
int hd_record_init(struct hd_record *record, uint32_t n_switches);
void hd_record_fini(struct hd_record *record);

/** Starts a window at the current cycle: clears `record` and records into it. */
void hd_fabric_record_begin(struct hd_fabric *fabric, struct hd_record *record);

/** Ends the window: output events up to hd_fabric_cycle() are in the record, later ones
 *  wait for the next window. HD_E_NOMEM if an event could not be kept. */
int hd_fabric_record_end(struct hd_fabric *fabric, struct hd_error *err);

/* ── closed loop with external switches ────────────────────────────────────── */

/** First half of a cycle: adds the events at the switches' pins to the attached record, whose window is one cycle.
 *  */
int hd_fabric_step_inputs(struct hd_fabric *fabric, struct hd_error *err);

/** Second half of a cycle: puts output events of switch `sw`, visible in the next cycle, onto the
 *  links. */
void hd_fabric_put_outputs(struct hd_fabric *fabric, uint32_t sw, const struct hd_flit_event *flits,
                           uint32_t n_flits, const struct hd_credit_event *credits,
                           uint32_t n_credits);

/** Ends a cycle that hd_fabric_step_inputs began. */
void hd_fabric_step_done(struct hd_fabric *fabric);

/* ── looking inside ────────────────────────────────────────────────────────── */

/** Returns the model of switch `sw`; NULL with external switches. */
const struct hd_switch *hd_fabric_switch(const struct hd_fabric *fabric, uint32_t sw);

/** Returns the number of the packet whose flit is at the front of an input channel; HD_PACKET_NONE: the channel is
 *  empty. */
uint32_t hd_switch_front_packet(const struct hd_switch *sw, uint32_t port, uint32_t vc);

/** Gets the facts of a packet by number. HD_E_INPUT if the packet was received or is lost. */
int hd_fabric_packet(const struct hd_fabric *fabric, uint32_t number, struct hd_packet *packet,
                     uint64_t *created);

/** Returns how many flits of the packet have left its source's interface; 0 if it was received or is lost.
 *  */
uint32_t hd_fabric_packet_sent(const struct hd_fabric *fabric, uint32_t number);

/** Returns how many nodes receive a packet: 1, or the receivers of a multicast flit. */
uint32_t hd_fabric_copies(const struct hd_packet *packet, uint32_t n_nodes);
/** Returns the number that the next packet gets. All lower numbers were sent. */
uint32_t hd_fabric_next_packet(const struct hd_fabric *fabric);
/** Returns the lowest number of a packet under way, or HD_PACKET_NONE. */
uint32_t hd_fabric_oldest_packet(const struct hd_fabric *fabric);

/** The packets that wait in the network interface of `node`: the first one, how many they are, and whether the first
 *  waits for credits. hd_fabric_sending returns false if no packet waits. */
struct hd_sending {
  uint32_t number, destination, packets;
  bool starved;
};
bool hd_fabric_sending(const struct hd_fabric *fabric, uint32_t node, struct hd_sending *sending);

/** Writes the wait-for cycle of a deadlock, or the oldest waiting chain, as text lines into buf; returns the length
 *  that it needs. The internal state of external switches is not known. For them the text lists the packets under way
 *  and the flits that they hold, counted from the traffic at their ports. */
size_t hd_fabric_explain_wait(const struct hd_fabric *fabric, char *buf, size_t size);

/** Returns the bytes of model state a switch, tables included. */
size_t hd_fabric_bytes_per_switch(const struct hd_fabric *fabric);

#endif
