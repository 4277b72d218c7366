/* The fabric model's state; for cmodel/fabric*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Links are calendars: what leaves now is put into the slot of the cycle in which it
 * arrives. Switches and nodes with work are bits in sets.
 */
#ifndef HD_FABRIC_STATE_H
#define HD_FABRIC_STATE_H

#include "fabric.h"
#include "switch_state.h"

/** A flit on its way; `far` says to whom. */
struct transit_flit {
  uint64_t data;
  uint32_t tag;
  struct hd_peer far;
  uint8_t vc, kind;
};

struct transit_credit {
  struct hd_peer far;
  uint8_t vcs;
};

/** What arrives in one cycle. Room for one flit and one credit set of each link. */
struct arrivals {
  struct transit_flit *flits;
  struct transit_credit *credits;
  uint32_t n_flits, n_credits;
};

/** A packet from send to reception. Found by its number modulo the table's size. */
struct packet {
  uint64_t created, header;
  uint64_t *payload; /* NULL: synthetic; owned */
  uint32_t number;   /* HD_PACKET_NONE: free */
  uint32_t source, destination, flits;
  bool sent;               /* its tail has left the interface */
  uint32_t next;           /* number of the next in the interface's queue */
  uint32_t older, younger; /* neighbours among those under way to one destination; external
                              switches only */
};

/** Sending side of a network interface (§4.1). */
struct injector {
  uint32_t first, last; /* queue of packet numbers */
  uint32_t sent;        /* flits of the first packet that were sent; 0: not under way */
  uint8_t vc, vc_next;
  uint8_t credit[HD_MAX_VCS];
};

/** A packet being received on one channel (§4.2). */
struct assembly {
  uint64_t *words;
  uint32_t n, capacity, tag;
};

struct hd_fabric {
  struct hd_fabric_params params;
  const struct hd_topology *topology;
  uint64_t cycle;
  uint32_t flit_hop;  /* grant to arrival at the next switch: 1 + D + LINK */
  uint32_t head_need; /* credits that a head needs at an interface */
  uint8_t header_mode;
  uint32_t node_bits;
  uint64_t data_mask;

  uint32_t n_slots; /* of the calendar, a power of two */
  uint32_t n_links; /* room of each slot */
  struct arrivals *calendar;
  uint64_t under_way; /* flits and credits in the calendar */

  unsigned char *switches; /* [n_switches] blocks of switch_size bytes, 64-byte aligned */
  size_t switch_size;
  uint64_t *switch_set; /* bit set: switches that hold flits */

  struct injector *injectors;  /* [n_nodes] */
  uint64_t *node_set;          /* nodes with packets to send */
  struct assembly *assemblies; /* [n_nodes][vcs] */

  struct packet *packets; /* [n_packets], a power of two */
  uint32_t n_packets;
  uint32_t next_number;
  uint32_t oldest;                   /* lowest number under way; next_number: none is */
  uint32_t *oldest_to, *youngest_to; /* [n_nodes], external switches only */
  uint32_t *held; /* [n_switches][ports][vcs]: flits that an external switch took in and gave no
                     credit for */

  struct hd_delivery *deliveries;
  uint32_t n_deliveries, cap_deliveries;

  struct hd_fabric_counters counters;

  struct hd_record *record;
  bool record_failed;
  struct hd_flit_event *carry; /* [n_switches][carry_room]: outputs of later windows */
  uint32_t *carry_tags, *n_carry;
  uint32_t carry_room;
  bool *quiescent; /* quiescent_o as recorded so far, by switch */

  struct hd_flit_event *scratch_flits; /* outputs of one switch when nothing is recorded */
  struct hd_credit_event *scratch_credits;
  uint32_t *scratch_tags;
};

/* Record side (fabric_record.c). The *_in functions are called before the switch sees
 * the input, so that a rise and fall of quiescent_o is noted in order. */
void hd_fabric_note_flit_in(struct hd_fabric *f, uint32_t sw, const struct transit_flit *flit);
void hd_fabric_note_credit_in(struct hd_fabric *f, uint32_t sw,
                              const struct transit_credit *credit);
/** Room for one cycle's outputs of `sw` at the end of its lists; false: out of memory. */
bool hd_fabric_note_room(struct hd_fabric *f, struct hd_switch_record *r);

/* Packets (fabric_packet.c). */
struct packet *hd_fabric_find(const struct hd_fabric *f, uint32_t number);
uint64_t hd_fabric_word(const struct hd_fabric *f, const struct packet *packet, uint32_t index);
/** Takes in a flit at a node's pins. */
int hd_fabric_eject(struct hd_fabric *f, const struct transit_flit *flit, struct hd_error *err);
/** Flits of this cycle of all nodes with something to send. */
void hd_fabric_inject(struct hd_fabric *f);

/* A switch shows at most one flit and one credit set a port; a DUT gone wild that shows more
 * in closed loop loses them here. */
static inline void hd_fabric_post_flit(struct hd_fabric *f, uint64_t cycle, struct hd_peer far,
                                       uint8_t vc, uint8_t kind, uint64_t data, uint32_t tag)
{
  struct arrivals *a = &f->calendar[cycle & (f->n_slots - 1)];
  if (far.kind == HD_PEER_NONE || a->n_flits == f->n_links)
    return;
  a->flits[a->n_flits++] = (struct transit_flit){data, tag, far, vc, kind};
  f->under_way++;
}

static inline void hd_fabric_post_credit(struct hd_fabric *f, uint64_t cycle, struct hd_peer far,
                                         uint8_t vcs)
{
  struct arrivals *a = &f->calendar[cycle & (f->n_slots - 1)];
  if (far.kind == HD_PEER_NONE || a->n_credits == f->n_links)
    return;
  a->credits[a->n_credits++] = (struct transit_credit){far, vcs};
  f->under_way++;
}

/** Index of an input channel in [n_switches][ports][vcs]. */
static inline size_t hd_fabric_channel(const struct hd_fabric *f, uint32_t sw, uint32_t port,
                                       uint32_t vc)
{
  return ((size_t)sw * f->topology->ports + port) * f->params.sw.vcs + vc;
}

static inline struct hd_switch *hd_fabric_block(const struct hd_fabric *f, uint32_t sw)
{
  return (struct hd_switch *)(void *)(f->switches + f->switch_size * sw);
}

#endif
