/* Switch parameter sets of a soak: over the legal ranges, within what can be built in seconds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A set is built once and serves many fabrics. Building grows with ports × channels, so that
 * product is bounded; each of the two still goes over its whole range.
 */
#include "soak.h"

enum { MOST_CHANNELS = 24, MOST_CHANNELS_ONCE = 34 };

uint32_t soak_octaves(struct hd_random *r, uint32_t low, uint32_t high)
{
  uint32_t octaves = 0;
  while ((uint64_t)low << (octaves + 1) <= high)
    octaves++;
  uint32_t octave = soak_between(r, 0, octaves);
  uint32_t first = low << octave;
  uint32_t last = octave == octaves ? high : 2 * first - 1;
  return soak_between(r, first, last);
}

static void draw_set(struct hd_switch_params *p, struct hd_random *r, uint32_t index)
{
  /* The ends of each range first, then anything. */
  do {
    p->ports = index == 0 ? HD_MAX_PORTS : index == 1 ? 2 : soak_between(r, 2, HD_MAX_PORTS);
    p->vcs = index == 2 ? HD_MAX_VCS : index == 3 ? 1 : soak_between(r, 1, HD_MAX_VCS);
    if (index == 4)
      p->ports = soak_between(r, 5, 9);
  } while (p->ports * p->vcs > (index == 0 ? MOST_CHANNELS_ONCE : MOST_CHANNELS) ||
           (index == 0 && p->vcs < 2));
  p->depth_flits = index == 4 ? HD_MAX_DEPTH : index == 5 ? 1 : soak_octaves(r, 1, HD_MAX_DEPTH);
  p->route_cycles = soak_between(r, 1, 2);
  p->arb_cycles = soak_between(r, 1, 2);
  p->buffer_cycles = soak_between(r, 0, 1);
  p->cut_flits = soak_chance(r, 60) ? 0 : soak_between(r, 1, p->depth_flits);
  /* Source tables are for trees, which take four ports for arity 2. */
  p->source_table = p->ports >= 4 && soak_chance(r, 35);
  p->nodes = index == 6 ? HD_MAX_NODES : soak_octaves(r, 4, HD_MAX_NODES);
  if (index == 7)
    p->nodes = 2;
  uint32_t need = 2 + hd_log2_ceil(p->nodes) * (1 + p->source_table);
  do
    p->data_bits = 16u << soak_between(r, 0, 2);
  while (p->data_bits < need);
}

void soak_sets(struct hd_switch_params *sets, uint32_t n_sets, uint64_t seed)
{
  for (uint32_t i = 0; i < n_sets; i++) {
    struct hd_random r;
    hd_random_seed(&r, seed, UINT32_MAX - i);
    draw_set(&sets[i], &r, i);
  }
}
