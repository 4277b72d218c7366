/* The state that the watch keeps for each switch. Private to bridge/watch/.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WATCH_INTERNAL_H
#define HD_WATCH_INTERNAL_H

#include "port_watch.h"

enum packet_state { WAITS, LEAVES, GONE };
enum packet_flag {
  WHOLE = 1, /* its last flit has come in */
  /* it may be gone: an equal packet may have left in its place, or it may be discarded */
  LOOSE = 2,
  ANY_WAY = 4, /* a table was written while it was inside, so it may leave by any port */
  ODD = 8,     /* another head came in inside of it (§2.4) */
  STATED = 16, /* `set` has its ports, on all channels; params.routes decided them, not tables */
  /* a multicast packet (§13): it waits until it has left by each port of `set`, on channel vc */
  CAST = 32,
  /* it leaves either by `entry`, with an unchanged header, or by `straight`, with a turned one
   * (§10.9) */
  DECIDES = 64,
  TURNED = 128 /* with DECIDES: it left with a turned header */
};

/** A packet that came in. */
struct packet {
  uint64_t looks; /* its header as it leaves (§1.3) */
  uint64_t came;  /* cycle in which it came in */
  uint32_t first; /* number of its first flit in its channel */
  uint32_t flits, left;
  /* flits after it that will be discarded; they keep their slots until it has left */
  uint32_t behind;
  /* `entry` and `set` are entry and port set of the tables (§2.7, §10.2). In a network, `set` is
   * the endpoint's port. With multicast, the packet has left by the ports in `entry` and not yet
   * by those in `set`. */
  uint16_t entry, set;
  uint16_t straight; /* with DECIDES: the other entry */
  uint8_t kind, state, flags;
  uint8_t port, vc; /* output by which it leaves */
};

/** The contents of an input channel: rings of packets and of flits' data, indexed by number. */
struct channel {
  struct packet *packets;
  uint64_t *flits;
  uint32_t cap_packets, cap_flits; /* powers of two, or 0 */
  /* numbers of packets: the oldest, the first that may wait, the next to come in */
  uint32_t first, waits, next;
  uint32_t next_flit;   /* number of the next flit to come in */
  uint64_t came, moved; /* cycles in which a flit last came in and left */
  uint8_t coming;       /* enum coming */
};
enum coming { NO_PACKET, A_PACKET, DISCARDED };

/** The packet of an input port that has waited longest. */
struct front {
  uint64_t since; /* since this cycle or earlier it has been the first of its channel */
  /* its channel, and the number of its first flit plus 1; 0: no packet was seen yet */
  uint32_t channel, number;
};

/** Packet under way on an output channel. */
struct output {
  uint32_t packet;
  int32_t channel; /* input channel; −1: not known */
};

/** A head that left. */
struct passed {
  uint64_t looks, came, left;
  uint8_t kind, in_port, in_vc, port, vc;
};
enum { PASSED = 32 };

/** A flit or head left out of turn. The next output decides which rule is broken. */
struct pending {
  bool on;
  bool of_head;
  /* rule that is broken if the flit that was due leaves next; otherwise broken.rule is */
  enum hd_port_rule if_next;
  struct hd_port_break broken;
  uint64_t until; /* last cycle in which the due flit may follow */
  uint64_t due;   /* data of the flit that was due */
  uint8_t due_kind;
  uint32_t packet; /* the packet that was due, and its channel */
  uint16_t channel;
  const char *if_next_says; /* end of the sentence in that case */
};

struct watched {
  uint8_t *sent; /* [ports·vcs], outputs: flits whose credits did not come back yet */
  /* [ports·vcs], inputs: slots whose credits the switch did not give back yet */
  uint8_t *taken;
  uint8_t *open_in, *open_out;   /* [ports]: channels with a packet under way */
  uint8_t *by_path;              /* outputs: channels whose packet is source-routed (§1.3) */
  uint8_t *preempted;            /* outputs: channels that are preempted (§7.5) */
  uint8_t *ready_in, *ready_out; /* channels that are ready, with ready_links */
  /* tables by destination, by source, of port sets: [ports][nodes]; NULL: the switch has no such
   * table */
  uint16_t *entries[3];
  uint8_t adapt;
  uint16_t first;           /* register FIRST (§10.9) */
  uint16_t *trees;          /* [trees]: table of multicast (§13.3) */
  uint8_t cast;             /* channel of multicast */
  struct channel *channels; /* [ports·vcs] */
  struct output *outputs;   /* [ports·vcs] */
  uint32_t *heads_out;      /* [ports·vcs][ports]: heads that left, by the port they came in by */
  uint32_t *heads_now;      /* [ports]: sums of heads_out over the ways of one packet */
  struct front *fronts;     /* [ports] */
  /* [ports][ports]: heads that had left by the outputs of a front packet when it was first
   * looked at */
  uint32_t *heads_before;
  uint64_t *flit_out, *credit_in; /* [ports], outputs: last cycle with a flit, and with a credit */
  /* [ports·vcs], outputs: cycle in which the last free slot was taken */
  uint64_t *full_at;
  /* [ports][ports]: fewest free slots of a channel when a single of one port left by the other;
   * 0: no single did */
  uint8_t *single_room;
  /* channels of an input, or of an output, were seen to pass each other */
  bool apart_in, apart_out;
  uint64_t *waiting; /* a bit for each input channel: a packet waits in it */
  uint32_t inside;   /* packets inside */
  uint32_t owing;    /* slots whose credits were not given back, over all channels */
  struct passed passed[PASSED];
  uint32_t n_passed;
  struct pending pending;
  uint64_t next_look; /* cycle of the next look at waiting packets */
  struct hd_port_counts counts;
};

