/* Reads and checks the parameters of program coding, and makes the data of its sources.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_task.h"

#include "common.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 256 }; /* specification §11.1 */
enum { KIND_BITS = 5 };     /* bits of what, step and level, in packets that are not for a coder */

const char *const hd_coding_parameters[] = {
    "scheme: coded, or a rival: flat (no groups), plain (the groups without coding), combined "
    "(message combining) (coded)",
    "multicast: all-at-once, tree, or neighbour (every send is one hop) (all-at-once)",
    "dims: sides of the mesh, as 16x16 (a square)",
    "torus: 1 if the sides are rings (0)",
    "group: sides of a group, as 8x4, or its number of members (the best by hops)",
    "inner: sides of the groups within a group, for the recursive form (none)",
    "sources: number of nodes that have a datum (all)",
    "placed: drawn, sources by the seed; spread, at equal distances; together, the first nodes "
    "(drawn)",
    "flits: length of a packet, 1 to 16 (1)",
    "most_flits: packets have flits to most_flits flits; each source has its own length (flits)",
    "encode: hardware or software (hardware)",
    "decode: hardware or software (hardware)",
    "xor: cycles that software takes to encode a packet (0)",
    "restore: cycles that software takes to decode a packet (0)",
    "channels: shared, or own: each of steps B, D, E and F has a virtual network (shared)",
    "combined_flits: longest packet of a combined message (the longest that the network takes)",
    "order: overlapping, or sequential: a barrier ends each step (overlapping)",
    NULL,
};

/* ── data ──────────────────────────────────────────────────────────────────── */

/* The bits are mixed, so that no two flits and no two sources look alike. */
static uint64_t drawn_bits(uint32_t source, uint32_t flit, uint32_t bits)
{
  return hd_program_mix64(((uint64_t)source + 1) << 32 | (flit + 1)) >> (64 - bits);
}

uint32_t hd_coding_flits(const struct hd_coding_task *t, uint32_t source)
{
  return t->flits +
         (uint32_t)(drawn_bits(source, HD_CODING_FLITS, 32) % (t->most_flits - t->flits + 1));
}

void hd_coding_datum(const struct hd_coding_task *t, uint32_t source, struct hd_coding_payload *p)
{
  memset(p, 0, sizeof *p);
  p->flits = hd_coding_flits(t, source);
  p->value = drawn_bits(source, 0, t->value_bits);
  for (uint32_t f = 1; f < p->flits; f++)
    p->words[f - 1] = drawn_bits(source, f, t->layout.data_bits);
}

uint32_t hd_coding_step_levels(const struct hd_coding_task *t)
{
  return t->levels ? t->levels : 1;
}

bool hd_coding_step_has_sends(const struct hd_coding_task *t, uint32_t level, unsigned step)
{
  return step == HD_CODING_B   ? level + 1 == hd_coding_step_levels(t)
         : step == HD_CODING_F ? t->scheme == HD_CODING_CODED
                               : t->levels > 0;
}

bool hd_coding_is_intermediate(const struct hd_coding_task *t, uint32_t level, uint32_t node)
{
  return hd_coding_intermediate(t->plan, level, hd_coding_group(t->plan, level, node)) == node;
}

uint32_t hd_coding_n_sources(const struct hd_coding_task *t, uint32_t level, uint32_t group)
{
  uint32_t n;
  hd_coding_sources(t->plan, level, group, &n);
  return n;
}

/* ── parameters ──────────────────────────────────────────────────────────── */

static bool read_choice(struct hd_ep *ep, const char *key, const char *first, const char *second)
{
  const char *text = hd_ep_text(ep, key, first);
  if (strcmp(text, first) != 0 && strcmp(text, second) != 0)
    hd_ep_reject(ep, key, "%s; legal: %s, %s", text, first, second);
  return !strcmp(text, second);
}

static unsigned read_name(struct hd_ep *ep, const char *key, const char *fallback,
                          const char *(*name)(unsigned))
{
  const char *text = hd_ep_text(ep, key, fallback);
  char legal[128] = "";
  unsigned i = 0;
  for (; name(i) && strcmp(name(i), text) != 0; i++)
    snprintf(legal + strlen(legal), sizeof legal - strlen(legal), "%s%s", i ? ", " : "", name(i));
  if (!name(i))
    hd_ep_reject(ep, key, "%s; legal: %s", text, legal);
  return i;
}

