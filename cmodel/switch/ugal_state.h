/* The part of a switch's block of memory by which packets decide between two ways (specification §10.9); for
 * cmodel/switch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The block has this part if ADAPTIVE is 3. A head decides when it comes, by the credits at the start of its cycle. So
 * the credits are copied before the first event of a cycle that may change them.
 */
#ifndef HD_UGAL_STATE_H
#define HD_UGAL_STATE_H

#include "switch_state.h"

struct ugal_state {
  uint64_t cycle;                 /* cycle of `credits` */
  uint64_t credits[HD_MAX_PORTS]; /* out: credits at that cycle's start, as in struct port */
  uint16_t first;                 /* register FIRST */
  uint16_t bias;                  /* register BIAS */
};

static inline struct ugal_state *ugal_of(const struct hd_switch *sw)
{
  return (struct ugal_state *)(void *)(uintptr_t)((const char *)sw + sw->ugal_offset);
}

/** Copies the credits. Called before anything in `cycle` changes a credit, and before its heads come. */
static inline void ugal_begin(struct hd_switch *sw, uint64_t cycle)
{
  struct ugal_state *u = ugal_of(sw);
  for (unsigned port = 0; u->cycle != cycle && port < sw->ports; port++)
    u->credits[port] = sw->port[port].credits;
  u->cycle = cycle;
}

/** Returns the bytes of this part for these parameters; 0 without it. */
size_t hd_ugal_size(const struct hd_switch_params *params);
void hd_ugal_reset(struct hd_switch *sw);

/** Returns true if a head of mode 3 goes by the node that it names. Both table entries must be valid. */
bool hd_ugal_goes_by_node(const struct hd_switch *sw, unsigned port, uint16_t by_node,
                          uint16_t straight);

/** Writes register `index`. False: this part has no such register. */
bool hd_ugal_write(struct hd_switch *sw, unsigned index, uint16_t data);

#endif