struct hd_port_watch {
  struct hd_port_watch_params params;
  uint32_t node_bits, port_bits, channels; /* ports·vcs */
  unsigned packet_channels;                /* channels that packets may take (§7.7) */
  struct watched *switches;                /* [n_switches] */
  uint8_t *waits;                          /* [n_switches·channels], for the search of circles */
  uint32_t *list;                          /* likewise */
  void *room;                              /* owns the arrays of all switches */
  uint32_t nodes;                          /* number of nodes: the highest node at a port, plus 1 */
  /* [nodes][n_switches]: links from the switch to the node, for params.routes; NULL: not needed */
  uint16_t *distances;
};

/** A switch whose window is checked now. */
struct view {
  struct hd_port_watch *watch;
  struct watched *s;
  struct hd_port_break *broken;
  uint64_t start;
  uint32_t sw;
};

/** The tree of a multicast header (§13.2). */
static inline uint32_t hd_watch_tree(const struct hd_port_watch *w, uint64_t header)
{
  return (uint32_t)(header >> 2 & ((UINT64_C(1) << w->node_bits) - 1));
}

static inline struct packet *packet_of(const struct channel *c, uint32_t number)
{
  return &c->packets[number & (c->cap_packets - 1)];
}

/* The next functions run for each flit. They are inline because the call would cost more than
 * the work. */

static inline uint64_t hd_watch_flit_data(const struct channel *c, const struct packet *p,
                                          uint32_t flit)
{
  return c->flits[(p->first + flit) & (c->cap_flits - 1)];
}

static inline unsigned hd_watch_flit_kind(const struct packet *p, uint32_t flit)
{
  if (!flit)
    return p->kind;
  return p->flags & WHOLE && flit + 1 == p->flits ? HD_KIND_TAIL : HD_KIND_BODY;
}

/* True if flit `flit` of the packet has come in and is equal to `e`. */
static inline bool hd_watch_is_flit(const struct channel *c, const struct packet *p, uint32_t flit,
                                    const struct hd_flit_event *e)
{
  return flit < p->flits && hd_watch_flit_data(c, p, flit) == e->data &&
         hd_watch_flit_kind(p, flit) == e->kind;
}

/* Moves c->waits to the first packet that waits. */
static inline void hd_watch_find_waiting(struct channel *c)
{
  while (c->waits != c->next && packet_of(c, c->waits)->state != WAITS)
    c->waits++;
}

/* Notes whether a packet waits in input channel `i`. */
static inline void hd_watch_note_waiting(struct watched *s, uint32_t i)
{
  const struct channel *c = &s->channels[i];
  const uint64_t bit = UINT64_C(1) << (i & 63);
  if (c->waits == c->next)
    s->waiting[i >> 6] &= ~bit;
  else
    s->waiting[i >> 6] |= bit;
}

/* ── port_watch.c ──────────────────────────────────────────────────────────── */

/** Notes a broken rule if none was noted before. `flit` may be NULL. So may `packet`, which came
 *  in on input channel `channel`. */
__attribute__((format(printf, 8, 9))) void
hd_watch_breaks(const struct view *v, enum hd_port_rule rule, uint64_t cycle, unsigned port,
                const struct hd_flit_event *flit, const struct packet *packet, uint32_t channel,
                const char *format, ...);
bool hd_watch_is_broken(const struct view *v);
const char *hd_watch_kind_name(unsigned kind);
/** A name such as "head to node 14"; returned by value. */
struct head_name {
  char text[48];
};
struct head_name hd_watch_head_name(const struct hd_port_watch *w, unsigned kind, uint64_t looks);

/** True if channel `vc` at output `o` has room for this many flits; with ready_links, for any. */
static inline bool hd_watch_has_room(const struct hd_port_watch *w, const struct watched *s,
                                     uint32_t o, uint32_t vc, uint32_t flits)
{
  if (w->params.ready_links)
    return s->ready_out[o] >> vc & 1;
  return s->sent[o * w->params.sw.vcs + vc] + flits <= w->params.sw.depth_flits;
}
/** True if no further flit can come in on input channel `i`. */
static inline bool hd_watch_is_full(const struct hd_port_watch *w, const struct watched *s,
                                    uint32_t i)
{
  const uint32_t vcs = w->params.sw.vcs;
  if (w->params.ready_links)
    return !(s->ready_in[i / vcs] >> i % vcs & 1);
  return s->taken[i] >= w->params.sw.depth_flits;
}
/** True if some input holds slots whose credits were not given back. */
bool hd_watch_takes_no_more(const struct hd_port_watch *w, const struct watched *s);
/** A text such as "data 0x0123", for messages. */
struct data_text {
  char text[32];
};
struct data_text hd_watch_data_text(const struct hd_port_watch *w, uint64_t data);

