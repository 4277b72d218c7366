/* Finds messages that need the same link of a k-ary n-tree, by arithmetic.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All packets go to the last stage. The links of stage l, 0 < l < n, are (§5.4):
 *
 *   S-mod-k  upwards, one for each source; downwards, one for each s mod kˡ and ⌊d/kˡ⌋
 *   D-mod-k  upwards, one for each ⌊s/kˡ⌋ and d mod kˡ; downwards, one for each destination
 *
 * In one slot, sources i and j are at entries whose places differ by i − j, modulo the table's
 * length. So two entries are used in the same slot by sources whose numbers differ by place −
 * other_place, or by that plus or minus the length.
 */
#include "mton.h"

#include <stdlib.h>

bool hd_mton_contends(const struct hd_mton_tree *tree, uint32_t sources, uint32_t destinations)
{
  uint32_t weight = 1;
  for (uint32_t l = 1; l < tree->n; l++) {
    weight *= tree->k;
    uint32_t rest = destinations % weight, whole = destinations - rest;
    if (tree->by_destination ? rest && rest < sources : whole && sources > whole)
      return true;
  }
  return false;
}

/* Returns true if a block of `weight` nodes has more than `distance` of the nodes first … first + n − 1. */
static bool block_has(uint32_t first, uint32_t n, uint32_t weight, uint32_t distance)
{
  uint32_t end = first + n, most = 0;
  for (uint32_t at = first; at < end;) {
    uint32_t next = (at / weight + 1) * weight;
    next = next < end ? next : end;
    most = next - at > most ? next - at : most;
    at = next;
  }
  return most > distance;
}

/* Returns true if messages to `d` and `e` from two sources whose numbers differ by `difference` can
 * need one link. */
static bool meet(const struct hd_mton_tree *tree, uint32_t first, uint32_t sources,
                 int64_t difference, uint32_t d, uint32_t e)
{
  uint32_t distance = (uint32_t)llabs(difference), weight = 1;
  if (!distance || distance >= sources)
    return false;
  if (d == e)
    return true;
  for (uint32_t l = 1; l < tree->n; l++) {
    weight *= tree->k;
    if (tree->by_destination) {
      if (distance < weight && d % weight == e % weight &&
          block_has(first, sources, weight, distance))
        return true;
    } else if (distance % weight == 0 && d / weight == e / weight)
      return true;
  }
  return false;
}

bool hd_mton_clash(const struct hd_mton_tree *tree, uint32_t first, uint32_t sources,
                   uint32_t length, uint32_t place, uint32_t destination, uint32_t other_place,
                   uint32_t other_destination)
{
  int64_t difference = (int64_t)place - other_place;
  for (int around = -1; around <= 1; around++)
    if (meet(tree, first, sources, difference + around * (int64_t)length, destination,
             other_destination))
      return true;
  return false;
}
