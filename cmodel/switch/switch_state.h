/* The layout of a switch's block of memory; for cmodel/switch*.c and barrier*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Behind the struct: its channels, the buffers' slots, the routing tables, as many as there
 * are, so that a small switch touches few cache lines; behind them the barrier part
 * (barrier_state.h), the adaptive part (adaptive_state.h), the coder (coder_state.h), where there is one, and the
 * first step of two cycles of allocation.
 */
#ifndef HD_SWITCH_STATE_H
#define HD_SWITCH_STATE_H

#include "coverage.h"
#include "switch.h"

/* VC_IDLE - 1 has all bits set, and the others less 1 no lane: see asks. */
enum vc_state { VC_IDLE, VC_OPEN, VC_SINK };

/** Kind of a null flit (§7.2) in a buffer: neither head nor tail nor reserved, so that it is
 *  treated like a body. */
enum { SLOT_NULL = 8 };

/** Change of a header (§1.3). It shifts where a packet is routed by ports, and turns where mode 3 goes by its
 *  destination. Of multicast (§13.3) no bit changes. */
enum header_change { HEADER_STAYS, HEADER_SHIFTS, HEADER_TURNS, HEADER_MULTICAST };

/** A flit in a buffer, with the route of a head (§2.7). */
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
      uint8_t chosen : 4;    /* output port */
    };
    struct { /* of a multicast flit, which never chooses; for coverage */
      uint8_t : 2;
      uint8_t has_left : 1;   /* by a branch */
      uint8_t has_waited : 1; /* after that, for the others */
    };
  };
};
_Static_assert(sizeof(struct slot) == 16, "a flit takes 16 bytes");

/** An input virtual channel. */
struct channel {
  uint64_t lane;      /* of the open packet; 0: none is */
  uint32_t base;      /* of its slots, bytes from the switch's start */
  uint32_t front;     /* likewise, of the slot of the oldest flit */
  uint8_t count;      /* occupancy, §2.3 */
  uint8_t state;      /* enum vc_state */
  uint8_t oport, ovc; /* of the open packet */
  uint8_t body;       /* coverage: the open packet has shown a body flit */
  uint8_t zero[3];
};
_Static_assert(sizeof(struct channel) == 24, "a channel takes 24 bytes");

/** Request of a channel's oldest flit (§2.4). */
struct request {
  uint64_t lanes; /* that it could take; 0, and chosen 0: it is to be discarded */
  uint8_t port;
  uint8_t chosen; /* §10.4: the chosen port + 1; 0: there is none */
};

enum { DUE_SLOTS = 4 }; /* routing takes at most two cycles, so three are under way at most */

/** A port, both its input and its output side. Of the channels of its output, credits are bytes of one word;
 *  sets of them are lanes: bit 7 of a channel's byte. The round robins of §2.5 are kept as what was granted
 *  last, which is the one before in_next, out_next and vc_next. */
struct port {
  uint64_t credits; /* out: a byte a channel, 0 where there is none */
  uint64_t owned;   /* out: lanes */
  uint8_t in_last, out_last, vc_last;
  uint8_t sent_vc; /* out, coverage: of the last grant */
  uint8_t zero[4];
};
_Static_assert(sizeof(struct port) == 24, "a port takes 24 bytes");
_Static_assert(HD_MAX_VCS == 8 && HD_MAX_DEPTH < 0x80, "credits fit into lanes");

/** A set of input channels, a bit for each place of switch_place. All channels of a port are in one word. */
struct channel_set {
  uint64_t word[HD_MAX_PORTS * HD_MAX_VCS / 64];
};

/** Proposal of an input port for the next cycle (§2.5, two cycles of allocation). */
struct proposal {
  uint64_t lanes; /* channels of the output port that may be given to it */
  uint8_t vc, output;
  uint8_t some; /* 0: nothing is put forward */
  uint8_t zero[5];
};

/** §2.5, two cycles: what the first step of the cycle `pop_cycle` goes by. It is made at the start of the next
 *  cycle, when the credits that came in between are known. */
struct first_step {
  uint64_t spent[HD_MAX_PORTS];      /* credits at its start less those after its grants */
  uint64_t allowed[2][HD_MAX_PORTS]; /* lanes for heads, for open packets, whatever their credits */
  uint64_t owned[HD_MAX_PORTS];      /* at its start */
  uint64_t adapt;                    /* lanes of m_A (§10.2) */
  struct channel_set asking;         /* fronts that ask */
  struct channel_set left;           /* fronts after its pops */
  uint16_t granted;                  /* input ports */
  uint16_t is_due;                   /* it has not been made yet */
  uint32_t zero;
};

/** With ARB_CYCLES 2: behind the other parts. */
struct two_cycles {
  struct first_step first;
  struct proposal proposed[HD_MAX_PORTS]; /* for the cycle `pop_cycle` */
  uint64_t owned_before[HD_MAX_PORTS];    /* lanes owned in the cycle before `pop_cycle` */
};

