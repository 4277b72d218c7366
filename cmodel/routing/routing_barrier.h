/* Ways of barrier messages from switch to switch: the barrier routing tables (§5.7, §8.4).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_BARRIER_H
#define HD_ROUTING_BARRIER_H

#include "routing_dead.h"
#include "../switch/params.h"

/** Tables of all switches: masks[switch][destination switch] of output ports. 0: no way. A
 *  switch's own entry is 0. */
struct hd_barrier_ways {
  uint32_t n_switches;
  uint16_t *masks; /* owned */
};

/** Makes the tables. HD_E_INPUT for more than HD_MAX_BARRIER_SWITCHES switches, HD_E_NOMEM.
 *  */
int hd_barrier_ways_build(struct hd_barrier_ways *ways, const struct hd_topology *t,
                          const struct hd_dead *dead, struct hd_error *err);
void hd_barrier_ways_fini(struct hd_barrier_ways *ways);

/** Returns the output ports of `sw` towards `destination`. */
static inline uint16_t hd_barrier_way(const struct hd_barrier_ways *ways, uint32_t sw,
                                      uint32_t destination)
{
  return ways->masks[(size_t)sw * ways->n_switches + destination];
}

/** Sets eccentricity[n_switches]: the links from each switch to the one farthest from it; UINT32_MAX for a dead switch.
 *  */
int hd_barrier_eccentricities(const struct hd_topology *t, const struct hd_dead *dead,
                              uint32_t *eccentricity, struct hd_error *err);

/** Finds the switch of a list that has the fewest links to the farthest other one. *place gets its index in the list,
 *  the first among equals. */
int hd_barrier_middle(const struct hd_topology *t, const struct hd_dead *dead,
                      const uint32_t *switches, uint32_t n, uint32_t *place, struct hd_error *err);

#endif
