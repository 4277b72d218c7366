/* The adaptive part of a switch's block of memory (specification §10); for cmodel/switch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There only where ADAPTIVE = 1. A head's ports with the most free credits are found when it comes,
 * and one of them is drawn at the beginning of the next cycle, with the generator as it is then.
 */
#ifndef HD_SWITCH_ADAPTIVE_STATE_H
#define HD_SWITCH_ADAPTIVE_STATE_H

#include "switch_state.h"

struct adaptive_state {
  uint64_t cycle;                   /* that taken and given are of */
  uint8_t taken[HD_MAX_PORTS];      /* out: the channel that gave a credit away, as a mask */
  uint8_t given[HD_MAX_PORTS];      /* out: channels that got one back */
  uint16_t generator[HD_MAX_PORTS]; /* in */
  uint16_t best[HD_MAX_PORTS];      /* in: T of the head that came in the last cycle */
  uint32_t head[HD_MAX_PORTS];      /* in: its slot, bytes from the switch's start */
  uint16_t drawing_ports;           /* inputs that have such a head */
  uint16_t drawn_ports;             /* coverage: those that drew in the last advance */
  uint8_t channels;                 /* register ADAPT */
  uint16_t sets[];                  /* A: [ports·nodes] */
};

static inline struct adaptive_state *adaptive_of(const struct hd_switch *sw)
{
  return (struct adaptive_state *)(void *)(uintptr_t)((const char *)sw + sw->adaptive_offset);
}

/** m_A of §10.2 */
static inline unsigned adaptive_channels(const struct hd_switch *sw)
{
  return adaptive_of(sw)->channels & sw->data_vc_bits;
}

/** taken and given are of `cycle` from now on. */
static inline void adaptive_begin(struct hd_switch *sw, uint64_t cycle)
{
  struct adaptive_state *a = adaptive_of(sw);
  if (a->cycle == cycle)
    return;
  a->cycle = cycle;
  for (unsigned port = 0; port < HD_MAX_PORTS; port++)
    a->taken[port] = a->given[port] = 0;
}

/** Bytes for these parameters; 0 without port sets. */
size_t adaptive_size(const struct hd_switch_params *params);
void adaptive_reset(struct hd_switch *sw);

/** A flit is accepted at `port`; `slot` is its own. */
void adaptive_arrive(struct hd_switch *sw, uint64_t cycle, unsigned port, const struct slot *slot);

/** Credits come back at output `port` on the channels of `vcs`; before they do. */
void adaptive_give(struct hd_switch *sw, uint64_t cycle, unsigned port, unsigned vcs);

/** The choice of the heads of the cycle before this one; before all else in a cycle. */
void adaptive_draw(struct hd_switch *sw);

/** A write of the generator; effective after the choice of this cycle (§10.3). */
void adaptive_write_generator(struct hd_switch *sw, unsigned port, uint16_t value);

#endif