static void read_dims(struct hd_ep *ep, struct hd_coding_request *r)
{
  uint32_t nodes = (uint32_t)hd_ep_size(ep), product = 1;
  if (hd_ep_is_number(ep, "dims") || *hd_ep_text(ep, "dims", "")) {
    r->n_dims = hd_program_sides(ep, "dims", r->dims, HD_CODING_DIMS, HD_CODING_NODES);
  } else {
    r->n_dims = 2;
    while (r->dims[0] * r->dims[0] < nodes)
      r->dims[0]++;
    r->dims[1] = r->dims[0];
  }
  for (uint32_t d = 0; d < r->n_dims; d++)
    product = product > HD_CODING_NODES ? product : product * r->dims[d];
  if (product != nodes)
    hd_ep_reject(ep, "dims", "they are %" PRIu32 " nodes; there are %" PRIu32, product, nodes);
}

static void read_groups(struct hd_ep *ep, struct hd_coding_request *r)
{
  struct hd_error err = {""};
  bool given = hd_ep_is_number(ep, "group");
  if (r->scheme == HD_CODING_FLAT)
    return;
  r->n_levels = 1;
  if (given || !*hd_ep_text(ep, "group", "")) {
    uint32_t members =
        given ? (uint32_t)hd_program_integer(ep, "group", 1, 1, (uint64_t)hd_ep_size(ep)) : 0;
    if (hd_coding_best_group(r, members, &err))
      hd_ep_reject(ep, "group", "%s", err.text);
  } else if (hd_program_sides(ep, "group", r->group[0], r->n_dims, HD_CODING_NODES) != r->n_dims) {
    hd_ep_reject(ep, "group", "%s; legal: %" PRIu32 " sides", hd_ep_text(ep, "group", ""),
                 r->n_dims);
  }
  if (hd_ep_is_number(ep, "inner"))
    hd_ep_reject(ep, "inner",
                 "the number %.16g; legal: sides, as 2x2. A number alone is a number of nodes, and "
                 "only `group` takes that",
                 hd_ep_number(ep, "inner", 0));
  if (!*hd_ep_text(ep, "inner", ""))
    return;
  r->n_levels = 2;
  if (hd_program_sides(ep, "inner", r->group[1], r->n_dims, HD_CODING_NODES) != r->n_dims)
    hd_ep_reject(ep, "inner", "%s; legal: %" PRIu32 " sides", hd_ep_text(ep, "inner", ""),
                 r->n_dims);
}

static const char *place_name(unsigned place)
{
  static const char *const names[] = {"drawn", "spread", "together"};
  return place < sizeof names / sizeof *names ? names[place] : NULL;
}

static void choose_sources(struct hd_ep *ep, struct hd_coding_task *t)
{
  t->sources = (uint32_t)hd_program_integer(ep, "sources", t->nodes, 1, t->nodes);
  const unsigned place = read_name(ep, "placed", "drawn", place_name);
  for (uint32_t i = 0; place && i < t->sources; i++)
    t->is_source[place == 1 ? i * (t->nodes / t->sources) : i] = true;
  if (place)
    return;
  int *ranks = hd_ep_alloc(ep, t->nodes * sizeof *ranks);
  for (uint32_t i = 0; i < t->nodes; i++)
    ranks[i] = (int)i;
  hd_program_draw(ep, ranks, 0, (int)t->sources);
  for (uint32_t i = 0; i < t->sources; i++)
    t->is_source[ranks[i]] = true;
}

/* Assigns sources their places and numbers, level by level from 0. A node opens the chains of its
 * own group, or, if it decodes, of all groups with which its group exchanges data. */
static void assign_places(struct hd_ep *ep, struct hd_coding_task *t)
{
  /** of each group of level 0: first place after its chain */
  uint32_t *offset = hd_ep_alloc(ep, t->nodes * sizeof *offset);
  for (uint32_t level = 0; level < t->levels; level++) {
    uint32_t groups = hd_coding_groups(t->plan, level);
    t->number[level] = hd_ep_alloc(ep, t->nodes * sizeof *t->number[level]);
    t->base[level] = hd_ep_alloc(ep, groups * sizeof *t->base[level]);
    for (uint32_t group = 0, next = 0, above = UINT32_MAX; group < groups; group++) {
      uint32_t n;
      const uint32_t *sources = hd_coding_sources(t->plan, level, group, &n);
      for (uint32_t i = 0; i < n; i++)
        t->number[level][sources[i]] = i;
      uint32_t node = hd_coding_intermediate(t->plan, level, group);
      uint32_t outer = level ? hd_coding_group(t->plan, 0, node) : 0;
      if (!t->decode || outer != above)
        next = level ? offset[outer] : 0;
      above = outer;
      t->base[level][group] = next;
      next += n > 1 && (t->encode || t->decode) ? n : 0;
      if (!level)
        offset[group] = next;
      if (next > t->places)
        t->places = next;
    }
    for (uint32_t group = 0; t->decode && !level && group < groups; group++)
      offset[group] = t->places;
  }
}

static void *plan_memory(void *context, size_t bytes)
{
  return hd_ep_alloc(context, bytes);
}

