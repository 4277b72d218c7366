/* The channel dependency graph of the deadlock rule (§5.6); for cmodel/routing*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A vertex is (state, class): state = switch · ports + input port stands for the directed link that ends there, a class
 * stands for virtual channels between which no table entry distinguishes.
 */
#ifndef HD_ROUTING_DEPS_H
#define HD_ROUTING_DEPS_H

#include "routing.h"

struct hd_deps {
  const struct hd_topology *t;
  uint32_t n_states;
  uint32_t n_classes;
  bool whole_way;               /* with the edges of packets that choose and hold several channels
                                 * (wormhole) */
  uint32_t vcs, least_vcs;      /* channels that exist, and that are needed (struct hd_tables) */
  uint8_t classes_of[256];      /* set of classes of an entry's mask */
  uint8_t first_vc[HD_MAX_VCS]; /* [class]: its lowest virtual channel */
  uint64_t *edges;              /* [state][output port]: bit 8·held + wanted */
};

/** Sorts the virtual channels below `vcs` into classes. The graph has no edges yet. */
int hd_deps_init(struct hd_deps *deps, const struct hd_tables *tables, const struct hd_topology *t,
                 uint32_t vcs, struct hd_error *err);
void hd_deps_fini(struct hd_deps *deps);

/** Adds: a packet can hold a class of `held` in `state` and want a class of `wanted` after `port`. */
static inline void hd_deps_add(struct hd_deps *deps, uint32_t state, uint32_t port, unsigned held,
                               unsigned wanted)
{
  /* Each set bit of `held` becomes a row: bit i to bit 8·i. */
  uint64_t rows = 0;
  for (unsigned i = 0; held >> i; i++)
    rows |= (uint64_t)(held >> i & 1) << (8 * i);
  deps->edges[(size_t)state * deps->t->ports + port] |= rows * wanted;
}

/** Adds the edges of all packets that choose among ports or go by another node. HD_E_INPUT, as hd_routing_check.
 *  */
int hd_routing_check_choice(const struct hd_tables *tables, const struct hd_topology *t,
                            struct hd_deps *deps, bool cut_through, struct hd_error *err);

/** Returns 0, or HD_E_INPUT with a cycle of channels in err. */
int hd_deps_find_cycle(const struct hd_deps *deps, struct hd_error *err);

#endif
