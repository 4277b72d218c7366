/* The fabric model's state; for cmodel/fabric*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Links are calendars: an event that leaves now is put into the slot of the cycle in which it arrives. Sets have a bit
 * for each switch and node with work.
 */
#ifndef HD_FABRIC_STATE_H
#define HD_FABRIC_STATE_H

#include "fabric.h"
#include "../switch/switch_state.h"

/** A flit on its way to the peer `far`. The event's port is that of `far`; its cycle is not used. */
struct transit_flit {
  struct hd_flit_event event;
  uint32_t tag;
  struct hd_peer far;
};

struct transit_credit {
  struct hd_peer far;
  uint16_t vcs; /* hd_credit_set */
};

enum { PEER_KINDS = HD_PEER_NODE + 1 }; /* indexed by enum hd_peer_kind */

/** Arrivals of one cycle, sorted by the kind of receiver. There is room for one flit and one set of credits of each
 *  link. */
struct arrivals {
  struct transit_flit *flits[PEER_KINDS]; /* [room]; those for nodes follow those for switches */
  struct transit_credit *credits[PEER_KINDS];          /* likewise */
  uint32_t n_flits[PEER_KINDS], n_credits[PEER_KINDS]; /* those for HD_PEER_NONE stay 0 */
};

/** The switches that must advance in coming cycles, by cycle modulo DUE_SLOTS. A switch that only waits for the routing
 *  of its flits is in one set: that of the cycle in which the routing is done. */
struct due_set {
  uint64_t in[DUE_SLOTS];
};

/** A packet from send to reception. Found by its number modulo the table's size. */
struct packet {
  uint64_t created, header;
  uint64_t *payload; /* NULL: synthetic, or a bare packet of one flit; owned */
  uint32_t number;   /* HD_PACKET_NONE: free */
  uint32_t source, destination, flits, network;
  uint32_t waited; /* cycles that it waited in the interface's queue */
  uint8_t traffic_class, priority;
  bool bare;               /* software made all its words itself, without a message (§4.3) */
  bool cast;               /* multicast: `payload` has a bit for each node that has not received it
                            * */
  bool sent;               /* its tail has left the interface */
  bool lost;               /* lost because of a fault; it will not be received */
  uint32_t next;           /* number of the next in the interface's queue */
  uint32_t older, younger; /* the packets before and after this one among those to one destination;
                            * with external switches only */
};

/** Sending side of a network interface (§4.1). */
struct injector {
  uint32_t first;               /* queue of packet numbers */
  uint32_t last[HD_PRIORITIES]; /* the last packet of each priority */
  uint8_t waiting;              /* a bit for each priority that has packets here */
  uint32_t sent;                /* flits of the first packet that were sent; 0: it has not begun */
  uint8_t vc, vc_next;
  uint8_t credit[HD_MAX_VCS];
};

/** A barrier message or a configuration write that waits for its cycle; in a queue by index. */
struct waiting {
  uint32_t next;
  uint16_t data;
  uint64_t word; /* message or address */
};
struct waiting_queue {
  uint32_t first, last; /* WAITING_NONE: empty */
};
enum { WAITING_NONE = UINT32_MAX };

/** The barrier part of a network interface (§7.9, §7.10). */
struct barrier_interface {
  struct waiting_queue queue;
  uint64_t sent;            /* cycle of the last barrier flit, which took the link in that cycle */
  bool second;              /* the last flit of a message must follow on `vc` */
  uint8_t vc, credit;       /* credit: free elements of the switch's barrier queue */
  uint16_t high;            /* data of that last flit */
  uint16_t low[HD_MAX_VCS]; /* data of a first flit that was received (§7.4) */
};

/** Writes that wait for a switch's configuration port. */
struct config_queue {
  struct waiting_queue queue;
  uint64_t free_from; /* first cycle in which no write waits any more */
};

/** Inputs from outside since the last step, to be handed to another fabric as well. */
enum handed_kind { HANDED_MESSAGE, HANDED_CONFIG, HANDED_HOLD, HANDED_LINK, HANDED_SWITCH };
struct handed {
  uint8_t kind; /* enum handed_kind */
  uint16_t data;
  uint32_t where; /* node of a message; switch of a write; node of a hold; switch of a fault */
  uint64_t word;  /* message; address; cycles of a hold; port */
};

