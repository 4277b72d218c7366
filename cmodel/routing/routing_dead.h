/* Links and switches of a topology that have failed (specification §5.9).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ROUTING_DEAD_H
#define HD_ROUTING_DEAD_H

#include "../topology/topology.h"

#include <stdbool.h>

/** Dead switches and links, as sets of bits; NULL: none. */
struct hd_dead {
  const uint64_t *switches; /* by switch number */
  const uint64_t *links;    /* by switch·ports + port; a bit at either end stands for both
                             * directions */
};

static inline bool hd_is_failed(const uint64_t *set, size_t bit)
{
  return set && (set[bit / 64] >> bit % 64 & 1);
}

/** Returns true if the switch has not failed. `dead` may be NULL. */
static inline bool hd_switch_lives(const struct hd_dead *dead, uint32_t sw)
{
  return !dead || !hd_is_failed(dead->switches, sw);
}

/** Returns true if this port has a link, and neither the link nor a switch at its ends has failed. */
static inline bool hd_link_lives(const struct hd_topology *t, const struct hd_dead *dead,
                                 uint32_t sw, uint32_t port)
{
  size_t at = (size_t)sw * t->ports + port;
  const struct hd_peer *peer = &t->peers[at];
  if (peer->kind == HD_PEER_NONE)
    return false;
  if (!dead)
    return true;
  if (hd_is_failed(dead->switches, sw) || hd_is_failed(dead->links, at))
    return false;
  return peer->kind == HD_PEER_NODE ||
         (!hd_is_failed(dead->switches, peer->index) &&
          !hd_is_failed(dead->links, (size_t)peer->index * t->ports + peer->port));
}

#endif
