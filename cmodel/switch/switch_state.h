/* The layout of a switch's block of memory; for cmodel/switch*.c and barrier*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * After the struct come its channels, the buffers' slots and the routing tables, only as many as the switch
 * has, so that a small switch touches few cache lines. The optional parts follow: barrier
 * (barrier_state.h), adaptive (adaptive_state.h), coder (coder_state.h), two cycles of allocation (struct
 * two_cycles), multicast (cast_state.h), the choice between two ways (ugal_state.h).
 */
#ifndef HD_SWITCH_STATE_H
#define HD_SWITCH_STATE_H

#include "coverage.h"
#include "switch.h"

/* A state minus 1 is a mask in asks: VC_IDLE - 1 has all lanes, the others minus 1 have none. */
enum vc_state { VC_IDLE, VC_OPEN, VC_SINK };

/** Kind of a null flit (§7.2) in a buffer: neither head nor tail nor reserved, so that it is
 *  treated like a body. */
enum { SLOT_NULL = 8 };

/** How a switch changes a header (§1.3). It shifts if the packet is routed by ports, and turns if a packet of mode 3
 *  goes to its destination. A header of multicast (§13.3) does not change. */
enum header_change { HEADER_STAYS, HEADER_SHIFTS, HEADER_TURNS, HEADER_MULTICAST };

/** A flit in a buffer; for a head with its route (§2.7). */
struct slot {
  uint64_t data;
  uint32_t tag;
  uint8_t kind;
  uint8_t oport;
  uint8_t vc_mask; /* legal output channels; 0: unroutable */
  union {
    struct {
      uint8_t change : 2;    /* enum header_change */
      uint8_t is_chosen : 1; /* §10.4 */
      uint8_t chosen : 4;    /* the output port that was chosen */
    };
    struct { /* of a multicast flit, which never chooses; for coverage */
      uint8_t : 2;
      uint8_t has_left : 1;   /* it has left by some branch */
      uint8_t has_waited : 1; /* then it has waited for another branch */
    };
  };
};
_Static_assert(sizeof(struct slot) == 16, "a flit takes 16 bytes");

/** An input virtual channel. */
struct channel {
  uint64_t lane;      /* lane of the open packet; 0: no packet is open */
  uint32_t base;      /* first slot, bytes from the switch's start */
  uint32_t front;     /* slot of the oldest flit, likewise */
  uint8_t count;      /* occupancy, §2.3 */
  uint8_t state;      /* enum vc_state */
  uint8_t oport, ovc; /* of the open packet */
  uint8_t body;       /* coverage: the open packet has shown a body flit */
  uint8_t zero[3];
};
_Static_assert(sizeof(struct channel) == 24, "a channel takes 24 bytes");

/** Request of a channel's oldest flit (§2.4). */
struct request {
  uint64_t lanes; /* lanes that it could take; 0, and chosen 0: discard it */
  uint8_t port;
  uint8_t chosen; /* the chosen port + 1 (§10.4); 0: none is chosen */
};

enum { DUE_SLOTS = 4 }; /* routing takes at most two cycles, so at most three are under way */

/** A port, with its input side and its output side. The credits of its output's channels are bytes of one word; sets of
 *  these channels are lanes: bit 7 of a channel's byte. A round robin of §2.5 is kept as the last grant, which is the
 *  position before in_next, out_next or vc_next. */
struct port {
  uint64_t credits; /* out: one byte a channel, 0 if there is no such channel */
  uint64_t owned;   /* out: lanes with an owner */
  uint8_t in_last, out_last, vc_last;
  uint8_t sent_vc; /* out, coverage: of the last grant */
  uint8_t zero[4];
};
_Static_assert(sizeof(struct port) == 24, "a port takes 24 bytes");
_Static_assert(HD_MAX_VCS == 8 && HD_MAX_DEPTH < 0x80, "credits fit into lanes");

/** A set of input channels, with a bit for each switch_place. All channels of a port are in one word. */
struct channel_set {
  uint64_t word[HD_MAX_PORTS * HD_MAX_VCS / 64];
};

