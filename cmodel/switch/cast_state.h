/* The multicast part of a switch's block of memory (specification §13); for cmodel/switch*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block has this part if TREES >= 1. Every slot of a buffer has room for branches: those by which a waiting
 * multicast single has not left yet.
 */
#ifndef HD_CAST_STATE_H
#define HD_CAST_STATE_H

#include "switch_state.h"

struct cast_state {
  uint16_t tree[HD_MAX_TREES]; /* masks of ports, as written */
  uint8_t channel;             /* register CAST */
  uint16_t branches[];         /* by slot, in the order of the slots */
};

static inline struct cast_state *cast_of(const struct hd_switch *sw)
{
  return (struct cast_state *)(void *)(uintptr_t)((const char *)sw + sw->cast_offset);
}

/** Returns the branches of the flit in a slot. */
static inline uint16_t *cast_branches(const struct hd_switch *sw, const struct slot *slot)
{
  const size_t at = (size_t)((const char *)slot - (const char *)sw) - sw->channels[0].base;
  return &cast_of(sw)->branches[at / sizeof *slot];
}

/** Returns true if this front is a multicast single that asks for branches. */
static inline bool cast_asks(const struct channel *ch, const struct slot *front)
{
  return ch->state == VC_IDLE && front->change == HEADER_MULTICAST;
}

/** Returns the bytes of this part for these parameters; 0 without multicast. */
size_t hd_cast_size(const struct hd_switch_params *params);

/** Returns the route of a flit of mode 3 (§13.3), as a table entry of its first branch; 0: it is unroutable. */
uint16_t hd_cast_route(const struct hd_switch *sw, unsigned port, uint64_t tree, struct slot *slot);

/** Carries out a write to the tree table. */
void hd_cast_write_tree(struct hd_switch *sw, unsigned tree, uint16_t ports);

#endif
