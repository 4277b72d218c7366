/* Inside the watch: what it knows of a switch. For bridge/watch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WATCH_INTERNAL_H
#define HD_WATCH_INTERNAL_H

#include "port_watch.h"

enum packet_state { WAITS, LEAVES, GONE };
enum packet_flag {
  WHOLE = 1,   /* its last flit has come in */
  LOOSE = 2,   /* an equal packet may have left in its place, or it may be discarded */
  ANY_WAY = 4, /* a table was written while it was inside */
  ODD = 8,     /* a head came inside of it (§2.4) */
  STATED = 16, /* its ways are `set`, on all channels: by params.routes, not by tables */
  CAST =
      32, /* a multicast flit (§13): it leaves by each port of set, on channel vc; it waits until it has left by all */
  DECIDES = 64, /* it goes by entry, with its header as it came, or by straight, turned (§10.9), */
  TURNED = 128  /* with DECIDES: it left turned */
};

/** A packet that came in. */
struct packet {
  uint64_t looks; /* its header as it leaves (§1.3) */
  uint64_t came;  /* cycle */
  uint32_t first; /* number of its first flit in its channel */
  uint32_t flits, left;
  uint32_t
      behind; /* flits after it that will be discarded: they keep their slots as long as it is there */
  uint16_t entry,
      set; /* entry and port set of the tables (§2.7, §10.2); of a network `set` is the endpoint's port; of multicast `entry` is
              the ports by which it has left, `set` those by which it has not */
  uint16_t straight; /* the other entry of one that decides */
  uint8_t kind, state, flags;
  uint8_t port, vc; /* by which it leaves */
};

/** The contents of an input channel: rings of packets and of flits' data, by number. */
struct channel {
  struct packet *packets;
  uint64_t *flits;
  uint32_t cap_packets, cap_flits; /* powers of two, or 0 */
  uint32_t first, waits, next;     /* packets: oldest, first that may wait, next to come */
  uint32_t next_flit;              /* to come */
  uint64_t came, moved;            /* cycles in which a flit last came in and left */
  uint8_t coming;                  /* enum coming */
};
enum coming { NO_PACKET, A_PACKET, DISCARDED };

/** The packet of an input port that waits longest. */
struct front {
  uint64_t since; /* cycle in which it was the first of its channel, at the latest */
  uint32_t channel,
      number; /* of its first flit: the channel, the number plus 1; 0: none was seen yet */
};

/** Packet under way on an output channel. */
struct output {
  uint32_t packet;
  int32_t channel; /* input, −1: not known */
};

/** A head that left. */
struct passed {
  uint64_t looks, came, left;
  uint8_t kind, in_port, in_vc, port, vc;
};
enum { PASSED = 32 };

/** A flit or head out of its turn: what it is called depends on what leaves next. */
struct pending {
  bool on;
  bool of_head;
  enum hd_port_rule
      if_next; /* broken where the flit that was due leaves next; otherwise broken.rule is */
  struct hd_port_break broken;
  uint64_t until; /* cycle */
  uint64_t due;   /* data of the flit that was due */
  uint8_t due_kind;
  uint32_t packet; /* the packet that was due, and its channel */
  uint16_t channel;
  const char *if_next_says; /* end of the sentence */
};

struct watched {
  uint8_t *sent;                 /* [ports·vcs], outputs: flits for which no credit came */
  uint8_t *taken;                /* inputs: slots for which no credit was given */
  uint8_t *open_in, *open_out;   /* [ports]: channels with a packet under way */
  uint8_t *by_path;              /* outputs: channels whose packet is source-routed (§1.3) */
  uint8_t *preempted;            /* outputs: channels that are (§7.5) */
  uint8_t *ready_in, *ready_out; /* channels that are ready, with ready_links */
  uint16_t
      *entries[3]; /* by destination, source, port sets: [ports][nodes]; NULL: there are none */
  uint8_t adapt;
  uint16_t first;           /* register FIRST (§10.9) */
  uint16_t *trees;          /* [trees] of multicast (§13.3), */
  uint8_t cast;             /* and its channel */
  struct channel *channels; /* [ports·vcs] */
  struct output *outputs;   /* [ports·vcs] */
  uint32_t *heads_out;      /* [ports·vcs][ports]: heads that left, by the port they came in by */
  uint32_t *heads_now;      /* [ports]: sums of heads_out over the ways of one packet */
  struct front *fronts;     /* [ports] */
  uint32_t *
      heads_before; /* [ports][ports]: heads that had left by the ways of a front when it was first looked at */
  uint64_t *flit_out, *credit_in; /* [ports]: last cycle of each at an output */
  uint64_t *full_at; /* [ports·vcs], outputs: cycle in which the last slot was taken */
  uint8_t *
      single_room; /* [ports][ports]: the fewest free slots of a channel when a single of one port left by the other; 0: none did */
  bool apart_in,
      apart_out;     /* channels of an input, of an output, were seen not to wait for each other */
  uint64_t *waiting; /* a bit of each input channel: a packet waits */
  uint32_t inside;   /* packets */
  uint32_t owing;    /* slots for which no credit was given, of all channels */
  struct passed passed[PASSED];
  uint32_t n_passed;
  struct pending pending;
  uint64_t next_look; /* cycle of the next look at who waits */
  struct hd_port_counts counts;
};

