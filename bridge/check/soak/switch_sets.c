/* Draws the switch parameter sets of a soak: from the legal ranges, if the switch can be built in seconds.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A set is built once and serves many fabrics. The time of a build grows with ports × channels, so that product has a
 * limit; ports and channels still take all values of their ranges.
 */
#include "soak.h"

uint32_t hd_soak_octaves(struct hd_random *r, uint32_t low, uint32_t high)
{
  uint32_t octaves = 0;
  while ((uint64_t)low << (octaves + 1) <= high)
    octaves++;
  uint32_t octave = soak_between(r, 0, octaves);
  uint32_t first = low << octave;
  uint32_t last = octave == octaves ? high : 2 * first - 1;
  return soak_between(r, first, last);
}

uint32_t hd_soak_least_depth(const struct hd_switch_params *p)
{
  uint32_t least = hd_switch_least_depth(p);
  return least ? least : 1;
}

enum {
  ADAPTIVE = 4,
  DECIDING = 6,
  FIRST_BARRIER = 8,
  WAYS = HD_BARRIER_KINDS - 1,
  BARRIER_CHANNELS = 15
};

/* Is it one of the two sets that fit most recipes (coverage_goals.c) with every seed? They have small status tables, ports
 * for meshes, and no limit on packets. */
static bool serves_recipes(uint32_t index)
{
  return index == FIRST_BARRIER + 2 || index == FIRST_BARRIER + 3;
}

/* Draws ports and channels: in the first sets the ends of their ranges, where the limit allows them, then any. Set 0, with
 * 16 ports, may exceed the limit a little. */
static void draw_shape(struct hd_switch_params *p, struct hd_random *r, uint32_t index,
                       uint32_t channels)
{
  bool large = index == 0 && channels >= HD_MAX_PORTS,
       many = index == 2 && channels >= 2 * HD_MAX_VCS;
  uint32_t most = large ? channels + HD_MAX_PORTS / 2 : channels;
  do {
    p->ports = large ? HD_MAX_PORTS : index == 1 ? 2 : soak_between(r, 2, HD_MAX_PORTS);
    p->vcs = many ? HD_MAX_VCS : index == 3 ? 1 : soak_between(r, 1, HD_MAX_VCS);
    if (index == ADAPTIVE) { /* ports for any topology, channels for two classes and a choice */
      p->ports = soak_between(r, 7, 8);
      p->vcs = 3;
    }
  } while (p->ports * p->vcs > most && index != ADAPTIVE);
}

/* Draws ports and channels of a switch with barrier hardware. The hardware doubles the size of a switch, so the limit is
 * lower; many groups cost as much as many ports. */
static void draw_barrier_shape(struct hd_switch_params *p, struct hd_random *r, uint32_t index,
                               uint32_t channels)
{
  bool many_groups = index == FIRST_BARRIER + 1;
  uint32_t least = index == FIRST_BARRIER || serves_recipes(index) ? 5 : 3;
  uint32_t most = channels < BARRIER_CHANNELS ? channels : BARRIER_CHANNELS;
  p->barrier = HD_BARRIER_ANY + (index - FIRST_BARRIER) % WAYS;
  uint32_t least_vcs = p->barrier == HD_BARRIER_RESERVED || p->barrier == HD_BARRIER_MOVING ? 2 : 1;
  do {
    p->ports = soak_between(r, least, many_groups ? 4 : 12);
    p->vcs = soak_between(r, 1, 4);
  } while (p->ports * p->vcs > most || p->vcs < least_vcs);
}

static void draw_barrier(struct hd_switch_params *p, struct hd_random *r, uint32_t index)
{
  uint32_t room = hd_soak_least_depth(p);
  if (p->depth_flits < room || (soak_chance(r, 25) && index != FIRST_BARRIER + 2))
    p->depth_flits = room;
  soak_at_most(&p->cut_flits, p->depth_flits);
  p->groups = index == FIRST_BARRIER       ? 1
              : index == FIRST_BARRIER + 1 ? HD_MAX_GROUPS
                                           : hd_soak_octaves(r, 2, 8);
  p->switches = index == FIRST_BARRIER + 2 ? HD_MAX_BARRIER_SWITCHES : soak_between(r, 16, 64);
}

static void serve_recipes(struct hd_switch_params *p, struct hd_random *r)
{
  p->groups = soak_between(r, 3, 5);
  p->cut_flits = 0;
  if (p->depth_flits > 24)
    p->depth_flits = soak_between(r, hd_soak_least_depth(p), 24);
  soak_at_least(&p->nodes, 48);
  soak_at_least(&p->switches, 48);
}