/* Checks that the network is the one of the plan; on another one, packets would take more hops than
 * the plan counts. A network without coordinates is not checked. This check comes last, because
 * only the built network can answer it. */
static void check_network(struct hd_ep *ep, const struct hd_coding_request *r)
{
  struct hd_ep_grid grid;
  char given[HD_CODING_DIMS * 12] = "", sides[sizeof given] = "";
  if (!hd_ep_grid(ep, &grid))
    return;
  for (uint32_t d = 0; d < r->n_dims; d++)
    snprintf(given + strlen(given), sizeof given - strlen(given), "%s%" PRIu32, d ? "x" : "",
             r->dims[d]);
  for (int d = 0; d < grid.n_dims; d++)
    snprintf(sides + strlen(sides), sizeof sides - strlen(sides), "%s%d", d ? "x" : "",
             grid.dims[d]);
  if (strcmp(given, sides) != 0)
    hd_ep_reject(ep, "dims", "%s; the network's are %s", given, sides);
  if (r->torus != grid.torus)
    hd_ep_reject(ep, "torus", "%d; the network is %s torus", r->torus, grid.torus ? "a" : "no");
}

static void make_task(struct hd_ep *ep, struct hd_coding_task *t)
{
  struct hd_coding_request request = {.torus = hd_program_integer(ep, "torus", 0, 0, 1) != 0,
                                      .sources = t->is_source,
                                      .alloc = plan_memory,
                                      .alloc_context = ep};
  struct hd_error err = {""};
  t->nodes = (uint32_t)hd_ep_size(ep);
  t->layout = hd_ep_packet_layout(ep);
  request.scheme = t->scheme =
      (enum hd_coding_scheme)read_name(ep, "scheme", "coded", hd_coding_scheme_name);
  request.multicast =
      (enum hd_coding_multicast)read_name(ep, "multicast", "all-at-once", hd_coding_multicast_name);
  bool coded = t->scheme == HD_CODING_CODED;
  t->flits = (uint32_t)hd_program_integer(ep, "flits", 1, 1, HD_CODING_FLITS);
  t->most_flits =
      (uint32_t)hd_program_integer(ep, "most_flits", t->flits, t->flits, HD_CODING_FLITS);
  t->encode = !read_choice(ep, "encode", "hardware", "software") && coded;
  t->decode = !read_choice(ep, "decode", "hardware", "software") && coded;
  t->sequential = read_choice(ep, "order", "overlapping", "sequential");
  t->own_channels = read_choice(ep, "channels", "shared", "own");
  if (t->own_channels && hd_ep_networks(ep) < HD_CODING_STEPS)
    hd_ep_reject(ep, "channels",
                 "own takes %d virtual networks; there are %" PRIu32 " (routing.virtual_networks)",
                 HD_CODING_STEPS, hd_ep_networks(ep));
  t->combined_flits = (uint32_t)hd_program_integer(ep, "combined_flits", hd_ep_packet_flits(ep), 1,
                                                   hd_ep_packet_flits(ep));
  t->xor_cycles = hd_program_integer(ep, "xor", 0, 0, 1000000);
  t->restore_cycles = hd_program_integer(ep, "restore", 0, 0, 1000000);
  choose_sources(ep, t);
  read_dims(ep, &request);
  read_groups(ep, &request);
  if (hd_coding_create(&t->plan, &request, &err))
    hd_ep_reject(ep, request.n_levels > 1 ? "inner" : "group", "%s", err.text);
  t->levels = hd_coding_levels(t->plan);
  for (t->id_bits = 1; t->nodes > UINT32_C(1) << t->id_bits;)
    t->id_bits++;
  if (t->layout.head_bits <= KIND_BITS + t->id_bits)
    hd_ep_reject(ep, NULL,
                 "a packet's head has %" PRIu32 " bits for data; this program needs %" PRIu32
                 " (switch.data_bits)",
                 t->layout.head_bits, KIND_BITS + t->id_bits + 1);
  t->value_bits = t->layout.head_bits - KIND_BITS - t->id_bits;
  assign_places(ep, t);
  if (t->places > t->layout.places)
    hd_ep_reject(ep, t->decode ? "decode" : "encode",
                 "hardware takes %" PRIu32 " places of a coder; there are %" PRIu32
                 " (switch.code_places, at most %d); legal: %ssoftware",
                 t->places, t->layout.places, MOST_PLACES,
                 t->places > MOST_PLACES ? "" : "hardware with as many places, ");
  t->initialised = true;
  check_network(ep, &request);
}

struct hd_coding_task *hd_coding_task(struct hd_ep *ep)
{
  struct hd_coding_task *t = hd_ep_shared(ep, "coding", sizeof *t);
  if (!t->initialised)
    make_task(ep, t);
  return t;
}