/** The proposal of an input port for the next cycle (§2.5, two cycles of allocation). */
struct proposal {
  uint64_t lanes; /* channels of the output port that the grant may give */
  uint8_t vc, output;
  uint8_t some; /* 0: there is no proposal */
  uint8_t zero[5];
};

/** State that the first step of the cycle `pop_cycle` uses (§2.5, two cycles). The step runs at the start of the next
 *  cycle, when the credits that came in between are known. */
struct first_step {
  uint64_t spent[HD_MAX_PORTS];      /* credits at the cycle's start less those after its grants */
  uint64_t allowed[2][HD_MAX_PORTS]; /* lanes for heads, for open packets; credits do not count */
  uint64_t owned[HD_MAX_PORTS];      /* owned lanes at the cycle's start */
  uint64_t adapt;                    /* lanes of m_A (§10.2) */
  struct channel_set asking;         /* fronts that ask in the cycle */
  struct channel_set left;           /* fronts after the cycle's pops */
  uint16_t granted;                  /* input ports that were granted */
  uint16_t is_due;                   /* 1: the step must still run */
  uint32_t zero;
};

/** State of a switch with ARB_CYCLES 2. */
struct two_cycles {
  struct first_step first;
  struct proposal proposed[HD_MAX_PORTS]; /* for the cycle `pop_cycle` */
  uint64_t owned_before[HD_MAX_PORTS];    /* lanes owned in the cycle before `pop_cycle` */
};

/** The order of members is that of use: those of every cycle come first, in few cache lines. */
struct hd_switch {
  struct channel_set fronts;         /* channels that have a front */
  struct channel_set popped;         /* channels popped in the cycle `pop_cycle` */
  struct channel_set due[DUE_SLOTS]; /* by cycle modulo DUE_SLOTS: channels whose newest flit is
                                      * routed then */
  uint64_t pop_cycle;                /* cycle of the last advance with fronts */
  uint64_t quiet_from;               /* §2.10: quiescent_o is 1 from here on if nothing enters */
  uint64_t bias[2];                  /* switch_bias for a head, and for a flit of an open packet */
  uint64_t surplus_bias;             /* likewise, for more credits than there are slots */
  uint32_t active;                   /* flits held, and things that the barrier part has to do or
                                      * keep */
  uint32_t nodes;                    /* NODES of params */
  uint32_t destination_offset;       /* bytes from the switch's start; so are the next ones */
  uint16_t ring_bytes;               /* bytes of a channel's slots */
  uint8_t vcs, ports, depth;         /* as in params */
  uint8_t vc_shift;                  /* see switch_place */
  uint8_t vc_bits;                   /* mask of all channels */
  uint8_t
      extra; /* not 0: it has a barrier part, an adaptive part, a coder, multicast or coverage */
  uint8_t flit_delay;  /* grant to output wire: 2 + D */
  uint8_t route_delay; /* arrival to first grant: R + 1 */
  uint8_t node_bits, port_bits;
  uint8_t data_vc_bits;         /* channels that packets may get; §7.7: maybe not all */
  uint8_t head_need;            /* credits that a head needs, max(1, CUT_FLITS) */
  uint8_t barrier;              /* enum hd_barrier */
  uint8_t adaptive;             /* not 0: it has port sets, enum hd_adaptive */
  uint8_t coder;                /* not 0: it has a coder */
  uint8_t two_cycles;           /* 1: ARB_CYCLES is 2 */
  uint8_t is_plain;             /* see switch_base_path.h */
  uint8_t computes;             /* 1: it computes routes and has no tables */
  uint8_t cast;                 /* not 0: it has multicast */
  uint8_t ugal;                 /* not 0: its packets decide between two ways */
  uint16_t errors, errors_now;  /* errors_now: recorded in the cycle `error_cycle` */
  struct hd_coverage *coverage; /* the caller's, or NULL */
  struct port port[HD_MAX_PORTS];
  uint64_t error_cycle;
  uint32_t source_offset, barrier_offset, adaptive_offset, coder_offset, two_offset, cast_offset;
  uint32_t ugal_offset;
  uint64_t *blocked;   /* coverage: the caller's [ports·vcs], or NULL */
  uint16_t node_ports; /* coverage: those that lead to a node */
  uint16_t sent_ports; /* coverage: outputs that granted in the cycle `pop_cycle` */
  struct {
    uint16_t own, far, below, digits;
  } computed; /* registers of §12.6 */
  struct hd_switch_params params;
  _Alignas(64) struct channel
      channels[]; /* [switch_places], by switch_place; behind them slots, tables */
};