static void draw_set(struct hd_switch_params *p, struct hd_random *r, uint32_t index,
                     uint32_t channels)
{
  *p = (struct hd_switch_params){0};
  if (index < FIRST_BARRIER)
    draw_shape(p, r, index, channels);
  else
    draw_barrier_shape(p, r, index, channels);
  p->depth_flits = index == 4 ? HD_MAX_DEPTH : index == 5 ? 1 : hd_soak_octaves(r, 1, HD_MAX_DEPTH);
  p->route_cycles = soak_between(r, 1, 2);
  p->arb_cycles = soak_between(r, 1, 2);
  p->buffer_cycles = soak_between(r, 0, 1);
  p->cut_flits =
      soak_chance(r, 60) || index == FIRST_BARRIER + 2 ? 0 : soak_between(r, 1, p->depth_flits);
  /* Source tables are for trees, and a tree of arity 2 needs four ports. */
  bool first = p->barrier && index < FIRST_BARRIER + WAYS;
  p->source_table = p->ports >= 4 && soak_chance(r, 35) && !first;
  p->nodes = index == 6   ? HD_MAX_NODES
             : p->barrier ? hd_soak_octaves(r, 8, 255)
                          : hd_soak_octaves(r, 4, HD_MAX_NODES);
  if (index == 7)
    p->nodes = 2;
  if (index == ADAPTIVE) {
    p->source_table = 0;
    p->cut_flits = soak_between(r, 1, p->depth_flits);
  }
  p->adaptive = index == ADAPTIVE ||
                (p->ports >= 3 && p->cut_flits && !p->source_table && !first && soak_chance(r, 30));
  if (p->adaptive && soak_chance(r, 50))
    p->adaptive = HD_ADAPTIVE_COUNT;
  uint32_t need = 2 + hd_log2_ceil(p->nodes) * (1 + p->source_table);
  do
    p->data_bits = 16u << soak_between(r, 0, 2);
  while (p->data_bits < need);
  if (index ==
      FIRST_BARRIER + 2) { /* kind moving: messages of two flits, which credits can delay */
    p->data_bits = 16;
    p->depth_flits = soak_between(r, 5, 8);
  }
  if (p->barrier)
    draw_barrier(p, r, index);
  if (serves_recipes(index))
    serve_recipes(p, r);
}

/* Makes a set one in which packets decide between two ways (§10.9), with every seed: it has ports for any small topology,
 * and channels for two classes in each half of a way. */
static void make_deciding(struct hd_switch_params *p)
{
  p->ports = 5;
  p->vcs = 4;
  p->source_table = 1;
  p->adaptive = HD_ADAPTIVE_UGAL;
  if (p->data_bits < 2 + 2 * hd_log2_ceil(p->nodes))
    p->data_bits = 32;
}

void hd_soak_sets(struct hd_switch_params *sets, uint32_t first, uint32_t n_sets, uint64_t seed,
                  uint32_t channels)
{
  for (uint32_t i = 0; i < n_sets; i++) {
    struct hd_random r;
    hd_random_seed(&r, seed, UINT32_MAX - first - i);
    draw_set(&sets[i], &r, first + i, channels);
    if (first + i == DECIDING && channels >= 20)
      make_deciding(&sets[i]);
  }
}

enum soak_tables { SOAK_BY_NODE, SOAK_ADAPTIVE, SOAK_BY_SOURCE, SOAK_DECIDING };

/* Draws a set for hd_soak_draw_pair: with ports for any topology, and channels for two classes and a choice. */
static void draw_pair_set(struct hd_switch_params *p, struct hd_random *r, uint32_t barrier,
                          enum soak_tables tables)
{
  *p = (struct hd_switch_params){.barrier = barrier, .source_table = tables >= SOAK_BY_SOURCE};
  p->ports = soak_between(r, 7, 8);
  p->data_bits = 32u << soak_between(r, 0, 1);
  p->depth_flits = hd_soak_octaves(r, 1, 32);
  p->nodes = hd_soak_octaves(r, 64, 255);
  p->route_cycles = soak_between(r, 1, 2);
  p->arb_cycles = soak_between(r, 1, 2);
  p->buffer_cycles = soak_between(r, 0, 1);
  p->vcs = soak_between(r, 2, 3) + hd_switch_reserved_vcs(p);
  if (tables == SOAK_ADAPTIVE) {
    p->vcs = 3 + hd_switch_reserved_vcs(p);
    p->adaptive = soak_between(r, HD_ADAPTIVE_CREDITS, HD_ADAPTIVE_COUNT);
  }
  if (tables == SOAK_DECIDING)
    p->adaptive = HD_ADAPTIVE_UGAL;
  if (tables == SOAK_ADAPTIVE || soak_chance(r, 40))
    p->cut_flits = soak_between(r, 1, p->depth_flits);
  if (barrier)
    draw_barrier(p, r, UINT32_MAX);
}

void hd_soak_pair_sets(struct hd_switch_params *sets, uint64_t seed)
{
  for (uint32_t i = 0; i < SOAK_PAIR_SETS; i++) {
    struct hd_random r;
    hd_random_seed(&r, seed, UINT32_MAX - i);
    draw_pair_set(&sets[i], &r, i % HD_BARRIER_KINDS, i / HD_BARRIER_KINDS);
  }
}

/* Draws the SOAK_CODER_SETS sets of switches with an XOR coder: one for meshes of three dimensions, one with barrier
 * hardware. Heads have room for node, code field and the bits that program coding writes there. */