struct hd_port_watch {
  struct hd_port_watch_params params;
  uint32_t node_bits, port_bits, channels; /* ports·vcs */
  unsigned packet_channels;                /* channels that packets may take (§7.7) */
  struct watched *switches;                /* [n_switches] */
  uint8_t *waits;                          /* for the search of circles: [n_switches·channels] */
  uint32_t *list;                          /* likewise */
  void *room;                              /* the arrays of all */
  uint32_t nodes; /* nodes of the network: 1 more than the highest that a port leads to */
  uint16_t
      *distances; /* [nodes][n_switches]: links to the node, for params.routes; NULL: not needed */
};

/** A switch whose window is looked at. */
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

/* The next functions run for each flit. They are inline because a call would cost more than they do. */

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

/* Flit `flit` of the packet has come in and is this one. */
static inline bool hd_watch_is_flit(const struct channel *c, const struct packet *p, uint32_t flit,
                                    const struct hd_flit_event *e)
{
  return flit < p->flits && hd_watch_flit_data(c, p, flit) == e->data &&
         hd_watch_flit_kind(p, flit) == e->kind;
}

/* Moves on to the first packet that waits. */
static inline void hd_watch_find_waiting(struct channel *c)
{
  while (c->waits != c->next && packet_of(c, c->waits)->state != WAITS)
    c->waits++;
}

/* Notes whether one waits in input channel `i`. */
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

/** Notes that a rule is broken, unless one is. `flit` and `packet`, of input channel `channel`, may be NULL. */
__attribute__((format(printf, 8, 9))) void
hd_watch_breaks(const struct view *v, enum hd_port_rule rule, uint64_t cycle, unsigned port,
                const struct hd_flit_event *flit, const struct packet *packet, uint32_t channel,
                const char *format, ...);
bool hd_watch_is_broken(const struct view *v);
const char *hd_watch_kind_name(unsigned kind);
/** "head to node 14", in static storage of the caller. */
struct head_name {
  char text[48];
};
struct head_name hd_watch_head_name(const struct hd_port_watch *w, unsigned kind, uint64_t looks);

/** Flits may leave by channel `vc` of output `o`. */
static inline bool hd_watch_has_room(const struct hd_port_watch *w, const struct watched *s,
                                     uint32_t o, uint32_t vc, uint32_t flits)
{
  if (w->params.ready_links)
    return s->ready_out[o] >> vc & 1;
  return s->sent[o * w->params.sw.vcs + vc] + flits <= w->params.sw.depth_flits;
}
/** True if nothing more can come in on input channel `i`. */
static inline bool hd_watch_is_full(const struct hd_port_watch *w, const struct watched *s,
                                    uint32_t i)
{
  const uint32_t vcs = w->params.sw.vcs;
  if (w->params.ready_links)
    return !(s->ready_in[i / vcs] >> i % vcs & 1);
  return s->taken[i] >= w->params.sw.depth_flits;
}
/** True if some input has flits that were not credited. */
bool hd_watch_takes_no_more(const struct hd_port_watch *w, const struct watched *s);
/** "data 0x0123", as messages show it. */
struct data_text {
  char text[32];
};
struct data_text hd_watch_data_text(const struct hd_port_watch *w, uint64_t data);

/* ── port_routes.c ─────────────────────────────────────────────────────────── */

