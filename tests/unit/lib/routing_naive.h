/* An independent, slow reading of specification §5.6 that the deadlock check is held against.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every pair of nodes is followed alone, every virtual channel is a vertex of its own, and
 * the cycle is found by taking away vertices that nobody waits for.
 */
#ifndef HD_TEST_ROUTING_NAIVE_H
#define HD_TEST_ROUTING_NAIVE_H

#include "../../../cmodel/routing/routing.h"

#include <stdlib.h>

enum naive_verdict { NAIVE_FINE, NAIVE_NO_WAY, NAIVE_CYCLE };

struct naive {
  const struct hd_tables *tables;
  const struct hd_topology *t;
  uint32_t vcs;
  size_t n_vertices; /* (switch, input port, vc) */
  bool *edges;       /* [vertex][vertex] */
};

/** -1: out of memory. */
int naive_check(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs);

/** Decides the rule where packets choose among ports, or go by another node (§5.6). For tables of header mode 0,
 *  *stuck gets the number of channels that can all be full of packets, each packet in one channel, so that every
 *  first packet waits only for channels of this set. */
int naive_choice(const struct hd_tables *tables, const struct hd_topology *t, uint32_t vcs,
                 bool cut_through, uint32_t *stuck);

#endif