/* ── port_routes.c ─────────────────────────────────────────────────────────── */

/** Counts links from each switch to each node, if params.routes needs them. HD_E_NOMEM,
 *  HD_E_INPUT. */
int hd_watch_measure(struct hd_port_watch *w, struct hd_error *err);
/** Finds the ports by which a head that comes in by `port` may leave (§2.7, §10.4) and its
 *  header when it leaves; sets both in *packet. False: the head has no route and is discarded
 *  (§2.8). */
bool hd_watch_route(const struct hd_port_watch *w, const struct watched *s, uint32_t port,
                    uint64_t data, struct packet *packet);
/** The set of channels of `port` by which the packet may leave. */
unsigned hd_watch_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *packet, uint32_t port);
/** Likewise for a packet that leaves with header `data`. */
unsigned hd_watch_ways_with(const struct hd_port_watch *w, const struct watched *s,
                            const struct packet *packet, uint32_t port, uint64_t data);
/** Packets inside that a write to the tables may affect: the old or the new entry may lead them. */
struct rewritten {
  bool others;    /* all packets but multicast */
  uint32_t trees; /* bits: multicast packets of these trees */
};
/** Writes to the configuration port of the switch. */
struct rewritten hd_watch_write(const struct hd_port_watch *w, struct watched *s, uint32_t addr,
                                uint16_t data);
/** Appends why the packet may not leave as `flit` does: ", the table says port 3". */
void hd_watch_say_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *packet, const struct hd_flit_event *flit, char *what,
                       size_t size);

/* ── watch_alike.c ─────────────────────────────────────────────────────────── */

struct found {
  uint32_t channel, number;
  struct packet *packet;
  bool allowed;
};
/** Finds the packet that the head belongs to. Looks at packets that may leave next or, with
 *  `deep`, at all that wait. Other packets that could be the leaving one become loose. */
struct found hd_watch_find_packet(const struct view *v, const struct hd_flit_event *e, bool deep);
/** Tries another packet for output `o` that began with the same flits and goes on with `e`.
 *  True: they changed places. */
bool hd_watch_change_places(const struct view *v, struct output *o, const struct hd_flit_event *e);
/** True if another packet could be the one that leaves in place of `p`, which came in on input
 *  channel `channel`: so far both look alike. */
bool hd_watch_is_ambiguous(const struct hd_port_watch *w, const struct watched *s, uint32_t channel,
                           const struct packet *p);
/* ── watch_packets.c: P6 … P13 ─────────────────────────────────────────────── */

/** Stores a data flit that came in on a legal channel. HD_E_NOMEM. */
int hd_watch_flit_in(const struct view *v, const struct hd_flit_event *e);
/** Checks a head or single that left, or a flit inside a packet that left. */
void hd_watch_head_out(const struct view *v, const struct hd_flit_event *e);
void hd_watch_flit_out(const struct view *v, const struct hd_flit_event *e);
/** P12: true if `a` must leave before `b`. `b` came in later, by the same input port. */
bool hd_watch_in_order(const struct hd_port_watch *w, const struct packet *a, uint32_t a_vc,
                       const struct packet *b, uint32_t b_vc);
/** P12: finds the packet that must leave by output port `port` before `f` does. False: there is
 *  none. */
bool hd_watch_find_due(const struct view *v, const struct found *f, uint32_t port,
                       struct found *due);
/** Tables were written: the packets in `rewritten` may now leave by any port or be discarded. */
void hd_watch_loosen(const struct view *v, struct rewritten rewritten);
/** Reports a pending rule if cycle `now` is later than the last one that may settle it. */
void hd_watch_settle(const struct view *v, uint64_t now);

/* ── watch_slots.c: which slots a router must use ────────────────────────────── */

/** True if the slots at the receivers of outputs are known and only flits of packets use them. */
static inline bool hd_watch_counts_slots(const struct hd_port_watch *w)
{
  const struct hd_switch_params *p = &w->params.sw;
  return !w->params.ready_links && !w->params.is_network && !p->barrier && !p->code_places;
}
/** Learns how the router uses slots from a flit that left. Its packet came in on input channel
 *  `in`. */
void hd_watch_learn(const struct view *v, const struct hd_flit_event *e, uint32_t in);
/** Free slots of a channel at output `o` from which on P14 expects the packet, of input channel
 *  `in`, to start. */
uint32_t hd_watch_room_for(const struct hd_port_watch *w, const struct watched *s,
                           const struct packet *p, uint32_t in, uint32_t o);

/* ── watch_progress.c: P3, P14, P15 ────────────────────────────────────────────── */

enum { LOOK_CYCLES = 32 };
/** Checks waiting packets. Sees outputs of cycle `now` and inputs of earlier cycles. */
void hd_watch_look(const struct view *v, uint64_t now);

#endif
