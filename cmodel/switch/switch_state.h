/* The layout of a switch's block of memory; for cmodel/switch*.c and barrier*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Behind the struct: its channels, the buffers' slots, the routing tables, as many as there
 * are, so that a small switch touches few cache lines; behind them the barrier part
 * (barrier_state.h), the adaptive part (adaptive_state.h) and the coder (coder_state.h), where there is one.
 */
#ifndef HD_SWITCH_STATE_H
#define HD_SWITCH_STATE_H

#include "coverage.h"
#include "switch.h"

enum vc_state { VC_IDLE, VC_OPEN, VC_SINK };

/** Kind of a null flit (§7.2) in a buffer: neither head nor tail nor reserved, so that it is
 *  treated like a body. */
enum { SLOT_NULL = 8 };

/** A flit in a buffer, with the route of a head (§2.7). */
struct slot {
  uint64_t data;
  uint32_t tag;
  uint8_t kind;
  uint8_t oport;
  uint8_t vc_mask; /* legal output channels; 0: unroutable */
  uint8_t source_routed : 1;
  uint8_t turns : 1;     /* §1.3: mode 3, by its destination */
  uint8_t is_chosen : 1; /* §10.4 */
  uint8_t chosen : 4;    /* output port */
};
_Static_assert(sizeof(struct slot) == 16, "a flit takes 16 bytes");

/** An input virtual channel. The want_* fields say what its front asks for, so that
 *  allocation need not look at the flit; they are renewed when the front or the state
 *  changes. */
struct channel {
  uint32_t base;      /* of its slots, bytes from the switch's start */
  uint8_t head;       /* slot of the oldest flit */
  uint8_t count;      /* occupancy, §2.3 */
  uint8_t ready;      /* flits through routing; 0: no front */
  uint8_t state;      /* enum vc_state */
  uint8_t oport, ovc; /* of the open packet */
  uint8_t want_port;
  uint8_t want_mask;   /* channels it could take; 0, and want_chosen 0: it is to be discarded */
  uint8_t credit;      /* of the output channel with the same port and number */
  uint8_t want_chosen; /* §10.4: the chosen port + 1; 0: there is none */
  uint8_t body;        /* coverage: the open packet has shown a body flit */
};

enum { DUE_SLOTS = 4 }; /* routing takes at most two cycles, so three are under way at most */

/** A port, both its input and its output side; masks are of channels. */
struct port {
  uint8_t fronts; /* in: channels that have a front */
  uint8_t in_next;
  uint8_t popped; /* in: popped in the cycle `pop_cycle` */
  uint8_t out_next;
  uint8_t vc_next;
  uint8_t owned;             /* out */
  uint8_t has_credit;        /* out: credit >= 1 */
  uint8_t head_credit;       /* out: credit >= head_need */
  uint8_t due_vc[DUE_SLOTS]; /* in, by cycle modulo: the channel whose flit is then routed */
  uint8_t sent_vc;           /* out, coverage: of the last grant */
};

/** The order is that of use: what every cycle needs comes first, in few cache lines. */
struct hd_switch {
  uint32_t active;               /* flits held; what the barrier part has to do or to keep */
  uint16_t front_ports;          /* input ports that have a front */
  uint16_t popped_ports;         /* input ports that popped in the cycle `pop_cycle` */
  uint64_t pop_cycle;            /* cycle of the last advance with fronts */
  uint64_t quiet_from;           /* §2.10: quiescent_o is 1 from here on if nothing enters */
  uint16_t due_ports[DUE_SLOTS]; /* by cycle modulo: ports whose flit is then routed */
  uint8_t vcs, ports, depth;     /* of params */
  uint8_t vc_bits;               /* mask of legal channels */
  uint8_t head_need;             /* credits that a head needs, max(1, CUT_FLITS) */
  uint8_t flit_delay;            /* grant to output wire: 2 + D */
  uint8_t route_delay;           /* arrival to first grant: R + 1 */
  uint8_t node_bits, port_bits;
  uint8_t barrier;      /* enum hd_barrier */
  uint8_t data_vc_bits; /* mask of channels that a packet may get; §7.7: not always all */
  uint8_t adaptive;
  uint16_t errors, errors_now; /* errors_now: recorded in the cycle `error_cycle` */
  uint32_t barrier_offset;     /* bytes from the switch's start; so are those below */
  uint8_t extra; /* not 0: it has a barrier part, an adaptive part, a coder or coverage */
  struct hd_coverage *coverage; /* the caller's, or NULL */
  _Alignas(64) struct port port[HD_MAX_PORTS];
  uint64_t error_cycle;
  uint32_t destination_offset, source_offset, adaptive_offset, coder_offset;
  uint64_t *blocked;   /* coverage: the caller's [ports·vcs], or NULL */
  uint16_t node_ports; /* coverage: those that lead to a node */
  uint16_t sent_ports; /* coverage: outputs that granted in the cycle `pop_cycle` */
  uint8_t coder;       /* not 0: there is one */
  struct hd_switch_params params;
  _Alignas(64) struct channel
      channels[]; /* [ports·vcs], index port·vcs + vc; behind them slots, tables */
};

_Static_assert(offsetof(struct hd_switch, port) == 64, "the first cache line is for every cycle");

/** Slot `index` of a channel. */
static inline struct slot *switch_slot(const struct hd_switch *sw, const struct channel *ch,
                                       unsigned index)
{
  return (struct slot *)(void *)(uintptr_t)((const char *)sw + ch->base) + index;
}

static inline struct slot *switch_front(const struct hd_switch *sw, const struct channel *ch)
{
  return switch_slot(sw, ch, ch->head);
}

static inline uint16_t *switch_table(const struct hd_switch *sw, uint32_t offset, unsigned port)
{
  return (uint16_t *)(uintptr_t)((const char *)sw + offset) + (size_t)port * sw->params.nodes;
}

static inline void switch_cover(const struct hd_switch *sw, enum hd_spec_point point)
{
  if (sw->coverage)
    sw->coverage->count[point]++;
}

/** The same of a pair of points: a port that leads to a node, one that leads to a switch. */
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
  if (sw->quiet_from < cycle)
    sw->quiet_from = cycle;
}

/* The masks change only where a count passes 1 or head_need. */
static inline void switch_take_credit(struct hd_switch *sw, unsigned port, unsigned vc)
{
  unsigned count = sw->channels[port * sw->vcs + vc].credit--;
  if (count == sw->head_need)
    sw->port[port].head_credit &= (uint8_t) ~(1u << vc);
  if (count == 1) {
    sw->port[port].has_credit &= (uint8_t) ~(1u << vc);
    switch_cover(sw, HD_POINT_CREDIT_LAST);
  }
}

static inline void switch_give_credit(struct hd_switch *sw, unsigned port, unsigned vc)
{
  unsigned count = ++sw->channels[port * sw->vcs + vc].credit;
  if (count == sw->head_need)
    sw->port[port].head_credit |= (uint8_t)(1u << vc);
  if (count == 1) {
    sw->port[port].has_credit |= (uint8_t)(1u << vc);
    switch_cover(sw, HD_POINT_CREDIT_BACK);
  }
}

/** First bit of mask, not 0, at or cyclically after `next`. */
static inline unsigned switch_first_from(unsigned mask, unsigned next)
{
  unsigned above = mask >> next << next;
  return (unsigned)__builtin_ctz(above ? above : mask);
}

#endif