static void coder_sets(struct hd_switch_params *sets, uint64_t seed)
{
  struct hd_random r;
  hd_random_seed(&r, seed, UINT32_MAX - SOAK_MAX_SETS - 1);
  for (uint32_t i = 0; i < SOAK_CODER_SETS; i++)
    sets[i] = (struct hd_switch_params){.depth_flits = hd_soak_octaves(&r, 4, 24),
                                        .route_cycles = soak_between(&r, 1, 2),
                                        .arb_cycles = soak_between(&r, 1, 2),
                                        .buffer_cycles = soak_between(&r, 0, 1),
                                        .code_cycles =
                                            soak_chance(&r, 40) ? 0 : hd_soak_octaves(&r, 1, 63)};
  sets[0].ports = 7;
  sets[0].vcs = 2;
  sets[0].data_bits = 64;
  sets[0].nodes = 64;
  sets[0].code_places = soak_between(&r, 72, 128);
  sets[1].ports = 5;
  sets[1].data_bits = 32;
  sets[1].nodes = 64; /* 16 nodes, each once in the virtual network of each step */
  sets[1].code_places = soak_between(&r, 24, 40);
  sets[1].barrier = soak_between(&r, HD_BARRIER_ANY, HD_BARRIER_RESERVED);
  sets[1].vcs = 4 + hd_switch_reserved_vcs(&sets[1]);
  sets[1].groups = 4;
  sets[1].switches = 16;
  soak_at_least(&sets[1].depth_flits, hd_soak_least_depth(&sets[1]));
  if (soak_chance(&r, 50))
    sets[1].cut_flits = sets[1].depth_flits;
}

/* Draws the SOAK_MULTICAST_SETS sets of switches with multicast (§13), the second with barrier hardware. Flits have room
 * for tree, sender and a byte. */
static void multicast_sets(struct hd_switch_params *sets, uint64_t seed)
{
  struct hd_random r;
  hd_random_seed(&r, seed, UINT32_MAX - SOAK_MAX_SETS - 3);
  for (uint32_t i = 0; i < SOAK_MULTICAST_SETS; i++) {
    struct hd_switch_params *p = &sets[i];
    *p = (struct hd_switch_params){.depth_flits = hd_soak_octaves(&r, 1, 12),
                                   .nodes = soak_between(&r, 48, 64),
                                   .arb_cycles = 1,
                                   .route_cycles = soak_between(&r, 1, 2),
                                   .buffer_cycles = soak_between(&r, 0, 1),
                                   .data_bits = 32u << soak_between(&r, 0, 1),
                                   .trees = hd_soak_octaves(&r, 1, HD_MAX_TREES)};
    p->ports = i ? 5 : soak_between(&r, 5, 8);
    if (i)
      p->barrier = soak_between(&r, HD_BARRIER_ANY, HD_BARRIER_RESERVED);
    p->vcs = soak_between(&r, 1, 2) + hd_switch_reserved_vcs(p);
    if (i)
      draw_barrier(p, &r, UINT32_MAX);
    if (soak_chance(&r, 50))
      p->cut_flits = soak_between(&r, 1, p->depth_flits);
  }
}

void hd_soak_other_sets(struct hd_switch_params *first, uint64_t seed)
{
  hd_soak_large_sets(first, seed);
  coder_sets(first + SOAK_LARGE_SETS, seed);
  hd_soak_computed_sets(first + SOAK_LARGE_SETS + SOAK_CODER_SETS, seed);
  multicast_sets(first + SOAK_LARGE_SETS + SOAK_CODER_SETS + SOAK_COMPUTED_SETS, seed);
}

void hd_soak_large_sets(struct hd_switch_params *sets, uint64_t seed)
{
  struct hd_random r;
  hd_random_seed(&r, seed, UINT32_MAX - SOAK_MAX_SETS);
  struct hd_switch_params any = {.nodes = HD_MAX_NODES};
  any.depth_flits = soak_between(&r, 2, 8);
  any.route_cycles = soak_between(&r, 1, 2);
  any.arb_cycles = soak_between(&r, 1, 2);
  any.buffer_cycles = soak_between(&r, 0, 1);
  sets[0] = sets[1] = any;
  sets[0].ports = HD_MAX_PORTS;
  sets[0].vcs = 2;
  sets[0].data_bits = 32;
  sets[0].source_table = 1;
  sets[1].ports = 7;
  sets[1].vcs = 2;
  sets[1].data_bits = 16;
  sets[1].barrier = soak_between(&r, HD_BARRIER_ANY, HD_BARRIER_RESERVED);
  sets[1].groups = 4;
  sets[1].switches = HD_MAX_BARRIER_SWITCHES;
  soak_at_least(&sets[1].depth_flits, hd_soak_least_depth(&sets[1]));
  sets[2] = (struct hd_switch_params){.ports = 3,
                                      .vcs = 1,
                                      .data_bits = 16,
                                      .depth_flits = 1,
                                      .nodes = SOAK_MOST_LONG,
                                      .route_cycles = 1,
                                      .arb_cycles = 1};
}
