/* Functions that the topology constructors share; for cmodel/topology*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPOLOGY_BUILD_H
#define HD_TOPOLOGY_BUILD_H

#include "../switch/params.h"
#include "topology.h"

#define HD_TOPOLOGY_EXTERN(KIND, name) \
  extern const struct hd_topology_descriptor hd_topology_kind_##name;
HD_TOPOLOGY_LIST(HD_TOPOLOGY_EXTERN)
#undef HD_TOPOLOGY_EXTERN

/** Zeroes *t, sets its sizes and allocates its peers, without links. HD_E_INPUT if there are too few or too many nodes,
 *  switches or ports. */
int hd_topology_alloc(struct hd_topology *t, enum hd_topology_kind kind, uint32_t n_switches,
                      uint32_t n_nodes, uint32_t ports, struct hd_error *err);

/** Lets links go one way from now on. HD_E_NOMEM; then *t is zeroed. */
int hd_topology_part(struct hd_topology *t, struct hd_error *err);

/** Makes a link in one direction: from a node or the free sending half of a switch port, to a node or a free receiving
 *  half. Needs hd_topology_part. */
void hd_topology_send(struct hd_topology *t, struct hd_peer from, struct hd_peer to);

static inline struct hd_peer hd_switch_end(uint32_t sw, uint32_t port)
{
  return (struct hd_peer){HD_PEER_SWITCH, (uint8_t)port, (uint16_t)sw};
}

static inline struct hd_peer hd_node_end(uint32_t node)
{
  return (struct hd_peer){HD_PEER_NODE, 0, (uint16_t)node};
}

/** Gives the link that leaves a switch port a LINK of its own. HD_E_NOMEM; then *t is zeroed. */
int hd_topology_delay(struct hd_topology *t, uint32_t sw, uint32_t port, uint32_t cycles,
                      struct hd_error *err);

/** Links two free switch ports in both directions. */
void hd_topology_link(struct hd_topology *t, uint32_t a, uint32_t a_port, uint32_t b,
                      uint32_t b_port);

/** Returns kⁿ. */
static inline uint32_t hd_power(uint32_t k, uint32_t n)
{
  uint32_t power = 1;
  while (n--)
    power *= k;
  return power;
}

/** Returns digit `i` of a number to the base k; digit 0 is the lowest. */
static inline uint32_t hd_digit(uint32_t number, uint32_t k, uint32_t i)
{
  return number / hd_power(k, i) % k;
}

/** kⁿ ≤ HD_MAX_COMPUTED_NODES, 2 ≤ k ≤ most_k, 1 ≤ n; HD_E_INPUT otherwise, with `name` in the message. */
int hd_topology_check_power(const char *name, uint32_t k, uint32_t most_k, uint32_t n,
                            struct hd_error *err);

/** Returns the distance at which layers of that many switches are drawn. */
double hd_topology_apart(uint32_t layer_switches);

/** Sets the places of a grid: dimension 0 goes to the right, 1 down. Further dimensions are copies of that grid, in
 *  turn to the right and down. */
void hd_topology_place_grid(const uint32_t *dims, uint32_t n_dims, uint32_t n_switches,
                            struct hd_topology_place *at);
/** Returns the links between two halves of a mesh: the largest dimension is cut. If it is odd, one of its layers
 *  is cut in the same way (Azizoğlu and Eğecioğlu, The bisection width and the isoperimetric number of arrays).
 *  */
uint64_t hd_topology_grid_cut(const uint32_t *dims, uint32_t n_dims);

extern const char hd_topology_grid[]; /* what a grid looks like, as a part of a sentence */

/** Puts a node on a free switch port. */
void hd_topology_attach(struct hd_topology *t, uint32_t node, uint32_t sw, uint32_t port);

#endif