/** The receiving side of a network interface that is held or was held (§4.6). */
struct ejector {
  uint64_t held_until;       /* first cycle in which it is not held */
  uint32_t owed[HD_MAX_VCS]; /* credits that it owes, by channel */
  uint16_t now;              /* credits to return in this cycle even if it is held */
};

/** An end of a link, in a fabric that may have faults (§5.9). While the link works, `slots` and `messages`
 *  count what the end has taken in and has not given credits for. fail_ends says what they count afterwards.
 *  */
struct link_end {
  uint32_t tag[HD_MAX_VCS]; /* number of the packet that is coming in */
  uint8_t slots[HD_MAX_VCS], made[HD_MAX_VCS];
  uint8_t messages;
  uint8_t open, preempted; /* channels on which a packet, or a preemption, is under way to the end's
                            * holder */
  bool dead;
};

/** A packet being received on one channel (§4.2). */
struct assembly {
  uint64_t *words;
  uint32_t n, tag;
  size_t capacity;
};

struct hd_fabric {
  struct hd_fabric_params params;
  const struct hd_topology *topology;
  uint64_t cycle;
  uint32_t flit_hop;    /* cycles from a grant to the arrival at the next switch: 1 + D + the
                         * fabric's LINK */
  uint32_t head_need;   /* credits that a head needs at an interface */
  uint32_t barrier_vc;  /* the channel that packets never take; HD_MAX_VCS: none */
  uint32_t cast_vc;     /* the channel of multicast; HD_MAX_VCS: none */
  uint32_t networks;    /* number of virtual networks (§5.28) */
  uint32_t network_vcs; /* channels of each of them */
  uint8_t header_mode;
  hd_draw_node *draws;
  uint32_t node_bits;
  uint64_t data_mask;

  uint32_t n_slots; /* slots of the calendar, a power of two */
  uint32_t n_links;
  uint32_t
      room[PEER_KINDS]; /* of each slot: input ports of switches, of nodes; to HD_PEER_NONE: 0 */
  struct arrivals *calendar;
  uint64_t under_way; /* flits and credits in the calendar */

  unsigned char *switches; /* [n_switches] blocks of switch_size bytes, 64-byte aligned */
  size_t switch_size;
  bool plain;          /* its own switches are plain, and no link can fail or has its own LINK */
  struct due_set *due; /* one for 64 switches: those that advance, by cycle modulo DUE_SLOTS */

  struct injector *injectors;  /* [n_nodes] */
  uint64_t *node_set;          /* nodes with packets to send */
  struct assembly *assemblies; /* [n_nodes][vcs] */
  struct ejector *ejectors;    /* [n_nodes] */
  uint64_t *ejector_set;       /* nodes whose interface is held or owes credits */
  uint64_t n_ejectors;         /* number of bits set in it */
  uint64_t n_owed;             /* credits owed by all nodes */

  struct packet *packets; /* [n_packets], a power of two */
  uint32_t n_packets;
  uint32_t next_number;
  uint32_t oldest; /* lowest number under way; next_number if none is */
  uint32_t *oldest_to,
      *youngest_to; /* [n_nodes + 1], the last element for multicast; external switches only */
  uint32_t *held;   /* [n_switches][ports][vcs]: flits that an external switch took in without
                     * giving a credit for them yet */

  struct hd_delivery *deliveries;
  uint32_t n_deliveries;
  size_t cap_deliveries;

  struct hd_barrier_ways ways;
  struct barrier_interface *barrier; /* [n_nodes]; NULL without barrier */
  uint64_t *barrier_set;             /* nodes with barrier flits to send */
  struct config_queue *configs;      /* [n_switches] */
  uint64_t *config_set;              /* switches with writes that wait */
  struct waiting *waiting;           /* [cap_waiting], by index; free elements form a list */
  size_t cap_waiting;
  uint32_t free_waiting;
  uint32_t n_waiting, n_configs; /* waiting messages, second flits and writes; of these the writes
                                  * */
  struct hd_barrier_delivery *barrier_deliveries;
  uint32_t n_barrier_deliveries;
  size_t cap_barrier_deliveries;
  struct handed *handed;
  uint32_t n_handed;
  size_t cap_handed;

  struct link_end *ends; /* [n_links]: switch ports, then nodes; NULL: no faults */
  uint32_t *dead_ends;   /* [n_dead_ends] in the order in which they failed */
  uint32_t n_dead_ends;
  bool some_dead; /* a switch has failed */
  uint64_t *dead_switches, *dead_links;
  struct hd_dead dead; /* failed switches and links */
  struct hd_loss *losses;
  uint32_t n_losses;
  size_t cap_losses;
  uint64_t losses_cycle; /* cycle in which the losses were found */
  bool losses_failed;