_Static_assert(offsetof(struct hd_switch, coverage) <= 192,
               "three cache lines are for every cycle");

static inline struct two_cycles *two_of(const struct hd_switch *sw)
{
  return (struct two_cycles *)(void *)(uintptr_t)((const char *)sw + sw->two_offset);
}

/** Returns in_last, after the first step if that is due. */
unsigned hd_switch_in_last(const struct hd_switch *sw, unsigned port);

/** Returns the index of an input channel in the switch's array and in sets. Channels of a port start at multiples of a
 *  power of two. */
static inline unsigned switch_place(const struct hd_switch *sw, unsigned port, unsigned vc)
{
  return port << sw->vc_shift | vc;
}

/** Returns the number of indices. Those without a channel stay empty. */
static inline unsigned switch_places(const struct hd_switch *sw)
{
  return (unsigned)sw->ports << sw->vc_shift;
}

static inline unsigned switch_port_of(const struct hd_switch *sw, unsigned place)
{
  return place >> sw->vc_shift;
}

static inline unsigned switch_vc_of(const struct hd_switch *sw, unsigned place)
{
  return place & ((1u << sw->vc_shift) - 1u);
}

static inline struct channel *switch_channel(struct hd_switch *sw, unsigned port, unsigned vc)
{
  return &sw->channels[switch_place(sw, port, vc)];
}

/** Returns the channels of a port in a set. */
static inline unsigned switch_set_of(const struct hd_switch *sw, const struct channel_set *set,
                                     unsigned port)
{
  unsigned first = switch_place(sw, port, 0);
  return (unsigned)(set->word[first / 64] >> first % 64) & sw->vc_bits;
}

static inline void switch_set_add(struct channel_set *set, unsigned place)
{
  set->word[place / 64] |= UINT64_C(1) << place % 64;
}

/** Removes a channel without a branch, which would often be mispredicted. */
static inline void switch_set_remove_if(struct channel_set *set, unsigned place, bool remove)
{
  set->word[place / 64] &= ~((uint64_t)remove << place % 64);
}

static inline bool switch_set_has(const struct channel_set *set, unsigned place)
{
  return set->word[place / 64] >> place % 64 & 1;
}

static inline bool switch_set_is_empty(const struct channel_set *set)
{
  return !(set->word[0] | set->word[1]);
}

/** Returns the slot of the oldest flit of a channel; switch_slot returns the one `index` after it. */
static inline struct slot *switch_queue_head(const struct hd_switch *sw, const struct channel *ch)
{
  return (struct slot *)(void *)(uintptr_t)((const char *)sw + ch->front);
}

static inline struct slot *switch_slot(const struct hd_switch *sw, const struct channel *ch,
                                       unsigned index)
{
  uint32_t at = ch->front + index * (uint32_t)sizeof(struct slot);
  at -= at - ch->base >= sw->ring_bytes ? sw->ring_bytes : 0u;
  return (struct slot *)(void *)(uintptr_t)((const char *)sw + at);
}

/* ── sets of an output's channels ── */

#define LANES UINT64_C(0x8080808080808080)
#define LANE_ONES UINT64_C(0x0101010101010101)

static inline uint64_t switch_lane(unsigned vc)
{
  return UINT64_C(0x80) << 8 * vc;
}

/** Returns the lanes of a mask of channels; switch_mask: the mask of lanes. */
__attribute__((visibility("hidden"))) extern const uint64_t hd_switch_lanes_of[256];
static inline uint64_t switch_lanes(unsigned mask)
{
  return hd_switch_lanes_of[mask];
}

