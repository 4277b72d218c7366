/* Settings of the rules at ports: which packets keep their order, which routes are right, how long a packet may wait (specification §6.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PORT_ORDER_H
#define HD_PORT_ORDER_H

#include <stddef.h>

/** Limit of rule P14 in cycles, unless a scenario or bench gives another. */
enum {
  HD_HELD_CYCLES = 64,
  HD_NETWORK_HELD_CYCLES = 500 /* for a whole network as DUT */
};

/** P12: packets that must keep their order. X(NAME, name). CHANNELS: all of an input channel.
 *  FLOWS: those of an input channel to one node. PAIRS: those of an input port with one source
 *  and one destination. NETWORKS: those of an input port in one virtual network. NONE: no
 *  packets. USUAL: the default of the caller. */
#define HD_PORT_ORDER_LIST(X) \
  X(USUAL, "usual")           \
  X(CHANNELS, "channels")     \
  X(FLOWS, "flows")           \
  X(PAIRS, "pairs")           \
  X(NETWORKS, "networks")     \
  X(NONE, "none")

enum hd_port_order {
#define HD_PORT_ORDER_ENUM(NAME, name) HD_ORDER_##NAME,
  HD_PORT_ORDER_LIST(HD_PORT_ORDER_ENUM)
#undef HD_PORT_ORDER_ENUM
};

/** NULL if `order` is not in the list. */
static inline const char *hd_port_order_name(unsigned order)
{
#define HD_PORT_ORDER_NAME(NAME, name) name,
  static const char *const names[] = {HD_PORT_ORDER_LIST(HD_PORT_ORDER_NAME)};
#undef HD_PORT_ORDER_NAME
  return order < sizeof names / sizeof *names ? names[order] : NULL;
}

/** P7: routes that are right: those of the tables, the next one by dimension order, any that
 *  comes nearer to the node, or any. X(NAME, name) */
#define HD_PORT_ROUTES_LIST(X)          \
  X(TABLE, "table")                     \
  X(DIMENSION_ORDER, "dimension-order") \
  X(MINIMAL, "minimal")                 \
  X(ANY, "any")

enum hd_port_routes {
#define HD_PORT_ROUTES_ENUM(NAME, name) HD_ROUTES_##NAME,
  HD_PORT_ROUTES_LIST(HD_PORT_ROUTES_ENUM)
#undef HD_PORT_ROUTES_ENUM
};

/** NULL if `routes` is not in the list. */
static inline const char *hd_port_routes_name(unsigned routes)
{
#define HD_PORT_ROUTES_NAME(NAME, name) name,
  static const char *const names[] = {HD_PORT_ROUTES_LIST(HD_PORT_ROUTES_NAME)};
#undef HD_PORT_ROUTES_NAME
  return routes < sizeof names / sizeof *names ? names[routes] : NULL;
}

#endif