  struct hd_fabric_counters counters;
  struct hd_coverage *coverage; /* NULL: nothing is counted */
  uint64_t *blocked; /* [n_switches·ports·vcs] of input channels; NULL without coverage */

  struct hd_record *record;
  bool record_failed;
  struct hd_flit_event *carry; /* [n_switches][carry_room]: outputs of later windows */
  uint32_t *carry_tags, *n_carry;
  uint32_t carry_room;
  bool *quiescent; /* quiescent_o by switch, as far as it was recorded */

  struct hd_flit_event *scratch_flits; /* outputs of one switch while nothing is recorded */
  struct hd_credit_event *scratch_credits;
  uint32_t *scratch_tags;
};

/* Recording (fabric_record.c, fabric_record.h). */
void hd_fabric_note_config_in(struct hd_fabric *f, uint32_t sw, uint32_t addr, uint16_t data);

/* Inputs of switches and interfaces (fabric.c). */
void hd_fabric_take_flit(struct hd_fabric *f, const struct transit_flit *flit);
void hd_fabric_take_credit(struct hd_fabric *f, const struct transit_credit *credit);

/* Faults (fabric_fault.c). All but the first two and the last need `ends`. */
bool hd_fabric_faults_allocate(struct hd_fabric *f);
void hd_fabric_faults_free(struct hd_fabric *f);
/** Returns true if an event at the pins vanishes because of a fault. */
bool hd_fabric_end_flit(struct hd_fabric *f, const struct transit_flit *flit);
bool hd_fabric_end_credit(struct hd_fabric *f, const struct transit_credit *credit);
/** Called after hd_switch_put_flit: marks a packet that the switch will discard as lost. */
void hd_fabric_end_routed(struct hd_fabric *f, const struct hd_switch *s,
                          const struct transit_flit *flit);
/** Adds the events that dead ends of links give to their switches and nodes in this cycle. Called before the arrivals.
 *  */
int hd_fabric_ends_act(struct hd_fabric *f, struct hd_error *err);
bool hd_fabric_ends_idle(const struct hd_fabric *f);

/* Barrier messages, configuration (fabric_barrier.c). */
bool hd_fabric_barrier_allocate(struct hd_fabric *f);
void hd_fabric_barrier_free(struct hd_fabric *f);
/** Sets the registers and tables of §8.6 in a switch that was just reset. */
void hd_fabric_barrier_configure(const struct hd_fabric *f, uint32_t sw);
/** Sends the barrier flits of this cycle. Called before data is sent. */
void hd_fabric_barrier_inject(struct hd_fabric *f);
/** Returns true if new packets of this node must wait for a barrier message that has a credit (§7.10). */
bool hd_fabric_barrier_first(const struct hd_fabric *f, uint32_t node);
/** Takes in a flit of a reserved kind at a node's pins (§7.9). */
int hd_fabric_barrier_eject(struct hd_fabric *f, const struct transit_flit *flit,
                            struct hd_error *err);
/** hd_fabric_config_ahead is called before the switches advance, hd_fabric_config_now after all other inputs of the
 *  cycle. */
void hd_fabric_config_ahead(const struct hd_fabric *f);
void hd_fabric_config_now(struct hd_fabric *f);

/** Makes room to log one more input from outside. False: out of memory. */
bool hd_fabric_room_handed(struct hd_fabric *f);

/* Held interfaces (fabric_hold.c). */
/** Does what hd_fabric_give does, for an interface that is held or was held. */
void hd_fabric_defer_credits(struct hd_fabric *f, uint32_t node, unsigned credits,
                             unsigned at_once);
/** Returns the credits of this cycle from interfaces that are held or were held. Called after all flits of the cycle.
 *  */
void hd_fabric_return_deferred_credits(struct hd_fabric *f);

/* Packets (fabric_packet.c). */
void hd_fabric_forget(struct hd_fabric *f, struct packet *p);
/** Takes in a flit at a node's pins. */
int hd_fabric_eject(struct hd_fabric *f, const struct transit_flit *flit, struct hd_error *err);
/** Sends this cycle's flits of all nodes that have something to send. */
void hd_fabric_inject(struct hd_fabric *f);

static inline uint32_t arrivals_n(const uint32_t n[PEER_KINDS])
{
  return n[HD_PEER_SWITCH] + n[HD_PEER_NODE];
}