static inline unsigned switch_mask(uint64_t lanes)
{
  return (unsigned)((lanes >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/** Returns a number to add to all credits at once: it sets the top bit of each lane with at least `need` credits; need
 *  >= 1. */
static inline uint64_t switch_bias(unsigned need)
{
  return (0x80 - need) * LANE_ONES;
}

/** Returns the channels of an output with credits enough for a flit of an open packet (1) or a head (0). */
static inline uint64_t switch_has_credit(const struct hd_switch *sw, const struct port *out,
                                         unsigned open)
{
  return (out->credits + sw->bias[open]) & LANES;
}

static inline unsigned switch_credit(const struct hd_switch *sw, unsigned port, unsigned vc)
{
  return sw->port[port].credits >> 8 * vc & 0xff;
}

static inline uint16_t *switch_table(const struct hd_switch *sw, uint32_t offset, unsigned port)
{
  return (uint16_t *)(uintptr_t)((const char *)sw + offset) + (size_t)port * sw->nodes;
}

static inline void switch_cover(const struct hd_switch *sw, enum hd_spec_point point)
{
  if (sw->coverage)
    sw->coverage->count[point]++;
}

/** Counts one of two points: `node` if the port leads to a node, the other if it leads to a switch. */
static inline void switch_cover_port(const struct hd_switch *sw, enum hd_spec_point node,
                                     unsigned port)
{
  if (sw->coverage)
    sw->coverage->count[node + !(sw->node_ports >> port & 1)]++;
}

/** Returns the number of bits of mask, not 0, less one; at most 3. */
static inline unsigned switch_others(unsigned mask)
{
  unsigned n = 0;
  while (n < 3 && (mask &= mask - 1))
    n++;
  return n;
}

/** Records an error; `point` is the way that led to it. */
static inline void switch_error(struct hd_switch *sw, uint64_t cycle, unsigned bit,
                                enum hd_spec_point point)
{
  switch_cover(sw, point);
  switch_cover(sw, sw->errors & bit ? HD_POINT_ERROR_AGAIN : HD_POINT_ERROR_FIRST);
  if (sw->error_cycle == cycle && (sw->errors_now & ~bit))
    switch_cover(sw, HD_POINT_ERRORS_TWO);
  if (sw->error_cycle != cycle) {
    sw->error_cycle = cycle;
    sw->errors_now = 0;
  }
  sw->errors_now |= (uint16_t)bit;
  sw->errors |= (uint16_t)bit;
}

static inline void switch_quiet_not_before(struct hd_switch *sw, uint64_t cycle)
{
  uint64_t from = sw->quiet_from;
  sw->quiet_from = from > cycle ? from : cycle;
}

static inline void switch_take_credit(struct hd_switch *sw, unsigned port, unsigned vc)
{
  sw->port[port].credits -= UINT64_C(1) << 8 * vc;
  if (sw->coverage && !switch_credit(sw, port, vc))
    switch_cover(sw, HD_POINT_CREDIT_LAST);
}

/** Returns the first bit of mask, not 0, at or cyclically after `next`. */
static inline unsigned switch_first_from(unsigned mask, unsigned next)
{
  unsigned above = mask >> next << next;
  return (unsigned)__builtin_ctz(above ? above : mask);
}

/** Returns the first bit of mask, not 0, cyclically after bit `last`. */
static inline unsigned switch_first_after(unsigned mask, unsigned last)
{
  unsigned above = mask & ~1u << last;
  return (unsigned)__builtin_ctz(above ? above : mask);
}

/** Returns the channel of the first of `lanes`, not 0, cyclically after channel `last`. */
static inline unsigned switch_lane_after(uint64_t lanes, unsigned last)
{
  uint64_t above = lanes & ~UINT64_C(0xff) << 8 * last;
  return (unsigned)__builtin_ctzll(above ? above : lanes) / 8;
}

/** Returns in_next, out_next or vc_next of n, given the last grant. */
static inline unsigned switch_next(unsigned last, unsigned n)
{
  return last + 1 == n ? 0 : last + 1;
}

/** Returns the number of inputs of output `port`: the coder is one (§11.6). */
static inline unsigned switch_inputs(const struct hd_switch *sw, unsigned port)
{
  return sw->ports + (unsigned)(sw->coder && !port);
}

#endif
