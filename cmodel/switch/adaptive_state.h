/* The adaptive part of a switch's block of memory (specification §10); for cmodel/switch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block has this part if ADAPTIVE >= 1. A head's least congested ports are found when it comes. One of
 * them is drawn at the beginning of the next cycle, with the generator's value in that cycle. With
 * ADAPTIVE = 2 the packets inside are counted as they come and go. The count to show is found at the
 * beginning of a cycle. While it differs from the count that neighbours were shown, hd_switch.active is
 * one more.
 */
#ifndef HD_SWITCH_ADAPTIVE_STATE_H
#define HD_SWITCH_ADAPTIVE_STATE_H

#include "switch_state.h"

struct adaptive_state {
  uint64_t cycle;               /* the cycle of `taken` and `given` */
  uint8_t taken[HD_MAX_PORTS];  /* out: the channel that lost a credit, as a mask */
  uint8_t given[HD_MAX_PORTS];  /* out: channels that got one back */
  uint8_t count[HD_MAX_PORTS];  /* out: the neighbour's count, §10.8 */
  uint8_t before[HD_MAX_PORTS]; /* out: that count at the start of `cycle`, in ports of `told` */
  uint16_t generator[HD_MAX_PORTS]; /* in: the port's generator */
  uint16_t best[HD_MAX_PORTS];      /* in: T of the head that came in the last cycle */
  uint32_t head[HD_MAX_PORTS];      /* in: its slot, bytes from the switch's start */
  uint16_t drawing_ports;           /* inputs that have such a head */
  uint16_t drawn_ports;             /* coverage: those that drew in the last advance */
  uint16_t told;                    /* out: ports to which a count came in `cycle` */
  uint16_t packets;                 /* N of §10.8 */
  uint8_t shown;                    /* the count that neighbours were shown last */
  uint8_t owes;                     /* 1: the count has changed since; hd_switch.active has it */
  uint8_t channels;                 /* channels of register ADAPT */
  uint8_t cap;                      /* cap of register ADAPT; 0: none */
  uint16_t sets[];                  /* A: [ports·nodes] */
};

static inline struct adaptive_state *adaptive_of(const struct hd_switch *sw)
{
  return (struct adaptive_state *)(void *)(uintptr_t)((const char *)sw + sw->adaptive_offset);
}

/** Returns m_A of §10.2. */
static inline unsigned adaptive_channels(const struct hd_switch *sw)
{
  return adaptive_of(sw)->channels & sw->data_vc_bits;
}

/** Makes `taken` and `given` those of `cycle`: clears them if they are of an earlier one. */
static inline void adaptive_begin(struct hd_switch *sw, uint64_t cycle)
{
  struct adaptive_state *a = adaptive_of(sw);
  if (a->cycle == cycle)
    return;
  a->cycle = cycle;
  a->told = 0;
  for (unsigned port = 0; port < HD_MAX_PORTS; port++)
    a->taken[port] = a->given[port] = 0;
}

/** Returns the bytes of this part for these parameters; 0 without port sets. */
size_t hd_adaptive_size(const struct hd_switch_params *params);
void hd_adaptive_reset(struct hd_switch *sw);

/** Called when a flit is accepted at `port`; `slot` is the flit's own. */
void hd_adaptive_arrive(struct hd_switch *sw, uint64_t cycle, unsigned port,
                        const struct slot *slot);

/** Called before credits come back at output `port` on the channels of `vcs`. */
void hd_adaptive_give(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs);

/** Takes in the count of the neighbour at output `port` (§10.8). */
void hd_adaptive_tell(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned count);

/** Called at the beginning of a cycle. Returns the wires by which every port shows this switch's count from the next
 *  cycle on; 0: no count is shown. */
unsigned hd_adaptive_show(struct hd_switch *sw, uint64_t cycle);

/** Called at the end of hd_switch_advance: notes whether a count must still be shown. */
void hd_adaptive_owe(struct hd_switch *sw);

/** Counts packets: a flit of `kind` was accepted; or it was popped, which took its channel's state from `before` to
 *  `after`. */
static inline void adaptive_came(struct hd_switch *sw, unsigned kind)
{
  if ((kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    adaptive_of(sw)->packets++;
}
static inline void adaptive_popped(struct hd_switch *sw, unsigned kind, unsigned before,
                                   unsigned after)
{
  struct adaptive_state *a = adaptive_of(sw);
  if (before == VC_IDLE && after != VC_IDLE)
    a->packets++;
  if (before != VC_IDLE && after == VC_IDLE)
    a->packets--;
  if ((kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD)
    a->packets--;
}

/** Chooses ports for the heads that came in the last cycle. Called first in a cycle. */
void hd_adaptive_draw(struct hd_switch *sw);

/** Writes the generator. The choice of this cycle still uses the old value (§10.3). */
void hd_adaptive_write_generator(struct hd_switch *sw, unsigned port, uint16_t value);

#endif