static inline struct hd_peer hd_fabric_port(uint32_t sw, uint32_t port)
{
  return (struct hd_peer){HD_PEER_SWITCH, (uint8_t)port, (uint16_t)sw};
}

/** Returns LINK of the link that leaves an end. */
static inline uint32_t hd_fabric_link(const struct hd_fabric *f, struct hd_peer from)
{
  return from.kind == HD_PEER_SWITCH
             ? hd_topology_link_cycles(f->topology, from.index, from.port, f->params.link_cycles)
             : f->params.link_cycles;
}

/* A switch shows at most one flit and one credit set a port. If a faulty DUT shows more in closed loop, the surplus is
 * lost here. */
static inline void hd_fabric_post_flit(struct hd_fabric *f, uint64_t cycle, struct hd_peer far,
                                       uint8_t vc, uint8_t kind, uint64_t data, uint32_t tag)
{
  struct arrivals *a = &f->calendar[cycle & (f->n_slots - 1)];
  if (a->n_flits[far.kind] == f->room[far.kind])
    return;
  a->flits[far.kind][a->n_flits[far.kind]++] =
      (struct transit_flit){{data, 0, far.port, vc, kind, 0}, tag, far};
  f->under_way++;
}

static inline void hd_fabric_post_credit(struct hd_fabric *f, uint64_t cycle, struct hd_peer far,
                                         uint16_t vcs)
{
  struct arrivals *a = &f->calendar[cycle & (f->n_slots - 1)];
  if (a->n_credits[far.kind] == f->room[far.kind])
    return;
  a->credits[far.kind][a->n_credits[far.kind]++] = (struct transit_credit){far, vcs};
  f->under_way++;
}

/** Returns the credits of a flit at a node's pins. `at_once`: the credits that even a held interface returns. */
static inline void hd_fabric_give(struct hd_fabric *f, uint32_t node, unsigned credits,
                                  unsigned at_once)
{
  if (__builtin_expect(f->ejector_set[node / 64] >> node % 64 & 1, 0))
    hd_fabric_defer_credits(f, node, credits, at_once);
  else if (credits)
    hd_fabric_post_credit(f, f->cycle + f->params.link_cycles, f->topology->node_exits[node],
                          (uint16_t)credits);
}

/** Finds a packet under way; NULL: none has this number. */
static inline struct packet *hd_fabric_find(const struct hd_fabric *f, uint32_t number)
{
  struct packet *p = &f->packets[number & (f->n_packets - 1)];
  return p->number == number && number != HD_PACKET_NONE ? p : NULL;
}

/** Data of a packet's flit; 0 is the head. */
static inline uint64_t hd_fabric_word(const struct hd_fabric *f, const struct packet *p,
                                      uint32_t index)
{
  if (index == 0)
    return p->header;
  uint64_t word =
      p->payload ? p->payload[index - 1] : hd_mix64(((uint64_t)p->number << 16) + index);
  return word & f->data_mask;
}

/** Returns true if the packet may begin on this channel of the interface (§4.1). */
static inline bool hd_fabric_may_begin(const struct hd_fabric *f, const struct injector *in,
                                       const struct packet *p, uint32_t vc)
{
  return in->credit[vc] >= f->head_need && vc != f->barrier_vc && (vc == f->cast_vc) == p->cast &&
         (p->cast || vc / f->network_vcs == p->network);
}

/** Returns the index of an input channel in [n_switches][ports][vcs]. */
static inline size_t hd_fabric_channel(const struct hd_fabric *f, uint32_t sw, uint32_t port,
                                       uint32_t vc)
{
  return ((size_t)sw * f->topology->ports + port) * f->params.sw.vcs + vc;
}

static inline void hd_fabric_cover(const struct hd_fabric *f, enum hd_spec_point point)
{
  if (f->coverage)
    f->coverage->count[point]++;
}

/** If `due`, makes the switch advance in `cycle`. */
static inline void hd_fabric_advance_in(const struct hd_fabric *f, uint32_t sw, uint64_t cycle,
                                        bool due)
{
  f->due[sw / 64].in[cycle % DUE_SLOTS] |= (uint64_t)due << sw % 64;
}

static inline struct hd_switch *hd_fabric_block(const struct hd_fabric *f, uint32_t sw)
{
  return (struct hd_switch *)(void *)(f->switches + f->switch_size * sw);
}

#endif
