/* Settings of the rules at ports: which packets keep their order, which ways are right, how long is too long
 * (specification §6.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PORT_ORDER_H
#define HD_PORT_ORDER_H

#include <stddef.h>

/** Cycles of rule P14, where nobody says another number. */
enum {
  HD_HELD_CYCLES = 64,
  HD_NETWORK_HELD_CYCLES = 500 /* for a whole network as DUT */
};

/** P12. X(NAME, name). Among the packets of an input channel: all, or those to one node. Among those of an input port: those
 *  of one source and destination, or of one virtual network. Or none. USUAL stands for what is usual where it is asked. */
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

/** NULL beyond the last. */
static inline const char *hd_port_order_name(unsigned order)
{
#define HD_PORT_ORDER_NAME(NAME, name) name,
  static const char *const names[] = {HD_PORT_ORDER_LIST(HD_PORT_ORDER_NAME)};
#undef HD_PORT_ORDER_NAME
  return order < sizeof names / sizeof *names ? names[order] : NULL;
}

/** P7: ways are right that the tables allow; or the next one by dimension order, or any that comes nearer to the
 *  node, or any. X(NAME, name) */
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

/** NULL beyond the last. */
static inline const char *hd_port_routes_name(unsigned routes)
{
#define HD_PORT_ROUTES_NAME(NAME, name) name,
  static const char *const names[] = {HD_PORT_ROUTES_LIST(HD_PORT_ROUTES_NAME)};
#undef HD_PORT_ROUTES_NAME
  return routes < sizeof names / sizeof *names ? names[routes] : NULL;
}

#endif