/** The order is that of use: what every cycle needs comes first, in few cache lines. */
struct hd_switch {
  struct channel_set fronts;         /* that have a front */
  struct channel_set popped;         /* popped in the cycle `pop_cycle` */
  struct channel_set due[DUE_SLOTS]; /* by cycle modulo: those whose newest flit is then routed */
  uint64_t pop_cycle;                /* cycle of the last advance with fronts */
  uint64_t quiet_from;               /* §2.10: quiescent_o is 1 from here on if nothing enters */
  uint64_t bias[2];                  /* switch_bias for a head, and for a flit of an open packet */
  uint64_t surplus_bias;             /* the same for more credits than there are slots */
  uint32_t active;                   /* flits held; what the barrier part has to do or to keep */
  uint32_t nodes;                    /* of params */
  uint32_t destination_offset;       /* bytes from the switch's start; so are those below */
  uint16_t ring_bytes;               /* of a channel's slots */
  uint8_t vcs, ports, depth;         /* of params */
  uint8_t vc_shift;                  /* see switch_place */
  uint8_t vc_bits;                   /* mask of legal channels */
  uint8_t
      extra; /* not 0: it has a barrier part, an adaptive part, a coder, multicast or coverage */
  uint8_t flit_delay;  /* grant to output wire: 2 + D */
  uint8_t route_delay; /* arrival to first grant: R + 1 */
  uint8_t node_bits, port_bits;
  uint8_t data_vc_bits;         /* mask of channels that a packet may get; §7.7: not always all */
  uint8_t head_need;            /* credits that a head needs, max(1, CUT_FLITS) */
  uint8_t barrier;              /* enum hd_barrier */
  uint8_t adaptive;             /* not 0: it has port sets, enum hd_adaptive */
  uint8_t coder;                /* not 0: there is one */
  uint8_t two_cycles;           /* ARB_CYCLES is 2 */
  uint8_t is_plain;             /* see switch_base_path.h */
  uint8_t computes;             /* routes: it has no tables */
  uint8_t cast;                 /* not 0: it has multicast */
  uint8_t ugal;                 /* not 0: packets decide between two ways */
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

/** in_last, with the first step that is due. */
unsigned hd_switch_in_last(const struct hd_switch *sw, unsigned port);

/** Place of an input channel in the switch's array and in sets: channels of a port are a power of two apart. */
static inline unsigned switch_place(const struct hd_switch *sw, unsigned port, unsigned vc)
{
  return port << sw->vc_shift | vc;
}

/** How many places there are; those of no channel stay empty. */
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

/** The channels of a port in a set. */
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

/** Without a branch, which would often be mispredicted. */
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

/** The slot of the oldest flit of a channel, and that of the one `index` after it. */
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

/** The lanes of a mask of channels, and the mask of lanes. */
__attribute__((visibility("hidden"))) extern const uint64_t hd_switch_lanes_of[256];
static inline uint64_t switch_lanes(unsigned mask)
{
  return hd_switch_lanes_of[mask];
}

static inline unsigned switch_mask(uint64_t lanes)
{
  return (unsigned)((lanes >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/** Addend for all credits at once. It sets the top bit of each lane whose credits are at least `need`; need >= 1. */
static inline uint64_t switch_bias(unsigned need)
{
  return (0x80 - need) * LANE_ONES;
}

/** Channels of an output that a flit of an open packet (1), or a head (0), has the credits for. */
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

/** Notes one of two points: `node` where the port leads to a node, the other where it leads to a switch. */
static inline void switch_cover_port(const struct hd_switch *sw, enum hd_spec_point node,
                                     unsigned port)
{
  if (sw->coverage)
    sw->coverage->count[node + !(sw->node_ports >> port & 1)]++;
}

/** Bits of mask, not 0, less one; at most 3. */
static inline unsigned switch_others(unsigned mask)
{
  unsigned n = 0;
  while (n < 3 && (mask &= mask - 1))
    n++;
  return n;
}

/** Records an error; `point` is the way to it. */
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

/** First bit of mask, not 0, at or cyclically after `next`. */
static inline unsigned switch_first_from(unsigned mask, unsigned next)
{
  unsigned above = mask >> next << next;
  return (unsigned)__builtin_ctz(above ? above : mask);
}

/** First bit of mask, not 0, cyclically after bit `last`. */
static inline unsigned switch_first_after(unsigned mask, unsigned last)
{
  unsigned above = mask & ~1u << last;
  return (unsigned)__builtin_ctz(above ? above : mask);
}

/** The channel of the first of `lanes`, not 0, cyclically after channel `last`. */
static inline unsigned switch_lane_after(uint64_t lanes, unsigned last)
{
  uint64_t above = lanes & ~UINT64_C(0xff) << 8 * last;
  return (unsigned)__builtin_ctzll(above ? above : lanes) / 8;
}

/** in_next, out_next or vc_next of n, by what was granted last. */
static inline unsigned switch_next(unsigned last, unsigned n)
{
  return last + 1 == n ? 0 : last + 1;
}

/** How many inputs output `port` has: the coder is one (§11.6). */
static inline unsigned switch_inputs(const struct hd_switch *sw, unsigned port)
{
  return sw->ports + (unsigned)(sw->coder && !port);
}

#endif
