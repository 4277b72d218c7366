/* Multicast: the trees, and the ports by which a flit leaves (specification §13).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cast_state.h"

#include "switch_cover.h"

size_t hd_cast_size(const struct hd_switch_params *p)
{
  const size_t slots = (size_t)p->ports * p->vcs * p->depth_flits;
  return p->trees ? sizeof(struct cast_state) + slots * sizeof(uint16_t) : 0;
}

uint16_t hd_cast_route(const struct hd_switch *sw, unsigned port, uint64_t tree, struct slot *slot)
{
  const struct cast_state *c = cast_of(sw);
  if (!(slot->kind & HD_KIND_TAIL)) {
    switch_cover(sw, HD_POINT_CAST_HEAD);
    return 0;
  }
  if (tree >= sw->params.trees) {
    switch_cover(sw, HD_POINT_CAST_TREE_BEYOND);
    return 0;
  }
  if (!(sw->data_vc_bits >> c->channel & 1)) {
    switch_cover(sw, HD_POINT_CAST_CHANNEL);
    return 0;
  }
  const unsigned ports = c->tree[tree] & ((1u << sw->ports) - 1), branches = ports & ~(1u << port);
  if (!branches) {
    switch_cover(sw, HD_POINT_CAST_NO_BRANCH);
    return 0;
  }
  switch_cover(sw, ports == branches ? HD_POINT_CAST_FROM_OUTSIDE : HD_POINT_CAST_ROUTED);
  slot->change = HEADER_MULTICAST;
  *cast_branches(sw, slot) = (uint16_t)branches;
  return hd_table_entry((unsigned)__builtin_ctz(branches), 1u << c->channel);
}

void hd_cast_write_tree(struct hd_switch *sw, unsigned tree, uint16_t ports)
{
  cast_of(sw)->tree[tree] = ports;
}