/** Counts links from each switch to each node, where params.routes needs them. HD_E_NOMEM, HD_E_INPUT. */
int hd_watch_measure(struct hd_port_watch *w, struct hd_error *err);
/** Where a head that comes in by `port` may go (§2.7, §10.4), and its looks when it leaves, into *packet. False: it
 *  has no way and is discarded (§2.8). */
bool hd_watch_route(const struct hd_port_watch *w, const struct watched *s, uint32_t port,
                    uint64_t data, struct packet *packet);
/** Channels of `port` by which the packet may leave. */
unsigned hd_watch_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *packet, uint32_t port);
/** Likewise if it leaves with header `data`. */
unsigned hd_watch_ways_with(const struct hd_port_watch *w, const struct watched *s,
                            const struct packet *packet, uint32_t port, uint64_t data);
/** Packets inside that may go by what was in the tables before a write, or by what it wrote. */
struct rewritten {
  bool others;    /* all but multicast */
  uint32_t trees; /* bits: multicast flits of these */
};
/** A write to the configuration port. */
struct rewritten hd_watch_write(const struct hd_port_watch *w, struct watched *s, uint32_t addr,
                                uint16_t data);
/** ", the table says port 3": why it may not leave as `flit` does. */
void hd_watch_say_ways(const struct hd_port_watch *w, const struct watched *s,
                       const struct packet *packet, const struct hd_flit_event *flit, char *what,
                       size_t size);

/* ── watch_alike.c ─────────────────────────────────────────────────────────── */

struct found {
  uint32_t channel, number;
  struct packet *packet;
  bool allowed;
};
/** Packets that look like the head, of those before which no other must leave or of all that wait; others that may leave
 *  in the same way become loose. */
struct found hd_watch_find_packet(const struct view *v, const struct hd_flit_event *e, bool deep);
/** The packet on output `o` may be another one that began alike, and goes on as `e`. */
bool hd_watch_change_places(const struct view *v, struct output *o, const struct hd_flit_event *e);
/** Another packet may leave where `p`, of input channel `channel`, is taken to: so far both are alike. */
bool hd_watch_is_ambiguous(const struct hd_port_watch *w, const struct watched *s, uint32_t channel,
                           const struct packet *p);
/* ── watch_packets.c: P6 … P13 ─────────────────────────────────────────────── */

/** Takes a data flit that came in on a legal channel. HD_E_NOMEM. */
int hd_watch_flit_in(const struct view *v, const struct hd_flit_event *e);
/** Checks a head or single that left; a flit inside a packet that left. */
void hd_watch_head_out(const struct view *v, const struct hd_flit_event *e);
void hd_watch_flit_out(const struct view *v, const struct hd_flit_event *e);
/** P12: whether `a` must leave before `b`, which came later; both are of one input port. */
bool hd_watch_in_order(const struct hd_port_watch *w, const struct packet *a, uint32_t a_vc,
                       const struct packet *b, uint32_t b_vc);
/** The packet that must leave before `f` does by output port `port`, by P12; false: there is none. */
bool hd_watch_find_due(const struct view *v, const struct found *f, uint32_t port,
                       struct found *due);
/** Tables were written: packets inside may go by any way, or be discarded. */
void hd_watch_loosen(const struct view *v, struct rewritten rewritten);
/** By cycle `now` nothing more has left that would settle what is pending. */
void hd_watch_settle(const struct view *v, uint64_t now);

/* ── watch_slots.c: which slots a router must use ────────────────────────────── */

/** Are slots behind outputs known, and used by nothing but flits of packets? */
static inline bool hd_watch_counts_slots(const struct hd_port_watch *w)
{
  const struct hd_switch_params *p = &w->params.sw;
  return !w->params.ready_links && !w->params.is_network && !p->barrier && !p->code_places;
}
/** A flit of a packet of input channel `in` left. */
void hd_watch_learn(const struct view *v, const struct hd_flit_event *e, uint32_t in);
/** Free slots that a channel of output `o` must have before the packet, of input channel `in`, is asked to begin. */
uint32_t hd_watch_room_for(const struct hd_port_watch *w, const struct watched *s,
                           const struct packet *p, uint32_t in, uint32_t o);

/* ── watch_progress.c: P3, P14, P15 ────────────────────────────────────────────── */

enum { LOOK_CYCLES = 32 };
/** Looks at who waits, after outputs of cycle `now` and inputs before it. */
void hd_watch_look(const struct view *v, uint64_t now);

#endif
