/* Random connected fabrics for tests.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_RANDOM_GRAPH_H
#define HD_TEST_RANDOM_GRAPH_H

#include "../../../cmodel/topology/topology.h"
#include "dice.h"

#include "test.h"

/** A random tree of switches with at most `extra` links more, and `n_nodes` nodes anywhere; at
 *  most `ports` ports a switch, 4 or more (`one_each`: 3). `one_each`: node i is on switch i. */
void random_graph(struct hd_topology *t, struct dice *dice, uint32_t n_switches, uint32_t extra,
                  uint32_t n_nodes, uint32_t ports, bool one_each);

/** Asserts that nothing waits for itself by way of others. waits[x * n + y]: x waits for y. Takes away whatever waits
 *  for nothing, until nothing is left. */
void assert_no_circle(const bool *waits, uint32_t n);

#endif
